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
}

impl Deck for Table {
    #[inline(always)]
    fn draw(&mut self, _: &mut Pile, len: u8) -> Card {
        self.shoe.draw(u32::from(len), &mut self.chance)
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
    let mut table = Table { shoe: Shoe::of(hand.stock), chance: chance.clone() };
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
    let mut choice = hand.choice();
    choice.played &= MANY;
    let act = choice.sample(rules, &mut table.chance);
    hand.act(rules, act, table);
}
