//! Which interleavings of bounded threads are asked about: all of them, or a part, so that many small questions can be
//! asked at the same time instead of a large one (VeriSmart, verismart-2017).
//!
//! The place of a thread in a round is the number of steps that it has taken when its context switch of the round comes.
//! It never goes back from round to round. Two kinds of parts:
//!
//! - A **cube** says for some threads and rounds between which numbers that place lies. Cubes come from [`Cubes`]: the
//!   steps of a thread are divided into cells of the same size, and an instance says for every thread in which cell its
//!   places of the first rounds lie. Every interleaving is in exactly one of them, so that together they are all.
//! - **Tiles** are the paper's: the steps of a thread are divided into windows of the same size, some of which are
//!   chosen. A thread can be preempted only before a step of these, and before steps that wait (section II-A).

use serde::{Deserialize, Serialize};

/// A part of the interleavings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Restriction {
    #[default]
    All,
    Cube(Vec<Limits>),
    Tiles {
        size: u32,
        /// By thread: the tiles that were chosen.
        chosen: Vec<Vec<u32>>,
    },
}

/// Where the context switch of a thread in a round lies: after so many steps at least, and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    pub thread: usize,
    pub round: u32,
    pub from: u32,
    pub to: u32,
}

/// The places that a thread can have in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub from: u32,
    pub to: u32,
}

/// By thread and round.
#[derive(Clone, Debug)]
pub struct Windows(Vec<Vec<Window>>);

impl Restriction {
    /// `steps`: how many each thread has.
    pub fn windows(&self, steps: &[u32], rounds: u32) -> Windows {
        // `main` begins at once.
        let first = |thread: usize| u32::from(thread == 0);
        let all = |(thread, count): (usize, &u32)| vec![Window { from: first(thread), to: *count }; rounds as usize];
        let mut windows = Windows(steps.iter().enumerate().map(all).collect());
        if let Restriction::Cube(limits) = self {
            for limits in limits {
                windows.limit(*limits);
            }
        }
        windows
    }

    /// May a thread be preempted before a step, where it does not wait?
    pub fn may_switch(&self, thread: usize, step: u32) -> bool {
        match self {
            Restriction::All | Restriction::Cube(_) => true,
            Restriction::Tiles { size, chosen } => {
                step == 0 || chosen.get(thread).is_some_and(|tiles| tiles.contains(&(step / size)))
            }
        }
    }
}

impl Windows {
    pub fn get(&self, thread: usize, round: u32) -> Window {
        self.0[thread][round as usize]
    }

    /// Is there no interleaving?
    pub fn are_empty(&self) -> bool {
        self.0.iter().flatten().any(|window| window.from > window.to)
    }

    /// May a step run in a round?
    pub fn may_run(&self, thread: usize, round: u32, step: u32) -> bool {
        let earliest = if round == 0 { 0 } else { self.get(thread, round - 1).from };
        step >= earliest && step < self.get(thread, round).to
    }

    /// May a thread stand before a step after the last round?
    pub fn may_stand(&self, thread: usize, step: u32) -> bool {
        self.0[thread].last().is_none_or(|window| step >= window.from && step <= window.to)
    }

    /// Nobody goes back: what comes before a switch comes before all later ones too.
    fn limit(&mut self, Limits { thread, round, from, to }: Limits) {
        for (index, window) in self.0[thread].iter_mut().enumerate() {
            if index as u32 >= round {
                window.from = window.from.max(from);
            }
            if index as u32 <= round {
                window.to = window.to.min(to);
            }
        }
    }
}

/// A partition of all interleavings: instance `index` of it, and parts of that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cubes {
    /// The steps of all threads.
    pub steps: Vec<u32>,
    pub rounds: u32,
    /// The threads whose places are told, with the number of cells of each.
    pub threads: Vec<(usize, u32)>,
    /// In so many first rounds.
    pub told_rounds: u32,
}

/// A thread with fewer steps is not divided.
const FEWEST_STEPS: u32 = 4;

