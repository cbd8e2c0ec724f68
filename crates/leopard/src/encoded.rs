//! Views and moves of Leopard as arrays of numbers.

use std::sync::LazyLock;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::cells::{CELLS, CardKind, Cell, NUMBERS};
use super::{BonusWhen, Covers, End, KnockWindow, Leopard, Move, Plays, Side, Square, View};
use parlour_base::cards::{Card, CardSet};
use parlour_game::Seat;
use parlour_game::encoded::{ActionGroup, Encoded, ObservationWriter, Plane, Symmetry};

/// The number of places of a suit and a cell.
const PLACES: usize = 4 * CELLS;

/// The largest numbers of the rules that networks tell apart.
const NUMBER_RANGES: [usize; 7] = [24, 8, 8, 24, 8, 4, 16];

/// The number of other rules that networks tell apart.
const CHOICES: usize = 8;

/// The moves in the order of their actions.
static MOVES: LazyLock<IndexSet<Move, FxBuildHasher>> = LazyLock::new(|| {
    let numbers = |side| NUMBERS.map(move |card| Move::lay(side, card, Cell::of_number(card)));
    let on_any_cell = |side, rank| {
        let on = move |card| Cell::ALL.map(|cell| Move::lay(side, card, cell));
        CardSet::rank(rank).flat_map(on)
    };
    let high = (10..=13).flat_map(|rank| on_any_cell(Side::Own, rank));
    numbers(Side::Own)
        .chain(numbers(Side::Other))
        .chain(Card::all().map(Move::Discard))
        .chain(high.chain(on_any_cell(Side::Other, 11)))
        .chain([Move::End, Move::Knock])
        // Only where the rules allow it: the others keep their numbers.
        .chain(on_any_cell(Side::Other, 12))
        .collect()
});

impl Leopard {
    /// The number of actions.
    fn action_count(&self) -> usize {
        let across = self.rules.queens_on.includes(Side::Other);
        MOVES.len() - if across { 0 } else { PLACES }
    }

    /// The symmetry that moves cells, with the ranks of number cards, and suits.
    fn symmetry(&self, cell: impl Fn(usize) -> usize, suit: impl Fn(usize) -> usize) -> Symmetry {
        let card = |card: usize| {
            let rank = if card / 4 < CELLS { cell(card / 4) } else { card / 4 };
            4 * rank + suit(card % 4)
        };
        let place = |place: usize| CELLS * suit(place / CELLS) + cell(place % CELLS);
        let moved = |name: &str, count: usize, at: usize| match name {
            "hand" | "unseen" | "number" | "number across" | "discard" => card(at),
            "face down" => at / CELLS * CELLS + cell(at % CELLS),
            _ if count == PLACES => place(at),
            _ => at,
        };
        let all = |blocks: Vec<(&'static str, usize)>| {
            let mut start = 0;
            let mut places = Vec::new();
            for (name, count) in blocks {
                places.extend((0..count).map(|at| (start + moved(name, count, at)) as u16));
                start += count;
            }
            places
        };
        Symmetry {
            numbers: all(self.all_planes().iter().map(|it| (it.name, it.count())).collect()),
            actions: all(Leopard::all_actions().iter().map(|it| (it.name, it.count)).collect()),
        }
    }

    /// The planes of all rules: one that only some have comes last.
    fn all_planes(&self) -> Vec<Plane> {
        let line = self.rules.suit_line.max(self.rules.color_line);
        let cards = "card 4 × (rank − 1) + suit, ace to king; spades, hearts, diamonds, clubs";
        let end = "1 when the hand has ended: by the own knock, by the other knock, without cards";
        let suits = "for each suit, spades, hearts, diamonds, clubs: 1 on each cell that shows it";
        let covered = "1 on each open cell with a face-down card: own square, other square";
        vec![
            Plane::new("hand", [52], 2, format!("number of each card in the own hand: {cards}")),
            Plane::new("unseen", [52], 2, "number of each card in the stock or the other hand"),
            Plane::new("own square", [4, 3, 3], 1, suits),
            Plane::new("other square", [4, 3, 3], 1, suits),
            Plane::new("values", [2], 8 * line, "value of the own square and of the other"),
            Plane::new("held", [2], 104, "cards in the own hand and in the other"),
            Plane::new("stock", [1], 104, "cards in the stock"),
            Plane::new("first", [1], 1, "1 for the seat that moved first in the hand"),
            Plane::new("turn", [1], 1, "1 when it is the own turn"),
            Plane::new("played", [1], 1, "1 when a play was made in this turn, which goes on"),
            Plane::new("end", [3], 1, end),
            Plane::new("face down", [2, 3, 3], 1, covered),
        ]
    }

