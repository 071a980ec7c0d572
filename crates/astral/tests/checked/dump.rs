//! A checked specification as text.

use std::fmt::Write;

use lurcher_astral::checked::*;

pub fn dump(specification: &Specification) -> String {
    let mut dumper = Dumper { it: specification, out: String::new() };
    dumper.declarations();
    dumper.part("global", None);
    for (index, process) in specification.processes.iter().enumerate() {
        dumper.part(&process.name, Some(index));
    }
    dumper.required();
    dumper.out
}

struct Dumper<'s> {
    it: &'s Specification,
    out: String,
}

impl Dumper<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{text}");
    }

    fn declarations(&mut self) {
        let it = self.it;
        for x in &it.instances {
            let process = &it.processes[x.process.index()].name;
            let array = x.array.map_or(String::new(), |(a, b)| format!("[{}..{}]", self.index(a), self.index(b)));
            self.line(&format!("instance {}{array}: {process}", x.name));
        }
        for x in &it.types {
            self.line(&format!("type {}{}: {}", self.owner(x.process), x.name, self.type_kind(&x.kind)));
        }
        for x in &it.constants {
            let parameters = self.types(&x.parameters);
            self.line(&format!("constant {}{}{parameters}: {}", self.owner(x.process), x.name, it.type_name(x.ty)));
        }
        for x in &it.variables {
            let (owner, parameters) = (self.owner(Some(x.process)), self.types(&x.parameters));
            let exported = if x.exported { ", exported" } else { "" };
            self.line(&format!("variable {owner}{}{parameters}: {}{exported}", x.name, it.type_name(x.ty)));
        }
        for x in &it.defines {
            let (owner, parameters) = (self.owner(x.process), self.bound(&x.parameters));
            let body = it.text(x.body);
            self.line(&format!("define {owner}{}{parameters}: {} == {body}", x.name, it.type_name(x.ty)));
        }
    }

    fn part(&mut self, name: &str, process: Option<usize>) {
        let it = self.it;
        self.line(name);
        let (clauses, further) = match process {
            Some(p) => (&it.processes[p].clauses, it.processes[p].further.as_slice()),
            None => (&it.clauses, &[][..]),
        };
        for import in process.map_or(&[][..], |p| &it.processes[p].imports) {
            let index = import.index.map_or(String::new(), |k| format!("[{k}]"));
            let item = match import.item {
                Exported::Variable(id) => &it.variables[id.index()].name,
                Exported::Transition(id) => &it.transitions[id.index()].name,
            };
            self.line(&format!("  import {}{index}.{item}", it.instances[import.instances.index()].name));
        }
        for clause in clauses {
            self.conjuncts(&format!("{:?}", clause.kind), &clause.conjuncts);
        }
        for further in further {
            self.conjuncts(&format!("further environment {}", further.number), &further.environment);
            self.conjuncts(&format!("further constants {}", further.number), &further.constants);
            for rule in &further.selection {
                let condition = rule.condition.map_or(String::new(), |c| format!(" if {}", it.text(c)));
                let (enabled, selected) = (self.transitions(&rule.enabled), self.transitions(&rule.selected));
                self.line(&format!("  of {enabled} only {selected}{condition}"));
            }
        }
        for transition in it.transitions.iter().filter(|t| Some(t.process.index()) == process) {
            let exported = if transition.exported { ", exported" } else { "" };
            self.line(&format!("  transition {}{}{exported}", transition.name, self.bound(&transition.parameters)));
            for case in &transition.cases {
                let duration = match case.duration {
                    Duration::Constant(id) => it.constants[id.index()].name.clone(),
                    Duration::Instants(n) => n.to_string(),
                };
                self.line(&format!("    for {duration}: {}", it.text(case.entry)));
                self.line(&format!("      then {}", it.text(case.exit)));
            }
        }
    }

    fn conjuncts(&mut self, word: &str, conjuncts: &[TermId]) {
        for (index, &term) in conjuncts.iter().enumerate() {
            self.line(&format!("  {word} {}: {}", index + 1, self.it.text(term)));
        }
    }

    fn required(&mut self) {
        for required in &self.it.required {
            let list = |ids: &Vec<ConstantId>| {
                ids.iter().map(|id| self.it.constants[id.index()].name.clone()).collect::<Vec<_>>().join(" and ")
            };
            let any: Vec<_> = required.any_of.iter().map(list).collect();
            let text = format!("needs {} ({:?})", any.join(", or "), required.reason);
            self.line(&text);
        }
    }

    fn owner(&self, process: Option<ProcessId>) -> String {
        process.map_or(String::new(), |p| format!("{}.", self.it.processes[p.index()].name))
    }

    fn index(&self, index: IndexRange) -> String {
        match index {
            IndexRange::Number(n) => n.to_string(),
            IndexRange::Constant(id) => self.it.constants[id.index()].name.clone(),
        }
    }

    fn types(&self, list: &[Type]) -> String {
        let names: Vec<_> = list.iter().map(|&ty| self.it.type_name(ty)).collect();
        if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) }
    }

    fn bound(&self, list: &[BoundId]) -> String {
        let bound = list.iter().map(|b| &self.it.bound[b.index()]);
        let names: Vec<_> = bound.map(|b| format!("{}: {}", b.name, self.it.type_name(b.ty))).collect();
        if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) }
    }

    fn transitions(&self, list: &[TransitionId]) -> String {
        list.iter().map(|t| self.it.transitions[t.index()].name.clone()).collect::<Vec<_>>().join(", ")
    }

    fn type_kind(&self, kind: &TypeKind) -> String {
        match kind {
            TypeKind::Uninterpreted => "uninterpreted".to_owned(),
            TypeKind::Enumeration(values) => format!("one of {}", values.join(", ")),
            TypeKind::Alias(ty) => self.it.type_name(*ty).to_owned(),
            TypeKind::Restriction { base, variable, condition, range, instances } => {
                let limit = |l: Option<Limit>, or_equal: &str, strict: &str| {
                    l.map_or(String::new(), |l| {
                        format!(", {} {}", if l.strict { strict } else { or_equal }, self.it.text(l.term))
                    })
                };
                let limits = limit(range.lower, ">=", ">") + &limit(range.upper, "<=", "<");
                let names: Vec<_> = instances.iter().map(|i| self.it.instances[i.index()].name.as_str()).collect();
                let names = if names.is_empty() { String::new() } else { format!(", namely {}", names.join(", ")) };
                let variable = &self.it.bound[variable.index()].name;
                let base = self.it.type_name(*base);
                format!("{base} {variable} with {}{limits}{names}", self.it.text(*condition))
            }
        }
    }
}
