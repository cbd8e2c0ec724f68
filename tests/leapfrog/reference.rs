//! A slow reference implementation with sets of cells and recursion.
//!
//! The fast code must list the same chains and keep the same score on random positions, under all
//! combinations of rules.

use std::collections::{BTreeMap, BTreeSet};

use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Ruled, Seat, Turn};
use parlour::games::leapfrog::{
    Cell, Chains, FirstCaptures, FirstToLeap, Leapfrog, Move, Phase, Rules, State,
};

type At = (i32, i32);

/// A chain: start, end, captured pieces.
type Key = (At, At, BTreeSet<At>);

struct Reference<'a> {
    rules: &'a Rules,
    /// Worth of the piece on each occupied cell.
    pieces: BTreeMap<At, u32>,
}

impl Reference<'_> {
    fn on_board(&self, (row, col): At) -> bool {
        (0..i32::from(self.rules.rows)).contains(&row)
            && (0..i32::from(self.rules.cols)).contains(&col)
    }

    fn ways(&self) -> Vec<At> {
        let all = (-1..=1).flat_map(|d| (-1..=1).map(move |r| (d, r))).filter(|&w| w != (0, 0));
        all.filter(|(d, r)| self.rules.diagonal || *d == 0 || *r == 0).collect()
    }

    /// All chains of all pieces by all paths; the set removes duplicates.
    fn chains(&self) -> BTreeSet<Key> {
        let mut found = BTreeSet::new();
        for &start in self.pieces.keys() {
            self.extend(start, start, &BTreeSet::new(), &mut found);
        }
        found
    }

    fn extend(&self, start: At, at: At, captured: &BTreeSet<At>, found: &mut BTreeSet<Key>) {
        for (down, right) in self.ways() {
            let over = (at.0 + down, at.1 + right);
            let to = (at.0 + 2 * down, at.1 + 2 * right);
            let leaps_a_piece =
                self.pieces.contains_key(&over) && over != start && !captured.contains(&over);
            let lands_on_an_empty_cell = self.on_board(to)
                && (!self.pieces.contains_key(&to) || to == start || captured.contains(&to));
            if !leaps_a_piece || !lands_on_an_empty_cell {
                continue;
            }
            let mut captured = captured.clone();
            captured.insert(over);
            found.insert((start, to, captured.clone()));
            if self.rules.chains == Chains::Optional {
                self.extend(start, to, &captured, found);
            }
        }
    }

    /// Plays a chain and returns its points.
    fn play(&mut self, (start, end, captured): &Key) -> u32 {
        let points = captured.iter().map(|cell| self.pieces.remove(cell).unwrap()).sum();
        let piece = self.pieces.remove(start).unwrap();
        assert_eq!(self.pieces.insert(*end, piece), None);
        points
    }
}

fn at(cell: Cell) -> At {
    (cell.row() as i32, cell.col() as i32)
}

fn pieces(rules: &Rules, state: &State) -> BTreeMap<At, u32> {
    let cells = (0..usize::from(rules.rows))
        .flat_map(|r| (0..usize::from(rules.cols)).map(move |c| Cell::new(r, c)));
    let worth = cells.map(|cell| (at(cell), u32::from(state.board.worth(cell))));
    worth.filter(|&(_, worth)| worth > 0).collect()
}

/// The chains of the fast code, each with its moves.
fn fast(game: &Leapfrog, state: &State) -> BTreeMap<Key, Vec<Move>> {
    let mut found = BTreeMap::new();
    for chain in game.chains(state) {
        let cells = (0..18).flat_map(|r| (0..18).map(move |c| Cell::new(r, c)));
        let gone = cells.filter(|&cell| {
            let leapt = chain.before.board.has(cell) && !chain.after.board.has(cell);
            leapt && cell != chain.start()
        });
        let captured = gone.map(at).collect();
        let mut landings = chain.moves.iter().filter_map(|mv| match mv {
            Move::Leap(_, to) => Some(*to),
            _ => None,
        });
        let key = (at(chain.start()), at(landings.next_back().unwrap_or(chain.start())), captured);
        let listed = format!("{chain} is listed twice");
        assert_eq!(found.insert(key, chain.moves), None, "{listed}");
    }
    found
}

