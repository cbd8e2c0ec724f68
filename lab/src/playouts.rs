//! Hands of a variant, for counting instructions (`scripts/instructions.sh`,
//! `scripts/search-ratios.sh`) and for measuring speed.

use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use parlour::chance::{Seed, Stream};
use parlour::files::Library;
use parlour::game::{Game, Observation, Policy, Ruled, Seat, Turn};
use parlour::games::leapfrog::Leapfrog;
use parlour::games::leopard::Leopard;
use parlour::games::leopard::bots::{Brisk, BriskWeights, Greedy};
use parlour::search::{Observers, Playout, PolicyPlayout, Search, SearchParts};
use parlour::strategy::{Strategic, Strategy};

use crate::table::{steady, walk};

/// Plays hands from the deal to the end; returns the number of moves.
fn play(game: &Leopard, hands: u64, policy: &impl Policy<Leopard>, chance: &mut Stream) -> u64 {
    let mut moves = 0;
    for _ in 0..hands {
        let mut state = game.deal(chance);
        while let Turn::Seat(seat) = game.turn(&state) {
            let mv = policy.pick(game, &game.view(&state, seat), chance);
            game.apply(&mut state, mv, chance);
            moves += 1;
        }
    }
    moves
}

/// Runs iterations of a search of one opening.
fn search(
    game: &Leopard,
    iterations: u64,
    playout: Arc<dyn Playout<Leopard>>,
    chance: &mut Stream,
) -> u64 {
    let parts = SearchParts::plain(Observers::Single, iterations, playout);
    let view = game.view(&game.deal(chance), Seat(0));
    Search::new(parts).analyze(game, Observation { view: &view, past: &[] }, chance);
    iterations
}

/// One move in this number, of a hand between steady players, is also chosen by the strategy. In a
/// hand of some fifty moves these are an early, a middle and a late one.
const ONE_OF: usize = 17;

/// Times whole moves of a strategy, in hands between steady players.
fn moves(game: &Leopard, count: u64, by: &str) -> anyhow::Result<u64> {
    let strategy = Strategy::<Leopard>::load(&Library::strategies(Leopard::NAME), by)?;
    let (steady, mut bot) = (steady()?, game.bot(&strategy.spec));
    let mut chance = Seed::new(2).stream();
    let (mut asked, mut deal) = (0, 0);
    while asked < count {
        walk(game, Seed::new(1).child(deal).stream(), |state, past, seat| {
            let view = game.view(state, seat);
            if past.len() % ONE_OF == ONE_OF / 2 && asked < count {
                bot.start(seat);
                _ = bot.choose(game, Observation { view: &view, past }, &mut chance);
                asked += 1;
            }
            (asked < count).then(|| steady.pick(game, &view, &mut chance))
        });
        deal += 1;
    }
    Ok(asked)
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Bare random playouts from the deal, of Leopard or of Leap Frog
    Random,
    /// Playouts of a policy
    Greedy,
    Brisk,
    Steady,
    /// Iterations of a tree search of one opening, with random playouts
    Ismcts,
    /// The same with playouts of `brisk`
    IsmctsBrisk,
    /// Whole moves of a strategy
    Moves,
}

#[derive(Args)]
pub struct Playouts {
    variant: String,
    hands: u64,
    #[arg(default_value = "random")]
    kind: Kind,
    /// Strategy of `moves`: a name or a file
    #[arg(default_value = "ismcts-2000")]
    by: String,
}

/// Plays bare random playouts; returns their number of moves.
fn random<G: Ruled>(game: &G, hands: u64, chance: &mut Stream) -> u64 {
    (0..hands).map(|_| u64::from(game.playout(&mut game.deal(chance), chance))).sum()
}

impl Playouts {
    pub fn run(&self) -> anyhow::Result<()> {
        let Playouts { variant, hands, kind, by } = self;
        let (hands, mut chance) = (*hands, Seed::new(1).stream());
        let start = Instant::now();
        let moves = match Leapfrog::preset(variant) {
            Some(rules) => {
                let game = Leapfrog::new(&rules).map_err(|faults| anyhow::anyhow!("{faults:?}"))?;
                random(&game, hands, &mut chance)
            }
            None => leopard(&crate::table::variant(variant)?, hands, (*kind, by), &mut chance)?,
        };
        let rate = hands as f64 / start.elapsed().as_secs_f64();
        println!("{hands} hands, {moves} moves, {rate:.0} hands a second");
        Ok(())
    }
}

fn leopard(
    game: &Leopard,
    hands: u64,
    (kind, by): (Kind, &str),
    chance: &mut Stream,
) -> anyhow::Result<u64> {
    let brisk = Brisk::new(BriskWeights::default());
    let brisk = brisk.map_err(|faults| anyhow::anyhow!("{faults:?}"))?;
    Ok(match kind {
        Kind::Random => random(game, hands, chance),
        Kind::Greedy => play(game, hands, &Greedy, chance),
        Kind::Brisk => play(game, hands, &brisk, chance),
        Kind::Steady => play(game, hands, &steady()?, chance),
        Kind::Moves => moves(game, hands, by)?,
        Kind::Ismcts => search(game, hands, Arc::new(PolicyPlayout::random()), chance),
        Kind::IsmctsBrisk => search(game, hands, Arc::new(PolicyPlayout::new(brisk, 0.0)), chance),
    })
}
