//! Panels in which two techniques are set against each other.

use plotters::prelude::*;

use super::draw::{Area, COLOURS, Drawing, FONT};
use super::{Marker, Panel};

/// Panels side by side.
const COLUMNS: usize = 3;

pub(super) struct Scatter<'a> {
    pub title: &'a str,
    pub names: (&'a str, &'a str),
    pub panels: &'a [Panel],
}

/// The markers with their names.
const MARKERS: [(Marker, &str); 3] = [(Marker::Best, "best"), (Marker::Mean, "mean"), (Marker::Worst, "worst")];

impl Drawing for Scatter<'_> {
    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), String> {
        let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let area = area.titled(self.title, (FONT, 20)).map_err(text)?;
        let (area, key) = area.split_vertically(area.dim_in_pixel().1 as i32 - 24);
        for (number, (marker, name)) in MARKERS.into_iter().enumerate() {
            let at = (60 + 90 * number as i32, 10);
            key.draw(&shape(at, marker)).map_err(text)?;
            key.draw(&Text::new(name, (at.0 + 10, at.1 - 7), (FONT, 14))).map_err(text)?;
        }
        let cells = area.split_evenly((self.panels.len().div_ceil(COLUMNS), COLUMNS));
        cells.iter().zip(self.panels).try_for_each(|(cell, panel)| self.panel(cell, panel))
    }
}

impl Scatter<'_> {
    fn panel<B: DrawingBackend>(&self, area: &Area<B>, panel: &Panel) -> Result<(), String> {
        let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let mut chart = ChartBuilder::on(area)
            .caption(&panel.name, (FONT, 15))
            .margin(6)
            .x_label_area_size(34)
            .y_label_area_size(46)
            .build_cartesian_2d(RANGE, RANGE)
            .map_err(text)?;
        chart
            .configure_mesh()
            .x_desc(self.names.0)
            .y_desc(self.names.1)
            .x_labels(5)
            .y_labels(5)
            .label_style((FONT, 12))
            .axis_desc_style((FONT, 13))
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(text)?;
        // Above the diagonal, the second technique is better.
        let diagonal = DashedLineSeries::new([(0.0, 0.0), (1.0, 1.0)], 4, 4, BLACK.stroke_width(1));
        chart.draw_series(diagonal).map_err(text)?;
        chart.draw_series(panel.points.iter().map(|&(x, y, marker)| shape((x, y), marker))).map_err(text)?;
        Ok(())
    }
}

/// The range of the axes, with room for markers at the edges.
const RANGE: std::ops::Range<f64> = -0.05..1.05;

fn shape<B: DrawingBackend, C: Clone + 'static>(at: C, marker: Marker) -> DynElement<'static, B, C> {
    match marker {
        Marker::Best => TriangleMarker::new(at, 5, COLOURS[2].filled()).into_dyn(),
        Marker::Mean => Circle::new(at, 4, COLOURS[0].filled()).into_dyn(),
        Marker::Worst => Cross::new(at, 4, COLOURS[1].stroke_width(2)).into_dyn(),
    }
}
