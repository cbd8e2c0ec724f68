//! Features of a position for one who sees both hands and the stock.

use CellRole::{Blocked, Fit, Held, Open};

use super::line_codes::{CellRole, LineCodes};
use super::{lead_group, stock_group};
use crate::cells::{CardKind, Cell, Cells, FACE_DOWN, JACKS, KINGS, NUMBERS, TENS, high_counts};
use crate::gains::SquareGains;
use crate::goals::{FIT, GOALS, MISFIT};
use crate::{BonusWhen, Plays, Rules, Side, State};
use parlour_base::cards::{Card, CardSet, Pile, Suit};

/// Roles of a cell for a suit or colour, by class.
///
/// A fitting card lies there (0). The cell is open and the number card is held (1), twice in the
/// stock (2), once (3), or nowhere (4). Classes 5 to 8 are the same while the other seat holds a
/// number card that does not fit. Another card lies there (9), and a king of the suit is held (10).
const ROLES: [CellRole; 11] =
    [Fit, Held, Open, Open, Open, Held, Open, Open, Open, Blocked, Blocked];

static CODES: LineCodes<4096> = LineCodes::new(&ROLES);

/// Kind of each line: edge (0), through the middle (1) or diagonal (2).
const KIND_OF_LINE: [usize; 8] = [0, 1, 0, 0, 1, 0, 2, 2];

/// Kind of each cell: corner (0), edge (1) or middle (2).
const KIND_OF_CELL: [usize; 9] = [0, 1, 0, 1, 2, 1, 0, 1, 0];

// Groups of features of a side. Each begins where the one before it ends.
const LINE_SUIT: usize = 0;
const LINE_COLOR: usize = LINE_SUIT + 3 * CODES_COUNT;
const ONE: usize = LINE_COLOR + 3 * CODES_COUNT;
const TWO: usize = ONE + 12;
const SHORT_ONE: usize = TWO + 16;
const SHORT_TWO: usize = SHORT_ONE + 12 * 3;
const SHORT_GUARDED: usize = SHORT_TWO + 12 * 3;
const LARGEST_LOSS: usize = SHORT_GUARDED + 12;
const OUTS: usize = LARGEST_LOSS + 10 * 3;
const VALUE: usize = OUTS + 10;
const RANK: usize = VALUE + 20;
const SUIT: usize = RANK + 4 * 4;
const SUIT_COLOR: usize = SUIT + 8 * 4;
const FACE_UP: usize = SUIT_COLOR + 8 * 6;
const HELD: usize = FACE_UP + 10;
const GAIN: usize = HELD + 3 * 2 * 3;
const TEN: usize = GAIN + 10;
const KING: usize = TEN + 10;
const CARDS: usize = KING + 10;
const SIDE: usize = CARDS + 12;

// Groups of features of both sides together.
const NEEDS: usize = 2 * SIDE;
const SHORTS: usize = NEEDS + 12 * 12;
const SHORTS_TWO: usize = SHORTS + 12 * 12;
const SHORTS_GUARDED: usize = SHORTS_TWO + 12 * 12;
const LEAD: usize = SHORTS_GUARDED + 12 * 12;
const STOCK: usize = LEAD + 25;
const STOCK_RANK: usize = STOCK + 32;
const RULES: usize = STOCK_RANK + 4 * 9;
const KNOCK_AT: usize = RULES + 4;
const SUIT_LINE: usize = KNOCK_AT + 14;
const COLOR_LINE: usize = SUIT_LINE + 6;
const PENALTY: usize = COLOR_LINE + 4;
const BONUS_OVER: usize = PENALTY + 4;
/// Number of features of a state.
pub(super) const STATE_FEATURES: usize = BONUS_OVER + 14;

const CODES_COUNT: usize = LineCodes::<4096>::new(&ROLES).count;

