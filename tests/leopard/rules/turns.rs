//! The deal, the draw, and the parts of a turn.

use parlour::chance::Seed;
use parlour::game::{Game, Ruled, Seat, Turn};
use parlour::games::leopard::{KnockWindow, Leopard, Move, Plays, Rules, Setup};

use super::table::{cards, late, preset, set, square, table};

const EMPTY: &str = "-- -- -- -- -- -- -- -- --";
/// Two rows, a column and a diagonal of spades: 12 points revised, 8 original.
const STRONG: &str = "AS 2S 3S 4S 5S 6S -- -- 9S";

#[test]
fn two_decks_are_dealt_8_each_and_the_first_seat_draws_first() {
    for preset in Leopard::presets() {
        let game = Leopard::new(&preset.rules).unwrap();
        let state = game.deal(&mut Seed::new(1).stream());
        let drew = u32::from(preset.rules.draw);
        assert_eq!(game.turn(&state), Turn::Seat(Seat(0)));
        assert_eq!(state.hand(Seat(0)).len(), 8 + drew);
        assert_eq!(state.hand(Seat(1)).len(), 8);
        assert_eq!(state.stock().len(), 88 - drew);
        let all = state.stock().plus(state.hand(Seat(0))).plus(state.hand(Seat(1)));
        assert_eq!(all.doubled().len(), 52);
    }
}

#[test]
fn a_custom_hand_size_is_dealt() {
    for hand_size in [1, 8, 52] {
        let rules = Rules { hand_size, ..Rules::ORIGINAL };
        let state = Leopard::new(&rules).unwrap().deal(&mut Seed::new(1).stream());
        assert_eq!(state.hand(Seat(1)).len(), u32::from(hand_size));
        assert_eq!(state.stock().len(), 103u32.saturating_sub(2 * u32::from(hand_size)));
        if hand_size == 52 {
            assert_eq!(state.hand(Seat(0)).len(), 52, "none is drawn once the stock is empty");
        }
    }
}

#[test]
fn a_standard_turn_is_one_play_or_one_discard() {
    for act in ["7H o7", "7H x7", "KS o1", "7H -"] {
        let mut game = table(&Rules::REVISED, "7H KS", EMPTY, EMPTY);
        assert!(!game.allows("end"), "a turn cannot be passed");
        game.play(act);
        assert_eq!(game.seat(), Some(1), "{act}");
        assert_eq!(game.state.hand(Seat(1)).len(), 3, "the next seat draws one");
    }
}

#[test]
fn running_draws_2() {
    let mut game = table(&preset("running-revised"), "7H KS", EMPTY, EMPTY);
    game.play("7H -");
    assert_eq!(game.state.hand(Seat(1)).len(), 4);
}

#[test]
fn a_short_stock_is_drawn_whole() {
    let setup = Setup { hands: [cards("7H KS"), cards("3C 4C")], ..Setup::default() };
    // All but one card of the stock are gone.
    let mut rest = set(&Rules::REVISED, setup.clone()).state.stock();
    rest.remove(cards("QD")[0]);
    let setup = Setup { gone: rest.cards().collect(), ..setup };
    let mut game = set(&preset("running-revised"), setup);
    game.play("7H -");
    assert_eq!(game.state.hand(Seat(1)), cards("3C 4C QD").into_iter().collect());
    game.play("3C -");
    assert_eq!(game.state.hand(Seat(0)), cards("KS").into_iter().collect());
}

#[test]
fn running_has_any_number_of_plays() {
    let mut game = table(&preset("running-revised"), "7H KS AD TS", EMPTY, EMPTY);
    for act in ["7H o7", "AD x1", "TS o1", "KS o1"] {
        assert_eq!(game.seat(), Some(0));
        game.play(act);
    }
    assert_eq!(game.seat(), Some(0), "even with an empty hand the turn is the seat's to end");
    assert_eq!(game.legal(), ["end"]);
    game.play("end");
    assert_eq!(game.seat(), Some(1));
}

#[test]
fn running_without_a_play_exactly_one_card_is_discarded() {
    let mut game = table(&preset("running-revised"), "7H KS", EMPTY, EMPTY);
    assert!(!game.allows("end"));
    game.play("KS -");
    assert_eq!(game.seat(), Some(1));
}

#[test]
fn running_a_seat_that_made_a_play_does_not_discard() {
    let mut game = table(&preset("running-revised"), "7H KS", EMPTY, EMPTY);
    game.play("7H o7");
    assert!(game.allows("end") && game.allows("KS o1"));
    assert!(!game.allows("KS -"));
}

