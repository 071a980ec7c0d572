//! Plots, each as SVG and as PNG: curves over sizes, and bars over names.
//!
//! The font is compiled in, so that a plot is the same on a machine without fonts.

mod bars;
mod chart;

use std::path::Path;
use std::sync::Once;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;

use crate::error::ExperimentError;

/// The name of the font.
const FONT: &str = "sans-serif";

const SIZE: (u32, u32) = (1080, 600);

type Area<B> = DrawingArea<B, Shift>;

/// Colours for readers with any colour vision (Okabe and Ito).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(120, 120, 120),
    RGBColor(0, 0, 0),
];

/// A curve with a name.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The name in the legend.
    pub name: String,
    /// The points.
    pub points: Vec<(f64, f64)>,
    /// Error bars: x, low, high.
    pub bars: Vec<(f64, f64, f64)>,
}

impl Curve {
    /// A curve without error bars.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Curve {
        Curve { name: name.into(), points, bars: Vec::new() }
    }
}

/// Which axes are logarithmic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// Neither.
    Linear,
    /// The horizontal axis; only for distributions.
    LogX,
    /// The vertical axis.
    LogY,
    /// Both.
    LogXY,
}

/// A series of bars: one for each label of the plot.
#[derive(Clone, Debug)]
pub struct Bars {
    /// The name in the legend.
    pub name: String,
    /// The lengths, in the order of the labels; none where there is no value.
    pub values: Vec<Option<f64>>,
    /// The goal, drawn as a line of the same colour.
    pub goal: Option<f64>,
}

/// Draws curves into `path` with the extensions `.svg` and `.png`; false when there are none.
pub fn curves(
    path: &Path,
    title: &str,
    names: (&str, &str),
    log: Axes,
    curves: &[Curve],
) -> Result<bool, ExperimentError> {
    let curves: Vec<&Curve> = curves.iter().filter(|c| !c.points.is_empty()).collect();
    let some = !curves.is_empty();
    if some {
        write(path, &chart::Chart { title, names, log, curves })?;
    }
    Ok(some)
}

/// Draws series of bars over a logarithmic axis; false when there are none.
pub fn bars(path: &Path, title: &str, axis: &str, labels: &[String], bars: &[Bars]) -> Result<bool, ExperimentError> {
    let bars: Vec<&Bars> = bars.iter().filter(|b| b.values.iter().any(Option::is_some)).collect();
    let some = !bars.is_empty();
    if some {
        write(path, &bars::BarChart { title, axis, labels, bars })?;
    }
    Ok(some)
}

/// Something that can be drawn on any backend.
trait Drawing {
    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), String>;
}

/// Draws a plot twice: as SVG and as PNG.
fn write(path: &Path, plot: &impl Drawing) -> Result<(), ExperimentError> {
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
fn legend<B: DrawingBackend>(area: &Area<B>, names: &[&str]) -> Result<Area<B>, String> {
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
fn label(value: f64) -> String {
    match value.abs() {
        a if a >= 1e6 => format!("{value:.0e}"),
        a if a >= 10.0 || a == a.trunc() => format!("{value:.0}"),
        a if a >= 0.1 => format!("{value:.1}"),
        _ => format!("{value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_are_written_twice_and_contain_their_texts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("speed");
        let labels = ["philosophers".to_owned(), "peterson".to_owned()];
        let lengths = Bars { name: "against pan".to_owned(), values: vec![Some(2.5), None], goal: Some(1.0) };
        assert!(bars(&path, "Speed", "times as fast", &labels, &[lengths]).unwrap());
        let svg = std::fs::read_to_string(folder.path().join("speed.svg")).unwrap();
        for text in ["Speed", "philosophers", "peterson", "against pan"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(folder.path().join("speed.png").is_file());
    }

    #[test]
    fn a_plot_without_values_is_not_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty");
        let none = Bars { name: "none".to_owned(), values: vec![None], goal: Some(1.0) };
        assert!(!bars(&path, "", "", &["a".to_owned()], &[none]).unwrap());
        assert!(!curves(&path, "", ("", ""), Axes::Linear, &[]).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
