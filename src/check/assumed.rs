//! What an answer takes for granted: some of it stands in the way of a proof, the rest is only said.

use super::{CheckOptions, Externals, MemoryModel};
use crate::diagnostic::Span;
use crate::il::{Callee, FunctionKind, Operation, Program, Stmt, StmtKind, walk};

/// In sentences that follow "Assumed: ".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumed {
    /// An execution may do what was not followed: there is no proof.
    pub against_proof: Vec<String>,
    pub stated: Vec<String>,
}

impl Assumed {
    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.against_proof.iter().chain(&self.stated)
    }
}

pub fn assumed(program: &Program, options: &CheckOptions) -> Assumed {
    let mut assumed = Assumed::default();
    let place = |span: Span| program.source.location(span);
    for (name, span) in unknown_functions(program) {
        let text = format!("{name}() ({}) changes nothing but what it returns", place(span));
        match options.externals {
            Externals::Unknown => assumed.against_proof.push(text),
            Externals::Pure => assumed.stated.push(text),
        }
    }
    let threads = calls(program, &[Operation::Create, Operation::CreateC11]);
    if threads {
        for weak in &program.weak_atomics {
            let text = format!("the atomic operation in {} acts as if its order were seq_cst", place(*weak));
            match options.memory_model {
                MemoryModel::AsWritten => assumed.against_proof.push(text),
                MemoryModel::Sc => {}
            }
        }
        assumed.stated.push("sequential consistency (data races are not looked for)".to_owned());
    }
    let mut never_fail = Vec::new();
    if calls(program, &[Operation::Malloc, Operation::Calloc, Operation::Realloc]) {
        never_fail.push("malloc()");
    }
    if threads {
        never_fail.push("pthread_create()");
    }
    if !never_fail.is_empty() {
        assumed.stated.push(format!("{} never fails", never_fail.join(" or ")));
    }
    if !program.function(program.main).params.is_empty() {
        assumed.stated.push("the program is started without arguments".to_owned());
    }
    assumed
}

/// Functions without body or model that are called, each with its first call.
pub fn unknown_functions(program: &Program) -> Vec<(&str, Span)> {
    let mut found: Vec<(&str, Span)> = Vec::new();
    each_call(program, &mut |stmt, callee| {
        let Callee::Function(id) = callee else { return };
        let function = program.function(*id);
        if matches!(function.kind, FunctionKind::External) && !found.iter().any(|(name, _)| *name == function.name) {
            found.push((&function.name, stmt.span));
        }
    });
    found
}

fn calls(program: &Program, operations: &[Operation]) -> bool {
    let mut found = false;
    each_call(program, &mut |_, callee| {
        found |= program.operation(callee).is_some_and(|operation| operations.contains(&operation));
    });
    found
}

fn each_call<'p>(program: &'p Program, visit: &mut impl FnMut(&'p Stmt, &'p Callee)) {
    for function in &program.functions {
        walk::statements(&function.body, &mut |stmt| {
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                visit(stmt, callee);
            }
        });
    }
}
