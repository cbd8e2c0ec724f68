//! Rules, and their compilation from trees.
//!
//! Everything that looks back becomes a *register*: a few bits of the [`Memory`] that are updated
//! card by card. A test that reads only the card always has the same verdicts. A test that also
//! reads a few small values of the past becomes a table of verdicts with a row for each combination
//! of them. Connectives combine the verdicts on all cards at once; everything else is evaluated
//! card by card.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use super::desugar::{Inputs, desugar, expand_this, inputs};
use super::expr::{Attr, Expr};
use super::kind::{Kind, LINE_MAX, RuleError, kind};
use super::memory::{Field, Layout, Memory};
use super::operators::{Aggregate, Op};
use super::parser::parse;
use super::plan::{EvalContext, Node, Register, RegisterKind, RowSelector, Source};
use super::verdicts::Verdicts;
use parlour_base::cards::{Card, CardSet};

/// A compiled rule. Clones share the compiled form.
#[derive(Clone)]
pub struct Rule(Arc<(Expr, Plan)>);

impl Rule {
    /// Compiles a tree.
    ///
    /// # Errors
    /// If the kinds of its parts do not match, it is not a test, or it needs too much memory or work.
    pub fn new(expr: Expr) -> Result<Rule, RuleError> {
        let kind = kind(&expr)?;
        if kind != Kind::Bool {
            return Err(RuleError::Kind(format!("`{expr}` is {}; a rule is a test", kind.word())));
        }
        let plan = compile(&expr)?;
        Ok(Rule(Arc::new((expr, plan))))
    }

    /// Returns the tree.
    pub fn expr(&self) -> &Expr {
        &self.0.0
    }

    /// Returns the cards that are right after the line with this memory.
    pub fn right(&self, memory: &Memory) -> CardSet {
        CardSet(self.verdicts(memory).right)
    }

    /// Returns the verdicts on all cards; unknown is right.
    pub fn verdicts(&self, memory: &Memory) -> Verdicts {
        let plan = &self.0.1;
        plan.root.verdicts(&plan.context(memory, 0))
    }

