//! Configurations of engines, without the options that make no difference to them.

use lurcher::engines::{
    BIAS, DEPTH, DROP, GUIDE, Info, Kind, Options, Parameter, RESTART, REVERSE_GUIDE, SELECT, UNTIL, engine,
};
use lurcher::{Form, Model};
use lurcher_search::UNBOUNDED;
use lurcher_symbolic::processes::variables;
use lurcher_syntax::glob;

use crate::spec::{Choices, Depth};
use crate::trial::{Parameters, Way};

/// A way of running a trial with the options that matter to it.
#[derive(Clone, Debug)]
pub(super) struct Configuration {
    pub way: Way,
    /// What labels say about it: name and value.
    pub said: Vec<(&'static str, String)>,
}

/// All configurations of an engine and a depth, each once.
pub(super) fn configurations(
    choices: &Choices,
    name: &str,
    (wanted, steps): (&Depth, u32),
    model: &Model,
) -> Result<Vec<Configuration>, String> {
    let info = engine(name).ok_or_else(|| format!("there is no engine `{name}`"))?.info();
    let relation = model.relation().is_some();
    let mut all = vec![Options::default()];
    for (parameter, values) in choices.options.iter().filter(|(p, _)| reads(info, p) && !is_fixed(info, p)) {
        let values = values.iter().map(|value| stated(info, parameter, value));
        let values: Vec<&str> = values.filter(|value| accepts(info, parameter, value)).collect();
        let longer = all.iter().flat_map(|options| values.iter().map(|v| with(options, parameter, v, model)));
        all = longer.collect::<Result<_, _>>()?;
    }
    // Depths are those of walks; the searches of relations have none.
    let has_depth = reads(info, &DEPTH) && (!relation || is_walk(info));
    let bounded = has_depth && steps != UNBOUNDED;
    let mut found: Vec<Configuration> = Vec::new();
    for options in all {
        let mut options = without_effect(options, info, relation);
        if bounded {
            options = options.with(&DEPTH, &steps.to_string());
        } else if is_walk(info) {
            options = options.with(&DEPTH, "none");
        }
        let mut said = labels(info, &options);
        if has_depth {
            let depth = if bounded { format!("depth {}", wanted.text) } else { "unbounded".to_owned() };
            said.push(("depth", depth));
        }
        if found.iter().all(|known| known.said != said) {
            found.push(Configuration { way: Way::Engine { info, options }, said });
        }
    }
    Ok(found)
}

/// The parameters that have columns and labels of their own.
const NAMED: [&Parameter; 8] = [&SELECT, &GUIDE, &DROP, &BIAS, &REVERSE_GUIDE, &RESTART, &UNTIL, &DEPTH];

/// Whether an engine reads a parameter.
fn reads(info: &Info, parameter: &Parameter) -> bool {
    info.reads(parameter.name)
}

/// Whether an engine has this value of a parameter. What it has not is left out, so that engines may share choices.
fn accepts(info: &Info, parameter: &Parameter, value: &str) -> bool {
    let own = info.parameters().find(|p| p.name == parameter.name);
    own.is_none_or(|own| match own.kind {
        Kind::Word(words) if own.name == GUIDE.name => words.iter().any(|(word, _)| *word == value),
        _ => true,
    })
}

/// A value, or what stands for no value: only directed searches choose a guide where the file names none.
fn stated<'v>(info: &Info, parameter: &Parameter, value: &'v str) -> &'v str {
    let is_open = parameter.name == GUIDE.name && value.is_empty();
    if is_open && !is_directed(info) { "none" } else { value }
}

/// Whether an engine is a directed search: one that orders states by a heuristic.
fn is_directed(info: &Info) -> bool {
    info.parameters().any(|p| std::ptr::eq(p, &GUIDE)) && !is_walk(info) && !is_portfolio(info)
}

/// Whether an engine runs a portfolio, which has its own heuristics.
fn is_portfolio(info: &Info) -> bool {
    info.name == "auto"
}

/// Whether an engine makes walks of one kind.
fn is_walk(info: &Info) -> bool {
    reads(info, &UNTIL) || reads(info, &REVERSE_GUIDE)
}

/// Whether an engine chooses a parameter by itself in experiments.
fn is_fixed(info: &Info, parameter: &Parameter) -> bool {
    let is_guide = parameter.name == GUIDE.name;
    is_guide && follows_abstraction(info) || is_portfolio(info) && (is_guide || parameter.name == DROP.name)
}

/// Whether an engine follows an abstraction and nothing else.
fn follows_abstraction(info: &Info) -> bool {
    !is_walk(info) && !is_directed(info) && !is_portfolio(info) && reads(info, &DROP)
}

/// Options with one more value; words that mean the default add nothing.
fn with(options: &Options, parameter: &'static Parameter, value: &str, model: &Model) -> Result<Options, String> {
    let mut options = options.clone();
    if !matches!(value, "" | "false" | "end") {
        let text = if std::ptr::eq(parameter, &DROP) { dropped(model, value)? } else { value.to_owned() };
        options.add(parameter, &text)?;
    }
    Ok(options)
}

