//! Plots, each as SVG and as PNG: curves over sizes, bars over names, and panels that set two techniques against each other.
//!
//! Builds without the feature `plots` draw none of them.

#[cfg(feature = "plots")]
mod bars;
#[cfg(feature = "plots")]
mod chart;
#[cfg(feature = "plots")]
mod draw;
#[cfg(feature = "plots")]
mod scatter;

use std::path::Path;

use crate::error::ExperimentError;

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

/// A square in which each point has the value of one technique to the right and that of another one upwards, both from 0 to 1.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The heading.
    pub name: String,
    /// The points.
    pub points: Vec<(f64, f64, Marker)>,
}

impl Panel {
    /// A panel.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64, Marker)>) -> Panel {
        Panel { name: name.into(), points }
    }
}

/// What a point stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// The best trials.
    Best,
    /// The mean of all trials.
    Mean,
    /// The worst trials.
    Worst,
}

/// Draws panels that set the second technique against the first; false when there are no points.
#[cfg_attr(not(feature = "plots"), expect(unused_variables))]
pub fn panels(path: &Path, title: &str, names: (&str, &str), panels: &[Panel]) -> Result<bool, ExperimentError> {
    if panels.iter().all(|panel| panel.points.is_empty()) || cfg!(not(feature = "plots")) {
        return Ok(false);
    }
    #[cfg(feature = "plots")]
    draw::write(path, &scatter::Scatter { title, names, panels })?;
    Ok(true)
}

/// Draws curves into `path` with the extensions `.svg` and `.png`; false when there are none.
#[cfg_attr(not(feature = "plots"), expect(unused_variables))]
pub fn curves(
    path: &Path,
    title: &str,
    names: (&str, &str),
    log: Axes,
    curves: &[Curve],
) -> Result<bool, ExperimentError> {
    let curves: Vec<&Curve> = curves.iter().filter(|c| !c.points.is_empty()).collect();
    if curves.is_empty() || cfg!(not(feature = "plots")) {
        return Ok(false);
    }
    #[cfg(feature = "plots")]
    draw::write(path, &chart::Chart { title, names, log, curves })?;
    Ok(true)
}

/// Draws series of bars over a logarithmic axis; false when there are none.
#[cfg_attr(not(feature = "plots"), expect(unused_variables))]
pub fn bars(path: &Path, title: &str, axis: &str, labels: &[String], bars: &[Bars]) -> Result<bool, ExperimentError> {
    let bars: Vec<&Bars> = bars.iter().filter(|b| b.values.iter().any(Option::is_some)).collect();
    if bars.is_empty() || cfg!(not(feature = "plots")) {
        return Ok(false);
    }
    #[cfg(feature = "plots")]
    draw::write(path, &bars::BarChart { title, axis, labels, bars })?;
    Ok(true)
}

#[cfg(all(test, feature = "plots"))]
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
