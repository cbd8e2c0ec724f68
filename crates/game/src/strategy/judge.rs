//! Judges of moves that were played.

use super::file::Strategy;
use super::strategic::{Spec, Strategic};
use crate::search::Comparison;
use crate::{BotError, Choice, Observation};
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

/// The number of worlds of a comparison by a search with a time limit.
const WORLDS: u64 = 1000;

impl<G: Strategic> Judge<G> {
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

    /// Returns the move that the judge would make, as in a record; its comparison with the turn played, if
    /// the chances are known; and its reason, if it has one. Without `all_values`, only a move that the judge would not make
    /// is compared, unless the position is solved.
    ///
    /// # Errors
    /// If an external program fails.
    pub fn judge(
        &self,
        game: &G,
        Choice { seat, view, past, mv }: &Choice<G>,
        played: &str,
        all_values: bool,
        seed: Seed,
    ) -> std::result::Result<(String, Option<Comparison>, Option<String>), BotError> {
        if let Some((best, values)) = game.solve_turn(view, played) {
            return Ok((best, Some(values), None));
        }
        let observation = Observation { view, past };
        let mut bot = game.bot(&self.strategy.spec);
        bot.start(*seat);
        let best = bot.choose(game, observation, &mut seed.stream())?;
        let compare = || self.compare(game, observation, [best, *mv], seed);
        let values = if all_values || best != *mv { compare() } else { None };
        let why = game.explainer().and_then(|it| it.explain(&self.strategy.spec, view, best));
        // Of a turn of several moves, the judge names only the first.
        let best = if best == *mv { played.to_owned() } else { game.notation(best) };
        Ok((best, values, why.map(|why| why.in_words())))
    }

    /// Compares a legal move with another one by playouts in the same worlds. `None` without playouts.
    pub fn compare(
        &self,
        game: &G,
        observation: Observation<'_, G>,
        moves: [G::Move; 2],
        seed: Seed,
    ) -> Option<Comparison> {
        let spec = self.playouts.as_ref()?;
        let worlds = G::search_config(spec)?.iterations().unwrap_or(WORLDS);
        // Where nothing is hidden, playouts differ only by their ties, and take long: they go to the end.
        let worlds = if game.is_open() { worlds.div_ceil(10) } else { worlds };
        // Fresh worlds: in those of its choice, the judge's move would look better than it is.
        let mut chance = seed.named("worlds").stream();
        G::build_search(spec)?.compare(game, observation, moves, worlds, &mut chance)
    }
}
