//! Tests by the place in the line: phases, cycles, patterns.

use super::{Role, add};

pub(super) fn positions(out: &mut Vec<(Role, String)>) {
    let words = |letters: &[&str]| format!("phase: 1 {}", letters.join(", 1 "));
    for period in 2..=6u32 {
        for bits in 1..(1u32 << period) - 1 {
            let color = |place| if bits >> place & 1 == 1 { "red" } else { "black" };
            let letters: Vec<&str> = (0..period).map(color).collect();
            add(out, Role::Alone, words(&letters));
            let parity = |place| if bits >> place & 1 == 1 { "even" } else { "odd" };
            let letters: Vec<&str> = (0..period).map(parity).collect();
            if period <= 4 {
                add(out, Role::Alone, words(&letters));
            }
        }
    }
    let suits = ["spade", "heart", "diamond", "club"];
    for period in 2..=4u32 {
        for code in 0..4u32.pow(period) {
            let letters: Vec<&str> =
                (0..period).map(|place| suits[(code >> (2 * place) & 3) as usize]).collect();
            if letters.windows(2).any(|pair| pair[0] != pair[1]) {
                add(out, Role::Alone, words(&letters));
            }
        }
    }
    for attribute in ["color", "suit", "even", "low"] {
        for length in 2..=5 {
            let inside = length - 1;
            add(
                out,
                Role::Alone,
                format!(
                    "phase: 1 {attribute} != last.{attribute}, {inside} {attribute} == \
                     last.{attribute}"
                ),
            );
        }
        for letters in ["ABAB", "AABB", "AABABB", "AAB", "ABB", "AXX", "AXXX", "AAAB", "AABBB"] {
            add(out, Role::Alone, format!("pattern({attribute}, {letters})"));
        }
        for letters in ["ABA", "ABB", "AAB", "ABC", "AABB", "ABBA"] {
            add(out, Role::Alone, format!("motif({attribute}, {letters})"));
        }
    }
    for letters in ["ABC", "ABCABC", "ABCD", "AABC", "ABAC"] {
        add(out, Role::Alone, format!("pattern(suit, {letters})"));
    }
    for length in 2..=5 {
        let inside = length - 1;
        for border in ["rank > last.rank or last.rank == K", "rank < last.rank or last.rank == A"] {
            add(out, Role::Alone, format!("phase: 1 {border}, {inside} suit == last.suit"));
        }
    }
    for text in [
        "cycle(red, red, black, black)",
        "cycle(red, red, red, black, black, black)",
        "cycle(red, red, black, black, black)",
        "cycle(black, black, red, red, red)",
        "cycle(red, red, black)",
        "cycle(black, black, red)",
        "cycle(club, diamond, heart, spade, spade, heart, diamond, club)",
        "phase: 1 (rank - last.rank) mod 13 == 1, 1 (rank - last.rank) mod 13 == 2",
        "phase: 1 (rank - last.rank) mod 13 == 2, 1 (rank - last.rank) mod 13 == 1",
    ] {
        add(out, Role::Alone, text);
    }
}
