//! What a position is told to the network by: rows of its first layer.

use super::codes::{Codes, Does};

use Does::{Fit, Held, Open, Spoil};

/// Who is told the rows of a position.
pub trait Sink {
    /// This row, once more.
    fn add(&mut self, row: usize);
}

/// The rows in the order in which they are told.
impl Sink for Vec<u16> {
    fn add(&mut self, row: usize) {
        self.push(row as u16);
    }
}

/// An own cell for a suit: a card of it lies there; the number card of the suit is held, unseen
/// twice, unseen once, gone; another card lies there, and the number card is held, or not.
const OWN_SUIT_CELLS: [Does; 7] = [Fit, Held, Open, Open, Spoil, Spoil, Spoil];

/// An own cell for a colour: a card of it lies there; one of its number cards is held, at least
/// three are unseen, at least one, none; another card lies there.
const OWN_COLOR_CELLS: [Does; 6] = [Fit, Held, Open, Open, Spoil, Spoil];

/// A cell of the other's: a card that fits lies there; two that fit are unseen (for a colour
/// three), one, none; the same where a number card that does not fit is held; another lies there.
const OTHER_CELLS: [Does; 8] = [Fit, Open, Open, Spoil, Open, Open, Spoil, Spoil];

pub(super) static OWN_SUIT_CODES: Codes<7> = Codes::new(OWN_SUIT_CELLS);
pub(super) static OWN_COLOR_CODES: Codes<6> = Codes::new(OWN_COLOR_CELLS);
pub(super) static OTHER_CODES: Codes<8> = Codes::new(OTHER_CELLS);

/// Names groups of rows, one after the other.
macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident: $count:expr,)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "named as the groups")]
        enum Group { $($name,)* }
        const COUNTS: &[usize] = &[$($count,)*];
        $($(#[$doc])* pub(super) const $name: usize = start(Group::$name as usize);)*
    };
}

const fn start(group: usize) -> usize {
    let (mut sum, mut at) = (0, 0);
    while at < group {
        sum += COUNTS[at];
        at += 1;
    }
    sum
}

/// How many rows there are.
pub const ROWS: usize = start(COUNTS.len());

groups! {
    /// An own line that may be of one suit, by its cells.
    OWN_SUIT: Codes::count(OWN_SUIT_CELLS),
    /// An own line that may be of one colour.
    OWN_COLOR: Codes::count(OWN_COLOR_CELLS),
    /// A line of one suit on the other's square.
    OTHER_SUIT: Codes::count(OTHER_CELLS),
    /// A line of one colour there.
    OTHER_COLOR: Codes::count(OTHER_CELLS),
    /// What a number card would give on an open own cell, by where the card is.
    OWN_GAIN: 3 * 8,
    /// The same on the other's square, by how many are unseen and whether the own hand could close
    /// the cell.
    OTHER_GAIN: 2 * 2 * 8,
    /// The most that each king held would give.
    KING_GAIN: 8,
    /// The same for each ten held.
    TEN_GAIN: 8,
    /// The most that a jack would take from the own square, by how many jacks are unseen.
    OWN_WORST: 3 * 10,
    /// The most that one would take from the other's, by whether a jack is held.
    OTHER_WORST: 2 * 10,
    /// How many points each seat lacks for a winning knock.
    NEED: 12 * 12,
    /// The difference of the values.
    LEAD: 25,
    /// How many points the best card held leaves short of a winning knock.
    SHORT: 9,
    /// The same for the other and the best card there is.
    OTHER_SHORT: 9,
    /// With how many unseen number cards the other would stand to win by a knock.
    OTHER_CARDS: 7,
    /// The number of cards in the stock.
    STOCK: 32,
    /// Jacks, queens, kings and tens in hand.
    HELD: 4 * 4,
    /// Number cards in hand whose cells are closed on both squares.
    DEAD: 10,
    /// Unseen jacks, queens, kings and tens.
    UNSEEN: 4 * 9,
}
