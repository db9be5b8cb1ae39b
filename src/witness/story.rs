//! What went wrong, in words: patterns of a trace that an engineer has a name for.

use super::trace::{Access, FailureInfo, LockAction, RacingAccess, Step, Trace, Value, Wait};
use rustc_hash::FxHashMap;

/// Sentences, in the order in which they are told. The last one says how the program fails.
pub fn story(trace: &Trace) -> Vec<String> {
    let mut told = Vec::new();
    if let [first, second] = &trace.failure.accesses[..] {
        return race(trace, first, second);
    }
    if trace.failure.waits.is_empty() {
        told.extend(woken_without_reason(trace));
        told.extend(late_stores(trace));
        told.extend(lost_updates(trace));
        told.extend(changed_and_back(trace));
        told.extend(given_again(trace));
        told.extend(origins_of_values(trace));
        told.extend(freed(trace));
        told.push(failure(trace));
    } else {
        told.extend(lost_signals(trace));
        told.extend(trace.failure.waits.iter().map(|wait| waiting(trace, wait)));
        told.push(match trace.failure.waits.len() {
            1 => "Nobody else is there to end its wait: a deadlock.".to_owned(),
            _ => "None of them can go on: a deadlock.".to_owned(),
        });
    }
    told
}

/// So many of them are told.
const LATE_STORES: usize = 4;

/// Stores that others do not see yet when they look, under TSO and PSO.
fn late_stores(trace: &Trace) -> Vec<String> {
    if trace.program.memory_model.is_none() {
        return Vec::new();
    }
    let mut told: Vec<String> = Vec::new();
    for (step, store) in accesses(trace).filter(|(_, access)| access.write) {
        let reaches = |later: &&Step| {
            let same = |reached: &Value| (&reached.variable, &reached.value) == (&store.variable, &store.value);
            later.number > step.number && later.thread == step.thread && later.reaches.iter().any(same)
        };
        let reached = trace.steps.iter().find(reaches).map(|later| later.number);
        let missed = accesses(trace).find(|(later, access)| {
            let between = later.number > step.number && reached.is_none_or(|reached| later.number < reached);
            between && later.thread != step.thread && !access.write && access.variable == store.variable
        });
        let Some((reader, read)) = missed.filter(|(_, read)| read.value != store.value) else { continue };
        // What another one wrote in between is another story.
        let written = |other: &Step| {
            let between = (step.number + 1..reader.number).contains(&other.number);
            let writes = other.accesses.iter().any(|access| access.write && access.variable == store.variable);
            between && (writes || other.reaches.iter().any(|reached| reached.variable == store.variable))
        };
        if trace.steps.iter().any(written) {
            continue;
        }
        let when = match reached {
            Some(reached) => format!("reaches memory only in step {reached}"),
            None => "has not reached memory".to_owned(),
        };
        told.push(format!(
            "{} = {}, which {} wrote in step {}, {when}: {} reads {} in step {}.",
            store.variable,
            store.value,
            thread_name(trace, step.thread),
            step.number,
            thread_name(trace, reader.thread),
            read.value,
            reader.number
        ));
    }
    told.dedup();
    told.truncate(LATE_STORES);
    told
}

