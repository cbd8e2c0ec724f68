//! The operators and functions of the language, its words, and those that it refuses.

use super::{Attr, Color, Expr, Kind, Letters, Listed, Op, Over, kind};
use crate::cards::Suit;
use crate::files::unknown;

// How tightly an expression binds; an argument that binds less tightly than its place asks for
// stands in parentheses. At `WHOLE` stand `if` and `phase`, at `NOT` and `SIGN` what begins with one.
pub(super) const WHOLE: u8 = 0;
pub(super) const DEFAULT: u8 = 1;
const OR: u8 = 2;
const XOR: u8 = 3;
const AND: u8 = 4;
pub(super) const NOT: u8 = 5;
pub(super) const COMPARISON: u8 = 6;
pub(super) const SUM: u8 = 7;
const PRODUCT: u8 = 8;
pub(super) const SIGN: u8 = 9;
pub(super) const PRIMARY: u8 = 10;

/// The operators between their parts: the word (the first of an operation is printed), how tightly
/// it binds, what it is. They group to the left, but comparisons do not chain.
pub(super) const INFIX: [(&str, u8, Op); 19] = [
    ("??", DEFAULT, Op::Default),
    ("otherwise", DEFAULT, Op::Otherwise),
    ("or", OR, Op::Or),
    ("|", OR, Op::Or),
    ("xor", XOR, Op::Xor),
    ("and", AND, Op::And),
    ("&", AND, Op::And),
    ("==", COMPARISON, Op::Eq),
    ("!=", COMPARISON, Op::Ne),
    ("<", COMPARISON, Op::Lt),
    ("<=", COMPARISON, Op::Le),
    (">", COMPARISON, Op::Gt),
    (">=", COMPARISON, Op::Ge),
    ("+", SUM, Op::Add),
    ("-", SUM, Op::Sub),
    ("*", PRODUCT, Op::Mul),
    ("/", PRODUCT, Op::Div),
    ("mod", PRODUCT, Op::Mod),
    ("%", PRODUCT, Op::Mod),
];

/// The word of an operator between its parts, and how tightly it binds.
pub(super) fn infix(wanted: Op) -> Option<(&'static str, u8)> {
    let found = INFIX.iter().find(|(_, _, op)| *op == wanted);
    found.map(|(word, tight, _)| (*word, *tight))
}

/// What a function is, and with it what stands in its parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A place, counted from the end; the attribute of the card there follows the parentheses.
    Last,
    /// The same, counted from the start.
    Card,
    /// An expression and perhaps a place.
    Was,
    /// A place and an expression.
    At,
    /// A test and a value, or behind the parentheses an attribute.
    Latest,
    /// An expression; without parentheses an attribute follows.
    This,
    /// A test and an expression.
    Among,
    /// As many expressions as the operation has parts.
    Op(Op),
    /// An expression and perhaps the number of cards to look back on, or since when.
    Over(Over),
    /// Any number of tests.
    Cycle,
    /// An expression and constants in their order.
    Listed(Listed),
    /// An expression and letters.
    Letters(Letters),
}

pub(super) const FUNCTIONS: [(&str, Form); 38] = [
    ("this", Form::This),
    ("last", Form::Last),
    ("card", Form::Card),
    ("was", Form::Was),
    ("at", Form::At),
    ("latest", Form::Latest),
    ("among", Form::Among),
    ("abs", Form::Op(Op::Abs)),
    ("even", Form::Op(Op::Even)),
    ("odd", Form::Op(Op::Odd)),
    ("prime", Form::Op(Op::Prime)),
    ("larger", Form::Op(Op::Larger)),
    ("smaller", Form::Op(Op::Smaller)),
    ("gcd", Form::Op(Op::Gcd)),
    ("holds", Form::Op(Op::Holds)),
    ("count", Form::Over(Over::Count)),
    ("any", Form::Over(Over::Some)),
    ("all", Form::Over(Over::Every)),
    ("sum", Form::Over(Over::Sum)),
    ("product", Form::Over(Over::Product)),
    ("max", Form::Over(Over::Max)),
    ("min", Form::Over(Over::Min)),
    ("majority", Form::Over(Over::Majority)),
    ("minority", Form::Over(Over::Minority)),
    ("distinct", Form::Over(Over::Distinct)),
    ("seen", Form::Over(Over::Seen)),
    ("times", Form::Over(Over::Times)),
    ("commonest", Form::Over(Over::Commonest)),
    ("rarest", Form::Over(Over::Rarest)),
    ("since", Form::Over(Over::Since)),
    ("run", Form::Over(Over::Run)),
    ("runs", Form::Over(Over::Runs)),
    ("cycle", Form::Cycle),
    ("after", Form::Listed(Listed::After)),
    ("place", Form::Listed(Listed::Place)),
    ("pattern", Form::Letters(Letters::Pattern)),
    ("motif", Form::Letters(Letters::Motif)),
    ("repeat", Form::Letters(Letters::Pattern)),
];

/// The function with this word.
pub(super) fn function(word: &str) -> Option<Form> {
    FUNCTIONS.iter().find(|(name, _)| *name == word).map(|(_, form)| *form)
}

/// The word of a function; the first, where it has two.
pub(super) fn function_word(wanted: Form) -> &'static str {
    FUNCTIONS.iter().find(|(_, form)| *form == wanted).map_or("", |(word, _)| word)
}

const OTHER_WORDS: [&str; 21] = [
    "otherwise",
    "if",
    "then",
    "else",
    "and",
    "or",
    "xor",
    "not",
    "mod",
    "in",
    "phase",
    "same",
    "other",
    "higher",
    "lower",
    "n",
    "true",
    "false",
    "first",
    "parity",
    "anything",
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
pub(super) fn nearest(word: &str) -> Option<String> {
    let known = FUNCTIONS.iter().map(|(w, _)| *w).chain(OTHER_WORDS);
    let known = known.chain(Attr::all().map(Attr::word));
    unknown("word", word, known).nearest().map(str::to_owned)
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
    Attr::all().find(|attr| attr.word() == single)
}

/// The constant with this word.
pub(super) fn constant(word: &str) -> Option<Expr> {
    let index = |signs: &str| signs.find(word).filter(|_| word.len() == 1);
    Some(match word {
        "red" => Expr::Color(Color::Red),
        "black" => Expr::Color(Color::Black),
        "A" => Expr::Num(1),
        _ => match index("TJQK") {
            Some(above) => Expr::Num(10 + above as i32),
            None => Expr::Suit(Suit::ALL[index("SHDC")?]),
        },
    })
}

/// Beside a color, `red` and `black` are colors, and so is a choice between them.
pub(super) fn beside(parts: [Expr; 2]) -> [Expr; 2] {
    let is_color = |expr: &Expr| kind(expr) == Ok(Kind::Color);
    let [a, b] = &parts;
    match (colored(a), colored(b)) {
        (Some(color), _) if is_color(b) => [color, parts[1].clone()],
        (_, Some(color)) if is_color(a) => [parts[0].clone(), color],
        _ => parts,
    }
}

/// What is said with the words for colors, as a color; none if it is something else.
fn colored(expr: &Expr) -> Option<Expr> {
    Some(match expr {
        Expr::Attr(Attr::RED) => Expr::Color(Color::Red),
        Expr::Attr(Attr::BLACK) => Expr::Color(Color::Black),
        Expr::Op(Op::If, items) => {
            let [yes, no] = [colored(&items[1])?, colored(&items[2])?];
            Expr::Op(Op::If, vec![items[0].clone(), yes, no])
        }
        _ => return None,
    })
}
