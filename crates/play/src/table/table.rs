//! The state of a table: one hand of a match, its participants, and the acts of people. The slow work of a
//! table, the bots' moves, advice, and beliefs at the end, runs without the table.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::participant::{ChosenMove, Participant, TableBot, Thought};
use parlour_base::chance::{Seed, Stream};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{Library, digest};
use parlour_game::strategy::{Advice, Strategic, Strategy};
use parlour_game::variant::Variant;
use parlour_game::{
    MoveHistory, Observation, Playthrough, Rulebook, Scores, Seat, SecretSetup, Turn,
};

/// The number of hidden states that are sampled to find whether a person has learned something.
const WORLDS: u64 = 8;

/// Returns random bytes of the operating system.
///
/// # Errors
/// If the system has no random numbers.
pub(super) fn random_bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    let filled = getrandom::fill(&mut bytes).map(|()| bytes);
    filled.map_err(|error| Error::failed(format!("no random numbers from the system: {error}")))
}

/// Returns a random number of the operating system, exact in JSON.
///
/// # Errors
/// If the system has no random numbers.
pub fn random_seed() -> Result<u64> {
    Ok(u64::from_le_bytes(random_bytes()?) >> 11)
}

/// The place of a hand in its match and at its table, and its deal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandPlace {
    /// The number of hands dealt before at the table.
    pub number: u64,
    /// The number of the match, from 0.
    pub deal: u64,
    /// The number of the hand in its match, from 0. The seats rotate by one after each hand.
    pub hand: u32,
    /// The points of the earlier hands of the match, by seat.
    pub totals: Vec<i32>,
    /// The secret of the table, from which the seeds of later hands follow. No seat sees it.
    pub key: u64,
    /// The seed of the hand, from which all of its chance follows, and nothing of other hands.
    #[serde(skip)]
    pub seed: u64,
    /// The setup that the dealing bot chose.
    pub setup: Option<u32>,
}

impl HandPlace {
    /// Returns the seed of the hand with this number.
    fn seed_of(&self, number: u64) -> u64 {
        let hash = digest(format!("parlour table {} hand {number}", self.key));
        // 53 bits are exact in JSON.
        u64::from_str_radix(&hash[..16], 16).unwrap_or_default() >> 11
    }

    /// Returns the chance of the deal: the same as of the first deal in an experiment with this seed.
    pub fn chance(&self) -> Stream {
        Seed::new(self.seed).named("deal").child(0).child(0).stream()
    }

    /// Deals the hand.
    pub fn playthrough<G: Strategic>(&self, game: &G) -> Playthrough<G> {
        Playthrough::with_setup(game, self.chance(), self.setup, MoveHistory::default())
    }

    /// Returns the seed of a seat's own choices.
    pub fn choice(&self, seat: Seat) -> Seed {
        Seed::new(self.seed).named("choice").named("table").child(0).child(seat.0.into())
    }
}

/// Makes a move of a seat.
///
/// # Errors
/// If it is another seat's turn or the move is illegal; the hand is unchanged then.
pub(super) fn apply<G: Strategic>(
    game: &G,
    hand: &mut Playthrough<G>,
    seat: Seat,
    mv: G::Move,
) -> Result<()> {
    match hand.turn(game) {
        Turn::Over => Err(Error::input("the hand is over")),
        Turn::Seat(next) if next != seat => {
            Err(Error::input(format!("it is the turn of seat {}, not of seat {}", next.0, seat.0)))
        }
        Turn::Seat(_) => hand.try_apply(game, mv).map_err(|_| {
            let now = game.what_to_do(&hand.view(game, seat));
            Error::input(format!("`{}` is not legal here. {now}", game.notation(mv)))
        }),
    }
}

