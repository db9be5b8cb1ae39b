//! The lazy schema: lazy-cseq-2021, rewrite rules of fig. 8, driver of fig. 5, stubs of fig. 7.
//!
//! Every thread function is called once per round. `J(a, b)` in front of step `a` skips it if it ran in an earlier
//! round or comes after this round's context switch; `G(l)` where control flow meets throws away runs whose context
//! switch lies on a way that was not taken. Two things differ from the paper: a guard stands only where a step can
//! have been skipped, and `main` never takes the step that would end the process, since nothing happens after it.

use super::backend::ValueKind;
use super::text::Writer;
use super::{SequentializeOptions, Watched};
use crate::diagnostic::Result;
use crate::il::{Callee, Function, FunctionId, FunctionKind, LabelId, Operation, Program, Stmt, StmtKind, walk};
use crate::limit::Bounded;
use crate::restriction::{Restriction, Window};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

pub fn lazy(bounded: &Bounded, options: &SequentializeOptions, order: &[usize]) -> Result<(String, Watched)> {
    let mut writer = Writer::new(bounded, bounded.program.clone(), options);
    let names = LazyNames {
        pc: writer.names.pick("pc"),
        size: writer.names.pick("size"),
        cs: writer.names.pick("cs"),
        round: writer.names.pick("r"),
        jump: writer.names.pick("J"),
        guard: writer.names.pick("G"),
        step: writer.names.pick("step"),
        left: writer.names.pick("main_left"),
        least: writer.names.pick("least"),
        most: writer.names.pick("most"),
        may_stop: writer.names.pick("may_stop"),
    };
    let mut sizes = Vec::new();
    let mut waits = Vec::new();
    let mut threads = String::new();
    for thread in 0..bounded.threads.len() {
        let function = bounded.threads[thread].function;
        let mut simulation = Simulation {
            writer: &mut writer,
            names: &names,
            function,
            thread,
            next: 0,
            gotos: FxHashMap::default(),
            waits: FxHashSet::default(),
        };
        sizes.push(simulation.thread()?);
        waits.push(simulation.waits);
        threads.push_str(&std::mem::take(&mut writer.body));
    }
    let driver = driver(&mut writer, &names, order)?;
    let restriction = match &options.restriction {
        Restriction::All => String::new(),
        Restriction::Cube(_) => table(&names, &windows(&writer, &sizes)),
        Restriction::Tiles { .. } => tiles(&names, &options.restriction, &sizes, &waits),
    };
    let declarations = declarations(&mut writer, &names, &sizes) + &restriction;
    let mut out = writer.header(&declarations)?;
    out.push_str("\n/* ---- threads: each call takes the steps from pc[ct] up to cs ---- */\n");
    out.push_str(&threads);
    out.push_str("\n/* ---- driver: rounds of all threads in turn ---- */\n\n");
    out.push_str(&driver);
    let watched = Watched { thread: writer.common.current.clone(), position: names.cs, round: None };
    Ok((out, watched))
}

struct LazyNames {
    pc: String,
    size: String,
    cs: String,
    round: String,
    jump: String,
    guard: String,
    step: String,
    left: String,
    least: String,
    most: String,
    may_stop: String,
}

fn declarations(writer: &mut Writer, names: &LazyNames, sizes: &[u32]) -> String {
    let LazyNames { pc, size, cs, jump, guard, step, left, .. } = names;
    let count = sizes.len();
    let largest = sizes.iter().copied().max().unwrap_or(1);
    let width = 32 - largest.leading_zeros();
    let thread_width = usize::BITS - count.leading_zeros();
    let active = writer.common.active.clone();
    let current = writer.common.current.clone();
    let mut out = String::from("\n/* ---- simulation (lazy schema) ---- */\n\n");
    if writer.options.backend.bit_vectors {
        let _ = writeln!(out, "typedef unsigned __CPROVER_bitvector[{width}] step_t;");
        let _ = writeln!(out, "typedef unsigned __CPROVER_bitvector[{}] thread_t;", thread_width + 1);
        out.push_str("static step_t nondet_step(void) { step_t any; return any; }\n");
    } else {
        out.push_str("typedef unsigned int step_t;\ntypedef unsigned int thread_t;\n");
        out.push_str("#define nondet_step() nondet_uint()\n");
    }
    let list: Vec<String> = sizes.iter().map(u32::to_string).collect();
    let _ = writeln!(out, "_Bool {active}[{count}] = {{1}};");
    let _ = writeln!(out, "step_t {cs}, {pc}[{count}];");
    let _ = writeln!(out, "const step_t {size}[{count}] = {{{}}};", list.join(", "));
    let _ = writeln!(out, "thread_t {current};");
    if writer.main_may_exit {
        let _ = writeln!(out, "_Bool {left};");
    }
    out.push_str(&thread_stubs(writer));
    let _ = writeln!(out, "#define {guard}(L) assume({cs} > L);");
    let _ = writeln!(out, "#define {jump}(A, B) if ({pc}[{current}] > A || A >= {cs}) goto {step}##B;");
    out
}

