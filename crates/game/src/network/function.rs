//! The function that a network computes.

use std::fmt::Debug;
use std::sync::Arc;

/// A function from an observation to outputs.
pub(super) trait Function: Debug + Send + Sync {
    /// Returns the numbers of inputs and of outputs.
    fn sizes(&self) -> [usize; 2];

    /// Computes the wanted outputs.
    fn run(&self, observation: &[u8], wanted: &[u16], memory: &mut Memory);
}

/// Memory that a thread uses again for each observation.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The wanted outputs.
    pub(super) outputs: Vec<f32>,
    /// The units of a layer, and those that are not 0 with their places.
    pub(super) units: Vec<f32>,
    pub(super) active: Vec<(usize, f32)>,
    /// Sums of earlier observations; that of the last one comes last.
    pub(super) slots: Vec<Slot>,
}

/// The functions of a file.
#[derive(Clone, Debug)]
pub(super) struct Functions {
    pub(super) policy: Arc<dyn Function>,
    /// The expected result, from -1 to 1, of the seat to move.
    pub(super) value: Option<Arc<dyn Function>>,
    /// The expected result of each seat, from the observations of all seats.
    pub(super) critic: Option<Arc<dyn Function>>,
    /// `true` if the inputs end with the numbers of the rules.
    pub(super) reads_rules: bool,
}

/// The sums of the first layer of a network for an observation.
#[derive(Debug)]
pub(super) struct Slot {
    /// Tells networks apart.
    pub(super) identity: Arc<()>,
    pub(super) seen: Vec<u8>,
    pub(super) sums: Vec<i32>,
}
