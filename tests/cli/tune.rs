//! Tuning: equal bytes for any threads and stops, the files written, wrong input.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parlour::Result;
use parlour::arena::Observer;
use parlour::error::Kind;
use parlour::games::Job;
use parlour::tune::{SearchSpace, TuneOutcome, TuneRequest};
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::common::{fail, parlour, same, succeed};

/// Stops a tuning after this number of hands.
#[derive(Default)]
struct StopAfter {
    hands: Option<u64>,
    count: AtomicU64,
    stop: Arc<AtomicBool>,
}

impl Observer for StopAfter {
    fn played(&self, more: u64) {
        let all = self.count.fetch_add(more, Ordering::Relaxed) + more;
        if self.hands.is_some_and(|most| all > most) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Tunes weights of `steady-plain`, or values of `best-of-8`; stops after `hands` hands.
fn tune(
    space: &SearchSpace,
    out: &Path,
    threads: usize,
    hands: Option<u64>,
) -> Result<TuneOutcome> {
    let name = if matches!(space, SearchSpace::Reals(_)) { "steady-plain" } else { "best-of-8" };
    let observer = StopAfter { hands, ..StopAfter::default() };
    let request = TuneRequest {
        strategy: name.to_owned(),
        against: None,
        variants: vec!["revised".to_owned()],
        space: space.clone(),
        deals: 1024,
        starts: 2,
        confirm: 400,
        seed: 3,
        out: Some(out.to_path_buf()),
        job: Job {
            replace: false,
            resume: true,
            threads,
            program: parlour::PROGRAM,
            stop: &observer.stop,
            observer: &observer,
        },
    };
    let tuned = (parlour::games::game("leopard")?.tune)(&request)?;
    assert_eq!(tuned.file.as_deref(), Some(out), "there is a gain");
    Ok(TuneOutcome { file: None, ..tuned })
}

fn weights() -> SearchSpace {
    SearchSpace::Reals(
        ["own_now", "own_horizon", "many_keep"].map(|f| format!("weights.{f}")).to_vec(),
    )
}

#[test]
fn results_do_not_depend_on_threads_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).with_extension("json");
    let state = folder.path().join("parts.json.unfinished");
    let values = SearchSpace::Values(parlour::game::Sweep::parse(["tries=1,4,16,8"]).unwrap());
    for (space, stops) in [(weights(), [700, 1500, 1500]), (values, [300, 500, 500])] {
        let whole = tune(&space, &out("whole"), 2, None).unwrap();
        let one = tune(&space, &out("one"), 1, None).unwrap();
        assert_eq!(whole, one, "one thread and two");
        for hands in stops {
            let stopped = tune(&space, &out("parts"), 2, Some(hands)).unwrap_err();
            assert_eq!(stopped.kind(), Kind::Stopped, "{stopped}");
            assert!(state.exists(), "{stopped}");
        }
        assert_eq!(tune(&space, &out("parts"), 2, None).unwrap(), whole, "stopped and resumed");
        assert!(!state.exists());
        let bytes = |name| std::fs::read(out(name)).unwrap();
        assert!(bytes("whole") == bytes("one") && bytes("whole") == bytes("parts"));
        for name in ["whole", "one", "parts"] {
            std::fs::remove_file(out(name)).unwrap();
        }
    }
}

