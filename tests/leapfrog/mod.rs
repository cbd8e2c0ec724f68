//! Leap Frog: rules, a slow reference implementation, records, golden hands, strategies, solver.

mod certificates;
mod exact;
mod records;
mod reference;
mod rules;
mod strategies;
