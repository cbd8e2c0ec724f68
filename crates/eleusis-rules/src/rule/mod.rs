#![doc = include_str!("../../../../docs/rule-language.md")]

mod ast;
mod bind;
mod compile;
mod desugar;
mod judge;
mod kind;
mod node;
mod parse;
mod print;
mod reader;
mod register;
#[cfg(test)]
mod tests;
mod walk;
mod words;

pub use desugar::desugared;

pub use ast::{Attr, Color, Expr, Letters, Listed, Op, Over, Part};
pub use judge::Remembered;
pub use judge::{Rule, Verdicts};
pub use kind::{Kind, LINE_MAX, MAX_DEPTH, SUM_MAX, kind};
pub use parse::parse;
pub use reader::{MAX_TEXT, RuleError};
pub use register::Memory;
pub use walk::{
    SHARE, Validity, WALK_LIMIT, Walk, alike_from, compare, compare_from, right_share, validate,
};
