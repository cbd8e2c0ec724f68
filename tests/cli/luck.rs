//! Luck is taken out of results: the same bytes however a run is divided, and clear words where
//! there is nobody to judge it.

use std::path::Path;

use parlour::games::learn::{Learner, LearnerOptions};
use parlour::{Leapfrog, Leopard, Ruled};

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

/// The file of a judge that has learnt nothing.
fn judge() -> Vec<u8> {
    let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
    Learner::new(vec![game], Vec::new(), LearnerOptions { seed: 3, ..Default::default() })
        .file()
        .unwrap()
}

#[test]
fn an_uninformed_judge_removes_less_luck() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("bad.safetensors"), judge()).unwrap();
    leopard(here, r#", "luck_adjusted": "bad.safetensors""#);
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
fn a_judge_of_another_game_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let refused = |judge: &str, words: &[&str]| {
        leopard(here, &format!(r#", "luck_adjusted": {judge}"#));
        let words = [&["field `luck_adjusted`"], words].concat();
        fail(here, &["run", "./e.json", "--out", "r"], 2, &words);
    };
    let other = Leapfrog::new(&Leapfrog::preset("mini-3x3").unwrap()).unwrap();
    let other =
        Learner::new(vec![other], Vec::new(), LearnerOptions { seed: 3, ..Default::default() })
            .file()
            .unwrap();
    std::fs::write(here.join("other.safetensors"), other).unwrap();
    refused(r#""other.safetensors""#, &["the network has", "it does not fit variant `revised`"]);
    let whole = judge();
    for (length, words) in [(whole.len() - 3, "damaged"), (0, "not a safetensors file")] {
        std::fs::write(here.join("my.safetensors"), &whole[..length]).unwrap();
        refused(r#""my.safetensors""#, &["my.safetensors", words]);
    }
    refused(r#""none.safetensors""#, &["cannot read none.safetensors"]);
    refused(r#""steady""#, &["`steady` does not estimate the probability of winning"]);
    refused(r#""ismcts-250""#, &["`ismcts-250` is itself a search"]);
    refused("7", &["true, false or the name of a strategy"]);
    refused("[true]", &["true, false or the name of a strategy"]);
}

#[test]
fn a_game_without_a_judge_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(here, "leapfrog", r#"["mini-4x4"]"#, r#", "luck_adjusted": true"#);
    let words = ["field `luck_adjusted`: leapfrog has no judge of luck", "remove the field"];
    fail(here, &["run", "./e.json", "--out", "r"], 2, &words);
    write(here, "leapfrog", r#"["mini-4x4"]"#, r#", "luck_adjusted": false"#);
    succeed(here, &["run", "./e.json", "--quiet", "--out", "r"]);
}

#[test]
fn a_run_does_not_resume_with_another_judge() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut file = judge();
    std::fs::write(here.join("my.safetensors"), &file).unwrap();
    leopard(here, r#", "luck_adjusted": "my.safetensors""#);
    succeed(here, &["run", "./e.json", "--quiet", "--out", "r", "--deals", "10"]);
    let number = file.len() / 2;
    file[number] ^= 1;
    std::fs::write(here.join("my.safetensors"), &file).unwrap();
    let go_on = ["run", "./e.json", "--out", "r", "--resume", "--deals", "40"];
    let words = ["the experiment has changed", "`judge` was", "it is", "restore the judge file"];
    fail(here, &go_on, 2, &words);
}

/// The mean luck of many hands is 0, and the program's judge finds some.
#[test]
fn mean_luck_of_hands_is_zero() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    leopard(here, r#", "luck_adjusted": true"#);
    succeed(here, &["run", "./e.json", "--quiet", "--deals", "400", "--out", "r"]);
    let number =
        |name: &str| column(&here.join("r"), "variants.csv", name)[0].parse::<f64>().unwrap();
    let luck = number("first_seat_score") - number("first_seat_luck_adjusted");
    let width = number("first_seat_score_high") - number("first_seat_score_low");
    assert!(luck.abs() < 0.75 * width, "{luck} {width}");
    assert!(luck != 0.0 && number("first_seat_remaining_variance") < 0.8);
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
