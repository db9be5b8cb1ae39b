//! The counterexample for people: one column per thread, one row per step, in the order of execution.

use super::story::thread_name;
use super::trace::{LockAction, Step, Trace, Value};

#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Every step, not only those that matter.
    pub full: bool,
    pub colour: bool,
    pub width: usize,
}

impl Default for TextOptions {
    fn default() -> TextOptions {
        TextOptions { full: false, colour: false, width: 80 }
    }
}

/// Step and line numbers stand left of the columns.
const GUTTER: usize = 11;
/// Below this width, columns are no help: threads are told apart by indentation.
const NARROWEST: usize = 17;

pub fn render(trace: &Trace, options: TextOptions) -> String {
    let shown: Vec<&Step> = trace.steps.iter().filter(|step| options.full || step.matters).collect();
    let mut threads: Vec<usize> = shown.iter().map(|step| step.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let room = options.width.saturating_sub(GUTTER);
    let column = room / threads.len().max(1);
    let mut page = Page { trace, options, threads, column, staggered: column < NARROWEST, out: String::new() };
    page.header();
    let mut last: Option<&Step> = None;
    for step in shown {
        page.step(step, last);
        last = Some(step);
    }
    page.out.push('\n');
    for sentence in &trace.story {
        for line in wrap(sentence, options.width) {
            page.out += &line;
            page.out.push('\n');
        }
    }
    page.out
}

struct Page<'a> {
    trace: &'a Trace,
    options: TextOptions,
    threads: Vec<usize>,
    column: usize,
    /// Too many threads for columns.
    staggered: bool,
    out: String,
}

/// One colour per thread, on a terminal.
const COLOURS: [&str; 6] = ["36", "33", "35", "32", "34", "31"];