/// The notes about a hand, besides its moves.
#[derive(Default)]
pub(super) struct HandNotes {
    pub thoughts: Vec<Thought>,
    /// The message to everybody, such as the failure of a bot.
    pub notice: Option<String>,
    pub resigned: bool,
    /// The number of times that moves were taken back.
    pub taken_back: u32,
    /// The seats that got advice.
    pub advised: Vec<Seat>,
    /// `true` once the strategies were asked for their beliefs at the end.
    pub has_asked_beliefs: bool,
    pub beliefs: Vec<Option<String>>,
}

/// The notes about the current position.
#[derive(Default)]
pub(super) struct PositionNotes {
    pub advice: Option<(Seat, Advice)>,
    /// The seat that waits for advice, and whether the adviser has started.
    pub advice_request: Option<(Seat, bool)>,
    /// The person who asks to take a move back, and the people who have not agreed yet.
    pub take_back_request: Option<(Seat, Vec<Seat>)>,
}

/// One hand and its participants.
pub struct Table<G: Strategic> {
    /// The game without any secret that a person chose.
    pub(super) base: Arc<G>,
    /// The game with the secret of the current hand.
    pub(super) game: Arc<G>,
    /// The game as seats know it that do not share its secret.
    pub(super) known: Arc<G>,
    pub(super) variant: String,
    pub(super) participants: Vec<Participant<G>>,
    pub(super) adviser: Option<Arc<Strategy<G>>>,
    pub(super) place: HandPlace,
    pub(super) hand: Playthrough<G>,
    /// Bots by seat; `None` for people and while a bot thinks.
    pub(super) bots: Vec<Option<TableBot<G>>>,
    pub(super) chances: Vec<Stream>,
    /// Rises with every change.
    pub(super) version: u64,
    /// Rises when moves are taken back or a hand is dealt, which voids the tasks in progress.
    pub(super) revision: u64,
    pub(super) notes: HandNotes,
    pub(super) position: PositionNotes,
    /// `true` while the person who deals has to choose a secret first.
    pub(super) asks_dealer: bool,
    /// The secret of the current hand that a person chose.
    pub(super) secret: Option<String>,
    /// The reason why the last change is not saved.
    pub(super) unsaved: Option<String>,
}

/// Returns the secret setup of a game.
pub(super) fn secret_setup<G: Strategic>(game: &G) -> Result<&dyn SecretSetup<G>> {
    game.secret_setup().ok_or_else(|| Error::input("this game has no secret"))
}

/// Returns `true` if a person keeps the secret of the game.
pub(super) fn is_manual<G: Strategic>(game: &G) -> bool {
    game.secret_setup().is_some_and(|secret| secret.is_manual())
}

impl<G: Strategic> Table<G> {
    /// Creates a table and deals its first hand from this seed.
    ///
    /// # Errors
    /// If the participants do not fill the seats, none of them is a person, or one cannot play; if the system has no
    /// random numbers.
    pub fn new(
        variant: Variant<G>,
        participants: Vec<Participant<G>>,
        seed: u64,
    ) -> Result<Table<G>> {
        let (seats, count) = (variant.game.seats(), participants.len());
        ensure(seats == count, || {
            Error::input(format!("the table has {seats} seats, but {count} participants"))
        })?;
        let has_people = participants.iter().any(Participant::is_person);
        ensure(has_people, || {
            Error::input("nobody at the table is a person; use `parlour match` for bots alone")
        })?;
        for strategy in participants.iter().filter_map(Participant::strategy) {
            variant.game.check(&strategy.spec)?;
        }
        let game = Arc::new(variant.game);
        let (key, totals) = (random_seed()?, vec![0; seats]);
        let place = HandPlace { number: 0, deal: 0, hand: 0, totals, key, seed, setup: None };
        let mut table = Table {
            base: game.clone(),
            known: game.clone(),
            hand: place.playthrough(&*game),
            place,
            game,
            variant: variant.name,
            participants,
            adviser: Strategy::load(&Library::strategies(G::NAME), G::ADVISER).ok().map(Arc::new),
            bots: Vec::new(),
            chances: Vec::new(),
            version: 0,
            revision: 0,
            notes: HandNotes::default(),
            position: PositionNotes::default(),
            asks_dealer: false,
            secret: None,
            unsaved: None,
        };
        table.start_hand();
        Ok(table)
    }

