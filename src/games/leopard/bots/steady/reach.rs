//! The most that cards would give on a square, and the chance of a jack.

use crate::cards::{Card, CardSet};
use crate::games::leopard::cells::{Cells, JACKS, count};
use crate::games::leopard::gains::{ByCell, Outlook, each_gain};
use crate::games::leopard::{Rules, View};

/// Not less than any card gives on any cell, open or not.
#[inline(always)]
pub(super) fn limit(side: &Outlook) -> i32 {
    let [s, h, d, c] = side.gains;
    s.above(h).above(d).above(c).most()
}

/// The most that any card would give on an open cell.
pub(super) fn reach(side: &Outlook) -> i32 {
    let open = side.square.open();
    let [s, h, d, c] = side.gains;
    let of = |gains: ByCell| gains.within(open).most();
    of(s).max(of(h)).max(of(d)).max(of(c))
}

/// The most that a card of a hand gives on a square.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub most: i32,
    /// Which card, and where.
    pub by: Option<Card>,
    pub at: Cells,
    /// The most that another card gives.
    pub next: i32,
}

impl Reach {
    pub const NONE: Reach = Reach { most: 0, by: None, at: Cells::NONE, next: 0 };

    /// On a side with this hand.
    pub fn with(side: &Outlook, hand: CardSet) -> Reach {
        let mut reach = Reach::NONE;
        each_gain(
            side.square,
            &side.gains,
            || side.losses,
            hand,
            |gain, card, cell| {
                if gain > reach.most {
                    let next = if reach.by == Some(card) { reach.next } else { reach.most };
                    reach = Reach { most: gain, by: Some(card), at: Cells::only(cell), next };
                } else if reach.by != Some(card) {
                    reach.next = reach.next.max(gain);
                }
            },
        );
        reach
    }
}

/// The chance that the other has a jack on its next turn.
pub(super) fn chance_of_jack(rules: &Rules, view: &View) -> f64 {
    let held = f64::from(view.held[view.seat.other().side()]);
    let unseen = (f64::from(view.stock_len) + held).max(1.0);
    let expected =
        f64::from(count(view.unseen, JACKS)) * ((held + f64::from(rules.draw)) / unseen).min(1.0);
    expected / (1.0 + expected)
}
