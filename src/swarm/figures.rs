//! What the times of instances say: how many fail, and how long it takes to find the first with how many workers
//! (verismart-2017, figures 5 and 6).

use super::results::{Done, Outcome};

#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    pub instances: u64,
    pub with_bug: u64,
    pub without_bug: u64,
    pub not_finished: u64,
    /// Seconds of those that have a bug, and of those that have none.
    pub bug_seconds: Option<Spread>,
    pub no_bug_seconds: Option<Spread>,
    pub all_seconds: f64,
    /// Workers, and the seconds after which the first of them can be expected to find a bug.
    pub expected: Vec<(u64, f64)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    pub least: f64,
    pub mean: f64,
    pub most: f64,
}

/// For so many workers is the time told.
pub const WORKERS: [u64; 5] = [1, 2, 8, 64, 1000];
/// Orders at random in which instances are done, to know what to expect.
const TRIALS: u64 = 400;

impl Spread {
    fn of(seconds: &[f64]) -> Option<Spread> {
        let least = seconds.iter().copied().reduce(f64::min)?;
        let most = seconds.iter().copied().reduce(f64::max)?;
        Some(Spread { least, mean: seconds.iter().sum::<f64>() / seconds.len() as f64, most })
    }
}

impl Figures {
    pub fn of<'d>(done: impl Iterator<Item = &'d Done>) -> Figures {
        let all: Vec<(f64, Outcome)> = done.map(|done| (done.seconds, done.outcome)).collect();
        let times = |outcome: Outcome| -> Vec<f64> {
            all.iter().filter(|(_, of)| *of == outcome).map(|(seconds, _)| *seconds).collect()
        };
        let found: Vec<(f64, bool)> = all.iter().map(|(seconds, of)| (*seconds, *of == Outcome::Bug)).collect();
        let (bugs, none) = (times(Outcome::Bug), times(Outcome::NoBug));
        Figures {
            instances: all.len() as u64,
            with_bug: bugs.len() as u64,
            without_bug: none.len() as u64,
            not_finished: (all.len() - bugs.len() - none.len()) as u64,
            bug_seconds: Spread::of(&bugs),
            no_bug_seconds: Spread::of(&none),
            all_seconds: all.iter().map(|(seconds, _)| seconds).sum(),
            expected: WORKERS.iter().filter_map(|workers| Some((*workers, expected(&found, *workers)?))).collect(),
        }
    }
}

/// The same for growing numbers of workers; empty if there is no bug.
pub fn expected_by_workers(all: &[(f64, bool)], most: u64) -> Vec<(u64, f64)> {
    let counts = std::iter::successors(Some(1u64), |workers| Some((workers * 3).div_ceil(2)));
    counts
        .take_while(|workers| *workers <= most)
        .filter_map(|workers| Some((workers, expected(all, workers)?)))
        .collect()
}

/// Instances are drawn at random, as from many more of the same kind, and taken by whoever is free.
fn expected(all: &[(f64, bool)], workers: u64) -> Option<f64> {
    if !all.iter().any(|(_, bug)| *bug) {
        return None;
    }
    let mut random = fastrand::Rng::with_seed(1);
    let mut sum = 0.0;
    for _ in 0..TRIALS {
        let mut free_at = vec![0.0f64; workers as usize];
        let mut first = f64::INFINITY;
        loop {
            // Who is free next begins; whoever begins after the first bug does not matter.
            let next = (0..free_at.len()).min_by(|a, b| free_at[*a].total_cmp(&free_at[*b]))?;
            if free_at[next] >= first {
                break;
            }
            let (seconds, bug) = all[random.usize(..all.len())];
            free_at[next] += seconds.max(1e-6);
            if bug {
                first = first.min(free_at[next]);
                free_at[next] = f64::INFINITY;
            }
        }
        sum += first;
    }
    Some(sum / TRIALS as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swarm::plan::Instance;

    #[test]
    fn more_workers_find_it_sooner() {
        let done = |number: u64| Done {
            number,
            instance: Instance { index: number, path: String::new(), conflicts: 1 },
            outcome: if number.is_multiple_of(10) { Outcome::Bug } else { Outcome::NoBug },
            reason: None,
            seconds: 1.0,
            clauses: 0,
            trace: None,
        };
        let all: Vec<Done> = (0..200).map(done).collect();
        let figures = Figures::of(all.iter());
        assert_eq!((figures.with_bug, figures.without_bug), (20, 180));
        let times: Vec<f64> = figures.expected.iter().map(|(_, seconds)| *seconds).collect();
        // One in ten: ten seconds by one, one second by very many.
        assert!((8.0..12.0).contains(&times[0]) && times.windows(2).all(|pair| pair[0] >= pair[1]), "{times:?}");
        assert!((times[4] - 1.0).abs() < 0.01, "{times:?}");
    }
}
