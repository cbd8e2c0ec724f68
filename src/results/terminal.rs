//! The answer and the tables on the screen, none wider than the screen: what does not fit beside the
//! names goes into a further table below.

use comfy_table::{CellAlignment, Table, presets};

use super::ladder::elo;
use super::{Answer, Difference, Matchup, Standing, Summary, VariantSummary};
use crate::stats::{Estimate, survives};

/// So many pairings are printed; of more, those that the question asks for.
const PAIRINGS: usize = 30;

/// A table with these heads, of which the first so many are of names, the others of numbers.
pub fn grid<R: IntoIterator<Item = String>>(
    names: usize,
    heads: impl IntoIterator<Item: ToString>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    let mut table = Table::new();
    let heads = heads.into_iter().map(|head| head.to_string());
    table.load_style(presets::ASCII_MARKDOWN).set_header(heads).add_rows(rows);
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The same as text of at most so many letters a line, where the names and one column fit: as many
/// tables as that needs, each with the names.
pub fn folded(names: usize, heads: &[String], rows: &[Vec<String>], wide: usize) -> String {
    let letters = |text: &String| text.chars().count();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| &row[column]).chain([&heads[column]]);
        cells.map(letters).max().unwrap_or(0) + 3
    };
    let base: usize = 1 + (0..names).map(width).sum::<usize>();
    let (mut tables, mut columns, mut used) = (Vec::new(), Vec::new(), base);
    for column in names..heads.len() {
        if !columns.is_empty() && used + width(column) > wide {
            tables.push(std::mem::take(&mut columns));
            used = base;
        }
        columns.push(column);
        used += width(column);
    }
    tables.push(columns);
    let show = |columns: &Vec<usize>| {
        let all = || (0..names).chain(columns.iter().copied());
        let row = |row: &Vec<String>| all().map(|at| row[at].clone()).collect::<Vec<_>>();
        let rows = rows.iter().map(row);
        grid(names, all().map(|at| &heads[at]), rows).to_string()
    };
    tables.iter().map(show).collect::<Vec<_>>().join("\n\n")
}

fn show(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "–".to_owned(), |e| e.to_string())
}

/// The question and its answer, in lines of at most so many letters.
pub fn answer_text(summary: &Summary, wide: usize) -> String {
    let Answer { question, .. } = &summary.answer;
    let texts = [question.clone(), summary.answer.text()];
    texts.map(|text| wrapped(&text, wide)).join("\n\n")
}

