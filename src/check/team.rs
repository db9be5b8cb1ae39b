//! Growing bounds with several workers: each takes the next bounds, the states are visited beside them, and the first
//! that decides ends the work of all.

use super::beside::Beside;
use super::report::Report;
use super::search::{Attempt, Basis, Search};
use super::{AT_ONCE, CheckOptions, first_slice, ladder, next_slice, visit};
use crate::STACK_BYTES;
use crate::budget::{Budget, INTERRUPTED, Stop, new_stop};
use crate::diagnostic::Diagnostic;
use crate::il::interpret::{Code, ExploreOptions};
use crate::solve::Progress;
use crate::verdict::{Bounds, Completed, Verdict};
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often it is looked whether the user has interrupted.
const PULSE: Duration = Duration::from_millis(20);

pub fn climb(
    (basis, options): (&Basis, &CheckOptions),
    (done, reason): (Vec<Completed>, Option<String>),
    jobs: usize,
    (code, exploring): (&Code, &ExploreOptions),
    tell: &mut dyn FnMut(Progress),
) -> Result<Report, Diagnostic> {
    let (halt, over) = (new_stop(), new_stop());
    let formulas = with_stop(options, halt);
    let states = with_stop(options, over);
    let team = Team {
        basis,
        halt,
        over,
        formulas: &formulas,
        board: Mutex::new(Board {
            open: ladder(&formulas).into(),
            waiting: Vec::new(),
            tried: Vec::new(),
            running: 0,
            too_late: false,
            slice: first_slice(&formulas),
            done,
            reason,
            spent: Duration::ZERO,
            phase: Phase::Climbing,
            answer: None,
        }),
        changed: Condvar::new(),
    };
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        let thread = || std::thread::Builder::new().stack_size(STACK_BYTES);
        for number in 1..=jobs {
            let (team, sender) = (&team, sender.clone());
            let started = thread().spawn_scoped(scope, move || team.work(number, &sender));
            started.expect("the machine can start a thread");
        }
        let (team, states) = (&team, &states);
        let started = thread().spawn_scoped(scope, move || team.visit((code, exploring), states, &sender));
        started.expect("the machine can start a thread");
        loop {
            match receiver.recv_timeout(PULSE) {
                Ok(progress) => tell(progress),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if options.budget.interrupted() {
                team.end();
                team.board().reason = Some(INTERRUPTED.to_owned());
            }
        }
    });
    let board = team.board.into_inner().unwrap_or_else(PoisonError::into_inner);
    board.answer.unwrap_or_else(|| {
        let (done, reason) = (board.done, board.reason);
        Ok(Search { done, reason, ..Search::new(basis, options) }.report())
    })
}

fn with_stop(options: &CheckOptions, stop: Stop) -> CheckOptions {
    CheckOptions { budget: Budget { stop, ..options.budget }, ..options.clone() }
}

struct Team<'a> {
    basis: &'a Basis<'a>,
    /// Set when the formulas are to end, and when all are.
    halt: Stop,
    over: Stop,
    /// The options of those who work with formulas.
    formulas: &'a CheckOptions,
    board: Mutex<Board>,
    changed: Condvar,
}

/// What all workers know.
struct Board {
    /// Bounds that nobody works on: to be tried, and those that need more time than they got.
    open: VecDeque<Bounds>,
    waiting: Vec<Bounds>,
    /// Those that were given some time before.
    tried: Vec<Bounds>,
    running: usize,
    /// The time that is left is too short for what is left.
    too_late: bool,
    slice: Duration,
    done: Vec<Completed>,
    reason: Option<String>,
    /// The time that formulas took, of all workers together.
    spent: Duration,
    phase: Phase,
    answer: Option<Result<Report, Diagnostic>>,
}

enum Phase {
    Climbing,
    /// Formulas do not support the program.
    OnlyStates(Diagnostic),
    /// Nothing is left to ask formulas; the states may know more than this.
    Last(Box<Report>),
    Over,
}

/// A worker that panics must not leave the others waiting.
struct Guard<'t, 'a>(&'t Team<'a>);

impl Drop for Guard<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

