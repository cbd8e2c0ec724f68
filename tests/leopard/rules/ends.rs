//! Ends of a hand.

use parlour::chance::Seed;
use parlour::game::{Game, Ruled, Seat, Turn};
use parlour::games::leopard::{End, Leopard, Move, Rules};

use super::table::{late, preset, table};

const EMPTY: &str = "-- -- -- -- -- -- -- -- --";
const STRONG: &str = "AS 2S 3S 4S 5S 6S -- -- 9S";

#[test]
fn a_knock_ends_the_hand_at_once() {
    let mut game = table(&Rules::ORIGINAL, "7H", STRONG, EMPTY);
    game.play("knock");
    assert_eq!(game.seat(), None);
    assert_eq!(game.state.end(), End::Knock(Seat(0)));
    assert_eq!(game.state.hand(Seat(1)).len(), 2, "the other seat draws no more");
    assert!(game.legal().is_empty());
}

#[test]
fn the_hand_ends_when_the_stock_and_both_hands_are_empty() {
    let mut game = late(&Rules::ORIGINAL, ["7H", "AD"], [EMPTY, EMPTY], 0);
    game.play("7H o7");
    assert_eq!(game.seat(), Some(1), "one hand is not both");
    game.play("AD o1");
    assert_eq!(game.state.end(), End::Exhausted);
}

#[test]
fn running_the_last_play_of_all_ends_the_hand_without_an_end_of_turn() {
    let mut game = late(&preset("running-revised"), ["7H 8H", "AD"], [STRONG, EMPTY], 1);
    game.play("AD -").play("7H o7");
    assert_eq!(game.seat(), Some(0));
    game.play("8H o8");
    assert_eq!(game.state.end(), End::Exhausted);
}

#[test]
fn nobody_knocks_any_more_once_all_cards_are_gone() {
    let mut game = late(&preset("running-revised"), ["7H", "AD KD"], [STRONG, EMPTY], 1);
    game.play("AD -").play("7H -");
    assert_eq!(game.seat(), Some(1));
    game.play("KD -");
    assert_eq!(game.state.end(), End::Exhausted, "seat 0 had the points for a knock");
}

#[test]
fn a_standard_hand_without_knock_is_104_turns() {
    for name in ["original", "revised", "denexa", "original-bonus"] {
        let game = Leopard::new(&preset(name)).unwrap();
        for seed in 0..20 {
            let mut chance = Seed::new(seed).stream();
            let mut state = game.deal(&mut chance);
            let (mut legal, mut seats) = (Vec::new(), Vec::new());
            while let Turn::Seat(seat) = game.turn(&state) {
                game.legal_moves(&state, &mut legal);
                legal.retain(|mv| *mv != Move::Knock);
                let mv = legal[chance.below(legal.len() as u32) as usize];
                game.apply(&mut state, mv, &mut chance);
                seats.push(seat.0);
            }
            let alternating: Vec<u8> = (0..104).map(|turn| turn % 2).collect();
            assert_eq!(seats, alternating, "52 turns each, the dealer last");
            assert_eq!(state.end(), End::Exhausted);
        }
    }
}
