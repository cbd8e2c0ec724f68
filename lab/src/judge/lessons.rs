//! Hands to learn from.

use parlour::chance::{Seed, Stream};
use parlour::files::Library;
use parlour::game::{Game, Ruled, Seat, Turn};
use parlour::games::leopard::judge::{Draw, Sitting, Symmetry, draws, stage};
use parlour::games::leopard::{Leopard, Move, State};
use parlour::strategy::{Player, Strategic, Strategy};

use super::teacher::{Floats, said};
use crate::table::{Shared, different, result};

/// The random move of a hand is one of the first so many.
const STRAY_BEFORE: u32 = 48;

/// The mean over the stock is that of so many cards of it.
const TRIED: u32 = 3;

/// How much of what is foretold for a position is what followed it, beside the mean of the cards
/// that may come next.
const LAMBDA: f32 = 0.8;

/// A position by its rows and its stage, and what it came to for the seat whose turn it was.
pub struct Lesson {
    pub rows: Vec<u16>,
    pub stage: usize,
    pub target: f32,
}

/// The games that are played, and the players.
pub struct School {
    pub games: Vec<Leopard>,
    /// Who plays, where there are two that the judge is to know.
    known: Option<[Shared; 2]>,
    steady: Shared,
    brisk: Shared,
    /// The ways to tell a position.
    symmetries: Vec<Symmetry>,
    /// Of the cards drawn one in so many makes a lesson, of those dealt one in three times as many.
    every: u32,
}

/// A hand that was played.
struct Hand<'a> {
    game: &'a Leopard,
    start: Stream,
    moves: Vec<(Seat, Move)>,
    /// What the first seat won.
    won: f64,
    sitting: Sitting,
    /// The first turn that counts; the cards dealt count where it is the first of all.
    from: usize,
}

/// A card that came in a hand.
struct Came<'a> {
    draw: &'a Draw,
    /// Whether it was dealt.
    dealt: bool,
    /// Whether nothing random was done after it.
    counts: bool,
}

impl Hand<'_> {
    /// Tells the cards that came.
    fn draws(&self, tell: &mut impl FnMut(Came<'_>)) {
        let rules = self.game.rules();
        let (dealt, mut drawn) = (2 * usize::from(rules.hand_size), 0usize);
        draws(self.game, &self.start, &self.moves, &mut |draw| {
            let turn = drawn.checked_sub(dealt).map(|drawn| drawn / usize::from(rules.draw));
            drawn += 1;
            let counts = self.from == 0 || turn.is_some_and(|turn| turn >= self.from);
            tell(Came { draw, dealt: turn.is_none(), counts });
        });
    }
}

/// A player by the name of its strategy, which does not search.
fn player(name: &str) -> anyhow::Result<Shared> {
    let strategy = Strategy::<Leopard>::load(&Library::strategies(Leopard::NAME), name)?;
    match Leopard::player(&strategy.spec.kind) {
        Ok(Player::Static(policy)) => Ok(policy.policy()),
        _ => anyhow::bail!("`{name}` is no player who chooses by what it sees alone"),
    }
}

impl School {
    /// With hands between two players, if they are named.
    pub fn new(games: Vec<Leopard>, players: &[String], every: u32) -> anyhow::Result<School> {
        let known = match players {
            [] => None,
            [one, other] => Some([player(one)?, player(other)?]),
            _ => anyhow::bail!("two players, not {}", players.len()),
        };
        let (steady, brisk) = (player("steady")?, player("brisk")?);
        Ok(School { games, known, steady, brisk, symmetries: Symmetry::all(), every })
    }