impl Team<'_> {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        self.board().phase = Phase::Over;
        self.halt.store(true, Ordering::Relaxed);
        self.over.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn decide(&self, answer: Result<Report, Diagnostic>) {
        self.board().answer.get_or_insert(answer);
        self.end();
    }

    /// Only the states go on.
    fn leave_to_states(&self, mut board: MutexGuard<Board>, phase: Phase) {
        if let Phase::Climbing = board.phase {
            board.phase = phase;
        }
        drop(board);
        self.halt.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// A search with what is established so far.
    fn own_search<'b>(&'b self, options: &'b CheckOptions) -> Search<'b> {
        let board = self.board();
        let (done, reason) = (board.done.clone(), board.reason.clone());
        Search { done, reason, warned: true, ..Search::new(self.basis, options) }
    }

    fn work(&self, number: usize, sender: &Sender<Progress>) {
        let _guard = Guard(self);
        while let Some((bounds, visit, until)) = self.take() {
            let begun = Instant::now();
            let mut search = self.own_search(self.formulas);
            let known = search.done.len();
            let mut tell = |progress| {
                let _ = sender.send(Progress::Of { worker: number, progress: Box::new(progress) });
            };
            let attempt = search.attempts((bounds, visit), until, &mut tell);
            let mut board = self.board();
            board.running -= 1;
            board.spent += begun.elapsed();
            for done in search.done.split_off(known) {
                board.done.push(done);
                if let Some(largest) = Completed::largest(&board.done) {
                    let _ = sender.send(Progress::Established(largest.clone()));
                }
            }
            // Whoever is stopped because all is over says nothing about the bounds.
            let climbing = matches!(board.phase, Phase::Climbing) && !board.too_late;
            if climbing {
                board.reason = search.reason.take();
            }
            match attempt {
                Ok(Attempt::Stopped(_) | Attempt::Skipped(_)) if !climbing => {}
                Ok(Attempt::Done) => {}
                Ok(Attempt::Decided(report)) => {
                    drop(board);
                    self.decide(Ok(*report));
                }
                Ok(Attempt::Complete(report)) if report.verdict == Verdict::Proved => {
                    drop(board);
                    self.decide(Ok(*report));
                }
                Ok(Attempt::Complete(report)) => self.leave_to_states(board, Phase::Last(report)),
                Ok(Attempt::Skipped(failure)) => board.reason = Some(search.fails_first(&failure)),
                Ok(Attempt::Stopped(reason)) => {
                    board.reason = Some(reason);
                    board.waiting.push(bounds);
                    board.tried.push(bounds);
                    let ends = until == self.formulas.budget.until || self.formulas.budget.exceeded().is_some();
                    if ends {
                        drop(board);
                        self.end();
                    }
                }
                Err(diagnostic) => self.leave_to_states(board, Phase::OnlyStates(diagnostic)),
            }
            self.changed.notify_all();
        }
    }

    /// The next bounds, the how many-th time it is, and until when; `None` if there is nothing left to do.
    fn take(&self) -> Option<(Bounds, usize, Instant)> {
        let mut board = self.board();
        loop {
            if !matches!(board.phase, Phase::Climbing) {
                return None;
            }
            if !board.too_late
                && (board.waiting.len() >= AT_ONCE || (board.open.is_empty() && !board.waiting.is_empty()))
            {
                self.give_more_time(&mut board);
            }
            if board.too_late {
                let last = board.running == 0;
                drop(board);
                if last {
                    self.end();
                }
                return None;
            }
            if let Some(bounds) = board.open.pop_front() {
                board.running += 1;
                let end = Instant::now().checked_add(board.slice);
                let until = self.formulas.budget.until;
                return Some((bounds, visit(&board.tried, bounds), end.map_or(until, |end| end.min(until))));
            }
            if board.running == 0 {
                let (done, reason) = (board.done.clone(), board.reason.clone());
                let report = Search { done, reason, ..Search::new(self.basis, self.formulas) }.report();
                self.leave_to_states(board, Phase::Last(Box::new(report)));
                return None;
            }
            board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What waits shares the time that is left.
    fn give_more_time(&self, board: &mut Board) {
        let left = self.formulas.budget.until.saturating_duration_since(Instant::now());
        // Those that run now may come to wait as well.
        let rounds = (board.waiting.len() + board.running).div_ceil(self.formulas.jobs);
        match next_slice(board.slice, left, rounds) {
            Ok(slice) => board.slice = slice,
            Err(reason) => {
                (board.reason, board.too_late) = (Some(reason), true);
                self.halt.store(true, Ordering::Relaxed);
                return;
            }
        }
        let waiting = std::mem::take(&mut board.waiting);
        waiting.into_iter().rev().for_each(|bounds| board.open.push_front(bounds));
    }

    /// The states, for a share of the time that formulas take.
    fn visit(&self, (code, exploring): (&Code, &ExploreOptions), options: &CheckOptions, sender: &Sender<Progress>) {
        let _guard = Guard(self);
        let mut beside = Beside::new(code, exploring, options);
        let mut tell = |progress| {
            let _ = sender.send(Progress::Of { worker: 0, progress: Box::new(progress) });
        };
        let mut earned = Duration::ZERO;
        loop {
            let mut board = self.board();
            let (phase, spent) = loop {
                match std::mem::replace(&mut board.phase, Phase::Over) {
                    Phase::Climbing => board.phase = Phase::Climbing,
                    phase => break (phase, board.spent),
                }
                if board.spent > earned {
                    break (Phase::Climbing, board.spent);
                }
                board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
            };
            drop(board);
            let mut search = self.own_search(options);
            // The states have a thread of their own, in addition to the workers: it earns as much as beside one worker,
            // so that it does not take the cores from them.
            beside.earn((spent - earned) / self.formulas.jobs.max(1) as u32);
            earned = spent;
            match phase {
                Phase::Climbing => {
                    if let Some(report) = beside.visit(&mut search, &mut tell) {
                        return self.decide(Ok(report));
                    }
                }
                Phase::OnlyStates(diagnostic) => {
                    let report = beside.alone(&mut search, &mut tell);
                    return self.decide(report.ok_or_else(|| beside.adds(diagnostic)));
                }
                Phase::Last(report) => {
                    beside.earn_the_rest();
                    return self.decide(Ok(beside.visit(&mut search, &mut tell).unwrap_or(*report)));
                }
                Phase::Over => return,
            }
        }
    }
}
