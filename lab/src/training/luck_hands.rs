//! Hands from which the luck network learns.

use parlour::chance::{Seed, Stream};
use parlour::files::Library;
use parlour::game::{Game, Ruled, Seat, Turn};
use parlour::games::leopard::luck::{Draw, for_each_draw};
use parlour::games::leopard::network::{Features, SeatPlayers, stage};
use parlour::games::leopard::{Leopard, Move, State};
use parlour::strategy::{Player, Strategic, Strategy};

use super::symmetry::Symmetry;
use super::{Example, FloatNet, estimate};
use crate::table::{Shared, different, result};

/// The random move of a hand is one of the first moves, up to this number.
const RANDOM_MOVE_BEFORE: u32 = 48;

/// Cards of the stock whose mean stands for the whole stock.
const SAMPLED_CARDS: u32 = 3;

/// Weight of later targets against the mean over the cards that may come next.
const LAMBDA: f32 = 0.8;

/// Source of hands: the games and the players.
pub struct Hands {
    pub games: Vec<Leopard>,
    /// The two players that the network is to know, if any.
    known: Option<[Shared; 2]>,
    steady: Shared,
    brisk: Shared,
    symmetries: Vec<Symmetry>,
    /// One in this many drawn cards makes an example, and one in three times this many dealt cards.
    every: u32,
}

/// A hand that was played.
struct Hand<'a> {
    game: &'a Leopard,
    start: Stream,
    moves: Vec<(Seat, Move)>,
    /// The first seat's share of the win.
    won: f64,
    players: SeatPlayers,
    /// The first turn that counts; dealt cards count if it is 0.
    from: usize,
}

/// A drawn or dealt card of a hand.
struct HandDraw<'a> {
    draw: &'a Draw,
    is_dealt: bool,
    /// `true` if no random move follows.
    counts: bool,
}

impl Hand<'_> {
    /// Calls `visit` with each card that came.
    fn for_each_draw(&self, visit: &mut impl FnMut(HandDraw<'_>)) {
        let rules = self.game.rules();
        let (dealt, mut drawn) = (2 * usize::from(rules.hand_size), 0usize);
        for_each_draw(self.game, &self.start, &self.moves, &mut |draw| {
            let turn = drawn.checked_sub(dealt).map(|drawn| drawn / usize::from(rules.draw));
            drawn += 1;
            let counts = self.from == 0 || turn.is_some_and(|turn| turn >= self.from);
            visit(HandDraw { draw, is_dealt: turn.is_none(), counts });
        });
    }
}

/// The memoryless policy of a strategy.
fn player(name: &str) -> anyhow::Result<Shared> {
    let strategy = Strategy::<Leopard>::load(&Library::strategies(Leopard::NAME), name)?;
    match Leopard::player(&strategy.spec.kind) {
        Ok(Player::Static(policy)) => Ok(policy),
        _ => anyhow::bail!("`{name}` searches or keeps state; a memoryless policy is needed"),
    }
}

impl Hands {
    /// Creates a source of hands, between two players if they are named.
    pub fn new(games: Vec<Leopard>, players: &[String], every: u32) -> anyhow::Result<Hands> {
        let known = match players {
            [] => None,
            [one, other] => Some([player(one)?, player(other)?]),
            _ => anyhow::bail!("{} players; there must be two", players.len()),
        };
        let (steady, brisk) = (player("steady")?, player("brisk")?);
        Ok(Hands { games, known, steady, brisk, symmetries: Symmetry::all(), every })
    }

