//! Output of commands: sentences and tables, rendered for a terminal of limited width or as Markdown; and
//! the reports of a run: the answer, pairings, ratings, variants and changes.

use itertools::Itertools;

use crate::rows::{Difference, Family, Matchup, Standing};
use crate::strategies::{elo, equal_players};
use crate::summary::{Comparison, Summary, VariantSummary};
use crate::units::{Unit, show, words};
use parlour_base::names::printable;
use parlour_game::FigureInfo;
use parlour_stats::{Estimate, Verdict, is_significant, number};

/// A table of text. Its first columns are names, the others numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextTable {
    /// Title; may be empty.
    pub title: String,
    /// Number of columns that are names.
    pub names: usize,
    /// Column headers.
    pub heads: Vec<String>,
    /// The rows, one cell per header.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    /// Creates a table without a title.
    pub fn of<R: IntoIterator<Item = String>>(
        names: usize,
        heads: impl IntoIterator<Item: ToString>,
        rows: impl IntoIterator<Item = R>,
    ) -> TextTable {
        let heads = heads.into_iter().map(|head| head.to_string()).collect();
        let rows = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        TextTable { title: String::new(), names, heads, rows }
    }

    /// Sets the title.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> TextTable {
        TextTable { title: title.into(), ..self }
    }

    /// Renders the table with at most `width` characters per line, if the names and one column fit.
    /// Columns that do not fit go into further tables, each with the names.
    pub fn folded(&self, width: usize) -> String {
        let column_width = |column: usize| self.width(column) + 3;
        let base: usize = 1 + (0..self.names).map(column_width).sum::<usize>();
        let (mut tables, mut columns, mut used) = (Vec::new(), Vec::new(), base);
        for column in self.names..self.heads.len() {
            if !columns.is_empty() && used + column_width(column) > width {
                tables.push(std::mem::take(&mut columns));
                used = base;
            }
            columns.push(column);
            used += column_width(column);
        }
        tables.push(columns);
        let names = || 0..self.names;
        tables.into_iter().map(|columns| self.rendered(names().chain(columns), false)).join("\n\n")
    }

    /// The number of characters of the longest cell of a column.
    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| &row[column]).chain([&self.heads[column]]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }

    /// Renders some of the columns: in Markdown, or aligned for the screen.
    fn rendered(&self, columns: impl Iterator<Item = usize> + Clone, is_markdown: bool) -> String {
        let cell = |row: &[String], column: usize| {
            let (text, width) = (&row[column], self.width(column));
            match (is_markdown, column < self.names) {
                (true, _) => text.replace('|', "\\|").replace('\n', " "),
                (false, true) => format!("{text:<width$}"),
                (false, false) => format!("{text:>width$}"),
            }
        };
        let row = |row: &Vec<String>| {
            format!("| {} |", columns.clone().map(|column| cell(row, column)).join(" | "))
        };
        let rule = |column| match (is_markdown, column < self.names) {
            (true, true) => "---".to_owned(),
            (true, false) => "---:".to_owned(),
            (false, _) => "-".repeat(self.width(column) + 2),
        };
        let rule = format!("|{}|", columns.clone().map(rule).join("|"));
        [row(&self.heads), rule].into_iter().chain(self.rows.iter().map(row)).join("\n")
    }
}

/// A part of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Block {
    /// The question that the report answers.
    Question(String),
    /// Sentences, each on its own line.
    Sentences(Vec<String>),
    Table(TextTable),
    /// A title and names with descriptions.
    Definitions(String, Vec<(String, String)>),
}

/// A sequence of sentences and tables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextReport(Vec<Block>);

impl TextReport {
    /// Adds the question that the report answers.
    #[must_use]
    pub fn question(mut self, question: impl Into<String>) -> TextReport {
        self.0.push(Block::Question(question.into()));
        self
    }

    /// Adds a paragraph, unless it is empty.
    #[must_use]
    pub fn paragraph(self, text: impl Into<String>) -> TextReport {
        self.sentences([text.into()])
    }

