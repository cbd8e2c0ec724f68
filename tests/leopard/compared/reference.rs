//! A slow reference of Leopard, written from the text of the rules alone, with cards in vectors and
//! lines written out. The fast game is compared with it.

/// A card as rank (1 ace … 13 king) and suit letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Card {
    pub rank: u32,
    pub suit: char,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Color {
    Black,
    Red,
}

impl Card {
    fn color(self) -> Color {
        match self.suit {
            'S' | 'C' => Color::Black,
            'H' | 'D' => Color::Red,
            other => panic!("no suit {other}"),
        }
    }
}

/// The rules, with names of this file.
#[derive(Clone, Debug)]
pub struct Rules {
    pub suit_line: i64,
    pub color_line: i64,
    pub knock_at: i64,
    pub bonus_over: i64,
    pub bonus_even_after_a_knock: bool,
    pub knock_penalty: i64,
    pub draw: usize,
    pub many_plays: bool,
    pub hand_size: usize,
    pub face_down_covers_any_cell: bool,
    pub face_down_covers_face_down: bool,
    /// `true` if jacks and queens go on the own square, and on the other.
    pub jacks_on: [bool; 2],
    pub queens_on: [bool; 2],
    pub knock_at_any_time: bool,
    pub deck: Vec<Card>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Square {
    Own,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Move {
    /// A card on a cell, 1 to 9.
    Play(Card, Square, usize),
    Discard(Card),
    EndTurn,
    Knock,
}

/// The cards on a cell, from the bottom up.
#[derive(Clone, Debug, Default)]
struct Cell {
    cards: Vec<(Card, bool)>,
}

impl Cell {
    fn face_up_card(&self) -> Option<Card> {
        match self.cards.last() {
            Some((card, true)) => Some(*card),
            _ => None,
        }
    }

    fn is_open(&self) -> bool {
        self.face_up_card().is_none()
    }

    fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    KnockBy(usize),
    NoCardsLeft,
}

/// A hand of Leopard.
#[derive(Clone, Debug)]
pub struct Hand {
    rules: Rules,
    pub stock: Vec<Card>,
    pub hands: [Vec<Card>; 2],
    squares: [Vec<Cell>; 2],
    pub discards: Vec<Card>,
    pub turn_of: usize,
    plays_this_turn: usize,
    pub end: Option<End>,
    /// A seat at the start of its turn, and the number of cards that it must draw first.
    pub must_draw: Option<(usize, usize)>,
}

impl Hand {
    /// The cards dealt, in this order of seats; the first seat must draw next.
    pub fn new(rules: Rules, dealt: [Vec<Card>; 2]) -> Hand {
        let mut hand = Hand {
            stock: rules.deck.clone(),
            rules,
            hands: [Vec::new(), Vec::new()],
            squares: [vec![Cell::default(); 9], vec![Cell::default(); 9]],
            discards: Vec::new(),
            turn_of: 0,
            plays_this_turn: 0,
            end: None,
            must_draw: None,
        };
        for (seat, cards) in dealt.into_iter().enumerate() {
            assert_eq!(cards.len(), hand.rules.hand_size, "each seat is dealt a hand");
            for card in cards {
                hand.take(seat, card);
            }
        }
        hand.begin_turn(0);
        hand
    }

    fn take(&mut self, seat: usize, card: Card) {
        let place = self.stock.iter().position(|c| *c == card);
        self.stock.remove(place.expect("a drawn card comes from the stock"));
        self.hands[seat].push(card);
    }

    fn begin_turn(&mut self, seat: usize) {
        self.turn_of = seat;
        self.plays_this_turn = 0;
        self.must_draw = Some((seat, self.rules.draw.min(self.stock.len())));
    }

    /// Gives the seat that must draw these cards. If it is then passed over, the other seat must
    /// draw.
    pub fn draw(&mut self, cards: &[Card]) {
        let (seat, number) = self.must_draw.take().expect("a seat that must draw");
        assert_eq!(cards.len(), number, "the right number of cards is drawn");
        for card in cards {
            self.take(seat, *card);
        }
        if self.hands[seat].is_empty() && !self.qualifies(seat) {
            self.begin_turn(1 - seat);
        }
    }

    fn qualifies(&self, seat: usize) -> bool {
        self.value(seat) >= self.rules.knock_at
    }

    /// The value of a seat's square.
    pub fn value(&self, seat: usize) -> i64 {
        let on = |cell: usize| self.squares[seat][cell - 1].face_up_card();
        let line = |a: usize, b: usize, c: usize| match (on(a), on(b), on(c)) {
            (Some(a), Some(b), Some(c)) => {
                if a.suit == b.suit && b.suit == c.suit {
                    self.rules.suit_line
                } else if a.color() == b.color() && b.color() == c.color() {
                    self.rules.color_line
                } else {
                    0
                }
            }
            _ => 0,
        };
        let rows = line(1, 2, 3) + line(4, 5, 6) + line(7, 8, 9);
        let columns = line(1, 4, 7) + line(2, 5, 8) + line(3, 6, 9);
        let diagonals = line(1, 5, 9) + line(3, 5, 7);
        rows + columns + diagonals
    }

    /// The suit that a cell (1 to 9) shows.
    pub fn shows(&self, seat: usize, cell: usize) -> Option<char> {
        self.squares[seat][cell - 1].face_up_card().map(|card| card.suit)
    }

    /// The points of a seat if the hand ended now, or as it has ended.
    pub fn score(&self, seat: usize) -> i64 {
        let knocker = match self.end {
            Some(End::KnockBy(knocker)) => Some(knocker),
            _ => None,
        };
        let value = self.value(seat);
        let mut score = value;
        if knocker.is_none() || self.rules.bonus_even_after_a_knock {
            let mut above = self.rules.bonus_over;
            while above < value {
                score += 1;
                above += 1;
            }
        }
        if knocker == Some(seat) {
            score -= self.rules.knock_penalty;
        }
        score
    }

    /// Returns `true` if this card may be laid on a cell of the square of this seat.
    fn may_lay(&self, card: Card, square: Square, cell: usize) -> bool {
        let seat = match square {
            Square::Own => self.turn_of,
            Square::Other => 1 - self.turn_of,
        };
        let open = self.squares[seat][cell - 1].is_open();
        let own = square == Square::Own;
        match card.rank {
            1..=9 => cell == card.rank as usize && open,
            10 => own && open,
            11 | 12 => {
                let rules = &self.rules;
                let on = if card.rank == 11 { rules.jacks_on } else { rules.queens_on };
                let empty = self.squares[seat][cell - 1].is_empty();
                on[usize::from(!own)]
                    && (!open
                        || rules.face_down_covers_any_cell
                        || rules.face_down_covers_face_down && !empty)
            }
            13 => own,
            other => panic!("no rank {other}"),
        }
    }

    /// Returns `true` if the seat to move may do this now.
    pub fn is_legal(&self, mv: Move) -> bool {
        assert!(self.must_draw.is_none(), "the draw comes first");
        if self.end.is_some() {
            return false;
        }
        let hand = &self.hands[self.turn_of];
        let played = self.plays_this_turn > 0;
        match mv {
            Move::Play(card, square, cell) => {
                hand.contains(&card) && self.may_lay(card, square, cell)
            }
            // In Running the discard replaces the plays that were not made.
            Move::Discard(card) => hand.contains(&card) && !played,
            Move::EndTurn => played || hand.is_empty(),
            Move::Knock => {
                self.qualifies(self.turn_of) && (!played || self.rules.knock_at_any_time)
            }
        }
    }

    /// All legal moves, each once, in order.
    pub fn moves(&self) -> Vec<Move> {
        let mut cards = self.hands[self.turn_of].clone();
        cards.sort();
        cards.dedup();
        let mut moves = vec![Move::EndTurn, Move::Knock];
        for card in cards {
            moves.push(Move::Discard(card));
            for cell in 1..=9 {
                moves.push(Move::Play(card, Square::Own, cell));
                moves.push(Move::Play(card, Square::Other, cell));
            }
        }
        moves.retain(|mv| self.is_legal(*mv));
        moves.sort();
        moves
    }

    /// Returns `true` if the turn has seen a play already.
    pub fn has_played(&self) -> bool {
        self.plays_this_turn > 0
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        let seat = self.turn_of;
        let turn_ends = match mv {
            Move::Knock => {
                self.end = Some(End::KnockBy(seat));
                return;
            }
            Move::EndTurn => true,
            Move::Discard(card) => {
                self.give_up(seat, card);
                self.discards.push(card);
                true
            }
            Move::Play(card, square, cell) => {
                self.give_up(seat, card);
                let at = if square == Square::Own { seat } else { 1 - seat };
                let face_up = card.rank != 11 && card.rank != 12;
                self.squares[at][cell - 1].cards.push((card, face_up));
                self.plays_this_turn += 1;
                !self.rules.many_plays
            }
        };
        let no_cards = self.hands.iter().all(Vec::is_empty) && self.stock.is_empty();
        if no_cards {
            self.end = Some(End::NoCardsLeft);
        } else if turn_ends {
            self.begin_turn(1 - seat);
        }
    }

    fn give_up(&mut self, seat: usize, card: Card) {
        let place = self.hands[seat].iter().position(|c| *c == card);
        self.hands[seat].remove(place.expect("a card of the hand"));
    }

    /// Number of cards in any place: always those of the deck.
    pub fn all_cards(&self) -> usize {
        let on_squares = self.squares.iter().flatten().map(|cell| cell.cards.len()).sum::<usize>();
        let in_hands = self.hands.iter().map(Vec::len).sum::<usize>();
        self.stock.len() + in_hands + on_squares + self.discards.len()
    }
}
