//! The second road to the same answer: the emitted C is read again and decided as a program of one thread.

use super::embedded::{Embedded, Solved};
use super::{Answer, Engine, Progress, Question, Scope};
use crate::analysis::race::Suspects;
use crate::c::preprocess::{PreprocessOptions, preprocess};
use crate::diagnostic::Diagnostic;
use crate::limit::{Bounded, BoundingOptions, LimitError, limit};
use crate::property::{ErrorKind, Property};
use crate::restriction::Restriction;
use crate::sequentialize::{Schema, SequentializeOptions, Watched, backend, sequentialize};
use crate::verdict::Bounds;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Sequential {
    pub schema: Schema,
    /// The C compiler whose preprocessor is used.
    pub compiler: String,
}

impl Engine for Sequential {
    fn ask(&mut self, question: &Question, tell: &mut dyn FnMut(Progress)) -> Result<Answer, Diagnostic> {
        let Scope::Bounded { threads, bounds, order, restriction } = question.scope else {
            return Ok(Answer::GivenUp("an emitted program needs bounds".to_owned()));
        };
        let answer = self.ask_emitted(question, threads, (bounds, order, restriction), tell)?;
        match answer {
            Answer::Bug(None) => self.on_threads(question, bounds, tell),
            other => Ok(other),
        }
    }
}

impl Sequential {
    fn ask_emitted(
        &self,
        question: &Question,
        threads: &Bounded,
        (bounds, order, restriction): (Bounds, &[usize], &Restriction),
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Answer, Diagnostic> {
        let schema = self.schema;
        // Whatever is looked for is a failed assertion there.
        let asserted = Property::new([ErrorKind::Assertion]);
        let words = backend::find("svcomp").expect("it is in the table");
        let (file, _) = match emit(threads, schema, (bounds, order, restriction), words)? {
            Ok(emitted) => emitted,
            Err(reason) => return Ok(Answer::GivenUp(reason)),
        };
        let model = threads.program.types.model;
        let preprocessing = PreprocessOptions {
            compiler: self.compiler.clone(),
            data_model: model,
            arguments: Vec::new(),
            directory: None,
        };
        let text = preprocess(&file.path, &preprocessing)?;
        let read = crate::read("emitted.c", text, model).map_err(|error| in_emitted(error.diagnostic))?;
        let program = crate::normalize(read.program);
        let unrolling = BoundingOptions {
            // The loops that are left are the rounds, and those that fill arrays; kept loops are followed by the bound.
            unwind: if schema.keeps_loops() { bounds.unwind + 1 } else { 1000 },
            unwind_max: 100_000,
            property: asserted.clone(),
            ..BoundingOptions::default()
        };
        let single = match limit(&program, &unrolling, &question.budget) {
            Ok(single) => single,
            Err(LimitError::Unsupported(diagnostic)) => return Err(in_emitted(diagnostic)),
            Err(LimitError::TooLarge { .. }) => {
                return Ok(Answer::GivenUp("the emitted program is too large".to_owned()));
            }
            Err(LimitError::GaveUp(reason)) => return Ok(Answer::NotYet(reason)),
        };
        if !schema.keeps_loops() && !single.cuts.is_empty() {
            return Ok(Answer::GivenUp("the loops of the emitted program are too long".to_owned()));
        }
        let solved = Embedded::default().solve(
            &single,
            (1, &[0], &Restriction::All),
            (&asserted, &Suspects::All),
            &question.budget,
            tell,
        );
        Ok(match solved.map_err(in_emitted)? {
            Solved::NoBug => Answer::NoBug,
            Solved::NoBugBut(left_out) => Answer::NoBugBut(left_out),
            Solved::NotYet(reason) => Answer::NotYet(reason),
            // An execution of the simulation: whether it is one of the threads, these decide.
            Solved::Bug(_) => Answer::Bug(None),
        })
    }

    /// The emitted program fails: so do the threads.
    fn on_threads(
        &self,
        question: &Question,
        bounds: Bounds,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Answer, Diagnostic> {
        let Scope::Bounded { threads, order, restriction, .. } = question.scope else { unreachable!("asked before") };
        let options = BoundingOptions { keep_loops: false, ..threads.options.clone() };
        let unwound = match limit(question.program, &options, &question.budget) {
            Ok(unwound) => unwound,
            Err(_) => return Ok(Answer::Bug(None)),
        };
        let restriction = match restriction {
            // Where threads may have to wait is seen more exactly there, so that they have fewer places to stop.
            Restriction::Tiles { .. } => &Restriction::All,
            Restriction::All | Restriction::Cube(_) => restriction,
        };
        let scope = Scope::Bounded { threads: &unwound, bounds, order, restriction };
        let answer = Embedded::default().ask(&Question { scope, ..*question }, tell)?;
        Ok(match (answer, self.schema.keeps_loops()) {
            (Answer::Bug(execution), _) => Answer::Bug(execution),
            // Kept loops are followed further than the unwound threads go.
            (_, true) => Answer::Bug(None),
            // So are allocations.
            (Answer::NoBugBut(left_out), false) if left_out.by_bounds => Answer::Bug(None),
            // Emitted programs go on after what is undefined; threads do not.
            (Answer::NoBug | Answer::NoBugBut(_), false) => {
                let everything = Question { scope, property: &Property::all(), ..*question };
                match Embedded::default().ask(&everything, tell)? {
                    Answer::Bug(Some(execution)) => Answer::FailsOtherwise(execution.failure),
                    Answer::NoBug | Answer::NoBugBut(_) => Answer::Doubtful {
                        why: "the emitted program fails, but the threads do not".to_owned(),
                        details: String::new(),
                    },
                    other => other,
                }
            }
            (other, false) => other,
        })
    }
}

fn in_emitted(diagnostic: Diagnostic) -> Diagnostic {
    let message = format!("in the emitted program: {}", diagnostic.message);
    Diagnostic { message, ..Diagnostic::unsupported(Default::default(), "") }
}

/// Writes the sequential program to a file; the inner error says why that did not work.
pub(super) fn emit(
    threads: &Bounded,
    schema: Schema,
    (bounds, order, restriction): (Bounds, &[usize], &Restriction),
    backend: &'static backend::Backend,
) -> Result<Result<(TemporaryFile, Watched), String>, Diagnostic> {
    let settings = SequentializeOptions {
        schema,
        rounds: Some(bounds.rounds),
        order: order.to_vec(),
        restriction: restriction.clone(),
        backend,
        title: format!("made by unthread: schema {}, {bounds}", schema.name()),
    };
    let (text, watched) = sequentialize(threads, &settings)?;
    Ok(TemporaryFile::write(&text)
        .map(|file| (file, watched))
        .map_err(|error| format!("cannot write a temporary file: {error}")))
}

/// Removed when it is not needed any more.
pub(super) struct TemporaryFile {
    pub path: PathBuf,
}

impl TemporaryFile {
    fn write(text: &str) -> std::io::Result<TemporaryFile> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("unthread-{}-{number}.c", std::process::id()));
        std::fs::write(&path, text)?;
        Ok(TemporaryFile { path })
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
