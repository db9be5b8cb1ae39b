//! `unthread seq`: the sequential program, for any verifier.

use super::{
    FINE, Timing, WRONG_INPUT, bounding_options, put, read_input, report_limit, schema, unlimited, warn_without_loop,
};
use crate::options::{MemoryModelName, Seq};
use std::path::PathBuf;
use unthread::limit::BoundingOptions;
use unthread::property::Property;
use unthread::restriction::{Limits, Restriction, random_tiles};
use unthread::sequentialize::{Schema, SequentializeOptions, backend, sequentialize};

pub fn seq(seq: &Seq) -> u8 {
    let mut timing = Timing::start();
    let read = match read_input(&seq.input, &mut timing) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let normalized = unthread::normalize(read.program).under(MemoryModelName::model(seq.memory_model));
    timing.note("normalize");
    let schema = schema(seq.simulation.schema);
    let bounding = BoundingOptions {
        keep_loops: schema.keeps_loops(),
        property: Property::of_emitted_programs(),
        ..bounding_options(&seq.bounds)
    };
    let bounded = match unthread::limit::limit(&normalized, &bounding, &unlimited()) {
        Ok(bounded) => bounded,
        Err(error) => return report_limit(&error, &normalized),
    };
    timing.note("bound");
    let rounds = seq.simulation.rounds.or((schema != Schema::Ul).then_some(2));
    let last = rounds.unwrap_or(u32::MAX);
    let outside = |limits: &&Limits| limits.thread >= bounded.threads.len() || limits.round >= last;
    if let Some(Limits { thread, round, .. }) = seq.restrict.iter().find(outside) {
        say!(
            "error: --restrict names thread {thread} and round {round}, but there are only {} threads (0 is main) and \
             {last} rounds",
            bounded.threads.len()
        );
        return WRONG_INPUT;
    }
    let restriction = match (&seq.restrict[..], seq.choice.tiles) {
        (_, Some(size)) => {
            let steps: Vec<u32> = bounded.threads.iter().map(|thread| thread.steps).collect();
            let selections = seq.choice.selections.or(rounds).unwrap_or(1);
            random_tiles(&steps, size, selections, seq.choice.seed, seq.instance)
        }
        ([], None) => Restriction::All,
        (limits, None) => Restriction::Cube(limits.to_vec()),
    };
    let options = SequentializeOptions {
        restriction,
        schema,
        rounds,
        order: seq.simulation.schedule.clone(),
        backend: backend::find(&seq.backend).expect("the command line knows all backends"),
        title: title(seq, schema, &bounding, rounds),
    };
    let text = match sequentialize(&bounded, &options) {
        Ok((text, _)) => text,
        Err(diagnostic) => {
            say_part!("{}", diagnostic.render(Some(&normalized.source)));
            return WRONG_INPUT;
        }
    };
    timing.note("sequentialize");
    match &seq.output {
        None => put(text.as_bytes()),
        Some(file) => {
            if let Err(error) = std::fs::write(file, &text) {
                say!("error: cannot write {}: {error}", file.display());
                return WRONG_INPUT;
            }
        }
    }
    warn_without_loop(&bounded.without_loop);
    bounded.cut_lines().iter().for_each(|line| say!("{line}"));
    if seq.stats {
        timing.print();
    }
    FINE
}

/// The first line of the output: what it was made from, and how.
fn title(seq: &Seq, schema: Schema, bounding: &BoundingOptions, rounds: Option<u32>) -> String {
    let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().replace("*/", "");
    let name = seq.input.files.iter().map(name).collect::<Vec<String>>().join(", ");
    let rounds = rounds.map_or("any number of rounds".to_owned(), |rounds| format!("{rounds} rounds"));
    format!(
        "{name} as a sequential program for {}: schema {}, unwind {}, {rounds}",
        seq.backend,
        schema.name(),
        bounding.unwind
    )
}
