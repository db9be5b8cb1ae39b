//! Several translation units become one program (C11 6.2.2 and 6.2.7).
//!
//! Every unit has a file scope of its own. Functions and variables with external linkage are one wherever they are
//! declared; statics of different units stay apart. A struct that two units define is one type if both definitions say the
//! same, as they do when both come from one header: so that a pointer to it means the same in both units. That is decided
//! where a unit first mentions the tag, by what the definitions look like, and checked when the second one is lowered.

use super::{Lowerer, Scope, Symbol, Tag, is_error_call, unique};
use crate::c::ast::{ASM_LABEL, Attribute, Expr, ExprKind, MemberDecl, RecordSpec, Unit};
use crate::diagnostic::{Diagnostic, Result, Span};
use crate::il::types::{Field, Record};
use crate::il::{FunctionId, GlobalId, RecordId};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub(super) struct Linker {
    /// The file scope of each unit; that of the unit at hand is in `Lowerer::scopes`.
    scopes: Vec<Scope>,
    /// The unit at hand.
    unit: usize,
    /// Functions and variables that all units share.
    linked: FxHashMap<String, Symbol>,
    functions: FxHashMap<FunctionId, usize>,
    globals: FxHashMap<GlobalId, usize>,
    /// Functions whose definition another one replaces, and where they are declared so.
    weak: FxHashSet<FunctionId>,
    declared_weak: FxHashSet<(usize, FunctionId)>,
    weak_globals: FxHashSet<GlobalId>,
    /// Inline functions of this name, of any unit: the definition if there is no other (C11 6.7.4).
    inline: FxHashMap<String, FunctionId>,
    /// Functions that are another name for one of their unit: unit, function, name of the other.
    aliases: Vec<(usize, FunctionId, String)>,
    /// Names that functions and variables have for the assembler: their own, the other, where.
    labels: Vec<(String, String, Span)>,
    /// Structs and unions that units before the one at hand know, by tag.
    tagged: FxHashMap<String, Vec<Tagged>>,
    /// Those without a tag, by what their definitions look like and where they stand.
    untagged: FxHashMap<u64, Vec<RecordId>>,
    /// What the definitions of the unit at hand look like, and which of them were lowered.
    looks: FxHashMap<String, u64>,
    lowered: FxHashSet<RecordId>,
}

struct Tagged {
    id: RecordId,
    /// `None`: no unit has defined it yet.
    looks: Option<u64>,
}

impl Linker {
    pub fn linked(&self, name: &str) -> Option<Symbol> {
        self.linked.get(name).copied()
    }
}

impl Lowerer {
    /// Enters what a unit declares.
    pub(super) fn translation_unit(&mut self, unit: &Unit) -> Result<()> {
        self.linker.unit = self.linker.scopes.len();
        self.linker.looks = unit.tags.clone();
        self.linker.lowered.clear();
        for external in &unit.externals {
            self.external(external)?;
        }
        let scope = std::mem::take(&mut self.scopes[0]);
        for (tag, known) in &scope.tags {
            if let Tag::Record(id) = known {
                let list = self.linker.tagged.entry(tag.clone()).or_default();
                let looks = unit.tags.get(tag).copied();
                match list.iter_mut().find(|tagged| tagged.id == *id) {
                    Some(tagged) => tagged.looks = tagged.looks.or(looks),
                    None => list.push(Tagged { id: *id, looks }),
                }
            }
        }
        self.linker.scopes.push(scope);
        Ok(())
    }

    /// After the last unit: functions that are defined only inline get that definition, and other names of one
    /// function become that.
    pub(super) fn end_of_units(&mut self) -> Result<()> {
        let inline: Vec<(String, FunctionId)> =
            self.linker.inline.iter().map(|(name, id)| (name.clone(), *id)).collect();
        for (name, defined) in inline {
            let Some(Symbol::Function(id)) = self.linker.linked.get(&name).copied() else { continue };
            if id != defined && !self.definitions.contains_key(&id) {
                self.definitions.insert(id, self.definitions[&defined].clone());
                self.functions[id.0 as usize].ty = self.functions[defined.0 as usize].ty;
                self.linker.functions.insert(id, self.linker.functions[&defined]);
            }
        }
        for (name, label, span) in std::mem::take(&mut self.linker.labels) {
            let defined = |name: &str| match self.linker.linked(name) {
                Some(Symbol::Function(id)) => self.definitions.contains_key(&id),
                Some(Symbol::Global(id)) => !self.globals[id.0 as usize].external,
                _ => false,
            };
            // Headers give such names to functions of the library.
            if name != label && (defined(&name) || defined(&label)) {
                return Err(Diagnostic::error(
                    span,
                    format!("not supported: `{label}` as the name of `{name}` in assembly"),
                ));
            }
        }
        for (unit, alias, name) in std::mem::take(&mut self.linker.aliases) {
            // A weak one makes way for a definition.
            if self.definitions.contains_key(&alias) {
                continue;
            }
            let Some(Symbol::Function(target)) = self.linker.scopes[unit].names.get(&name).copied() else {
                let span = self.function(alias).span;
                return Err(Diagnostic::error(span, format!("there is no function `{name}` in this file")));
            };
            let names = self.linker.scopes.iter_mut().flat_map(|scope| scope.names.values_mut());
            for symbol in names.chain(self.linker.linked.values_mut()) {
                if matches!(symbol, Symbol::Function(id) if *id == alias) {
                    *symbol = Symbol::Function(target);
                }
            }
        }
        Ok(())
    }

