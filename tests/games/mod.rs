//! The list of games.

use parlour::PROGRAM;
use parlour::arena::Overrides;
use parlour::environment::Reward;
use parlour::files::Library;
use parlour::games::{ALL, Games, game};
use parlour::results::plan_from_source;

#[test]
fn every_embedded_experiment_asks_a_question_it_can_answer() {
    let library = Library::experiments().embedded_only();
    for name in library.names() {
        let source = library.find(&name).unwrap();
        let plan = plan_from_source(&source, Overrides::default(), &(), &Games(PROGRAM));
        let (_, plan) = plan.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(plan.info().experiment().question.is_some(), "{name}");
    }
}

#[test]
fn every_game_opens_as_an_environment() {
    for game in ALL {
        let (variant, _) = (game.variants)()[0];
        let table = (game.environment)(variant, Reward::Win).unwrap();
        assert_eq!(table.facts().game, game.name);
    }
    assert!(game("chess").err().unwrap().to_string().contains("`chess`"));
}

#[test]
fn the_rules_of_every_variant_are_told_with_its_values() {
    for game in ALL {
        for (variant, _) in (game.variants)() {
            let book = (game.rulebook)(Some(variant)).unwrap();
            let text = book.to_text();
            assert!((600..3500).contains(&text.len()), "{variant}: {} bytes", text.len());
            assert!(!text.contains(['{', '}', '[', ']']) && !text.contains("  "), "{text}");
            assert!(!text.contains("` is `") && book.fixed.len() >= 4, "{variant}");
            for field in &book.fields {
                let is_whole = !field.source.is_empty() && field.meaning.ends_with('.');
                assert!(is_whole && !field.range.is_empty(), "{field:?}");
            }
        }
    }
    let fields = |game: &str, variant| (self::game(game).unwrap().rulebook)(Some(variant)).unwrap();
    let express = fields("eleusis", "express").to_text();
    assert!(express.contains("each player gets 12 cards") && !express.contains("rophet"));
    let leap = fields("leapfrog", "murray-mini-4x5");
    assert!(leap.to_text().contains("a board of 4 rows and 5 columns"));
    assert!(leap.to_text().contains("`murray-mini-4x5` is `murray` with `rows` 4 instead of 15"));
    assert_eq!(leap.fields[5].range, "lot, last_chooses, 0 to 3");
    assert!(fields("leapfrog", "froglet").to_text().contains("6 green worth 4 points each"));
}