    /// Deals the hand of the place, or asks the person who deals for a secret first.
    fn start_hand(&mut self) {
        self.set_game(self.base.clone());
        self.secret = None;
        let is_person = self.participants.first().is_some_and(Participant::is_person);
        self.asks_dealer =
            is_person && self.game.secret_setup().is_some_and(|secret| secret.asks_dealer());
        self.deal();
    }

    fn set_game(&mut self, game: Arc<G>) {
        let redacted = game.secret_setup().and_then(|secret| secret.redacted());
        self.known = redacted.map_or_else(|| game.clone(), Arc::new);
        self.game = game;
    }

    /// Deals with the secret of the person at seat 0, or with a random one.
    ///
    /// # Errors
    /// If the cards are already dealt, or the secret is invalid.
    pub fn set_secret(&mut self, text: Option<&str>) -> Result<()> {
        ensure(self.asks_dealer, || Error::input("the cards are already dealt"))?;
        if let Some(text) = text {
            let game = Arc::new(secret_setup(&*self.base)?.with_secret(text)?);
            self.set_game(game);
        }
        self.secret = text.map(str::to_owned);
        self.asks_dealer = false;
        self.deal();
        Ok(())
    }

    fn deal(&mut self) {
        self.start_bots();
        self.place.setup = None;
        let mut chance = self.place.choice(Seat(0)).named("wish").stream();
        let dealer = self.bots.first_mut().and_then(Option::as_mut);
        self.place.setup =
            dealer.and_then(|bot| bot.as_bot().choose_setup(&self.known, &mut chance));
        self.chances = self.seats().map(|seat| self.place.choice(seat).stream()).collect();
        self.hand = self.place.playthrough(&*self.game);
        self.notes = HandNotes::default();
        self.position_changed();
    }

    /// Starts new bots, without memory of moves that were taken back.
    fn start_bots(&mut self) {
        let seated = self.seats().zip(&self.participants);
        let bots = seated.map(|(seat, who)| who.start_bot(&self.known, seat));
        self.bots = bots.collect();
        self.revision += 1;
    }

    /// Clears everything that belongs to the previous position.
    pub(super) fn position_changed(&mut self) {
        self.position = PositionNotes::default();
        self.version += 1;
    }

    pub(super) fn seats(&self) -> impl Iterator<Item = Seat> + use<G> {
        (0..self.participants.len()).map(|seat| Seat(seat as u8))
    }

    /// Returns the number of the hand at the table and the number of moves made in it.
    pub fn place(&self) -> (u64, usize) {
        (self.place.number, self.hand.moves().len())
    }

    /// Returns the seats in the current hand of people, given by their seats in the first of the match.
    pub(super) fn seats_now(&self, people: &[Seat]) -> Vec<Seat> {
        let (seats, hand) = (self.participants.len(), self.place.hand as usize);
        people.iter().map(|first| Seat(((first.index() + hand) % seats) as u8)).collect()
    }

    /// Returns the scores of the hand, or of the position at which it was resigned.
    pub(super) fn scores(&self) -> Scores {
        self.game.scores(&self.hand.state)
    }

    /// Returns the points of the match by seat, those of a finished hand included.
    pub(super) fn totals(&self) -> Scores {
        let mut totals = Scores(self.place.totals.iter().copied().collect());
        if self.is_finished() {
            totals.add(&self.scores());
        }
        totals
    }

    /// Returns the seats of people.
    pub fn people(&self) -> Vec<Seat> {
        let seated = self.seats().zip(&self.participants);
        seated.filter(|(_, who)| who.is_person()).map(|(seat, _)| seat).collect()
    }

    /// Returns the seat to move. A resigned hand is over.
    pub fn turn(&self) -> Turn {
        match self.notes.resigned {
            true => Turn::Over,
            false if self.asks_dealer => Turn::Seat(Seat(0)),
            false => self.hand.turn(&self.game),
        }
    }

