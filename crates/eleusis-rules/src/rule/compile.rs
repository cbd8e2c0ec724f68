//! Rules, and their compilation from trees.
//!
//! Everything that looks back becomes a *register*: a few bits of the [`Memory`] that are updated
//! card by card. A test that reads only the card always has the same verdicts. A test that also
//! reads a few small values of the past becomes a table of verdicts with a row for each combination
//! of them. Connectives combine the verdicts on all cards at once; everything else is evaluated
//! card by card.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::desugar::{Inputs, desugar, expand_this, inputs};
use super::expr::{Attr, Constant, Expr, Head, Sort, Span};
use super::kind::{LINE_MAX, Result, RuleError, kind};
use super::memory::{Codes, Field, Memory};
use super::operators::{Aggregate, Op};
use super::parser::parse;
use super::plan::{EvalContext, Node, Plan, Register, RegisterKey, RegisterKind};
use super::verdicts::Verdicts;
use parlour_base::cards::{Card, CardSet};

/// A compiled rule. Clones share the compiled form.
#[derive(Clone)]
pub struct Rule(Arc<Plan>);

impl Rule {
    /// Compiles a tree.
    ///
    /// # Errors
    /// If the kinds of its parts do not match, it is not a test, or it needs too much memory or work.
    pub fn new(expr: Expr) -> Result<Rule> {
        let sort = kind(&expr)?.sort;
        if sort != Sort::Test {
            return Err(RuleError(format!("`{expr}` is {}; a rule is a test", sort.word())));
        }
        let core = desugar(&expand_this(&expr)?);
        let (registers, root, classes) = (Vec::new(), Node::Const(None), classes(&core));
        let plan = Plan { expr, registers, root, classes };
        let mut compiler = Compiler { plan, slots: Vec::new(), within: Vec::new() };
        let root = compiler.verdicts(&core)?;
        let mut plan = Plan { root, ..compiler.plan };
        let widths: Vec<u32> = plan.registers.iter().map(Register::width).collect();
        if let Some((register, width)) = plan.registers.iter().zip(&widths).find(|(_, w)| **w > 64)
        {
            return Err(RuleError(format!(
                "looking back {} cards on `{}` is too far: {width} bits of memory, at most 64",
                register.depth, register.key.of[0]
            )));
        }
        let fields = Field::allocate(&widths).ok_or_else(|| {
            RuleError("the rule must remember too much: more than 512 bits".to_owned())
        })?;
        plan.registers.iter_mut().zip(fields).for_each(|(register, field)| register.field = field);
        let rule = Rule(Arc::new(plan));
        let (judging, accepting) = rule.work();
        let work = judging + accepting;
        if work > MAX_WORK {
            return Err(RuleError(format!(
                "the rule takes {work} steps to judge the 52 cards, and at most {MAX_WORK} are allowed; shorten it"
            )));
        }
        Ok(rule)
    }

    /// Returns the tree.
    pub fn expr(&self) -> &Expr {
        &self.0.expr
    }

    /// Returns the cards that are right after the line with this memory.
    pub fn right(&self, memory: &Memory) -> CardSet {
        CardSet(self.verdicts(memory).right)
    }

    /// Returns the verdicts on all cards; unknown is right.
    pub fn verdicts(&self, memory: &Memory) -> Verdicts {
        self.0.root.verdicts(&self.0.context(memory, 0))
    }

    /// Returns the memory after one more accepted card. The memory of the empty line is the
    /// default.
    pub fn step(&self, memory: &Memory, card: Card) -> Memory {
        let ctx = self.0.context(memory, card.index());
        let mut next = *memory;
        for register in &self.0.registers {
            register.field.set(&mut next, register.updated(&ctx));
        }
        next
    }

    /// Returns the memory after a line of cards.
    pub fn after(&self, line: &[Card]) -> Memory {
        line.iter().fold(Memory::default(), |memory, &card| self.step(&memory, card))
    }

    /// Returns the memory after these cards if each is right in turn.
    pub fn accepts(&self, memory: &Memory, cards: &[Card]) -> Option<Memory> {
        cards.iter().try_fold(*memory, |memory, &card| {
            self.right(&memory).has(card).then(|| self.step(&memory, card))
        })
    }

    /// Returns the work, in evaluated nodes at most, to judge all cards and to accept one.
    pub(super) fn work(&self) -> (u64, u64) {
        let plan = &*self.0;
        let accepting = plan.registers.iter().map(|register| register.work(plan)).sum();
        (plan.root.work_of_all(plan), accepting)
    }

    /// Returns the classes of cards that the rule always treats alike.
    pub fn classes(&self) -> &[CardSet] {
        &self.0.classes
    }

    /// Returns the registers with their depths. Two rules with equal registers have the same memory
    /// after every line.
    pub(crate) fn registers(&self) -> Vec<(RegisterKey, i32)> {
        let registers = self.0.registers.iter();
        registers.map(|register| (register.key.clone(), register.depth)).collect()
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.expr() == other.expr()
    }
}

impl Eq for Rule {}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expr().fmt(f)
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Rule> {
        Rule::new(parse(text)?)
    }
}

