//! What a seat may do, listed in order or drawn from uniformly.

use super::{Covers, KnockWindow, Move, Rules, Square};
use crate::cards::CardSet;
use crate::chance::Stream;

/// All that decides what the seat to move may do.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub hand: CardSet,
    pub own: Square,
    pub other: Square,
    pub own_value: u8,
    pub played: bool,
}

/// The first bit of the nibbles of ten, jack, queen and king.
const TEN: u32 = 36;
const JACK: u32 = 40;
const QUEEN: u32 = 44;
const KING: u32 = 48;

/// For each set of cells: a full nibble for each cell, which is where the cards of that cell's
/// rank lie in a hand.
const NIBBLES: [u64; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut cell = 0;
        while cell < 9 {
            if cells >> cell & 1 == 1 {
                table[cells] |= 0xF << (4 * cell);
            }
            cell += 1;
        }
        cells += 1;
    }
    table
};

/// For each set of cells and each `k` below its size: its `k`-th cell; the size stands last.
const NTH_CELL: [[u8; 16]; 512] = {
    let mut table = [[0; 16]; 512];
    let mut cells = 0;
    while cells < 512 {
        let (mut cell, mut k) = (0, 0);
        while cell < 9 {
            if cells >> cell & 1 == 1 {
                table[cells][k] = cell as u8;
                k += 1;
            }
            cell += 1;
        }
        table[cells][15] = k as u8;
        cells += 1;
    }
    table
};

const BYTES: u64 = 0x0101_0101_0101_0101;

#[inline]
fn size(cells: u32) -> u32 {
    u32::from(NTH_CELL[cells as usize & 511][15])
}

#[inline]
fn nth(cells: u32, k: u32) -> u8 {
    NTH_CELL[cells as usize & 511][k as usize & 15]
}

impl Choice {
    #[inline]
    pub fn may_knock(&self, rules: &Rules) -> bool {
        self.own_value >= rules.knock_at
            && (!self.played || rules.knock_window == KnockWindow::AnyTime)
    }

    /// After a play (with many plays), or with nothing to play or discard.
    #[inline]
    fn may_end(&self) -> bool {
        self.played || self.hand.is_empty()
    }

    /// The cells that a jack or a queen may be laid on.
    #[inline]
    fn coverable(rules: &Rules, square: Square) -> u32 {
        let any = match rules.face_down_covers {
            Covers::FaceUp => 0,
            Covers::Any => 0x1FF,
        };
        square.face_up() | any
    }

    /// Every legal move, in order.
    pub fn list(&self, rules: &Rules, out: &mut Vec<Move>) {
        out.clear();
        let (own, other) = (self.own, self.other);
        let (own_cover, other_cover) = (Self::coverable(rules, own), Self::coverable(rules, other));
        for card in self.hand {
            let cells = match card.rank() {
                rank @ 1..=9 => own.open() & 1 << (rank - 1),
                10 => own.open(),
                11 | 12 => own_cover,
                _ => 0x1FF,
            };
            out.extend((0..size(cells)).map(|k| Move::own(card.index(), nth(cells, k))));
        }
        for card in self.hand {
            let cells = match card.rank() {
                rank @ 1..=9 => other.open() & 1 << (rank - 1),
                11 => other_cover,
                _ => 0,
            };
            out.extend((0..size(cells)).map(|k| Move::other(card.index(), nth(cells, k))));
        }
        if !self.played {
            out.extend(self.hand.map(|card| Move::discard(card.index())));
        }
        if self.may_end() {
            out.push(Move::END);
        }
        if self.may_knock(rules) {
            out.push(Move::KNOCK);
        }
    }

    /// A move drawn uniformly from the legal ones, without listing them.
    #[inline]
    pub fn sample(&self, rules: &Rules, chance: &mut Stream) -> Move {
        let hand = self.hand.0;
        let (own_open, other_open) = (self.own.open(), self.other.open());
        let (own_nibbles, other_nibbles) =
            (NIBBLES[own_open as usize & 511], NIBBLES[other_open as usize & 511]);
        // Cards of each rank in its nibble (at most 4), then moves of each rank that name no cell
        // beyond the rank's own (at most 12), then running sums over pairs of ranks by bytes (at
        // most 9·12 + 4·4 = 124, which leaves the top bit free).
        let pairs = hand - (hand >> 1 & 0x5555_5555_5555_5555);
        let cards = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let discards = if self.played { 0 } else { cards };
        let weights = discards + (cards & own_nibbles) + (cards & other_nibbles);
        let bytes = (weights & 0x0F0F_0F0F_0F0F_0F0F) + (weights >> 4 & 0x0F0F_0F0F_0F0F_0F0F);
        let up_to = bytes.wrapping_mul(BYTES);
        let simple = (up_to >> 56) as u32;

        let count = |place: u32| (cards >> place) as u32 & 15;
        let own_cover = Self::coverable(rules, self.own);
        let other_cover = Self::coverable(rules, self.other);
        let (covers, covers_other) = (size(own_cover), size(other_cover));
        let tens = count(TEN) * size(own_open);
        let jacks = count(JACK) * (covers + covers_other);
        let queens = count(QUEEN) * covers;
        let kings = (cards >> KING) as u32 * 9;
        let end = u32::from(self.may_end());
        let knock = u32::from(self.may_knock(rules));
        let total = simple + kings + jacks + queens + tens + end + knock;

        let mut k = chance.below(total);
        if k < simple {
            let above = (up_to | 0x80 * BYTES) - BYTES * (u64::from(k) + 1);
            let mut place = (above & (0x80 * BYTES)).trailing_zeros() & 56;
            k -= ((up_to << 8) >> place) as u32 & 0xFF;
            let low = (weights >> place) as u32 & 15;
            if k >= low {
                k -= low;
                place += 4;
            }
            let here = |nibbles: u64| ((cards & nibbles) >> place) as u32 & 15;
            let (discards, own) = ((discards >> place) as u32 & 15, here(own_nibbles));
            let suits = (hand >> place) as u32 & 15;
            let card = |k| place as u8 + nth(suits, k);
            let cell = (place / 4) as u8;
            return if k < discards {
                Move::discard(card(k))
            } else if k < discards + own {
                Move::own(card(k - discards), cell)
            } else {
                Move::other(card(k - discards - own), cell)
            };
        }
        k -= simple;
        // The card and cell that the k-th move of a rank lays, every card of it having `cells`.
        let laid = |place: u32, k: u32, cells: u32| {
            let suits = (hand >> place) as u32 & 15;
            (place as u8 + nth(suits, k / cells), k % cells)
        };
        if k < kings {
            let (card, cell) = laid(KING, k, 9);
            return Move::own(card, cell as u8);
        }
        k -= kings;
        if k < jacks {
            let (card, cell) = laid(JACK, k, covers + covers_other);
            return if cell < covers {
                Move::own(card, nth(own_cover, cell))
            } else {
                Move::other(card, nth(other_cover, cell - covers))
            };
        }
        k -= jacks;
        if k < queens {
            let (card, cell) = laid(QUEEN, k, covers);
            return Move::own(card, nth(own_cover, cell));
        }
        k -= queens;
        if k < tens {
            let (card, cell) = laid(TEN, k, size(own_open));
            return Move::own(card, nth(own_open, cell));
        }
        k -= tens;
        if k < end { Move::END } else { Move::KNOCK }
    }
}
