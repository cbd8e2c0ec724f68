//! What was judged in one line, and what an expression says of all of it at once.
//!
//! A tree that was only just thought of is judged by working out its values at all places together,
//! node by node: nothing is compiled. What looks back at a place reads the values of the line before it.

use crate::Expr;
use crate::cards::Card;
use crate::rule::{Letters, Listed, Op, Over, desugared};

/// Unknown.
const UNKNOWN: i32 = i32::MIN;

/// No value is above this.
const MOST: i64 = 1 << 30;

/// The cards of the line in order, then the wrong ones, each with how many cards came before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Scene {
    line: Vec<Card>,
    wrong: Vec<(usize, Card)>,
}

impl Scene {
    /// A card was judged after the line; a right one is on it now.
    pub fn judged(&mut self, card: Card, right: bool) {
        match right {
            true => self.line.push(card),
            false => self.wrong.push((self.line.len(), card)),
        }
    }

    /// How many cards were judged.
    pub fn len(&self) -> usize {
        self.line.len() + self.wrong.len()
    }

    /// How many verdicts a rule gets wrong; none where the tree has something that is not worked out
    /// here.
    pub fn errors(&self, rule: &Expr) -> Option<usize> {
        let values = self.values(rule)?;
        let (right, wrong) = values.split_at(self.line.len());
        let rejected = right.iter().filter(|value| **value == 0).count();
        Some(rejected + wrong.iter().filter(|value| **value != 0).count())
    }

    /// A bit for each verdict; none where there are too many.
    pub fn verdicts(&self) -> Option<u128> {
        let right = |count: usize| if count == 0 { 0 } else { u128::MAX >> (128 - count) };
        (self.len() <= 128).then(|| right(self.line.len()))
    }

    /// A bit for each judged card to which a test says yes, and that is right under it.
    pub fn said(&self, test: &Expr) -> Option<(u128, u128)> {
        let values = self.values(test)?;
        let (mut yes, mut right) = (0, 0);
        for (at, value) in values.into_iter().enumerate().take(128) {
            yes |= u128::from(value == 1) << at;
            right |= u128::from(value != 0) << at;
        }
        Some((yes, right))
    }

    fn cards(&self) -> impl Iterator<Item = Card> {
        self.line.iter().copied().chain(self.wrong.iter().map(|(_, card)| *card))
    }

    fn places(&self) -> impl Iterator<Item = usize> {
        (0..self.line.len()).chain(self.wrong.iter().map(|(place, _)| *place))
    }

    /// For each judged card something of the values before it, and its own.
    fn by_place(&self, values: &[i32], of: impl Fn(&[i32], i32) -> i32) -> Vec<i32> {
        self.places().zip(values).map(|(place, here)| of(&values[..place], *here)).collect()
    }

    /// The value at every judged card.
    fn values(&self, expr: &Expr) -> Option<Vec<i32>> {
        let all = |value: i32| vec![value; self.len()];
        Some(match expr {
            Expr::Num(_) | Expr::Suit(_) | Expr::Color(_) | Expr::Bool(_) => all(expr.constant()?),
            Expr::Attr(attr) => self.cards().map(|card| attr.of(card)).collect(),
            Expr::Length => self.places().map(|place| place as i32).collect(),
            Expr::Was(back, a) => {
                let back = usize::from(*back);
                self.by_place(&self.values(a)?, |before, _| {
                    before.len().checked_sub(back).map_or(UNKNOWN, |place| before[place])
                })
            }
            Expr::At(place, a) => self.by_place(&self.values(a)?, |before, _| {
                before.get(usize::from(*place) - 1).copied().unwrap_or(UNKNOWN)
            }),
            Expr::Latest(test, a) => {
                let (tests, values) = (self.values(test)?, self.values(a)?);
                let latest = |place: usize| (0..place).rev().find(|&at| tests[at] == 1);
                self.places().map(|place| latest(place).map_or(UNKNOWN, |at| values[at])).collect()
            }
            Expr::Op(op, items) => {
                let parts =
                    items.iter().map(|item| self.values(item)).collect::<Option<Vec<_>>>()?;
                self.operation(*op, &parts)?
            }
            Expr::Listed(what, a, list) => {
                let list: Vec<i32> = list.iter().filter_map(Expr::constant).collect();
                let mut values = self.values(a)?;
                values.iter_mut().filter(|value| **value != UNKNOWN).for_each(|value| {
                    let place = list.iter().position(|item| item == value);
                    *value = match (what, place) {
                        (Listed::In, place) => place.is_some().into(),
                        (_, None) => UNKNOWN,
                        (Listed::After, Some(place)) => list[(place + 1) % list.len()],
                        (Listed::Place, Some(place)) => place as i32,
                    };
                });
                values
            }
            Expr::Over(over, a, window) => self.over(*over, a, *window)?,
            Expr::Phase(_) | Expr::Letters(Letters::Pattern | Letters::Motif, ..) => {
                self.values(&desugared(expr))?
            }
            _ => return None,
        })
    }

