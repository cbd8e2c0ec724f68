//! The six goals of a line: black or red cards, or one of the four suits.

/// Number of goals: black and red, then the four suits.
pub(super) const GOALS: usize = 6;

/// The goals that each suit fits: its colour, then itself.
pub(super) const GOALS_OF: [[usize; 2]; 4] = [[0, 2], [1, 3], [1, 4], [0, 5]];

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