    /// `int f(void) asm("g");`
    pub(super) fn has_label(&mut self, name: &str, attributes: &[Attribute]) {
        for attribute in attributes.iter().filter(|attribute| attribute.name == ASM_LABEL && !self.in_model) {
            if let Some(Expr { kind: ExprKind::Str { units, .. }, span }) = attribute.arguments.first() {
                let label = units.iter().filter_map(|unit| char::from_u32(*unit)).collect();
                self.linker.labels.push((name.to_owned(), label, *span));
            }
        }
    }

    pub(super) fn is_weak_here(&mut self, id: FunctionId) {
        self.linker.declared_weak.insert((self.linker.unit, id));
    }

    /// `int g(void) __attribute__((alias("f")));`
    pub(super) fn is_alias(&mut self, id: FunctionId, attribute: &Attribute) -> Result<()> {
        let Some(ExprKind::Str { units, .. }) = attribute.arguments.first().map(|argument| &argument.kind) else {
            return self.error("an alias needs the name of a function");
        };
        let name = units.iter().filter_map(|unit| char::from_u32(*unit)).filter(|unit| *unit != '\0').collect();
        self.linker.aliases.push((self.linker.unit, id, name));
        Ok(())
    }

    /// Runs `work` at the file scope of a unit.
    fn in_unit<T>(&mut self, unit: usize, work: impl FnOnce(&mut Lowerer) -> T) -> T {
        let inner: Vec<Scope> = self.scopes.drain(1..).collect();
        let before = std::mem::replace(&mut self.linker.unit, unit);
        let taken = std::mem::take(&mut self.linker.scopes[unit]);
        let outer = std::mem::replace(&mut self.scopes[0], taken);
        let result = work(self);
        self.scopes.truncate(1);
        self.linker.scopes[unit] = std::mem::replace(&mut self.scopes[0], outer);
        self.linker.unit = before;
        self.scopes.extend(inner);
        result
    }

    pub(super) fn in_unit_of_function<T>(&mut self, id: FunctionId, work: impl FnOnce(&mut Lowerer) -> T) -> T {
        self.in_unit(self.linker.functions[&id], work)
    }

    pub(super) fn in_unit_of_global<T>(&mut self, id: GlobalId, work: impl FnOnce(&mut Lowerer) -> T) -> T {
        self.in_unit(self.linker.globals[&id], work)
    }

    pub(super) fn linked(&self, name: &str) -> Option<Symbol> {
        if self.in_model { None } else { self.linker.linked(name) }
    }

    /// A name with external linkage.
    pub(super) fn link(&mut self, name: &str, symbol: Symbol) {
        if !self.in_model {
            self.linker.linked.insert(name.to_owned(), symbol);
        }
    }

    /// The name that a new function or variable gets: its own, unless a static of another unit has that. Then that one
    /// gets another name, if the new one must be known by its name.
    pub(super) fn free_name(&mut self, name: &str, internal: bool) -> String {
        if internal || self.in_model || !self.global_names.contains(name) {
            let name = unique(&self.global_names, &FxHashSet::default(), name);
            self.global_names.insert(name.clone());
            return name;
        }
        let other = unique(&self.global_names, &FxHashSet::default(), name);
        let functions = self.functions.iter_mut().filter(|function| function.internal).map(|it| &mut it.name);
        let globals = self.globals.iter_mut().filter(|global| global.internal).map(|it| &mut it.name);
        match functions.chain(globals).find(|taken| *taken == name) {
            Some(taken) => {
                *taken = other.clone();
                self.global_names.insert(other);
                name.to_owned()
            }
            // A model of the library has that name as well.
            None => name.to_owned(),
        }
    }

    /// A variable is defined: a weak definition makes way for another one, before or after it. False if this one does.
    pub(super) fn defines_variable(&mut self, id: GlobalId, (weak, defined): (bool, bool)) -> bool {
        if weak {
            if !defined {
                self.linker.weak_globals.insert(id);
            }
            return !defined;
        }
        if self.linker.weak_globals.remove(&id) {
            self.initializers.remove(&id);
        }
        true
    }

