//! Uniformly random play to the end of a hand: the one loop where every instruction counts.

use super::state::Deck;
use super::{Covers, End, KnockWindow, Plays, Rules, State};
use crate::cards::{Card, Pile, Shoe};
use crate::chance::Stream;

/// The stock of a playout, laid out for drawing, and the chance that moves and deck share. The
/// stock in the state stays as it was until the playout is over.
struct Table {
    shoe: Shoe,
    chance: Stream,
    /// The half of 64 random bits that the move has left for the card drawn after it.
    spare: Option<u32>,
}

impl Deck for Table {
    #[inline(always)]
    fn draw(&mut self, _: &mut Pile, len: u8) -> Card {
        let bits = self.spare.take().unwrap_or_else(|| (self.chance.bits() >> 32) as u32);
        let len = u32::from(len);
        self.shoe.take(self.chance.below_with(bits, len), len)
    }
}

/// Plays uniformly random moves to the end; returns how many.
pub(super) fn run(rules: &Rules, state: &mut State, chance: &mut Stream) -> u32 {
    // The named variants have two kinds of turn. Each gets a copy of the loop in which the compiler
    // knows it; with one play a turn there is never a play before a knock.
    let known = |plays, draw| Rules {
        plays,
        draw,
        knock_window: KnockWindow::BeforePlay,
        face_down_covers: Covers::FaceUp,
        ..rules.clone()
    };
    match rules {
        Rules { plays: Plays::One, draw: 1, face_down_covers: Covers::FaceUp, .. } => {
            go::<false>(&known(Plays::One, 1), state, chance)
        }
        Rules {
            plays: Plays::Many,
            draw: 2,
            face_down_covers: Covers::FaceUp,
            knock_window: KnockWindow::BeforePlay,
            ..
        } => go::<true>(&known(Plays::Many, 2), state, chance),
        _ => go::<true>(rules, state, chance),
    }
}

/// With `MANY` false, no turn has a second move.
#[inline(always)]
fn go<const MANY: bool>(rules: &Rules, state: &mut State, chance: &mut Stream) -> u32 {
    // Copies that nothing points to, so that they can live in registers.
    let rules = rules.clone();
    let mut hand = *state;
    let mut table = Table { shoe: Shoe::of(hand.stock), chance: chance.clone(), spare: None };
    let mut moves = 0;
    while hand.end == End::Open {
        // A copy for each seat, so that what belongs to it lies in a known place.
        match hand.seat {
            0 => choose::<MANY, 0>(&rules, &mut hand, &mut table),
            _ => choose::<MANY, 1>(&rules, &mut hand, &mut table),
        }
        moves += 1;
    }
    hand.stock = table.shoe.rest(u32::from(hand.stock_len));
    *state = hand;
    *chance = table.chance;
    moves
}

/// One move of the seat `SEAT`, whose turn it is.
#[inline(always)]
fn choose<const MANY: bool, const SEAT: u8>(rules: &Rules, hand: &mut State, table: &mut Table) {
    hand.seat = SEAT;
    hand.played &= MANY;
    let choice = hand.choice();
    let bits = table.chance.bits();
    table.spare = Some((bits >> 32) as u32);
    let act = choice.sample_with(rules, bits as u32, &mut table.chance);
    hand.act(rules, act, table);
}
