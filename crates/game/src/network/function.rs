//! The function that a network computes.

use std::fmt::Debug;
use std::sync::Arc;

/// A function from an observation to outputs.
pub(super) trait Function: Debug + Send + Sync {
    /// Returns the numbers of inputs and of outputs.
    fn sizes(&self) -> [usize; 2];

    /// Computes the wanted outputs, which replace the units.
    fn run(&self, observation: &[u8], wanted: &[u16], units: &mut Units);
}

/// The units of a layer, and those that are not 0 with their places.
pub(super) type Units = (Vec<f32>, Vec<(usize, f32)>);

/// The functions of a file.
#[derive(Clone, Debug)]
pub(super) struct Functions {
    pub(super) policy: Arc<dyn Function>,
    /// The expected result, from -1 to 1, of the seat to move.
    pub(super) value: Option<Arc<dyn Function>>,
    /// `true` if the inputs end with the numbers of the rules.
    pub(super) reads_rules: bool,
}
