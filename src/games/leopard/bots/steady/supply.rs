//! How cards come to the seats: the chance of each open cell to come to fit each goal.
//!
//! A line has six *goals*: to be of black or of red cards, or of one of the four suits.

#![expect(clippy::needless_range_loop, reason = "iterators over arrays are not inlined")]

use super::super::Weights;
use crate::cards::Pile;
use crate::games::leopard::cells::CELLS;

/// Black and red, then the four suits.
pub(in super::super) const GOALS: usize = 6;

/// A number for each side: both squares are looked at together, since a processor does two sums at
/// once.
pub(super) type Pair = [f64; 2];

/// A pair for each goal.
pub(super) type ByGoal = [Pair; GOALS];

/// The same for each cell.
pub(super) type ByCell = [ByGoal; CELLS];

/// Room for one.
pub(super) const ROOM: ByCell = [[[0.0; 2]; GOALS]; CELLS];

/// The goals that each suit fits: its colour, then itself.
pub(super) const GOALS_OF: [[usize; 2]; 4] = [[0, 2], [1, 3], [1, 4], [0, 5]];

/// The products, side by side.
#[inline(always)]
pub(super) fn times(a: Pair, b: Pair) -> Pair {
    [a[0] * b[0], a[1] * b[1]]
}

/// The sums.
#[inline(always)]
pub(super) fn plus(a: Pair, b: Pair) -> Pair {
    [a[0] + b[0], a[1] + b[1]]
}

/// The differences.
#[inline(always)]
pub(super) fn minus(a: Pair, b: Pair) -> Pair {
    [a[0] - b[0], a[1] - b[1]]
}

/// Two independent chances of which one is enough.
#[inline(always)]
pub(super) fn either(a: f64, b: f64) -> f64 {
    a + b - a * b
}

/// The same on both sides.
#[inline(always)]
pub(super) fn either_pair(a: Pair, b: Pair) -> Pair {
    [either(a[0], b[0]), either(a[1], b[1])]
}

/// Number cards by what they can fill: for each cell, how many of them fit each goal, copies
/// counted. The last two bytes only fill a word.
#[derive(Clone, Copy)]
pub(in super::super) struct Fillers {
    pub numbers: [[u8; 8]; CELLS],
}

/// For each set of suits, as four bits: how many of them fit each goal, a byte each.
const FIT: [u64; 16] = {
    let mut fit = [0; 16];
    let mut suits = 0;
    while suits < 16 {
        let mut suit = 0;
        while suit < 4 {
            let [color, own] = GOALS_OF[suit];
            fit[suits] += (suits as u64 >> suit & 1) * (1 << (8 * color) | 1 << (8 * own));
            suit += 1;
        }
        suits += 1;
    }
    fit
};

impl Fillers {
    #[inline(always)]
    pub fn of(pile: Pile) -> Fillers {
        let mut numbers = [[0; 8]; CELLS];
        for cell in 0..CELLS {
            numbers[cell] = Fillers::rank(pile, cell + 1).to_le_bytes();
        }
        Fillers { numbers }
    }

    /// How many cards of a rank fit each goal, a byte for each.
    #[inline(always)]
    pub fn rank(pile: Pile, rank: usize) -> u64 {
        let suits = |plane: u64| (plane >> (4 * rank - 4) & 15) as usize;
        FIT[suits(pile.distinct().0)] + FIT[suits(pile.doubled().0)]
    }
}

/// How cards come to the seats.
pub(super) struct Supply<'a> {
    pub hand: Pile,
    pub unseen: Pile,
    /// Expected copies at hand of each unseen card, by side.
    pub rates: Pair,
    pub weights: &'a Weights,
}

/// The chances that a cell's unseen cards give, for each goal and by how many of them fit it.
struct Chances {
    colors: [[Pair; 8]; 2],
    suits: [[Pair; 4]; 4],
}

impl Supply<'_> {
    /// The chances of each cell, were it open: of the own square from the hand and what may be
    /// drawn, of the other's from what that seat may hold and draw.
    #[inline(always)]
    pub fn open(&self, open: &mut ByCell) {
        let (hand, fill) = (self.hand.distinct().0, self.weights.fill_number);
        let chances = self.chances();
        for cell in 0..CELLS {
            self.row(&chances, cell, &mut open[cell]);
            let fit = FIT[(hand >> (4 * cell) & 15) as usize];
            if fit > 0 {
                for goal in 0..GOALS {
                    if fit >> (8 * goal) & 7 > 0 {
                        let chance = &mut open[cell][goal][0];
                        *chance = either(*chance, fill);
                    }
                }
            }
        }
    }

    /// The chances of a cell by the cards that are not of its number in the hand.
    #[inline(always)]
    fn row(&self, Chances { colors, suits }: &Chances, cell: usize, open: &mut ByGoal) {
        let unseen = Fillers::rank(self.unseen, cell + 1);
        let count = |goal: usize| (unseen >> (8 * goal)) as usize;
        open[0] = colors[0][count(0) & 7];
        open[1] = colors[1][count(1) & 7];
        open[2] = suits[0][count(2) & 3];
        open[3] = suits[1][count(3) & 3];
        open[4] = suits[2][count(4) & 3];
        open[5] = suits[3][count(5) & 3];
    }

    #[inline(always)]
    fn chances(&self) -> Chances {
        let Supply { hand, unseen, weights, .. } = self;
        let rank = Fillers::rank;
        let wild = rank(*unseen, 10) + rank(*unseen, 13);
        let (tens, kings) = (rank(*hand, 10), rank(*hand, 13));
        let (ten, king) = (weights.fill_ten, weights.fill_king);
        let held = [either(0.0, 0.0), either(ten, 0.0), either(0.0, king), either(ten, king)];
        let chance = |goal: usize, count: u8| {
            let of = |counts: u64| counts >> (8 * goal) & 15;
            let wild = weights.unseen_wild * of(wild) as f64;
            let held = held[usize::from(of(tens) > 0) | usize::from(of(kings) > 0) << 1];
            self.comes(f64::from(count) + wild, [held, 0.0])
        };
        let color = |goal: usize| {
            let most = chance(goal, 4);
            let [none, one] = [chance(goal, 0), chance(goal, 1)];
            [none, one, chance(goal, 2), chance(goal, 3), most, most, most, most]
        };
        let suit = |goal: usize| {
            let most = chance(goal, 2);
            [chance(goal, 0), chance(goal, 1), most, most]
        };
        Chances { colors: [color(0), color(1)], suits: [suit(2), suit(3), suit(4), suit(5)] }
    }

    /// The chance that one of so many unseen cards comes or that another chance does: it grows like
    /// the copies that are expected and stays below 1. A quotient, since an exponential is not the
    /// same on every machine.
    #[inline(always)]
    fn comes(&self, cards: f64, other: Pair) -> Pair {
        // Nothing below 0, exactly.
        let cards = if cards > 0.0 { cards } else { 0.0 };
        let expected = [self.rates[0] * cards, self.rates[1] * cards];
        let drawn = [expected[0] / (1.0 + expected[0]), expected[1] / (1.0 + expected[1])];
        either_pair(drawn, other)
    }
}
