//! A hand between two policies, as fast as a playout.

use super::game::MOST_MOVES;
use super::playout::{Loop, by_kind_of_turn};
use super::{Act, End, Leopard, Move, Rules, State, View, Watch};
use crate::cards::Row;
use crate::chance::Stream;
use crate::game::{Seat, Uniform};

/// A policy that a duel is compiled with.
pub trait Duelist {
    /// What [`Policy::pick`](crate::game::Policy::pick) would, spelled out.
    fn act(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Act;
}

impl Duelist for Uniform {
    #[inline(always)]
    fn act(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Act {
        let bits = (chance.bits() >> 32) as u32;
        view.choice().sample_with(&game.rules, bits, chance)
    }
}

/// Plays a hand between two policies, by seat, with the cards of a row and a stream for each
/// policy. `moves` is emptied first and then holds the hand.
///
/// It is the plain loop over view, choice and play, laid out for speed: the policies are compiled
/// into it, so that of a view only what they look at is made; the cards lie ready; and what is
/// watched is mostly counted at the end.
pub fn duel<A: Duelist, B: Duelist>(
    game: &Leopard,
    policies: (&A, &B),
    row: &Row,
    choices: &mut [Stream; 2],
    moves: &mut Vec<(Seat, Move)>,
) -> (State, Watch) {
    by_kind_of_turn(&game.rules, Duel { policies, row, choices, moves })
}

struct Duel<'a, A, B> {
    policies: (&'a A, &'a B),
    row: &'a Row,
    choices: &'a mut [Stream; 2],
    moves: &'a mut Vec<(Seat, Move)>,
}

impl<A: Duelist, B: Duelist> Loop for Duel<'_, A, B> {
    type Output = (State, Watch);

    #[inline(always)]
    fn run<const MANY: bool>(self, rules: Rules) -> (State, Watch) {
        // Copies that nothing points to, so that they can live in registers.
        let game = Leopard { rules };
        let mut deck = self.row;
        let mut hand = State::dealt(&game.rules, &mut deck);
        hand.begin_turn(&game.rules, &mut deck);
        let [mut first, mut second] = self.choices.clone();
        let mut leads = Watch::default();
        let mut turns = 0;
        // The moves have their places beforehand: cheaper than making room one by one. All bits
        // are 0, so the places are made at once.
        let mut made = [(Seat(0), Move::own(0, 0)); MOST_MOVES];
        let mut places = made.iter_mut();
        while hand.end == End::Open {
            let Some(place) = places.next() else { break };
            hand.played &= MANY;
            turns += u32::from(!hand.played);
            // A copy for each seat, so that what belongs to it lies in a known place.
            *place = if hand.seat == 0 {
                step::<0>(&game, self.policies.0, &mut hand, &mut deck, &mut first, &mut leads)
            } else {
                step::<1>(&game, self.policies.1, &mut hand, &mut deck, &mut second, &mut leads)
            };
        }
        let unused = places.len();
        self.moves.clear();
        self.moves.extend_from_slice(&made[..MOST_MOVES - unused]);
        *self.choices = [first, second];
        (hand, Watch::of_moves(self.moves, turns, &leads))
    }
}

/// One move of the seat `SEAT`, whose turn it is.
#[inline(always)]
fn step<const SEAT: u8>(
    game: &Leopard,
    policy: &impl Duelist,
    hand: &mut State,
    deck: &mut &Row,
    choice: &mut Stream,
    leads: &mut Watch,
) -> (Seat, Move) {
    hand.seat = SEAT;
    let view = View::of(hand, Seat(SEAT));
    let act = policy.act(game, &view, choice);
    let before = hand.values;
    hand.act(&game.rules, act, deck);
    if hand.values != before {
        leads.lead(hand.values);
    }
    (Seat(SEAT), act.into())
}
