//! Flags of C compilers: which of them matter to the preprocessor, which change nothing for us, and which would change what
//! the program means in a way that is not followed.

use crate::il::DataModel;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flag {
    /// For the preprocessor; with so many arguments after it.
    Preprocessor(usize),
    /// Changes nothing; with so many arguments after it.
    Ignored(usize),
    Model(DataModel),
    Refused(&'static str),
    /// No flag that is known here.
    Unknown,
}

/// Flags for the preprocessor whose argument may stand by itself.
const WITH_ARGUMENT: &[&str] =
    &["-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix"];
/// Other flags whose argument stands by itself.
const IGNORED_WITH_ARGUMENT: &[&str] = &["-o", "-MF", "-MT", "-MQ", "-x", "-Xlinker", "-L", "-l", "-arch", "-target"];
const IGNORED: &[&str] = &["-c", "-S", "-E", "-v", "-w", "-s", "-pipe", "-rdynamic", "-shared", "-static", "-pedantic"];
const IGNORED_START: &[&str] =
    &["-W", "-O", "-g", "-f", "-M", "-L", "-l", "-march=", "-mtune=", "-pedantic", "--param="];
const PREPROCESSOR_START: &[&str] = &["-I", "-D", "-U", "-std=", "-isystem", "-iquote", "-include", "--sysroot="];
const REFUSED: &[(&str, &str)] = &[
    ("-funsigned-char", "char is signed here"),
    ("-fshort-enums", "enums have the size of int here"),
    ("-fpack-struct", "structs have their natural layout here"),
    ("-fshort-wchar", "wchar_t has 4 bytes here"),
    ("-mx32", "the data models are those of --32 and --64"),
    ("-m16", "the data models are those of --32 and --64"),
];

pub fn classify(flag: &str) -> Flag {
    let begins = |list: &[&str]| list.iter().any(|start| flag.starts_with(start));
    if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| flag.starts_with(refused)) {
        return Flag::Refused(why);
    }
    match flag {
        "-m32" => Flag::Model(DataModel::Ilp32),
        "-m64" => Flag::Model(DataModel::Lp64),
        "-pthread" | "-ansi" | "-nostdinc" | "-undef" => Flag::Preprocessor(0),
        _ if WITH_ARGUMENT.contains(&flag) => Flag::Preprocessor(1),
        _ if begins(PREPROCESSOR_START) => Flag::Preprocessor(0),
        _ if IGNORED_WITH_ARGUMENT.contains(&flag) => Flag::Ignored(1),
        _ if IGNORED.contains(&flag) || begins(IGNORED_START) => Flag::Ignored(0),
        _ => Flag::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_flags_mean() {
        for (flag, meaning) in [
            ("-Iinclude", Flag::Preprocessor(0)),
            ("-I", Flag::Preprocessor(1)),
            ("-std=gnu11", Flag::Preprocessor(0)),
            ("-Wall", Flag::Ignored(0)),
            ("-O2", Flag::Ignored(0)),
            ("-fPIC", Flag::Ignored(0)),
            ("-o", Flag::Ignored(1)),
            ("-m32", Flag::Model(DataModel::Ilp32)),
            ("-funsigned-char", Flag::Refused("char is signed here")),
            ("--errors", Flag::Unknown),
            ("main.c", Flag::Unknown),
        ] {
            assert_eq!(classify(flag), meaning, "{flag}");
        }
    }
}
