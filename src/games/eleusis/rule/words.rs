//! The functions of the language and the words it refuses.

use super::{Attr, Binary, Color, Expr, Over, Unary};
use crate::cards::Suit;

/// What a function word stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    Last,
    Card,
    Was,
    At,
    Latest,
    Unary(Unary),
    Binary(Binary),
    Over(Over),
    Since,
    Run,
    Runs,
    Holds,
    Cycle,
    After,
    Place,
    Pattern,
    Motif,
}

pub(super) const FUNCTIONS: [(&str, Function); 32] = [
    ("last", Function::Last),
    ("card", Function::Card),
    ("was", Function::Was),
    ("at", Function::At),
    ("latest", Function::Latest),
    ("abs", Function::Unary(Unary::Abs)),
    ("even", Function::Unary(Unary::Even)),
    ("odd", Function::Unary(Unary::Odd)),
    ("prime", Function::Unary(Unary::Prime)),
    ("larger", Function::Binary(Binary::Larger)),
    ("smaller", Function::Binary(Binary::Smaller)),
    ("count", Function::Over(Over::Count)),
    ("any", Function::Over(Over::Some)),
    ("all", Function::Over(Over::Every)),
    ("sum", Function::Over(Over::Sum)),
    ("product", Function::Over(Over::Product)),
    ("max", Function::Over(Over::Max)),
    ("min", Function::Over(Over::Min)),
    ("majority", Function::Over(Over::Majority)),
    ("minority", Function::Over(Over::Minority)),
    ("distinct", Function::Over(Over::Distinct)),
    ("seen", Function::Over(Over::Seen)),
    ("since", Function::Since),
    ("run", Function::Run),
    ("runs", Function::Runs),
    ("holds", Function::Holds),
    ("cycle", Function::Cycle),
    ("after", Function::After),
    ("place", Function::Place),
    ("pattern", Function::Pattern),
    ("motif", Function::Motif),
    ("repeat", Function::Pattern),
];

/// The word of a window function.
pub(super) fn over_word(what: Over) -> &'static str {
    let found = FUNCTIONS.iter().find(|(_, f)| *f == Function::Over(what));
    found.map_or("", |(word, _)| word)
}

const OTHER_WORDS: [&str; 20] = [
    "if", "then", "else", "and", "or", "xor", "not", "mod", "in", "phase", "same", "other",
    "higher", "lower", "n", "true", "false", "first", "parity", "anything",
];

/// Whether the word speaks of something that no rule may use.
pub(super) fn forbidden(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let stems = [
        "player", "hand", "seat", "dealer", "prophet", "time", "clock", "turn", "wrong", "reject",
        "sideline", "stock", "deck", "who", "score", "date", "day",
    ];
    stems.iter().any(|stem| word.starts_with(stem))
}

/// The known word closest to a mistyped one.
pub(super) fn nearest(word: &str) -> Option<&'static str> {
    if word.len() > 20 {
        return None;
    }
    let known = FUNCTIONS.iter().map(|(w, _)| *w).chain(OTHER_WORDS);
    let known = known.chain(Attr::NAMED.iter().map(|(w, _)| *w));
    known
        .map(|w| (strsim::damerau_levenshtein(word, w), w))
        .min()
        .filter(|(distance, _)| *distance <= 2 && *distance < word.len())
        .map(|(_, w)| w)
}

/// The attribute with this word.
pub(super) fn attribute(word: &str) -> Option<Attr> {
    let single = match word {
        "parity" => "even",
        "value" => "rank",
        "colour" => "color",
        "spades" | "hearts" | "diamonds" | "clubs" => &word[..word.len() - 1],
        other => other,
    };
    Attr::NAMED.iter().find(|(name, _)| *name == single).map(|(_, attr)| *attr)
}

/// The constant with this word.
pub(super) fn constant(word: &str) -> Option<Expr> {
    Some(match word {
        "A" => Expr::Num(1),
        "T" => Expr::Num(10),
        "J" => Expr::Num(11),
        "Q" => Expr::Num(12),
        "K" => Expr::Num(13),
        "S" => Expr::Suit(Suit::Spades),
        "H" => Expr::Suit(Suit::Hearts),
        "D" => Expr::Suit(Suit::Diamonds),
        "C" => Expr::Suit(Suit::Clubs),
        "red" => Expr::Color(Color::Red),
        "black" => Expr::Color(Color::Black),
        _ => return None,
    })
}
