//! Interpreter
