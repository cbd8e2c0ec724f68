//! A toy Leopard, small enough for the exact best response to a player. A search that knows the
//! player scores between one half and the best response.

use std::collections::BTreeMap;
use std::sync::Arc;

use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Observation, Policy, Scores, SearchAid, Seat, Turn};
use parlour::search::{
    Decide, Model, ModelOptions, Observers, PolicyPlayout, Reward, Search, TreeOptions,
};
use serde::{Deserialize, Serialize};

use super::parts;

/// Squares of two by two; eight number cards, one for each cell in each of two suits, and four
/// jacks, which uncover a cell of the other's. A seat holds one card, draws one, and plays or
/// discards one; after two turns each, more lines of one suit win.
#[derive(Clone)]
struct Toy;

const TURNS: u8 = 4;

/// The number of cards of each kind: the numbers of a suit, of the other, the jacks.
type Cards = [u8; 9];
const DECK: Cards = [1, 1, 1, 1, 1, 1, 1, 1, 4];
const JACK: usize = 8;

/// The suits on the cells of both squares, 0 for none.
type Squares = [[u8; 4]; 2];

fn value(square: &[u8; 4]) -> i32 {
    let line = |a: usize, b: usize| i32::from(square[a] != 0 && square[a] == square[b]);
    line(0, 1) + line(2, 3) + line(0, 2) + line(1, 3)
}

/// Offers the code of each move: eight times the kind of the card, plus its use. A card is laid on
/// the own square (0) or the other square (1), discarded (2), or laid over another cell (4 to 7).
fn each_move(hand: &Cards, squares: &Squares, seat: usize, mut offer: impl FnMut(u8)) {
    for kind in (0..9).filter(|kind| hand[*kind] > 0) {
        let code = 8 * kind as u8;
        if kind < JACK {
            (0..2u8)
                .filter(|other| squares[seat ^ usize::from(*other)][kind % 4] == 0)
                .for_each(|other| offer(code + other));
        }
        offer(code + 2);
        if kind == JACK {
            (0..4u8)
                .filter(|cell| squares[seat ^ 1][usize::from(*cell)] != 0)
                .for_each(|cell| offer(code + 4 + cell));
        }
    }
}

fn make(squares: &mut Squares, seat: usize, mv: u8) {
    let (kind, what) = (usize::from(mv / 8), mv % 8);
    match what {
        0 | 1 => squares[seat ^ usize::from(what)][kind % 4] = 1 + (kind / 4) as u8,
        2 => {}
        cell => squares[seat ^ 1][usize::from(cell - 4)] = 0,
    }
}

fn less(mut cards: Cards, others: &Cards) -> Cards {
    cards.iter_mut().zip(others).for_each(|(count, other)| *count -= other);
    cards
}

fn draw(cards: &mut Cards, chance: &mut Stream) -> usize {
    let mut at = chance.below(cards.iter().map(|count| u32::from(*count)).sum());
    let kind = cards.iter().position(|count| {
        let here = at < u32::from(*count);
        at = at.saturating_sub(u32::from(*count));
        here
    });
    let kind = kind.unwrap();
    cards[kind] -= 1;
    kind
}

#[derive(Clone, PartialEq, Debug)]
struct State {
    hands: [Cards; 2],
    stock: Cards,
    squares: Squares,
    made: u8,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct View {
    seat: usize,
    hand: Cards,
    /// The cards of the stock and of the other.
    unseen: Cards,
    squares: Squares,
    made: u8,
}

impl Game for Toy {
    type State = State;
    type View = View;
    type Move = u8;

    fn seats(&self) -> usize {
        2
    }

    fn deal(&self, chance: &mut Stream) -> State {
        let (hands, squares) = ([[0; 9]; 2], [[0; 4]; 2]);
        let mut state = State { hands, stock: DECK, squares, made: 0 };
        for seat in [0, 1, 0] {
            state.hands[seat][draw(&mut state.stock, chance)] += 1;
        }
        state
    }

    fn turn(&self, state: &State) -> Turn {
        if state.made == TURNS { Turn::Over } else { Turn::Seat(Seat(state.made % 2)) }
    }

    fn legal_moves(&self, state: &State, out: &mut Vec<u8>) {
        self.legal_moves_in_view(&self.view(state, Seat(state.made % 2)), out);
    }

    fn apply(&self, state: &mut State, mv: u8, chance: &mut Stream) {
        let seat = usize::from(state.made % 2);
        state.hands[seat][usize::from(mv / 8)] -= 1;
        make(&mut state.squares, seat, mv);
        state.made += 1;
        if state.made < TURNS {
            state.hands[seat ^ 1][draw(&mut state.stock, chance)] += 1;
        }
    }

