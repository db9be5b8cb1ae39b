//! The counterexample as a page for the browser: one file that needs nothing else, and works offline.

use super::trace::Trace;

/// The page without a trace; its script draws everything from the JSON in it.
const TEMPLATE: &str = include_str!("page.html");
const PLACEHOLDER: &str = "{{TRACE}}";

pub fn render(trace: &Trace) -> String {
    let json = serde_json::to_string(trace).expect("a trace consists of texts and numbers");
    // Only strings have a `<` in JSON, and without one nothing in a source file can end the script element.
    TEMPLATE.replacen(PLACEHOLDER, &json.replace('<', "\\u003c"), 1)
}
