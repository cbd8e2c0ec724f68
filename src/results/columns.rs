//! What every column of every table is: the one place that the tables' heads, the check of a
//! folder and the data dictionary come from.

use super::figures::names;
use crate::strategy::Strategic;

/// A column of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// `text`, `integer` or `number`.
    pub kind: &'static str,
    /// What one is.
    pub unit: String,
    /// One sentence.
    pub meaning: String,
}

/// The tables that every finished run has.
pub const TABLES: [&str; 6] = [
    "matchups.csv",
    "strategies.csv",
    "variants.csv",
    "differences.csv",
    "populations.csv",
    "confirmed.csv",
];

/// The columns of one of the [`TABLES`], or of `hands.csv` for two seats; none for another name.
pub fn columns<G: Strategic>(table: &str) -> Vec<Column> {
    match table {
        "matchups.csv" => matchups(),
        "strategies.csv" => strategies(),
        "variants.csv" => variants::<G>(),
        "differences.csv" => differences(),
        "populations.csv" => populations(),
        "confirmed.csv" => confirmed(),
        "hands.csv" => hands(2),
        _ => Vec::new(),
    }
}

/// The names of the columns.
pub(super) fn heads<G: Strategic>(table: &str) -> Vec<String> {
    columns::<G>(table).into_iter().map(|c| c.name).collect()
}

fn column(name: &str, kind: &'static str, unit: &str, meaning: &str) -> Column {
    Column { name: name.to_owned(), kind, unit: unit.to_owned(), meaning: meaning.to_owned() }
}

fn text(name: &str, meaning: &str) -> Column {
    column(name, "text", "name", meaning)
}

fn count(name: &str, unit: &str, meaning: &str) -> Column {
    column(name, "integer", unit, meaning)
}

/// An estimate's three columns: the value and the ends of its interval.
fn estimate(name: &str, unit: &str, meaning: &str) -> [Column; 3] {
    let of = |end: &str| {
        format!("{end} end of the 95 % interval of `{name}`; empty where there is none.")
    };
    [
        column(name, "number", unit, meaning),
        column(&format!("{name}_low"), "number", unit, &of("Lower")),
        column(&format!("{name}_high"), "number", unit, &of("Upper")),
    ]
}

const VARIANT: &str = "The variant.";
const SCORE: &str = "Mean result of a match: 1 for a win, a share for a shared one.";

fn matchups() -> Vec<Column> {
    let mut all = vec![
        text("variant", VARIANT),
        text("strategy", "The strategy whose results these are."),
        text("opponent", "The other strategy; with more seats all others, joined by `+`."),
        count("deals", "deals", "Deals played."),
        count("matches", "matches", "Matches: a deal for every seating."),
        count("hands", "hands", "Hands in them."),
        count("wins", "matches", "Matches won alone."),
        count("draws", "matches", "Matches whose win was shared."),
        count("losses", "matches", "Matches lost."),
    ];
    all.extend(estimate("score", "share of the win", SCORE));
    all.extend(estimate("points_for", "points", "Mean points of a match."));
    all.extend(estimate("points_against", "points", "Mean points of the others in a match."));
    all.extend(estimate(
        "margin",
        "points",
        "Mean points of a match less the mean of the others'.",
    ));
    all.extend(estimate("turns", "turns a hand", "Mean turns of a hand."));
    let number = |name, unit, meaning| column(name, "number", unit, meaning);
    all.extend([
        number("p", "probability", "Two-sided p-value of equal strength; empty in a mirror pairing."),
        number("p_holm", "probability", "The same after Holm's correction over all rows."),
        text(
            "sprt",
            "What the run's sequential test accepts: `upper` (at least elo1), `lower` (at most elo0) or `undecided`; empty without one.",
        ),
        number(
            "variance_ratio",
            "ratio",
            "Variance of a deal's score as a part of what it would be with independent seatings; two seats only.",
        ),
    ]);
    for (index, wins) in ["0", "½", "1", "1½", "2"].into_iter().enumerate() {
        let meaning = format!("Deals that gave {wins} wins in both seatings; two seats only.");
        all.push(count(&format!("deals_{index}"), "deals", &meaning));
    }
    all
}