    /// Returns the memory after one more accepted card. The memory of the empty line is the
    /// default.
    pub fn step(&self, memory: &Memory, card: Card) -> Memory {
        let plan = &self.0.1;
        let ctx = plan.context(memory, card.index());
        let mut next = *memory;
        for (index, (layout, register)) in plan.layouts.iter().zip(&plan.registers).enumerate() {
            layout.field.set(&mut next, register.updated(index, &ctx));
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

    /// Returns the work, in evaluated nodes, to judge all cards and to accept one.
    pub(super) fn work(&self) -> (u64, u64) {
        let plan = &self.0.1;
        (plan.judging, plan.accepting)
    }

    /// Returns the classes of cards that the rule always treats alike.
    pub fn classes(&self) -> &[CardSet] {
        &self.0.1.classes
    }
}

/// The registers of a rule. Two rules with equal registers have the same memory after every line.
#[derive(Clone, Debug)]
pub(crate) struct MemoryKey(pub Rule);

impl MemoryKey {
    fn parts(&self) -> impl Iterator<Item = (&RegisterKind, &[Expr], &[Expr], i32)> {
        let registers = self.0.0.1.registers.iter();
        registers.map(|one| (&one.kind, &one.of[..], &one.within[..], one.depth))
    }
}

impl PartialEq for MemoryKey {
    fn eq(&self, other: &MemoryKey) -> bool {
        self.parts().eq(other.parts())
    }
}

impl Eq for MemoryKey {}

impl Hash for MemoryKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().for_each(|part| part.hash(state));
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

    fn from_str(text: &str) -> Result<Rule, RuleError> {
        Rule::new(parse(text)?)
    }
}

parlour_base::files::text::as_text!(Rule, ".+");

/// The compiled form of a rule.
#[derive(Debug)]
struct Plan {
    /// The layouts of the registers, in the same order.
    layouts: Vec<Layout>,
    registers: Vec<Register>,
    root: Node,
    /// Classes of cards that all parts of the rule treat alike.
    classes: Vec<CardSet>,
    /// Maximum number of evaluated nodes to judge all cards.
    judging: u64,
    /// Maximum number of evaluated nodes to accept a card.
    accepting: u64,
}

impl Plan {
    fn context<'a>(&'a self, memory: &'a Memory, card: u8) -> EvalContext<'a> {
        let Plan { layouts, classes, .. } = self;
        EvalContext { layouts, classes, memory, card, slots: &[] }
    }
}

/// Maximum work to judge all cards and accept one. Checking that a rule can be played evaluates it
/// in many situations and must take less than a second.
const MAX_WORK: u64 = 6_000;

/// Maximum number of rows of a table of verdicts.
const MAX_ROWS: usize = 1024;
/// Maximum number of rows of a table for a connective as a whole.
const MAX_CONNECTIVE_ROWS: usize = 64;

/// Compiles a rule.
///
/// # Errors
/// If the rule needs too much memory or work.
fn compile(rule: &Expr) -> Result<Plan, RuleError> {
    let rule = desugar(&expand_this(rule)?);
    let mut compiler = Compiler { classes: classes(&rule), ..Compiler::default() };
    let root = compiler.verdicts(&rule)?;
    let Compiler { mut layouts, registers, classes, .. } = compiler;
    let widths: Vec<u32> =
        registers.iter().zip(&layouts).map(|(r, layout)| r.width(layout)).collect();
    if let Some(index) = widths.iter().position(|w| *w > 64) {
        let what = format!(
            "looking back {} cards on `{}` is too far: {} bits of memory, at most 64",
            registers[index].depth, registers[index].of[0], widths[index]
        );
        return Err(RuleError::Large(what));
    }
    let Some(fields) = Field::allocate(&widths) else {
        let what = "the rule must remember too much: more than 512 bits";
        return Err(RuleError::Large(what.to_owned()));
    };
    layouts.iter_mut().zip(fields).for_each(|(layout, field)| layout.field = field);
    let each = classes.len() as u64;
    let accepting = registers.iter().map(|register| register.work(&layouts, each)).sum();
    let judging = root.work_of_all(&layouts, each);
    if judging + accepting > MAX_WORK {
        let what = format!(
            "the rule takes {} steps to judge the 52 cards, and at most {MAX_WORK} are allowed; shorten it",
            judging + accepting
        );
        return Err(RuleError::Large(what));
    }
    Ok(Plan { layouts, registers, root, classes, judging, accepting })
}

/// A plan under construction.
#[derive(Default)]
struct Compiler {
    classes: Vec<CardSet>,
    layouts: Vec<Layout>,
    registers: Vec<Register>,
    /// Expressions whose values come from [`EvalContext::slots`].
    slots: Vec<Expr>,
    /// The tests of the enclosing `among`, from outside in.
    within: Vec<Expr>,
}

impl Compiler {
    /// Returns the register for these expressions, which is created if necessary. `depth` is its
    /// minimum depth.
    fn register(
        &mut self,
        kind: RegisterKind,
        of: &[&Expr],
        depth: i32,
    ) -> Result<usize, RuleError> {
        let within = self.within.clone();
        let is_equal = |register: &Register| {
            register.kind == kind
                && register.of.iter().eq(of.iter().copied())
                && register.within == within
        };
        if let Some(index) = self.registers.iter().position(is_equal) {
            let register = &mut self.registers[index];
            register.depth = register.depth.max(depth);
            return Ok(index);
        }
        let range = match (&kind, of) {
            // A remainder is small, whatever its argument.
            (RegisterKind::Of(Aggregate::Sum, Some(_)), _) | (_, []) => Kind::Bool,
            (_, of) => super::kind(of[0])?,
        };
        if range.values() > 1 << 16 {
            return Err(RuleError::Large(format!("`{}` has too many values to remember", of[0])));
        }
        let helper = match kind {
            RegisterKind::At(place) => self.register(RegisterKind::Length, &[], place.into())?,
            RegisterKind::Of(Aggregate::Run | Aggregate::Runs, _) => {
                self.register(RegisterKind::Shift, &[of[0]], 1)?
            }
            _ => 0,
        };
        let sources = of.iter().map(|e| self.source(e)).collect::<Result<_, _>>()?;
        let filters = self.filters(&within)?;
        let (encoding, low) = (kind.encoding(), range.low());
        let size = if kind == RegisterKind::Cycle { of.len() } else { range.values() } as i32;
        self.layouts.push(Layout { field: Field::default(), encoding, low, size });
        let of = of.iter().map(|e| (*e).clone()).collect();
        self.registers.push(Register { kind, of, sources, within, filters, depth, helper });
        Ok(self.registers.len() - 1)
    }

