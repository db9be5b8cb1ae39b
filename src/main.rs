//! Command line in, exit status out. The commands are the only place that prints.

/// Writes a line to standard error. Where that is closed or full nobody wants to know: the verdict does not depend on it.
macro_rules! say {
    ($($text:tt)*) => {{
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{}\n", format_args!($($text)*)));
    }};
}

/// The same without the end of the line.
macro_rules! say_part {
    ($($text:tt)*) => {{
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!($($text)*));
    }};
}

mod commands;
mod console;
mod options;

use clap::Parser;
use commands::{UNKNOWN, WRONG_INPUT};
use options::{Command, CommandLine};
use std::process::ExitCode;

fn main() -> ExitCode {
    let words = match options::without_compiler_flags(std::env::args_os()) {
        Ok(words) => words,
        Err(message) => {
            say!("error: {message}");
            return ExitCode::from(WRONG_INPUT);
        }
    };
    let command_line = CommandLine::parse_from(words);
    std::panic::set_hook(Box::new(|panic| {
        say!("error: this is a bug in unthread, not in your program: {panic}");
        say!("  = please report it with the input file");
    }));
    let says_verdict =
        matches!(command_line.command, Command::Check(_) | Command::Prove(_) | Command::Swarm(_) | Command::Replay(_));
    let worker =
        std::thread::Builder::new().stack_size(unthread::STACK_BYTES).spawn(move || match command_line.command {
            Command::Show(show) => commands::show::show(&show),
            Command::Check(check) => commands::check::check(&check),
            Command::Prove(prove) => commands::prove::prove(prove),
            Command::Seq(seq) => commands::seq::seq(&seq),
            Command::Run(run) => commands::run::run(&run),
            Command::Replay(replay) => commands::replay::replay(&replay),
            Command::Swarm(swarm) => commands::swarm::swarm(&swarm),
            Command::Worker(worker) => commands::worker::worker(&worker),
        });
    let status = match worker {
        Ok(worker) => worker.join().unwrap_or_else(|_| {
            if says_verdict {
                commands::put(b"Verdict: unknown\n");
            }
            UNKNOWN
        }),
        Err(error) => {
            say!("error: cannot start: {error}");
            UNKNOWN
        }
    };
    ExitCode::from(status)
}
