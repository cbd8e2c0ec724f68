//! The syntax tree of a rule and its canonical text.

use std::fmt::{self, Display};

use itertools::Itertools;
use strum::{EnumString, IntoStaticStr};

use super::operators::{
    Aggregate, COMPARISON, DEFAULT, ListOp, NOT, Op, PRIMARY, SIGN, SUM, Signature, WHOLE,
};
use parlour_base::cards::{Card, Suit};

/// An attribute of a single card, as an index into the list of attributes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Attr(u8);

/// An attribute's word in a rule, and its value for a rank (A = 1 to K = 13) and a suit.
type AttrSpec = (&'static str, fn(u8, Suit) -> i32);

const ATTRIBUTES: [AttrSpec; 17] = [
    ("rank", |rank, _| rank.into()),
    ("suit", |_, suit| suit.index() as i32),
    ("color", |_, suit| suit.is_red().into()),
    ("red", |_, suit| suit.is_red().into()),
    ("black", |_, suit| (!suit.is_red()).into()),
    ("spade", |_, suit| (suit == Suit::Spades).into()),
    ("heart", |_, suit| (suit == Suit::Hearts).into()),
    ("diamond", |_, suit| (suit == Suit::Diamonds).into()),
    ("club", |_, suit| (suit == Suit::Clubs).into()),
    ("face", |rank, _| (rank >= 11).into()),
    ("even", |rank, _| (rank % 2 == 0).into()),
    ("odd", |rank, _| (rank % 2 == 1).into()),
    ("prime", |rank, _| matches!(rank, 2 | 3 | 5 | 7 | 11 | 13).into()),
    ("composite", |rank, _| matches!(rank, 4 | 6 | 8 | 9 | 10 | 12).into()),
    // The printed sign of the rank has a closed loop.
    ("loop", |rank, _| matches!(rank, 1 | 4 | 6 | 8 | 9 | 12).into()),
    ("low", |rank, _| (rank <= 7).into()),
    ("high", |rank, _| (rank >= 8).into()),
];

impl Attr {
    /// The rank, A = 1 to K = 13.
    pub const RANK: Attr = Attr(0);
    /// The suit.
    pub const SUIT: Attr = Attr(1);
    /// The colour.
    pub const COLOR: Attr = Attr(2);
    /// A test for hearts and diamonds.
    pub const RED: Attr = Attr(3);
    /// A test for spades and clubs.
    pub const BLACK: Attr = Attr(4);

    /// Iterates over all attributes; those from the fourth on are tests.
    pub fn all() -> impl Iterator<Item = Attr> {
        (0..ATTRIBUTES.len() as u8).map(Attr)
    }

    /// Returns the word of the attribute in a rule.
    pub fn word(self) -> &'static str {
        ATTRIBUTES[usize::from(self.0)].0
    }

    /// Returns the value for a card: the rank, the index of the suit, 1 for red, or 1 for yes.
    pub fn of(self, card: Card) -> i32 {
        ATTRIBUTES[usize::from(self.0)].1(card.rank(), card.suit())
    }

    pub(super) const fn sort(self) -> Sort {
        match self {
            Attr::RANK => Sort::Number,
            Attr::SUIT => Sort::Suit,
            Attr::COLOR => Sort::Color,
            _ => Sort::Test,
        }
    }
}

/// The sort of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Yes or no.
    Test,
    /// A whole number.
    Number,
    /// A suit.
    Suit,
    /// A colour.
    Color,
}

impl Sort {
    /// Returns the sort of an expression, also if the sorts of its parts do not match.
    pub(crate) fn of(expr: &Expr) -> Sort {
        use Aggregate::{All, Any, Commonest, Majority, Minority, Rarest, Seen};
        use ListOp::{After, In, Place};
        let of_last = || expr.parts.last().map_or(Sort::Test, Sort::of);
        match &expr.head {
            Head::Const(constant) => constant.sort,
            Head::Attr(attr) => attr.sort(),
            Head::Was(_) | Head::At(_) | Head::This | Head::Latest | Head::Among => of_last(),
            Head::Op(op) => match op.spec().signature {
                Signature::Arithmetic | Signature::Tally => Sort::Number,
                Signature::Same | Signature::Choice => of_last(),
                _ => Sort::Test,
            },
            Head::List(After, list) => list.first().map_or(Sort::Test, |item| item.sort),
            Head::Aggregate(Any | All | Seen | Commonest | Rarest, _) => Sort::Test,
            Head::Aggregate(Majority | Minority, _) => Sort::of(&expr.parts[0]),
            Head::Length | Head::List(Place, _) | Head::Aggregate(..) => Sort::Number,
            Head::List(In, _) | Head::Phase(_) | Head::Cycle | Head::Pattern(..) => Sort::Test,
        }
    }

    /// Returns the name of the sort in error messages.
    pub const fn word(self) -> &'static str {
        match self {
            Sort::Test => "a test",
            Sort::Number => "a number",
            Sort::Suit => "a suit",
            Sort::Color => "a color",
        }
    }
}