    /// Returns `true` if the hand ended by the rules.
    pub fn is_finished(&self) -> bool {
        self.hand.turn(&self.game) == Turn::Over
    }

    /// Returns the view of a seat.
    pub fn view(&self, seat: Seat) -> G::View {
        self.hand.view(&self.game, seat)
    }

    /// Returns the moves as a seat saw them.
    pub fn past(&self, seat: Seat) -> &[(Seat, G::Move)] {
        self.hand.past(seat)
    }

    /// Returns the legal moves of a seat; none if it is not its turn.
    pub fn options(&self, seat: Seat) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.turn() == Turn::Seat(seat) && !self.asks_dealer {
            self.known.legal_moves_in_view(&self.view(seat), &mut moves);
        }
        moves
    }

    /// Returns the rules without their secrets, for people.
    pub(super) fn rulebook(&self) -> Rulebook {
        Rulebook::of(&self.variant, &*self.known)
    }

    /// Makes moves of a person: all or none in a game without hidden information or chance. In other games
    /// the moves before the first illegal one stay made, so that nobody can try moves out. Returns the number
    /// of moves made.
    ///
    /// # Errors
    /// If the first move is illegal, or in an open game any.
    pub fn play(&mut self, seat: Seat, moves: &[G::Move]) -> Result<usize> {
        ensure(!self.notes.resigned, || Error::input("the hand is over"))?;
        ensure(!self.asks_dealer, || Error::input("the cards are not dealt yet"))?;
        ensure(self.people().contains(&seat), || Error::input("a bot plays that seat"))?;
        ensure(!moves.is_empty(), || Error::input("no move given"))?;
        if self.known.is_open() {
            self.hand_after(seat, moves)?;
        }
        let mut made = 0;
        for mv in moves {
            match apply(&*self.game, &mut self.hand, seat, *mv) {
                Ok(()) => made += 1,
                Err(error) if made == 0 => return Err(error),
                Err(_) => break,
            }
        }
        self.position_changed();
        Ok(made)
    }

    /// Returns the hand after moves of a seat.
    fn hand_after(&self, seat: Seat, moves: &[G::Move]) -> Result<Playthrough<G>> {
        let mut hand = self.hand.clone();
        moves.iter().try_for_each(|mv| apply(&*self.game, &mut hand, seat, *mv))?;
        Ok(hand)
    }

    /// Returns the view and the legal moves after some moves, in a game without hidden information or
    /// chance.
    ///
    /// # Errors
    /// If the game has hidden information or chance, or a move is illegal.
    pub fn preview(&self, seat: Seat, moves: &[G::Move]) -> Result<(G::View, Vec<G::Move>)> {
        ensure(self.known.is_open(), || Error::input("moves cannot be previewed in this game"))?;
        let hand = self.hand_after(seat, moves)?;
        let (view, mut options) = (hand.view(&self.game, seat), Vec::new());
        self.game.legal_moves_in_view(&view, &mut options);
        Ok((view, options))
    }

    /// Returns the number of moves before a seat's last one; `None` if there is nothing to take back.
    pub(super) fn last_move_of(&self, seat: Seat) -> Option<usize> {
        if self.turn() == Turn::Over {
            return None;
        }
        self.hand.moves().iter().rposition(|(by, _)| *by == seat)
    }

    /// Takes back a person's last move and all later moves. Bots agree. All people who are not among
    /// `mine` are asked first, unless the person is still to move and has learned nothing.
    ///
    /// # Errors
    /// If there is no such move.
    pub fn take_back(&mut self, seat: Seat, mine: &[Seat]) -> Result<()> {
        let to = self.last_move_of(seat).ok_or_else(|| {
            Error::input(match self.turn() {
                Turn::Over => "the hand is over; nothing can be taken back",
                Turn::Seat(_) => "you have no move to take back",
            })
        })?;
        let mut others = self.people();
        others.retain(|person| !mine.contains(person));
        if others.is_empty() || !self.has_learned(seat, to) {
            self.undo_to(to);
        } else {
            self.position.take_back_request = Some((seat, others));
            self.version += 1;
        }
        Ok(())
    }

    /// Returns `true` if the seat could not foresee its view, or its turn is over, after the moves from
    /// number `from` on.
    fn has_learned(&self, seat: Seat, from: usize) -> bool {
        let (game, mut chance) = (&*self.known, Seed::new(self.version).stream());
        let (moves, mut before) = (&self.hand.moves()[from..], self.hand.clone());
        before.undo_to(&self.game, from);
        let (before, now) = (before.view(&self.game, seat), self.view(seat));
        let mut foresees = || {
            let mut world = game.determinize(&before, &mut chance);
            moves.iter().all(|(_, mv)| game.try_apply(&mut world, *mv, &mut chance).is_ok())
                && self.game.view(&world, seat) == now
        };
        self.turn() != Turn::Seat(seat)
            || moves.iter().any(|(by, _)| *by != seat)
            || (0..WORLDS).any(|_| !foresees())
    }

    /// Answers another person's request to take a move back, which needs the consent of all.
    ///
    /// # Errors
    /// If nobody else has asked.
    pub fn answer_take_back(&mut self, mine: &[Seat], agrees: bool) -> Result<()> {
        let request = self.position.take_back_request.as_mut();
        let (asker, asked) = request
            .filter(|(_, asked)| asked.iter().any(|seat| mine.contains(seat)))
            .ok_or_else(|| Error::input("nobody has asked to take a move back"))?;
        asked.retain(|seat| !mine.contains(seat));
        let (asker, is_agreed) = (*asker, agrees && asked.is_empty());
        self.version += 1;
        if is_agreed || !agrees {
            self.position.take_back_request = None;
        }
        if let (true, Some(to)) = (is_agreed, self.last_move_of(asker)) {
            self.undo_to(to);
        }
        Ok(())
    }

    fn undo_to(&mut self, count: usize) {
        self.hand.undo_to(&self.game, count);
        self.notes.taken_back += 1;
        self.notes.thoughts.retain(|thought| thought.after < count);
        self.start_bots();
        self.position_changed();
    }

    /// Ends the hand early: everything is shown, and there is no record.
    ///
    /// # Errors
    /// If the hand is over.
    pub fn resign(&mut self) -> Result<()> {
        ensure(self.turn() != Turn::Over, || Error::input("the hand is over"))?;
        self.notes.resigned = true;
        self.position_changed();
        Ok(())
    }

    /// Returns `true` if the hand is over and was judged by hand: it needs the rule for a record.
    pub fn asks_rule(&self) -> bool {
        self.is_finished() && is_manual(&*self.game)
    }

    /// Reveals the secret of a person who judged by hand.
    ///
    /// # Errors
    /// If no secret is asked for, or the moves contradict it.
    pub fn reveal_secret(&mut self, text: &str) -> Result<()> {
        ensure(self.asks_rule(), || Error::input("this hand has no rule to reveal"))?;
        let (chance, moves) = (self.place.chance(), self.hand.moves());
        let (game, kept) = secret_setup(&*self.game)?.reveal(text, chance, moves)?;
        let mut hand = self.place.playthrough(&game);
        for at in &kept {
            let (seat, mv) = moves[*at];
            apply(&game, &mut hand, seat, mv)?;
        }
        let before = |after: usize| kept.iter().filter(|at| **at < after).count();
        self.notes.thoughts.iter_mut().for_each(|thought| thought.after = before(thought.after));
        self.hand = hand;
        self.set_game(Arc::new(game));
        self.secret = Some(text.to_owned());
        self.position_changed();
        Ok(())
    }

    /// Deals the next hand of the match, or the first of a new match. A resigned hand is dealt again.
    ///
    /// # Errors
    /// If the current hand is not over, or its record is not saved.
    pub fn next_hand(&mut self) -> Result<()> {
        ensure(self.turn() == Turn::Over, || Error::input("this hand is not over"))?;
        if let Some(unsaved) = &self.unsaved {
            return Err(Error::input(format!("{unsaved}; mend this before the next hand")));
        }
        self.start_at(self.next_place());
        Ok(())
    }

    /// Seats the participants for a hand of the match, and deals it.
    pub(super) fn start_at(&mut self, place: HandPlace) {
        let seats = self.participants.len();
        self.participants.rotate_left(self.place.hand as usize % seats);
        self.participants.rotate_right(place.hand as usize % seats);
        self.place = place;
        self.start_hand();
    }

    /// Returns the place of the next hand, with a seed of its own.
    pub(super) fn next_place(&self) -> HandPlace {
        let number = self.place.number + 1;
        let seed = self.place.seed_of(number);
        let again = HandPlace { number, seed, setup: None, ..self.place.clone() };
        let HandPlace { deal, hand, .. } = self.place;
        let mut totals = self.totals().0.to_vec();
        if !self.is_finished() {
            return again;
        }
        totals.rotate_right(1);
        if hand + 1 < self.base.hands_per_match() {
            return HandPlace { hand: hand + 1, totals, ..again };
        }
        totals.fill(0);
        HandPlace { deal: deal + 1, hand: 0, totals, ..again }
    }

    /// Returns the advice for a seat on the current position.
    pub fn advice(&self, seat: Seat) -> Option<&Advice> {
        self.position.advice.as_ref().filter(|(to, _)| *to == seat).map(|(_, advice)| advice)
    }

    /// Deals a saved hand and repeats its moves.
    pub(super) fn restore(&mut self, secret: Option<String>, moves: &[String]) -> Result<()> {
        if secret.is_some() || self.asks_dealer {
            self.set_secret(secret.as_deref()).map_err(|error| error.in_field("secret"))?;
        }
        for (index, text) in moves.iter().enumerate() {
            let applied = self.game.parse_move(text).and_then(|mv| match self.turn() {
                Turn::Seat(seat) => apply(&*self.game, &mut self.hand, seat, mv),
                Turn::Over => Err(Error::input("the hand ends before this move")),
            });
            applied.map_err(|error| error.in_field(&format!("moves[{index}]")))?;
        }
        self.position_changed();
        Ok(())
    }
}

