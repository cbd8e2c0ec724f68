//! A heuristic that looks at what each move changes.

use super::Weights;
use super::gains::Side;
use super::steady_lines::{Fillers, Potential, Supply};
use super::steady_race::Race;
use crate::cards::{Card, CardSet};
use crate::chance::Stream;
use crate::game::{Policy, Ruled};
use crate::games::leopard::cells::{Cell, Kind};
use crate::games::leopard::{Leopard, Move, Plays, Rules, Side as Whose, Square, View};

/// Weighs for each move the values now, the lines still possible, the harm to the other's square,
/// what the card is worth keeping and how near each seat is to a winning knock; and knocks when
/// that beats going on. All its weights are [`Weights`].
#[derive(Clone, Debug)]
pub struct Steady {
    weights: Weights,
    /// The same as they are used with many plays a turn.
    many: Weights,
}

impl Steady {
    /// A player with these weights.
    ///
    /// # Errors
    /// Everything that is wrong with them, a sentence each.
    pub fn new(weights: Weights) -> Result<Steady, Vec<String>> {
        let faults = weights.faults();
        if faults.is_empty() {
            Ok(Steady { weights, many: weights.for_many_plays() })
        } else {
            Err(faults)
        }
    }

    /// The weights it goes by.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    fn decision<'a>(&'a self, rules: &'a Rules, view: &'a View) -> Decision<'a> {
        let weights = match rules.plays {
            Plays::One => &self.weights,
            Plays::Many => &self.many,
        };
        Decision::new(weights, rules, view)
    }
}

impl Policy<Leopard> for Steady {
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        let rules = game.rules();
        let decision = self.decision(rules, view);
        if view.may_knock(rules) && decision.knocks() {
            return Move::KNOCK;
        }
        decision.best()
    }

    /// What it goes by when it picks. A knock that it would make comes before all else, one that
    /// it would not make after all else.
    fn weigh(&self, game: &Leopard, view: &View, moves: &[Move], out: &mut Vec<f32>) -> bool {
        let rules = game.rules();
        let decision = self.decision(rules, view);
        let mut list = Vec::with_capacity(moves.len());
        decision.offer_all(&mut list);
        let most = list.iter().fold(0.0f64, |most, (_, worth)| most.max(*worth));
        let least = list.iter().fold(0.0f64, |least, (_, worth)| least.min(*worth));
        let worth = |mv: &Move| {
            if *mv == Move::KNOCK {
                return if decision.knocks() { most + 10.0 } else { least };
            }
            list.iter().find(|(offered, _)| offered == mv).map_or(least, |(_, worth)| *worth)
        };
        out.clear();
        out.extend(moves.iter().map(|mv| worth(mv) as f32));
        true
    }
}

/// All that one decision goes by.
struct Decision<'a> {
    weights: &'a Weights,
    rules: &'a Rules,
    view: &'a View,
    hand: Fillers,
    own: Potential,
    other: Potential,
    race: Race<'a>,
    /// How much of the worth of kept cards is left so late in the hand.
    fade: f64,
    /// How good the squares are as they stand.
    standing: f64,
}

/// The best move so far.
struct Best {
    worth: f64,
    mv: Move,
}

/// Who is told what each move is worth.
trait Listener {
    fn offer(&mut self, worth: f64, mv: Move);
}

impl Listener for Vec<(Move, f64)> {
    fn offer(&mut self, worth: f64, mv: Move) {
        self.push((mv, worth));
    }
}

impl Listener for Best {
    #[inline]
    fn offer(&mut self, worth: f64, mv: Move) {
        if worth > self.worth {
            *self = Best { worth, mv };
        }
    }
}

