//! What people are shown of a run beside its page: the answer and a few tables.

use super::families::QUESTION;
use super::ladder::{elo, equals};
use super::{
    Answer, Comparison, Difference, Grid, Matchup, Sheet, Standing, Summary, VariantSummary,
};
use crate::stats::{Estimate, number};

/// So many pairings are printed; of more, those that the question asks for.
const PAIRINGS: usize = 30;

fn show(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "–".to_owned(), |e| e.to_string())
}

/// The part of a variance that is left.
fn left(part: Option<f64>) -> String {
    part.map_or_else(|| "–".to_owned(), |part| format!("{part:.2}"))
}

/// The question and its answer.
pub fn answer_sheet(summary: &Summary) -> Sheet {
    let Answer { question, .. } = &summary.answer;
    Sheet::default().asking(question).saying(summary.answer.text())
}

/// The answer, then who met whom, how strong the strategies are and what the variants are like.
pub fn run_sheet(summary: &Summary) -> Sheet {
    answer_sheet(summary)
        .then(pairing_sheet(summary))
        .then(rating_sheet(summary))
        .then(variant_sheet(summary))
        .then(luck_sheet(summary))
        .saying(summary.untuned.clone().unwrap_or_default())
}

/// Every pairing with its score, the same in Elo, and how likely it is that the first is the
/// stronger; empty where more than two sit at a table, or nobody met another.
pub fn pairing_sheet(summary: &Summary) -> Sheet {
    // Against itself a strategy scores exactly one half.
    let told = |row: &&Matchup| row.pair.is_some_and(|(a, b)| a != b);
    let all: Vec<&Matchup> = summary.matchups().filter(told).collect();
    let asked = |row: &&&Matchup| all.len() <= PAIRINGS || row.family == QUESTION;
    let rows: Vec<&Matchup> = all.iter().filter(asked).copied().collect();
    let several = summary.variants.len() > 1;
    let tested = rows.iter().any(|row| row.sprt_llr.is_some());
    let names = ["variant", "strategy", "opponent"].into_iter().skip(usize::from(!several));
    let adjusted = rows.iter().any(|row| row.score_adjusted.is_some());
    let numbers =
        ["score", "luck-adjusted", "variance left", "Elo", "won-drawn-lost", "LOS", "LLR"];
    let shown = [true, adjusted, adjusted, true, true, true, tested];
    let numbers = numbers.into_iter().zip(shown).filter_map(|(head, shown)| shown.then_some(head));
    let heads = names.chain(numbers);
    let cells = |row: &&Matchup| {
        let score = row.sprt_score.or(row.score);
        let mut cells = vec![row.strategy.clone(), row.opponent.clone()];
        if several {
            cells.insert(0, row.variant.clone());
        }
        cells.push(show(score));
        if adjusted {
            cells.push(show(row.score_adjusted));
            cells.push(left(row.variance_left));
        }
        cells.push(elo_text(score));
        cells.push(format!("{}-{}-{}", row.wins, row.draws, row.losses));
        cells.push(superiority(row));
        if tested {
            cells.push(row.sprt_llr.map_or("–".to_owned(), |llr| format!("{llr:.2}")));
        }
        cells
    };
    let more = if rows.len() < all.len() {
        format!("matchups.csv has all {} pairings.", all.len())
    } else {
        String::new()
    };
    let grid = Grid::of(2 + usize::from(several), heads, rows.iter().map(cells));
    Sheet::default().showing(grid.under("Pairings")).saying(more)
}

/// A score in Elo; beyond a sure win there is only a bound.
fn elo_text(score: Option<Estimate>) -> String {
    let Some(score) = score else { return "–".to_owned() };
    if let Some(found) = elo(score).filter(|e| e.interval.is_some()) {
        return found.to_string();
    }
    let bound = |s: f64| elo(Estimate::bare(s)).map(|e| number(e.value, 0));
    match score.interval {
        Some((low, _)) if score.value > 0.5 => {
            bound(low).map_or("–".into(), |b| format!("> {b}"))
        }
        Some((_, high)) => bound(high).map_or("–".into(), |b| format!("< {b}")),
        None => "–".to_owned(),
    }
}

/// The likelihood of superiority, by the p-value of equal strength.
fn superiority(row: &Matchup) -> String {
    let Some((p, score)) = row.p.zip(row.score) else { return "–".to_owned() };
    let share = if score.value >= 0.5 { 1.0 - p / 2.0 } else { p / 2.0 };
    match 100.0 * share {
        x if x > 99.9 => "> 99.9 %".to_owned(),
        x if x < 0.1 => "< 0.1 %".to_owned(),
        x => format!("{x:.1} %"),
    }
}

