//! Whether it pays to become prophet.

use crate::games::eleusis::{Public, Rules, View};

/// Cards that a player lays in a turn, right or wrong, and what one is worth to a prophet: two for
/// a wrong card, one for a right one.
const CARDS_A_TURN: f64 = 1.3;
const PAY: f64 = 1.4;

/// Cards that a player sheds in a turn, and one who knows the rule.
const SHED: f64 = 0.7;
const KNOWING_SHED: f64 = 2.5;

/// How often a prophet is wrong who does not know the rule.
const SLIP: f64 = 0.25;

/// The points that becoming prophet now can be expected to bring over playing on, with this belief
/// in one rule.
///
/// The hand lasts until the player with the fewest cards has shed them. A prophet who knows the
/// rule is paid for every card until then; one who does not is overthrown sooner or later, and
/// loses the pay and some cards. A player who knows the rule would shed its cards in the same time.
pub(super) fn prophecy(rules: &Rules, view: &View, belief: f64) -> f64 {
    let public: &Public = &view.public;
    let others = || public.active(rules.seats).filter(|seat| *seat != view.seat);
    let fewest = others().map(|seat| public.held[seat.index()]).min().unwrap_or(0);
    let rounds = (f64::from(fewest) / SHED).clamp(1.0, 15.0);
    let judged = rounds * others().count() as f64;
    let overthrown = 1.0 - (0..judged as u32).fold(1.0, |kept, _| kept * (1.0 - SLIP));
    let known = judged * CARDS_A_TURN * PAY;
    let unknown = -overthrown * f64::from(rules.overthrow_penalty);
    let held = view.hand.len() as f64;
    let playing =
        belief * held.min(rounds * KNOWING_SHED) + (1.0 - belief) * held.min(rounds * SHED) * 0.5;
    belief * known + (1.0 - belief) * unknown - playing
}
