//! The buffers of a vector environment's outcome.

/// The buffers for the outcome of a step: rows of equal length, one per table. An empty slice is
/// not written.
pub struct StepBuffers<'a> {
    /// Encoded observation of the seat to move: [`Facts::numbers`](super::Facts::numbers) per table.
    pub observations: &'a mut [u8],
    /// 1 for each legal action: [`Facts::count`](super::Facts::count) per table.
    pub masks: &'a mut [u8],
    /// Rewards of the hand that ended with this step, otherwise 0: [`columns`](super::VectorEnv::columns) per
    /// table.
    pub rewards: &'a mut [f32],
    /// 1 if a hand ended with this step; the observation is then of the next hand.
    pub dones: &'a mut [u8],
    /// The seat to move.
    pub seats: &'a mut [u8],
}
