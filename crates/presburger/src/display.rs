//! Sets as text.

use std::fmt;

use crate::constraints::Constraints;
use crate::polyhedron::Polyhedron;
use crate::row::Row;
use crate::{Relation, Set, Term};

/// A set or relation with names for its columns, to be printed.
#[derive(Clone, Copy, Debug)]
pub struct Named<'s> {
    set: &'s Set,
    names: &'s [&'s str],
    /// The number of columns of inputs, for a relation.
    inputs: Option<usize>,
}

impl Set {
    /// The set as text with these names of columns; columns without one are `c` and their number.
    pub fn display<'s>(&'s self, names: &'s [&'s str]) -> Named<'s> {
        Named { set: self, names, inputs: None }
    }
}

impl Relation {
    /// The relation as text with these names of columns; columns without one are `c` and their number.
    pub fn display<'s>(&'s self, names: &'s [&'s str]) -> Named<'s> {
        Named { set: self.pairs(), names, inputs: Some(self.inputs()) }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(&[]).fmt(f)
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display(&[]).fmt(f)
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.entries().map(|(column, a)| (format!("c{column}"), a));
        write_sum(f, entries, self.value_without_columns())
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<String> = (0..self.set.columns()).map(|column| self.name(column)).collect();
        let (inputs, outputs) = columns.split_at(self.inputs.unwrap_or(0));
        match self.inputs {
            Some(_) => write!(f, "{{ [{}] -> [{}] : ", inputs.join(", "), outputs.join(", "))?,
            None => write!(f, "{{ [{}] : ", outputs.join(", "))?,
        }
        if self.set.is_empty() {
            f.write_str("false")?;
        }
        for (index, polyhedron) in self.set.polyhedra().iter().enumerate() {
            f.write_str(if index > 0 { " or " } else { "" })?;
            self.write_polyhedron(f, polyhedron)?;
        }
        f.write_str(" }")
    }
}

impl Named<'_> {
    fn name(&self, column: usize) -> String {
        match self.names.get(column) {
            Some(name) => (*name).to_owned(),
            None if column < self.set.columns() => format!("c{column}"),
            None => format!("e{column}"),
        }
    }

    fn write_polyhedron(&self, f: &mut fmt::Formatter<'_>, polyhedron: &Polyhedron) -> fmt::Result {
        let constraints = polyhedron.constraints();
        let bound: Vec<String> = (self.set.columns()..constraints.columns).map(|column| self.name(column)).collect();
        if !bound.is_empty() {
            write!(f, "exists {} : ", bound.join(", "))?;
        }
        if constraints.len() == 0 {
            return f.write_str("true");
        }
        self.write_constraints(f, constraints)
    }

    fn write_constraints(&self, f: &mut fmt::Formatter<'_>, constraints: &Constraints) -> fmt::Result {
        let mut separator = "";
        for row in &constraints.equalities {
            f.write_str(separator)?;
            separator = " and ";
            self.write_row(f, row, false)?;
            write!(f, " = {}", -row.constant)?;
        }
        // Parallel inequalities are neighbours, the one with negative coefficients first.
        let mut rows = constraints.inequalities.iter().peekable();
        while let Some(row) = rows.next() {
            f.write_str(separator)?;
            separator = " and ";
            match rows.next_if(|next| next.is_parallel(row)) {
                Some(opposite) => {
                    write!(f, "{} <= ", -opposite.constant)?;
                    self.write_row(f, opposite, false)?;
                    write!(f, " <= {}", row.constant)?;
                }
                None => self.write_bound(f, row)?,
            }
        }
        for congruence in &constraints.congruences {
            f.write_str(separator)?;
            separator = " and ";
            write!(f, "{} | ", congruence.modulus)?;
            self.write_row(f, &congruence.row, true)?;
        }
        Ok(())
    }

    /// An inequality, with its constant on the other side.
    fn write_bound(&self, f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
        if row.sign() > 0 {
            self.write_row(f, row, false)?;
            write!(f, " >= {}", -row.constant)
        } else {
            self.write_row(f, &row.negated(), false)?;
            write!(f, " <= {}", row.constant)
        }
    }

    fn write_row(&self, f: &mut fmt::Formatter<'_>, row: &Row, with_constant: bool) -> fmt::Result {
        let entries = row.entries().map(|(column, a)| (self.name(column), i128::from(a)));
        write_sum(f, entries, if with_constant { row.constant.into() } else { 0 })
    }
}

/// A sum of names times numbers, and a number.
fn write_sum(f: &mut fmt::Formatter<'_>, entries: impl Iterator<Item = (String, i128)>, constant: i128) -> fmt::Result {
    let mut first = true;
    for (name, a) in entries {
        f.write_str(match (first, a < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        })?;
        first = false;
        match a.unsigned_abs() {
            1 => f.write_str(&name)?,
            a => write!(f, "{a}*{name}")?,
        }
    }
    match constant {
        _ if first => write!(f, "{constant}"),
        0 => Ok(()),
        _ if constant < 0 => write!(f, " - {}", constant.unsigned_abs()),
        _ => write!(f, " + {constant}"),
    }
}
