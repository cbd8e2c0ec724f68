//! All numbers of a run, made once from its final tallies.

use std::num::NonZeroU32;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::answer::{Answer, Evidence, Finding};
use super::drawn::{Drawn, drawn};
use super::families::divide;
use super::figures::{FIRST_SEAT, common_last, fixed, heads, is_measured};
use super::ladder::{Rung, levels, rungs};
use super::matchups::matchups;
use super::numbers::{Comparison, Numbers, adjusted_score, controlled, scores, standings};
use super::populations::population;
use super::rows::{Balance, Confirmed, Difference, Hand, Matchup, Placed, Standing};
use super::swept::{SweptFields, untuned};
use super::table::{Column, Table, spread};
use crate::arena::{LuckTarget, PlanInfo, Tally, UNIT};
use crate::game::{FigureInfo, FigureSpec, ForcedByRules};
use crate::stats::{ControlledMean, Estimate};

/// All numbers of a run: a tree of variants, and the differences between each two of them.
///
/// It is serialized as its [tables](Summary::tables): for each the rows, the CSV file's heads being
/// the names.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How many deals were played.
    pub deals: u64,
    /// Whether the run ended before its last deal, because `until` was reached.
    pub early: bool,
    /// Decisions are looked at in one deal of so many.
    pub decisions: Option<NonZeroU32>,
    /// What a sweep changes.
    pub swept: SweptFields,
    /// That strategies were tuned under other rules than a sweep plays, in a sentence.
    pub untuned: Option<String>,
    /// What the run says to its question.
    pub answer: Answer,
    /// Neighbours by their ratings, variant by variant.
    pub ladder: Vec<Rung>,
    /// The figures of each variant.
    pub figures: Vec<FigureInfo>,
    /// The names of those that were not measured: the program that played did not know them.
    pub missing: Vec<&'static str>,
    /// Those of them that nobody asked for.
    pub unasked: Vec<&'static str>,
    /// The variants.
    pub variants: Vec<VariantSummary>,
    /// Each two variants: the first with each later one, then the second, and so on.
    pub comparisons: Vec<Comparison>,
}

/// All numbers of a variant.
#[derive(Clone, Debug)]
pub struct VariantSummary {
    /// Its name.
    pub variant: String,
    /// How many seats it has.
    pub seats: usize,
    /// Hands at all tables.
    pub hands: u64,
    /// The figures; none where nothing of the kind happened.
    pub figures: Vec<Option<Estimate>>,
    /// For each figure what it is where the rules leave it no choice.
    pub fixed: Vec<Option<ForcedByRules>>,
    /// The first seat's score less what the deals' cards explain; none where the experiment does
    /// not ask for it.
    pub controlled: Option<ControlledMean>,
    /// The first seat's score less what luck explains of it; none where luck is not judged.
    pub adjusted: Option<ControlledMean>,
    /// Each strategy, the best first.
    pub standings: Vec<Standing>,
    /// Each pairing (or place in a line-up).
    pub matchups: Vec<Matchup>,
    /// What each strategy of the plan scores against each at tables of two.
    pub scores: Vec<Vec<Option<Estimate>>>,
    /// Every strategy, where some beat one another in a ring: the population is no ladder.
    pub population: Vec<Placed>,
    /// The best strategy on fresh deals, where the experiment asks for it.
    pub confirmed: Vec<Confirmed>,
    /// The levels of strength that can be told apart, the best first: the longest line of strategies
    /// of which each scores at least 60 % against the next, and surely more than half.
    pub levels: Vec<String>,
    /// What is drawn, the same in every variant.
    pub drawn: Vec<Drawn>,
}

impl VariantSummary {
    /// The first seat's score.
    pub fn first_seat(&self) -> Option<Estimate> {
        self.figures[FIRST_SEAT]
    }

    /// A fair score of the first seat.
    pub fn fair(&self) -> f64 {
        1.0 / self.seats as f64
    }

    /// A figure as it is shown to people; what the rules fix is said in words.
    pub fn shown(&self, figure: usize, show: impl FnOnce(Option<Estimate>) -> String) -> String {
        match self.fixed[figure] {
            Some(fixed) => fixed.words().to_owned(),
            None => show(self.figures[figure]),
        }
    }