    /// Adds sentences, each on its own line.
    #[must_use]
    pub fn sentences(mut self, texts: impl IntoIterator<Item = String>) -> TextReport {
        let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        self.0.extend((!texts.is_empty()).then_some(Block::Sentences(texts)));
        self
    }

    /// Adds a table, unless it has no rows.
    #[must_use]
    pub fn table(mut self, table: TextTable) -> TextReport {
        self.0.extend((!table.rows.is_empty()).then_some(Block::Table(table)));
        self
    }

    /// Adds names with descriptions under a title.
    #[must_use]
    pub fn definitions(mut self, title: &str, names: Vec<(String, String)>) -> TextReport {
        self.0.extend((!names.is_empty()).then(|| Block::Definitions(title.to_owned(), names)));
        self
    }

    /// Appends another report.
    #[must_use]
    pub fn then(mut self, other: TextReport) -> TextReport {
        self.0.extend(other.0);
        self
    }

    /// Returns the tables in their order.
    pub(super) fn tables(&self) -> impl Iterator<Item = &TextTable> {
        self.0.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// Renders the report with at most `width` characters per line, if a table's names and one column
    /// fit.
    pub fn on_screen(&self, width: usize) -> String {
        let block = |block: &Block| match block {
            Block::Question(text) => wrapped(text, width),
            Block::Sentences(texts) => texts.iter().map(|text| wrapped(text, width)).join("\n"),
            Block::Table(table) if table.title.is_empty() => table.folded(width),
            Block::Table(table) => {
                format!("{}\n{}", wrapped(&table.title, width), table.folded(width))
            }
            Block::Definitions(title, names) => definitions(title, names, width),
        };
        // Texts of an experiment could contain terminal control sequences.
        printable(&self.0.iter().map(block).join("\n\n"))
    }

    /// Renders the report as Markdown.
    pub fn to_markdown(&self) -> String {
        let plain = |text: &String| text.replace('\n', " ");
        let titled = |title: &str, table: &TextTable| {
            let head = if title.is_empty() { String::new() } else { format!("## {title}\n\n") };
            head + &table.rendered(0..table.heads.len(), true)
        };
        let block = |block: &Block| match block {
            Block::Question(text) => format!("# {}", plain(text)),
            Block::Sentences(texts) if texts.len() == 1 => plain(&texts[0]),
            Block::Sentences(texts) => texts.iter().map(|it| format!("- {}", plain(it))).join("\n"),
            Block::Table(table) => titled(&table.title, table),
            Block::Definitions(title, names) => {
                let rows = names.iter().map(|(name, text)| [format!("`{name}`"), text.clone()]);
                let table = TextTable::of(2, ["name", "about"], rows);
                titled(title, &table)
            }
        };
        self.0.iter().map(block).join("\n\n") + "\n"
    }
}

/// Renders names with descriptions in a second column.
fn definitions(title: &str, names: &[(String, String)], width: usize) -> String {
    let longest = names.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let indent = longest + 4;
    let line = |(name, text): &(String, String)| {
        let text = wrapped(text, width.saturating_sub(indent).max(24));
        let text = text.replace('\n', &format!("\n{:indent$}", ""));
        format!("  {name:longest$}  {text}")
    };
    std::iter::once(title.to_owned()).chain(names.iter().map(line)).join("\n")
}

/// Breaks a text into lines of at most `width` characters, between words.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    // A percent sign stays on the line of its number.
    for word in text.replace(" %", "\u{a0}%").split(' ') {
        let fits = |line: &&mut String| line.chars().count() + 1 + word.chars().count() <= width;
        match lines.last_mut().filter(fits) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n").replace('\u{a0}', " ")
}

/// Formats a number with some decimals, or a dash.
fn decimals(x: Option<f64>, decimals: usize) -> String {
    x.map_or_else(|| "–".to_owned(), |x| format!("{x:.decimals$}"))
}

/// Formats a share in whole percent, or a dash.
fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.0} %", 100.0 * share))
}

