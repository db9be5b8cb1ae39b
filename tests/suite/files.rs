//! Programs of several files: linked as C says, from the command line or a build's own list of compilations.

use crate::support::{compile, files, has_headers_for_32_bits, project, run_limited, says, scratch, text, unthread};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn run(folder: &Path, args: &[&str]) -> Output {
    run_limited(unthread().args(args).current_dir(folder), 20).unwrap_or_else(|| panic!("unthread {args:?} hangs"))
}

/// A folder with these files.
fn folder(name: &str, contents: &[(&str, &str)]) -> PathBuf {
    let folder = scratch("files").join(name);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    for (name, content) in contents {
        std::fs::write(folder.join(name), content).expect("the file can be written");
    }
    folder
}

#[track_caller]
fn verdict(folder: &Path, args: &[&str], expected: &str) -> String {
    let output = run(folder, args);
    let told = text(&output.stdout);
    let last = told.lines().last().unwrap_or_default();
    assert_eq!(last, format!("Verdict: {expected}"), "{args:?}: {told}{}", text(&output.stderr));
    told
}

#[track_caller]
fn refused(folder: &Path, args: &[&str], words: &[&str]) {
    let output = run(folder, args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?} prints a result");
    for word in words {
        assert!(says(&message, word), "{word:?} is missing in: {message}");
    }
}

#[test]
fn linked_programs_behave_as_the_linked_originals() {
    let scratch = scratch("linked");
    for name in ["linking", "weak"] {
        let sources = files(&project().join("tests/files").join(name), "c");
        let original = scratch.join(format!("{name}.original"));
        let flags = ["-std=gnu11", "-pthread", "-fcommon"];
        compile(&sources.iter().map(PathBuf::as_path).collect::<Vec<_>>(), &flags, &original).expect("it compiles");
        let expected = text(&Command::new(&original).output().expect("it runs").stdout);
        let reversed: Vec<PathBuf> = sources.iter().rev().cloned().collect();
        for order in [&sources, &reversed] {
            let output = run_limited(unthread().args(["run", "--no-spurious"]).args(order), 20).expect("it ends");
            assert_eq!(text(&output.stdout), expected, "{name}: {}", text(&output.stderr));
            let printed = scratch.join(format!("{name}.i"));
            let shown = unthread().args(["show", "--stage", "parsed"]).args(order).output().expect("it runs");
            std::fs::write(&printed, &shown.stdout).expect("it can be written");
            let built = scratch.join(format!("{name}.printed"));
            compile(&[&printed], &["-std=gnu11", "-pthread"], &built).expect("what is printed compiles");
            assert_eq!(text(&Command::new(&built).output().expect("it runs").stdout), expected, "{name}, printed");
        }
    }
}

const USES: &str = "#include <assert.h>\nint value(void);\nint main(void) { assert(value() == 1); return 0; }\n";

