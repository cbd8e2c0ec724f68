//! Fast play to the end of a hand: uniformly random, or a duel between two policies.
//!
//! A random move is sampled without a list of moves. The sample has the rules of [`Rules::cells`] in
//! another form, as numbers of cells.

use super::cells::{CELLS, Cell, by_cells};
use super::figures::{HandStats, LeadTrace, lead};
use super::state::Deck;
use super::{
    Covers, DeckCards, End, KnockWindow, Leopard, Move, Plays, Rules, Side, Square, SquaresOn,
    State, View,
};
use parlour_base::cards::{BYTES, Card, NTH_IN_BYTE, Pile, Row, Shoe};
use parlour_base::chance::Stream;
use parlour_game::{Policy, Seat};

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

    /// Samples from the listed moves, for rules without a shorter way. Apart, because its code in the
    /// usual playout, though never reached, costs instructions.
    #[inline(never)]
    fn sample_listed(&self, rules: &Rules, bits: u32, chance: &mut Stream) -> Move {
        let mut count = 0;
        self.for_each_legal(rules, |_| count += 1);
        let (mut left, mut chosen) = (chance.below_with(bits, count), Move::End);
        self.for_each_legal(rules, |mv| {
            chosen = if left == 0 { mv } else { chosen };
            left = left.wrapping_sub(1);
        });
        chosen
    }

    /// Samples a legal move with 32 random bits that are at hand.
    #[inline(always)]
    fn sample_with(&self, rules: &Rules, bits: u32, chance: &mut Stream) -> Move {
        if rules.covers_oddly() {
            return self.sample_listed(rules, bits, chance);
        }
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
            Covers::Any => (9 - up, 9, 18),
            _ => (9 - up, up, up + other_up),
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

/// The stock of a playout, arranged for drawing, and the stream of moves and draws. The stock in
/// the state stays unchanged until the playout is over.
struct PlayoutDeck {
    shoe: Shoe,
    chance: Stream,
    /// Half of 64 random bits, left over by the move for the next draw.
    spare: Option<u32>,
}

impl Deck for PlayoutDeck {
    #[inline(always)]
    fn draw(&mut self, _: &mut Pile, len: u8) -> Card {
        let bits = self.spare.take().unwrap_or_else(|| (self.chance.bits() >> 32) as u32);
        let len = u32::from(len);
        self.shoe.take(self.chance.below_with(bits, len), len)
    }
}

/// Evaluates `$play` with the rules as `$known`, and `$many` if a turn may have several moves. The
/// named variants have two kinds of turn; each gets a copy of `$play` in which the compiler knows
/// it. With one play a turn, no play precedes a knock.
macro_rules! by_kind_of_turn {
    ($rules:expr, |$known:ident, $many:ident| $play:expr) => {{
        let rules: &Rules = $rules;
        let (jacks_on, queens_on, knock_window) =
            (SquaresOn::Both, SquaresOn::Own, KnockWindow::BeforePlay);
        let face_down_covers = Covers::FaceUp;
        let usual = Rules { face_down_covers, jacks_on, queens_on, knock_window, ..rules.clone() };
        match (rules.plays, rules.draw, rules.face_down_covers, rules.knock_window) {
            (Plays::One, 1, Covers::FaceUp, _) if !rules.covers_oddly() => {
                const $many: bool = false;
                let (plays, draw) = (Plays::One, 1);
                let $known = Rules { plays, draw, ..usual };
                $play
            }
            (Plays::Many, 2, Covers::FaceUp, KnockWindow::BeforePlay) if !rules.covers_oddly() => {
                const $many: bool = true;
                let (plays, draw) = (Plays::Many, 2);
                let $known = Rules { plays, draw, ..usual };
                $play
            }
            _ => {
                const $many: bool = true;
                let $known = rules.clone();
                out_of_line(|| $play)
            }
        }
    }};
}

/// Does work for unusual rules, whose code would slow the usual playout if it were inlined.
#[inline(never)]
fn out_of_line<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Plays uniformly random moves to the end; returns their number.
pub(super) fn run(rules: &Rules, state: &mut State, chance: &mut Stream) -> u32 {
    by_kind_of_turn!(rules, |known, MANY| play_out::<MANY>(known, state, chance))
}

/// If `MANY` is false, no turn has a second move.
#[inline(always)]
fn play_out<const MANY: bool>(rules: Rules, state: &mut State, chance: &mut Stream) -> u32 {
    // Copies without pointers to them, so that they can live in registers.
    let mut hand = *state;
    let mut table = PlayoutDeck { shoe: Shoe::of(hand.stock), chance: chance.clone(), spare: None };
    let mut moves = 0;
    while hand.end == End::Open {
        // One copy for each seat, so that its data lies in a known place.
        match hand.seat {
            Seat(0) => play_move::<MANY, 0>(&rules, &mut hand, &mut table),
            _ => play_move::<MANY, 1>(&rules, &mut hand, &mut table),
        }
        moves += 1;
    }
    hand.stock = table.shoe.rest(u32::from(hand.stock_len));
    *state = hand;
    *chance = table.chance;
    moves
}

/// Plays one move of the seat `SEAT`, which is to move.
#[inline(always)]
fn play_move<const MANY: bool, const SEAT: u8>(
    rules: &Rules,
    hand: &mut State,
    table: &mut PlayoutDeck,
) {
    hand.seat = Seat(SEAT);
    hand.played &= MANY;
    let bits = table.chance.bits();
    table.spare = Some((bits >> 32) as u32);
    let act = View::of(hand, Seat(SEAT)).sample_with(rules, bits as u32, &mut table.chance);
    hand.act(rules, act, table);
}

impl Deck for &Row {
    #[inline(always)]
    fn draw(&mut self, _: &mut Pile, len: u8) -> Card {
        self.card(len)
    }
}

/// The cards of a hand, and the statistics of its course. `LASTS` is that of [`Deck`].
struct DuelCards<'a, const LASTS: bool> {
    row: &'a Row,
    plays: u32,
    plays_on_other: u32,
    /// Turns that use no card.
    idle: u32,
    /// Apart from the numbers, which can then live in registers.
    leads: &'a mut LeadTrace,
}

