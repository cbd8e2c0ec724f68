//! Tests of the card beside the last few, or all.

use super::{ORDERS, Role, add};

pub(super) fn windows(out: &mut Vec<(Role, String)>) {
    for window in 2..=5 {
        for word in ["majority", "minority"] {
            for attribute in ["color", "even", "low"] {
                add(out, Role::Alone, format!("{attribute} == {word}({attribute}, {window})"));
            }
        }
        let most = format!("max(rank, {window})");
        let least = format!("min(rank, {window})");
        add(out, Role::Alone, format!("rank > {most} or {most} == K"));
        add(out, Role::Alone, format!("rank < {least} or {least} == A"));
        add(out, Role::Alone, format!("rank >= {most}"));
        add(out, Role::Alone, format!("rank <= {least}"));
        add(out, Role::Alone, format!("rank != {most} and rank != {least}"));
        for attribute in ["suit", "rank"] {
            add(out, Role::Alone, format!("seen({attribute}, {window})"));
            add(out, Role::Alone, format!("not seen({attribute}, {window})"));
        }
        add(out, Role::Alone, format!("not seen(suit, {window}) or distinct(suit, {window}) == 4"));
        for modulus in 2..=5 {
            for rest in 0..modulus {
                let sum = format!("(rank + sum(rank, {window}))");
                add(out, Role::Alone, format!("{sum} mod {modulus} == {rest}"));
            }
        }
        add(out, Role::Alone, format!("prime(rank + sum(rank, {window}))"));
        add(out, Role::Alone, format!("rank mod 13 == sum(rank, {window}) mod 13"));
        for order in ORDERS {
            let place = format!("place(suit, {order})");
            add(out, Role::Alone, format!("{place} == product(rank, {window}) mod 4"));
            add(out, Role::Alone, format!("{place} == sum(rank, {window}) mod 4"));
        }
    }
    for text in [
        "rank >= max(rank)",
        "rank <= min(rank)",
        "rank != min(rank)",
        "rank != max(rank)",
        "not seen(rank) or distinct(rank) == 13",
        "seen(rank)",
        "black or count(black) > count(red) + 1",
        "red or count(red) > count(black) + 1",
        "suit == last(2).suit or rank == last.rank",
        "if last.rank > last(2).rank then rank <= last.rank else rank >= last.rank",
        "if last.rank > last(2).rank then rank >= last.rank else rank <= last.rank",
        "color == last.color or odd(run(color))",
        "color == last.color or even(run(color))",
        "if run(color) < runs(color) then color == last.color else color != last.color",
        "if run(suit) < runs(suit) then suit == last.suit else suit != last.suit",
    ] {
        add(out, Role::Alone, text);
    }
}
