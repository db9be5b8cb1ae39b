//! Formats of the scanf family (C11 7.21.6.2): what each conversion reads, and how many bytes it stores.

use super::{Expr, ExprKind, Operation, Program, uncast};

/// A conversion such as `%*3hd`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    pub letter: u8,
    /// At most so many characters.
    pub width: Option<usize>,
    /// Bytes that it stores.
    pub size: u64,
    /// `%*d` reads and stores nothing, nor does `%%`.
    pub stores: bool,
}

impl Conversion {
    pub fn is_number(self) -> bool {
        matches!(self.letter, b'd' | b'i' | b'u' | b'x' | b'X' | b'o') || self.is_float()
    }

    pub fn is_float(self) -> bool {
        matches!(self.letter, b'f' | b'g' | b'e' | b'a' | b'F' | b'G' | b'E' | b'A')
    }
}

/// The conversion after a percent sign, which `at` is behind; afterwards `at` is behind the conversion.
pub fn conversion(format: &[u8], at: &mut usize, long: u64) -> Conversion {
    let mut next_if = |wanted: fn(&u8) -> bool| {
        let letter = format.get(*at).copied().filter(wanted)?;
        *at += 1;
        Some(letter)
    };
    let suppressed = next_if(|letter| *letter == b'*').is_some();
    let mut width = None;
    while let Some(digit) = next_if(u8::is_ascii_digit) {
        width = Some(width.unwrap_or(0usize).saturating_mul(10).saturating_add(usize::from(digit - b'0')));
    }
    let mut lengths = Vec::new();
    while let Some(length) = next_if(|letter| b"hlLjztq".contains(letter)) {
        lengths.push(length);
    }
    let letter = next_if(|_| true).unwrap_or(b'%');
    let mut conversion = Conversion { letter, width, size: 4, stores: !suppressed && letter != b'%' };
    conversion.size = match (&lengths[..], conversion.is_float()) {
        (b"L", true) => 16,
        (b"l", true) => 8,
        (_, true) => 4,
        _ if letter == b'c' => width.unwrap_or(1) as u64,
        (b"hh", false) => 1,
        (b"h", false) => 2,
        (b"l" | b"z" | b"t", false) => long,
        (b"ll" | b"L" | b"j" | b"q", false) => 8,
        _ => 4,
    };
    conversion
}

/// What a format stores, in order. `Err` is the letter of a conversion that is not supported.
pub fn stored(format: &[u8], long: u64) -> Result<Vec<Conversion>, u8> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < format.len() {
        at += 1;
        if format[at - 1] != b'%' {
            continue;
        }
        let conversion = conversion(format, &mut at, long);
        let known = conversion.is_number() && conversion.size <= 8 || matches!(conversion.letter, b'c' | b'%');
        if !known {
            return Err(conversion.letter);
        }
        found.extend(conversion.stores.then_some(conversion));
    }
    Ok(found)
}

/// The arguments of a call that reads input, if each is a pointer to a number of just the size that the format stores there.
pub fn numbers<'a>(program: &Program, operation: Operation, args: &'a [Expr]) -> Option<&'a [Expr]> {
    let format = match operation {
        Operation::ScanInput => 0,
        Operation::ScanStream => 1,
        _ => return None,
    };
    let ExprKind::Str(id) = uncast(args.get(format)?).kind else { return None };
    let units = &program.strings[id.0 as usize].units;
    let text: Vec<u8> = units.iter().map(|unit| u8::try_from(*unit).ok()).collect::<Option<_>>()?;
    let text = text.strip_suffix(b"\0").unwrap_or(&text);
    let types = &program.types;
    let stored = stored(text, types.model.pointer_size()).ok()?;
    let targets = &args[format + 1..];
    let fits = |(target, conversion): (&Expr, &Conversion)| {
        types.pointee(uncast(target).ty).is_some_and(|ty| {
            types.is_arithmetic(ty)
                && conversion.is_number()
                && types.float_kind(ty).is_some() == conversion.is_float()
                && types.size(ty) == conversion.size
        })
    };
    (targets.len() == stored.len() && targets.iter().zip(&stored).all(fits)).then_some(targets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let sizes = |format: &str, long| {
            stored(format.as_bytes(), long).map(|all| all.iter().map(|conversion| conversion.size).collect::<Vec<_>>())
        };
        assert_eq!(sizes("%d %hd,%hhu %ld %lld", 8), Ok(vec![4, 2, 1, 8, 8]));
        assert_eq!(sizes("%ld%lf%f%zu", 4), Ok(vec![4, 8, 4, 4]));
        assert_eq!(sizes("100%% %*d %c %3c", 8), Ok(vec![1, 3]));
        assert_eq!(sizes("%Lf", 8), Err(b'f'));
        assert_eq!(sizes("%10s", 8), Err(b's'));
        assert_eq!(sizes("%", 8), Ok(vec![]));
    }
}
