//! `unthread prove`: as `check`, with the engines first that need no bounds; and the check of a proof that was kept.

use super::check::{search_options, tell_report};
use super::{Timing, WRONG_INPUT, read_input, stop_at_interrupt};
use crate::options::{Asking, Bounds, Check, MemoryModelName, ProofWanted, Prove, Simulation};
use std::path::Path;
use std::time::{Duration, Instant};
use unthread::budget::Budget;
use unthread::check::{self, EngineChoice, Report};
use unthread::limit::USUAL_THREADS;
use unthread::solve::invariant::certificate::{Certificate, Refused};
use unthread::verdict::Verdict;

pub fn prove(prove: Prove) -> u8 {
    let file = prove.check.clone();
    let check = as_check(prove);
    match file {
        Some(file) => check_certificate(&file, &check),
        None => super::check::check(&check),
    }
}

fn as_check(prove: Prove) -> Check {
    let Prove { input, errors, externals, memory_model, certificate, jobs, timeout, full, no_replay, .. } = prove;
    Check {
        input,
        bounds: Bounds { unwind: None, unwind_max: None, unwind_loop: Vec::new(), threads: USUAL_THREADS },
        simulation: Simulation { schema: None, rounds: None, schedule: Vec::new() },
        asking: Asking { backend: "embedded".to_owned(), tool: None, errors, externals, memory_model },
        keep_going: false,
        jobs,
        deterministic: false,
        timeout,
        full,
        no_replay,
        stats: prove.stats,
        json: prove.json,
        html: None,
        dimacs: None,
        memory: prove.memory,
        proof: Some(ProofWanted { certificate }),
    }
}

/// Says `proved` if the invariants in the file are some of this program, and exclude what the file says they do.
fn check_certificate(file: &Path, check: &Check) -> u8 {
    let wrong = |what: String| {
        say!("error: {}: {what}", file.display());
        WRONG_INPUT
    };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return wrong(format!("cannot be read: {error}")),
    };
    let certificate: Certificate = match serde_json::from_str(&text) {
        Ok(certificate) => certificate,
        Err(error) => return wrong(format!("it is not what `unthread prove --certificate` writes: {error}")),
    };
    let read = match read_input(&check.input, &mut Timing::start()) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let memory_model = MemoryModelName::model(check.asking.memory_model);
    let program = unthread::normalize(read.program).under(memory_model);
    let time = Duration::try_from_secs_f64(check.timeout).unwrap_or(Duration::from_secs(u32::MAX.into()));
    let budget = Budget { until: Instant::now() + time, memory_mb: check.memory, stop: stop_at_interrupt() };
    let options = search_options(check, (EngineChoice::Embedded, certificate.property()), budget);
    let report = match certificate.check(&program, &budget) {
        Ok(Ok(())) => check::proved_by(&program, &options, certificate),
        Ok(Err(Refused::Wrong(why) | Refused::GaveUp(why))) => {
            let reason = Some(format!("the certificate is no proof: {why}"));
            Report { reason, ..Report::new(Verdict::Unknown, &options.property, &check::assumed(&program, &options)) }
        }
        Err(diagnostic) => {
            say_part!("{}", diagnostic.render(Some(&program.source)));
            let reason = Some(diagnostic.message);
            Report { reason, ..Report::new(Verdict::Unknown, &options.property, &check::assumed(&program, &options)) }
        }
    };
    tell_report(&report, check.full, &[])
}
