//! A hand, who sits at it, and what they may do.

use std::sync::Arc;

use super::hand::{Dealt, Hand};
use super::mind::Mind;
use super::seen::Thought;
use super::sitter::Sitter;
use crate::chance::Stream;
use crate::error::{Error, Result, ensure};
use crate::files::Library;
use crate::game::{MANUAL, Seat, SecretSetup, Turn};
use crate::strategy::{Advice, Strategic, Strategy};
use crate::variant::Variant;

/// What a table is set for.
pub struct Setting<G: Strategic> {
    /// The variant.
    pub variant: Variant<G>,
    /// Who sits where.
    pub sitters: Vec<Sitter<G>>,
    /// The seed of all deals.
    pub seed: u64,
}

/// One hand at a table, and those who sit there.
pub struct Table<G: Strategic> {
    /// The game before anything was laid down.
    pub(super) base: Arc<G>,
    pub(super) game: Arc<G>,
    /// The game as those know it who are not told its secret.
    pub(super) known: Arc<G>,
    pub(super) variant: String,
    pub(super) sitters: Vec<Sitter<G>>,
    pub(super) adviser: Option<Arc<Strategy<G>>>,
    pub(super) hand: Hand<G>,
    /// By seat: none for people, and while one thinks.
    pub(super) minds: Vec<Option<Box<Mind<G>>>>,
    pub(super) chances: Vec<Stream>,
    pub(super) thoughts: Vec<Thought>,
    /// Rises with every change.
    pub(super) version: u64,
    /// Rises when moves are taken back or a hand is dealt: who thinks meanwhile does so in vain.
    pub(super) when: u64,
    pub(super) advice: Option<(Seat, Advice)>,
    /// Who waits for advice, and whether it is being thought about.
    pub(super) wants_advice: Option<(Seat, bool)>,
    pub(super) asks_back: Option<Seat>,
    pub(super) notice: Option<String>,
    pub(super) resigned: bool,
    /// Whether the person who deals has something to lay down first.
    pub(super) asks_dealer: bool,
    /// What strategies believe at the end, once asked for, and once known.
    pub(super) believing: bool,
    pub(super) beliefs: Vec<Option<String>>,
}

/// The game for the bots.
fn redacted<G: Strategic>(game: &Arc<G>) -> Arc<G> {
    let redacted = game.secret_setup().and_then(|secret| secret.redacted());
    redacted.map_or_else(|| game.clone(), Arc::new)
}

/// The secret setup of a game.
pub(super) fn secret_setup<G: Strategic>(game: &G) -> Result<&dyn SecretSetup<G>> {
    game.secret_setup().ok_or_else(|| Error::input("this game has no secret"))
}

/// Returns `true` if a person keeps the secret of the game.
pub(super) fn is_manual<G: Strategic>(game: &G) -> bool {
    game.secret_setup().is_some_and(|secret| secret.is_manual())
}

impl<G: Strategic> Table<G> {
    /// A table with its first hand dealt.
    ///
    /// # Errors
    /// When the sitters are not as many as the seats, or nobody of them is a person.
    pub fn new(setting: Setting<G>) -> Result<Table<G>> {
        let Setting { variant, sitters, seed } = setting;
        let (seats, sit) = (variant.game.seats(), sitters.len());
        ensure(seats == sit, || Error::input(format!("{sit} sit at a table of {seats} seats")))?;
        let people = sitters.iter().any(Sitter::is_person);
        ensure(people, || Error::input("nobody at the table is a person; `match` is for bots"))?;
        let game = Arc::new(variant.game);
        let known = redacted(&game);
        let adviser = Strategy::load(&Library::strategies(G::NAME), G::ADVISER).ok().map(Arc::new);
        let hand = Hand::deal(&*game, Dealt { seed, deal: 0, wish: None });
        let mut table = Table {
            base: game.clone(),
            game,
            known,
            variant: variant.name,
            sitters,
            adviser,
            hand,
            minds: Vec::new(),
            chances: Vec::new(),
            thoughts: Vec::new(),
            version: 0,
            when: 0,
            advice: None,
            wants_advice: None,
            asks_back: None,
            notice: None,
            resigned: false,
            asks_dealer: false,
            believing: false,
            beliefs: Vec::new(),
        };
        table.deal(0);
        Ok(table)
    }

    /// Deals a hand of this number, or asks who deals it first.
    fn deal(&mut self, deal: u64) {
        self.set_game(self.base.clone());
        let person = self.sitters.first().is_some_and(Sitter::is_person);
        self.asks_dealer =
            person && self.game.secret_setup().is_some_and(|secret| secret.asks_dealer());
        self.deal_now(deal);
    }

    fn set_game(&mut self, game: Arc<G>) {
        self.known = redacted(&game);
        self.game = game;
    }

