//! The syntax tree of a rule.

use crate::cards::{Card, Suit};

/// A colour of a card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// Spades and clubs.
    Black,
    /// Hearts and diamonds.
    Red,
}

/// Something to be read off one card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Attr {
    /// A = 1 to K = 13.
    Rank,
    /// The suit.
    Suit,
    /// The colour.
    Color,
    /// Whether it is a heart or a diamond.
    Red,
    /// Whether it is a spade or a club.
    Black,
    /// Whether it is a spade.
    Spade,
    /// Whether it is a heart.
    Heart,
    /// Whether it is a diamond.
    Diamond,
    /// Whether it is a club.
    Club,
    /// Whether it is a jack, queen or king.
    Face,
    /// Whether the rank is even.
    Even,
    /// Whether the rank is odd.
    Odd,
    /// Whether the rank is 2, 3, 5, 7, J or K.
    Prime,
    /// Whether the rank is 4, 6, 8, 9, T or Q.
    Composite,
    /// Whether the printed sign of the rank has a closed loop: A, 4, 6, 8, 9 and Q.
    Loop,
    /// Whether the rank is at most 7.
    Low,
    /// Whether the rank is at least 8.
    High,
}

impl Attr {
    /// Every attribute with its word.
    pub const NAMED: [(&'static str, Attr); 17] = [
        ("rank", Attr::Rank),
        ("suit", Attr::Suit),
        ("color", Attr::Color),
        ("red", Attr::Red),
        ("black", Attr::Black),
        ("spade", Attr::Spade),
        ("heart", Attr::Heart),
        ("diamond", Attr::Diamond),
        ("club", Attr::Club),
        ("face", Attr::Face),
        ("even", Attr::Even),
        ("odd", Attr::Odd),
        ("prime", Attr::Prime),
        ("composite", Attr::Composite),
        ("loop", Attr::Loop),
        ("low", Attr::Low),
        ("high", Attr::High),
    ];

    /// Its word in a rule.
    pub fn word(self) -> &'static str {
        Attr::NAMED.iter().find(|(_, attr)| *attr == self).map_or("", |(word, _)| word)
    }

    /// Its value for a card: the rank, the index of the suit, 1 for red, or 1 for yes.
    pub fn of(self, card: Card) -> i32 {
        let (rank, suit) = (i32::from(card.rank()), card.suit());
        let yes = match self {
            Attr::Rank => return rank,
            Attr::Suit => return suit.index() as i32,
            Attr::Color | Attr::Red => suit.is_red(),
            Attr::Black => !suit.is_red(),
            Attr::Spade => suit == Suit::Spades,
            Attr::Heart => suit == Suit::Hearts,
            Attr::Diamond => suit == Suit::Diamonds,
            Attr::Club => suit == Suit::Clubs,
            Attr::Face => rank >= 11,
            Attr::Even => rank % 2 == 0,
            Attr::Odd => rank % 2 == 1,
            Attr::Prime => matches!(rank, 2 | 3 | 5 | 7 | 11 | 13),
            Attr::Composite => matches!(rank, 4 | 6 | 8 | 9 | 10 | 12),
            Attr::Loop => matches!(rank, 1 | 4 | 6 | 8 | 9 | 12),
            Attr::Low => rank <= 7,
            Attr::High => rank >= 8,
        };
        i32::from(yes)
    }
}

/// Operators with one argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// `not x`
    Not,
    /// `-x`
    Neg,
    /// `abs(x)`
    Abs,
    /// `even(x)`
    Even,
    /// `odd(x)`
    Odd,
    /// `prime(x)`
    Prime,
}

/// Operators with two arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`, rounded so that the remainder is not negative
    Div,
    /// `a mod b`, never negative
    Mod,
    /// `larger(a, b)`
    Larger,
    /// `smaller(a, b)`
    Smaller,
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
    /// `a xor b`
    Xor,
    /// `a ?? b`: `b` where `a` is unknown
    Default,
}

/// What is made of the values at the accepted cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Over {
    /// How many satisfied the test.
    Count,
    /// Whether any did.
    Some,
    /// Whether all did.
    Every,
    /// The sum.
    Sum,
    /// The product.
    Product,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// The value that most of them have.
    Majority,
    /// The value that fewest of them have, of those that occur or of two-valued ones.
    Minority,
    /// How many different values.
    Distinct,
    /// Whether the value of the card played occurs among them.
    Seen,
}

/// One part of a phase.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// The value of the first card of the line.
    Same(Expr),
    /// Another value than that of the first card.
    Other(Expr),
    /// A test.
    Test(Expr),
}

