//! Expected points of the lines of a square, line by line.

use super::super::Weights;
use crate::cells::{CELLS, Cell, Cells, LINE_CELLS};
use crate::{Rules, Square};
use parlour_base::cards::{Card, Pile, Suit};

/// A number for each goal.
type ByGoal = [f64; GOALS];

/// The chance that at least one of two independent events happens.
fn either(a: f64, b: f64) -> f64 {
    a + b - a * b
}

/// The chance of an event that is expected `x` times: it grows like `x` and stays below 1. It is a
/// quotient, since an exponential differs between machines.
fn comes(x: f64) -> f64 {
    let x = x.max(0.0);
    x / (1.0 + x)
}

/// The chances of the cells of one square.
pub(super) struct Chances {
    /// If the cell were open.
    open: [ByGoal; CELLS],
    /// If a card that does not fit lay there.
    wrong: [ByGoal; CELLS],
}

/// The source of cards for a seat.
pub(super) struct Supply<'a> {
    pub unseen: &'a Fillers,
    /// Expected copies at hand of each unseen card.
    pub rate: f64,
    pub weights: &'a Weights,
}

impl Supply<'_> {
    /// The chances of each cell from unseen cards alone.
    fn drawn(&self) -> [ByGoal; CELLS] {
        let Fillers { numbers, tens, kings } = self.unseen;
        let wild = |goal| self.weights.unseen_wild * f64::from(tens[goal] + kings[goal]);
        let wilds: ByGoal = std::array::from_fn(wild);
        numbers.map(|numbers| {
            std::array::from_fn(|goal| comes(self.rate * (f64::from(numbers[goal]) + wilds[goal])))
        })
    }

    /// The chances of the square of the seat that holds these cards.
    pub fn own(&self, hand: &Fillers) -> Chances {
        let weights = self.weights;
        let mut open = self.drawn();
        let held = |count: u32, chance: f64| if count > 0 { chance } else { 0.0 };
        let Fillers { numbers, tens, kings } = hand;
        let wild: ByGoal = std::array::from_fn(|goal| {
            either(held(tens[goal], weights.fill_ten), held(kings[goal], weights.fill_king))
        });
        for (open, numbers) in open.iter_mut().zip(numbers) {
            for goal in 0..GOALS {
                open[goal] = either(
                    either(open[goal], wild[goal]),
                    held(numbers[goal], weights.fill_number),
                );
            }
        }
        let mut wrong = open;
        for goals in &mut wrong {
            for (goal, chance) in goals.iter_mut().enumerate() {
                *chance =
                    either(*chance * weights.own_replace, held(kings[goal], weights.replace_king));
            }
        }
        Chances { open, wrong }
    }

    /// The chances of the square of the seat with the hidden hand.
    pub fn other(&self) -> Chances {
        let open = self.drawn();
        let share = self.weights.other_replace;
        Chances { open, wrong: open.map(|goals| goals.map(|chance| chance * share)) }
    }
}

/// Expected points of a square, with the chances that they depend on.
pub(super) struct Potential {
    pub chances: Chances,
    /// The chances as the cells are now.
    now: [ByGoal; CELLS],
    /// Derivatives of the expected points.
    slope: [ByGoal; CELLS],
    /// Expected points of all lines.
    pub points: f64,
}

impl Potential {
    pub fn new(square: Square, chances: Chances, rules: &Rules) -> Potential {
        let mut now = chances.open;
        for suit in 0..4 {
            for cell in square.suit(Suit::ALL[suit]) {
                now[cell.index()] = chances.laid(cell, suit);
            }
        }
        let color_line = f64::from(rules.color_line);
        let step = f64::from(rules.suit_line) - color_line;
        let by_goal: ByGoal = [color_line, color_line, step, step, step, step];
        let mut slope = [[0.0; GOALS]; CELLS];
        let mut points = 0.0;
        for cell in 0..CELLS {
            for line in LINE_CELLS.into_iter().filter(|line| line.contains(&cell)) {
                let mut mates = line.into_iter().filter(|mate| *mate != cell);
                let (low, high) = (mates.next().unwrap(), mates.next().unwrap());
                for goal in 0..GOALS {
                    slope[cell][goal] += by_goal[goal] * now[low][goal] * now[high][goal];
                }
            }
            for goal in 0..GOALS {
                points += slope[cell][goal] * now[cell][goal];
            }
        }
        // Each line was met at each of its three cells.
        Potential { chances, now, slope, points: points / 3.0 }
    }

