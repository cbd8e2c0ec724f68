//! How cards come to the seats: the chance of each open cell to come to fit each goal.
//!
//! A line has six *goals*: to be of black or of red cards, or of one of the four suits.

use fearless_simd::{Simd, f64x2, f64x4, prelude::*};

use super::super::Weights;
use crate::cards::Pile;
use crate::games::leopard::cells::CELLS;

/// Black and red, then the four suits.
pub(in super::super) const GOALS: usize = 6;

/// A number for each side: both squares are looked at together, since a processor does several sums
/// at once.
pub(super) type Pair = [f64; 2];

/// Two goals that follow each other: a pair for each.
pub(super) type Quad = [f64; 4];

/// The goals two by two: colours, spades and hearts, diamonds and clubs.
pub(super) const TWOS: usize = GOALS / 2;

/// A pair for each goal.
pub(super) type ByGoal = [Quad; TWOS];

/// The same for each cell.
pub(super) type ByCell = [ByGoal; CELLS];

/// That of one goal and side.
#[inline(always)]
pub(super) fn at(goals: &ByGoal, goal: usize, side: usize) -> f64 {
    goals.as_flattened()[2 * goal + side]
}

/// Something for each cell. Spelled out, since a closure is not always inlined, and an array to be
/// filled would first be filled with noughts.
macro_rules! by_cell {
    (|$cell:ident| $of:expr) => {
        by_cell!(@ $cell, $of, 0 1 2 3 4 5 6 7 8)
    };
    (@ $cell:ident, $of:expr, $($at:literal)*) => {
        [$({
            let $cell: usize = $at;
            $of
        }),*]
    };
}
pub(super) use by_cell;

/// The same for a table of which much is worked out: that is compiled once, since a processor keeps only
/// so much of a program at hand.
macro_rules! cell_by_cell {
    ($rows:expr, |$cell:ident| $of:expr) => {{
        let mut table = [[[0.0; 4]; $rows]; CELLS];
        for $cell in 0..CELLS {
            table[$cell] = $of;
        }
        table
    }};
}
pub(super) use cell_by_cell;

/// The goals that each suit fits: its colour, then itself.
pub(super) const GOALS_OF: [[usize; 2]; 4] = [[0, 2], [1, 3], [1, 4], [0, 5]];

/// Four numbers as a processor works on them.
#[inline(always)]
pub(super) fn in_lanes<L: Simd>(lanes: L, numbers: Quad) -> f64x4<L> {
    f64x4::simd_from(lanes, numbers)
}

/// Two independent chances of which one is enough.
#[inline(always)]
pub(super) fn either(a: f64, b: f64) -> f64 {
    a + b - a * b
}

