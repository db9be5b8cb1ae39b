//! The printf family, for programs whose output is compared with that of a real build.

use super::{Chooser, FailureKind, Machine, Step, Stop};
use crate::il::arithmetic::Value;
use crate::il::scan;
use crate::il::types::wrap_bits;
use crate::il::{DataModel, Operation};

/// Where the arguments after the format come from.
enum Arguments {
    Values(Vec<Value>),
    /// Address of the next slot of a `va_list`.
    List(u64),
}

/// One conversion such as `%-5.2lld`.
#[derive(Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Bytes of an integer argument.
    size: u32,
    /// `l` was given: wide characters.
    long: bool,
    letter: u8,
}

impl Machine<'_> {
    pub(super) fn print(&mut self, operation: Operation, values: &[Value], chooser: &mut dyn Chooser) -> Step<Value> {
        let address = |index: usize| values.get(index).map_or(0, |value| value.as_int() as u64);
        let rest = |from: usize| Arguments::Values(values[from.min(values.len())..].to_vec());
        let text = match operation {
            Operation::Printf => self.format(address(0), rest(1), chooser)?,
            Operation::Fprintf | Operation::Sprintf => self.format(address(1), rest(2), chooser)?,
            Operation::Snprintf => self.format(address(2), rest(3), chooser)?,
            Operation::Vprintf => self.format(address(0), Arguments::List(address(1)), chooser)?,
            Operation::Vfprintf | Operation::Vsprintf => {
                self.format(address(1), Arguments::List(address(2)), chooser)?
            }
            Operation::Vsnprintf => self.format(address(2), Arguments::List(address(3)), chooser)?,
            Operation::Puts => {
                let mut text = self.string(address(0), None, chooser)?;
                text.push(b'\n');
                text
            }
            Operation::Fputs => self.string(address(0), None, chooser)?,
            _ => vec![address(0) as u8],
        };
        let length = Value::Int(text.len() as i128);
        match operation {
            Operation::Sprintf | Operation::Vsprintf => {
                self.memory.write(address(0), &text)?;
                self.memory.write(address(0) + text.len() as u64, &[0])?;
            }
            Operation::Snprintf | Operation::Vsnprintf => {
                if address(1) > 0 {
                    let kept = text.len().min(address(1) as usize - 1);
                    self.memory.write(address(0), &text[..kept])?;
                    self.memory.write(address(0) + kept as u64, &[0])?;
                }
            }
            Operation::Fprintf | Operation::Vfprintf => self.emit(&text, address(0)),
            Operation::Fputs | Operation::Fputc => self.emit(&text, address(1)),
            _ => self.output.extend(&text),
        }
        Ok(if operation == Operation::Putchar { values[0] } else { length })
    }

    fn emit(&mut self, text: &[u8], stream: u64) {
        if self.standard_error == Some(stream) {
            self.error_output.extend(text);
        } else {
            self.output.extend(text);
        }
    }

    fn format(&mut self, format: u64, mut arguments: Arguments, chooser: &mut dyn Chooser) -> Step<Vec<u8>> {
        let format = self.string(format, None, chooser)?;
        let mut out = Vec::new();
        let mut at = 0;
        while at < format.len() {
            if format[at] != b'%' {
                out.push(format[at]);
                at += 1;
                continue;
            }
            at += 1;
            let conversion = self.conversion(&format, &mut at, &mut arguments)?;
            if conversion.letter == b'%' {
                out.push(b'%');
                continue;
            }
            if conversion.letter == b'n' {
                let size = self.program().types.model.pointer_size() as u32;
                let address = self.next_integer(&mut arguments, size)? as u64;
                self.memory.write_uint(address, u64::from(conversion.size), out.len() as u64)?;
                continue;
            }
            let text = self.converted(&conversion, &mut arguments, chooser)?;
            let padding = conversion.width.saturating_sub(text.len());
            if conversion.left {
                out.extend(&text);
                out.extend(std::iter::repeat_n(b' ', padding));
            } else {
                out.extend(std::iter::repeat_n(b' ', padding));
                out.extend(&text);
            }
        }
        Ok(out)
    }

    fn conversion(&mut self, format: &[u8], at: &mut usize, arguments: &mut Arguments) -> Step<Conversion> {
        let mut conversion = Conversion { size: 4, ..Conversion::default() };
        while let Some(flag) = format.get(*at) {
            match flag {
                b'-' => conversion.left = true,
                b'+' => conversion.plus = true,
                b' ' => conversion.space = true,
                b'#' => conversion.alternate = true,
                b'0' => conversion.zero = true,
                _ => break,
            }
            *at += 1;
        }
        if let Some(width) = self.number(format, at, arguments)? {
            conversion.left |= width < 0;
            conversion.width = width.unsigned_abs() as usize;
        }
        if format.get(*at) == Some(&b'.') {
            *at += 1;
            let precision = self.number(format, at, arguments)?.unwrap_or(0);
            conversion.precision = usize::try_from(precision).ok();
        }
        let pointer = self.program().types.model.pointer_size() as u32;
        let mut longs = 0;
        while let Some(length) = format.get(*at) {
            match length {
                b'h' => conversion.size /= 2,
                b'l' => {
                    longs += 1;
                    conversion.long = true;
                    conversion.size = if longs == 1 { pointer } else { 8 };
                }
                b'z' | b't' => conversion.size = pointer,
                b'j' | b'q' | b'L' => conversion.size = 8,
                _ => break,
            }
            *at += 1;
        }
        conversion.letter = format.get(*at).copied().unwrap_or(b'%');
        *at += 1;
        Ok(conversion)
    }

    fn number(&mut self, format: &[u8], at: &mut usize, arguments: &mut Arguments) -> Step<Option<i64>> {
        if format.get(*at) == Some(&b'*') {
            *at += 1;
            let value = self.next_integer(arguments, 4)?;
            return Ok(Some(wrap_bits(value, 32, true) as i64));
        }
        let start = *at;
        while format.get(*at).is_some_and(u8::is_ascii_digit) {
            *at += 1;
        }
        Ok(std::str::from_utf8(&format[start..*at]).ok().and_then(|digits| digits.parse().ok()))
    }

    /// sscanf on a text that is known.
    pub(super) fn scan_text(
        &mut self,
        text: u64,
        format: u64,
        targets: &[Value],
        chooser: &mut dyn Chooser,
    ) -> Step<Value> {
        let text = self.string(text, None, chooser)?;
        let format = self.string(format, None, chooser)?;
        let long = self.program().types.model.pointer_size();
        let (mut from, mut at, mut done) = (0, 0, 0);
        while at < format.len() {
            if format[at] == b'%' {
                at += 1;
                let conversion = scan::conversion(&format, &mut at, long);
                if text[from..].iter().all(u8::is_ascii_whitespace) {
                    return Ok(Value::Int(if done == 0 { -1 } else { done as i128 }));
                }
                let Some(value) = scanned(conversion, &text, &mut from)? else { break };
                if conversion.stores {
                    let Some(target) = targets.get(done) else { return Err(missing("sscanf")) };
                    self.memory.write_uint(target.as_int() as u64, conversion.size, value)?;
                    done += 1;
                }
            } else if format[at].is_ascii_whitespace() {
                from += text[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                at += 1;
            } else if text.get(from) == Some(&format[at]) {
                (from, at) = (from + 1, at + 1);
            } else {
                break;
            }
        }
        Ok(Value::Int(done as i128))
    }

    /// scanf on an input that nothing is known of: any number of conversions succeed, each with any value.
    pub(super) fn scan_input(&mut self, format: u64, targets: &[Value], chooser: &mut dyn Chooser) -> Step<Value> {
        let format = self.string(format, None, chooser)?;
        let long = self.program().types.model.pointer_size();
        let stored = scan::stored(&format, long).map_err(unsupported_scan)?;
        if targets.len() < stored.len() {
            return Err(missing("scanf"));
        }
        let count = chooser.pick(stored.len() + 2);
        if count > stored.len() {
            self.happens(super::Event::Input("end of file".to_owned()));
            return Ok(Value::Int(-1));
        }
        self.happens(super::Event::Input(count.to_string()));
        for (conversion, target) in stored.iter().zip(targets).take(count) {
            let mut address = target.as_int() as u64;
            let end = address + conversion.size;
            while address < end {
                let size = (end - address).min(8);
                // Only text can be longer than a number.
                let size = if size.is_power_of_two() { size } else { 1 };
                let value = chooser.input(size as u32 * 8);
                self.happens(super::Event::Input(value.to_string()));
                self.memory.write_uint(address, size, value)?;
                address += size;
            }
        }
        Ok(Value::Int(count as i128))
    }

    fn next_value(&mut self, arguments: &mut Arguments) -> Option<Value> {
        match arguments {
            Arguments::Values(values) if values.is_empty() => None,
            Arguments::Values(values) => Some(values.remove(0)),
            Arguments::List(_) => None,
        }
    }

    fn next_integer(&mut self, arguments: &mut Arguments, size: u32) -> Step<i128> {
        if let Arguments::List(at) = arguments {
            let (value, _) = self.memory.read_uint(*at, u64::from(size.max(4)))?;
            *at += 8;
            return Ok(i128::from(value));
        }
        self.next_value(arguments).map(Value::as_int).ok_or_else(|| missing("printf"))
    }

    fn next_float(&mut self, arguments: &mut Arguments) -> Step<f64> {
        if let Arguments::List(at) = arguments {
            let (bits, _) = self.memory.read_uint(*at, 8)?;
            *at += 8;
            return Ok(f64::from_bits(bits));
        }
        self.next_value(arguments).map(Value::as_float).ok_or_else(|| missing("printf"))
    }

    fn converted(
        &mut self,
        conversion: &Conversion,
        arguments: &mut Arguments,
        chooser: &mut dyn Chooser,
    ) -> Step<Vec<u8>> {
        let pointer_size = match self.program().types.model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        };
        match conversion.letter {
            b'd' | b'i' => {
                let value = wrap_bits(self.next_integer(arguments, conversion.size)?, conversion.size * 8, true);
                Ok(integer(conversion, value.unsigned_abs(), 10, sign(conversion, value < 0)))
            }
            b'u' | b'x' | b'X' | b'o' => {
                let value = wrap_bits(self.next_integer(arguments, conversion.size)?, conversion.size * 8, false);
                let radix = match conversion.letter {
                    b'u' => 10,
                    b'o' => 8,
                    _ => 16,
                };
                let prefix = match (conversion.alternate && value != 0, conversion.letter) {
                    (true, b'x') => "0x",
                    (true, b'X') => "0X",
                    (true, b'o') => "0",
                    _ => "",
                };
                Ok(integer(conversion, value as u128, radix, prefix))
            }
            b'c' if !conversion.long => Ok(vec![self.next_integer(arguments, 4)? as u8]),
            b's' if !conversion.long => {
                let address = self.next_integer(arguments, pointer_size)? as u64;
                if address == 0 {
                    return Ok(b"(null)".to_vec());
                }
                self.string(address, conversion.precision, chooser)
            }
            b'p' => {
                let address = self.next_integer(arguments, pointer_size)?;
                Ok(if address == 0 { b"(nil)".to_vec() } else { format!("0x{address:x}").into_bytes() })
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
                let value = self.next_float(arguments)?;
                Ok(floating(conversion, value))
            }
            other => {
                let text = format!("printf conversion `%{}`", char::from(other));
                Err(Stop::Failure(FailureKind::Unsupported, text))
            }
        }
    }
}

