//! The program driven as a process: exit statuses, messages, broken input.

use crate::support::{installed, project, run_limited, says, scratch, text, unthread};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

fn run(args: &[&str]) -> Output {
    run_limited(unthread().args(args), 10).unwrap_or_else(|| panic!("unthread {args:?} hangs"))
}

fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = scratch("command").join(name);
    std::fs::write(&path, content).expect("the file can be written");
    path
}

/// The input is refused: exit status 2, nothing on standard output, and these words in the message.
#[track_caller]
fn refused(args: &[&str], words: &[&str]) {
    let output = run(args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?} prints a result");
    assert!(!message.contains("bug in unthread"), "{message}");
    for word in words {
        assert!(says(&message, word), "{args:?}: {word:?} is missing in: {message}");
    }
}

#[track_caller]
fn refused_text(name: &str, content: &[u8], words: &[&str]) {
    let path = file(name, content);
    refused(&["show", &path.to_string_lossy()], words);
    refused(&["run", &path.to_string_lossy()], words);
}

#[test]
fn wrong_usage() {
    refused(&[], &["Usage"]);
    refused(&["show"], &["FILE"]);
    refused(&["nonsense"], &["nonsense"]);
    refused(&["show", "--stage", "cooked", "x.c"], &["parsed", "normalized"]);
    refused(&["run", "--seed", "many", "x.c"], &["many"]);
    refused(&["show", "--32", "--64", "x.c"], &["--64"]);
    refused(&["check", "--timeout", "nan", "x.c"], &["above 0"]);
    refused(&["check", "--timeout=-1", "x.c"], &["above 0"]);
}

#[test]
fn files_that_are_no_programs() {
    refused(&["show", "no/such/file.c"], &["no file no/such/file.c"]);
    refused(&["show", &scratch("command").to_string_lossy()], &["folder"]);
    refused_text("empty.c", b"", &["empty"]);
    refused_text("blank.i", b" \n\n", &["empty"]);
    refused_text("binary.i", &[0x7f, b'E', b'L', b'F', 0, 0, 1, 2], &["binary"]);
    refused_text("garbage.i", &[0xff, 0xfe, 0x90, 0x01], &["0x01"]);
}

#[test]
fn a_huge_file_is_refused_at_once() {
    let path = scratch("command").join("huge.c");
    let file = std::fs::File::create(&path).expect("the file can be made");
    file.set_len(100 << 20).expect("the file can grow");
    drop(file);
    refused(&["show", &path.to_string_lossy()], &["64 MiB"]);
    let _ = std::fs::remove_file(path);
}

#[test]
fn syntax_errors_show_the_place() {
    let expected = ["syntax.c:3:12", "expected `;`", "return x y;", "^"];
    refused_text("syntax.c", b"int main(void) {\n  int x = 1;\n  return x y;\n}\n", &expected);
    refused_text("open.c", b"int main(void) {\n  if (1) {\n", &["the file ends here"]);
    refused_text("string.i", b"char *s = \"abc;\nint main(void) { return 0; }\n", &["not closed"]);
    refused_text("typo.c", b"int main(void) { return undeclared_name; }\n", &["`undeclared_name` is not declared"]);
    refused_text("member.c", b"struct s { int a; } v; int main(void) { return v.b; }\n", &["no member `b`"]);
    refused_text("type.c", b"int main(void) { foo_t x; return 0; }\n", &["`foo_t` is not a type"]);
    refused_text("arguments.c", b"int f(int a) { return a; } int main(void) { return f(); }\n", &["takes 1 arguments"]);
}

#[test]
fn wrong_programs_are_refused() {
    for (index, (code, words)) in [
        ("int g(void) { return 1; } int x = g(); int main(void) { return x; }", "must be constant"),
        ("int main(void) { if (pthread_mutex_lock()) return 3; }", "takes 1 arguments"),
        ("int main(void) { return pthread_create(1); }", "takes 4 arguments"),
        ("int f(int a) { return a; } int main(void) { return f(1,); }", "expected an expression"),
        ("int main(void) { const int x = 3; x = 4; return x; }", "const"),
        ("struct s { int a; int a; } v; int main(void) { return v.a; }", "two members"),
        ("int f(int a, int a) { return 1; } int main(void) { return f(1, 2); }", "two parameters"),
        ("int h(int); float h(int); int main(void) { return 0; }", "another type"),
        ("int main(void) { int x; int x; return 0; }", "twice"),
        ("struct { int a : 3; } s; int main(void) { return sizeof s.a; }", "no size"),
    ]
    .iter()
    .enumerate()
    {
        refused_text(&format!("wrong{index}.c"), code.as_bytes(), &[words]);
    }
}

