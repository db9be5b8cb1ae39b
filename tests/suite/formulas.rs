//! The rules by which formulas stay small (`formula/place.rs`, `formula/narrow.rs`), one case each: two programs that
//! differ in one place, and how their formulas compare.

use crate::support::{run_limited, scratch, text, unthread};

/// Clauses of the formula for two rounds, of a program with these statements in the thread and in `main`.
fn clauses(name: &str, thread: &str, main: &str) -> u64 {
    let source = format!(
        "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\nint x, y, noise;\n\
         void *thread(void *arg) {{ {thread} return 0; }}\n\
         int main(void) {{\n    pthread_t t;\n    pthread_create(&t, 0, thread, 0);\n    {main}\n    return 0;\n}}\n"
    );
    let path = scratch("formulas").join(format!("{name}.c"));
    std::fs::write(&path, source).expect("the file can be written");
    let mut command = unthread();
    command.args(["check", "--no-replay", "--errors", "assertion", "--unwind", "1", "--rounds", "2", "--stats"]);
    let output = run_limited(command.arg(&path), 20).expect("it does not hang");
    let stats = text(&output.stderr);
    let count = stats.split(" clauses").next().and_then(|before| before.rsplit(' ').next()?.parse().ok());
    count.unwrap_or_else(|| panic!("no clauses in: {stats}"))
}

const THREAD: &str = "x = 1; y = x + 1;";
const MAIN: &str = "x = 2; y = 3; assert(x + y < 5);";

#[test]
fn what_no_failure_depends_on_costs_nothing() {
    let plain = clauses("plain", THREAD, MAIN);
    assert!(plain > 10, "{plain}");
    let writes = clauses("writes", "x = 1; noise = x; y = x + 1;", "x = 2; noise = 7; y = 3; assert(x + y < 5);");
    assert_eq!(plain, writes, "writes that nobody reads");
    let reads = clauses("reads", "x = 1; int unused = y; y = x + 1;", MAIN);
    assert_eq!(plain, reads, "reads that nobody uses");
    let needed =
        clauses("needed", "x = 1; noise = x; y = x + 1;", "x = 2; noise = 7; y = 3; assert(x + y + noise < 5);");
    assert!(needed > plain, "what the assertion reads is there: {needed} and {plain}");
}

#[test]
fn values_cost_what_their_range_needs() {
    let few = clauses("few", "x = 1; y = x + 1;", "assert(y != 7);");
    let many = clauses("many", "x = __VERIFIER_nondet_int(); y = x + 1;", "assert(y != 7);");
    assert!(few * 2 < many, "{few} and {many}");
}

#[test]
fn steps_and_rounds_cost_memory_only_where_it_is_written() {
    let one = clauses("one", "x = 1;", MAIN);
    // The second write is a step more, with its value in every round.
    let two = clauses("two", "x = 1; x = 5;", MAIN);
    assert!(two > one, "{one} and {two}");
    let section = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); \
                   __VERIFIER_atomic_begin(); x = 1; x = 5; __VERIFIER_atomic_end();";
    let together = clauses("together", section, MAIN);
    assert!(together < two, "one step for both: {together} and {two}");
}
