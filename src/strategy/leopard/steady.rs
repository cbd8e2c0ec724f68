//! A heuristic that looks at what each move changes.

use super::Weights;
use super::change::{ByCell, gains, losses};
use super::potential::{Fillers, Potential, Supply};
use crate::cards::Card;
use crate::chance::Stream;
use crate::game::{Policy, Ruled};
use crate::leopard::{Covers, Leopard, Move, Rules, View};

/// Weighs for each move the values now, the lines still possible, the harm to the other's square,
/// what the card is worth keeping and how near each seat is to a winning knock; and knocks when
/// that beats going on. All its weights are [`Weights`].
#[derive(Clone, Debug)]
pub struct Steady {
    weights: Weights,
}

impl Steady {
    /// A player with these weights.
    ///
    /// # Errors
    /// Everything that is wrong with them, a sentence each.
    pub fn new(weights: Weights) -> Result<Steady, Vec<String>> {
        let faults = weights.faults();
        if faults.is_empty() { Ok(Steady { weights }) } else { Err(faults) }
    }

    /// The weights it goes by.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

impl Policy<Leopard> for Steady {
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        let rules = game.rules();
        let thought = Thought::new(&self.weights, rules, view);
        if view.may_knock(rules) && thought.knocks() {
            return Move::KNOCK;
        }
        thought.best()
    }
}

/// All that one decision goes by.
struct Thought<'a> {
    weights: &'a Weights,
    rules: &'a Rules,
    view: &'a View,
    hand: Fillers,
    own: Potential,
    other: Potential,
    own_gains: [ByCell; 4],
    own_losses: ByCell,
    other_gains: [ByCell; 4],
    other_losses: ByCell,
    /// How much of the worth of kept cards is left so late in the hand.
    fade: f64,
    /// How good the values are as they stand.
    standing: f64,
}

/// The best move so far.
struct Best {
    worth: f64,
    mv: Move,
}

impl Best {
    #[inline]
    fn offer(&mut self, worth: f64, mv: Move) {
        if worth > self.worth {
            *self = Best { worth, mv };
        }
    }
}

