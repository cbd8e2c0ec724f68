//! The function that a network computes.

use std::fmt::Debug;
use std::sync::Arc;

/// A function from an observation to outputs.
pub(super) trait Function: Debug + Send + Sync {
    /// Returns the numbers of inputs and of outputs.
    fn sizes(&self) -> [usize; 2];

    /// Computes the outputs, which replace the units.
    fn run(&self, observation: &[u8], units: &mut Units);
}

/// The units of a layer, and those that are not 0 with their places.
pub(super) type Units = (Vec<f32>, Vec<(usize, f32)>);

/// The policy of a file, and its value if it has one.
pub(super) type Functions = (Arc<dyn Function>, Option<Arc<dyn Function>>);
