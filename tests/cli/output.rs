//! The same result on the screen, as JSON and as Markdown.

use std::fs;
use std::path::Path;

use super::common::{fail, output, succeed};

/// A command that prints a result.
const COMMANDS: [(&[&str], &str); 8] = [
    (&["match", "leopard", "greedy", "random", "--deals", "20"], "# Is greedy stronger"),
    (
        &["compare", "leopard", "original", "revised", "--strategies", "greedy", "--deals", "20"],
        "# Does revised change",
    ),
    (
        &[
            "sweep",
            "leopard",
            "revised",
            "knock_at=5,6,7",
            "--strategies",
            "greedy",
            "--deals",
            "20",
        ],
        "# How does the first seat's score change with knock_at?",
    ),
    (
        &["sample-size", "original-vs-revised", "--difference", "0.1", "--pilot", "4"],
        "`\"deals\": ",
    ),
    (&["list", "experiments"], "## experiments"),
    (&["science", "cases.jsonl"], "bayes found "),
    (&["bench", "leapfrog", "--variant", "murray-mini-4x4", "--time", "1"], "| game | variant |"),
    (&["solve", "leapfrog", "mini-3x3"], "- mini-3x3, "),
];

const CASE: &str = r#"{"name":"red","deal":0,"rule":"red","deck":["#;

/// A file with one case of the one-player protocol.
fn a_case(here: &Path) {
    let cards = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
        .iter()
        .flat_map(|rank| ["C", "D", "H", "S"].map(|suit| format!("\"{rank}{suit}\"")));
    let cards: Vec<String> = cards.collect();
    let deck = [cards.clone(), cards].concat().join(",");
    fs::write(here.join("cases.jsonl"), format!("{CASE}{deck}]}}\n")).unwrap();
}

#[test]
fn every_result_can_be_exported_and_printed_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    a_case(here);
    let schema: serde_json::Value =
        serde_json::from_str(&succeed(here, &["schema", "json"])).unwrap();
    for (command, first) in COMMANDS {
        let both = ["--json", "--export-markdown", "m.md"];
        let json = succeed(here, &[command, &both].concat());
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON and nothing else");
        let text = fs::read_to_string(here.join("m.md")).unwrap();
        assert!(text.starts_with(first), "{command:?}: {text}");
        assert!(text.ends_with("<!-- exported by parlour -->\n"), "{text}");
        let said = &schema["properties"][command[0]];
        assert!(said.is_object(), "{command:?} is in the schema");
        if !["match", "compare", "sweep"].contains(&command[0]) {
            let faults = super::schemas::faults(said, &schema, &json);
            assert_eq!(faults, [] as [String; 0], "{command:?}");
        }
    }
}

#[test]
fn markdown_has_the_tables_of_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let game = ["match", "leopard", "greedy", "random", "--deals", "50"];
    let said = succeed(here, &[&game[..], &["--export-markdown", "m.md"]].concat());
    let text = fs::read_to_string(here.join("m.md")).unwrap();
    let cells = |text: &str| {
        let rows = text.lines().filter(|line| line.starts_with("| greedy"));
        let cells = rows.flat_map(|row| row.split('|')).map(|cell| cell.trim().to_owned());
        cells.filter(|cell| !cell.is_empty()).collect::<std::collections::BTreeSet<_>>()
    };
    assert!(cells(&said).len() > 5 && cells(&said) == cells(&text), "{said}{text}");
    let answer = text.lines().nth(2).unwrap();
    assert!(answer.starts_with("`greedy` is much stronger than `random`"), "{answer}");
    // A second time it is written over.
    succeed(here, &[&game[..], &["--quiet", "--export-markdown", "m.md"]].concat());
}

#[test]
fn an_unwritable_place_is_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::create_dir(here.join("notes")).unwrap();
    fs::write(here.join("mine.md"), "# Mine\n").unwrap();
    let began = std::time::Instant::now();
    for (file, words) in [
        ("note/m.md", &["note/m.md", "no folder note", "Did you mean notes?"][..]),
        ("notes", &["notes", "it is a folder"]),
        ("mine.md", &["mine.md", "it exists and is not an export"]),
    ] {
        // It would be played for hours.
        let long = ["match", "leopard", "steady", "greedy", "--deals", "100000000"];
        fail(here, &[&long[..], &["--export-markdown", file]].concat(), 2, words);
    }
    assert!(began.elapsed().as_secs() < 20);
    assert_eq!(fs::read_to_string(here.join("mine.md")).unwrap(), "# Mine\n");
    assert_eq!(fs::read_dir(here).unwrap().count(), 2, "nothing else is left");
}

#[test]
fn all_lists_research_files() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (few, all) = (succeed(here, &["list"]), succeed(here, &["list", "--all"]));
    for name in ["steady-plain", "search-ablation", "same-suit"] {
        assert!(
            !few.contains(&format!("  {name} ")) && all.contains(&format!("  {name} ")),
            "{name}"
        );
    }
    assert!(few.contains("parlour list --all") && few.contains("parlour list rules"), "{few}");
    fs::create_dir_all(here.join("strategies/leopard")).unwrap();
    let wrong = r#"{ "base": "steady", "research": 1 }"#;
    fs::write(here.join("strategies/leopard/odd.json"), wrong).unwrap();
    let said = succeed(here, &["list", "strategies"]);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("`research`") && said.contains("true or false"), "{said}");
    // A base that is there for research does not make its heir so.
    let heir = r#"{ "about": "An heir.", "base": "steady-plain" }"#;
    fs::write(here.join("strategies/leopard/heir.json"), heir).unwrap();
    assert!(succeed(here, &["list", "strategies"]).contains("An heir. (your file)"));
    assert!(output(here, &["match", "leopard", "heir", "random", "--deals", "1"]).status.success());
}