/// Every pairing with its score, the same in Elo, and how likely it is that the first is the
/// stronger; empty where more than two sit at a table, or nobody met another.
pub fn pairing_table(summary: &Summary, wide: usize) -> String {
    // Against itself a strategy scores exactly one half.
    let told = |row: &&Matchup| row.pair.is_some_and(|(a, b)| a != b);
    let all: Vec<&Matchup> = summary.matchups().filter(told).collect();
    let asked = |row: &&&Matchup| all.len() <= PAIRINGS || row.family == "question";
    let rows: Vec<&Matchup> = all.iter().filter(asked).copied().collect();
    if rows.is_empty() {
        return String::new();
    }
    let several = summary.variants.len() > 1;
    let tested = rows.iter().any(|row| row.sprt_llr.is_some());
    let names = ["variant", "strategy", "opponent"].into_iter().skip(usize::from(!several));
    let numbers = ["score", "Elo", "won-drawn-lost", "LOS", "LLR"];
    let numbers = numbers.into_iter().take(4 + usize::from(tested));
    let heads: Vec<String> = names.chain(numbers).map(str::to_owned).collect();
    let cells = |row: &&Matchup| {
        let score = row.sprt_score.or(row.score);
        let mut cells = vec![row.strategy.clone(), row.opponent.clone()];
        if several {
            cells.insert(0, row.variant.clone());
        }
        cells.push(show(score));
        cells.push(elo_text(score));
        cells.push(format!("{}-{}-{}", row.wins, row.draws, row.losses));
        cells.push(superiority(row));
        if tested {
            cells.push(row.sprt_llr.map_or("–".to_owned(), |llr| format!("{llr:.2}")));
        }
        cells
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let mut text = folded(2 + usize::from(several), &heads, &rows, wide);
    if rows.len() < all.len() {
        text += &format!("\nmatchups.csv has all {} pairings.", all.len());
    }
    text
}

/// A score in Elo; beyond a sure win there is only a bound.
fn elo_text(score: Option<Estimate>) -> String {
    let Some(score) = score else { return "–".to_owned() };
    if let Some(found) = elo(score).filter(|e| e.interval.is_some()) {
        return found.to_string();
    }
    let bound = |s: f64| elo(Estimate::bare(s)).map(|e| format!("{:.0}", e.value));
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
pub fn rating_table(summary: &Summary, wide: usize) -> String {
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
    let rows: Vec<Vec<String>> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    // Against all others together a score depends on who they are.
    let score = if summary.ladder.is_empty() { "score" } else { "score against the next" };
    let heads = ["variant", "strategy", "rating (Elo)", score];
    let text = folded(2, &heads.map(str::to_owned), &rows, wide);
    let levels = summary.variants.iter().filter(|v| v.levels.len() > 1 && v.standings.len() > 2);
    let line = |v: &VariantSummary| {
        let (count, names) = (v.levels.len(), v.levels.join(" > "));
        wrapped(&format!("Levels under {}: {count} ({names}).", v.variant), wide)
    };
    let levels: Vec<String> = levels.map(line).collect();
    if levels.is_empty() {
        return text;
    }
    let note = "A level scores at least 60 % against the next.";
    format!("{text}\n\n{}\n{}", levels.join("\n"), wrapped(note, wide))
}

/// The most telling figures of each variant; `variants.csv` has them all.
pub fn variant_table(summary: &Summary, wide: usize) -> String {
    let heads = summary.headlines().map(|figure| summary.figures[figure].name.replace('_', " "));
    let row = |row: &VariantSummary| {
        let figures = summary.headlines().map(|figure| show(row.figures[figure]));
        std::iter::once(row.variant.clone()).chain(figures).collect::<Vec<_>>()
    };
    let heads: Vec<String> = std::iter::once("variant".to_owned()).chain(heads).collect();
    let rows: Vec<Vec<String>> = summary.variants.iter().map(row).collect();
    folded(1, &heads, &rows, wide)
}

/// How each figure changes from the first variant to each other, on the same deals, in a table for
/// each two: higher or lower where it is significant after the correction within its family.
pub fn difference_table(summary: &Summary, wide: usize) -> String {
    let row = |row: &Difference| {
        let decimals = row.difference.decimals();
        let call = match survives(row.p_family) {
            true if row.difference.value > 0.0 => "higher",
            true => "lower",
            false => "–",
        };
        let asked = if row.family == "question" { " (asked)" } else { "" };
        vec![
            row.figure.replace('_', " "),
            format!("{:.decimals$}", row.a),
            format!("{:.decimals$}", row.b),
            row.difference.to_string(),
            format!("{call}{asked}"),
        ]
    };
    let tables = summary.from_first().map(|comparison| {
        let rows: Vec<Vec<String>> = comparison.changes.iter().flatten().map(row).collect();
        let [a, b] = [comparison.from, comparison.to].map(|v| &summary.variants[v].variant);
        let heads = ["figure", a, b, "change", "verdict"].map(str::to_owned);
        folded(1, &heads, &rows, wide)
    });
    tables.collect::<Vec<_>>().join("\n\n")
}

/// A text in lines of at most so many letters.
pub fn wrapped(text: &str, wide: usize) -> String {
    let (mut lines, mut line, mut length) = (Vec::new(), String::new(), 0);
    // No line begins with the sign of a number before it.
    let text = text.replace(" %", "\u{a0}%");
    for word in text.split(' ') {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > wide {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += letters;
    }
    lines.push(line);
    lines.join("\n").replace('\u{a0}', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_do_not_fit_go_into_a_table_below() {
        let heads = ["name", "one", "two", "three"].map(str::to_owned);
        let rows = [vec!["a".to_owned(), "1".into(), "22222222".into(), "3".into()]];
        let whole = folded(1, &heads, &rows, 80);
        assert_eq!(whole.lines().count(), 3);
        let narrow = folded(1, &heads, &rows, 27);
        assert!(narrow.lines().all(|line| line.chars().count() <= 27), "{narrow}");
        assert_eq!(narrow.matches("name").count(), 2);
        for text in ["22222222", "three"] {
            assert!(narrow.contains(text), "{narrow}");
        }
    }

    #[test]
    fn lines_are_wrapped_between_words_and_not_before_a_percent_sign() {
        assert_eq!(wrapped("aa bb 50 % cc", 8), "aa bb\n50 % cc");
        assert_eq!(wrapped("50 % of it", 3), "50 %\nof\nit");
    }
}
