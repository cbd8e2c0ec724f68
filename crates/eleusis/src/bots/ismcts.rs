//! Information-set Monte Carlo tree search with rules drawn from a posterior.

use std::sync::Arc;

use super::Dealer;
use crate::{Eleusis, Move, Posterior, Rule, Stage, State, View};
use parlour_base::chance::Stream;
use parlour_game::search::{
    CutOff, Determinizer, Observers, Playout, Reward, Search, SearchParts, TreeOptions,
};
use parlour_game::{Game, Observation, Turn};

parlour_base::files::text::defaults! {
    /// The parameters of `ismcts`.
    #[derive(Copy)]
    pub struct IsmctsParams {
        /// The way of dealing.
        pub dealer: Dealer = Dealer::RandomRule,
        /// The number of iterations per move, each with its own determinization.
        #[schemars(range(min = 1, max = 1_000_000))]
        pub iterations: u32 = 600,
        /// The exploration constant of UCB1.
        #[schemars(range(min = 0, max = 100))]
        pub exploration: f64 = 0.3,
        /// The number of rules drawn from the posterior per move.
        #[schemars(range(min = 1, max = 10_000))]
        pub rules: u32 = 64,
        /// The number of moves after which a playout is cut off and evaluated by the cards in hand.
        #[schemars(range(min = 0, max = 10_000))]
        pub cut_off: u32 = 24,
        /// The probability that a player in a playout knows the right cards in a turn.
        #[schemars(range(min = 0, max = 1))]
        pub skill: f64 = 0.6,
    }
}

/// The margin, in cards, with a reward of three quarters.
const SCALE: f32 = 8.0;

const NODES: usize = 1 << 16;

/// A bot's tree search, created on first use and kept between hands.
pub(super) type Tree = Option<Search<Eleusis>>;

/// Runs single-observer ISMCTS (Cowling, Powley and Whitehouse 2012). The secret rule of each
/// determinization is drawn from the posterior.
pub(super) fn search(
    game: &Eleusis,
    observation: Observation<'_, Eleusis>,
    posterior: &Posterior,
    depth: &IsmctsParams,
    tree: &mut Tree,
    chance: &mut Stream,
) -> Move {
    let rules = posterior.sample(depth.rules as usize, chance);
    let tree = tree.get_or_insert_with(|| {
        let skill = (depth.skill.clamp(0.0, 1.0) * f64::from(u32::MAX)) as u32;
        let (playout, iterations) = (Arc::new(InformedPlayout { skill }), depth.iterations.into());
        let plain = SearchParts::plain(Observers::Single, iterations, playout);
        let tree = TreeOptions {
            exploration: depth.exploration,
            suggested_first: false,
            opponents_use_playout_policy: true,
            dedup_moves: false,
            ..plain.tree
        };
        let reward = Reward { win: 0.0, scale: SCALE };
        let cut_off = Some(CutOff { moves: depth.cut_off, evaluator: None });
        Search::new(SearchParts { tree, reward, cut_off, node_cap: Some(NODES), ..plain })
    });
    let view = observation.view;
    let found = tree.decide(game, observation, &PosteriorDeterminizer(rules), chance).best();
    found.unwrap_or_else(|| game.sample_view(view, chance))
}

/// Determinizer with rules drawn from the posterior. If no rule was drawn or the rule is known, the
/// game's own determinization is used. Guesses are pruned, because their value needs no search.
struct PosteriorDeterminizer(Vec<Rule>);

impl Determinizer<Eleusis> for PosteriorDeterminizer {
    fn draw(&self, game: &Eleusis, view: &View, chance: &mut Stream) -> State {
        if view.rule.is_some() || self.0.is_empty() {
            return game.determinize(view, chance);
        }
        let rule = &self.0[chance.below(self.0.len() as u32) as usize];
        view.determinize_under(rule.clone(), chance)
    }

    fn prune(&self, state: &State, moves: &mut Vec<Move>) {
        if state.public.stage == Stage::After {
            moves.retain(|mv| !matches!(mv, Move::Guess(_)));
        }
    }
}

