//! A Markdown table, for bug reports and notes.

use super::{Document, Format};

pub(super) struct Markdown;

impl Format for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn help(&self) -> &'static str {
        "A table with a row for each step, for bug reports"
    }

    fn render(&self, document: &Document<'_>) -> Result<String, String> {
        let code = |text: &str| match text.is_empty() {
            true => String::new(),
            false => format!("`{}`", text.replace('|', "\\|").replace(['`', '\n'], " ")),
        };
        let mut out = format!("A violation of `{}` in `{}`:\n\n", document.header.property, document.header.model);
        out.push_str("| step | process | action | place | changes |\n| ---: | --- | --- | --- | --- |\n");
        for step in document.steps(None) {
            let cycle = if step.in_cycle { " ↻" } else { "" };
            let changes: Vec<String> = step.changes.iter().map(ToString::to_string).collect();
            out.push_str(&format!(
                "| {}{cycle} | {} | {} | {} | {} |\n",
                step.number,
                code(step.process.as_deref().unwrap_or_default()),
                code(&step.action),
                step.place.as_deref().unwrap_or_default(),
                code(&changes.join(", ")),
            ));
        }
        Ok(out)
    }
}