    /// The actions of all rules: those that only some have come last.
    fn all_actions() -> Vec<ActionGroup> {
        let number = "card k, an ace to a nine, on the cell of its number of";
        let cell = "suit k // 9 (spades, hearts, diamonds, clubs) on cell k % 9 of";
        let of = |name, side| ActionGroup::new(name, PLACES, format!("{cell} {side}"));
        vec![
            ActionGroup::new("number", PLACES, format!("{number} the own square")),
            ActionGroup::new("number across", PLACES, format!("{number} the other square")),
            ActionGroup::new("discard", 52, "card k is discarded"),
            of("ten", "the own square"),
            of("jack", "the own square"),
            of("queen", "the own square"),
            of("king", "the own square"),
            of("jack across", "the other square"),
            ActionGroup::new("end", 1, "the turn ends"),
            ActionGroup::new("knock", 1, "the hand ends"),
            of("queen across", "the other square"),
        ]
    }
}

impl Encoded for Leopard {
    fn planes(&self) -> Vec<Plane> {
        let mut planes = self.all_planes();
        planes.retain(|it| it.name != "face down" || self.rules.face_down_covers == Covers::Card);
        planes
    }

    fn actions(&self) -> Vec<ActionGroup> {
        let mut actions = Leopard::all_actions();
        let across = self.rules.queens_on.includes(Side::Other);
        actions.retain(|it| it.name != "queen across" || across);
        actions
    }

    fn full_sizes(&self) -> [usize; 2] {
        [self.all_planes().iter().map(Plane::count).sum(), MOVES.len()]
    }

    fn observe(&self, view: &View, out: &mut [u8]) {
        let mut pen = ObservationWriter::new(out);
        for pile in [view.hand, view.unseen] {
            pen.bits_twice(pile.distinct().0, pile.doubled().0, 52);
        }
        let suits = |square: Square| {
            square.suits().iter().rev().fold(0, |bits, cells| bits << CELLS | cells.index() as u64)
        };
        for side in Side::BOTH {
            pen.bits(suits(view.square(side)), PLACES);
        }
        let both =
            |numbers: [u8; 2]| [numbers[view.seat.side()], numbers[view.seat.other().side()]];
        let flags = [view.seat == Seat(0), view.is_to_move(), view.played];
        let ends = [End::Knock(view.seat), End::Knock(view.seat.other()), End::Exhausted];
        let flags = flags.into_iter().chain(ends.map(|end| view.end == end)).map(u8::from);
        let numbers = both(view.values).into_iter().chain(both(view.held)).chain([view.stock_len]);
        numbers.chain(flags).for_each(|number| pen.number(number));
        if self.rules.face_down_covers == Covers::Card {
            for side in Side::BOTH {
                let square = view.square(side);
                let covered = square.occupied().without(square.face_up());
                pen.bits(covered.index() as u64, CELLS);
            }
        }
    }

    const RULE_NUMBERS: usize = {
        let (mut sum, mut at) = (CHOICES, 0);
        while at < NUMBER_RANGES.len() {
            sum += NUMBER_RANGES[at];
            at += 1;
        }
        sum
    };

