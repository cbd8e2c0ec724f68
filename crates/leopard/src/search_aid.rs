//! Support for searches: equivalent moves, and the views of a seat at its earlier moves.

use super::cells::{FACE_DOWN, without_twins};
use super::state::Deck;
use super::{End, Leopard, Move, State, View};
use parlour_base::cards::{Card, CardSet, Pile};
use parlour_base::chance::Stream;
use parlour_game::{SearchAid, Seat};

impl SearchAid<Leopard> for Leopard {
    /// Removes legal moves that are equivalent to one that stays.
    ///
    /// Jacks and queens lie face down, so their suits never matter: only the first jack and the
    /// first queen of a hand stay. A number card is dead if its cell is closed on both squares and
    /// no jack or queen is left to open one. It can only be discarded, so one dead card is as good
    /// as another.
    fn dedup_moves(&self, state: &State, moves: &mut Vec<Move>) {
        let dead = state.dead();
        let hand = without_twins(state.hands[state.seat.side()].distinct());
        let mut dead_kept = false;
        moves.retain(|&mv| match mv.card() {
            Some(card) if mv == Move::Discard(card) && dead.has(card) => {
                !std::mem::replace(&mut dead_kept, true)
            }
            card => card.is_none_or(|card| hand.has(card)),
        });
    }

    /// With an empty stock, all unseen cards are in the other hand.
    fn is_deterministic(&self, view: &View) -> bool {
        view.stock_len == 0
    }

    /// Returns the view of the seat that made the move `past[at]` when it made it, if `world` is
    /// the state after all of `past`. Returns `None` if `past` does not begin with the deal.
    ///
    /// Cards used since then go back to the hands. The cards that the seat has drawn since then are
    /// unknown; they are sampled uniformly from its hand.
    fn view_at(
        &self,
        world: &State,
        past: &[(Seat, Move)],
        at: usize,
        chance: &mut Stream,
    ) -> Option<View> {
        let &(seat, _) = past.get(at)?;
        let rules = &self.rules;
        // All public parts are right in these states; the hands and the stock are not.
        let mut public = State::dealt(rules, &mut UnknownDeck);
        public.begin_turn(rules, &mut UnknownDeck);
        for &(_, mv) in &past[..at] {
            public.play(rules, mv, &mut UnknownDeck);
        }
        let before = public;
        let draws: Vec<(Seat, u8)> = past[at..]
            .iter()
            .map(|&(_, mv)| {
                let stock_len = public.stock_len;
                public.play(rules, mv, &mut UnknownDeck);
                (public.seat, stock_len - public.stock_len)
            })
            .collect();
        let is_whole = public.held == world.held
            && public.stock_len == world.stock_len
            && public.squares == world.squares;
        if !is_whole {
            return None;
        }
        let mut hand = world.hands[seat.side()];
        let mut unseen = world.stock.plus(world.hands[seat.other().side()]);
        for (&(mover, mv), &(drawer, drawn)) in past[at..].iter().zip(&draws).rev() {
            for _ in 0..if drawer == seat { drawn } else { 0 } {
                unseen.add(hand.draw(hand.len(), chance));
            }
            if let Some(card) = mv.card() {
                if mover == seat { &mut hand } else { &mut unseen }.add(card);
            }
        }
        let State { squares, values, held, stock_len, played, .. } = before;
        let (to_move, end) = (seat, End::Open);
        Some(View { seat, hand, squares, values, unseen, stock_len, held, to_move, played, end })
    }
}

impl State {
    /// The number cards that can only be discarded.
    fn dead(&self) -> CardSet {
        // In any hand: cards that the seat to move does not see are not visible to the other seat
        // alone.
        let left = self.stock.plus(self.hands[0]).plus(self.hands[1]);
        let may_open = left.distinct() & FACE_DOWN;
        let closed = self.squares[0].face_up() & self.squares[1].face_up();
        if may_open.is_empty() { closed.cards() } else { CardSet::EMPTY }
    }
}

/// A deck of unknown cards.
struct UnknownDeck;

