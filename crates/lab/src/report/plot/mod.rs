//! Pictures of measurements, each as SVG and as PNG.
//!
//! [`curves`] draws lines, [`bars`] quantities that have names instead of sizes. Texts are drawn with a font that is
//! compiled in, so that a picture is the same on a machine without fonts.

mod bars;
mod chart;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Once;

use plotters::style::{FontStyle, RGBColor, register_font};

/// The name under which the font is known.
const FONT: &str = "sans-serif";

const SIZE: (u32, u32) = (1080, 600);

/// Colours that can be told apart by most people (Okabe and Ito).
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

/// A line with a name.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// Error bars: x, low, high.
    pub bars: Vec<(f64, f64, f64)>,
}

/// Which axes are logarithmic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// Neither.
    Linear,
    /// The horizontal one; only for distributions.
    LogX,
    /// The measured quantity.
    LogY,
    /// Both.
    LogXY,
}

/// Bars that belong together: one for each label of the picture.
#[derive(Clone, Debug)]
pub struct Bars {
    /// Their name in the legend.
    pub name: String,
    /// Their lengths, in the order of the labels; none where there is nothing to show.
    pub values: Vec<Option<f64>>,
    /// What is to be reached, as a line of the same colour.
    pub goal: Option<f64>,
}

/// A picture that could not be drawn.
#[derive(Debug)]
pub struct PlotError {
    /// Its file.
    pub file: PathBuf,
    /// What went wrong.
    pub why: String,
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be drawn: {}", self.file.display(), self.why)
    }
}

impl std::error::Error for PlotError {}

/// Draws curves into `path` with the extensions `.svg` and `.png`; false when there are none.
pub fn curves(path: &Path, title: &str, axes: (&str, &str), log: Axes, curves: &[Curve]) -> Result<bool, PlotError> {
    let some: Vec<&Curve> = curves.iter().filter(|c| !c.points.is_empty()).collect();
    if some.is_empty() {
        return Ok(false);
    }
    both(path, |file| chart::draw(file, title, axes, log, &some))?;
    Ok(true)
}

/// Draws bars beside one another over a logarithmic axis, on which a length and its inverse look alike; false when there
/// are none.
pub fn bars(path: &Path, title: &str, axis: &str, labels: &[String], bars: &[Bars]) -> Result<bool, PlotError> {
    let some: Vec<&Bars> = bars.iter().filter(|b| b.values.iter().any(Option::is_some)).collect();
    if some.is_empty() {
        return Ok(false);
    }
    both(path, |file| bars::draw(file, title, axis, labels, &some))?;
    Ok(true)
}

/// Draws a picture twice: as SVG and as PNG.
fn both(path: &Path, draw: impl Fn(&Path) -> Result<(), String>) -> Result<(), PlotError> {
    static FONTS: Once = Once::new();
    FONTS.call_once(|| {
        // The font is part of the program; it cannot be missing or broken.
        let _ = register_font(FONT, FontStyle::Normal, dejavu::sans::regular());
    });
    for extension in ["svg", "png"] {
        let file = path.with_file_name(format!("{}.{extension}", path.file_name().unwrap_or_default().display()));
        draw(&file).map_err(|why| PlotError { file: file.clone(), why })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_written_twice_and_name_what_they_show() {
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
    fn nothing_is_drawn_without_anything_to_show() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty");
        let none = Bars { name: "none".to_owned(), values: vec![None], goal: Some(1.0) };
        assert!(!bars(&path, "", "", &["a".to_owned()], &[none]).unwrap());
        assert!(!curves(&path, "", ("", ""), Axes::Linear, &[]).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
