//! Slow reference of `steady`: values every move in full.

use super::super::Weights;
use super::reference_lines::{Fillers, Potential, Supply};
use crate::cells::{CardKind, Cell, JACKS, count};
use crate::gains::SquareGains;
use crate::{Move, Rules, Side, View};
use parlour_base::cards::{Card, CardSet};

/// The move that it makes.
pub(super) fn pick(weights: &Weights, rules: &Rules, view: &View) -> Move {
    let decision = Decision::new(weights, rules, view);
    if view.may_knock(rules) && decision.knocks() { Move::Knock } else { decision.best() }
}

/// The values by which it picks.
pub(super) fn score_moves(
    weights: &Weights,
    rules: &Rules,
    view: &View,
    moves: &[Move],
) -> Vec<f32> {
    let decision = Decision::new(weights, rules, view);
    let mut list = Vec::with_capacity(moves.len());
    decision.offer_all(&mut |value, mv| list.push((mv, value)));
    let most = list.iter().fold(0.0f64, |most, (_, value)| most.max(*value));
    let least = list.iter().fold(0.0f64, |least, (_, value)| least.min(*value));
    let value = |mv: &Move| {
        if *mv == Move::Knock {
            return if decision.knocks() { most + 10.0 } else { least };
        }
        list.iter().find(|(offered, _)| offered == mv).map_or(least, |(_, value)| *value)
    };
    moves.iter().map(|mv| value(mv) as f32).collect()
}

/// The position of a decision.
struct Decision<'a> {
    weights: &'a Weights,
    rules: &'a Rules,
    view: &'a View,
    hand: Fillers,
    /// The chance that the other seat has a jack on its next turn.
    jack: f64,
    /// The squares, by side.
    now: [SquareGains; 2],
    /// Expected points of the lines, by side.
    lines: [Potential; 2],
    /// Share of the value of kept cards that is left so late in the hand.
    fade: f64,
    /// Value of the squares in the race.
    standing: f64,
}