/// Formats a p-value, or a dash.
fn p_text(p: Option<f64>) -> String {
    if p.is_some_and(|p| p < 0.0001) { "< 0.0001".to_owned() } else { decimals(p, 4) }
}

/// The question and its answer.
pub fn answer_report(summary: &Summary) -> TextReport {
    let answer = &summary.answer;
    let report = TextReport::default().question(&answer.question).paragraph(answer.text());
    report.table(verdict_table(summary))
}

/// The variants with verdicts, if the question compares them.
pub(super) fn verdict_table(summary: &Summary) -> TextTable {
    let Some((heads, rows)) = summary.answer.table.split_first() else {
        return TextTable::default();
    };
    let table = TextTable::of(1, heads, rows.iter().cloned());
    table.titled(format!(
        "Compared with {} on the same deals (unclear: not significant at 5 %)",
        rows[0][0]
    ))
}

/// The report of a run: the answer, scores or cross tables, the variants, and what the rules
/// of the question change; with `all`, all figures and pairs of variants.
pub fn run_report(summary: &Summary, all: bool) -> TextReport {
    let over = if summary.has_several_pairings() { ", over all pairings" } else { "" };
    let early = if summary.early { " The run ended early because of `until`." } else { "" };
    let sampled = summary.analyzed_deals().map_or(String::new(), |sampled| {
        format!(" Decision figures use {sampled} of these deals.")
    });
    let tables = summary.variants.iter().filter_map(cross_table).collect_vec();
    let report = match tables.is_empty() {
        true => answer_report(summary).then(score_report(summary)),
        false => tables.into_iter().fold(answer_report(summary), TextReport::table),
    };
    report
        .sentences(level_sentences(summary))
        .table(variant_table(summary).titled(format!("Variants{over}")))
        .then(difference_report(summary, all))
        .paragraph(luck_sentence(summary))
        .paragraph(format!(
            "± is half a 95 % interval, from the variance between {} deals.{sampled}{early}",
            summary.deals
        ))
        .paragraph(if summary.is_adjusted() { include_str!("notes/adjusted.txt") } else { "" })
        .paragraph(summary.tuning_warning.clone().unwrap_or_default())
}

/// The pairings of two players, or the scores in line-ups; empty for a single strategy.
pub(super) fn score_report(summary: &Summary) -> TextReport {
    // Against itself a strategy scores exactly one half.
    let is_true_pairing = |row: &&Matchup| row.pair.is_some_and(|(a, b)| a != b);
    let rows = summary.matchups().filter(is_true_pairing).collect_vec();
    if !rows.is_empty() {
        let table = pairing_table(&rows, summary.variants.len() > 1, false).titled("Pairings");
        return TextReport::default().table(table).paragraph(include_str!("notes/los.txt"));
    }
    let row = |row: &Standing| {
        let score = Unit::SHARE.cell(row.score);
        [row.variant.clone(), row.strategy.clone(), rating(row), score]
    };
    let rows = summary.variants.iter().flat_map(|variant| &variant.standings).map(row);
    let heads = ["variant", "strategy", "rating (Elo)", "score"];
    TextReport::default().table(TextTable::of(2, heads, rows).titled("Ratings"))
}

