//! How cards come to the seats: the chance of each open cell to come to fit each goal.

use fearless_simd::{Simd, f64x2, prelude::*};

use super::super::Weights;
use super::goals::{
    ByCell, ByGoal, GOALS, GOALS_OF, Goals, Pair, Quad, by_cell, cell_by_cell, either,
};
use crate::cards::Pile;
use crate::cells::CELLS;

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
    let mut fits = [[0.0; 2 * GOALS]; 16];
    let mut at = 0;
    while at < 16 * GOALS {
        let (suits, goal) = (at / GOALS, at % GOALS);
        let count = FIT[suits] >> (8 * goal) & 7;
        let count = (if count < most { count } else { most }) as f64;
        fits[suits][2 * goal] = count;
        fits[suits][2 * goal + 1] = count;
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

/// The chances that a cell's unseen cards give, by how many of them fit a goal: black and red, and the
/// four suits.
struct Chances {
    colors: [Quad; 8],
    suits: [[f64; 8]; 4],
}

impl Supply<'_> {
    /// The chances of each cell, were it open: of the own square from the hand and what may be
    /// drawn, of the other's from what that seat may hold and draw.
    #[inline(always)]
    pub fn open<L: Simd>(&self, lanes: L) -> ByCell {
        let chances = self.chances(lanes);
        let fill = Goals::sides(lanes, [self.weights.fill_number, 0.0]);
        cell_by_cell!(|cell| {
            let drawn = chances.of(lanes, Fillers::rank(self.unseen, cell + 1));
            // Mostly none, but a look costs more than the sums.
            let held = &ANY[(self.hand.distinct().0 >> (4 * cell) & 15) as usize];
            either(drawn, fill * Goals::of(lanes, held)).into()
        })
    }

    #[inline(always)]
    fn chances<L: Simd>(&self, lanes: L) -> Chances {
        let comes = self.comes(lanes);
        let [none, one, two] = [comes.of(0.0), comes.of(1.0), comes.of(2.0)];
        let [three, most] = [comes.of(3.0), comes.of(4.0)];
        Chances {
            colors: [none, one, two, three, most, most, most, most].map(|of| of.colors.into()),
            suits: [none, one, two, two].map(|of| of.suits.into()),
        }
    }

    #[inline(always)]
    fn comes<L: Simd>(&self, lanes: L) -> Comes<L> {
        let weights = self.weights;
        let (once, twice) = (self.unseen.distinct().0, self.unseen.doubled().0);
        let hand = self.hand.distinct().0;
        // What the cards of a rank fit.
        let of = |fits: &'static [ByGoal; 16], plane: u64, rank: usize| {
            Goals::of(lanes, &fits[(plane >> (4 * rank - 4) & 15) as usize])
        };
        let tens = of(&FITS, once, 10) + of(&FITS, twice, 10);
        let wild = tens + of(&FITS, once, 13) + of(&FITS, twice, 13);
        let ten = of(&ANY, hand, 10) * Goals::sides(lanes, [weights.fill_ten, 0.0]);
        let king = of(&ANY, hand, 13) * Goals::sides(lanes, [weights.fill_king, 0.0]);
        Comes {
            lanes,
            rates: Goals::sides(lanes, self.rates),
            wild: wild * Goals::splat(lanes, weights.unseen_wild),
            held: either(ten, king),
        }
    }
}

/// How cards come that fit each goal: the expected copies of each, by side, the tens and kings among
/// them, and the chance of those that are held.
#[derive(Clone, Copy)]
struct Comes<L: Simd> {
    lanes: L,
    rates: Goals<L>,
    wild: Goals<L>,
    held: Goals<L>,
}

impl<L: Simd> Comes<L> {
    /// The chance that one of so many unseen cards comes or that a held one fills the cell: it grows
    /// like the copies that are expected and stays below 1. A quotient, since an exponential is not
    /// the same on every machine.
    #[inline(always)]
    fn of(&self, count: f64) -> Goals<L> {
        // Nothing below 0, exactly.
        let cards = (self.wild + Goals::splat(self.lanes, count)).positive();
        let expected = self.rates * cards;
        either(expected / (expected + Goals::splat(self.lanes, 1.0)), self.held)
    }
}

impl Chances {
    /// With so many cards that fit each goal, a byte for each.
    #[inline(always)]
    fn of<L: Simd>(&self, lanes: L, cards: u64) -> Goals<L> {
        let Chances { colors, suits } = self;
        let count = |goal: usize| (cards >> (8 * goal)) as usize;
        let color = |goal: usize| &colors[count(goal) & 7];
        let suit = |goal: usize| &suits[count(goal) & 3];
        let beside = |[a, b]: Pair, [c, d]: Pair| {
            f64x2::simd_from(lanes, [a, b]).combine(f64x2::simd_from(lanes, [c, d]))
        };
        let [[a, b, ..], [.., c, d]] = [color(0), color(1)];
        let colors = beside([*a, *b], [*c, *d]);
        let [[a, b, ..], [_, _, c, d, ..]] = [suit(2), suit(3)];
        let majors = beside([*a, *b], [*c, *d]);
        let [[.., a, b, _, _], [.., c, d]] = [suit(4), suit(5)];
        let minors = beside([*a, *b], [*c, *d]);
        Goals { colors, suits: majors.combine(minors) }
    }
}