    fn scores(&self, state: &State) -> Scores {
        Scores::two(value(&state.squares[0]), value(&state.squares[1]))
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        let (own, other) = (seat.index(), seat.index() ^ 1);
        let mut unseen = state.stock;
        unseen.iter_mut().zip(&state.hands[other]).for_each(|(count, held)| *count += held);
        View { seat: own, hand: state.hands[own], unseen, squares: state.squares, made: state.made }
    }

    fn determinize(&self, view: &View, chance: &mut Stream) -> State {
        let (mut stock, mut hands) = (view.unseen, [[0; 9]; 2]);
        hands[view.seat] = view.hand;
        let moves_next = view.made < TURNS && usize::from(view.made % 2) != view.seat;
        for _ in 0..1 + usize::from(moves_next) {
            hands[view.seat ^ 1][draw(&mut stock, chance)] += 1;
        }
        State { hands, stock, squares: view.squares, made: view.made }
    }

    fn legal_moves_in_view(&self, view: &View, out: &mut Vec<u8>) {
        out.clear();
        if view.made < TURNS && usize::from(view.made % 2) == view.seat {
            each_move(&view.hand, &view.squares, view.seat, |mv| out.push(mv));
        }
    }

    fn max_moves(&self) -> usize {
        usize::from(TURNS)
    }

    fn score_range(&self) -> (i32, i32) {
        (0, 4)
    }

    fn search_aid(&self) -> Option<&dyn SearchAid<Toy>> {
        Some(self)
    }
}

impl SearchAid<Toy> for Toy {
    /// Supports only the other seat's latest move: it kept the card that it now holds.
    fn view_at(
        &self,
        world: &State,
        past: &[(Seat, u8)],
        at: usize,
        _: &mut Stream,
    ) -> Option<View> {
        if at + 1 != past.len() {
            return None;
        }
        let (mut squares, mut used) = ([[0; 4]; 2], [0; 9]);
        for (seat, mv) in &past[..at] {
            make(&mut squares, seat.index(), *mv);
            used[usize::from(mv / 8)] += 1;
        }
        let (seat, mv) = past[at];
        let mut hand = world.hands[seat.index()];
        hand[usize::from(mv / 8)] += 1;
        let unseen = less(less(DECK, &used), &hand);
        Some(View { seat: seat.index(), hand, unseen, squares, made: at as u8 })
    }
}

/// The target: the largest change of its own lines less the other's, the first of equals.
struct Simple;

fn simple(hand: &Cards, squares: &Squares, seat: usize) -> u8 {
    let (mut best, mut most) = (0, i32::MIN);
    each_move(hand, squares, seat, |mv| {
        let mut next = *squares;
        make(&mut next, seat, mv);
        let lead = value(&next[seat]) - value(&next[seat ^ 1]);
        if lead > most {
            (best, most) = (mv, lead);
        }
    });
    best
}

impl Policy<Toy> for Simple {
    fn pick(&self, _: &Toy, view: &View, _: &mut Stream) -> u8 {
        simple(&view.hand, &view.squares, view.seat)
    }
}

/// The public information.
#[derive(Clone, Copy)]
struct Public {
    squares: Squares,
    used: Cards,
    made: u8,
}

impl Public {
    fn after(mut self, mv: u8) -> Public {
        make(&mut self.squares, usize::from(self.made % 2), mv);
        self.used[usize::from(mv / 8)] += 1;
        self.made += 1;
        self
    }
}

fn one(kind: usize) -> Cards {
    std::array::from_fn(|at| u8::from(at == kind))
}

/// The best response to the target from a seat, by all that may come: `belief` is the chance of
/// each card that the target may hold.
struct Response {
    seat: usize,
}

impl Response {
    /// The share of the win before the next draw, with the card `mine`.
    fn worth(&self, public: Public, mine: usize, belief: &[f64; 9]) -> f64 {
        if public.made == TURNS {
            let lead = value(&public.squares[self.seat]) - value(&public.squares[self.seat ^ 1]);
            return 0.5 + 0.5 * f64::from(lead.signum());
        }
        let hidden = less(less(DECK, &public.used), &one(mine));
        let stock = f64::from(hidden.iter().map(|count| u32::from(*count)).sum::<u32>()) - 1.0;
        // The chance that the target holds one card and another is drawn.
        let chance = |held: usize, drawn: usize| {
            let left = f64::from(hidden[drawn]) - f64::from(u8::from(held == drawn));
            belief[held] * left.max(0.0) / stock
        };
        if usize::from(public.made % 2) == self.seat {
            let drawn = |drawn: usize| {
                let next: [f64; 9] = std::array::from_fn(|held| chance(held, drawn));
                let all: f64 = next.iter().sum();
                if all <= 0.0 {
                    return 0.0;
                }
                let (mut hand, mut best) = (one(mine), 0.0f64);
                hand[drawn] += 1;
                each_move(&hand, &public.squares, self.seat, |mv| {
                    let kept = if usize::from(mv / 8) == mine { drawn } else { mine };
                    best = best.max(self.worth(public.after(mv), kept, &next.map(|w| w / all)));
                });
                all * best
            };
            return (0..9).map(drawn).sum();
        }
        let mut answers: BTreeMap<u8, [f64; 9]> = BTreeMap::new();
        for held in (0..9).filter(|held| belief[*held] > 0.0) {
            for drawn in (0..9).filter(|drawn| chance(held, *drawn) > 0.0) {
                let mut hand = one(held);
                hand[drawn] += 1;
                let mv = simple(&hand, &public.squares, self.seat ^ 1);
                let kept = if usize::from(mv / 8) == held { drawn } else { held };
                answers.entry(mv).or_default()[kept] += chance(held, drawn);
            }
        }
        let answer = |(mv, next): (u8, [f64; 9])| {
            let all: f64 = next.iter().sum();
            all * self.worth(public.after(mv), mine, &next.map(|w| w / all))
        };
        answers.into_iter().map(answer).sum()
    }

