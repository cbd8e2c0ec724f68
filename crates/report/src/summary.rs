//! The numbers of a run: a tree of variants, and the changes between any two of them.

use std::num::NonZeroU32;

use maud::Markup;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::figures::{Distribution, FIRST_SEAT, all_heads};
use super::rows::{
    Confirmation, Difference, Finding, LadderRow, Matchup, PopulationRow, Standing, VariantRow,
};
use super::swept::SweptFields;
use super::table::{Column, Table, spread};
use parlour_arena::HandRow;
use parlour_game::{FigureInfo, FigureSpec, ForcedByRules};
use parlour_stats::Estimate;

/// The number of columns of [`VariantRow`] before the figures.
const BEFORE_FIGURES: usize = 3;

/// All numbers of a run.
///
/// It serializes as its [tables](Summary::tables): arrays of rows whose keys are the CSV columns.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Number of deals played.
    pub deals: u64,
    /// `true` if `until` ended the run before its last deal.
    pub early: bool,
    /// Decisions are analyzed in one deal out of this many.
    pub sample_decisions_every: Option<NonZeroU32>,
    /// Fields that a sweep changes.
    pub swept: SweptFields,
    /// A warning that strategies were tuned under other rules than a sweep plays.
    pub tuning_warning: Option<String>,
    /// The answer to the run's question.
    pub answer: Answer,
    /// Neighbours by rating, variant by variant.
    pub ladder: Vec<LadderRow>,
    /// Descriptions of the figures of each variant.
    pub figures: Vec<FigureInfo>,
    /// Names of figures that were not measured because the program that played did not know them.
    pub missing: Vec<&'static str>,
    /// Names of figures that were not requested.
    pub not_requested: Vec<&'static str>,
    /// The variants.
    pub variants: Vec<VariantSummary>,
    /// Every pair of variants: the first with each later one, then the second, and so on.
    pub comparisons: Vec<Comparison>,
}

/// All numbers of a variant.
#[derive(Clone, Debug)]
pub struct VariantSummary {
    /// Name of the variant.
    pub variant: String,
    /// Number of seats.
    pub seats: usize,
    /// Hands at all tables.
    pub hands: u64,
    /// The figures; `None` if nothing of the kind happened.
    pub figures: Vec<Option<Estimate>>,
    /// For each figure the value that the rules force, if any.
    pub forced: Vec<Option<ForcedByRules>>,
    /// The share of the variance of the first seat's score that luck leaves, if it is judged.
    pub remaining_variance: Option<f64>,
    /// The strategies, best first.
    pub standings: Vec<Standing>,
    /// The pairings, or places in line-ups.
    pub matchups: Vec<Matchup>,
    /// Score of each strategy of the plan against each other one at tables of two.
    pub scores: Vec<Vec<Option<Estimate>>>,
    /// All strategies, if some beat one another in a cycle.
    pub population: Vec<PopulationRow>,
    /// The best strategy on fresh deals, if the experiment asks for it.
    pub confirmed: Vec<Confirmation>,
    /// The strategies of each level of strength, best first: some strategy of a level scores at least
    /// 60 % against one of the next, and significantly more than half.
    pub levels: Vec<String>,
    /// Charts, the same in every variant.
    pub distributions: Vec<Distribution>,
}

/// The changes of figures from one variant to another on the same deals.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Index of the first variant.
    pub from: usize,
    /// Index of the second variant.
    pub to: usize,
    /// The change of each figure; `None` if one of the variants lacks it.
    pub changes: Vec<Option<Difference>>,
}

/// The answer of a run to its question.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The experiment's question, or a generated one.
    pub question: String,
    /// The answer in sentences, the short answer first.
    pub sentences: Vec<String>,
    /// The hands lost by failures of bots; the last of the sentences.
    pub failures: Option<String>,
    /// The comparisons.
    pub findings: Vec<Finding>,
    /// The chart of the answer, in HTML.
    pub chart: Markup,
    /// The variants with verdicts, if the question compares them: heads, then a row for each.
    pub table: Vec<Vec<String>>,
}

impl Answer {
    /// Returns all sentences as one text.
    pub fn text(&self) -> String {
        self.sentences.join(" ")
    }
}

impl Comparison {
    /// The change of the first seat's score.
    pub fn first_seat(&self) -> Option<&Difference> {
        self.changes[FIRST_SEAT].as_ref()
    }
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

    /// Formats a figure; a value that the rules force is replaced by words.
    pub fn format(&self, figure: usize, format: impl FnOnce(Option<Estimate>) -> String) -> String {
        match self.forced[figure] {
            Some(forced) => forced.words().to_owned(),
            None => format(self.figures[figure]),
        }
    }
}

impl Summary {
    /// Returns a summary without variants: the columns of the tables of a game with these figures.
    pub fn blank(figures: &[FigureSpec]) -> Summary {
        Summary { figures: all_heads(figures).collect(), ..Summary::default() }
    }

    /// Returns the tables of every run, in the order of their files.
    pub fn tables(&self) -> Vec<Table> {
        let all = || self.variants.iter();
        let tables = [
            Table::of::<&Finding>("answer", &self.answer.findings),
            Table::of::<&LadderRow>("ladder", &self.ladder),
            self.swept.to_variants(Table::of("matchups", self.matchups())),
            self.swept.to_strategies(Table::of("strategies", all().flat_map(|v| &v.standings))),
            self.swept.to_variants(self.variant_table()),
            Table::of::<&Difference>("differences", self.differences()),
            Table::of("populations", all().flat_map(|v| &v.population)),
            Table::of("confirmed", all().flat_map(|v| &v.confirmed)),
        ];
        tables.map(|table| self.swept.with_names(table)).into()
    }

