//! A decision: the values of its moves, upper bounds of these values, and the best move.

use arrayvec::ArrayVec;

use super::super::Weights;
use super::lines::Potential;
use super::race::{Prospects, Race, RaceModel};
use crate::cells::{CardKind, Cell, Cells, JACKS, NUMBERS, QUEENS};
use crate::gains::SquareGains;
use crate::{Covers, Move, Rules, Side, Square, View};
use parlour_base::cards::{Card, CardSet};

/// Largest number of moves of number cards, with the end of a turn, and of tens and face cards.
const MOST_MOVES: usize = 128;

/// The best of the moves that are valued so far, and its place among all.
struct Best {
    value: f64,
    place: usize,
    mv: Move,
}

/// More than rounding can add up to.
const ROUNDING: f64 = 1e-9;

/// The position of a decision.
pub(super) struct Decision<'a> {
    weights: &'a Weights,
    rules: &'a Rules,
    view: &'a View,
    /// The squares, by side.
    now: &'a [SquareGains; 2],
    /// Cells by side for a queen, a king, a ten and a jack: in the order of the ranks' last two bits.
    cells: [[Cells; 4]; 2],
    /// Expected points of the lines.
    lines: &'a Potential<'a>,
    model: RaceModel<'a>,
    /// Value to knock at, at least 1.
    knock_at: f64,
    /// Share of the value of kept cards that is left so late in the hand.
    fade: f64,
    /// Upper bounds of the largest gains after any play: of a card in hand on the own square, and of any
    /// card on the other.
    limits: [i32; 2],
    race: Race,
    prospects: Prospects,
    /// Upper bound of the own reach after a face-up card that loses no points.
    near: i32,
    /// Value of the squares in the race, with the hand as it is.
    stays: f64,
    /// Lower bound of that value after a card on the other square that wins no points.
    calm: f64,
    /// Upper bounds of that value after a face-up card that neither wins nor loses points, by side.
    quiet: [f64; 2],
    /// Upper bound of that value after a card that opens an own cell and loses no points.
    opens: f64,
    /// Upper bounds of that value after an own face-up card is covered and no points are won: by a card
    /// that opens the cell, and by any other.
    covers: [f64; 2],
    /// Smallest cost of an own point that is lost.
    per_lost: f64,
}

/// A card laid on a cell.
#[derive(Clone, Copy)]
struct Play {
    side: Side,
    card: Card,
    cell: Cell,
    /// Suit of the card, if it lies face up.
    suit: Option<usize>,
    /// Points of the lines that the play wins and loses.
    won: i32,
    lost: i32,
    /// Change of the expected points of the side.
    delta: f64,
}

