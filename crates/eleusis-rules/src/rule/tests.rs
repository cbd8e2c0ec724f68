//! Tests of the whole language.

use super::*;
use parlour_base::cards::{Card, CardSet};

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
    assert!(same.is_empty());
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
fn unknown_is_right() {
    for text in ["color != last.color", "rank > max(rank, 4)", "suit == last(2).suit"] {
        assert_eq!(right(text, ""), CardSet::FULL, "{text}");
    }
    // Black is wrong for every last card.
    assert_eq!(right("red and rank > last.rank", ""), cards(|c| c.suit().is_red()));
    assert_eq!(right("(rank > last.rank) ?? face", ""), cards(|c| c.rank() > 10));
}

#[test]
fn if_chooses_between_colors_and_suits() {
    let (red, black) = (cards(|c| c.suit().is_red()), cards(|c| !c.suit().is_red()));
    for text in [
        "color == (if last.red then black else red)",
        "(if last.red then black else red) == color",
        "color != (if last.red then red else black)",
        "color == (if last.face then last.color else if last.red then black else red)",
        "if last.red then black else red",
    ] {
        assert_eq!((right(text, "5H"), right(text, "5S")), (black, red), "{text}");
        let rule = rule(text);
        assert_eq!(parse(&rule.to_string()).as_ref(), Ok(rule.expr()));
    }
    let text = "color == (if last.face then last.color else red)";
    assert_eq!((right(text, "KS"), right(text, "5S")), (black, red));
    let suits = "suit == (if last.red then S else H)";
    assert_eq!(right(suits, "5H"), cards(|c| c.suit() == parlour_base::cards::Suit::Spades));
}

#[test]
fn times_counts_the_value_of_the_played_card() {
    let suits = |signs: &str| cards(|c| signs.contains(&c.to_string()[1..]));
    assert_eq!(right("times(suit) < 2", "5H 7H 9S"), suits("SDC"));
    assert_eq!(right("times(suit) == 0", "5H 7H 9S"), suits("DC"));
    assert_eq!(right("times(suit) == 0", ""), CardSet::FULL);
    assert_eq!(right("times(rank, 2) == 0", "5H 7H 9S"), cards(|c| ![7, 9].contains(&c.rank())));
    // Unknown values in the past are not counted; for an unknown current value, the count is
    // unknown.
    assert_eq!(right("times(rank > last.rank) > 0", ""), CardSet::FULL);
    assert_eq!(right("times(rank > last.rank) > 0", "5H"), CardSet::EMPTY);
    assert_eq!(right("times(rank > last.rank) > 0", "5H 7H"), cards(|c| c.rank() > 7));
    let often = "5H ".repeat(20);
    assert_eq!(
        right("times(rank) == 15", &often),
        cards(|c| c.rank() == 5),
        "the count stops there"
    );
}

#[test]
fn a_window_may_begin_after_the_latest_card_that_satisfied_a_test() {
    let not = |ranks: &[u8]| cards(|c| !ranks.contains(&c.rank()));
    let text = "not seen(rank, since(face))";
    assert_eq!(right(text, "5H KH 7S 9S"), not(&[7, 9]));
    assert_eq!(right(text, "5H 7S"), not(&[5, 7]), "all cards, before the first match");
    assert_eq!(right(text, "5H KH"), CardSet::FULL);
    let of_two = "times(suit, since(rank == A)) < 2";
    assert_eq!(right(of_two, "5S AS 7S"), CardSet::FULL, "the ace itself is not counted");
    assert_eq!(right(of_two, "5S AS 7S 8S"), cards(|c| !c.to_string().ends_with('S')));
    for (what, after, value) in [
        ("count(red, since(face))", "5H KH 7D 9H", 2),
        ("sum(rank, since(face))", "5H KH 7D 9H", 16),
        ("max(rank, since(face))", "QH KH 7D 9H", 9),
        ("min(rank, since(face))", "AH KH 7D 9H", 7),
        ("distinct(suit, since(face))", "5S KH 7D 9D", 1),
    ] {
        assert_eq!(right(&format!("{what} == {value}"), after), CardSet::FULL, "{what}");
        assert_eq!(right(&format!("{what} != {value}"), after), CardSet::EMPTY, "{what}");
    }
    assert_eq!(right("all(red, since(face))", "5S KH 7D"), CardSet::FULL);
    assert_eq!(right("any(black, since(face))", "5S KH 7D"), CardSet::EMPTY);
}

#[test]
fn count_any_and_all_treat_unknown_as_no() {
    let always = |text: &str, after: &str| match right(text, after) {
        CardSet::FULL => true,
        CardSet::EMPTY => false,
        other => panic!("{other:?}"),
    };
    // It is unknown if the first card went up.
    assert!(always("count(rank > last.rank) == 1", "5H 7H"));
    assert!(!always("any(rank > last.rank)", "5H 3H"));
    assert!(!always("all(rank > last.rank)", "5H 7H"));
    assert!(always("all((rank > last.rank) ?? true)", "5H 7H"));
    assert!(always("all(red)", "") && !always("any(red)", ""));
}

