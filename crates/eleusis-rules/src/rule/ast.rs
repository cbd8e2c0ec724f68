//! The syntax tree of a rule.

use smallvec::SmallVec;

use crate::cards::{Card, Suit};

/// A colour of a card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// Spades and clubs.
    Black,
    /// Hearts and diamonds.
    Red,
}

/// Something to be read off one card: its place in the list of attributes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Attr(u8);

/// An attribute's word in a rule, and its value for a rank (A = 1 to K = 13) and a suit.
type Attribute = (&'static str, fn(u8, Suit) -> i32);

const ATTRIBUTES: [Attribute; 17] = [
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
    /// A = 1 to K = 13.
    pub const RANK: Attr = Attr(0);
    /// The suit.
    pub const SUIT: Attr = Attr(1);
    /// The colour.
    pub const COLOR: Attr = Attr(2);
    /// Whether it is a heart or a diamond.
    pub const RED: Attr = Attr(3);
    /// Whether it is a spade or a club.
    pub const BLACK: Attr = Attr(4);

    /// Every attribute; from the fourth on they are tests.
    pub fn all() -> impl Iterator<Item = Attr> {
        (0..ATTRIBUTES.len() as u8).map(Attr)
    }

    /// Its word in a rule.
    pub fn word(self) -> &'static str {
        ATTRIBUTES[usize::from(self.0)].0
    }

    /// Its value for a card: the rank, the index of the suit, 1 for red, or 1 for yes.
    pub fn of(self, card: Card) -> i32 {
        ATTRIBUTES[usize::from(self.0)].1(card.rank(), card.suit())
    }
}

/// What is made of other values at the same place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
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
    /// `gcd(a, b)`: the greatest common divisor
    Gcd,
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
    /// `a otherwise b`: `a`; where that leaves none of the 52 cards right, `b`
    Otherwise,
    /// `if a then b else c`
    If,
    /// `a and b and …`
    And,
    /// `a or b or …`
    Or,
    /// `holds(a, b, …)`: how many of the tests hold.
    Holds,
}

impl Op {
    /// How many parts it has; none for any number.
    pub fn arity(self) -> Option<usize> {
        match self {
            Op::Not | Op::Neg | Op::Abs | Op::Even | Op::Odd | Op::Prime => Some(1),
            Op::If => Some(3),
            Op::And | Op::Or | Op::Holds => None,
            _ => Some(2),
        }
    }
}

/// What a value is to a list of constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Listed {
    /// Whether it is one of them.
    In,
    /// The one that follows it in the cyclic order; unknown if it is not in it.
    After,
    /// Its place in the order, from 0; unknown if it is not in it.
    Place,
}

/// How letters bind values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Letters {
    /// A letter keeps its value for the whole line.
    Pattern,
    /// Each repetition binds the letters afresh.
    Motif,
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
    /// How often the value of the card played occurs among them.
    Times,
    /// Whether no value occurs among them more often than that of the card played.
    Commonest,
    /// Whether no value that there may be occurs less often than that of the card played.
    Rarest,
    /// How many cards came after the latest one that satisfied the test; never has a window.
    Since,
    /// The length of the run of equal values that the line ends with; never has a window.
    Run,
    /// How many runs of equal values the line has; never has a window.
    Runs,
}

impl Over {
    /// Whether it can be made of the last few cards only.
    pub fn may_have_window(self) -> bool {
        !matches!(self, Over::Since | Over::Run | Over::Runs)
    }

    /// Whether it speaks of the value of the card played.
    pub(super) fn reads_card(self) -> bool {
        matches!(self, Over::Seen | Over::Times | Over::Commonest | Over::Rarest)
    }
}

/// What a part of a phase asks of its expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// The value of the first card of the line.
    Same,
    /// Another value than that of the first card.
    Other,
    /// To hold.
    Test,
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
    /// The value at the place of the card that is judged, wherever in the rule it stands.
    This(Box<Expr>),
    /// The value (second) as if of the cards before this place only those had been accepted for
    /// which the test (first) holds.
    Among(Box<Expr>, Box<Expr>),
    /// Something made of other values at this place.
    Op(Op, Vec<Expr>),
    /// What the value is to a list of constants.
    Listed(Listed, Box<Expr>, Vec<Expr>),
    /// Something made of the values at the last so many cards, or at all before this place.
    Over(Over, Box<Expr>, Option<u8>),
    /// Something made of the values (first) after the latest place before this one where the test
    /// (second) holds; of all, while there is none.
    OverSince(Over, Box<Expr>, Box<Expr>),
    /// Parts by position, each for so many cards, over and over.
    Phase(Vec<(u8, Part, Expr)>),
    /// Tests in cyclic order, from whichever start fits the line.
    Cycle(Vec<Expr>),
    /// Letters by position, over and over.
    Letters(Letters, Box<Expr>, Vec<u8>),
}

/// The parts right below an expression: once for what is read, once for what is changed.
macro_rules! children {
    ($expr:expr, $iter:ident, $part:ty) => {{
        let mut parts = Parts::<$part>::new();
        match $expr {
            Expr::Was(_, a)
            | Expr::At(_, a)
            | Expr::This(a)
            | Expr::Listed(_, a, _)
            | Expr::Over(_, a, _)
            | Expr::Letters(_, a, _) => parts.push(a),
            Expr::Latest(a, b) | Expr::Among(a, b) | Expr::OverSince(_, a, b) => {
                parts.push(a);
                parts.push(b);
            }
            Expr::Op(_, items) | Expr::Cycle(items) => parts.extend(items.$iter()),
            Expr::Phase(inner) => parts.extend(inner.$iter().map(|(_, _, inner)| inner)),
            _ => {}
        }
        parts
    }};
}

/// The parts of an expression; hardly any has more than three.
type Parts<T> = SmallVec<[T; 3]>;

impl Expr {
    /// The parts right below.
    pub fn children(&self) -> Parts<&Expr> {
        children!(self, iter, &Expr)
    }

    /// The same, to be changed.
    pub fn children_mut(&mut self) -> Parts<&mut Expr> {
        children!(self, iter_mut, &mut Expr)
    }

    /// The node alone: `n` stands for each of its parts.
    pub fn alone(&self) -> Expr {
        let any = || Box::new(Expr::Length);
        match self {
            Expr::Was(back, _) => Expr::Was(*back, any()),
            Expr::At(place, _) => Expr::At(*place, any()),
            Expr::Latest(..) => Expr::Latest(any(), any()),
            Expr::This(_) => Expr::This(any()),
            Expr::Among(..) => Expr::Among(any(), any()),
            Expr::Op(op, items) => Expr::Op(*op, vec![Expr::Length; items.len()]),
            Expr::Listed(what, _, list) => Expr::Listed(*what, any(), list.clone()),
            Expr::Over(over, _, window) => Expr::Over(*over, any(), *window),
            Expr::OverSince(over, ..) => Expr::OverSince(*over, any(), any()),
            Expr::Phase(parts) => {
                let alone = parts.iter().map(|(cards, part, _)| (*cards, *part, Expr::Length));
                Expr::Phase(alone.collect())
            }
            Expr::Cycle(tests) => Expr::Cycle(vec![Expr::Length; tests.len()]),
            Expr::Letters(letters, _, order) => Expr::Letters(*letters, any(), order.clone()),
            leaf => leaf.clone(),
        }
    }

    /// How many parts it has: the length of its description.
    pub fn size(&self) -> usize {
        let own = match self {
            Expr::Listed(_, _, list) => 1 + list.len(),
            Expr::Letters(_, _, letters) => 1 + letters.len(),
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
