//! Values that stand for all values from outside: they reach the same errors as every single value does.

use crate::support::report;
use std::collections::BTreeSet;
use unthread::analysis::inputs::classes;
use unthread::il::DataModel;
use unthread::il::interpret::{Code, ExploreOptions, explore};
use unthread::isolate::Normalized;

const PROGRAMS: u64 = 400;

/// Types of 8 bits, so that all values can be tried, and others that they are converted to.
const SMALL: [&str; 3] = ["signed char", "unsigned char", "char"];
const TYPES: [&str; 9] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "_Bool",
];

fn constant(random: &mut fastrand::Rng) -> String {
    let near = random.i32(-2..3);
    match random.u8(..7) {
        0 => format!("({})", 127 + near),
        1 => format!("({})", 255 + near),
        2 => format!("({})", -128 + near),
        3 => format!("{}u", random.u8(..)),
        4 => format!("(unsigned char){}", random.u8(..)),
        5 => "0xffffff80u".to_owned(),
        _ => format!("({near})"),
    }
}

fn value(random: &mut fastrand::Rng) -> String {
    let holder = *random.choice(&["x", "x", "copy", "given", "wide", "global"]).expect("not empty");
    match random.u8(..9) {
        0 => format!("({}){holder}", random.choice(&TYPES).expect("not empty")),
        1 => format!("({holder} & {})", *random.choice(&["1", "3u", "6", "0x80", "-2", "0x101"]).expect("not empty")),
        2 => format!("!{holder}"),
        3 => format!("same({holder})"),
        4 => format!("is_set({holder})"),
        5 => format!("({holder} ? {} : {holder})", constant(random)),
        _ => holder.to_owned(),
    }
}

fn condition(random: &mut fastrand::Rng) -> String {
    let (value, constant) = (value(random), constant(random));
    match random.u8(..9) {
        0 => value,
        1 => format!("{constant} < {value}"),
        2 => format!("{value} >= {constant} && {value} < {constant} + 2"),
        3 => format!("{value} % 3 == 1"),
        4 => format!("{value} != {constant}"),
        5 => format!("{value} <= {constant}"),
        _ => format!("{value} == {constant}"),
    }
}

fn program(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let ty = *random.choice(&SMALL).expect("not empty");
    let mut any = || *random.choice(&TYPES).expect("not empty");
    let (parameter, result, copy, given, wide, global) = (any(), any(), any(), any(), any(), any());
    let mut text = format!(
        "{ty} __VERIFIER_nondet_{}(void);\nvoid reach_error(void);\n{global} global;\n{result} same({parameter} p) {{ \
         return p; }}\n_Bool is_set({parameter} p) {{ return p; }}\nint main(void) {{\n{ty} x = __VERIFIER_nondet_{}();\n\
         {copy} copy = x;\n{given} given = copy;\n{wide} wide = same(x);\nglobal = given;\n",
        ty.replace(' ', "_"),
        ty.replace(' ', "_")
    );
    for _ in 0..random.u8(1..4) {
        text += &format!(
            "if ({})\nif ({})\nreach_error();\nelse reach_error();\n",
            condition(&mut random),
            condition(&mut random)
        );
    }
    text + "return 0;\n}\n"
}

fn read(text: String) -> Normalized {
    let read = unthread::read("random.c", text, DataModel::Lp64);
    unthread::normalize(read.unwrap_or_else(|error| panic!("{}", error.diagnostic.render(Some(&error.source)))).program)
}

/// The lines that fail, and whether every value was tried.
fn failing(program: &Normalized, options: &ExploreOptions) -> (BTreeSet<u32>, bool) {
    let found = explore(&Code::new(program), options);
    let line = |span| program.source.location(span).line;
    (found.failures.iter().map(|(failure, _)| line(failure.span)).collect(), !found.inputs_limited)
}

#[test]
fn one_value_of_each_class_reaches_every_error() {
    let mut told = 0;
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let program = read(text.clone());
        // Every error of every value: after an error, only that value ends.
        let all = ExploreOptions { inputs: (0..256).collect(), ..ExploreOptions::default() };
        let few = ExploreOptions { classes: classes(&program), ..ExploreOptions::default() };
        let (wanted, _) = failing(&program, &all);
        let (found, complete) = failing(&program, &few);
        told += u32::from(complete);
        assert!(
            !complete || found == wanted,
            "seed {seed}: {found:?} and not {wanted:?}, of {:?}\n{text}",
            few.classes
        );
    }
    report(&format!("{told} of {PROGRAMS} programs need few values from outside"));
    assert!(told > 60 && told < 380, "the programs show little: {told}");
}
