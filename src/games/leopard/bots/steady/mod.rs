//! A heuristic that looks at what each move changes, and at how near each seat is to a winning knock.

mod decision;
mod lines;
mod moves;
#[cfg(test)]
mod plainly;
mod race;
mod reach;

use super::Weights;
use super::gains::Outlook;
use decision::Decision;
use lines::{Potential, ROOM, Supply};
use moves::Tell;
use race::Most;

pub(super) use lines::{Fillers, GOALS};

use crate::cards::CardSet;
use crate::chance::Stream;
use crate::game::{Policy, Ruled};
use crate::games::leopard::cells::{Cells, JACKS, QUEENS};
use crate::games::leopard::{Leopard, Move, Plays, Rules, Side, View};

/// Weighs for each move the values now, the lines still possible, the harm to the other's square,
/// what the card is worth keeping and how near each seat is to a winning knock; and knocks when
/// that beats going on. All its weights are [`Weights`].
#[derive(Clone, Debug)]
pub struct Steady {
    /// Each with whether it is [plain](Weights::are_plain).
    weights: (Weights, bool),
    /// The same as they are used with many plays a turn.
    many: (Weights, bool),
}

impl Steady {
    /// A player with these weights.
    ///
    /// # Errors
    /// Everything that is wrong with them, a sentence each.
    pub fn new(weights: Weights) -> Result<Steady, Vec<String>> {
        let faults = weights.faults();
        if faults.is_empty() {
            let many = weights.for_many_plays();
            let each = [weights, many].map(|weights| (weights, weights.are_plain()));
            Ok(Steady { weights: each[0], many: each[1] })
        } else {
            Err(faults)
        }
    }

    /// Looks at a position.
    #[inline(always)]
    fn decide<T>(&self, rules: &Rules, view: &View, then: impl FnOnce(&Decision<'_>) -> T) -> T {
        let (weights, plain) = match rules.plays {
            Plays::One => &self.weights,
            Plays::Many => &self.many,
        };
        let plain = *plain && rules.suit_line >= rules.color_line;
        let (hand, unseen) = (Fillers::of(view.hand), Fillers::of(view.unseen));
        let held = f64::from(view.held[view.seat.other().side()]);
        let stock = f64::from(view.stock_len);
        let draws = |horizon: f64| (horizon * f64::from(rules.draw)).clamp(0.0, stock / 2.0);
        let rates = [draws(weights.own_horizon), draws(weights.other_horizon) + held];
        let supply = Supply {
            hand: &hand,
            held: Cells::by_suit(view.hand.distinct()),
            unseen: &unseen,
            rates: rates.map(|cards| cards / (stock + held).max(1.0)),
            weights,
        };
        let now = Outlook::both(view, rules);
        // Apart, since each is cleared in another way than all three would be.
        let (mut open, mut lie, mut slope) = (ROOM, ROOM, ROOM);
        let room = [&mut open, &mut lie, &mut slope];
        let lines = Potential::new([now[0].square, now[1].square], &supply, rules, room);
        then(&Decision::new((weights, plain, rules), view, &now, &hand, &lines))
    }
}

impl Policy<Leopard> for Steady {
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        let rules = game.rules();
        self.decide(rules, view, |decision| {
            if view.may_knock(rules) && knocks(decision) { Move::KNOCK } else { best(decision) }
        })
    }

    /// What it goes by when it picks. A knock that it would make comes before all else, one that
    /// it would not make after all else.
    fn weigh(&self, game: &Leopard, view: &View, moves: &[Move], out: &mut Vec<f32>) -> bool {
        let rules = game.rules();
        self.decide(rules, view, |decision| {
            let mut list = List(Vec::with_capacity(moves.len()));
            decision.each(view.hand.distinct(), &mut list);
            let list = list.0;
            let most = list.iter().fold(0.0f64, |most, (_, worth)| most.max(*worth));
            let least = list.iter().fold(0.0f64, |least, (_, worth)| least.min(*worth));
            let worth = |mv: &Move| {
                if *mv == Move::KNOCK {
                    return if knocks(decision) { most + 10.0 } else { least };
                }
                list.iter().find(|(offered, _)| offered == mv).map_or(least, |(_, worth)| *worth)
            };
            out.clear();
            out.extend(moves.iter().map(|mv| worth(mv) as f32));
        });
        true
    }
}