/// Calls `add` with each active feature of a position, from the side of the seat to move.
pub(super) fn state_features(rules: &Rules, state: &State, add: &mut impl FnMut(usize)) {
    let seats = [state.seat, state.seat.other()];
    let stock = [state.stock.distinct(), state.stock.doubled()].map(Cells::by_suit);
    let sides = seats.map(|seat| SeatSide {
        rules,
        stock: &stock,
        board: SquareGains::new(state.square(seat), rules),
        hand: state.hand(seat),
        numbers: Cells::by_suit(state.hand(seat).distinct()),
    });
    let [own, other] = &sides;
    let need = |own: &SeatSide<'_>, other: &SeatSide<'_>| {
        (rules.winning_value(other.board.value) - own.board.value).clamp(0, 11)
    };
    let needs = [need(own, other), need(other, own)];
    let near = own.features(other, needs[0], add);
    let far = other.features(own, needs[1], &mut |feature| add(SIDE + feature));
    add(NEEDS + 12 * needs[0] as usize + needs[1] as usize);
    add(SHORTS + 12 * near[0] + far[0]);
    add(SHORTS_TWO + 12 * near[1] + far[1]);
    // The seat to move can act first; the other seat is held up first.
    add(SHORTS_GUARDED + 12 * near[0] + far[2]);
    add(LEAD + lead_group(own.board.value, other.board.value));
    add(STOCK + stock_group(state.stock_len));
    for (kind, count) in high_counts(state.stock).into_iter().enumerate() {
        add(STOCK_RANK + 9 * kind + count.min(8));
    }
    rule_features(rules, add);
}

fn rule_features(rules: &Rules, add: &mut impl FnMut(usize)) {
    let flags = [rules.plays == Plays::Many, rules.bonus_when == BonusWhen::Always, rules.draw > 1];
    for (feature, is_so) in flags.into_iter().enumerate() {
        if is_so {
            add(RULES + feature);
        }
    }
    let up_to = |x: u8, most: usize| usize::from(x).min(most);
    add(KNOCK_AT + up_to(rules.knock_at, 13));
    add(SUIT_LINE + up_to(rules.suit_line, 5));
    add(COLOR_LINE + up_to(rules.color_line, 3));
    add(PENALTY + up_to(rules.knock_penalty, 3));
    add(BONUS_OVER + up_to(rules.bonus_over, 13));
}

/// The square and the cards of a seat.
struct SeatSide<'a> {
    rules: &'a Rules,
    /// For each suit, the cells whose card is in the stock at least once, and twice.
    stock: &'a [[Cells; 4]; 2],
    board: SquareGains,
    hand: Pile,
    /// For each suit, the cells of its number cards in hand.
    numbers: [Cells; 4],
}