    /// Deals with what the person at seat 0 lays down, or as it comes.
    ///
    /// # Errors
    /// When nobody is asked, or it cannot be played.
    pub fn lay_down(&mut self, text: Option<&str>) -> Result<()> {
        ensure(self.asks_dealer, || Error::input("the cards are dealt already"))?;
        if let Some(text) = text {
            let game = Arc::new(secret_setup(&*self.base)?.with_secret(text)?);
            self.set_game(game);
        }
        self.asks_dealer = false;
        self.deal_now(self.hand.dealt.deal);
        Ok(())
    }

    fn deal_now(&mut self, deal: u64) {
        let mut dealt = Dealt { seed: self.hand.dealt.seed, deal, wish: None };
        self.seat_minds();
        let dealer = self.minds.first_mut().and_then(Option::as_mut);
        dealt.wish = dealer.and_then(|mind| mind.choose_setup(&self.known, &dealt));
        self.chances = self.seats().map(|seat| dealt.choice(seat).stream()).collect();
        self.hand = Hand::deal(&self.game, dealt);
        (self.resigned, self.believing) = (false, false);
        (self.notice, self.beliefs, self.thoughts) = (None, Vec::new(), Vec::new());
        self.moved();
    }

    /// New minds: what they remember of another course of the hand is gone.
    fn seat_minds(&mut self) {
        let seated = self.seats().zip(&self.sitters);
        self.minds = seated.map(|(seat, who)| who.mind(&self.known, seat).map(Box::new)).collect();
        self.when += 1;
    }

    /// The position is another one.
    pub(super) fn moved(&mut self) {
        (self.advice, self.wants_advice, self.asks_back) = (None, None, None);
        self.version += 1;
    }

    pub(super) fn seats(&self) -> impl Iterator<Item = Seat> + use<G> {
        (0..self.sitters.len()).map(|seat| Seat(seat as u8))
    }

    /// The game as it is at the table.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Rises with every change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Which deal is on the table, and how many moves were made in it.
    pub fn place(&self) -> (u64, usize) {
        (self.hand.dealt.deal, self.hand.play.moves().len())
    }

    /// The seats of people.
    pub fn people(&self) -> Vec<Seat> {
        self.seats().zip(&self.sitters).filter(|(_, who)| who.is_person()).map(|(s, _)| s).collect()
    }

    /// Who sits where.
    pub fn sitters(&self) -> &[Sitter<G>] {
        &self.sitters
    }

    /// Whose choice it is; a hand that was broken off is over.
    pub fn turn(&self) -> Turn {
        match self.resigned {
            true => Turn::Over,
            false if self.asks_dealer => Turn::Seat(Seat(0)),
            false => self.hand.play.turn(&self.game),
        }
    }

    /// Whether the hand came to its end by the rules.
    pub fn is_finished(&self) -> bool {
        self.hand.play.turn(&self.game) == Turn::Over
    }

    /// What a seat knows.
    pub fn view(&self, seat: Seat) -> G::View {
        self.hand.play.view(&self.game, seat)
    }

    /// What a seat was told of the moves.
    pub fn past(&self, seat: Seat) -> &[(Seat, G::Move)] {
        self.hand.play.past(seat)
    }