/// Where the context switches may lie, by round and thread.
fn windows(writer: &Writer, sizes: &[u32]) -> Vec<Vec<Window>> {
    let restriction = &writer.options.restriction;
    let steps: Vec<u32> = writer.bounded.threads.iter().map(|thread| thread.steps).collect();
    let rounds = writer.options.rounds.unwrap_or(1);
    let windows = restriction.windows(&steps, rounds);
    // `main` never takes the step that ends the process, which counts all the same where steps are counted.
    let window = |round: u32, thread: usize| {
        let Window { from, to } = windows.get(thread, round);
        Window { from: from.min(sizes[thread]), to: to.min(sizes[thread]) }
    };
    (0..rounds).map(|round| (0..sizes.len()).map(|thread| window(round, thread)).collect()).collect()
}

/// Before which steps a thread may be preempted: those of its tiles, those in which it may have to wait, and the end.
fn tiles(names: &LazyNames, restriction: &Restriction, sizes: &[u32], waits: &[FxHashSet<u32>]) -> String {
    let most = sizes.iter().max().copied().unwrap_or_default();
    let row = |(thread, size): (usize, &u32)| {
        let may = |step: u32| step == *size || waits[thread].contains(&step) || restriction.may_switch(thread, step);
        let flags: Vec<&str> = (0..=most).map(|step| if step <= *size && may(step) { "1" } else { "0" }).collect();
        format!("{{{}}}", flags.join(", "))
    };
    let rows: Vec<String> = sizes.iter().enumerate().map(row).collect();
    format!("const _Bool {}[{}][{}] = {{{}}};\n", names.may_stop, sizes.len(), most + 1, rows.join(", "))
}

fn table(names: &LazyNames, windows: &[Vec<Window>]) -> String {
    let mut out = String::new();
    for (name, place) in
        [(&names.least, (|window| window.from) as fn(&Window) -> u32), (&names.most, |window| window.to)]
    {
        let row = |row: &Vec<Window>| {
            format!("{{{}}}", row.iter().map(|window| place(window).to_string()).collect::<Vec<_>>().join(", "))
        };
        let rows: Vec<String> = windows.iter().map(row).collect();
        let (rounds, threads) = (windows.len(), windows.first().map_or(0, Vec::len));
        let _ = writeln!(out, "const step_t {name}[{rounds}][{threads}] = {{{}}};", rows.join(", "));
    }
    out
}

/// Creating and joining, for schemas that keep the state of threads in arrays.
pub fn thread_stubs(writer: &Writer) -> String {
    let count = writer.bounded.threads.len();
    let c = &writer.common;
    let (active, argument, result) = (&c.active, &c.argument, &c.result);
    let mut out = String::new();
    if count > 1 {
        let _ = writeln!(out, "void *{argument}[{count}];");
    }
    if writer.wants_results {
        let _ = writeln!(out, "void *{result}[{count}];");
    }
    if count > 1 {
        let _ = writeln!(
            out,
            "static int {}(unsigned long *id, void *argument, unsigned thread) {{\n    {active}[thread] = 1;\n    \
             {argument}[thread] = argument;\n    *id = thread + 1;\n    return 0;\n}}",
            c.create
        );
    }
    let store = if writer.wants_results {
        format!(
            "    if (result) {{\n        if (narrow) *(int *)result = (int)(long){result}[id - 1];\n        else \
             *(void **)result = {result}[id - 1];\n    }}\n"
        )
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        "static int {}(unsigned long id, void *result, int narrow) {{\n    assume(id >= 1 && id <= {count});\n    \
         assume(!{active}[id - 1]);\n{store}    return 0;\n}}",
        c.join
    );
    out
}

/// The head of a thread's function, and its locals, which outlive a call.
pub fn head(writer: &mut Writer, function: &Function, thread: usize) {
    let printer = writer.printer();
    let params: Vec<String> = function
        .params
        .iter()
        .filter(|_| thread != 0)
        .map(|id| {
            let local = &function.locals[id.0 as usize];
            printer.declaration(local.ty, &local.name)
        })
        .collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let mut statics = Vec::new();
    if thread == 0 {
        // argc and argv of main.
        for (index, id) in function.params.iter().enumerate() {
            let local = &function.locals[id.0 as usize];
            let value = if index == 0 { " = 1" } else { "" };
            statics.push(format!("static {}{value};", printer.declaration(local.ty, &local.name)));
        }
    }
    for stmt in &function.body {
        if let StmtKind::Declare(id) = stmt.kind {
            let local = &function.locals[id.0 as usize];
            statics.push(format!("static {};", printer.declaration(local.ty, &local.name)));
        }
    }
    let text = format!("\nvoid {}({params}) {{", function.name);
    writer.marked(&text, function.span);
    writer.indent = 1;
    for text in statics {
        writer.line(&text);
    }
    writer.indent = 0;
}

