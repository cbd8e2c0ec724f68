//! What a strategy would do in a position, and why.

use schemars::JsonSchema;
use serde::Serialize;

use super::file::Strategy;
use super::opinion::Belief;
use super::strategic::Strategic;
use crate::chance::Seed;
use crate::search::{MoveEstimate, SearchResult, analyze_in_parallel};
use crate::{Game, Observation, Seat};

/// How many searches look at a position, whatever the machine: the answer depends on it.
pub const WORKERS: u64 = 4;

/// What a strategy would do.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Advice {
    /// Who was asked.
    pub strategy: String,
    /// The move it would make.
    pub best: String,
    /// How many playouts there were; 0 when it does not search, or had no choice.
    pub iterations: u64,
    /// How many worlds were imagined.
    pub worlds: u64,
    /// How many nodes the trees had.
    pub nodes: usize,
    /// How many moves were allowed; not all need be candidates.
    pub allowed: usize,
    /// Whether a value is a chance to win; otherwise it is a mean reward, which counts points too.
    pub is_chance: bool,
    /// How many of the candidates, the best among them, cannot be told apart.
    pub as_good: usize,
    /// The candidates that were tried, best first.
    pub moves: Vec<Candidate>,
    /// Why it plays so, in a sentence, where it does not search and can say so.
    pub reasons: Option<String>,
    /// What it believes of what is hidden, most believed first, where it can say so.
    pub beliefs: Vec<Belief>,
    /// The share of its belief in nothing that it knows, where that is worth telling.
    pub unknown: Option<f64>,
}

/// What a strategy found out about one move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Line")]
pub struct Candidate {
    /// The move, as the game writes it.
    #[serde(rename = "move")]
    pub mv: String,
    /// How often it was tried.
    pub visits: u64,
    /// The mean reward, 0 to 1.
    pub value: f64,
    /// The ends of its 95 % interval.
    pub low: f64,
    /// The other end.
    pub high: f64,
    /// The share of the imagined worlds in which it was tried, or came out best.
    pub share: f64,
}

impl Advice {
    /// What a strategy says of what one seat sees; the seat is to move.
    pub fn of<G: Strategic>(
        game: &G,
        strategy: &Strategy<G>,
        seat: Seat,
        observation: Observation<'_, G>,
        seed: Seed,
    ) -> Advice {
        let findings = ask(game, strategy, seat, observation, seed);
        Advice::from_findings(game, strategy, observation.view, &findings)
    }

    /// The same where it was asked already.
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
        let opinion =
            best.filter(|_| is_told).and_then(|mv| game.explain(&strategy.spec, view, mv));
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
            beliefs: opinion.map_or_else(Vec::new, |opinion| opinion.beliefs),
        }
    }

    /// The answer, and how sure it is, in sentences.
    pub fn in_words(&self) -> String {
        let Advice { strategy, best, .. } = self;
        let sure = match self.as_good {
            _ if self.iterations == 0 => match self.allowed {
                1 => "It is the only move allowed.".to_owned(),
                _ => self
                    .reasons
                    .clone()
                    .unwrap_or_else(|| "It tells its move alone, no values of others.".to_owned()),
            },
            0 | 1 => format!("{best} is better than every other candidate."),
            all if all == self.moves.len() => {
                "No candidate is clearly better than another.".to_owned()
            }
            some => format!("The first {some} cannot be told apart."),
        };
        format!("{strategy} plays {best}. {sure}")
    }
}

/// So many moves are named among the reasons.
const NAMED: usize = 5;

/// Why a strategy that does not search plays as it does: what it believes, or how it weighs the moves.
fn reasons<G: Strategic>(
    game: &G,
    strategy: &Strategy<G>,
    view: &G::View,
    options: &[G::Move],
) -> Option<String> {
    if let Some(belief) = game.belief(&strategy.spec, view) {
        return Some(format!("It {belief}."));
    }
    let worth = game.score_moves(&strategy.spec, view, options)?;
    let mut weighed: Vec<(f32, String)> =
        worth.into_iter().zip(options).map(|(worth, mv)| (worth, game.notation(*mv))).collect();
    // Stable, so that equals stay as moves are listed.
    weighed.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let named = weighed.iter().take(NAMED).map(|(worth, mv)| format!("{mv} ({worth:.2})"));
    let named = named.collect::<Vec<_>>().join(", ");
    let more = weighed.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" ({more} more are worth less)") } else { String::new() };
    Some(format!(
        "By its own measure, of which only differences mean anything, the best are {named}{more}."
    ))
}

/// What a strategy finds out about a position; one that does not search names its move.
pub fn ask<G: Strategic>(
    game: &G,
    strategy: &Strategy<G>,
    seat: Seat,
    observation: Observation<'_, G>,
    seed: Seed,
) -> SearchResult<G::Move> {
    if game.build_search(&strategy.spec).is_none() {
        let mut bot = game.bot(&strategy.spec);
        bot.start(seat);
        return SearchResult::untried(&[bot.choose(game, observation, &mut seed.stream())]);
    }
    #[expect(clippy::expect_used, reason = "it searched a moment ago")]
    let make = || game.build_search(&strategy.spec).expect("it searches");
    analyze_in_parallel(game, observation, WORKERS, game.decide(&strategy.spec), seed, make)
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