impl<'a> Decision<'a> {
    fn new(weights: &'a Weights, rules: &'a Rules, view: &'a View) -> Decision<'a> {
        let (hand, unseen) = (Fillers::of(view.hand), Fillers::of(view.unseen));
        let held = f64::from(view.held[view.seat.other().side()]);
        let stock = f64::from(view.stock_len);
        let supply =
            |cards: f64| Supply { unseen: &unseen, rate: cards / (stock + held).max(1.0), weights };
        let draws = |horizon: f64| (horizon * f64::from(rules.draw)).clamp(0.0, stock / 2.0);
        let own_chances = supply(draws(weights.own_horizon)).own(&hand);
        let other_chances = supply(draws(weights.other_horizon) + held).other();
        let mut decision = Decision {
            weights,
            rules,
            view,
            hand,
            jack: chance_of_jack(rules, view),
            now: SquareGains::both(view, rules),
            lines: [
                Potential::new(view.square(Side::Own), own_chances, rules),
                Potential::new(view.square(Side::Other), other_chances, rules),
            ],
            fade: (stock / weights.fade.max(1.0)).min(1.0),
            standing: 0.0,
        };
        decision.standing = decision.standing(decision.now.each_ref(), view.hand.distinct());
        decision
    }

    /// Value of a change to these squares and this hand, where the expected points change by
    /// `deltas`.
    #[inline]
    fn value(&self, squares: [&SquareGains; 2], deltas: [f64; 2], hand: CardSet) -> f64 {
        let weights = self.weights;
        // The change of the square of the expected points.
        let swell = |side: Side| {
            let change = deltas[side as usize];
            change * (2.0 * self.lines[side as usize].points + change)
        };
        let swell = weights.own_swell * swell(Side::Own) - weights.other_swell * swell(Side::Other);
        self.standing(squares, hand) - self.standing + weights.own_hope * deltas[0]
            - weights.other_hope * deltas[1]
            + swell / f64::from(self.rules.knock_at.max(1))
    }

    /// Value of laying a card on a cell, without the value of the card in hand.
    fn lay(&self, side: Side, card: Card, cell: Cell) -> f64 {
        let lines = &self.lines[side as usize];
        let mut square = self.now[side as usize].square;
        square.put(card, cell);
        let suit = (!CardKind::of(card).is_face_down()).then_some(card.suit().index());
        let after = SquareGains::new(square, self.rules);
        let (mut squares, mut deltas) = (self.now.each_ref(), [0.0; 2]);
        (squares[side as usize], deltas[side as usize]) = (&after, lines.change(cell, suit));
        self.value(squares, deltas, self.without(card))
    }

    /// The distinct cards of the hand without one copy of a card.
    #[inline]
    fn without(&self, card: Card) -> CardSet {
        let hand = self.view.hand.distinct();
        if self.view.hand.count(card) > 1 { hand } else { hand.without(card) }
    }

    /// Returns `true` if it knocks, where a knock is legal.
    ///
    /// In a match of one hand a knock is a certain win, draw or loss, and going on is worth
    /// something between a win and a loss. In a longer match the points themselves count.
    fn knocks(&self) -> bool {
        let weights = self.weights;
        let (own, other) = self.view.knock_scores(self.rules);
        let lead = f64::from(own - other);
        let [own_value, other_value] = Side::BOTH.map(|side| f64::from(self.view.value(side)));
        let growth = self.lines[0].points - self.lines[1].points - own_value + other_value;
        let going_on = lead + weights.knock_growth * growth + weights.knock_tempo
            - weights.knock_risk * own_value;
        if self.rules.hands_per_match == 1 {
            let between = going_on / (1.0 + going_on.abs());
            f64::from((own - other).signum()) > between
        } else {
            lead > going_on
        }
    }

    /// The best move other than a knock.
    fn best(&self) -> Move {
        let mut best = (f64::NEG_INFINITY, Move::End);
        self.offer_all(&mut |value, mv| {
            if value > best.0 {
                best = (value, mv);
            }
        });
        best.1
    }

    /// Offers every play and discard, and the end of a turn with value 0.
    fn offer_all(&self, offer: &mut impl FnMut(f64, Move)) {
        if self.view.played {
            offer(0.0, Move::End);
        }
        for card in self.view.hand.distinct() {
            let keep = match CardKind::of(card) {
                CardKind::Number(cell) => self.offer_number(card, cell, offer),
                kind => self.offer_anywhere(card, kind, offer),
            };
            if !self.view.played {
                let gone = self.value(self.now.each_ref(), [0.0; 2], self.without(card));
                offer(gone - keep, Move::Discard(card));
            }
        }
    }

    /// Offers the plays of a number card; returns the cost of discarding it.
    fn offer_number(&self, card: Card, cell: Cell, offer: &mut impl FnMut(f64, Move)) -> f64 {
        let lost = self.lines[0].lose(cell, card.suit().index(), &self.hand, self.weights);
        let lost = -self.weights.own_hope * lost;
        let mut keep = 0.0;
        if self.view.square(Side::Other).open().has(cell) {
            let harm = self.lay(Side::Other, card, cell);
            offer(harm - lost, Move::lay(Side::Other, card, cell));
            if self.view.hand.count(card) == 1 {
                keep = self.fade * self.weights.keep_harm * harm.max(0.0);
            }
        }
        if self.view.square(Side::Own).open().has(cell) {
            offer(self.lay(Side::Own, card, cell) - keep, Move::lay(Side::Own, card, cell));
        }
        keep + lost
    }

    /// Offers the plays of a ten or a face card; returns the cost of discarding it.
    fn offer_anywhere(&self, card: Card, kind: CardKind, offer: &mut impl FnMut(f64, Move)) -> f64 {
        let weights = self.weights;
        let missing =
            |side: Side| self.lines[side as usize].points - f64::from(self.view.value(side));
        let keep = match kind {
            CardKind::Ten => weights.keep_ten,
            CardKind::Jack => weights.keep_jack + weights.keep_jack_hope * missing(Side::Other),
            CardKind::Queen => weights.keep_queen,
            _ => weights.keep_king + weights.keep_king_hope * missing(Side::Own),
        };
        let keep = self.fade * keep;
        let mut most = 0.0f64;
        for side in Side::BOTH {
            for cell in self.rules.cells(kind, self.view.square(side), side) {
                let change = self.lay(side, card, cell);
                most = most.max(change);
                offer(change - keep, Move::lay(side, card, cell));
            }
        }
        keep + self.fade * weights.keep_best * most
    }
}

/// Largest gain of any card on an open cell.
fn reach(side: &SquareGains) -> i32 {
    let open = side.square.open();
    side.gains.iter().fold(0, |best, gains| best.max(gains.within(open).most()))
}

/// Largest gain of a card of this hand.
fn reach_with(side: &SquareGains, hand: CardSet) -> i32 {
    let mut best = 0;
    side.each_gain(hand, |gain, _, _| best = best.max(gain));
    best
}

/// The chance that the other seat has a jack on its next turn.
fn chance_of_jack(rules: &Rules, view: &View) -> f64 {
    let held = f64::from(view.held[view.seat.other().side()]);
    let unseen = (f64::from(view.stock_len) + held).max(1.0);
    let expected =
        f64::from(count(view.unseen, JACKS)) * ((held + f64::from(rules.draw)) / unseen).min(1.0);
    expected / (1.0 + expected)
}

impl Decision<'_> {
    /// Progress of a seat to a winning knock: the square of the share that is reached, in points.
    fn approach(&self, mine: i32, theirs: i32) -> f64 {
        let need = self.rules.winning_value(theirs);
        let (need, mine) = (f64::from(need), f64::from(mine.min(need)));
        mine * mine / need
    }

    /// Value of these squares at the start of the other seat's turn, with this hand left.
    fn standing(&self, [own, other]: [&SquareGains; 2], hand: CardSet) -> f64 {
        let rules = self.rules;
        let weights = self.weights;
        // No card gives more: four lines go through the middle.
        let step = 4 * i32::from(rules.suit_line.max(rules.color_line));
        // Largest loss by a jack.
        let worst = own.losses.most();
        let mut value = weights.own_now * f64::from(own.value)
            - weights.other_now * f64::from(other.value)
            + weights.own_approach * self.approach(own.value, other.value)
            - weights.other_approach * self.approach(other.value, own.value)
            - weights.exposure * self.jack * f64::from(worst);
        if rules.knock_wins(own.value, other.value) {
            let mut threat = weights.threat;
            if !rules.knock_wins(own.value - worst, other.value) {
                threat *= 1.0 - weights.threat_jack * self.jack;
            }
            if !rules.knock_wins(own.value, other.value + reach(other)) {
                threat *= 1.0 - weights.threat_overtaken;
            }
            value += threat;
        } else if rules.knock_wins(own.value + step, other.value)
            && rules.knock_wins(own.value + reach_with(own, hand), other.value)
        {
            value += weights.poised;
        }
        if rules.knock_wins(other.value, own.value) {
            value -= weights.danger;
        } else if rules.knock_wins(other.value + step, own.value)
            && rules.knock_wins(other.value + reach(other), own.value)
        {
            let guard = if (hand & JACKS).is_empty() { 0.0 } else { weights.guard };
            value -= weights.looming * (1.0 - guard);
        }
        value
    }
}
