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
