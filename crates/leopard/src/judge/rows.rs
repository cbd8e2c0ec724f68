//! The rows by which the whole truth of a position is told to the judge's network.

use super::side::{Board, Cards, cell_of, courts, numbers};
use crate::cards::{CardSet, Pile};
use crate::cells::{KINGS, LINES, NUMBERS, TENS};
use crate::{BonusWhen, Plays, Rules, State};

/// What a cell is to a suit or colour, below 16: a card of it lies there (0); it is open, and
/// the number card is held (1), twice in the stock (2), once (3), nowhere (4), the same where the
/// other holds a number card that does not fit (5 to 8); another card lies there (9), and a king of
/// the suit is held (10).
const CLASSES: usize = 11;

/// From three classes in order to a code, 0 for a line that is worth no row.
struct Codes {
    table: [u16; 4096],
    count: usize,
}

static CODES: Codes = {
    let (mut table, mut count) = ([0; 4096], 0);
    let mut word = 0;
    while word < 4096 {
        let (a, b, c) = (word & 15, word >> 4 & 15, word >> 8);
        if a <= b && b <= c && c < CLASSES {
            let all = [a, b, c];
            let (mut fit, mut held, mut spoilt, mut at) = (0, 0, 0, 0);
            while at < 3 {
                fit += (all[at] == 0) as u8;
                held += (all[at] == 1 || all[at] == 5) as u8;
                spoilt += (all[at] >= 9) as u8;
                at += 1;
            }
            if spoilt == 0 && (fit > 0 || held > 1) || spoilt == 1 && fit + held == 2 {
                count += 1;
                let orders = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
                let mut order = 0;
                while order < 6 {
                    let [x, y, z] = orders[order];
                    table[x + 16 * y + 256 * z] = count as u16;
                    order += 1;
                }
            }
        }
        word += 1;
    }
    Codes { table, count }
};

/// The three cells of each line.
pub(super) const TRIPLES: [[usize; 3]; 8] = {
    let (mut all, mut line) = ([[0; 3]; 8], 0);
    while line < 8 {
        let (mut cell, mut at) = (0, 0);
        while cell < 9 {
            if LINES[line] >> cell & 1 == 1 {
                all[line][at] = cell;
                at += 1;
            }
            cell += 1;
        }
        line += 1;
    }
    all
};

/// Whether a line is an edge (0), goes through the middle (1) or is a diagonal (2).
const KIND_OF_LINE: [usize; 8] = [0, 1, 0, 0, 1, 0, 2, 2];

/// Whether a cell is a corner (0), on an edge (1) or the middle (2).
const KIND_OF_CELL: [usize; 9] = [0, 1, 0, 1, 2, 1, 0, 1, 0];

// The groups of rows of a side. Each begins where the one before it ends.
const LINE_SUIT: usize = 0;
const LINE_COLOR: usize = LINE_SUIT + 3 * CODES.count;
const ONE: usize = LINE_COLOR + 3 * CODES.count;
const TWO: usize = ONE + 12;
const SHORT_ONE: usize = TWO + 16;
const SHORT_TWO: usize = SHORT_ONE + 12 * 3;
const SHORT_GUARDED: usize = SHORT_TWO + 12 * 3;
const WORST: usize = SHORT_GUARDED + 12;
const OUTS: usize = WORST + 10 * 3;
const VALUE: usize = OUTS + 10;
const COURT: usize = VALUE + 20;
const SUIT: usize = COURT + 4 * 4;
const SUIT_COLOR: usize = SUIT + 8 * 4;
const FACE_UP: usize = SUIT_COLOR + 8 * 6;
const HELD: usize = FACE_UP + 10;
const GAIN: usize = HELD + 3 * 2 * 3;
const TEN: usize = GAIN + 10;
const KING: usize = TEN + 10;
const CARDS: usize = KING + 10;
const SIDE: usize = CARDS + 12;

// The groups of rows of both.
const NEEDS: usize = 2 * SIDE;
const SHORTS: usize = NEEDS + 12 * 12;
const FAR: usize = SHORTS + 12 * 12;
const GUARDED: usize = FAR + 12 * 12;
const LEAD: usize = GUARDED + 12 * 12;
const STOCK: usize = LEAD + 25;
const LEFT: usize = STOCK + 32;
const RULES: usize = LEFT + 4 * 9;
const KNOCK_AT: usize = RULES + 4;
const SUIT_LINE: usize = KNOCK_AT + 14;
const COLOR_LINE: usize = SUIT_LINE + 6;
const PENALTY: usize = COLOR_LINE + 4;
const OVER: usize = PENALTY + 4;
/// How many rows there are.
pub const ROWS: usize = OVER + 14;