/// An expression. It has a value, or is unknown, at every place of a line of cards: `Attr` speaks
/// of the card at that place, everything else of cards before it. The rule is its value at the
/// place of the card played.
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
    /// An attribute of the card at this place.
    Attr(Attr),
    /// `n`: how many cards come before this place.
    Length,
    /// The value so many places before.
    Was(u8, Box<Expr>),
    /// The value at the k-th place of the line, counted from 1, if that comes before this place.
    At(u8, Box<Expr>),
    /// The value (second) at the latest place before this one where the test (first) holds.
    Latest(Box<Expr>, Box<Expr>),
    /// One argument.
    Unary(Unary, Box<Expr>),
    /// Two arguments.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a and b and …`
    All(Vec<Expr>),
    /// `a or b or …`
    Any(Vec<Expr>),
    /// `if a then b else c`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Whether the value is one of these constants.
    In(Box<Expr>, Vec<Expr>),
    /// The constant that follows the value in the cyclic order; unknown if it is not in it.
    After(Box<Expr>, Vec<Expr>),
    /// The place of the value in the order, from 0; unknown if it is not in it.
    Place(Box<Expr>, Vec<Expr>),
    /// How many of the tests hold here.
    Holds(Vec<Expr>),
    /// Something made of the values at the last so many cards, or at all before this place.
    Over(Over, Box<Expr>, Option<u8>),
    /// How many cards came after the latest one that satisfied the test.
    Since(Box<Expr>),
    /// The length of the run of equal values that the line ends with.
    Run(Box<Expr>),
    /// How many runs of equal values the line has.
    Runs(Box<Expr>),
    /// Parts by position, over and over.
    Phase(Vec<(u8, Part)>),
    /// Tests in cyclic order, from whichever start fits the line.
    Cycle(Vec<Expr>),
    /// Letters by position, over and over; a letter keeps its value for the whole line.
    Pattern(Box<Expr>, Vec<u8>),
    /// Letters by position; each repetition binds them afresh.
    Motif(Box<Expr>, Vec<u8>),
}

/// The parts right below an expression: once for what is read, once for what is changed.
macro_rules! children {
    ($expr:expr, $iter:ident) => {
        match $expr {
            Expr::Num(_)
            | Expr::Suit(_)
            | Expr::Color(_)
            | Expr::Bool(_)
            | Expr::Attr(_)
            | Expr::Length => Vec::new(),
            Expr::Was(_, a)
            | Expr::At(_, a)
            | Expr::Unary(_, a)
            | Expr::Over(_, a, _)
            | Expr::Since(a)
            | Expr::Run(a)
            | Expr::Runs(a)
            | Expr::Pattern(a, _)
            | Expr::Motif(a, _)
            | Expr::In(a, _)
            | Expr::After(a, _)
            | Expr::Place(a, _) => vec![a],
            Expr::Latest(a, b) | Expr::Binary(_, a, b) => vec![a, b],
            Expr::If(a, b, c) => vec![a, b, c],
            Expr::All(items) | Expr::Any(items) | Expr::Holds(items) | Expr::Cycle(items) => {
                items.$iter().collect()
            }
            Expr::Phase(parts) => {
                let inner = parts.$iter().map(|(_, part)| match part {
                    Part::Same(a) | Part::Other(a) | Part::Test(a) => a,
                });
                inner.collect()
            }
        }
    };
}

impl Expr {
    /// The parts right below.
    pub fn children(&self) -> Vec<&Expr> {
        children!(self, iter)
    }

    /// The same, to be changed.
    pub(super) fn children_mut(&mut self) -> Vec<&mut Expr> {
        children!(self, iter_mut)
    }

    /// How many levels deep it is.
    pub fn depth(&self) -> usize {
        1 + self.children().into_iter().map(Expr::depth).max().unwrap_or(0)
    }

    /// How many parts it has: the length of its description.
    pub fn size(&self) -> usize {
        let own = match self {
            Expr::In(_, list) | Expr::After(_, list) | Expr::Place(_, list) => 1 + list.len(),
            Expr::Pattern(_, letters) | Expr::Motif(_, letters) => 1 + letters.len(),
            Expr::Phase(parts) => 1 + parts.len(),
            _ => 1,
        };
        own + self.children().into_iter().map(Expr::size).sum::<usize>()
    }

    /// The constant as a number: itself, the index of the suit, 1 for red, 1 for true.
    pub fn constant(&self) -> Option<i32> {
        match self {
            Expr::Num(value) => Some(*value),
            Expr::Suit(suit) => Some(suit.index() as i32),
            Expr::Color(color) => Some(i32::from(*color == Color::Red)),
            Expr::Bool(value) => Some(i32::from(*value)),
            _ => None,
        }
    }
}
