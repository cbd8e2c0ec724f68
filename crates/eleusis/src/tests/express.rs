//! Eleusis Express.

use super::*;

fn express() -> Table {
    Table::new(Rules::EXPRESS, "red")
}

#[test]
fn twelve_cards_each_and_one_at_a_time() {
    let mut table = express();
    assert_eq!((0..4).map(|s| table.held(s)).collect::<Vec<_>>(), [0, 12, 12, 12]);
    table.give(1, "5S 6S");
    table.make(Move::Lay("5S".parse().unwrap()));
    assert!(!table.last().right, "judged at once");
    assert_eq!(table.held(1), 1 + 2);
    assert_eq!(table.player(), 2, "no prophet, and no guess after a wrong play");
}

#[test]
fn in_golden_s_rules_a_wrong_card_costs_one() {
    let mut table = Table::new(Eleusis::preset("express-golden").unwrap(), "red");
    table.give(1, "5S 6S");
    table.play("5S");
    assert_eq!(table.held(1), 1 + 1);
}

#[test]
fn a_true_no_play_costs_one_card_and_ends_the_hand_with_one() {
    let mut table = express();
    table.give(1, "5S 6S 7S");
    table.make(Move::NoPlay);
    assert_eq!(table.held(1), 2);
    let mut table = express();
    table.give(1, "5S");
    table.make(Move::NoPlay);
    assert_eq!(table.state.public.end, End::NoPlay(Seat(1)));
}

#[test]
fn a_false_no_play_costs_two_cards() {
    let mut table = express();
    table.give(1, "5S 6H 7S");
    table.make(Move::NoPlay);
    table.force();
    assert_eq!(table.held(1), 2 + 2);
    assert_eq!(table.player(), 2, "a forced card is no play of one's own: no guess");
}

#[test]
fn a_true_no_play_that_ends_the_hand_keeps_the_cards_or_returns_them() {
    // The others hold 14 each.
    for (no_play_end, held, points) in [(NoPlayEnd::Kept, 3, 11), (NoPlayEnd::None, 0, 14 + 4)] {
        let rules = Rules { no_play_end, going_out_bonus: 4, ..Rules::ELEUSIS };
        let mut table = Table::new(rules, "red");
        table.give(1, "5S 6S 7S");
        table.make(Move::NoPlay);
        assert_eq!(table.state.public.end, End::NoPlay(Seat(1)));
        assert_eq!((table.held(1), table.scores()[1]), (held, points));
    }
    assert_eq!(Rules::ELEUSIS.no_play_end, NoPlayEnd::Kept);
    assert_eq!(Eleusis::preset("eleusis-1977").unwrap().no_play_end, NoPlayEnd::None);
}

#[test]
fn going_out_and_guessing_with_the_last_card_pay_3_and_6() {
    let last_card = |guess_with_last_card| {
        let rules = Rules { guess_with_last_card, ..Rules::EXPRESS };
        let mut table = Table::new(rules, "red");
        table.give(1, "5H");
        table.play("5H");
        table
    };
    assert_eq!(last_card(false).state.public.end, End::Out(Seat(1)));
    for (text, end, points) in
        [("red", End::Guessed(Seat(1)), 12 + 3 + 6), ("even", End::Out(Seat(1)), 12 + 3)]
    {
        let mut table = last_card(true);
        let stated = guess(&table, text);
        table.make(stated);
        assert_eq!((table.state.public.end, table.scores()[1]), (end, points));
    }
    let mut table = last_card(true);
    table.make(Move::Pass);
    assert_eq!(table.state.public.end, End::Out(Seat(1)));
    let costs = Rules { wrong_guess_penalty: 3, ..Rules::EXPRESS };
    let mut table = Table::new(costs, "red");
    table.give(1, "5H");
    table.play("5H");
    let wrong = guess(&table, "even");
    table.make(wrong);
    assert_eq!((table.state.public.end, table.held(1)), (End::Open, 3), "it has not gone out");
}

fn guess(table: &Table, text: &str) -> Move {
    let rule: rule::Rule = text.parse().unwrap();
    Move::Guess(table.game.statements.of_rule(&rule).unwrap())
}

#[test]
fn after_a_right_play_the_rule_may_be_stated_once() {
    let mut table = express();
    table.give(1, "5H 6S 7S");
    table.play("5H");
    assert_eq!(table.turn(), Turn::Seat(Seat(1)));
    let wrong = guess(&table, "even");
    table.make(wrong);
    assert_eq!(table.last().guess.map(|(_, right)| right), Some(false));
    assert_eq!((table.held(1), table.player()), (2, 2), "a wrong guess costs nothing");
}

#[test]
fn a_wrong_guess_costs_cards_with_a_penalty() {
    let mut table = Table::new(Rules { wrong_guess_penalty: 3, ..Rules::EXPRESS }, "red");
    table.give(1, "5H 6S 7S");
    table.play("5H");
    let wrong = guess(&table, "even");
    table.make(wrong);
    assert_eq!(table.held(1), 2 + 3);
}