/// The same in four lanes.
#[inline(always)]
pub(super) fn either_of<L: Simd>(a: f64x4<L>, b: f64x4<L>) -> f64x4<L> {
    a + b - a * b
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

/// The same in lanes: how many of a set of suits fit each goal, and whether any does.
const FITS: [ByGoal; 16] = fits(4);
const ANY: [ByGoal; 16] = fits(1);

/// So many count at most.
const fn fits(most: u64) -> [ByGoal; 16] {
    let mut fits = [[[0.0; 4]; TWOS]; 16];
    let mut at = 0;
    while at < 16 * GOALS {
        let (suits, goal) = (at / GOALS, at % GOALS);
        let count = FIT[suits] >> (8 * goal) & 7;
        let count = (if count < most { count } else { most }) as f64;
        fits[suits][goal / 2][goal % 2 * 2] = count;
        fits[suits][goal / 2][goal % 2 * 2 + 1] = count;
        at += 1;
    }
    fits
}

impl Fillers {
    #[inline(always)]
    pub fn of(pile: Pile) -> Fillers {
        Fillers { numbers: by_cell!(|cell| Fillers::rank(pile, cell + 1).to_le_bytes()) }
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

/// The chances that a cell's unseen cards give, by how many of them fit a goal, for two goals that follow
/// each other.
struct Chances {
    colors: [Quad; 8],
    suits: [[Quad; 4]; 2],
}

impl Supply<'_> {
    /// The chances of each cell, were it open: of the own square from the hand and what may be
    /// drawn, of the other's from what that seat may hold and draw.
    #[inline(always)]
    pub fn open<L: Simd>(&self, lanes: L) -> ByCell {
        let chances = self.chances(lanes);
        let fill = self.weights.fill_number;
        let fill = in_lanes(lanes, [fill, 0.0, fill, 0.0]);
        by_cell!(|cell| {
            let drawn = chances.of(lanes, Fillers::rank(self.unseen, cell + 1));
            // Mostly none, but a look costs more than the sums.
            let [colors, majors, minors] =
                ANY[(self.hand.distinct().0 >> (4 * cell) & 15) as usize];
            [
                either_of(drawn[0], fill * in_lanes(lanes, colors)).into(),
                either_of(drawn[1], fill * in_lanes(lanes, majors)).into(),
                either_of(drawn[2], fill * in_lanes(lanes, minors)).into(),
            ]
        })
    }

    #[inline(always)]
    fn chances<L: Simd>(&self, lanes: L) -> Chances {
        let colors = self.comes(lanes, 0);
        let most = colors.of(4.0);
        let [none, one, two, three] =
            [colors.of(0.0), colors.of(1.0), colors.of(2.0), colors.of(3.0)];
        Chances {
            colors: [none, one, two, three, most, most, most, most],
            suits: [self.comes(lanes, 1).up_to_two(), self.comes(lanes, 2).up_to_two()],
        }
    }

    /// How cards come that fit two goals.
    #[inline(always)]
    fn comes<L: Simd>(&self, lanes: L, two: usize) -> Comes<L> {
        let [own, other] = self.rates;
        let weights = self.weights;
        let (once, twice) = (self.unseen.distinct().0, self.unseen.doubled().0);
        let fits = Lanes { lanes, two, fits: &FITS };
        let any = Lanes { lanes, two, fits: &ANY };
        let hand = self.hand.distinct().0;
        let tens = fits.of(once, 10) + fits.of(twice, 10);
        let wild = tens + fits.of(once, 13) + fits.of(twice, 13);
        let (ten, king) = (weights.fill_ten, weights.fill_king);
        let ten = any.of(hand, 10) * in_lanes(lanes, [ten, 0.0, ten, 0.0]);
        let king = any.of(hand, 13) * in_lanes(lanes, [king, 0.0, king, 0.0]);
        Comes {
            rates: in_lanes(lanes, [own, other, own, other]),
            wild: wild * weights.unseen_wild,
            held: either_of(ten, king),
        }
    }
}

/// A table of what sets of suits fit, for two goals.
struct Lanes<L: Simd> {
    lanes: L,
    two: usize,
    fits: &'static [ByGoal; 16],
}

impl<L: Simd> Lanes<L> {
    /// What the cards of a rank fit.
    #[inline(always)]
    fn of(&self, plane: u64, rank: usize) -> f64x4<L> {
        in_lanes(self.lanes, self.fits[(plane >> (4 * rank - 4) & 15) as usize][self.two])
    }
}

/// How cards come that fit two goals: the expected copies of each, by side, the tens and kings among
/// them, and the chance of those that are held.
#[derive(Clone, Copy)]
struct Comes<L: Simd> {
    rates: f64x4<L>,
    wild: f64x4<L>,
    held: f64x4<L>,
}

impl<L: Simd> Comes<L> {
    /// The chance that one of so many unseen cards comes or that a held one fills the cell: it grows
    /// like the copies that are expected and stays below 1. A quotient, since an exponential is not
    /// the same on every machine.
    #[inline(always)]
    fn of(&self, count: f64) -> Quad {
        // Nothing below 0, exactly.
        let expected = self.rates * (self.wild + count).max(0.0);
        either_of(expected / (expected + 1.0), self.held).into()
    }

    #[inline(always)]
    fn up_to_two(&self) -> [Quad; 4] {
        let two = self.of(2.0);
        [self.of(0.0), self.of(1.0), two, two]
    }
}

impl Chances {
    /// With so many cards that fit each goal, a byte for each.
    #[inline(always)]
    fn of<L: Simd>(&self, lanes: L, cards: u64) -> [f64x4<L>; TWOS] {
        let Chances { colors, suits: [majors, minors] } = self;
        let count = |goal: usize| (cards >> (8 * goal)) as usize;
        [
            beside(lanes, &colors[count(0) & 7], &colors[count(1) & 7]),
            beside(lanes, &majors[count(2) & 3], &majors[count(3) & 3]),
            beside(lanes, &minors[count(4) & 3], &minors[count(5) & 3]),
        ]
    }
}

/// The first half of one beside the second of another.
#[inline(always)]
fn beside<L: Simd>(lanes: L, low: &Quad, high: &Quad) -> f64x4<L> {
    let low = f64x2::simd_from(lanes, [low[0], low[1]]);
    low.combine(f64x2::simd_from(lanes, [high[2], high[3]]))
}