/// A table of pairings, with their variants and with details if wanted.
pub(super) fn pairing_table(rows: &[&Matchup], with_variants: bool, details: bool) -> TextTable {
    // The winner first; a sequential test is about the strategy that was named first.
    let is_behind = |row: &Matchup| {
        row.sprt_llr.is_none() && row.pair.is_some() && row.score.is_some_and(|e| e.value < 0.5)
    };
    let rows = rows.iter().map(|&row| row.clone());
    let rows: Vec<Matchup> =
        rows.map(|row| if is_behind(&row) { row.swapped() } else { row }).collect();
    let is_adjusted = rows.iter().any(|row| row.score_luck_adjusted.is_some());
    let is_tested = rows.iter().any(|row| row.sprt_llr.is_some());
    type Cell = fn(&Matchup) -> String;
    // Each column with its condition.
    let columns: [(&str, bool, Cell); 15] = [
        ("variant", with_variants, |row| row.variant.clone()),
        ("strategy", true, |row| row.strategy.clone()),
        ("opponent", true, |row| row.opponent.clone()),
        ("score", true, |row| Unit::SHARE.cell(row.sprt_score.or(row.score))),
        ("luck-adjusted", is_adjusted, |row| Unit::SHARE.cell(row.score_luck_adjusted)),
        ("remaining variance", is_adjusted, |row| percent(row.remaining_variance)),
        ("Elo", true, |row| elo_text(row.sprt_score.or(row.score))),
        ("margin", details, |row| show(row.margin)),
        ("won-drawn-lost", true, |row| format!("{}-{}-{}", row.wins, row.draws, row.losses)),
        ("LOS", true, likelihood_of_superiority),
        ("p", details, |row| p_text(row.p_value)),
        ("p, corrected", details, |row| p_text(row.p_adjusted_family)),
        ("variance ratio", details, |row| decimals(row.variance_ratio, 2)),
        ("LLR", is_tested, |row| decimals(row.sprt_llr, 2)),
        ("sequential test", is_tested && details, |row| match row.sprt_verdict {
            Some(Verdict::Upper) => "at least elo1".to_owned(),
            Some(Verdict::Lower) => "at most elo0".to_owned(),
            Some(Verdict::Undecided) => "undecided".to_owned(),
            None => "–".to_owned(),
        }),
    ];
    let columns = || columns.iter().filter(|(_, is_shown, _)| *is_shown);
    let cells = |row: &Matchup| columns().map(|(_, _, cell)| cell(row)).collect::<Vec<_>>();
    let heads = columns().map(|(head, _, _)| *head);
    TextTable::of(2 + usize::from(with_variants), heads, rows.iter().map(cells))
}

/// Formats a score in Elo. A certain win or loss has only a bound.
fn elo_text(score: Option<Estimate>) -> String {
    let text = || {
        let score = score?;
        if let Some(found) = elo(score).filter(|e| e.interval.is_some()) {
            return Some(found.to_string());
        }
        let (low, high) = score.interval?;
        let (sign, bound) = if score.value > 0.5 { (">", low) } else { ("<", high) };
        Some(format!("{sign} {}", number(elo(Estimate::bare(bound))?.value, 0)))
    };
    text().map_or_else(|| "–".to_owned(), |text| text.replace('-', "−"))
}

/// The likelihood of superiority, from the p-value of equal strength.
fn likelihood_of_superiority(row: &Matchup) -> String {
    let Some((p, score)) = row.p_value.zip(row.score) else { return "–".to_owned() };
    let share = if score.value >= 0.5 { 1.0 - p / 2.0 } else { p / 2.0 };
    match 100.0 * share {
        x if x > 99.9 => "> 99.9 %".to_owned(),
        x if x < 0.1 => "< 0.1 %".to_owned(),
        x => format!("{x:.1} %"),
    }
}

/// The players of a variant by rank, with their scores against all who met everyone: all players of a
/// Writes a rating. Without an interval, the prior alone decides it: the strategy won or lost all.
fn rating(row: &Standing) -> String {
    show(row.rating).replace("no interval", "by the prior")
}

