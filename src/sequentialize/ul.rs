//! stub
use super::SequentializeOptions;
use crate::diagnostic::Result;
use crate::limit::Bounded;
pub fn ul(_b: &Bounded, _o: &SequentializeOptions, _order: &[usize]) -> Result<String> { todo!() }
