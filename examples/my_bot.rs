//! A custom bot plays a match: `cargo run --release --example my_bot`.

use parlour::arena::{BotFactory, Experiment, Plan};
use parlour::chance::Stream;
use parlour::error::Result;
use parlour::game::{Bot, BotError, Game, Observation, Policy, Ruled};
use parlour::games::leopard::bots::Greedy;
use parlour::games::leopard::{Leopard, Move};
use parlour::results::Run;

/// Plays as `greedy` does, but knocks as soon as a knock wins.
struct Hasty;

impl Bot<Leopard> for Hasty {
    fn choose(
        &mut self,
        game: &Leopard,
        observation: Observation<'_, Leopard>,
        chance: &mut Stream,
    ) -> Result<Move, BotError> {
        let mut moves = Vec::new();
        game.legal_moves_in_view(observation.view, &mut moves);
        let (own, other) = observation.view.knock_scores(game.rules());
        if moves.contains(&Move::Knock) && own > other {
            return Ok(Move::Knock);
        }
        Ok(Greedy.pick(game, observation.view, chance))
    }
}

/// Plays the match and prints its score.
pub fn main() -> Result<()> {
    let seats = ["hasty", "random"].map(str::to_owned);
    let experiment =
        Experiment { deals: 400, ..Experiment::of_match("leopard", "revised", &seats) };
    let hasty = BotFactory::custom(|_: &Leopard| Box::new(Hasty));
    let plan = Plan::resolve_with("my-bot", &experiment, [("hasty", hasty)])?;
    let summary = Run::of(&plan, parlour::PROGRAM).go()?;
    for matchup in &summary.variants[0].matchups {
        if let Some(score) = matchup.score.filter(|_| matchup.strategy == "hasty") {
            println!("hasty against {}: {score}", matchup.opponent);
            assert!(score.value > 0.5 && score.excludes(0.5), "it should beat random");
        }
    }
    Ok(())
}
