//! What stays the same for all moves of one decision.

use crate::games::leopard::{Rules, Square, View};
use crate::games::leopard::bots::change::{ByCell, gains, losses};
use crate::games::leopard::bots::greedy::{JACK, KING, TEN, four};

/// A square and what cards bring on it.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub square: Square,
    pub value: i32,
    /// What each suit would give on each cell, were it open.
    pub gains: [ByCell; 4],
    /// What each face-up card gives.
    pub losses: ByCell,
}

impl Side {
    #[inline]
    pub fn new(square: Square, value: i32, rules: &Rules) -> Side {
        let gains = gains(square, rules);
        Side { square, value, gains, losses: losses(square, &gains) }
    }
}

/// What is unseen.
pub(super) struct Scene<'a> {
    pub rules: &'a Rules,
    /// For each suit, the cells whose number card is unseen at least once.
    pub once: [u32; 4],
    /// The same for two copies.
    pub twice: [u32; 4],
    /// How many jacks, queens, kings and tens are unseen.
    pub unseen_courts: [u8; 4],
}

impl<'a> Scene<'a> {
    pub fn new(view: &View, rules: &'a Rules) -> Scene<'a> {
        let (once, twice) = (view.unseen.distinct().0, view.unseen.doubled().0);
        let count = |first| (four(once, first).len() + four(twice, first).len()) as u8;
        Scene {
            rules,
            once: by_suit(once),
            twice: by_suit(twice),
            unseen_courts: [JACK, JACK + 4, KING, TEN].map(count),
        }
    }

    /// Of the number cards of two suits for a cell: 2 when at least three are unseen, 1 when at
    /// least one is, 0 when none.
    #[inline(always)]
    pub fn few(&self, a: usize, b: usize, cell: usize) -> usize {
        let has = |cells: u32| (cells >> cell & 1) as usize;
        let count = has(self.once[a]) + has(self.twice[a]) + has(self.once[b]) + has(self.twice[b]);
        count.div_ceil(2)
    }

    /// How many points a seat lacks to win by a knock.
    #[inline]
    pub fn need(&self, mine: i32, theirs: i32) -> i32 {
        let rules = self.rules;
        let enough = i32::from(rules.knock_at).max(theirs + i32::from(rules.knock_penalty) + 1);
        (enough - mine).max(0)
    }
}

/// For each suit the cells whose number card is among these.
#[inline(always)]
pub(super) fn by_suit(cards: u64) -> [u32; 4] {
    [
        every_fourth(cards),
        every_fourth(cards >> 1),
        every_fourth(cards >> 2),
        every_fourth(cards >> 3),
    ]
}

/// Bits 0, 4, 8, … 32 side by side.
#[inline(always)]
fn every_fourth(bits: u64) -> u32 {
    let x = bits & 0x1_1111_1111;
    let x = (x | x >> 3) & 0x3_0303_0303;
    let x = (x | x >> 6) & 0xF_000F_000F;
    let x = (x | x >> 12) & 0x1_0000_00FF;
    (x | x >> 24) as u32 & 0x1FF
}
