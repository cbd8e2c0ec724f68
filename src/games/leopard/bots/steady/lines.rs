//! What the lines of a square may still bring.
//!
//! Each cell has for each of a line's six goals a chance to come to fit it, 1 where a fitting card
//! lies. A line's expected points are the products of its three chances, times what the goal adds,
//! summed over the goals; this takes the cells as independent, which is wrong by a little and cheap.
//! The sum over all lines is linear in the chances of any one cell, so its slopes say what each move
//! changes.
//!
//! A line has six *goals*: to be of black or of red cards, or of one of the four suits.

#![expect(clippy::needless_range_loop, reason = "iterators over arrays are not inlined")]

use super::super::Weights;
use crate::cards::{CardSet, Pile, Suit};
use crate::games::leopard::cells::{CELLS, Cell, Cells, MATES};
use crate::games::leopard::{Rules, Square};

/// Black and red, then the four suits.
pub(in super::super) const GOALS: usize = 6;

/// A number for each goal and side: both squares are looked at together, since a processor does
/// two sums at once.
type ByGoal = [[f64; 2]; GOALS];

/// The same for each cell.
pub(super) type ByCell = [ByGoal; CELLS];

/// Room for one.
pub(super) const ROOM: ByCell = [[[0.0; 2]; GOALS]; CELLS];

/// The goals that each suit fits: its colour, then itself.
const GOALS_OF: [[usize; 2]; 4] = [[0, 2], [1, 3], [1, 4], [0, 5]];

/// Two independent chances of which one is enough.
#[inline(always)]
fn either(a: f64, b: f64) -> f64 {
    a + b - a * b
}

/// The chance that something comes that is expected `x` times: it grows like `x` and stays below
/// 1. A quotient, since an exponential is not the same on every machine.
#[inline(always)]
fn comes(x: f64) -> f64 {
    // Nothing below 0, exactly, and quicker than a comparison where two are looked at together.
    let x = (x + x.abs()) * 0.5;
    x / (1.0 + x)
}

/// Cards by what they can fill: how many of them fit each goal, copies counted. The last two bytes
/// only fill a word.
#[derive(Clone, Copy)]
pub(in super::super) struct Fillers {
    /// The number cards of each cell.
    pub numbers: [[u8; 8]; CELLS],
    pub tens: [u8; 8],
    pub kings: [u8; 8],
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
        let (once, twice) = (pile.distinct().0, pile.doubled().0);
        let rank = |rank: usize| {
            let (once, twice) = (once >> (4 * rank - 4) & 15, twice >> (4 * rank - 4) & 15);
            (FIT[once as usize] + FIT[twice as usize]).to_le_bytes()
        };
        let mut numbers = [[0; 8]; CELLS];
        for cell in 0..CELLS {
            numbers[cell] = rank(cell + 1);
        }
        Fillers { numbers, tens: rank(10), kings: rank(13) }
    }
}

/// How cards come to the seats.
pub(super) struct Supply<'a> {
    pub hand: &'a Fillers,
    /// For each suit, the cells whose number card is in the hand.
    pub held: [Cells; 4],
    pub unseen: &'a Fillers,
    /// Expected copies at hand of each unseen card, by side.
    pub rates: [f64; 2],
    pub weights: &'a Weights,
}

/// The chance that a card gives which is held, or not.
#[inline(always)]
fn has(count: u8, chance: f64) -> f64 {
    if count > 0 { chance } else { 0.0 }
}

