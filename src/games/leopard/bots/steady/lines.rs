//! What the lines of a square may still bring.
//!
//! Each cell has for each of a line's six goals a chance to come to fit it, 1 where a fitting card
//! lies. A line's expected points are the products of its three chances, times what the goal adds,
//! summed over the goals; this takes the cells as independent, which is wrong by a little and cheap.
//! The sum over all lines is linear in the chances of any one cell, so its slopes say what each move
//! changes.

#![expect(clippy::needless_range_loop, reason = "iterators over arrays are not inlined")]

use super::super::Weights;
use super::hopes::Hopes;
use super::supply::{
    ByCell, ByGoal, Fillers, GOALS, GOALS_OF, Pair, Supply, either, either_pair, minus, plus, times,
};
use crate::cards::{Card, Pile, Suit};
use crate::games::leopard::cells::{CELLS, Cell};
use crate::games::leopard::{Rules, Square};

/// The expected points of both squares, and what they depend on.
pub(super) struct Potential<'a> {
    /// The chances of each cell, were it open.
    open: &'a ByCell,
    /// The chances as the cells lie now.
    now: &'a ByCell,
    /// What the expected points gain for each unit of a chance.
    slope: &'a ByCell,
    wrong: &'a Wrong,
    /// The expected points of all lines, by side.
    pub points: Pair,
}

/// The chances of a cell where a card lies that does not fit.
pub(super) struct Wrong {
    /// As a share of that of an open one.
    share: Pair,
    /// That a king at hand makes it fit, if there is one.
    king: Option<[Pair; GOALS]>,
}

impl Wrong {
    #[inline(always)]
    pub fn new(supply: &Supply<'_>) -> Wrong {
        let weights = supply.weights;
        let share = [weights.own_replace, weights.other_replace];
        let kings = Fillers::rank(supply.hand, 13);
        let mut king = [[0.0; 2]; GOALS];
        if kings == 0 {
            return Wrong { share, king: None };
        }
        for goal in 0..GOALS {
            king[goal][0] = if kings >> (8 * goal) & 7 > 0 { weights.replace_king } else { 0.0 };
        }
        Wrong { share, king: Some(king) }
    }

    /// For both squares.
    #[inline(always)]
    fn at(&self, open: &ByGoal, goal: usize) -> Pair {
        let [own, other] = open[goal];
        let chance = [own * self.share[0], other * self.share[1]];
        match &self.king {
            Some(king) => either_pair(chance, king[goal]),
            None => chance,
        }
    }

    /// The chances of each cell as the squares lie.
    #[inline(always)]
    pub fn lying(&self, squares: [Square; 2], open: &ByCell, now: &mut ByCell) {
        let [own, other] = self.share;
        let shares = [[1.0, 1.0], [own, 1.0], [1.0, other], [own, other]];
        let [own, other] = squares.map(|square| square.face_up().index());
        for cell in 0..CELLS {
            let share = shares[own >> cell & 1 | (other >> cell & 1) << 1];
            for goal in 0..GOALS {
                for side in 0..2 {
                    now[cell][goal][side] = open[cell][goal][side] * share[side];
                }
            }
        }
        if let Some(king) = &self.king {
            for goal in 0..GOALS {
                if king[goal][0] == 0.0 {
                    continue;
                }
                for cell in squares[0].face_up() {
                    let chance = &mut now[cell.index()][goal][0];
                    *chance = either(*chance, king[goal][0]);
                }
            }
        }
        for side in 0..2 {
            for suit in 0..4 {
                let [color, own] = GOALS_OF[suit];
                for cell in squares[side].suit(Suit::ALL[suit]) {
                    now[cell.index()][color][side] = 1.0;
                    now[cell.index()][own][side] = 1.0;
                }
            }
        }
    }
}

/// What the expected points gain for each unit of each chance.
#[inline(always)]
pub(super) fn slopes(rules: &Rules, now: &ByCell, slopes: &mut ByCell) {
    let color_line = f64::from(rules.color_line);
    let step = f64::from(rules.suit_line) - color_line;
    // Spelled out, so that sides are summed in pairs and not goals.
    slope::<0>(color_line, now, slopes);
    slope::<1>(color_line, now, slopes);
    slope::<2>(step, now, slopes);
    slope::<3>(step, now, slopes);
    slope::<4>(step, now, slopes);
    slope::<5>(step, now, slopes);
}

/// Those of a goal that is worth so much.
#[inline(always)]
fn slope<const GOAL: usize>(worth: f64, now: &ByCell, slopes: &mut ByCell) {
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8] = now.map(|chances| chances[GOAL]);
    // What the earlier of two cells that lie in a line with a third gives.
    let low = |chance: Pair| times([worth; 2], chance);
    let (l0, l1, l2, l3) = (low(c0), low(c1), low(c2), low(c3));
    let (l4, l5, l6, l7) = (low(c4), low(c5), low(c6), low(c7));
    slopes[0][GOAL] = plus(plus(times(l1, c2), times(l3, c6)), times(l4, c8));
    slopes[1][GOAL] = plus(times(l0, c2), times(l4, c7));
    slopes[2][GOAL] = plus(plus(times(l0, c1), times(l5, c8)), times(l4, c6));
    slopes[3][GOAL] = plus(times(l4, c5), times(l0, c6));
    let middle = plus(plus(times(l3, c5), times(l1, c7)), times(l0, c8));
    slopes[4][GOAL] = plus(middle, times(l2, c6));
    slopes[5][GOAL] = plus(times(l3, c4), times(l2, c8));
    slopes[6][GOAL] = plus(plus(times(l7, c8), times(l0, c3)), times(l2, c4));
    slopes[7][GOAL] = plus(times(l6, c8), times(l1, c4));
    slopes[8][GOAL] = plus(plus(times(l6, c7), times(l2, c5)), times(l0, c4));
}

