//! `parlour review`: the chance to win that players lose by their moves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::Args;
use maud::{Markup, html};
use rayon::ThreadPool;
use schemars::JsonSchema;
use serde::Serialize;

use super::hands::{
    LOSSES, RecordHead, RecordLine, each_record, evaluate, known_player, loss, page_hand,
    refuse_page,
};
use super::output::{Output, print};
use super::run::Threads;
use super::watch::Watch;
use crate::arena::Observer;
use crate::chance::Seed;
use crate::error::{Error, Result, ensure};
use crate::files::write_atomic;
use crate::games::game;
use crate::results::{TextReport, TextTable};
use crate::search::Comparison;
use crate::stats::{Estimate, jackknife_all};
use crate::viewer::{self, Hand};

#[derive(Args, Debug)]
pub(super) struct Review {
    /// Files of records, one line per hand
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// Judge only the moves of this player
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Strategy that judges, by name or path [default: ismcts-500; in Leap Frog exact]
    #[arg(long, value_name = "ADVISER")]
    strategy: Option<String>,
    /// Review at most the first N hands
    #[arg(long, value_name = "N")]
    hands: Option<usize>,
    /// Review only hands that this player lost
    #[arg(long, value_name = "NAME")]
    lost_by: Option<String>,
    /// Write a page with the report and the hands of the most expensive mistakes
    #[arg(long, value_name = "PAGE")]
    html: Option<PathBuf>,
    /// Overwrite an existing page
    #[arg(long, requires = "html")]
    replace: bool,
    /// Random seed of the judge
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    output: Output,
}

/// The losses of players in chance to win.
#[derive(Serialize, JsonSchema)]
pub(super) struct ReviewReport {
    /// The strategy that judged.
    strategy: String,
    /// The number of hands. Unit: hands.
    hands: usize,
    /// The players, the one with the smallest loss first.
    players: Vec<PlayerReview>,
    /// The most expensive mistakes, ordered by the lower end of the interval of the loss.
    mistakes: Vec<Mistake>,
}

/// The losses of a player.
#[derive(Serialize, JsonSchema)]
struct PlayerReview {
    /// The player.
    player: String,
    /// All decisions.
    all: ReviewPart,
    /// The decisions of each third of the hand.
    phases: Vec<ReviewPart>,
    /// The decisions by kind of the move played, the largest total loss first.
    kinds: Vec<ReviewPart>,
}

/// The losses of a group of decisions. Moves without an alternative are no decisions.
#[derive(Serialize, JsonSchema)]
struct ReviewPart {
    /// The group: `all`, a third of the hand, or a kind of move.
    part: String,
    /// The number of decisions.
    decisions: u64,
    /// The number of decisions in which the judge agrees.
    agreed: u64,
    /// The mean loss in chance to win per decision, 0 to 1; the interval is over deals.
    loss: Option<Estimate>,
    /// The number of losses marked `?!`: clear, and at least 0.02.
    inaccuracies: u64,
    /// The number of losses marked `?`: clear, and at least 0.05.
    mistakes: u64,
    /// The number of losses marked `??`: clear, and at least 0.1.
    blunders: u64,
}

/// A mistake.
#[derive(Serialize, JsonSchema)]
struct Mistake {
    /// The file of the hand.
    file: String,
    /// The number of the hand in the file, from 1.
    hand: usize,
    /// The number of the move in the hand, from 1.
    #[serde(rename = "move")]
    number: usize,
    /// The player.
    player: String,
    /// The move.
    played: String,
    /// The move that the judge prefers.
    best: String,
    /// The chances to win after both.
    values: Comparison,
    /// The mark of the loss.
    mark: &'static str,
}

/// A judged decision.
struct JudgedMove {
    player: String,
    /// The index of the deal.
    deal: usize,
    phase: usize,
    kind: &'static str,
    loss: f64,
    agreed: bool,
    mark: &'static str,
}

const PHASES: [&str; 3] = ["early third", "middle third", "late third"];

/// The number of mistakes in a report.
const MISTAKES: usize = 10;

