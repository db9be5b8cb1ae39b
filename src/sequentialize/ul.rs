//! The unbounded lazy schema: ul-cseq-2016, rules of fig. 3, driver of fig. 4, the shape of fig. 5.
//!
//! Loops stay loops. A thread function is called in mode RESUME, steps through its text without doing anything until
//! it reaches the step where it stopped (EXECUTE), and at any step may note it and stop again (SUSPEND). Statements
//! between two steps share one `EXEC`, and only visible steps are places to stop.

use super::backend::ValueKind;
use super::lazy::thread_stubs;
use super::text::Writer;
use super::{SequentializeOptions, Watched};
use crate::diagnostic::Result;
use crate::il::print::UNARY;
use crate::il::{Expr, Function, FunctionId, Operation, Stmt, StmtKind};
use crate::limit::Bounded;
use std::fmt::Write;

pub fn ul(bounded: &Bounded, options: &SequentializeOptions, order: &[usize]) -> Result<(String, Watched)> {
    let mut writer = Writer::new(bounded, bounded.program.clone(), options);
    let names = UlNames {
        pc: writer.names.pick("pc"),
        mode: writer.names.pick("s"),
        resume: writer.names.pick("RESUME"),
        execute: writer.names.pick("EXECUTE"),
        suspend: writer.names.pick("SUSPEND"),
        contr: writer.names.pick("CONTR"),
        round: writer.names.pick("round"),
    };
    // The vocabulary has to be complete before the header is written.
    writer.any_of("bool", "_Bool", ValueKind::Integer);
    let mut threads = String::new();
    for thread in 0..bounded.threads.len() {
        let function = bounded.threads[thread].function;
        let mut simulation =
            Simulation { writer: &mut writer, names: &names, function, thread, next: 0, open: Vec::new() };
        simulation.thread()?;
        threads.push_str(&std::mem::take(&mut writer.body));
    }
    driver(&mut writer, &names, order);
    let driver = std::mem::take(&mut writer.body);
    let declarations = declarations(&writer, &names);
    let mut out = writer.header(&declarations)?;
    out.push_str("\n/* ---- threads: each call goes on where the last one stopped ---- */\n");
    out.push_str(&threads);
    out.push_str("\n/* ---- driver: rounds of all threads in turn ---- */\n");
    out.push_str(&driver);
    let watched =
        Watched { thread: writer.common.current.clone(), position: "unthread_switch".to_owned(), round: None };
    Ok((out, watched))
}

struct UlNames {
    pc: String,
    mode: String,
    resume: String,
    execute: String,
    suspend: String,
    contr: String,
    round: String,
}

fn declarations(writer: &Writer, names: &UlNames) -> String {
    let UlNames { pc, mode, resume, execute, suspend, contr, .. } = names;
    let count = writer.bounded.threads.len();
    let (active, current) = (&writer.common.active, &writer.common.current);
    let largest = writer.bounded.threads.iter().map(|thread| thread.steps).max().unwrap_or(1);
    let mut out = String::from("\n/* ---- simulation (unbounded lazy schema) ---- */\n\n");
    if writer.options.backend.bit_vectors {
        let _ = writeln!(out, "typedef unsigned __CPROVER_bitvector[{}] step_t;", 33 - largest.leading_zeros());
        let _ = writeln!(out, "typedef unsigned __CPROVER_bitvector[2] mode_t;");
        // Choices of the schedule are not inputs of the program.
        out.push_str("_Bool unthread_switch;\n");
        out.push_str("static _Bool nondet_switch(void) { _Bool any; unthread_switch = any; return any; }\n");
    } else {
        out.push_str("typedef unsigned int step_t;\ntypedef unsigned int mode_t;\n");
        out.push_str("#define nondet_switch() nondet_bool()\n");
    }
    let _ = writeln!(out, "enum {{ {resume}, {execute}, {suspend} }};");
    let _ = writeln!(out, "_Bool {active}[{count}] = {{1}};");
    let _ = writeln!(out, "step_t {pc}[{count}];");
    let _ = writeln!(out, "mode_t {mode};\nunsigned {current};");
    out.push_str(&thread_stubs(writer));
    let _ = writeln!(
        out,
        "#define {contr}(L) \\\n    if ({mode} == {resume} && {pc}[{current}] == L) {mode} = {execute}; \\\n    if \
         ({mode} == {execute} && nondet_switch()) {{ {pc}[{current}] = L; {mode} = {suspend}; }}"
    );
    out
}