impl<'a> Potential<'a> {
    /// Of these chances and slopes.
    #[inline(always)]
    pub fn new(
        open: &'a ByCell,
        now: &'a ByCell,
        slope: &'a ByCell,
        wrong: &'a Wrong,
    ) -> Potential<'a> {
        let mut points = [0.0; 2];
        for cell in 0..CELLS {
            for goal in 0..GOALS {
                for side in 0..2 {
                    points[side] += slope[cell][goal][side] * now[cell][goal][side];
                }
            }
        }
        // Each line was met at each of its three cells.
        let points = [points[0] / 3.0, points[1] / 3.0];
        Potential { open, now, slope, wrong, points }
    }

    /// What the expected points of a side change by when a card of a suit comes to lie on a cell,
    /// or when the cell is made open.
    pub fn change(&self, side: usize, cell: Cell, suit: Option<usize>) -> f64 {
        let open = &self.open[cell.index()];
        let (now, slope) = (&self.now[cell.index()], &self.slope[cell.index()]);
        let fits = suit.map(|suit| GOALS_OF[suit & 3]);
        let mut sum = 0.0;
        for goal in 0..GOALS {
            let to = match fits {
                None => open[goal][side],
                Some(fits) if fits.contains(&goal) => 1.0,
                Some(_) => self.wrong.at(open, goal)[side],
            };
            sum += slope[goal][side] * (to - now[goal][side]);
        }
        sum
    }

    /// What each play changes.
    #[inline(always)]
    pub fn hopes(&self, squares: [Square; 2], hopes: &mut Hopes) {
        match &self.wrong.king {
            None => self.look::<false>(&[[0.0; 2]; GOALS], hopes),
            Some(king) => self.look::<true>(king, hopes),
        }
        for side in 0..2 {
            for suit in 0..4 {
                for cell in squares[side].suit(Suit::ALL[suit]) {
                    let cell = cell.index();
                    hopes.base[cell][side] = -hopes.fit[cell][suit][side];
                }
            }
        }
    }

    #[inline(always)]
    fn look<const KING: bool>(&self, king: &[Pair; GOALS], hopes: &mut Hopes) {
        let share = self.wrong.share;
        for cell in 0..CELLS {
            let (open, slope) = (&self.open[cell], &self.slope[cell]);
            // What each goal gives when open, and as far as a card that does not fit leaves it out;
            // of that what a king makes good.
            let of = |goal: usize| {
                let open = times(slope[goal], open[goal]);
                let missed = minus(slope[goal], times(open, share));
                match KING {
                    true => (open, missed, times(missed, king[goal])),
                    false => (open, missed, [0.0; 2]),
                }
            };
            let (g0, g1, g2) = (of(0), of(1), of(2));
            let (g3, g4, g5) = (of(3), of(4), of(5));
            let open = plus(plus(plus(g0.0, g1.0), plus(g2.0, g3.0)), plus(g4.0, g5.0));
            let mut misfit = times(open, [share[0] - 1.0, share[1] - 1.0]);
            let mut fit = [g0.1, g1.1, g2.1, g3.1, g4.1, g5.1];
            if KING {
                let made = plus(plus(plus(g0.2, g1.2), plus(g2.2, g3.2)), plus(g4.2, g5.2));
                misfit = plus(misfit, made);
                fit = [
                    minus(fit[0], g0.2),
                    minus(fit[1], g1.2),
                    minus(fit[2], g2.2),
                    minus(fit[3], g3.2),
                    minus(fit[4], g4.2),
                    minus(fit[5], g5.2),
                ];
            }
            hopes.misfit[cell] = misfit;
            hopes.base[cell] = misfit;
            hopes.fit[cell][0] = plus(fit[0], fit[2]);
            hopes.fit[cell][1] = plus(fit[1], fit[3]);
            hopes.fit[cell][2] = plus(fit[1], fit[4]);
            hopes.fit[cell][3] = plus(fit[0], fit[5]);
        }
    }

    /// The change when this number card, of which one copy is held, leaves the hand; `weights`
    /// and the rest of the hand say what the cell's chances were made of.
    pub fn lose(&self, card: Card, hand: Pile, weights: &Weights) -> f64 {
        let cell = Cell::of_number(card).index();
        let left = 1.0 - weights.fill_number;
        if hand.doubled().has(card) || left <= 0.0 {
            return 0.0;
        }
        let numbers = Fillers::rank(hand, card.rank().into());
        let (open, now) = (&self.open[cell], &self.now[cell]);
        let mut sum = 0.0;
        for goal in GOALS_OF[card.suit().index()] {
            // Without the card the cell is missed with its other chances alone, and so more often
            // by the factor that the card gave.
            if numbers >> (8 * goal) & 7 == 1 {
                let missed = (1.0 - open[goal][0]) / left;
                let lost = missed * weights.fill_number;
                // How much of a change of a cell's chance when open is felt as the cell lies now.
                let share = if now[goal][0] == open[goal][0] {
                    1.0
                } else if now[goal][0] == self.wrong.at(open, goal)[0] {
                    self.wrong.share[0]
                } else {
                    0.0
                };
                sum -= self.slope[cell][goal][0] * lost * share;
            }
        }
        sum
    }
}