/// A constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constant {
    /// The sort of the value.
    pub sort: Sort,
    /// The number, the index of the suit, 1 for red, or 1 for `true`.
    pub value: i32,
}

impl Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |words: &[&'static str]| words[self.value as usize];
        match self.sort {
            Sort::Number => self.value.fmt(f),
            Sort::Suit => f.write_str(word(&["S", "H", "D", "C"])),
            Sort::Color => f.write_str(word(&["black", "red"])),
            Sort::Test => f.write_str(word(&["false", "true"])),
        }
    }
}

/// Scope of the letters in a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum PatternKind {
    /// A letter keeps its value for the whole line.
    Pattern,
    /// Each repetition binds the letters again.
    Motif,
}

/// The requirement of a phase part on its expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum PhasePart {
    /// Its value equals that of the first card of the line.
    Same,
    /// Its value differs from that of the first card.
    Other,
    /// It holds.
    Test,
}

/// The earlier cards that an aggregate covers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Span {
    /// All cards.
    Line,
    /// The last few cards.
    Last(u8),
    /// The cards after the latest one where the test (second part) holds; all if there is none.
    Since,
}

/// The content of a node, apart from its parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Head {
    /// A constant.
    Const(Constant),
    /// An attribute of the card at this position.
    Attr(Attr),
    /// `n`: the number of cards before this position.
    Length,
    /// The value a number of positions earlier.
    Was(u8),
    /// The value at the k-th position of the line, counted from 1; unknown unless that is earlier.
    At(u8),
    /// The value (second part) at the latest earlier position where the test (first) holds.
    Latest,
    /// The value at the position of the played card, wherever the expression stands in the rule.
    This,
    /// The value (second part) on the line reduced to the cards that satisfy the test (first).
    Among,
    /// An operator on values at this position.
    Op(Op),
    /// An operation on a value and a list of constants.
    List(ListOp, Vec<Constant>),
    /// An aggregate of the values (first part) before this position.
    Aggregate(Aggregate, Span),
    /// Parts by position, each for a number of cards, repeated.
    Phase(Vec<(u8, PhasePart)>),
    /// Tests in cyclic order, from any start that fits the line.
    Cycle,
    /// Letters by position, repeated.
    Pattern(PatternKind, Vec<u8>),
}

impl From<Op> for Head {
    fn from(op: Op) -> Head {
        Head::Op(op)
    }
}

/// An expression of the rule language: a node with its parts.
///
/// An expression has a value, or is unknown, at every position of a line of cards. [`Head::Attr`]
/// reads the card at that position, everything else reads cards before it. The rule is the value at
/// the position of the played card.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// The node.
    pub head: Head,
    /// The expressions below it.
    pub parts: Vec<Expr>,
}

impl Expr {
    /// Creates a node with parts.
    pub fn new(head: impl Into<Head>, parts: impl Into<Vec<Expr>>) -> Expr {
        Expr { head: head.into(), parts: parts.into() }
    }

    /// Creates a node without parts.
    pub const fn leaf(head: Head) -> Expr {
        Expr { head, parts: Vec::new() }
    }

    /// Creates a constant.
    pub const fn constant(sort: Sort, value: i32) -> Expr {
        Expr::leaf(Head::Const(Constant { sort, value }))
    }

    /// Creates a number.
    pub const fn number(value: i32) -> Expr {
        Expr::constant(Sort::Number, value)
    }

    /// Creates `true` or `false`.
    pub const fn truth(value: bool) -> Expr {
        Expr::constant(Sort::Test, value as i32)
    }

    /// Creates an attribute of the card at this position.
    pub const fn attr(attr: Attr) -> Expr {
        Expr::leaf(Head::Attr(attr))
    }

    /// Returns the number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        1 + self.parts.iter().map(Expr::nodes).sum::<usize>()
    }

    /// Returns the description length: the number of nodes, list items, letters and phase parts.
    pub fn size(&self) -> usize {
        let own = match &self.head {
            Head::List(_, list) => list.len(),
            Head::Pattern(_, letters) => letters.len(),
            Head::Phase(parts) => parts.len(),
            _ => 0,
        };
        1 + own + self.parts.iter().map(Expr::size).sum::<usize>()
    }

    pub(super) const fn is_attr(&self) -> bool {
        matches!(self.head, Head::Attr(_))
    }

    fn binding(&self) -> u8 {
        match self.head {
            Head::Phase(_) => WHOLE,
            Head::Const(Constant { sort: Sort::Number, value: ..0 }) => SIGN,
            Head::List(ListOp::In, ..) => COMPARISON,
            Head::Op(op) => op.spec().binding,
            _ => PRIMARY,
        }
    }
}

/// Compares the value here with the value at another position.
pub(super) fn compared(op: Op, a: &Expr, other: Head) -> Expr {
    Expr::new(op, [a.clone(), Expr::new(other, [a.clone()])])
}