    /// Of the variance of a match's result the shares of the deal, of the strategies' strength and
    /// of the rest.
    pub fn variance_shares(&self) -> Option<[f64; 3]> {
        let [luck, skill, rest, ..] = common_last(&self.figures)?;
        Some([luck?.value, skill?.value, rest?.value])
    }

    /// The standard deviation of the strategies' ratings in Elo.
    pub fn rating_spread(&self) -> Option<Estimate> {
        let [_luck, _skill, _rest, spread, ..] = common_last(&self.figures)?;
        spread
    }
}

impl Summary {
    /// A summary of a game with these figures, without variants: the heads of the tables.
    pub fn blank(figures: &[FigureSpec]) -> Summary {
        Summary { figures: heads(figures).collect(), ..Summary::default() }
    }

    /// Makes the numbers from the tallies of all chunks.
    pub fn new(plan: &PlanInfo, tallies: &[Tally]) -> Summary {
        let blank = Summary::blank(&plan.figures);
        let mut total = plan.empty.clone();
        tallies.iter().for_each(|tally| total.merge(tally));
        let without = |gaps: &[&str]| {
            let gone = plan.figures.iter().filter(|figure| !is_measured(figure, gaps));
            gone.map(|figure| figure.head.name).collect::<Vec<_>>()
        };
        let (missing, unasked) = (without(&total.missing), without(&plan.empty.missing));
        let numbers = Numbers::new(plan, tallies, &total, blank.figures.len());
        let decision = plan.stop_decision(&(0..).zip(tallies.iter().cloned()).collect());
        let matchups = matchups(plan, &total, tallies, &decision.tests);
        let mut variants = Vec::new();
        for (variant, matchups) in matchups.into_iter().enumerate() {
            let (figures, ratings) = numbers.of(variant);
            let mut figures = figures.to_vec();
            let fixed: Vec<Option<ForcedByRules>> =
                blank.figures.iter().map(|head| fixed(plan, variant, head)).collect();
            for (head, figure) in blank.figures.iter().zip(&mut figures) {
                // A share lies between 0 and 1, and so do the ends of its interval.
                if head.unit.starts_with("share") {
                    *figure = figure.map(|share| share.clamped(0.0, 1.0));
                }
            }
            for (figure, fixed) in figures.iter_mut().zip(&fixed) {
                if let Some(fixed) = fixed {
                    *figure = fixed.number().map(Estimate::exact);
                }
            }
            let hands = plan.hands_of_variant(variant);
            let frame = &plan.variants[variant];
            variants.push(VariantSummary {
                variant: frame.name.clone(),
                seats: frame.seats,
                hands: hands * total.deals,
                figures,
                fixed,
                controlled: controlled(plan, tallies, variant, hands),
                adjusted: adjusted_score(
                    tallies,
                    LuckTarget::FirstSeat(variant),
                    1.0 / (hands as f64 * UNIT as f64),
                ),
                standings: standings(plan, &total, variant, ratings),
                scores: scores(plan.names().len(), &matchups),
                population: population(plan, tallies, variant, &matchups),
                matchups,
                confirmed: Vec::new(),
                levels: Vec::new(),
                drawn: drawn(plan, &total, variant),
            });
        }
        let ladder = rungs(plan, &total, tallies, &variants);
        for variant in &mut variants {
            variant.levels = levels(variant);
        }
        let mut comparisons = numbers.comparisons(plan, &blank.figures);
        let heads = &blank.figures;
        let total = &total;
        let evidence = Evidence {
            plan,
            total,
            tallies,
            heads,
            variants: &variants,
            comparisons: &comparisons,
        };
        let answer = Answer::new(plan, &evidence);
        divide(&answer, total.deals, &mut variants, &mut comparisons);
        let (deals, early) = (total.deals, decision.early);
        let (swept, untuned) = (SweptFields::of(plan), untuned(plan));
        Summary {
            deals,
            early,
            decisions: plan.experiment().sample_decisions_every,
            swept,
            untuned,
            answer,
            ladder,
            missing,
            unasked,
            variants,
            comparisons,
            ..blank
        }
    }

