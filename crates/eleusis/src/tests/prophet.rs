//! The prophet.

use super::*;

/// Seat 1 has played the 5H and become prophet; seat 2 is to move.
fn with_prophet() -> Table {
    with_prophet_under(Rules::ELEUSIS)
}

fn with_prophet_under(rules: Rules) -> Table {
    let mut table = Table::new(rules, "red");
    table.give(1, "5H 6S 7S");
    table.play("5H");
    table.make(Move::Prophesy);
    assert_eq!(table.player(), 2);
    table
}

#[test]
fn after_its_own_turn_a_player_may_become_prophet() {
    let mut table = Table::red();
    assert!(!table.moves().contains(&Move::Prophesy), "not before");
    table.give(1, "5S 6S 7S");
    table.play("5S");
    assert_eq!(table.moves(), [Move::Pass, Move::Prophesy], "after a wrong play as well");
    table.make(Move::Prophesy);
    assert!(table.last().becomes_prophet);
    assert_eq!(table.state.public.prophet, Some(Seat(1)));
    assert_eq!(table.state.public.marker, 1, "the marked card counts, the starter does not");
}

#[test]
fn there_is_one_prophet_at_a_time() {
    let mut table = with_prophet();
    table.give(2, "6H 7S");
    table.play("6H");
    table.make(Move::Judge(true));
    assert_eq!(table.player(), 3, "seat 2 is not asked");
}

#[test]
fn two_other_active_players_must_remain() {
    let mut table = Table::red();
    table.state.public.expelled = [Seat(3), Seat(4)].into();
    table.give(1, "5H 6H");
    table.play("5H");
    assert_eq!(table.player(), 2, "only seat 2 would remain: nothing is asked");
    let mut table = Table::red();
    table.state.public.expelled = [Seat(4)].into();
    table.give(1, "5H 6H");
    table.play("5H");
    assert_eq!(table.state.public.stage, Stage::After);
}

#[test]
fn the_prophet_judges_and_takes_no_turns() {
    let mut table = with_prophet();
    for seat in 2..5 {
        table.give(seat, "8H 9S TS");
        table.play("8H");
        assert_eq!(table.turn(), Turn::Seat(Seat(1)));
        assert_eq!(table.moves(), [Move::Judge(false), Move::Judge(true)]);
        table.make(Move::Judge(true));
        assert_eq!(table.last().prophet_said, Some((Seat(1), true)));
    }
    assert_eq!(table.player(), 2, "the prophet's hand lies aside");
}

#[test]
fn a_right_verdict_of_the_prophet_stands_with_its_penalty() {
    let mut table = with_prophet();
    table.give(2, "6S 7S");
    table.play("6S");
    table.make(Move::Judge(false));
    assert_eq!(table.held(2), 1 + 2);
    assert_eq!(table.state.public.after_marker, [0, 1]);
    assert_eq!(table.state.public.prophet, Some(Seat(1)));
}

#[test]
fn a_wrong_verdict_overthrows_the_prophet_and_spares_the_player() {
    let mut table = with_prophet();
    table.state.public.expelling = true;
    table.give(2, "6S 7S");
    let held = table.held(1);
    table.play("6S");
    table.make(Move::Judge(true));
    assert_eq!(table.state.public.prophet, None, "the marker goes");
    assert_eq!(table.held(1), held + 5);
    assert!(!table.last().right, "the dealer's verdict stands");
    assert_eq!(table.held(2), 1, "no penalty cards");
    assert!(!table.last().expelled, "an overthrow never expels");
    assert_eq!(table.moves(), [Move::Pass, Move::Prophesy], "the player may follow");
}

#[test]
fn a_right_play_called_wrong_still_goes_on_the_mainline() {
    let mut table = with_prophet();
    table.give(2, "6H 7S");
    table.play("6H");
    table.make(Move::Judge(false));
    assert!(table.last().right);
    assert_eq!(table.state.public.mainline.last(), Some(&"6H".parse().unwrap()));
    assert_eq!(table.state.public.prophet, None);
}

