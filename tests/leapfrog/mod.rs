//! Leap Frog: its rules one by one, a slow reference beside the fast game, records and their
//! referee, golden hands, strategies.

mod certificates;
mod exact;
mod records;
mod reference;
mod rules;
mod strategies;
