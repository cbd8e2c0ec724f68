//! All tests of the library and of the command from outside, but for those that count allocations.
//! One program, because each test program is linked on its own and compiles again all that is
//! generic.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod cli;
mod eleusis;
mod examples;
mod external;
mod fronts;
mod fuzz;
mod games;
mod leapfrog;
mod leopard;
mod mutations;
mod peek;
mod search;
mod strategy;
mod table;
