//! Command line in, exit status out. The commands are the only place that prints.
#![expect(clippy::print_stderr, reason = "the binary's job is to print")]

mod commands;
mod console;
mod options;

use clap::Parser;
use commands::UNKNOWN;
use options::{Command, CommandLine};
use std::process::ExitCode;

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("error: this is a bug in unthread, not in your program: {panic}");
        eprintln!("  = please report it with the input file");
    }));
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
        Ok(worker) => worker.join().unwrap_or(UNKNOWN),
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            UNKNOWN
        }
    };
    ExitCode::from(status)
}