    /// Compiles the tests of the enclosing `among`; each reads the cards that satisfy those before
    /// it.
    fn filters(&mut self, within: &[Expr]) -> Result<Vec<Source>, RuleError> {
        let mut filters = Vec::new();
        for (index, test) in within.iter().enumerate() {
            self.within.truncate(index);
            filters.push(self.source(test)?);
            self.within.push(test.clone());
        }
        Ok(filters)
    }

    /// Returns a node that reads a register.
    fn read(&mut self, kind: RegisterKind, of: &[&Expr], depth: i32) -> Result<Node, RuleError> {
        self.register(kind, of, depth).map(Node::Read)
    }

    /// Returns the context before any card is accepted.
    fn start<'a>(&'a self, slots: &'a [Option<i32>]) -> EvalContext<'a> {
        let (layouts, classes) = (&self.layouts, &self.classes);
        EvalContext { layouts, classes, memory: &Memory::EMPTY, card: 0, slots }
    }

    fn source(&mut self, expr: &Expr) -> Result<Source, RuleError> {
        let node = self.node(expr)?;
        if inputs(expr).past {
            return Ok(Source::Node(node));
        }
        let ctx = self.start(&[]);
        let value = |card| node.value(&EvalContext { card: card as u8, ..ctx });
        Ok(Source::ByCard(Box::new(std::array::from_fn(value))))
    }

    /// Compiles an expression.
    fn node(&mut self, expr: &Expr) -> Result<Node, RuleError> {
        if let Some(slot) = self.slots.iter().position(|s| s == expr) {
            return Ok(Node::Slot(slot));
        }
        Ok(match expr {
            Expr::Num(_) | Expr::Suit(_) | Expr::Color(_) | Expr::Bool(_) => {
                Node::Const(expr.constant())
            }
            Expr::Attr(attr) => Node::Attr(*attr),
            Expr::Length => self.read(RegisterKind::Length, &[], LINE_MAX)?,
            Expr::Was(k, a) => {
                Node::Shift(self.register(RegisterKind::Shift, &[a], (*k).into())?, (*k).into())
            }
            Expr::At(k, a) => self.read(RegisterKind::At(*k), &[a], 0)?,
            Expr::Latest(p, a) => self.read(RegisterKind::Latest, &[a, p], 0)?,
            Expr::Op(op, items) => match (op, &items[..]) {
                (
                    Op::Mod,
                    [
                        Expr::Aggregate(counter @ (Aggregate::Count | Aggregate::Sum), a, None),
                        Expr::Num(m),
                    ],
                ) if *m > 0 => self.read(RegisterKind::Of(*counter, Some(*m)), &[a], 0)?,
                _ => {
                    let items = items.iter().map(|item| self.node(item));
                    Node::Op(*op, items.collect::<Result<_, _>>()?)
                }
            },
            Expr::List(op, a, list) => {
                let list = list.iter().filter_map(Expr::constant).collect();
                Node::List(*op, self.node(a)?.into(), list)
            }
            Expr::Aggregate(aggregate, a, window) => {
                self.aggregate(*aggregate, a, *window, None)?
            }
            Expr::AggregateSince(aggregate, a, p) => {
                self.aggregate(*aggregate, a, None, Some(p))?
            }
            Expr::Cycle(items) => {
                let of: Vec<&Expr> = items.iter().collect();
                let register = self.register(RegisterKind::Cycle, &of, 0)?;
                let tests = items.iter().map(|e| self.verdicts(e)).collect::<Result<_, _>>()?;
                Node::Cycle(register, tests)
            }
            Expr::Among(test, a) => {
                self.within.push(test.as_ref().clone());
                let node = self.node(a);
                self.within.pop();
                node?
            }
            Expr::This(_) | Expr::Phase(_) | Expr::Pattern(..) => {
                return Err(RuleError::Kind(format!("`{expr}` cannot stand here")));
            }
        })
    }

