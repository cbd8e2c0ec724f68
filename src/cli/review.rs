//! `parlour review`: the chance to win that players lose by their moves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::Args;
use maud::{Markup, html};
use schemars::JsonSchema;
use serde::Serialize;

use super::hands::{
    LOSSES, RecordHead, RecordLine, each_record, evaluate, known_player, loss, page_hand,
    refuse_page,
};
use super::job::Threads;
use super::output::{Output, print};
use super::watch::Watch;
use crate::arena::Observer;
use crate::error::{Error, Result, ensure};
use crate::files::write_atomic;
use crate::games::game;
use crate::results::{TextReport, TextTable, show};
use crate::search::Comparison;
use crate::stats::{Estimate, jackknife_all};
use crate::viewer;

#[derive(Args, Debug)]
pub(super) struct Review {
    /// File of records, one line per hand
    records: PathBuf,
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
    /// All decisions, those of each third of the hand, and those of each kind of move, the largest
    /// total loss first.
    groups: Vec<DecisionGroup>,
}

/// The losses of a group of decisions. Moves without an alternative are no decisions.
#[derive(Serialize, JsonSchema)]
struct DecisionGroup {
    /// The group: `all`, a third of the hand, or a kind of move.
    name: String,
    /// The number of decisions.
    decisions: u64,
    /// The number of decisions in which the judge agrees.
    agreed: usize,
    /// The mean loss in chance to win per decision, 0 to 1; the interval is over deals.
    loss: Option<Estimate>,
    /// The numbers of losses marked `?!`, `?` and `??`.
    marks: [usize; 3],
}

