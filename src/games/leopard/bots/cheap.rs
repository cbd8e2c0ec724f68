//! Hands between the cheapest strategies, without bots.

use super::{Greedy, Kind};
use crate::cards::Rows;
use crate::chance::Stream;
use crate::game::{Policy, Ruled, Uniform};
use crate::strategy::Spec;
use crate::games::leopard::{Act, Duelist, Leopard, State, View, Watch, duel};

/// One of the strategies that cost so little that the arena's loop would cost more.
#[derive(Clone, Copy)]
enum Cheap {
    Random,
    RandomKnocker,
    Greedy,
}

impl Cheap {
    fn of(kind: &Kind) -> Option<Cheap> {
        match kind {
            Kind::Random {} => Some(Cheap::Random),
            Kind::RandomKnocker {} => Some(Cheap::RandomKnocker),
            Kind::Greedy {} => Some(Cheap::Greedy),
            _ => None,
        }
    }
}

impl Duelist for Cheap {
    #[inline(always)]
    fn act(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Act {
        match self {
            Cheap::Greedy => Greedy.pick(game, view, chance).act(),
            Cheap::RandomKnocker if view.may_knock(game.rules()) => Act::Knock,
            Cheap::Random | Cheap::RandomKnocker => Uniform.act(game, view, chance),
        }
    }
}

/// Plays a hand if both strategies are cheap; the other arguments are those of
/// [`Strategic::duel`](crate::strategy::Strategic::duel).
pub(super) fn play(
    game: &Leopard,
    specs: &[&Spec<Kind>],
    rows: &mut Rows,
    start: &Stream,
    choices: &mut [Stream],
    watch: &mut Watch,
) -> Option<State> {
    let &[first, second] = specs else { return None };
    let policies = (Cheap::of(&first.kind)?, Cheap::of(&second.kind)?);
    let choices = choices.first_chunk_mut()?;
    let row = rows.of(start);
    Some(match policies {
        // Compiled apart, because here even asking which strategy it is would show.
        (Cheap::Random, Cheap::Random) => duel(game, (&Uniform, &Uniform), row, choices, watch),
        (a, b) => duel(game, (&a, &b), row, choices, watch),
    })
}