    /// The tables that every run has, in the order of their files.
    pub fn tables(&self) -> Vec<Table> {
        let variants = || self.variants.iter();
        vec![
            Table::of::<&Finding>("answer", &self.answer.findings),
            Table::of::<&Rung>("ladder", &self.ladder),
            self.swept.to_variants(Table::of("matchups", self.matchups())),
            self.swept
                .to_strategies(Table::of("strategies", variants().flat_map(|v| &v.standings))),
            self.swept.to_variants(self.figure_table()),
            Table::of::<&Difference>("differences", self.differences()),
            Table::of("populations", variants().flat_map(|v| &v.population)),
            Table::of("confirmed", variants().flat_map(|v| &v.confirmed)),
        ]
    }

    /// The JSON Schema of a summary of a game with these figures.
    pub fn schema(game: &str, figures: &[FigureSpec]) -> Value {
        let mut properties = json!({
            "deals": { "type": "integer", "description": "Deals played." },
            "early": { "type": "boolean", "description": "Whether `until` ended the run." },
            "question": { "type": "string", "description": "What the run is to answer." },
            "sentences": { "type": "array", "description": "The answer, a sentence each.", "items": { "type": "string" } },
        });
        for table in Summary::blank(figures).tables() {
            properties[&table.name] = table.schema();
        }
        json!({ "type": "object", "title": game, "properties": properties })
    }

    /// Whether a figure is measured unasked, or was asked for.
    pub fn is_asked(&self, figure: usize) -> bool {
        !self.unasked.contains(&self.figures[figure].name)
    }

    /// The numbers of the figures that a short table shows.
    pub fn headlines(&self) -> impl Iterator<Item = usize> {
        (0..self.figures.len())
            .filter(|&figure| self.figures[figure].headline && self.is_asked(figure))
    }

    /// How many deals the figures of decisions come from, where somebody asked for them.
    pub fn looked_at(&self) -> Option<u64> {
        self.decisions.map(|every| self.deals.div_ceil(every.get().into()))
    }

    /// All pairings of all variants.
    pub fn matchups(&self) -> impl Iterator<Item = &Matchup> {
        self.variants.iter().flat_map(|variant| &variant.matchups)
    }

    /// All changes of a figure between two variants.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        self.comparisons.iter().flat_map(|comparison| comparison.changes.iter().flatten())
    }

    /// The first variant compared with each other.
    pub fn from_first(&self) -> impl Iterator<Item = &Comparison> {
        self.comparisons.iter().take_while(|comparison| comparison.from == 0)
    }

    /// `variants.csv`, whose columns are the game's figures.
    fn figure_table(&self) -> Table {
        let row = |v: &VariantSummary| Balance {
            variant: v.variant.clone(),
            deals: self.deals,
            hands: v.hands,
            first_seat_controlled: v.controlled.map(|c| c.mean),
            control_saved: v.controlled.map(|c| c.saved),
            first_seat_adjusted: v.adjusted.map(|c| c.mean),
            first_seat_variance_left: v.adjusted.map(|c| 1.0 - c.saved),
        };
        let column = |f: &FigureInfo| Column::estimate(f.name, f.unit, f.meaning);
        let cells =
            |v: &VariantSummary| v.figures.iter().flat_map(|e| spread(&json!(e), 3)).collect();
        Table::of("variants", self.variants.iter().map(row)).with(
            Balance::BEFORE,
            self.figures.iter().map(column).collect(),
            self.variants.iter().map(cells).collect(),
        )
    }
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Answer { question, sentences, .. } = &self.answer;
        let mut parts = json!({ "deals": self.deals, "early": self.early, "question": question, "sentences": sentences });
        for table in self.tables() {
            parts[&table.name] = json!(table.objects());
        }
        parts.serialize(serializer)
    }
}

/// The tables of the runs of a game with these figures, without rows, `hands.csv` included (for two
/// seats); that of the variants depends on the figures.
pub fn blank_tables(figures: &[FigureSpec]) -> Vec<Table> {
    let mut tables = Summary::blank(figures).tables();
    tables.push(Table::empty::<Hand<'_>>("hands", 2));
    tables
}

/// The data dictionary, which stands in `results/README.md`: the tables that all games share, then
/// the others, each with whose it is.
pub fn dictionary(shared: &[Table], others: impl IntoIterator<Item = (String, Table)>) -> String {
    let mut text = String::from(include_str!("dictionary.md"));
    let shared = shared.iter().map(|table| (String::new(), table.clone()));
    for (whose, table) in shared.chain(others) {
        text += &format!("\n## `{}`{whose}\n\n{}", table.file(), table.dictionary());
    }
    text
}
