//! Chances of each open cell to be filled with a card that fits each goal.

use super::super::Weights;
use super::lines::{Goals, GoalsByCell, Pair, either};
use crate::cells::CELLS;
use crate::goals::{FITTING, GOALS, rank_counts};
use parlour_base::cards::Pile;

/// For each set of suits: how many of them fit each goal, and 1 if any does.
const FITS: [Goals; 16] = fits(4);
const ANY: [Goals; 16] = fits(1);

const fn fits(most: u64) -> [Goals; 16] {
    let mut fits = [Goals::splat(0.0); 16];
    let mut at = 0;
    while at < 16 * GOALS {
        let (suits, goal) = (at / GOALS, at % GOALS);
        let count = FITTING[suits] >> (8 * goal) & 7;
        let count = (if count < most { count } else { most }) as f64;
        fits[suits].0[2 * goal] = count;
        fits[suits].0[2 * goal + 1] = count;
        at += 1;
    }
    fits
}

/// Sources of cards for both seats.
pub(super) struct Supply<'a> {
    pub hand: Pile,
    pub unseen: Pile,
    /// Expected copies at hand of each unseen card, by side.
    pub rates: Pair,
    pub weights: &'a Weights,
}

/// Most unseen number cards of a cell that fit one goal: two copies of two suits.
const MOST: usize = 4;

impl Supply<'_> {
    /// The chances of each cell, if it were open. Cards of the own square come from the hand and
    /// from draws; those of the other square from that seat's hidden hand and draws.
    #[inline(always)]
    pub fn open(&self) -> GoalsByCell {
        let chances = self.by_count();
        let fill = Goals::sides([self.weights.fill_number, 0.0]);
        let mut open = [Goals::splat(f64::NAN); CELLS];
        for (cell, open) in open.iter_mut().enumerate() {
            let counts = rank_counts(self.unseen, cell + 1);
            let mut drawn = Goals::splat(f64::NAN);
            for goal in 0..GOALS {
                let (chance, pair) = ((counts >> (8 * goal) & 7) as usize, 2 * goal..2 * goal + 2);
                drawn.0[pair.clone()].copy_from_slice(&chances[chance].0[pair]);
            }
            // Mostly none, but a branch costs more than the sums.
            let held = ANY[(self.hand.distinct().0 >> (4 * cell) & 15) as usize];
            *open = either(drawn, fill * held);
        }
        open
    }

    /// The chances by the number of unseen number cards that fit. A chance grows like the expected
    /// copies and stays below 1. It is a quotient, since an exponential differs between machines.
    #[inline(always)]
    fn by_count(&self) -> [Goals; 8] {
        let weights = self.weights;
        let (once, twice) = (self.unseen.distinct().0, self.unseen.doubled().0);
        let hand = self.hand.distinct().0;
        let of = |fits: &'static [Goals; 16], plane: u64, rank: usize| {
            fits[(plane >> (4 * rank - 4) & 15) as usize]
        };
        let tens = of(&FITS, once, 10) + of(&FITS, twice, 10);
        let wild = tens + of(&FITS, once, 13) + of(&FITS, twice, 13);
        let wild = wild * Goals::splat(weights.unseen_wild);
        let ten = of(&ANY, hand, 10) * Goals::sides([weights.fill_ten, 0.0]);
        let king = of(&ANY, hand, 13) * Goals::sides([weights.fill_king, 0.0]);
        let (rates, held) = (Goals::sides(self.rates), either(ten, king));
        let mut chances = [Goals::splat(f64::NAN); 8];
        for (count, chance) in chances.iter_mut().enumerate().take(MOST + 1) {
            let mut cards = wild + Goals::splat(count as f64);
            for lane in &mut cards.0 {
                *lane = if *lane > 0.0 { *lane } else { 0.0 };
            }
            let expected = rates * cards;
            *chance = either(expected / (expected + Goals::splat(1.0)), held);
        }
        chances
    }
}
