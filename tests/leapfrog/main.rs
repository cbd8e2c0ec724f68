//! Leap Frog: its rules one by one, a slow reference beside the fast game, records and their
//! referee, golden hands, strategies. One program for all these tests, because each test program
//! is linked on its own.

mod exact;
mod records;
mod reference;
mod rules;
mod strategies;
