//! The page of a counterexample in a real browser: what it draws, where keys lead, that no text becomes markup.

use crate::support::{installed, project, run_limited, scratch, skipped, text, unthread};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use unthread::witness::document::read_trace;
use unthread::witness::page::render;
use unthread::witness::trace::{Step, Trace};

/// What the program under test finds in a C program. Tests run at the same time: each has its own name.
fn counterexample(program: &Path, name: &str, errors: &str) -> Trace {
    let json = scratch("page").join(format!("{name}.json"));
    let mut command = unthread();
    command.current_dir(project()).args(["check", "--no-replay", "--errors", errors, "--json"]).arg(&json).arg(program);
    let output = run_limited(&mut command, 120).unwrap_or_else(|| panic!("{command:?} hangs"));
    assert_eq!(output.status.code(), Some(1), "{command:?}: {}", text(&output.stderr));
    read_trace(&std::fs::read_to_string(&json).expect("the document was written"), 1).expect("it has a trace")
}

fn lost_update(name: &str) -> Trace {
    counterexample(Path::new("examples/lost_update.c"), name, "assertion")
}

/// A line that could end the script element, or begin a comment or an element, if it got into the page as it is.
const STRANGE_LINE: &str = r#"assert(counter == 2); /* </script><b>"bold"</b> <!-- <script> &lt; {{TRACE}} é 线 */"#;

fn strange(name: &str) -> Trace {
    let example = std::fs::read_to_string(project().join("examples/lost_update.c")).expect("there is the example");
    assert!(example.contains("assert(counter == 2);"));
    let file = scratch("page").join(format!("{name}.c"));
    std::fs::write(&file, example.replace("assert(counter == 2);", STRANGE_LINE)).expect("the program can be written");
    counterexample(&file, name, "assertion")
}

fn mattering(trace: &Trace) -> Vec<&Step> {
    trace.steps.iter().filter(|step| step.matters).collect()
}

/// The steps before which another thread ran, among those that are shown.
fn switches<'t>(shown: &[&'t Step]) -> Vec<&'t Step> {
    shown.windows(2).filter(|pair| pair[0].thread != pair[1].thread).map(|pair| pair[1]).collect()
}

fn write_page(name: &str, page: &str) -> PathBuf {
    let file = scratch("page").join(format!("{name}.html"));
    std::fs::write(&file, page).expect("the page can be written");
    file
}

/// Runs Chromium without a window on a page; its standard output.
fn browse(name: &str, page: &Path, args: &[&str]) -> String {
    let profile = scratch("page").join(format!("{name}.profile"));
    let _ = std::fs::remove_dir_all(&profile);
    let mut command = Command::new("chromium");
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    command.args(["--window-size=1280,800", "--virtual-time-budget=20000"]).args(args);
    command.arg(format!("--user-data-dir={}", profile.display())).arg(format!("file://{}", page.display()));
    let output = run_limited(&mut command, 90).unwrap_or_else(|| panic!("{command:?} hangs"));
    assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
    let _ = std::fs::remove_dir_all(&profile);
    text(&output.stdout)
}

/// Functions for the scripts that look at a page: they press keys and collect what they see.
const PROBE: &str = r#"
const seen = [];
addEventListener("error", event => seen.push("error: " + event.message));
const count = selector => document.querySelectorAll(selector).length;
const textOf = selector => document.querySelector(selector)?.textContent ?? null;
const press = (...keys) => {
  for (const key of keys) document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
};
const at = () => {
  const box = document.querySelector(".box.active"), line = document.querySelector(".source-line.active");
  return [count(".box.active"), count("[aria-current=step]"), Number(box.dataset.step ?? -1), Number(line.dataset.line)];
};
const finish = () => {
  const note = document.createElement("p");
  note.id = "seen";
  note.setAttribute("data-seen", JSON.stringify(seen));
  document.body.append(note);
};
"#;

