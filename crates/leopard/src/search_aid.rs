//! What a search asks for beside the rules: which moves cannot differ (an abstraction of actions),
//! and what a seat saw when it made an earlier move.

use super::cells::{FACE_DOWN, Kind};
use super::state::Deck;
use super::{End, Move, Rules, State, View};
use crate::cards::{Card, CardSet, Pile};
use crate::chance::Stream;
use crate::game::Seat;

impl State {
    /// Takes out of the legal moves of the seat to move each that cannot differ from one that
    /// stays.
    ///
    /// Jacks lie face down, and so do queens, so their suits never matter: of the jacks in a hand
    /// one is as good as another on each cell and as a discard, and so are the queens. A number
    /// card is dead when its cell is closed on both squares and no jack or queen is left that
    /// could open one: all it can ever be is discarded, so one dead card is as good as another.
    pub(super) fn dedup_moves(&self, moves: &mut Vec<Move>) {
        let dead = self.dead();
        let hand = self.hands[self.seat.side()].distinct();
        let mut dead_kept = false;
        moves.retain(|&mv| {
            let Some(card) = mv.card() else { return true };
            match Kind::of(card) {
                Kind::Jack | Kind::Queen => {
                    (hand & CardSet::rank(card.rank())).next() == Some(card)
                }
                _ if mv == Move::discard(card) && dead.has(card) => {
                    !std::mem::replace(&mut dead_kept, true)
                }
                _ => true,
            }
        });
    }

    /// The number cards that can only be discarded.
    fn dead(&self) -> CardSet {
        // Whoever holds them: what the seat to move does not see is seen by nobody else alone.
        let left = self.stock.plus(self.hands[0]).plus(self.hands[1]);
        let may_open = left.distinct() & FACE_DOWN;
        let closed = self.squares[0].face_up() & self.squares[1].face_up();
        if may_open.is_empty() { closed.cards() } else { CardSet::EMPTY }
    }

    /// What the seat that made the move `past[at]` saw when it made it, were this the truth after
    /// all of `past`, which begins with the deal. `None` when it does not.
    ///
    /// Cards used since go back to the hands. Which of the cards of the seat it has drawn since is
    /// not known: they are drawn by lot from those it held, all alike.
    pub(super) fn view_at(
        &self,
        rules: &Rules,
        past: &[(Seat, Move)],
        at: usize,
        chance: &mut Stream,
    ) -> Option<View> {
        let &(seat, _) = past.get(at)?;
        // All that is public is right in these states; the hands and the stock are not.
        let mut faces = Unknown { drawn: 0 };
        let mut public = State::dealt(rules, &mut faces);
        public.begin_turn(rules, &mut faces);
        for &(_, mv) in &past[..at] {
            public.play(rules, mv, &mut faces);
        }
        let before = public;
        let draws: Vec<(Seat, u8)> = past[at..]
            .iter()
            .map(|&(_, mv)| {
                faces.drawn = 0;
                public.play(rules, mv, &mut faces);
                (public.seat, faces.drawn)
            })
            .collect();
        let is_whole = public.held == self.held
            && public.stock_len == self.stock_len
            && public.squares == self.squares;
        if !is_whole {
            return None;
        }
        let mut hand = self.hands[seat.side()];
        let mut unseen = self.stock.plus(self.hands[seat.other().side()]);
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

/// A deck whose cards nobody looks at; it counts them.
struct Unknown {
    drawn: u8,
}

impl Deck for Unknown {
    fn draw(&mut self, _: &mut Pile, _: u8) -> Card {
        self.drawn += 1;
        Card::from_index(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Seed, Stream};
    use crate::game::{Game, Ruled, Turn};
    use crate::{Act, Cell, Leopard, Square};

    /// A state with nothing in it that cannot matter: jacks and queens without their suits, dead
    /// cards without a face.
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

    /// Plays a move with a deck that gives the same essence: none.
    fn after(game: &Leopard, state: &State, mv: Move) -> State {
        // The stock is set aside, so that no draw hides what the move itself did.
        let mut state = *state;
        let stock = std::mem::replace(&mut state.stock, Pile::EMPTY);
        let len = std::mem::replace(&mut state.stock_len, 0);
        game.apply(&mut state, mv, &mut Seed::new(0).stream());
        (state.stock, state.stock_len) = (stock, len);
        state
    }

    fn each_choice(mut look: impl FnMut(&Leopard, &State, &[Move], &[Move], &mut Stream)) {
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
                    look(&game, &state, &legal, &joined, &mut chance);
                    // Knocks end a hand too early for dead cards to be met.
                    let mut mv = game.sample(&state, &mut chance);
                    if mv == Move::KNOCK {
                        mv = legal[0];
                    }
                    game.apply(&mut state, mv, &mut chance);
                }
            }
        }
    }

    #[test]
    fn moves_that_differ_are_never_joined() {
        let (mut faces, mut dead) = (0, 0);
        each_choice(|game, state, legal, joined, _| {
            assert!(!joined.is_empty() && joined.is_sorted());
            assert!(joined.iter().all(|mv| legal.contains(mv)));
            let kept: Vec<_> = joined.iter().map(|&mv| essence(&after(game, state, mv))).collect();
            for &mv in legal.iter().filter(|mv| !joined.contains(mv)) {
                let gone = essence(&after(game, state, mv));
                assert!(kept.contains(&gone), "{mv:?} differs from all of {joined:?}");
                match mv.act() {
                    Act::Discard(card) if card.rank() < 10 => dead += 1,
                    _ => faces += 1,
                }
            }
        });
        assert!(faces > 1000 && dead > 10, "{faces} and {dead} moves were joined");
    }

    #[test]
    fn moves_that_stay_all_differ_in_card_or_place() {
        each_choice(|_, state, legal, joined, _| {
            let two_jacks = state.hands[state.seat.side()].distinct() & CardSet::rank(11);
            if two_jacks.len() > 1 {
                assert!(joined.len() < legal.len());
            }
        });
    }

    #[test]
    fn only_what_the_seat_knows_decides() {
        each_choice(|game, state, legal, joined, chance| {
            let view = game.view(state, state.seat);
            let world = game.determinize(&view, chance);
            let mut there = legal.to_vec();
            game.dedup_moves(&world, &mut there);
            assert_eq!(there, joined);
        });
    }

    #[test]
    fn what_is_recalled_was_seen() {
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
                        // All but which cards were drawn since: those are a guess.
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
                    // The latest move of the other was made before any card was drawn since.
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
