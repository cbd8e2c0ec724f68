//! The state of a table: one hand, its participants, and the acts of people. The slow work of a table, the
//! bots' moves, advice, and beliefs at the end, runs without the table.

use std::sync::Arc;

use super::participant::{ChosenMove, Participant, TableBot, Thought};
use parlour_base::chance::{Seed, Stream};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::Library;
use parlour_game::strategy::{Advice, Strategic, Strategy};
use parlour_game::variant::Variant;
use parlour_game::{MANUAL, MoveHistory, Observation, Playthrough, Seat, SecretSetup, Turn};

/// The deal of a hand; all of its chance derives from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealId {
    /// The seed of the table.
    pub seed: u64,
    /// The number of the deal, from 0.
    pub deal: u64,
    /// The setup that the dealing bot chose.
    pub setup: Option<u32>,
}

impl DealId {
    /// Returns the chance of the deal: the same as in an experiment with this seed.
    pub fn chance(&self) -> Stream {
        Seed::new(self.seed).named("deal").child(self.deal).child(0).stream()
    }

    /// Deals the hand.
    pub fn deal<G: Strategic>(&self, game: &G) -> Playthrough<G> {
        Playthrough::with_setup(game, self.chance(), self.setup, MoveHistory::default())
    }

    /// Returns the seed of a seat's own choices.
    pub fn choice(&self, seat: Seat) -> Seed {
        Seed::new(self.seed).named("choice").named("table").child(self.deal).child(seat.0.into())
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
        Turn::Seat(_) => hand
            .try_apply(game, mv)
            .map_err(|_| Error::input(format!("`{}` is not legal here", game.notation(mv)))),
    }
}

