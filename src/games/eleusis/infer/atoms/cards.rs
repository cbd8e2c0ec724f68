//! Tests of the card alone, and of several properties together.

use super::{ORDERS, Role, add, list};

pub(super) fn one_card(out: &mut Vec<(Role, String)>) {
    // No rule of its own, but one side of a condition.
    add(out, Role::Simple, "true");
    for property in ["red", "even", "face", "prime", "composite", "loop", "low"] {
        add(out, Role::Simple, property);
        add(out, Role::Simple, format!("not {property}"));
    }
    for suit in ["spade", "heart", "diamond", "club"] {
        add(out, Role::Simple, suit);
        add(out, Role::Alone, format!("not {suit}"));
    }
    for rank in 2..=12 {
        let role = if [4, 6, 9, 10].contains(&rank) { Role::Simple } else { Role::Alone };
        add(out, role, format!("rank > {rank}"));
        add(out, role, format!("rank <= {rank}"));
    }
    add(out, Role::Alone, "suit in {S, H}");
    add(out, Role::Alone, "suit in {S, D}");
    add(out, Role::Alone, "suit in {C, H}");
    for modulus in 3..=5 {
        for rest in 0..modulus {
            add(out, Role::Alone, format!("rank mod {modulus} == {rest}"));
            add(out, Role::Alone, format!("rank mod {modulus} != {rest}"));
        }
    }
    for order in ORDERS {
        add(out, Role::Alone, format!("rank mod 4 == place(suit, {order})"));
    }
    for low in 2..=9 {
        for wide in [3, 5, 7] {
            let high = low + wide - 1;
            if high <= 12 {
                add(out, Role::Alone, format!("rank in {{{}}}", list(low, high)));
            }
        }
    }
}

/// Several properties of the card, or of the last one, together.
pub(super) fn several(out: &mut Vec<(Role, String)>) {
    let pairs = [["red", "black"], ["even", "odd"], ["face", "not face"], ["low", "high"]];
    for skipped in 0..4 {
        let three: Vec<_> = (0..4).filter(|index| *index != skipped).map(|i| pairs[i]).collect();
        for code in 0..8usize {
            let word = |place: usize| three[place][code >> place & 1];
            let words = [word(0), word(1), word(2)];
            add(out, Role::Alone, words.join(" or "));
            add(out, Role::Alone, words.join(" and "));
        }
    }
    for (one, other) in [("even", "red"), ("face", "red"), ("low", "red"), ("low", "even")] {
        for order in ORDERS {
            let suits: Vec<char> = order.chars().filter(|c| *c != ' ').collect();
            for turn in 0..4 {
                let suit = |place: usize| suits[(place + turn) % 4];
                let text = format!(
                    "if last.{one} then (if last.{other} then suit == {} else suit == {}) else \
                     if last.{other} then suit == {} else suit == {}",
                    suit(0),
                    suit(1),
                    suit(2),
                    suit(3)
                );
                add(out, Role::Alone, text);
            }
        }
    }
    let words = [
        "red", "black", "even", "odd", "face", "not face", "low", "high", "spade", "heart",
        "diamond", "club",
    ];
    for period in 2..=5 {
        for usual in words {
            for last in words.iter().filter(|last| **last != usual) {
                let inside = period - 1;
                add(out, Role::Alone, format!("phase: {inside} {usual}, 1 {last}"));
            }
        }
    }
}
