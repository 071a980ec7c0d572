//! A bar chart, for quantities that have names.

use plotters::prelude::*;

use super::Bars;
use super::draw::{Area, COLOURS, Drawing, FONT, label, legend};

/// The width of all bars of a label; the rest is a gap.
const WIDTH: f64 = 0.8;

pub(super) struct BarChart<'a> {
    pub title: &'a str,
    pub axis: &'a str,
    pub labels: &'a [String],
    pub bars: Vec<&'a Bars>,
}

impl Drawing for BarChart<'_> {
    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), String> {
        let BarChart { title, axis, labels, bars } = self;
        let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let left = legend(area, &bars.iter().map(|b| b.name.as_str()).collect::<Vec<_>>())?;
        let (low, high) = range(bars);
        let longest = labels.iter().map(|l| l.chars().count()).max().unwrap_or(0);
        let mut chart = ChartBuilder::on(&left)
            .caption(*title, (FONT, 22))
            .margin(12)
            .x_label_area_size(20 + 6 * longest as i32)
            .y_label_area_size(80)
            .build_cartesian_2d(0.0..labels.len() as f64, (low..high).log_scale())
            .map_err(text)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .disable_x_axis()
            .y_desc(*axis)
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
        Ok(())
    }
}

/// The range of the axis: every bar, every goal and 1.
fn range(bars: &[&Bars]) -> (f64, f64) {
    let values = bars.iter().flat_map(|b| b.values.iter().flatten().copied().chain(b.goal));
    let positive = values.filter(|v| v.is_finite() && *v > 0.0);
    let (low, high) = positive.fold((1.0f64, 1.0f64), |(a, b), v| (a.min(v), b.max(v)));
    (low / 1.5, high * 1.5)
}