/// round-robin, the champion of a gauntlet. `None` for fewer than 3 players, or without pairings.
pub(super) fn cross_table(variant: &VariantSummary) -> Option<TextTable> {
    let players = &variant.standings;
    if players.len() < 3 || variant.seats != 2 {
        return None;
    }
    let met_all = |b: &&Standing| {
        players.iter().all(|a| a.number == b.number || variant.scores[a.number][b.number].is_some())
    };
    let columns: Vec<&Standing> = players.iter().filter(met_all).collect();
    // With fewer deals, a tenth of a percent is less than the error.
    let digits = usize::from(variant.matchups.iter().any(|row| row.deals >= 10_000));
    let against = |a: &Standing, b: &Standing| match variant.scores[a.number][b.number] {
        _ if a.number == b.number => "·".to_owned(),
        None => "–".to_owned(),
        Some(score) => {
            let mut rows = variant.matchups.iter();
            let row = rows.find(|row| row.is_between(a.number, b.number));
            let is_clear = row.is_some_and(|row| is_significant(row.p_adjusted_family));
            format!("{}{:.digits$}", if is_clear { "" } else { "≈" }, 100.0 * score.value)
        }
    };
    let row = |player: &Standing| {
        let score = decimals(player.score.map(|score| 100.0 * score.value), 1);
        let name = format!("{}. {}", player.rank, player.strategy);
        let start = [name, rating(player), score, player.matches.to_string()];
        let others = columns.iter().map(|other| against(player, other));
        start.into_iter().chain(others).collect::<Vec<_>>()
    };
    let heads = ["player", "Elo", "score", "matches"].map(str::to_owned);
    let heads = heads.into_iter().chain(columns.iter().map(|player| player.rank.to_string()));
    let title = format!(
        "Cross table under {}: scores in %, on the right against the player of that rank (≈: not significant)",
        variant.variant
    );
    Some(TextTable::of(1, heads, players.iter().map(row)).titled(title))
}

/// The levels of strength of each variant whose three or more strategies all met, and their definition.
pub(super) fn level_sentences(summary: &Summary) -> Vec<String> {
    let has_met_all = |v: &&VariantSummary| {
        let missing = v.scores.iter().flatten().filter(|score| score.is_none()).count();
        v.levels.len() > 1 && v.standings.len() > 2 && missing <= v.standings.len()
    };
    let line = |v: &VariantSummary| {
        format!("Levels under {}: {} ({}).", v.variant, v.levels.len(), v.levels.join(" > "))
    };
    let levels: Vec<String> = summary.variants.iter().filter(has_met_all).map(line).collect();
    let definition = "A player of each level scores at least 60 % against one of the next level.";
    let definition = (!levels.is_empty()).then(|| definition.to_owned());
    levels.into_iter().chain(definition).collect()
}

/// The headline figures of each variant, and what luck leaves of the first seat's variance.
pub(super) fn variant_table(summary: &Summary) -> TextTable {
    let heads = summary.headlines().map(|figure| words(summary.figures[figure].name));
    let heads = std::iter::once("variant".to_owned()).chain(heads);
    let more = summary.is_adjusted().then(|| "remaining variance".to_owned());
    let row = |row: &VariantSummary| {
        let unit = |figure: usize| Unit::parse(summary.figures[figure].unit);
        let figures = summary.headlines().map(|n| row.format(n, |figure| unit(n).cell(figure)));
        let more = summary.is_adjusted().then(|| percent(row.remaining_variance));
        std::iter::once(row.variant.clone()).chain(figures).chain(more).collect::<Vec<_>>()
    };
    TextTable::of(1, heads.chain(more), summary.variants.iter().map(row))
}

/// The share of luck between two equally good players, from the strongest neighbours of each variant.
pub(super) fn luck_sentence(summary: &Summary) -> String {
    let one = |variant: &VariantSummary| {
        let row = equal_players(&summary.ladder, &variant.variant)?;
        let (luck, players) = (Unit::SHARE.cell(row.luck_share_equal), [&row.strategy, &row.below]);
        Some(format!("{luck} under {} (from {} and {})", variant.variant, players[0], players[1]))
    };
    match summary.variants.iter().filter_map(one).join(", ") {
        none if none.is_empty() => none,
        each => format!("Luck of the deal between equal good players: {each}."),
    }
}

