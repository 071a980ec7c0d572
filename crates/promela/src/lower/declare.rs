//! Declarations of symbolic constants, records, variables and parameters, with their initial values.

use lurcher_ir::{
    ActionKind, ChannelType, ChannelTypeId, Expr, Frame, Initial, Leaf, NewChannel, Place, Scalar, VarDecl, VarShape,
};
use lurcher_syntax::{Diagnostic, Span};

use super::Lowering;
use super::names::{Field, NamedList, Symbol, Type, Typedef};
use super::stmt::step;
use crate::ast::{self, Initialiser, TypeName};

/// The most fields of a type, so that types of types do not grow without bound.
const MOST_FIELDS: u32 = 1 << 16;

/// The most bytes of a frame; Spin's limit is far smaller.
const LARGEST_FRAME: u32 = 1 << 24;

/// The size of an array whose size is a variable of unknown value, as in Spin.
const UNKNOWN_SIZE: i32 = 8;

impl Lowering<'_> {
    pub(super) fn mtype(&mut self, m: &ast::MtypeDecl) {
        let set = self.names.symbol_set(m.subtype.as_ref().map_or("", |s| s.name.as_str()));
        let before = self.names.symbols.values().filter(|(_, s)| *s == set).count();
        for (i, name) in m.names.iter().enumerate() {
            let value = (before + m.names.len() - i) as i32;
            if value > 255 {
                self.error(name.span, "a set of symbolic constants can have at most 255 names");
                return;
            }
            if self.names.symbols.insert(name.name.clone(), (value, set)).is_some() {
                self.error(name.span, format!("`{}` is already a symbolic constant", name.name));
            }
        }
    }

    pub(super) fn typedef(&mut self, t: &ast::Typedef) {
        if self.names.typedef(&t.name.name).is_some() {
            self.error(t.name.span, format!("type `{}` is already defined", t.name.name));
        }
        let mut fields: NamedList<Field> = NamedList::default();
        let (mut offset, mut all_fields) = (0, 0);
        for decl in &t.fields {
            for var in &decl.vars {
                let Some(ty) = self.declared_type(&decl.ty, var) else { continue };
                let size = self.declared_size(var);
                all_fields += match ty {
                    Type::Record(t) => 1 + self.names.typedefs[t].all_fields,
                    Type::Scalar(_) => 1,
                };
                if all_fields > MOST_FIELDS {
                    let message = format!("a type of more than {MOST_FIELDS} fields, those of its fields included");
                    self.error(var.name.span, message);
                    break;
                }
                let shape = self.names.shape(&ty, size);
                if !fields.positions(&var.name.name).is_empty() {
                    self.error(var.name.span, format!("field `{}` is declared twice", var.name.name));
                }
                let bytes = shape.size();
                self.check_record_initialiser(&ty, var, size);
                fields.push(Field { name: var.name.name.clone(), ty, size, offset, shape, init: var.init.clone() });
                offset = self.grow(offset, bytes, var.name.span);
            }
        }
        let shape = VarShape::Record(fields.iter().map(|f| (f.name.clone(), f.offset, f.shape.clone())).collect());
        self.names.typedefs.push(Typedef {
            name: t.name.name.clone(),
            fields,
            shape,
            all_fields: all_fields.min(MOST_FIELDS),
        });
    }

    fn grow(&mut self, offset: u32, bytes: u32, span: Span) -> u32 {
        match offset.checked_add(bytes) {
            Some(sum) if sum <= LARGEST_FRAME => sum,
            _ => {
                self.error(span, format!("variables of more than {LARGEST_FRAME} bytes"));
                offset
            }
        }
    }

    fn declared_type(&mut self, ty: &TypeName, var: &ast::Declarator) -> Option<Type> {
        let ty = self.type_of(ty, var)?;
        if let Some(Initialiser::Expr(e)) = &var.init
            && let Some(expected) = symbol_set(&ty)
        {
            self.check_first_symbol((expected, var.name.span), &var.name.name, e);
        }
        Some(ty)
    }

    fn type_of(&mut self, ty: &TypeName, var: &ast::Declarator) -> Option<Type> {
        if let Some((_, span)) = var.width
            && *ty != TypeName::Unsigned
        {
            self.error(span, "only an `unsigned` can have a width");
        }
        match (ty, var.width) {
            (TypeName::Unsigned, Some((w @ 1..=31, _))) => Some(Type::Scalar(Scalar::Unsigned(w as u8))),
            (TypeName::Unsigned, Some((_, span))) => {
                self.refuse(span, "the width of an `unsigned` must be between 1 and 31")
            }
            (TypeName::Unsigned, None) => {
                self.refuse(var.name.span, "an `unsigned` needs a width, as in `unsigned x : 5`")
            }
            (TypeName::User(name), _) => Some(Type::Record(self.record_type(name)?)),
            (TypeName::Mtype(Some(set)), _) => Some(Type::Scalar(Scalar::Symbol(self.names.symbol_set(&set.name)))),
            (ty, _) => self.names.scalar(ty).map(Type::Scalar),
        }
    }

    /// The `typedef` of a name.
    fn record_type(&mut self, name: &ast::Ident) -> Option<usize> {
        let found = self.names.typedef(&name.name);
        found.or_else(|| self.refuse(name.span, format!("there is no type `{}`", name.name)))
    }

    fn declared_size(&mut self, var: &ast::Declarator) -> Option<u32> {
        let size = var.size.as_ref()?;
        Some(self.array_size(size).and_then(|(value, span)| self.number(value, span, 1, "elements")).unwrap_or(1))
    }

    /// The size of an array and its position. As in Spin, a variable stands for its constant initial value if that is positive,
    /// else for the capacity of its channel or for 8.
    fn array_size(&mut self, size: &ast::ArraySize) -> Option<(i32, Span)> {
        let ast::ArraySize::Name(name) = size else { return self.constant_size(size) };
        let symbol = self.names.variable(&name.name).filter(|symbol| symbol.constant.is_none_or(|value| value <= 0));
        let Some(symbol) = symbol else { return self.constant_size(size) };
        let capacity = symbol.channel.as_ref().map(|(capacity, _)| *capacity);
        let value = capacity.filter(|&capacity| capacity > 0).unwrap_or(UNKNOWN_SIZE);
        let message =
            format!("`{}` has no positive constant as initial value, and Spin takes {value} as the size", name.name);
        let warning = Diagnostic::warning(name.span, message);
        self.warn_once(warning.note("write the size as a number or as the name of a macro"));
        Some((value, name.span))
    }

    /// The number of processes that a process type starts with.
    pub(super) fn process_count(&mut self, size: &ast::ArraySize) -> u32 {
        self.constant_size(size).and_then(|(value, span)| self.number(value, span, 0, "processes")).unwrap_or(0)
    }

    /// The constant in `[ ]`, and its position.
    fn constant_size(&mut self, size: &ast::ArraySize) -> Option<(i32, Span)> {
        let name = match size {
            ast::ArraySize::Const(value, span) => return Some((*value, *span)),
            ast::ArraySize::Name(name) => name,
        };
        if let Some(&(value, _)) = self.names.symbols.get(&name.name) {
            return Some((value, name.span));
        }
        let Some(symbol) = self.names.variable(&name.name) else {
            self.undeclared(name);
            return None;
        };
        match symbol.constant {
            Some(value) => Some((value, name.span)),
            None => self.refuse(name.span, format!("`{}` is not initialised with a constant", name.name)),
        }
    }

    /// A number of things, at least `least`.
    fn number(&mut self, value: i32, span: Span, least: u32, what: &str) -> Option<u32> {
        match u32::try_from(value) {
            Ok(n) if n >= least && n <= LARGEST_FRAME => Some(n),
            _ => self.refuse(span, format!("{value} is no possible number of {what}")),
        }
    }

    /// The scalars of a message field.
    pub(super) fn field_scalars(&self, ty: &TypeName) -> Vec<Scalar> {
        match ty {
            TypeName::Unsigned => vec![Scalar::Int],
            TypeName::User(name) => {
                let record = self.names.typedef(&name.name).map(|t| &self.names.typedefs[t]);
                record.into_iter().flat_map(|t| t.shape.leaves()).map(|leaf| leaf.scalar).collect()
            }
            ty => self.names.scalar(ty).into_iter().collect(),
        }
    }

    fn channel_type(&mut self, name: &str, init: &ast::ChannelInit) -> Option<ChannelTypeId> {
        let mut fields: Vec<Scalar> = Vec::new();
        for ty in &init.fields {
            if let TypeName::User(name) = ty {
                self.record_type(name)?;
            }
            fields.extend(self.field_scalars(ty));
        }
        // A message of one bit is stored as a byte, without truncation.
        if let [field @ Scalar::Bit] = fields.as_mut_slice() {
            *field = Scalar::Byte;
        }
        let Ok(capacity) = u16::try_from(init.capacity) else {
            return self.refuse(init.span, format!("{} is no possible number of messages", init.capacity));
        };
        if fields.is_empty() {
            return self.refuse(init.span, "a channel needs at least one message field");
        }
        self.model.channel_types.push(ChannelType { name: name.to_owned(), capacity, fields });
        Some(ChannelTypeId(self.model.channel_types.len() as u16 - 1))
    }

    fn symbol(&mut self, decl: &ast::Decl, var: &ast::Declarator, offset: u32, local: bool) -> Option<Symbol> {
        let ty = self.declared_type(&decl.ty, var)?;
        let size = self.declared_size(var);
        if self.names.symbols.contains_key(&var.name.name) {
            self.error(var.name.span, format!("`{}` is already a symbolic constant", var.name.name));
        }
        let constant = match &var.init {
            None => Some(0),
            Some(Initialiser::Expr(e)) => self.plain_constant(e),
            Some(_) => None,
        };
        let symbols = symbol_set(&ty).map(|set| (set, var.name.span));
        let channel = match &var.init {
            Some(Initialiser::Channel(c)) => Some((c.capacity, c.fields.clone())),
            _ => None,
        };
        if channel.is_some() && !matches!(ty, Type::Scalar(Scalar::Channel) | Type::Record(_)) {
            self.error(var.name.span, format!("`{}` is no channel, and is initialised as one", var.name.name));
        }
        let scope = if local { self.names.scope.clone() } else { Vec::new() };
        let span = var.name.span;
        Some(Symbol { name: var.name.name.clone(), ty, size, offset, local, constant, symbols, channel, scope, span })
    }

    pub(super) fn global_declaration(&mut self, decl: &ast::Decl) {
        let list = self.model.globals_size;
        for var in &decl.vars {
            if self.redeclared(&var.name) {
                continue;
            }
            let Some(symbol) = self.symbol(decl, var, self.model.globals_size, false) else { continue };
            let shape = self.names.shape(&symbol.ty, symbol.size);
            self.model.globals_size = self.grow(self.model.globals_size, shape.size(), var.name.span);
            let hidden = decl.visibility == Some(ast::Visibility::Hidden);
            if hidden {
                self.model.has_hidden = true;
                if matches!(symbol.ty, Type::Scalar(Scalar::Bit | Scalar::Channel)) {
                    self.error(var.name.span, "a bit, bool or channel cannot be hidden");
                }
            }
            let (name, offset, span) = (symbol.name.clone(), symbol.offset, symbol.span);
            self.model.globals.push(VarDecl { name, offset, shape, hidden, span });
            let steps = self.initialisation(&symbol, var, &Frame::Global, list);
            self.model.global_init.extend(steps);
            self.names.globals.push(symbol);
        }
    }

    /// The steps that initialise a variable. The variables of its list are at `list` in the frame or later.
    fn initialisation(&mut self, symbol: &Symbol, var: &ast::Declarator, frame: &Frame, list: u32) -> Vec<Initial> {
        let Symbol { name, ty, size, offset, span, .. } = symbol;
        self.check_record_initialiser(ty, var, *size);
        let steps = self.initial_steps(name, ty, *size, *offset, var.init.as_ref(), frame);
        if let Some(Initial::Value(_, value)) = steps.first() {
            self.check_own_list(value, frame, list, *span);
        }
        steps
    }

    fn add_local(&mut self, symbol: &Symbol) {
        let shape = self.names.shape(&symbol.ty, symbol.size);
        let (name, offset, span) = (symbol.name.clone(), symbol.offset, symbol.span);
        let bytes = shape.size();
        self.process_type().locals.push(VarDecl { name, offset, shape, hidden: false, span });
        let grown = self.grow(offset, bytes, span);
        self.process_type().frame_size = grown;
        self.names.processes[self.process].locals.push(symbol.clone());
    }

    /// A hidden counter variable.
    pub(super) fn temporary(&mut self, scalar: Scalar, span: Span) -> Place {
        let offset = self.process_type().frame_size;
        let symbol = Symbol {
            name: "_count".to_owned(),
            ty: Type::Scalar(scalar),
            size: None,
            offset,
            local: true,
            constant: None,
            symbols: None,
            channel: None,
            scope: vec![u32::MAX],
            span,
        };
        self.add_local(&symbol);
        Place::new(Frame::Local, offset, scalar)
    }

    pub(super) fn parameters(&mut self, params: &[ast::Decl]) {
        for decl in params {
            for var in &decl.vars {
                let offset = self.process_type().frame_size;
                let Some(symbol) = self.symbol(decl, var, offset, true) else { continue };
                if self.redeclared(&var.name) {
                    continue;
                }
                if var.init.is_some() {
                    self.error(var.name.span, "a parameter cannot have an initialiser");
                }
                if symbol.size.is_some() {
                    self.error(var.name.span, "a parameter cannot be an array");
                }
                let shape = self.names.shape(&symbol.ty, symbol.size);
                self.add_local(&symbol);
                let place = |leaf: Leaf| Place::new(Frame::Local, offset + leaf.offset, leaf.scalar);
                self.process_type().params.extend(shape.leaves().map(place));
            }
        }
    }

    pub(super) fn local_declaration(&mut self, decl: &ast::Decl) {
        if decl.visibility == Some(ast::Visibility::Hidden) {
            self.error(decl.span, "only global variables can be hidden");
        }
        let list = self.process_type().frame_size;
        for var in &decl.vars {
            let offset = self.process_type().frame_size;
            let Some(symbol) = self.symbol(decl, var, offset, true) else { continue };
            if self.redeclared(&var.name) {
                continue;
            }
            if self.in_claim {
                self.error(var.name.span, "a claim cannot have variables of its own");
            }
            if self.at_start {
                // An initialiser does not see its variable.
                let steps = self.initialisation(&symbol, var, &Frame::Local, list);
                self.process_type().init.extend(steps);
                self.add_local(&symbol);
            } else {
                self.declare_by_assignment(&symbol, var, list);
            }
        }
    }

    /// A declaration after the first statement of a body: an assignment. The variables of its list are at `list` in the
    /// frame or later.
    fn declare_by_assignment(&mut self, symbol: &Symbol, var: &ast::Declarator, list: u32) {
        let span = var.name.span;
        let (value, text) = match &var.init {
            None => (Expr::Const(0), format!("{} = 0", symbol.name)),
            Some(Initialiser::Expr(e)) if matches!(symbol.ty, Type::Record(_)) => {
                return self.error(e.span, "a record behind the first statement of a body has no initial value");
            }
            Some(Initialiser::Expr(e)) => {
                let value = self.expr(e);
                self.check_initialiser(&value, e.span);
                self.check_own_list(&value, &Frame::Local, list, span);
                (value, format!("{} = {}", symbol.name, self.text(e.span)))
            }
            Some(Initialiser::List(_, span)) => {
                return self.error(*span, "a list can only initialise an array at the start of a proctype");
            }
            Some(Initialiser::Channel(c)) => {
                return self.error(c.span, "a channel can only be initialised at the start of a proctype");
            }
        };
        self.add_local(symbol);
        let kind = match symbol.ty {
            // As in Spin, only the first element is set.
            Type::Scalar(scalar) => {
                let scalar = if symbol.size.is_some() && scalar == Scalar::Bit { Scalar::Byte } else { scalar };
                ActionKind::Assign(Place::new(Frame::Local, symbol.offset, scalar), value)
            }
            Type::Record(_) => ActionKind::Skip,
        };
        self.flow.add(step(kind, text, span));
    }

    /// Warns of an initial value for a whole record: Spin reads and ignores it.
    fn check_record_initialiser(&mut self, ty: &Type, var: &ast::Declarator, size: Option<u32>) {
        let (Type::Record(_), Some(init)) = (ty, &var.init) else { return };
        let span = match init {
            Initialiser::Expr(e) => {
                let value = self.expr(e);
                self.check_initialiser(&value, e.span);
                e.span
            }
            Initialiser::List(_, span) if size.is_none() => {
                return self.error(*span, format!("`{}` is no array", var.name.name));
            }
            Initialiser::List(_, span) => *span,
            Initialiser::Channel(c) => return self.error(c.span, format!("`{}` is no channel", var.name.name)),
        };
        let message = format!("`{}` is a record, and Spin ignores the initial value of a whole record", var.name.name);
        let warning = Diagnostic::warning(span, message);
        self.diagnostics.push(warning.note("give the fields their initial values in the `typedef`"));
    }

    /// The steps that initialise a variable or a field.
    fn initial_steps(
        &mut self,
        name: &str,
        ty: &Type,
        size: Option<u32>,
        offset: u32,
        init: Option<&Initialiser>,
        frame: &Frame,
    ) -> Vec<Initial> {
        let count = size.unwrap_or(1);
        let stride = self.names.shape(ty, Some(1)).size();
        let mut steps = Vec::new();
        match ty {
            Type::Record(t) => {
                let fields = self.names.typedefs[*t].fields.clone();
                if fields.iter().all(|f| f.init.is_none() && matches!(f.ty, Type::Scalar(_))) {
                    return steps;
                }
                for i in 0..count {
                    for f in fields.iter() {
                        let at = offset + i * stride + f.offset;
                        let inner = format!("{name}.{}", f.name);
                        steps.extend(self.initial_steps(&inner, &f.ty, f.size, at, f.init.as_ref(), frame));
                    }
                }
            }
            Type::Scalar(scalar) => {
                let stored = if size.is_some() && *scalar == Scalar::Bit { Scalar::Byte } else { *scalar };
                let element = |i: u32| Place::new(frame.clone(), offset + i * stride, stored);
                match init {
                    None => {}
                    Some(Initialiser::Expr(e)) => {
                        let value = self.expr(e);
                        self.check_initialiser(&value, e.span);
                        steps.extend((0..count).map(|i| Initial::Value(element(i), value.clone())));
                    }
                    Some(Initialiser::List(values, span)) => {
                        if size.is_none() {
                            self.error(*span, format!("`{name}` is no array"));
                        }
                        if values.len() > count as usize {
                            let message = format!("{} values for {count} elements: the rest is ignored", values.len());
                            self.warn_once(Diagnostic::warning(*span, message));
                        }
                        // The last value is used for the remaining elements.
                        let value = |i: u32| values.get(i as usize).or(values.last()).copied().unwrap_or(0);
                        steps.extend((0..count).map(|i| Initial::Value(element(i), Expr::Const(value(i)))));
                    }
                    Some(Initialiser::Channel(c)) => {
                        if let Some(channel) = self.channel_type(name, c) {
                            let new = |i| Initial::Channel(NewChannel { place: element(i), channel });
                            steps.extend((0..count).map(new));
                        }
                    }
                }
            }
        }
        steps
    }
}

/// The set of symbolic constants that a type names.
fn symbol_set(ty: &Type) -> Option<u16> {
    match ty {
        Type::Scalar(Scalar::Symbol(set)) if *set > 0 => Some(*set),
        _ => None,
    }
}