    /// Its legal moves, if it is its turn.
    pub fn options(&self, seat: Seat) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.turn() == Turn::Seat(seat) && !self.asks_dealer {
            self.known.legal_moves_in_view(&self.view(seat), &mut moves);
        }
        moves
    }

    /// Makes moves of a person, all or none.
    ///
    /// # Errors
    /// The first that cannot be made.
    pub fn play(&mut self, seat: Seat, moves: &[G::Move]) -> Result<()> {
        ensure(!self.resigned, || Error::input("the hand is over"))?;
        ensure(!self.asks_dealer, || Error::input("the cards are not dealt yet"))?;
        ensure(self.people().contains(&seat), || Error::input("a bot sits there"))?;
        ensure(!moves.is_empty(), || Error::input("there is no move"))?;
        let before = self.hand.play.moves().len();
        let made = moves.iter().try_for_each(|mv| self.hand.apply(&self.game, seat, *mv));
        if let Err(error) = made {
            if self.hand.play.moves().len() > before {
                self.hand.play.undo_to(&self.game, before);
            }
            return Err(error);
        }
        self.moved();
        Ok(())
    }

    /// What moves would lead to, where nothing is hidden and nothing happens by chance.
    ///
    /// # Errors
    /// When the game is another one, or a move is not legal.
    pub fn after(&self, seat: Seat, moves: &[G::Move]) -> Result<(G::View, Vec<G::Move>)> {
        ensure(G::OPEN, || Error::input("in this game a move that is tried out is made"))?;
        self.hand.after(&self.game, seat, moves)
    }

    /// How many moves are left once a seat's last one is taken back; none when it has made none.
    pub(super) fn back_to(&self, seat: Seat) -> Option<usize> {
        if self.turn() == Turn::Over {
            return None;
        }
        self.hand.play.moves().iter().rposition(|(by, _)| *by == seat)
    }

    /// Takes back a person's last move and all that came after it. Bots agree; other people whose
    /// moves go with it, and who do not sit with `mine`, are asked.
    ///
    /// # Errors
    /// When there is no such move.
    pub fn take_back(&mut self, seat: Seat, mine: &[Seat]) -> Result<()> {
        let to = self.back_to(seat).ok_or_else(|| {
            Error::input(match self.turn() {
                Turn::Over => "the hand is over; nothing can be taken back",
                Turn::Seat(_) => "there is no move of yours to take back",
            })
        })?;
        let others = self.hand.play.moves()[to..].iter().map(|(by, _)| *by);
        let people = self.people();
        if others.into_iter().any(|by| people.contains(&by) && !mine.contains(&by)) {
            self.asks_back = Some(seat);
            self.version += 1;
            return Ok(());
        }
        self.go_back(to);
        Ok(())
    }

    /// Another person's answer to who asked to take a move back.
    ///
    /// # Errors
    /// When nobody has asked, or who answers is the one who asked.
    pub fn answer_back(&mut self, mine: &[Seat], agrees: bool) -> Result<()> {
        let nobody = || Error::input("nobody asks to take a move back");
        let asker = self.asks_back.filter(|seat| !mine.contains(seat)).ok_or_else(nobody)?;
        self.asks_back = None;
        self.version += 1;
        if let (true, Some(to)) = (agrees, self.back_to(asker)) {
            self.go_back(to);
        }
        Ok(())
    }

    fn go_back(&mut self, to: usize) {
        self.hand.play.undo_to(&self.game, to);
        self.thoughts.retain(|thought| thought.after < to);
        self.seat_minds();
        self.moved();
    }

    /// Breaks the hand off: everything is shown, and there is no record.
    ///
    /// # Errors
    /// When it is over.
    pub fn resign(&mut self) -> Result<()> {
        ensure(self.turn() != Turn::Over, || Error::input("the hand is over"))?;
        self.resigned = true;
        self.moved();
        Ok(())
    }

    /// Whether the hand is over and judged by hand: once its rule is told it can be recorded.
    pub fn asks_rule(&self) -> bool {
        self.is_finished() && is_manual(&*self.game)
    }

    /// The person who judged by hand tells what was laid down.
    ///
    /// # Errors
    /// When nobody is asked, or the hand does not agree with it.
    pub fn disclose(&mut self, text: &str) -> Result<()> {
        ensure(self.asks_rule(), || Error::input("nobody asks for what was laid down"))?;
        let (dealt, moves) = self.course();
        let (game, kept) = secret_setup(&*self.game)?.reveal(text, dealt.chance(), moves)?;
        let mut hand = Hand::deal(&game, dealt);
        for at in &kept {
            let (seat, mv) = moves[*at];
            hand.apply(&game, seat, mv)?;
        }
        let before = |after: usize| kept.iter().filter(|at| **at < after).count();
        self.thoughts.iter_mut().for_each(|thought| thought.after = before(thought.after));
        self.hand = hand;
        self.set_game(Arc::new(game));
        self.moved();
        Ok(())
    }

    /// Deals the next hand.
    ///
    /// # Errors
    /// While this one goes on.
    pub fn again(&mut self) -> Result<()> {
        ensure(self.turn() == Turn::Over, || Error::input("this hand is not over"))?;
        self.deal(self.hand.dealt.deal + 1);
        Ok(())
    }

    /// What there is to tell of a bot that failed.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Tells something to everybody at the table.
    pub fn note(&mut self, notice: String) {
        self.notice = Some(notice);
        self.version += 1;
    }

    /// Which hand it is and the moves made in it, for who keeps it.
    pub(super) fn course(&self) -> (Dealt, &[(Seat, G::Move)]) {
        (self.hand.dealt, self.hand.play.moves())
    }

    /// The table as it was when a hand was left: the hand dealt again and these moves made.
    pub(super) fn take_up(&mut self, dealt: Dealt, by_hand: bool, moves: &[G::Move]) -> Result<()> {
        self.deal(dealt.deal);
        if by_hand {
            self.set_game(Arc::new(secret_setup(&*self.base)?.with_secret(MANUAL)?));
        }
        self.asks_dealer = false;
        self.hand = Hand::deal(&self.game, dealt);
        for (index, mv) in moves.iter().enumerate() {
            let Turn::Seat(seat) = self.turn() else {
                return Err(Error::input(format!("`moves[{index}]`: the hand is over before it")));
            };
            let made = self.hand.apply(&self.game, seat, *mv);
            made.map_err(|error| error.in_field(&format!("moves[{index}]")))?;
        }
        self.moved();
        Ok(())
    }
}
