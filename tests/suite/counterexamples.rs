//! Every bug that is said is an execution of the whole program, happens again with real threads, and is told so that a
//! person understands it.

use crate::bounded::{in_parallel, search_options, seeds};
use crate::random::{normalized, threaded_program};
use crate::support::{
    files, has_headers_for_32_bits, installed, project, report, run_limited, says, scratch, skipped, text, unthread,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use unthread::analysis::race::Suspects;
use unthread::check::{EngineChoice, check};
use unthread::il::interpret::Code;
use unthread::property::{ErrorKind, Property};
use unthread::solve::states::{self, StateSearch};
use unthread::solve::{Answer, Engine, Question, Scope};
use unthread::verdict::Verdict;
use unthread::witness::{explain, replay};

/// The kinds that emitted programs have, and deadlocks by themselves.
fn properties() -> [Property; 2] {
    [Property::of_emitted_programs(), Property::new([ErrorKind::Deadlock])]
}

#[test]
fn bugs_of_random_programs_are_executions_of_the_whole_program() {
    let range = seeds(0..400);
    let count = range.end - range.start;
    let (bugs, replayed) = (AtomicU64::new(0), AtomicU64::new(0));
    let compiler = installed("cc");
    if !compiler {
        skipped("replays of random programs", "there is no C compiler");
    }
    in_parallel(range, |seed| {
        let program = normalized(&format!("seed {seed}"), threaded_program(seed));
        for property in &properties() {
            let mut options = search_options(EngineChoice::Embedded, property);
            options.rounds = Some(1 + (seed % 3) as u32);
            let answer = check(&program, &options, &mut |_| {}).map_err(|fault| fault.message)?;
            if let Some(reason) = answer.reason {
                return Err(reason);
            }
            let Some(bug) = answer.bugs.into_iter().next() else { continue };
            let trace = bug.trace.ok_or("a bug without a trace")?;
            bugs.fetch_add(1, Ordering::Relaxed);
            // The trace is shorter, and still fails; real threads are slow to compile.
            let ran = replay::check_trace(&program, &trace)?;
            if compiler && seed % 4 == 0 {
                replay::replay(&program, &trace, &ran, "cc", &options.budget)?;
                replayed.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    });
    let (bugs, replayed) = (bugs.into_inner(), replayed.into_inner());
    report(&format!("{bugs} bugs of {count} random programs are executions of the whole program; {replayed} replayed"));
    assert!(bugs * 4 > count, "only {bugs} bugs");
}

/// The two engines agree, and what visiting states finds can be followed like everything else.
#[test]
fn failing_states_of_random_programs_are_executions_of_the_whole_program() {
    let range = seeds(0..300);
    let count = range.end - range.start;
    let (bugs, proved) = (AtomicU64::new(0), AtomicU64::new(0));
    in_parallel(range, |seed| {
        let program = normalized(&format!("seed {seed}"), threaded_program(seed));
        let code = Code::new(&program);
        for property in &properties() {
            let options = search_options(EngineChoice::Embedded, property);
            let exploring = states::options(&code, property, options.memory_model, &options.budget);
            let mut visiting = StateSearch::new(&code, &exploring);
            let question = Question {
                program: &program,
                property,
                suspects: &Suspects::All,
                scope: Scope::Whole,
                budget: options.budget,
            };
            let answer = match visiting.ask(&question, &mut |_| {}).map_err(|fault| fault.message)? {
                Answer::Bug(Some(execution)) => {
                    let (trace, _) =
                        explain(&program, &execution, property, &options.budget).map_err(|why| format!("{why:?}"))?;
                    replay::check_trace(&program, &trace)?;
                    bugs.fetch_add(1, Ordering::Relaxed);
                    Verdict::Bug
                }
                Answer::NoBug => {
                    proved.fetch_add(1, Ordering::Relaxed);
                    Verdict::Proved
                }
                Answer::GivenUp(_) => continue,
                other => return Err(format!("{other:?}")),
            };
            let formula = check(&program, &options, &mut |_| {}).map_err(|fault| fault.message)?;
            if (answer == Verdict::Bug) != (formula.verdict == Verdict::Bug) {
                return Err(format!("{answer:?} by states, {:?} by formulas", formula.verdict));
            }
        }
        Ok(())
    });
    let (bugs, proved) = (bugs.into_inner(), proved.into_inner());
    report(&format!("{count} random programs by their states: {bugs} bugs, {proved} proofs, as by formulas"));
    assert!(bugs * 5 > count && proved * 5 > count, "only {bugs} bugs and {proved} proofs");
}

/// Our own programs that fail, with the reason why real threads do not show it.
const NOT_REPLAYED: &[(&str, &str)] = &[
    ("uninitialized_lock_bug.c", "a machine does not notice"),
    ("unwritten_bytes_bug.c", "it depends on what memory holds"),
    ("unwritten_neighbour_bug.c", "it depends on what memory holds"),
    ("unwritten_text_bug.c", "it depends on what memory holds"),
    ("opened_file_bug.c", "it opens a stream with fopen()"),
    ("file_status_bug.c", "gives a whole struct"),
];

/// All that the interpreter knows, but for what every program with a lock error does as well.
const ERRORS: &str = "assertion,lock,deadlock";

#[test]
fn bugs_of_our_own_programs_happen_with_real_threads() {
    if !installed("cc") {
        return skipped("replays of our own programs", "there is no C compiler");
    }
    let mut programs = files(&project().join("tests/verify"), "c");
    programs.extend(files(&project().join("examples"), "c"));
    programs.retain(|program| !program.to_string_lossy().ends_with("_fixed.c"));
    let replayed = AtomicU64::new(0);
    in_parallel(0..programs.len() as u64, |index| {
        let program = &programs[index as usize];
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut command = unthread();
        command.args(["check", "--errors", ERRORS, "--timeout", "20", "--unwind", "3", "--rounds", "3"]).arg(program);
        let said = text(&run_limited(&mut command, 60).ok_or(format!("{name} hangs"))?.stdout);
        if said.lines().last() != Some("Verdict: bug") {
            return Ok(());
        }
        let allowed = NOT_REPLAYED.iter().find(|(known, _)| *known == name);
        let expected = allowed.map_or("Replayed with real threads", |(_, why)| *why);
        if !says(&said, expected) {
            return Err(format!("{name}: {said}"));
        }
        replayed.fetch_add(u64::from(allowed.is_none()), Ordering::Relaxed);
        Ok(())
    });
    let replayed = replayed.into_inner();
    report(&format!("{replayed} bugs of our own programs replayed with real threads"));
    assert!(replayed >= 30, "only {replayed}");
}

/// The stories of well-known mistakes, of data races and of deadlocks, as a person reads them. The first line of a program
/// may say how it is checked.
#[test]
fn the_text_tells_what_went_wrong() {
    for input in files(&project().join("tests/cases/counterexamples"), "c") {
        let relative = input.strip_prefix(project()).expect("it is in the project");
        let mut command = unthread();
        let source = std::fs::read_to_string(&input).expect("it can be read");
        let options = source.lines().next().and_then(|line| line.strip_prefix("// check "));
        let options = options.unwrap_or("--errors assertion,deadlock").split_whitespace();
        command.current_dir(project()).args(["check", "--no-replay", "--deterministic"]).args(options).arg(relative);
        let output = run_limited(&mut command, 60).expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let said = text(&output.stdout);
        assert!(said.lines().all(|line| line.chars().count() <= 80), "wider than 80 columns:\n{said}");
        expect_test::expect_file![input.with_extension("expected")].assert_eq(&said);
    }
}

fn document(program: &str, name: &str, options: &[&str]) -> PathBuf {
    let file = scratch("documents").join(format!("{name}.json"));
    let mut command = unthread();
    command
        .current_dir(project())
        .args(["check", "--no-replay", "--deterministic", "--json"])
        .arg(&file)
        .args(options)
        .arg(program);
    run_limited(&mut command, 60).expect("it ends");
    file
}

/// Its proof says what two threads know together.
const TICKETS: &str = "unsigned next, serving; int x;
int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
void __VERIFIER_assume(int); void __VERIFIER_assert(int);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
unsigned draw(void) { __VERIFIER_atomic_begin(); __VERIFIER_assume(next < 1000); unsigned l = next; next = l + 1;
__VERIFIER_atomic_end(); return l; }
void *t(void *z) { unsigned mine = draw(); while (serving != mine) ;
x = x + 1; __VERIFIER_assert(x == 1); x = x - 1; serving = serving + 1; return 0; }
int main(void) { unsigned long h; for (;;) pthread_create(&h, 0, t, 0); }
";

/// What `--json` writes is what its schema says, whatever the verdict.
#[test]
fn documents_are_valid() {
    let schema = project().join("docs/check.schema.json");
    let mut schemas = boon::Schemas::new();
    let schema = boon::Compiler::new()
        .compile(&schema.to_string_lossy(), &mut schemas)
        .unwrap_or_else(|error| panic!("{}: {error}", schema.display()));
    let mut documents = vec![
        document("examples/lost_update_fixed.c", "proved", &[]),
        document("tests/verify/wait_in_loop_fixed.c", "bounded", &["--rounds", "2", "--unwind", "2"]),
        document("examples/lost_update.c", "unknown", &["--timeout", "0.000001"]),
        document("tests/verify/free_bug.c", "memory", &["--errors", "memory"]),
        document("tests/verify/signal_bug.c", "inputs", &[]),
    ];
    for input in files(&project().join("tests/cases/counterexamples"), "c") {
        let name = input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        documents.push(document(&input.to_string_lossy(), &name, &["--errors", "assertion,deadlock"]));
    }
    let replayed = scratch("documents").join("replayed.json");
    let mut command = unthread();
    command.current_dir(project()).args(["check", "examples/lost_update.c", "--json"]).arg(&replayed);
    run_limited(&mut command, 60).expect("it ends");
    documents.push(replayed);
    let swarm = scratch("documents").join("swarm.json");
    let mut command = unthread();
    command.current_dir(project()).args(["swarm", "examples/lost_update.c", "--keep-going", "--json"]).arg(&swarm);
    run_limited(&mut command, 60).expect("it ends");
    documents.push(swarm);
    let tickets = scratch("documents").join("tickets.c");
    std::fs::write(&tickets, TICKETS).expect("it can be written");
    for example in [project().join("examples/proofs/any_number.c"), tickets] {
        let proof = scratch("documents").join(example.with_extension("json").file_name().expect("it is a file"));
        let mut command = unthread();
        command.args(["prove", "--errors", "assertion", "--timeout", "120", "--json"]).arg(&proof).arg(&example);
        run_limited(&mut command, 150).expect("it ends");
        let text = std::fs::read_to_string(&proof).expect("it is written");
        assert!(text.contains("\"invariants\""), "{}: no proof by invariants", example.display());
        documents.push(proof);
    }
    for file in documents {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        if let Err(error) = schemas.validate(&value, schema) {
            panic!("{}: {error:#}", file.display());
        }
        // The schema is strict: one more member is an error.
        let mut other = value.clone();
        other["surprise"] = true.into();
        assert!(schemas.validate(&other, schema).is_err());
    }
}

fn replayed(program: &Path, trace: &Path, options: &[&str]) -> (Option<i32>, String) {
    let mut command = unthread();
    command.current_dir(project()).arg("replay").args(options).arg(program).arg(trace);
    let output = run_limited(&mut command, 60).expect("it ends");
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

#[test]
fn a_trace_can_be_replayed_and_kept() {
    if !installed("cc") || !installed("make") {
        return skipped("replay", "there is no C compiler or no make");
    }
    let program = Path::new("examples/lost_update.c");
    let trace = document("examples/lost_update.c", "kept", &["--errors", "no-race"]);
    let folder = scratch("replay_of_lost_update");
    let (status, said) = replayed(program, &trace, &["--emit", &folder.to_string_lossy()]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("Verdict: bug") && said.contains("lost_update.c:19"), "{said}");
    let mut make = std::process::Command::new("make");
    let output = run_limited(make.arg("-C").arg(&folder).arg("run"), 60).expect("make ends");
    assert!(text(&output.stderr).contains("as recorded"), "{}", text(&output.stderr));
    // The scheduler is not a formality: with another order the program does not fail.
    let schedule = folder.join("schedule.h");
    let recorded = std::fs::read_to_string(&schedule).expect("it was written");
    let mut lines: Vec<&str> = recorded.lines().collect();
    // The thread that reads first writes what is out of date.
    let adds = |line: &str| line.starts_with("    {1,") || line.starts_with("    {2,");
    let first = lines.iter().position(|line| adds(line)).expect("a thread adds");
    let stale = lines.remove(first);
    let write = lines.iter().position(|line| line.starts_with(&stale[..7])).expect("it takes two steps");
    lines.insert(write, stale);
    std::fs::write(&schedule, lines.join("\n")).expect("it can be changed");
    let mut make = std::process::Command::new("make");
    let output = run_limited(make.arg("-C").arg(&folder).arg("run"), 60).expect("make ends");
    assert!(text(&output.stderr).contains("replay: "), "{}", text(&output.stderr));
    assert!(!text(&output.stderr).contains("as recorded"), "{}", text(&output.stderr));
}

#[test]
fn wrong_traces_are_refused() {
    let program = Path::new("examples/lost_update.c");
    let good = std::fs::read_to_string(document("examples/lost_update.c", "good", &["--errors", "no-race"]))
        .expect("it was written");
    let proved = document("examples/lost_update_fixed.c", "without", &[]);
    let folder = scratch("wrong_traces");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("it can be written");
        path
    };
    let refused = |trace: &Path, program: &Path, options: &[&str], words: &[&str]| {
        let (status, said) = replayed(program, trace, options);
        assert_eq!(status, Some(2), "{}: {said}", trace.display());
        words.iter().for_each(|word| assert!(says(&said, word), "{}: {said}", trace.display()));
    };
    refused(Path::new("no/such/trace.json"), program, &[], &["cannot be read"]);
    refused(&file("empty.json", ""), program, &[], &["cut off or empty"]);
    refused(&file("cut.json", &good[..good.len() / 2]), program, &[], &["cut off"]);
    refused(&file("foreign.json", "{\"hello\": 1}"), program, &[], &["unthread check --json"]);
    refused(&file("text.json", "not JSON at all"), program, &[], &["no JSON document"]);
    refused(&file("binary.json", "\u{0}\u{1}\u{2}"), program, &[], &["no JSON document"]);
    let version = format!("\"version\": {}", unthread::witness::document::VERSION);
    refused(&file("old.json", &good.replace(&version, "\"version\": 1")), program, &[], &["version 1", "again"]);
    refused(&file("odd.json", &good.replace("\"story\"", "\"tale\"")), program, &[], &["damaged"]);
    refused(&proved, program, &[], &["no trace", "proved"]);
    refused(&file("other.json", &good), Path::new("examples/stack.c"), &[], &["another program"]);
    if has_headers_for_32_bits("a trace of another data model") {
        refused(&file("narrow.json", &good), program, &["--32"], &["LP64", "--64"]);
    }
    // A schedule that the program cannot follow.
    let damaged = good.replacen("\"thread\": 2", "\"thread\": 7", 1);
    assert_ne!(damaged, good);
    let mut value: serde_json::Value = serde_json::from_str(&good).expect("it is JSON");
    value["errors"][0]["trace"]["replay"]["units"].as_array_mut().expect("a list").truncate(2);
    refused(&file("short.json", &value.to_string()), program, &[], &["damaged"]);
    value["errors"][0]["trace"]["replay"]["units"] = serde_json::json!([{ "thread": 99 }]);
    refused(&file("thread.json", &value.to_string()), program, &[], &["damaged"]);
}

/// An independent witness: every race of our own pairs is one for ThreadSanitizer, too.
#[test]
fn thread_sanitizer_reports_the_races_of_our_own_programs() {
    let mut programs = files(&project().join("tests/verdicts"), "c");
    let name_of = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    programs.retain(|path| name_of(path).starts_with("race_") && name_of(path).ends_with("_bug.c"));
    let probe = scratch("sanitizer").join("probe.c");
    std::fs::write(&probe, "int main(void) { return 0; }").expect("it can be written");
    let mut compile = std::process::Command::new("cc");
    compile.args(["-fsanitize=thread", "-o"]).arg(probe.with_extension("out")).arg(&probe);
    if !compile.output().is_ok_and(|output| output.status.success()) {
        return skipped("races by ThreadSanitizer", "there is no C compiler that has it");
    }
    let confirmed = AtomicU64::new(0);
    in_parallel(0..programs.len() as u64, |index| {
        let program = &programs[index as usize];
        let mut command = unthread();
        command.args(["check", "--errors", "race", "--timeout", "20"]).arg(program);
        let said = text(&run_limited(&mut command, 90).ok_or(format!("{} hangs", program.display()))?.stdout);
        let name = name_of(program);
        if !says(&said, "Confirmed by ThreadSanitizer") {
            return Err(format!("{name}: not confirmed: {said}"));
        }
        confirmed.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    let confirmed = confirmed.into_inner();
    report(&format!("{confirmed} races of our own programs confirmed by ThreadSanitizer"));
    assert!(confirmed >= 30, "only {confirmed}");
}