impl Supply<'_> {
    /// Fills in the chances of each cell, were it open: of the own square from the hand and what may
    /// be drawn, of the other's from what that seat may hold and draw.
    #[inline(always)]
    fn look(&self, open: &mut ByCell) {
        let Supply { hand, unseen, rates, weights, .. } = self;
        // For each goal by how many unseen number cards fit it: to four for a colour, to two for a
        // suit.
        let mut chances = [[[0.0; 2]; 8]; GOALS];
        // Plain loops here and below: iterators over arrays are not inlined.
        for goal in 0..GOALS {
            let drawn = weights.unseen_wild * f64::from(unseen.tens[goal] + unseen.kings[goal]);
            let ten = has(hand.tens[goal], weights.fill_ten);
            let held = [either(ten, has(hand.kings[goal], weights.fill_king)), 0.0];
            for count in 0..if goal < 2 { 5 } else { 3 } {
                for side in 0..2 {
                    let drawn = comes(rates[side] * (count as f64 + drawn));
                    chances[goal][count][side] = either(drawn, held[side]);
                }
            }
        }
        for cell in 0..CELLS {
            for goal in 0..GOALS {
                let count = usize::from(unseen.numbers[cell][goal] & 7);
                open[cell][goal] = chances[goal][count];
            }
        }
        let [s, h, d, c] = self.held;
        let held = [s | c, h | d, s, h, d, c];
        for goal in 0..GOALS {
            for cell in held[goal] {
                let chance = &mut open[cell.index()][goal][0];
                *chance = either(*chance, weights.fill_number);
            }
        }
    }
}

/// The expected points of both squares, and what they depend on.
pub(super) struct Potential<'a> {
    /// The chances of each cell, were it open.
    open: &'a ByCell,
    /// The chances as the cells lie now.
    now: &'a ByCell,
    /// What the expected points gain for each unit of a chance.
    slope: &'a ByCell,
    wrong: Wrong,
    /// The expected points of all lines, by side.
    pub points: [f64; 2],
}

/// The chances of a cell where a card lies that does not fit, by side.
#[derive(Clone, Copy)]
struct Wrong {
    /// As a share of that of an open one.
    share: [f64; 2],
    /// That a king at hand makes it fit, if there is one.
    king: Option<[f64; GOALS]>,
}

impl Wrong {
    #[inline(always)]
    fn at(&self, open: &ByGoal, side: usize, goal: usize) -> f64 {
        let chance = open[goal][side] * self.share[side];
        match &self.king {
            Some(king) if side == 0 => either(chance, king[goal]),
            _ => chance,
        }
    }

    /// The chances of a cell with a face-up card of this suit.
    #[inline(always)]
    fn laid(&self, open: &ByGoal, side: usize, suit: usize) -> [f64; GOALS] {
        let mut goals = [0.0; GOALS];
        for goal in 0..GOALS {
            goals[goal] = open[goal][side] * self.share[side];
        }
        if let Some(king) = &self.king
            && side == 0
        {
            for goal in 0..GOALS {
                goals[goal] = either(goals[goal], king[goal]);
            }
        }
        for goal in GOALS_OF[suit & 3] {
            goals[goal] = 1.0;
        }
        goals
    }
}

impl<'a> Potential<'a> {
    /// Of these squares; `room` is for what it looks up.
    #[inline(always)]
    pub fn new(
        squares: [Square; 2],
        supply: &Supply<'_>,
        rules: &Rules,
        [open, now, slopes]: [&'a mut ByCell; 3],
    ) -> Potential<'a> {
        let Supply { weights, hand, .. } = supply;
        supply.look(open);
        let mut wrong = Wrong { share: [weights.own_replace, weights.other_replace], king: None };
        if hand.kings != [0; 8] {
            let mut king = [0.0; GOALS];
            for goal in 0..GOALS {
                king[goal] = has(hand.kings[goal], weights.replace_king);
            }
            wrong.king = Some(king);
        }
        *now = *open;
        for side in 0..2 {
            for suit in 0..4 {
                for cell in squares[side].suit(Suit::ALL[suit]) {
                    let laid = wrong.laid(&open[cell.index()], side, suit);
                    for goal in 0..GOALS {
                        now[cell.index()][goal][side] = laid[goal];
                    }
                }
            }
        }
        let color_line = f64::from(rules.color_line);
        let step = f64::from(rules.suit_line) - color_line;
        let worth = [color_line, color_line, step, step, step, step];
        // Spelled out, so that each is compiled with its cells as constants.
        slopes[0] = slope::<0>(&worth, now);
        slopes[1] = slope::<1>(&worth, now);
        slopes[2] = slope::<2>(&worth, now);
        slopes[3] = slope::<3>(&worth, now);
        slopes[4] = slope::<4>(&worth, now);
        slopes[5] = slope::<5>(&worth, now);
        slopes[6] = slope::<6>(&worth, now);
        slopes[7] = slope::<7>(&worth, now);
        slopes[8] = slope::<8>(&worth, now);
        let mut points = [0.0; 2];
        for cell in 0..CELLS {
            for goal in 0..GOALS {
                for side in 0..2 {
                    points[side] += slopes[cell][goal][side] * now[cell][goal][side];
                }
            }
        }
        // Each line was met at each of its three cells.
        let points = [points[0] / 3.0, points[1] / 3.0];
        Potential { open, now, slope: slopes, wrong, points }
    }

