//! A sample of the inputs through the program itself.

use std::path::Path;
use std::time::{Duration, Instant};

use parlour::chance::{Seed, Stream};

use super::mutate::mutated;
use super::readers::{self, FILE, GAMES, Reader};
use super::{inputs, number};
use crate::cli::common::parlour;

/// Words of searches, which may take as long as their file says.
const SLOW: [&str; 8] =
    ["budget", "iterations", "mcts", "champion", "monte-carlo", "lookahead", "bayes", "expert"];

/// Arguments that make the program read such a file of a game.
fn arguments(reader: &str, game: usize, text: &str, chance: &mut Stream) -> Vec<String> {
    let file = &format!("./{FILE}");
    let (game, others) = match game {
        2 => (GAMES[2], "random random random random"),
        game => (GAMES[game], "random"),
    };
    let any =
        |of: &[String], chance: &mut Stream| of[chance.below(of.len() as u32) as usize].clone();
    let quick = "--deals 1 --threads 1";
    let line = match reader {
        "experiment" => format!("sample-size {file} --difference 0.1 --pilot 2 --threads 1"),
        "strategy" => format!("match {game} {file} {others} {quick}"),
        "rules" => format!("match {game} random {others} --variant {file} {quick}"),
        "case" => format!("science {file} --strategy random --threads 1"),
        "record" => any(
            &["verify", "replay", "replay --advise random", "replay --position 2"]
                .map(|command| format!("{command} {file}")),
            chance,
        ),
        "position" => {
            any(&["", " --json"].map(|how| format!("advise {file} --strategy random{how}")), chance)
        }
        _ => {
            let rest = match chance.below(2) {
                0 => vec!["show", text],
                _ => vec!["compare", "color == red", text],
            };
            return std::iter::once("rule").chain(rest).map(str::to_owned).collect();
        }
    };
    line.split(' ').map(str::to_owned).collect()
}

/// Runs the program on a file; what is wrong with how it ends.
fn ends(folder: &Path, arguments: &[String], is_file: bool) -> Option<String> {
    let began = Instant::now();
    let mut command = parlour(folder);
    let output = match command.args(arguments).output() {
        Ok(output) => output,
        // Some texts cannot be arguments.
        Err(_) => return None,
    };
    let said = String::from_utf8_lossy(&output.stderr);
    let wrong = |what: &str| Some(format!("{what}: {:?}: {said}", output.status));
    match output.status.code() {
        Some(0) => {}
        Some(1 | 2 | 130) if said.trim().is_empty() => return wrong("nothing is said"),
        // The command line names too few or too many.
        Some(2) if said.contains("seats and needs as many strategies") => {}
        Some(1 | 2 | 130) if is_file && !said.contains(FILE) => return wrong("no file"),
        Some(1 | 2 | 130) => {}
        _ => return wrong("its status"),
    }
    if said.contains("panicked") {
        return wrong("a panic");
    }
    if said.lines().count() > 12 {
        return wrong("more than one message");
    }
    // The machine may be busy with other tests.
    (began.elapsed() > Duration::from_secs(20)).then(|| format!("{:?}", began.elapsed()))
}

#[test]
fn the_program_ends_as_it_should() {
    let all: [Reader; 7] = [
        readers::experiments(),
        readers::strategies(),
        readers::rules(),
        readers::records(),
        readers::positions(),
        readers::cases(),
        readers::rule_language(),
    ];
    let seed = Seed::new(number("PARLOUR_FUZZ_SEED").unwrap_or(15)).named("program");
    let folder = tempfile::tempdir().unwrap();
    let mut faults = Vec::new();
    let count = inputs(20);
    for number in 0..count {
        let mut chance = seed.child(number).stream();
        let reader = &all[number as usize % all.len()];
        let is_quick = |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            !SLOW.iter().any(|word| text.contains(word))
        };
        let is_file = reader.name != "rule";
        let good: Vec<_> = reader.good.iter().filter(|(text, _)| is_quick(text)).collect();
        let mut any = || good[chance.below(good.len() as u32) as usize];
        let ((one, which), (other, _)) = (any(), any());
        let input = mutated(one, other, reader.form, &mut chance);
        let text = String::from_utf8_lossy(&input.bytes);
        if !is_file && text.len() > 50_000 {
            continue;
        }
        std::fs::write(folder.path().join(FILE), &input.bytes).unwrap();
        let arguments = arguments(reader.name, *which, &text, &mut chance);
        if let Some(wrong) = ends(folder.path(), &arguments, is_file) {
            let start = String::from_utf8_lossy(&input.bytes[..input.bytes.len().min(1500)]);
            faults.push(format!("input {number}: {arguments:?}: {wrong}\n{start}"));
        }
    }
    println!("program: {count} inputs");
    let all = faults.len();
    faults.truncate(8);
    assert!(faults.is_empty(), "{all} faults, the first ones:\n{}", faults.join("\n\n"));
}
