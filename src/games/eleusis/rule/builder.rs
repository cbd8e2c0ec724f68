//! Registers and nodes made from a tree.

use super::core::{core, uses_past};
use super::kind::LINE_MAX;
use super::memory::Field;
use super::node::{Ctx, Node};
use super::plan::Plan;
use super::register::{Register, Source, What};
use super::{Binary, Expr, Kind, Memory, Over, RuleError, Unary, kind};

/// A plan in the making.
pub(super) struct Builder {
    pub(super) plan: Plan,
}

impl Builder {
    pub(super) fn register(
        &mut self,
        what: What,
        of: &[&Expr],
        sort: Kind,
        depth: i32,
    ) -> Result<usize, RuleError> {
        let known = self.plan.registers.iter().position(|r| {
            r.what == what && r.of.len() == of.len() && r.of.iter().zip(of).all(|(a, b)| a == *b)
        });
        if let Some(index) = known {
            let register = &mut self.plan.registers[index];
            register.depth = register.depth.max(depth);
            return Ok(index);
        }
        if sort.values() > 1 << 16 {
            return Err(RuleError::Large(format!("`{}` has too many values to remember", of[0])));
        }
        let helper = match what {
            What::At(place) => self.register(What::Length, &[], Kind::Bool, place.into())?,
            What::Run | What::Runs => self.register(What::Shift, &[of[0]], sort, 1)?,
            _ => 0,
        };
        let sources = of.iter().map(|e| self.source(e)).collect::<Result<_, _>>()?;
        let size = match what {
            What::Cycle => of.len() as i32,
            _ => sort.values() as i32,
        };
        self.plan.registers.push(Register {
            what,
            of: of.iter().map(|e| (*e).clone()).collect(),
            sources,
            field: Field::default(),
            low: sort.low(),
            size,
            depth,
            helper,
        });
        Ok(self.plan.registers.len() - 1)
    }

    pub(super) fn source(&mut self, expr: &Expr) -> Result<Source, RuleError> {
        if uses_past(expr) {
            return Ok(Source::Node(self.node(expr, &[])?));
        }
        let node = self.node(expr, &[])?;
        let mut values = Box::new([i32::MIN; 52]);
        for (card, value) in (0..).zip(values.iter_mut()) {
            let ctx = Ctx { plan: &self.plan, memory: &Memory::default(), card, slots: &[] };
            *value = node.value(&ctx).unwrap_or(i32::MIN);
        }
        Ok(Source::ByCard(values))
    }

