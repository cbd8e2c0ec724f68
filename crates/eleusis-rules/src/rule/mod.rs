#![doc = include_str!("../../../../docs/rule-language.md")]

mod compile;
mod desugar;
mod exploration;
mod expr;
mod kind;
mod memory;
mod operators;
mod parser;
mod plan;
#[cfg(test)]
mod tests;
mod verdicts;

pub use compile::Rule;
pub(crate) use desugar::desugar;
pub use exploration::{
    Exploration, MAX_SITUATIONS, RIGHT_SHARE_RANGE, Validity, are_equivalent_from, compare,
    compare_from, right_share, validate,
};
pub use expr::{Attr, Constant, Expr, Head, PatternKind, PhasePart, Sort, Span};
pub use kind::{Kind, LINE_MAX, MAX_DEPTH, RuleError, SUM_MAX, kind};
pub use memory::Memory;
pub use operators::{Aggregate, ListOp, Op};
pub use parser::{MAX_TEXT, parse};
pub(crate) use plan::RegisterKey;
pub use verdicts::Verdicts;
