//! Plays, strings, no play, expulsion, the end and the score.

use super::*;

#[test]
fn fourteen_cards_to_each_player_none_to_the_dealer_and_a_starter() {
    let table = Table::red();
    assert_eq!((0..5).map(|s| table.held(s)).collect::<Vec<_>>(), [0, 14, 14, 14, 14]);
    assert_eq!(table.state.public.mainline.len(), 1);
    assert_eq!(table.state.public.stock(), 104 - 4 * 14 - 1);
    assert_eq!(table.turn(), Turn::Seat(Seat(1)), "the seat to the dealer's left starts");
}

#[test]
fn any_card_may_be_the_starter() {
    let starters = (0..60).map(|seed| {
        let game = Eleusis::new(&Rules::ELEUSIS).unwrap();
        let state = game.deal_under("red".parse().unwrap(), &mut Seed::new(seed).stream());
        state.public.mainline[0].suit().is_red()
    });
    let red = starters.filter(|red| *red).count();
    assert!((15..45).contains(&red), "{red} of 60 are red although the rule says red");
}

#[test]
fn a_right_string_goes_to_the_mainline_card_by_card() {
    let mut table = Table::new(Rules::ELEUSIS, "color != last.color");
    let first_red = table.state.public.mainline[0].suit().is_red();
    let string = if first_red { "5S 6H 7C" } else { "5H 6S 7D" };
    table.give(1, &format!("{string} 9S"));
    table.play(string);
    assert!(table.last().right);
    assert_eq!(table.state.public.mainline[1..], cards(string));
    assert_eq!(table.held(1), 1, "nothing is drawn");
}

#[test]
fn a_wrong_string_is_laid_aside_as_a_whole_for_two_cards_each() {
    let mut table = Table::red();
    table.give(1, "5H 6S 7D 9S");
    table.play("5H 6S 7D");
    assert!(!table.last().right);
    assert_eq!(table.state.public.mainline.len(), 1, "not even the red ones are laid on");
    assert_eq!(table.last().act, Act::Play(cards("5H 6S 7D")), "which card was wrong is not said");
    assert_eq!(table.held(1), 1 + 6);
}

#[test]
fn rejected_cards_do_not_count_for_the_rule() {
    let mut table = Table::new(Rules::ELEUSIS, "n mod 2 == 0 or red");
    let memory = table.state.memory;
    table.give(1, "5S 6S");
    table.play("5S");
    assert!(!table.last().right);
    assert_eq!(table.state.memory, memory);
}

#[test]
fn strings_have_no_limit_unless_the_rules_set_one() {
    let hand = "AH 2H 3H 4H 5H 6H 7H 8H";
    let mut table = Table::red();
    table.give(1, &format!("{hand} 9S"));
    table.play(hand);
    assert!(table.last().right);
    let mut table = Table::new(Rules { string_max: Some(4), ..Rules::ELEUSIS }, "red");
    table.give(1, hand);
    for card in cards("AH 2H 3H 4H") {
        table.make(Move::Lay(card));
    }
    assert_eq!(table.moves(), [Move::Submit]);
}

#[test]
fn a_true_no_play_replaces_the_hand_by_four_cards_fewer() {
    let mut table = Table::red();
    table.give(1, "AS 2S 3S 4S 5S 6S 7S");
    let stock = table.state.public.stock();
    table.make(Move::NoPlay);
    assert!(table.last().right);
    assert_eq!(table.held(1), 3);
    assert_eq!(table.state.public.stock(), stock + 7 - 3);
    let bottom = table.state.public.pools.last().unwrap();
    assert_eq!(bottom.cards, cards("AS 2S 3S 4S 5S 6S 7S").into_iter().collect());
    let Act::NoPlay { hand, forced } = &table.last().act else { panic!("a claim") };
    assert_eq!((hand.len(), *forced), (7, None), "the shown hand is seen by all");
    assert_eq!(table.state.public.known[1], CardMultiset::EMPTY);
}

