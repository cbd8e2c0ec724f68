//! Tests of several methods together.

mod coverage;
mod edges;
