//! A hand between two policies, as fast as a playout.

use super::playout::{Loop, by_kind_of_turn};
use super::state::Deck;
use super::figures::{Made, Trace, Watch, ahead};
use super::{Act, End, Leopard, Rules, State, View};
use crate::cards::{Card, Pile, Row};
use crate::chance::Stream;
use crate::game::{Seat, Uniform};

/// A policy that a duel is compiled with. It must not look at what is unseen, nor at how many cards
/// are held: in a duel's views that is as it was at the start.
pub trait Duelist {
    /// What [`Policy::pick`](crate::game::Policy::pick) would, spelled out.
    fn act(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Act;
}

impl Duelist for Uniform {
    #[inline(always)]
    fn act(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Act {
        let bits = (chance.bits() >> 32) as u32;
        view.choice().sample_with(&game.rules, bits, chance)
    }
}

/// Plays a hand between two policies, by seat, with the cards of a row and a stream for each
/// policy; what is watched takes the place of what `watch` held.
///
/// It is the plain loop over view, choice and play, laid out for speed: the policies are compiled
/// into it, so that of a view only what they look at is made; the cards lie ready; no move is
/// written down; and what is watched is counted where it happens.
pub fn duel<A: Duelist, B: Duelist>(
    game: &Leopard,
    policies: (&A, &B),
    row: &Row,
    choices: &mut [Stream; 2],
    watch: &mut Watch,
) -> State {
    let mut dealer = Dealer(row);
    let mut state = State::dealt(&game.rules, &mut dealer);
    state.begin_turn(&game.rules, &mut dealer);
    by_kind_of_turn(&game.rules, Duel { policies, row, choices, watch, state })
}

struct Duel<'a, A, B> {
    policies: (&'a A, &'a B),
    row: &'a Row,
    choices: &'a mut [Stream; 2],
    watch: &'a mut Watch,
    /// The hand as it was dealt.
    state: State,
}

/// The cards of a hand.
struct Dealer<'a>(&'a Row);

impl Deck for Dealer<'_> {
    #[inline(always)]
    fn draw(&mut self, _: &mut Pile, len: u8) -> Card {
        self.0.card(len)
    }
}

/// The cards of a hand, and who watches it. `LASTS` as in [`Deck`].
struct Table<'a, const LASTS: bool> {
    row: &'a Row,
    made: Made,
    /// Turns that use no card.
    idle: u32,
    /// Apart from what was made, which then can live in registers.
    leads: &'a mut Trace,
}

impl<const LASTS: bool> Deck for Table<'_, LASTS> {
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
        self.made.laid(on_other);
        self.leads.after(self.made.plays, ahead(values));
    }
}

impl<A: Duelist, B: Duelist> Loop for Duel<'_, A, B> {
    type Output = State;

    #[inline(always)]
    fn run<const MANY: bool>(self, rules: Rules) -> State {
        // Copies that nothing points to, so that they can live in registers.
        let game = Leopard { rules };
        let mut leads = Trace::default();
        let mut hand = self.state;
        let [mut first, mut second] = self.choices.clone();
        let mut turns = 0;
        let made = Made::default();
        let mut table = Table::<true> { row: self.row, made, idle: 0, leads: &mut leads };
        // With one play a turn, a loop of its own while there are cards: the seats take turns, the
        // first from the beginning.
        if !MANY && hand.stock_len > 0 {
            loop {
                hand.played = false;
                step::<0>(&game, self.policies.0, &mut hand, &mut table, &mut first);
                if hand.end != End::Open || hand.stock_len == 0 {
                    break;
                }
                step::<1>(&game, self.policies.1, &mut hand, &mut table, &mut second);
                if hand.end != End::Open || hand.stock_len == 0 {
                    break;
                }
            }
            // Whose turn it is has drawn, the other has not. Not by index: one that is not known
            // when this is compiled would keep the hand out of registers, all over the loops.
            let held = game.rules.hand_size;
            hand.held = match hand.seat {
                Seat(0) => [held + 1, held],
                _ => [held, held + 1],
            };
        }
        let Table { row, made, idle, leads: seen } = table;
        let mut table = Table::<false> { row, made, idle, leads: seen };
        while hand.end == End::Open {
            hand.played &= MANY;
            if MANY {
                turns += u32::from(!hand.played);
            }
            // A copy for each seat, so that what belongs to it lies in a known place.
            match hand.seat {
                Seat(0) => step::<0>(&game, self.policies.0, &mut hand, &mut table, &mut first),
                _ => step::<1>(&game, self.policies.1, &mut hand, &mut table, &mut second),
            }
        }
        *self.choices = [first, second];
        hand.stock = self.row.left(hand.stock_len);
        let used = u32::from(104 - hand.stock_len - hand.held[0] - hand.held[1]);
        if !MANY {
            turns = used + table.idle;
        }
        let made = table.made.whole(turns, used);
        *self.watch = Watch { made, leads };
        hand
    }
}

/// One move of the seat `SEAT`, whose turn it is.
#[inline(always)]
fn step<const SEAT: u8>(
    game: &Leopard,
    policy: &impl Duelist,
    hand: &mut State,
    table: &mut impl Deck,
    choice: &mut Stream,
) {
    hand.seat = Seat(SEAT);
    let act = policy.act(game, &View::of(hand, Seat(SEAT)), choice);
    hand.act(&game.rules, act, table);
}
