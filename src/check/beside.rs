//! What needs no bounds, beside the search with growing bounds and for a share of its time: the states of the program,
//! visited one by one, and invariants.

use super::report::{Bug, Report, failure_line};
use super::search::{Search, Unexplained, gather};
use super::{CheckOptions, EngineChoice};
use crate::budget::{Budget, TIME_IS_UP};
use crate::diagnostic::Diagnostic;
use crate::execution::Execution;
use crate::il::interpret::{Code, ExploreOptions};
use crate::limit::USUAL_THREADS;
use crate::solve::invariant::Invariants;
use crate::solve::states::StateSearch;
use crate::solve::walks::Walks;
use crate::solve::{Answer, Engine, Progress, Question, Scope};
use crate::verdict::Verdict;
use std::time::{Duration, Instant};

/// Visiting states gets this part of the time that formulas take, and of all the time there is not more than that.
const SHARE: u32 = 3;
const MOST: u32 = 8;
/// The same if the user wants a proof.
const MOST_PROVING: u32 = 2;
/// Invariants are looked for when so much is earned, for so long; and again, if that was too short.
const TRIES: [(Duration, Duration); 3] = [
    (Duration::from_millis(300), Duration::from_secs(2)),
    (Duration::from_secs(3), Duration::from_secs(20)),
    (Duration::from_secs(20), Duration::from_secs(180)),
];
/// When there is nothing else to do.
const AT_THE_END: Duration = Duration::from_secs(2);
/// Where the states are all there is, they begin with this.
const FIRST_SLICE: Duration = Duration::from_millis(100);
/// It is not worth while for less.
const LEAST: Duration = Duration::from_millis(10);

pub struct Beside<'p> {
    code: &'p Code<'p>,
    exploring: &'p ExploreOptions,
    /// `None` before it begins.
    states: Option<StateSearch<'p>>,
    /// Nobody asked for bounds.
    unbounded: bool,
    /// For what is left at the end.
    walks: Option<Walks<'p>>,
    walked: Duration,
    /// The time that it may take in all.
    earned: Duration,
    most: Duration,
    /// Why it ended without an answer.
    given_up: Option<String>,
    /// How often invariants were looked for, and why none were found if it makes no sense to try again.
    tries: usize,
    invariants: Invariants,
    no_invariants: Option<String>,
}

