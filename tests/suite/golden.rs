//! What each stage prints, as golden files. `UPDATE_EXPECT=1 cargo test golden` rewrites them.

use crate::support::{files, project, unthread_output};

fn check(stage: &str) {
    let folder = project().join("tests/cases").join(stage);
    let inputs = files(&folder, "c");
    assert!(!inputs.is_empty(), "there are no cases for {stage}");
    for input in inputs {
        let mut args = vec!["show", "--stage", stage];
        if stage != "parsed" {
            args.push("--visible");
        }
        let path = input.to_string_lossy().into_owned();
        args.push(&path);
        let output = unthread_output(&args);
        expect_test::expect_file![input.with_extension("expected")].assert_eq(&output);
    }
}

#[test]
fn parsed_programs() {
    check("parsed");
}

#[test]
fn normalized_programs() {
    check("normalized");
}

#[test]
fn bounded_programs() {
    check("bounded");
}

#[test]
fn sequentialized_programs() {
    let folder = project().join("tests/cases/sequentialized");
    for input in files(&folder, "c") {
        let path = input.to_string_lossy().into_owned();
        for schema in ["lazy", "ul", "lr"] {
            let output = unthread_output(&["seq", "--schema", schema, "--unwind", "2", "--rounds", "2", &path]);
            expect_test::expect_file![input.with_extension(schema)].assert_eq(&output);
        }
    }
}