#[test]
fn nobody_is_prophet_twice_in_a_hand() {
    let mut table = with_prophet();
    table.give(2, "6H 7S");
    table.play("6H");
    table.make(Move::Judge(false));
    table.pass();
    for seat in [3, 4] {
        table.give(seat, "8H 9S");
        table.play("8H");
        table.pass();
    }
    assert_eq!(table.player(), 1, "the former prophet plays its hand again");
    table.give(1, "8H 9S");
    table.play("8H");
    assert_eq!(table.player(), 2, "and is not asked again");
}

#[test]
fn the_prophet_judges_no_play_on_the_same_terms() {
    // True, called true.
    let mut table = with_prophet();
    table.give(2, "6S 7S 8S 9S TS");
    table.make(Move::NoPlay);
    assert_eq!(table.turn(), Turn::Seat(Seat(1)));
    table.make(Move::Judge(true));
    assert_eq!((table.held(2), table.last().right), (1, true));
    // True, called false: overthrown, and the claim holds.
    let mut table = with_prophet();
    table.give(2, "6S 7S 8S 9S TS");
    let held = table.held(1);
    table.make(Move::NoPlay);
    table.make(Move::Judge(false));
    assert_eq!((table.held(1), table.held(2)), (held + 5, 1));
    // False, called true: overthrown, the card is forced, no penalty, no expulsion.
    let mut table = with_prophet();
    table.state.public.expelling = true;
    table.give(2, "6H 7S 8S");
    table.make(Move::NoPlay);
    table.make(Move::Judge(true));
    table.force();
    assert_eq!((table.held(2), table.state.public.prophet), (2, None));
    assert!(!table.last().expelled);
    assert_eq!(
        table.last().act,
        Act::NoPlay {
            hand: cards("6H 7S 8S").into_iter().collect(),
            forced: Some("6H".parse().unwrap()),
        }
    );
    // False, called false: the penalty, and the forced card counts as right after the marker.
    let mut table = denied("prophet", "6H 7S 8S");
    table.make(Move::Force("6H".parse().unwrap()));
    assert_eq!((table.held(2), table.state.public.after_marker), (2 + 5, [1, 0]));
}

/// Seat 2 claims *no play* with this hand, and the prophet denies it.
fn denied(forced_by: &str, hand: &str) -> Table {
    let forced_by = serde_json::from_value(forced_by.into()).unwrap();
    let mut table = with_prophet_under(Rules { forced_by, ..Rules::ELEUSIS });
    table.give(2, hand);
    table.make(Move::NoPlay);
    table.make(Move::Judge(false));
    table
}

#[test]
fn a_prophet_who_denies_a_claim_picks_any_card_of_the_hand() {
    let mut table = denied("prophet", "6H 7D 8S");
    assert_eq!(table.turn(), Turn::Seat(Seat(1)));
    let any = cards("6H 7D 8S").into_iter().map(Move::Force).collect::<Vec<_>>();
    assert_eq!(table.moves(), any, "the prophet is not told which are right");
    let prophets = table.game.view(&table.state, Seat(1));
    let mut options = Vec::new();
    table.game.legal_moves_in_view(&prophets, &mut options);
    assert_eq!(options, any);
    table.make(any[1]);
    assert_eq!(table.state.public.mainline.last(), Some(&"7D".parse().unwrap()));
    assert_eq!((table.state.public.prophet, table.held(2)), (Some(Seat(1)), 2 + 5));
    assert_eq!(table.last().prophet_picked, None);
    // A hand of one kind of card leaves one move.
    let mut table = denied("prophet", "6H 6H");
    table.force();
    assert_eq!((table.player(), table.held(2)), (3, 1 + 5));
}

