//! What each verifier for sequential C calls things: one small entry per verifier.
//!
//! The emitted program says `assume`, `assert` and `nondet_T()`; the lines of an entry give these their meaning.

#[derive(Debug)]
pub struct Backend {
    pub name: &'static str,
    /// For the help text.
    pub about: &'static str,
    /// Declarations, one per line, in front of everything.
    prelude: &'static [&'static str],
    /// The body of a function that returns any value; `T` is its type, `S` the suffix of its name.
    any: Any,
    /// Counters are as narrow as they can be.
    pub bit_vectors: bool,
}

#[derive(Debug)]
enum Any {
    /// The verifier knows a function of this name.
    Known(&'static str),
    /// A body of our own.
    Body(&'static str),
}

const SVCOMP: &[&str] = &[
    "extern void abort(void);",
    "void reach_error(void) {}",
    "#define assume(c) do { if (!(c)) abort(); } while (0)",
    "#define assert(c) do { if (!(c)) { reach_error(); abort(); } } while (0)",
];

pub const BACKENDS: &[Backend] = &[
    Backend {
        name: "cbmc",
        about: "CBMC 5.12 or later",
        prelude: &[
            "#define assume(c) __CPROVER_assume(c)",
            "#define assert(c) __CPROVER_assert(c, \"assertion\")",
            "long long unthread_input; double unthread_input_double;",
        ],
        any: Any::Body("{ T any; unthread_inputR = any; return any; }"),
        bit_vectors: true,
    },
    Backend {
        name: "esbmc",
        about: "ESBMC",
        prelude: &["#define assume(c) __ESBMC_assume(c)", "#define assert(c) __ESBMC_assert(c, \"assertion\")"],
        any: Any::Known("nondet_S"),
        bit_vectors: false,
    },
    Backend {
        name: "cpachecker",
        about: "CPAchecker",
        prelude: SVCOMP,
        any: Any::Known("__VERIFIER_nondet_S"),
        bit_vectors: false,
    },
    Backend {
        name: "uautomizer",
        about: "Ultimate Automizer",
        prelude: SVCOMP,
        any: Any::Known("__VERIFIER_nondet_S"),
        bit_vectors: false,
    },
    Backend {
        name: "seahorn",
        about: "SeaHorn",
        prelude: &[
            "extern void __VERIFIER_assume(int);",
            "extern void __VERIFIER_error(void);",
            "#define assume(c) __VERIFIER_assume(c)",
            "#define assert(c) do { if (!(c)) __VERIFIER_error(); } while (0)",
        ],
        any: Any::Known("__VERIFIER_nondet_S"),
        bit_vectors: false,
    },
    Backend {
        name: "smack",
        about: "SMACK",
        prelude: &[
            "extern void __VERIFIER_assume(int);",
            "extern void __VERIFIER_assert(int);",
            "#define assume(c) __VERIFIER_assume(c)",
            "#define assert(c) __VERIFIER_assert(c)",
        ],
        any: Any::Known("__VERIFIER_nondet_S"),
        bit_vectors: false,
    },
    Backend {
        name: "klee",
        about: "KLEE",
        prelude: &[
            "extern void klee_make_symbolic(void *, unsigned long, const char *);",
            "extern void klee_silent_exit(int);",
            "extern void klee_report_error(const char *, int, const char *, const char *);",
            "#define assume(c) do { if (!(c)) klee_silent_exit(0); } while (0)",
            "#define assert(c) do { if (!(c)) klee_report_error(__FILE__, __LINE__, #c, \"assert.err\"); } while (0)",
        ],
        any: Any::Body("{ T any; klee_make_symbolic(&any, sizeof any, \"nondet_S\"); return any; }"),
        bit_vectors: false,
    },
    Backend {
        name: "satabs",
        about: "SatAbs",
        prelude: &["#define assume(c) __CPROVER_assume(c)", "#define assert(c) __CPROVER_assert(c, \"assertion\")"],
        any: Any::Body("{ T any; return any; }"),
        bit_vectors: false,
    },
    Backend {
        name: "llbmc",
        about: "LLBMC",
        prelude: &[
            "extern void __llbmc_assume(int);",
            "extern void __llbmc_assert(int);",
            "#define assume(c) __llbmc_assume(c)",
            "#define assert(c) __llbmc_assert(c)",
        ],
        any: Any::Known("__llbmc_nondef_S"),
        bit_vectors: false,
    },
    Backend {
        name: "svcomp",
        about: "any verifier that follows the rules of SV-COMP",
        prelude: SVCOMP,
        any: Any::Known("__VERIFIER_nondet_S"),
        bit_vectors: false,
    },
    Backend {
        name: "run",
        about: "an ordinary program: its undetermined values come from the file named by its argument",
        prelude: &[
            "extern int scanf(const char *, ...);",
            "extern int printf(const char *, ...);",
            "extern void *freopen(const char *, const char *, void *);",
            "extern void *stdin;",
            "extern void exit(int);",
            "/* Exit status: 0 the simulation ended, 1 an assertion failed, 4 an assumption does not hold. */",
            "#define assume(c) do { if (!(c)) exit(4); } while (0)",
            "#define assert(c) do { if (!(c)) { printf(\"failed: \" #c \"\\n\"); exit(1); } } while (0)",
        ],
        any: Any::Body("{ long long v = 0; if (scanf(\"%lld\", &v) != 1) v = 0; return (T)v; }"),
        bit_vectors: false,
    },
];

pub fn find(name: &str) -> Option<&'static Backend> {
    BACKENDS.iter().find(|backend| backend.name == name)
}

impl Backend {
    /// The program is to be executed, not verified.
    pub fn runs(&self) -> bool {
        self.name == "run"
    }