fn strategies() -> Vec<Column> {
    let mut all = vec![
        text("variant", VARIANT),
        text("strategy", "The strategy."),
        count("rank", "rank", "From 1, the best rated."),
        count("matches", "matches", "Matches against others."),
        count("hands", "hands", "Hands in them."),
    ];
    all.extend(estimate("score", "share of the win", SCORE));
    all.extend(estimate(
        "rating",
        "Elo",
        "Rating by the model of Bradley and Terry with draws and a seat term; the mean of the variant's strategies is 0.",
    ));
    all
}

fn variants<G: Strategic>() -> Vec<Column> {
    let mut all = vec![
        text("variant", VARIANT),
        count("deals", "deals", "Deals played."),
        count("hands", "hands", "Hands of all pairings."),
    ];
    all.extend(
        names::<G>().into_iter().flat_map(|(name, unit, meaning)| estimate(name, unit, meaning)),
    );
    let controlled = "`first_seat_score` with what the deals' cards explain taken out, with `control`; otherwise empty.";
    all.extend(estimate("first_seat_controlled", "share of the win", controlled));
    let saved = "The part of the variance between deals that this took out; below 0 it did harm.";
    all.push(column("control_saved", "number", "share of the variance", saved));
    all
}

fn differences() -> Vec<Column> {
    let number = |name, meaning| column(name, "number", "see `unit`", meaning);
    let mut all = vec![
        text("variant_a", "The first variant."),
        text("variant_b", "The second."),
        text("figure", "The figure, a column of `variants.csv`."),
        text("unit", "What one of it is."),
        number("a", "The figure under the first variant."),
        number("b", "The figure under the second."),
    ];
    let meaning = "The second less the first, its interval from the same deals.";
    all.extend(estimate("difference", "see `unit`", meaning));
    let p = |name, meaning| column(name, "number", "probability", meaning);
    all.extend([
        p("p", "Two-sided p-value of no difference; empty where nothing varied."),
        p("p_holm", "The same after Holm's correction over all rows."),
    ]);
    all
}

fn populations() -> Vec<Column> {
    let mut all = vec![
        text(
            "variant",
            "A variant under which strategies beat one another in a ring, each difference proven.",
        ),
        text("strategy", "The strategy."),
        count("ring", "number", "The number of its ring, from 1; empty outside all rings."),
    ];
    let share = "Its share of the mixture that no strategy beats (Nash averaging).";
    all.extend(estimate("nash_share", "share", share));
    all.extend(estimate("nash_score", "share of the win", "What it scores against that mixture."));
    all.extend(estimate("alpha_rank", "share of time", "Its share under α-rank."));
    all
}

fn confirmed() -> Vec<Column> {
    let mut all = vec![
        text("variant", VARIANT),
        text("strategy", "The variant's best rated strategy."),
        text("opponent", "The other strategy; with more seats all others, joined by `+`."),
    ];
    let chosen = "Its score in the run that chose it; empty with more than two seats.";
    all.extend(estimate("chosen_score", "share of the win", chosen));
    all.push(count("deals", "deals", "Fresh deals, which had no part in choosing it."));
    all.extend(estimate("score", "share of the win", "Its score on the fresh deals."));
    all
}

/// The columns of `hands.csv` with so many seats.
pub(super) fn hands(seats: usize) -> Vec<Column> {
    let by_seat =
        |name: &str, kind: &'static str, unit: &'static str, meaning: &str| -> Vec<Column> {
            (0..seats)
                .map(|seat| {
                    column(&format!("{name}_{seat}"), kind, unit, &format!("{meaning} {seat}."))
                })
                .collect()
        };
    [
        vec![
            text("variant", VARIANT),
            count("deal", "number", "The deal, from 0."),
            count("hand", "number", "The hand of its match, from 0."),
            count("rotation", "number", "How far the strategies are rotated over the seats."),
        ],
        by_seat("seat", "text", "name", "The strategy at seat"),
        by_seat("score", "integer", "points", "Points of seat"),
        by_seat(
            "value",
            "integer",
            "the game's",
            "Value of the square, pieces captured or cards held of seat",
        ),
        vec![
            count("winner", "seat", "The seat that won alone; empty for a shared win."),
            count("turns", "turns", "Turns of all seats."),
            text("ended", "How the hand ended, one word."),
            count("seed", "number", "The run's seed."),
        ],
    ]
    .concat()
}
