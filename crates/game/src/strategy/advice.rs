//! Advice: the move of a strategy in a position, with its reasons.

use schemars::JsonSchema;
use serde::Serialize;

use super::file::Strategy;
use super::strategic::{Belief, Player, Strategic};
use crate::search::{Comparison, MoveEstimate, SearchResult, analyze_in_parallel};
use crate::{BotError, Game, Observation, Seat};
use parlour_base::chance::Seed;

/// The number of searches of a position. It is fixed, because the answer depends on it.
pub const WORKERS: u64 = 4;

/// The advice of a strategy.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Advice {
    /// The name of the strategy.
    pub strategy: String,
    /// The move that it would make.
    pub best: String,
    /// The number of playouts; 0 if it does not search or had no choice.
    pub iterations: u64,
    /// The number of determinizations.
    pub worlds: u64,
    /// The number of nodes of the trees.
    pub nodes: usize,
    /// The number of legal moves; not all need be candidates.
    pub allowed: usize,
    /// `true` if a value is a probability of winning; otherwise it is a mean reward, which counts
    /// points too.
    pub is_chance: bool,
    /// The number of candidates, including the best, that are not clearly worse than it.
    pub as_good: usize,
    /// The candidates that were tried, the best first.
    pub moves: Vec<Candidate>,
    /// The reasons in a sentence, if it does not search and has any.
    pub reasons: Option<String>,
    /// Its beliefs about what is hidden, the strongest first.
    pub beliefs: Vec<Belief>,
    /// The share of its belief in none of the known hypotheses, if it matters.
    pub unknown: Option<f64>,
    /// The chances to win after its move and after another one that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Comparison>,
}

/// The findings of a search about one move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Line")]
pub struct Candidate {
    /// The move in the notation of the game.
    #[serde(rename = "move")]
    pub mv: String,
    /// The number of visits.
    pub visits: u64,
    /// The mean reward, 0 to 1.
    pub value: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The share of the determinizations in which it was tried, or came out best.
    pub share: f64,
}

impl Advice {
    /// Asks a strategy for advice from the observation of the seat to move.
    ///
    /// # Errors
    /// If an external program fails.
    pub fn of<G: Strategic>(
        game: &G,
        strategy: &Strategy<G>,
        seat: Seat,
        observation: Observation<'_, G>,
        seed: Seed,
    ) -> Result<Advice, BotError> {
        let findings = ask(game, strategy, seat, observation, seed)?;
        Ok(Advice::from_findings(game, strategy, observation.view, &findings))
    }

    /// Creates the advice from the findings of a search.
    pub fn from_findings<G: Strategic>(
        game: &G,
        strategy: &Strategy<G>,
        view: &G::View,
        findings: &SearchResult<G::Move>,
    ) -> Advice {
        let mut options = Vec::new();
        game.legal_moves_in_view(view, &mut options);
        let moves = tried(game, findings);
        let is_told = findings.iterations == 0 && options.len() > 1;
        let best = findings.best();
        let opinion = best
            .filter(|_| is_told)
            .and_then(|mv| game.explainer()?.explain(&strategy.spec, view, mv));
        let reasons = match &opinion {
            Some(opinion) => Some(opinion.in_words()),
            None if is_told => reasons(game, strategy, view, &options),
            None => None,
        };
        let least = moves.first().map_or(0.0, |best| best.low);
        Advice {
            allowed: options.len(),
            is_chance: G::search_config(&strategy.spec)
                .is_some_and(|search| search.counts_wins_alone()),
            as_good: moves.iter().filter(|line| line.high >= least).count(),
            strategy: strategy.name.clone(),
            best: best.map_or_else(String::new, |mv| game.notation(mv)),
            iterations: findings.iterations,
            worlds: findings.worlds,
            nodes: findings.nodes,
            moves,
            reasons,
            unknown: opinion.as_ref().and_then(|opinion| opinion.unknown),
            compared: None,
            beliefs: opinion.map_or_else(Vec::new, |opinion| opinion.beliefs),
        }
    }

    /// Returns the move and its certainty in sentences.
    pub fn in_words(&self) -> String {
        let Advice { strategy, best, .. } = self;
        let sure = match self.as_good {
            _ if self.iterations == 0 => match self.allowed {
                1 => "It is the only legal move.".to_owned(),
                _ => self
                    .reasons
                    .clone()
                    .unwrap_or_else(|| "It gives a move but no evaluation.".to_owned()),
            },
            0 | 1 => format!("{best} is better than every other candidate."),
            all if all == self.moves.len() => {
                "No candidate is clearly better than another.".to_owned()
            }
            some => format!("The top {some} are too close to call."),
        };
        format!("{strategy} plays {best}. {sure}")
    }
}

/// The largest number of moves in the reasons.
const NAMED: usize = 5;

/// Returns the reasons of a memoryless strategy: its scores of the moves, if it has any.
fn reasons<G: Strategic>(
    game: &G,
    strategy: &Strategy<G>,
    view: &G::View,
    options: &[G::Move],
) -> Option<String> {
    let Player::Static(policy) = strategy.spec.player::<G>() else { return None };
    let mut worth = Vec::new();
    if !policy.score_moves(game, view, options, &mut worth) {
        return None;
    }
    let mut weighed: Vec<(f32, String)> =
        worth.into_iter().zip(options).map(|(worth, mv)| (worth, game.notation(*mv))).collect();
    // A stable sort, so that equal moves keep their order.
    weighed.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let named = weighed.iter().take(NAMED).map(|(worth, mv)| format!("{mv} ({worth:.2})"));
    let named = named.collect::<Vec<_>>().join(", ");
    let more = weighed.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" ({more} more score less)") } else { String::new() };
    Some(format!("By its own score, in which only differences matter, the best are {named}{more}."))
}

/// Returns the findings of a strategy about a position; one that does not search only names its
/// move.
///
/// # Errors
/// If an external program fails.
fn ask<G: Strategic>(
    game: &G,
    strategy: &Strategy<G>,
    seat: Seat,
    observation: Observation<'_, G>,
    seed: Seed,
) -> Result<SearchResult<G::Move>, BotError> {
    let searches = (0..WORKERS).map_while(|_| G::build_search(&strategy.spec)).collect();
    if let Some(result) = analyze_in_parallel(game, observation, seed, searches) {
        return Ok(result);
    }
    let mut bot = game.bot(&strategy.spec);
    bot.start(seat);
    let mv = bot.choose(game, observation, &mut seed.stream())?;
    Ok(SearchResult::untried(&[mv]))
}

fn tried<G: Game>(game: &G, findings: &SearchResult<G::Move>) -> Vec<Candidate> {
    let worlds = findings.worlds.max(1) as f64;
    let line = |finding: &MoveEstimate<G::Move>| {
        let (value, half) = (finding.value(), finding.half_width());
        let (low, high) = ((value - half).max(0.0), (value + half).min(1.0));
        let (mv, share) = (game.notation(finding.mv), finding.worlds as f64 / worlds);
        Candidate { mv, visits: finding.visits, value, low, high, share }
    };
    findings.moves.iter().filter(|finding| finding.visits > 0).map(line).collect()
}
