//! The syntax tree of a rule and its canonical text.

use std::fmt::{self, Display};

use smallvec::SmallVec;

use super::operators::{
    Aggregate, COMPARISON, DEFAULT, ListOp, NOT, Op, PRIMARY, SIGN, SUM, WHOLE,
};
use parlour_base::cards::{Card, Suit};

/// A colour of a card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// Spades and clubs.
    Black,
    /// Hearts and diamonds.
    Red,
}

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
}

/// Scope of the letters in a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PatternKind {
    /// A letter keeps its value for the whole line.
    Pattern,
    /// Each repetition binds the letters again.
    Motif,
}

/// The requirement of a phase part on its expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PhasePart {
    /// Its value equals that of the first card of the line.
    Same,
    /// Its value differs from that of the first card.
    Other,
    /// It holds.
    Test,
}

/// An expression of the rule language.
///
/// An expression has a value, or is unknown, at every position of a line of cards. `Attr` reads the
/// card at that position, everything else reads cards before it. The rule is the value at the
/// position of the played card.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A number.
    Num(i32),
    /// A suit.
    Suit(Suit),
    /// A colour.
    Color(Color),
    /// `true` or `false`.
    Bool(bool),
    /// An attribute of the card at this position.
    Attr(Attr),
    /// `n`: the number of cards before this position.
    Length,
    /// The value a number of positions earlier.
    Was(u8, Box<Expr>),
    /// The value at the k-th position of the line, counted from 1; unknown unless that is earlier.
    At(u8, Box<Expr>),
    /// The value (second) at the latest earlier position where the test (first) holds.
    Latest(Box<Expr>, Box<Expr>),
    /// The value at the position of the played card, wherever the expression stands in the rule.
    This(Box<Expr>),
    /// The value (second) on the line reduced to the cards that satisfy the test (first).
    Among(Box<Expr>, Box<Expr>),
    /// An operator on values at this position.
    Op(Op, Vec<Expr>),
    /// An operation on a value and a list of constants.
    List(ListOp, Box<Expr>, Vec<Expr>),
    /// An aggregate over the last few cards, or over all cards before this position.
    Aggregate(Aggregate, Box<Expr>, Option<u8>),
    /// An aggregate of the values (first) after the latest earlier position where the test (second)
    /// holds; over all cards if there is no such position.
    AggregateSince(Aggregate, Box<Expr>, Box<Expr>),
    /// Parts by position, each for a number of cards, repeated.
    Phase(Vec<(u8, PhasePart, Expr)>),
    /// Tests in cyclic order, from any start that fits the line.
    Cycle(Vec<Expr>),
    /// Letters by position, repeated.
    Pattern(PatternKind, Box<Expr>, Vec<u8>),
}

/// Collects the direct children of an expression, by reference or by mutable reference.
macro_rules! children {
    ($expr:expr, $iter:ident, $child:ty) => {{
        let mut children = SmallVec::<[$child; 3]>::new();
        match $expr {
            Expr::Was(_, a)
            | Expr::At(_, a)
            | Expr::This(a)
            | Expr::List(_, a, _)
            | Expr::Aggregate(_, a, _)
            | Expr::Pattern(_, a, _) => children.push(a),
            Expr::Latest(a, b) | Expr::Among(a, b) | Expr::AggregateSince(_, a, b) => {
                children.push(a);
                children.push(b);
            }
            Expr::Op(_, items) | Expr::Cycle(items) => children.extend(items.$iter()),
            Expr::Phase(parts) => children.extend(parts.$iter().map(|(_, _, inner)| inner)),
            _ => {}
        }
        children
    }};
}

impl Expr {
    /// Returns the direct children.
    pub fn children(&self) -> SmallVec<[&Expr; 3]> {
        children!(self, iter, &Expr)
    }

    /// Returns the direct children for modification.
    pub(crate) fn children_mut(&mut self) -> SmallVec<[&mut Expr; 3]> {
        children!(self, iter_mut, &mut Expr)
    }