#[test]
fn a_prophet_who_picks_a_wrong_card_is_overthrown_and_the_dealer_picks() {
    let mut table = denied("prophet", "6H 7D 8S");
    table.state.public.expelling = true;
    let held = table.held(1);
    table.make(Move::Force("8S".parse().unwrap()));
    assert_eq!((table.state.public.prophet, table.held(1)), (None, held + 5));
    assert_eq!((table.turn(), table.state.public.picked), (Turn::Seat(Seat(0)), table.card("8S")));
    let right = cards("6H 7D").into_iter().map(Move::Force).collect::<Vec<_>>();
    assert_eq!(table.moves(), right);
    assert!(!table.state.public.agrees(&"spade".parse().unwrap()), "all saw that it is wrong");
    table.make(right[0]);
    assert_eq!((table.last().prophet_picked, table.state.public.picked), (table.card("8S"), None));
    assert!(table.last().overthrows() && !table.last().expelled);
    assert_eq!(table.held(2), 2, "the player whose claim overthrew it draws nothing");
    assert!(!table.state.public.agrees(&"spade or heart".parse().unwrap()), "nor later on");
    assert!(table.state.public.agrees(&"not spade".parse().unwrap()));
    // With one right card the dealer has one move.
    let mut table = denied("prophet", "6H 7S 8S");
    table.make(Move::Force("8S".parse().unwrap()));
    table.force();
    assert_eq!(table.state.public.mainline.last(), table.card("6H").as_ref());
}

#[test]
fn the_prophet_only_denies_if_the_dealer_forces() {
    let mut table = denied("dealer", "6H 7D 8S");
    assert_eq!((table.turn(), table.moves().len()), (Turn::Seat(Seat(0)), 2));
    table.make(Move::Force("6H".parse().unwrap()));
    assert_eq!((table.state.public.prophet, table.held(2)), (Some(Seat(1)), 2 + 5));
    assert_eq!(Rules::ELEUSIS.forced_by, ForcedBy::Prophet);
}

#[test]
fn cap_counts_all_cards_played_before_the_marker_or_the_mainline_alone() {
    for (cap_counts, marker) in [(CapCounts::Played, 3), (CapCounts::Mainline, 2)] {
        let mut table = Table::new(Rules { cap_counts, ..Rules::ELEUSIS }, "red");
        table.give(1, "5S 6S");
        table.play("5S");
        table.pass();
        table.give(2, "5H 6H 7S");
        table.play("5H 6H");
        table.make(Move::Prophesy);
        assert_eq!(table.state.public.marker, marker);
        // The others hold 14 cards or more: the cap alone counts.
        assert_eq!(table.scores()[0], 2 * i32::from(marker), "{cap_counts:?}");
    }
    let patch: Patch = serde_json::from_str(r#"{"cap_counts": "mainline"}"#).unwrap();
    assert_eq!(patch.over(&Rules::ELEUSIS).cap_counts, CapCounts::Mainline);
    assert_eq!(Rules::ELEUSIS.cap_counts, CapCounts::Played);
}

#[test]
fn from_thirty_cards_after_the_marker_on_a_mistake_expels() {
    for (after, expelled) in [([20, 9], false), ([20, 10], true)] {
        let mut table = with_prophet();
        table.state.public.after_marker = after;
        table.state.public.expelling = table.state.public.expels(table.game.rules());
        table.give(2, "6S 7S");
        table.play("6S");
        table.make(Move::Judge(false));
        assert_eq!(table.last().expelled, expelled, "{after:?}");
    }
}

#[test]
fn with_a_prophet_the_length_of_the_mainline_does_not_expel() {
    let mut table = with_prophet();
    let line = std::sync::Arc::make_mut(&mut table.state.public.mainline);
    line.resize(45, "5H".parse().unwrap());
    assert!(!table.state.public.expels(table.game.rules()));
    table.state.public.prophet = None;
    assert!(table.state.public.expels(table.game.rules()));
}

#[test]
fn the_hand_ends_when_all_but_the_prophet_are_expelled() {
    let mut table = with_prophet();
    for seat in 2..5 {
        table.state.public.after_marker = [30, 0];
        table.state.public.expelling = true;
        table.give(seat, "6S 7S");
        table.play("6S");
        table.make(Move::Judge(false));
    }
    assert_eq!(table.state.public.end, End::Expelled);
}

#[test]
fn the_prophet_scores_one_for_right_and_two_for_wrong_cards_after_the_marker() {
    let mut table = with_prophet();
    table.give(2, "6H 7H 8S 9S TS JS QS");
    table.play("6H 7H");
    table.make(Move::Judge(true));
    table.give(3, "6S 9S TS");
    table.play("6S");
    table.make(Move::Judge(false));
    for seat in [1, 2, 3, 4] {
        table.give(seat, "6S");
    }
    assert_eq!(table.scores(), [2, 2 + 2, 0, 0, 0], "the dealer is capped at twice one card");
}