#[test]
fn messages_name_the_right_file() {
    let folder = folder(
        "places",
        &[
            ("uses.c", USES),
            ("value.c", "int other;\n\n\nint value(void) { int *p = 0; return other + 1 + *p; }\n"),
            ("twice.c", "\nint value(void) { return 2; }\n"),
            ("long.c", "long value(void) { return 1; }\n"),
            ("wrong.c", "int value(void) { return 1 }\n"),
            ("initialized.c", "int other = 1;\nint value(void) { return 1; }\n"),
            ("again.c", "\nint other = 2;\n"),
            ("variable.c", "int value = 1;\n"),
        ],
    );
    let told = verdict(&folder, &["check", "uses.c", "value.c"], "bug");
    assert!(told.contains("value.c:4: undefined use of memory"), "{told}");
    refused(
        &folder,
        &["check", "uses.c", "value.c", "twice.c"],
        &["`value` is defined twice", "twice.c:2", "value.c:4"],
    );
    refused(
        &folder,
        &["check", "uses.c", "long.c"],
        &["`value` is declared again with another type", "long.c:1", "uses.c:2"],
    );
    refused(&folder, &["check", "uses.c", "wrong.c"], &["wrong.c:1", "`;`"]);
    refused(&folder, &["check", "uses.c", "initialized.c", "again.c"], &["`other` is initialized twice", "again.c:2"]);
    refused(
        &folder,
        &["check", "uses.c", "variable.c"],
        &["`value` is already something else than a variable", "variable.c:1"],
    );
    let label = self::folder(
        "label",
        &[
            ("a.c", "int f(void) __asm__(\"g\");\nint main(void) { return f(); }\n"),
            ("b.c", "int g(void) { return 0; }\nint f(void) { return 1; }\n"),
        ],
    );
    refused(&label, &["check", "a.c", "b.c"], &["not supported: `g` as the name of `f` in assembly", "a.c:1"]);
    let atomic = self::folder(
        "atomic",
        &[
            ("a.c", "_Atomic int v;\nint main(void) { return v; }\n"),
            ("b.c", "extern int v;\nint f(void) { return v; }\n"),
        ],
    );
    refused(&atomic, &["check", "a.c", "b.c"], &["`v` is declared again with other qualifiers", "a.c:1", "b.c:1"]);
    refused(&atomic, &["check", "b.c", "a.c"], &["`v` is declared again with other qualifiers"]);
    refused(&folder, &["check", "value.c", "again.c"], &["the program has no function `main`"]);
    refused(&folder, &["check", "uses.c", "nothing.c"], &["there is no file nothing.c"]);
    // Without its definition, the function may do anything.
    verdict(&folder, &["check", "uses.c"], "bug");
}