    /// Returns the node without its subtrees: `n` replaces each child.
    pub(crate) fn without_children(&self) -> Expr {
        let n = || Box::new(Expr::Length);
        match self {
            Expr::Was(back, _) => Expr::Was(*back, n()),
            Expr::At(place, _) => Expr::At(*place, n()),
            Expr::Latest(..) => Expr::Latest(n(), n()),
            Expr::This(_) => Expr::This(n()),
            Expr::Among(..) => Expr::Among(n(), n()),
            Expr::Op(op, items) => Expr::Op(*op, vec![Expr::Length; items.len()]),
            Expr::List(op, _, list) => Expr::List(*op, n(), list.clone()),
            Expr::Aggregate(aggregate, _, window) => Expr::Aggregate(*aggregate, n(), *window),
            Expr::AggregateSince(aggregate, ..) => Expr::AggregateSince(*aggregate, n(), n()),
            Expr::Phase(parts) => Expr::Phase(
                parts.iter().map(|(cards, part, _)| (*cards, *part, Expr::Length)).collect(),
            ),
            Expr::Cycle(tests) => Expr::Cycle(vec![Expr::Length; tests.len()]),
            Expr::Pattern(kind, _, letters) => Expr::Pattern(*kind, n(), letters.clone()),
            leaf => leaf.clone(),
        }
    }

    /// Returns the description length: the number of nodes, list items, letters and phase parts.
    pub fn size(&self) -> usize {
        let own = match self {
            Expr::List(_, _, list) => 1 + list.len(),
            Expr::Pattern(_, _, letters) => 1 + letters.len(),
            Expr::Phase(parts) => 1 + parts.len(),
            _ => 1,
        };
        own + self.children().into_iter().map(Expr::size).sum::<usize>()
    }

    /// Returns a constant as a number: itself, the index of the suit, 1 for red, 1 for `true`.
    pub fn constant(&self) -> Option<i32> {
        match self {
            Expr::Num(value) => Some(*value),
            Expr::Suit(suit) => Some(suit.index() as i32),
            Expr::Color(color) => Some(i32::from(*color == Color::Red)),
            Expr::Bool(value) => Some(i32::from(*value)),
            _ => None,
        }
    }

    fn binding(&self) -> u8 {
        match self {
            Expr::Phase(_) => WHOLE,
            Expr::Num(n) if *n < 0 => SIGN,
            Expr::List(ListOp::In, ..) => COMPARISON,
            Expr::Op(op, _) => op.binding(),
            _ => PRIMARY,
        }
    }
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

fn list(f: &mut fmt::Formatter<'_>, items: &[Expr], separator: &str) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        f.write_str(if index > 0 { separator } else { "" })?;
        argument(item).fmt(f)?;
    }
    Ok(())
}

fn call(f: &mut fmt::Formatter<'_>, word: &str, items: &[Expr]) -> fmt::Result {
    write!(f, "{word}(")?;
    list(f, items, ", ")?;
    f.write_str(")")
}

