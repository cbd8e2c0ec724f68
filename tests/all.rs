//! All tests of the library and of the command from outside, but for those that count allocations.
//! One program, because each test program is linked on its own and compiles again all that is
//! generic.

mod cli;
mod eleusis;
mod examples;
mod fuzz;
mod leapfrog;
mod leopard;
mod mutations;
mod peek;
mod search;