#[test]
fn a_tuned_strategy_states_its_origin_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let small = ["--deals", "512", "--confirm", "200", "--quiet"];
    let command = [&["tune", "best-of-8", "tries=2..50:16"][..], &small].concat();
    let said = succeed(here, &command);
    assert!(
        said.contains("Tuned, `best-of-8` scores 0.")
            && said.contains("| tries |      8 |    50 |")
    );
    let text = std::fs::read_to_string(here.join("best-of-8-tuned.json")).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let tuned = &file["tuned"];
    assert_eq!(
        (&file["tries"], &tuned["from"], &tuned["seed"]),
        (&50.into(), &"best-of-8".into(), &1.into())
    );
    assert_eq!((&tuned["under"][0], &tuned["fresh_deals"]), (&"revised".into(), &200.into()));
    assert!(tuned["score"][1].as_f64().unwrap() > 0.5);
    succeed(here, &["match", "leopard", "./best-of-8-tuned.json", "random", "--deals", "4"]);
    fail(here, &command, 2, &["best-of-8-tuned.json already exists", "--replace"]);
    // The best of these is the strategy itself.
    let none = [&["tune", "best-of-8", "tries=1,8", "--out", "none.json"][..], &small].concat();
    assert!(succeed(here, &none).starts_with("No gain found"));
    assert!(!here.join("none.json").exists());
}

#[test]
fn wrong_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = |arguments: &[&str], words: &[&str]| {
        fail(folder.path(), &[&["tune"], arguments].concat(), 2, words);
    };
    wrong(&["stedy"], &["unknown strategy `stedy`. Did you mean `steady`?"]);
    wrong(&["greedy"], &["leopard and leapfrog have `greedy`", "parlour tune leopard greedy"]);
    wrong(&["leopard", "greedy"], &["`greedy` has no real-valued fields to tune"]);
    wrong(&["steady", "--fields", "weights.thret"], &["Did you mean `weights.threat`?"]);
    wrong(
        &["ismcts-500", "--fields", "playouts.by"],
        &["is \"brisk\", not a number", "playouts.by=A,B"],
    );
    wrong(&["ismcts-500", "--fields", "budget"], &["`budget`", "an integer"]);
    wrong(&["best-of-8", "tries=0,1"], &["`tries` is 0; it must be from 1"]);
    wrong(&["best-of-8", "tries=1..5000"], &["5000 combinations", "at most 1000", "hands"]);
    wrong(
        &["steady", "--fields", "weights.many_keep"],
        &["no real-valued field of `steady` has an effect"],
    );
    wrong(&["bayes", "--variant", "eleusis"], &["`eleusis` has 5 seats", "tables of 2"]);
    wrong(&["steady", "--variant", "nope"], &["unknown variant of leopard `nope`"]);
    wrong(&["steady", "--deals", "3"], &["at least 256 deals"]);
    wrong(&["best-of-8", "tries=1..100", "--deals", "600"], &["`--deals` is 600", "at least "]);
    wrong(&["revised", "knock_at=5,6"], &["`revised` is a variant", "--objective"]);
}