impl<'a> Thought<'a> {
    fn new(weights: &'a Weights, rules: &'a Rules, view: &'a View) -> Thought<'a> {
        let hand = Fillers::of(view.hand);
        let unseen = Fillers::of(view.unseen);
        let held = view.held[view.seat.index() & 1 ^ 1];
        let unseen_len = (f64::from(view.stock_len) + f64::from(held)).max(1.0);
        let draw = f64::from(rules.draw);
        let draws_left = f64::from(view.stock_len) / 2.0;
        let own_draws = (weights.own_horizon * draw).clamp(0.0, draws_left);
        let other_draws = (weights.other_horizon * draw).clamp(0.0, draws_left);
        let supply = |cards: f64| Supply { unseen: &unseen, rate: cards / unseen_len, weights };
        let own_chances = supply(own_draws).own(&hand);
        let other_chances = supply(other_draws + f64::from(held)).other();
        let own_gains = gains(view.own(), rules);
        let other_gains = gains(view.other(), rules);
        let fade = (f64::from(view.stock_len) / weights.fade.max(1.0)).min(1.0);
        let mut thought = Thought {
            weights,
            rules,
            view,
            hand,
            own: Potential::new(view.own(), own_chances, rules),
            other: Potential::new(view.other(), other_chances, rules),
            own_losses: losses(view.own(), &own_gains),
            own_gains,
            other_losses: losses(view.other(), &other_gains),
            other_gains,
            fade,
            standing: 0.0,
        };
        thought.standing = thought.values_worth(0, 0);
        thought
    }

    /// How good the two values are after these changes, at the start of the other's turn.
    fn values_worth(&self, own_change: i32, other_change: i32) -> f64 {
        let (weights, rules) = (self.weights, self.rules);
        let own = i32::from(self.view.own_value()) + own_change;
        let other = i32::from(self.view.other_value()) + other_change;
        let knock_at = i32::from(rules.knock_at);
        let share = |value: i32| f64::from(value.min(knock_at)) / f64::from(knock_at.max(1));
        let approach = |value: i32| f64::from(knock_at) * share(value) * share(value);
        let wins = |mine: i32, theirs: i32| {
            let points = |value: i32, knocks| rules.score(value as u8, true, knocks);
            mine >= knock_at && points(mine, true) > points(theirs, false)
        };
        let mut worth = weights.own_now * f64::from(own) - weights.other_now * f64::from(other)
            + weights.own_approach * approach(own)
            - weights.other_approach * approach(other);
        if wins(own, other) {
            worth += weights.threat;
        }
        if wins(other, own) {
            worth -= weights.danger;
        }
        worth
    }

    /// What a change of both values and both potentials is worth.
    #[inline]
    fn worth(&self, own: (i32, f64), other: (i32, f64)) -> f64 {
        self.values_worth(own.0, other.0) - self.standing + self.weights.own_hope * own.1
            - self.weights.other_hope * other.1
    }

    /// Whether to knock, which is legal now.
    ///
    /// In a match of one hand a knock is a win, a draw or a loss for certain, and going on is worth
    /// something between a win and a loss. In a longer match the points themselves count.
    fn knocks(&self) -> bool {
        let weights = self.weights;
        let (own, other) = self.view.knock_scores(self.rules);
        let lead = f64::from(own - other);
        let growth = self.own.points - self.other.points - f64::from(self.view.own_value())
            + f64::from(self.view.other_value());
        let going_on = lead + weights.knock_growth * growth + weights.knock_tempo
            - weights.knock_risk * f64::from(self.view.own_value());
        if self.rules.hands_per_match == 1 {
            let between = going_on / (1.0 + going_on.abs());
            f64::from((own - other).signum()) > between
        } else {
            lead > going_on
        }
    }

    /// The best of the moves that are not a knock.
    fn best(&self) -> Move {
        let hand = self.view.hand.distinct();
        let Some(lowest) = hand.into_iter().next() else {
            return Move::END;
        };
        let mut best = if self.view.played {
            Best { worth: 0.0, mv: Move::END }
        } else {
            Best { worth: f64::NEG_INFINITY, mv: Move::discard(lowest.index()) }
        };
        for card in hand {
            let keep = match card.rank() {
                11 | 12 => self.cover(card, &mut best),
                10 | 13 => self.lay_anywhere(card, &mut best),
                _ => self.lay_number(card, &mut best),
            };
            if !self.view.played {
                best.offer(-keep, Move::discard(card.index()));
            }
        }
        best.mv
    }

    /// Offers the plays of a number card; returns what it costs to discard it.
    fn lay_number(&self, card: Card, best: &mut Best) -> f64 {
        let (index, suit) = (card.index(), card.suit().index());
        let cell = usize::from(index / 4);
        let open = |cells: u32| cells >> cell & 1 == 1;
        let change = |gains: &[ByCell; 4], hope: &Potential| {
            (gains[suit].at(cell as u32), hope.lay(cell, suit))
        };
        let lost = -self.weights.own_hope * self.own.lose(cell, suit, &self.hand, self.weights);
        let mut keep = 0.0;
        if open(self.view.other().open()) {
            let harm = self.worth((0, 0.0), change(&self.other_gains, &self.other));
            best.offer(harm - lost, Move::other(index, cell as u8));
            if self.view.hand.count(card) == 1 {
                keep = self.fade * self.weights.keep_harm * harm.max(0.0);
            }
        }
        if open(self.view.own().open()) {
            let help = self.worth(change(&self.own_gains, &self.own), (0, 0.0));
            best.offer(help - keep, Move::own(index, cell as u8));
        }
        keep + lost
    }

    /// Offers the plays of a ten or a king; returns what it costs to discard it.
    fn lay_anywhere(&self, card: Card, best: &mut Best) -> f64 {
        let suit = card.suit().index();
        let (cells, keep) = if card.rank() == 10 {
            (self.view.own().open(), self.weights.keep_ten)
        } else {
            (0x1FF, self.weights.keep_king)
        };
        let keep = self.fade * keep;
        let mut most = 0.0f64;
        for cell in cells_of(cells) {
            let gain = self.own_gains[suit].at(cell) - self.own_losses.at(cell);
            let help = self.worth((gain, self.own.lay(cell as usize, suit)), (0, 0.0));
            most = most.max(help);
            best.offer(help - keep, Move::own(card.index(), cell as u8));
        }
        keep + self.fade * self.weights.keep_best * most
    }

    /// Offers the plays of a jack or a queen; returns what it costs to discard it.
    fn cover(&self, card: Card, best: &mut Best) -> f64 {
        let jack = card.rank() == 11;
        let keep = if jack { self.weights.keep_jack } else { self.weights.keep_queen };
        let keep = self.fade * keep;
        let any = self.rules.face_down_covers == Covers::Any;
        let coverable = |face_up: u32| if any { 0x1FF } else { face_up };
        let mut most = 0.0f64;
        for cell in cells_of(coverable(self.view.own().face_up())) {
            let change = (-self.own_losses.at(cell), self.own.cover(cell as usize));
            let help = self.worth(change, (0, 0.0));
            most = most.max(help);
            best.offer(help - keep, Move::own(card.index(), cell as u8));
        }
        if jack {
            for cell in cells_of(coverable(self.view.other().face_up())) {
                let change = (-self.other_losses.at(cell), self.other.cover(cell as usize));
                let harm = self.worth((0, 0.0), change);
                most = most.max(harm);
                best.offer(harm - keep, Move::other(card.index(), cell as u8));
            }
        }
        keep + self.fade * self.weights.keep_best * most
    }
}

/// The cells of a mask, ascending.
fn cells_of(mask: u32) -> impl Iterator<Item = u32> {
    (0..9).filter(move |cell| mask >> cell & 1 == 1)
}
