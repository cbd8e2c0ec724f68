//! The files of a result folder: finished chunks, manifest, tables.

use std::fs;
use std::path::Path;

use parlour::arena::{Experiment, LuckAdjusted, Plan};
use parlour::chance::Stream;
use parlour::error::Result;
use parlour::files::digest;
use parlour::game::ReplayView;
use parlour::games::{Games, eleusis::Eleusis, leapfrog::Leapfrog, leopard::Leopard};
use parlour::results::{Folder, IfExists, Run, merge};
use parlour::strategy::Strategic;
use tempfile::TempDir;

use super::mutate::Form;
use super::readers::{FILE, GAMES, Reader, number, with};

/// A small run of each game.
fn runs() -> Vec<TempDir> {
    fn run<G: Strategic>(variant: &str, names: &[&str], luck: bool) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let seats: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let experiment = Experiment {
            deals: 4,
            luck_adjusted: Some(LuckAdjusted::Switch(luck)),
            ..Experiment::of_match(G::NAME, variant, &seats)
        };
        let plan = Plan::<G>::resolve("fuzz", &experiment).unwrap();
        Run { folder: Some(folder.path()), threads: 1, ..Run::of(&plan, parlour::PROGRAM) }
            .go()
            .unwrap();
        folder
    }
    let players = ["random", "cautious", "random", "random"];
    vec![
        run::<Leopard>("revised", &["random", "greedy"], true),
        run::<Leapfrog>("murray-mini-4x4", &["random", "greedy"], false),
        run::<Eleusis>("express", &players, false),
    ]
}

/// Reads a folder in which a file is as it was changed, and puts the file back. What is wrong with
/// one file is said of this file, by the name that the others of this test have too.
fn reread(folder: &Path, file: &str, text: &str, chance: &mut Stream) -> Result<()> {
    let path = folder.join(file);
    let good = fs::read(&path).unwrap();
    fs::write(&path, text).unwrap();
    let manifest = folder.join("manifest.json");
    let was = fs::read(&manifest).unwrap();
    if file != "manifest.json" && chance.below(8) > 0 {
        let said = String::from_utf8(was.clone()).unwrap();
        fs::write(&manifest, said.replace(&digest(&good), &digest(text))).unwrap();
    }
    let read = read(folder, chance);
    fs::write(&path, good).unwrap();
    fs::write(&manifest, was).unwrap();
    read
}

fn read(folder: &Path, chance: &mut Stream) -> Result<()> {
    let mut read = || {
        let here = Folder::new(folder);
        let header = here.header()?;
        let game = number(&header.resolved.experiment.game);
        let game = game.map_err(|error| here.in_header(error))?;
        with!(game, G => {
            if chance.below(4) == 0 {
                let out = tempfile::tempdir().unwrap();
                let out = out.path().join("merged");
                merge(&[folder.to_owned()], &out, IfExists::Fail, true, &Games(parlour::PROGRAM))?;
            }
            let summary = here.read(&Games(parlour::PROGRAM), true)?.1;
            serde_json::to_string(&summary).unwrap();
            here.write_report(&header, &summary, ReplayView::read::<G>)
        })
    };
    // The fault names a file of this folder, or the folder; in the words of the other tests.
    let place = folder.display().to_string();
    read().map_err(|error| {
        let said = error.to_string();
        // What is missing from all folders is in no file of this one.
        let named = [&place, FILE, "missing from these folders"].iter().any(|n| said.contains(n));
        assert!(named, "no file: {said}");
        error.in_file(FILE)
    })
}

/// The files of all runs for which `is_it`, and their readers.
fn reader(
    name: &'static str,
    form: Form,
    share: u64,
    is_it: impl Fn(&str) -> bool,
    change: impl Fn(&str, &mut Stream) -> String + 'static,
) -> Reader {
    let runs = runs();
    let (mut good, mut places) = (Vec::new(), Vec::new());
    for (game, run) in runs.iter().enumerate() {
        assert!(run.path().join("manifest.json").exists(), "{}", GAMES[game]);
        let mut names: Vec<String> = fs::read_dir(run.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| is_it(name))
            .collect();
        names.sort();
        for name in names {
            good.push((fs::read(run.path().join(&name)).unwrap(), places.len()));
            places.push((game, name));
        }
    }
    let read = move |text: &str, which: usize, chance: &mut Stream| {
        let (game, file) = &places[which];
        reread(runs[*game].path(), file, &change(text, chance), chance)
    };
    Reader { name, form, share, good, read: Box::new(read) }
}

/// Seals the lines again, as far as they have the form, so that what is in them is looked at.
fn sealed(text: &str, chance: &mut Stream) -> String {
    let line = |line: &str| {
        let inner = line.strip_prefix("{\"body\":").and_then(|rest| rest.strip_suffix("\"}"));
        match inner.and_then(|inner| inner.rsplit_once(",\"check\":\"")) {
            Some((body, _)) => {
                format!("{{\"body\":{body},\"check\":\"{}\"}}", &digest(body)[..16])
            }
            None => line.to_owned(),
        }
    };
    match chance.below(6) {
        0 => text.to_owned(),
        _ => text.split('\n').map(line).collect::<Vec<_>>().join("\n"),
    }
}

pub fn progress() -> Reader {
    let is_it = |name: &str| name == "progress.jsonl";
    reader("progress", Form::Lines, 50, is_it, sealed)
}

pub fn manifests() -> Reader {
    let is_it = |name: &str| name == "manifest.json";
    reader("manifest", Form::Json, 25, is_it, |text, _| text.to_owned())
}

pub fn tables() -> Reader {
    reader("table", Form::Words, 25, |name| name.ends_with(".csv"), |text, _| text.to_owned())
}