/// Tells the rows of a position, from the side of the seat whose turn it is.
pub fn rows(rules: &Rules, state: &State, tell: &mut impl FnMut(usize)) {
    let seats = [state.seat, state.seat.other()];
    let stock = [state.stock.distinct(), state.stock.doubled()].map(numbers);
    let sides = seats.map(|seat| Side {
        board: Board::new(state.square(seat), rules),
        value: i16::from(state.value(seat)),
        hand: state.hand(seat),
        cards: Cards::of(state.hand(seat).distinct()),
    });
    let [own, other] = &sides;
    let need = |own: &Side, other: &Side| {
        (rules.winning_value(other.value.into()) as i16 - own.value).clamp(0, 11)
    };
    let near = own.tell(other, &stock, need(own, other), tell);
    let far = other.tell(own, &stock, need(other, own), &mut |row| tell(SIDE + row));
    let both = |a: usize, b: usize| 12 * a + b;
    tell(NEEDS + both(near.need, far.need));
    tell(SHORTS + both(near.one, far.one));
    tell(FAR + both(near.two, far.two));
    // Whose turn it is can act first, the other is held up first.
    tell(GUARDED + both(near.one, far.guarded));
    tell(LEAD + ((own.value - other.value).clamp(-12, 12) + 12) as usize);
    tell_stock(state.stock, tell);
    tell_rules(rules, tell);
}

fn tell_stock(stock: Pile, tell: &mut impl FnMut(usize)) {
    let left = stock.len() as usize;
    tell(STOCK + if left < 10 { left } else { (10 + (left - 10) / 4).min(31) });
    for (kind, count) in courts(stock).into_iter().enumerate() {
        tell(LEFT + 9 * kind + count.min(8));
    }
}

fn tell_rules(rules: &Rules, tell: &mut impl FnMut(usize)) {
    let flags = [rules.plays == Plays::Many, rules.bonus_when == BonusWhen::Always, rules.draw > 1];
    for (row, is_so) in flags.into_iter().enumerate() {
        if is_so {
            tell(RULES + row);
        }
    }
    let up_to = |x: u8, most: usize| usize::from(x).min(most);
    tell(KNOCK_AT + up_to(rules.knock_at, 13));
    tell(SUIT_LINE + up_to(rules.suit_line, 5));
    tell(COLOR_LINE + up_to(rules.color_line, 3));
    tell(PENALTY + up_to(rules.knock_penalty, 3));
    tell(OVER + up_to(rules.bonus_over, 13));
}

/// What a seat has.
struct Side {
    board: Board,
    value: i16,
    hand: Pile,
    cards: Cards,
}

/// How many points a seat lacks for a winning knock, from 0 to 11: as it stands, and after its best
/// play, its best two, its best after the other's best against it (2 more than it lacks there).
struct Lacks {
    need: usize,
    one: usize,
    two: usize,
    guarded: usize,
}

impl Side {
    /// Tells the rows of this side.
    fn tell(
        &self,
        other: &Side,
        stock: &[[usize; 4]; 2],
        need: i16,
        tell: &mut impl FnMut(usize),
    ) -> Lacks {
        self.tell_lines(other, stock, tell);
        self.tell_cards(other, tell);
        let (board, cards) = (&self.board, &self.cards);
        let (one, two) = (board.one(cards), board.two(self.hand));
        let guarded = board.guarded(cards, &other.cards);
        let clip = |x: i16, most: i16| x.clamp(0, most) as usize;
        tell(ONE + clip(one, 11));
        tell(TWO + clip(two, 15));
        let lack = |gain: i16| (need - gain + 2).clamp(0, 11) as usize;
        let jacks = courts(other.hand)[0].min(2);
        tell(SHORT_ONE + 3 * lack(one) + jacks);
        tell(SHORT_TWO + 3 * lack(two) + jacks);
        tell(SHORT_GUARDED + lack(guarded));
        tell(WORST + 3 * clip(board.worst(), 9) + jacks);
        tell(OUTS + self.outs(stock, need).min(9));
        tell(VALUE + self.value.min(19) as usize);
        Lacks { need: need as usize, one: lack(one), two: lack(two), guarded: lack(guarded) }
    }

