//! The functions of the language, read from their arguments.

use super::parse::{Parsed, Parser};
use super::token::Token;
use super::words::Function;
use super::{Expr, RuleError};

impl Parser<'_> {
    fn place(&mut self) -> Result<u8, RuleError> {
        self.number(1, 64, "a place").map(|k| k as u8)
    }

    /// The arguments of a function; its name and `(` are taken.
    pub(super) fn call(&mut self, function: Function, at: usize) -> Parsed {
        let expr = match function {
            Function::Last => {
                let k = self.place()?;
                self.need_sign(")")?;
                self.at -= 1;
                return self.dotted(|e| Expr::Was(k, e), at);
            }
            Function::Card => {
                let k = self.place()?;
                self.need_sign(")")?;
                self.at -= 1;
                return self.dotted(|e| Expr::At(k, e), at);
            }
            Function::Was => {
                let inner = self.expr()?;
                let k = if self.take_sign(",") { self.place()? } else { 1 };
                Expr::Was(k, inner.into())
            }
            Function::At => {
                let k = self.place()?;
                self.need_sign(",")?;
                Expr::At(k, self.expr()?.into())
            }
            Function::Latest => {
                let test = self.expr()?;
                if self.take_sign(",") {
                    Expr::Latest(test.into(), self.expr()?.into())
                } else {
                    self.need_sign(")")?;
                    self.at -= 1;
                    return self.dotted(|e| Expr::Latest(test.into(), e), at);
                }
            }
            Function::Unary(op) => Expr::Unary(op, self.expr()?.into()),
            Function::Binary(op) => {
                let left = self.expr()?;
                self.need_sign(",")?;
                Expr::Binary(op, left.into(), self.expr()?.into())
            }
            Function::Over(what) => {
                let inner = self.expr()?;
                let window = if self.take_sign(",") {
                    Some(self.number(1, 32, "the number of cards to look back on")? as u8)
                } else {
                    None
                };
                Expr::Over(what, inner.into(), window)
            }
            Function::Since => Expr::Since(self.expr()?.into()),
            Function::Run => Expr::Run(self.expr()?.into()),
            Function::Runs => Expr::Runs(self.expr()?.into()),
            Function::Holds | Function::Cycle => {
                let mut items = vec![self.expr()?];
                while self.take_sign(",") {
                    items.push(self.expr()?);
                }
                if function == Function::Holds { Expr::Holds(items) } else { Expr::Cycle(items) }
            }
            Function::After | Function::Place => {
                let inner = self.expr()?;
                self.need_sign(",")?;
                let list = self.constants(")")?;
                let make = if function == Function::After { Expr::After } else { Expr::Place };
                return self.checked(make(inner.into(), list), at);
            }
            Function::Pattern | Function::Motif => {
                let inner = self.expr()?;
                self.need_sign(",")?;
                let letters = match self.peek() {
                    Token::Word(w)
                        if w.len() <= 16 && w.bytes().all(|b| b.is_ascii_uppercase()) =>
                    {
                        w.as_bytes().to_vec()
                    }
                    _ => {
                        return Err(
                            self.expected("1 to 16 capital letters, as in `AABB`; X is any value")
                        );
                    }
                };
                self.skip();
                let make = if function == Function::Pattern { Expr::Pattern } else { Expr::Motif };
                make(inner.into(), letters)
            }
        };
        self.need_sign(")")?;
        self.checked(expr, at)
    }
}