    fn aggregate(
        &mut self,
        aggregate: Aggregate,
        a: &Expr,
        window: Option<u8>,
        since: Option<&Expr>,
    ) -> Result<Node, RuleError> {
        // `all` means that none was false or unknown.
        let known = Expr::Op(Op::Default, vec![a.clone(), Expr::Bool(false)]);
        let a = if aggregate == Aggregate::All { &known } else { a };
        use Aggregate::{
            All, Any, Commonest, Distinct, Majority, Minority, Product, Rarest, Seen, Times,
        };
        let (kind, depth) = match (window, aggregate) {
            (Some(window), _) => (RegisterKind::Shift, window.into()),
            // The set of values answers all four.
            (_, Distinct | Seen | Any | All) => (RegisterKind::Of(Distinct, None), 0),
            (_, Product | Majority | Minority) => {
                return Err(RuleError::Kind("a window is missing".to_owned()));
            }
            (_, Commonest | Rarest) => (RegisterKind::Of(Times, None), 0),
            _ => (RegisterKind::Of(aggregate, None), 0),
        };
        let of: Vec<&Expr> = [Some(a), since].into_iter().flatten().collect();
        let register = self.register(kind, &of, depth)?;
        let played = if aggregate.reads_card() { self.node(a)? } else { Node::Const(None) };
        Ok(Node::Aggregate(aggregate, register, window, played.into()))
    }

    /// Compiles a test for all cards at once.
    fn verdicts(&mut self, test: &Expr) -> Result<Node, RuleError> {
        let is_connective = match test {
            Expr::Op(op, _) => op.is_connective(),
            other => matches!(other, Expr::Cycle(_)),
        };
        let rows = if is_connective { MAX_CONNECTIVE_ROWS } else { MAX_ROWS };
        if let Some(table) = self.table(test, rows)? {
            return Ok(table);
        }
        Ok(match test {
            Expr::Op(op, items) if is_connective => {
                let items = items.iter().map(|item| self.verdicts(item));
                Node::Op(*op, items.collect::<Result<_, _>>()?)
            }
            other => self.node(other)?,
        })
    }

    /// Compiles a test to a table of verdicts by the values of the past that it reads. Returns
    /// `None` if the table would be too large.
    fn table(&mut self, test: &Expr, rows: usize) -> Result<Option<Node>, RuleError> {
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
            let node = self.node(read)?;
            selectors.push(RowSelector { node, low: range.low(), size: range.values() as i32 });
        }
        self.slots = reads;
        let node = self.node(test)?;
        let mut slots = vec![None; std::mem::take(&mut self.slots).len()];
        let mut table: Vec<Verdicts> = Vec::with_capacity(size);
        for row in 0..size {
            let mut rest = row;
            for (slot, selector) in slots.iter_mut().zip(&selectors) {
                let code = rest as i32 % (selector.size + 1);
                rest /= selector.size as usize + 1;
                *slot = (code > 0).then(|| code - 1 + selector.low);
            }
            table.push(node.by_class(&self.start(&slots)));
        }
        Ok(Some(Node::Table(selectors, table.into())))
    }
}

/// Collects the largest subexpressions that read only the past. Returns `false` if a subexpression
/// mixes the card and the past in another way.
fn past_values(expr: &Expr, out: &mut Vec<Expr>) -> bool {
    use Expr::{Aggregate, AggregateSince, Among, Cycle};
    match (inputs(expr), expr) {
        (Inputs { past: false, .. }, _) => true,
        (Inputs { card: false, .. }, _) => {
            if !out.contains(expr) {
                out.push(expr.clone());
            }
            true
        }
        (_, Cycle(_) | Aggregate(..) | AggregateSince(..) | Among(..)) => false,
        (_, other) => other.children().into_iter().all(|child| past_values(child, out)),
    }
}

/// Groups the cards by all attributes that the rule reads, in the order of their first cards.
fn classes(rule: &Expr) -> Vec<CardSet> {
    fn attrs(expr: &Expr) -> BTreeSet<Attr> {
        let own = if let Expr::Attr(attr) = expr { Some(*attr) } else { None };
        expr.children().into_iter().flat_map(attrs).chain(own).collect()
    }
    let used = attrs(rule);
    let mut groups: BTreeMap<Vec<i32>, CardSet> = BTreeMap::new();
    for card in CardSet::FULL {
        let values = used.iter().map(|attr| attr.of(card)).collect();
        let cards = groups.entry(values).or_insert(CardSet::EMPTY);
        *cards = cards.with(card);
    }
    let mut classes: Vec<CardSet> = groups.into_values().collect();
    classes.sort_by_key(|class| class.0.trailing_zeros());
    classes
}