struct Simulation<'w, 'b> {
    writer: &'w mut Writer<'b>,
    names: &'w LazyNames,
    function: FunctionId,
    thread: usize,
    /// The number of the next visible step.
    next: u32,
    /// For each label, the smallest number that a jump to it may skip.
    gotos: FxHashMap<LabelId, u32>,
    /// The steps in which the thread may have to wait.
    waits: FxHashSet<u32>,
}

impl Simulation<'_, '_> {
    /// Writes the simulation function; the number of its last label.
    fn thread(&mut self) -> Result<u32> {
        let function = self.writer.program.function(self.function).clone();
        head(self.writer, &function, self.thread);
        self.writer.indent = 1;
        self.block(&function.body, &function)?;
        let main_returns =
            self.thread == 0 && matches!(function.body.last().map(|s| &s.kind), Some(StmtKind::Return(_)));
        let size = if main_returns { self.next - 1 } else { self.next };
        if !main_returns {
            let text = format!("{}{size}: ;", self.names.step);
            self.outdented(&text);
        }
        self.writer.indent = 0;
        self.writer.line("}");
        Ok(size)
    }

    fn outdented(&mut self, text: &str) {
        let indent = std::mem::replace(&mut self.writer.indent, 0);
        self.writer.line(text);
        self.writer.indent = indent;
    }

    /// The label and the jump of a visible step.
    fn step(&mut self, stmt: &Stmt) {
        if stmt.visible {
            let number = self.next;
            let (step, jump) = (&self.names.step, &self.names.jump);
            let text = format!("{step}{number}: {jump}({number}, {})", number + 1);
            self.outdented(&text);
            self.next += 1;
        }
    }

    fn guard(&mut self) {
        let text = format!("{}({})", self.names.guard, self.next - 1);
        self.writer.line(&text);
    }

    fn block(&mut self, block: &[Stmt], function: &Function) -> Result<()> {
        for stmt in block {
            self.statement(stmt, function)?;
        }
        Ok(())
    }

    fn statement(&mut self, stmt: &Stmt, function: &Function) -> Result<()> {
        let (locals, labels) = (&function.locals[..], &function.labels);
        if waits(&self.writer.program, stmt) {
            // It is in the step that it begins, or in the one before.
            self.waits.insert(if stmt.visible { self.next } else { self.next.saturating_sub(1) });
        }
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                self.step(stmt);
                let text = format!("if ({}) {{", self.writer.expr(condition, locals, 0));
                self.writer.marked(&text, stmt.span);
                let before = self.next;
                self.inner(then, function)?;
                let after_then = self.next;
                if !otherwise.is_empty() {
                    self.writer.line("} else {");
                    let at = self.writer.body.len();
                    self.inner(otherwise, function)?;
                    // A context switch in the branch above is no switch on this way.
                    if after_then > before && self.next > after_then {
                        let guard = format!(
                            "{}{}({})\n",
                            "    ".repeat(self.writer.indent + 1),
                            self.names.guard,
                            after_then - 1
                        );
                        self.writer.body.insert_str(at, &guard);
                    }
                }
                self.writer.line("}");
                if self.next > before {
                    self.guard();
                }
            }
            StmtKind::Goto(label) => {
                let lowest = self.gotos.entry(*label).or_insert(self.next);
                *lowest = (*lowest).min(self.next);
                self.writer.marked(&format!("goto {};", labels[label.0 as usize]), stmt.span);
            }
            StmtKind::Label(label) => {
                let skips = self.gotos.get(label).is_some_and(|lowest| *lowest < self.next);
                self.outdented(&format!("{}: ;", labels[label.0 as usize]));
                if skips {
                    self.guard();
                }
            }
            StmtKind::Return(value) => self.end(stmt, value.as_ref(), locals),
            StmtKind::Declare(_) => {}
            StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => {
                self.step(stmt);
                if self.starts(stmt) {
                    return Ok(());
                }
                if self.leaves_main(stmt) {
                    let left = format!("{} = 1;", self.names.left);
                    self.writer.line(&left);
                    return Ok(());
                }
                for line in self.writer.plain(stmt, locals)? {
                    self.writer.marked(&line, stmt.span);
                }
            }
        }
        Ok(())
    }

    /// Is this the first step of the thread?
    fn starts(&self, stmt: &Stmt) -> bool {
        stmt.visible && self.next == 1
    }

    fn leaves_main(&self, stmt: &Stmt) -> bool {
        let StmtKind::Call { callee, .. } = &stmt.kind else { return false };
        self.writer.program.operation(callee) == Some(crate::il::Operation::ThreadExit)
    }

    fn end(&mut self, stmt: &Stmt, value: Option<&crate::il::Expr>, locals: &[crate::il::Local]) {
        if self.thread == 0 {
            let last = self.writer.program.function(self.function).body.last();
            if last.is_some_and(|last| matches!(last.kind, StmtKind::Return(_))) {
                let text = format!("{}{}: ;", self.names.step, self.next);
                self.next += 1;
                self.outdented(&text);
            } else {
                self.step(stmt);
                self.writer.line("assume(0);");
            }
        } else if let (Some(value), true) = (value, self.writer.wants_results) {
            let value = self.writer.expr(value, locals, crate::il::print::UNARY);
            let text = format!("{}[{}] = (void *){value};", self.writer.common.result, self.thread);
            self.writer.line(&text);
        }
    }

    fn inner(&mut self, block: &[Stmt], function: &Function) -> Result<()> {
        self.writer.indent += 1;
        self.block(block, function)?;
        self.writer.indent -= 1;
        Ok(())
    }
}