impl<const LASTS: bool> Deck for DuelCards<'_, LASTS> {
    const LASTS: bool = LASTS;

    #[inline(always)]
    fn draw(&mut self, _: &mut Pile, len: u8) -> Card {
        self.row.card(len)
    }

    #[inline(always)]
    fn idle(&mut self) {
        self.idle += 1;
    }

    #[inline(always)]
    fn laid(&mut self, on_other: bool, values: [u8; 2]) {
        self.plays += 1;
        self.plays_on_other += u32::from(on_other);
        self.leads.after(self.plays, lead(values));
    }
}

/// Plays a hand between two policies, by seat, with the cards of a row and a stream for each
/// policy. Replaces the statistics in `stats`.
///
/// It is the plain loop of view, choice and play, arranged for speed. The policies are compiled in,
/// so only the used parts of a view are made. The cards lie ready, no move is stored, and
/// statistics are counted where they arise. The policies must not use unseen cards or hand sizes,
/// which stay as at the start in a duel's views.
pub(super) fn duel(
    game: &Leopard,
    policies: (&impl Policy<Leopard>, &impl Policy<Leopard>),
    mut row: &Row,
    choices: &mut [Stream; 2],
    stats: &mut HandStats,
) -> State {
    // Rows have two packs; a number that the compiler knows saves a check at each draw.
    let rules = Rules { deck: DeckCards::TwoPacks, ..game.rules.clone() };
    let mut hand = State::dealt(&rules, &mut row);
    hand.begin_turn(&rules, &mut row);
    by_kind_of_turn!(&game.rules, |known, MANY| {
        play_duel::<MANY>(known, policies, row, choices, stats, hand)
    })
}