impl<'p> Beside<'p> {
    pub fn new(code: &'p Code<'p>, exploring: &'p ExploreOptions, options: &CheckOptions) -> Beside<'p> {
        // Whoever asks for bounds or for the formula gets them.
        let bounded = options.unwind.is_some()
            || options.unwind_max.is_some()
            || options.rounds.is_some()
            || !options.order.is_empty()
            || !options.bounding.unwind_loops.is_empty()
            || options.bounding.threads != USUAL_THREADS
            || options.dimacs.is_some();
        let most = match options.engine {
            EngineChoice::Embedded if !bounded && options.property.asks_only_what_is_left() => Duration::MAX,
            EngineChoice::Embedded if !bounded => {
                let share = if options.proving { MOST_PROVING } else { MOST };
                options.budget.until.saturating_duration_since(Instant::now()) / share
            }
            EngineChoice::Embedded | EngineChoice::Sequential(_) | EngineChoice::Verifier { .. } => Duration::ZERO,
        };
        let unbounded = most > Duration::ZERO;
        Beside {
            code,
            exploring,
            states: None,
            unbounded,
            walks: None,
            walked: Duration::ZERO,
            earned: Duration::ZERO,
            most,
            given_up: None,
            tries: 0,
            invariants: Invariants::default(),
            no_invariants: None,
        }
    }

    /// Formulas took so long.
    pub fn earn(&mut self, time: Duration) {
        self.earned += time / SHARE;
    }

    /// All bounds are done, and none was enough for a proof.
    pub fn earn_the_rest(&mut self) {
        self.earned = self.earned.max(AT_THE_END);
    }

    /// Goes on with what it has earned; a report if that decides.
    pub fn visit(&mut self, search: &mut Search, tell: &mut dyn FnMut(Progress)) -> Option<Report> {
        loop {
            match self.visit_once(search, tell) {
                Some(report) if search.goes_on(&report, tell) => {}
                report => return report,
            }
        }
    }

    fn visit_once(&mut self, search: &Search, tell: &mut dyn FnMut(Progress)) -> Option<Report> {
        let report = self.visit_states(search, tell).or_else(|| self.find_invariants(search, tell));
        // What the states do not try, executions at random may.
        let walks = self.unbounded && search.property.asks_what_is_left();
        if report.is_none() && walks { self.walk(search, tell) } else { report }
    }

    fn visit_states(&mut self, search: &Search, tell: &mut dyn FnMut(Progress)) -> Option<Report> {
        let earned = self.earned.min(self.most);
        let spent = self.states.as_ref().map_or(Duration::ZERO, |states| states.spent);
        let time = earned.saturating_sub(spent);
        if time < LEAST {
            return None;
        }
        let options = search.options;
        let states = self.states.get_or_insert_with(|| StateSearch::new(self.code, self.exploring));
        let until = Instant::now().checked_add(time).map_or(options.budget.until, |end| end.min(options.budget.until));
        let question = Question {
            program: search.program,
            property: &search.property,
            suspects: &search.suspects,
            scope: Scope::Whole,
            budget: Budget { until, ..options.budget },
        };
        let answer = states.ask(&question, tell).map(|answer| match answer {
            Answer::Bug(Some(first)) if options.gathers() => Ok(gather(states, &question, *first, time)),
            Answer::Bug(execution) => Ok(execution.map_or_else(Vec::new, |execution| vec![*execution])),
            other => Err(other),
        });
        let count = states.states();
        match answer {
            Err(diagnostic) => self.stop(diagnostic.message),
            Ok(Ok(all)) => self.bug(search, &all, Some(count)),
            Ok(Err(Answer::NotYet(_))) => None,
            Ok(Err(Answer::NoBug)) => Some(Report { states: Some(count), ..search.all_states_followed() }),
            Ok(Err(Answer::GivenUp(why))) => self.stop(why),
            Ok(Err(Answer::NoBugBut(left_out))) => self.stop(left_out.to_string()),
            Ok(Err(Answer::FailsOtherwise(failure))) => self.stop(failure_line(search.program, &failure)),
            Ok(Err(Answer::Bug(_))) => self.stop("the states tell no execution".to_owned()),
            Ok(Err(Answer::Doubtful { why, details })) => Some(search.doubtful("states", &details, why)),
        }
    }

    /// Before anything else: the states and invariants, in turn and for longer each time.
    pub fn prove_first(&mut self, search: &mut Search, tell: &mut dyn FnMut(Progress)) -> Option<Report> {
        for earned in [FIRST_SLICE, TRIES[0].0, TRIES[1].0] {
            self.earned = self.earned.max(earned);
            if let Some(report) = self.visit(search, tell) {
                return Some(report);
            }
        }
        None
    }

    /// For a share of the time: not longer than the states may take in all.
    fn find_invariants(&mut self, search: &Search, tell: &mut dyn FnMut(Progress)) -> Option<Report> {
        let (earned, time) = *TRIES.get(self.tries).filter(|_| self.unbounded && self.no_invariants.is_none())?;
        if self.earned < earned {
            return None;
        }
        let options = search.options;
        let left = options.budget.until.saturating_duration_since(Instant::now());
        let share = if options.proving { MOST_PROVING } else { MOST };
        let time = time.min(left / share);
        if time < LEAST {
            return None;
        }
        self.tries += 1;
        let question = Question {
            program: search.program,
            property: &search.property,
            suspects: &search.suspects,
            scope: Scope::Whole,
            budget: Budget { until: Instant::now() + time, ..options.budget },
        };
        let why = match self.invariants.ask(&question, tell) {
            Ok(Answer::NoBug) => {
                return Some(Report { invariants: self.invariants.certificate.take(), ..search.all_states_followed() });
            }
            Ok(Answer::NotYet(_)) => return None,
            Ok(Answer::Doubtful { why, details }) => return Some(search.doubtful("invariants", &details, why)),
            Ok(Answer::GivenUp(why)) => why,
            Ok(Answer::NoBugBut(left_out)) => left_out.to_string(),
            Ok(Answer::Bug(_) | Answer::FailsOtherwise(_)) => "they find no bugs".to_owned(),
            Err(diagnostic) => match diagnostic.span {
                Some(span) => format!("{}: {}", search.program.source.location(span), diagnostic.message),
                None => diagnostic.message,
            },
        };
        self.no_invariants = Some(why);
        None
    }

    /// How far the engines without bounds came, for who wanted a proof.
    pub fn why_no_proof(&self) -> Vec<String> {
        let states = match (&self.given_up, &self.states) {
            (Some(why), _) => Some(format!("the states: {why}")),
            (None, Some(states)) => Some(format!("the states: {} were visited, and there are more", states.states())),
            (None, None) => None,
        };
        let invariants = match (&self.no_invariants, self.tries) {
            (Some(why), _) => Some(format!("invariants: {why}")),
            (None, 0) => None,
            (None, _) => Some("invariants: there was not time enough".to_owned()),
        };
        states.into_iter().chain(invariants).collect()
    }

    /// Executions at random, for as long as formulas earned it.
    fn walk(&mut self, search: &Search, tell: &mut dyn FnMut(Progress)) -> Option<Report> {
        let options = search.options;
        let left = options.budget.until.saturating_duration_since(Instant::now());
        let time = self.earned.saturating_sub(self.walked).min(left / 2);
        if time < LEAST {
            return None;
        }
        let walks = self.walks.get_or_insert_with(|| Walks::new(self.code));
        let question = Question {
            program: search.program,
            property: &search.property,
            suspects: &search.suspects,
            scope: Scope::Whole,
            budget: Budget { until: Instant::now() + time, ..options.budget },
        };
        self.walked += time;
        match walks.ask(&question, tell) {
            Ok(Answer::Bug(Some(execution))) => self.bug(search, &[*execution], None),
            Ok(Answer::Doubtful { why, details }) => Some(search.doubtful("walks", &details, why)),
            // They prove nothing.
            Ok(
                Answer::Bug(None)
                | Answer::NoBug
                | Answer::NoBugBut(_)
                | Answer::NotYet(_)
                | Answer::GivenUp(_)
                | Answer::FailsOtherwise(_),
            )
            | Err(_) => None,
        }
    }

    fn bug(&mut self, search: &Search, all: &[Execution], states: Option<usize>) -> Option<Report> {
        let (lead, others) = all.split_first()?;
        let found = states.map_or("at random".to_owned(), |count| format!("{count} states"));
        match search.explain(lead, &search.options.budget, &found) {
            Ok((trace, failure)) => {
                let others = search.others(others, Some(&failure), &search.options.budget);
                let bugs = vec![Bug { trace: Some(trace), failure: Some(failure), bounds: None, states }];
                Some(Report { bugs, others, states, ..search.new_report(Verdict::Bug) })
            }
            // There may be others.
            Err(Unexplained::GaveUp(why)) => self.stop(why),
            Err(Unexplained::FailsFirst(failure)) => self.stop(failure_line(search.program, &failure)),
            Err(Unexplained::Doubtful(report)) => Some(*report),
        }
    }

    /// There are no formulas: half of the time is for the states.
    pub fn alone(&mut self, search: &mut Search, tell: &mut dyn FnMut(Progress)) -> Option<Report> {
        self.most *= MOST / 2;
        self.earned = self.most;
        self.visit(search, tell)
    }

    /// Only the states can decide.
    pub fn only(&mut self, search: &mut Search, tell: &mut dyn FnMut(Progress)) -> Report {
        self.earned = FIRST_SLICE;
        loop {
            if let Some(report) = self.visit(search, tell) {
                return report;
            }
            let left = search.options.budget.until.saturating_duration_since(Instant::now());
            let over = search.options.budget.exceeded().or_else(|| (left < 3 * LEAST).then(|| TIME_IS_UP.to_owned()));
            if over.is_some() || (self.given_up.is_some() && self.walked > AT_THE_END) {
                let reason = self.given_up.clone().or(over);
                return Report { reason, ..search.new_report(Verdict::Unknown) };
            }
            self.earned = self.earned.saturating_mul(2);
        }
    }

    /// Can it decide about anything?
    pub fn may_visit(&self) -> bool {
        self.most > Duration::ZERO
    }

    /// Why the states did not help either.
    pub fn adds(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let why = match (&self.given_up, &self.states) {
            (Some(why), _) => why,
            (None, Some(_)) => "there was no time for all of them",
            (None, None) => return diagnostic,
        };
        diagnostic.notes.push(format!("visiting the states one by one gives no answer either: {why}"));
        diagnostic
    }

    /// It makes no sense to go on; its memory is for others.
    fn stop(&mut self, why: String) -> Option<Report> {
        self.given_up = Some(why);
        self.states = None;
        self.most = Duration::ZERO;
        None
    }
}