/// What a script sees in the page of a trace; `None` without a browser.
fn seen(name: &str, trace: &Trace, script: &str) -> Option<Vec<Value>> {
    if !installed("chromium") {
        skipped(&format!("the page of {name} in a browser"), "chromium is not installed");
        return None;
    }
    let page = render(trace);
    let end = page.rfind("</body>").expect("the page has a body");
    let probed = format!("{}<script>{PROBE}{script}</script>{}", &page[..end], &page[end..]);
    let dump = browse(name, &write_page(&format!("{name}.probed"), &probed), &["--dump-dom"]);
    let attribute = "<p id=\"seen\" data-seen=\"";
    let start = dump.rfind(attribute).unwrap_or_else(|| panic!("the script did not finish: {dump}")) + attribute.len();
    let value = &dump[start..start + dump[start..].find('"').expect("the attribute ends")];
    let json = value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    Some(serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}")))
}

/// The active step and its line, as `at()` tells them: exactly one box, which also says so to screen readers.
fn at(step: &Step) -> Value {
    serde_json::json!([1, 1, step.number, step.place.line])
}

/// The trace that stands in a page.
#[track_caller]
fn trace_in(page: &str) -> &str {
    let (_, rest) = page.split_once("id=\"trace\">").expect("the page has a place for the trace");
    rest.split_once("</script>").expect("the script element ends").0
}

#[test]
fn nothing_in_a_source_file_ends_the_script() {
    let trace = strange("escaped");
    let page = render(&trace);
    let json = trace_in(&page);
    assert!(!json.contains('<'));
    assert_eq!(serde_json::from_str::<Trace>(json).expect("it is the trace"), trace);
    assert!(trace.sources[0].text.contains(STRANGE_LINE), "the line is not in the trace");
    assert!(page.trim_end().ends_with("</html>"), "the rest of the template follows");
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let page = render(&lost_update("offline"));
    for way in ["src=", "@import", "url(", "fetch(", "innerHTML", "https://"] {
        assert!(!page.contains(way), "{way} is in the page");
    }
}

#[test]
fn the_page_shows_the_execution_and_keys_step_through_it() {
    let trace = lost_update("keys");
    let shown = mattering(&trace);
    let all: Vec<&Step> = trace.steps.iter().collect();
    let writes: Vec<usize> =
        all.iter().filter(|step| step.accesses.iter().any(|access| access.write)).map(|step| step.number).collect();
    let (first, second) = (writes[0], writes[1]);
    let script = r##"
        seen.push(textOf("#failure"), textOf("#story"));
        seen.push(["#threads .thread", ".step", ".switch", ".switch path.head", ".failing.step"].map(count));
        seen.push(at());
        press("ArrowDown", "j"); seen.push(at());
        press("ArrowUp"); seen.push(at());
        press("k", "k", "k"); seen.push(at());
        press("n"); seen.push(at());
        press("n"); seen.push(at());
        press("p"); seen.push(at());
        press("End"); seen.push(at());
        seen.push(document.querySelector(".active").classList.contains("failing"));
        seen.push(textOf("[data-variable=counter] .value"));
        press("f"); seen.push([count(".step"), count(".switch")], at());
        press("Home"); seen.push(at());
        press("f"); seen.push(count(".step"));
        document.querySelector(".step[data-step='SECOND']").click();
        seen.push(at()[2], textOf("[data-variable=counter] .when"), textOf("#step-details tbody"));
        seen.push([...document.querySelectorAll(".source-line .chip")].map(chip =>
            [Number(chip.textContent), Number(chip.closest(".source-line").dataset.line)]));
        press("?"); seen.push(document.getElementById("help").open);
        press("j"); seen.push(at()[2]);
        press("?"); seen.push(document.getElementById("help").open);
        document.querySelector("#story [data-goes-to='FIRST']").click(); seen.push(at()[2]);
        finish();
    "##;
    let script = script.replace("FIRST", &first.to_string()).replace("SECOND", &second.to_string());
    let Some(seen) = seen("keys", &trace, &script) else { return };
    let mut seen = seen.into_iter();
    let mut next = || seen.next().expect("the script saw more");
    let failure = "Assertion failed at examples/lost_update.c:19 in thread 0 (main): counter == 2";
    assert_eq!(next(), failure);
    assert_eq!(next(), trace.story.join(" "));
    let switched = switches(&shown);
    assert_eq!(next(), serde_json::json!([3, shown.len(), switched.len(), switched.len(), 1]));
    assert_eq!(next(), at(shown[0]), "at first");
    assert_eq!(next(), at(shown[2]), "two steps on");
    assert_eq!(next(), at(shown[1]), "one step back");
    assert_eq!(next(), at(shown[0]), "not beyond the first");
    assert_eq!(next(), at(switched[0]), "the first switch");
    assert_eq!(next(), at(switched[1]), "the second switch");
    assert_eq!(next(), at(switched[0]), "the switch before");
    assert_eq!(next(), at(shown[shown.len() - 1]), "the last step");
    assert_eq!(next(), true, "it fails");
    assert_eq!(next(), "1", "the counter at the end");
    assert_eq!(next(), serde_json::json!([all.len(), switches(&all).len()]));
    assert_eq!(next(), at(all[all.len() - 1]), "the last step stays active");
    assert_eq!(next(), at(all[0]), "the first of all");
    assert_eq!(next(), shown.len());
    assert_eq!((next(), next()), (second.into(), "written in this step".into()), "a click");
    assert_eq!(next(), "writescounter1int", "with its type");
    assert_eq!(next(), serde_json::json!([[2, 9], [0, 16]]), "thread 1 has ended, the others are somewhere");
    assert_eq!((next(), next(), next()), (true.into(), second.into(), false.into()), "no key moves behind the help");
    assert_eq!(next(), first, "the story leads to its steps");
    assert_eq!(seen.next(), None, "an error in the page");
}

