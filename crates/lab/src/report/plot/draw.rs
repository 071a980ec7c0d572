//! Drawing plots with `plotters`. The font is compiled in, so that a plot is the same on a machine without fonts.

use std::path::Path;
use std::sync::Once;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;

use crate::error::ExperimentError;

/// The name of the font.
pub(super) const FONT: &str = "sans-serif";

pub(super) const SIZE: (u32, u32) = (1080, 600);

pub(super) type Area<B> = DrawingArea<B, Shift>;

/// Colours for readers with any colour vision (Okabe and Ito).
pub(super) const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(120, 120, 120),
    RGBColor(0, 0, 0),
];

/// Something that can be drawn on any backend.
pub(super) trait Drawing {
    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), String>;
}

/// Draws a plot twice: as SVG and as PNG.
pub(super) fn write(path: &Path, plot: &impl Drawing) -> Result<(), ExperimentError> {
    static FONTS: Once = Once::new();
    FONTS.call_once(|| {
        // The font is part of the program and cannot be missing.
        let _ = register_font(FONT, FontStyle::Normal, dejavu::sans::regular());
    });
    let file = |extension: &str| {
        path.with_file_name(format!("{}.{extension}", path.file_name().unwrap_or_default().display()))
    };
    let (svg, png) = (file("svg"), file("png"));
    let failed = |why: String| format!("it cannot be drawn: {why}");
    on(SVGBackend::new(&svg, SIZE), plot).map_err(failed).map_err(ExperimentError::about(&svg))?;
    on(BitMapBackend::new(&png, SIZE), plot).map_err(failed).map_err(ExperimentError::about(&png))
}

fn on<B: DrawingBackend>(backend: B, plot: &impl Drawing) -> Result<(), String> {
    let area = backend.into_drawing_area();
    area.fill(&WHITE).map_err(|e| e.to_string())?;
    plot.draw(&area)?;
    area.present().map_err(|e| e.to_string())
}

/// Draws the legend at the right edge, as wide as the longest name needs; returns the rest of the area.
pub(super) fn legend<B: DrawingBackend>(area: &Area<B>, names: &[&str]) -> Result<Area<B>, String> {
    let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
    let letters = names.iter().map(|n| n.chars().count()).max().unwrap_or(0) as i32;
    let (left, right) = area.split_horizontally(SIZE.0 as i32 - (50 + 8 * letters).min(SIZE.0 as i32 / 2));
    for (number, name) in names.iter().enumerate() {
        let (colour, y) = (COLOURS[number % COLOURS.len()], 60 + 24 * number as i32);
        right.draw(&PathElement::new(vec![(4, y), (26, y)], colour.stroke_width(3))).map_err(text)?;
        right.draw(&Text::new((*name).to_owned(), (32, y - 8), (FONT, 14))).map_err(text)?;
    }
    Ok(left)
}

/// The label of a value on an axis.
pub(super) fn label(value: f64) -> String {
    match value.abs() {
        a if a >= 1e6 => format!("{value:.0e}"),
        a if a >= 10.0 || a == a.trunc() => format!("{value:.0}"),
        a if a >= 0.1 => format!("{value:.1}"),
        _ => format!("{value}"),
    }
}