    /// Each number of the rules as a row that begins with that many ones; then the unusual choices.
    fn observe_rules(&self, out: &mut [u8]) {
        let rules = &self.rules;
        let numbers = [
            rules.knock_at,
            rules.suit_line,
            rules.color_line,
            rules.bonus_over,
            rules.knock_penalty,
            rules.draw,
            rules.hand_size,
        ];
        let mut pen = ObservationWriter::new(out);
        for (number, count) in numbers.into_iter().zip(NUMBER_RANGES) {
            pen.at_least(number, count);
        }
        let choices: [bool; CHOICES] = [
            rules.bonus_when == BonusWhen::Always,
            rules.plays == Plays::Many,
            rules.knock_window == KnockWindow::AnyTime,
            rules.face_down_covers != Covers::FaceUp,
            !rules.jacks_on.includes(Side::Own),
            !rules.jacks_on.includes(Side::Other),
            !rules.queens_on.includes(Side::Own),
            rules.queens_on.includes(Side::Other),
        ];
        choices.into_iter().for_each(|choice| pen.number(choice.into()));
    }

    fn action_of(&self, mv: Move) -> Option<usize> {
        MOVES.get_index_of(&mv).filter(|action| *action < self.action_count())
    }

    fn move_of(&self, action: usize) -> Option<Move> {
        MOVES.get_index(action).filter(|_| action < self.action_count()).copied()
    }

    /// Turns and reflections of both squares with their number cards, and exchanges of suits that
    /// keep colours together: 64 in all.
    fn symmetries(&self) -> Vec<Symmetry> {
        let same = |place: usize| place;
        let reflected = |cell: usize| cell / 3 * 3 + 2 - cell % 3;
        let transposed = |cell: usize| cell % 3 * 3 + cell / 3;
        let blacks_exchanged = |suit: usize| if suit.is_multiple_of(3) { 3 - suit } else { suit };
        let colors_exchanged = |suit: usize| suit ^ 1;
        [
            self.symmetry(reflected, same),
            self.symmetry(transposed, same),
            self.symmetry(same, blacks_exchanged),
            self.symmetry(same, colors_exchanged),
        ]
        .to_vec()
    }