    /// The node that works out an expression; `slots` are given from outside.
    pub(super) fn node(&mut self, expr: &Expr, slots: &[Expr]) -> Result<Node, RuleError> {
        if let Some(slot) = slots.iter().position(|s| s == expr) {
            return Ok(Node::Slot(slot));
        }
        let sort = |e: &Expr| kind(e).map_err(RuleError::Kind);
        let list = |items: &[Expr]| items.iter().filter_map(Expr::constant).collect::<Vec<_>>();
        Ok(match expr {
            Expr::Num(_) | Expr::Suit(_) | Expr::Color(_) | Expr::Bool(_) => {
                Node::Const(expr.constant())
            }
            Expr::Attr(attr) => Node::Attr(*attr),
            Expr::Length => Node::Read(self.register(What::Length, &[], Kind::Bool, LINE_MAX)?),
            Expr::Was(k, a) => {
                let k = u32::from(*k);
                Node::Shift(self.register(What::Shift, &[a], sort(a)?, k as i32)?, k)
            }
            Expr::At(k, a) => Node::Read(self.register(What::At(*k), &[a], sort(a)?, 0)?),
            Expr::Latest(p, a) => Node::Read(self.register(What::Latest, &[a, p], sort(a)?, 0)?),
            Expr::Unary(op, a) => Node::Unary(*op, self.node(a, slots)?.into()),
            Expr::Binary(Binary::Mod, a, m) => match (a.as_ref(), m.as_ref()) {
                (Expr::Length, Expr::Num(m)) if *m > 0 => {
                    let what = What::Count(Some(*m));
                    Node::Read(self.register(what, &[&Expr::Bool(true)], Kind::Bool, 0)?)
                }
                (Expr::Over(Over::Count, p, None), Expr::Num(m)) if *m > 0 => {
                    Node::Read(self.register(What::Count(Some(*m)), &[p], Kind::Bool, 0)?)
                }
                (Expr::Over(Over::Sum, a, None), Expr::Num(m)) if *m > 0 => {
                    Node::Read(self.register(What::Sum(Some(*m)), &[a], Kind::Bool, 0)?)
                }
                (a, m) => {
                    let (a, m) = (self.node(a, slots)?, self.node(m, slots)?);
                    Node::Binary(Binary::Mod, a.into(), m.into())
                }
            },
            Expr::Binary(op, a, b) => {
                Node::Binary(*op, self.node(a, slots)?.into(), self.node(b, slots)?.into())
            }
            Expr::All(items) => Node::All(self.nodes(items, slots)?),
            Expr::Any(items) => Node::Any(self.nodes(items, slots)?),
            Expr::Holds(items) => Node::Holds(self.nodes(items, slots)?),
            Expr::If(a, b, c) => {
                let mut part = |e| self.node(e, slots).map(Box::new);
                Node::If(part(a)?, part(b)?, part(c)?)
            }
            Expr::In(a, items) => Node::In(self.node(a, slots)?.into(), list(items)),
            Expr::After(a, items) => Node::After(self.node(a, slots)?.into(), list(items)),
            Expr::Place(a, items) => Node::Place(self.node(a, slots)?.into(), list(items)),
            Expr::Over(what, a, window) => self.over(*what, a, *window, slots)?,
            Expr::Since(p) => Node::Read(self.register(What::Since, &[p], Kind::Bool, 0)?),
            Expr::Run(a) => Node::Read(self.register(What::Run, &[a], sort(a)?, 0)?),
            Expr::Runs(a) => Node::Read(self.register(What::Runs, &[a], sort(a)?, 0)?),
            Expr::Cycle(items) => {
                let of: Vec<&Expr> = items.iter().collect();
                let register = self.register(What::Cycle, &of, Kind::Bool, 0)?;
                let tests = items.iter().map(|e| self.masks(e)).collect::<Result<_, _>>()?;
                Node::Cycle(register, tests)
            }
            Expr::Phase(_) | Expr::Pattern(..) | Expr::Motif(..) => {
                self.node(&core(expr), slots)?
            }
        })
    }

    pub(super) fn nodes(&mut self, items: &[Expr], slots: &[Expr]) -> Result<Vec<Node>, RuleError> {
        items.iter().map(|item| self.node(item, slots)).collect()
    }

    pub(super) fn over(
        &mut self,
        what: Over,
        a: &Expr,
        window: Option<u8>,
        slots: &[Expr],
    ) -> Result<Node, RuleError> {
        let sort = kind(a).map_err(RuleError::Kind)?;
        // All of them: none was false or unknown.
        let known = Expr::Binary(Binary::Default, a.clone().into(), Expr::Bool(false).into());
        let a = if what == Over::Every { &known } else { a };
        if let Some(window) = window {
            let register = self.register(What::Shift, &[a], sort, window.into())?;
            return Ok(match what {
                Over::Seen => Node::Seen(self.node(a, slots)?.into(), register, Some(window)),
                _ => Node::Window(what, register, window),
            });
        }
        let whole = |b: &mut Self, what| b.register(what, &[a], sort, 0);
        Ok(match what {
            Over::Count => Node::Read(whole(self, What::Count(None))?),
            Over::Sum => Node::Read(whole(self, What::Sum(None))?),
            Over::Max => Node::Read(whole(self, What::Most(true))?),
            Over::Min => Node::Read(whole(self, What::Most(false))?),
            Over::Distinct => Node::Distinct(whole(self, What::Set)?),
            Over::Seen => {
                let register = whole(self, What::Set)?;
                Node::Seen(self.node(a, slots)?.into(), register, None)
            }
            Over::Some => Node::HasValue(whole(self, What::Set)?, 1),
            Over::Every => {
                let failed = Node::HasValue(whole(self, What::Set)?, 0);
                Node::Unary(Unary::Not, failed.into())
            }
            Over::Product | Over::Majority | Over::Minority => {
                return Err(RuleError::Kind("a window is missing".to_owned()));
            }
        })
    }
}