    /// Notes in which unit a function is defined. False if there is a definition already that stays.
    pub(super) fn defines_function(&mut self, id: FunctionId, (name, weak): (&str, bool), span: Span) -> Result<bool> {
        let weak = weak || self.linker.declared_weak.contains(&(self.linker.unit, id));
        if let Some(known) = self.definitions.get(&id).filter(|_| !self.in_model) {
            if weak || is_error_call(name) {
                return Ok(false);
            }
            if !self.linker.weak.remove(&id) {
                return Err(Diagnostic::error(span, format!("`{name}` is defined twice"))
                    .elsewhere(known.declarator.span, "the other definition"));
            }
        }
        if weak {
            self.linker.weak.insert(id);
        }
        self.linker.functions.insert(id, self.linker.unit);
        Ok(true)
    }

    pub(super) fn is_inline_only(&mut self, id: FunctionId, name: &str) {
        if !self.in_model {
            self.linker.inline.entry(name.to_owned()).or_insert(id);
        }
    }

    pub(super) fn initializes(&mut self, id: GlobalId) {
        self.linker.globals.insert(id, self.linker.unit);
    }

    // ---- structs that several units know ----

    /// The struct of this tag, if a unit before this one knows it.
    pub(super) fn shared_record(&mut self, spec: &RecordSpec) -> Option<RecordId> {
        let tag = spec.tag.as_ref().filter(|_| !self.in_model && self.scopes.len() == 1)?;
        let known = self.linker.tagged.get(tag)?;
        let same = match self.linker.looks.get(tag) {
            Some(looks) => known
                .iter()
                .find(|tagged| tagged.looks == Some(*looks))
                .or_else(|| known.iter().find(|tagged| tagged.looks.is_none()))?,
            // Here it is only pointed to.
            None => known.first()?,
        };
        let id = same.id;
        self.scopes[0].tags.insert(tag.clone(), Tag::Record(id));
        Some(id)
    }

    /// Is it defined, but by another unit than the one at hand?
    pub(super) fn is_defined_elsewhere(&self, tag: &str, id: RecordId) -> bool {
        let known = |list: &Vec<Tagged>| list.iter().any(|tagged| tagged.id == id && tagged.looks.is_some());
        !self.in_model && !self.linker.lowered.contains(&id) && self.linker.tagged.get(tag).is_some_and(known)
    }

    pub(super) fn is_defined_here(&mut self, id: RecordId) {
        self.linker.lowered.insert(id);
    }

    /// The definition of a unit before this one must say the same.
    pub(super) fn check_definition(&mut self, id: RecordId, spec: &RecordSpec, members: &[MemberDecl]) -> Result<()> {
        self.is_defined_here(id);
        let defined = self.defined_record(spec, members)?;
        if says_the_same(self.types.record(id), &defined) {
            return Ok(());
        }
        let tag = spec.tag.as_deref().unwrap_or("");
        let message = format!("`{tag}` looks the same in another file, but means another type");
        Err(Diagnostic::error(spec.span, message)
            .note("a name in its definition, or #pragma pack, is another one there; this is not supported: rename one of the two"))
    }

    /// The struct without a tag that a unit before this one has defined in the same place.
    pub(super) fn shared_untagged(&mut self, spec: &RecordSpec, members: &[MemberDecl]) -> Result<Option<RecordId>> {
        if self.in_model || self.scopes.len() > 1 {
            return Ok(None);
        }
        let mut known = self.linker.untagged.get(&spec.looks).cloned().unwrap_or_default();
        known.retain(|id| !self.linker.lowered.contains(id));
        if known.is_empty() {
            return Ok(None);
        }
        let defined = self.defined_record(spec, members)?;
        let same = known.into_iter().find(|id| says_the_same(self.types.record(*id), &defined));
        self.linker.lowered.extend(same);
        Ok(same)
    }

    pub(super) fn is_untagged(&mut self, spec: &RecordSpec, id: RecordId) {
        if !self.in_model && self.scopes.len() == 1 {
            self.linker.lowered.insert(id);
            self.linker.untagged.entry(spec.looks).or_default().push(id);
        }
    }
}

fn says_the_same(a: &Record, b: &Record) -> bool {
    let width = |field: &Field| field.bits.map(|bits| bits.width);
    let same = |a: &Field, b: &Field| {
        a.name == b.name && a.ty == b.ty && width(a) == width(b) && a.packed == b.packed && a.align == b.align
    };
    (a.union, a.pack, a.packed, a.min_align) == (b.union, b.pack, b.packed, b.min_align)
        && a.fields.len() == b.fields.len()
        && a.fields.iter().zip(&b.fields).all(|(a, b)| same(a, b))
}