/// The canonical text; [`parse`](super::parse) returns the same tree.
impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Num(value) => write!(f, "{value}"),
            Expr::Suit(suit) => write!(f, "{}", ["S", "H", "D", "C"][suit.index()]),
            Expr::Color(Color::Red) => f.write_str("red"),
            Expr::Color(Color::Black) => f.write_str("black"),
            Expr::Bool(value) => write!(f, "{value}"),
            Expr::Attr(attr) => f.write_str(attr.word()),
            Expr::Length => f.write_str("n"),
            Expr::Was(k, a) => match (k, a.as_ref()) {
                (1, a @ Expr::Attr(_)) => write!(f, "last.{a}"),
                (k, a @ Expr::Attr(_)) => write!(f, "last({k}).{a}"),
                (1, a) => write!(f, "was({})", argument(a)),
                (k, a) => write!(f, "was({}, {k})", argument(a)),
            },
            Expr::At(k, a) => match (k, a.as_ref()) {
                (1, a @ Expr::Attr(_)) => write!(f, "first.{a}"),
                (k, a @ Expr::Attr(_)) => write!(f, "card({k}).{a}"),
                (k, a) => write!(f, "at({k}, {})", argument(a)),
            },
            Expr::This(a) => match a.as_ref() {
                Expr::Attr(_) => write!(f, "this.{a}"),
                a => write!(f, "this({})", argument(a)),
            },
            Expr::Among(p, a) => write!(f, "among({}, {})", argument(p), argument(a)),
            Expr::Latest(p, a) => match a.as_ref() {
                Expr::Attr(_) => write!(f, "latest({}).{a}", argument(p)),
                a => write!(f, "latest({}, {})", argument(p), argument(a)),
            },
            Expr::Op(op, items) => operation(f, *op, items),
            Expr::List(ListOp::In, a, items) => {
                write!(f, "{} in {{", AtBinding(a, SUM))?;
                list(f, items, ", ")?;
                f.write_str("}")
            }
            Expr::List(op, a, items) => {
                let word = if *op == ListOp::After { "after" } else { "place" };
                write!(f, "{word}({}, ", argument(a))?;
                list(f, items, " ")?;
                f.write_str(")")
            }
            Expr::Aggregate(aggregate, a, window) => {
                write!(f, "{}({}", aggregate.word(), argument(a))?;
                window.map_or(Ok(()), |window| write!(f, ", {window}"))?;
                f.write_str(")")
            }
            Expr::AggregateSince(aggregate, a, p) => {
                write!(f, "{}({}, since({}))", aggregate.word(), argument(a), argument(p))
            }
            Expr::Cycle(items) => call(f, "cycle", items),
            Expr::Phase(parts) => phase(f, parts),
            Expr::Pattern(kind, a, letters) => {
                let word = if *kind == PatternKind::Pattern { "pattern" } else { "motif" };
                write!(f, "{word}({}, {})", argument(a), String::from_utf8_lossy(letters))
            }
        }
    }
}

fn operation(f: &mut fmt::Formatter<'_>, op: Op, items: &[Expr]) -> fmt::Result {
    match (op, items) {
        (Op::Not, [a]) => write!(f, "not {}", AtBinding(a, NOT)),
        // `-3` is a number, so a negated number needs parentheses.
        (Op::Neg, [a @ Expr::Num(_)]) => write!(f, "-({a})"),
        (Op::Neg, [a]) => write!(f, "-{}", AtBinding(a, SIGN)),
        // An inner `if` without `else` would absorb the outer `else`, so `else` is always printed.
        (Op::If, [a, b, c]) => write!(f, "if {a} then {b} else {c}"),
        _ if !op.is_infix() => call(f, op.word(), items),
        _ => {
            // Binary operators group to the left; comparisons do not chain.
            let binding = op.binding();
            let groups_left = op.arity().is_some() && binding != COMPARISON;
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    write!(f, " {} ", op.word())?;
                }
                let is_leftmost = groups_left && index == 0;
                AtBinding(item, if is_leftmost { binding } else { binding + 1 }).fmt(f)?;
            }
            Ok(())
        }
    }
}

fn phase(f: &mut fmt::Formatter<'_>, parts: &[(u8, PhasePart, Expr)]) -> fmt::Result {
    let period: u32 = parts.iter().map(|(count, ..)| u32::from(*count)).sum();
    write!(f, "phase({period}): ")?;
    for (index, (count, part, inner)) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        let word = match part {
            PhasePart::Test => {
                write!(f, "{count} {}", AtBinding(inner, DEFAULT))?;
                continue;
            }
            PhasePart::Same => "same",
            PhasePart::Other => "other",
        };
        match inner {
            Expr::Attr(_) => write!(f, "{count} {word} {inner}")?,
            _ => write!(f, "{count} {word}({inner})")?,
        }
    }
    Ok(())
}
