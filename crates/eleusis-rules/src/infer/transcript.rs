//! The transcript of one line, and an interpreter that evaluates a tree at all its positions at
//! once.
//!
//! A proposed tree is evaluated node by node for the whole line; nothing is compiled. A node that
//! looks back reads the values of its child at the earlier positions of the line.

use std::iter::repeat_n;

use crate::rule::{Aggregate, Expr, Head, Op, Span, desugar};
use parlour_base::cards::Card;

/// The accepted cards in order and the rejected cards, each with the length of the line before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Transcript {
    line: Vec<Card>,
    rejected: Vec<(usize, Card)>,
}

/// The responses of a test to judged cards: bits for yes, and for yes or unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Responses {
    pub yes: u128,
    pub right: u128,
}

impl Transcript {
    /// Adds a verdict on a card; a right card extends the line.
    pub fn push(&mut self, card: Card, right: bool) {
        match right {
            true => self.line.push(card),
            false => self.rejected.push((self.line.len(), card)),
        }
    }

    /// Returns the number of verdicts.
    pub fn len(&self) -> usize {
        self.line.len() + self.rejected.len()
    }

    /// Returns the number of verdicts that a rule gets wrong, or `None` if the interpreter does not
    /// support the rule.
    pub fn errors(&self, rule: &Expr) -> Option<usize> {
        let values = self.values(rule)?;
        let (accepted, rejected) = values.split_at(self.line.len());
        let false_alarms = accepted.iter().filter(|value| **value == Some(0)).count();
        Some(false_alarms + rejected.iter().filter(|value| **value != Some(0)).count())
    }

    /// Returns a bit for each verdict, or `None` if there are more than 128.
    pub fn verdicts(&self) -> Option<u128> {
        let ones = |count: usize| if count == 0 { 0 } else { u128::MAX >> (128 - count) };
        (self.len() <= 128).then(|| ones(self.line.len()))
    }

    /// Returns the responses of a test to the judged cards.
    pub fn responses(&self, test: &Expr) -> Option<Responses> {
        let mut responses = Responses { yes: 0, right: 0 };
        for (at, value) in self.values(test)?.into_iter().enumerate().take(128) {
            responses.yes |= u128::from(value == Some(1)) << at;
            responses.right |= u128::from(value != Some(0)) << at;
        }
        Some(responses)
    }

    fn cards(&self) -> impl Iterator<Item = Card> {
        self.line.iter().copied().chain(self.rejected.iter().map(|(_, card)| *card))
    }

    fn positions(&self) -> impl Iterator<Item = usize> {
        (0..self.line.len()).chain(self.rejected.iter().map(|(position, _)| *position))
    }

    /// Evaluates a tree at every judged card. Returns `None` if it has an unsupported node.
    fn values(&self, expr: &Expr) -> Option<Vec<Option<i32>>> {
        let at_positions = |value: &dyn Fn(usize) -> Option<i32>| -> Vec<_> {
            self.positions().map(value).collect()
        };
        let parts = &expr.parts[..];
        Some(match &expr.head {
            Head::Const(constant) => vec![Some(constant.value); self.len()],
            Head::Attr(attr) => self.cards().map(|card| Some(attr.of(card))).collect(),
            Head::Length => at_positions(&|position| Some(position as i32)),
            Head::Was(back) => {
                let values = self.values(&parts[0])?;
                at_positions(&|position| values[position.checked_sub(usize::from(*back))?])
            }
            Head::At(place) => {
                let (values, index) = (self.values(&parts[0])?, usize::from(*place) - 1);
                at_positions(&|position| if index < position { values[index] } else { None })
            }
            Head::Latest => {
                let (tests, values) = (self.values(&parts[0])?, self.values(&parts[1])?);
                at_positions(&|here| values[(0..here).rev().find(|&at| tests[at] == Some(1))?])
            }
            Head::Op(Op::Otherwise | Op::Gcd) => return None,
            Head::Op(op) => {
                let operands = parts.iter().map(|part| self.values(part));
                let operands = operands.collect::<Option<Vec<_>>>()?;
                let value = |at: usize| op.apply(operands.len(), |operand| operands[operand][at]);
                (0..self.len()).map(value).collect()
            }
            Head::List(op, list) => {
                let list: Vec<i32> = list.iter().map(|item| item.value).collect();
                self.values(&parts[0])?.into_iter().map(|value| op.apply(value?, &list)).collect()
            }
            Head::Aggregate(what, Span::Line) => self.aggregate(*what, &parts[0], None)?,
            Head::Aggregate(what, Span::Last(k)) => self.aggregate(*what, &parts[0], Some(*k))?,
            Head::Phase(_) | Head::Pattern(..) => self.values(&desugar(expr))?,
            _ => return None,
        })
    }

    fn aggregate(&self, what: Aggregate, a: &Expr, window: Option<u8>) -> Option<Vec<Option<i32>>> {
        use Aggregate::{
            All, Commonest, Majority, Minority, Product, Rarest, Run, Runs, Since, Sum,
        };
        if matches!(what, Commonest | Majority | Minority | Product | Rarest) {
            return None;
        }
        let values = self.values(a)?;
        let low = values.iter().flatten().min().copied().unwrap_or_default();
        // `all` and sums without a window take unknown for 0.
        let unknown = (what == All || what == Sum && window.is_none()).then_some(0);
        let value = |(position, &played): (usize, &Option<i32>)| {
            let line = &values[..position];
            let count = match (what, line) {
                (Since, _) => line.iter().rev().position(|value| *value == Some(1)),
                (Run | Runs, []) => Some(0),
                (Run, [.., last]) => Some(line.iter().rev().take_while(|v| *v == last).count()),
                (Runs, _) => Some(1 + line.windows(2).filter(|pair| pair[0] != pair[1]).count()),
                _ => {
                    let window = window.map_or(position, usize::from);
                    let seen = line[position.saturating_sub(window)..].iter();
                    let seen = seen.map(|value| value.or(unknown));
                    let seen = seen.chain(repeat_n(None, window.saturating_sub(position)));
                    return what.of_window(seen, || played, low, 0);
                }
            };
            count.map(|count| count as i32)
        };
        Some(self.positions().zip(&values).map(value).collect())
    }
}