/// Does a thread go on after the statement only if something holds, by itself or in a model that it calls?
fn waits(program: &Program, stmt: &Stmt) -> bool {
    let StmtKind::Call { callee, .. } = &stmt.kind else { return false };
    match (program.operation(callee), callee) {
        (Some(operation), _) => matches!(
            operation,
            Operation::Assume | Operation::Await | Operation::AwaitSpurious | Operation::Join | Operation::JoinC11
        ),
        (None, Callee::Function(id)) if matches!(program.function(*id).kind, FunctionKind::Model) => {
            let mut inside = false;
            walk::statements(&program.function(*id).body, &mut |stmt| inside |= waits(program, stmt));
            inside
        }
        (None, _) => false,
    }
}

fn driver(writer: &mut Writer, names: &LazyNames, order: &[usize]) -> Result<String> {
    if !writer.options.backend.bit_vectors {
        writer.any_of("uint", "unsigned int", ValueKind::Integer);
    }
    let LazyNames { pc, size, cs, round, left, least, most, may_stop, .. } = names;
    let (active, current, argument) =
        (writer.common.active.clone(), writer.common.current.clone(), writer.common.argument.clone());
    let rounds = writer.options.rounds.unwrap_or(1);
    writer.line(&writer.options.backend.main_head());
    writer.indent = 1;
    writer.line(&format!("unsigned {round} = 0;"));
    writer.line(&format!("while ({round} < {rounds}) {{"));
    writer.indent = 2;
    for thread in order {
        let function = writer.thread_function(*thread);
        let (name, has_parameter) = (function.name.clone(), !function.params.is_empty() && *thread != 0);
        let mut otherwise = String::new();
        writer.line(&format!("{current} = {thread};"));
        writer.line(&format!("if ({active}[{current}]) {{"));
        writer.line(&format!("    {cs} = nondet_step();"));
        writer.line(&format!("    assume({cs} >= {pc}[{current}] && {cs} <= {size}[{current}]);"));
        match writer.options.restriction {
            Restriction::All => {}
            Restriction::Cube(_) => {
                let within = |place: &str| {
                    format!("assume({place} >= {least}[{round}][{thread}] && {place} <= {most}[{round}][{thread}]);")
                };
                writer.line(&format!("    {}", within(cs)));
                otherwise = format!(" else {}", within(&format!("{pc}[{current}]")));
            }
            Restriction::Tiles { .. } => writer.line(&format!("    assume({may_stop}[{thread}][{cs}]);")),
        }
        let value = if has_parameter { format!("{argument}[{current}]") } else { String::new() };
        writer.line(&format!("    {name}({value});"));
        writer.line(&format!("    {pc}[{current}] = {cs};"));
        match (*thread, writer.main_may_exit) {
            // Where main returns the process would end; it stays before that.
            (0, false) => {}
            (0, true) => writer.line(&format!("    {active}[{current}] = !{left};")),
            _ => writer.line(&format!("    {active}[{current}] = {cs} != {size}[{current}];")),
        }
        writer.line(&format!("}}{otherwise}"));
    }
    writer.line(&format!("{round} = {round} + 1;"));
    writer.indent = 1;
    writer.line("}");
    writer.final_state();
    writer.line("return 0;");
    writer.indent = 0;
    writer.line("}");
    Ok(std::mem::take(&mut writer.body))
}
