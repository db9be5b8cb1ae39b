//! `unthread show`: the program after a stage.

use super::{FINE, Timing, bounding_options, put, read_input, report_limit, unlimited, warn_without_loop};
use crate::options::{MemoryModelName, Show, Stage};
use unthread::il::print::PrintOptions;

pub fn show(show: &Show) -> u8 {
    let mut timing = Timing::start();
    let read = match read_input(&show.input, &mut timing) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let program = match show.stage {
        Stage::Parsed => read.program,
        Stage::Normalized => unthread::normalize(read.program).into_program(),
        Stage::Bounded => {
            let normalized = unthread::normalize(read.program).under(MemoryModelName::model(show.memory_model));
            timing.note("normalize");
            match unthread::limit::limit(&normalized, &bounding_options(&show.bounds), &unlimited()) {
                Ok(bounded) => {
                    warn_without_loop(&bounded.without_loop);
                    bounded.cut_lines().iter().for_each(|line| say!("{line}"));
                    bounded.program
                }
                Err(error) => return report_limit(&error, &normalized),
            }
        }
    };
    timing.note(if show.stage == Stage::Bounded { "bound" } else { "normalize" });
    let options = PrintOptions { line_directives: show.lines, mark_visible: show.visible, accesses: true };
    let text = unthread::il::print::print(&program, options);
    timing.note("print");
    put(text.as_bytes());
    if show.stats {
        timing.print();
    }
    FINE
}