#[test]
fn files_of_all_kinds_together() {
    let folder = folder("kinds", &[("uses.c", USES), ("value.c", "int value(void) { return 1; }\n")]);
    let preprocessed = Command::new("cc").args(["-E", "-P", "uses.c"]).current_dir(&folder).output().expect("cc runs");
    std::fs::write(folder.join("uses.i"), preprocessed.stdout).expect("it can be written");
    verdict(&folder, &["check", "uses.i", "value.c"], "proved");
    verdict(&folder, &["prove", "value.c", "uses.i"], "proved");
    let mut child = unthread()
        .args(["check", "value.c", "-"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), USES.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(text(&output.stdout).ends_with("Verdict: proved\n"));
}

#[test]
fn flags_of_compilers_are_understood() {
    let folder = folder(
        "flags",
        &[("main.c", "#include <assert.h>\nint main(void) { assert(LIMIT == sizeof(long)); return 0; }\n")],
    );
    let usual = ["check", "-std=gnu11", "-Wall", "-Wextra", "-O2", "-g", "-fPIC", "-pthread", "-c", "-o", "main.o"];
    verdict(&folder, &[&usual[..], &["-DLIMIT=8", "main.c"]].concat(), "proved");
    if has_headers_for_32_bits("-m32") {
        verdict(&folder, &[&usual[..], &["-m32", "-D", "LIMIT=4", "main.c"]].concat(), "proved");
    }
    verdict(&folder, &["check", "main.c", "--", "-DLIMIT=7", "-Wundef"], "bug");
    refused(&folder, &["check", "main.c", "-DLIMIT=1", "-funsigned-char"], &["-funsigned-char", "char is signed here"]);
    refused(&folder, &["check", "main.c", "--nonsense"], &["--nonsense"]);
}

#[test]
fn builds_tell_how_files_are_compiled() {
    let sources = project().join("tests/files/project");
    let folder = scratch("files").join("build");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let build = |without_lock: &str, more: &[&str]| {
        let include = sources.join("include");
        let mut entries = vec![];
        for (file, flags) in [("main.c", "-DLIMIT=5"), ("pool.c", "-O2 -Wall"), ("lock.c", without_lock)] {
            let file = sources.join("src").join(file);
            let command = format!("cc -I{} {flags} -o 'some file.o' -c {}", include.display(), file.display());
            entries.push(serde_json::json!({ "directory": folder, "file": file, "command": command }));
        }
        for file in more {
            let file = sources.join("src").join(file);
            entries.push(serde_json::json!({ "directory": folder, "file": file, "arguments": ["cc", "-c", file] }));
        }
        let list = serde_json::to_string(&entries).expect("it is JSON");
        std::fs::write(folder.join("compile_commands.json"), list).expect("it can be written");
    };
    build("-std=gnu11", &[]);
    verdict(&folder, &["check", "-p", "."], "proved");
    build("-DWITHOUT_LOCK", &[]);
    let told = verdict(&folder, &["check", "-p", "compile_commands.json", "--json", "bug.json"], "bug");
    assert!(told.contains("pool.c:9: data race on total"), "{told}");
    let main = sources.join("src/main.c");
    let main = main.to_string_lossy();
    build("-DWITHOUT_LOCK", &["other_program.c"]);
    refused(
        &folder,
        &["check", "-p", "."],
        &["several files of the project define `main`", "name the one that is meant"],
    );
    verdict(&folder, &["check", "-p", ".", &main], "bug");
    verdict(&folder, &["replay", "-p", ".", &main, "bug.json"], "bug");
    refused(&folder, &["check", "-p", "nowhere"], &["cannot read nowhere", "CMAKE_EXPORT_COMPILE_COMMANDS"]);
    build("-m32", &[]);
    refused(&folder, &["check", "-p", "."], &["lock.c is compiled for 32 bits", "--32"]);
    std::fs::write(folder.join("compile_commands.json"), "{").expect("it can be written");
    refused(&folder, &["check", "-p", "."], &["is no list of compilations"]);
}

#[test]
fn traces_of_several_files_are_replayed_from_another_folder() {
    let contents = [
        (
            "main.c",
            "#include <pthread.h>\n#include \"count.h\"\nint main(void) { pthread_t t; pthread_create(&t, 0, count, 0); count(0); return 0; }\n",
        ),
        ("count.c", "#include \"count.h\"\nstatic int n;\nvoid *count(void *a) { n++; return a; }\n"),
        ("count.h", "void *count(void *);\n"),
    ];
    let (here, there) = (folder("here", &contents), folder("there", &contents));
    verdict(&here, &["check", "--errors", "race", "main.c", "count.c", "--json", "race.json"], "bug");
    let trace = here.join("race.json");
    verdict(&there, &["replay", "main.c", "count.c", &trace.to_string_lossy()], "bug");
    std::fs::write(there.join("count.c"), "#include \"count.h\"\nint n;\nvoid *count(void *a) { return a; }\n")
        .expect("written");
    refused(&there, &["replay", "main.c", "count.c", &trace.to_string_lossy()], &["race.json"]);
}

#[test]
fn structs_of_several_files() {
    let header = "struct pair { int a, b; };\ntypedef struct { struct pair *p; T t; } box;\nint look(box *);\n";
    let main = "#define T int\n#include \"box.h\"\nint main(void) { struct pair p = {1, 2}; box b = {&p, 3}; return look(&b); }\n";
    let folder = folder(
        "structs",
        &[
            ("box.h", header),
            ("main.c", main),
            ("same.c", "#define T int\n#include \"box.h\"\nint look(box *b) { return b->p->b + b->t - 5; }\n"),
            ("other.c", "#define T char\n#include \"box.h\"\nint look(box *b) { return b->t; }\n"),
            (
                "tag.c",
                "struct thing { int x; };\nstruct holder { struct thing t; U u; };\nvoid f(struct holder *h) {}\n",
            ),
            ("first.c", "typedef int U;\n#include \"tag.c\"\nint main(void) { return 0; }\n"),
            ("second.c", "typedef long U;\n#define f g\n#include \"tag.c\"\n"),
        ],
    );
    verdict(&folder, &["check", "main.c", "same.c"], "proved");
    refused(&folder, &["check", "main.c", "other.c"], &["`look` is declared again with another type", "box.h:3"]);
    refused(
        &folder,
        &["check", "first.c", "second.c"],
        &["`holder` looks the same in another file, but means another type"],
    );
}
