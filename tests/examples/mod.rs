//! The examples run, and what they assert holds.

#[path = "../../examples/my_bot.rs"]
mod my_bot;
#[path = "../../examples/my_game.rs"]
mod my_game;
#[path = "../../examples/run_experiment.rs"]
mod run_experiment;

#[test]
fn a_bot_of_ones_own_plays_a_match() {
    my_bot::main().unwrap();
}

#[test]
fn an_experiment_is_run_from_a_program() {
    run_experiment::main().unwrap();
}

#[test]
fn a_game_of_ones_own_is_checked_played_and_searched() {
    my_game::main().unwrap();
}