#[test]
fn strange_lines_are_shown_as_they_are() {
    let trace = strange("strange");
    let script = r##"
        press("End");
        seen.push(textOf(".step.active .text"), textOf(".source-line.active .text").trim());
        seen.push(count("script"), count(".text b"), document.querySelector("main").parentElement === document.body);
        finish();
    "##;
    let Some(seen) = seen("strange", &trace, script) else { return };
    // The two scripts of the page, and the one that looks.
    assert_eq!(Value::from(seen), serde_json::json!([STRANGE_LINE, STRANGE_LINE, 3, 0, true]));
}

#[test]
fn a_deadlock_shows_who_waits_and_who_holds() {
    let trace = counterexample(Path::new("examples/deadlock.c"), "deadlock", "deadlock");
    let script = r##"
        seen.push([count(".wait.failing"), count(".step.failing"), count(".bar.begins")]);
        press("End"); seen.push(at());
        seen.push([...document.querySelectorAll(".wait")].map(box => Number(box.dataset.line)));
        seen.push(textOf(".wait[data-thread='1']"), textOf("#locks"));
        const note = document.querySelector(".step .notes .locks");
        // Scrolling hides the tooltip, and the keys have just scrolled: a slow machine is still at it.
        const look = tries => {
            note.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
            setTimeout(() => {
                const tooltip = textOf("#tooltip:not([hidden])");
                if (tooltip === null && tries > 0) return look(tries - 1);
                seen.push(tooltip);
                finish();
            }, 400);
        };
        look(40);
    "##;
    let Some(seen) = seen("deadlock", &trace, script) else { return };
    assert_eq!(seen[0], serde_json::json!([3, 0, 2]));
    assert_eq!(seen[1], serde_json::json!([1, 1, -1, 15]));
    assert_eq!(seen[2], serde_json::json!([36, 15, 15]));
    let waits = seen[3].as_str().expect("a text");
    for words in ["pthread_mutex_lock(&to->lock);", "waits for bob.lock", "which thread 2 (to_alice) holds"] {
        assert!(waits.contains(words), "{words:?} is missing in {waits:?}");
    }
    let held = ["alice.lock is held by thread 1 (to_bob)", "bob.lock is held by thread 2 (to_alice)"];
    let locks = seen[4].as_str().expect("a text");
    assert!(held.iter().all(|words| locks.contains(words)), "{locks:?}");
    // Who locks first is the solver's choice.
    let first = seen[5].as_str().expect("a text");
    assert!(held.iter().any(|words| first.contains(words)), "{first:?}");
}

