//! The claims and labels of a model, as Spin sees them: they decide what there is to compare.

use lurcher_lab::peers::spin::NoResult;

use super::case::Case;

/// What Spin found in a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features {
    /// Names of the `ltl` formulas, in order.
    pub ltl: Vec<String>,
    /// The name that Spin gives the never claim of the model.
    pub never: Option<String>,
    /// There are progress labels.
    pub progress: bool,
    /// There are accept labels, and no claim.
    pub acceptance: bool,
    /// `provided` or priorities may disable a process.
    pub gated: bool,
    /// There are rendezvous channels.
    pub rendezvous: bool,
    /// The model reads `_nr_pr`.
    pub counts_processes: bool,
    /// There are `hidden` variables, for which Spin has no stable number of states.
    pub hidden: bool,
}

impl Features {
    /// Reads them off the generated verifier and the text of the model.
    pub fn of(case: &mut Case<'_>) -> Result<Features, NoResult> {
        let (printed, generated) = case.generated_text()?;
        Ok(Features::read(&printed, &generated, &case.text()?))
    }

    /// `printed` is the output of `spin -a`, with a line for each `ltl` formula.
    fn read(printed: &str, generated: &str, model: &str) -> Features {
        let is_ltl = |name: &&str| printed.lines().any(|line| line.starts_with(&format!("ltl {name}: ")));
        let (ltl, never): (Vec<&str>, Vec<&str>) = claims(generated).partition(is_ltl);
        let model = without_comments(model);
        let accept_labels = generated.lines().find(|line| line.contains("user-defined accept labels")).unwrap_or("");
        Features {
            acceptance: ltl.is_empty() && never.is_empty() && is_positive(accept_labels, "#define ACCEPT_LAB"),
            gated: ["provided", "priority", "set_priority"].iter().any(|word| uses(&model, word)),
            counts_processes: uses(&model, "_nr_pr"),
            hidden: uses(&model, "hidden"),
            ltl: ltl.into_iter().map(str::to_owned).collect(),
            never: never.first().map(|name| (*name).to_owned()),
            progress: is_positive(generated, "#define PROG_LAB"),
            rendezvous: is_positive(generated, "#define SYNC"),
        }
    }
}

/// Whether the number that follows these words at the start of a line is positive.
fn is_positive(text: &str, words: &str) -> bool {
    let rest = text.lines().find_map(|line| line.trim().strip_prefix(words)).unwrap_or("");
    rest.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).is_some_and(|number| number > 0)
}

/// The names of the claims, in order of declaration, from the table of process types (`1, /* name */` is a claim).
fn claims(generated: &str) -> impl Iterator<Item = &str> {
    let table = generated.lines().skip_while(|line| !line.starts_with("int Btypes[]")).skip(1);
    table.take_while(|line| !line.starts_with("};")).filter_map(|line| {
        let name = line.trim().strip_prefix("1,")?.trim();
        name.strip_prefix("/*")?.strip_suffix("*/").map(str::trim)
    })
}

/// The text without comments.
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

/// Whether an identifier occurs in a text.
pub fn uses(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_and_labels_are_read_off_the_generated_verifier() {
        let printed = "ltl p1: <> ((x==1))\nltl ltl_0: <> ((x==1))\n  the model contains 3 never claims\n";
        let generated = "#define SYNC\t1\n#define PROG_LAB\t2 /* progress labels */\nint Btypes[] = {\n   3,\t/* P */\n   1,\t/* never_0 */\n   1,\t/* p1 */\n   1,\t/* ltl_0 */\n   0\t/* :np_: */\n};\n   1,\t/* no */\n";
        let features = Features::read(printed, generated, "byte x; /* hidden */ // hidden\n");
        assert_eq!(features.ltl, ["p1", "ltl_0"]);
        assert_eq!(features.never.as_deref(), Some("never_0"));
        assert!(features.progress && features.rendezvous && !features.hidden);
    }

    #[test]
    fn comments_are_removed() {
        assert_eq!(without_comments("a /* b */ c // d\ne"), "a   c \ne");
    }
}