    /// Returns the JSON Schema of a summary of a game with these figures.
    pub fn schema(game: &str, figures: &[FigureSpec]) -> Value {
        let mut properties = json!({
            "deals": { "type": "integer", "description": "Deals played." },
            "early": { "type": "boolean", "description": "`true` if `until` ended the run." },
            "question": { "type": "string", "description": "The question of the run." },
            "sentences": { "type": "array", "description": "The answer in sentences.", "items": { "type": "string" } },
        });
        for table in Summary::blank(figures).tables() {
            properties[&table.name] = table.schema();
        }
        json!({ "type": "object", "title": game, "properties": properties })
    }

    /// Returns `true` if a figure is measured by default or was requested.
    pub fn is_requested(&self, figure: usize) -> bool {
        !self.not_requested.contains(&self.figures[figure].name)
    }

    /// Indices of the figures in short tables.
    pub fn headlines(&self) -> impl Iterator<Item = usize> {
        (0..self.figures.len())
            .filter(|&figure| self.figures[figure].headline && self.is_requested(figure))
    }

    /// Number of deals whose decisions were analyzed, if requested.
    pub fn analyzed_deals(&self) -> Option<u64> {
        self.sample_decisions_every.map(|every| self.deals.div_ceil(every.get().into()))
    }

    /// All pairings of all variants.
    pub fn matchups(&self) -> impl Iterator<Item = &Matchup> {
        self.variants.iter().flat_map(|variant| &variant.matchups)
    }

    /// All pairings, to be changed.
    pub(super) fn matchups_mut(&mut self) -> impl Iterator<Item = &mut Matchup> {
        self.variants.iter_mut().flat_map(|variant| &mut variant.matchups)
    }

    /// All changes of a figure, to be changed.
    pub(super) fn differences_mut(&mut self) -> impl Iterator<Item = &mut Difference> {
        self.comparisons.iter_mut().flat_map(|comparison| comparison.changes.iter_mut().flatten())
    }

    /// All changes of a figure between two variants.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        self.comparisons.iter().flat_map(|comparison| comparison.changes.iter().flatten())
    }

    /// The change of a figure from one variant to another, in either order.
    pub(super) fn change(&self, from: usize, to: usize, figure: usize) -> Option<Difference> {
        let ends = (from.min(to), from.max(to));
        let pair = self.comparisons.iter().find(|pair| (pair.from, pair.to) == ends)?;
        let mut row = pair.changes[figure].clone()?;
        if to < from {
            row.difference = row.difference.scaled(-1.0);
            row.conclusion = row.conclusion.reversed();
        }
        Some(row)
    }

    /// Returns `true` if scores are adjusted for luck.
    pub(super) fn is_adjusted(&self) -> bool {
        self.variants.iter().any(|v| v.remaining_variance.is_some())
    }

    /// Returns `true` if several pairings or line-ups were played under a variant.
    pub(super) fn has_several_pairings(&self) -> bool {
        self.variants.iter().any(|v| v.matchups.iter().filter(|row| row.pair.is_some()).count() > 1)
    }

    /// Returns `true` if the answer has this figure of selected players, and the tables that of all.
    pub(super) fn is_answered_apart(&self, figure: &str) -> bool {
        let is_apart = |f: &Finding| !f.is_row && f.variant.is_empty() && f.figure == figure;
        self.answer.findings.iter().any(is_apart)
    }

    /// The comparisons of variants that the question is about; none for a trend.
    pub(super) fn of_question(&self) -> Vec<&Comparison> {
        let is = |f: &Finding, a: usize, b: usize| {
            f.reference == self.variants[a].variant && f.subject == self.variants[b].variant
        };
        let is_of_question = |c: &&Comparison| {
            self.answer.findings.iter().any(|f| is(f, c.from, c.to) || is(f, c.to, c.from))
        };
        self.comparisons.iter().filter(is_of_question).collect()
    }

    /// The comparisons of the first variant with each other one.
    pub fn from_first(&self) -> impl Iterator<Item = &Comparison> {
        self.comparisons.iter().take_while(|comparison| comparison.from == 0)
    }

    /// The table `variants.csv`, whose columns include the game's figures.
    fn variant_table(&self) -> Table {
        let row = |v: &VariantSummary| VariantRow {
            variant: v.variant.clone(),
            deals: self.deals,
            hands: v.hands,
            first_seat_remaining_variance: v.remaining_variance,
        };
        let column = |f: &FigureInfo| Column::estimate(f.name, f.unit, f.meaning);
        let cells =
            |v: &VariantSummary| v.figures.iter().flat_map(|e| spread(&json!(e), 3)).collect();
        Table::of("variants", self.variants.iter().map(row)).with_columns(
            BEFORE_FIGURES,
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

/// Returns the tables of a run of a game with these figures, without rows, including `hands.csv` for
/// two seats.
pub fn blank_tables(figures: &[FigureSpec]) -> Vec<Table> {
    let mut tables = Summary::blank(figures).tables();
    tables.push(Table::empty::<HandRow<'_>>("hands", 2));
    tables
}

/// Returns the data dictionary: tables that all games share, then the others, each with a suffix that
/// names its owner.
pub fn dictionary(shared: &[Table], others: impl IntoIterator<Item = (String, Table)>) -> String {
    let mut text = String::from(include_str!("dictionary.md"));
    let shared = shared.iter().map(|table| (String::new(), table.clone()));
    for (owner, table) in shared.chain(others) {
        text += &format!("\n## `{}`{owner}\n\n{}", table.file(), table.dictionary());
    }
    text
}
