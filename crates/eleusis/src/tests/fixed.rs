//! Points that the sources leave open and this project fixes, if no other test covers them.

use super::*;
use crate::rule::Rule;

#[test]
fn the_seat_to_the_dealers_left_starts() {
    assert_eq!(Table::red().turn(), Turn::Seat(Seat(1)));
    assert_eq!(Table::new(Rules::EXPRESS, "red").turn(), Turn::Seat(Seat(1)));
}

#[test]
fn ranks_count_from_1_for_the_ace_to_13_for_the_king() {
    let right = |text: &str| text.parse::<Rule>().unwrap().right(&rule::Memory::default());
    for (rank, letter) in (1..=13).zip("A23456789TJQK".chars()) {
        let expected: CardSet = cards(&format!("{letter}S {letter}H {letter}D {letter}C"))
            .into_iter()
            .fold(CardSet::EMPTY, |set, card| set.with(card));
        assert_eq!(right(&format!("rank == {rank}")), expected);
    }
}

#[test]
fn a_rule_is_defined_without_previous_cards() {
    let plain: Rule = "suit == last.suit".parse().unwrap();
    let first: Rule = "(suit == last.suit) ?? face".parse().unwrap();
    let empty = rule::Memory::default();
    assert_eq!(plain.right(&empty), CardSet::FULL);
    assert_eq!(first.right(&empty).len(), 12);
}

#[test]
fn the_wrong_card_of_a_wrong_string_stays_hidden() {
    let after = |secret: &str| {
        let mut table = Table::new(Rules::ELEUSIS, secret);
        table.give(1, "5H 6S 7S");
        table.play("5H 6S");
        assert!(!table.last().right);
        table.state.public.history.last().unwrap().clone()
    };
    assert_eq!(after("red"), after("black"), "the second card, or the first");
}

#[test]
fn a_shown_hand_is_seen_by_all() {
    let mut table = Table::red();
    table.give(1, "5H 6S 7S 8S 9S TS");
    table.make(Move::NoPlay);
    table.force();
    for seat in 0..5 {
        let view = table.game.view(&table.state, Seat(seat));
        let shown = view.public.known[1].distinct();
        assert!(cards("6S 7S 8S 9S TS").iter().all(|&card| shown.has(card)), "seat {seat}");
    }
}

#[test]
fn the_player_and_not_the_dealer_draws_for_a_false_no_play() {
    let mut table = Table::red();
    table.give(1, "5H 6S 7S 8S 9S TS");
    table.make(Move::NoPlay);
    table.force();
    assert_eq!((table.held(0), table.held(1)), (0, 5 + 5));
}

#[test]
fn the_marker_counts_mainline_and_sideline_and_the_marked_card() {
    let mut table = Table::red();
    for (seat, hand, play) in
        [(1, "5H 6H 9S", "5H 6H"), (2, "7S 8S 9S", "7S 8S"), (3, "9D TS", "9D")]
    {
        table.give(seat, hand);
        table.play(play);
        if seat == 3 {
            table.make(Move::Prophesy);
        } else {
            table.pass();
        }
    }
    assert_eq!(table.state.public.marker, 5, "two right, two wrong, and the marked card");
}

#[test]
fn cards_for_expulsion_are_counted_at_the_start_of_the_turn() {
    let mut table = Table::red();
    let line = std::sync::Arc::make_mut(&mut table.state.public.mainline);
    line.resize(39, "5H".parse().unwrap());
    table.state.public.expelling = table.state.public.expels(table.game.rules());
    table.give(1, "5H 6H 7S 8S");
    table.play("5H 6H");
    assert_eq!(table.state.public.mainline.len(), 41);
    assert!(!table.last().expelled);
    table.pass();
    table.give(2, "7S 8S 9S");
    table.play("7S");
    assert!(table.last().expelled, "the next turn began with 41");
}

#[test]
fn an_expelled_player_takes_no_further_turn() {
    let mut table = Table::red();
    table.state.public.expelling = true;
    table.give(1, "5S 6S 7S");
    table.play("5S");
    assert!(table.last().expelled);
    for seat in [2, 3, 4, 2] {
        assert_eq!(table.player(), seat);
        table.give(seat, "5H 6H 7H");
        table.play("5H");
        table.pass();
    }
}

#[test]
fn in_express_there_is_no_prophet_and_nobody_is_expelled() {
    let mut table = Table::new(Rules::EXPRESS, "red");
    let line = std::sync::Arc::make_mut(&mut table.state.public.mainline);
    line.resize(60, "5H".parse().unwrap());
    assert!(!table.state.public.expels(table.game.rules()));
    table.give(1, "5H 6S 7S");
    table.play("5H");
    assert!(!table.moves().contains(&Move::Prophesy));
}