#[test]
fn a_full_disk_is_reported() {
    let path = file("full.c", b"int main(void) { return 0; }\n");
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let output = unthread().args(["show", &path.to_string_lossy()]).stdout(full).stderr(Stdio::piped()).output();
    let output = output.expect("unthread runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("cannot write"));
}

#[test]
fn the_verdict_does_not_depend_on_who_listens() {
    let path = project().join("examples/lost_update.c");
    let call = || {
        let mut command = unthread();
        command.args(["check", "--no-replay"]).arg(&path);
        command
    };
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let output = call().stderr(full).stdout(Stdio::piped()).output().expect("unthread runs");
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stdout).ends_with("Verdict: bug\n"));
    }
    // Nobody reads what it prints.
    let mut child = call().stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("unthread runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn places_are_those_of_the_users_file() {
    let text = b"# 1 \"user.c\"\n# 41 \"user.c\"\nint main(void) {\n  return 1 +;\n}\n";
    refused_text("marked.i", text, &["user.c:42"]);
}

#[test]
fn a_missing_include_and_a_missing_compiler() {
    refused_text("include.c", b"#include <no_such_header.h>\nint main(void) { return 0; }\n", &["no_such_header.h"]);
    let path = file("fine.c", b"int main(void) { return 0; }\n");
    refused(
        &["show", "--cc", "no-such-compiler", &path.to_string_lossy()],
        &["no-such-compiler", "install", ".i file"],
    );
}

#[test]
fn a_program_without_main() {
    refused_text("library.c", b"int f(void) { return 1; }\n", &["no function `main`"]);
}

#[test]
fn unsupported_constructs_are_named_with_their_place() {
    let cases: &[(&str, &str)] = &[
        ("asm goto(\"jmp %l0\" : : : : out); out: ;", "assembly that jumps"),
        ("long double d = 1; d = d * 2;", "long double"),
        ("double _Complex c;", "complex"),
        ("__int128 big = 1;", "__int128"),
        ("void *l = &&out; out: ;", "address of a label"),
        ("int f(void) { return 1; }", "function defined inside a function"),
        ("typedef int v4 __attribute__((vector_size(16))); v4 v;", "vector"),
    ];
    for (index, (code, words)) in cases.iter().enumerate() {
        let program = format!("int main(void) {{\n  {code}\n  return 0;\n}}\n");
        refused_text(&format!("unsupported{index}.c"), program.as_bytes(), &["not supported", words, ":2:"]);
    }
    for (code, word) in [
        ("void f(int *p) {} int main(void) { __attribute__((cleanup(f))) int x = 1; }", "cleanup"),
        ("int w(void) __attribute__((weak)); int main(void) { return w ? 1 : 2; }", "weak"),
        (
            "struct __attribute__((ms_struct)) s { char a : 3; int b : 4; } v; int main(void) { return v.a; }",
            "ms_struct",
        ),
        ("struct { unsigned long long a : 33; } w; int main(void) { return w.a + 1 > 0; }", "bit-field wider than int"),
        ("int main(void) { return sizeof(9223372036854775808); }", "fits no type"),
    ] {
        refused_text(&format!("attribute_{}.c", &word[..3]), code.as_bytes(), &["not supported", word]);
    }
    let program = b"#include <unistd.h>\nint main(void) { execl(\"/bin/true\", \"true\", (char *)0); }\n";
    refused_text("exec.c", program, &["not supported", "execl"]);
    let program = b"#include <pthread.h>\nint main(void) {\n  return pthread_cancel(pthread_self());\n}\n";
    refused_text("cancel.c", program, &["not supported", "pthread_cancel", ":3:"]);
    let program = b"#include <setjmp.h>\njmp_buf b;\nint main(void) {\n  return setjmp(b);\n}\n";
    refused_text("jump.c", program, &["not supported", "setjmp"]);
}

#[test]
fn unknown_assembly_gives_any_value_and_proves_nothing() {
    let program = "#include <assert.h>\nint main(void) {\n  int r = 1;\n  CODE\n  assert(CLAIM);\n  return 0;\n}\n";
    for (code, claim, expected) in [
        ("asm(\"bsrl %1, %0\" : \"=r\"(r) : \"r\"(8));", "r == 3", "bug"),
        ("asm(\"bsrl %1, %0\" : \"=r\"(r) : \"r\"(8));", "1", "no-bug"),
        ("asm(\"cli\");", "r == 1", "no-bug"),
        ("asm(\"movl $3, %0\" : \"=r\"(r));", "r == 3", "proved"),
        ("asm(\"movl $3, %0\" : \"=r\"(r));", "r == 4", "bug"),
    ] {
        let content = program.replace("CODE", code).replace("CLAIM", claim);
        let path = file("unknown_assembly.c", content.as_bytes());
        let output = run(&["check", &path.to_string_lossy()]);
        let told = text(&output.stdout);
        assert!(told.ends_with(&format!("Verdict: {expected}\n")), "{code} {claim}: {told}");
        let known = code.contains("movl");
        assert_eq!(says(&text(&output.stderr), "this assembly is taken to give any value"), !known, "{code}");
        assert!(expected != "no-bug" || told.contains("Assumed: assembly() ("), "{told}");
    }
}