/// Slow work on a position, which holds only what the seat concerned may know.
pub type Task<G> = Box<dyn FnOnce() -> TaskResult<G>>;

/// Applies the result of a task to the table, unless moves were taken back or a new hand was dealt.
pub type TaskResult<G> = Box<dyn FnOnce(&mut Table<G>)>;

impl<G: Strategic> Table<G> {
    /// Requests advice for a person whose turn it is.
    ///
    /// # Errors
    /// If it is not that person's turn, or the game has no adviser.
    pub fn request_advice(&mut self, seat: Seat) -> Result<()> {
        ensure(self.turn() == Turn::Seat(seat) && !self.asks_dealer, || {
            Error::input("it is not your turn")
        })?;
        let is_known = seat != Seat(0) || !is_manual(&*self.game);
        ensure(is_known, || Error::input("only you know your rule"))?;
        ensure(self.adviser.is_some(), || Error::input("this game has no adviser"))?;
        if self.position.advice_request.is_none() && self.position.advice.is_none() {
            self.position.advice_request = Some((seat, false));
            self.version += 1;
        }
        Ok(())
    }

    /// Returns the next task, if any. Each task is handed out once.
    pub fn next_task(&mut self) -> Option<Task<G>> {
        if self.asks_dealer {
            return None;
        }
        let work = match self.turn() {
            Turn::Over => self.belief_work(),
            Turn::Seat(seat) => match self.bots[seat.index()].take() {
                Some(bot) => Some(self.move_work(seat, bot)),
                None => self.advice_work(seat),
            },
        };
        let (work, revision) = (work?, self.revision);
        Some(Box::new(move || {
            let update = work();
            Box::new(move |table| {
                if table.revision == revision {
                    update(table);
                }
            })
        }))
    }

