//! The rules of each card.

use parlour::game::Seat;
use parlour::games::leopard::{Cell, Covers, Plays, Rules, SquaresOn};

use super::table::{Table, table};

const EMPTY: &str = "-- -- -- -- -- -- -- -- --";
/// Cells 1, 5 and 9 face up.
const OWN: &str = "AS -- -- -- 5H -- -- -- KC";
/// Cells 2 and 5 face up.
const OTHER: &str = "-- 2D -- -- 5C -- -- -- --";

fn on(own: bool, cells: &[u8]) -> Vec<String> {
    cells.iter().map(|cell| format!("{}{cell}", if own { 'o' } else { 'x' })).collect()
}

#[test]
fn an_ace_to_nine_goes_on_its_own_cell_of_either_square_if_open() {
    for rank in 1..=9u8 {
        let card = format!("{}D", b"A23456789"[usize::from(rank) - 1] as char);
        let table = table(&Rules::REVISED, &card, EMPTY, EMPTY);
        assert_eq!(table.places(&card), [on(true, &[rank]), on(false, &[rank])].concat());
    }
}

#[test]
fn an_ace_to_nine_does_not_go_on_a_face_up_card() {
    let table = table(&Rules::REVISED, "AH 2H 5S", OWN, OTHER);
    assert_eq!(table.places("AH"), on(false, &[1]));
    assert_eq!(table.places("2H"), on(true, &[2]));
    assert!(table.places("5S").is_empty());
}

#[test]
fn an_ace_is_cell_1_top_left_and_a_nine_cell_9_bottom_right() {
    let mut game = table(&Rules::REVISED, "AH 9H", EMPTY, EMPTY);
    game.play("AH o1");
    assert_eq!(format!("{:?}", game.state.square(Seat(0))), "H../.../...");
    let mut game = table(&Rules::REVISED, "AH 9H", EMPTY, EMPTY);
    game.play("9H o9");
    assert_eq!(format!("{:?}", game.state.square(Seat(0))), ".../.../..H");
}

#[test]
fn a_ten_goes_on_any_open_own_cell_and_not_on_the_others_square() {
    let table = table(&Rules::REVISED, "TH", OWN, OTHER);
    assert_eq!(table.places("TH"), on(true, &[2, 3, 4, 6, 7, 8]));
}

#[test]
fn a_jack_covers_a_face_up_card_of_either_square() {
    let table = table(&Rules::REVISED, "JH", OWN, OTHER);
    assert_eq!(table.places("JH"), [on(true, &[1, 5, 9]), on(false, &[2, 5])].concat());
}

#[test]
fn a_queen_covers_a_face_up_card_of_the_own_square_only() {
    let table = table(&Rules::REVISED, "QH", OWN, OTHER);
    assert_eq!(table.places("QH"), on(true, &[1, 5, 9]));
}

#[test]
fn a_king_goes_on_any_own_cell() {
    let table = table(&Rules::REVISED, "KH", OWN, OTHER);
    assert_eq!(table.places("KH"), on(true, &[1, 2, 3, 4, 5, 6, 7, 8, 9]));
}

#[test]
fn a_jack_or_a_queen_makes_the_cell_open() {
    for (act, seat) in [("JH o5", 0), ("JH x5", 1), ("QH o5", 0)] {
        let mut game = table(&Rules::REVISED, "JH QH", OWN, OTHER);
        let is_open = |game: &Table, seat| game.state.square(seat).open().has(Cell::ALL[4]);
        assert!(!is_open(&game, Seat(seat)));
        game.play(act);
        assert!(is_open(&game, Seat(seat)), "{act}");
        assert!(!is_open(&game, Seat(seat).other()), "{act}");
    }
}

#[test]
fn a_king_replaces_what_lies_on_the_cell() {
    let mut game = table(&Rules::REVISED, "KD", OWN, OTHER);
    game.play("KD o1");
    assert_eq!(format!("{:?}", game.state.square(Seat(0))), "D../.H./..C");
}

#[test]
fn any_card_of_the_hand_may_be_discarded() {
    let hand = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH";
    let table = table(&Rules::REVISED, hand, OWN, OTHER);
    for card in hand.split(' ') {
        assert!(table.allows(&format!("{card} -")), "{card}");
    }
    assert!(!table.allows("AS -"));
}

#[test]
fn a_card_held_twice_is_one_choice_and_is_used_once() {
    let mut game = table(&Rules::REVISED, "7H 7H", EMPTY, EMPTY);
    assert_eq!(game.legal(), ["7H o7", "7H x7", "7H -"]);
    game.play("7H o7");
    assert_eq!(game.state.hand(Seat(0)).len(), 1);
}

#[test]
fn fixed_a_jack_or_queen_covers_only_a_face_up_card() {
    let table = table(&Rules::REVISED, "JH QH", EMPTY, EMPTY);
    assert_eq!(table.legal(), ["JH -", "QH -"]);
}

#[test]
fn face_down_covers_any_lets_a_jack_or_queen_go_on_an_open_cell_where_it_changes_nothing() {
    let rules = Rules { face_down_covers: Covers::Any, ..Rules::REVISED };
    let all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    let mut game = table(&rules, "JH QH", OWN, OTHER);
    assert_eq!(game.places("JH"), [on(true, &all), on(false, &all)].concat());
    assert_eq!(game.places("QH"), on(true, &all));
    let before = game.state.square(Seat(1));
    game.play("JH x1");
    assert_eq!(game.state.square(Seat(1)), before);
}

#[test]
fn face_down_covers_card_lets_a_jack_or_queen_go_on_a_face_down_card_but_not_on_an_empty_cell() {
    let rules = Rules { face_down_covers: Covers::Card, plays: Plays::Many, ..Rules::REVISED };
    let mut game = table(&rules, "JH JS QH", OWN, EMPTY);
    let own = game.places("JH");
    assert_eq!(own, game.places("QH"), "both go on the face-up cards of the own square");
    assert!(!own.is_empty());
    let first = own[0].clone();
    game.play(&format!("JH {first}"));
    assert_eq!(game.places("JS"), own, "the cell shows no card now, but one lies there");
    let before = game.state.square(Seat(0));
    game.play(&format!("JS {first}"));
    assert_eq!(game.state.square(Seat(0)), before, "it counts as a play and changes nothing");
    assert_eq!(game.places("QH"), own);
}

#[test]
fn jacks_on_and_queens_on_say_whose_square_they_go_on() {
    let both = [true, false];
    for (squares, sides) in
        [(SquaresOn::Both, &both[..]), (SquaresOn::Own, &both[..1]), (SquaresOn::Other, &both[1..])]
    {
        let jacks = table(&Rules { jacks_on: squares, ..Rules::REVISED }, "JH QH", OWN, OTHER);
        let queens = table(&Rules { queens_on: squares, ..Rules::REVISED }, "JH QH", OWN, OTHER);
        let usual = table(&Rules::REVISED, "JH QH", OWN, OTHER);
        // By default a jack goes on both.
        let of = |place: &str| sides.contains(&place.starts_with('o'));
        let wanted: Vec<String> = usual.places("JH").into_iter().filter(|at| of(at)).collect();
        assert_eq!(jacks.places("JH"), wanted, "{squares:?}");
        assert_eq!(queens.places("QH"), wanted, "{squares:?}");
        assert_eq!(
            (jacks.places("QH"), queens.places("JH")),
            (usual.places("QH"), usual.places("JH"))
        );
    }
}