pub(super) fn run(args: &Review) -> Result<()> {
    refuse_page(args.html.as_deref(), args.replace)?;
    let heads = selected(args)?;
    let name = heads.values().next().map_or("", |head| &head.game);
    let game = game(name)?;
    let strategy = args.strategy.as_deref().unwrap_or(game.reviewer);
    let pool = args.threads.pool()?;
    let watch = Watch::of(heads.len() as u64, "hands", args.output.quiet)?;
    let (mut moves, mut mistakes, mut deals) = (Vec::new(), Vec::new(), BTreeMap::new());
    each_hand(args, &heads, |line, head| {
        ensure(!watch.is_stopped(), || Error::stopped("stopped"))?;
        let (made, adviser) = evaluate(line, strategy, Seed::new(args.seed), false, &pool)?;
        let deal = deals.len();
        let deal = *deals.entry((head.variant.clone(), head.seed, head.deal)).or_insert(deal);
        for note in adviser.notes {
            let (seat, played) = &made[note.at];
            let player = head.seats[seat.index()].clone();
            if args.player.as_ref().is_some_and(|only| *only != player) {
                continue;
            }
            let agreed = note.best == *played;
            let loss = note.loss().ok_or_else(|| {
                let other = game.default_search.map_or(String::new(), |it| format!("; try `{it}`"));
                Error::input(format!("`{strategy}` gives moves but no evaluation{other}"))
            })?;
            let (phase, kind, mark) = (3 * note.at / made.len(), note.kind, note.mark);
            if let Some(values) = note.values.filter(|_| !mark.is_empty()) {
                let (file, played) = (line.file.to_owned(), played.clone());
                let (hand, number, player, best) =
                    (line.hand, note.at + 1, player.clone(), note.best);
                mistakes.push(Mistake { file, hand, number, player, played, best, values, mark });
            }
            moves.push(JudgedMove { player, deal, phase, kind, loss, agreed, mark });
        }
        watch.played(1);
        Ok(())
    })?;
    // The lower end, so that luck does not make a mistake.
    let sure = |it: &Mistake| it.values.loss() - it.values.half_width;
    mistakes.sort_by(|a, b| sure(b).total_cmp(&sure(a)));
    mistakes.truncate(MISTAKES);
    let players = players(&moves, deals.len());
    let report =
        ReviewReport { strategy: strategy.to_owned(), hands: heads.len(), players, mistakes };
    if let Some(page) = &args.html {
        let hands = mistaken_hands(args, &heads, &report, &pool)?;
        let title = format!("Review of {} by {strategy}", hands_text(report.hands));
        let text = viewer::page_with_introduction(&title, &report.on_page(&hands), &hands);
        drop(watch);
        write_atomic(page, text)?;
        args.output.give(&report, || report.in_text())?;
        return if args.output.json { Ok(()) } else { print(format!("Page: {}", page.display())) };
    }
    drop(watch);
    args.output.give(&report, || report.in_text())
}

/// The heads of the hands to review, by the index of their file and their number.
fn selected(args: &Review) -> Result<BTreeMap<(usize, usize), RecordHead>> {
    let (mut heads, mut players) = (BTreeMap::<_, RecordHead>::new(), BTreeSet::new());
    for (file, path) in args.records.iter().enumerate() {
        each_record(path, None, |line| {
            let head = line.head()?;
            players.extend(head.seats.iter().cloned());
            if let Some(first) = heads.values().next() {
                ensure(first.game == head.game, || {
                    let what = format!(
                        "hands of {} and {} cannot be reviewed together",
                        first.game, head.game
                    );
                    Error::input(what).in_file(line.file)
                })?;
            }
            let is_wanted = heads.len() < args.hands.unwrap_or(usize::MAX)
                && args.player.as_ref().is_none_or(|player| head.seats.contains(player))
                && args.lost_by.as_ref().is_none_or(|player| head.is_lost_by(player));
            if is_wanted {
                heads.insert((file, line.hand), head);
            }
            Ok(())
        })?;
    }
    [&args.player, &args.lost_by]
        .into_iter()
        .flatten()
        .try_for_each(|it| known_player(it, &players))?;
    ensure(!heads.is_empty(), || Error::input("no hand to review fits these options"))?;
    Ok(heads)
}