    /// Without a list of moves: for all cards of a rank at a time, in the order of their actions.
    fn legal(&self, view: &View, out: &mut [u64]) {
        out.fill(0);
        if !view.is_to_move() {
            return;
        }
        let (hand, mut at) = (view.hand.distinct(), 0);
        // The bits beyond the lowest `count` are 0.
        let mut push = |bits: u64, count: usize| {
            let (word, place) = (at / 64, at % 64);
            // A shift by 64 would overflow.
            for (word, bits) in [(word, bits << place), (word + 1, bits >> 1 >> (63 - place))] {
                if let Some(word) = out.get_mut(word) {
                    *word |= bits;
                }
            }
            at += count;
        };
        for side in Side::BOTH {
            push((hand & NUMBERS & view.square(side).open().cards()).0, PLACES);
        }
        push(if view.played { 0 } else { hand.0 }, 52);
        let places = |kind, rank: usize, side| {
            let suits = hand.0 >> (4 * rank - 4) & 15;
            let cells = self.rules.cells(kind, view.square(side), side).index() as u64;
            // The cells, nine bits, for each suit that is held.
            ((suits & 1) | (suits & 2) << 8 | (suits & 4) << 16 | (suits & 8) << 24) * cells
        };
        push(places(CardKind::Ten, 10, Side::Own), PLACES);
        push(places(CardKind::Jack, 11, Side::Own), PLACES);
        push(places(CardKind::Queen, 12, Side::Own), PLACES);
        push(places(CardKind::King, 13, Side::Own), PLACES);
        push(places(CardKind::Jack, 11, Side::Other), PLACES);
        push(u64::from(view.may_end()), 1);
        push(u64::from(view.may_knock(&self.rules)), 1);
        push(places(CardKind::Queen, 12, Side::Other), PLACES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;
    use parlour_base::cards::Pile;
    use parlour_game::{Ruled, kit};

    #[test]
    fn every_variant_is_encoded_as_promised() {
        let mut nodes = 0;
        for preset in Leopard::presets() {
            nodes += kit::check_encoded(&Leopard::new(&preset.rules).unwrap(), 40);
        }
        assert!(nodes > 5000, "{nodes}");
    }

    #[test]
    fn odd_rules_are_encoded_as_promised() {
        use crate::{Covers, KnockWindow, Plays, Rules, SquaresOn};
        let base = Rules { suit_line: 20, hand_size: 40, draw: 3, ..Rules::REVISED };
        for plays in [Plays::One, Plays::Many] {
            let rules = Rules {
                plays,
                face_down_covers: Covers::Any,
                knock_window: KnockWindow::AnyTime,
                ..base.clone()
            };
            assert!(kit::check_encoded(&Leopard::new(&rules).unwrap(), 10) > 100);
            let odd = Rules { face_down_covers: Covers::Card, queens_on: SquaresOn::Both, ..rules };
            let odd = Leopard::new(&odd).unwrap();
            assert!(kit::check_encoded(&odd, 10) > 100);
            assert_eq!(odd.planes().last().unwrap().name, "face down");
            assert_eq!(odd.actions().last().unwrap().name, "queen across");
        }
    }

    /// The same hand with other cards. `card` maps the number cards of a cell to those of a cell.
    fn with_cards(state: &State, card: impl Fn(Card) -> Card) -> State {
        let pile = |pile: Pile| pile.cards().map(&card).collect();
        let square = |square: Square| {
            let mut mapped = Square::EMPTY;
            for cell in square.occupied().without(square.face_up()) {
                let there = card(Card::from_index(4 * cell.index() as u8));
                mapped.set_face_down(Cell::of_number(there), true);
            }
            for cell in square.face_up() {
                if let Some(suit) = square.at(cell) {
                    // The number card of the cell, of the suit that lies there.
                    let there = card(Card::from_index((4 * cell.index() + suit.index()) as u8));
                    mapped.lay(Cell::of_number(there), there.suit());
                }
            }
            mapped
        };
        let (hands, stock) = (state.hands.map(pile), pile(state.stock));
        State { hands, stock, squares: state.squares.map(square), ..*state }
    }

    #[test]
    fn symmetric_positions_have_symmetric_encodings() {
        use parlour_base::chance::Seed;
        use parlour_game::{Game, kit};

        let game = Leopard::new(&Leopard::preset("running-revised").unwrap()).unwrap();
        let [numbers, _] = game.full_sizes();
        let mut positions = 0;
        for symmetry in game.symmetries() {
            let encoded = |state: &State| {
                let view = game.view(state, state.seat);
                let (mut seen, mut mask) = (vec![0; numbers], vec![0; 6]);
                game.observe(&view, &mut seen);
                game.legal(&view, &mut mask);
                (seen, parlour_game::encoded::actions_in(&mask).collect::<Vec<u16>>())
            };
            let moved =
                |card: Card| Card::from_index(symmetry.numbers[usize::from(card.index())] as u8);
            kit::random_hand(&game, &Seed::new(5).stream(), Seed::new(6), |state, _| {
                let ((before, legal), (after, legal_after)) =
                    (encoded(state), encoded(&with_cards(state, moved)));
                let places = symmetry.numbers.iter().zip(&before);
                assert!(
                    places.clone().all(|(place, number)| after[usize::from(*place)] == *number)
                );
                let mut moved: Vec<u16> =
                    legal.iter().map(|action| symmetry.actions[usize::from(*action)]).collect();
                moved.sort_unstable();
                assert_eq!(moved, legal_after);
                positions += 1;
            });
        }
        assert!(positions > 200, "{positions}");
    }

    #[test]
    fn networks_tell_variants_apart() {
        let rules = |name: &str| {
            let game = Leopard::new(&Leopard::preset(name).unwrap()).unwrap();
            let mut out = vec![9; Leopard::RULE_NUMBERS];
            game.observe_rules(&mut out);
            assert!(out.iter().all(|number| *number < 2), "{name} is written completely");
            out
        };
        let all = Leopard::presets();
        let all: std::collections::BTreeSet<_> = all.iter().map(|it| rules(it.name)).collect();
        assert_eq!(all.len(), Leopard::presets().len());
    }

    #[test]
    fn every_move_that_rules_could_allow_has_an_index() {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let moves = Move::all();
        let known = moves.iter().filter_map(|mv| game.action_of(*mv)).count();
        assert_eq!(known, MOVES.len() - PLACES);
        let texts = [(0, "AS o1"), (36, "AS x1"), (75, "AC -"), (124, "TS o1"), (303, "JC x9")];
        for (action, text) in texts {
            assert_eq!(game.move_of(action).unwrap().to_string(), text);
        }
    }
}