#[test]
fn a_true_no_play_with_four_cards_or_fewer_ends_the_hand_of_play() {
    let mut table = Table::red();
    table.give(1, "AS 2S 3S 4S");
    table.make(Move::NoPlay);
    assert_eq!(table.state.public.end, End::NoPlay(Seat(1)));
    assert_eq!(table.held(1), 4);
}

#[test]
fn a_false_no_play_costs_five_cards_and_the_dealer_chooses_a_right_card() {
    let mut table = Table::red();
    table.give(1, "AS 2H 3D 4S");
    table.make(Move::NoPlay);
    assert_eq!(table.turn(), Turn::Seat(Seat(0)), "the dealer chooses");
    let choices = cards("2H 3D").into_iter().map(Move::Force).collect::<Vec<_>>();
    assert_eq!(table.moves(), choices);
    table.make(choices[1]);
    assert!(!table.last().right);
    assert_eq!(table.state.public.mainline[1..], cards("3D"));
    assert_eq!(table.held(1), 3 + 5, "the player draws, not the dealer");
    assert_eq!(table.held(0), 0);
    assert_eq!(table.state.public.known[1], cards("AS 2H 4S").into_iter().collect());
}

#[test]
fn an_only_right_card_is_forced_by_a_move_too() {
    let mut table = Table::red();
    table.give(1, "AS 2H 4S");
    table.make(Move::NoPlay);
    table.force();
    assert_eq!(table.state.public.mainline[1..], cards("2H"));
}

#[test]
fn of_two_copies_of_a_card_the_hidden_one_is_seen_when_the_hand_is_shown() {
    let mut table = Table::red();
    // Seat 1 holds a known 9S; its other cards are hidden, including another 9S.
    let nine: Card = "9S".parse().unwrap();
    let hand = cards("9S 9S 6H 7S 8S TS JS");
    let public = &mut table.state.public;
    let rest: CardMultiset = hand[1..].iter().copied().collect();
    public.pools[0].held[1] = rest.len() as u16;
    public.known[1].add(nine);
    public.pools[0].cards.remove(nine);
    table.give(1, "9S 9S 6H 7S 8S TS JS");
    table.make(Move::NoPlay);
    table.force();
    let public = &table.state.public;
    assert_eq!(public.known[1].count(nine), 2, "both are known now");
    assert_eq!(public.pools[0].cards.count(nine), 0, "and neither can be elsewhere");
    assert_eq!(public.pools[0].held[1], 5, "what is hidden is what was drawn since");
    let view = table.game.view(&table.state, Seat(2));
    let world = table.game.determinize(&view, &mut table.chance);
    assert_eq!(world.hand(Seat(1)).len(), 6 + 5);
}

fn long_line(table: &mut Table, cards_on_it: usize) {
    let line = std::sync::Arc::make_mut(&mut table.state.public.mainline);
    while line.len() < cards_on_it {
        line.push("5H".parse().unwrap());
    }
    table.state.public.expelling = table.state.public.expels(table.game.rules());
}

#[test]
fn a_mistake_expels_from_forty_cards_on() {
    for (length, expelled) in [(39, false), (40, true)] {
        let mut table = Table::red();
        long_line(&mut table, length);
        table.give(1, "5S 6S 7S");
        table.play("5S");
        assert_eq!(table.last().expelled, expelled, "{length}");
        assert_eq!(table.held(1), 2 + 2, "keeps its hand and takes the penalty");
        assert_eq!(table.state.public.stage == Stage::After, !expelled, "and plays no more");
    }
}

#[test]
fn a_false_no_play_expels_too_and_a_true_one_does_not() {
    let mut table = Table::red();
    long_line(&mut table, 40);
    table.give(1, "5H 6S 7S 8S 9S");
    table.make(Move::NoPlay);
    table.force();
    assert!(table.last().expelled);
    let mut table = Table::red();
    long_line(&mut table, 40);
    table.give(1, "5S 6S 7S 8S 9S");
    table.make(Move::NoPlay);
    assert!(!table.last().expelled);
}

