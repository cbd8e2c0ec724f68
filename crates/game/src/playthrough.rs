//! One hand being played.

use crate::{Game, Illegal, Label, MoveHistory, Observation, Recorded, Seat, Turn};
use parlour_base::chance::Stream;

/// One hand: its deal, its state and its moves, which can be taken back.
///
/// ```
/// use parlour_base::chance::Seed;
/// use parlour_game::{Game, Playthrough, Ruled, Turn};
/// use parlour_leopard::Leopard;
///
/// let game = Leopard::new(&Leopard::preset("revised").unwrap())?;
/// let (mut hand, mut rng) = (Playthrough::new(&game, Seed::new(1).stream()), Seed::new(2).stream());
/// while let Turn::Seat(seat) = hand.turn(&game) {
///     let mv = game.sample(&hand.state, &mut rng);
///     hand.apply(&game, seat, mv);
/// }
/// let end = hand.state.clone();
/// let (last_seat, last_move) = *hand.moves().last().unwrap();
/// hand.undo_to(&game, hand.moves().len() - 1);
/// assert_eq!(hand.turn(&game), Turn::Seat(last_seat));
/// hand.apply(&game, last_seat, last_move);
/// assert_eq!(hand.state, end);
/// # Ok::<(), parlour_base::error::Error>(())
/// ```
#[derive(Clone)]
pub struct Playthrough<G: Game> {
    /// The random stream before the deal.
    start: Stream,
    setup: Option<u32>,
    rng: Stream,
    /// The complete state. Tests replace it by another one with the same views.
    pub state: G::State,
    history: MoveHistory<G>,
}

impl<G: Game> Playthrough<G> {
    /// Deals a hand from this random stream.
    #[inline]
    pub fn new(game: &G, start: Stream) -> Playthrough<G> {
        Playthrough::with_setup(game, start, None, MoveHistory::default())
    }

    /// Deals a hand with the [setup](super::Bot::choose_setup) of the dealer's bot. `buffers` is an
    /// old history whose memory is used again.
    #[inline]
    pub fn with_setup(
        game: &G,
        start: Stream,
        setup: Option<u32>,
        mut buffers: MoveHistory<G>,
    ) -> Playthrough<G> {
        buffers.clear();
        let mut rng = start.clone();
        let state = match game.secret_setup() {
            Some(secret) => secret.deal_with_setup(setup, &mut rng),
            None => game.deal(&mut rng),
        };
        Playthrough { start, setup, rng, state, history: buffers }
    }

    /// Continues a hand from a [determinization](Game::determinize) of a seat's view. `past` is what
    /// that seat saw. The hand has no deal: it can be neither undone nor recorded.
    pub fn from_view(
        game: &G,
        view: &G::View,
        past: &[(Seat, G::Move)],
        mut rng: Stream,
    ) -> Playthrough<G> {
        let state = game.determinize(view, &mut rng);
        let history = MoveHistory::as_seen(game, past);
        Playthrough { start: rng.clone(), setup: None, rng, state, history }
    }

    /// The seat to move, or the end.
    #[inline]
    pub fn turn(&self, game: &G) -> Turn {
        game.turn(&self.state)
    }

    /// The view of a seat.
    #[inline]
    pub fn view(&self, game: &G, seat: Seat) -> G::View {
        game.view(&self.state, seat)
    }

    /// The observation of a seat, given its view.
    #[inline]
    pub fn observation<'a>(&'a self, seat: Seat, view: &'a G::View) -> Observation<'a, G> {
        Observation { view, past: self.past(seat) }
    }

    /// The moves so far as a seat saw them.
    #[inline]
    pub fn past(&self, seat: Seat) -> &[(Seat, G::Move)] {
        self.history.visible_to(seat)
    }

    /// All moves so far.
    #[inline]
    pub fn moves(&self) -> &[(Seat, G::Move)] {
        self.history.moves()
    }

    /// Makes a legal move of the seat to move.
    #[inline]
    pub fn apply(&mut self, game: &G, seat: Seat, mv: G::Move) {
        self.history.record(game, &self.state, seat, mv);
        game.apply(&mut self.state, mv, &mut self.rng);
    }

    /// Makes a move of the seat to move if it is legal; otherwise changes nothing.
    ///
    /// # Errors
    /// If the move is not legal, or the hand is over.
    pub fn try_apply(&mut self, game: &G, mv: G::Move) -> Result<(), Illegal> {
        match self.turn(game) {
            Turn::Seat(seat) if game.is_legal(&self.state, mv) => {
                self.apply(game, seat, mv);
                Ok(())
            }
            _ => Err(Illegal),
        }
    }

    /// Returns to the position after the first `count` moves by playing them again.
    pub fn undo_to(&mut self, game: &G, count: usize) {
        let moves = self.moves().to_vec();
        let buffers = std::mem::take(&mut self.history);
        *self = Playthrough::with_setup(game, self.start.clone(), self.setup, buffers);
        moves.into_iter().take(count).for_each(|(seat, mv)| self.apply(game, seat, mv));
    }

    /// The record of a finished hand.
    pub fn record(&self, game: &G, label: &Label) -> G::Record
    where
        G: Recorded,
    {
        let moves: Vec<G::Move> = self.moves().iter().map(|(_, mv)| *mv).collect();
        game.record(label, self.start.clone(), &moves, &self.state)
    }

    /// The state and the history of the hand.
    #[inline]
    pub fn into_parts(self) -> (G::State, MoveHistory<G>) {
        (self.state, self.history)
    }
}