/// Two accesses that race: who does what where, what each thread holds, where it comes from, what would help.
fn race(trace: &Trace, first: &RacingAccess, second: &RacingAccess) -> Vec<String> {
    let how = |access: &RacingAccess| match (access.write, access.atomic) {
        (true, false) => "writes",
        (false, false) => "reads",
        (true, true) => "atomically writes",
        (false, true) => "atomically reads",
    };
    let line = |access: &RacingAccess| match access.place.file == trace.program.file {
        true => format!("line {}", access.place.line),
        false => format!("{}:{}", access.place.file, access.place.line),
    };
    let what = |access: &RacingAccess| match &access.value {
        Some(value) if access.write => format!("{value} to {}", access.variable),
        Some(value) => format!("{} ({value})", access.variable),
        None => access.variable.clone(),
    };
    let about = |access: &RacingAccess| {
        let created =
            trace.threads.iter().find(|thread| thread.number == access.thread).and_then(|thread| thread.place.as_ref());
        let created = created.map_or(String::new(), |place| format!(", created in line {},", place.line));
        let holds = if access.holds.is_empty() { "no lock".to_owned() } else { access.holds.join(" and ") };
        format!("{}{created} holds {holds}.", capital(&thread_name(trace, access.thread)))
    };
    let sentence = |access: &RacingAccess| {
        let step = access.step.map_or(String::new(), |step| format!(" (step {step})"));
        let who = capital(&thread_name(trace, access.thread));
        format!("{who} {} {} in {}{step}: {}", how(access), what(access), line(access), access.text)
    };
    let helps = match (first.atomic, second.atomic) {
        (false, false) if first.holds.is_empty() && second.holds.is_empty() => {
            "a lock that both hold, or atomic accesses, would"
        }
        (false, false) => "a lock that both hold would",
        _ => "one is atomic, and the other would have to be as well",
    };
    let why =
        missing_order(trace, first, second).unwrap_or_else(|| format!("Nothing orders these two accesses: {helps}."));
    vec![
        sentence(first),
        sentence(second),
        about(first),
        about(second),
        why,
        format!(
            "{}:{}: data race on {} between {} and {}.",
            second.place.file,
            second.place.line,
            second.variable,
            thread_name(trace, first.thread),
            thread_name(trace, second.thread)
        ),
    ]
}

/// Between the two, one thread stored atomically what the other one read: with other orders that would have ordered them.
fn missing_order(trace: &Trace, first: &RacingAccess, second: &RacingAccess) -> Option<String> {
    let (from, to) = (first.step?, second.step?);
    let atomic = |thread: usize, write: bool| {
        accesses(trace).filter(move |(step, access)| {
            step.thread == thread
                && (from..=to).contains(&step.number)
                && access.write == write
                && access.order.is_some()
        })
    };
    let writes: Vec<(&Step, &Access)> = atomic(first.thread, true).collect();
    let (read_step, read, write_step, write) = atomic(second.thread, false).find_map(|(step, read)| {
        let passed = |(at, write): &&(&Step, &Access)| at.number < step.number && write.variable == read.variable;
        let (at, write) = writes.iter().rfind(passed)?;
        Some((step, read, *at, *write))
    })?;
    let (gives, takes) = (write.order.as_deref()?, read.order.as_deref()?);
    let line = |step: &Step| step.place.line;
    let variable = &read.variable;
    let store = format!(
        "the store to {variable} in line {} (step {}, memory_order_{gives}) releases nothing",
        line(write_step),
        write_step.number
    );
    let load = format!(
        "the load of {variable} in line {} (step {}, memory_order_{takes}) acquires nothing",
        line(read_step),
        read_step.number
    );
    let releases = matches!(gives, "release" | "acq_rel" | "seq_cst");
    let acquires = matches!(takes, "acquire" | "consume" | "acq_rel" | "seq_cst");
    let (what, remedy) = match (releases, acquires) {
        (false, true) => (store, "memory_order_release there"),
        (true, false) => (load, "memory_order_acquire there"),
        (false, false) => (format!("{store}, and {load}"), "memory_order_release and memory_order_acquire there"),
        (true, true) => return None,
    };
    Some(format!("Nothing orders these two accesses: {what}. With {remedy} they would be ordered."))
}