#[test]
fn a_pareto_front_is_confirmed_on_fresh_deals() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let command = [
        "tune",
        "revised",
        "knock_at=4..16:2",
        "suit_line=2,3",
        "--objective",
        "turns=min,knock_rate=max",
        "--strategies",
        "greedy",
        "--deals",
        "128",
        "--confirm",
        "200",
        "--quiet",
    ];
    let said =
        succeed(here, &[&command[..], &["--out", "front", "--replace", "--threads", "1"]].concat());
    assert!(
        said.starts_with("Do other rules beat revised on low turns and high knock rate?\n\n")
            && said.contains("Of 14 rule sets, these came out best")
            && said.contains("200 fresh deals"),
        "{said}"
    );
    // The original rules first, then the others by what differs; the fewest turns are clear.
    let row =
        |name: &str| said.lines().find(|line| line.starts_with(&format!("| {name} "))).unwrap();
    assert!(!row("revised").contains("better"), "{said}");
    assert!(row("knock at 4").contains(" better "), "{said}");
    // The page, `show` and the tables give the same verdicts on the stored objectives.
    let show = succeed(here, &["show", "front"]);
    assert!(show.contains(row("knock at 4")) && show.starts_with("Do other rules beat revised on"));
    let page = std::fs::read_to_string(here.join("front/report.html")).unwrap();
    assert!(page.contains("Do other rules beat revised on low turns and high knock rate?"));
    let answer = std::fs::read_to_string(here.join("front/answer.csv")).unwrap();
    let turns = answer.lines().find(|line| line.contains("revised-knock_at-4-suit_line-3,"));
    assert!(turns.is_some_and(|line| line.contains(",lower,")), "{answer}");
    let table = std::fs::read_to_string(here.join("front/variants.csv")).unwrap();
    assert!(table.starts_with("variant,knock_at,suit_line,deals,"), "{table}");
    let again = succeed(here, &[&command[..], &["--threads", "2", "--json"]].concat());
    let again: serde_json::Value = serde_json::from_str(&again).unwrap();
    let names = again["front"].as_array().unwrap();
    assert!(names.contains(&"revised-knock_at-4-suit_line-3".into()), "{names:?}");
    fail(
        here,
        &[&command[..], &["--out", "front"]].concat(),
        2,
        &["front already contains a finished run"],
    );
    let on = [&command[..], &["--out", "front", "--resume"]].concat();
    fail(here, &on, 2, &["the search in front is finished"]);
    // A killed search resumes to the same bytes.
    let broken = [&command[..], &["--out", "broken", "--threads", "2", "--resume"]].concat();
    for leg in 0..40 {
        let mut child = parlour(here).args(&broken).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(60 + 45 * leg));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if leg == 3 && here.join("broken.unfinished").exists() {
            let fresh = [&command[..], &["--out", "broken"]].concat();
            fail(here, &fresh, 2, &["broken.unfinished holds unfinished work", "--resume"]);
            let other = [&broken[..], &["--seed", "2"]].concat();
            fail(here, &other, 2, &["request.json", "`experiment.seed` was 1, it is 2 now"]);
        }
    }
    same(&here.join("front"), &here.join("broken"));
    assert!(!here.join("broken.unfinished").exists() && !here.join("front.unfinished").exists());
    let wrong = |arguments: &[&str], words: &[&str]| {
        fail(here, &[&["tune"], arguments, &["--strategies", "greedy"]].concat(), 2, words);
    };
    let typo = ["revised", "knock_at=4..6", "--objective", "turn=min", "--out", "typo"];
    wrong(&typo, &["Did you mean `turns`?"]);
    assert!(!here.join("typo.unfinished").exists());
    // Where no rule set keeps a limit, the nearest is the answer.
    let limit =
        ["revised", "knock_at=4..6", "--objective", "draw_rate=min,turns<=3", "--out", "limit"];
    let rest = ["--strategies", "greedy", "--deals", "128", "--quiet"];
    let said = succeed(here, &[&["tune"], &limit[..], &rest].concat());
    assert!(
        said.starts_with("Do other rules") && said.contains("No rule set keeps all limits."),
        "{said}"
    );
    assert!(said.contains("Out (turns at most 3): `revised` and `knock at 4`."), "{said}");
    assert!(here.join("limit").exists() && !here.join("limit.unfinished").exists());
    wrong(
        &["revised", "knock_at=4..6", "--objective", "turns<=30"],
        &["has only limits; add a goal"],
    );
    wrong(
        &["revised", "knock_at=4..6", "--objective", "turns=low"],
        &["`turns=low` is not an objective"],
    );
    for (objective, told) in [
        ("first_seat_score=50", "`first_seat_score` is a share from 0 to 1"),
        ("rating=max", "`rating` is a figure of strategies"),
    ] {
        wrong(&["revised", "draw=1,2", "--objective", objective], &["`objective`", told]);
    }
    wrong(&["revised", "knok_at=4..6", "--objective", "turns=min"], &["Did you mean `knock_at`?"]);
    wrong(&["revised", "--objective", "turns=min"], &["nothing to tune; give FIELD=VALUES"]);
    wrong(
        &["revised", "knock_at", "suit_line=2,3", "--objective", "turns=min"],
        &["`knock_at` has no values", "`knock_at=4..10`"],
    );
    for clash in [["turns=min", "turns=max"], ["turns<=10", "turns>=20"], ["turns=30", "turns=40"]]
    {
        let objective = clash.join(",") + ",draw_rate=min";
        let [one, two] = clash.map(|text| format!("`{text}`"));
        wrong(
            &["revised", "knock_at=4..6", "--objective", &objective],
            &["`objective`", &one, &two, "contradict each other; keep one of them"],
        );
    }
    wrong(&["revisd", "draw=1,2", "--objective", "turns=min"], &["Did you mean `revised`?"]);
}

