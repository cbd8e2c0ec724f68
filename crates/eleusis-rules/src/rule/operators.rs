//! Operators and aggregates: one table each for their words and signatures, and how they are
//! evaluated.
//!
//! Values are whole numbers: 1 for yes, 0 for no, the index of a suit, 1 for red. `None` is
//! unknown.

use itertools::Itertools;
use strum::{EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};

/// Binding strengths. An operand that binds more weakly than its position requires is
/// parenthesised. `if` and `phase` bind as `WHOLE`.
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
/// Binding strength of function calls and single words.
pub(super) const PRIMARY: u8 = 10;

/// Returns the usual form of a word that may be a synonym.
pub(super) fn canonical<'a>(word: &'a str, synonyms: &[(&'a str, &'a str)]) -> &'a str {
    synonyms.iter().find(|(synonym, _)| *synonym == word).map_or(word, |(_, usual)| usual)
}

/// Operand and result kinds of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signature {
    /// Tests to a test.
    Logic,
    /// Tests to the number of those that hold.
    Tally,
    /// Numbers to a number.
    Arithmetic,
    /// Numbers to a test.
    Predicate,
    /// Two values of one kind to a test.
    Equality,
    /// Two values of one kind to a value of that kind.
    Same,
    /// A test and two values of one kind to a value of that kind.
    Choice,
}

/// A row of the operator table.
pub(super) struct OpSpec {
    /// The word that is printed between the operands or before the parentheses.
    pub word: &'static str,
    /// [`PRIMARY`] for operators that are written as functions.
    pub binding: u8,
    /// Number of operands; `None` for any number.
    pub arity: Option<usize>,
    pub signature: Signature,
}

