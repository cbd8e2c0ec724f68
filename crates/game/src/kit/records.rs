//! Conformance tests of records, and golden transcripts.

use std::collections::BTreeSet;
use std::path::Path;

use super::random_hand;
use crate::{Label, Recorded, Turn};
use parlour_base::chance::Seed;

/// The record of a random hand and its moves.
fn random_record<G: Recorded>(
    game: &G,
    variant: &str,
    (deal, seed): (u64, u64),
    [start, choice]: [Seed; 2],
) -> (G::Record, Vec<G::Move>) {
    let (start, mut moves) = (start.stream(), Vec::new());
    let end = random_hand(game, &start, choice, |_, mv| moves.push(mv));
    let seats = vec!["random".to_owned(); game.seats()];
    let label = Label { variant: variant.to_owned(), deal, hand: 0, rotation: 0, seed, seats };
    (game.record(&label, start, &moves, &end), moves)
}

/// Checks record → text → record → `verify` on random hands, and that the choices of a record are
/// its moves.
///
/// # Panics
/// If a correct record is refused or changes on the way.
pub fn check_records<G: Recorded>(game: &G, variant: &str, hands: u64) {
    for hand in 0..hands {
        let seed = Seed::new(hand);
        let streams = [seed.child(6), seed.child(7)];
        let (record, moves) = random_record(game, variant, (hand, hand), streams);
        let text = serde_json::to_string(&record).expect("a record is plain data");
        let back: G::Record = serde_json::from_str(&text).expect("a record reads back");
        assert_eq!(G::verify(&back), Ok(()), "{text}");
        assert_eq!(serde_json::to_string(&back).expect("plain data"), text);
        assert!(G::show(&back).is_ok());
        let Ok(replay) = G::replay(&back) else { panic!("no choices: {text}") };
        for (before, mv) in &replay.choices {
            assert!(replay.game.is_legal(before, *mv), "{mv:?} is a choice: {text}");
        }
        assert_eq!(replay.choices.is_empty(), moves.is_empty(), "{text}");
        assert_eq!(replay.game.turn(&replay.end), Turn::Over, "{text}");
    }
}

/// Compares one golden transcript per listed variant, and per other variant with a file: the record
/// and the text of a random hand in `folder/<variant>.txt`. `UPDATE_GOLDEN=1` in the environment
/// rewrites the files.
///
/// # Panics
/// If a transcript is missing, differs, or has no variant; the message lists all.
pub fn check_golden<G: Recorded>(folder: &Path) {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    let mut names: BTreeSet<String> =
        G::presets().iter().map(|preset| preset.name.to_owned()).collect();
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        match name.strip_suffix(".txt") {
            Some(variant) if G::preset(variant).is_some() => names.insert(variant.to_owned()),
            _ => panic!("{name} is of no named variant; remove it"),
        };
    }
    for name in names {
        let path = folder.join(format!("{name}.txt"));
        let rules = G::preset(&name).expect("it is known");
        let game = G::new(&rules).expect("a named variant is sound");
        let seed = Seed::new(1963).named(&name);
        let (record, _) = random_record(&game, &name, (0, 1963), [seed.child(0), seed.child(1)]);
        assert_eq!(G::verify(&record), Ok(()));
        let now = format!(
            "{}\n\n{}",
            serde_json::to_string(&record).expect("plain data"),
            G::show(&record).expect("a right record can be shown")
        );
        if update {
            std::fs::create_dir_all(folder).expect("the folder can be made");
            std::fs::write(&path, &now).expect("the transcript can be written");
            continue;
        }
        let Ok(golden) = std::fs::read_to_string(&path) else {
            wrong.push(format!("{name} has no golden transcript"));
            continue;
        };
        // A checkout may have changed the line endings.
        let differs = golden.lines().zip(now.lines()).position(|(a, b)| a != b);
        if differs.is_some() || golden.lines().count() != now.lines().count() {
            let line = differs.map_or("the last".to_owned(), |line| (line + 1).to_string());
            wrong.push(format!("{name} differs from line {line} on"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}; UPDATE_GOLDEN=1 rewrites them");
}
