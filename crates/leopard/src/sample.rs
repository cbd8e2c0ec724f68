//! Uniform sampling of a legal move without a list of moves: the core of every playout.
//!
//! It has the rules of [`Rules::cells`] in another form, as numbers of cells.

use super::cells::{CELLS, Cell, by_cells};
use super::{Covers, Move, Rules, Side, Square, View};
use parlour_base::cards::{BYTES, Card, NTH_IN_BYTE};
use parlour_base::chance::Stream;

/// The first bit of the nibbles of ten, jack, queen and king.
const TEN: u32 = 36;
const JACK: u32 = 40;
const QUEEN: u32 = 44;
const KING: u32 = 48;

/// Facts about a square's cells, with one entry for each set of face-up cells.
#[derive(Clone, Copy)]
struct Places {
    /// A full nibble for each open cell, where the cards of that cell's rank lie in a hand.
    open_ranks: u64,
    /// The face-up cells, then the open cells, each ascending.
    order: [u8; 16],
    /// Number of face-up cells.
    face_up: u8,
}

const BY_FACE_UP: [Places; 512] = by_cells!(
    Places { open_ranks: 0, order: [0; 16], face_up: 0 },
    CELLS,
    |places, cells, cell| {
        let up = places.face_up as usize;
        if cells >> cell & 1 == 1 {
            places.order[up] = cell as u8;
            places.face_up += 1;
        } else {
            places.order[cells.count_ones() as usize + cell - up] = cell as u8;
            places.open_ranks |= 0xF << (4 * cell);
        }
    }
);

impl Places {
    #[inline]
    fn of(square: Square) -> &'static Places {
        &BY_FACE_UP[square.face_up().index()]
    }

    /// The k-th face-up cell; after those, the k-th open cell.
    #[inline]
    fn nth(&self, k: u32) -> Cell {
        Cell::from_low_bits(self.order[k as usize & 15])
    }
}

impl View {
    /// Samples a legal move uniformly.
    #[inline(always)]
    pub(super) fn sample(&self, rules: &Rules, chance: &mut Stream) -> Move {
        let bits = (chance.bits() >> 32) as u32;
        self.sample_with(rules, bits, chance)
    }

    /// Samples a legal move with 32 random bits that are at hand.
    #[inline(always)]
    pub(super) fn sample_with(&self, rules: &Rules, bits: u32, chance: &mut Stream) -> Move {
        let hand = self.hand.distinct().0;
        let [own, other] = [Side::Own, Side::Other];
        let (own, other) = (Places::of(self.square(own)), Places::of(self.square(other)));
        // Cards of each rank in its nibble (at most 4). Then moves of each rank that need no other
        // cell than the rank's own (at most 12). Then running sums over pairs of ranks by bytes (at
        // most 9·12 + 4·4 = 124, which leaves the top bit free).
        let pairs = hand - (hand >> 1 & 0x5555_5555_5555_5555);
        let cards = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let discards = if self.played { 0 } else { cards };
        let weights = discards + (cards & own.open_ranks) + (cards & other.open_ranks);
        let bytes = (weights & 0x0F0F_0F0F_0F0F_0F0F) + (weights >> 4 & 0x0F0F_0F0F_0F0F_0F0F);
        let up_to = bytes.wrapping_mul(BYTES);
        let simple = (up_to >> 56) as u32;

        // Numbers of cells for a ten, a jack, a queen and a king.
        let (up, other_up) = (u32::from(own.face_up), u32::from(other.face_up));
        let (tens, queens, jacks) = match rules.face_down_covers {
            Covers::FaceUp => (9 - up, up, up + other_up),
            Covers::Any => (9 - up, 9, 18),
        };
        // Cards times cells, summed by two products in their second bytes. Tens, queens and kings
        // give at most 4·9 each, jacks at most 4·18; the first bytes do not reach the second.
        let tens_queens = (cards >> TEN) as u32 & 0x0F0F;
        let jacks_kings = (cards >> JACK) as u32 & 0x0F0F;
        let special =
            (tens_queens * (queens | tens << 8) + jacks_kings * (9 | jacks << 8)) >> 8 & 0xFF;

        let end = u32::from(self.may_end());
        let knock = u32::from(self.may_knock(rules));
        let mut k = chance.below_with(bits, simple + special + knock + end);
        if k < simple {
            // The lowest byte whose running sum exceeds k; k becomes the number of moves of that
            // byte after the chosen one. Then the same for its two ranks.
            let above = (up_to | (0x80 * BYTES)) - BYTES * (u64::from(k) + 1);
            let mut place = (above & (0x80 * BYTES)).trailing_zeros() & 56;
            k = (above >> place) as u32 & 0x7F;
            let high = (weights >> place >> 4) as u32 & 15;
            if k >= high {
                k -= high;
            } else {
                place += 4;
            }
            let here = |nibbles: u64| (nibbles >> place) as u32 & 15;
            let (suits, cards) = (here(hand), here(cards));
            // Each card's discard, then each card's play on the own square, then on the other.
            if !self.played {
                if k < cards {
                    return Move::Discard(nth_card(place, suits, k));
                }
                k -= cards;
            }
            // A card on the cell of its rank is a number card; a discard need not be one.
            let cell = Cell::from_low_bits((place / 4) as u8);
            if here(own.open_ranks) != 0 {
                if k < cards {
                    return Move::Own(nth_card(place, suits, k), cell);
                }
                k -= cards;
            }
            return Move::Other(nth_card(place, suits, k), cell);
        }
        k -= simple;
        if k >= special {
            return if k - special < knock { Move::Knock } else { Move::End };
        }
        // The card of the k-th move of a rank, and the rest of k: one of the card's `cells`. A hand
        // rarely has two cards of one rank, so a loop is faster than a division.
        let laid = |place: u32, mut k: u32, cells: u32| {
            let mut suits = (hand >> place) as u32 & 15;
            while k >= cells {
                k -= cells;
                suits &= suits - 1;
            }
            (Card::from_low_bits(place as u8 + suits.trailing_zeros() as u8), k)
        };
        let moves = |place: u32, cells: u32| ((cards >> place) as u32 & 15) * cells;
        let kings = moves(KING, 9);
        if k < kings {
            let (card, cell) = laid(KING, k, 9);
            return Move::Own(card, Cell::from_low_bits(cell as u8));
        }
        k -= kings;
        if k < moves(JACK, jacks) {
            let (card, k) = laid(JACK, k, jacks);
            return if k < queens {
                Move::Own(card, own.nth(k))
            } else {
                Move::Other(card, other.nth(k - queens))
            };
        }
        k -= moves(JACK, jacks);
        if k < moves(QUEEN, queens) {
            let (card, k) = laid(QUEEN, k, queens);
            return Move::Own(card, own.nth(k));
        }
        k -= moves(QUEEN, queens);
        let (card, k) = laid(TEN, k, tens);
        Move::Own(card, own.nth(up + k))
    }
}

/// The card of the k-th suit in a rank's nibble.
#[inline(always)]
fn nth_card(place: u32, suits: u32, k: u32) -> Card {
    Card::from_low_bits(place as u8 + NTH_IN_BYTE[suits as usize & 15][k as usize & 7])
}
