//! The moves of a ten or a face card.

use super::bounds::{Between, Bounds, SLACK};
use super::moves::Offers;
use super::standings::{Left, Lines};
use crate::cards::Card;
use crate::games::leopard::cells::{Cell, Cells, Kind};
use crate::games::leopard::{Move, Side};

/// A ten or a face card as its moves are offered.
pub(super) struct Court {
    card: Card,
    /// Of a card that lies face up.
    suit: Option<usize>,
    left: Left,
    keep: f64,
    /// What the best of its plays is worth, and not less than nothing.
    best: Between,
}

impl Court {
    #[inline(always)]
    fn new(offers: &Offers<'_>, card: Card, kind: Kind) -> Court {
        let suit = (!kind.is_face_down()).then_some(card.suit().index());
        let left = offers.bounds.standings.left(card);
        Court { card, suit, left, keep: offers.decision.keep(kind), best: Between::NOTHING }
    }

    /// A ten or a king.
    #[inline(always)]
    pub fn lay_up(offers: &mut Offers<'_>, card: Card, kind: Kind) {
        let mut court = Court::new(offers, card, kind);
        let (bounds, now) = (offers.bounds, &offers.decision.now[0]);
        let suit = card.suit().index();
        let (gains, same) = (now.gains[suit], now.square.suits()[suit]);
        let cells = if kind == Kind::Ten { now.square.open() } else { Cells::ALL };
        let won = gains.within(cells.without(same)).most();
        let most = bounds.most_laid(suit, won);
        court.check(offers, Side::Own, most);
        // Mostly no play of it is good enough, and need not be looked at.
        if !court.may_be_best(offers, most) {
            return court.discard(offers);
        }
        for (cell, won) in gains.within(cells.without(same)) {
            court.lay(offers, (Side::Own, cell), Lines { won, lost: now.losses.at(cell) });
        }
        let quiet = cells.without(gains.cells()).without(same);
        if court.may_be_best(offers, bounds.most_filled(quiet, suit)) {
            for cell in quiet {
                court.lay(offers, (Side::Own, cell), Lines { won: 0, lost: now.losses.at(cell) });
            }
        }
        // Where one of its suit lies nothing changes.
        let same = cells & same;
        if !same.is_empty() && court.may_be_best(offers, bounds.standings.most_same()) {
            for cell in same {
                let lines = Lines { won: gains.at(cell), lost: now.losses.at(cell) };
                court.lay(offers, (Side::Own, cell), lines);
            }
        }
        court.discard(offers);
    }

    /// A jack or a queen.
    #[inline(always)]
    pub fn lay_down(offers: &mut Offers<'_>, card: Card, kind: Kind) {
        let mut court = Court::new(offers, card, kind);
        let (decision, bounds) = (offers.decision, offers.bounds);
        let [own, other] = decision.now;
        let most = bounds.most_opened();
        court.check(offers, Side::Own, most);
        if court.may_be_best(offers, most) {
            for cell in decision.rules.cells(kind, own.square, Side::Own) {
                court.lay(offers, (Side::Own, cell), Lines { won: 0, lost: own.losses.at(cell) });
            }
        }
        let spoilt = bounds.most_spoilt();
        let most = bounds.standings.most_spoilt(other.losses.most(), &court.left) + spoilt;
        court.check(offers, Side::Other, most);
        if kind == Kind::Jack && court.may_be_best(offers, most) {
            let cells = decision.rules.cells(kind, other.square, Side::Other);
            let most = |lost, left: &Left| bounds.standings.most_undone(lost, left) + spoilt;
            for (cell, lost) in other.losses {
                if court.may_be_best(offers, most(lost, &court.left)) {
                    court.lay(offers, (Side::Other, cell), Lines { won: 0, lost });
                }
            }
            if court.may_be_best(offers, most(0, &court.left)) {
                for cell in cells.without(other.losses.cells()) {
                    court.lay(offers, (Side::Other, cell), Lines { won: 0, lost: 0 });
                }
            }
        }
        court.discard(offers);
    }

    /// Whether one of some plays may be the best move, none of which is worth more than this.
    #[inline(always)]
    fn may_be_best(&mut self, offers: &Offers<'_>, most: f64) -> bool {
        if most > self.best.most {
            self.best.most = most;
        }
        most - self.keep >= offers.enough()
    }

    /// Holds that none of its plays on a side is worth more, when this is tested.
    #[inline(always)]
    fn check(&self, offers: &Offers<'_>, side: Side, most: f64) {
        if cfg!(test) {
            let (decision, kind) = (offers.decision, Kind::of(self.card));
            for cell in decision.rules.cells(kind, decision.now[side as usize].square, side) {
                let exactly = decision.lay(side, self.card, cell);
                assert!(exactly <= most + SLACK, "{exactly} > {most}: {:?}", decision.view);
            }
        }
    }

    #[inline(always)]
    fn lay(&mut self, offers: &mut Offers<'_>, (side, cell): (Side, Cell), lines: Lines) {
        let enough = offers.enough() + self.keep;
        let worth = offers.bounds.lay((side, cell), self.suit, lines, &self.left, enough);
        if worth.least > self.best.least {
            self.best.least = worth.least;
        }
        if worth.most > self.best.most {
            self.best.most = worth.most;
        }
        offers.offer(worth.plus(-self.keep), Move::lay(side, self.card, cell));
    }

    #[inline(always)]
    fn discard(&self, offers: &mut Offers<'_>) {
        let decision = offers.decision;
        if !decision.view.played {
            let share = decision.fade * decision.weights.keep_best;
            let gone = offers.bounds.standings.without(self.card, &self.left) - self.keep;
            let least = gone - share * self.best.most;
            let most = gone - share * self.best.least;
            offers.offer(Between { least, most }, Move::discard(self.card));
        }
    }
}

impl Bounds<'_> {
    /// Whether it may be worth more than this to lay a ten or a face card on a cell.
    pub fn may_exceed(&self, (side, cell): (Side, Cell), card: Card, least: f64) -> bool {
        let now = &self.decision.now[side as usize];
        let suit = (!Kind::of(card).is_face_down()).then_some(card.suit().index());
        let won = suit.map_or(0, |_| now.gain(card, cell));
        let lines = Lines { won, lost: now.losses.at(cell) };
        let worth = self.lay((side, cell), suit, lines, &self.standings.left(card), f64::INFINITY);
        worth.most + SLACK >= least
    }
}