#[test]
fn minority_counts_values_that_occurred_or_both_of_two() {
    let (red, black) = (cards(|c| c.suit().is_red()), cards(|c| !c.suit().is_red()));
    assert_eq!(right("color == minority(color, 3)", "5H 7H 9D"), black, "although none came");
    assert_eq!(right("color == minority(color, 3)", "5S 7H 9S"), red);
    assert_eq!(right("color == minority(color, 2)", "5H 7S"), CardSet::FULL, "level");
    let suit = "suit == minority(suit, 3)";
    assert_eq!(right(suit, "5H 7H 9D"), cards(|c| c.to_string().ends_with('D')));
    assert_eq!(right(suit, "5H 7C 9D"), CardSet::FULL, "level: spades did not come");
}

#[test]
fn a_letter_of_a_pattern_keeps_its_first_value() {
    // The second card should differ from the first; B is hearts nevertheless.
    let text = "pattern(suit, AB)";
    assert_eq!(right(text, "5H"), cards(|c| !c.to_string().ends_with('H')));
    assert_eq!(right(text, "5H 7H 9H"), cards(|c| c.to_string().ends_with('H')));
}

#[test]
fn an_unknown_test_of_a_cycle_fits() {
    let text = "cycle(rank > last.rank, red)";
    assert_eq!(right(text, ""), CardSet::FULL);
    // The starter may have been either test: next is a red card, or one that goes up.
    assert_eq!(right(text, "5H"), cards(|c| c.suit().is_red() || c.rank() > 5));
    // A black starter fits only the unknown test.
    assert_eq!(right(text, "5S"), cards(|c| c.suit().is_red()));
}

#[test]
fn a_cycle_may_start_anywhere() {
    let text = "cycle(red, red, black)";
    assert_eq!(right(text, "5H"), CardSet::FULL);
    assert_eq!(right(text, "5H 2D"), cards(|c| !c.suit().is_red()));
    assert_eq!(right(text, "5S"), cards(|c| c.suit().is_red()));
}

#[test]
fn this_is_the_played_card_at_every_position() {
    let not = |signs: &str| cards(|c| !signs.contains(&c.to_string()[..1]));
    // A card that makes 14 with one of the last three.
    let text = "not any(rank + this.rank == 14, 3)";
    assert_eq!(right(text, "2D 5H KH 7S"), not("9A7"));
    let higher = "rank > latest(suit == this.suit).rank";
    let expected = cards(|c| {
        ![(5, 'H'), (9, 'S')]
            .iter()
            .any(|(rank, suit)| c.rank() <= *rank && c.to_string().ends_with(*suit))
    });
    assert_eq!(right(higher, "5H 9S"), expected);
    // No pair of suits repeats: after a heart and a spade, no spade may follow a heart.
    let pairs = "not any(suit == this.suit and last.suit == this(last.suit), 4)";
    assert_eq!(right(pairs, "5H 9S 7D 8H"), cards(|c| !c.to_string().ends_with('S')));
    assert_eq!(right("this.red", "5S"), right("red", "5S"), "`this` has no effect here");
    assert_eq!(right("suit == this(last.suit)", "5S"), right("suit == last.suit", "5S"));
    let of_the_largest = "suit == latest(rank == this(max(rank, 3))).suit";
    assert_eq!(right(of_the_largest, "KD 5S 9H 3C"), cards(|c| c.to_string().ends_with('H')));
}

#[test]
fn among_skips_the_cards_that_fail_a_test() {
    let text = "rank > among(red, last.rank)";
    assert_eq!(right(text, "5H 9S KC"), cards(|c| c.rank() > 5));
    assert_eq!(right(text, "9S KC"), CardSet::FULL, "no red card came");
    let same = "among(color == this.color, even != last.even)";
    let expected = cards(|c| c.rank() % 2 == u8::from(c.suit().is_red()));
    assert_eq!(right(same, "8D 4H 9S"), expected);
    // The second last spade; the cards of the three latest faces.
    assert_eq!(
        right("rank == among(spade, last(2).rank)", "5S 9H 7S 8S 2H"),
        cards(|c| c.rank() == 7)
    );
    assert_eq!(right("among(face, count(red, 2)) == 1", "KH QH 9S JS 3H"), CardSet::FULL);
    assert_eq!(right("among(face, even(n))", "KH QH 9S"), CardSet::FULL);
    assert_eq!(right("among(face, n) == 3", "KH QH 9S"), CardSet::EMPTY);
    // The test may look back, and one `among` stand in another.
    let up = "rank > among(rank > last.rank, last.rank)";
    assert_eq!(right(up, "5H 7S 3D"), cards(|c| c.rank() > 7));
    let red_after_red = "rank == among(red, among(last.red, last.rank))";
    assert_eq!(right(red_after_red, "5H 7S 9D 3C"), cards(|c| c.rank() == 9));
}