#[inline(always)]
fn play_duel<const MANY: bool>(
    rules: Rules,
    policies: (&impl Policy<Leopard>, &impl Policy<Leopard>),
    row: &Row,
    choices: &mut [Stream; 2],
    stats: &mut HandStats,
    mut hand: State,
) -> State {
    // Copies without pointers to them, so that they can live in registers.
    let game = Leopard { rules };
    let [mut first, mut second] = choices.clone();
    let mut leads = LeadTrace::default();
    let mut table =
        DuelCards::<true> { row, plays: 0, plays_on_other: 0, idle: 0, leads: &mut leads };
    let mut turns = 0;
    // With one card and one play a turn: a separate loop while there are cards, with alternating
    // seats.
    if !MANY && hand.stock_len > 0 {
        loop {
            hand.played = false;
            play_duel_move::<0>(&game, policies.0, &mut hand, &mut table, &mut first);
            if hand.end != End::Open || hand.stock_len == 0 {
                break;
            }
            play_duel_move::<1>(&game, policies.1, &mut hand, &mut table, &mut second);
            if hand.end != End::Open || hand.stock_len == 0 {
                break;
            }
        }
        // The seat to move has drawn, the other has not. No index that is unknown at compile time,
        // which would keep the hand out of registers in both loops.
        let held = game.rules.hand_size;
        hand.held = match hand.seat {
            Seat(0) => [held + 1, held],
            _ => [held, held + 1],
        };
    }
    let DuelCards { row, plays, plays_on_other, idle, leads: seen } = table;
    let mut table = DuelCards::<false> { row, plays, plays_on_other, idle, leads: seen };
    while hand.end == End::Open {
        hand.played &= MANY;
        turns += u32::from(!hand.played);
        // One copy for each seat, so that its data lies in a known place.
        match hand.seat {
            Seat(0) => play_duel_move::<0>(&game, policies.0, &mut hand, &mut table, &mut first),
            _ => play_duel_move::<1>(&game, policies.1, &mut hand, &mut table, &mut second),
        }
    }
    *choices = [first, second];
    hand.stock = row.left(hand.stock_len);
    let used = u32::from(104 - hand.stock_len - hand.held[0] - hand.held[1]);
    let DuelCards { plays, plays_on_other, idle, .. } = table;
    let (turns, discards) = (if MANY { turns } else { used + idle }, used - plays);
    *stats = HandStats { turns, plays, plays_on_other, discards, last: None, leads };
    hand
}

