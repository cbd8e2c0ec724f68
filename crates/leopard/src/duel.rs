//! A hand between two policies, as fast as a playout.

use super::figures::{HandStats, LeadTrace, lead};
use super::playout::by_kind_of_turn;
use super::state::Deck;
use super::{Covers, End, KnockWindow, Leopard, Plays, Rules, State, View};
use parlour_base::cards::{Card, Pile, Row};
use parlour_base::chance::Stream;
use parlour_game::{Policy, Seat};

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
    let mut hand = State::dealt(&game.rules, &mut row);
    hand.begin_turn(&game.rules, &mut row);
    by_kind_of_turn!(&game.rules, |known, MANY| {
        play_hand::<MANY>(known, policies, row, choices, stats, hand)
    })
}

#[inline(always)]
fn play_hand<const MANY: bool>(
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
            play_move::<0>(&game, policies.0, &mut hand, &mut table, &mut first);
            if hand.end != End::Open || hand.stock_len == 0 {
                break;
            }
            play_move::<1>(&game, policies.1, &mut hand, &mut table, &mut second);
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
            Seat(0) => play_move::<0>(&game, policies.0, &mut hand, &mut table, &mut first),
            _ => play_move::<1>(&game, policies.1, &mut hand, &mut table, &mut second),
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
fn play_move<const SEAT: u8>(
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