/// Plays a hand with whole chains and compares each turn. Returns the number of positions.
///
/// Some turns prefer long chains, to reach rings and crossings.
fn compare_hand(game: &Leapfrog, chance: &mut Stream) -> u32 {
    let rules = game.rules();
    let seats = usize::from(rules.seats);
    let mut state = game.deal(chance);
    let mut reference = Reference { rules, pieces: pieces(rules, &state) };
    let mut points = vec![0; seats];
    let mut seat = 0;
    while state.phase == Phase::Remove {
        assert_eq!(game.turn(&state), Turn::Seat(Seat(seat as u8)));
        let mv = game.sample(&state, chance);
        game.apply(&mut state, mv, chance);
        let Move::Remove(cell) = mv else { panic!("{mv} is no first capture") };
        points[seat] += reference.pieces.remove(&at(cell)).unwrap();
        seat += 1;
    }
    let FirstToLeap::Seat(first) = rules.first_to_leap else { panic!("a seat leaps first") };
    seat = usize::from(first);
    for positions in 1.. {
        assert_eq!(pieces(rules, &state), reference.pieces);
        let scores: Vec<u32> = game.scores(&state).0.iter().map(|&p| p as u32).collect();
        assert_eq!(scores, points);
        let (slow, fast) = (reference.chains(), fast(game, &state));
        assert!(slow.iter().eq(fast.keys()), "{}", state.board.text(rules));
        if slow.is_empty() {
            assert_eq!(game.turn(&state), Turn::Over);
            return positions;
        }
        assert_eq!(game.turn(&state), Turn::Seat(Seat(seat as u8)));
        let longest = fast.keys().map(|(_, _, captured)| captured.len()).max().unwrap();
        let least = if chance.below(4) == 0 { longest } else { 1 };
        let among: Vec<_> = fast.iter().filter(|((_, _, c), _)| c.len() >= least).collect();
        let (key, moves) = among[chance.below(among.len() as u32) as usize];
        for &mv in moves {
            assert_eq!(game.turn(&state), Turn::Seat(Seat(seat as u8)), "the turn goes on");
            assert_eq!(game.try_apply(&mut state, mv, chance), Ok(()));
        }
        points[seat] += reference.play(key);
        seat = (seat + 1) % seats;
    }
    unreachable!()
}

/// Compares at least `positions` positions of these rules.
fn compare(rules: &Rules, positions: u32) {
    let game = Leapfrog::new(rules).unwrap();
    let mut seen = 0;
    for hand in 0.. {
        seen += compare_hand(&game, &mut Seed::new(hand).stream());
        if seen >= positions {
            return;
        }
    }
}

fn preset(name: &str) -> Rules {
    Leapfrog::preset(name).unwrap()
}

#[test]
fn plain_boards_agree() {
    for name in ["mini-1x1", "mini-1x9", "mini-2x7", "mini-4x4", "mini-5x6", "mini-8x8"] {
        compare(&preset(name), 2000);
    }
}

#[test]
fn coloured_boards_agree() {
    for name in ["murray-mini-4x4", "murray-mini-7x6", "murray-mini-9x9", "murray-mini-18x3"] {
        compare(&preset(name), 2000);
    }
}

#[test]
fn single_leaps_agree() {
    for diagonal in [false, true] {
        let rules = Rules { chains: Chains::Single, diagonal, ..preset("murray-mini-7x7") };
        compare(&rules, 10_000);
    }
}

#[test]
fn diagonal_chains_agree() {
    for name in ["mini-4x4", "mini-5x5", "murray-mini-6x4"] {
        compare(&Rules { diagonal: true, ..preset(name) }, 4000);
    }
}

#[test]
fn more_seats_and_other_starts_agree() {
    for seats in 2..=4 {
        for first in 0..seats {
            let first_to_leap = FirstToLeap::Seat(first);
            let rules = Rules { seats, first_to_leap, ..preset("murray-mini-6x6") };
            compare(&rules, 1000);
            for first_captures in [FirstCaptures::FirstSeatGreen, FirstCaptures::FirstSeatLowest] {
                compare(&Rules { first_captures, ..rules.clone() }, 300);
            }
        }
    }
}

#[test]
fn full_size_boards_agree() {
    for name in ["original", "original-18", "murray", "murray-18", "froglet"] {
        let game = Leapfrog::new(&preset(name)).unwrap();
        compare_hand(&game, &mut Seed::new(5).stream());
    }
}
