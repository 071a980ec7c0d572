//! Programs as Promela text, one statement per line.

use std::fmt::{self, Display, Formatter, Write};

use super::ast::{Act, Block, Field, Initial, Inline, Process, Program, Record, Scalar, Start, Stmt, Type, Var};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.symbols.is_empty() {
            writeln!(f, "mtype = {{ {} }};", self.symbols.join(", "))?;
        }
        self.records.iter().try_for_each(|record| record.fmt(f))?;
        self.globals.iter().try_for_each(|var| writeln!(f, "{var};"))?;
        self.inlines.iter().try_for_each(|inline| inline.fmt(f))?;
        self.processes.iter().try_for_each(|process| process.fmt(f))?;
        for (name, formula) in &self.ltl {
            writeln!(f, "\nltl {name} {{ {formula} }}")?;
        }
        if let Some(claim) = &self.never {
            f.write_str("\nnever {\n")?;
            block(f, claim, 1)?;
            f.write_str("}\n")?;
        }
        Ok(())
    }
}

impl Display for Record {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let fields: Vec<String> = self.fields.iter().map(Var::to_string).collect();
        writeln!(f, "typedef {} {{ {} }};", self.name, fields.join("; "))
    }
}

impl Display for Inline {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\ninline {}({}) {{", self.name, self.parameters.join(", "))?;
        block(f, &self.body, 1)?;
        f.write_str("}\n")
    }
}

impl Display for Process {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.parameters.iter().map(Var::to_string).collect();
        let parameters = parameters.join("; ");
        let proctype = if self.deterministic { "D_proctype" } else { "proctype" };
        f.write_char('\n')?;
        match self.start {
            Start::Active(1) => write!(f, "active {proctype} {}({parameters})", self.name)?,
            Start::Active(count) => write!(f, "active [{count}] {proctype} {}({parameters})", self.name)?,
            Start::Run => write!(f, "{proctype} {}({parameters})", self.name)?,
            Start::Init => f.write_str("init")?,
        }
        if let Some(priority) = self.priority {
            write!(f, " priority {priority}")?;
        }
        if let Some(condition) = &self.provided {
            write!(f, " provided ({condition})")?;
        }
        f.write_str(" {\n")?;
        block(f, &self.body, 1)?;
        f.write_str("}\n")
    }
}

impl Display for Var {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.ty {
            Type::Scalar(Scalar::Unsigned(width)) => write!(f, "unsigned {} : {width}", self.name)?,
            Type::Scalar(scalar) => write!(f, "{scalar} {}", self.name)?,
            Type::Record(record) => write!(f, "{record} {}", self.name)?,
            Type::Chan => write!(f, "chan {}", self.name)?,
        }
        if let Some(length) = self.array {
            write!(f, "[{length}]")?;
        }
        match &self.initial {
            None => Ok(()),
            Some(Initial::Value(value)) => write!(f, " = {value}"),
            Some(Initial::Channel(capacity, fields)) => {
                let fields: Vec<String> = fields.iter().map(Field::to_string).collect();
                write!(f, " = [{capacity}] of {{ {} }}", fields.join(", "))
            }
        }
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Field::Scalar(scalar) => scalar.fmt(f),
            Field::Chan => f.write_str("chan"),
        }
    }
}

impl Display for Scalar {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scalar::Bit => "bit",
            Scalar::Bool => "bool",
            Scalar::Byte => "byte",
            Scalar::Short => "short",
            Scalar::Int => "int",
            Scalar::Unsigned(_) => "unsigned",
            Scalar::Mtype => "mtype",
            Scalar::Pid => "pid",
        })
    }
}

/// Statements one per line; an empty block needs a statement to be legal.
fn block(f: &mut Formatter<'_>, statements: &Block, depth: usize) -> fmt::Result {
    if statements.iter().all(|statement| matches!(statement.act, Act::Declare(_))) {
        let skip = Stmt::from(Act::skip());
        return sequence(f, &statements.iter().chain([&skip]).collect::<Vec<_>>(), depth);
    }
    sequence(f, &statements.iter().collect::<Vec<_>>(), depth)
}

fn sequence(f: &mut Formatter<'_>, statements: &[&Stmt], depth: usize) -> fmt::Result {
    for (position, statement) in statements.iter().enumerate() {
        for label in &statement.labels {
            writeln!(f, "{label}:")?;
        }
        indent(f, depth)?;
        act(f, &statement.act, depth)?;
        f.write_str(if position + 1 < statements.len() { ";\n" } else { "\n" })?;
    }
    Ok(())
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| f.write_char('\t'))
}

fn braced(f: &mut Formatter<'_>, head: impl Display, body: &Block, depth: usize) -> fmt::Result {
    writeln!(f, "{head}{{")?;
    block(f, body, depth + 1)?;
    indent(f, depth)?;
    f.write_char('}')
}

fn options(f: &mut Formatter<'_>, words: (&str, &str), options: &[Block], depth: usize) -> fmt::Result {
    writeln!(f, "{}", words.0)?;
    for option in options {
        indent(f, depth)?;
        f.write_str("::\n")?;
        block(f, option, depth + 1)?;
    }
    indent(f, depth)?;
    f.write_str(words.1)
}

fn act(f: &mut Formatter<'_>, act: &Act, depth: usize) -> fmt::Result {
    match act {
        Act::Simple(statement) => statement.fmt(f),
        Act::Declare(var) => var.fmt(f),
        Act::If(choices) => options(f, ("if", "fi"), choices, depth),
        Act::Do(choices) => options(f, ("do", "od"), choices, depth),
        Act::Braced(head, body) => braced(f, head, body, depth),
        Act::Unless(body, escape) => {
            braced(f, "", body, depth)?;
            braced(f, " unless ", escape, depth)
        }
    }
}
