//! The tests and conditions that rules are combined from.

/// The version of the lists and of the combinations; any change of them changes it.
pub const VERSION: u32 = 2;

/// What a test or condition is used for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// A condition that looks back only: it chooses between two tests.
    Condition,
    /// A short test: a rule of its own, and a part of others.
    Simple,
    /// A rule of its own only.
    Alone,
}

fn add(out: &mut Vec<(Role, String)>, role: Role, text: impl Into<String>) {
    out.push((role, text.into()));
}

const PROPERTIES: [&str; 8] = ["red", "even", "face", "prime", "loop", "low", "heart", "spade"];
const ORDERS: [&str; 6] = ["S H D C", "S H C D", "S D H C", "S D C H", "S C H D", "S C D H"];

/// All of them.
pub fn atoms() -> Vec<(Role, String)> {
    let mut out = Vec::new();
    conditions(&mut out);
    one_card(&mut out);
    several(&mut out);
    relations(&mut out);
    windows(&mut out);
    positions(&mut out);
    out
}

fn conditions(out: &mut Vec<(Role, String)>) {
    let mut condition = |text: String| add(out, Role::Condition, text);
    for property in PROPERTIES.iter().chain(&["diamond", "club", "composite"]) {
        condition(format!("last.{property}"));
    }
    for property in ["red", "even", "face", "low"] {
        condition(format!("last(2).{property}"));
        condition(format!("last(3).{property}"));
        condition(format!("last.{property} == last(2).{property}"));
        // What is played decides, not what was.
        condition((*property).to_owned());
    }
    condition("last.suit == last(2).suit".into());
    condition("last.rank > last(2).rank".into());
    condition("even(last.rank + last(2).rank + last(3).rank)".into());
    for rank in 2..=12 {
        condition(format!("last.rank > {rank}"));
    }
    for period in 2..=6 {
        condition(format!("n mod {period} == 0"));
    }
    for (count, window) in [(2, 3), (3, 4), (3, 5), (5, 8)] {
        condition(format!("count(black, {window}) >= {count}"));
    }
    condition("count(black) > count(red)".into());
    condition("last.rank == K".into());
    condition("last.rank == A".into());
    condition("odd(run(color))".into());
    condition("run(color) < runs(color)".into());
}

fn one_card(out: &mut Vec<(Role, String)>) {
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
fn several(out: &mut Vec<(Role, String)>) {
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

fn list(low: u32, high: u32) -> String {
    (low..=high).map(|rank| rank.to_string()).collect::<Vec<_>>().join(", ")
}

fn relations(out: &mut Vec<(Role, String)>) {
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

fn windows(out: &mut Vec<(Role, String)>) {
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

fn positions(out: &mut Vec<(Role, String)>) {
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

/// The text with its numbers, colours, suits, properties and letters blanked: rules with the same
/// template are of one family. Parts of a phase count once.
pub fn template(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            out += blanked(&word);
            word.clear();
        }
        out.push(c);
    }
    for (long, short) in [
        ("@ @", "@"),
        (", #, #", ", #"),
        (", c, c", ", c"),
        (", s, s", ", s"),
        (", # c, # c", ", # c"),
        (", # s, # s", ", # s"),
        (", # p, # p", ", # p"),
    ] {
        while out.contains(long) {
            out = out.replace(long, short);
        }
    }
    out.trim_end().to_owned()
}

fn blanked(word: &str) -> &str {
    match word {
        "red" | "black" => "c",
        "spade" | "heart" | "diamond" | "club" => "s",
        "even" | "odd" | "face" | "prime" | "composite" | "loop" | "low" | "high" => "p",
        w if w.bytes().all(|b| b.is_ascii_digit()) => "#",
        w if w.bytes().all(|b| b.is_ascii_uppercase()) => "@",
        w => w,
    }
}
