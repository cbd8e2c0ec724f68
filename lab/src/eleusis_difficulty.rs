//! Measures the difficulty of each rule of the corpus and what it earns the dealer:
//! `cargo run --release -p parlour-lab -- eleusis-difficulty > strategies/eleusis/rules/earnings.csv`.
//!
//! Writes a row for each playable rule, ordered by earnings. `right_share` is the mean share of right
//! cards. `solved` and `turn` come from [`DECKS`] decks of the one-player protocol by `bayes`.
//! `sure_after` is the mean number of cards after which `bayes`, without committing, believes in the right
//! rule with [`SURE`] (30 if never). `dealer_points` and `dealer_lead` (the dealer's points less the
//! players' mean) are means over complete hands against [`TABLE`]. The rules that earned most in a first
//! round of [`FIRST`] hands get [`AGAIN`] fresh hands, and only these count, so luck in the first round
//! does not bias them. The lead has a 95 % interval (Student, hands).

use std::io;

use parlour::arena::{SeatedBot, play_hand};
use parlour::chance::Seed;
use parlour::files::Library;
use parlour::game::{Game, MoveHistory, Ruled};
use parlour::games::eleusis::bots::{BayesParams, Dealer, Kind, rule_learner};
use parlour::games::eleusis::rule::right_share;
use parlour::games::eleusis::science::{CaseResult, ScienceTurn, corpus_cases, means, play_case};
use parlour::games::eleusis::{CorpusRule, Eleusis, Rules, Split, playable_rules};
use parlour::stats::Moments;
use parlour::strategy::{Spec, Strategic, Strategy};
use rayon::prelude::*;

/// Players, from the dealer's left.
const TABLE: [&str; 4] = ["bayes", "bayes", "cautious", "cautious"];
const DECKS: u64 = 2;
const SURE: f64 = 0.9;
const FIRST: u64 = 3;
const AGAIN: u64 = 20;
/// Number of rules that are measured again.
const BEST: usize = 25;

/// Points over hands, and the dealer's lead multiplied by the number of players.
#[derive(Clone, Copy, Default)]
struct Earned {
    points: i64,
    lead: Moments,
}

struct Row {
    entry: &'static CorpusRule,
    solved: f64,
    turn: Option<f64>,
    sure_after: f64,
    earned: Earned,
}

pub fn run() -> anyhow::Result<()> {
    let shelf = Library::strategies(Eleusis::NAME).embedded_only();
    let load = |name: &str| match Strategy::<Eleusis>::load(&shelf, name) {
        Ok(strategy) => strategy.spec,
        Err(error) => panic!("{error}"),
    };
    let table: Vec<Spec<Kind>> = TABLE.iter().map(|name| load(name)).collect();
    let cases = corpus_cases(Split::All, DECKS, 1963);
    let entries: Vec<&'static CorpusRule> = playable_rules(Split::All).collect();
    let row = |entry: &&'static CorpusRule| {
        let played = |commit: f64| -> Vec<CaseResult> {
            let params = BayesParams { commit, ..BayesParams::default() };
            let kind = Kind::Bayes(params);
            let own = cases.iter().filter(|case| case.name == entry.name);
            own.map(|case| {
                let mut chance = Seed::new(1963).stream();
                play_case(case, rule_learner(&kind, None).as_mut(), &mut chance)
            })
            .collect()
        };
        let solved = means(played(BayesParams::default().commit).iter());
        let sure = played(1.0);
        let after = sure.iter().map(|case| {
            let sure = |row: &ScienceTurn| row.probability.is_some_and(|p| p >= SURE);
            let first = case.turns.iter().find(|row| row.guess_right && sure(row));
            first.map_or(30.0, |row| f64::from(row.turn - 1))
        });
        let sure_after = after.sum::<f64>() / sure.len().max(1) as f64;
        let earned = hands(entry, &table, 0..FIRST);
        Row { entry, solved: solved.solved, turn: solved.turn, sure_after, earned }
    };
    let mut rows: Vec<Row> = entries.par_iter().map(row).collect();
    sort(&mut rows);
    rows.par_iter_mut()
        .take(BEST)
        .for_each(|row| row.earned = hands(row.entry, &table, FIRST..FIRST + AGAIN));
    // Rules measured again come first, so that lucky others do not rank among them.
    sort(&mut rows[..BEST]);
    Ok(write(&rows)?)
}

fn sort(rows: &mut [Row]) {
    let lead = |row: &Row| row.earned.lead.sum as f64 / row.earned.lead.n.max(1) as f64;
    rows.sort_by(|a, b| lead(b).total_cmp(&lead(a)).then(a.entry.name.cmp(&b.entry.name)));
}

/// Plays hands with this rule; the dealer's seat only contributes the rule.
fn hands(entry: &CorpusRule, table: &[Spec<Kind>], hands: std::ops::Range<u64>) -> Earned {
    let rules = Rules { secret: Some(entry.rule.to_string()), ..Rules::ELEUSIS };
    let Ok(game) = Eleusis::new(&rules) else { panic!("{} is playable", entry.name) };
    let dealer = Spec::from(Kind::Random { dealer: Dealer::RandomRule });
    let mut earned = Earned::default();
    for hand in hands {
        let seed = Seed::new(1963).named("difficulty").child(hand);
        let mut players: Vec<SeatedBot<Eleusis>> = std::iter::once(&dealer)
            .chain(table)
            .zip(0..)
            .map(|(spec, seat)| SeatedBot::new(game.bot(spec), seed.child(1).child(seat).stream()))
            .collect();
        let (start, mut history) = (seed.child(0).stream(), MoveHistory::default());
        let played = play_hand(&game, start, &mut players, |seat| seat, &mut history);
        let (end, _) = played.expect("a strategy plays");
        let scores = game.scores(&end).0;
        let players = (scores.len() - 1) as i64;
        let others: i64 = scores[1..].iter().map(|&points| i64::from(points)).sum();
        earned.points += i64::from(scores[0]);
        earned.lead.add(players * i64::from(scores[0]) - others);
    }
    earned
}

fn write(rows: &[Row]) -> io::Result<()> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    out.write_record([
        "name",
        "group",
        "half",
        "rule",
        "right_share",
        "solved",
        "turn",
        "sure_after",
        "hands",
        "dealer_points",
        "dealer_lead",
        "dealer_lead_low",
        "dealer_lead_high",
    ])?;
    let number = |x: f64| format!("{x:.3}");
    for Row { entry, solved, turn, sure_after, earned } in rows {
        let players = TABLE.len() as f64;
        let lead = earned.lead.mean(1.0 / players);
        let (low, high) = lead
            .and_then(|lead| lead.interval)
            .map_or_else(Default::default, |(low, high)| (number(low), number(high)));
        out.write_record([
            entry.name.clone(),
            entry.group.to_string(),
            if entry.split() == Split::Test { "test".to_owned() } else { "training".to_owned() },
            entry.rule.to_string(),
            number(right_share(&entry.rule)),
            number(*solved),
            turn.map_or_else(String::new, number),
            number(*sure_after),
            earned.lead.n.to_string(),
            number(earned.points as f64 / earned.lead.n.max(1) as f64),
            lead.map_or_else(String::new, |lead| number(lead.value)),
            low,
            high,
        ])?;
    }
    out.flush()
}