/// The changes of headline figures between the first two pairs of variants that the question is about;
/// with `all`, of all figures from the first variant to each other one.
pub(super) fn difference_report(summary: &Summary, all: bool) -> TextReport {
    let is_shown = |row: &&Difference| {
        let is_headline = |head: &FigureInfo| head.headline && head.name == row.figure;
        let is_short = row.family == Family::Question || summary.figures.iter().any(is_headline);
        (all || is_short) && !summary.is_answered_apart(row.figure)
    };
    // The table of variants has the headlines.
    let columns = if all { 4 } else { 3 };
    let row = |row: &Difference| {
        let (unit, change) = (Unit::parse(row.unit), row.difference);
        let star = if row.family == Family::Question { "* " } else { "" };
        let cells = [
            format!("{star}{}", words(row.figure)),
            unit.change_cell(Some(change)),
            row.conclusion.text().to_owned(),
            unit.step(row.value_a, row.value_b, change),
        ];
        cells.into_iter().take(columns)
    };
    let table = |comparison: &Comparison| {
        let [a, b] = [comparison.from, comparison.to].map(|v| &summary.variants[v].variant);
        let rows = comparison.changes.iter().flatten().filter(is_shown).map(row);
        let values = format!("{a} → {b}");
        let heads = ["figure", "change", "conclusion", &values].into_iter().take(columns);
        let table = TextTable::of(1, heads, rows);
        table.titled(format!("From {a} to {b}, on the same deals"))
    };
    let shown: Vec<&Comparison> = match all {
        true => summary.from_first().collect(),
        false => summary.of_question().into_iter().take(2).collect(),
    };
    let note = if shown.is_empty() { "" } else { include_str!("notes/verdicts.txt") };
    let more = match summary.comparisons.is_empty() || all {
        true => "",
        false => "All figures: `--all`, or differences.csv.",
    };
    let tables = shown.into_iter().map(table);
    tables.fold(TextReport::default(), TextReport::table).paragraph(format!("{note} {more}").trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_do_not_fit_go_into_a_second_table() {
        let table = TextTable::of(
            1,
            ["name", "one", "two", "three"],
            [["a", "1", "22222222", "3"].map(str::to_owned)],
        );
        let whole = table.folded(80);
        assert_eq!(whole.lines().count(), 3);
        let narrow = table.folded(27);
        assert!(narrow.lines().all(|line| line.chars().count() <= 27), "{narrow}");
        assert_eq!(narrow.matches("name").count(), 2);
        for text in ["22222222", "three"] {
            assert!(narrow.contains(text), "{narrow}");
        }
    }

    #[test]
    fn lines_break_between_words_and_not_before_a_percent_sign() {
        assert_eq!(wrapped("aa bb 50 % cc", 8), "aa bb\n50 % cc");
        assert_eq!(wrapped("50 % of it", 3), "50 %\nof\nit");
    }

    #[test]
    fn a_report_renders_for_the_screen_and_as_markdown() {
        let rows = [["a|b", "1"], ["c", "22"]].map(|row| row.map(str::to_owned));
        let names = vec![("one".to_owned(), "a description of some length".to_owned())];
        let report = TextReport::default()
            .question("Is it so?")
            .paragraph("It is.")
            .table(TextTable::of(1, ["name", "n"], rows).titled("Rows"))
            .table(TextTable::of(1, ["none"], Vec::<[String; 1]>::new()).titled("Empty"))
            .sentences(["One.".to_owned(), "Two.".to_owned()])
            .definitions("Names", names);
        insta::assert_snapshot!(report.on_screen(30), @r"
        Is it so?

        It is.

        Rows
        | name |  n |
        |------|----|
        | a|b  |  1 |
        | c    | 22 |

        One.
        Two.

        Names
          one  a description of some
               length
        ");
        insta::assert_snapshot!(report.to_markdown(), @r"
        # Is it so?

        It is.

        ## Rows

        | name | n |
        |---|---:|
        | a\|b | 1 |
        | c | 22 |

        - One.
        - Two.

        ## Names

        | name | about |
        |---|---|
        | `one` | a description of some length |
        ");
    }
}
