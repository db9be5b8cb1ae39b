//! stub
use super::SequentializeOptions;
use crate::diagnostic::Result;
use crate::limit::Bounded;
pub fn lr(_b: &Bounded, _o: &SequentializeOptions, _order: &[usize]) -> Result<(String, super::Watched)> { todo!() }
