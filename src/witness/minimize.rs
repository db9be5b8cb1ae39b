//! The plainest execution with the same failure: few context switches, then few steps, then small values.
//!
//! Greedy: every change is tried by executing the plan, and kept if the same failure is reached at lower cost.

use super::follow::{Plan, execute};
use crate::il::interpret::{Code, Failure, Turn};
use std::time::{Duration, Instant};

/// Searching for a plainer execution must not take longer than finding one.
const PATIENCE: Duration = Duration::from_millis(1500);

pub fn minimize(code: &Code, plan: &Plan, failure: &Failure) -> Plan {
    let mut search = Search { code, failure, best: plan.clone(), until: Instant::now() + PATIENCE };
    while search.improve_order() || search.improve_length() {}
    search.improve_values();
    search.best
}

/// Context switches, steps, steps that are out of the ordinary.
type Cost = (usize, usize, usize);

fn cost(units: &[Turn]) -> Cost {
    let switches = units.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
    let odd = units.iter().filter(|unit| unit.spurious || unit.held).count();
    (switches, units.len(), odd)
}

struct Search<'a> {
    code: &'a Code<'a>,
    failure: &'a Failure,
    best: Plan,
    until: Instant,
}

impl Search<'_> {
    /// A deadlock in other places is another one.
    fn is_same(&self, failure: &Failure) -> bool {
        failure.is_same(self.failure) && failure.waits == self.failure.waits
    }

    /// Does this plan fail in the same way, at lower cost? Then it is the best now.
    fn try_units(&mut self, units: Vec<Turn>) -> bool {
        if Instant::now() > self.until || cost(&units) >= cost(&self.best.units) {
            return false;
        }
        let mut plan = Plan { units, ..self.best.clone() };
        match execute(self.code, &plan, false) {
            Ok(ran) if self.is_same(&ran.failure) => {
                plan.units.truncate(ran.units);
                self.best = plan;
                true
            }
            _ => false,
        }
    }

    /// Stretches of one thread: where they begin and end.
    fn stretches(&self) -> Vec<(usize, usize)> {
        let units = &self.best.units;
        let mut out: Vec<(usize, usize)> = Vec::new();
        for index in 0..units.len() {
            match out.last_mut() {
                Some(last) if units[last.0].thread == units[index].thread => last.1 = index + 1,
                _ => out.push((index, index + 1)),
            }
        }
        out
    }

    /// Leaves a stretch out, or joins two of the same thread.
    fn improve_order(&mut self) -> bool {
        let stretches = self.stretches();
        for (index, (from, to)) in stretches.iter().copied().enumerate().rev() {
            let units = &self.best.units;
            let without = [&units[..from], &units[to..]].concat();
            if self.try_units(without) {
                return true;
            }
            let units = &self.best.units;
            let thread = units[from].thread;
            let later = stretches[index + 1..].iter().copied().find(|(start, _)| units[*start].thread == thread);
            let Some((start, end)) = later else { continue };
            let (mine, between, theirs) = (&units[from..to], &units[to..start], &units[start..end]);
            let earlier = [&units[..from], mine, theirs, between, &units[end..]].concat();
            let delayed = [&units[..from], between, mine, theirs, &units[end..]].concat();
            if self.try_units(earlier) || self.try_units(delayed) {
                return true;
            }
        }
        false
    }

    /// Lets a thread stop earlier.
    fn improve_length(&mut self) -> bool {
        let mut improved = false;
        for (from, to) in self.stretches().into_iter().rev() {
            let mut cut = to - from;
            while cut > 0 {
                let units = &self.best.units;
                if to > units.len() {
                    break;
                }
                let shorter = [&units[..to - cut], &units[to..]].concat();
                if self.try_units(shorter) {
                    improved = true;
                    break;
                }
                cut /= 2;
            }
            if improved {
                return true;
            }
        }
        for index in 0..self.best.units.len() {
            if self.best.units[index].spurious {
                let mut units = self.best.units.clone();
                units[index].spurious = false;
                improved |= self.try_units(units);
            }
        }
        improved
    }

    /// Tries small numbers for the values that the program takes from outside.
    fn improve_values(&mut self) {
        let mut keys: Vec<(usize, u32)> = self.best.inputs.keys().copied().collect();
        keys.sort_unstable();
        for key in keys {
            for index in 0..self.best.inputs[&key].len() {
                let value = self.best.inputs[&key][index];
                let plainer = [0, 1, 2, 3, 10].into_iter().filter(|candidate| *candidate < value);
                for candidate in plainer {
                    if Instant::now() > self.until {
                        return;
                    }
                    let mut plan = self.best.clone();
                    plan.inputs.get_mut(&key).expect("a key of the plan")[index] = candidate;
                    let fails = execute(self.code, &plan, false);
                    if fails.is_ok_and(|ran| self.is_same(&ran.failure) && ran.units == plan.units.len()) {
                        self.best = plan;
                        break;
                    }
                }
            }
        }
    }
}