    /// How many number cards of the stock would give so much at once.
    fn outs(&self, [once, twice]: &[[usize; 4]; 2], need: i16) -> usize {
        let mut outs = 0;
        for suit in 0..4 {
            let fit = self.board.open() & once[suit];
            if need == 0 {
                outs += fit.count_ones() + (fit & twice[suit]).count_ones();
                continue;
            }
            for (cell, gain) in self.board.gains[suit].within(fit) {
                if gain >= need {
                    outs += 1 + (twice[suit] >> cell & 1) as u32;
                }
            }
        }
        outs as usize
    }

    fn tell_lines(
        &self,
        other: &Side,
        [once, twice]: &[[usize; 4]; 2],
        tell: &mut impl FnMut(usize),
    ) {
        let (suits, open) = (&self.board.suits, self.board.open());
        let (held, against) = (&self.cards.numbers, &other.cards.numbers);
        for suit in 0..4 {
            let [a, b, c] = OTHERS[suit];
            let cells = Cells {
                fit: suits[suit],
                open,
                held: held[suit],
                some: once[suit],
                many: twice[suit],
                foes: against[a] | against[b] | against[c],
                king: self.cards.kings >> suit & 1,
            };
            cells.tell(LINE_SUIT, tell);
        }
        for ([a, b], [c, d]) in [([0, 3], [1, 2]), ([1, 2], [0, 3])] {
            // Of the four cards for a cell at least one, at least three.
            let many = twice[a] & once[b] | once[a] & twice[b];
            let cells = Cells {
                fit: suits[a] | suits[b],
                open,
                held: held[a] | held[b],
                some: once[a] | once[b],
                many,
                foes: against[c] | against[d],
                king: 0,
            };
            cells.tell(LINE_COLOR, tell);
        }
    }

    fn tell_cards(&self, other: &Side, tell: &mut impl FnMut(usize)) {
        let (board, held) = (&self.board, &self.cards.numbers);
        let open = board.open();
        let clip = |x: i16| x.clamp(0, 9) as usize;
        for (kind, count) in courts(self.hand).into_iter().enumerate() {
            tell(COURT + 4 * kind + count.min(3));
        }
        let on = |cells: usize| cells.count_ones() as usize;
        for (cells, held) in board.suits.into_iter().zip(held) {
            tell(SUIT + 4 * on(cells).min(7) + on(held & open).min(3));
        }
        for [a, b] in [[0, 3], [1, 2]] {
            let useful = on(held[a] & open) + on(held[b] & open);
            tell(SUIT_COLOR + 6 * on(board.suits[a] | board.suits[b]).min(7) + useful.min(5));
        }
        tell(FACE_UP + on(511 & !open));
        let (cards, closed) = (self.hand.distinct(), 511 & !other.board.open());
        for card in cards & NUMBERS {
            let (cell, suit) = (cell_of(card), card.suit().index());
            let own = match open >> cell & 1 {
                1 => 0,
                _ => 2 - (board.suits[suit] >> cell & 1),
            };
            tell(HELD + 6 * KIND_OF_CELL[cell] + 2 * own + (closed >> cell & 1));
            if own == 0 {
                tell(GAIN + clip(board.gains[suit].at(cell)));
            }
        }
        for (rows, rank) in [(TEN, TENS), (KING, KINGS)] {
            for card in cards & rank {
                let alone = Cards::of(CardSet::EMPTY.with(card));
                tell(rows + clip(board.one(&alone)));
            }
        }
        tell(CARDS + (self.hand.len() as usize).min(11));
    }
}

/// The other suits than each.
const OTHERS: [[usize; 3]; 4] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];

/// What the cells are to a suit or colour, as sets.
struct Cells {
    fit: usize,
    open: usize,
    held: usize,
    /// Those whose card is in the stock once at least, twice.
    some: usize,
    many: usize,
    /// Those for which the other holds a card that does not fit.
    foes: usize,
    king: usize,
}

impl Cells {
    fn tell(&self, start: usize, tell: &mut impl FnMut(usize)) {
        let classes: [usize; 9] = std::array::from_fn(|cell| {
            let is = |cells: usize| cells >> cell & 1;
            if is(self.fit) == 1 {
                0
            } else if is(self.open) == 1 {
                let left = 4 - is(self.some) - is(self.many);
                4 * is(self.foes) + if is(self.held) == 1 { 1 } else { left }
            } else {
                9 + self.king
            }
        });
        for (kind, [a, b, c]) in KIND_OF_LINE.into_iter().zip(TRIPLES) {
            let code = CODES.table[classes[a] | classes[b] << 4 | classes[c] << 8];
            if code != 0 {
                tell(start + kind * CODES.count + usize::from(code) - 1);
            }
        }
    }
}