impl Deck for UnknownDeck {
    fn draw(&mut self, _: &mut Pile, _: u8) -> Card {
        Card::from_index(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Leopard, Move, Square};
    use parlour_base::chance::{Seed, Stream};
    use parlour_game::SearchAid;
    use parlour_game::{Game, Ruled, Turn};

    /// A state without irrelevant parts: jacks and queens without suits, dead cards without faces.
    fn essence(state: &State) -> impl PartialEq + std::fmt::Debug + use<> {
        let left = state.stock.plus(state.hands[0]).plus(state.hands[1]);
        let opens = left.cards().any(|card| matches!(card.rank(), 11 | 12));
        let strip = |pile: Pile| {
            let is_dead = |card: Card| {
                let closed = |square: Square| square.at(Cell::ALL[usize::from(card.rank()) - 1]);
                card.rank() < 10 && !opens && state.squares.map(closed).iter().all(Option::is_some)
            };
            let face = |card: Card| match card.rank() {
                rank @ (11 | 12) => 200 + rank,
                _ if is_dead(card) => 255,
                _ => card.index(),
            };
            let mut faces: Vec<u8> = pile.cards().map(face).collect();
            faces.sort_unstable();
            faces
        };
        let piles = [strip(state.hands[0]), strip(state.hands[1]), strip(state.stock)];
        (piles, state.squares, state.values, state.seat, state.played, state.end, state.held)
    }

    /// Plays a move without drawing.
    fn after(game: &Leopard, state: &State, mv: Move) -> State {
        // The stock is set aside, so that no draw hides the effect of the move.
        let mut state = *state;
        let stock = std::mem::replace(&mut state.stock, Pile::EMPTY);
        let len = std::mem::replace(&mut state.stock_len, 0);
        game.apply(&mut state, mv, &mut Seed::new(0).stream());
        (state.stock, state.stock_len) = (stock, len);
        state
    }

    fn each_choice(mut visit: impl FnMut(&Leopard, &State, &[Move], &[Move], &mut Stream)) {
        for preset in Leopard::presets() {
            let game = Leopard::new(&preset.rules).unwrap();
            for hand in 0..150 {
                let mut chance = Seed::new(hand).stream();
                let mut state = game.deal(&mut chance);
                let (mut legal, mut joined) = (Vec::new(), Vec::new());
                while game.turn(&state) != Turn::Over {
                    game.legal_moves(&state, &mut legal);
                    joined.clone_from(&legal);
                    game.dedup_moves(&state, &mut joined);
                    visit(&game, &state, &legal, &joined, &mut chance);
                    // Knocks end a hand too early for dead cards to occur.
                    let mut mv = game.sample(&state, &mut chance);
                    if mv == Move::Knock {
                        mv = legal[0];
                    }
                    game.apply(&mut state, mv, &mut chance);
                }
            }
        }
    }

    #[test]
    fn different_moves_are_never_merged() {
        let (mut faces, mut dead) = (0, 0);
        each_choice(|game, state, legal, joined, _| {
            assert!(!joined.is_empty() && joined.is_sorted());
            assert!(joined.iter().all(|mv| legal.contains(mv)));
            let rest: Vec<_> = joined.iter().map(|&mv| essence(&after(game, state, mv))).collect();
            for &mv in legal.iter().filter(|mv| !joined.contains(mv)) {
                let gone = essence(&after(game, state, mv));
                assert!(rest.contains(&gone), "{mv:?} differs from all of {joined:?}");
                match mv {
                    Move::Discard(card) if card.rank() < 10 => dead += 1,
                    _ => faces += 1,
                }
            }
        });
        assert!(faces > 1000 && dead > 10, "{faces} and {dead} moves were joined");
    }

    #[test]
    fn equivalent_moves_are_merged() {
        each_choice(|_, state, legal, joined, _| {
            let two_jacks = state.hands[state.seat.side()].distinct() & CardSet::rank(11);
            if two_jacks.len() > 1 {
                assert!(joined.len() < legal.len());
            }
        });
    }

    #[test]
    fn equivalence_depends_on_the_view_alone() {
        each_choice(|game, state, legal, joined, chance| {
            let view = game.view(state, state.seat);
            let world = game.determinize(&view, chance);
            let mut there = legal.to_vec();
            game.dedup_moves(&world, &mut there);
            assert_eq!(there, joined);
        });
    }

    #[test]
    fn earlier_views_match_what_the_seat_saw() {
        for preset in Leopard::presets() {
            let game = Leopard::new(&preset.rules).unwrap();
            for hand in 0..60 {
                let mut chance = Seed::new(hand).stream();
                let mut state = game.deal(&mut chance);
                let (mut past, mut seen) = (Vec::new(), Vec::new());
                while let Turn::Seat(seat) = game.turn(&state) {
                    for (at, view) in seen.iter().enumerate().rev().take(5) {
                        let view: &View = view;
                        let recalled = game.view_at(&state, &past, at, &mut chance).unwrap();
                        // Which cards were drawn since then is a guess.
                        let public = |v: &View| (v.squares, v.values, v.held, v.stock_len);
                        assert_eq!(public(&recalled), public(view));
                        assert_eq!(recalled.played, view.played);
                        assert_eq!(recalled.hand.len(), u32::from(view.held[view.seat.index()]));
                        assert_eq!(
                            recalled.hand.plus(recalled.unseen),
                            view.hand.plus(view.unseen)
                        );
                        let mut options = Vec::new();
                        game.legal_moves_in_view(&recalled, &mut options);
                        assert!(options.contains(&past[at].1), "the move that was made is legal");
                    }
                    // The latest move of the other seat was made before any card was drawn since
                    // then.
                    if let Some((at, (last, _))) = past.iter().enumerate().next_back()
                        && *last != seat
                    {
                        let recalled = game.view_at(&state, &past, at, &mut chance);
                        assert_eq!(recalled.as_ref(), seen.last());
                    }
                    seen.push(game.view(&state, seat));
                    let mv = game.sample(&state, &mut chance);
                    game.apply(&mut state, mv, &mut chance);
                    past.push((seat, mv));
                }
            }
        }
    }
}
