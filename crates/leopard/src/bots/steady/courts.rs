//! The moves of a ten or a face card.

use super::bounds::{Between, Bounds, SLACK};
use super::moves::Offers;
use super::standings::{How, Left, Lines};
use crate::cards::Card;
use crate::cells::{Cell, Cells, Kind};
use crate::{Move, Side};

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
        court.check(offers, (Side::Own, cells), most);
        // Mostly no play of it is good enough, and need not be looked at.
        if !court.may_be_best(offers, most) {
            return court.discard(offers);
        }
        for (cell, won) in gains.within(cells.without(same)) {
            court.lay(offers, (Side::Own, cell), Lines { won, lost: now.losses.at(cell) });
        }
        let quiet = cells.without(gains.cells()).without(same);
        let open = now.square.open();
        let mut looked = court.of_quiet(offers, quiet & open, How::Fills)
            | court.of_quiet(offers, quiet.without(open), How::Replaces);
        // Where one of its suit lies nothing changes.
        let same = cells & same;
        if !same.is_empty() && court.may_be_best(offers, bounds.standings.most_same()) {
            looked = looked | same;
        }
        for cell in looked {
            let lines = Lines { won: gains.at(cell), lost: now.losses.at(cell) };
            court.lay(offers, (Side::Own, cell), lines);
        }
        court.discard(offers);
    }

    /// A jack or a queen.
    #[inline(always)]
    pub fn lay_down(offers: &mut Offers<'_>, card: Card, kind: Kind) {
        let mut court = Court::new(offers, card, kind);
        let (decision, bounds) = (offers.decision, offers.bounds);
        let most = bounds.most_opened();
        let cells = decision.rules.cells(kind, decision.now[0].square, Side::Own);
        court.check(offers, (Side::Own, cells), most);
        if court.may_be_best(offers, most) {
            for cell in court.of_quiet(offers, cells, How::Opens) {
                let lost = decision.now[0].losses.at(cell);
                court.lay(offers, (Side::Own, cell), Lines { won: 0, lost });
            }
        }
        if kind == Kind::Jack {
            court.spoil(offers);
        }
        court.discard(offers);
    }

    /// A jack on the other's square.
    #[inline(always)]
    fn spoil(&mut self, offers: &mut Offers<'_>) {
        let (decision, bounds) = (offers.decision, offers.bounds);
        let other = &decision.now[1];
        let spoilt = bounds.most_spoilt();
        let most = bounds.standings.most_spoilt(other.losses.most(), &self.left) + spoilt;
        let cells = decision.rules.cells(Kind::Jack, other.square, Side::Other);
        self.check(offers, (Side::Other, cells), most);
        if !self.may_be_best(offers, most) {
            return;
        }
        let most = |lost, left: &Left| bounds.standings.most_undone(lost, left) + spoilt;
        for (cell, lost) in other.losses {
            if self.may_be_best(offers, most(lost, &self.left)) {
                self.lay(offers, (Side::Other, cell), Lines { won: 0, lost });
            }
        }
        if self.may_be_best(offers, most(0, &self.left)) {
            for cell in cells.without(other.losses.cells()) {
                self.lay(offers, (Side::Other, cell), Lines { won: 0, lost: 0 });
            }
        }
    }

    /// Of own cells where it makes no line, those where it may be the best move. Most of them do the
    /// same but for what is hoped, so that they need not be looked at one by one.
    #[inline(always)]
    fn of_quiet(&mut self, offers: &Offers<'_>, cells: Cells, how: How) -> Cells {
        let bounds = offers.bounds;
        let apart = bounds.standings.apart;
        let alike = cells.without(apart);
        if alike.is_empty() {
            return cells;
        }
        let most = bounds.most_quiet(alike, self.suit, how, &self.left);
        self.check(offers, (Side::Own, alike), most);
        if self.may_be_best(offers, most) { cells } else { cells & apart }
    }

    /// Whether one of some plays may be the best move, none of which is worth more than this.
    #[inline(always)]
    fn may_be_best(&mut self, offers: &Offers<'_>, most: f64) -> bool {
        if most > self.best.most {
            self.best.most = most;
        }
        most - self.keep >= offers.enough()
    }

    /// Holds that none of its plays on these cells is worth more, when this is tested.
    #[inline(always)]
    fn check(&self, offers: &Offers<'_>, (side, cells): (Side, Cells), most: f64) {
        if cfg!(test) {
            let decision = offers.decision;
            for cell in cells {
                let exactly = decision.lay(side, self.card, cell);
                assert!(exactly <= most + SLACK, "{exactly} > {most}: {:?}", decision.view);
            }
        }
    }

    #[inline(always)]
    fn lay(&mut self, offers: &mut Offers<'_>, (side, cell): (Side, Cell), lines: Lines) {
        let enough = offers.enough() + self.keep;
        let worth =
            offers.bounds.lay((side, cell), (self.card, self.suit), lines, &self.left, enough);
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
        let worth =
            self.lay((side, cell), (card, suit), lines, &self.standings.left(card), f64::INFINITY);
        worth.most + SLACK >= least
    }
}