/// Playouts by players who often know the rule.
///
/// With probability `skill` the player of a turn knows the secret rule and lays a right card, or claims
/// *no play* if there is none. Otherwise the player lays a random card. No player becomes prophet. A
/// prophet believes in a rule that is nearly right. The more verdicts it has given, the more rarely it
/// overlooks a wrong card. It overlooks each card of a string independently.
#[derive(Clone, Copy, Debug)]
struct InformedPlayout {
    /// The probability, in units of 2⁻³².
    skill: u32,
}

impl InformedPlayout {
    fn pick(self, game: &Eleusis, state: &State, chance: &mut Stream) -> Move {
        let public = &state.public;
        let knows = ((chance.bits() >> 32) as u32) < self.skill;
        match public.stage {
            Stage::After => Move::Pass,
            Stage::Pick if knows => {
                let right = (public.shown_cards() & state.right()).pick(chance);
                right.map_or_else(|| game.sample(state, chance), Move::Force)
            }
            Stage::Pick | Stage::Force | Stage::Verdict => game.sample(state, chance),
            Stage::Judge => Move::Judge(prophet_says(state, chance)),
            Stage::Play if !public.string.is_empty() => Move::Submit,
            Stage::Play => {
                let hand = state.hand(public.player).distinct();
                let from = if knows { hand & state.right() } else { hand };
                from.pick(chance).map_or(Move::NoPlay, Move::Lay)
            }
        }
    }
}

/// The number of prior verdicts credited to a new prophet, one of them wrong: about a quarter of new
/// prophets fail at their first verdict.
const CREDIT: f64 = 4.0;

/// Samples a prophet's verdict on the play or claim on the table.
fn prophet_says(state: &State, chance: &mut Stream) -> bool {
    let public = &state.public;
    let judged = public.history.iter().rev().take_while(|event| event.prophet_said.is_some());
    let slip = 1.0 / (CREDIT + judged.count() as f64);
    let right = state.on_the_table_is_right();
    let wrong_cards = if right || public.shown.is_some() { 1 } else { state.wrong_cards() };
    // Each wrong card is overlooked independently.
    let slips = (0..wrong_cards).all(|_| chance.unit() < slip);
    right != slips
}

impl Playout<Eleusis> for InformedPlayout {
    fn run(&self, game: &Eleusis, state: &mut State, limit: Option<u32>, chance: &mut Stream) {
        for _ in 0..limit.unwrap_or(u32::MAX) {
            let Some(mv) = self.suggest(game, state, chance) else { return };
            game.apply(state, mv, chance);
        }
    }

    fn suggest(&self, game: &Eleusis, state: &State, chance: &mut Stream) -> Option<Move> {
        (game.turn(state) != Turn::Over).then(|| self.pick(game, state, chance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::cards::Card;
    use parlour_base::chance::Seed;
    use parlour_game::{Ruled, Seat};

    #[test]
    fn the_prophet_of_an_imagined_world_sees_a_handful_of_wrong_cards() {
        let game = Eleusis::preset("eleusis").and_then(|rules| Eleusis::new(&rules).ok()).unwrap();
        let mut state = game.deal(&mut Seed::new(1).stream());
        state.rule = "red".parse().unwrap();
        state.public.stage = Stage::Judge;
        state.public.prophet = Some(Seat(2));
        let mut falls = |cards: &str| {
            let cards = cards.split_whitespace().map(|card| card.parse::<Card>().unwrap());
            state.public.string = cards.collect();
            let right = state.on_the_table_is_right();
            let mut chance = Seed::new(2).stream();
            (0..1000).filter(|_| prophet_says(&state, &mut chance) != right).count()
        };
        assert!((200..300).contains(&falls("2S")), "one wrong card");
        assert!((200..300).contains(&falls("2H 3D")), "none");
        assert!(falls("2S 3S 4S 5C") < 15, "a handful");
    }
}
