//! The values of numeric, character and string constants (C11 6.4.4, 6.4.5).

use super::ast::{CharWidth, ExprKind, FloatSuffix, IntSuffix};

type Parsed = std::result::Result<ExprKind, String>;

pub fn int_constant(text: &str) -> Parsed {
    let lower = text.to_ascii_lowercase();
    let (radix, rest) = if let Some(rest) = lower.strip_prefix("0x") {
        (16, rest)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (2, rest)
    } else if lower.len() > 1 && lower.starts_with('0') && lower.as_bytes()[1].is_ascii_digit() {
        (8, &lower[1..])
    } else {
        (10, lower.as_str())
    };
    let digits = rest.find(|c: char| !c.is_digit(radix.max(10))).unwrap_or(rest.len());
    let (unsigned, suffix) = match &rest[digits..] {
        "" => (false, IntSuffix::Int),
        "u" => (true, IntSuffix::Int),
        "l" => (false, IntSuffix::Long),
        "ul" | "lu" => (true, IntSuffix::Long),
        "ll" => (false, IntSuffix::LongLong),
        "ull" | "llu" => (true, IntSuffix::LongLong),
        other => return Err(format!("`{other}` is no suffix of an integer constant")),
    };
    if digits == 0 {
        return Err(format!("`{text}` has no digits"));
    }
    let value = u64::from_str_radix(&rest[..digits], radix).map_err(|_| {
        if rest[..digits].chars().all(|c| c.is_digit(radix)) {
            format!("the constant {text} does not fit any integer type")
        } else {
            format!("`{text}` has a digit that does not belong to base {radix}")
        }
    })?;
    Ok(ExprKind::Int { value, decimal: radix == 10, unsigned, suffix })
}

pub fn float_constant(text: &str) -> Parsed {
    let hex = text.starts_with("0x") || text.starts_with("0X");
    let body = text.trim_end_matches(|c: char| {
        if hex {
            matches!(c, 'l' | 'L') || (matches!(c, 'f' | 'F') && text.contains(['p', 'P']))
        } else {
            matches!(c, 'f' | 'F' | 'l' | 'L')
        }
    });
    let suffix = match text[body.len()..].to_ascii_lowercase().as_str() {
        "" => FloatSuffix::Double,
        "f" => FloatSuffix::Float,
        "l" => FloatSuffix::LongDouble,
        other => return Err(format!("`{other}` is no suffix of a floating constant")),
    };
    let value = if hex { hex_float(&body[2..]) } else { body.parse().ok() };
    let value = value.ok_or_else(|| format!("`{text}` is no floating constant"))?;
    let value = match suffix {
        // Rounding the decimal text once, not through double.
        FloatSuffix::Float if !hex => body.parse::<f32>().map(f64::from).unwrap_or(value),
        FloatSuffix::Float => f64::from(value as f32),
        FloatSuffix::Double | FloatSuffix::LongDouble => value,
    };
    Ok(ExprKind::Float { value, suffix })
}

fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || digits.len() > 15 {
        return None;
    }
    let value = u64::from_str_radix(&digits, 16).ok()? as f64;
    Some(value * 2f64.powi(exponent.checked_sub(4 * fraction.len() as i32)?))
}

pub fn char_constant(text: &str) -> Parsed {
    let (width, quoted) = split_prefix(text);
    let units = code_units(&quoted[1..quoted.len() - 1], width)?;
    let value = match (units.as_slice(), width) {
        ([], _) => return Err("an empty character constant".to_owned()),
        ([unit], CharWidth::Char) => i64::from(*unit as u8 as i8),
        ([unit], CharWidth::Wchar) => i64::from(*unit as i32),
        ([unit], CharWidth::Char16 | CharWidth::Char32) => i64::from(*unit),
        (many, CharWidth::Char) => i64::from(many.iter().fold(0u32, |value, unit| (value << 8) | (unit & 0xff)) as i32),
        (_, _) => return Err("a wide character constant of several characters".to_owned()),
    };
    Ok(ExprKind::Char { value, width })
}

pub fn string_constant(pieces: &[&str]) -> Parsed {
    // Adjacent strings join; one wide piece makes all wide (C11 6.4.5).
    let width = pieces.iter().map(|piece| split_prefix(piece).0).find(|w| *w != CharWidth::Char);
    let width = width.unwrap_or(CharWidth::Char);
    let mut units = Vec::new();
    for piece in pieces {
        let quoted = split_prefix(piece).1;
        units.extend(code_units(&quoted[1..quoted.len() - 1], width)?);
    }
    Ok(ExprKind::Str { units, width })
}

fn split_prefix(text: &str) -> (CharWidth, &str) {
    if let Some(rest) = text.strip_prefix("u8") {
        (CharWidth::Char, rest)
    } else if let Some(rest) = text.strip_prefix('L') {
        (CharWidth::Wchar, rest)
    } else if let Some(rest) = text.strip_prefix('u') {
        (CharWidth::Char16, rest)
    } else if let Some(rest) = text.strip_prefix('U') {
        (CharWidth::Char32, rest)
    } else {
        (CharWidth::Char, text)
    }
}

/// The characters between the quotes, escapes resolved, as code units of the given width.
fn code_units(body: &str, width: CharWidth) -> std::result::Result<Vec<u32>, String> {
    let mut units = Vec::new();
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(&mut units, c, width);
            continue;
        }
        let escape = chars.next().ok_or("a lone backslash")?;
        let value = match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\\' | '\'' | '"' | '?' => escape as u32,
            '\n' => continue,
            '0'..='7' => {
                let mut value = escape.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    if let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) {
                        value = value * 8 + digit;
                        chars.next();
                    }
                }
                value
            }
            'x' => {
                let mut value = 0u32;
                let mut any = false;
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = value.wrapping_mul(16) + digit;
                    any = true;
                    chars.next();
                }
                if !any {
                    return Err("`\\x` without hexadecimal digits".to_owned());
                }
                value
            }
            'u' | 'U' => {
                let count = if escape == 'u' { 4 } else { 8 };
                let digits: String = chars.by_ref().take(count).collect();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                push_char(&mut units, code.ok_or("a bad universal character name")?, width);
                continue;
            }
            other => return Err(format!("unknown escape `\\{other}`")),
        };
        units.push(match width {
            CharWidth::Char => value & 0xff,
            CharWidth::Char16 => value & 0xffff,
            CharWidth::Wchar | CharWidth::Char32 => value,
        });
    }
    Ok(units)
}

fn push_char(units: &mut Vec<u32>, c: char, width: CharWidth) {
    if let Some(byte) = super::preprocess::as_raw_byte(c) {
        units.push(u32::from(byte));
        return;
    }
    match width {
        CharWidth::Char => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        CharWidth::Char16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| u32::from(*unit))),
        CharWidth::Wchar | CharWidth::Char32 => units.push(c as u32),
    }
}