impl Cubes {
    /// At most so many instances, and nearly as many as that where the program has enough steps: halves, first rounds
    /// first, threads with many steps first; smaller cells only if there are more instances than halves of all rounds.
    pub fn plan(steps: &[u32], rounds: u32, most: u64) -> Cubes {
        let mut by_steps: Vec<usize> = (0..steps.len()).filter(|thread| steps[*thread] >= FEWEST_STEPS).collect();
        by_steps.sort_by_key(|thread| (std::cmp::Reverse(steps[*thread]), *thread));
        let with = |threads: Vec<(usize, u32)>, told_rounds: u32| Cubes {
            steps: steps.to_vec(),
            rounds,
            threads,
            told_rounds,
        };
        let mut best = with(Vec::new(), 1);
        let better = |best: &Cubes, other: &Cubes| other.count() <= most && other.count() > best.count();
        // More rounds are only told of all these threads, more cells only in all rounds.
        for told_rounds in 1..=rounds {
            for threads in 1..=by_steps.len() {
                let halves = with(by_steps[..threads].iter().map(|thread| (*thread, 2)).collect(), told_rounds);
                if (threads == by_steps.len() || told_rounds == 1) && better(&best, &halves) {
                    best = halves;
                }
            }
        }
        let mut grown = !best.threads.is_empty();
        while grown && best.told_rounds == rounds {
            grown = false;
            for index in 0..best.threads.len() {
                let mut finer = best.clone();
                let (thread, cells) = &mut finer.threads[index];
                *cells += 1;
                if *cells <= steps[*thread] + 1 && better(&best, &finer) {
                    (best, grown) = (finer, true);
                }
            }
        }
        best
    }

    /// How many instances there are.
    pub fn count(&self) -> u64 {
        let each = |(_, cells): &(usize, u32)| sequences(self.told_rounds, *cells);
        self.threads.iter().map(each).fold(1, u64::saturating_mul)
    }

    /// One of them: digits of the index say how each thread goes through its cells.
    fn cube(&self, mut index: u64) -> Vec<Limits> {
        let mut limits = Vec::new();
        for (thread, cells) in &self.threads {
            let ways = sequences(self.told_rounds, *cells);
            let mut way = index % ways;
            index /= ways;
            // The sequences of cells that never go down, in their order.
            let mut lowest = 0;
            for round in 0..self.told_rounds {
                let mut cell = lowest;
                loop {
                    let after = sequences(self.told_rounds - round - 1, cells - cell);
                    if way < after {
                        break;
                    }
                    way -= after;
                    cell += 1;
                }
                let places = u64::from(self.steps[*thread]) + 1;
                let begin = |cell: u32| (places * u64::from(cell) / u64::from(*cells)) as u32;
                limits.push(Limits { thread: *thread, round, from: begin(cell), to: begin(cell + 1) - 1 });
                lowest = cell;
            }
        }
        limits
    }

    /// A part of an instance: it is divided once for each letter, the widest window of the earliest round first, and `0`
    /// is the part where the thread has taken fewer steps. `None` if there is nothing to divide.
    pub fn restriction(&self, index: u64, path: &str) -> Option<Restriction> {
        let mut limits = self.cube(index);
        for letter in path.chars() {
            let windows = Restriction::Cube(limits.clone()).windows(&self.steps, self.rounds);
            let places = (0..self.rounds).flat_map(|round| (0..self.steps.len()).map(move |thread| (round, thread)));
            let wide = |(round, thread): &(u32, usize)| {
                let Window { from, to } = windows.get(*thread, *round);
                to.saturating_sub(from)
            };
            let (round, thread) = places.max_by_key(|place| (wide(place), std::cmp::Reverse(*place)))?;
            let Window { from, to } = windows.get(thread, round);
            if from >= to {
                return None;
            }
            let middle = from + (to - from).div_ceil(2);
            limits.push(match letter {
                '0' => Limits { thread, round, from, to: middle - 1 },
                _ => Limits { thread, round, from: middle, to },
            });
        }
        Some(Restriction::Cube(limits))
    }
}

