//! A chart with curves.

use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::draw::{Area, COLOURS, Drawing, FONT, label, legend};
use super::{Axes, Curve};

pub(super) struct Chart<'a> {
    pub title: &'a str,
    pub names: (&'a str, &'a str),
    pub log: Axes,
    pub curves: Vec<&'a Curve>,
}

impl Drawing for Chart<'_> {
    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), String> {
        let curves = &self.curves;
        let xs = curves.iter().flat_map(|c| c.points.iter().map(|p| p.0));
        let bars = curves.iter().flat_map(|c| c.bars.iter().flat_map(|b| [b.1, b.2]));
        let ys = curves.iter().flat_map(|c| c.points.iter().map(|p| p.1)).chain(bars);
        let log_x = matches!(self.log, Axes::LogX | Axes::LogXY);
        let log_y = matches!(self.log, Axes::LogY | Axes::LogXY);
        let (x, y) = (range(xs, log_x), range(ys, log_y));
        let left = legend(area, &curves.iter().map(|c| c.name.as_str()).collect::<Vec<_>>())?;
        let (xs, ys) = (x.0..x.1, y.0..y.1);
        match (log_x, log_y) {
            (false, false) => self.axes::<B, RangedCoordf64, RangedCoordf64>(&left, xs, ys, y.0),
            (true, false) => self.axes::<B, LogCoord<f64>, RangedCoordf64>(&left, xs.log_scale(), ys, y.0),
            (false, true) => self.axes::<B, RangedCoordf64, LogCoord<f64>>(&left, xs, ys.log_scale(), y.0),
            (true, true) => self.axes::<B, LogCoord<f64>, LogCoord<f64>>(&left, xs.log_scale(), ys.log_scale(), y.0),
        }
    }
}

/// The range of an axis; a logarithmic one has positive values only.
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

impl Chart<'_> {
    /// Draws axes and curves; error bars end at `lowest`.
    fn axes<B: DrawingBackend, X, Y>(
        &self,
        area: &Area<B>,
        x: impl AsRangedCoord<CoordDescType = X, Value = f64>,
        y: impl AsRangedCoord<CoordDescType = Y, Value = f64>,
        lowest: f64,
    ) -> Result<(), String>
    where
        X: Ranged<ValueType = f64> + ValueFormatter<f64>,
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let mut chart = ChartBuilder::on(area)
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
