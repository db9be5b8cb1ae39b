//! The functions of math.h that are computed with the machine's own library: exactly what a program gets there.

/// The names for `double`; those for `float` have an `f` at their end.
const NAMES: &[&str] = &[
    "sqrt",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "pow",
    "fmod",
    "atan2",
    "fmin",
    "fmax",
    "hypot",
    "copysign",
];

/// Is it one of them, and for which type?
fn known(name: &str) -> Option<(&'static str, bool)> {
    let find = |name: &str| NAMES.iter().copied().find(|known| *known == name);
    match (find(name), name.strip_suffix('f').and_then(find)) {
        (Some(known), _) => Some((known, false)),
        (None, Some(known)) => Some((known, true)),
        (None, None) => None,
    }
}

pub fn is_known(name: &str) -> bool {
    known(name).is_some()
}

/// The result; `None` if there are too few arguments.
pub fn apply(name: &str, args: &[f64]) -> Option<f64> {
    let (name, single) = known(name)?;
    let (x, second) = (*args.first()?, args.get(1).copied());
    if single {
        return one_f32(name, x as f32).or_else(|| two_f32(name, x as f32, second? as f32)).map(f64::from);
    }
    one(name, x).or_else(|| two(name, x, second?))
}

/// The two precisions differ in the functions that are called, so both are written out, from one text.
macro_rules! functions {
    ($one:ident, $two:ident, $float:ty) => {
        fn $one(name: &str, x: $float) -> Option<$float> {
            Some(match name {
                "sqrt" => x.sqrt(),
                "cbrt" => x.cbrt(),
                "sin" => x.sin(),
                "cos" => x.cos(),
                "tan" => x.tan(),
                "asin" => x.asin(),
                "acos" => x.acos(),
                "atan" => x.atan(),
                "sinh" => x.sinh(),
                "cosh" => x.cosh(),
                "tanh" => x.tanh(),
                "asinh" => x.asinh(),
                "acosh" => x.acosh(),
                "atanh" => x.atanh(),
                "exp" => x.exp(),
                "exp2" => x.exp2(),
                "expm1" => x.exp_m1(),
                "log" => x.ln(),
                "log2" => x.log2(),
                "log10" => x.log10(),
                "log1p" => x.ln_1p(),
                "floor" => x.floor(),
                "ceil" => x.ceil(),
                "trunc" => x.trunc(),
                "round" => x.round(),
                "rint" | "nearbyint" => x.round_ties_even(),
                _ => return None,
            })
        }

        fn $two(name: &str, x: $float, y: $float) -> Option<$float> {
            Some(match name {
                "pow" => x.powf(y),
                "fmod" => x % y,
                "atan2" => x.atan2(y),
                "fmin" => x.min(y),
                "fmax" => x.max(y),
                "hypot" => x.hypot(y),
                "copysign" => x.copysign(y),
                _ => return None,
            })
        }
    };
}

functions!(one, two, f64);
functions!(one_f32, two_f32, f32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_function_in_both_precisions() {
        for name in NAMES {
            assert!(apply(name, &[0.5, 0.5]).is_some(), "{name}");
            assert!(apply(&format!("{name}f"), &[0.5, 0.5]).is_some(), "{name}f");
        }
        assert_eq!(apply("sqrt", &[2.0]), Some(2f64.sqrt()));
        assert_eq!(apply("sqrtf", &[2.0]), Some(f64::from(2f32.sqrt())));
        assert_eq!(apply("pow", &[2.0]), None);
        assert!(!is_known("sqrtl") && !is_known("f"));
    }
}
