//! A swarm as a page for the browser: how long its instances took, and how soon how many workers find the bug
//! (verismart-2017, fig. 6). One file that needs nothing else.

use super::figures::{Figures, expected_by_workers};
use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;
const MARGIN: f64 = 40.0;
const BINS: usize = 24;
const MOST_WORKERS: u64 = 2000;

/// `times`: the seconds of every instance, and whether it has a bug.
pub fn render(file: &str, times: &[(f64, bool)], figures: &Figures) -> String {
    let name = file.replace('&', "&amp;").replace('<', "&lt;");
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>unthread swarm: {name}</title>\n<style>body \
         {{ font: 15px sans-serif; max-width: 700px; margin: 2em auto }} svg {{ width: 100% }} text {{ font-size: 11px }} \
         .none {{ fill: #9ab }} .bug {{ fill: #c33 }} .line {{ fill: none; stroke: #c33; stroke-width: 2 }} .axis {{ \
         stroke: #444 }}</style>\n<h1>{name}</h1>\n<p>{} instances: <b>{} with a bug</b>, {} without, {} not finished; \
         {:.1} s in all.</p>\n",
        figures.instances, figures.with_bug, figures.without_bug, figures.not_finished, figures.all_seconds
    );
    page += "<h2>Seconds of instances (red: with a bug)</h2>\n";
    page += &histogram(times);
    let curve = expected_by_workers(times, MOST_WORKERS);
    if !curve.is_empty() {
        page += "<h2>Seconds to the first bug, by the number of workers</h2>\n";
        page += &line(&curve);
    }
    page + "</html>\n"
}

/// Times grow by a factor from bin to bin.
fn histogram(times: &[(f64, bool)]) -> String {
    let (least, most) = times.iter().fold((f64::INFINITY, 1e-3f64), |(least, most), (seconds, _)| {
        (least.min(seconds.max(1e-3)), most.max(*seconds))
    });
    let (low, high) = (least.min(most).ln(), most.ln() + 1e-9);
    let mut bins = [(0usize, 0usize); BINS];
    for (seconds, bug) in times {
        let at = (seconds.max(1e-3).ln() - low) / (high - low).max(1e-9) * BINS as f64;
        let bin = &mut bins[(at as usize).min(BINS - 1)];
        if *bug { bin.1 += 1 } else { bin.0 += 1 }
    }
    let tallest = bins.iter().map(|(none, bug)| none + bug).max().unwrap_or(0).max(1) as f64;
    let (inner_width, inner_height) = (WIDTH - 2.0 * MARGIN, HEIGHT - 2.0 * MARGIN);
    let each = inner_width / BINS as f64;
    let mut out = svg_start();
    for (index, (none, bug)) in bins.iter().enumerate() {
        let x = MARGIN + index as f64 * each;
        let (none_height, bug_height) = (*none as f64 / tallest * inner_height, *bug as f64 / tallest * inner_height);
        let bottom = HEIGHT - MARGIN;
        for (class, height, y) in
            [("none", none_height, bottom - none_height), ("bug", bug_height, bottom - none_height - bug_height)]
        {
            let _ = writeln!(
                out,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\"/>",
                each - 1.0
            );
        }
    }
    axes(&mut out, (&format!("{least:.3} s"), &format!("{most:.3} s")), ("0", &format!("{tallest}")));
    out + "</svg>\n"
}

fn line(curve: &[(u64, f64)]) -> String {
    let highest = curve.iter().map(|(_, seconds)| *seconds).fold(1e-6, f64::max);
    let last = curve.last().map_or(1, |(workers, _)| *workers).max(2);
    let (inner_width, inner_height) = (WIDTH - 2.0 * MARGIN, HEIGHT - 2.0 * MARGIN);
    let point = |(workers, seconds): &(u64, f64)| {
        let x = MARGIN + (*workers as f64).ln() / (last as f64).ln() * inner_width;
        format!("{x:.1},{:.1}", HEIGHT - MARGIN - seconds / highest * inner_height)
    };
    let points: Vec<String> = curve.iter().map(point).collect();
    let mut out = svg_start();
    let _ = writeln!(out, "<polyline class=\"line\" points=\"{}\"/>", points.join(" "));
    axes(&mut out, ("1 worker", &format!("{last} workers")), ("0 s", &format!("{highest:.2} s")));
    out + "</svg>\n"
}

fn svg_start() -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\">\n")
}

fn axes(out: &mut String, (left, right): (&str, &str), (bottom, top): (&str, &str)) {
    let (end, low) = (WIDTH - MARGIN, HEIGHT - MARGIN);
    let _ = writeln!(out, "<line class=\"axis\" x1=\"{MARGIN}\" y1=\"{low}\" x2=\"{end}\" y2=\"{low}\"/>");
    let _ = writeln!(out, "<line class=\"axis\" x1=\"{MARGIN}\" y1=\"{MARGIN}\" x2=\"{MARGIN}\" y2=\"{low}\"/>");
    let _ = writeln!(out, "<text x=\"{MARGIN}\" y=\"{:.0}\">{left}</text>", low + 15.0);
    let _ = writeln!(out, "<text x=\"{end}\" y=\"{:.0}\" text-anchor=\"end\">{right}</text>", low + 15.0);
    let _ = writeln!(out, "<text x=\"{:.0}\" y=\"{low}\" text-anchor=\"end\">{bottom}</text>", MARGIN - 4.0);
    let _ = writeln!(out, "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{top}</text>", MARGIN - 4.0, MARGIN + 4.0);
}
