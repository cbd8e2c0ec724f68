//! Strategies: what a JSON file in `strategies/` becomes, a bot for one game.

mod file;
mod layers;
mod playable;

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::Serialize;

use crate::chance::Stream;
use crate::error::{Error, Result};
use crate::game::{Bot, Measured, Recorded, Ruled};
use crate::search::{Decide, Thinker};

pub use file::{Strategy, StrategySpec};
pub use layers::Layers;
pub use playable::playable;

/// A game with strategies: all that the arena and the command line need of it.
pub trait Strategic: Ruled + Measured + Recorded + Sized + 'static {
    /// What a strategy file of this game can say, resolved in full.
    type Spec: Clone + Debug + PartialEq + Send + Sync + Serialize + 'static;

    /// A strategy file as it is written, for the schema.
    type SpecFile: JsonSchema;

    /// What a thread keeps from hand to hand for [`duel`](Strategic::duel); `()` without one.
    type Scratch: Default;

    /// The kinds of strategy; `kind` decides which other fields exist.
    const KINDS: &'static [&'static str];

    /// Reads a file, whose `kind` must be one of [`KINDS`](Strategic::KINDS).
    ///
    /// # Errors
    /// What is wrong with it, and where.
    fn spec(file: &Layers) -> Result<Self::Spec>;

    /// A bot with this strategy.
    fn bot(&self, spec: &Self::Spec) -> Box<dyn Bot<Self>>;

    /// Plays a whole hand of strategies, by seat, where the game has a quicker way than through
    /// bots; otherwise does nothing. `start` is the chance before the deal, `choices` each seat's
    /// own. No moves are written down.
    ///
    /// End and watch must be those that the bots would come to with the same streams.
    fn duel(
        &self,
        _specs: &[&Self::Spec],
        _scratch: &mut Self::Scratch,
        _start: &Stream,
        _choices: &mut [Stream],
    ) -> Option<(Self::State, Self::Watch)> {
        None
    }

    /// Whether the strategy goes by the clock, so that its play cannot be repeated.
    fn uses_clock(_spec: &Self::Spec) -> bool {
        false
    }

    /// The search behind the strategy, where it is one: it can say what it found out.
    fn thinker(&self, _spec: &Self::Spec) -> Option<Box<dyn Thinker<Self>>> {
        None
    }

    /// How findings of several such searches are ranked together: `None` by votes.
    fn decide(&self, _spec: &Self::Spec) -> Option<Decide> {
        None
    }

    /// Reads a position as the seat to move sees it.
    ///
    /// # Errors
    /// Everything that is wrong with it, in one message.
    fn position(place: &str, _text: &str) -> Result<(Self, Self::View)> {
        let game = Self::NAME;
        Err(Error::input(format!("positions of {game} cannot be read yet")).in_file(place))
    }

    /// What these strategies know beside their files, each by name with its digest.
    fn knowledge(_specs: &[&Self::Spec]) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Whether a hand of it is cheap enough to be timed by `bench` and signed.
    fn is_cheap(_spec: &Self::Spec) -> bool {
        true
    }
}