parlour_base::files::text::as_text!(Rule, ".+");

/// Maximum work to judge all cards and accept one. Checking that a rule can be played evaluates it
/// in many situations and must take less than a second.
const MAX_WORK: u64 = 6_000;

/// Maximum number of rows of a table of verdicts.
const MAX_ROWS: usize = 1024;
/// Maximum number of rows of a table for a connective as a whole.
const MAX_CONNECTIVE_ROWS: usize = 64;

/// A plan under construction.
struct Compiler {
    plan: Plan,
    /// Expressions whose values come from [`EvalContext::slots`].
    slots: Vec<Expr>,
    /// The tests of the enclosing `among`, from outside in.
    within: Vec<Expr>,
}

impl Compiler {
    /// Returns the register for these expressions, which is created if necessary. `depth` is its
    /// minimum depth.
    fn register(&mut self, kind: RegisterKind, of: &[Expr], depth: i32) -> Result<usize> {
        let key = RegisterKey { kind, of: of.to_vec(), within: self.within.clone() };
        let registers = &mut self.plan.registers;
        if let Some(index) = registers.iter().position(|register| register.key == key) {
            registers[index].depth = registers[index].depth.max(depth);
            return Ok(index);
        }
        let (low, values) = match (kind, of) {
            // A remainder is small, whatever its argument.
            (RegisterKind::Of(Aggregate::Sum, Some(_)), _) | (_, []) => (0, 2),
            (_, [of, ..]) => {
                let kind = super::kind(of)?;
                (kind.low, kind.values())
            }
        };
        if values > 1 << 16 {
            return Err(RuleError(format!("`{}` has too many values to remember", of[0])));
        }
        let helper = match kind {
            RegisterKind::At(place) => self.register(RegisterKind::Length, &[], place.into())?,
            RegisterKind::Of(Aggregate::Run | Aggregate::Runs, _) => {
                self.register(RegisterKind::Shift, &of[..1], 1)?
            }
            _ => 0,
        };
        let sources = of.iter().map(|e| self.source(e)).collect::<Result<_, _>>()?;
        let mut filters = Vec::new();
        // Each test of the enclosing `among` reads the cards that satisfy those before it.
        for (index, test) in key.within.iter().enumerate() {
            self.within.truncate(index);
            filters.push(self.source(test)?);
            self.within.push(test.clone());
        }
        let size = if kind == RegisterKind::Cycle { of.len() } else { values } as i32;
        let (field, codes) = (Field::default(), Codes { low, size });
        self.plan.registers.push(Register { key, field, codes, sources, filters, depth, helper });
        Ok(self.plan.registers.len() - 1)
    }

    /// Compiles the input of a register.
    fn source(&mut self, expr: &Expr) -> Result<Node> {
        let node = self.node(expr)?;
        if inputs(expr).past {
            return Ok(node);
        }
        let value = |card| node.value(&self.plan.context(&Memory::default(), card as u8));
        Ok(Node::ByCard(Box::new(std::array::from_fn(value))))
    }

    /// Compiles an expression.
    fn node(&mut self, expr: &Expr) -> Result<Node> {
        if let Some(slot) = self.slots.iter().position(|s| s == expr) {
            return Ok(Node::Slot(slot));
        }
        let parts = &expr.parts[..];
        let register = match &expr.head {
            Head::Const(constant) => return Ok(Node::Const(Some(constant.value))),
            Head::Attr(attr) => return Ok(Node::Attr(*attr)),
            Head::Length => self.register(RegisterKind::Length, &[], LINE_MAX)?,
            Head::Was(k) => {
                let register = self.register(RegisterKind::Shift, parts, (*k).into())?;
                return Ok(Node::Shift(register, (*k).into()));
            }
            Head::At(k) => self.register(RegisterKind::At(*k), parts, 0)?,
            Head::Latest => {
                let of = [parts[1].clone(), parts[0].clone()];
                self.register(RegisterKind::Latest, &of, 0)?
            }
            Head::Op(op) => match (op, remainder(parts)) {
                (Op::Mod, Some((counter, of, modulus))) => {
                    self.register(RegisterKind::Of(counter, Some(modulus)), of, 0)?
                }
                _ => {
                    let nodes = parts.iter().map(|part| self.node(part));
                    return Ok(Node::Op(*op, nodes.collect::<Result<_>>()?));
                }
            },
            Head::List(op, list) => {
                let list = list.iter().map(|item| item.value).collect();
                return Ok(Node::List(*op, self.node(&parts[0])?.into(), list));
            }
            Head::Aggregate(aggregate, span) => return self.aggregate(*aggregate, *span, parts),
            Head::Cycle => {
                let register = self.register(RegisterKind::Cycle, parts, 0)?;
                let tests = parts.iter().map(|e| self.verdicts(e)).collect::<Result<_, _>>()?;
                return Ok(Node::Cycle(register, tests));
            }
            Head::Among => {
                self.within.push(parts[0].clone());
                let node = self.node(&parts[1]);
                self.within.pop();
                return node;
            }
            Head::This | Head::Phase(_) | Head::Pattern(..) => {
                return Err(RuleError(format!("`{expr}` cannot stand here")));
            }
        };
        Ok(Node::Read(register))
    }

