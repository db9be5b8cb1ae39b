//! Every bug that is said is an execution of the whole program, not only of the bounded threads.

use crate::bounded::{in_parallel, search_options, seeds};
use crate::random::{normalized, threaded_program};
use crate::support::report;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use unthread::check::{Engine, USUAL_ERRORS, check};
use unthread::il::interpret::{Code, FailureKind};
use unthread::witness::follow;

#[test]
fn bugs_of_random_programs_are_executions_of_the_whole_program() {
    let range = seeds(0..400);
    let count = range.end - range.start;
    let bugs = AtomicU64::new(0);
    in_parallel(range, |seed| {
        let program = normalized(&format!("seed {seed}"), threaded_program(seed));
        let stop = AtomicBool::new(false);
        for errors in [USUAL_ERRORS, &[FailureKind::Deadlock]] {
            let mut options = search_options(Engine::Embedded, errors, &stop);
            options.rounds = Some(1 + (seed % 3) as u32);
            let answer = check(&program, &options, &mut |_| {}).map_err(|fault| fault.message)?;
            let Some(bug) = answer.bug else { continue };
            let Some(execution) = bug.execution else { continue };
            let code = Code::new(&program);
            let plan = follow::follow(&program, &code, &execution).map_err(|why| format!("{why:?}"))?;
            let ran = follow::run(&code, &plan)?;
            if !follow::same(&ran.failure, &execution.failure) {
                return Err(format!("{:?} became {:?}", execution.failure, ran.failure));
            }
            bugs.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    });
    let bugs = bugs.into_inner();
    report(&format!("{bugs} bugs of {count} random programs are executions of the whole program"));
    assert!(bugs * 4 > count, "only {bugs} bugs");
}