impl Page<'_> {
    fn paint(&self, text: &str, code: &str) -> String {
        if self.options.colour && !text.trim().is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    fn colour(&self, thread: usize) -> &'static str {
        COLOURS[thread % COLOURS.len()]
    }

    /// Where the column of a thread begins, and how wide it is.
    fn place(&self, thread: usize) -> (usize, usize) {
        let at = self.threads.iter().position(|other| *other == thread).unwrap_or(0);
        let room = self.options.width.saturating_sub(GUTTER);
        if self.staggered {
            let indent = (at * 2).min(room / 2);
            (indent, room - indent)
        } else {
            (at * self.column, self.column - 1)
        }
    }

    fn row(&mut self, gutter: &str, indent: usize, text: &str, code: &str) {
        let gutter = self.paint(&format!("{gutter:GUTTER$}"), "2");
        let text = self.paint(text, code);
        let line = format!("{gutter}{}{text}", " ".repeat(indent));
        self.out += line.trim_end();
        self.out.push('\n');
    }

    fn header(&mut self) {
        if self.staggered {
            for thread in self.threads.clone() {
                let (indent, _) = self.place(thread);
                self.row("", indent, &thread_name(self.trace, thread), self.colour(thread));
            }
            self.rule("");
            return;
        }
        let names: Vec<Vec<String>> =
            self.threads.iter().map(|thread| wrap(&thread_name(self.trace, *thread), self.place(*thread).1)).collect();
        for line in 0..names.iter().map(Vec::len).max().unwrap_or(0) {
            let mut row = format!("{:GUTTER$}", if line == 0 { "step line" } else { "" });
            row = self.paint(&row, "2");
            for (thread, name) in self.threads.iter().zip(&names) {
                let text = name.get(line).map_or("", String::as_str);
                let padded = format!("{text:width$}", width = self.column);
                row += &self.paint(&padded, self.colour(*thread));
            }
            self.out += row.trim_end();
            self.out.push('\n');
        }
        self.rule("");
    }

    /// A line across the page, with a text in it.
    fn rule(&mut self, text: &str) {
        let text = if text.is_empty() { String::new() } else { format!("-- {text} ") };
        let line = format!("{text:-<width$}", width = self.options.width);
        self.out += &self.paint(&line, "2");
        self.out.push('\n');
    }

    fn step(&mut self, step: &Step, last: Option<&Step>) {
        if !step.reaches.is_empty() {
            return self.reaches(step);
        }
        if last.is_some_and(|last| last.thread != step.thread || !last.reaches.is_empty()) {
            let held = last.map_or(Vec::new(), |last| last.held.clone());
            let held: Vec<String> =
                held.iter().map(|held| format!("thread {} holds {}", held.thread, held.object)).collect();
            let held = if held.is_empty() { String::new() } else { format!(" ({})", held.join(", ")) };
            self.rule(&format!("switch to thread {}{held}", step.thread));
        }
        let (indent, width) = self.place(step.thread);
        let colour = self.colour(step.thread);
        let mut gutter = format!("{:4} {:5}", step.number, step.place.line);
        for line in wrap(&step.text, width) {
            self.row(&gutter, indent, &line, colour);
            gutter.clear();
        }
        let main_file = &self.trace.program.file;
        let mut notes = self.notes(step);
        if step.place.file != *main_file {
            notes.insert(0, format!("in {}", step.place.file));
        }
        for note in notes {
            for line in wrap(&note, width.saturating_sub(4)) {
                self.row("", indent + 2, &format!("| {line}"), "0");
            }
        }
    }

    /// What a thread wrote before reaches memory: nobody's step, but in the column of that thread.
    fn reaches(&mut self, step: &Step) {
        let (indent, width) = self.place(step.thread);
        let mut gutter = format!("{:4} {:5}", step.number, "");
        for Value { variable, value } in &step.reaches {
            let text = format!("({variable} = {value} of line {} reaches memory)", step.place.line);
            for line in wrap(&text, width) {
                self.row(&gutter, indent, &line, self.colour(step.thread));
                gutter.clear();
            }
        }
    }

    /// What the step did, line by line.
    fn notes(&self, step: &Step) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for access in &step.accesses {
            let note = match access.write {
                true => format!("{} = {}", access.variable, access.value),
                false => format!("{} is {}", access.variable, access.value),
            };
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes.extend(step.inputs.iter().map(|value| format!("input {value}")));
        let woken = step.wakes_without_reason.then(|| "wakes up without reason".to_owned());
        let waits = step.locks.iter().filter(|lock| lock.action == LockAction::Waits);
        notes.extend(waits.map(|lock| format!("waits for {}", lock.object)));
        notes.extend(woken);
        for lock in step.locks.iter().filter(|lock| lock.action != LockAction::Waits) {
            notes.push(match lock.action {
                LockAction::Locks => format!("locks {}", lock.object),
                LockAction::Unlocks => format!("unlocks {}", lock.object),
                LockAction::Waits => format!("waits for {}", lock.object),
                LockAction::Signals => format!("signals {}", lock.object),
                LockAction::Broadcasts => format!("wakes all that wait for {}", lock.object),
            });
        }
        notes.extend(step.creates.iter().map(|thread| format!("starts thread {thread}")));
        notes.extend(step.frees.iter().map(|name| format!("frees {name}")));
        notes.extend(step.gets_again.iter().map(|name| format!("gets {name} again, which was freed")));
        notes.extend(step.joins.iter().map(|thread| format!("thread {thread} has ended")));
        notes
    }
}

/// Breaks a text into lines: between words, after an opening parenthesis, or where it must.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        // A call may be broken after its name.
        let name = |at: usize| word[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        let (mut from, mut gap) = (0, " ");
        for (at, _) in word.match_indices('(').filter(|(at, _)| name(*at)) {
            put_word(&mut lines, gap, &word[from..=at], width);
            (from, gap) = (at + 1, "");
        }
        put_word(&mut lines, gap, &word[from..], width);
    }
    lines
}

fn put_word(lines: &mut Vec<String>, gap: &str, word: &str, width: usize) {
    let line = lines.last_mut().expect("there is a line");
    let used = line.chars().count();
    let gap = if used == 0 { "" } else { gap };
    if used + gap.len() + word.chars().count() <= width {
        line.push_str(gap);
        line.push_str(word);
        return;
    }
    if used > 0 {
        lines.push(String::new());
        return put_word(lines, "", word, width);
    }
    let cut = word.char_indices().nth(width).map_or(word.len(), |(at, _)| at);
    line.push_str(&word[..cut]);
    if cut < word.len() {
        lines.push(String::new());
        put_word(lines, "", &word[cut..], width);
    }
}
