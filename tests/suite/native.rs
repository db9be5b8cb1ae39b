//! Programs without data races, run as they are, with pauses, under ThreadSanitizer: it must be silent.

use crate::support::{compile, run_limited, scratch, text};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// How often each program runs.
const RUNS: u64 = 3;

/// What ThreadSanitizer does not know, or sees otherwise than we do: C11 threads and fences; atomic sections, which
/// are atomic accesses in SV-COMP's sense; locks with clocks of their own, in older versions.
const NOT_KNOWN: &[&str] =
    &["thrd_", "mtx_", "cnd_", "call_once", "tss_", "__VERIFIER_atomic", "fence", "__sync_synchronize", "clock"];

/// What SV-COMP's functions do when the program is run. A failed assertion ends it, as it ends what was followed.
const RUNTIME: &str = "#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static _Thread_local unsigned state;
static unsigned any(void) {
    if (!state) state = (unsigned)atoi(getenv(\"RUN\")) * 7919u + (unsigned)(unsigned long)&state / 64u;
    return (unsigned)rand_r(&state);
}
void ut_pause(void) {
    struct timespec moment = {0, (long)(any() % 4) * 30000};
    if (moment.tv_nsec) nanosleep(&moment, 0);
}
void __VERIFIER_assert(int condition) { if (!condition) _exit(0); }
void reach_error(void) { _exit(0); }
void __VERIFIER_error(void) { _exit(0); }
void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { _exit(0); }
void abort(void) { _exit(0); }
void __VERIFIER_assume(int condition) { if (!condition) for (;;) pause(); }
_Bool __VERIFIER_nondet_bool(void) { return any() & 1; }
int __VERIFIER_nondet_int(void) { return any() & 1; }
";

/// A folder with the runtime in it, if the machine's compiler has ThreadSanitizer and it works.
fn folder() -> Option<&'static PathBuf> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let prepare = || {
        let folder = scratch("native");
        let (runtime, probe) = (folder.join("runtime.c"), folder.join("probe.c"));
        std::fs::write(&runtime, RUNTIME).ok()?;
        std::fs::write(&probe, "int main(void) { return 0; }").ok()?;
        compile(&[&runtime], &["-c"], &folder.join("runtime.o")).ok()?;
        compile(&[&probe], &["-fsanitize=thread"], &folder.join("probe")).ok()?;
        let ran = run_limited(&mut Command::new(folder.join("probe")), 20)?;
        ran.status.success().then_some(folder)
    };
    FOLDER.get_or_init(prepare).as_ref()
}

/// Runs a program that has no data race; `Ok(false)` if it cannot be run under ThreadSanitizer here.
pub fn is_silent(seed: u64, program: &str) -> Result<bool, String> {
    let Some(folder) = folder().filter(|_| !NOT_KNOWN.iter().any(|name| program.contains(name))) else {
        return Ok(false);
    };
    let file = |end: &str| folder.join(format!("{seed}{end}"));
    let (source, binary) = (file(".c"), file(""));
    std::fs::write(&source, with_pauses(program)).map_err(|error| error.to_string())?;
    let flags = ["-fsanitize=thread", "-fwrapv", "-O0", "-g", "-fno-builtin", "-pthread"];
    let runtime = folder.join("runtime.o");
    if compile(&[&source, &runtime], &flags, &binary).is_err() {
        return Ok(false);
    }
    for run in 0..RUNS {
        let mut command = Command::new(&binary);
        let options = "report_thread_leaks=0 detect_deadlocks=0 report_mutex_bugs=0 report_destroy_locked=0";
        command.env("TSAN_OPTIONS", options).env("RUN", run.to_string());
        // It may be one that waits for good.
        let Some(ran) = run_limited(&mut command, 2) else { break };
        let said = text(&ran.stderr);
        if said.contains("FATAL: ThreadSanitizer") {
            return Ok(false);
        }
        if said.contains("ThreadSanitizer: data race") {
            return Err(format!("ThreadSanitizer reports a race:\n{said}"));
        }
    }
    let _ = std::fs::remove_file(source);
    let _ = std::fs::remove_file(binary);
    Ok(true)
}

/// Pauses between the statements of all functions.
fn with_pauses(program: &str) -> String {
    let mut out = String::from("void ut_pause(void);\n");
    for line in program.lines() {
        let inner = line.strip_prefix("    ").filter(|rest| !rest.starts_with([' ', '}', '#']));
        if inner.is_some_and(|rest| !["else", "case ", "default:"].iter().any(|word| rest.starts_with(word))) {
            out.push_str("    ut_pause();\n");
        }
        writeln!(out, "{line}").expect("texts can be written");
    }
    out
}
