//! The page for people and the folder it is written from.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::common::{experiment, fail, succeed};

fn finished() -> tempfile::TempDir {
    let here = tempfile::tempdir().unwrap();
    std::fs::write(here.path().join("e.json"), experiment(6)).unwrap();
    succeed(here.path(), &["run", "./e.json", "--quiet", "--hands", "--out", "r"]);
    here
}

fn read(here: &Path, name: &str) -> String {
    std::fs::read_to_string(here.join("r").join(name)).unwrap()
}

#[test]
fn a_rewritten_report_has_the_same_bytes() {
    let here = finished();
    let page = read(here.path(), "report.html");
    std::fs::write(here.path().join("r/report.html"), "gone").unwrap();
    assert!(succeed(here.path(), &["report", "r"]).contains("r/report.html"));
    assert_eq!(read(here.path(), "report.html"), page);
    // It needs nothing but itself.
    for word in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
    // Those that only repeat the numbers beside them are hidden from readers aloud.
    let [read, hidden] =
        ["role=\"img\"", "aria-hidden=\"true\""].map(|of| page.matches(of).count());
    assert_eq!(read + hidden, page.matches("<svg").count());
    assert_eq!(page.matches("aria-label=\"\"").count(), 0);
    for word in [
        "Evidence",
        "Effects of the rules",
        "How hands end",
        "Points",
        "Lead over time",
        "parlour run",
        "answer.csv",
    ] {
        assert!(page.contains(word), "{word}");
    }
}

#[test]
fn show_prints_a_finished_run() {
    let here = finished();
    let shown = succeed(here.path(), &["show", "r"]);
    assert!(shown.contains("score") && shown.contains("knock rate"), "{shown}");
    let numbers = succeed(here.path(), &["show", "r", "--json"]);
    let again = succeed(here.path(), &["run", "./e.json", "--json", "--out", "s"]);
    assert_eq!(numbers, again);
    fail(here.path(), &["show", "nowhere"], 2, &["nowhere"]);
}

#[test]
fn a_changed_folder_is_refused() {
    let here = finished();
    let at = here.path();
    let refused = |words: &[&str]| fail(at, &["report", "r"], 2, words);
    let put = |name: &str, text: &str| std::fs::write(at.join("r").join(name), text).unwrap();
    let tables = ["matchups.csv", "strategies.csv", "variants.csv", "differences.csv", "hands.csv"];
    for name in tables.into_iter().chain(["progress.jsonl"]) {
        let text = read(at, name);
        put(name, &text[..text.len() / 2]);
        refused(&[name]);
        std::fs::remove_file(at.join("r").join(name)).unwrap();
        refused(&["cannot read", name]);
        // What follows from the tallies is written again.
        match ["hands.csv", "progress.jsonl"].contains(&name) {
            true => fail(at, &["report", "r", "--tables"], 2, &["cannot read", name]),
            false => {
                succeed(at, &["report", "r", "--tables"]);
                assert_eq!(read(at, name), text);
            }
        }
        put(name, &text);
    }
    let text = read(at, "variants.csv");
    put("variants.csv", &text.replacen('0', "1", 1));
    refused(&[
        "variants.csv",
        "edited",
        "`parlour report FOLDER --tables` writes the tables again",
    ]);
    // Another version's columns, in a folder that is whole.
    let other = text.replacen("draw_rate,", "drawn,", 1);
    put("variants.csv", &other);
    let manifest = read(at, "manifest.json");
    let digest = parlour::files::digest;
    put("manifest.json", &manifest.replace(&digest(&text), &digest(&other)));
    refused(&["variants.csv: line 1", "`drawn`", "`draw_rate`", "another version"]);
    put("variants.csv", &text);
    put("manifest.json", &manifest[..manifest.len() / 2]);
    refused(&["manifest.json", "cut or edited"]);
    std::fs::remove_file(at.join("r/manifest.json")).unwrap();
    refused(&["manifest.json is missing"]);
    put("manifest.json", &manifest);
    succeed(at, &["report", "r"]);
    fail(at, &["report", "nowhere"], 2, &["cannot read nowhere/progress.jsonl", "parlour run"]);
    std::fs::create_dir(at.join("empty")).unwrap();
    let holds = ["cannot read empty/progress.jsonl", "not a results folder", "--out empty"];
    fail(at, &["report", "empty"], 2, &holds);
}