    /// Asks all strategies for their beliefs at the end.
    fn belief_work(&mut self) -> Option<Task<G>> {
        if std::mem::replace(&mut self.notes.has_asked_beliefs, true) {
            return None;
        }
        let game = self.known.clone();
        let seats = self.seats().zip(&self.participants);
        let seats: Vec<_> =
            seats.map(|(seat, who)| Some((who.strategy()?.clone(), self.view(seat)))).collect();
        Some(Box::new(move || {
            let believe = |seat: Option<(Arc<Strategy<G>>, G::View)>| {
                let (strategy, view) = seat?;
                game.explainer()?.belief(&strategy.spec, &view)
            };
            let beliefs = seats.into_iter().map(believe).collect();
            Box::new(move |table| {
                table.notes.beliefs = beliefs;
                table.version += 1;
            })
        }))
    }

    /// Lets a bot choose its move.
    fn move_work(&self, seat: Seat, mut bot: TableBot<G>) -> Task<G> {
        let (game, mut chance) = (self.known.clone(), self.chances[seat.index()].clone());
        let (view, past) = (self.view(seat), self.past(seat).to_vec());
        Box::new(move || {
            let observation = Observation { view: &view, past: &past };
            let chosen = bot.choose(&game, seat, observation, &mut chance);
            Box::new(move |table| {
                if !table.notes.resigned {
                    table.chances[seat.index()] = chance;
                    table.play_for_bot(bot, seat, chosen);
                }
            })
        })
    }

