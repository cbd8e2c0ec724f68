//! What a chunk of deals counts, read by name.

use arrayvec::ArrayVec;

use crate::game::{MAX_SEATS, STEPS};
use crate::stats::{Moments, Seatings};

/// Points or units, one number for each place at a table.
pub(super) type Points = ArrayVec<i64, MAX_SEATS>;

/// A won match in units of the score; a draw of `k` gives each `UNIT / k`. It is the least number
/// that 1 to 8 divide, so that sums of results are exact integers.
pub const UNIT: i64 = 840;

/// The sums over a set of deals. Every entry is a sum, so tallies of different deals add up, in
/// any order, and a part can be taken out again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// How many deals were counted.
    pub deals: u64,
    /// The sums; [`Layout`](super::Layout) says which.
    pub sums: Vec<i64>,
}

impl Tally {
    /// Adds the tally of other deals.
    pub fn merge(&mut self, other: &Tally) {
        self.deals += other.deals;
        for (sum, x) in self.sums.iter_mut().zip(&other.sums) {
            *sum = sum.saturating_add(*x);
        }
    }

    /// Takes out the tally of a part of the deals.
    #[must_use]
    pub fn without(&self, part: &Tally) -> Tally {
        let sums = self.sums.iter().zip(&part.sums).map(|(sum, x)| sum.saturating_sub(*x));
        Tally { deals: self.deals - part.deals, sums: sums.collect() }
    }
}

/// What one strategy of a line-up got.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SlotTally {
    /// Matches won alone.
    pub wins: u64,
    /// Matches whose win was shared.
    pub draws: u64,
    /// Matches lost.
    pub losses: u64,
    /// Units won, a deal's matches summed.
    pub score: Moments,
    /// `seats − 1` times the own points less all others', a deal's matches summed.
    pub margin: Moments,
    /// Points made.
    pub points: i64,
    /// Points made by all others.
    pub against: i64,
}

/// How two strategies of a line-up compared, by who sat first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderCounts {
    /// Their places in the line-up.
    pub pair: (usize, usize),
    /// The first of the pair sat before the second: matches in which it had more points, as many,
    /// fewer.
    pub in_order: [u64; 3],
    /// The second of the pair sat before the first: the same, for the first.
    pub swapped: [u64; 3],
}

/// All that was counted at one table.
#[derive(Clone, PartialEq, Debug)]
pub struct TableTally {
    /// Matches played.
    pub matches: u64,
    /// Hands played.
    pub hands: u64,
    /// Hands whose win was shared.
    pub drawn_hands: u64,
    /// Over hands: `seats − 1` times the first seat's points less all others'.
    pub margin: i64,
    /// The squares of the same.
    pub margin_squares: i64,
    /// By place in the line-up.
    pub slots: Vec<SlotTally>,
    /// By pair of places in the line-up.
    pub orders: Vec<OrderCounts>,
    /// By seat.
    pub seatings: Vec<Seatings>,
    /// Deals by the units that the first place of a line-up of two got in both matches: 0, ½, 1,
    /// 1½ and 2 wins. All 0 for other numbers of seats.
    pub deals: [u64; 5],
    /// The game's own counters.
    pub counters: Vec<i64>,
}

/// How the hands of a variant spread, over all its tables; the bins are those of its
/// [`Spread`](crate::game::Spread).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpreadTally {
    /// Hands by the points of each seat.
    pub scores: Vec<Vec<i64>>,
    /// Hands by the first seat's points less the best other's.
    pub margin: Vec<i64>,
    /// Hands by their turns.
    pub turns: Vec<i64>,
    /// Hands by the first seat's lead after each eighth of the hand; empty where it is not told.
    pub leads: Vec<Vec<i64>>,
    /// Hands by what was played until the rule was known; empty where there is none to find.
    pub known: Vec<i64>,
    /// What was counted on each cell, row by row; empty without a board.
    pub board: Vec<i64>,
}

/// A finished hand, for the [`SpreadTally`].
pub(super) struct Shape<'a> {
    pub scores: &'a [i32],
    pub turns: u32,
    pub leads: [i32; STEPS],
}