/// Calls `each` with every selected hand.
fn each_hand(
    args: &Review,
    heads: &BTreeMap<(usize, usize), RecordHead>,
    mut each: impl FnMut(&RecordLine<'_>, &RecordHead) -> Result<()>,
) -> Result<()> {
    for (file, path) in args.records.iter().enumerate() {
        each_record(path, None, |line| match heads.get(&(file, line.hand)) {
            Some(head) => each(&line, head),
            None => Ok(()),
        })?;
    }
    Ok(())
}

/// The reviews of all players, the smallest loss first.
fn players(moves: &[JudgedMove], deals: usize) -> Vec<PlayerReview> {
    let names: BTreeSet<&String> = moves.iter().map(|it| &it.player).collect();
    let review = |player: &String| {
        let own: Vec<&JudgedMove> = moves.iter().filter(|it| it.player == *player).collect();
        let kinds: BTreeSet<&str> = own.iter().map(|it| it.kind).collect();
        let part = |name: &str, of: &dyn Fn(&JudgedMove) -> bool| {
            ReviewPart::new(name, own.iter().copied().filter(|it| of(it)), deals)
        };
        let phases = PHASES.iter().enumerate().map(|(at, it)| part(it, &|mv| mv.phase == at));
        let phases = phases.filter(|it| it.decisions > 0).collect();
        let kinds = kinds.into_iter().map(|kind| part(kind, &|mv| mv.kind == kind));
        let mut kinds: Vec<ReviewPart> = kinds.collect();
        kinds.sort_by(|a, b| b.total().total_cmp(&a.total()));
        PlayerReview { player: player.clone(), all: part("all", &|_| true), phases, kinds }
    };
    let mut players: Vec<PlayerReview> = names.into_iter().map(review).collect();
    let mean = |it: &PlayerReview| it.all.loss.map_or(0.0, |loss| loss.value);
    players.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
    players
}

impl ReviewPart {
    fn new<'a>(
        part: &str,
        moves: impl Iterator<Item = &'a JudgedMove>,
        deals: usize,
    ) -> ReviewPart {
        let (mut counts, mut losses) = (vec![0; deals], vec![0.0; deals]);
        let (mut agreed, mut marks) = (0, [0; 3]);
        for mv in moves {
            counts[mv.deal] += 1;
            losses[mv.deal] += mv.loss;
            agreed += u64::from(mv.agreed);
            let mark = ["?!", "?", "??"].iter().position(|mark| *mark == mv.mark);
            mark.into_iter().for_each(|at| marks[at] += 1);
        }
        let (decisions, total): (u64, f64) = (counts.iter().sum(), losses.iter().sum());
        let mean = |left_out: Option<usize>| {
            let (count, loss) = left_out.map_or((0, 0.0), |deal| (counts[deal], losses[deal]));
            let rest = decisions - count;
            vec![(rest > 0).then(|| (total - loss) / rest as f64)]
        };
        let loss = jackknife_all(&counts, mean).remove(0);
        let [inaccuracies, mistakes, blunders] = marks;
        let part = part.to_owned();
        ReviewPart { part, decisions, agreed, loss, inaccuracies, mistakes, blunders }
    }

    fn total(&self) -> f64 {
        self.loss.map_or(0.0, |loss| loss.value) * self.decisions as f64
    }

    /// The loss in percentage points.
    fn points(&self) -> String {
        let points = |loss: Estimate| match loss.interval {
            None => format!("{:.1}", 100.0 * loss.value),
            Some(_) => loss.scaled(100.0).to_string(),
        };
        self.loss.map_or(String::new(), points)
    }
}

fn hands_text(hands: usize) -> String {
    if hands == 1 { "1 hand".to_owned() } else { format!("{hands} hands") }
}

impl ReviewReport {
    /// A sentence per player.
    fn answers(&self) -> Vec<String> {
        let answer = |PlayerReview { player, all, kinds, .. }: &PlayerReview| {
            let share = |it: &ReviewPart| 100.0 * it.total() / all.total();
            let worst = kinds.first().filter(|it| kinds.len() > 1 && share(it) > 0.0);
            let worst = worst.map_or(String::new(), |it| {
                format!("; {:.0} % of it in moves of the kind “{}”", share(it), it.part)
            });
            let points = all.points();
            format!(
                "{player} loses {points} percentage points of the chance to win per decision{worst}."
            )
        };
        self.players.iter().map(answer).collect()
    }