#[test]
fn deep_nesting_is_refused_and_long_chains_work() {
    let parentheses = format!("int main(void) {{ return {}1{}; }}\n", "(".repeat(100_000), ")".repeat(100_000));
    refused_text("deep.i", parentheses.as_bytes(), &["nesting"]);
    let blocks = format!("int main(void) {{ {}{} return 0; }}\n", "{".repeat(50_000), "}".repeat(50_000));
    refused_text("blocks.i", blocks.as_bytes(), &["nesting"]);
    let minus = format!("int main(void) {{ int x = 1; return {}x; }}\n", "- ".repeat(100_000));
    refused_text("minus.i", minus.as_bytes(), &["nesting"]);
    let sum = format!("int x; int main(void) {{ return {}0; }}\n", "x + ".repeat(1000));
    let path = file("sum.i", sum.as_bytes());
    assert_eq!(run(&["run", &path.to_string_lossy()]).status.code(), Some(0));
}

#[test]
fn other_encodings_and_line_ends_work() {
    for (name, content) in [
        ("latin1.c", &b"/* caf\xe9 */ int main(void) { char s[] = \"\xe9\"; return s[0] == 0; }\n"[..]),
        ("latin1.i", &b"int main(void) { char s[] = \"\xe9\"; return s[0] == 0; }\n"[..]),
        ("crlf.c", &b"int main(void) {\r\n  return 0;\r\n}\r\n"[..]),
        ("bom.c", &b"\xef\xbb\xbfint main(void) { return 0; }\n"[..]),
        ("bom.i", &b"\xef\xbb\xbfint main(void) { return 0; }\n"[..]),
        ("no_newline.c", &b"int main(void) { return 0; }"[..]),
        ("dollar.i", &b"int main(void) { int a$b = 0; return a$b; }\n"[..]),
        ("comment.i", &b"/* left in */ int main(void) { return 0; // here too\n}\n"[..]),
    ] {
        let path = file(name, content);
        let output = run(&["run", &path.to_string_lossy()]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("ended with status 0"), "{name}");
    }
}