impl SeatSide<'_> {
    /// Adds the features of this side, which needs this number of points for a winning knock.
    ///
    /// Returns 2 more than the points that it needs then, from 0 to 11. The three cases are its best
    /// play, its best two plays, and its best play against the other seat's best reply.
    fn features(&self, other: &SeatSide<'_>, need: i32, add: &mut impl FnMut(usize)) -> [usize; 3] {
        self.line_features(other, add);
        self.card_features(other, add);
        let board = &self.board;
        let (one, two) = (board.best_gain(self.hand.distinct()), self.best_two_plays());
        let guarded = self.best_play_after_reply(other.hand.distinct());
        let clip = |x: i32, most: i32| x.clamp(0, most) as usize;
        add(ONE + clip(one, 11));
        add(TWO + clip(two, 15));
        let shorts = [one, two, guarded].map(|gain| clip(need - gain + 2, 11));
        let jacks = high_counts(other.hand)[0].min(2);
        add(SHORT_ONE + 3 * shorts[0] + jacks);
        add(SHORT_TWO + 3 * shorts[1] + jacks);
        add(SHORT_GUARDED + shorts[2]);
        add(LARGEST_LOSS + 3 * clip(board.losses.most(), 9) + jacks);
        add(OUTS + self.outs(need).min(9));
        add(VALUE + board.value.min(19) as usize);
        shorts
    }

    /// Number cards in the stock that would give this many points at once.
    fn outs(&self, need: i32) -> usize {
        let ([once, twice], mut outs) = (self.stock, 0);
        for suit in 0..4 {
            let fit = self.board.square.open() & once[suit];
            if need == 0 {
                outs += fit.len() + (fit & twice[suit]).len();
                continue;
            }
            for (cell, gain) in self.board.gains[suit].within(fit) {
                if gain >= need {
                    outs += 1 + usize::from(twice[suit].has(cell));
                }
            }
        }
        outs
    }

    fn line_features(&self, other: &SeatSide<'_>, add: &mut impl FnMut(usize)) {
        let (suits, open) = (self.board.square.suits(), self.board.square.open());
        let (own, against, [once, twice]) = (&self.numbers, &other.numbers, self.stock);
        let kings = self.hand.distinct() & KINGS;
        // The suits come before the colours.
        for goal in (2..GOALS).chain(0..2) {
            let ([a, b], [c, d, e]) = (FIT[goal], MISFIT[goal]);
            let (fit, held, some) = (suits[a] | suits[b], own[a] | own[b], once[a] | once[b]);
            // Both cards of a suit for a cell are in the stock, or at least three of a colour.
            let many = twice[a] & once[b] | once[a] & twice[b];
            let misfit = against[c] | against[d] | against[e];
            let king = usize::from(goal >= 2 && kings.has(Card::new(13, Suit::ALL[a])));
            let class = |cell| match () {
                _ if fit.has(cell) => 0,
                _ if !open.has(cell) => 9 + king,
                _ if held.has(cell) => 1 + 4 * usize::from(misfit.has(cell)),
                _ => {
                    let left = usize::from(some.has(cell)) + usize::from(many.has(cell));
                    4 - left + 4 * usize::from(misfit.has(cell))
                }
            };
            let start = if goal < 2 { LINE_COLOR } else { LINE_SUIT };
            CODES
                .for_each(class, |line, code| add(start + KIND_OF_LINE[line] * CODES.count + code));
        }
    }

    fn card_features(&self, other: &SeatSide<'_>, add: &mut impl FnMut(usize)) {
        let (board, held) = (&self.board, &self.numbers);
        let (suits, open) = (board.square.suits(), board.square.open());
        let clip = |x: i32| x.clamp(0, 9) as usize;
        for (kind, count) in high_counts(self.hand).into_iter().enumerate() {
            add(RANK + 4 * kind + count.min(3));
        }
        for (cells, held) in suits.into_iter().zip(held) {
            add(SUIT + 4 * cells.len().min(7) + (*held & open).len().min(3));
        }
        for [a, b] in [[0, 3], [1, 2]] {
            let useful = (held[a] & open).len() + (held[b] & open).len();
            add(SUIT_COLOR + 6 * (suits[a] | suits[b]).len().min(7) + useful.min(5));
        }
        add(FACE_UP + open.others().len());
        let (cards, closed) = (self.hand.distinct(), other.board.square.face_up());
        for card in cards & NUMBERS {
            let (cell, suit) = (Cell::of_number(card), card.suit().index());
            let own = match open.has(cell) {
                true => 0,
                false => 2 - usize::from(suits[suit].has(cell)),
            };
            let is_closed = usize::from(closed.has(cell));
            add(HELD + 6 * KIND_OF_CELL[cell.index()] + 2 * own + is_closed);
            if own == 0 {
                add(GAIN + clip(board.gain(card, cell)));
            }
        }
        for (first, rank) in [(TEN, TENS), (KING, KINGS)] {
            for card in cards & rank {
                add(first + clip(board.best_gain(CardSet::EMPTY.with(card))));
            }
        }
        add(CARDS + (self.hand.len() as usize).min(11));
    }

    /// The own square after a face-up card is laid on a cell.
    fn laid(&self, card: Card, cell: Cell) -> SquareGains {
        let mut square = self.board.square;
        square.lay(cell, card.suit());
        SquareGains::new(square, self.rules)
    }

    /// Largest gain of two plays.
    fn best_two_plays(&self) -> i32 {
        let mut best = 0;
        for card in CardSet(self.hand.distinct().0 & !FACE_DOWN.0) {
            let mut rest = self.hand;
            rest.remove(card);
            for cell in self.rules.cells(CardKind::of(card), self.board.square, Side::Own) {
                let gain = self.board.gain(card, cell) - self.board.losses.at(cell);
                best = best.max(gain + self.laid(card, cell).best_gain(rest.distinct()));
            }
        }
        best
    }

    /// Smallest gain that the other seat's best play on this square leaves to one play, less the
    /// points that the other's play takes.
    fn best_play_after_reply(&self, other: CardSet) -> i32 {
        let (board, hand) = (&self.board, self.hand.distinct());
        let mut least = board.best_gain(hand);
        for card in other & board.square.open().cards() {
            let cell = Cell::of_number(card);
            least = least.min(board.gain(card, cell) + self.laid(card, cell).best_gain(hand));
        }
        if !(other & JACKS).is_empty() {
            for cell in board.square.face_up() {
                let mut square = board.square;
                square.cover(cell);
                let after = SquareGains::new(square, self.rules).best_gain(hand);
                least = least.min(after - board.losses.at(cell));
            }
        }
        least
    }
}