#[test]
fn in_the_rules_of_1977_all_cards_played_count_for_expulsion() {
    let rules = Eleusis::preset("eleusis-1977").unwrap();
    let mut table = Table::new(rules, "red");
    table.state.public.played = 39;
    assert!(!table.state.public.expels(table.game.rules()));
    table.state.public.played = 40;
    assert!(table.state.public.expels(table.game.rules()));
}

#[test]
fn the_hand_ends_when_all_players_are_expelled() {
    let mut table = Table::red();
    for seat in 1..5 {
        long_line(&mut table, 40);
        table.give(seat, "5S 6S 7S");
        assert_eq!(table.player(), seat);
        table.play("5S");
    }
    assert_eq!(table.state.public.end, End::Expelled);
}

#[test]
fn the_hand_ends_when_a_hand_is_empty() {
    let mut table = Table::red();
    table.give(1, "5H 6H");
    table.play("5H 6H");
    assert_eq!(table.state.public.end, End::Out(Seat(1)));
    assert_eq!(table.moves(), []);
}

#[test]
fn with_four_cards_or_fewer_a_deck_is_added_under_the_stock() {
    for (left, added) in [(5, 0), (4, 1)] {
        let mut table = Table::red();
        table.leave(left);
        table.give(1, "5S 6S");
        let first: Vec<Card> = table.state.undrawn[0].cards().collect();
        table.play("5S");
        assert_eq!(table.state.public.decks_added, added, "{left}");
        let hand = table.state.hand(Seat(1));
        let from_the_top = hand.cards().filter(|card| first.contains(card)).count();
        assert!(from_the_top >= 2, "what was left is drawn first");
    }
}

#[test]
fn when_the_stock_cannot_be_refilled_the_hand_ends() {
    let mut table = Table::new(Rules { decks_added_max: 0, ..Rules::ELEUSIS }, "red");
    table.leave(4);
    table.give(1, "5S 6S");
    table.play("5S");
    assert_eq!(table.state.public.end, End::StockOut);
}

#[test]
fn the_sources_score_check() {
    // Hands left 13, 11 (prophet), 2 and 0; the prophet began after the 21st card, then 11 right
    // and 4 wrong cards: 0, 21, 11, 13; the dealer min(2 × 21, 21) = 21.
    let mut table = Table::red();
    let public = &mut table.state.public;
    public.held = [0, 13, 11, 2, 0, 0, 0, 0];
    public.prophet = Some(Seat(2));
    (public.marker, public.after_marker, public.played) = (21, [11, 4], 36);
    public.end = End::Out(Seat(4));
    assert_eq!(table.scores(), [21, 0, 21, 11, 13]);
}

#[test]
fn the_dealers_score_is_capped_at_twice_the_cards_before_the_marker() {
    let mut table = Table::red();
    table.state.public.held = [0, 13, 11, 2, 0, 0, 0, 0];
    assert_eq!(table.scores()[0], 13, "no prophet, no cap");
    table.state.public.prophet = Some(Seat(2));
    table.state.public.marker = 3;
    assert_eq!(table.scores()[0], 6);
    table.state.public.marker = 50;
    table.state.public.after_marker = [20, 0];
    assert_eq!(table.scores()[0], 22, "the prophet's bonus included");
    let rules = Rules { dealer_cap_on: DealerCap::Hand, ..Rules::ELEUSIS };
    assert_eq!(table.state.public.scores(&rules).0[0], 13);
}

#[test]
fn going_out_pays_only_with_a_bonus() {
    let mut table = Table::red();
    table.state.public.held = [0, 5, 4, 2, 0, 0, 0, 0];
    assert_eq!(table.scores(), [5, 0, 1, 3, 5]);
    let old = Eleusis::preset("eleusis-1977").unwrap();
    assert_eq!(table.state.public.scores(&old).0.to_vec(), [9, 0, 1, 3, 9]);
}

#[test]
fn every_seat_deals_once_in_a_match() {
    assert_eq!(Table::red().game.hands_per_match(), 5);
}
