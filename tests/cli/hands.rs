//! Pages of recorded hands.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::common::{column, fail, succeed};

/// The data of a page: a list of hands.
fn data(page: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(page).expect("a page");
    let start = "<script type=\"application/json\" id=\"data\">";
    let (_, data) = text.split_once(start).expect("data");
    let (data, _) = data.split_once("</script>").expect("their end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn a_page_of_each_game_has_the_whole_hand() {
    let here = tempfile::tempdir().unwrap();
    for (game, names, adviser) in [
        ("leopard", &["greedy", "random"][..], "./tiny.json"),
        ("leapfrog", &["greedy", "random"], "greedy"),
        ("eleusis", &["cautious", "cautious", "random", "random", "random"], "cautious"),
    ] {
        let tiny = r#"{"kind": "ismcts", "budget": {"iterations": 20}}"#;
        std::fs::write(here.path().join("tiny.json"), tiny).unwrap();
        let records = format!("{game}.jsonl");
        let played = [&["match", game], names, &["--deals", "1", "--records", &records]].concat();
        succeed(here.path(), &played);
        let file = format!("{game}.html");
        let ask = ["replay", &records, "--hand", "2", "--html", &file, "--advise", adviser];
        let said = succeed(here.path(), &ask);
        assert_eq!(said.trim(), format!("Page: {file}"));
        let hands = data(&here.path().join(&file));
        let [hand] = &hands[..] else { panic!("{} hands", hands.len()) };
        let record = std::fs::read_to_string(here.path().join(&records)).unwrap();
        let record: Value = serde_json::from_str(record.lines().nth(1).unwrap()).unwrap();
        for field in ["game", "variant", "rules", "deal", "rotation", "seats", "scores", "winner"] {
            assert_eq!(hand[field], record[field], "{game}: {field}");
        }
        let count = |field: &str| hand[field].as_array().map_or(0, Vec::len);
        assert!(count("moves") > 5, "{game}");
        assert_eq!((count("changes"), count("points")), (count("moves"), count("moves") + 1));
        // The points at the end are the scores.
        assert_eq!(hand["points"][count("moves")], record["scores"], "{game}");
        let notes = hand["adviser"]["notes"].as_array().unwrap();
        assert!(notes.iter().all(|note| note["best"].is_string()) && !notes.is_empty(), "{game}");
        // Every move played has values, unless the adviser's game has no search.
        let has_values = |note: &Value| note["values"]["played"].is_number();
        let valued = notes.iter().filter(|note| has_values(note)).count();
        assert_eq!(valued, if game == "eleusis" { 0 } else { notes.len() }, "{game}");
        // Who goes by a belief says why.
        let why = |note: &Value| note["why"].as_str().is_some_and(|why| why.contains("because"));
        assert_eq!(notes.iter().any(why), game == "eleusis", "{game}");
        // A page that is there stays, unless it is to be replaced.
        fail(here.path(), &ask, 2, &[&file, "--replace"]);
        let before = std::fs::read(here.path().join(&file)).unwrap();
        succeed(here.path(), &[&ask[..], &["--replace"]].concat());
        assert_eq!(std::fs::read(here.path().join(&file)).unwrap(), before, "the same bytes");
        // Nothing but a page is written over.
        let onto = ["replay", &records, "--html", &records, "--replace"];
        fail(here.path(), &onto, 2, &[&records, "is no page"]);
    }
}

#[test]
fn names_in_a_record_cannot_escape_the_data() {
    let here = tempfile::tempdir().unwrap();
    succeed(
        here.path(),
        &["match", "leopard", "random", "greedy", "--deals", "1", "--records", "r.jsonl"],
    );
    let text = std::fs::read_to_string(here.path().join("r.jsonl")).unwrap();
    let sly = "</script><script>alert(1)</script>";
    std::fs::write(here.path().join("r.jsonl"), text.replace("greedy", sly)).unwrap();
    succeed(here.path(), &["replay", "r.jsonl", "--html", "h.html"]);
    let page = std::fs::read_to_string(here.path().join("h.html")).unwrap();
    assert!(!page.contains(sly) && !page.contains("<script>alert"));
    let seats = &data(&here.path().join("h.html"))[0]["seats"];
    assert!(seats.as_array().unwrap().contains(&sly.into()), "{seats}");
}

#[test]
fn the_record_of_a_row_is_the_line_in_the_records() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // Every fifth hand or so fails and has no record.
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/bots/leopard_greedy.py");
    let bot = fs::read_to_string(bots).unwrap();
    let answer = "answer = {\"index\": choose(message, start, dice)}";
    let failing =
        "answer = {\"index\": -1 if start[\"seed\"] % 5 == 0 else choose(message, start, dice)}";
    assert!(bot.contains(answer));
    fs::write(here.join("bot.py"), bot.replace(answer, failing)).unwrap();
    let experiment = r#"{"game": "leopard", "variants": ["revised"], "deals": 40, "strategies": ["greedy",
        {"name": "bot", "kind": "external", "command": ["python3", "bot.py"], "max_faults": 1000}]}"#;
    fs::write(here.join("e.json"), experiment).unwrap();
    let run = |more: &[&str]| {
        succeed(here, &[&["run", "./e.json", "--hands", "--records", "--quiet"], more].concat())
    };
    run(&["--out", "whole"]);
    let lists = here.join("whole");
    let records = fs::read_to_string(lists.join("records.jsonl")).unwrap();
    let records: Vec<Value> =
        records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [numbers, ends, deals, rotations] =
        ["record", "end_reason", "deal", "rotation"].map(|name| column(&lists, "hands.csv", name));
    assert_eq!(numbers.len(), 80);
    let failed = ends.iter().filter(|end| *end == "fault").count();
    assert!((2..40).contains(&failed), "{failed}");
    assert_eq!(records.len(), 80 - failed);
    let mut next = 1;
    for (row, number) in numbers.iter().enumerate() {
        if ends[row] == "fault" {
            assert_eq!(number, "");
            continue;
        }
        assert_eq!(*number, next.to_string());
        let record = &records[next - 1];
        assert_eq!(record["deal"].to_string(), deals[row]);
        assert_eq!(record["rotation"].to_string(), rotations[row]);
        next += 1;
    }
    // Shards do not know the failures of one another.
    for shard in ["1/3", "2/3", "3/3"] {
        run(&["--shard", shard, "--out", &shard[..1]]);
    }
    succeed(here, &["merge", "1", "2", "3", "--out", "merged"]);
    let list = |folder: &str| fs::read(here.join(folder).join("hands.csv")).unwrap();
    assert!(list("whole") == list("merged"));
    // Without records there are no numbers.
    succeed(here, &["run", "./e.json", "--hands", "--quiet", "--deals", "3", "--out", "short"]);
    assert!(column(&here.join("short"), "hands.csv", "record").iter().all(String::is_empty));
}