#[test]
fn a_right_guess_ends_the_hand_and_pays_six() {
    let mut table = express();
    table.give(1, "5H 6S 7S");
    table.play("5H");
    let right = guess(&table, "red");
    table.make(right);
    assert_eq!(table.state.public.end, End::Guessed(Seat(1)));
    assert_eq!(table.scores(), [16, 12 - 2 + 6, 0, 0]);
}

#[test]
fn a_guess_is_right_if_it_is_equivalent_from_here_on() {
    let mut table = Table::new(Rules::EXPRESS, "phase: 1 red, 1 black");
    // Two cards lie, the second red: by position and by alternation the next is red or black.
    table.state.memory = table.state.rule.after(&cards("5S 6S"));
    *std::sync::Arc::make_mut(&mut table.state.public.mainline) = cards("5S 6S");
    table.give(1, "5H 6S 7S");
    table.play("5H");
    let right = guess(&table, "color != last.color");
    table.make(right);
    assert_eq!(table.state.public.end, End::Guessed(Seat(1)));
}

#[test]
fn scores_are_twelve_less_the_cards_held_and_may_be_negative() {
    let mut table = express();
    table.state.public.held = [0, 15, 4, 0, 0, 0, 0, 0];
    table.state.public.end = End::Out(Seat(3));
    assert_eq!(table.scores(), [15, -3, 8, 12 + 3]);
}

#[test]
fn any_rule_text_may_be_stated_and_is_judged_by_meaning() {
    for (secret, text, is_right) in [
        ("red", "not black", true),
        ("red", "color == red", true),
        ("rank <= 7", "rank < 8", true),
        ("prime", "rank in {2, 3, 5, 7, J, K}", true),
        ("not any(rank + this.rank == 14, 3)", "not any(rank + this.rank == 14, 3)", true),
        ("red", "suit == after(last.suit, H S C D)", false),
        ("red", "red or rank in {4, 7}", false),
    ] {
        let mut table = Table::new(Rules::EXPRESS, secret);
        let right = table.state.right().next().unwrap();
        table.give(1, &format!("{right} 2C 3C"));
        table.play(&right.to_string());
        let mv = table.game.parse_move(&format!("guess {text}")).unwrap();
        assert_eq!(table.game.parse_move(&table.game.notation(mv)).unwrap(), mv, "{text}");
        let mut listed = Vec::new();
        table.game.legal_moves_in_view(&table.game.view(&table.state, Seat(1)), &mut listed);
        let answer = format!(r#"{{"move":"guess {text}"}}"#);
        let external =
            parlour_game::external::parse_choice(&table.game, &listed, answer.as_bytes());
        assert_eq!(external, Ok(mv), "an external player may state it");
        table.make(mv);
        assert_eq!(table.last().guess.map(|(_, right)| right), Some(is_right), "{text}");
    }
    let table = express();
    let early = parlour_game::external::parse_choice(
        &table.game,
        &[Move::NoPlay],
        br#"{"move":"guess red"}"#,
    );
    assert!(early.is_err(), "only after a right play");
}

#[test]
fn guess_after_any_lets_every_player_in_turn_state_the_rule_after_any_right_play() {
    let any = Rules { guess_after: GuessAfter::Any, wrong_guess_penalty: 1, ..Rules::EXPRESS };
    let mut table = Table::new(any.clone(), "red");
    table.give(2, "5H 6S 7S");
    table.give(1, "5S 2S 3S");
    table.play("5S");
    assert_eq!(table.turn(), Turn::Seat(Seat(2)), "not after a wrong play");
    table.play("5H");
    let (wrong, right) = (guess(&table, "even"), guess(&table, "not black"));
    let before = table.held(3);
    for (seat, mv) in [(2, Move::Pass), (3, wrong), (1, right)] {
        assert_eq!(table.turn(), Turn::Seat(Seat(seat)));
        let view = table.game.view(&table.state, Seat(seat));
        assert!(view.public.end == End::Open && table.moves().contains(&Move::Pass));
        table.make(mv);
    }
    assert_eq!(table.held(3), before + 1, "a wrong guess costs its player");
    assert_eq!(table.state.public.end, End::Guessed(Seat(1)));
    let guesses: Vec<_> = table.last().other_guesses.iter().map(|it| (it.0, it.2)).collect();
    assert_eq!((table.last().guess, guesses), (None, vec![(Seat(3), false), (Seat(1), true)]));
    assert_eq!(table.scores()[1], 12 - table.held(1) as i32 + 6);

    let mut table = Table::new(any, "red");
    table.give(1, "5H 6S 7S");
    table.play("5H");
    for _ in 0..3 {
        assert_eq!(table.player(), 1);
        table.make(Move::Pass);
    }
    assert_eq!(table.turn(), Turn::Seat(Seat(2)), "each is asked once");
    assert_eq!(Rules::EXPRESS.guess_after, GuessAfter::Own);
}
