//! What is kept while a hand of Leopard is played.

use super::{Move, State};
use crate::game::{Leads, Seat};

/// What is kept while a hand is played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch {
    pub(super) counts: Counts,
    pub(super) leads: Trace,
}

/// The lead by cards laid: fewer than there are.
pub(super) type Trace = Leads<128>;

/// What is counted; small enough for registers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub turns: u32,
    pub plays: u32,
    pub plays_on_other: u32,
    pub discards: u32,
    /// The seat whose turn was last counted; a turn of several moves counts once.
    last: Option<Seat>,
}

impl Watch {
    /// A move is about to be made.
    #[inline]
    pub(super) fn moved(&mut self, before: &State, mv: Move) {
        let counts = &mut self.counts;
        self.leads.after(counts.plays, ahead(before.values));
        counts.turns += u32::from(!before.played || counts.last != Some(before.seat));
        counts.last = Some(before.seat);
        counts.plays += u32::from(mv.is_play());
        counts.plays_on_other += u32::from(mv.is_on_other());
        counts.discards += u32::from(mv.uses_card() && !mv.is_play());
    }
}

/// The first seat's lead.
#[inline(always)]
pub(super) fn ahead(values: [u8; 2]) -> i32 {
    i32::from(values[0]) - i32::from(values[1])
}

impl Counts {
    /// A card was laid.
    #[inline(always)]
    pub fn laid(&mut self, on_other: bool) {
        self.plays += 1;
        self.plays_on_other += u32::from(on_other);
    }

    /// What is kept of a hand that is over, given its turns and the cards that were used; what was
    /// laid has been counted.
    pub fn whole(self, turns: u32, used: u32) -> Counts {
        Counts { turns, discards: used - self.plays, ..self }
    }
}
