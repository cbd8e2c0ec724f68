//! What cards can fill, goal by goal. A line has six *goals*: to be of black or of red cards, or of
//! one of the four suits.

use crate::cards::{Card, Pile, Suit};
use crate::games::leopard::cells::{CELLS, Cell, Cells};

/// Black and red, then the four suits.
pub(super) const GOALS: usize = 6;

/// The goals that a suit fits: its colour, then itself.
pub(super) fn goals_of(suit: usize) -> [usize; 2] {
    [usize::from(Suit::ALL[suit & 3].is_red()), 2 + (suit & 3)]
}

/// Cards by what they can fill: how many of them fit each goal, copies counted.
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

/// From suits to goals.
fn by_goal(suit: impl Fn(usize) -> u32) -> [u32; GOALS] {
    let [s, h, d, c] = [suit(0), suit(1), suit(2), suit(3)];
    [s + c, h + d, s, h, d, c]
}