    /// The change of the expected points when a card of a suit is laid on a cell, or when the cell
    /// is opened.
    pub fn change(&self, cell: Cell, suit: Option<usize>) -> f64 {
        let open = self.chances.open[cell.index()];
        let to = suit.map_or(open, |suit| self.chances.laid(cell, suit));
        let (mut sum, cell) = (0.0, cell.index());
        for ((slope, to), now) in self.slope[cell].iter().zip(to).zip(&self.now[cell]) {
            sum += slope * (to - now);
        }
        sum
    }

    /// The change when this number card, of which one copy is held, leaves the hand.
    pub fn lose(&self, cell: Cell, suit: usize, hand: &Fillers, weights: &Weights) -> f64 {
        let (numbers, cell) = (&hand.numbers[cell.index()], cell.index());
        let left = 1.0 - weights.fill_number;
        let mut sum = 0.0;
        for goal in goals_of(suit) {
            // Without the card the cell is missed more often, by the factor that the card gave.
            if numbers[goal] == 1 && left > 0.0 {
                let missed = (1.0 - self.chances.open[cell][goal]) / left;
                let lost = missed * weights.fill_number;
                let share = self.share_of_open(cell, goal, weights);
                sum -= self.slope[cell][goal] * lost * share;
            }
        }
        sum
    }

    /// The share of a change of a cell's chance when open that counts as the cell is now.
    fn share_of_open(&self, cell: usize, goal: usize, weights: &Weights) -> f64 {
        let now = self.now[cell][goal];
        if now == self.chances.open[cell][goal] {
            1.0
        } else if now == self.chances.wrong[cell][goal] {
            weights.own_replace
        } else {
            0.0
        }
    }
}

impl Chances {
    /// The chances of a cell with a face-up card of this suit.
    fn laid(&self, cell: Cell, suit: usize) -> ByGoal {
        let mut goals = self.wrong[cell.index()];
        for goal in goals_of(suit) {
            goals[goal] = 1.0;
        }
        goals
    }
}

/// Number of goals: black and red, then the four suits.
const GOALS: usize = 6;

/// The goals that a suit fits: its colour, then itself.
fn goals_of(suit: usize) -> [usize; 2] {
    [usize::from(Suit::ALL[suit & 3].is_red()), 2 + (suit & 3)]
}

/// The number of cards that fit each goal, copies included.
#[derive(Clone, Copy)]
pub(super) struct Fillers {
    /// The number cards of each cell.
    pub numbers: [[u32; GOALS]; CELLS],
    pub tens: [u32; GOALS],
    pub kings: [u32; GOALS],
}

impl Fillers {
    pub fn of(pile: Pile) -> Fillers {
        let once = Cells::by_suit(pile.distinct());
        let twice = Cells::by_suit(pile.doubled());
        let numbers = |cell| {
            by_goal(|suit| u32::from(once[suit].has(cell)) + u32::from(twice[suit].has(cell)))
        };
        let rank = |rank| by_goal(|suit| pile.count(Card::new(rank, Suit::ALL[suit])));
        Fillers { numbers: Cell::ALL.map(numbers), tens: rank(10), kings: rank(13) }
    }
}

/// Converts numbers by suit to numbers by goal.
fn by_goal(suit: impl Fn(usize) -> u32) -> [u32; GOALS] {
    let [s, h, d, c] = [suit(0), suit(1), suit(2), suit(3)];
    [s + c, h + d, s, h, d, c]
}