/// One number or character from the text; `None` if it does not match.
fn scanned(conversion: scan::Conversion, text: &[u8], from: &mut usize) -> Step<Option<u64>> {
    let radix = match conversion.letter {
        b'c' if conversion.size == 1 => {
            *from += 1;
            return Ok(Some(u64::from(text[*from - 1])));
        }
        b'd' | b'u' => 10,
        b'x' => 16,
        other => return Err(unsupported_scan(other)),
    };
    *from += text[*from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let limit = conversion.width.unwrap_or(usize::MAX);
    let end = text.len().min(from.saturating_add(limit));
    let mut at = *from;
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let digits = text[at.min(end)..end].iter().take_while(|byte| char::from(**byte).is_digit(radix)).count();
    if digits == 0 {
        return Ok(None);
    }
    let mut value = 0u64;
    for byte in &text[at..at + digits] {
        let digit = char::from(*byte).to_digit(radix).unwrap_or(0);
        value = value.wrapping_mul(u64::from(radix)).wrapping_add(u64::from(digit));
    }
    *from = at + digits;
    Ok(Some(if negative { value.wrapping_neg() } else { value }))
}

fn unsupported_scan(letter: u8) -> Stop {
    Stop::Failure(FailureKind::Unsupported, format!("scanf conversion `%{}`", char::from(letter)))
}

fn missing(function: &str) -> Stop {
    Stop::Failure(FailureKind::Memory, format!("{function} has fewer arguments than its format asks for"))
}

fn sign(conversion: &Conversion, negative: bool) -> &'static str {
    match (negative, conversion.plus, conversion.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

fn integer(conversion: &Conversion, value: u128, radix: u32, prefix: &str) -> Vec<u8> {
    let mut digits = match (radix, conversion.letter) {
        (8, _) => format!("{value:o}"),
        (16, b'X') => format!("{value:X}"),
        (16, _) => format!("{value:x}"),
        _ => value.to_string(),
    };
    match conversion.precision {
        Some(0) if value == 0 => digits.clear(),
        Some(precision) => digits = format!("{digits:0>precision$}"),
        None if conversion.zero && !conversion.left => {
            let width = conversion.width.saturating_sub(prefix.len());
            digits = format!("{digits:0>width$}");
        }
        None => {}
    }
    format!("{prefix}{digits}").into_bytes()
}

fn floating(conversion: &Conversion, value: f64) -> Vec<u8> {
    let upper = conversion.letter.is_ascii_uppercase();
    let prefix = sign(conversion, value.is_sign_negative());
    let magnitude = value.abs();
    let precision = conversion.precision.unwrap_or(6);
    let mut digits = if !magnitude.is_finite() {
        if magnitude.is_nan() { "nan".to_owned() } else { "inf".to_owned() }
    } else {
        match conversion.letter.to_ascii_lowercase() {
            b'f' => format!("{magnitude:.precision$}"),
            b'e' => exponential(magnitude, precision),
            _ => shortest(magnitude, precision.max(1), conversion.alternate),
        }
    };
    if upper {
        digits = digits.to_uppercase();
    }
    if conversion.zero && !conversion.left && magnitude.is_finite() {
        let width = conversion.width.saturating_sub(prefix.len());
        digits = format!("{digits:0>width$}");
    }
    format!("{prefix}{digits}").into_bytes()
}

fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').expect("exponential notation has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// `%g`: the shorter of both notations, without trailing zeros.
fn shortest(value: f64, precision: usize, keep_zeros: bool) -> String {
    let exponent: i32 = if value == 0.0 {
        0
    } else {
        let text = format!("{value:.*e}", precision - 1);
        text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
    };
    let scientific = exponent < -4 || exponent >= precision as i32;
    let text = if scientific {
        exponential(value, precision - 1)
    } else {
        format!("{value:.*}", (precision as i32 - 1 - exponent).max(0) as usize)
    };
    if keep_zeros || !text.contains('.') {
        return text;
    }
    let (mantissa, tail) = text.split_once('e').map_or((text.as_str(), String::new()), |(m, e)| (m, format!("e{e}")));
    format!("{}{tail}", mantissa.trim_end_matches('0').trim_end_matches('.'))
}
