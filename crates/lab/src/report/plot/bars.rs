//! Bars beside one another, for quantities that have names.

use std::path::Path;

use plotters::prelude::*;

use super::chart::{label, legend};
use super::{Bars, COLOURS, FONT, SIZE};

/// The room of a label's bars; the rest is a gap.
const WIDTH: f64 = 0.8;

/// Draws bars into a file whose extension says how.
pub(super) fn draw(file: &Path, title: &str, axis: &str, labels: &[String], bars: &[&Bars]) -> Result<(), String> {
    match file.extension().and_then(|e| e.to_str()) {
        Some("svg") => on(SVGBackend::new(file, SIZE).into_drawing_area(), title, axis, labels, bars),
        _ => on(BitMapBackend::new(file, SIZE).into_drawing_area(), title, axis, labels, bars),
    }
}

fn on<B: DrawingBackend>(
    area: DrawingArea<B, plotters::coord::Shift>,
    title: &str,
    axis: &str,
    labels: &[String],
    bars: &[&Bars],
) -> Result<(), String> {
    let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
    area.fill(&WHITE).map_err(text)?;
    let names: Vec<&str> = bars.iter().map(|b| b.name.as_str()).collect();
    let letters = names.iter().map(|n| n.chars().count()).max().unwrap_or(0) as i32;
    let (left, right) = area.split_horizontally(SIZE.0 as i32 - (50 + 8 * letters).min(SIZE.0 as i32 / 2));
    legend(&right, &names)?;
    let (low, high) = range(bars);
    let longest = labels.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let mut chart = ChartBuilder::on(&left)
        .caption(title, (FONT, 22))
        .margin(12)
        .x_label_area_size(20 + 6 * longest as i32)
        .y_label_area_size(80)
        .build_cartesian_2d(0.0..labels.len() as f64, (low..high).log_scale())
        .map_err(text)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .y_desc(axis)
        .label_style((FONT, 14))
        .axis_desc_style((FONT, 16))
        .light_line_style(TRANSPARENT)
        .y_label_formatter(&|v| label(*v))
        .draw()
        .map_err(text)?;
    let width = WIDTH / bars.len() as f64;
    for (number, one) in bars.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let lengths = one.values.iter().enumerate().filter_map(|(place, value)| Some((place, (*value)?)));
        let shapes = lengths.map(|(place, value)| {
            let start = place as f64 + (1.0 - WIDTH) / 2.0 + number as f64 * width;
            Rectangle::new([(start, 1.0f64.clamp(low, high)), (start + width, value)], colour.filled())
        });
        chart.draw_series(shapes).map_err(text)?;
        if let Some(goal) = one.goal {
            let line = [(0.0, goal), (labels.len() as f64, goal)];
            chart.draw_series(LineSeries::new(line, colour.stroke_width(1))).map_err(text)?;
        }
    }
    let one = [(0.0, 1.0), (labels.len() as f64, 1.0)];
    chart.draw_series(LineSeries::new(one, BLACK.stroke_width(1))).map_err(text)?;
    let turned = (FONT, 14).into_text_style(&left).transform(FontTransform::Rotate90);
    for (place, name) in labels.iter().enumerate() {
        let (x, y) = chart.backend_coord(&(place as f64 + 0.5, low));
        left.draw_text(name, &turned, (x + 7, y + 6)).map_err(text)?;
    }
    area.present().map_err(|e| e.to_string())
}

/// What the axis shows: every bar, every goal and 1.
fn range(bars: &[&Bars]) -> (f64, f64) {
    let values = bars.iter().flat_map(|b| b.values.iter().flatten().copied().chain(b.goal));
    let positive = values.filter(|v| v.is_finite() && *v > 0.0);
    let (low, high) = positive.fold((1.0f64, 1.0f64), |(a, b), v| (a.min(v), b.max(v)));
    (low / 1.5, high * 1.5)
}