    /// The share of the win over all deals.
    fn exact(seat: usize) -> f64 {
        let public = Public { squares: [[0; 4]; 2], used: [0; 9], made: 0 };
        let dealt = |mine: usize| {
            let rest = less(DECK, &one(mine));
            let belief = rest.map(|count| f64::from(count) / 11.0);
            f64::from(DECK[mine]) / 12.0 * Response { seat }.worth(public, mine, &belief)
        };
        (0..9).map(dealt).sum()
    }
}

/// The score of a search against the target whose playouts and model are the target.
fn found(seat: usize, deals: u64) -> (f64, f64) {
    let make = || {
        let options = ModelOptions { by: "simple".to_owned(), error: 0.02, moves: 1, worlds: 200 };
        let playout = Arc::new(PolicyPlayout::new(Simple, 0.0));
        let mut parts = parts(Observers::Single, 400, playout);
        parts.reward = Reward { win: 1.0, ..Reward::default() };
        parts.model = Some(Model { policy: Arc::new(Simple), options });
        parts.tree = TreeOptions {
            opponents_use_playout_policy: true,
            exploration: 0.5,
            decide: Decide::Value,
            ..parts.tree
        };
        Search::new(parts)
    };
    let (mut sum, mut squares) = (0.0, 0.0);
    for deal in 0..deals {
        let seed = Seed::new(2026).child(deal);
        let (mut chance, mut choice) = (seed.child(0).stream(), seed.child(1).stream());
        let (mut state, mut past) = (Toy.deal(&mut chance), Vec::new());
        let mut search = make();
        while let Turn::Seat(mover) = Toy.turn(&state) {
            let view = Toy.view(&state, mover);
            let mv = if mover.index() == seat {
                let observation = Observation { view: &view, past: &past };
                search.analyze(&Toy, observation, &mut choice).best().unwrap()
            } else {
                Simple.pick(&Toy, &view, &mut choice)
            };
            Toy.apply(&mut state, mv, &mut chance);
            past.push((mover, mv));
        }
        let scores = Toy.scores(&state).0;
        let won = 0.5 + 0.5 * f64::from((scores[seat] - scores[seat ^ 1]).signum());
        sum += won;
        squares += won * won;
    }
    let mean = sum / deals as f64;
    (mean, ((squares / deals as f64 - mean * mean) / deals as f64).sqrt())
}

#[test]
fn the_bound_is_below_the_best_response_and_near_it() {
    let (exact, found) = ([0, 1].map(Response::exact), [0, 1].map(|seat| found(seat, 400)));
    println!("exact {exact:?}, found {found:?}");
    // A player that knows nothing more scores a half of both seats together.
    assert!(exact[0] + exact[1] > 1.05, "the target can be beaten: {exact:?}");
    for (exact, (mean, error)) in exact.into_iter().zip(found) {
        assert!(mean < exact + 3.0 * error, "{mean} ± {error} against at most {exact}");
        assert!(mean > exact - 0.04 - 3.0 * error, "{mean} ± {error} is far below {exact}");
    }
    let error = found[0].1.hypot(found[1].1);
    assert!(
        found[0].0 + found[1].0 > 1.0 + 2.0 * error,
        "{found:?} is a bound that says something"
    );
}
