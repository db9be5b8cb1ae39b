//! Swarms as processes: whatever is killed, damaged or done twice, the answer and the number of instances are those of
//! an undisturbed run.

use crate::support::{installed, project, report, run_limited, says, scratch, skipped, text, unthread};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn run(args: &[&str]) -> Output {
    run_limited(unthread().args(args), 120).unwrap_or_else(|| panic!("unthread {args:?} hangs"))
}

/// Without error within the bounds, with enough steps for many instances.
const SAFE: &str = "#include <pthread.h>\n#include <assert.h>\nint x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
    void *t(void *a) { for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); x++; y++; assert(x == y); \
    pthread_mutex_unlock(&m); } return 0; }\nint main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); \
    pthread_create(&b, 0, t, 0); pthread_join(a, 0); pthread_join(b, 0); assert(x == 4); return 0; }\n";

/// Its parts take more than 20 megabytes.
const LARGE: &str = "#include <pthread.h>\n#include <assert.h>\nint x, y;\n\
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nvoid *t(void *a) { for (int i = 0; i < 80; i++) { \
    pthread_mutex_lock(&m); x += i * y; y++; pthread_mutex_unlock(&m); } return 0; }\nint main(void) { pthread_t a, b; \
    pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); pthread_join(a, 0); pthread_join(b, 0); \
    assert(y == 160 || x == -1); return 0; }\n";

fn program(name: &str, content: &str) -> String {
    let path = scratch("swarm").join(name);
    std::fs::write(&path, content).expect("the file can be written");
    path.to_string_lossy().into_owned()
}

/// A new folder with a plan, and the number of its instances.
fn planned(name: &str, content: &str, more: &[&str]) -> (PathBuf, u64) {
    let folder = scratch("swarm").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let file = program(&format!("{name}.c"), content);
    let path = folder.to_string_lossy().into_owned();
    let args = [&["swarm", "--rounds", "3", "--plan", &path], more, &[&file]].concat();
    let output = run(&args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let count = said.split_whitespace().next().and_then(|word| word.parse().ok());
    (folder, count.unwrap_or_else(|| panic!("no number in: {said}")))
}

/// The verdict of a plan, and how many instances have a result.
fn finished(folder: &Path, more: &[&str]) -> (String, String) {
    let path = folder.to_string_lossy();
    let output = run(&[&["swarm", "--resume"], more, &[&path]].concat());
    let said = text(&output.stdout);
    let verdict = said.lines().last().unwrap_or_default().to_owned();
    let done = said.lines().find(|line| line.contains("instances done")).unwrap_or_default().to_owned();
    assert!(!text(&output.stderr).contains("bug in unthread"), "{}", text(&output.stderr));
    (verdict, done)
}

#[track_caller]
fn complete(folder: &Path, count: u64) {
    let (verdict, done) = finished(folder, &[]);
    assert_eq!(verdict, "Verdict: no-bug", "{done}");
    assert!(done.starts_with(&format!("{count} of {count} instances done")), "{done}");
    assert!(done.contains("100.0% of the interleavings covered"), "{done}");
}

fn results(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder.join("results"));
    files.map_or_else(|_| Vec::new(), |files| files.flatten().map(|file| file.path()).collect())
}

#[test]
fn a_partition_without_bug_is_complete() {
    let (folder, count) = planned("whole", SAFE, &[]);
    assert!(count > 50, "{count}");
    complete(&folder, count);
    // Once more: nothing is left to do.
    complete(&folder, count);
    let status = run(&["swarm", "--status", &folder.to_string_lossy()]);
    assert!(says(&text(&status.stdout), "100.0% of the interleavings covered"), "{}", text(&status.stdout));
}