/// A mistake.
#[derive(Serialize, JsonSchema)]
struct Mistake {
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
struct Decision {
    player: String,
    /// The index of the deal.
    deal: usize,
    /// `all`, the phase and the kind of the move.
    groups: [&'static str; 3],
    loss: f64,
    agreed: bool,
    mark: &'static str,
}

/// The title of the list of mistakes.
const MISTAKES: &str = "The most expensive mistakes, by the lower end of their intervals";

const PHASES: [&str; 3] = ["early third", "middle third", "late third"];

pub(super) fn run(args: &Review) -> Result<()> {
    refuse_page(args.html.as_deref(), args.replace)?;
    let hands = selected(args)?;
    let game = game(&hands[0].1.game)?;
    let strategy = args.strategy.clone().unwrap_or(game.reviewer.to_owned());
    let watch = Watch::of(hands.len() as u64, "hands", args.output.quiet)?;
    let (mut decisions, mut mistakes, mut deals) = (Vec::new(), Vec::new(), BTreeMap::new());
    for (line, head) in &hands {
        ensure(!watch.is_stopped(), || Error::stopped("stopped"))?;
        let (moves, adviser) = evaluate(line, &strategy, 1, args.threads, false)?;
        let next = deals.len();
        let deal = *deals.entry((&head.variant, head.seed, head.deal)).or_insert(next);
        for note in adviser.notes {
            let (seat, played) = &moves[note.at];
            let player = &head.seats[seat.index()];
            if args.player.as_ref().is_some_and(|only| only != player) {
                continue;
            }
            let loss = note.loss().ok_or_else(|| {
                Error::input(format!("`{strategy}` gives a move but no evaluation; name a search"))
            })?;
            let (agreed, mark, number) = (note.best == *played, note.mark, note.at + 1);
            let groups = ["all", PHASES[3 * note.at / moves.len()], note.kind];
            decisions.push(Decision { player: player.clone(), deal, groups, loss, agreed, mark });
            if let Some(values) = note.values.filter(|_| !mark.is_empty()) {
                let (player, played) = (player.clone(), played.clone());
                let (hand, best) = (line.hand, note.best);
                mistakes.push(Mistake { hand, number, player, played, best, values, mark });
            }
        }
        watch.played(1);
    }
    // By the lower end, so that luck does not make a mistake.
    let least = |it: &Mistake| it.values.loss() - it.values.half_width;
    mistakes.sort_by(|a, b| least(b).total_cmp(&least(a)));
    mistakes.truncate(10);
    let players = players(&decisions, deals.len());
    let report = ReviewReport { strategy, hands: hands.len(), players, mistakes };
    if let Some(page) = &args.html {
        write_atomic(page, report.page(args, &hands)?)?;
    }
    drop(watch);
    args.output.give(&report, || report.in_text())?;
    match args.html.as_ref().filter(|_| !args.output.json) {
        Some(page) => print(format!("Page: {}", page.display())),
        None => Ok(()),
    }
}

/// The hands to review: at least one, all of one game.
fn selected(args: &Review) -> Result<Vec<(RecordLine, RecordHead)>> {
    let (mut hands, mut players) = (Vec::<(RecordLine, RecordHead)>::new(), BTreeSet::new());
    each_record(&args.records, None, |line| {
        let head = line.head()?;
        players.extend(head.seats.clone());
        let first = hands.first().map_or(&head.game, |(_, first)| &first.game);
        ensure(*first == head.game, || {
            let what = format!("hands of {first} and {} cannot be reviewed together", head.game);
            Error::input(what).in_file(&line.file)
        })?;
        let is_wanted = hands.len() < args.hands.unwrap_or(usize::MAX)
            && args.player.as_ref().is_none_or(|player| head.seats.contains(player))
            && args.lost_by.as_ref().is_none_or(|player| head.is_lost_by(player));
        hands.extend(is_wanted.then_some((line, head)));
        Ok(())
    })?;
    let named = [&args.player, &args.lost_by].into_iter().flatten();
    named.into_iter().try_for_each(|player| known_player(player, &players))?;
    ensure(!hands.is_empty(), || Error::input("no hand to review fits these options"))?;
    Ok(hands)
}

/// The reviews of all players, the smallest loss first.
fn players(decisions: &[Decision], deals: usize) -> Vec<PlayerReview> {
    let names: BTreeSet<&String> = decisions.iter().map(|it| &it.player).collect();
    let review = |player: &String| {
        let own: Vec<&Decision> = decisions.iter().filter(|it| it.player == *player).collect();
        let kinds: BTreeSet<&str> = own.iter().map(|it| it.groups[2]).collect();
        let group = |name: &str| {
            let group = own.iter().copied().filter(|it| it.groups.contains(&name));
            DecisionGroup::new(name, group.collect(), deals)
        };
        let mut kinds: Vec<DecisionGroup> = kinds.into_iter().map(group).collect();
        kinds.sort_by(|a, b| b.total().total_cmp(&a.total()));
        let groups = ["all"].into_iter().chain(PHASES).map(group).chain(kinds);
        let groups = groups.filter(|it| it.decisions > 0).collect();
        PlayerReview { player: player.clone(), groups }
    };
    let mut players: Vec<PlayerReview> = names.into_iter().map(review).collect();
    let mean = |it: &PlayerReview| it.groups[0].total() / it.groups[0].decisions as f64;
    players.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
    players
}

impl DecisionGroup {
    fn new(name: &str, group: Vec<&Decision>, deals: usize) -> DecisionGroup {
        let (mut counts, mut losses) = (vec![0; deals], vec![0.0; deals]);
        for it in &group {
            counts[it.deal] += 1;
            losses[it.deal] += it.loss;
        }
        let (decisions, total): (u64, f64) = (counts.iter().sum(), losses.iter().sum());
        let mean = |left_out: Option<usize>| {
            let (count, loss) = left_out.map_or((0, 0.0), |deal| (counts[deal], losses[deal]));
            let rest = decisions - count;
            vec![(rest > 0).then(|| (total - loss) / rest as f64)]
        };
        let count = |is: &dyn Fn(&Decision) -> bool| group.iter().filter(|it| is(it)).count();
        DecisionGroup {
            name: name.to_owned(),
            decisions,
            agreed: count(&|it| it.agreed),
            loss: jackknife_all(&counts, mean).remove(0),
            marks: ["?!", "?", "??"].map(|mark| count(&|it| it.mark == mark)),
        }
    }

    fn total(&self) -> f64 {
        self.loss.map_or(0.0, |loss| loss.value) * self.decisions as f64
    }

