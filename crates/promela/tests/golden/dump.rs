//! A tree as text that reads like Promela: one line per unit and step, each with its place, every operator in
//! parentheses.

use std::fmt::Write;

use lurcher_promela::ast::*;
use lurcher_syntax::{SourceMap, Span};

pub fn dump(sources: &SourceMap, program: &Program) -> String {
    let mut dumper = Dumper { sources, out: String::new(), depth: 0 };
    for unit in &program.units {
        dumper.unit(unit);
    }
    dumper.out
}

struct Dumper<'s> {
    sources: &'s SourceMap,
    out: String,
    depth: usize,
}

impl Dumper<'_> {
    fn line(&mut self, span: Span, text: &str) {
        let (line, column) = self.sources.line_column(span.file, span.start);
        let mut place = format!("{line}:{column}");
        if span.file.0 > 0 {
            place = format!("{}:{place}", self.sources.file(span.file).name());
        }
        let _ = writeln!(self.out, "{place:<7} {:indent$}{text}", "", indent = 2 * self.depth);
    }

    fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Decl(d) => self.line(d.span, &decl(d)),
            Unit::Mtype(m) => {
                let names: Vec<_> = m.names.iter().map(|n| n.name.as_str()).collect();
                let subtype = m.subtype.as_ref().map_or(String::new(), |s| format!(":{}", s.name));
                self.line(m.span, &format!("mtype{subtype} = {{ {} }}", names.join(", ")));
            }
            Unit::Typedef(t) => {
                self.line(t.name.span, &format!("typedef {}", t.name.name));
                self.nested(|d| t.fields.iter().for_each(|f| d.line(f.span, &decl(f))));
            }
            Unit::Proctype(p) => self.proctype(p),
            Unit::Init(i) => self.body(i.span, &format!("init{}", priority(i.priority)), &i.body),
            Unit::Never(n) => self.body(n.span, &format!("never{}", name_after(n.name.as_ref())), &n.body),
            Unit::Trace(t) => self.body(t.span, if t.negated { "notrace" } else { "trace" }, &t.body),
            Unit::Ltl(l) => {
                self.line(l.span, &format!("ltl{} {}", name_after(l.name.as_ref()), expr(&l.formula)));
            }
        }
    }

    fn proctype(&mut self, p: &Proctype) {
        let active = p.active.as_ref().map_or(String::new(), |n| format!("active[{}] ", size(n)));
        let word = if p.deterministic { "D_proctype" } else { "proctype" };
        let params: Vec<_> = p.params.iter().map(decl).collect();
        let provided = p.provided.as_ref().map_or(String::new(), |e| format!(" provided {}", expr(e)));
        let head = format!("{active}{word} {}({}){}{provided}", p.name.name, params.join("; "), priority(p.priority));
        self.body(p.name.span, &head, &p.body);
    }

    fn body(&mut self, span: Span, head: &str, block: &Block) {
        let inline = if block.inline_id > 0 { format!(" (inline {})", block.inline_id) } else { String::new() };
        self.line(span, &format!("{head}{inline}"));
        self.nested(|d| block.stmts.iter().for_each(|s| d.stmt(s)));
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inner(self);
        self.depth -= 1;
    }

    fn options(&mut self, span: Span, word: &str, options: &[Block]) {
        self.line(span, word);
        for option in options {
            self.body(option.span, "::", option);
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        let text = match &s.kind {
            StmtKind::Atomic(b) => return self.body(s.span, "atomic", b),
            StmtKind::DStep(b) => return self.body(s.span, "d_step", b),
            StmtKind::Block(b) => return self.body(s.span, "block", b),
            StmtKind::If(options) => return self.options(s.span, "if", options),
            StmtKind::Do(options) => return self.options(s.span, "do", options),
            StmtKind::For { var, from, to, body } => {
                return self.body(s.span, &format!("for {} : {} .. {}", varref(var), expr(from), expr(to)), body);
            }
            StmtKind::ForIn { var, over, body } => {
                return self.body(s.span, &format!("for {} in {}", varref(var), varref(over)), body);
            }
            StmtKind::Labelled(label, inner) => {
                self.line(label.span, &format!("{}:", label.name));
                return self.nested(|d| inner.iter().for_each(|s| d.stmt(s)));
            }
            StmtKind::Unless(main, escape) => {
                self.line(s.span, "unless");
                return self.nested(|d| [main, escape].into_iter().for_each(|s| d.stmt(s)));
            }
            StmtKind::Decl(d) => decl(d),
            StmtKind::Exclusive { send, chans } => {
                let chans: Vec<_> = chans.iter().map(varref).collect();
                format!("{} {}", if *send { "xs" } else { "xr" }, chans.join(", "))
            }
            StmtKind::Assign(v, e) => format!("{} = {}", varref(v), expr(e)),
            StmtKind::Increment(v) => format!("{}++", varref(v)),
            StmtKind::Decrement(v) => format!("{}--", varref(v)),
            StmtKind::SetPriority(p, n) => format!("set_priority({}, {})", expr(p), expr(n)),
            StmtKind::Printf(format, args) => format!("printf {format:?} {}", exprs(args)),
            StmtKind::Printm(e) => format!("printm {}", expr(e)),
            StmtKind::Assert(e) => format!("assert {}", expr(e)),
            StmtKind::Send { chan, sorted, args } => {
                format!("{} {} {}", varref(chan), if *sorted { "!!" } else { "!" }, exprs(args))
            }
            StmtKind::Receive { chan, random, copy, args } => {
                let word = if *random { "??" } else { "?" };
                let (open, close) = if *copy { ("<", ">") } else { ("", "") };
                format!("{} {word} {open}{}{close}", varref(chan), recv_args(args))
            }
            StmtKind::Expr(e) => expr(e),
            StmtKind::Else => "else".to_owned(),
            StmtKind::Select { var, from, to } => format!("select {} : {} .. {}", varref(var), expr(from), expr(to)),
            StmtKind::Break => "break".to_owned(),
            StmtKind::Goto(l) => format!("goto {}", l.name),
        };
        self.line(s.span, &text);
    }
}

