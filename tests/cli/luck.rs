//! Luck is taken out of results: the same bytes however a run is divided, and clear words where
//! there is nobody to judge it.

use std::path::Path;

use parlour::games::leopard::Leopard;
use parlour::games::leopard::network::{Features, LUCK_HIDDEN, Net, NetworkFile};
use parlour::{Ruled, Seed};

use super::common::{column, fail, same, succeed};

/// An experiment of this game whose luck is judged as this says.
fn write(folder: &Path, game: &str, variants: &str, luck: &str) {
    let other = if game == "leopard" { "brisk" } else { "random" };
    let text = format!(
        r#"{{ "game": "{game}", "variants": {variants}, "strategies": ["greedy", "{other}"],
  "deals": 40, "seed": 5{luck} }}"#
    );
    std::fs::write(folder.join("e.json"), text).unwrap();
}

fn leopard(folder: &Path, luck: &str) {
    let short =
        r#"{ "name": "short", "base": "running-revised", "hands_per_match": 2, "hand_size": 3 }"#;
    write(folder, "leopard", &format!(r#"["revised", {short}]"#), luck);
}

#[test]
fn bytes_do_not_depend_on_threads_shards_or_extension() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    leopard(here, r#", "luck_adjusted": true"#);
    let run = |more: &[&str]| succeed(here, &[&["run", "./e.json", "--quiet"], more].concat());
    run(&["--out", "one", "--threads", "1"]);
    run(&["--out", "two", "--threads", "2"]);
    same(&here.join("one"), &here.join("two"));
    run(&["--out", "a", "--shard", "1/2"]);
    run(&["--out", "b", "--shard", "2/2"]);
    succeed(here, &["merge", "b", "a", "--out", "merged"]);
    same(&here.join("one"), &here.join("merged"));
    run(&["--out", "more", "--deals", "15"]);
    run(&["--out", "more", "--resume", "--deals", "40"]);
    same(&here.join("one"), &here.join("more"));
}

#[test]
fn adjusted_columns_are_added_to_the_plain_ones() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let run = |luck: &str, out: &str| {
        leopard(here, luck);
        succeed(here, &["run", "./e.json", "--quiet", "--out", out]);
        here.join(out)
    };
    let (plain, adjusted) = (run("", "plain"), run(r#", "luck_adjusted": true"#, "adjusted"));
    for name in ["score", "margin_low", "turns"] {
        assert_eq!(column(&plain, "matchups.csv", name), column(&adjusted, "matchups.csv", name));
    }
    let left = |folder: &Path| column(folder, "variants.csv", "first_seat_remaining_variance");
    assert!(left(&plain).iter().all(String::is_empty));
    let left: Vec<f64> = left(&adjusted).iter().map(|left| left.parse().unwrap()).collect();
    assert!(left[0] < 0.8, "{left:?}");
    let score = &column(&adjusted, "matchups.csv", "score_luck_adjusted")[0];
    assert!((0.0..=0.5).contains(&score.parse::<f64>().unwrap()), "{score}");
    let shown = succeed(here, &["show", "adjusted"]);
    assert!(shown.contains("luck-adjusted") && shown.contains("remaining variance"), "{shown}");
    assert!(!succeed(here, &["show", "plain"]).contains("luck-adjusted"));
}

/// The file of a judge that knows nothing, of these rules alone or of all, who tells these players
/// apart.
fn judge_of(variant: Option<&str>, hidden: usize, players: &[&str]) -> Vec<u8> {
    let mut chance = Seed::new(3).stream();
    let detailed = !players.is_empty();
    let mut net =
        Net::zero(if detailed { Features::DetailedState } else { Features::State }, hidden);
    net.rows.iter_mut().for_each(|weight| *weight = chance.below(41) as i16 - 20);
    net.out.iter_mut().for_each(|weight| *weight = chance.below(101) as i16 - 50);
    let rules = variant.map(|name| Leopard::preset(name).unwrap());
    let players = players.iter().map(|player| (*player).to_owned()).collect();
    NetworkFile { net, rules, players }.to_bytes("a test")
}

fn judge(variant: Option<&str>) -> Vec<u8> {
    judge_of(variant, LUCK_HIDDEN, &[])
}

#[test]
fn an_uninformed_judge_removes_less_luck() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("bad.network"), judge(None)).unwrap();
    leopard(here, r#", "luck_adjusted": "bad.network""#);
    succeed(here, &["run", "./e.json", "--quiet", "--out", "r"]);
    let number = |name: &str| {
        let found = &column(&here.join("r"), "variants.csv", name)[0];
        found.parse::<f64>().unwrap()
    };
    let left = number("first_seat_remaining_variance");
    assert!((0.8..1.3).contains(&left), "{left}");
    let away = number("first_seat_luck_adjusted") - number("first_seat_score");
    assert!(
        away.abs()
            < number("first_seat_luck_adjusted_high") - number("first_seat_luck_adjusted_low")
    );
}

#[test]
fn a_judge_may_know_the_players() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let adjusted = |players: &[&str]| {
        std::fs::write(here.join("my.network"), judge_of(None, 32, players)).unwrap();
        leopard(here, r#", "luck_adjusted": "my.network""#);
        let out = players.join("-");
        succeed(here, &["run", "./e.json", "--quiet", "--out", &out]);
        column(&here.join(out), "matchups.csv", "score_luck_adjusted")
    };
    let nobody = adjusted(&["steady", "value-network"]);
    assert_eq!(
        nobody,
        adjusted(&["value-network", "steady"]),
        "who does not play makes no difference"
    );
    let known = adjusted(&["greedy", "brisk"]);
    assert_ne!(known, nobody);
    assert_ne!(known, adjusted(&["brisk", "greedy"]), "it knows who sits where");
}

#[test]
fn a_judge_of_another_game_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let refused = |file: &[u8], words: &[&str]| {
        std::fs::write(here.join("my.network"), file).unwrap();
        leopard(here, r#", "luck_adjusted": "my.network""#);
        let words = [&["e.json", "`luck_adjusted`: my.network: "], words].concat();
        fail(here, &["run", "./e.json", "--out", "r"], 2, &words);
    };
    let whole = judge(None);
    let head = String::from_utf8(whole.split(|byte| *byte == b'\n').next().unwrap().to_vec());
    let other = |from: &str, to: &str| {
        let head = head.as_ref().unwrap();
        assert!(head.contains(from), "{head}");
        [head.replace(from, to).as_bytes(), &whole[head.len()..]].concat()
    };
    refused(&other("leopard", "leapfrog"), &["it is a network for `leapfrog`, not for `leopard`"]);
    refused(&other("\"format\":1", "\"format\":9"), &["its format is 9, but this program needs 1"]);
    refused(&other("\"hidden\":64", "\"hidden\":33"), &["hidden units is 33", "train"]);
    refused(&other("\"hidden\":64", "\"hidden\":32"), &["more weights"]);
    refused(
        &other("\"rules\"", "\"players\":[\"steady\"],\"rules\""),
        &["it names players, but its features cannot tell them apart"],
    );
    refused(&judge_of(None, 16, &["a", "b", "c"]), &["it names 3 players; at most 2 are allowed"]);
    refused(&whole[..whole.len() - 3], &["cut off"]);
    refused(&[&whole[..], b"x"].concat(), &["more weights"]);
    refused(b"{}", &["it is not a network file"]);
    refused(&judge(Some("revised")), &["it was trained under other rules", "variant `short`"]);
    leopard(here, r#", "luck_adjusted": "none.network""#);
    fail(
        here,
        &["run", "./e.json", "--out", "r"],
        2,
        &["`luck_adjusted`: cannot read none.network"],
    );
    for wrong in ["7", "[true]"] {
        leopard(here, &format!(r#", "luck_adjusted": {wrong}"#));
        let words = ["field `luck_adjusted`", "true, false or the path of a judge file"];
        fail(here, &["run", "./e.json", "--out", "r"], 2, &words);
    }
    leopard(here, r#", "luck_adjusted": "e.json""#);
    fail(here, &["run", "./e.json", "--out", "r"], 2, &["it is not a network file"]);
}

#[test]
fn a_game_without_a_judge_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(here, "leapfrog", r#"["mini-4x4"]"#, r#", "luck_adjusted": true"#);
    let words = ["`luck_adjusted`: leapfrog has no judge of luck", "remove the field"];
    fail(here, &["run", "./e.json", "--out", "r"], 2, &words);
    write(here, "leapfrog", r#"["mini-4x4"]"#, r#", "luck_adjusted": false"#);
    succeed(here, &["run", "./e.json", "--quiet", "--out", "r"]);
}

#[test]
fn a_run_does_not_resume_with_another_judge() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut file = judge(None);
    std::fs::write(here.join("my.network"), &file).unwrap();
    leopard(here, r#", "luck_adjusted": "my.network""#);
    succeed(here, &["run", "./e.json", "--quiet", "--out", "r", "--deals", "10"]);
    *file.last_mut().unwrap() ^= 2;
    std::fs::write(here.join("my.network"), &file).unwrap();
    let go_on = ["run", "./e.json", "--out", "r", "--resume", "--deals", "40"];
    let words = ["the experiment has changed", "`judge` was", "it is", "restore the judge file"];
    fail(here, &go_on, 2, &words);
}

/// The luck-adjusted bound of an exploitable player is the same on the terminal, on the page, in
/// `answer.csv` and when the run is shown again.
#[test]
fn every_output_has_the_luck_adjusted_bound() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let exploit = ["exploit", "leopard", "greedy", "--iterations", "20", "--quiet", "--seed", "4"];
    // Lines may end anywhere.
    let told = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = told(&succeed(here, &[&exploit[..], &["--deals", "40", "--out", "r"]].concat()));
    let bound = "`greedy` can be exploited: `response`, built to exploit it, scores ";
    let at = said.find(bound).unwrap_or_else(|| panic!("{said}"));
    let sentence = said[at..].split(" under ").next().unwrap();
    assert!(said.contains("luck-adjusted"), "{said}");
    let out = here.join("r");
    assert_eq!(column(&out, "answer.csv", "figure"), ["score_luck_adjusted"]);
    assert_eq!(column(&out, "answer.csv", "subject"), ["response"]);
    let [score, adjusted] =
        [("answer.csv", "subject_value"), ("matchups.csv", "score_luck_adjusted")]
            .map(|(file, name)| column(&out, file, name).remove(0));
    assert_eq!(score, adjusted);
    let shown = told(&succeed(here, &["show", "r"]));
    assert!(shown.contains(sentence), "{sentence}: {shown}");
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    let plain = sentence.replace('`', "");
    let text: String =
        page.split('<').map(|part| part.split_once('>').map_or(part, |(_, t)| t)).collect();
    assert!(told(&text).contains(&plain), "{plain}");
    assert!(page.contains("parlour run FOLDER/manifest.json"), "it says how to repeat it");
    // A deal says nothing yet.
    let said = told(&succeed(here, &[&exploit[..], &["--deals", "2", "--out", "few"]].concat()));
    assert!(said.contains("Not enough deals to tell whether `greedy` can be exploited"), "{said}");
}