    /// Plays a hand.
    fn play(&self, seed: Seed, choice: &mut Stream) -> Hand<'_> {
        let game = &self.games[choice.below(self.games.len() as u32) as usize];
        let (steady, brisk) = (&self.steady, &self.brisk);
        let (players, sitting) = match (&self.known, choice.below(6)) {
            (Some([one, other]), 0..3) => ([one, other], [Some(0), Some(1)]),
            (Some([one, other]), _) => ([other, one], [Some(1), Some(0)]),
            (None, 0) => ([steady, brisk], [None; 2]),
            (None, 1) => ([brisk, steady], [None; 2]),
            (None, _) => ([steady, steady], [None; 2]),
        };
        let stray = (choice.below(4) == 0).then(|| choice.below(STRAY_BEFORE) as usize);
        let start = seed.child(0).stream();
        let (moves, won) = play(game, &start, players, choice, stray);
        // A turn has one move at least, so those beyond are after the random move.
        let from = stray.filter(|stray| *stray < moves.len()).map_or(0, |stray| stray + 1);
        Hand { game, start, moves, won, sitting, from }
    }

    fn rows(&self, net: &Floats, hand: &Hand<'_>, state: &State, symmetry: &Symmetry) -> Vec<u16> {
        let mut told = Vec::with_capacity(280);
        let rules = hand.game.rules();
        net.tell(rules, state, hand.sitting, symmetry, &mut |row| told.push(row as u16));
        told
    }

    /// One of the ways to tell a position, where it matters to this network.
    fn symmetry(&self, net: &Floats, choice: &mut Stream) -> &Symmetry {
        match net.detailed {
            true => &self.symmetries[choice.below(self.symmetries.len() as u32) as usize],
            false => &Symmetry::SAME,
        }
    }

    /// The lessons of a hand by its result.
    pub fn results(&self, seed: Seed, net: &Floats) -> Vec<Lesson> {
        let mut choice = seed.child(1).stream();
        let hand = self.play(seed, &mut choice);
        let mut lessons = Vec::new();
        hand.draws(&mut |Came { draw, dealt, counts }| {
            if choice.below(if dealt { 3 * self.every } else { self.every }) > 0 || !counts {
                return;
            }
            let Turn::Seat(seat) = hand.game.turn(&draw.before) else { return };
            let state = draw.with(draw.card);
            let rows = self.rows(net, &hand, &state, self.symmetry(net, &mut choice));
            let target = if seat == Seat(0) { hand.won } else { 1.0 - hand.won };
            lessons.push(Lesson { rows, stage: stage(&state), target: target as f32 });
        });
        lessons
    }

    /// The lessons of a hand by what the network thinks of the cards that followed, and of those
    /// that might have: the result less the luck of all later cards, the later ones for less and less
    /// (the λ-return of Sutton 1988, of which the cards' luck is taken out). They differ from what is
    /// true by little where results differ by much.
    pub fn foretold(&self, seed: Seed, net: &Floats) -> Vec<Lesson> {
        let mut choice = seed.child(1).stream();
        let hand = self.play(seed, &mut choice);
        // For each card: its lesson, whether it is told from the first seat, and for that seat what is
        // thought of the card and of those that might have come.
        let mut line = Vec::new();
        hand.draws(&mut |Came { draw, counts, .. }| {
            let (true, Turn::Seat(seat)) = (counts, hand.game.turn(&draw.before)) else { return };
            let is_first = seat == Seat(0);
            let share = |said: f32| if is_first { said } else { 1.0 - said };
            let symmetry = self.symmetry(net, &mut choice);
            let state = draw.with(draw.card);
            let rows = self.rows(net, &hand, &state, symmetry);
            let came = share(said(net, &rows, stage(&state)));
            let (mut stock, mut mean) = (draw.before.stock(), 0.0);
            let (len, tried) = (stock.len(), stock.len().min(TRIED));
            for taken in 0..tried {
                let state = draw.with(stock.draw(len - taken, &mut choice));
                let rows = self.rows(net, &hand, &state, symmetry);
                mean += share(said(net, &rows, stage(&state)));
            }
            let lesson = Lesson { rows, stage: stage(&state), target: 0.0 };
            line.push((lesson, is_first, came, mean / tried as f32));
        });
        let mut lessons = Vec::with_capacity(line.len());
        let mut told = hand.won as f32;
        for (mut lesson, is_first, came, mean) in line.into_iter().rev() {
            lesson.target = if is_first { told } else { 1.0 - told };
            told = mean + LAMBDA * (told - came);
            if choice.below(2) == 0 {
                lessons.push(lesson);
            }
        }
        lessons
    }
}

/// Plays a hand, with a random move where it says so: its moves, and what the first seat won.
fn play(
    game: &Leopard,
    start: &Stream,
    players: [&Shared; 2],
    choice: &mut Stream,
    stray: Option<usize>,
) -> (Vec<(Seat, Move)>, f64) {
    let mut chance = start.clone();
    let (mut state, mut moves) = (game.deal(&mut chance), Vec::new());
    while let Turn::Seat(seat) = game.turn(&state) {
        let mv = if stray == Some(moves.len()) {
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
