//! Work that takes long, done away from the table.

use std::sync::Arc;

use super::mind::Mind;
use super::seen::Thought;
use crate::chance::{Seed, Stream};
use crate::game::{BotError, Observation, Seat};
use crate::strategy::{Advice, Strategic, Strategy};

/// A position as one seat sees it, copied from the table.
pub(super) struct Shown<G: Strategic> {
    pub seat: Seat,
    pub view: G::View,
    pub past: Vec<(Seat, G::Move)>,
}

/// Something to think about. `when` names the position: what is found out is void if the table has
/// moved on.
pub struct Job<G: Strategic> {
    pub(super) game: Arc<G>,
    pub(super) when: u64,
    pub(super) what: What<G>,
}

/// A strategy and what its seat knows.
pub(super) type Knows<G> = (Arc<Strategy<G>>, <G as crate::Game>::View);

pub(super) enum What<G: Strategic> {
    /// A bot's move.
    Choose { mind: Box<Mind<G>>, shown: Shown<G>, chance: Stream },
    /// Advice for a person.
    Advise { strategy: Arc<Strategy<G>>, shown: Shown<G>, seed: Seed },
    /// What strategies believe at the end, by seat.
    Believe(Vec<Option<Knows<G>>>),
}

/// What came of it.
pub struct Done<G: Strategic> {
    pub(super) when: u64,
    pub(super) found: Found<G>,
}

pub(super) enum Found<G: Strategic> {
    Chosen {
        mind: Box<Mind<G>>,
        seat: Seat,
        chance: Stream,
        chosen: Result<(G::Move, Option<Thought>), BotError>,
    },
    Advised(Seat, Result<Advice, BotError>),
    Believed(Vec<Option<String>>),
}

impl<G: Strategic> Job<G> {
    /// Thinks.
    pub fn run(self) -> Done<G> {
        let Job { game, when, what } = self;
        let game = &*game;
        let found = match what {
            What::Choose { mut mind, shown: Shown { seat, view, past }, mut chance } => {
                let chosen =
                    mind.choose(game, Observation { view: &view, past: &past }, &mut chance);
                Found::Chosen { mind, seat, chance, chosen }
            }
            What::Advise { strategy, shown: Shown { seat, view, past }, seed } => {
                let observation = Observation { view: &view, past: &past };
                Found::Advised(seat, Advice::of(game, &strategy, seat, observation, seed))
            }
            What::Believe(seats) => {
                let believe =
                    |(strategy, view): Knows<G>| game.explainer()?.belief(&strategy.spec, &view);
                Found::Believed(seats.into_iter().map(|seat| seat.and_then(believe)).collect())
            }
        };
        Done { when, found }
    }
}