/// All moves, each with its worth.
struct List(Vec<(Move, f64)>);

impl Tell for List {
    fn least(&self) -> f64 {
        f64::NEG_INFINITY
    }

    fn tell(&mut self, decision: &Decision<'_>, _: Most, mv: Move) {
        self.0.push((mv, decision.worth(mv)));
    }
}

/// Whether to knock, which is legal now.
///
/// In a match of one hand a knock is a win, a draw or a loss for certain, and going on is worth
/// something between a win and a loss. In a longer match the points themselves count.
fn knocks(decision: &Decision<'_>) -> bool {
    let Decision { weights, rules, view, lines, .. } = decision;
    let (own, other) = view.knock_scores(rules);
    let lead = f64::from(own - other);
    let [own_value, other_value] = Side::BOTH.map(|side| f64::from(view.value(side)));
    let growth = lines.points[0] - lines.points[1] - own_value + other_value;
    let going_on =
        lead + weights.knock_growth * growth + weights.knock_tempo - weights.knock_risk * own_value;
    if rules.hands_per_match == 1 {
        let between = going_on / (1.0 + going_on.abs());
        f64::from((own - other).signum()) > between
    } else {
        lead > going_on
    }
}

/// The best of the moves that are not a knock, of equals the first.
#[inline(always)]
fn best(decision: &Decision<'_>) -> Move {
    // Two jacks, or two queens, do the same.
    let first = |cards: CardSet| CardSet(cards.0 & cards.0.wrapping_neg());
    let hand = decision.view.hand.distinct();
    let faces = CardSet(first(hand & JACKS).0 | first(hand & QUEENS).0);
    let cards = CardSet(hand.0 & !(JACKS.0 | QUEENS.0) | faces.0);
    let mut offers = Offers {
        best: (f64::NEG_INFINITY, Move::END, 0),
        open: [(0.0, Move::END, 0); MANY],
        count: 0,
        told: 0,
    };
    decision.each(cards, &mut offers);
    offers.settle(decision);
    offers.best.1
}

/// So many moves wait at most to be weighed.
const MANY: usize = 8;

/// The best move of those that were told.
struct Offers {
    /// Its worth, the move, and how many were told before it.
    best: (f64, Move, u32),
    /// Moves that may be better, with what they are worth at most.
    open: [(f64, Move, u32); MANY],
    count: usize,
    told: u32,
}

impl Tell for Offers {
    #[inline(always)]
    fn least(&self) -> f64 {
        self.best.0
    }

    #[inline(always)]
    fn tell(&mut self, decision: &Decision<'_>, Most { most, sure }: Most, mv: Move) {
        self.told += 1;
        if most > self.best.0 {
            if sure {
                self.best = (most, mv, self.told);
            } else {
                if self.count == MANY {
                    self.settle(decision);
                }
                self.open[self.count % MANY] = (most, mv, self.told);
                self.count += 1;
            }
        }
    }
}

impl Offers {
    /// Weighs the moves that may be the best, the most promising first.
    fn settle(&mut self, decision: &Decision<'_>) {
        let open = &mut self.open[..self.count.min(MANY)];
        self.count = 0;
        loop {
            let mut next = None;
            for (at, (most, ..)) in open.iter().enumerate() {
                if *most >= self.best.0 && next.is_none_or(|(_, best)| *most > best) {
                    next = Some((at, *most));
                }
            }
            let Some((at, _)) = next else { return };
            let (_, mv, place) = open[at];
            open[at].0 = f64::NEG_INFINITY;
            let worth = decision.worth(mv);
            let (best, _, before) = self.best;
            if worth > best || (worth == best && place < before) {
                self.best = (worth, mv, place);
            }
        }
    }
}