impl<'a> Decision<'a> {
    #[inline(always)]
    pub fn new(
        weights: &'a Weights,
        rules: &'a Rules,
        view: &'a View,
        now: &'a [SquareGains; 2],
        lines: &'a Potential<'a>,
    ) -> Decision<'a> {
        let model = RaceModel::new(weights, rules, view);
        let (hand, [own, other]) = (view.hand.distinct(), now);
        let race = model.race([own.value, other.value]);
        // One more line adds at most its points to the gain of a card.
        let line = i32::from(rules.suit_line.max(rules.color_line));
        let limits = [own.limit(fills(hand)), other.limit([Cells::ALL; 4])].map(|it| it + line);
        let (worst, guard) = (own.losses.most(), model.guard(hand));
        let prospects = Prospects { worst, own_reach: 0, other_reach: other.reach(), guard };
        let fade = (f64::from(view.stock_len) / weights.fade.max(1.0)).min(1.0);
        let (stays, calm, quiet) = (0.0, f64::NEG_INFINITY, [0.0; 2]);
        let (opens, covers, per_lost) = (0.0, [0.0; 2], weights.own_now);
        // Constant rules let the compiler leave out the cases of all other rules.
        let squares = [own.square, other.square];
        let cells = match rules.face_down_covers {
            Covers::FaceUp if !rules.covers_oddly() => cells_by_rank(&Rules::REVISED, squares),
            _ => cells_by_rank(rules, squares),
        };
        Decision {
            weights,
            rules,
            view,
            now,
            cells,
            lines,
            model,
            knock_at: f64::from(rules.knock_at.max(1)),
            fade,
            limits,
            race,
            prospects,
            near: 0,
            stays,
            calm,
            quiet,
            opens,
            covers,
            per_lost,
        }
    }

    /// Computes the prospects of the own square and the bounds of values.
    #[inline(always)]
    pub fn set_bounds(&mut self) {
        let Decision { weights, rules, race, limits, model, now: [own, other], .. } = *self;
        let hand = self.view.hand.distinct();
        let line = i32::from(rules.suit_line.max(rules.color_line));
        self.prospects.own_reach = self.own_reach(own, &self.race, hand, self.limits[0]);
        self.near = self.prospects.own_reach + line;
        let now = self.prospects;
        let near = Prospects { own_reach: self.near, ..now };
        self.stays = model.standing(&race, &now);
        if race.need(0) > now.own_reach {
            self.calm = self.stays - weights.looming.abs() - ROUNDING;
        }
        let quiet = self.most_standing(Side::Other, 0, now.worst, now.own_reach);
        self.quiet = [model.standing(&race, &near), quiet];
        let closed = limits[0] - line;
        self.opens = self.most_standing(Side::Own, 0, now.worst, closed);
        // A square that would win now may then only come near.
        let near = if race.need(0) <= 0 { weights.poised } else { 0.0 };
        let covers = |reach| self.most_standing(Side::Own, 0, 0, reach) + near + ROUNDING;
        self.covers = [covers(closed), covers(limits[0])];
        // With fewer own points, the other seat's way to a winning knock may be shorter.
        if other.value > rules.winning_value(own.value - now.worst) {
            self.per_lost -= weights.other_approach;
        }
    }

    /// Largest gain of these cards on an own square where it is at most `limit`; the limit itself, if the
    /// gain cannot matter.
    #[inline(always)]
    fn own_reach(&self, own: &SquareGains, race: &Race, cards: CardSet, limit: i32) -> i32 {
        let matters = (1..=limit).contains(&race.need(0));
        if matters { own.best_gain(cards) } else { limit }
    }

    /// The race after a change of the points of a side.
    #[inline(always)]
    fn race_after(&self, side: Side, change: i32) -> Race {
        if change == 0 {
            return self.race;
        }
        let mut values = [self.now[0].value, self.now[1].value];
        values[side as usize] += change;
        self.model.race(values)
    }

    /// Upper bound of the value of the squares in the race after a play that changes the points of a side.
    /// Then a jack takes at least `worst` points of the own square, and a card gains at most `own_reach`.
    #[inline(always)]
    fn most_standing(&self, side: Side, change: i32, worst: i32, own_reach: i32) -> f64 {
        let other_reach = if side == Side::Own { self.prospects.other_reach } else { 0 };
        let prospects = Prospects { worst, own_reach, other_reach, ..self.prospects };
        // A negative cost may come where the other reach, the points or the guard change.
        let looming = self.weights.looming.min(0.0);
        self.model.standing(&self.race_after(side, change), &prospects) - looming
    }

    /// The cells on which a ten or a face card may be laid, by side.
    #[inline(always)]
    fn cells(&self, card: Card) -> [Cells; 2] {
        let place = usize::from(card.rank() & 3);
        [self.cells[0][place], self.cells[1][place]]
    }

    /// The distinct cards of the hand without one copy of a card.
    #[inline(always)]
    fn without(&self, card: Card) -> CardSet {
        let hand = self.view.hand;
        if hand.doubled().has(card) { hand.distinct() } else { hand.distinct().without(card) }
    }

    #[inline(always)]
    fn play(&self, side: Side, card: Card, cell: Cell) -> Play {
        let (now, suit) = (&self.now[side as usize], suit_of(card));
        let won = if suit.is_some() { now.gain(card, cell) } else { 0 };
        let (lost, delta) = (now.losses.at(cell), self.lines.change(side, cell, suit));
        Play { side, card, cell, suit, won, lost, delta }
    }

    /// Value of a play, without the value of the card in hand: of the squares in the race, and of a change
    /// of the expected points.
    #[inline(always)]
    fn value(&self, side: Side, standing: f64, delta: f64) -> f64 {
        let weights = self.weights;
        // The change of the square of the expected points.
        let swell = delta * (2.0 * self.lines.points[side as usize] + delta);
        let (hope, swell) = match side {
            Side::Own => (weights.own_hope * delta, weights.own_swell * swell),
            Side::Other => (-weights.other_hope * delta, -weights.other_swell * swell),
        };
        standing - self.stays + hope + swell / self.knock_at
    }

    /// Value of a play, without the value of the card in hand.
    fn lay(&self, play: Play) -> f64 {
        let Play { side, card, cell, suit, won, lost, delta } = play;
        let (left, now) = (self.without(card), self.prospects);
        // If no line comes or goes and no reach matters, only the guard may change.
        let [need, other_need] = [self.race.need(0), self.race.need(1)];
        let reach_matters = match side {
            Side::Own => {
                let limit = if suit.is_some() { self.near } else { self.limits[0] };
                (1..=limit).contains(&need)
            }
            Side::Other => need <= now.own_reach || (1..=self.limits[1]).contains(&other_need),
        };
        if (won, lost) == (0, 0) && !reach_matters && self.model.guard(left) == now.guard {
            return self.value(side, self.stays, delta);
        }
        let SquareGains { mut square, value, .. } = self.now[side as usize];
        match suit {
            Some(_) => square.lay(cell, card.suit()),
            None => square.cover(cell),
        }
        let after = SquareGains::with_value(square, value + won - lost, self.rules);
        let race = self.race_after(side, won - lost);
        let own_reach = match side {
            Side::Own => self.own_reach(&after, &race, left, self.limits[0]),
            Side::Other => self.own_reach(&self.now[0], &race, left, now.own_reach),
        };
        let mut prospects = Prospects { own_reach, guard: self.model.guard(left), ..now };
        match side {
            Side::Own => prospects.worst = after.losses.most(),
            Side::Other => prospects.other_reach = after.reach(),
        }
        self.value(side, self.model.standing(&race, &prospects), delta)
    }

    /// Upper bound of [`lay`](Decision::lay), for plain weights.
    #[inline(always)]
    fn most_laid(&self, play: Play) -> f64 {
        let Play { side, suit, won, lost, delta, .. } = play;
        let Prospects { worst, own_reach, .. } = self.prospects;
        let is_face_up = suit.is_some();
        let standing = match (side, won, lost) {
            (Side::Own, 0, 0) => {
                if is_face_up {
                    self.quiet[0]
                } else {
                    self.opens
                }
            }
            (Side::Own, 0, _) => {
                self.covers[usize::from(is_face_up)] - self.per_lost * f64::from(lost)
            }
            // The card itself would be taken, or any other that was there.
            (Side::Own, _, 0) => self.most_standing(side, won, worst.max(won), self.near),
            (Side::Own, ..) => self.most_standing(side, won - lost, 0, self.limits[0]),
            (Side::Other, 0, 0) => self.quiet[1],
            (Side::Other, ..) => self.most_standing(side, won - lost, worst, own_reach),
        };
        self.value(side, standing, delta)
    }

    /// Upper bound of the values of all plays of a ten or a face card on these own cells.
    #[inline(always)]
    fn most_of_all(&self, card: Card, cells: Cells) -> f64 {
        if self.per_lost < self.weights.own_now {
            return f64::INFINITY;
        }
        let suit = suit_of(card);
        let won = suit.map_or(0, |_| self.now[0].of(card).within(cells).most());
        let covers = self.covers[usize::from(suit.is_some())];
        let standing = match won {
            0 => covers,
            _ => self.most_standing(Side::Own, won, 0, self.limits[0]).max(covers),
        };
        self.value(Side::Own, standing, self.lines.largest_change(suit))
    }

    /// Change in the race when one copy of a card leaves the hand, without the value of the card.
    fn stays_without(&self, card: Card) -> f64 {
        let left = self.without(card);
        let limit = self.prospects.own_reach;
        let own_reach = self.own_reach(&self.now[0], &self.race, left, limit);
        let prospects = Prospects { own_reach, guard: self.model.guard(left), ..self.prospects };
        self.model.standing(&self.race, &prospects) - self.stays
    }

    /// Value of a number card in hand for the lines of the own square.
    #[inline(always)]
    fn line_value(&self, card: Card) -> f64 {
        let own = self.now[0].square;
        -self.weights.own_hope * self.lines.lose(card, self.view.hand, own, self.weights)
    }

    /// Value of keeping a number card for the harm that it can do on the other square.
    fn keep_number(&self, card: Card, cell: Cell) -> f64 {
        if self.view.hand.doubled().has(card) || !self.now[1].square.open().has(cell) {
            return 0.0;
        }
        let harm = self.lay(self.play(Side::Other, card, cell));
        self.fade * self.weights.keep_harm * harm.max(0.0)
    }

    /// Value of keeping a ten or a face card.
    #[inline(always)]
    fn keep(&self, kind: CardKind) -> f64 {
        let weights = self.weights;
        let missing = |side: usize| self.lines.points[side] - f64::from(self.now[side].value);
        let keep = match kind {
            CardKind::Ten => weights.keep_ten,
            CardKind::Jack => weights.keep_jack + weights.keep_jack_hope * missing(1),
            CardKind::Queen => weights.keep_queen,
            _ => weights.keep_king + weights.keep_king_hope * missing(0),
        };
        self.fade * keep
    }

    /// Calls `visit` with each move of a number card and an upper bound of its value for plain weights.
    #[inline(always)]
    fn for_each_of_number(&self, card: Card, mut visit: impl FnMut(Move, f64)) {
        let (cell, line_value) = (Cell::of_number(card), self.line_value(card));
        // Lower bound of the value of keeping the card.
        let mut keep = 0.0;
        if self.now[1].square.open().has(cell) {
            let play = self.play(Side::Other, card, cell);
            let harm = self.value(Side::Other, self.calm, play.delta);
            if play.won == 0 && harm > 0.0 && !self.view.hand.doubled().has(card) {
                keep = self.fade * self.weights.keep_harm * harm;
            }
            visit(Move::lay(Side::Other, card, cell), self.most_laid(play) - line_value);
        }
        if self.now[0].square.open().has(cell) {
            let most = self.most_laid(self.play(Side::Own, card, cell));
            visit(Move::lay(Side::Own, card, cell), most - keep);
        }
        if !self.view.played {
            visit(Move::Discard(card), -(keep + line_value));
        }
    }

    /// The same for a ten or a face card. Leaves out plays that are worth less than `least`.
    #[inline(always)]
    fn for_each_of_high_card(&self, card: Card, least: f64, mut visit: impl FnMut(Move, f64)) {
        let kind = CardKind::of(card);
        let ([cells, on_other], keep) = (self.cells(card), self.keep(kind));
        let most_of_all = self.most_of_all(card, cells) - keep;
        if cfg!(test) && least > f64::NEG_INFINITY {
            for cell in cells {
                let exact = self.exact_value(Move::lay(Side::Own, card, cell), false);
                assert!(exact <= most_of_all + ROUNDING, "{card} on {cell:?}: {:?}", self.view);
            }
        }
        if most_of_all >= least {
            for cell in cells {
                let most = self.most_laid(self.play(Side::Own, card, cell));
                visit(Move::lay(Side::Own, card, cell), most - keep);
            }
        }
        for cell in on_other {
            let most = self.most_laid(self.play(Side::Other, card, cell));
            visit(Move::lay(Side::Other, card, cell), most - keep);
        }
        if !self.view.played {
            visit(Move::Discard(card), -keep - self.weights.looming.min(0.0));
        }
    }

    /// The value of a move other than a knock. With plain weights, bounds save time.
    fn exact_value(&self, mv: Move, plain: bool) -> f64 {
        let Some(card) = mv.card() else { return 0.0 };
        let kind = CardKind::of(card);
        let Some((side, _, cell)) = mv.laid() else {
            let keep = match kind {
                CardKind::Number(cell) => self.keep_number(card, cell) + self.line_value(card),
                _ => {
                    let best = self.best_play(card, plain);
                    self.keep(kind) + self.fade * self.weights.keep_best * best
                }
            };
            return self.stays_without(card) - keep;
        };
        let keep = match (kind, side) {
            (CardKind::Number(cell), Side::Own) => self.keep_number(card, cell),
            (CardKind::Number(_), Side::Other) => self.line_value(card),
            _ => self.keep(kind),
        };
        self.lay(self.play(side, card, cell)) - keep
    }

    /// The value of the best play of a ten or a face card, at least 0.
    fn best_play(&self, card: Card, plain: bool) -> f64 {
        let mut most = 0.0;
        for side in Side::BOTH {
            for cell in self.cells(card)[side as usize] {
                let play = self.play(side, card, cell);
                if !plain || self.most_laid(play) > most {
                    most = self.lay(play).max(most);
                }
            }
        }
        most
    }

    /// The values of these legal moves: a knock that the player would make comes first, any other knock
    /// last.
    pub fn score_moves(&self, moves: &[Move], out: &mut Vec<f32>) {
        let mut list = vec![(Move::End, 0.0)];
        let hand = self.view.hand.distinct();
        let mut add = |mv, _| list.push((mv, self.exact_value(mv, false)));
        (hand & NUMBERS).for_each(|card| self.for_each_of_number(card, &mut add));
        let high = CardSet(hand.0 & !NUMBERS.0);
        high.for_each(|card| self.for_each_of_high_card(card, f64::NEG_INFINITY, &mut add));
        let most = list.iter().fold(0.0f64, |most, (_, value)| most.max(*value));
        let least = list.iter().fold(0.0f64, |least, (_, value)| least.min(*value));
        let value = |mv: &Move| {
            if *mv == Move::Knock {
                return if self.knocks() { most + 10.0 } else { least };
            }
            list.iter().find(|(offered, _)| offered == mv).map_or(least, |(_, value)| *value)
        };
        out.clear();
        out.extend(moves.iter().map(|mv| value(mv) as f32));
    }

    /// The best move, the first of equals. Bounds, which hold for plain weights, only save time.
    #[inline(always)]
    pub fn best(&self, plain: bool) -> Move {
        if self.view.may_knock(self.rules) && self.knocks() {
            return Move::Knock;
        }
        // Two jacks, or two queens, do the same.
        let first = |cards: CardSet| CardSet(cards.0 & cards.0.wrapping_neg());
        let hand = self.view.hand.distinct();
        let faces = first(hand & JACKS).0 | first(hand & QUEENS).0;
        let high = CardSet(hand.0 & !(NUMBERS.0 | JACKS.0 | QUEENS.0) | faces);
        let bound = |mv: Move, most: f64| {
            if cfg!(test) && plain {
                let exactly = self.exact_value(mv, false);
                assert!(exactly <= most, "{mv} is worth {exactly} > {most}: {:?}", self.view);
            }
            if plain { most } else { f64::INFINITY }
        };
        let mut moves = ArrayVec::<(Move, f64), MOST_MOVES>::new();
        if self.view.played {
            moves.push((Move::End, bound(Move::End, 0.0)));
        }
        for card in hand & NUMBERS {
            self.for_each_of_number(card, |mv, most| moves.push((mv, bound(mv, most))));
        }
        let mut best = Best { value: f64::NEG_INFINITY, place: 0, mv: Move::End };
        self.settle(&mut moves, 0, &mut best, plain);
        for card in high {
            let least = if plain { best.value } else { f64::NEG_INFINITY };
            self.for_each_of_high_card(card, least, |mv, most| {
                let most = bound(mv, most);
                if most > best.value {
                    moves.push((mv, most));
                }
            });
        }
        self.settle(&mut moves, MOST_MOVES, &mut best, plain);
        best.mv
    }

    /// Values moves exactly until the rest cannot be the best, the most promising first, and removes them.
    /// `place` is that of the first among all moves.
    #[inline(always)]
    fn settle(
        &self,
        moves: &mut ArrayVec<(Move, f64), MOST_MOVES>,
        place: usize,
        best: &mut Best,
        plain: bool,
    ) {
        loop {
            let larger = |most, &(_, bound): &(Move, f64)| if bound > most { bound } else { most };
            let most = moves.iter().fold(f64::NEG_INFINITY, larger);
            if most < best.value || most == f64::NEG_INFINITY {
                return moves.clear();
            }
            let next = moves.iter().position(|(_, bound)| *bound == most).unwrap_or(0);
            moves[next].1 = f64::NEG_INFINITY;
            let (mv, place) = (moves[next].0, place + next);
            let value = self.exact_value(mv, plain);
            // The first of equals.
            if value > best.value || (value == best.value && place < best.place) {
                *best = Best { value, place, mv };
            }
        }
    }

    /// Returns `true` if it knocks, where a knock is legal.
    ///
    /// In a match of one hand a knock is a certain win, draw or loss, and going on is worth something
    /// between a win and a loss. In a longer match the points themselves count.
    fn knocks(&self) -> bool {
        let Decision { weights, rules, view, lines, .. } = self;
        let (own, other) = view.knock_scores(rules);
        let lead = f64::from(own - other);
        let [own_value, other_value] = Side::BOTH.map(|side| f64::from(view.value(side)));
        let growth = lines.points[0] - lines.points[1] - own_value + other_value;
        let going_on = lead + weights.knock_growth * growth + weights.knock_tempo
            - weights.knock_risk * own_value;
        if rules.hands_per_match == 1 {
            let between = going_on / (1.0 + going_on.abs());
            f64::from((own - other).signum()) > between
        } else {
            lead > going_on
        }
    }
}