    /// The loss in percentage points.
    fn points(&self) -> String {
        show(self.loss.map(|loss| loss.scaled(100.0)))
    }
}

impl ReviewReport {
    /// A sentence per player.
    fn answers(&self) -> impl Iterator<Item = String> {
        self.players.iter().map(|PlayerReview { player, groups }| {
            let kinds = || groups.iter().skip(1).filter(|it| !PHASES.contains(&it.name.as_str()));
            // A loss in few moves may be estimated below 0.
            let all: f64 = kinds().map(|it| it.total().max(0.0)).sum();
            let share = |it: &DecisionGroup| 100.0 * it.total() / all;
            let worst = kinds().next().filter(|it| kinds().count() > 1 && share(it) > 0.0);
            let worst = worst.map_or(String::new(), |it| {
                format!("; {:.0} % of it in moves of the kind “{}”", share(it), it.name)
            });
            let points = groups[0].points();
            format!("{player} loses {points} percentage points of the chance to win per decision{worst}.")
        })
    }

    /// A table per player.
    fn tables(&self) -> impl Iterator<Item = TextTable> {
        self.players.iter().map(|PlayerReview { player, groups }| {
            let rows = groups.iter().map(|it| {
                let agrees = format!("{:.0} %", 100.0 * it.agreed as f64 / it.decisions as f64);
                let marks = it.marks.map(|count| count.to_string()).join("  ");
                [it.name.clone(), it.decisions.to_string(), agrees, it.points(), marks]
            });
            TextTable::of(1, [player, "decisions", "agrees", "loss", "?!  ?  ??"], rows)
        })
    }

    /// A sentence about the judge, and the meaning of a loss.
    fn basis(&self) -> String {
        format!("Judge: {}. Hands: {}. {LOSSES}", self.strategy, self.hands)
    }

    fn in_text(&self) -> TextReport {
        let rows = self.mistakes.iter().map(|it| {
            let texts = [&it.player, &it.played, &it.best].map(Clone::clone);
            let place = [it.hand, it.number].map(|number| number.to_string());
            place.into_iter().chain(texts).chain([loss(&it.values), it.mark.to_owned()])
        });
        let heads = ["hand", "move", "player", "played", "best", "loss", ""];
        let mistakes = TextTable::of(5, heads, rows).titled(MISTAKES);
        let report = TextReport::default().sentences(self.answers());
        self.tables().fold(report, TextReport::table).table(mistakes).paragraph(self.basis())
    }

    /// The page: the report, then the hands of the mistakes with the values of all moves.
    fn page(&self, args: &Review, hands: &[(RecordLine, RecordHead)]) -> Result<String> {
        let is_shown = |line: &RecordLine| self.mistakes.iter().any(|it| it.hand == line.hand);
        let hands: Vec<_> = hands.iter().filter(|(line, _)| is_shown(line)).collect();
        let page_hands = hands.iter().map(|(line, head)| {
            let (_, mut adviser) = evaluate(line, &self.strategy, 1, args.threads, true)?;
            let seat = head.seats.iter().position(|seat| Some(seat) == args.player.as_ref());
            adviser.seat = seat.unwrap_or(adviser.seat);
            page_hand(line, Some(adviser))
        });
        let page_hands = page_hands.collect::<Result<Vec<_>>>()?;
        let link = |it: &Mistake| {
            let hand = hands.iter().position(|(line, _)| line.hand == it.hand).unwrap_or(0);
            format!("#hand-{}-move-{}", hand + 1, it.number)
        };
        let introduction: Markup = html! {
            @for answer in self.answers() { p { (answer) } }
            div.review {
                @for TextTable { heads, rows, .. } in self.tables() {
                    table {
                        tr { @for head in heads { th { (head) } } }
                        @for row in rows { tr { @for cell in row { td { (cell) } } } }
                    }
                }
                div {
                    h2 { (MISTAKES) }
                    ol { @for it in &self.mistakes { li {
                        a href=(link(it)) { "Hand " (it.hand) ", move " (it.number) }
                        ": " (it.player) " plays " (it.played) " instead of " (it.best) ", −"
                        (loss(&it.values)) " " b { (it.mark) }
                    } } }
                }
            }
            p.dim { (self.basis().replace('`', "")) }
        };
        let title = format!("Review by {}", self.strategy);
        Ok(viewer::page_with_introduction(&title, &introduction, &page_hands))
    }
}