/// `thread 1 (increment)`.
pub fn thread_name(trace: &Trace, number: usize) -> String {
    match trace.threads.iter().find(|thread| thread.number == number) {
        Some(thread) if !thread.start.is_empty() => format!("thread {number} ({})", thread.start),
        _ => format!("thread {number}"),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Memory was freed and allocated again: who knows the old address takes the new block for the old one.
fn given_again(trace: &Trace) -> Vec<String> {
    let mut told = Vec::new();
    for step in &trace.steps {
        for name in &step.gets_again {
            let freed = trace.steps.iter().rfind(|other| other.number <= step.number && other.frees.contains(name));
            let freed = freed.map_or(String::new(), |freed| {
                format!(", which {} freed in step {}", thread_name(trace, freed.thread), freed.number)
            });
            let who = capital(&thread_name(trace, step.thread));
            told.push((step.number, format!("{who} gets {name} again in step {}{freed}.", step.number)));
        }
    }
    first(told, 3)
}

/// All accesses with their steps.
fn accesses(trace: &Trace) -> impl Iterator<Item = (&Step, &Access)> {
    trace.steps.iter().flat_map(|step| step.accesses.iter().map(move |access| (step, access)))
}

/// The accesses to each variable, with their places among all.
fn by_variable(trace: &Trace) -> Vec<Vec<(usize, &Step, &Access)>> {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut found: Vec<Vec<(usize, &Step, &Access)>> = Vec::new();
    for (at, (step, access)) in accesses(trace).enumerate() {
        let number = *numbers.entry(&access.variable).or_insert(found.len());
        if number == found.len() {
            found.push(Vec::new());
        }
        found[number].push((at, step, access));
    }
    found
}

/// The first sentences, in the order of what they tell.
fn first(mut told: Vec<(usize, String)>, count: usize) -> Vec<String> {
    told.sort_by_key(|(at, _)| *at);
    told.into_iter().map(|(_, sentence)| sentence).take(count).collect()
}

/// A thread writes what it computed from a value that another thread has changed since.
fn lost_updates(trace: &Trace) -> Vec<String> {
    let mut told = Vec::new();
    for all in by_variable(trace) {
        // The last read and the last write of every thread.
        let (mut reads, mut writes): (FxHashMap<usize, usize>, FxHashMap<usize, usize>) = Default::default();
        for (index, (at, step, access)) in all.iter().enumerate() {
            if !access.write {
                reads.insert(step.thread, index);
                continue;
            }
            let own = writes.insert(step.thread, index);
            let Some(read) = reads.get(&step.thread).copied() else { continue };
            let others = writes.iter().filter(|(thread, write)| **thread != step.thread && **write > read);
            let Some((_, overwritten, lost)) = others.map(|(_, write)| *write).max().map(|write| all[write]) else {
                continue;
            };
            let (_, before, known) = all[read];
            if own.is_some_and(|own| own > read) || lost.value == known.value {
                continue;
            }
            let sentence = format!(
                "{} sets {} to {} in step {}, having read {} in step {}: what {} wrote in step {} ({}) is lost.",
                capital(&thread_name(trace, step.thread)),
                access.variable,
                access.value,
                step.number,
                known.value,
                before.number,
                thread_name(trace, overwritten.thread),
                overwritten.number,
                lost.value
            );
            told.push((*at, sentence));
        }
    }
    first(told, 3)
}

/// A value that a thread finds unchanged, though it was changed in between.
fn changed_and_back(trace: &Trace) -> Vec<String> {
    let mut told = Vec::new();
    for all in by_variable(trace) {
        let mut last: FxHashMap<usize, usize> = FxHashMap::default();
        for (index, (at, step, again)) in all.iter().enumerate() {
            let Some(known) = last.insert(step.thread, index).filter(|_| !again.write) else { continue };
            let between = || all[known + 1..index].iter().filter(|(_, _, access)| access.write);
            let changed = between().any(|(_, _, access)| access.value != again.value);
            let Some((_, back, value)) = between().next_back() else { continue };
            let (_, earlier, found) = all[known];
            if found.value == again.value && changed && value.value == again.value {
                let sentence = format!(
                    "{} finds {} in {} in step {}, as in step {}; but it was changed and set back in between (by {}, \
                     step {}).",
                    capital(&thread_name(trace, step.thread)),
                    again.value,
                    again.variable,
                    step.number,
                    earlier.number,
                    thread_name(trace, back.thread),
                    back.number
                );
                told.push((*at, sentence));
            }
        }
    }
    first(told, 2)
}

fn woken_without_reason(trace: &Trace) -> Vec<String> {
    let woken = trace.steps.iter().filter(|step| step.wakes_without_reason);
    woken
        .map(|step| {
            format!(
                "{} wakes up in step {} though nobody has signalled it: POSIX allows that, so a wait belongs in a loop \
                 that tests its condition again.",
                capital(&thread_name(trace, step.thread)),
                step.number
            )
        })
        .take(1)
        .collect()
}

/// A condition variable that was signalled before anybody waited for it.
fn lost_signals(trace: &Trace) -> Vec<String> {
    let mut told = Vec::new();
    for wait in &trace.failure.waits {
        let Some(object) = wait.object.as_ref().filter(|_| is_condition_wait(wait)) else { continue };
        let does = |step: &&Step, actions: &[LockAction]| {
            step.locks.iter().any(|lock| actions.contains(&lock.action) && lock.object == *object)
        };
        let waits = trace.steps.iter().rfind(|step| step.thread == wait.thread && does(step, &[LockAction::Waits]));
        let signals = trace.steps.iter().rfind(|step| does(step, &[LockAction::Signals, LockAction::Broadcasts]));
        if let (Some(waits), Some(signals)) = (waits, signals)
            && signals.number < waits.number
        {
            told.push(format!(
                "{} signals {object} in step {}, before {} begins to wait for it in step {}: the signal is lost.",
                capital(&thread_name(trace, signals.thread)),
                signals.number,
                thread_name(trace, wait.thread),
                waits.number
            ));
        }
    }
    told
}

fn is_condition_wait(wait: &Wait) -> bool {
    wait.function.as_ref().is_some_and(|function| function.starts_with("pthread_cond_") || function.starts_with("cnd_"))
}

fn waiting(trace: &Trace, wait: &Wait) -> String {
    let name = capital(&thread_name(trace, wait.thread));
    let held: Vec<&str> = trace
        .steps
        .last()
        .iter()
        .flat_map(|step| &step.held)
        .filter(|held| held.thread == wait.thread)
        .map(|held| held.object.as_str())
        .collect();
    let holds = if held.is_empty() { String::new() } else { format!("holds {} and ", held.join(", ")) };
    let what = match (&wait.function, &wait.object, wait.held_by) {
        (Some(_), Some(object), Some(thread)) if thread == wait.thread => format!("{object}, which it holds itself"),
        (Some(_), Some(object), Some(thread)) => {
            let ended = trace.steps.iter().any(|step| step.thread == thread && step.ends);
            let still = if ended { "still holds although it has ended" } else { "holds" };
            format!("{object}, which {} {still}", thread_name(trace, thread))
        }
        (Some(function), Some(object), None) if function.ends_with("_join") => {
            let number = object.trim_start_matches("thread ").parse();
            format!("{} to end", number.map_or(object.clone(), |number| thread_name(trace, number)))
        }
        (Some(function), Some(object), None) => format!("{object} ({function})"),
        _ => "another thread to end".to_owned(),
    };
    format!("{name} {holds}waits in line {} for {what}.", wait.place.line)
}

/// Who freed the memory that is used afterwards.
fn freed(trace: &Trace) -> Option<String> {
    let last = trace.steps.last().filter(|_| trace.failure.message.contains("freed before"))?;
    let step = trace.steps.iter().rfind(|step| step.number < last.number && !step.frees.is_empty())?;
    let name = thread_name(trace, step.thread);
    Some(format!("{} frees {} in step {}.", capital(&name), step.frees.join(", "), step.number))
}

/// Where the values come from that make the failing line fail.
fn origins_of_values(trace: &Trace) -> Vec<String> {
    let mut told = Vec::new();
    for value in trace.failure.values.iter().filter(|value| !value.value.ends_with(')')) {
        let writer = accesses(trace).filter(|(_, access)| access.write && access.variable == value.variable).last();
        match writer {
            Some((step, access)) if access.value == value.value && step.number < trace.steps.len() => {
                told.push(format!(
                    "{} is {} since step {} ({}).",
                    value.variable,
                    value.value,
                    step.number,
                    thread_name(trace, step.thread)
                ))
            }
            Some(_) => {}
            None => told.push(format!("{} is {}: nobody has written it before.", value.variable, value.value)),
        }
    }
    told.truncate(4);
    told
}

fn failure(trace: &Trace) -> String {
    let FailureInfo { kind, message, thread, place, values, .. } = &trace.failure;
    let values: Vec<String> = values.iter().map(|value| format!("{} is {}", value.variable, value.value)).collect();
    let because = if values.is_empty() { String::new() } else { format!(", where {}", values.join(" and ")) };
    format!("{}:{}: {kind} in {}: {message}{because}.", place.file, place.line, thread_name(trace, *thread))
}