#[test]
fn what_is_not_finished_is_divided() {
    let (folder, count) = planned("divided", SAFE, &["--conflicts", "1", "--instances", "6"]);
    let (verdict, done) = finished(&folder, &[]);
    assert_eq!(verdict, "Verdict: no-bug", "{done}");
    assert!(done.contains("not finished in their budget") && done.contains("100.0%"), "{done}");
    assert!(!done.starts_with(&format!("{count} of {count} ")), "{done}");
    // Two controllers divide the same instances.
    let (other, _) = planned("divided_by_two", SAFE, &["--conflicts", "1", "--instances", "6"]);
    let mut two = [controller(&other), controller(&other)];
    for running in &mut two {
        assert_eq!(running.wait().expect("it ends").code(), Some(0));
    }
    assert_eq!(finished(&other, &[]), (verdict, done));
    // A wave with an instance less is none.
    let wave = std::fs::read_to_string(other.join("wave-1")).expect("there is a second wave");
    let (less, _) = wave.rsplit_once(",{").expect("several instances");
    std::fs::write(other.join("wave-1"), format!("{less}]\n")).expect("it can be written");
    let output = run(&["swarm", "--resume", "--no-replay", &other.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(says(&text(&output.stderr), "is damaged"), "{}", text(&output.stderr));
    // Without one of the waves, it is done again.
    std::fs::remove_file(other.join("wave-1")).expect("there is a second wave");
    assert_eq!(finished(&other, &[]).0, "Verdict: no-bug");
}

#[test]
fn a_bug_ends_the_swarm_and_is_told_and_replayed() {
    let file = project().join("examples/lost_update.c");
    let json = scratch("swarm").join("bug.json");
    let html = scratch("swarm").join("bug.html");
    let (json_path, html_path) = (json.to_string_lossy().into_owned(), html.to_string_lossy().into_owned());
    let args = ["swarm", "--errors", "assertion", "--json", &json_path, "--html", &html_path];
    let output = run(&[&args[..], &[&file.to_string_lossy()]].concat());
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    assert!(says(&said, "assertion failed in thread 0 (main): counter == 2"), "{said}");
    assert!(says(&said, "Replayed with real threads: it fails in the same way"), "{said}");
    assert_eq!(said.lines().last(), Some("Verdict: bug"));
    let page = std::fs::read_to_string(&html).expect("the page is written");
    assert!(page.contains("<svg") && page.contains("Seconds to the first bug"), "{page}");
    // What it wrote can be replayed.
    let replayed = run(&["replay", &file.to_string_lossy(), &json_path]);
    assert_eq!(replayed.status.code(), Some(1), "{}", text(&replayed.stderr));
}

#[test]
fn tiles_say_nothing_of_other_interleavings() {
    let file = program("tiles.c", SAFE);
    let args = ["swarm", "--tiles", "3", "--selections", "1", "--instances", "20", &file];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert!(says(&text(&output.stdout), "tiles that are chosen at random are a part"), "{}", text(&output.stdout));
    let lost = project().join("examples/lost_update.c");
    let found = run(&["swarm", "--errors", "assertion", "--tiles", "2", "--no-replay", &lost.to_string_lossy()]);
    assert_eq!(found.status.code(), Some(1), "{}", text(&found.stdout));
}

#[test]
fn damaged_and_foreign_results_count_for_nothing() {
    let (folder, count) = planned("damaged", SAFE, &[]);
    complete(&folder, count);
    let files = results(&folder);
    let first = std::fs::read_to_string(&files[0]).expect("it can be read");
    std::fs::write(&files[0], &first[..first.len() / 2]).expect("it can be written");
    if let Some(second) = files.get(1) {
        let text = std::fs::read_to_string(second).expect("it can be read").replace("no_bug", "unknown");
        std::fs::write(second, text).expect("it can be written");
    }
    std::fs::write(folder.join("results/0-0-0-x"), "nonsense").expect("it can be written");
    let (verdict, done) = finished(&folder, &[]);
    assert_eq!(verdict, "Verdict: no-bug", "{done}");
    assert!(done.starts_with(&format!("{count} of {count} ")) && done.contains("damaged results"), "{done}");
}

/// A result that claims a bug is believed only if its execution fails here.
#[test]
fn a_claimed_bug_that_does_not_fail_is_no_verdict() {
    let lost = std::fs::read_to_string(project().join("examples/lost_update.c")).expect("it can be read");
    let (folder, _) = planned("claimed", &lost, &["--errors", "assertion"]);
    assert_eq!(finished(&folder, &["--no-replay"]).0, "Verdict: bug");
    let mut changed = 0;
    for file in results(&folder) {
        let whole = std::fs::read_to_string(&file).expect("it can be read");
        let (_, text) = whole.split_once('\n').expect("a checksum comes first");
        let mut batch: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
        for done in batch["done"].as_array_mut().expect("a list").iter_mut().filter(|done| !done["trace"].is_null()) {
            done["trace"]["replay"]["units"].as_array_mut().expect("a list").truncate(1);
            changed += 1;
        }
        let text = batch.to_string();
        let sum = unthread::swarm::results::checksum(&text);
        std::fs::write(&file, format!("{sum:016x}\n{text}\n")).expect("it can be written");
    }
    assert!(changed > 0);
    let output = run(&["swarm", "--resume", "--no-replay", &folder.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(3), "{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().last(), Some("Verdict: unknown"));
}

#[test]
fn plans_of_other_versions_and_wrong_folders_are_refused() {
    let (folder, _) = planned("version", SAFE, &[]);
    let plan = folder.join("plan.json");
    let written = std::fs::read_to_string(&plan).expect("it can be read");
    let version = format!("\"unthread\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(written.contains(&version), "{written}");
    std::fs::write(&plan, written.replace(&version, "\"unthread\": \"0.0.9\"")).expect("it can be written");
    let path = folder.to_string_lossy().into_owned();
    let refused = |args: &[&str], words: &str| {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(says(&text(&output.stderr), words), "{args:?}: {}", text(&output.stderr));
    };
    refused(&["worker", &path, "--index", "0"], "made by another version of unthread (0.0.9)");
    refused(&["swarm", "--resume", &path], "made by another version of unthread");
    // Fewer rounds, or other cells: the instances would not be all interleavings.
    for (field, other) in [("\"rounds\": ", "\"rounds\": 1"), ("\"steps\": [", "\"steps\": [\n 7,")] {
        std::fs::write(&plan, written.replacen(field, other, 1)).expect("it can be written");
        refused(&["worker", &path, "--index", "0"], "was changed");
    }
    std::fs::write(&plan, &written[..written.len() / 2]).expect("it can be written");
    refused(&["swarm", "--status", &path], "is damaged");
    std::fs::write(&plan, &written).expect("it can be written");
    refused(&["worker", &path, "--index", "100000"], "wave 0 has the instances 0 to");
    refused(&["worker", &path, "--index", "0", "--wave", "7"], "has no wave 7");
    refused(&["swarm", "--resume", "no/such/folder"], "has no plan");
    let file = program("again.c", SAFE);
    refused(&["swarm", "--plan", &path, &file], "has a plan already");
}

/// Starts a swarm in the background.
fn controller(folder: &Path) -> Child {
    let mut command = unthread();
    command.args(["swarm", "--resume"]).arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it can be started")
}

/// The processes of workers of a folder.
fn workers(folder: &Path) -> Vec<String> {
    let mark = folder.to_string_lossy().into_owned();
    let processes = std::fs::read_dir("/proc").expect("there is /proc").flatten();
    let is_worker = |pid: &String| {
        let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.contains("worker") && line.contains(&mark)
    };
    let pids = processes.map(|process| process.file_name().to_string_lossy().into_owned());
    pids.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit())).filter(is_worker).collect()
}

fn kill(pid: &str) {
    let _ = Command::new("kill").args(["-9", pid]).status();
}

#[test]
fn killed_workers_and_controllers_change_nothing() {
    let (folder, count) = planned("killed", SAFE, &["--instances", "1000"]);
    assert!(count > 500, "{count}");
    let mut random = fastrand::Rng::with_seed(7);
    // Workers die, then the controller; then two of them go on at the same time.
    for _ in 0..3 {
        let mut running = controller(&folder);
        let until = Instant::now() + Duration::from_millis(random.u64(300..700));
        while Instant::now() < until {
            std::thread::sleep(Duration::from_millis(30));
            let all = workers(&folder);
            if !all.is_empty() && random.bool() {
                kill(&all[random.usize(..all.len())]);
            }
        }
        kill(&running.id().to_string());
        let _ = running.wait();
    }
    // Workers end when their controller has: they are nobody's.
    let patience = Instant::now() + Duration::from_secs(10);
    while !workers(&folder).is_empty() {
        assert!(Instant::now() < patience, "workers stay behind: {:?}", workers(&folder));
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut two = [controller(&folder), controller(&folder)];
    for running in &mut two {
        assert_eq!(running.wait().expect("it ends").code(), Some(0));
    }
    complete(&folder, count);
}

/// The disk is full for a while: no answer, and the reason; with room again it goes on, and nothing is lost.
#[test]
fn a_full_disk_gives_no_answer() {
    let home = scratch("swarm").join("small_disk");
    let _ = Command::new("umount").arg(&home).stderr(Stdio::null()).status();
    std::fs::create_dir_all(&home).expect("it can be created");
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(&home).output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        return skipped("a swarm on a full disk", "a small file system cannot be mounted");
    }
    let folder = home.join("plan");
    let path = folder.to_string_lossy().into_owned();
    let program = project().join("examples/lost_update_fixed.c").to_string_lossy().into_owned();
    let planned = run(&["swarm", &program, "--plan", &path, "--instances", "20"]);
    let full = home.join("full");
    // As much as there is room for.
    let _ = std::fs::write(&full, vec![1; 1 << 20]);
    let early = run(&["swarm", "--resume", &path]);
    let _ = std::fs::remove_file(&full);
    let late = run(&["swarm", "--resume", &path]);
    let _ = Command::new("umount").arg(&home).status();
    assert_eq!(planned.status.code(), Some(0), "{}", text(&planned.stderr));
    assert_eq!(early.status.code(), Some(3), "{}{}", text(&early.stdout), text(&early.stderr));
    assert!(says(&text(&early.stdout), "cannot write results to"), "{}", text(&early.stdout));
    assert!(says(&text(&early.stdout), "No space left"), "{}", text(&early.stdout));
    assert_eq!(late.status.code(), Some(0), "{}{}", text(&late.stdout), text(&late.stderr));
}

/// Results cannot be written: no answer, and the reason.
#[test]
fn a_folder_without_results_gives_no_answer() {
    let (folder, _) = planned("full", SAFE, &[]);
    // A file where the folder of the results should be.
    std::fs::write(folder.join("results"), "").expect("it can be written");
    let output = run(&["swarm", "--resume", &folder.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
    assert!(says(&text(&output.stdout), "the workers end without results"), "{}", text(&output.stdout));
    assert!(says(&text(&output.stdout), "cannot write results to"), "{}", text(&output.stdout));
    std::fs::remove_file(folder.join("results")).expect("it can be removed");
    assert_eq!(finished(&folder, &[]).0, "Verdict: no-bug");
}

/// The sequential program of an instance fails if and only if the instance does.
#[test]
fn verifiers_do_instances() {
    if !installed("cbmc") {
        return skipped("instances by CBMC", "it is not installed");
    }
    let lost = project().join("examples/lost_update.c").to_string_lossy().into_owned();
    let fixed = project().join("examples/lost_update_fixed.c").to_string_lossy().into_owned();
    let options = ["swarm", "--backend", "cbmc", "--rounds", "3", "--instances", "4", "--no-replay"];
    let bug = run(&[&options[..], &[&lost]].concat());
    assert_eq!(bug.status.code(), Some(1), "{}{}", text(&bug.stdout), text(&bug.stderr));
    let none = run(&[&options[..], &[&fixed]].concat());
    assert_eq!(none.status.code(), Some(0), "{}{}", text(&none.stdout), text(&none.stderr));
    // Thread 1 has done all of it in the first round: nothing is lost. Thread 1 has read in it, and not written: it is.
    let decided = |limits: &[&str]| {
        let output = scratch("swarm").join("part.c");
        let path = output.to_string_lossy().into_owned();
        let restrict: Vec<&str> = limits.iter().flat_map(|limits| ["--restrict", limits]).collect();
        let written = run(&[&["seq", "--rounds", "3", "-o", &path], &restrict[..], &[&lost]].concat());
        assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
        let said = run_limited(Command::new("cbmc").arg(&path), 60).expect("it ends");
        text(&said.stdout).contains("VERIFICATION FAILED")
    };
    assert!(decided(&[]));
    assert!(!decided(&["1:0:2-2"]));
    assert!(decided(&["1:0:1-1"]));
    // Tiles: with all of them chosen it fails, and without any that matters it does not.
    let tiles = |size: &str, selections: &str, instance: &str| {
        let output = scratch("swarm").join("tiles.c");
        let path = output.to_string_lossy().into_owned();
        let random = ["--tiles", size, "--selections", selections, "--instance", instance];
        let written = run(&[&["seq", "--rounds", "3", "-o", &path], &random[..], &[&lost]].concat());
        assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
        let said = run_limited(Command::new("cbmc").arg(&path), 60).expect("it ends");
        text(&said.stdout).contains("VERIFICATION FAILED")
    };
    assert!(tiles("1", "100", "0"));
    let some: Vec<bool> = (0..8).map(|instance| tiles("1", "1", &instance.to_string())).collect();
    assert!(some.contains(&true) && some.contains(&false), "{some:?}");
    let by_tiles = run(&[&options[..], &["--tiles", "1", "--seed", "3", &lost]].concat());
    assert_eq!(by_tiles.status.code(), Some(1), "{}{}", text(&by_tiles.stdout), text(&by_tiles.stderr));
    let refused = run(&["seq", "--restrict", "9:0:0-1", &lost]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
}

#[test]
fn gnu_parallel_does_a_plan() {
    if !installed("parallel") {
        return skipped("instances by GNU parallel", "it is not installed");
    }
    let (folder, count) = planned("parallel", SAFE, &["--instances", "20"]);
    let path = folder.to_string_lossy().into_owned();
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_unthread");
    let line = format!(
        "seq 0 {} | parallel --will-cite --joblog {path}/joblog --resume {program} worker {path} --index {{}}",
        count - 1
    );
    let output = run_limited(command.args(["-c", &line]), 120).expect("it ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let status = run(&["swarm", "--status", &path]);
    assert!(says(&text(&status.stdout), &format!("{count} of {count} instances done")), "{}", text(&status.stdout));
    complete(&folder, count);
}

/// Real Slurm, where it can be started: jobs are cancelled and requeued while they run.
#[test]
fn slurm_does_a_plan() {
    let tool = project().join("../shared/tools/one-node-slurm");
    if !tool.exists() || !installed("sbatch") {
        return skipped("instances by Slurm", "it is not installed, or there is no way to start it here");
    }
    let home = scratch("swarm").join("slurm");
    // Jobs of an earlier run that was cut off would be begun again.
    let _ = run_limited(Command::new(&tool).arg("stop").arg(&home), 30);
    let _ = std::fs::remove_dir_all(&home);
    let started = run_limited(Command::new(&tool).arg("start").arg(&home), 60);
    let Some(conf) = started.filter(|started| started.status.success()).map(|started| text(&started.stdout)) else {
        return skipped("instances by Slurm", "it does not start");
    };
    let conf = conf.trim().to_owned();
    let (folder, count) = planned("by_slurm", SAFE, &["--instances", "12"]);
    let mut command = unthread();
    command.args(["swarm", "--resume", "--cluster", "slurm", "--memory", "500"]).arg(&folder).env("SLURM_CONF", &conf);
    let mut running = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it can be started");
    let slurm = |name: &str, args: &[&str]| {
        let output = Command::new(name).args(args).env("SLURM_CONF", &conf).output().expect("it can be started");
        text(&output.stdout)
    };
    // Some that run are put back into the queue, and one is cancelled: it is submitted again.
    let mut disturbed = 0;
    let until = Instant::now() + Duration::from_secs(20);
    while disturbed < 3 && Instant::now() < until && running.try_wait().expect("it can be asked").is_none() {
        let jobs = slurm("squeue", &["--noheader", "--array", "--states=RUNNING", "--format=%i"]);
        if let Some(job) = jobs.lines().next() {
            let job = job.trim();
            match disturbed {
                1 => slurm("scancel", &[job]),
                _ => slurm("scontrol", &["requeue", job]),
            };
            disturbed += 1;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let patience = Instant::now() + Duration::from_secs(240);
    let status = loop {
        if let Some(status) = running.try_wait().expect("it can be asked") {
            break Some(status);
        }
        if Instant::now() > patience {
            let _ = running.kill();
            break None;
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    // So little memory that nothing can be done with it: there is more in every wave.
    let (tight, _) = planned("tight", LARGE, &["--instances", "2", "--unwind-max", "301", "--errors", "assertion"]);
    let mut command = unthread();
    command.args(["swarm", "--resume", "--cluster", "slurm", "--memory", "16"]).arg(&tight).env("SLURM_CONF", &conf);
    let with_more = run_limited(&mut command, 400);
    let _ = run_limited(Command::new(&tool).arg("stop").arg(&home), 30);
    let with_more = with_more.expect("it ends");
    assert_eq!(with_more.status.code(), Some(0), "{}{}", text(&with_more.stdout), text(&with_more.stderr));
    let files = std::fs::read_dir(tight.join("results")).expect("there are results").flatten();
    let results: Vec<String> = files.filter_map(|file| std::fs::read_to_string(file.path()).ok()).collect();
    // Not even the formula was begun, so that a part of it would have found too little as well.
    let short =
        |text: &String| text.contains("more than 15 MB of memory are needed") && text.contains("\"clauses\":0,");
    assert!(results.iter().any(short), "memory was enough from the beginning: {results:?}");
    assert_eq!(status.and_then(|status| status.code()), Some(0), "the swarm does not end as it should");
    report(&format!("{count} instances by Slurm, {disturbed} jobs disturbed"));
    complete(&folder, count);
}