#[test]
fn the_progress_of_another_version_is_named() {
    let here = finished();
    let text = read(here.path(), "progress.jsonl");
    for (format, advice) in [("2", "run the experiment again"), ("5", "use a later program")] {
        let other = text.replacen("\"format\":4", &format!("\"format\":{format}"), 1);
        assert!(other != text, "the header says its format");
        std::fs::write(here.path().join("r/progress.jsonl"), other).unwrap();
        let words =
            ["line 1", &format!("format {format} of"), &parlour::PROGRAM.to_string(), advice];
        fail(here.path(), &["report", "r"], 2, &words);
    }
}

#[test]
fn figures_that_cannot_be_computed_are_named() {
    let here = tempfile::tempdir().unwrap();
    let play = |name: &str, text: &str| {
        std::fs::write(here.path().join("e.json"), text).unwrap();
        let said = succeed(here.path(), &["run", "./e.json", "--out", name]);
        let page = std::fs::read_to_string(here.path().join(name).join("report.html")).unwrap();
        // The script that sorts tables knows of NaN.
        let page = page.split("<script>").next().unwrap_or_default().to_owned();
        for text in [&said, &page] {
            assert!(!text.contains("NaN") && !text.contains("inf "), "{name}");
        }
        page
    };
    let page = play(
        "deal",
        r#"{ "game": "leopard", "variants": ["revised"], "strategies": ["random", "greedy"], "deals": 1 }"#,
    );
    assert!(page.contains("With one deal no number has an interval."));
    let page = play(
        "strategy",
        r#"{ "game": "leopard", "strategies": ["greedy"], "mirror": true, "deals": 3 }"#,
    );
    assert!(page.contains("With one strategy there are no ratings"));
    play(
        "both",
        r#"{ "game": "leapfrog", "variants": ["mini-4x5"], "strategies": ["random"], "mirror": true, "deals": 1 }"#,
    );
}