    /// Asks the adviser for the person at a seat.
    fn advice_work(&mut self, seat: Seat) -> Option<Task<G>> {
        let (game, strategy) = (self.known.clone(), self.adviser.clone()?);
        let request = &mut self.position.advice_request;
        let (_, is_running) = request.as_mut().filter(|(_, running)| !running)?;
        *is_running = true;
        let (view, past) = (self.view(seat), self.past(seat).to_vec());
        let seed = self.place.choice(seat).named("advice");
        let seed = seed.child(self.hand.moves().len() as u64);
        Some(Box::new(move || {
            let observation = Observation { view: &view, past: &past };
            let advice = Advice::of(&*game, &strategy, seat, observation, seed);
            Box::new(move |table| {
                // Another request is about a later position.
                if table.position.advice_request != Some((seat, true)) {
                    return;
                }
                table.position.advice_request = None;
                match advice {
                    Ok(advice) => {
                        table.position.advice = Some((seat, advice));
                        if !table.notes.advised.contains(&seat) {
                            table.notes.advised.push(seat);
                        }
                    }
                    Err(error) => table.notes.notice = Some(format!("no advice: {error}")),
                }
                table.version += 1;
            })
        }))
    }

    fn play_for_bot(&mut self, bot: TableBot<G>, seat: Seat, chosen: ChosenMove<G>) {
        let played = chosen.map_err(|error| error.to_string()).and_then(|(mv, thought)| {
            let applied = apply(&*self.game, &mut self.hand, seat, mv);
            applied.map(|()| thought).map_err(|error| error.to_string())
        });
        match played {
            Ok(thought) => {
                self.notes.thoughts.extend(thought);
                self.bots[seat.index()] = Some(bot);
                if self.is_finished() {
                    let scores = self.scores();
                    self.bots.iter_mut().flatten().for_each(|bot| _ = bot.as_bot().end(&scores));
                }
                self.position_changed();
            }
            Err(why) => {
                let name = self.participants[seat.index()].name();
                self.notes.notice = Some(format!(
                    "{name} at seat {} failed: {why}. It makes random moves from now on.",
                    seat.0
                ));
                self.bots[seat.index()] = Some(TableBot::random());
                self.version += 1;
            }
        }
    }
}
