//! A heuristic that looks at what each move changes.

use super::Weights;
use super::potential::{Fillers, Potential, Supply};
use super::race::{Race, Side};
use crate::cards::Card;
use crate::chance::Stream;
use crate::game::{Policy, Ruled};
use crate::games::leopard::{Covers, Leopard, Move, Plays, Rules, Square, View};

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
}

impl Policy<Leopard> for Steady {
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        let rules = game.rules();
        let weights = match rules.plays {
            Plays::One => &self.weights,
            Plays::Many => &self.many,
        };
        let thought = Thought::new(weights, rules, view);
        if view.may_knock(rules) && thought.knocks() {
            return Move::KNOCK;
        }
        thought.best()
    }

    /// What it goes by when it picks. A knock that it would make comes before all else, one that
    /// it would not make after all else.
    fn weigh(&self, game: &Leopard, view: &View, moves: &[Move], out: &mut Vec<f32>) -> bool {
        let rules = game.rules();
        let weights = match rules.plays {
            Plays::One => &self.weights,
            Plays::Many => &self.many,
        };
        let thought = Thought::new(weights, rules, view);
        let mut list = Vec::with_capacity(moves.len());
        thought.offer_all(&mut list);
        let most = list.iter().fold(0.0f64, |most, (_, worth)| most.max(*worth));
        let least = list.iter().fold(0.0f64, |least, (_, worth)| least.min(*worth));
        let worth = |mv: &Move| {
            if *mv == Move::KNOCK {
                return if thought.knocks() { most + 10.0 } else { least };
            }
            list.iter().find(|(offered, _)| offered == mv).map_or(least, |(_, worth)| *worth)
        };
        out.clear();
        out.extend(moves.iter().map(|mv| worth(mv) as f32));
        true
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
        let race = Race::new(weights, rules, view);
        let standing = race.worth(&race.own, &race.other, view.hand.distinct().0);
        let fade = (f64::from(view.stock_len) / weights.fade.max(1.0)).min(1.0);
        Thought {
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
    fn worth(&self, own: (&Side, f64), other: (&Side, f64), hand: u64) -> f64 {
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
    fn helps(&self, card: Card, cell: u32) -> f64 {
        let mut square = self.view.own();
        let mut change = -self.race.own.losses.at(cell);
        let hope = if is_face_down(card) {
            square.cover(cell as u8);
            self.own.cover(cell as usize)
        } else {
            let suit = card.suit().index();
            square.lay(cell as u8, suit as u32);
            change += self.race.own.gains[suit].at(cell);
            self.own.lay(cell as usize, suit)
        };
        let side = self.race.own_after(square, change);
        self.worth((&side, hope), (&self.race.other, 0.0), self.without(card))
    }

    /// What it is worth to lay a card on the other's square, the card itself not counted.
    fn harms(&self, card: Card, cell: u32) -> f64 {
        let mut square = self.view.other();
        let mut change = -self.race.other.losses.at(cell);
        let hope = if is_face_down(card) {
            square.cover(cell as u8);
            self.other.cover(cell as usize)
        } else {
            let suit = card.suit().index();
            square.lay(cell as u8, suit as u32);
            change += self.race.other.gains[suit].at(cell);
            self.other.lay(cell as usize, suit)
        };
        let side = self.race.other_after(square, change);
        self.worth((&self.race.own, 0.0), (&side, hope), self.without(card))
    }

    /// The distinct cards of the hand when one copy of a card has left it.
    #[inline]
    fn without(&self, card: Card) -> u64 {
        let hand = self.view.hand.distinct();
        if self.view.hand.count(card) > 1 { hand.0 } else { hand.without(card).0 }
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
        self.offer_all(&mut best);
        best.mv
    }

    /// Offers every play and discard, and the end of a turn as worth nothing.
    fn offer_all(&self, best: &mut impl Listener) {
        if self.view.played {
            best.offer(0.0, Move::END);
        }
        for card in self.view.hand.distinct() {
            let keep = match card.rank() {
                1..=9 => self.lay_number(card, best),
                _ => self.lay_anywhere(card, best),
            };
            if !self.view.played {
                let rest = self.without(card);
                let gone = self.worth((&self.race.own, 0.0), (&self.race.other, 0.0), rest);
                best.offer(gone - keep, Move::discard(card.index()));
            }
        }
    }

    /// Offers the plays of a number card; returns what it costs to discard it.
    fn lay_number(&self, card: Card, best: &mut impl Listener) -> f64 {
        let (index, suit) = (card.index(), card.suit().index());
        let cell = u32::from(index / 4);
        let open = |square: Square| square.open() >> cell & 1 == 1;
        let lost = self.own.lose(cell as usize, suit, &self.hand, self.weights);
        let lost = -self.weights.own_hope * lost;
        let mut keep = 0.0;
        if open(self.view.other()) {
            let harm = self.harms(card, cell);
            best.offer(harm - lost, Move::other(index, cell as u8));
            if self.view.hand.count(card) == 1 {
                keep = self.fade * self.weights.keep_harm * harm.max(0.0);
            }
        }
        if open(self.view.own()) {
            best.offer(self.helps(card, cell) - keep, Move::own(index, cell as u8));
        }
        keep + lost
    }

    /// Offers the plays of a ten or a face card; returns what it costs to discard it.
    fn lay_anywhere(&self, card: Card, best: &mut impl Listener) -> f64 {
        let weights = self.weights;
        let (own, other) = (self.view.own(), self.view.other());
        let any = self.rules.face_down_covers == Covers::Any;
        let coverable = |square: Square| if any { 0x1FF } else { square.face_up() };
        let own_hope = self.own.points - f64::from(self.view.own_value());
        let other_hope = self.other.points - f64::from(self.view.other_value());
        let (keep, own_cells, other_cells) = match card.rank() {
            10 => (weights.keep_ten, own.open(), 0),
            11 => (
                weights.keep_jack + weights.keep_jack_hope * other_hope,
                coverable(own),
                coverable(other),
            ),
            12 => (weights.keep_queen, coverable(own), 0),
            _ => (weights.keep_king + weights.keep_king_hope * own_hope, 0x1FF, 0),
        };
        let keep = self.fade * keep;
        let mut most = 0.0f64;
        for cell in cells_of(own_cells) {
            let help = self.helps(card, cell);
            most = most.max(help);
            best.offer(help - keep, Move::own(card.index(), cell as u8));
        }
        for cell in cells_of(other_cells) {
            let harm = self.harms(card, cell);
            most = most.max(harm);
            best.offer(harm - keep, Move::other(card.index(), cell as u8));
        }
        keep + self.fade * weights.keep_best * most
    }
}

/// Jacks and queens lie face down.
#[inline]
fn is_face_down(card: Card) -> bool {
    matches!(card.rank(), 11 | 12)
}

/// The cells of a mask, ascending.
fn cells_of(mask: u32) -> impl Iterator<Item = u32> {
    (0..9).filter(move |cell| mask >> cell & 1 == 1)
}
