//! One chart with lines.

use std::path::Path;

use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::{Axes, COLOURS, Curve, FONT, SIZE};

/// Draws curves into a file whose extension says how.
pub(super) fn draw(file: &Path, title: &str, names: (&str, &str), log: Axes, curves: &[&Curve]) -> Result<(), String> {
    match file.extension().and_then(|e| e.to_str()) {
        Some("svg") => on(SVGBackend::new(file, SIZE).into_drawing_area(), title, names, log, curves),
        _ => on(BitMapBackend::new(file, SIZE).into_drawing_area(), title, names, log, curves),
    }
}

type Area<B> = DrawingArea<B, plotters::coord::Shift>;

fn on<B: DrawingBackend>(
    area: Area<B>,
    title: &str,
    names: (&str, &str),
    log: Axes,
    curves: &[&Curve],
) -> Result<(), String> {
    area.fill(&WHITE).map_err(|e| e.to_string())?;
    let xs = || curves.iter().flat_map(|c| c.points.iter().map(|p| p.0));
    let ys = || {
        let bars = curves.iter().flat_map(|c| c.bars.iter().flat_map(|b| [b.1, b.2]));
        curves.iter().flat_map(|c| c.points.iter().map(|p| p.1)).chain(bars)
    };
    let (log_x, log_y) = (matches!(log, Axes::LogX | Axes::LogXY), matches!(log, Axes::LogY | Axes::LogXY));
    let x = range(xs(), log_x);
    let y = range(ys(), log_y);
    // The longest name decides how much room the legend has.
    let letters = curves.iter().map(|c| c.name.chars().count()).max().unwrap_or(0) as i32;
    let (left, right) = area.split_horizontally(SIZE.0 as i32 - (50 + 8 * letters).min(SIZE.0 as i32 / 2));
    let lines: Vec<&str> = curves.iter().map(|c| c.name.as_str()).collect();
    legend(&right, &lines)?;
    let chart = Chart { area: &left, title, names, curves };
    match (log_x, log_y) {
        (false, false) => chart.draw::<RangedCoordf64, RangedCoordf64>(x.0..x.1, y.0..y.1, y.0),
        (true, false) => chart.draw::<LogCoord<f64>, RangedCoordf64>((x.0..x.1).log_scale(), y.0..y.1, y.0),
        (false, true) => chart.draw::<RangedCoordf64, LogCoord<f64>>(x.0..x.1, (y.0..y.1).log_scale(), y.0),
        (true, true) => chart.draw::<LogCoord<f64>, LogCoord<f64>>((x.0..x.1).log_scale(), (y.0..y.1).log_scale(), y.0),
    }?;
    area.present().map_err(|e| e.to_string())
}

/// What an axis shows; a logarithmic one only what is positive.
fn range(values: impl Iterator<Item = f64>, log: bool) -> (f64, f64) {
    let mut finite = values.filter(|v| v.is_finite() && (!log || *v > 0.0)).peekable();
    if finite.peek().is_none() {
        return (1.0, 10.0);
    }
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    if log {
        return (low / 1.2, high.max(low * 1.01) * 1.2);
    }
    let margin = ((high - low) * 0.04).max(high.abs() * 0.01).max(1e-9);
    (if low >= 0.0 { 0.0f64.min(low) } else { low - margin }, high + margin)
}

struct Chart<'a, B: DrawingBackend> {
    area: &'a Area<B>,
    title: &'a str,
    names: (&'a str, &'a str),
    curves: &'a [&'a Curve],
}

impl<B: DrawingBackend> Chart<'_, B> {
    /// `lowest` is where error bars end on a logarithmic axis.
    fn draw<X, Y>(
        &self,
        x: impl AsRangedCoord<CoordDescType = X, Value = f64>,
        y: impl AsRangedCoord<CoordDescType = Y, Value = f64>,
        lowest: f64,
    ) -> Result<(), String>
    where
        X: Ranged<ValueType = f64> + ValueFormatter<f64>,
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let mut chart = ChartBuilder::on(self.area)
            .caption(self.title, (FONT, 22))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(80)
            .build_cartesian_2d(x, y)
            .map_err(text)?;
        chart
            .configure_mesh()
            .x_desc(self.names.0)
            .y_desc(self.names.1)
            .label_style((FONT, 14))
            .axis_desc_style((FONT, 16))
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&|v| label(*v))
            .y_label_formatter(&|v| label(*v))
            .draw()
            .map_err(text)?;
        for (number, curve) in self.curves.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let points: Vec<(f64, f64)> = curve.points.iter().map(|&(a, b)| (a, b.max(lowest))).collect();
            chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2))).map_err(text)?;
            if points.len() <= 40 {
                let dots = points.iter().map(|&p| Circle::new(p, 3, colour.filled()));
                chart.draw_series(dots).map_err(text)?;
            }
            let bars = curve.bars.iter().map(|&(x, low, high)| {
                let (low, high) = (low.max(lowest), high.max(lowest));
                ErrorBar::new_vertical(x, low, f64::midpoint(low, high), high, colour.stroke_width(1), 6)
            });
            chart.draw_series(bars).map_err(text)?;
        }
        Ok(())
    }
}

/// What the lines mean, beside the chart, so that it hides none of them.
pub(super) fn legend<B: DrawingBackend>(area: &Area<B>, names: &[&str]) -> Result<(), String> {
    let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
    for (number, name) in names.iter().enumerate() {
        let (colour, y) = (COLOURS[number % COLOURS.len()], 60 + 24 * number as i32);
        area.draw(&PathElement::new(vec![(4, y), (26, y)], colour.stroke_width(3))).map_err(text)?;
        area.draw(&Text::new((*name).to_owned(), (32, y - 8), (FONT, 14))).map_err(text)?;
    }
    Ok(())
}

pub(super) fn label(value: f64) -> String {
    match value.abs() {
        a if a >= 1e6 => format!("{value:.0e}"),
        a if a >= 10.0 || a == a.trunc() => format!("{value:.0}"),
        a if a >= 0.1 => format!("{value:.1}"),
        _ => format!("{value}"),
    }
}