    fn operation(&self, op: Op, parts: &[Vec<i32>]) -> Option<Vec<i32>> {
        let mut values = Vec::with_capacity(self.len());
        for at in 0..self.len() {
            values.push(worked_out(
                op,
                |part| parts.get(part).map(|values| values[at]),
                parts.len(),
            )?);
        }
        Some(values)
    }

    fn over(&self, over: Over, a: &Expr, window: Option<u8>) -> Option<Vec<i32>> {
        let values = self.values(a)?;
        let of = |before: &[i32], here: i32| {
            let seen = match window {
                Some(window) => &before[before.len().saturating_sub(window.into())..],
                None => before,
            };
            let known = || seen.iter().copied().filter(|value| *value != UNKNOWN);
            let count = |value: i32| known().filter(|known| *known == value).count() as i32;
            let fewer = window.is_some_and(|window| before.len() < usize::from(window));
            match over {
                Over::Count => count(1),
                Over::Some => i32::from(count(1) > 0),
                Over::Every => i32::from(seen.iter().all(|value| *value == 1)),
                Over::Sum if window.is_some() && (fewer || known().count() < seen.len()) => UNKNOWN,
                Over::Sum => known().sum(),
                Over::Max => known().max().unwrap_or(UNKNOWN),
                Over::Min => known().min().unwrap_or(UNKNOWN),
                Over::Distinct => {
                    let mut known: Vec<i32> = known().collect();
                    known.sort_unstable();
                    known.dedup();
                    known.len() as i32
                }
                Over::Seen if here == UNKNOWN || known().next().is_none() => UNKNOWN,
                Over::Seen => i32::from(count(here) > 0),
                Over::Times if here == UNKNOWN => UNKNOWN,
                Over::Times => count(here),
                Over::Since => {
                    let back = before.iter().rev().position(|value| *value == 1);
                    back.map_or(UNKNOWN, |back| back as i32)
                }
                Over::Run => before.last().map_or(0, |last| {
                    before.iter().rev().take_while(|value| *value == last).count() as i32
                }),
                Over::Runs if before.is_empty() => 0,
                Over::Runs => {
                    1 + before.windows(2).filter(|pair| pair[0] != pair[1]).count() as i32
                }
                _ => UNKNOWN,
            }
        };
        use Over::{Commonest, Majority, Minority, Product, Rarest};
        let here = !matches!(over, Commonest | Majority | Minority | Product | Rarest);
        here.then(|| self.by_place(&values, of))
    }
}

/// An operation on values that may be unknown; none where it is not worked out here.
fn worked_out(op: Op, part: impl Fn(usize) -> Option<i32>, parts: usize) -> Option<i32> {
    let of = |place: usize| part(place).unwrap_or(UNKNOWN);
    let connected = |decisive: i32| {
        let mut value = 1 - decisive;
        for place in 0..parts {
            match of(place) {
                known if known == decisive => return decisive,
                UNKNOWN => value = UNKNOWN,
                _ => {}
            }
        }
        value
    };
    match op {
        Op::And => return Some(connected(0)),
        Op::Or => return Some(connected(1)),
        Op::Default => return Some(if of(0) == UNKNOWN { of(1) } else { of(0) }),
        Op::If => {
            return Some(match of(0) {
                UNKNOWN if of(1) == of(2) => of(1),
                UNKNOWN => UNKNOWN,
                0 => of(2),
                _ => of(1),
            });
        }
        Op::Otherwise => return None,
        _ => {}
    }
    if (0..parts).any(|place| of(place) == UNKNOWN) {
        return Some(UNKNOWN);
    }
    if op == Op::Holds {
        return Some((0..parts).map(of).sum());
    }
    let (a, b) = (i64::from(of(0)), i64::from(part(1).unwrap_or(0)));
    let value = match op {
        Op::Not => 1 - a,
        Op::Neg => -a,
        Op::Abs => a.abs(),
        Op::Even => (a.rem_euclid(2) == 0).into(),
        Op::Odd => (a.rem_euclid(2) == 1).into(),
        Op::Prime => (a >= 2 && (2..a).take_while(|d| d * d <= a).all(|d| a % d != 0)).into(),
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a.checked_div_euclid(b)?,
        Op::Mod => a.checked_rem_euclid(b)?,
        Op::Larger => a.max(b),
        Op::Smaller => a.min(b),
        Op::Eq => (a == b).into(),
        Op::Ne => (a != b).into(),
        Op::Lt => (a < b).into(),
        Op::Le => (a <= b).into(),
        Op::Gt => (a > b).into(),
        Op::Ge => (a >= b).into(),
        Op::Xor => a ^ b,
        _ => return None,
    };
    (value.abs() < MOST).then_some(value as i32)
}