    /// Plays a hand.
    fn play(&self, seed: Seed, choice: &mut Stream) -> Hand<'_> {
        let game = &self.games[choice.below(self.games.len() as u32) as usize];
        let (steady, brisk) = (&self.steady, &self.brisk);
        let (players, known) = match (&self.known, choice.below(6)) {
            (Some([one, other]), 0..3) => ([one, other], [Some(0), Some(1)]),
            (Some([one, other]), _) => ([other, one], [Some(1), Some(0)]),
            (None, 0) => ([steady, brisk], [None; 2]),
            (None, 1) => ([brisk, steady], [None; 2]),
            (None, _) => ([steady, steady], [None; 2]),
        };
        let random = (choice.below(4) == 0).then(|| choice.below(RANDOM_MOVE_BEFORE) as usize);
        let start = seed.child(0).stream();
        let (moves, won) = play(game, &start, players, choice, random);
        // A turn has one move at least, so those beyond are after the random move.
        let from = random.filter(|random| *random < moves.len()).map_or(0, |random| random + 1);
        Hand { game, start, moves, won, players: known, from }
    }

    fn features(
        &self,
        net: &FloatNet,
        hand: &Hand<'_>,
        state: &State,
        symmetry: Option<&Symmetry>,
    ) -> Vec<u16> {
        let mut all = Vec::with_capacity(280);
        let rules = hand.game.rules();
        let add = &mut |feature| all.push(feature as u16);
        let state = symmetry.map_or(*state, |symmetry| symmetry.apply(state));
        net.for_each_feature(rules, &state, hand.players, add);
        all
    }

    /// A random symmetry, if it matters to this network.
    fn symmetry(&self, net: &FloatNet, choice: &mut Stream) -> Option<&Symmetry> {
        (net.features == Features::DetailedState)
            .then(|| &self.symmetries[choice.below(self.symmetries.len() as u32) as usize])
    }

    /// Examples of a hand with its result as the target.
    pub fn with_results(&self, seed: Seed, net: &FloatNet) -> Vec<Example> {
        let mut choice = seed.child(1).stream();
        let hand = self.play(seed, &mut choice);
        let mut examples = Vec::new();
        hand.for_each_draw(&mut |HandDraw { draw, is_dealt, counts }| {
            if choice.below(if is_dealt { 3 * self.every } else { self.every }) > 0 || !counts {
                return;
            }
            let Turn::Seat(seat) = hand.game.turn(&draw.before) else { return };
            let state = draw.with(draw.card);
            let features = self.features(net, &hand, &state, self.symmetry(net, &mut choice));
            let target = if seat == Seat(0) { hand.won } else { 1.0 - hand.won };
            examples.push(Example { features, stage: stage(&state), target: target as f32 });
        });
        examples
    }

    /// Examples of a hand whose target is the result less the luck of all later cards. Weights fall
    /// with distance (the λ-return of Sutton 1988, without the luck of the cards). These targets
    /// vary much less than results.
    pub fn with_estimates(&self, seed: Seed, net: &FloatNet) -> Vec<Example> {
        let mut choice = seed.child(1).stream();
        let hand = self.play(seed, &mut choice);
        // For each card: its example, whether the first seat is to move, and the estimates for the first
        // seat after the card and over the cards that might have come.
        let mut line = Vec::new();
        hand.for_each_draw(&mut |HandDraw { draw, counts, .. }| {
            let (true, Turn::Seat(seat)) = (counts, hand.game.turn(&draw.before)) else { return };
            let is_first = seat == Seat(0);
            let share = |share: f32| if is_first { share } else { 1.0 - share };
            let symmetry = self.symmetry(net, &mut choice);
            let state = draw.with(draw.card);
            let features = self.features(net, &hand, &state, symmetry);
            let came = share(estimate(net, &features, stage(&state)));
            let (mut stock, mut mean) = (draw.before.stock(), 0.0);
            let (len, sampled) = (stock.len(), stock.len().min(SAMPLED_CARDS));
            for taken in 0..sampled {
                let state = draw.with(stock.draw(len - taken, &mut choice));
                let features = self.features(net, &hand, &state, symmetry);
                mean += share(estimate(net, &features, stage(&state)));
            }
            let example = Example { features, stage: stage(&state), target: 0.0 };
            line.push((example, is_first, came, mean / sampled as f32));
        });
        let mut examples = Vec::with_capacity(line.len());
        let mut target = hand.won as f32;
        for (mut example, is_first, came, mean) in line.into_iter().rev() {
            example.target = if is_first { target } else { 1.0 - target };
            target = mean + LAMBDA * (target - came);
            if choice.below(2) == 0 {
                examples.push(example);
            }
        }
        examples
    }
}

/// Plays a hand, with one random move if `random` says so. Returns the moves and the first seat's
/// share of the win.
fn play(
    game: &Leopard,
    start: &Stream,
    players: [&Shared; 2],
    choice: &mut Stream,
    random: Option<usize>,
) -> (Vec<(Seat, Move)>, f64) {
    let mut chance = start.clone();
    let (mut state, mut moves) = (game.deal(&mut chance), Vec::new());
    while let Turn::Seat(seat) = game.turn(&state) {
        let mv = if random == Some(moves.len()) {
            let all = different(game, &state);
            all[choice.below(all.len() as u32) as usize]
        } else {
            players[seat.index()].pick(game, &game.view(&state, seat), choice)
        };
        game.apply(&mut state, mv, &mut chance);
        moves.push((seat, mv));
    }
    (moves, result(game, &state, 0))
}