/// Twenty threads that take turns for 5000 steps, in a file that cannot be read.
fn long_trace() -> Trace {
    let mut trace = lost_update("long");
    let step = trace.steps.iter().find(|step| !step.accesses.is_empty()).expect("a step that reads").clone();
    let thread = trace.threads[1].clone();
    for number in trace.threads.len()..20 {
        let mut thread = thread.clone();
        thread.number = number;
        trace.threads.push(thread);
    }
    trace.steps = (1..=5000)
        .map(|number| {
            let mut step = step.clone();
            (step.number, step.thread, step.switch) = (number, number / 3 % 20, number % 3 == 0);
            step.place.line = number as u32 % 500 + 1;
            step.text = format!("{}();", "long_name_".repeat(number % 40 + 1));
            step
        })
        .collect();
    trace.sources.clear();
    trace
}

#[test]
fn long_executions_of_many_threads_are_drawn() {
    let trace = long_trace();
    // After a change of the width, arrows are drawn again, but not before the next frame.
    let script = r##"
        seen.push([count("#threads .thread"), count(".step"), count(".switch")]);
        press("j", "j", "j", "n", "n"); seen.push(at());
        press("End"); seen.push(at());
        seen.push(textOf(".source-line.active .text") === textOf(".step.active .text"));
        const boxes = [...document.querySelectorAll(".step")].slice(-20);
        seen.push(boxes.every(box => box.scrollWidth <= box.clientWidth));
        const active = document.querySelector(".step.active").getBoundingClientRect();
        const frame = document.getElementById("diagram").getBoundingClientRect();
        seen.push(active.bottom <= frame.bottom && active.top >= frame.top);
        const narrow = document.querySelector(".switch path").getAttribute("d");
        document.getElementById("diagram").style.width = "9000px";
        setTimeout(() => {
            seen.push(document.querySelector(".switch path").getAttribute("d") !== narrow);
            finish();
        }, 500);
    "##;
    let Some(seen) = seen("long", &trace, script) else { return };
    let steps: Vec<&Step> = trace.steps.iter().collect();
    let switched = switches(&steps);
    let expected =
        serde_json::json!([[20, 5000, switched.len()], at(switched[2]), at(steps[4999]), true, true, true, true]);
    assert_eq!(Value::from(seen), expected);
}

#[test]
fn the_page_is_painted() {
    if !installed("chromium") {
        skipped("a picture of the page", "chromium is not installed");
        return;
    }
    let page = write_page("painted", &render(&lost_update("painted")));
    let picture = |name: &str, scheme: &str| {
        let file = scratch("page").join(name);
        let _ = std::fs::remove_file(&file);
        browse(name, &page, &[&format!("--screenshot={}", file.display()), scheme]);
        std::fs::read(&file).expect("the picture was written")
    };
    // Blink's numbers of the colour schemes.
    let dark = picture("dark.png", "--blink-settings=preferredColorScheme=0");
    let light = picture("light.png", "--blink-settings=preferredColorScheme=1");
    for picture in [&dark, &light] {
        assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n"), "no picture");
        assert_eq!(&picture[16..24], [0, 0, 5, 0, 0, 0, 3, 32], "1280 by 800 pixels");
        // An empty page of this size has less than a tenth of that.
        assert!(picture.len() > 30_000, "only {} bytes", picture.len());
    }
    assert!(dark != light, "the colour scheme makes no difference");
}