impl<'a> Decision<'a> {
    fn new(weights: &'a Weights, rules: &'a Rules, view: &'a View) -> Decision<'a> {
        let hand = Fillers::of(view.hand);
        let unseen = Fillers::of(view.unseen);
        let held = view.held[view.seat.other().side()];
        let unseen_len = (f64::from(view.stock_len) + f64::from(held)).max(1.0);
        let draw = f64::from(rules.draw);
        let draws_left = f64::from(view.stock_len) / 2.0;
        let own_draws = (weights.own_horizon * draw).clamp(0.0, draws_left);
        let other_draws = (weights.other_horizon * draw).clamp(0.0, draws_left);
        let supply = |cards: f64| Supply { unseen: &unseen, rate: cards / unseen_len, weights };
        let own_chances = supply(own_draws).own(&hand);
        let other_chances = supply(other_draws + f64::from(held)).other();
        let race = Race::new(weights, rules, view);
        let standing = race.worth(&race.own, &race.other, view.hand.distinct());
        let fade = (f64::from(view.stock_len) / weights.fade.max(1.0)).min(1.0);
        Decision {
            weights,
            rules,
            view,
            hand,
            own: Potential::new(view.own(), own_chances, rules),
            other: Potential::new(view.other(), other_chances, rules),
            race,
            fade,
            standing,
        }
    }

    /// What it is worth that a side, or both, becomes another and that the hand becomes this;
    /// `own_hope` and `other_hope` are the changes in what the lines may bring.
    #[inline]
    fn worth(&self, own: (&Side, f64), other: (&Side, f64), hand: CardSet) -> f64 {
        let weights = self.weights;
        // The change of the square of the expected points, for a change of them.
        let swell = |hope: &Potential, change: f64| change * (2.0 * hope.points + change);
        let swell = weights.own_swell * swell(&self.own, own.1)
            - weights.other_swell * swell(&self.other, other.1);
        self.race.worth(own.0, other.0, hand) - self.standing + weights.own_hope * own.1
            - weights.other_hope * other.1
            + swell / f64::from(self.rules.knock_at.max(1))
    }

    /// What it is worth to lay a card on the own square, the card itself not counted.
    fn helps(&self, card: Card, cell: Cell) -> f64 {
        let (square, change, hope) = after(&self.race.own, &self.own, card, cell);
        let side = self.race.own_after(square, change);
        self.worth((&side, hope), (&self.race.other, 0.0), self.without(card))
    }

    /// What it is worth to lay a card on the other's square, the card itself not counted.
    fn harms(&self, card: Card, cell: Cell) -> f64 {
        let (square, change, hope) = after(&self.race.other, &self.other, card, cell);
        let side = self.race.other_after(square, change);
        self.worth((&self.race.own, 0.0), (&side, hope), self.without(card))
    }

    /// The distinct cards of the hand when one copy of a card has left it.
    #[inline]
    fn without(&self, card: Card) -> CardSet {
        let hand = self.view.hand.distinct();
        if self.view.hand.count(card) > 1 { hand } else { hand.without(card) }
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
            Best { worth: f64::NEG_INFINITY, mv: Move::discard(lowest) }
        };
        self.offer_all(&mut best);
        best.mv
    }

    /// Offers every play and discard, and the end of a turn as worth nothing.
    fn offer_all(&self, best: &mut impl Listener) {
        if self.view.played {
            best.offer(0.0, Move::END);
        }
        for card in self.view.hand.distinct() {
            let keep = match Kind::of(card) {
                Kind::Number(cell) => self.lay_number(card, cell, best),
                kind => self.lay_anywhere(card, kind, best),
            };
            if !self.view.played {
                let rest = self.without(card);
                let gone = self.worth((&self.race.own, 0.0), (&self.race.other, 0.0), rest);
                best.offer(gone - keep, Move::discard(card));
            }
        }
    }

    /// Offers the plays of a number card; returns what it costs to discard it.
    fn lay_number(&self, card: Card, cell: Cell, best: &mut impl Listener) -> f64 {
        let lost = self.own.lose(cell, card.suit().index(), &self.hand, self.weights);
        let lost = -self.weights.own_hope * lost;
        let mut keep = 0.0;
        if self.view.other().open().has(cell) {
            let harm = self.harms(card, cell);
            best.offer(harm - lost, Move::other(card, cell));
            if self.view.hand.count(card) == 1 {
                keep = self.fade * self.weights.keep_harm * harm.max(0.0);
            }
        }
        if self.view.own().open().has(cell) {
            best.offer(self.helps(card, cell) - keep, Move::own(card, cell));
        }
        keep + lost
    }

    /// Offers the plays of a ten or a face card; returns what it costs to discard it.
    fn lay_anywhere(&self, card: Card, kind: Kind, best: &mut impl Listener) -> f64 {
        let weights = self.weights;
        let own_hope = self.own.points - f64::from(self.view.own_value());
        let other_hope = self.other.points - f64::from(self.view.other_value());
        let keep = match kind {
            Kind::Ten => weights.keep_ten,
            Kind::Jack => weights.keep_jack + weights.keep_jack_hope * other_hope,
            Kind::Queen => weights.keep_queen,
            _ => weights.keep_king + weights.keep_king_hope * own_hope,
        };
        let keep = self.fade * keep;
        let mut most = 0.0f64;
        for cell in self.rules.cells(kind, self.view.own(), Whose::Own) {
            let help = self.helps(card, cell);
            most = most.max(help);
            best.offer(help - keep, Move::own(card, cell));
        }
        for cell in self.rules.cells(kind, self.view.other(), Whose::Other) {
            let harm = self.harms(card, cell);
            most = most.max(harm);
            best.offer(harm - keep, Move::other(card, cell));
        }
        keep + self.fade * weights.keep_best * most
    }
}

/// A side when a card is laid on a cell: the square, the change of its value, and the change of
/// what its lines may bring.
#[inline]
fn after(side: &Side, lines: &Potential, card: Card, cell: Cell) -> (Square, i32, f64) {
    let mut square = side.square;
    square.put(card, cell);
    let lost = side.losses.at(cell);
    if Kind::of(card).is_face_down() {
        (square, -lost, lines.cover(cell))
    } else {
        (square, side.gain(card, cell) - lost, lines.lay(cell, card.suit().index()))
    }
}