#[test]
fn an_experiment_searches_a_space_and_maps_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = |plan: &str, deals: u64| {
        format!(
            r#"{{ "game": "leopard", "variants": ["revised", "original"], "strategies": ["greedy"],
                "mirror": true, "deals": 100, "seed": 3, "plan": ["{plan}"],
                "question": {{ "objective": ["turns=min", "knock_rate=max"] }},
                "search": {{ "rules": {{ "knock_at": "4..16:2", "suit_line": [2, 3] }}, "deals": {deals} }} }}"#
        )
    };
    let file = here.join("study.json");
    let read = |name: &str| std::fs::read_to_string(here.join("one").join(name)).unwrap();
    std::fs::write(&file, text("Higher thresholds make longer hands.", 128)).unwrap();
    let said = succeed(here, &["run", "study.json", "--out", "one"]);
    assert!(said.contains("| original ") && said.contains("Of 14 rule sets, "), "{said}");
    let said = succeed(here, &["run", "study.json", "--quiet", "--out", "two", "--threads", "1"]);
    assert_eq!(said, "Results: two\n");
    same(&here.join("one"), &here.join("two"));
    // All rule sets with their figures, and the effects of the rules by surfaces.
    let sets = read("rule_sets.csv");
    assert!(sets.starts_with("knock_at,suit_line,deals,turns,turns_low,turns_high,knock_rate,"));
    assert_eq!(sets.lines().count(), 15, "{sets}");
    let effects = read("effects.csv");
    let effect = |start: &str| -> Vec<f64> {
        let row = effects.lines().find(|line| line.starts_with(start)).unwrap();
        row.split(',').rev().take(3).map(|cell| cell.parse().unwrap()).collect()
    };
    assert!(effect("turns,turns per hand,knock_at,4,16,,")[1] > 10.0, "{effects}");
    let shorter_with_more_points = effect("turns,turns per hand,suit_line,3,2,,");
    assert!(shorter_with_more_points[1] > 0.0, "{effects}");
    assert_eq!(effects.lines().count(), 1 + 2 * 3, "{effects}");
    assert!(read("map.html").contains(r#"["knock_rate","share of hands"]"#));
    // The plan is in the manifest, with the digest of the file.
    let manifest: serde_json::Value = serde_json::from_str(&read("manifest.json")).unwrap();
    let digest = parlour::files::digest(std::fs::read(&file).unwrap());
    assert_eq!(manifest["inputs"]["experiment"]["sha256"], digest);
    assert_eq!(manifest["experiment"]["plan"][0], "Higher thresholds make longer hands.");
    assert!(manifest["files"]["rule_sets.csv"].is_string(), "{manifest}");
    // A manifest and a bundle repeat the search, and its confirmation for lists of hands.
    succeed(here, &["run", "one/manifest.json", "--quiet", "--out", "fresh"]);
    let fresh = |name: &str| std::fs::read_to_string(here.join("fresh").join(name)).unwrap();
    for name in ["rule_sets.csv", "effects.csv", "variants.csv", "map.html"] {
        assert_eq!(read(name), fresh(name), "{name}");
    }
    succeed(here, &["bundle", "one"]);
    // Parquet has all rows, and the types of the columns.
    for (table, kinds) in [
        ("rule_sets", "INT64 INT64 INT64 DOUBLE DOUBLE DOUBLE DOUBLE DOUBLE DOUBLE"),
        ("effects", "TEXT TEXT TEXT INT64 INT64 TEXT DOUBLE DOUBLE DOUBLE"),
    ] {
        let file = here.join(format!("one-bundle/tables/{table}.parquet"));
        let file = SerializedFileReader::new(File::open(file).unwrap()).unwrap();
        let found = file.metadata().file_metadata();
        let lines = read(&format!("{table}.csv")).lines().count();
        assert_eq!(found.num_rows() as usize + 1, lines, "{table}");
        let columns = found.schema_descr().columns().iter();
        let found: Vec<String> = columns.map(|it| it.physical_type().to_string()).collect();
        assert_eq!(found.join(" ").replace("BYTE_ARRAY", "TEXT"), kinds, "{table}");
    }
    let said = succeed(here, &["run", "one-bundle", "--out", "repeated"]);
    assert!(said.contains("All tables equal those of the bundle."), "{said}");
    succeed(here, &["run", "one/manifest.json", "--quiet", "--hands", "--out", "hands"]);
    assert!(here.join("hands/hands.csv").exists() && !here.join("hands/map.html").exists());
    // The bundle's digests were written again after a change.
    let (sums, table) = (here.join("one-bundle/SHA256SUMS"), here.join("one-bundle/rule_sets.csv"));
    let digest = |text: &str| parlour::files::digest(text.as_bytes());
    let (old, new) = (read("rule_sets.csv"), read("rule_sets.csv").replace("4,2,", "4,3,"));
    let listed = std::fs::read_to_string(&sums).unwrap().replace(&digest(&old), &digest(&new));
    std::fs::write(sums, listed).unwrap();
    std::fs::write(table, new).unwrap();
    let told = "rule_sets.csv differs from that of the bundle";
    fail(here, &["run", "one-bundle", "--out", "other"], 1, &[told]);
    let own = r#"[{ "name": "mine", "base": "revised", "draw": 2 }]"#;
    let own = text("x", 128).replace(r#"["revised", "original"]"#, own);
    std::fs::write(here.join("own.json"), own).unwrap();
    let said = succeed(here, &["run", "own.json", "--out", "own"]);
    assert!(said.contains("beat mine on") && said.contains("| mine "), "{said}");
    let aimless =
        text("x", 128).replace("objective", "figure").replace("=min", "").replace("=max", "");
    std::fs::write(here.join("aimless.json"), aimless).unwrap();
    fail(here, &["run", "aimless.json"], 2, &["`search` needs objectives"]);
    let shard = |part| ["run", "study.json", "--quiet", "--out", "three", "--shard", part];
    let other = [&shard("2/2")[..], &["--resume"]].concat();
    let mut second = parlour(here).args(&other).spawn().unwrap();
    while !here.join("three.shards/2-of-2.unfinished/round-1-0").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    second.kill().unwrap();
    second.wait().unwrap();
    let mut second = parlour(here).args(&other).spawn().unwrap();
    assert_eq!(succeed(here, &shard("1/2")), "Results: three\n");
    assert!(second.wait().unwrap().success());
    // Any shard may be slower than the others.
    assert!(
        [1, 2].iter().all(|it| here.join(format!("three.shards/{it}-of-2.unfinished")).exists())
    );
    same(&here.join("one"), &here.join("three"));
    let typo = text("x", 128).replace("knock_at", "knok_at");
    std::fs::write(here.join("typo.json"), typo).unwrap();
    let words = ["field `search.rules.knok_at[0]`", "Did you mean `knock_at`?"];
    fail(here, &["run", "typo.json"], 2, &words);
    // A plan that was changed after the first deal is refused.
    std::fs::write(&file, text("Higher thresholds make longer hands.", 1_000_000)).unwrap();
    let resume = ["run", "study.json", "--quiet", "--out", "long", "--resume"];
    let mut child = parlour(here).args(resume).spawn().unwrap();
    while !here.join("long.unfinished/round-1-0").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::write(&file, text("Nothing changes.", 1_000_000)).unwrap();
    let words = ["`experiment.plan[0]` was \"Higher", "it is \"Nothing changes.\" now"];
    fail(here, &resume, 2, &words);
}

#[test]
fn the_answer_has_the_figures_of_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let players = ["--strategies", "greedy,brisk,random", "--deals", "64", "--confirm", "100"];
    let what = ["tune", "revised", "suit_line=3,5", "--objective", "draw_rate=max,turns=min"];
    succeed(here, &[&what[..], &players, &["--out", "out", "--quiet"]].concat());
    let rows = |name: &str| -> Vec<BTreeMap<String, String>> {
        let text = std::fs::read_to_string(here.join("out").join(name)).unwrap();
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
        let heads: Vec<String> = lines.next().unwrap().collect();
        lines.map(|cells| heads.iter().cloned().zip(cells).collect()).collect()
    };
    let (answer, variants) = (rows("answer.csv"), rows("variants.csv"));
    assert_eq!(answer.len(), 2, "{answer:?}");
    for finding in answer {
        let variant = variants.iter().find(|it| it["variant"] == finding["subject"]).unwrap();
        assert_eq!(variant[&finding["figure"]], finding["subject_value"]);
    }
}

#[test]
fn rules_come_near_a_matrix_of_win_rates_in_a_large_space() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let matrix = |rates: &str| {
        let text = format!(r#"{{ "players": ["greedy", "random"], "win_rates": {rates} }}"#);
        std::fs::write(here.join("matrix.json"), text).unwrap();
    };
    let fields = ["knock_at=4..16", "suit_line=2..5", "color_line=0..2", "bonus_over=5..9"];
    let tune = |objective: &str, more: &[&str]| -> Vec<String> {
        let how = ["--strategies", "greedy,random", "--deals", "64", "--confirm", "100", "--quiet"];
        let words = [&["tune", "revised"], &fields[..], &["--objective", objective], &how, more];
        words.concat().iter().map(|word| (*word).to_owned()).collect()
    };
    let both = |threads: &str| {
        let all = tune("matrix.json,turns=min", &["--threads", threads, "--out", threads]);
        succeed(here, &all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    matrix("[[0.5, 0.8], [0.2, 0.5]]");
    let said = both("1");
    assert!(
        said.starts_with("Do other rules beat revised on low win rate distance and low turns?")
    );
    assert!(said.contains("Of 780 rule sets, ") && said.contains(" were played;"), "{said}");
    both("2");
    same(&here.join("1"), &here.join("2"));
    let table = std::fs::read_to_string(here.join("1/variants.csv")).unwrap();
    assert!(table.lines().next().unwrap().contains(",win_rate_distance,"), "{table}");
    // The question of the run has the matrix, so that the run can be repeated.
    let again = ["run", "1/manifest.json", "--out", "again", "--quiet"];
    succeed(here, &again);
    assert!(succeed(here, &["show", "again"]).contains("low win rate distance"));
    let wrong = |objective: &str, texts: &[&str]| {
        let all = tune(objective, &[]);
        fail(here, &all.iter().map(String::as_str).collect::<Vec<_>>(), 2, texts);
    };
    matrix("[[0.5, 0.8], [0.3, 0.5]]");
    wrong("matrix.json", &["matrix.json", "`win_rates[0][1]`", "do not add up to 1"]);
    matrix("[[0.5, 0.8]]");
    wrong("matrix.json", &["matrix.json", "`win_rates`", "2 players need 2 rows"]);
    matrix("[0.5]");
    wrong("matrix.json", &["matrix.json"]);
    matrix("[[0.5, 0.8], [0.2, 0.5]]");
    wrong("win_rate_distance=min", &["`win_rate_distance`"]);
    let text =
        std::fs::read_to_string(here.join("matrix.json")).unwrap().replace("greedy", "gredy");
    std::fs::write(here.join("matrix.json"), text).unwrap();
    wrong("matrix.json", &["Did you mean `greedy`?"]);
}

#[test]
fn damaged_progress_and_a_second_process_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("t.json");
    let stopped = tune(&weights(), &out, 2, Some(700)).unwrap_err();
    assert_eq!(stopped.kind(), Kind::Stopped, "{stopped}");
    let checkpoint = folder.path().join("t.json.unfinished");
    for name in ["state.json", "request.json"] {
        let place = checkpoint.join(name);
        let whole = std::fs::read(&place).unwrap();
        for at in (0..whole.len()).step_by(whole.len() / 60) {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            std::fs::write(&place, flipped).unwrap();
            let error = tune(&weights(), &out, 2, None).unwrap_err();
            assert_eq!(error.kind(), Kind::Input, "{error}");
            assert!(error.to_string().contains(name), "{error}");
        }
        std::fs::write(&place, whole).unwrap();
    }
    let lock = parlour::files::DirLock::acquire(&checkpoint).unwrap();
    let error = tune(&weights(), &out, 2, None).unwrap_err().to_string();
    assert!(error.contains("is in use: process"), "{error}");
    drop(lock);
    tune(&weights(), &out, 2, None).unwrap();
    assert!(!checkpoint.exists());
    // Killed after it wrote the file: the tuning is resumed, and wrong input leaves no folder.
    let wrong = SearchSpace::Reals(vec!["weights.nothing".to_owned()]);
    assert_eq!(
        tune(&wrong, &folder.path().join("no.json"), 1, None).unwrap_err().kind(),
        Kind::Input
    );
    assert!(!folder.path().join("no.json.unfinished").exists());
}

#[test]
fn a_variant_file_is_tuned_within_limits() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = r#"{ "about": "Longer.", "base": "revised", "knock_at": 60 }"#;
    std::fs::write(here.join("mine.json"), text).unwrap();
    let tune = |objective: &str| {
        let start = ["tune", "mine.json", "knock_at=5,60,70", "suit_line=2,3"];
        let end = ["--strategies", "greedy", "--deals", "64", "--confirm", "100", "--quiet"];
        [&start[..], &["--objective", objective], &end]
            .concat()
            .iter()
            .map(|word| (*word).to_owned())
            .collect()
    };
    let run = |objective: &str| {
        let words: Vec<String> = tune(objective);
        succeed(here, &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    // Nobody knocks at 60 or above: those rule sets play the same hands.
    let said = run("turns=min,knock_rate=max");
    assert!(said.contains("knock at 5") && !said.contains("knock at 70"), "{said}");
    assert!(said.contains("Clearly better than `mine` on both goals: "), "{said}");
    // The limit leaves out what is best without it.
    let said = run("turns=min,knock_rate<=0.1");
    assert!(
        said.contains("Nothing clearly beats `mine`.") && !said.contains("knock at 5"),
        "{said}"
    );
    let fixed = ["tune", "mine.json", "knock_at=60,70", "--objective", "turns=min"];
    let fixed = [&fixed[..], &["--strategies", "greedy", "--deals", "64", "--quiet"]].concat();
    fail(here, &fixed, 2, &["nothing to tune: the hands end alike under all values"]);
    fail(
        here,
        &["tune", "mine.json", "knock_at=5,6"],
        2,
        &["`mine.json` is a variant", "--objective"],
    );
    // Others are compared with the reference, by the name or the path of its file.
    let compare = ["compare", "leopard", "revised", "mine.json", "--strategies", "greedy"];
    for reference in ["mine", "mine.json"] {
        let compare = [&compare[..], &["--deals", "10", "--reference", reference]].concat();
        assert!(succeed(here, &compare).contains("Compared with mine on the same deals"));
    }
    let wrong = [&compare[..], &["--reference", "revisd"]].concat();
    fail(here, &wrong, 2, &["Did you mean `revised`?"]);
}