/// An expression at a position that requires a binding strength.
struct AtBinding<'a>(&'a Expr, u8);

impl Display for AtBinding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.binding() < self.1 { write!(f, "({})", self.0) } else { self.0.fmt(f) }
    }
}

/// A function argument: an unparenthesised phase or `if` would absorb the commas after it.
const fn argument(expr: &Expr) -> AtBinding<'_> {
    AtBinding(expr, DEFAULT)
}

fn call(f: &mut fmt::Formatter<'_>, word: &str, parts: &[Expr]) -> fmt::Result {
    write!(f, "{word}({})", parts.iter().map(argument).format(", "))
}

/// The canonical text; [`parse`](super::parse) returns the same tree.
impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = &self.parts[..];
        match (&self.head, parts) {
            (Head::Const(constant), _) => constant.fmt(f),
            (Head::Attr(attr), _) => f.write_str(attr.word()),
            (Head::Length, _) => f.write_str("n"),
            (Head::Was(1), [a]) if a.is_attr() => write!(f, "last.{a}"),
            (Head::Was(k), [a]) if a.is_attr() => write!(f, "last({k}).{a}"),
            (Head::Was(1), _) => call(f, "was", parts),
            (Head::Was(k), [a]) => write!(f, "was({}, {k})", argument(a)),
            (Head::At(1), [a]) if a.is_attr() => write!(f, "first.{a}"),
            (Head::At(k), [a]) if a.is_attr() => write!(f, "card({k}).{a}"),
            (Head::At(k), [a]) => write!(f, "at({k}, {})", argument(a)),
            (Head::This, [a]) if a.is_attr() => write!(f, "this.{a}"),
            (Head::This, _) => call(f, "this", parts),
            (Head::Latest, [p, a]) if a.is_attr() => write!(f, "latest({}).{a}", argument(p)),
            (Head::Latest, _) => call(f, "latest", parts),
            (Head::Among, _) => call(f, "among", parts),
            (Head::Cycle, _) => call(f, "cycle", parts),
            (Head::Op(op), _) => operation(f, *op, parts),
            (Head::List(ListOp::In, list), [a]) => {
                write!(f, "{} in {{{}}}", AtBinding(a, SUM), list.iter().format(", "))
            }
            (Head::List(op, list), [a]) => {
                let word: &str = op.into();
                write!(f, "{word}({}, {})", argument(a), list.iter().format(" "))
            }
            (Head::Aggregate(what, Span::Line), _) => call(f, what.into(), parts),
            (Head::Aggregate(what, Span::Last(window)), [a]) => {
                write!(f, "{}({}, {window})", <&str>::from(what), argument(a))
            }
            (Head::Aggregate(what, _), [a, p]) => {
                write!(f, "{}({}, since({}))", <&str>::from(what), argument(a), argument(p))
            }
            (Head::Phase(list), _) => phase(f, list, parts),
            (Head::Pattern(kind, letters), [a]) => {
                let letters = String::from_utf8_lossy(letters);
                write!(f, "{}({}, {letters})", <&str>::from(kind), argument(a))
            }
            // No rule has another number of parts.
            (head, _) => write!(f, "{head:?}"),
        }
    }
}

fn operation(f: &mut fmt::Formatter<'_>, op: Op, parts: &[Expr]) -> fmt::Result {
    let spec = op.spec();
    match (op, parts) {
        (Op::Not, [a]) => write!(f, "not {}", AtBinding(a, NOT)),
        // `-3` is a number, so a negated number needs parentheses.
        (Op::Neg, [a]) if matches!(a.head, Head::Const(_)) => write!(f, "-({a})"),
        (Op::Neg, [a]) => write!(f, "-{}", AtBinding(a, SIGN)),
        // An inner `if` without `else` would absorb the outer `else`, so `else` is always printed.
        (Op::If, [a, b, c]) => write!(f, "if {a} then {b} else {c}"),
        _ if !op.is_infix() => call(f, spec.word, parts),
        _ => {
            // Binary operators group to the left; comparisons do not chain.
            let groups_left = spec.arity.is_some() && spec.binding != COMPARISON;
            let operands = parts.iter().enumerate().map(|(index, part)| {
                AtBinding(part, spec.binding + u8::from(index > 0 || !groups_left))
            });
            write!(f, "{}", operands.format(&format!(" {} ", spec.word)))
        }
    }
}

fn phase(f: &mut fmt::Formatter<'_>, list: &[(u8, PhasePart)], parts: &[Expr]) -> fmt::Result {
    let period: u32 = list.iter().map(|(count, _)| u32::from(*count)).sum();
    let parts = list.iter().zip(parts).map(|((count, part), inner)| match part {
        PhasePart::Test => format!("{count} {}", argument(inner)),
        _ if inner.is_attr() => format!("{count} {} {inner}", <&str>::from(part)),
        _ => format!("{count} {}({inner})", <&str>::from(part)),
    });
    write!(f, "phase({period}): {}", parts.format(", "))
}
