//! The operators and functions of the language, its words, and those that it refuses.

use super::ast::{Attr, Binary, Color, Expr, Over, Unary};
use crate::cards::Suit;

/// What an operator makes of its two or more parts.
pub(super) enum Join {
    /// Two parts.
    Two(Binary),
    /// Any number of parts.
    Many(fn(Vec<Expr>) -> Expr),
}

/// The operators, loosest first. They group to the left, but comparisons do not chain. The levels
/// left empty are those of `not` and of the sign of a number.
pub(super) const LEVELS: [&[(&str, Join)]; 9] = [
    &[("??", Join::Two(Binary::Default))],
    &[("or", Join::Many(Expr::Any)), ("|", Join::Many(Expr::Any))],
    &[("xor", Join::Two(Binary::Xor))],
    &[("and", Join::Many(Expr::All)), ("&", Join::Many(Expr::All))],
    &[],
    &[
        ("==", Join::Two(Binary::Eq)),
        ("!=", Join::Two(Binary::Ne)),
        ("<", Join::Two(Binary::Lt)),
        ("<=", Join::Two(Binary::Le)),
        (">", Join::Two(Binary::Gt)),
        (">=", Join::Two(Binary::Ge)),
    ],
    &[("+", Join::Two(Binary::Add)), ("-", Join::Two(Binary::Sub))],
    &[
        ("*", Join::Two(Binary::Mul)),
        ("/", Join::Two(Binary::Div)),
        ("%", Join::Two(Binary::Mod)),
        ("mod", Join::Two(Binary::Mod)),
    ],
    &[],
];
pub(super) const NOT: usize = 4;
pub(super) const COMPARISON: usize = 5;
pub(super) const SIGN: usize = 8;

/// What a function word stands for, and what stands in its parentheses.
#[derive(Clone, Copy)]
pub(super) enum Function {
    /// A place; the attribute of the card there follows the parentheses.
    Card(fn(u8, Box<Expr>) -> Expr),
    /// A place and an expression.
    At,
    /// An expression, and what follows it.
    Of(Then),
}

/// What follows the first argument of a function.
#[derive(Clone, Copy)]
pub(super) enum Then {
    /// Nothing.
    End(fn(Box<Expr>) -> Expr),
    /// Perhaps a place.
    Place(fn(u8, Box<Expr>) -> Expr),
    /// A value, or behind the parentheses an attribute.
    Value(fn(Box<Expr>, Box<Expr>) -> Expr),
    /// A second argument.
    Second(Binary),
    /// Perhaps the number of cards to look back on.
    Window(Over),
    /// Any number of further ones.
    More(fn(Vec<Expr>) -> Expr),
    /// Constants in their order.
    Order(fn(Box<Expr>, Vec<Expr>) -> Expr),
    /// Letters.
    Letters(fn(Box<Expr>, Vec<u8>) -> Expr),
}

pub(super) const FUNCTIONS: [(&str, Function); 32] = [
    ("last", Function::Card(Expr::Was)),
    ("card", Function::Card(Expr::At)),
    ("was", Function::Of(Then::Place(Expr::Was))),
    ("at", Function::At),
    ("latest", Function::Of(Then::Value(Expr::Latest))),
    ("abs", Function::Of(Then::End(|a| Expr::Unary(Unary::Abs, a)))),
    ("even", Function::Of(Then::End(|a| Expr::Unary(Unary::Even, a)))),
    ("odd", Function::Of(Then::End(|a| Expr::Unary(Unary::Odd, a)))),
    ("prime", Function::Of(Then::End(|a| Expr::Unary(Unary::Prime, a)))),
    ("larger", Function::Of(Then::Second(Binary::Larger))),
    ("smaller", Function::Of(Then::Second(Binary::Smaller))),
    ("count", Function::Of(Then::Window(Over::Count))),
    ("any", Function::Of(Then::Window(Over::Some))),
    ("all", Function::Of(Then::Window(Over::Every))),
    ("sum", Function::Of(Then::Window(Over::Sum))),
    ("product", Function::Of(Then::Window(Over::Product))),
    ("max", Function::Of(Then::Window(Over::Max))),
    ("min", Function::Of(Then::Window(Over::Min))),
    ("majority", Function::Of(Then::Window(Over::Majority))),
    ("minority", Function::Of(Then::Window(Over::Minority))),
    ("distinct", Function::Of(Then::Window(Over::Distinct))),
    ("seen", Function::Of(Then::Window(Over::Seen))),
    ("since", Function::Of(Then::End(Expr::Since))),
    ("run", Function::Of(Then::End(Expr::Run))),
    ("runs", Function::Of(Then::End(Expr::Runs))),
    ("holds", Function::Of(Then::More(Expr::Holds))),
    ("cycle", Function::Of(Then::More(Expr::Cycle))),
    ("after", Function::Of(Then::Order(Expr::After))),
    ("place", Function::Of(Then::Order(Expr::Place))),
    ("pattern", Function::Of(Then::Letters(Expr::Pattern))),
    ("motif", Function::Of(Then::Letters(Expr::Motif))),
    ("repeat", Function::Of(Then::Letters(Expr::Pattern))),
];

/// The word of a window function.
pub(super) fn over_word(wanted: Over) -> &'static str {
    let is = |f: &Function| matches!(f, Function::Of(Then::Window(what)) if *what == wanted);
    FUNCTIONS.iter().find(|(_, f)| is(f)).map_or("", |(word, _)| word)
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
