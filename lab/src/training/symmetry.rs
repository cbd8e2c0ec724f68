//! Symmetries of a position of Leopard.

use parlour::cards::Card;
use parlour::games::leopard::State;

/// One of the 64 symmetries of a position: a turn or reflection of both squares with their number
/// cards, and an exchange of suits that keeps colours together.
pub struct Symmetry {
    /// The new place of each cell.
    cells: [u8; 9],
    /// The new suit of each suit.
    suits: [u8; 4],
}

impl Symmetry {
    /// All symmetries; the first changes nothing.
    pub fn all() -> Vec<Symmetry> {
        (0..64).map(Symmetry::number).collect()
    }

    fn number(number: u8) -> Symmetry {
        let cells = std::array::from_fn(|cell| {
            let (row, column) = (cell as u8 / 3, cell as u8 % 3);
            let row = if number & 1 > 0 { 2 - row } else { row };
            let column = if number & 2 > 0 { 2 - column } else { column };
            if number & 4 > 0 { 3 * column + row } else { 3 * row + column }
        });
        // Spades and clubs are black, the outer two of four.
        let suits = std::array::from_fn(|suit| {
            let (suit, is_black) = (suit as u8, suit % 3 == 0);
            let exchanged = number & if is_black { 8 } else { 16 } > 0;
            let own = if exchanged { 3 - suit } else { suit };
            if number & 32 > 0 { own ^ 1 } else { own }
        });
        Symmetry { cells, suits }
    }

    /// The position with its cards and cells exchanged.
    pub fn apply(&self, state: &State) -> State {
        state.map_cards(|card| {
            let (rank, suit) = (card.index() / 4, card.index() % 4);
            let rank = self.cells.get(usize::from(rank)).copied().unwrap_or(rank);
            Card::from_index(4 * rank + self.suits[usize::from(suit)])
        })
    }
}