struct Simulation<'w, 'b> {
    writer: &'w mut Writer<'b>,
    names: &'w UlNames,
    function: FunctionId,
    thread: usize,
    next: u32,
    /// Statements that wait for the EXEC that guards them, with their marks.
    open: Vec<String>,
}

impl Simulation<'_, '_> {
    fn thread(&mut self) -> Result<()> {
        let function = self.writer.program.function(self.function).clone();
        super::lazy::head(self.writer, &function, self.thread);
        self.writer.indent = 1;
        self.block(&function.body, &function)?;
        self.flush();
        let UlNames { pc, mode, execute, suspend, .. } = self.names;
        let (active, current) = (&self.writer.common.active, &self.writer.common.current);
        let main_returns =
            self.thread == 0 && matches!(function.body.last().map(|stmt| &stmt.kind), Some(StmtKind::Return(_)));
        if !main_returns {
            let text = format!(
                "if ({mode} == {execute}) {{ {pc}[{current}] = {}; {mode} = {suspend}; {active}[{current}] = 0; }}",
                self.next
            );
            self.writer.line(&text);
        }
        self.writer.indent = 0;
        self.writer.line("}");
        Ok(())
    }

    /// EXEC: the waiting statements happen only in mode EXECUTE.
    fn flush(&mut self) {
        let lines = std::mem::take(&mut self.open);
        let UlNames { mode, execute, .. } = self.names;
        match lines.len() {
            0 => {}
            1 => {
                let text = format!("if ({mode} == {execute}) {{ {} }}", lines[0]);
                self.writer.line(&text);
            }
            _ => {
                self.writer.line(&format!("if ({mode} == {execute}) {{"));
                for line in lines {
                    self.writer.line(&format!("    {line}"));
                }
                self.writer.line("}");
            }
        }
    }

    fn control(&mut self, stmt: &Stmt) {
        if stmt.visible {
            self.flush();
            let text = format!("{}({})", self.names.contr, self.next);
            self.writer.line(&text);
            self.next += 1;
        }
    }

    fn block(&mut self, block: &[Stmt], function: &Function) -> Result<()> {
        for stmt in block {
            self.statement(stmt, function)?;
        }
        Ok(())
    }

    fn inner(&mut self, block: &[Stmt], function: &Function) -> Result<()> {
        self.writer.indent += 1;
        self.block(block, function)?;
        self.flush();
        self.writer.indent -= 1;
        Ok(())
    }