/// The notes about a hand, besides its moves.
#[derive(Default)]
pub(super) struct HandNotes {
    pub thoughts: Vec<Thought>,
    /// The message to everybody, such as the failure of a bot.
    pub notice: Option<String>,
    pub resigned: bool,
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
    pub take_back_request: Option<Seat>,
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
    pub(super) deal_id: DealId,
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
    /// Creates a table and deals its first hand.
    ///
    /// # Errors
    /// If the participants do not fill the seats, or none of them is a person.
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
        let game = Arc::new(variant.game);
        let deal_id = DealId { seed, deal: 0, setup: None };
        let mut table = Table {
            base: game.clone(),
            known: game.clone(),
            hand: deal_id.deal(&*game),
            game,
            variant: variant.name,
            participants,
            adviser: Strategy::load(&Library::strategies(G::NAME), G::ADVISER).ok().map(Arc::new),
            deal_id,
            bots: Vec::new(),
            chances: Vec::new(),
            version: 0,
            revision: 0,
            notes: HandNotes::default(),
            position: PositionNotes::default(),
            asks_dealer: false,
        };
        table.start_hand(0);
        Ok(table)
    }

    /// Deals a hand, or asks the person who deals for a secret first.
    fn start_hand(&mut self, deal: u64) {
        self.set_game(self.base.clone());
        let is_person = self.participants.first().is_some_and(Participant::is_person);
        self.asks_dealer =
            is_person && self.game.secret_setup().is_some_and(|secret| secret.asks_dealer());
        self.deal(deal);
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
        self.asks_dealer = false;
        self.deal(self.deal_id.deal);
        Ok(())
    }

    fn deal(&mut self, deal: u64) {
        let mut deal_id = DealId { deal, setup: None, ..self.deal_id };
        self.start_bots();
        let dealer = self.bots.first_mut().and_then(Option::as_mut);
        deal_id.setup = dealer.and_then(|bot| {
            bot.choose_setup(&self.known, &mut deal_id.choice(Seat(0)).named("wish").stream())
        });
        self.chances = self.seats().map(|seat| deal_id.choice(seat).stream()).collect();
        (self.deal_id, self.hand) = (deal_id, deal_id.deal(&*self.game));
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

    /// Returns the number of the deal and the number of moves made in it.
    pub fn place(&self) -> (u64, usize) {
        (self.deal_id.deal, self.hand.moves().len())
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

    /// Makes moves of a person: all of them or none.
    ///
    /// # Errors
    /// The first move that cannot be made.
    pub fn play(&mut self, seat: Seat, moves: &[G::Move]) -> Result<()> {
        ensure(!self.notes.resigned, || Error::input("the hand is over"))?;
        ensure(!self.asks_dealer, || Error::input("the cards are not dealt yet"))?;
        ensure(self.people().contains(&seat), || Error::input("a bot plays that seat"))?;
        ensure(!moves.is_empty(), || Error::input("no move given"))?;
        self.hand = self.hand_after(seat, moves)?;
        self.position_changed();
        Ok(())
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
        ensure(G::OPEN, || Error::input("moves cannot be previewed in this game"))?;
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

    /// Takes back a person's last move and all later moves. Bots agree. If moves of people who are not
    /// among `mine` would go too, those people are asked first.
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
        let people = self.people();
        let mut others = self.hand.moves()[to..].iter().map(|(by, _)| by);
        if others.any(|by| people.contains(by) && !mine.contains(by)) {
            self.position.take_back_request = Some(seat);
            self.version += 1;
        } else {
            self.undo_to(to);
        }
        Ok(())
    }

    /// Answers another person's request to take a move back.
    ///
    /// # Errors
    /// If nobody else has asked.
    pub fn answer_take_back(&mut self, mine: &[Seat], agrees: bool) -> Result<()> {
        let nobody = || Error::input("nobody has asked to take a move back");
        let asker = self
            .position
            .take_back_request
            .filter(|seat| !mine.contains(seat))
            .ok_or_else(nobody)?;
        self.position.take_back_request = None;
        self.version += 1;
        if let (true, Some(to)) = (agrees, self.last_move_of(asker)) {
            self.undo_to(to);
        }
        Ok(())
    }

    fn undo_to(&mut self, count: usize) {
        self.hand.undo_to(&self.game, count);
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
        let (chance, moves) = (self.deal_id.chance(), self.hand.moves());
        let (game, kept) = secret_setup(&*self.game)?.reveal(text, chance, moves)?;
        let mut hand = self.deal_id.deal(&game);
        for at in &kept {
            let (seat, mv) = moves[*at];
            apply(&game, &mut hand, seat, mv)?;
        }
        let before = |after: usize| kept.iter().filter(|at| **at < after).count();
        self.notes.thoughts.iter_mut().for_each(|thought| thought.after = before(thought.after));
        self.hand = hand;
        self.set_game(Arc::new(game));
        self.position_changed();
        Ok(())
    }

    /// Deals the next hand.
    ///
    /// # Errors
    /// If the current hand is not over.
    pub fn next_hand(&mut self) -> Result<()> {
        ensure(self.turn() == Turn::Over, || Error::input("this hand is not over"))?;
        self.start_hand(self.deal_id.deal + 1);
        Ok(())
    }

    /// Sets the message to everybody.
    pub fn set_notice(&mut self, notice: String) {
        self.notes.notice = Some(notice);
        self.version += 1;
    }

    /// Returns the advice for a seat on the current position.
    pub fn advice(&self, seat: Seat) -> Option<&Advice> {
        self.position.advice.as_ref().filter(|(to, _)| *to == seat).map(|(_, advice)| advice)
    }

    /// Deals a saved hand and repeats its moves.
    pub(super) fn restore(&mut self, deal: DealId, by_hand: bool, moves: &[String]) -> Result<()> {
        self.start_hand(deal.deal);
        if by_hand {
            self.set_game(Arc::new(secret_setup(&*self.base)?.with_secret(MANUAL)?));
        }
        self.asks_dealer = false;
        (self.deal_id, self.hand) = (deal, deal.deal(&*self.game));
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
        let seed = self.deal_id.choice(seat).named("advice");
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
                    Ok(advice) => table.position.advice = Some((seat, advice)),
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
                    let scores = self.game.scores(&self.hand.state);
                    self.bots.iter_mut().flatten().for_each(|bot| bot.end(&scores));
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
