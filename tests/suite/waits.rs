//! Who is said to wait for good does: on random programs that go on for ever, executions at random from that state on
//! never let one of these threads go on, nor end the process.

use crate::support::report;
use std::collections::VecDeque;
use unthread::il::DataModel;
use unthread::il::interpret::{
    Code, ExploreOptions, FailureKind, ListedInputs, Machine, RandomChooser, TakenUnit, Unit, explore,
};

const PROGRAMS: u64 = 400;
/// Executions from every state in which somebody waits for good, and their length.
const WALKS: usize = 20;
const UNITS: usize = 60;

const HEAD: &str = "
int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
int pthread_join(unsigned long, void **);
void pthread_exit(void *);
void exit(int);
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef union { char size[48]; long long align; } pthread_cond_t;
typedef union { char size[32]; long align; } pthread_barrier_t;
typedef union { char size[32]; long align; } sem_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_barrier_init(pthread_barrier_t *, void *, unsigned);
int pthread_barrier_wait(pthread_barrier_t *);
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_post(sem_t *);
int number;
pthread_mutex_t m;
pthread_cond_t c, d;
pthread_barrier_t b;
sem_t s, r;
struct { int before; sem_t inner; } box;
sem_t *pointer = &s;
void post(void) { sem_post(&s); }
void post_at(sem_t *at) { sem_post(at); }
void nothing(void) { number = !number; }
void (*call)(void) = nothing;
";

fn statement(random: &mut fastrand::Rng) -> String {
    let semaphore = *random.choice(&["&s", "&r", "&box.inner", "pointer"]).expect("not empty");
    let condition = *random.choice(&["&c", "&d"]).expect("not empty");
    match random.u8(..15) {
        0 | 1 => format!("sem_wait({semaphore});"),
        2 => format!("sem_post({semaphore});"),
        3 => format!("post_at({semaphore});"),
        4 => "post();".to_owned(),
        5 => "call();".to_owned(),
        6 => "call = post;".to_owned(),
        7 | 8 => {
            format!(
                "pthread_mutex_lock(&m); if (!number) pthread_cond_wait({condition}, &m); pthread_mutex_unlock(&m);"
            )
        }
        9 => format!("pthread_cond_signal({condition});"),
        10 => format!("pthread_cond_broadcast({condition});"),
        11 => "pthread_barrier_wait(&b);".to_owned(),
        12 => format!("sem_trywait({semaphore});"),
        13 => "pthread_mutex_lock(&m); number = !number; pthread_mutex_unlock(&m);".to_owned(),
        _ => "if (number) { unsigned long id; pthread_create(&id, 0, h, 0); }".to_owned(),
    }
}

fn body(random: &mut fastrand::Rng, longest: u8) -> String {
    let lines: Vec<String> = (0..random.u8(1..=longest)).map(|_| statement(random)).collect();
    lines.join(" ")
}

fn endless(random: &mut fastrand::Rng) -> String {
    let inner = match random.u8(..3) {
        0 => statement(random),
        _ => "pthread_mutex_lock(&m); number = !number; pthread_mutex_unlock(&m);".to_owned(),
    };
    format!("while (1) {{ {inner} }}")
}

fn program(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text =
        format!("{HEAD}void *h(void *q) {{ {} return 0; }}\n", random.choice(&["post();", ""]).expect("two"));
    for thread in ["f", "g"] {
        let first = body(&mut random, 2);
        let then = if random.bool() { endless(&mut random) } else { "return 0;".to_owned() };
        text += &format!("void *{thread}(void *q) {{ {first} {then} }}\n");
    }
    let first = body(&mut random, 2);
    let end = match random.u8(..6) {
        0 => "pthread_exit(0); return 0;".to_owned(),
        1 => "return 0;".to_owned(),
        2 => "pthread_join(t, 0); return 0;".to_owned(),
        3 => "pthread_join(u, 0); pthread_exit(0); exit(0);".to_owned(),
        _ => endless(&mut random),
    };
    let parties = random.u8(2..4);
    text += &format!(
        "int main(void) {{ unsigned long t, u; pthread_barrier_init(&b, 0, {parties}); sem_init(&s, 0, 0); \
         sem_init(&r, 0, 1); sem_init(&box.inner, 0, 0); pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); \
         {first} {end} }}\n"
    );
    text
}

/// The machine after these units.
fn after<'p>(code: &'p Code<'p>, units: &[TakenUnit]) -> Machine<'p> {
    let mut machine = Machine::new(code);
    machine.max_steps = 100_000;
    for unit in units {
        let mut inputs = ListedInputs { inputs: unit.inputs.iter().copied().collect::<VecDeque<u64>>() };
        let taken = machine.take_unit(unit.turn.thread, unit.turn.spurious, &mut inputs);
        assert_eq!(taken, Unit::Ran, "the way to a failure can be gone again");
    }
    machine
}

#[test]
fn who_waits_for_good_never_goes_on() {
    let (mut told, mut with_others) = (0, 0);
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let read = unthread::read(&format!("seed {seed}"), text.clone(), DataModel::Lp64);
        let read = read.unwrap_or_else(|error| panic!("{}\n{text}", error.diagnostic.render(Some(&error.source))));
        let normalized = unthread::normalize(read.program);
        let code = Code::new(&normalized);
        let options = ExploreOptions { max_states: 3_000, max_threads: 5, ..ExploreOptions::default() };
        let found = explore(&code, &options);
        let deadlocks = found.failures.iter().filter(|(failure, _)| failure.kind == FailureKind::Deadlock);
        for (failure, units) in deadlocks {
            told += 1;
            let machine = after(&code, units);
            with_others += u32::from(machine.live_threads().len() > failure.stuck.len());
            for walk in 0..WALKS {
                let mut machine = machine.clone();
                let mut chooser = RandomChooser { random: fastrand::Rng::with_seed(seed * 1000 + walk as u64) };
                for _ in 0..UNITS {
                    let threads = machine.runnable_threads();
                    let Some(thread) = chooser.random.choice(&threads).copied() else { break };
                    let unit = machine.take_unit(thread, false, &mut chooser);
                    // Nobody keeps a lock here, so that no deadlock counts if the process can end.
                    let wrong = matches!(unit, Unit::Exit(_)) || unit == Unit::Ran && failure.stuck.contains(&thread);
                    assert!(!wrong, "seed {seed}: {failure:?}, but thread {thread}: {unit:?}\n{text}");
                    if !matches!(unit, Unit::Ran | Unit::Blocked { .. }) {
                        break;
                    }
                }
            }
        }
    }
    report(&format!("{told} deadlocks of {PROGRAMS} programs, {with_others} of them while others go on"));
    assert!(with_others > 20, "only {with_others} programs have threads that wait for good beside others");
}