/// The cells for a queen, a king, a ten and a jack, by side.
#[inline(always)]
fn cells_by_rank(rules: &Rules, [own, other]: [Square; 2]) -> [[Cells; 4]; 2] {
    let of = [CardKind::Queen, CardKind::King, CardKind::Ten, CardKind::Jack];
    let mut cells = [[Cells::NONE; 4]; 2];
    for place in 0..4 {
        cells[0][place] = rules.cells(of[place], own, Side::Own);
        cells[1][place] = rules.cells(of[place], other, Side::Other);
    }
    cells
}

/// The suit of a card that lies face up.
#[inline(always)]
fn suit_of(card: Card) -> Option<usize> {
    (!CardKind::of(card).is_face_down()).then_some(card.suit().index())
}

/// For each suit, the cells that a hand can fill: those of its number cards, and all with a ten or a
/// king.
#[inline(always)]
fn fills(hand: CardSet) -> [Cells; 4] {
    let [s, h, d, c] = Cells::by_suit(hand);
    let fill = |numbers: Cells, suit: usize| {
        let is_wild = (hand.0 >> 36 | hand.0 >> 48) >> suit & 1 == 1;
        if is_wild { Cells::ALL } else { numbers }
    };
    // Spelled out: closures over arrays are not always inlined.
    [fill(s, 0), fill(h, 1), fill(d, 2), fill(c, 3)]
}