    fn aggregate(&mut self, aggregate: Aggregate, span: Span, parts: &[Expr]) -> Result<Node> {
        use Aggregate::{All, Any, Commonest, Distinct, Rarest, Seen, Times};
        let mut parts = parts.to_vec();
        if aggregate == All {
            // `all` means that none was false or unknown.
            parts[0] = Expr::new(Op::Default, [parts[0].clone(), Expr::truth(false)]);
        }
        let window = if let Span::Last(window) = span { Some(window) } else { None };
        let kind = match aggregate {
            _ if window.is_some() => RegisterKind::Shift,
            // The set of values answers all four.
            Distinct | Seen | Any | All => RegisterKind::Of(Distinct, None),
            Commonest | Rarest => RegisterKind::Of(Times, None),
            _ => RegisterKind::Of(aggregate, None),
        };
        let register = self.register(kind, &parts, window.unwrap_or_default().into())?;
        let played = if aggregate.reads_card() { self.node(&parts[0])? } else { Node::Const(None) };
        Ok(Node::Aggregate(aggregate, register, window, played.into()))
    }

    /// Compiles a test for all cards at once.
    fn verdicts(&mut self, test: &Expr) -> Result<Node> {
        let is_connective = matches!(test.head, Head::Op(op) if op.is_connective());
        let combines = is_connective || test.head == Head::Cycle;
        let rows = if combines { MAX_CONNECTIVE_ROWS } else { MAX_ROWS };
        if let Some(table) = self.table(test, rows)? {
            return Ok(table);
        }
        match test.head {
            Head::Op(op) if is_connective => {
                let parts = test.parts.iter().map(|part| self.verdicts(part));
                Ok(Node::Op(op, parts.collect::<Result<_, _>>()?))
            }
            _ => self.node(test),
        }
    }

    /// Compiles a test to a table of verdicts by the values of the past that it reads. Returns
    /// `None` if the table would be too large.
    fn table(&mut self, test: &Expr, rows: usize) -> Result<Option<Node>> {
        let mut reads = Vec::new();
        if !past_values(test, &mut reads) {
            return Ok(None);
        }
        let mut size = 1usize;
        let mut selectors = Vec::new();
        for read in &reads {
            let range = kind(read)?;
            size = size.saturating_mul(range.values() + 1);
            if size > rows {
                return Ok(None);
            }
            let codes = Codes { low: range.low, size: range.values() as i32 };
            selectors.push((self.node(read)?, codes));
        }
        self.slots = reads;
        let node = self.node(test)?;
        let empty = Memory::default();
        let mut slots = vec![None; std::mem::take(&mut self.slots).len()];
        let mut table: Vec<Verdicts> = Vec::with_capacity(size);
        for row in 0..size {
            let mut rest = row;
            for (slot, (_, codes)) in slots.iter_mut().zip(&selectors) {
                let size = codes.size as usize + 1;
                *slot = codes.decode((rest % size) as u64);
                rest /= size;
            }
            let ctx = self.plan.context(&empty, 0);
            table.push(node.by_class(&EvalContext { slots: &slots, ..ctx }));
        }
        Ok(Some(Node::Table(selectors, table.into())))
    }
}

/// The counter, its operands and the modulus of the remainder of a counter.
fn remainder(parts: &[Expr]) -> Option<(Aggregate, &[Expr], i32)> {
    let [Expr { head: Head::Aggregate(counter, Span::Line), parts }, modulus] = parts else {
        return None;
    };
    let Head::Const(Constant { value, .. }) = modulus.head else { return None };
    let is_counter = matches!(counter, Aggregate::Count | Aggregate::Sum);
    (is_counter && value > 0).then_some((*counter, parts, value))
}

/// Collects the largest subexpressions that read only the past. Returns `false` if a subexpression
/// mixes the card and the past in another way.
fn past_values(expr: &Expr, out: &mut Vec<Expr>) -> bool {
    match (inputs(expr), &expr.head) {
        (Inputs { past: false, .. }, _) => true,
        (Inputs { card: false, .. }, _) => {
            if !out.contains(expr) {
                out.push(expr.clone());
            }
            true
        }
        (_, Head::Cycle | Head::Aggregate(..) | Head::Among) => false,
        _ => expr.parts.iter().all(|part| past_values(part, out)),
    }
}

/// Groups the cards by all attributes that the rule reads, in the order of their first cards.
fn classes(rule: &Expr) -> Vec<CardSet> {
    fn attrs(expr: &Expr) -> BTreeSet<Attr> {
        let own = if let Head::Attr(attr) = expr.head { Some(attr) } else { None };
        expr.parts.iter().flat_map(attrs).chain(own).collect()
    }
    let used = attrs(rule);
    let mut groups = IndexMap::<Vec<i32>, CardSet, FxBuildHasher>::default();
    for card in CardSet::FULL {
        let values = used.iter().map(|attr| attr.of(card)).collect();
        let cards = groups.entry(values).or_insert(CardSet::EMPTY);
        *cards = cards.with(card);
    }
    groups.into_values().collect()
}