    /// A table per player.
    fn tables(&self) -> impl Iterator<Item = TextTable> {
        self.players.iter().map(|PlayerReview { player, all, phases, kinds }| {
            let rows = [all].into_iter().chain(phases).chain(kinds).map(|it| {
                let agrees = format!("{:.0} %", 100.0 * it.agreed as f64 / it.decisions as f64);
                let marks = [it.inaccuracies, it.mistakes, it.blunders].map(|n| n.to_string());
                [it.part.clone(), it.decisions.to_string(), agrees, it.points(), marks.join("  ")]
            });
            TextTable::of(1, [player, "decisions", "agrees", "loss", "?!  ?  ??"], rows)
        })
    }

    fn in_text(&self) -> TextReport {
        let rows = self.mistakes.iter().map(|it| {
            let texts = [&it.player, &it.played, &it.best, &loss(&it.values)].map(Clone::clone);
            [self.hand_name(it), it.number.to_string()]
                .into_iter()
                .chain(texts)
                .chain([it.mark.to_owned()])
        });
        let heads = ["hand", "move", "player", "played", "best", "loss", ""];
        let mistakes = TextTable::of(5, heads, rows).titled("The most expensive mistakes");
        let hands =
            if self.hands == 1 { "1 hand".to_owned() } else { format!("{} hands", self.hands) };
        let report = TextReport::default().sentences(self.answers());
        let report = self.tables().fold(report, TextReport::table);
        report.table(mistakes).paragraph(format!("{} judged {hands}. {LOSSES}", self.strategy))
    }

    /// The report above the hands of a page; each mistake links to its move.
    fn on_page(&self, hands: &[Hand]) -> Markup {
        let link = |it: &Mistake| {
            let hand = self.hands_of_mistakes().position(|hand| hand == (&it.file, it.hand));
            match hands.len() {
                1 => format!("#move-{}", it.number),
                _ => format!("#hand-{}-move-{}", hand.unwrap_or(0) + 1, it.number),
            }
        };
        html! {
            @for answer in self.answers() { p { (answer) } }
            div.review { @for TextTable { heads, rows, .. } in self.tables() {
                table {
                    tr { @for head in heads { th { (head) } } }
                    @for row in rows { tr { @for cell in row { td { (cell) } } } }
                }
            }
            @if !self.mistakes.is_empty() { div {
                h2 { "The most expensive mistakes" }
                ol { @for it in &self.mistakes {
                    li {
                        a href=(link(it)) { "Hand " (self.hand_name(it)) ", move " (it.number) }
                        ": " (it.player) " plays " (it.played) " instead of " (it.best) ", −" (loss(&it.values)) " " b { (it.mark) }
                    }
                } }
            } } }
            p.dim { (self.strategy) " judged " (hands_text(self.hands)) ". " (LOSSES.replace('`', "")) }
        }
    }

    /// The number of a mistake's hand, with the file if there are several.
    fn hand_name(&self, mistake: &Mistake) -> String {
        match self.mistakes.iter().any(|it| it.file != mistake.file) {
            true => format!("{} of {}", mistake.hand, mistake.file),
            false => mistake.hand.to_string(),
        }
    }

    /// The hands of the mistakes, each once, in the order of the page.
    fn hands_of_mistakes(&self) -> impl Iterator<Item = (&String, usize)> {
        let hands: BTreeSet<_> = self.mistakes.iter().map(|it| (&it.file, it.hand)).collect();
        hands.into_iter()
    }
}

/// The hands with the most expensive mistakes, with all their values.
fn mistaken_hands(
    args: &Review,
    heads: &BTreeMap<(usize, usize), RecordHead>,
    report: &ReviewReport,
    pool: &ThreadPool,
) -> Result<Vec<Hand>> {
    let mut hands = Vec::new();
    each_hand(args, heads, |line, head| {
        if report.hands_of_mistakes().any(|hand| hand == (&line.file.to_owned(), line.hand)) {
            let (_, mut adviser) =
                evaluate(line, &report.strategy, Seed::new(args.seed), true, pool)?;
            let seat = args
                .player
                .as_ref()
                .and_then(|player| head.seats.iter().position(|it| it == player));
            adviser.seat = seat.unwrap_or(adviser.seat);
            hands.push((line.file.to_owned(), line.hand, page_hand(line, Some(adviser))?));
        }
        Ok(())
    })?;
    hands.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    Ok(hands.into_iter().map(|(.., hand)| hand).collect())
}
