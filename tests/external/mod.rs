//! External players: good ones, and ones that misbehave in every way.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::common::{fail, output, succeed};

/// Returns the command of a shell player with its actions for the greeting and for each choice.
fn player(hello: &str, choose: &str) -> Vec<String> {
    let script = format!(
        r#"while IFS= read -r line; do case "$line" in
        *'"type":"hello"'*) {hello} ;;
        *'"type":"choose"'*) {choose} ;;
        *'"type":"bye"'*) exit 0 ;;
        esac; done"#
    );
    ["sh", "-c", &script].map(str::to_owned).to_vec()
}

const HELLO: &str = r#"echo '{"protocol":1,"name":"a player","more":[]}'"#;
const FIRST: &str = r#"echo '{"index":0,"values":[0.5],"comment":"the first","more":{}}'"#;

/// The number of slow ones at the start of [`MISDEEDS`].
const SLOW: usize = 2;

/// Actions in place of a choice, with the fault that each is.
const MISDEEDS: [(&str, &str); 20] = [
    ("sleep 5", "slow"),
    ("printf '{\"index\":'; sleep 5", "slow"),
    ("exit 3", "ended"),
    ("kill -9 $$", "ended"),
    ("exec >&-; sleep 5", "ended"),
    ("(sleep 60 >/dev/null 2>&1 <&1 &) ; exit", "ended"),
    ("yes | tr -d '\\n'", "flooded"),
    ("head -c 3000000 /dev/zero | tr '\\0' x; sleep 5", "flooded"),
    (r#"printf '{"index":0}\n{"index":0}\n'"#, "flooded"),
    ("echo", "garbled"),
    ("echo rubbish", "garbled"),
    (r"printf '\377\376\n'", "garbled"),
    (r#"printf '{"index":\0000}\n'"#, "garbled"),
    (r#"echo '[0]'"#, "garbled"),
    (r#"echo '{}'"#, "garbled"),
    (r#"echo '{"index":0,"move":"KC -"}'"#, "garbled"),
    (r#"echo '{"index":0,"values":[NaN]}'"#, "garbled"),
    (r#"echo '{"index":-1}'"#, "garbled"),
    (r#"echo '{"index":4000000000}'"#, "illegal"),
    (r#"echo '{"move":"KC o10"}'"#, "illegal"),
];

fn experiment(strategies: Vec<Value>, deals: u64) -> String {
    json!({
        "about": "players from outside", "game": "leopard", "variants": ["revised"],
        "strategies": strategies, "schedule": "gauntlet", "champion": "random", "deals": deals,
        "question": { "figure": "turns" }
    })
    .to_string()
}

/// Returns the command lines of all processes that contain a word.
#[cfg(target_os = "linux")]
fn processes_with(word: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.contains(word)).collect()
}

#[test]
fn misbehaving_players_lose_only_their_own_hands() {
    let here = tempfile::tempdir().unwrap();
    let mark = here.path().file_name().unwrap().to_string_lossy().into_owned();
    let mut strategies = vec![json!("random")];
    for (number, (misdeed, _)) in MISDEEDS.iter().enumerate() {
        for copy in 0..5 {
            let mut command = player(HELLO, misdeed);
            command.push(mark.clone());
            strategies.push(json!({
                "name": format!("m{number}-{copy}"), "kind": "external", "command": command,
                "move_ms": if number < SLOW { 60 } else { 10_000 }, "max_faults": 1000
            }));
        }
    }
    fs::write(here.path().join("x.json"), experiment(strategies, 5)).unwrap();
    succeed(here.path(), &["run", "x.json", "--out", "r", "--threads", "2", "--quiet"]);
    let mut reader = csv::Reader::from_path(here.path().join("r/strategies.csv")).unwrap();
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 101);
    for row in rows {
        let Some(number) = row["strategy"].strip_prefix('m') else {
            assert_eq!(row["faults"], "0");
            continue;
        };
        let number: usize = number.split('-').next().unwrap().parse().unwrap();
        let (misdeed, fault) = MISDEEDS[number];
        let kinds: Vec<_> = row.iter().filter(|(head, _)| head.starts_with("faults_")).collect();
        assert_eq!(row["faults"], "10", "{misdeed}: {kinds:?}");
        assert_eq!(row[&format!("faults_{fault}")], "10", "{misdeed}: {kinds:?}");
        assert_eq!(row["score"], "0.000000", "{misdeed}");
    }
    #[cfg(target_os = "linux")]
    assert_eq!(processes_with(&mark), [] as [String; 0], "processes are left behind");
}

#[test]
fn external_players_play_and_give_advice() {
    let here = tempfile::tempdir().unwrap();
    let file = |name: &str, command: &[String], more: Value| {
        let mut strategy = json!({ "about": "x", "kind": "external", "command": command });
        strategy.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        fs::write(here.path().join(name), strategy.to_string()).unwrap();
    };
    file("first.json", &player(HELLO, FIRST), json!({}));
    for game in ["leopard", "leapfrog"] {
        let said = succeed(here.path(), &["match", game, "first.json", "random", "--deals", "3"]);
        assert!(said.contains("the variance between 3 deals"), "{said}");
    }
    let eleusis = ["match", "eleusis", "first.json", "random", "random", "random", "random"];
    succeed(here.path(), &[&eleusis[..], &["--deals", "1"]].concat());
    // Standard error goes into the folder, and its hands are records that verify.
    file("loud.json", &player(HELLO, &format!("echo oh >&2; {FIRST}")), json!({}));
    let arguments = ["match", "leopard", "loud.json", "first.json", "--deals", "1", "--out", "r"];
    succeed(here.path(), &[&arguments[..], &["--records", "h.jsonl"]].concat());
    let said = fs::read_to_string(here.path().join("r/stderr/loud.txt")).unwrap();
    assert!(said.starts_with("oh\noh\n"), "{said}");
    succeed(here.path(), &["verify", "h.jsonl"]);
    let manifest = fs::read_to_string(here.path().join("r/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["not_reproducible"], json!(["first", "loud"]));
    let page = fs::read_to_string(here.path().join("r/report.html")).unwrap();
    assert!(page.contains("is an external program or has a time budget"));
    // The same player repeats the same hands.
    let again = ["match", "leopard", "loud.json", "first.json", "--deals", "1", "--out", "again"];
    succeed(here.path(), &[&again[..], &["--records", "again.jsonl"]].concat());
    let records = |name: &str| fs::read_to_string(here.path().join(name)).unwrap();
    assert_eq!(records("h.jsonl"), records("again.jsonl"));
    let position = succeed(here.path(), &["replay", "h.jsonl", "--hand", "1", "--position", "5"]);
    fs::write(here.path().join("p.json"), position).unwrap();
    let advice = succeed(here.path(), &["advise", "p.json", "--strategy", "first.json"]);
    assert!(advice.starts_with("first plays "), "{advice}");
    // A player that fails gives no advice, and the message has the reason.
    file("ended.json", &player(HELLO, "exit 1"), json!({}));
    fail(
        here.path(),
        &["advise", "p.json", "--strategy", "ended.json"],
        1,
        &["`ended` failed (ended)"],
    );
    fail(
        here.path(),
        &["replay", "h.jsonl", "--advise", "ended.json"],
        1,
        &["`ended` failed (ended)"],
    );
    let response = ["exploit", "leopard", "first.json", "--deals", "2"];
    fail(here.path(), &response, 2, &["parlour: `first` is too slow", "external programs"]);
    // After `max_faults` faults it is not restarted.
    file("ends.json", &player(HELLO, "exit 1"), json!({ "max_faults": 3 }));
    let arguments = ["match", "leopard", "ends.json", "random", "--deals", "4", "--threads", "1"];
    let json = succeed(here.path(), &[&arguments[..], &["--json"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    let rows = json["strategies"].as_array().unwrap();
    let row = rows.iter().find(|row| row["strategy"] == "ends").unwrap();
    let counts = ["faults", "faults_ended", "faults_given_up"].map(|head| row[head].as_u64());
    assert_eq!(counts, [Some(8), Some(3), Some(5)]);
}

/// A player that cannot play is refused before the first hand.
#[test]
fn unusable_players_are_refused() {
    let here = tempfile::tempdir().unwrap();
    let refused = |command: Value, words: &[&str]| {
        let file =
            json!({ "about": "x", "kind": "external", "command": command, "start_ms": 1500 });
        fs::write(here.path().join("p.json"), file.to_string()).unwrap();
        fail(here.path(), &["match", "leopard", "p.json", "random"], 2, words);
    };
    let hello = |hello: &str| json!(player(hello, FIRST));
    refused(json!([]), &["p.json", "`command` is missing"]);
    refused(json!([""]), &["`command` begins with an empty text"]);
    refused(json!("python3"), &["field `command`", "a list"]);
    refused(json!(["./nonesuch"]), &["strategy `p`", "cannot start `./nonesuch`", "No such file"]);
    fs::write(here.path().join("text"), "no program").unwrap();
    refused(json!(["./text"]), &["cannot start `./text`", "ermission denied"]);
    refused(json!(["sleep", "5"]), &["no greeting", "did not answer in time"]);
    refused(json!(["true"]), &["no greeting", "exit status: 0"]);
    refused(hello("echo hello"), &["no greeting", "hello"]);
    refused(
        hello("echo '{\"protocol\":2,\"name\":\"a\"}'"),
        &["`a` speaks protocol 2; this program speaks 1"],
    );
    let other = "echo '{\"protocol\":1,\"name\":\"a\",\"games\":[\"chess\",\"go\"]}'";
    refused(hello(other), &["`a` plays chess, go, not leopard"]);
    refused(json!({ "a": 1 }), &["field `command`"]);
    let file = json!({ "about": "x", "kind": "external", "command": ["true"], "move_ms": 0 });
    fs::write(here.path().join("p.json"), file.to_string()).unwrap();
    fail(here.path(), &["match", "leopard", "p.json", "random"], 2, &["`move_ms`", "from 1 to"]);
    let file = json!({ "about": "x", "kind": "external", "command": ["true"] });
    fs::write(here.path().join("p.json"), file.to_string()).unwrap();
    let science = ["science", "--corpus", "test", "--deals", "1", "--strategy", "p.json"];
    fail(here.path(), &science, 2, &["strategy `p`", "no greeting"]);
    let without = [&science[..], &["--hold-out"]].concat();
    fail(here.path(), &without, 2, &["external program", "--hold-out"]);
}

/// Writes three cases with the rules no faces, red, and alternating colours.
fn cases(folder: &Path) {
    let deck: Vec<String> = "SHDC"
        .chars()
        .flat_map(|suit| "A23456789TJQK".chars().map(move |rank| format!("{rank}{suit}")))
        .collect();
    let deck: Vec<&String> = deck.iter().chain(&deck).collect();
    let case = |rule: &str| json!({ "name": rule, "deal": 0, "rule": rule, "deck": deck });
    let lines = ["rank <= 10", "red", "color != last.color"].map(|rule| case(rule).to_string());
    fs::write(folder.join("cases.jsonl"), lines.join("\n")).unwrap();
}

/// Runs `science` on these cases with a shell player.
fn science(folder: &Path, state: &str) -> Value {
    let script = format!(
        r#"while IFS= read -r line; do case "$line" in
        *'"type":"hello"'*) {HELLO} ;;
        *'"type":"state"'*) card=${{line#*\"hand\":[\"}}; card=${{card%%\"*}}; {state} ;;
        *'"type":"bye"'*) exit 0 ;;
        esac; done"#
    );
    let file = json!({ "about": "x", "kind": "external", "command": ["sh", "-c", script], "move_ms": 1500 });
    fs::write(folder.join("s.json"), file.to_string()).unwrap();
    let ask = ["science", "cases.jsonl", "--strategy", "s.json", "--json"];
    serde_json::from_str(&succeed(folder, &ask)).unwrap()
}

#[test]
fn external_players_discover_rules() {
    let here = tempfile::tempdir().unwrap();
    cases(here.path());
    // It states one rule from the second turn on, and commits to it unless it is refuted.
    let red = r#"case "$line" in
        *'"turn":1,'*) echo "{\"card\":\"$card\"}" ;;
        *'"refuted":["red"'*) echo "{\"card\":\"$card\",\"guess\":\"red\",\"probability\":0}" ;;
        *) echo "{\"card\":\"$card\",\"guess\":\"red\",\"probability\":0.5,\"commit\":true}" ;;
        esac"#;
    let found = science(here.path(), red);
    let rows = found["science_summary"].as_array().unwrap();
    let of = |field: &str| rows.iter().map(|row| row[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("solved"), [json!(false), json!(true), json!(false)], "{found}");
    assert_eq!(of("turn"), [json!(null), json!(2), json!(null)]);
    assert_eq!(of("wrong_commitments"), [json!(1), json!(0), json!(1)]);
    assert_eq!((of("fault"), &found["faults"]), (vec![json!(null); 3], &json!(0)));
    assert_eq!(rows[1]["brier"], json!(0.25));
    // The manifest lists strategies that are not reproducible.
    let out = ["science", "cases.jsonl", "--strategy", "s.json", "--out", "o"];
    succeed(here.path(), &out);
    let manifest = fs::read_to_string(here.path().join("o/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["not_reproducible"], json!(["s"]));
    // A player that fails loses the case, and the report describes the fault.
    for (misdeed, fault) in [
        ("sleep 5", "slow"),
        ("exit 1", "ended"),
        ("echo rubbish", "garbled"),
        ("echo '{\"card\":\"XX\"}'", "garbled"),
        (r#"echo "{\"card\":\"$card\",\"guess\":\"red red\",\"probability\":1}""#, "illegal"),
        (r#"echo "{\"card\":\"$card\",\"guess\":\"red\",\"probability\":7}""#, "illegal"),
    ] {
        let found = science(here.path(), misdeed);
        assert_eq!(found["faults"], json!(3), "{misdeed}: {found}");
        let rows = found["science_summary"].as_array().unwrap();
        assert!(rows.iter().all(|row| row["fault"] == fault && row["score"] == 0), "{found}");
        assert!(found["milliseconds_per_turn"].is_null(), "no case was played to the end: {found}");
        let first = found["first_fault"].as_str().unwrap();
        assert!(first.contains(&format!("rank <= 10, deal 0: {fault}: ")), "{first}");
    }
}

fn checked(folder: &Path, game: &str, command: &[String]) -> (Option<i32>, String) {
    let mut arguments =
        vec!["check-bot", "--game", game, "--move-ms", "1500", "--start-ms", "1500", "--"];
    arguments.extend(command.iter().map(String::as_str));
    let output = output(folder, &arguments);
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn check_bot_reports_each_check() {
    let here = tempfile::tempdir().unwrap();
    let (status, said) = checked(here.path(), "leopard", &player(HELLO, FIRST));
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("ok    starts and says hello\n"), "{said}");
    assert!(said.contains("ok    plays running-revised of leopard, seat 1\n"), "{said}");
    assert!(said.contains("ok    exits when told to\n"), "{said}");
    let (status, said) = checked(here.path(), "leopard", &player(HELLO, "echo '{\"index\":99}'"));
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("FAIL  plays revised of leopard, seat 0: illegal: it chose move 99"),
        "{said}"
    );
    let (status, said) = checked(here.path(), "leapfrog", &player("sleep 9", FIRST));
    assert_eq!((status, said.lines().count()), (Some(1), 1), "{said}");
    let deaf = format!(r#"read -r hello; {HELLO}; exec sleep 30"#);
    let (status, said) = checked(here.path(), "leopard", &["sh", "-c", &deaf].map(str::to_owned));
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("FAIL  plays revised of leopard, seat 0: slow: "), "{said}");
    assert!(said.contains("FAIL  exits when told to: it was still running after 2 s"), "{said}");
    fail(
        here.path(),
        &["check-bot", "--game", "chess", "--", "true"],
        2,
        &["unknown game `chess`"],
    );
}

/// A player in Python that writes its process, its seat and its first hand to a file.
const NOTES: &str = r#"
import json, os, sys
first = True
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"protocol": 1, "name": "notes"}), flush=True)
    elif message["type"] == "start":
        first, seat = True, message["seat"]
    elif message["type"] == "choose":
        if first:
            note = [os.getpid(), seat, message["view"]["hand"]]
            open("notes.jsonl", "a").write(json.dumps(note) + "\n")
        first = False
        print(json.dumps({"index": 0}), flush=True)
    elif message["type"] == "bye":
        break
"#;

#[test]
fn no_process_plays_a_deal_twice() {
    let here = tempfile::tempdir().unwrap();
    fs::write(here.path().join("notes.py"), NOTES).unwrap();
    let notes = json!({ "name": "notes", "kind": "external", "command": ["python3", "notes.py"] });
    let file = json!({
        "about": "x", "game": "leopard", "variants": ["original", "revised"],
        "strategies": [notes, "random", "greedy"], "mirror": true, "deals": 6
    });
    fs::write(here.path().join("x.json"), file.to_string()).unwrap();
    let run = ["run", "x.json", "--out", "r", "--records", "--quiet", "--threads", "2"];
    succeed(here.path(), &run);
    let lines = |name: &str| -> Vec<Value> {
        let text = fs::read_to_string(here.path().join(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    // The dealt hands of a seat in the first hand of a deal identify it.
    let dealt: std::collections::BTreeSet<String> =
        lines("r/records.jsonl").iter().map(|record| record["dealt"].to_string()).collect();
    let (mut met, notes) = (std::collections::BTreeSet::new(), lines("notes.jsonl"));
    let cards = |hand: &Value| -> Vec<String> {
        hand.as_array().unwrap().iter().map(|card| card.as_str().unwrap().to_owned()).collect()
    };
    for note in &notes {
        let hand = cards(&note[2]);
        let deal = dealt.iter().find(|deal| {
            let hands: Value = serde_json::from_str(deal).unwrap();
            cards(&hands[note[1].as_u64().unwrap() as usize]).iter().all(|it| hand.contains(it))
        });
        assert!(met.insert((note[0].as_u64(), deal.unwrap())), "{note} plays {deal:?} twice");
    }
    // Two seats against itself and two rotations against each of two others, under two variants.
    assert_eq!((dealt.len(), notes.len()), (6, 6 * 2 * (2 * 2 + 2 + 2)));
}

#[test]
fn a_changed_player_is_refused_on_resuming_and_merging() {
    let here = tempfile::tempdir().unwrap();
    let write = |version: &str| {
        let hello = format!(r#"{{"protocol":1,"name":"a","version":"{version}"}}"#);
        let [_, _, script] = &player(&format!("echo '{hello}'"), FIRST)[..] else { unreachable!() };
        fs::write(here.path().join("bot.sh"), script).unwrap();
    };
    let bot = json!({ "name": "bot", "kind": "external", "command": ["sh", "bot.sh"] });
    fs::write(here.path().join("x.json"), experiment(vec![json!("random"), bot], 4)).unwrap();
    write("1");
    succeed(here.path(), &["run", "x.json", "--out", "r", "--quiet"]);
    let manifest = fs::read_to_string(here.path().join("r/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let strategy = &manifest["inputs"]["strategies"][1];
    assert_eq!(strategy["version"], "1");
    assert_eq!(strategy["files"]["bot.sh"].as_str().unwrap().len(), 64, "{strategy}");
    succeed(here.path(), &["run", "x.json", "--out", "1", "--shard", "1/2", "--quiet"]);
    write("2");
    let more = ["run", "x.json", "--out", "r", "--quiet", "--resume", "--deals", "6"];
    fail(here.path(), &more, 2, &["`bot.sh` of `bot`", "--allow-other-build"]);
    succeed(here.path(), &[&more[..], &["--allow-other-build"]].concat());
    let manifest = fs::read_to_string(here.path().join("r/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let others = manifest["other_programs"].to_string();
    assert!(others.contains("`bot.sh` of `bot`") && others.contains("version 2"), "{others}");
    succeed(here.path(), &["run", "x.json", "--out", "2", "--shard", "2/2", "--quiet"]);
    fail(here.path(), &["merge", "1", "2", "--out", "m"], 2, &["`bot.sh` of `bot`"]);
    succeed(here.path(), &["merge", "1", "2", "--out", "m", "--allow-other-build"]);

    // Commands without an experiment file have the same override.
    let bot = r#"{ "kind": "external", "command": ["sh", "bot.sh"] }"#;
    fs::write(here.path().join("bot.json"), bot).unwrap();
    let quick = ["match", "leopard", "random", "./bot.json", "--out", "q", "--quiet", "--deals"];
    succeed(here.path(), &[&quick[..], &["4"]].concat());
    write("3");
    let more = [&quick[..], &["6", "--resume"]].concat();
    fail(here.path(), &more, 2, &["`bot.sh` of `bot`", "--allow-other-build"]);
    succeed(here.path(), &[&more[..], &["--allow-other-build"]].concat());
}

#[test]
fn the_limit_of_failures_holds_after_a_resume() {
    let here = tempfile::tempdir().unwrap();
    let bot = json!({ "name": "bot", "kind": "external", "command": player(HELLO, "exit 1"), "max_faults": 5 });
    fs::write(here.path().join("x.json"), experiment(vec![json!("random"), bot], 2)).unwrap();
    succeed(here.path(), &["run", "x.json", "--out", "r", "--quiet", "--threads", "1"]);
    let more =
        ["run", "x.json", "--out", "r", "--quiet", "--threads", "1", "--resume", "--deals", "4"];
    succeed(here.path(), &more);
    let mut reader = csv::Reader::from_path(here.path().join("r/strategies.csv")).unwrap();
    let mut rows = reader.deserialize().map(|row| -> BTreeMap<String, String> { row.unwrap() });
    let row = rows.find(|row| row["strategy"] == "bot").unwrap();
    assert_eq!([&row["faults_ended"], &row["faults_given_up"]], ["5", "3"]);
    let pilot = ["sample-size", "x.json", "--difference", "0.1", "--pilot", "5"];
    let said = succeed(here.path(), &pilot).replace('\n', " ");
    assert!(said.contains("Lost by bot failures, not by play: `bot` 10 of 10 hands."), "{said}");
}

#[test]
fn nothing_is_tuned_with_a_player_that_fails() {
    let here = tempfile::tempdir().unwrap();
    for (name, command) in [("crash", player(HELLO, "exit 1")), ("gone", vec!["./none".to_owned()])]
    {
        let file = json!({ "about": "x", "kind": "external", "command": command });
        fs::write(here.path().join(format!("{name}.json")), file.to_string()).unwrap();
    }
    let tune = |what: [&str; 2], against: &str, status: i32, words: &[&str]| {
        let how = ["--deals", "256", "--confirm", "20", "--quiet", "--against", against];
        let all = [&["tune", "leopard"], &what[..], &how[..]].concat();
        fail(here.path(), &all, status, words);
    };
    tune(["best-of-8", "tries=2,4"], "crash.json", 1, &["`crash` failed", "nothing is tuned"]);
    tune(["best-of-8", "tries=2,4"], "gone.json", 2, &["strategy `gone`", "cannot start"]);
    tune(["gone.json", "move_ms=100,200"], "random", 2, &["strategy `gone`", "cannot start"]);
    let front = ["tune", "revised", "knock_at=5,6", "--objective", "turns=min", "--strategies"];
    let front = [&front[..], &["crash.json,random", "--deals", "64", "--confirm", "64", "--quiet"]];
    fail(here.path(), &front.concat(), 1, &["nothing is tuned with `crash`"]);
}

#[test]
fn a_manifest_of_a_missing_player_is_refused_and_has_its_standard_error() {
    let here = tempfile::tempdir().unwrap();
    let [_, _, script] = &player(HELLO, FIRST)[..] else { unreachable!() };
    fs::write(here.path().join("bot.sh"), script).unwrap();
    let bot = json!({ "name": "bot", "kind": "external", "command": ["sh", "bot.sh"] });
    fs::write(here.path().join("x.json"), experiment(vec![json!("random"), bot], 1)).unwrap();
    succeed(here.path(), &["run", "x.json", "--out", "r", "--quiet"]);
    succeed(here.path(), &["run", "r/manifest.json", "--out", "again", "--quiet"]);
    assert!(here.path().join("again/stderr").is_dir());
    fs::remove_file(here.path().join("bot.sh")).unwrap();
    fail(
        here.path(),
        &["run", "r/manifest.json", "--out", "gone", "--quiet"],
        2,
        &["strategy `bot`"],
    );
}

/// A player that notes its process, and does what `choose` says.
fn noted(choose: &str) -> Vec<String> {
    player(&format!("echo $$ >>pids; {HELLO}"), choose)
}

/// Starts a command, sends a signal while its players think, and returns its exit status. Fails if it
/// goes on for a minute (a core dump takes seconds), or if a player lives on for one more.
#[cfg(target_os = "linux")]
fn signalled(folder: &Path, arguments: &[&str], signal: &str) -> Option<i32> {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let wait_for = |seconds: u64, is_so: &mut dyn FnMut() -> bool| {
        let until = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < until && !is_so() {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(is_so(), "{arguments:?}, {signal}: not within {seconds} s");
    };
    let pids = || fs::read_to_string(folder.join("pids")).unwrap_or_default();
    _ = fs::remove_file(folder.join("pids"));
    let mut command = crate::cli::common::parlour(folder);
    let command = command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    wait_for(20, &mut || !pids().is_empty());
    std::thread::sleep(Duration::from_millis(500));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
    wait_for(60, &mut || child.try_wait().unwrap().is_some());
    // A dead process is a zombie until its new parent looks at it.
    let lives = |pid: &str| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
    };
    wait_for(1, &mut || !pids().lines().any(lives));
    child.wait().unwrap().code()
}

#[cfg(target_os = "linux")]
#[test]
fn no_player_outlives_the_program() {
    let here = tempfile::tempdir().unwrap();
    let file = |name: &str, choose: &str| {
        let command = noted(choose);
        let file =
            json!({ "about": "x", "kind": "external", "command": command, "move_ms": 60_000 });
        fs::write(here.path().join(name), file.to_string()).unwrap();
    };
    // It thinks with a child in its group.
    file("bot.json", "sleep 60");
    let command = ["match", "leopard", "steady", "greedy", "--deals", "1", "--records", "g.jsonl"];
    succeed(here.path(), &command);
    let position = succeed(here.path(), &["replay", "g.jsonl", "--position", "3"]);
    fs::write(here.path().join("p.json"), position).unwrap();
    let strategies = vec![json!("random"), json!("./bot.json")];
    fs::write(here.path().join("x.json"), experiment(strategies, 3)).unwrap();
    let tune = ["tune", "leopard", "best-of-8", "tries=2,4", "--against", "./bot.json"];
    let mut check = vec!["check-bot", "--game", "leopard", "--move-ms", "60000", "--"];
    let thinker = noted("sleep 60");
    check.extend(thinker.iter().map(String::as_str));
    let commands: [&[&str]; 10] = [
        &["run", "x.json", "--out", "run"],
        &["match", "leopard", "./bot.json", "random", "--deals", "5"],
        &["match", "leopard", "./bot.json", "random", "--deals", "5", "--out", "match"],
        &["sample-size", "x.json", "--difference", "0.1", "--pilot", "50"],
        &["advise", "p.json", "--strategy", "./bot.json"],
        &["replay", "g.jsonl", "--advise", "./bot.json"],
        &check,
        &["play", "leopard", "--against", "./bot.json", "--seat", "1", "--no-open"],
        &["science", "--corpus", "test", "--deals", "1", "--strategy", "./bot.json"],
        &tune,
    ];
    for command in commands {
        let status = signalled(here.path(), command, "-INT");
        // Commands with nothing to save die of the signal.
        assert!([None, Some(130)].contains(&status), "{command:?}: {status:?}");
    }
    for (signal, status) in [("-TERM", Some(130)), ("-KILL", None), ("-QUIT", None)] {
        let run = ["run", "x.json", "--out", signal.trim_start_matches('-')];
        assert_eq!(signalled(here.path(), &run, signal), status);
    }
    // One that neither reads its input nor ends delays nobody.
    file("bot.json", r#"echo '{"index":0}'; exec sleep 60"#);
    let run = ["run", "x.json", "--out", "deaf"];
    assert_eq!(signalled(here.path(), &run, "-INT"), Some(130));
}

#[cfg(target_os = "linux")]
#[test]
fn goodbyes_take_no_longer_with_many_players() {
    let here = tempfile::tempdir().unwrap();
    let script = format!(
        r#"while IFS= read -r line; do case "$line" in
        *'"type":"hello"'*) {HELLO} ;;
        *'"type":"choose"'*) {FIRST} ;;
        esac; done; exec sleep 60"#
    );
    let mark = here.path().file_name().unwrap().to_string_lossy().into_owned();
    let command = json!(["sh", "-c", script, mark]);
    let deaf = (0..40).map(
        |number| json!({ "name": format!("d{number}"), "kind": "external", "command": command }),
    );
    let strategies = std::iter::once(json!("random")).chain(deaf).collect();
    fs::write(here.path().join("x.json"), experiment(strategies, 1)).unwrap();
    succeed(here.path(), &["run", "x.json", "--out", "r", "--threads", "1", "--quiet"]);
    let ended = fs::metadata(here.path().join("r/manifest.json")).unwrap().modified().unwrap();
    let late = ended.elapsed().unwrap();
    assert!(late.as_secs_f64() < 8.0, "80 deaf processes take {late:?}, not 16 s");
    assert_eq!(processes_with(&mark), [] as [String; 0], "processes are left behind");
}

#[cfg(target_os = "linux")]
#[test]
fn a_suspended_program_costs_no_hand() {
    let here = tempfile::tempdir().unwrap();
    let bot = json!({ "name": "bot", "kind": "external", "command": noted(&format!("sleep 0.3; {FIRST}")), "move_ms": 2000 });
    let short = json!({ "name": "short", "base": "revised", "knock_at": 1 });
    let file = json!({ "about": "x", "game": "leopard", "variants": [short], "strategies": [bot, "random-knocker"], "deals": 1 });
    fs::write(here.path().join("x.json"), file.to_string()).unwrap();
    let mut command = crate::cli::common::parlour(here.path());
    let mut child = command.args(["run", "x.json", "--out", "r", "--quiet"]).spawn().unwrap();
    let signal = |signal: &str| {
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
    };
    while !here.path().join("pids").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    signal("-STOP");
    std::thread::sleep(std::time::Duration::from_millis(3000));
    signal("-CONT");
    assert!(child.wait().unwrap().success());
    let text = fs::read_to_string(here.path().join("r/strategies.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.deserialize().map(|row| -> BTreeMap<String, String> { row.unwrap() });
    assert!(rows.map(|row| row["faults"].clone()).all(|faults| faults == "0"), "{text}");
}

#[test]
fn a_lack_of_files_stops_the_run_and_costs_no_hand() {
    let here = tempfile::tempdir().unwrap();
    let bots = (0..12).map(|number| {
        json!({ "name": format!("b{number}"), "kind": "external", "command": player(HELLO, FIRST) })
    });
    let strategies = std::iter::once(json!("random")).chain(bots).collect();
    fs::write(here.path().join("x.json"), experiment(strategies, 4)).unwrap();
    for files in ["40", "70", "80"] {
        let limited =
            format!("ulimit -n {files}; exec \"$0\" run x.json --out r{files} --threads 2 --quiet");
        let program = env!("CARGO_BIN_EXE_parlour");
        let mut command = std::process::Command::new("sh");
        let output = command.args(["-c", &limited, program]).current_dir(here.path()).output();
        crate::cli::common::refuse(&output.unwrap(), 1, &["open files", "ulimit"]);
        assert!(!here.path().join(format!("r{files}/manifest.json")).exists());
    }
}

#[test]
fn messages_tell_bot_authors_what_to_do() {
    let here = tempfile::tempdir().unwrap();
    let (status, said) = checked(here.path(), "leopard", &player("cat >/dev/null", FIRST));
    assert_eq!(status, Some(1), "{said}");
    for word in ["flush", r#"{"protocol":1,"name":"NAME"}"#] {
        assert!(said.contains(word), "{said}");
    }
    let (_, said) = checked(here.path(), "leopard", &player("echo hello", FIRST));
    assert!(
        said.contains(r#"{"protocol":1,"name":"NAME"}"#) && said.contains("\"hello\""),
        "{said}"
    );
    let (_, said) = checked(here.path(), "leopard", &player(HELLO, r#"echo '{"index":0.0}'"#));
    assert!(said.contains("expected a whole number, 0 or more"), "{said}");
    assert_eq!(said.lines().filter(|line| line.starts_with("FAIL")).count(), 1, "{said}");
}
