//! Tests of the language as a whole.

use super::*;
use crate::cards::{Card, CardSet};

fn rule(text: &str) -> Rule {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn line(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

fn right(text: &str, after: &str) -> CardSet {
    let rule = rule(text);
    rule.right(&rule.after(&line(after)))
}

fn cards(test: impl Fn(Card) -> bool) -> CardSet {
    CardSet::FULL.filter(|card| test(*card)).collect()
}

fn error(text: &str) -> String {
    text.parse::<Rule>().unwrap_err().to_string()
}

#[test]
fn source_example_red_then_black_and_vice_versa() {
    let black = cards(|c| !c.suit().is_red());
    assert_eq!(right("color != last.color", "5H"), black);
    assert_eq!(right("if last.red then black else red", "5H 2S 3D"), black);
    let same = compare(&rule("color != last.color"), &rule("if last.red then black else red"));
    assert!(same.found_nothing());
}

#[test]
fn source_example_two_less_or_two_more() {
    let expected = cards(|c| c.rank() == 3 || c.rank() == 7);
    assert_eq!(right("abs(rank - last.rank) == 2", "9D 5H"), expected);
}

#[test]
fn source_example_two_of_a_color_then_three_of_the_other() {
    let text = "phase(5): 2 same color, 3 other color";
    let red = cards(|c| c.suit().is_red());
    let black = cards(|c| !c.suit().is_red());
    let mut so_far = String::from("5H");
    for (expected, card) in [
        (red, "2D"),
        (black, "9S"),
        (black, "9C"),
        (black, "KC"),
        (red, "KH"),
        (red, "2H"),
        (black, "3S"),
    ] {
        assert_eq!(right(text, &so_far), expected, "{so_far}");
        so_far = format!("{so_far} {card}");
    }
}

#[test]
fn source_example_suits_in_a_cycle() {
    let text = "suit == after(last.suit, S C D H)";
    for (last, next) in [("5S", 'C'), ("5C", 'D'), ("5D", 'H'), ("5H", 'S')] {
        assert_eq!(right(text, last), cards(|c| c.to_string().ends_with(next)));
    }
}

#[test]
fn with_nothing_to_look_back_on_anything_is_right() {
    for text in ["color != last.color", "rank > max(rank, 4)", "suit == last(2).suit"] {
        assert_eq!(right(text, ""), CardSet::FULL, "{text}");
    }
    // What can be said is said: black is wrong whatever the last card was.
    assert_eq!(right("red and rank > last.rank", ""), cards(|c| c.suit().is_red()));
    assert_eq!(right("(rank > last.rank) ?? face", ""), cards(|c| c.rank() > 10));
}

#[test]
fn a_cycle_may_start_anywhere() {
    let text = "cycle(red, red, black)";
    assert_eq!(right(text, "5H"), CardSet::FULL);
    assert_eq!(right(text, "5H 2D"), cards(|c| !c.suit().is_red()));
    assert_eq!(right(text, "5S"), cards(|c| c.suit().is_red()));
}

#[test]
fn errors_say_where_and_what_was_expected() {
    for (text, expected) in [
        ("", "line 1, column 1: expected a test or a value, found the end of the text"),
        ("color = last.colr", "line 1, column 14: expected an attribute"),
        ("rank >", "line 1, column 7: expected a test or a value"),
        ("rank > 3 then", "line 1, column 10: expected an operator or the end of the rule"),
        ("if red then black else", "line 1, column 23: expected a test or a value"),
        ("(red or black", "line 1, column 14: expected `)`, found the end"),
        ("rank", "a test (yes or no) was expected"),
        ("rank == red", "cannot be equal"),
        ("1 < rank < 5", "comparisons do not chain"),
        ("rank mod 0 == 1", "line 1, column 6: division by zero: `0` can be 0"),
        ("rank / (rank - last.rank) > 1", "division by zero"),
        ("maxx(rank, 3) > 4", "did you mean `max`?"),
        ("red\nand ?", "line 2, column 5"),
        ("hand_size > 3", "accepted cards only"),
        ("player == 2", "`player` is not allowed"),
        ("time > 3", "not allowed"),
        ("last_wrong.red", "expected a test or a value"),
        ("phase(5): 2 red, 2 black", "have 4 cards, not 5"),
        ("last(65).red", "1 to 64"),
        ("rank > max(rank, 32)", "looking back"),
        ("product(rank) > 3", "needs a window"),
        ("5 => 3", "expected"),
    ] {
        let message = error(text);
        assert!(message.contains(expected), "{text}: {message}");
    }
}

#[test]
fn a_megabyte_or_a_thousand_levels_are_refused() {
    assert!(error(&"red or ".repeat(150_000)).contains("at most 4096"));
    for text in ["(", "not ", "-", "if red then ", "abs(", "was("] {
        let deep = text.repeat(1000 / text.len().max(1) * 2);
        assert!(error(&deep[..deep.len().min(4000)]).contains("nested too deeply"), "{text}");
    }
    let sum = format!("rank{} > 3", " + 1".repeat(900));
    assert!(error(&sum).contains("nested too deeply"));
}

#[test]
fn a_rule_must_be_playable() {
    let fault = |text: &str| validate(&rule(text)).unwrap_err().to_string();
    assert!(fault("true").contains("100.0 %"));
    assert!(fault("rank > 0").contains("must accept"));
    assert!(fault("false").contains("0.0 %"));
    assert!(fault("rank > last.rank").contains("leaves no card right after K"));
    assert!(fault("not seen(rank)").contains("no card right after"));
    assert!(fault("rank == 3 and suit == S").contains("1.9 %"));
    assert!(fault("n > 0 and red").contains("at the start"));
    assert!(validate(&rule("color != last.color")).unwrap().exact);
    let deep = validate(&rule("rank >= max(rank, 8) or even")).unwrap();
    assert!(!deep.exact, "too many situations to walk");
}

#[test]
fn the_shortest_difference_is_found() {
    let Walk::Found(found, [first, second]) =
        compare(&rule("rank >= last.rank or last.rank == K"), &rule("rank >= last.rank"))
    else {
        panic!("they differ");
    };
    assert_eq!(found, line("KS"));
    assert_eq!(CardSet(first.0 ^ second.0).next(), "AS".parse().ok());
    let Walk::Found(found, _) =
        compare(&rule("color != last.color"), &rule("phase: 1 red, 1 black"))
    else {
        panic!("they differ");
    };
    assert_eq!(found.len(), 1);
    let (a, b) = (rule("color != last.color"), rule("phase: 1 red, 1 black"));
    let red = line("5H");
    let alike = compare_from(&a, &b, &a.after(&red), &b.after(&red)).found_nothing();
    assert!(alike, "alike once the first card is red");
    let same =
        compare(&rule("n mod 2 == 0 xor first.red"), &rule("(n + 1) mod 2 == 1 xor first.red"));
    assert!(matches!(same, Walk::All(_)), "{same:?}");
}
