//! One golden transcript for each named variant. A variant without one fails;
//! `UPDATE_GOLDEN=1 cargo test --test all eleusis::golden` writes them anew.

use std::path::PathBuf;

use parlour::chance::Seed;
use parlour::game::{Game, Label, Recorded, Ruled, Turn};
use parlour::games::eleusis::Eleusis;

/// A random hand of the variant, as a reader is shown it.
fn transcript(game: &Eleusis, variant: &str) -> String {
    let seed = Seed::new(1963).named(variant);
    let start = seed.child(0).stream();
    let (mut chance, mut choice) = (start.clone(), seed.child(1).stream());
    let mut state = game.deal(&mut chance);
    let mut moves = Vec::new();
    while game.turn(&state) != Turn::Over {
        let mv = game.sample(&state, &mut choice);
        game.play(&mut state, mv, &mut chance);
        moves.push(mv);
    }
    let seats = vec!["random".to_owned(); game.seats()];
    let label = Label { variant: variant.into(), deal: 0, hand: 0, rotation: 0, seed: 1963, seats };
    let record = game.record(&label, start, &moves);
    assert_eq!(Eleusis::verify(&record), Ok(()));
    Eleusis::show(&record).expect("a right record can be shown")
}

#[test]
fn every_named_variant_has_its_golden_transcript() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/eleusis");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    for file in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if name.strip_suffix(".txt").is_none_or(|name| Eleusis::preset(name).is_none()) {
            wrong.push(format!("{name} is of no named variant; remove it"));
        }
    }
    for preset in Eleusis::presets() {
        let path = folder.join(format!("{}.txt", preset.name));
        let now = transcript(&Eleusis::new(&preset.rules).unwrap(), preset.name);
        if update {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &now).unwrap();
            continue;
        }
        let Ok(golden) = std::fs::read_to_string(&path) else {
            wrong.push(format!("{} has no golden transcript", preset.name));
            continue;
        };
        // A checkout may have turned the ends of lines.
        let differs = golden.lines().zip(now.lines()).position(|(a, b)| a != b);
        if differs.is_some() || golden.lines().count() != now.lines().count() {
            let line = differs.map_or("the last".to_owned(), |line| (line + 1).to_string());
            wrong.push(format!("{} differs from line {line} on", preset.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}; UPDATE_GOLDEN=1 writes them anew");
}