fn name_after(name: Option<&Ident>) -> String {
    name.map_or(String::new(), |n| format!(" {}", n.name))
}

fn priority(priority: Option<i32>) -> String {
    priority.map_or(String::new(), |p| format!(" priority {p}"))
}

fn size(size: &ArraySize) -> String {
    match size {
        ArraySize::Const(n, _) => n.to_string(),
        ArraySize::Name(n) => n.name.clone(),
    }
}

fn type_name(ty: &TypeName) -> String {
    match ty {
        TypeName::Mtype(Some(set)) => format!("mtype:{}", set.name),
        TypeName::Mtype(None) => "mtype".to_owned(),
        TypeName::User(name) => name.name.clone(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn decl(d: &Decl) -> String {
    let visibility = d.visibility.map_or(String::new(), |v| format!("{v:?} ").to_lowercase());
    let vars: Vec<_> = d.vars.iter().map(declarator).collect();
    format!("{visibility}{} {}", type_name(&d.ty), vars.join(", "))
}

fn declarator(d: &Declarator) -> String {
    let width = d.width.map_or(String::new(), |(w, _)| format!(" : {w}"));
    let array = d.size.as_ref().map_or(String::new(), |s| format!("[{}]", size(s)));
    let init = match &d.init {
        None => String::new(),
        Some(Initialiser::Expr(e)) => format!(" = {}", expr(e)),
        Some(Initialiser::List(list, _)) => format!(" = {list:?}"),
        Some(Initialiser::Channel(c)) => {
            let fields: Vec<_> = c.fields.iter().map(type_name).collect();
            format!(" = [{}] of {{ {} }}", c.capacity, fields.join(", "))
        }
    };
    format!("{}{width}{array}{init}", d.name.name)
}

fn varref(v: &VarRef) -> String {
    v.parts.iter().map(ref_part).collect::<Vec<_>>().join(".")
}

fn ref_part(p: &RefPart) -> String {
    p.name.name.clone() + &p.index.as_ref().map_or(String::new(), |i| format!("[{}]", expr(i)))
}

fn exprs(list: &[Expr]) -> String {
    list.iter().map(expr).collect::<Vec<_>>().join(", ")
}

fn recv_args(args: &[RecvArg]) -> String {
    let arg = |a: &RecvArg| match a {
        RecvArg::Var(v) => varref(v),
        RecvArg::Eval(e) => format!("eval {}", expr(e)),
        RecvArg::Const(n, _) => n.to_string(),
    };
    args.iter().map(arg).collect::<Vec<_>>().join(", ")
}

fn remote(process: &Ident, pid: Option<&Expr>) -> String {
    process.name.clone() + &pid.map_or(String::new(), |p| format!("[{}]", expr(p)))
}

pub fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Const(n) => n.to_string(),
        ExprKind::Var(v) => varref(v),
        ExprKind::Unary(op, e) => format!("({op:?} {})", expr(e)),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", expr(a), expr(b)),
        ExprKind::Cond(c, a, b) => format!("({} -> {} : {})", expr(c), expr(a), expr(b)),
        ExprKind::Run { name, args, priority: p } => format!("run {}({}){}", name.name, exprs(args), priority(*p)),
        ExprKind::Len(v) => format!("len({})", varref(v)),
        ExprKind::Probe(probe, v) => format!("{probe:?}({})", varref(v)),
        ExprKind::Enabled(e) => format!("enabled({})", expr(e)),
        ExprKind::PcValue(e) => format!("pc_value({})", expr(e)),
        ExprKind::GetPriority(e) => format!("get_priority({})", expr(e)),
        ExprKind::Poll { chan, random, args } => {
            format!("{} {} [{}]", varref(chan), if *random { "??" } else { "?" }, recv_args(args))
        }
        ExprKind::Timeout => "timeout".to_owned(),
        ExprKind::NonProgress => "np_".to_owned(),
        ExprKind::RemoteLabel { process, pid, label } => {
            format!("{}@{}", remote(process, pid.as_deref()), label.name)
        }
        ExprKind::RemoteVar { process, pid, var } => {
            format!("{}:{}", remote(process, pid.as_deref()), ref_part(var))
        }
        ExprKind::Temporal(op, e) => format!("({op:?} {})", expr(e)),
        ExprKind::TemporalBinary(op, a, b) => format!("({} {op:?} {})", expr(a), expr(b)),
    }
}
