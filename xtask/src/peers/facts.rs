//! What there is to compare in a model: its claims and labels, as Spin sees them.

use super::bench::{Bench, NoResult};

/// What Spin found in a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Names of its `ltl` formulas, in order.
    pub ltl: Vec<String>,
    /// The name Spin gives its hand-written never claim.
    pub never: Option<String>,
    /// It has progress labels.
    pub progress: bool,
    /// It has accept labels but no claim they could belong to.
    pub acceptance: bool,
    /// A process may be held back by `provided` or by a priority.
    pub gated: bool,
    /// It has rendezvous channels.
    pub rendezvous: bool,
    /// It reads how many processes there are.
    pub counts_processes: bool,
    /// It has `hidden` variables, for which Spin has no stable number of states.
    pub hidden: bool,
}

impl Facts {
    /// Reads them off the generated verifier.
    pub fn of(bench: &mut Bench<'_>) -> Result<Facts, NoResult> {
        let (announced, generated) = bench.generated_text()?;
        let model = bench.text()?;
        Ok(Facts::read(&announced, &generated, &model))
    }

    /// `announced` is what `spin -a` prints, where each `ltl` block has a line of its own.
    fn read(announced: &str, generated: &str, model: &str) -> Facts {
        let is_ltl = |name: &&str| announced.lines().any(|line| line.starts_with(&format!("ltl {name}: ")));
        let (ltl, never): (Vec<&str>, Vec<&str>) = claims(generated).partition(is_ltl);
        let model = without_comments(model);
        let uses = |names: &[&str]| words(&model).any(|word| names.contains(&word));
        Facts {
            acceptance: ltl.is_empty() && never.is_empty() && accept_labels(generated) > 0,
            gated: uses(&["provided", "priority", "set_priority"]),
            counts_processes: uses(&["_nr_pr"]),
            hidden: uses(&["hidden"]),
            ltl: ltl.into_iter().map(str::to_owned).collect(),
            never: never.first().map(|name| (*name).to_owned()),
            progress: number_after(generated, "#define PROG_LAB").is_some_and(|count| count > 0),
            rendezvous: number_after(generated, "#define SYNC").is_some_and(|count| count > 0),
        }
    }
}

fn number_after(text: &str, words: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.trim().strip_prefix(words))?;
    rest.split_whitespace().next()?.parse().ok()
}

fn accept_labels(generated: &str) -> u64 {
    let line = generated.lines().find(|line| line.contains("user-defined accept labels")).unwrap_or("");
    number_after(line, "#define ACCEPT_LAB").unwrap_or(0)
}

/// The claims' names in order of declaration, from the table of process types (`1, /* name */` is a claim).
fn claims(generated: &str) -> impl Iterator<Item = &str> {
    let table = generated.lines().skip_while(|line| !line.starts_with("int Btypes[]")).skip(1);
    table.take_while(|line| !line.starts_with("};")).filter_map(|line| {
        let name = line.trim().strip_prefix("1,")?.trim();
        name.strip_prefix("/*")?.strip_suffix("*/").map(str::trim)
    })
}

/// The text with comments blanked.
pub fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some(start) = rest.find("/*") {
        kept.push_str(&rest[..start]);
        kept.push(' ');
        rest = rest[start + 2..].find("*/").map_or("", |end| &rest[start + 2 + end + 2..]);
    }
    kept.push_str(rest);
    kept.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The identifiers of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_and_labels_are_read_off_the_generated_verifier() {
        let announced = "ltl p1: <> ((x==1))\nltl ltl_0: <> ((x==1))\n  the model contains 3 never claims\n";
        let generated = "#define SYNC\t1\n#define PROG_LAB\t2 /* progress labels */\nint Btypes[] = {\n   3,\t/* P */\n   1,\t/* never_0 */\n   1,\t/* p1 */\n   1,\t/* ltl_0 */\n   0\t/* :np_: */\n};\n   1,\t/* no */\n";
        let facts = Facts::read(announced, generated, "byte x; /* hidden */ // hidden\n");
        assert_eq!(facts.ltl, ["p1", "ltl_0"]);
        assert_eq!(facts.never.as_deref(), Some("never_0"));
        assert!(facts.progress && facts.rendezvous && !facts.hidden);
    }

    #[test]
    fn comments_are_blanked() {
        assert_eq!(without_comments("a /* b */ c // d\ne"), "a   c \ne");
    }
}