/// Removes options that make no difference.
fn without_effect(options: Options, info: &Info, relation: bool) -> Options {
    let guided = options.text(&GUIDE).is_some_and(|g| g != "none");
    let takes_guide = !follows_abstraction(info) && reads(info, &GUIDE);
    let mut useless = Vec::new();
    if takes_guide && !guided {
        useless.extend([BIAS.name, REVERSE_GUIDE.name, DROP.name]);
    }
    if !options.is(&GUIDE, "abstraction") && takes_guide {
        useless.push(DROP.name);
    }
    if relation && guided {
        useless.push(SELECT.name);
    }
    options.without(&useless)
}

/// The variables that match one of the patterns, which are separated by blanks, one on each line.
fn dropped(model: &Model, patterns: &str) -> Result<String, String> {
    let names: Vec<String> = match model.form() {
        Form::Relation(relation) => relation.state_variables().map(|(_, v)| v.name.clone()).collect(),
        Form::Processes(processes) => variables(processes).map_err(|why| why.0)?,
        _ => Vec::new(),
    };
    let mut found: Vec<&str> = Vec::new();
    for pattern in patterns.split_whitespace() {
        let before = found.len();
        found.extend(names.iter().map(String::as_str).filter(|n| glob(pattern, n)));
        if found.len() == before {
            return Err(format!("no variable matches `{pattern}`, which shall be dropped"));
        }
    }
    Ok(found.join("\n"))
}

/// What labels say about options.
fn labels(info: &Info, options: &Options) -> Vec<(&'static str, String)> {
    let engine = if is_portfolio(info) { "portfolio" } else { info.name };
    let mut said = vec![("engine", engine.to_owned())];
    let mut say = |name: &'static str, text: Option<String>| said.extend(text.map(|text| (name, text)));
    say("select", options.text(&SELECT).map(str::to_owned));
    say("guide", guide_label(info, options));
    say("bias", options.text(&BIAS).map(|bias| format!("{bias} bias")));
    say("restart", options.text(&RESTART).map(|start| format!("{start} start")));
    if reads(info, &UNTIL) {
        let until = repeats(info, options)
            .map(|n| if n == 1 { "until a loop".to_owned() } else { format!("until {n} repeats") });
        say("until", Some(until.unwrap_or_default()));
    }
    for parameter in info.parameters().filter(|p| NAMED.iter().all(|k| k.name != p.name)) {
        say(parameter.name, options.text(parameter).map(|value| format!("{} {value}", parameter.name)));
    }
    said
}

/// The guide of an engine, if it takes one.
fn guide<'o>(info: &Info, options: &'o Options) -> Option<&'o str> {
    options.text(&GUIDE).or(follows_abstraction(info).then_some("abstraction"))
}

/// The number of repeated states that end a walk; 2 is LURCH's default.
fn repeats(info: &Info, options: &Options) -> Option<u32> {
    options.repeats(&UNTIL).or((info.name == "lurch").then_some(2))
}

/// The thesis calls what the tool drops `auto` and what the user drops `manu`.
fn guide_label(info: &Info, options: &Options) -> Option<String> {
    let name = guide(info, options)?;
    let kind = match name {
        "none" => return Some("unguided".to_owned()),
        "abstraction" if options.has(&DROP) => " manu",
        "abstraction" => " auto",
        _ => "",
    };
    Some(format!("{name}{kind}{}", if options.has(&REVERSE_GUIDE) { " reversed" } else { "" }))
}

impl Configuration {
    /// Its parameters, over those that all trials of an instance share.
    pub fn parameters(&self, base: &Parameters) -> Parameters {
        let Way::Engine { info, options } = &self.way else { return base.clone() };
        let text = |p: &Parameter| options.text(p).unwrap_or_default().to_owned();
        let guide = guide(info, options);
        let guided = guide.is_some_and(|g| g != "none");
        let dropped = options.text(&DROP).map(|names| names.replace('\n', " "));
        let more = options.clone().without(&NAMED.map(|p| p.name)).to_string();
        Parameters {
            engine: if more.is_empty() { info.name.to_owned() } else { format!("{} {more}", info.name) },
            select: text(&SELECT),
            guide: match (guide, dropped) {
                (Some(name), Some(dropped)) => format!("{name} without {dropped}"),
                (Some(name), None) => name.to_owned(),
                (None, _) => String::new(),
            },
            bias: text(&BIAS),
            reverse: if guided { options.has(&REVERSE_GUIDE).to_string() } else { String::new() },
            restart: text(&RESTART),
            until: repeats(info, options).map_or(String::new(), |n| n.to_string()),
            depth: text(&DEPTH),
            ..base.clone()
        }
    }
}