    pub fn main_head(&self) -> String {
        match self.runs() {
            true => "int main(int argc, char **argv) {\n    if (argc > 1 && !freopen(argv[1], \"r\", stdin)) return 2;"
                .to_owned(),
            false => "int main(void) {".to_owned(),
        }
    }

    pub fn prelude(&self) -> impl Iterator<Item = &'static str> {
        self.prelude.iter().copied()
    }

    /// Definition of the function `nondet_S` that returns any value of a type; `kind` says what sort of value it is.
    pub fn any_value(&self, name: &str, ty: &str, kind: ValueKind) -> String {
        let suffix = name.strip_prefix("nondet_").unwrap_or(name);
        match (&self.any, kind) {
            (Any::Body(body), _) => {
                let record = if kind == ValueKind::Float { "_double" } else { "" };
                let body = body.replace("inputR", &format!("input{record}"));
                // Some verifiers let an undetermined _Bool hold other values than 0 and 1.
                let body = match (ty, kind) {
                    ("_Bool", _) => body.replace("return any", "return any & 1").replace("= any", "= any & 1"),
                    (_, ValueKind::Pointer) => body.replace("= any", "= (long long)any").replace("(T)v", "(T)(long)v"),
                    _ => body,
                };
                let body = replace_word(&body, "T", if ty == "_Bool" { "unsigned char" } else { ty });
                format!("static {ty} {name}(void) {}", body.replace("nondet_S", name))
            }
            (Any::Known(known), _) => {
                let known = known.replace('S', suffix);
                match known == name {
                    true => format!("extern {ty} {name}(void);"),
                    false => format!("extern {ty} {known}(void);\n#define {name}() {known}()"),
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Integer,
    Float,
    Pointer,
}

fn replace_word(text: &str, word: &str, by: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let before = rest[..at].chars().next_back();
        let after = rest[at + word.len()..].chars().next();
        let part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        out.push_str(&rest[..at]);
        out.push_str(if part(before) || part(after) { word } else { by });
        rest = &rest[at + word.len()..];
    }
    out + rest
}