    /// What the expected points of a side change by when a card of a suit comes to lie on a cell,
    /// or when the cell is made open.
    #[inline(always)]
    pub fn change(&self, side: usize, cell: Cell, suit: Option<usize>) -> f64 {
        let open = &self.open[cell.index()];
        let (now, slope) = (&self.now[cell.index()], &self.slope[cell.index()]);
        let mut sum = 0.0;
        match suit {
            Some(suit) => {
                let to = self.wrong.laid(open, side, suit);
                for goal in 0..GOALS {
                    sum += slope[goal][side] * (to[goal] - now[goal][side]);
                }
            }
            None => {
                for goal in 0..GOALS {
                    sum += slope[goal][side] * (open[goal][side] - now[goal][side]);
                }
            }
        }
        sum
    }

    /// Not less than what a card of a suit brings to any of these own cells, where chances are from
    /// 0 to 1 and lines worth not less than nothing; `None` where that is not as simple.
    #[inline(always)]
    pub fn fits_most(&self, cells: Cells, suit: usize, mut kings: CardSet) -> Option<f64> {
        // With a king of another suit at hand a card that does not fit may be better than none.
        if kings.any(|king| king.suit().index() != suit) {
            return None;
        }
        let [color, own] = GOALS_OF[suit & 3];
        let mut most = 0.0;
        for cell in cells {
            let (slope, now) = (&self.slope[cell.index()], &self.now[cell.index()]);
            let gain =
                slope[color][0] * (1.0 - now[color][0]) + slope[own][0] * (1.0 - now[own][0]);
            most = if gain > most { gain } else { most };
        }
        Some(most)
    }

    /// The most that is brought by making one of these own cells open.
    #[inline(always)]
    pub fn opens_most(&self, cells: Cells) -> f64 {
        let mut most = f64::NEG_INFINITY;
        for cell in cells {
            let change = self.change(0, cell, None);
            most = if change > most { change } else { most };
        }
        most
    }

    /// The change when this number card, of which one copy is held, leaves the hand; `weights`
    /// and the rest of the hand say what the cell's chances were made of.
    #[inline(always)]
    pub fn lose(&self, cell: Cell, suit: usize, hand: &Fillers, weights: &Weights) -> f64 {
        let (numbers, open) = (&hand.numbers[cell.index()], &self.open[cell.index()]);
        let now = &self.now[cell.index()];
        let left = 1.0 - weights.fill_number;
        let mut sum = 0.0;
        for goal in GOALS_OF[suit & 3] {
            // Without the card the cell is missed with its other chances alone, and so more often
            // by the factor that the card gave.
            if numbers[goal] == 1 && left > 0.0 {
                let missed = (1.0 - open[goal][0]) / left;
                let lost = missed * weights.fill_number;
                // How much of a change of a cell's chance when open is felt as the cell lies now.
                let share = if now[goal][0] == open[goal][0] {
                    1.0
                } else if now[goal][0] == self.wrong.at(open, 0, goal) {
                    self.wrong.share[0]
                } else {
                    0.0
                };
                sum -= self.slope[cell.index()][goal][0] * lost * share;
            }
        }
        sum
    }
}

/// What the expected points gain for each unit of a chance of a cell, from what a goal is worth and
/// the chances.
#[inline(always)]
fn slope<const CELL: usize>(worth: &[f64; GOALS], now: &ByCell) -> ByGoal {
    let (mates, count) = const { MATES[CELL] };
    let mut slope = [[0.0; 2]; GOALS];
    for [low, high] in &mates[..count] {
        for goal in 0..GOALS {
            for side in 0..2 {
                let (low, high) = (now[*low as usize][goal], now[*high as usize][goal]);
                slope[goal][side] += worth[goal] * low[side] * high[side];
            }
        }
    }
    slope
}