/// How the strategies stand, variant by variant; empty where one has nobody to be compared with.
pub fn rating_sheet(summary: &Summary) -> Sheet {
    let row = |row: &Standing| {
        let rung = summary.ladder.iter();
        let mut rung = rung.filter(|r| r.variant == row.variant && r.strategy == row.strategy);
        vec![
            if row.rank == 1 { row.variant.clone() } else { String::new() },
            row.strategy.clone(),
            show(row.rating),
            match summary.ladder.is_empty() {
                true => show(row.score),
                false => rung.next().map_or(String::new(), |rung| show(rung.score)),
            },
        ]
    };
    let rows = summary.variants.iter().flat_map(|variant| &variant.standings).map(row);
    // Against all others together a score depends on who they are.
    let score = if summary.ladder.is_empty() { "score" } else { "against the next" };
    let heads = ["variant", "strategy", "rating (Elo)", score];
    let levels = summary.variants.iter().filter(|v| v.levels.len() > 1 && v.standings.len() > 2);
    let line = |v: &VariantSummary| {
        let (count, names) = (v.levels.len(), v.levels.join(" > "));
        format!("Levels under {}: {count} ({names}).", v.variant)
    };
    let mut levels: Vec<String> = levels.map(line).collect();
    if !levels.is_empty() {
        levels.push("A level scores at least 60 % against the next.".to_owned());
    }
    Sheet::default().showing(Grid::of(2, heads, rows).under("Ratings")).listing(levels)
}

/// The most telling figures of each variant; `variants.csv` has them all.
pub fn variant_sheet(summary: &Summary) -> Sheet {
    let heads = summary.headlines().map(|figure| summary.figures[figure].name.replace('_', " "));
    let row = |row: &VariantSummary| {
        let figures = summary.headlines().map(|figure| row.shown(figure, show));
        std::iter::once(row.variant.clone()).chain(figures).collect::<Vec<_>>()
    };
    let mut grid = Grid::of(
        1,
        std::iter::once("variant".to_owned()).chain(heads),
        summary.variants.iter().map(row),
    );
    if summary.variants.iter().any(|variant| variant.adjusted.is_some()) {
        grid.heads.extend(["first seat, luck-adjusted", "variance left"].map(str::to_owned));
        for (row, variant) in grid.rows.iter_mut().zip(&summary.variants) {
            row.push(show(variant.adjusted.map(|found| found.mean)));
            row.push(left(variant.adjusted.map(|found| 1.0 - found.saved)));
        }
    }
    Sheet::default().showing(grid.under("Variants"))
}

/// How much of a result the deal decides between two equal good players, and between two that are 100
/// Elo apart, judged by the strongest neighbours of each variant.
pub fn luck_sheet(summary: &Summary) -> Sheet {
    let row = |variant: &VariantSummary| {
        let rung = equals(&summary.ladder, &variant.variant)?;
        let percent = |e: Option<Estimate>| show(e.map(|e| e.scaled(100.0)));
        Some([
            variant.variant.clone(),
            format!("{}, {}", rung.strategy, rung.below),
            percent(rung.luck_share_equal),
            percent(rung.luck_share_100),
        ])
    };
    let heads = ["variant", "judged by", "equal players", "100 Elo apart"];
    let grid = Grid::of(2, heads, summary.variants.iter().filter_map(row));
    Sheet::default()
        .showing(grid.under("Luck: what the deal decides of a result, in % of its variance"))
}

/// How each figure changes from the first variant to each other, on the same deals, in a table for
/// each two: higher or lower where it is significant after the correction within its family.
pub fn difference_sheet(summary: &Summary) -> Sheet {
    let row = |row: &Difference| {
        let decimals = row.difference.decimals();
        let asked = if row.family == QUESTION { "* " } else { "" };
        [
            format!("{asked}{}", row.figure.replace('_', " ")),
            row.difference.to_string(),
            row.call.words().to_owned(),
            format!("{} → {}", number(row.a, decimals), number(row.b, decimals)),
        ]
    };
    let grid = |comparison: &Comparison| {
        let [a, b] = [comparison.from, comparison.to].map(|v| &summary.variants[v].variant);
        let rows = comparison.changes.iter().flatten().map(row);
        let values = format!("{a} → {b}");
        let grid = Grid::of(1, ["figure", "change", "verdict", &values], rows);
        grid.under(format!("From {a} to {b}, on the same deals"))
    };
    let tables = summary.from_first().map(grid);
    let note = "Higher or lower: significant at 5 % after Holm's correction; what the question asks \
                for (*) and the other changes (exploratory) are each corrected for their own number.";
    tables.fold(Sheet::default(), Sheet::showing).saying(note)
}