    fn statement(&mut self, stmt: &Stmt, function: &Function) -> Result<()> {
        let UlNames { pc, mode, resume, execute, suspend, .. } = self.names;
        let current = self.writer.common.current.clone();
        // Where the resumption point lies in a block, the block is entered to find it.
        let seek = |first: u32, next: u32| match next > first {
            true => format!("({mode} == {resume} && {pc}[{current}] <= {}) || ", next - 1),
            false => String::new(),
        };
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                self.control(stmt);
                self.flush();
                let at = self.writer.body.len();
                let before = self.next;
                self.inner(then, function)?;
                let after_then = self.next;
                let condition = self.writer.expr(condition, &function.locals, 4);
                let mark = self.writer.mark(stmt.span);
                let head = format!(
                    "{}if ({}({mode} == {execute} && {condition})) {{{mark}\n",
                    "    ".repeat(self.writer.indent),
                    seek(before, after_then)
                );
                self.writer.body.insert_str(at, &head);
                if !otherwise.is_empty() {
                    let at = self.writer.body.len();
                    self.inner(otherwise, function)?;
                    let head = format!(
                        "{}}} else if ({}{mode} == {execute}) {{\n",
                        "    ".repeat(self.writer.indent),
                        seek(after_then, self.next)
                    );
                    self.writer.body.insert_str(at, &head);
                }
                self.writer.line("}");
            }
            StmtKind::Loop(body) => {
                self.flush();
                let at = self.writer.body.len();
                let before = self.next;
                self.inner(body, function)?;
                let mark = self.writer.mark(stmt.span);
                let head = format!(
                    "{}while ({}{mode} == {execute}) {{{mark}\n",
                    "    ".repeat(self.writer.indent),
                    seek(before, self.next)
                );
                self.writer.body.insert_str(at, &head);
                self.writer.line("}");
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) => {
                self.flush();
                let jump = match stmt.kind {
                    StmtKind::Break => "break".to_owned(),
                    StmtKind::Goto(label) => format!("goto {}", function.labels[label.0 as usize]),
                    _ => "continue".to_owned(),
                };
                let text = format!("if ({mode} == {execute}) {jump};");
                self.writer.marked(&text, stmt.span);
            }
            StmtKind::Label(label) => {
                self.flush();
                let text = format!("{}: ;", function.labels[label.0 as usize]);
                self.writer.line(&text);
            }
            StmtKind::Return(value) => {
                self.flush();
                if self.thread == 0 {
                    // The process would end: main stays before that for good.
                    let text =
                        format!("if ({mode} == {execute}) {{ {pc}[{current}] = {}; {mode} = {suspend}; }}", self.next);
                    self.next += 1;
                    self.writer.line(&text);
                } else {
                    self.result(value.as_ref(), function);
                }
            }
            StmtKind::Declare(_) => {}
            StmtKind::Assign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Block(_)
            | StmtKind::VaStart(_)
            | StmtKind::VaArg { .. }
            | StmtKind::VaCopy { .. }
            | StmtKind::VaEnd(_) => {
                self.control(stmt);
                if stmt.visible && self.next == 1 {
                    return Ok(());
                }
                for line in self.writer.plain(stmt, &function.locals)? {
                    let mark = self.writer.mark(stmt.span);
                    self.open.push(format!("{line}{mark}"));
                }
                debug_assert!(!self.is_exit(stmt) || self.thread == 0);
            }
        }
        Ok(())
    }

    fn is_exit(&self, stmt: &Stmt) -> bool {
        let StmtKind::Call { callee, .. } = &stmt.kind else { return false };
        self.writer.program.operation(callee) == Some(Operation::ThreadExit)
    }

    fn result(&mut self, value: Option<&Expr>, function: &Function) {
        if let (Some(value), true) = (value, self.writer.wants_results) {
            let value = self.writer.expr(value, &function.locals, UNARY);
            let text = format!("{}[{}] = (void *){value};", self.writer.common.result, self.thread);
            self.open.push(text);
            self.flush();
        }
    }
}

fn driver(writer: &mut Writer, names: &UlNames, order: &[usize]) {
    let UlNames { mode, resume, round, .. } = names;
    let (active, current, argument) =
        (writer.common.active.clone(), writer.common.current.clone(), writer.common.argument.clone());
    // One round is a function, so that a given number of them needs no loop that a verifier would have to unwind.
    writer.line(&format!("\nstatic void {round}(void) {{"));
    writer.indent = 1;
    for thread in order {
        let function = writer.thread_function(*thread);
        let (name, has_parameter) = (function.name.clone(), !function.params.is_empty() && *thread != 0);
        let value = if has_parameter { format!("{argument}[{current}]") } else { String::new() };
        writer.line(&format!("{mode} = {resume}; {current} = {thread};"));
        writer.line(&format!("if ({active}[{current}]) {name}({value});"));
    }
    writer.indent = 0;
    writer.line("}\n");
    writer.line(&writer.options.backend.main_head());
    writer.indent = 1;
    match writer.options.rounds {
        None => writer.line(&format!("while (1) {round}();")),
        Some(rounds) => {
            for _ in 0..rounds {
                writer.line(&format!("{round}();"));
            }
            writer.final_state();
        }
    }
    writer.line("return 0;");
    writer.indent = 0;
    writer.line("}");
}
