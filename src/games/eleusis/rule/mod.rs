#![doc = include_str!("../../../../docs/rule-language.md")]

mod ast;
mod compile;
mod desugar;
mod error;
mod judge;
mod kind;
mod memory;
mod node;
mod parse;
mod print;
mod reader;
mod register;
#[cfg(test)]
mod tests;
mod validate;
mod verdicts;
mod walk;
mod words;

pub use ast::{Attr, Color, Expr, Letters, Listed, Op, Over, Part};
pub use error::RuleError;
pub use judge::Rule;
pub use kind::{Kind, LINE_MAX, MAX_DEPTH, SUM_MAX, kind};
pub use memory::Memory;
pub use parse::parse;
pub use reader::MAX_TEXT;
pub use validate::{SHARE, Validity, right_share, validate};
pub use verdicts::Verdicts;
pub use walk::{WALK_LIMIT, Walk, alike_from, compare, compare_from};