#[test]
fn an_until_without_a_decision() {
    let here = tempfile::tempdir().unwrap();
    let refused = |until: &str, more: &str, words: &[&str]| {
        let text = format!(
            r#"{{ "game": "leopard", "variants": ["revised"], "strategies": ["random", "greedy"], "until": {until}{more} }}"#
        );
        std::fs::write(here.path().join("e.json"), text).unwrap();
        fail(here.path(), &["run", "./e.json"], 2, &[&["e.json", "until"], words].concat());
    };
    refused(r#"{ "sprt": { "elo0": 5, "elo1": 5 } }"#, "", &["elo0 must be below elo1"]);
    refused(r#"{ "sprt": { "elo0": 5, "elo1": 0 } }"#, "", &["5 is not below 0"]);
    let rates = r#"{ "sprt": { "elo0": 0, "elo1": 5, "alpha": 0.4, "beta": 0.6 } }"#;
    refused(rates, "", &["alpha (0.4) and beta (0.6) together must be below 1"]);
    let rates = r#"{ "sprt": { "elo0": 0, "elo1": 5, "alpha": 0 } }"#;
    refused(rates, "", &["alpha and beta must lie between 0 and 1"]);
    refused(
        r#"{ "sprt": { "elo0": 0, "elo1": 5 } }"#,
        r#", "mirror": true"#,
        &["two different strategies"],
    );
    let several = r#"{ "sprt": { "elo0": 5, "elo1": 0, "beta": 1.5 } }"#;
    let words = ["5 is not below 0", "but 1.5 does not", "two different strategies"];
    refused(several, r#", "mirror": true"#, &words);
    refused(r#"{ "sprt": { "elo": 0 } }"#, "", &["unknown field `elo`", "elo0"]);
    refused(r#"{ "half_width": 0 }"#, "", &["above 0"]);
    refused(r#"{ "halfwidth": 0.1 }"#, "", &["half_width"]);
    let both = r#"{ "half_width": 0.1, "sprt": { "elo0": 0, "elo1": 5 } }"#;
    refused(both, "", &["name one condition: `sprt` or `half_width`"]);
    refused("{}", "", &["name one condition"]);
}

#[test]
fn the_page_of_the_rules_is_what_the_program_prints() {
    let here = tempfile::tempdir().unwrap();
    succeed(here.path(), &["rules", "--export-markdown", "rules.md"]);
    let made = std::fs::read_to_string(here.path().join("rules.md")).unwrap();
    let written = include_str!("../../docs/rules.md");
    assert!(written == made, "parlour rules --export-markdown docs/rules.md");
}

#[test]
fn the_rules_of_a_file_have_its_numbers() {
    let here = tempfile::tempdir().unwrap();
    let mine = r#"{"name":"mine","base":"revised","knock_at":11,"jacks_on":"own"}"#;
    std::fs::write(here.path().join("mine.json"), mine).unwrap();
    let printed = succeed(here.path(), &["rules", "leopard", "mine.json"]);
    for words in [
        "knock when your square is worth 11 or more",
        "Jack: face down in your square only",
        "`mine` is `revised` with `knock_at` 11 instead of 7, `jacks_on` own instead of\nboth.",
        "| knock_at         | 11          | 7           | 1 to 255 ",
    ] {
        assert!(printed.contains(words), "`{words}` is not in: {printed}");
    }
    let books: Value =
        serde_json::from_str(&succeed(here.path(), &["rules", "leopard", "mine.json", "--json"]))
            .unwrap();
    assert_eq!(books[0]["fields"][2]["name"], "knock_at");
    assert_eq!(books[0]["fields"][2]["value"], "11");
    fail(here.path(), &["rules", "leopard", "other"], 2, &["unknown variant of leopard `other`"]);
    fail(here.path(), &["rules", "leopart"], 2, &["Did you mean `leopard`?"]);
    let mine = mine.replace("own", "nobody");
    std::fs::write(here.path().join("mine.json"), mine).unwrap();
    let words = [
        "mine.json: line 1 column 56, field `jacks_on`: unknown word `nobody`. Known: both, own, other.",
    ];
    fail(here.path(), &["rules", "leopard", "mine.json"], 2, &words);
}

#[test]
fn the_data_dictionary_matches_the_tables() {
    let here = finished();
    let written = include_str!("../../results/COLUMNS.md");
    let made = succeed(here.path(), &["schema", "columns"]);
    assert!(written == made, "parlour schema columns > results/COLUMNS.md");
    let leapfrog = r#"{ "game": "leapfrog", "variants": ["mini-4x5"], "strategies": ["random", "greedy"], "deals": 2 }"#;
    let eleusis = r#"{ "game": "eleusis", "variants": ["express"], "schedule": "line-up", "deals": 1,
        "strategies": ["random"], "line_ups": [["random", "random", "random", "random"]] }"#;
    for (experiment, out) in [(leapfrog, "l"), (eleusis, "e")] {
        std::fs::write(here.path().join("e.json"), experiment).unwrap();
        let hands: &[&str] = if out == "l" { &["--hands"] } else { &[] };
        let run = ["run", "./e.json", "--quiet", "--out", out];
        succeed(here.path(), &[&run, hands].concat());
    }
    for (folder, game, count) in [("r", "leopard", 9), ("l", "leapfrog", 9), ("e", "eleusis", 8)] {
        let mut tables = 0;
        for entry in std::fs::read_dir(here.path().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if !name.ends_with(".csv") {
                continue;
            }
            tables += 1;
            let heading = match name.as_str() {
                "variants.csv" => format!("## `variants.csv` of {game}\n"),
                _ => format!("## `{name}`\n"),
            };
            let section = made.split_once(&heading).expect(&name).1;
            let section = section.split("\n## ").next().unwrap();
            let told: Vec<&str> = section
                .lines()
                .filter_map(|line| line.strip_prefix("| `")?.split(" |").next())
                .flat_map(|names| names.split(", "))
                .map(|name| name.trim_matches('`'))
                // Only runs that ask for them have these.
                .filter(|name| !name.starts_with("win_rate_distance"))
                .filter(|name| !name.starts_with("first_seat_luck_adjusted"))
                .collect();
            let text = std::fs::read_to_string(&path).unwrap();
            let heads: Vec<&str> = text.lines().next().unwrap().split(',').collect();
            assert_eq!(heads, told, "{name} of {game}");
        }
        assert_eq!(tables, count, "{folder}");
    }
}

#[test]
fn exchanged_cards_narrow_the_interval_of_the_first_seat() {
    let here = tempfile::tempdir().unwrap();
    let run = |game: &str, exchange: bool, more: &str| {
        let text = format!(
            r#"{{ "game": "{game}", "deals": 500, "exchange_cards": {exchange}, {more} }}"#
        );
        std::fs::write(here.path().join("e.json"), text).unwrap();
        ["run", "./e.json", "--quiet", "--out", "r", "--replace", "--records"]
    };
    let mirror = r#""strategies": ["greedy"], "mirror": true"#;
    let two = r#""strategies": ["greedy", "random"]"#;
    let needs = ["`exchange_cards`", "no cards to exchange"];
    fail(here.path(), &run("leapfrog", true, mirror), 2, &needs);
    fail(here.path(), &run("leopard", true, two), 2, &["`exchange_cards`", "`mirror`"]);
    let mirror = format!(r#"{mirror}, "luck_adjusted": true"#);
    let widths = [false, true].map(|exchange| {
        succeed(here.path(), &run("leopard", exchange, &mirror));
        let rows = read(here.path(), "variants.csv");
        let heads = rows.lines().next().unwrap().split(',');
        let row: HashMap<&str, &str> = heads.zip(rows.lines().nth(1).unwrap().split(',')).collect();
        ["first_seat_score", "first_seat_luck_adjusted"].map(|figure| {
            let at = |end: &str| row[&*format!("{figure}_{end}")].parse::<f64>().unwrap();
            at("high") - at("low")
        })
    });
    for (figure, most) in [(0, 0.7), (1, 0.9)] {
        let ratio = widths[1][figure] / widths[0][figure];
        assert!((0.3..most).contains(&ratio), "{widths:?}");
    }
    // The records are of the hands that were played; the second has the hands of the first, exchanged.
    succeed(here.path(), &["verify", "r/records.jsonl"]);
    let records = read(here.path(), "records.jsonl");
    let dealt = |line: usize| {
        let record: Value = serde_json::from_str(records.lines().nth(line).unwrap()).unwrap();
        record["dealt"].as_array().unwrap().clone()
    };
    let (plain, exchanged) = (dealt(0), dealt(1));
    assert_eq!([&plain[0], &plain[1]], [&exchanged[1], &exchanged[0]]);
}

#[test]
fn cards_until_the_rule_is_known_use_hands_where_it_was_known() {
    let here = tempfile::tempdir().unwrap();
    let experiment = r#"{
      "game": "eleusis", "variants": ["express"], "schedule": "line-up", "deals": 2,
      "strategies": ["random", "bayes", "cautious"],
      "line_ups": [["random", "bayes", "cautious", "bayes"]]
    }"#;
    std::fs::write(here.path().join("e.json"), experiment).unwrap();
    succeed(here.path(), &["run", "./e.json", "--quiet", "--hands", "--out", "r"]);
    let hands = read(here.path(), "hands.csv");
    let (known, all) = (hands.matches(",guessed,").count(), hands.lines().count() - 1);
    let page = read(here.path(), "report.html");
    assert!(page.contains("Cards until the rule is known"));
    let share = 100.0 * known as f64 / all as f64;
    assert!(page.contains(&format!("Shares of the {share:.0} % of hands")), "{known} of {all}");
}

#[test]
fn a_rewritten_page_names_the_build_that_played() {
    let here = finished();
    let text = read(here.path(), "progress.jsonl");
    let (header, chunks) = text.split_once('\n').unwrap();
    let body = header
        .split_once("{\"body\":")
        .and_then(|(_, rest)| rest.rsplit_once(",\"check\""))
        .unwrap()
        .0;
    let (now, then) = (parlour::PROGRAM.to_string(), "0.0.9 (0123456789abcdef)");
    assert!(body.contains(&now));
    let older = body.replace(&now, then);
    let check = &parlour::files::digest(&older)[..16];
    let older = format!("{{\"body\":{older},\"check\":\"{check}\"}}\n{chunks}");
    let digest = parlour::files::digest;
    let manifest = read(here.path(), "manifest.json").replace(&digest(&text), &digest(&older));
    std::fs::write(here.path().join("r/progress.jsonl"), older).unwrap();
    std::fs::write(here.path().join("r/manifest.json"), manifest).unwrap();
    succeed(here.path(), &["report", "r"]);
    assert!(read(here.path(), "report.html").contains(then));
}
