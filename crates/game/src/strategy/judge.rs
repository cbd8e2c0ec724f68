//! Judges of moves that were played.

use super::file::Strategy;
use super::strategic::{Spec, Strategic};
use crate::search::Comparison;
use crate::{BotError, Observation, Seat};
use parlour_base::chance::Seed;
use parlour_base::error::Result;
use parlour_base::files::Library;

/// A strategy that judges moves: it names its own move, and the playouts of a search compare the move
/// played with it. Another strategy than a search borrows the playouts of the game's default search.
pub struct Judge<G: Strategic> {
    /// The strategy.
    pub strategy: Strategy<G>,
    /// The search with the playouts; `None` if the strategy is no search and the game has none.
    playouts: Option<Spec<G::Kind>>,
}

/// The judgement of a move played.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// The move that the judge prefers.
    pub best: String,
    /// The chances to win after both; `None` if they are unknown or were not needed.
    pub values: Option<Comparison>,
    /// The reason in a sentence, if the judge does not search and has one.
    pub why: Option<String>,
}

/// The number of worlds of a comparison by a search with a time limit.
const WORLDS: u64 = 1000;

impl<G: Strategic> Judge<G> {
    /// Loads a strategy by name or path.
    ///
    /// # Errors
    /// Bad input if there is no such strategy, or its file has a fault.
    pub fn load(name: &str) -> Result<Judge<G>> {
        Judge::of(Strategy::load(&Library::strategies(G::NAME), name)?)
    }

    /// Makes a strategy a judge.
    ///
    /// # Errors
    /// If the file of the game's default search has a fault.
    pub fn of(strategy: Strategy<G>) -> Result<Judge<G>> {
        let library = Library::strategies(G::NAME);
        let playouts = match (G::search_config(&strategy.spec), G::DEFAULT_SEARCH) {
            (Some(_), _) => Some(strategy.spec.clone()),
            (None, Some(search)) => Some(Strategy::<G>::load(&library, search)?.spec),
            (None, None) => None,
        };
        Ok(Judge { strategy, playouts })
    }

    /// Judges the turn played, given as in a record; its first move is enough if the seat goes on.
    /// Without `all_values`, a move that the judge would make too gets no values.
    ///
    /// # Errors
    /// If an external program fails.
    pub fn judge(
        &self,
        game: &G,
        seat: Seat,
        observation: Observation<'_, G>,
        (played, first): (&str, G::Move),
        all_values: bool,
        seed: Seed,
    ) -> std::result::Result<Judgement, BotError> {
        if let Some((best, values)) = game.solve_turn(observation.view, played) {
            return Ok(Judgement { best, values: Some(values), why: None });
        }
        let mut chance = seed.stream();
        let mut bot = game.bot(&self.strategy.spec);
        bot.start(seat);
        let best = bot.choose(game, observation, &mut chance)?;
        let needs_values = all_values || best != first;
        let values = needs_values.then(|| self.compare(game, observation, [best, first], seed));
        let why = game.explainer().and_then(|it| {
            it.explain(&self.strategy.spec, observation.view, best).map(|why| why.in_words())
        });
        Ok(Judgement { best: game.notation(best), values: values.flatten(), why })
    }

    /// Compares a move with another one. `None` without playouts, or if a move is illegal.
    pub fn compare(
        &self,
        game: &G,
        observation: Observation<'_, G>,
        [best, played]: [G::Move; 2],
        seed: Seed,
    ) -> Option<Comparison> {
        let spec = self.playouts.as_ref()?;
        let worlds = G::search_config(spec)?.iterations().unwrap_or(WORLDS);
        // Where nothing is hidden, playouts differ only by their ties, and take long: they go to the end.
        let worlds = if game.is_open() { worlds.div_ceil(10) } else { worlds };
        // Fresh worlds: in those of its choice, the judge's move would look better than it is.
        let mut chance = seed.named("worlds").stream();
        let mut search = G::build_search(spec)?;
        search.compare(game, observation, [best, played], worlds, &mut chance)
    }
}
