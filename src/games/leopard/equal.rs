//! Moves that cannot differ.

use super::{Move, State};
use crate::cards::{CardSet, Pile};

/// The jacks and queens of a pile.
const FACE_DOWN: CardSet = CardSet(0xFF << 40);

impl State {
    /// Takes out of the legal moves of the seat to move each that cannot differ from one that
    /// stays.
    ///
    /// Jacks lie face down, and so do queens, so their suits never matter: of the jacks in a hand
    /// one is as good as another on each cell and as a discard, and so are the queens. A number
    /// card is dead when its cell is closed on both squares and no jack or queen is left that
    /// could open one: all it can ever be is discarded, so one dead card is as good as another.
    pub(super) fn join_equal(&self, moves: &mut Vec<Move>) {
        // Whoever holds them: what the seat to move does not see is seen by nobody else alone.
        let left = self.stock.plus(self.hands[0]).plus(self.hands[1]);
        let closed = self.squares[0].face_up() & self.squares[1].face_up();
        let may_open = left.distinct().0 & FACE_DOWN.0 != 0;
        let hand = self.hands[usize::from(self.seat) & 1];
        let mut dead_kept = false;
        moves.retain(|&mv| {
            if !mv.uses_card() {
                return true;
            }
            let card = mv.card();
            let rank = card / 4;
            if rank == 10 || rank == 11 {
                return card == lowest_of_rank(hand, rank);
            }
            let is_dead = rank < 9 && !may_open && closed >> rank & 1 == 1;
            if is_dead && !mv.is_play() {
                return !std::mem::replace(&mut dead_kept, true);
            }
            true
        });
    }
}

/// The lowest card of a rank (from 0) in a hand that has one.
fn lowest_of_rank(hand: Pile, rank: u8) -> u8 {
    (hand.distinct().0 & 0xF << (4 * rank)).trailing_zeros() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Seed, Stream};
    use crate::game::{Game, Ruled, Turn};
    use crate::games::leopard::{Act, Leopard};

    /// A state with nothing in it that cannot matter: jacks and queens without their suits, dead
    /// cards without a face.
    fn essence(state: &State) -> impl PartialEq + std::fmt::Debug + use<> {
        let left = state.stock.plus(state.hands[0]).plus(state.hands[1]);
        let closed = state.squares[0].face_up() & state.squares[1].face_up();
        let opens = left.distinct().0 & FACE_DOWN.0 != 0;
        let strip = |pile: Pile| {
            let face = |card: u8| match card / 4 {
                rank @ (10 | 11) => rank * 4,
                rank if rank < 9 && !opens && closed >> rank & 1 == 1 => 255,
                _ => card,
            };
            let mut faces: Vec<u8> = pile.cards().map(|card| face(card.index())).collect();
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
        game.play(&mut state, mv, &mut Seed::new(0).stream());
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
                    game.moves(&state, &mut legal);
                    joined.clone_from(&legal);
                    game.join_equal(&state, &mut joined);
                    look(&game, &state, &legal, &joined, &mut chance);
                    // Knocks end a hand too early for dead cards to be met.
                    let mut mv = game.sample(&state, &mut chance);
                    if mv == Move::KNOCK {
                        mv = legal[0];
                    }
                    game.play(&mut state, mv, &mut chance);
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
            let two_jacks = state.hands[usize::from(state.seat)].distinct().0 >> 40 & 0xF;
            if two_jacks.count_ones() > 1 {
                assert!(joined.len() < legal.len());
            }
        });
    }

    #[test]
    fn only_what_the_seat_knows_decides() {
        each_choice(|game, state, legal, joined, chance| {
            let view = game.view(state, crate::game::Seat(state.seat));
            let world = game.imagine(&view, chance);
            let mut there = legal.to_vec();
            game.join_equal(&world, &mut there);
            assert_eq!(there, joined);
        });
    }
}