#[test]
fn any_rule_that_the_vocabulary_combines_may_be_stated() {
    let mut table = Table::new(Rules::EXPRESS, "red");
    table.give(1, "5H 6S 7S");
    let beyond = table.game.statements.listed.len() as u32;
    let last = table.game.statements.count();
    assert!(!table.game.is_legal(&table.state, Move::Guess(beyond)), "not before a play");
    table.play("5H");
    assert!(table.game.is_legal(&table.state, Move::Guess(beyond)));
    assert!(!table.game.is_legal(&table.state, Move::Guess(last)), "there is no such rule");
    let unlisted = (beyond..last).find(|&index| {
        let stated = table.game.statements.rule(index).unwrap();
        !table.game.statements.listed.contains(&stated)
    });
    table.make(Move::Guess(unlisted.unwrap()));
    assert_eq!(table.last().guess.map(|(_, right)| right), Some(false));
}

#[test]
fn a_deck_is_added_in_the_middle_of_a_deal_too() {
    let mut table = Table::red();
    table.leave(6);
    table.give(1, "5S 6S 7S 8S 9S");
    // Eight cards are due and six are there: more than four, so no deck is added before.
    table.play("5S 6S 7S 8S");
    assert_eq!((table.held(1), table.state.public.decks_added), (1 + 8, 1));
    assert_eq!(table.state.public.stock(), 52 - 2);
}

#[test]
fn at_most_two_decks_are_added_and_drawn_cards_stay_drawn() {
    assert_eq!(Rules::ELEUSIS.decks_added_max, 2);
    let mut table = Table::new(Rules { decks_added_max: 0, ..Rules::ELEUSIS }, "red");
    table.leave(6);
    table.give(1, "5S 6S 7S 8S 9S");
    table.play("5S 6S 7S 8S");
    assert_eq!((table.state.public.end, table.held(1)), (End::StockOut, 1 + 6));
    assert_eq!(table.turn(), Turn::Over, "as if a player had gone out");
}

#[test]
fn the_prophet_draws_before_the_player() {
    // The prophet takes the five cards that there are; of six the player has two more to draw.
    let mut table = Table::red();
    table.give(1, "5H 6S 7S");
    table.play("5H");
    table.make(Move::Prophesy);
    table.leave(5);
    table.give(2, "6S 7S 8S 9S TS JS");
    table.make(Move::NoPlay);
    table.make(Move::Judge(false));
    assert_eq!((table.held(1), table.state.public.prophet), (2 + 5, None));
    let own: CardMultiset = cards("6S 7S 8S 9S TS JS").into_iter().collect();
    let drawn = table.state.hand(Seat(2));
    assert_eq!((drawn.len(), drawn.minus(&own).len()), (2, 0), "what went under the stock");
}

#[test]
fn a_forced_card_counts_as_played() {
    let mut table = Table::red();
    table.give(1, "5S 6H 7S");
    table.make(Move::NoPlay);
    table.force();
    assert_eq!((table.state.public.played, table.state.public.mainline.len()), (1, 2));
    table.make(Move::Prophesy);
    assert_eq!(table.state.public.marker, 1, "for the marker, and with it the cap");
    table.give(2, "5S 6H 7S");
    table.make(Move::NoPlay);
    table.make(Move::Judge(false));
    table.make(Move::Force("6H".parse().unwrap()));
    assert_eq!(table.state.public.after_marker, [1, 0], "for the prophet's bonus and expulsion");
    assert_eq!(table.state.public.played, 2, "in 1977 for expulsion before there is a prophet");
}

#[test]
fn a_dealer_puts_any_right_card_of_a_false_claim_at_random() {
    use parlour_game::strategy::Strategic;
    let kind = bots::Kind::Bayes(Default::default());
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let mut table = Table::red();
        table.give(1, "5H 6H 7D 8S");
        table.make(Move::NoPlay);
        let view = table.game.view(&table.state, Seat(0));
        let observation = parlour_game::Observation { view: &view, past: &[] };
        let mut bot = table.game.bot(&kind.clone().into());
        let mv = bot.choose(&table.game, observation, &mut Seed::new(seed).stream());
        seen.insert(mv.unwrap());
    }
    assert!(seen.into_iter().eq(cards("5H 6H 7D").into_iter().map(Move::Force)));
}

#[test]
fn five_seats_and_four_in_express_are_the_defaults() {
    let seats = |rules: &Rules, seats| Eleusis::new(&Rules { seats, ..rules.clone() }).is_ok();
    assert_eq!((Rules::ELEUSIS.seats, Rules::EXPRESS.seats), (5, 4));
    for count in 0..10 {
        assert_eq!(seats(&Rules::ELEUSIS, count), (4..=8).contains(&count), "{count}");
        assert_eq!(seats(&Rules::EXPRESS, count), (3..=8).contains(&count), "{count}");
    }
}

#[test]
fn in_express_the_dealer_scores_the_highest_total_of_the_players() {
    let mut table = Table::new(Rules::EXPRESS, "red");
    table.state.public.held = [0, 3, 0, 7, 0, 0, 0, 0];
    table.state.public.end = End::Guessed(Seat(2));
    assert_eq!(table.scores(), [12 + 3 + 6, 9, 12 + 3 + 6, 5]);
}

#[test]
fn the_dealer_takes_no_turn_and_holds_no_card() {
    let mut table = Table::red();
    for seat in [1, 2, 3, 4, 1] {
        assert_eq!((table.player(), table.held(0)), (seat, 0));
        table.give(seat, "5H 6H 7H");
        table.play("5H");
        table.pass();
    }
}