#[test]
fn fixed_a_knock_comes_before_any_play() {
    let mut game = table(&preset("running-revised"), "7H KS", STRONG, EMPTY);
    assert!(game.allows("knock"));
    game.play("7H x7");
    assert_eq!(game.seat(), Some(0));
    assert!(!game.allows("knock"));
}

#[test]
fn knock_window_any_time_allows_a_knock_after_plays() {
    let rules = Rules { knock_window: KnockWindow::AnyTime, ..preset("running-revised") };
    let mut game = table(&rules, "6S KS", "-- -- -- 4S 5S -- -- -- --", EMPTY);
    assert!(!game.allows("knock"));
    game.play("6S o6");
    assert!(!game.allows("knock"), "3 points are not 7");
    let mut game = table(&rules, "7H KS", STRONG, EMPTY);
    game.play("7H x7");
    assert!(game.allows("knock"));
    game.play("knock");
    assert_eq!(game.seat(), None);
}

#[test]
fn knock_window_any_time_changes_nothing_where_a_turn_is_one_play() {
    let rules = Rules { knock_window: KnockWindow::AnyTime, ..Rules::REVISED };
    let mut game = table(&rules, "7H KS", STRONG, EMPTY);
    game.play("7H x7");
    assert_eq!(game.seat(), Some(1));
}

#[test]
fn knocking_is_optional_and_needs_the_own_square() {
    let game = table(&Rules::REVISED, "7H KS", STRONG, EMPTY);
    assert!(game.allows("knock") && game.allows("7H -"));
    let game = table(&Rules::REVISED, "7H KS", EMPTY, STRONG);
    assert!(!game.allows("knock"));
}

#[test]
fn a_knock_needs_knock_at_points_exactly() {
    let own = "AS 2S 3S 4S 5S -- -- -- 9S";
    for (knock_at, allowed) in [(1, true), (3, true), (4, true), (5, false), (255, false)] {
        let rules = Rules { knock_at, ..Rules::ORIGINAL };
        let game = table(&rules, "7H", own, EMPTY);
        assert_eq!(game.values()[0], 4);
        assert_eq!(game.allows("knock"), allowed, "{knock_at}");
    }
}

#[test]
fn fixed_running_a_hand_without_cards_is_passed_over() {
    let rules = preset("running-revised");
    let mut game = late(&rules, ["7H", "AD KD"], [EMPTY, EMPTY], 0);
    game.play("7H o7").play("end");
    game.play("AD -");
    assert_eq!(game.seat(), Some(1), "seat 0 is passed over");
    assert_eq!(game.legal().last().map(String::as_str), Some("KD -"));
    game.play("KD -");
    assert_eq!(game.seat(), None);
}

#[test]
fn fixed_running_a_hand_without_cards_may_knock_if_it_qualifies() {
    let rules = preset("running-revised");
    let mut game = late(&rules, ["7H", "AD KD"], [STRONG, EMPTY], 0);
    game.play("7H -").play("AD -");
    assert_eq!(game.seat(), Some(0), "seat 0 has no card, but it may knock");
    assert_eq!(game.legal(), ["end", "knock"]);
    game.play("end");
    assert_eq!(game.seat(), Some(1));
}

#[test]
fn fixed_a_play_that_takes_the_knock_away_passes_the_other_over() {
    let mut game = late(&preset("running-revised"), ["7H", "JD KD"], [STRONG, EMPTY], 0);
    game.play("7H -").play("JD x5").play("end");
    assert_eq!(game.values()[0], 6);
    assert_eq!(game.seat(), Some(1));
}

#[test]
fn many_plays_with_a_stock_still_draw_for_an_empty_hand() {
    let rules = Rules { plays: Plays::Many, ..Rules::REVISED };
    let mut game = table(&rules, "7H", EMPTY, EMPTY);
    game.play("7H o7").play("end").play("3C -");
    assert_eq!(game.seat(), Some(0));
    assert_eq!(game.state.hand(Seat(0)).len(), 1);
}

#[test]
fn everything_but_the_others_hand_and_the_stock_is_in_the_view() {
    let game = table(&Rules::REVISED, "7H KS", STRONG, "AH -- -- -- -- -- -- -- --");
    let view = game.game.view(&game.state, Seat(1));
    assert_eq!(view.hand, cards("3C 4C").into_iter().collect());
    assert_eq!(view.squares[0], game.state.square(Seat(0)));
    assert_eq!(view.unseen, game.state.stock().plus(game.state.hand(Seat(0))));
    assert_eq!(square(STRONG).iter().flatten().count(), 7);
}

#[test]
fn a_move_fits_a_register() {
    assert!(size_of::<Move>() <= 4);
}