/// Plays one move of the seat `SEAT`, which is to move.
#[inline(always)]
fn play_duel_move<const SEAT: u8>(
    game: &Leopard,
    policy: &impl Policy<Leopard>,
    hand: &mut State,
    table: &mut impl Deck,
    choice: &mut Stream,
) {
    hand.seat = Seat(SEAT);
    let act = policy.pick(game, &View::of(hand, Seat(SEAT)), choice);
    hand.act(&game.rules, act, table);
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;
    use parlour_game::{Game, Ruled};

    /// The named variants, and rules that take the general path: uneven hands, hands that run out.
    fn all() -> impl Iterator<Item = Leopard> {
        let odd = |draw, plays, hand_size, face_down_covers, knock_window| Rules {
            draw,
            plays,
            hand_size,
            face_down_covers,
            knock_window,
            ..Rules::ORIGINAL
        };
        let odd = [
            odd(3, Plays::One, 7, Covers::Any, KnockWindow::AnyTime),
            odd(4, Plays::One, 1, Covers::FaceUp, KnockWindow::BeforePlay),
            odd(1, Plays::Many, 52, Covers::Any, KnockWindow::AnyTime),
            odd(1, Plays::One, 52, Covers::FaceUp, KnockWindow::AnyTime),
        ];
        let named = Leopard::presets().into_iter().map(|preset| preset.rules);
        named.chain(odd).map(|rules| Leopard::new(&rules).unwrap())
    }

    /// The plain loop that a playout replaces.
    fn plain_loop(game: &Leopard, state: &mut State, chance: &mut Stream) -> u32 {
        let mut moves = 0;
        while state.end == End::Open {
            let mv = game.sample(state, chance);
            game.apply(state, mv, chance);
            moves += 1;
        }
        moves
    }

    #[test]
    fn playouts_keep_counts_consistent() {
        for game in all() {
            for hand in 0..300 {
                let mut chance = Seed::new(hand).stream();
                let mut state = game.deal(&mut chance);
                let mut legal = Vec::new();
                for _ in 0..hand % 60 {
                    game.legal_moves(&state, &mut legal);
                    if let Some(&mv) = legal.get(chance.below(legal.len().max(1) as u32) as usize) {
                        game.apply(&mut state, mv, &mut chance);
                    }
                }
                let stock = state.stock;
                game.playout(&mut state, &mut chance);
                assert_ne!(state.end, End::Open);
                assert_eq!(u32::from(state.stock_len), state.stock.len());
                assert_eq!(stock.minus(state.stock).plus(state.stock), stock);
                for seat in 0..2 {
                    assert_eq!(u32::from(state.held[seat]), state.hands[seat].len());
                    let value = state.squares[seat].value(game.rules());
                    assert_eq!(u32::from(state.values[seat]), value);
                }
            }
        }
    }

    /// The mean and its variance.
    fn mean(values: &[f64]) -> (f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n / (n - 1.0))
    }

    #[test]
    fn a_playout_is_the_plain_loop_in_distribution() {
        for game in all() {
            let mut chance = Seed::new(5).stream();
            let mut figures = |way: fn(&Leopard, &mut State, &mut Stream) -> u32| {
                let hands: Vec<[f64; 4]> = (0..4000)
                    .map(|_| {
                        let mut state = game.deal(&mut chance);
                        let moves = way(&game, &mut state, &mut chance);
                        let values = state.values.map(f64::from);
                        let knocked = f64::from(u8::from(state.end != End::Exhausted));
                        [f64::from(moves), values[0], values[1], knocked]
                    })
                    .collect();
                [0, 1, 2, 3].map(|i| mean(&hands.iter().map(|hand| hand[i]).collect::<Vec<_>>()))
            };
            let fast = figures(|game, state, chance| game.playout(state, chance));
            let plain = figures(plain_loop);
            for ((a, va), (b, vb)) in fast.into_iter().zip(plain) {
                // 4.5 standard errors: by chance once in 100,000.
                assert!((a - b).abs() <= 4.5 * (va + vb).sqrt(), "{fast:?} {plain:?}");
            }
        }
    }

    #[test]
    fn samples_are_uniform_over_the_legal_moves() {
        for (number, game) in all().enumerate() {
            let mut chance = Seed::new(number as u64).stream();
            let mut state = game.deal(&mut chance);
            let mut legal: Vec<Move> = Vec::new();
            for _ in 0..40 {
                game.legal_moves(&state, &mut legal);
                if legal.is_empty() {
                    break;
                }
                let mut counts = vec![0u32; legal.len()];
                let each = 200;
                for _ in 0..each * legal.len() {
                    let mv = game.sample(&state, &mut chance);
                    counts[legal.binary_search(&mv).unwrap()] += 1;
                }
                let expected = each as f64;
                let chi: f64 =
                    counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
                let degrees = (legal.len() - 1) as f64;
                assert!(chi <= degrees + 5.0 * (2.0 * degrees).sqrt() + 10.0, "{chi} {degrees}");
                let mv = legal[chance.below(legal.len() as u32) as usize];
                game.apply(&mut state, mv, &mut chance);
            }
        }
    }
}
