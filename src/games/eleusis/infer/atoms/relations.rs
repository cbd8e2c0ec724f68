//! Tests of the card beside one of the last three.

use super::{ORDERS, Role, add, list};

pub(super) fn relations(out: &mut Vec<(Role, String)>) {
    for back in 1..=3 {
        let last = if back == 1 { "last".to_owned() } else { format!("last({back})") };
        let simple = if back == 3 { Role::Alone } else { Role::Simple };
        for attribute in ["color", "suit", "even", "rank", "low", "face", "prime", "loop"] {
            add(out, simple, format!("{attribute} == {last}.{attribute}"));
            add(out, simple, format!("{attribute} != {last}.{attribute}"));
        }
        for sign in [">", "<", ">=", "<="] {
            let role = if back == 1 { Role::Simple } else { Role::Alone };
            add(out, role, format!("rank {sign} {last}.rank"));
        }
        for (one, other) in
            [("suit", "rank"), ("color", "rank"), ("suit", "even"), ("color", "even")]
        {
            let text = format!("{one} == {last}.{one} or {other} == {last}.{other}");
            add(out, Role::Alone, text);
        }
        let role = if back == 1 { Role::Simple } else { Role::Alone };
        add(out, role, format!("rank > {last}.rank or {last}.rank == K"));
        add(out, role, format!("rank < {last}.rank or {last}.rank == A"));
        for apart in 1..=6 {
            let near = if back == 1 && apart <= 3 { Role::Simple } else { Role::Alone };
            add(out, near, format!("abs(rank - {last}.rank) == {apart}"));
            add(out, near, format!("abs(rank - {last}.rank) <= {apart}"));
            add(out, Role::Alone, format!("abs(rank - {last}.rank) > {apart}"));
            add(out, Role::Alone, format!("abs(rank - {last}.rank) in {{{}}}", list(1, apart)));
            add(out, Role::Alone, format!("(rank - {last}.rank) mod 13 in {{{}}}", list(1, apart)));
            add(out, Role::Alone, format!("({last}.rank - rank) mod 13 in {{{}}}", list(1, apart)));
            let other = 13 - apart;
            add(out, Role::Alone, format!("(rank - {last}.rank) mod 13 in {{{apart}, {other}}}"));
        }
        for modulus in 2..=5 {
            add(out, Role::Alone, format!("rank mod {modulus} != {last}.rank mod {modulus}"));
            add(out, Role::Alone, format!("rank mod {modulus} == {last}.rank mod {modulus}"));
            for rest in 0..modulus {
                add(out, Role::Alone, format!("(rank + {last}.rank) mod {modulus} == {rest}"));
            }
        }
        for most in [10, 12, 13, 14, 15, 16, 18] {
            add(out, Role::Alone, format!("rank + {last}.rank <= {most}"));
            add(out, Role::Alone, format!("rank + {last}.rank >= {most}"));
        }
        for most in [20, 24, 30, 36, 40, 50] {
            add(out, Role::Alone, format!("rank * {last}.rank < {most}"));
            add(out, Role::Alone, format!("rank * {last}.rank > {most}"));
        }
        for order in ORDERS {
            let role = if back == 1 { Role::Simple } else { Role::Alone };
            add(out, role, format!("suit == after({last}.suit, {order})"));
            let place = format!("place(suit, {order})");
            let before = format!("place({last}.suit, {order})");
            add(out, Role::Alone, format!("{place} > {before}"));
            add(out, Role::Alone, format!("{place} <= {before}"));
        }
    }
}
