//! What a seat knows: everything.

use super::State;
use crate::game::Seat;

/// What one seat knows. Leap Frog hides nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The seat that knows this.
    pub seat: Seat,
    /// The hand as it stands.
    pub table: State,
}
