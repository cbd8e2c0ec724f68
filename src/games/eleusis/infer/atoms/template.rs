//! Families of tests.

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