#[test]
fn warnings_do_not_stop_the_program() {
    let path = file("implicit.c", b"int main(void) { int x = somewhere(1); return x == x ? 0 : 1; }\n");
    let output = run(&["run", &path.to_string_lossy()]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    assert!(message.contains("without a declaration"), "{message}");
    assert_eq!(message.matches("has no body").count(), 1, "{message}");
}

#[test]
fn failures_of_the_program_have_status_one() {
    let path = file("fails.c", b"#include <assert.h>\nint main(void) {\n  assert(1 > 2);\n}\n");
    let output = run(&["run", &path.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("fails.c:3: assertion failed in thread 0: 1 > 2"));
}

#[test]
fn memory_errors_are_found() {
    for (name, code, words) in [
        ("null.c", "int *p = 0; return *p;", "null pointer"),
        ("bounds.c", "int a[3]; a[0] = 1; int i = 3; return a[i];", "index 3 of an array of 3 elements"),
        ("freed.c", "int *p = malloc(4); *p = 0; free(p); return *p;", "freed before"),
        ("twice.c", "int *p = malloc(4); free(p); free(p);", "freed before"),
        ("inner.c", "char *p = malloc(4); free(p + 1);", "did not return"),
        ("scope.c", "int *p; { int x = 1; p = &x; } return *p;", "does not exist any more"),
        ("literal.c", "char *s = \"abc\"; s[0] = 'x';", "string literal"),
        ("divide.c", "int z = 0; return 1 / z;", "divisor is zero"),
        ("call.c", "int (*f)(void) = 0; return f();", "null function pointer"),
    ] {
        let path = file(name, format!("#include <stdlib.h>\nint main(void) {{\n  {code}\n}}\n").as_bytes());
        let output = run(&["run", &path.to_string_lossy()]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {message}");
        assert!(message.contains(words) && message.contains(&format!("{name}:3:")), "{name}: {message}");
    }
}

#[test]
fn endless_programs_are_given_up() {
    let path = file("endless.c", b"int main(void) { for (;;) ; }\n");
    let output = run(&["run", "--max-steps", "1000", &path.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("--max-steps"));
}

#[test]
fn schedules_are_checked() {
    let path = file("schedule.c", b"int x; int main(void) { x = 1; return x; }\n");
    let path = path.to_string_lossy();
    assert_eq!(run(&["run", "--schedule", "0", &path]).status.code(), Some(0));
    refused(&["run", "--schedule", "7", &path], &["does not fit", "thread 7"]);
    refused(&["run", "--schedule", "a,b", &path], &["a"]);
    refused(&["run", "--schedule", &path, &path], &["no JSON"]);
}

/// What `check` found is what `run` does, from the file or from the list of threads in it.
#[test]
fn counterexamples_are_schedules() {
    for name in ["deadlock", "lost_update", "wait_without_loop"] {
        let program = crate::support::project().join("examples").join(name).with_extension("c");
        let program = program.to_string_lossy();
        let json = scratch("command").join(format!("schedule-{name}.json"));
        let json = json.to_string_lossy();
        let found = run(&["check", "--no-replay", "--json", &json, &program]);
        assert_eq!(found.status.code(), Some(1), "{name}");
        let document: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&*json).expect("the report")).expect("JSON");
        let failure = document["errors"][0]["trace"]["failure"]["message"].as_str().expect("a message");
        let units = document["errors"][0]["trace"]["replay"]["units"].as_array().expect("units");
        let turn = |unit: &serde_json::Value| {
            let mark = |name: &str, mark: &str| {
                if unit[name].as_bool() == Some(true) { mark.to_owned() } else { String::new() }
            };
            format!("{}{}{}", unit["thread"], mark("spurious", "!"), mark("held", "-"))
        };
        let list: Vec<String> = units.iter().map(turn).collect();
        for schedule in [json.to_string(), list.join(",")] {
            let again = run(&["run", "--schedule", &schedule, &program]);
            assert_eq!(again.status.code(), Some(1), "{name} {schedule}: {}", text(&again.stderr));
            assert!(text(&again.stderr).contains(failure), "{name} {schedule}: {}", text(&again.stderr));
        }
        refused(&["run", "--schedule", &json, "--inputs", "1", &program], &["gives the inputs"]);
    }
}

#[test]
fn a_seed_repeats_a_run() {
    let program =
        b"#include <stdio.h>\n#include <stdlib.h>\nint main(void) { printf(\"%d %d\\n\", rand(), rand()); }\n";
    let path = file("seed.c", program);
    let outputs: Vec<String> =
        (0..2).map(|_| text(&run(&["run", "--seed", "5", &path.to_string_lossy()]).stdout)).collect();
    assert_eq!(outputs[0], outputs[1]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let path =
        file("pipe.c", b"#include <stdio.h>\nint main(void) { for (int i = 0; i < 50000; i++) puts(\"line\"); }\n");
    let mut child = unthread()
        .args(["run", &path.to_string_lossy()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("unthread starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("unthread ends");
    assert!(!text(&output.stderr).contains("panic"), "{}", text(&output.stderr));
}

#[test]
fn line_directives_lead_back_to_the_user() {
    let path = file("lines.c", b"int x;\nint main(void) {\n  x = 1;\n  return 1 / x;\n}\n");
    let output = run(&["show", "--lines", &path.to_string_lossy()]);
    let printed = scratch("command").join("lines.i");
    std::fs::write(&printed, text(&output.stdout).replace("/ x", "/ (x - x)")).expect("the file can be written");
    let message = text(&run(&["run", &printed.to_string_lossy()]).stderr);
    assert!(message.contains("lines.c:4: division by zero"), "{message}");
}

#[test]
fn stats_name_the_stages() {
    let path = file("stats.c", b"int main(void) { return 0; }\n");
    let message = text(&run(&["show", "--stats", &path.to_string_lossy()]).stderr);
    for stage in ["preprocess", "read", "normalize", "print"] {
        assert!(message.contains(&format!("{stage}: ")), "{message}");
    }
}

/// As Ctrl-C does. Who is started in the background by a shell ignores that, and so do all that it starts: then they are
/// asked to end instead.
fn interrupt(child: &Child) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let signal = if ignored.unwrap_or(0) & 0b10 == 0 { "-INT" } else { "-TERM" };
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
}

#[test]
fn interrupting_ends_at_once() {
    let path = file("interrupt.c", b"int main(void) { for (;;) ; }\n");
    let mut child = unthread()
        .args(["run", "--max-steps", "100000000000", &path.to_string_lossy()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("unthread starts");
    std::thread::sleep(std::time::Duration::from_millis(300));
    interrupt(&child);
    assert!(!child.wait().expect("unthread ends").success());
}

// ---- check and seq ----

/// The verdict is `unknown`, in the last line and the status, and these words say why.
#[track_caller]
fn unknown(args: &[&str], words: &[&str]) {
    let output = run_limited(unthread().args(args), 60).unwrap_or_else(|| panic!("unthread {args:?} hangs"));
    let (said, message) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(3), "{args:?}: {said}{message}");
    assert_eq!(said.lines().last(), Some("Verdict: unknown"), "{args:?}");
    for word in words {
        assert!(says(&said, word) || says(&message, word), "{args:?}: {word:?} is missing in: {said}{message}");
    }
}

#[test]
fn verifiers_that_give_no_answer() {
    let program = crate::support::project().join("examples/lost_update.c");
    let program = program.to_string_lossy();
    unknown(
        &["check", "--backend", "cbmc", "--tool", "no-such-verifier", &program],
        &["cannot be started", "installed"],
    );
    unknown(&["check", "--backend", "cbmc", "--tool", "/bin/false", &program], &["/bin/false"]);
    unknown(&["check", "--backend", "cbmc", "--tool", "/bin/true", &program], &["understood"]);
    unknown(&["check", "--backend", "esbmc", "--tool", "/bin/true", &program], &["no answer"]);
    unknown(&["check", "--backend", "esbmc", "--tool", "/bin/cat", &program], &["no answer"]);
    refused(&["check", "--backend", "run", &program], &["vocabulary"]);
    // It says what CBMC would, and then dies: a crash is no answer.
    let folder = scratch("command");
    let fake = folder.join("crashing-cbmc");
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && { echo 6.6.0; exit 0; }\n\
                  echo VERIFICATION SUCCESSFUL\nkill -SEGV $$\n";
    executable(&fake, script);
    unknown(&["check", "--backend", "cbmc", "--tool", &fake.to_string_lossy(), &program], &["killed by signal 11"]);
    // Memory of a child's child counts, and nothing of it is left.
    let hungry = folder.join("hungry-cbmc");
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && { echo 6.6.0; exit 0; }\n\
                  sh -c 'exec setsid sh -c \"x=x; while :; do x=\\$x\\$x\\$x; done\"'\n";
    executable(&hungry, script);
    unknown(
        &["check", "--backend", "cbmc", "--memory", "60", "--tool", &hungry.to_string_lossy(), &program],
        &["out of memory"],
    );
    let sleepy = folder.join("sleepy-cbmc");
    executable(&sleepy, "#!/bin/sh\n[ \"$1\" = --version ] && { echo 6.6.0; exit 0; }\nsetsid sleep 7531 & wait\n");
    unknown(
        &["check", "--backend", "cbmc", "--timeout", "1", "--tool", &sleepy.to_string_lossy(), &program],
        &["out of time"],
    );
    let left = Command::new("pgrep").args(["-f", "sleep 7531"]).output();
    assert!(left.is_ok_and(|found| found.stdout.is_empty()), "a child of the verifier is left behind");
}

/// Reports for programs: JSON that parses, a formula that has the clauses it promises.
#[test]
fn reports_and_formulas_are_written() {
    let program = crate::support::project().join("examples/lost_update.c");
    let program = program.to_string_lossy();
    let (json, dimacs) = (scratch("command").join("report.json"), scratch("command").join("formula.cnf"));
    let output =
        run(&["check", "--stats", "--json", &json.to_string_lossy(), "--dimacs", &dimacs.to_string_lossy(), &program]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains(" clauses; execute "), "{}", text(&output.stderr));
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&json).expect("it was written")).expect("it is JSON");
    assert_eq!(report["verdict"], "bug");
    assert_eq!(report["errors"][0]["trace"]["failure"]["place"]["line"], 9);
    assert_eq!(report["errors"][0]["trace"]["failure"]["kind"], "data race");
    assert_eq!(report["errors"][0]["confirmed_by_thread_sanitizer"], true);
    let attempts = report["attempts"].as_array().expect("a list");
    let formula = &attempts.last().expect("there was an attempt")["formula"];
    let text = std::fs::read_to_string(&dimacs).expect("it was written");
    let clauses = text.lines().filter(|line| line.ends_with(" 0") || *line == "0").count();
    assert_eq!(Some(clauses as u64), formula["clauses"].as_u64());
    assert!(text.starts_with("p cnf "), "{text}");
    refused(&["check", "--dimacs", "/no/such/folder/f.cnf", &program], &["/no/such/folder/f.cnf"]);
    refused(&["check", "--json", "/no/such/folder/f.json", &program], &["/no/such/folder/f.json"]);
    refused(&["check", "--html", "/no/such/folder/f.html", &program], &["/no/such/folder/f.html"]);
    refused(&["check", "--tool", "cbmc", &program], &["--backend"]);
    refused(&["check", "--backend", "cbmc", "--errors", "memory", &program], &["embedded engine"]);
}

/// Undefined behaviour is looked for on request, and told apart from what is fine.
#[test]
fn kinds_of_errors_can_be_switched() {
    let folder = crate::support::project().join("tests/verify");
    let verdict = |errors: &str, name: &str| {
        let output = run(&["check", "--errors", errors, &folder.join(name).to_string_lossy()]);
        text(&output.stdout).lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(verdict("memory", "free_bug.c"), "Verdict: bug");
    // Nothing is proved where an execution is not followed to its end.
    assert_eq!(verdict("assertion", "free_bug.c"), "Verdict: no-bug");
    assert_eq!(verdict("memory", "free_fixed.c"), "Verdict: proved");
    assert_eq!(verdict("division", "failure_hides_failure_bug.c"), "Verdict: bug");
    assert_eq!(verdict("lock", "unlock_bug.c"), "Verdict: bug");
    assert_eq!(verdict("assertion", "unlock_bug.c"), "Verdict: no-bug");
}

/// Time and interruption end the search with what is known so far.
#[test]
fn a_search_that_is_ended_tells_what_it_knows() {
    // The loops have no end for formulas, and the states are too many because of the input.
    let program = crate::support::project().join("tests/verify/wait_in_loop_fixed.c");
    let program = std::fs::read_to_string(program).expect("it is there");
    let input = "int main(void) { int __VERIFIER_nondet_int(void); int input = __VERIFIER_nondet_int(); input = \
                 input * input;";
    let path = file("wait_for_input.c", program.replace("int main(void) {", input).as_bytes());
    let output = run(&["check", "--timeout", "1", &path.to_string_lossy()]);
    let said = text(&output.stdout);
    assert!(says(&said, "Larger bounds were not completed: time is up"), "{said}");
    assert_eq!(said.lines().last(), Some("Verdict: no-bug"));
    let child = unthread()
        .args(["check", "--timeout", "100", &path.to_string_lossy()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("unthread starts");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    interrupt(&child);
    let said = text(&child.wait_with_output().expect("unthread ends").stdout);
    // What was established is told, but it is no answer.
    assert!(said.contains("interrupted") && said.contains("Bounds: "), "{said}");
    assert_eq!(said.lines().last(), Some("Verdict: unknown"));
}

/// Functions of the C library look at shared memory byte by byte, while others go on: here they are one step.
#[test]
fn library_functions_on_shared_memory_prove_nothing() {
    let head = "#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>\n\
                char text[4] = \"aa\"; int x, y, n;\n\
                void *set(void *arg) { text[0] = 'b'; text[1] = 'b'; return 0; }\n\
                void *look(void *arg) { int a = x, b = y; while (n == 0) ; assert(!(a && !b && n == 2 && y)); return 0; }\n";
    let rest = [
        (
            "torn_sprintf.c",
            "set",
            "char copy[4]; sprintf(copy, \"%s\", text); assert(copy[0] != 'a' || copy[1] != 'b');",
        ),
        (
            "torn_printf.c",
            "set",
            "char copy[4]; sprintf(copy, \"%d\", 1); int n = printf(\"%s\", text); assert(n == 2);",
        ),
        ("torn_scanf.c", "look", "n = scanf(\"%d %d\", &x, &y); if (n != 2 || y == 0) return 0; pthread_join(t, 0);"),
    ];
    for (name, start, body) in rest {
        let main = format!("int main(void) {{ pthread_t t; pthread_create(&t, 0, {start}, 0); {body} return 0; }}\n");
        let path = file(name, (head.to_owned() + &main).as_bytes());
        unknown(&["check", "--errors", "no-race", &path.to_string_lossy()], &["not supported", "states"]);
    }
}

/// Loops that wait for others have no bound, but the program has an end of states.
#[test]
fn active_waiting_is_proved() {
    let check = |name: &str| {
        let path = crate::support::project().join("tests/verify").join(name);
        let options = ["check", "--errors", "no-race", &path.to_string_lossy()];
        text(&run_limited(unthread().args(options), 60).expect("it ends").stdout)
    };
    let said = check("peterson_fixed.c");
    assert!(says(&said, "states were visited") && said.ends_with("Verdict: proved\n"), "{said}");
    let said = check("peterson_bug.c");
    assert!(says(&said, "Replayed with real threads") && said.ends_with("Verdict: bug\n"), "{said}");
}

/// A thread that goes on for ever, seen by nobody, hides no bug of another, and nobody wants to read about all its steps.
#[test]
fn endless_loops_hide_no_bug() {
    for (name, formatted) in [("endless.c", ""), ("endless_formatted.c", "char text[9]; sprintf(text, \"%d\", 5);")] {
        let program = format!(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>\nint never, rounds, other;\n\
             void *fails(void *arg) {{ assert(0); return 0; }}\n\
             int main(void) {{\n pthread_t t;\n {formatted}\n pthread_create(&t, 0, fails, 0);\n\
             while (never == 0) {{\n rounds++;\n other = rounds;\n }}\n return 0;\n}}\n"
        );
        let (path, json) = (file(name, program.as_bytes()), scratch("command").join(format!("{name}.json")));
        let output = run(&["check", "--json", &json.to_string_lossy(), &path.to_string_lossy()]);
        assert_eq!(output.status.code(), Some(1), "{}{}", text(&output.stdout), text(&output.stderr));
        assert!(says(&text(&output.stdout), "Replayed with real threads"), "{}", text(&output.stdout));
        let size = std::fs::metadata(&json).expect("it was written").len();
        assert!(size < 1_000_000, "{size} bytes");
    }
}

/// A document of an earlier run must not pass for the answer of this one.
#[test]
fn documents_of_undecided_programs_are_written() {
    let program = file("other_file.c", b"extern void (*hook)(void); int main(void) { hook(); return 0; }");
    let json = file("other_file.json", b"old");
    unknown(&["check", "--json", &json.to_string_lossy(), &program.to_string_lossy()], &["hook"]);
    let report = std::fs::read_to_string(&json).expect("it was written");
    let report: serde_json::Value = serde_json::from_str(&report).expect("it is JSON");
    assert_eq!(report["verdict"], "unknown");
    assert!(report["reason"].as_str().is_some_and(|reason| reason.contains("hook")), "{report}");
}

/// What another file defines is no reason to say that nothing can happen.
#[test]
fn functions_and_pointers_of_other_files() {
    let hook = file("hook.c", b"extern void (*hook)(void); int main(void) { hook(); return 0; }");
    unknown(&["check", &hook.to_string_lossy()], &["hook", "hook.c:1"]);
    let call = file("call.c", b"int any(void); int main(void) { ((void (*)(void))(long)any())(); return 0; }");
    let output = run(&["check", &call.to_string_lossy()]);
    assert!(says(&text(&output.stdout), "This rests on a function without body: any() returns"), "{output:?}");
}

fn executable(path: &std::path::Path, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, script).expect("the script can be written");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("it can be made executable");
}

#[test]
fn wrong_bounds_and_schedules() {
    let program = crate::support::project().join("examples/lost_update.c");
    let program = program.to_string_lossy();
    refused(&["seq", "--unwind", "0", &program], &["--unwind"]);
    refused(&["seq", "--rounds", "0", &program], &["--rounds"]);
    refused(&["seq", "--unwind-loop", "7", &program], &["7", "12:5"]);
    refused(&["seq", "--schedule", "0,1,1", &program], &["twice"]);
    refused(&["seq", "--schedule", "9", &program], &["9", "only 3"]);
    refused(&["seq", "--schema", "lr", "--schedule", "1,0,2", &program], &["after the one that creates it"]);
    refused(&["seq", "-o", "/no/such/folder/out.c", &program], &["/no/such/folder/out.c"]);
    refused(&["check", "no/such/file.c"], &["no/such/file.c"]);
    unknown(&["check", "--backend", "cbmc", "--tool", "/bin/true", &program], &[]);
}

/// Every vocabulary gives a program that a compiler accepts, but for CBMC's own types.
#[test]
fn emitted_programs_compile() {
    let folder = scratch("emitted_for");
    for example in ["lost_update", "wait_without_loop", "stack"] {
        let program = crate::support::project().join(format!("examples/{example}.c"));
        for backend in ["esbmc", "cpachecker", "uautomizer", "seahorn", "smack", "klee", "llbmc", "svcomp", "run"] {
            for schema in ["lazy", "ul", "lr"] {
                let out = folder.join(format!("{example}_{backend}_{schema}.c"));
                let (program, out) = (program.to_string_lossy(), out.to_string_lossy().into_owned());
                let output = run(&["seq", "--schema", schema, "--backend", backend, "-o", &out, &program]);
                let message = text(&output.stderr);
                assert_eq!(output.status.code(), Some(0), "{example} {backend} {schema}: {message}");
                let compiled = Command::new("gcc").args(["-fsyntax-only", "-w", &out]).output().expect("gcc runs");
                let message = text(&compiled.stderr);
                assert!(compiled.status.success(), "{example} {backend} {schema}: {message}");
            }
        }
    }
}

/// One run finds every error, each with a trace that can be replayed by its number.
#[test]
fn all_errors_in_one_run() {
    let program = file(
        "three_errors.c",
        b"#include <assert.h>\n#include <pthread.h>\nint x, y;\npthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;\n\
          void *t(void *p) {\n    x = 1;\n    pthread_mutex_lock(&a);\n    y = 1;\n    pthread_mutex_unlock(&a);\n    \
          return 0;\n}\nint main(void) {\n    pthread_t h;\n    pthread_create(&h, 0, t, 0);\n    x = 2;\n    \
          pthread_mutex_lock(&a);\n    int seen = y;\n    pthread_mutex_unlock(&a);\n    assert(seen == 0);\n    \
          pthread_join(h, 0);\n    return 4 / (x - 1) == 4;\n}\n",
    );
    let (program, json) = (program.to_string_lossy().into_owned(), file("three_errors.json", b""));
    let json = json.to_string_lossy().into_owned();
    let output = run(&["check", "--keep-going", "--json", &json, &program]);
    let said = text(&output.stdout);
    for words in [
        "Error 1 of 3",
        "Error 3 of 3",
        "3 errors:",
        "three_errors.c:19: assertion failed: seen == 0",
        "three_errors.c:21: division by zero",
        "data race: x is written here while it is written in",
    ] {
        assert!(says(&said, words), "{words:?} is missing in:\n{said}");
    }
    assert_eq!((said.lines().last(), output.status.code()), (Some("Verdict: bug"), Some(1)), "{said}");
    let document: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&json).expect("it was written")).expect("it is JSON");
    let errors = document["errors"].as_array().expect("a list");
    assert_eq!(errors.len(), 3, "{document}");
    for (index, error) in errors.iter().enumerate() {
        let kind = error["trace"]["failure"]["kind"].as_str().expect("a kind");
        let number = (index + 1).to_string();
        let repeated = run(&["run", "--schedule", &json, "--error", &number, &program]);
        assert!(says(&text(&repeated.stderr), kind), "{kind}: {repeated:?}");
        if installed("cc") {
            assert_eq!(error["replayed"], true, "{error}");
            let replayed = run(&["replay", "--error", &number, &program, &json]);
            assert!(says(&text(&replayed.stdout), kind), "{kind}: {replayed:?}");
        }
    }
    refused(&["replay", "--error", "4", &program, &json], &["3 errors", "no number 4"]);
    refused(&["check", "--keep-going", "--schema", "lazy", &program], &["--keep-going"]);
    // Without it, what else is there is told in a line.
    let output = run(&["check", "--no-replay", &program]);
    let said = text(&output.stdout);
    assert!(says(&said, "Within the same bounds there is also"), "{said}");
    assert!(says(&said, "three_errors.c:15: data race in thread 0: x is written here"), "{said}");
}

/// A search for leaks that ends early says so, and nothing else.
#[test]
fn leaks_in_no_time() {
    let program = project().join("tests/verdicts/leak_of_any_input_fixed.c");
    let program = std::fs::read_to_string(program).expect("it is there");
    // A product can be anything.
    let path = file("leak_of_a_product.c", program.replace("id == 0xE5", "id * id == 0xE10").as_bytes());
    for timeout in ["0.01", "0.2", "1"] {
        unknown(&["check", "--errors", "leak", "--timeout", timeout, &path.to_string_lossy()], &["Reason: "]);
    }
}

/// How many work changes neither the verdict nor what the bounds cover; what they write is one document.
#[test]
fn several_workers_give_the_same_verdict() {
    for (name, status) in [("lost_update.c", 1), ("lost_update_fixed.c", 0), ("deadlock.c", 1)] {
        let path = project().join("examples").join(name);
        let path = path.to_string_lossy();
        for jobs in ["1", "2", "7"] {
            let written = scratch("workers").join(format!("{name}.{jobs}.json"));
            let options = ["check", "--no-replay", "--jobs", jobs, "--json", &written.to_string_lossy(), &path];
            let output = run(&options);
            assert_eq!(output.status.code(), Some(status), "{options:?}: {}", text(&output.stdout));
            let document = std::fs::read_to_string(&written).expect("it was written");
            assert!(document.contains("\"attempts\""), "{document}");
        }
    }
    // The largest bounds are those of all workers together, and a bug of one ends the others.
    let deep = file(
        "workers.c",
        b"#include <pthread.h>\n#include <assert.h>\nint x, y;\n\
          void *f(void *a) { for (int i = 0; i < 3; i++) { x += y; } return 0; }\n\
          void *g(void *a) { for (int i = 0; i < 3; i++) { y += x; } return 0; }\n\
          int main(void) { pthread_t s, t; x = y = 1; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);\n\
          pthread_join(s, 0); pthread_join(t, 0); assert(x < 13 && y < 13); return 0; }\n",
    );
    for jobs in ["1", "4"] {
        let options = ["check", "--no-replay", "--errors", "assertion", "--jobs", jobs, &deep.to_string_lossy()];
        assert_eq!(run(&options).status.code(), Some(1), "{options:?}");
    }
    refused(&["check", "--jobs", "0", &deep.to_string_lossy()], &["--jobs"]);
    refused(&["check", "--jobs", "2", "--deterministic", &deep.to_string_lossy()], &["cannot be used"]);
}

/// A proof is shown, kept and checked again; not for another program, not with a fact turned around, not from any file.
#[test]
fn proofs_are_shown_and_checked() {
    let example = project().join("examples/proofs/any_number.c").to_string_lossy().into_owned();
    let kept = scratch("command").join("proof.json");
    let kept = kept.to_string_lossy().into_owned();
    let prove = |args: &[&str]| {
        let mut all = vec!["prove"];
        all.extend(args);
        run_limited(unthread().args(&all), 60).unwrap_or_else(|| panic!("unthread {args:?} hangs"))
    };
    let output = prove(&["--errors", "assertion", "--certificate", &kept, &example]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("(every add)") && told.contains("== self()"), "{told}");
    assert!(told.ends_with("Verdict: proved\n"), "{told}");
    let checked = prove(&["--check", &kept, &example]);
    assert!(text(&checked.stdout).ends_with("Verdict: proved\n"), "{}", text(&checked.stdout));
    let other = project().join("examples/lost_update.c").to_string_lossy().into_owned();
    let checked = prove(&["--check", &kept, &other]);
    assert_eq!(checked.status.code(), Some(3), "{}", text(&checked.stdout));
    assert!(says(&text(&checked.stdout), "the certificate is no proof"), "{}", text(&checked.stdout));
    let content = std::fs::read_to_string(&kept).expect("it was written");
    let damaged = content.replacen("\"relation\": \"equal\"", "\"relation\": \"differs\"", 1);
    assert_ne!(damaged, content);
    let damaged = file("damaged.json", damaged.as_bytes()).to_string_lossy().into_owned();
    let checked = prove(&["--check", &damaged, &example]);
    assert_eq!(checked.status.code(), Some(3), "{}", text(&checked.stdout));
    let wild = content.replacen("\"object\": ", "\"object\": 9999", 1);
    let wild = file("wild.json", wild.as_bytes()).to_string_lossy().into_owned();
    let checked = prove(&["--check", &wild, &example]);
    assert!(says(&text(&checked.stdout), "is about no variable of the program"), "{}", text(&checked.stdout));
    refused(&["prove", "--check", &example, &example], &["is not what `unthread prove --certificate` writes"]);
    refused(&["prove", "--check", "no/such.json", &example], &["cannot be read"]);
    let bug = prove(&["--no-replay", &other]);
    assert_eq!(bug.status.code(), Some(1), "{}", text(&bug.stdout));
}
