//! The six goals of a line: black or red cards, or one of the four suits.

use parlour_base::cards::Pile;

/// Number of goals: black and red, then the four suits.
pub(super) const GOALS: usize = 6;

/// The goals that each suit fits: its colour, then itself.
pub(super) const GOALS_OF: [[usize; 2]; 4] = [[0, 2], [1, 3], [1, 4], [0, 5]];

/// The suits that fit each goal.
pub(super) const FIT: [[usize; 2]; GOALS] = [[0, 3], [1, 2], [0; 2], [1; 2], [2; 2], [3; 2]];

/// The suits that do not fit each goal.
pub(super) const MISFIT: [[usize; 3]; GOALS] =
    [[1, 2, 2], [0, 3, 3], [1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];

/// For each set of suits, as four bits: how many of them fit each goal, a byte each.
pub(super) const FITTING: [u64; 16] = {
    let mut fitting = [0; 16];
    let mut at = 0;
    while at < 64 {
        let (suits, suit) = (at / 4, at % 4);
        let [color, own] = GOALS_OF[suit];
        fitting[suits] += (suits as u64 >> suit & 1) * (1 << (8 * color) | 1 << (8 * own));
        at += 1;
    }
    fitting
};

/// Number of cards of a rank that fit each goal, a byte each.
#[inline(always)]
pub(super) fn rank_counts(pile: Pile, rank: usize) -> u64 {
    let suits = |plane: u64| (plane >> (4 * rank - 4) & 15) as usize;
    FITTING[suits(pile.distinct().0)] + FITTING[suits(pile.doubled().0)]
}