/// Defines the operators, one row each: the fields of [`OpSpec`], and the value for known operands.
/// Operators without a value here read unknown operands or all cards, and are evaluated apart.
macro_rules! operators {
    ($($(#[$doc:meta])* $op:ident: $word:literal, $binding:expr, $arity:expr, $signature:ident,
       $operands:pat => $value:expr;)*) => {
        /// An operator: combines values at the same position.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EnumIter)]
        pub enum Op { $($(#[$doc])* $op,)* }

        impl Op {
            pub(super) fn spec(self) -> OpSpec {
                let (word, binding, arity, signature) = match self {
                    $(Op::$op => ($word, $binding, $arity, Signature::$signature),)*
                };
                OpSpec { word, binding, arity, signature }
            }

            /// Returns the value for known operands.
            #[inline]
            fn of_known(self, operands: (i32, i32)) -> Option<i32> {
                Some(match (self, operands) { $((Op::$op, $operands) => $value,)* })
            }
        }
    };
}

operators! {
    /// `not x`
    Not: "not", NOT, Some(1), Logic, (a, _) => 1 - a;
    /// `-x`
    Neg: "-", SIGN, Some(1), Arithmetic, (a, _) => -a;
    /// `abs(x)`
    Abs: "abs", PRIMARY, Some(1), Arithmetic, (a, _) => a.abs();
    /// `even(x)`
    Even: "even", PRIMARY, Some(1), Predicate, (a, _) => (a.rem_euclid(2) == 0).into();
    /// `odd(x)`
    Odd: "odd", PRIMARY, Some(1), Predicate, (a, _) => (a.rem_euclid(2) == 1).into();
    /// `prime(x)`
    Prime: "prime", PRIMARY, Some(1), Predicate, (a, _) => is_prime(a).into();
    /// `a + b`
    Add: "+", SUM, Some(2), Arithmetic, (a, b) => a + b;
    /// `a - b`
    Sub: "-", SUM, Some(2), Arithmetic, (a, b) => a - b;
    /// `a * b`
    Mul: "*", PRODUCT, Some(2), Arithmetic, (a, b) => a * b;
    /// `a / b`, rounded so that the remainder is not negative
    Div: "/", PRODUCT, Some(2), Arithmetic, (a, b) => a.checked_div_euclid(b)?;
    /// `a mod b`, never negative
    Mod: "mod", PRODUCT, Some(2), Arithmetic, (a, b) => a.checked_rem_euclid(b)?;
    /// `larger(a, b)`
    Larger: "larger", PRIMARY, Some(2), Arithmetic, (a, b) => a.max(b);
    /// `smaller(a, b)`
    Smaller: "smaller", PRIMARY, Some(2), Arithmetic, (a, b) => a.min(b);
    /// `gcd(a, b)`: the greatest common divisor
    Gcd: "gcd", PRIMARY, Some(2), Arithmetic, (a, b) => gcd(a, b);
    /// `a == b`
    Eq: "==", COMPARISON, Some(2), Equality, (a, b) => (a == b).into();
    /// `a != b`
    Ne: "!=", COMPARISON, Some(2), Equality, (a, b) => (a != b).into();
    /// `a < b`
    Lt: "<", COMPARISON, Some(2), Predicate, (a, b) => (a < b).into();
    /// `a <= b`
    Le: "<=", COMPARISON, Some(2), Predicate, (a, b) => (a <= b).into();
    /// `a > b`
    Gt: ">", COMPARISON, Some(2), Predicate, (a, b) => (a > b).into();
    /// `a >= b`
    Ge: ">=", COMPARISON, Some(2), Predicate, (a, b) => (a >= b).into();
    /// `a xor b`
    Xor: "xor", XOR, Some(2), Logic, (a, b) => a ^ b;
    /// `a ?? b`: `b` where `a` is unknown
    Default: "??", DEFAULT, Some(2), Same, _ => return None;
    /// `a otherwise b`: `a`, or `b` if `a` accepts none of the 52 cards
    Otherwise: "otherwise", DEFAULT, Some(2), Logic, _ => return None;
    /// `if a then b else c`
    If: "if", WHOLE, Some(3), Choice, _ => return None;
    /// `a and b and …`
    And: "and", AND, None, Logic, _ => return None;
    /// `a or b or …`
    Or: "or", OR, None, Logic, _ => return None;
    /// `holds(a, b, …)`: the number of tests that hold.
    Holds: "holds", PRIMARY, None, Tally, _ => return None;
}

impl Op {
    /// Returns `true` if the operator is written between its operands.
    pub(super) fn is_infix(self) -> bool {
        let OpSpec { binding, arity, .. } = self.spec();
        arity != Some(1) && !matches!(binding, WHOLE | PRIMARY)
    }

    /// Returns `true` if the operator combines tests and can be evaluated for all cards at once.
    pub(super) fn is_connective(self) -> bool {
        matches!(self.spec().signature, Signature::Logic | Signature::Same | Signature::Choice)
    }

    /// Finds the operator that is written as a function with a word.
    pub(super) fn function(word: &str) -> Option<Op> {
        Op::functions().find(|op| op.spec().word == word)
    }

    /// Iterates over the operators that are written as functions.
    pub(super) fn functions() -> impl Iterator<Item = Op> {
        Op::iter().filter(|op| op.spec().binding == PRIMARY)
    }

    /// Finds the infix operator with a word; `|`, `&` and `%` are aliases.
    pub(super) fn infix(word: &str) -> Option<Op> {
        let word = canonical(word, &[("|", "or"), ("&", "and"), ("%", "mod")]);
        Op::iter().find(|op| op.is_infix() && op.spec().word == word)
    }

    /// Evaluates the operator. `operand` returns the value of one of the `count` operands.
    #[inline]
    pub(crate) fn apply(self, count: usize, operand: impl Fn(usize) -> Option<i32>) -> Option<i32> {
        match self {
            Op::And => connective(count, operand, 0),
            Op::Or => connective(count, operand, 1),
            Op::Holds => (0..count).map(operand).sum(),
            Op::Default => operand(0).or_else(|| operand(1)),
            Op::If => match operand(0) {
                Some(0) => operand(2),
                Some(_) => operand(1),
                None => operand(1).filter(|value| operand(2) == Some(*value)),
            },
            _ => self.of_known((operand(0)?, if count > 1 { operand(1)? } else { 0 })),
        }
    }
}

/// `and` and `or` in three-valued logic: `decisive` if any operand has that value.
#[inline]
fn connective(count: usize, operand: impl Fn(usize) -> Option<i32>, decisive: i32) -> Option<i32> {
    let mut is_known = true;
    for index in 0..count {
        match operand(index) {
            Some(value) if value == decisive => return Some(decisive),
            Some(_) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(1 - decisive)
}

fn gcd(a: i32, b: i32) -> i32 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn is_prime(a: i32) -> bool {
    a >= 2 && (2..).take_while(|d| i64::from(*d) * i64::from(*d) <= a.into()).all(|d| a % d != 0)
}

/// An aggregate of the values at the accepted cards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Aggregate {
    /// Number of cards that satisfy the test.
    Count,
    /// `true` if any card satisfies the test.
    Any,
    /// `true` if all cards satisfy the test.
    All,
    /// Sum.
    Sum,
    /// Product.
    Product,
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
    /// Most frequent value.
    Majority,
    /// Least frequent value among those that occur; for two-valued expressions, among both.
    Minority,
    /// Number of different values.
    Distinct,
    /// `true` if the value of the played card occurs.
    Seen,
    /// Number of occurrences of the value of the played card.
    Times,
    /// `true` if no value occurs more often than the value of the played card.
    Commonest,
    /// `true` if no possible value occurs less often than the value of the played card.
    Rarest,
    /// Number of cards after the latest one that satisfied the test; never has a window.
    Since,
    /// Length of the run of equal values at the end of the line; never has a window.
    Run,
    /// Number of runs of equal values in the line; never has a window.
    Runs,
}

impl Aggregate {
    /// Returns `true` if the aggregate can be restricted to the last few cards.
    pub fn can_have_window(self) -> bool {
        !matches!(self, Aggregate::Since | Aggregate::Run | Aggregate::Runs)
    }

    /// Returns `true` if the aggregate reads the value of the played card.
    pub(super) fn reads_card(self) -> bool {
        use Aggregate::{Commonest, Rarest, Seen, Times};
        matches!(self, Seen | Times | Commonest | Rarest)
    }

    /// Evaluates the aggregate over the values in a window. `None` stands for unknown values and
    /// for positions before the start of the line. `played` returns the value of the played card,
    /// and `low` and `size` give the range of all values.
    pub(crate) fn of_window(
        self,
        values: impl Iterator<Item = Option<i32>> + Clone,
        played: impl FnOnce() -> Option<i32>,
        low: i32,
        size: i32,
    ) -> Option<i32> {
        let known = || values.clone().flatten();
        let occurrences = |value: i32| known().filter(|v| *v == value).count();
        match self {
            Aggregate::Count => Some(occurrences(1) as i32),
            Aggregate::Any => Some((occurrences(1) > 0).into()),
            Aggregate::All => Some(known().all(|v| v == 1).into()),
            Aggregate::Sum => values.sum(),
            Aggregate::Product => values.product(),
            Aggregate::Max => known().max(),
            Aggregate::Min => known().min(),
            Aggregate::Majority | Aggregate::Minority => {
                let mut counts = [0u8; 64];
                for value in known() {
                    counts[(value - low) as usize & 63] += 1;
                }
                let candidates = counts.iter().zip(low..low + size);
                let candidates = candidates.filter(|(count, _)| **count > 0 || size == 2);
                let all = candidates.clone().map(|(count, _)| count);
                let best = if self == Aggregate::Majority { all.max() } else { all.min() };
                let winner = candidates.filter(|(count, _)| Some(*count) == best).exactly_one();
                winner.ok().map(|(_, value)| value)
            }
            Aggregate::Distinct => {
                let set = known().fold(0u64, |set, v| set | 1 << (v - low));
                Some(set.count_ones() as i32)
            }
            Aggregate::Seen => {
                let played = played()?;
                known().map(|value| (value == played).into()).max()
            }
            Aggregate::Times => Some(occurrences(played()?) as i32),
            Aggregate::Commonest | Aggregate::Rarest => {
                let place = (played()? - low).clamp(0, size - 1);
                self.ranks((low..low + size).map(|value| occurrences(value) as u64), place as usize)
            }
            Aggregate::Since | Aggregate::Run | Aggregate::Runs => None,
        }
    }

    /// For `commonest` and `rarest`: checks that no count is above, or below, the one at `own`.
    pub(super) fn ranks(
        self,
        counts: impl Iterator<Item = u64> + Clone,
        own: usize,
    ) -> Option<i32> {
        let own = counts.clone().nth(own)?;
        let best = if self == Aggregate::Commonest { counts.max() } else { counts.min() };
        Some((best == Some(own)).into())
    }
}

/// An operation on a value and a list of constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ListOp {
    /// `true` if the value is in the list.
    In,
    /// The constant after the value in cyclic order; unknown if the value is not in the list.
    After,
    /// The position of the value, from 0; unknown if the value is not in the list.
    Place,
}

impl ListOp {
    /// Evaluates the operation on a known value.
    #[inline]
    pub(crate) fn apply(self, value: i32, list: &[i32]) -> Option<i32> {
        let place = list.iter().position(|item| *item == value);
        match self {
            ListOp::In => Some(place.is_some().into()),
            ListOp::After => place.map(|place| list[(place + 1) % list.len()]),
            ListOp::Place => place.map(|place| place as i32),
        }
    }
}