/// How many sequences of so many cells there are that never go down.
fn sequences(length: u32, cells: u32) -> u64 {
    // (length + cells - 1) over length.
    let mut count: u128 = 1;
    for index in 1..=u128::from(length) {
        count = count * (u128::from(cells) - 1 + index) / index;
        if count > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    count as u64
}

/// A random choice of tiles: instance `index` of a plan with this seed.
pub fn random_tiles(steps: &[u32], size: u32, selections: u32, seed: u64, index: u64) -> Restriction {
    let mut random = fastrand::Rng::with_seed(seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let choose = |steps: &u32| {
        let mut tiles: Vec<u32> = (0..steps.div_ceil(size)).collect();
        random.shuffle(&mut tiles);
        tiles.truncate(selections as usize);
        tiles.sort_unstable();
        tiles
    };
    Restriction::Tiles { size, chosen: steps.iter().map(choose).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places of a thread at the ends of all rounds.
    fn random_places(random: &mut fastrand::Rng, steps: &[u32], rounds: u32) -> Vec<Vec<u32>> {
        let places = |(thread, count): (usize, &u32)| {
            let mut places: Vec<u32> = (0..rounds).map(|_| random.u32(u32::from(thread == 0)..=*count)).collect();
            places.sort_unstable();
            places
        };
        steps.iter().enumerate().map(places).collect()
    }

    fn contains(restriction: &Restriction, steps: &[u32], places: &[Vec<u32>]) -> bool {
        let windows = restriction.windows(steps, places[0].len() as u32);
        places.iter().enumerate().all(|(thread, places)| {
            places.iter().enumerate().all(|(round, place)| {
                let Window { from, to } = windows.get(thread, round as u32);
                (from..=to).contains(place)
            })
        })
    }

    #[test]
    fn every_schedule_is_in_exactly_one_cube_and_in_one_part_of_it() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..300 {
            let steps: Vec<u32> = (0..random.usize(1..5)).map(|_| random.u32(1..30)).collect();
            let rounds = random.u32(1..5);
            let cubes = Cubes::plan(&steps, rounds, random.u64(1..400));
            let all: Vec<Restriction> =
                (0..cubes.count()).map(|index| cubes.restriction(index, "").expect("not divided")).collect();
            for _ in 0..20 {
                let places = random_places(&mut random, &steps, rounds);
                let within = |index: &u64| contains(&all[*index as usize], &steps, &places);
                let found: Vec<u64> = (0..cubes.count()).filter(within).collect();
                assert_eq!(found.len(), 1, "{places:?} of {cubes:?}");
                // The same for the parts of this cube, as deep as it goes.
                let mut path = String::new();
                for _ in 0..6 {
                    let part = |letter: &str| cubes.restriction(found[0], &format!("{path}{letter}"));
                    let (Some(low), Some(high)) = (part("0"), part("1")) else { break };
                    let (low, high) = (contains(&low, &steps, &places), contains(&high, &steps, &places));
                    assert!(low != high, "{places:?} of {cubes:?}, {path}");
                    path.push(if low { '0' } else { '1' });
                }
            }
        }
    }

    #[test]
    fn plans_are_as_large_as_they_may_be() {
        let count = |steps: &[u32], rounds, most| Cubes::plan(steps, rounds, most).count();
        // Three threads with halves in four rounds; eight with halves in the first.
        assert_eq!(count(&[3, 50, 50, 50], 4, 250), 125);
        assert_eq!(count(&[30, 20, 20, 20, 20, 20, 20, 20], 2, 250), 128);
        assert_eq!(count(&[1, 1], 3, 250), 1);
        assert!(count(&[40, 40], 3, 250) > 100);
        assert!(count(&[400, 400], 3, 1_000_000) > 500_000);
    }

    #[test]
    fn tiles_are_the_same_every_time() {
        let tiles = |index| random_tiles(&[40, 7], 5, 2, 9, index);
        assert_eq!(tiles(3), tiles(3));
        assert_ne!(tiles(3), tiles(4));
        let Restriction::Tiles { chosen, .. } = tiles(3) else { panic!("tiles were asked for") };
        assert_eq!(chosen.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
        let switches: Vec<u32> = (1..40).filter(|step| tiles(3).may_switch(0, *step)).collect();
        assert!(tiles(3).may_switch(0, 0) && switches.iter().all(|step| chosen[0].contains(&(step / 5))));
    }
}