#[test]
fn otherwise_takes_over_where_no_card_would_be_right() {
    let text = "rank > last.rank otherwise red";
    assert_eq!(right(text, "5H"), cards(|c| c.rank() > 5));
    assert_eq!(right(text, "5H KS"), cards(|c| c.suit().is_red()));
    assert!(validate(&rule("rank > last.rank otherwise true")).unwrap().is_exact);
    let nested = "not seen(suit) otherwise not seen(rank, 2) otherwise red";
    assert_eq!(right(nested, "5S 6H 7D 8C"), cards(|c| ![7, 8].contains(&c.rank())));
}

#[test]
fn the_commonest_and_the_rarest_may_be_several() {
    let suits = |signs: &str| cards(|c| signs.contains(&c.to_string()[1..]));
    assert_eq!(right("commonest(suit)", "5S 6H 7S 8H 9C"), suits("SH"));
    assert_eq!(right("rarest(suit)", "5S 6H 7S 8H 9C"), suits("D"));
    assert_eq!(right("rarest(suit, 3)", "5S 6H 7S 8H 9C"), suits("D"));
    assert_eq!(right("commonest(suit, 3)", "5D 6D 7S 8H 9S"), suits("S"));
    assert_eq!(right("commonest(suit)", ""), CardSet::FULL);
    assert_eq!(
        right("gcd(rank, last.rank) == 1", "6S"),
        cards(|c| ![2, 3, 4, 6, 8, 9, 10, 12].contains(&c.rank()))
    );
}

#[test]
fn errors_name_the_place_and_the_expectation() {
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
        ("product(rank, since(face)) > 3", "needs a window"),
        ("count(red, since(rank)) > 3", "a test (yes or no) was expected here"),
        ("count(red, face) > 3", "expected `since(…)` or the number of cards to look back on"),
        ("times(rank - last.rank) > 1", "more than 16 values"),
        ("times > 1", "expected `(`"),
        ("this > 1", "expected `.` and an attribute, as in `last.color`"),
        ("among(rank, red)", "a test (yes or no) was expected here"),
        ("red otherwise 3", "column 5: `3` is a number; a test"),
        ("commonest(rank - last.rank)", "more than 16 values"),
        ("any(rank + last.rank == this(rank * last.rank), 3)", "too many values here"),
        ("any(rank == this.rank and suit == this.suit and face == this.face)", "at most 64"),
        ("color == if last.red then black else red", "column 10: put this `if` in parentheses"),
        ("suit == (if last.red then black else red)", "cannot be equal"),
    ] {
        let message = error(text);
        assert!(message.contains(expected), "{text}: {message}");
    }
}

#[test]
fn long_or_deep_rules_are_rejected() {
    assert!(error(&"red or ".repeat(150_000)).contains("at most 4096"));
    for text in ["(", "not ", "-", "if red then ", "abs(", "was("] {
        let deep = text.repeat(1000 / text.len().max(1) * 2);
        assert!(error(&deep[..deep.len().min(4000)]).contains("nested too deeply"), "{text}");
    }
    let sum = format!("rank{} > 3", " + 1".repeat(900));
    assert!(error(&sum).contains("nested too deeply"));
    let parts = (1..60).map(|n| format!("(rank * last.rank + times(suit) + {n}) mod 17 != 3"));
    let heavy = parts.collect::<Vec<_>>().join(" and ");
    assert!(error(&heavy).contains("steps to judge the 52 cards, and at most 6000"), "{heavy}");
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
    assert!(validate(&rule("color != last.color")).unwrap().is_exact);
    let deep = validate(&rule("rank >= max(rank, 8) or even")).unwrap();
    assert!(!deep.is_exact, "too many situations to explore");
    let long = "rank * last.rank + sum(rank, 5) + times(suit) > 60 or suit == last(4).suit";
    let long = validate(&rule(long)).unwrap();
    assert!(
        !long.is_exact && long.situations < MAX_SITUATIONS,
        "too much work to explore: {long:?}"
    );
}

#[test]
fn the_shortest_difference_is_found() {
    let Exploration::Found(found, [first, second]) =
        compare(&rule("rank >= last.rank or last.rank == K"), &rule("rank >= last.rank"))
    else {
        panic!("they differ");
    };
    assert_eq!(found, line("KS"));
    assert_eq!(CardSet(first.0 ^ second.0).next(), "AS".parse().ok());
    let Exploration::Found(found, _) =
        compare(&rule("color != last.color"), &rule("phase: 1 red, 1 black"))
    else {
        panic!("they differ");
    };
    assert_eq!(found.len(), 1);
    let (a, b) = (rule("color != last.color"), rule("phase: 1 red, 1 black"));
    let red = line("5H");
    let alike = compare_from(&a, &b, &a.after(&red), &b.after(&red)).is_empty();
    assert!(alike, "equivalent after a red first card");
    let same =
        compare(&rule("n mod 2 == 0 xor first.red"), &rule("(n + 1) mod 2 == 1 xor first.red"));
    assert!(matches!(same, Exploration::Exhaustive(_)), "{same:?}");
}
