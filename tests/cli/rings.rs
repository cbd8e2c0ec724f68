//! Strategies that beat one another in a ring, which no ladder orders.

use std::path::Path;

use parlour::arena::{Overrides, Plan, PlanSource, Progress, ProgressHeader};
use parlour::games::leopard::Leopard;

use super::common::succeed;

const STEADY: &str = include_str!("../../strategies/leopard/steady.json");
const GREEDY: &str = include_str!("../../strategies/leopard/greedy.json");
const RANDOM: &str = include_str!("../../strategies/leopard/random.json");

fn played(here: &Path, name: &str, texts: [&str; 3]) -> Progress {
    std::fs::create_dir_all(here.join("s")).unwrap();
    for (file, text) in ["rock", "scissors", "paper"].into_iter().zip(texts) {
        std::fs::write(here.join("s").join(file).with_extension("json"), text).unwrap();
    }
    let experiment = r#"{
      "game": "leopard", "variants": ["revised"], "deals": 320, "seed": 5,
      "strategies": ["./s/rock.json", "./s/scissors.json", "./s/paper.json"]
    }"#;
    std::fs::write(here.join("e.json"), experiment).unwrap();
    succeed(here, &["run", "./e.json", "--quiet", "--out", name]);
    let path = here.join(name).join(Progress::FILE);
    let header = ProgressHeader::read(&path).unwrap();
    let source = PlanSource::Header(&header);
    let plan = Plan::<Leopard>::read(source, Overrides::default(), &()).unwrap();
    Progress::read(&path, &plan.info().empty).unwrap()
}

/// Rock beats scissors and these paper as strong players beat weak ones; then, from another run, in
/// which they play the other way round, paper beats rock.
#[test]
fn a_cycle_is_reported_with_its_mixture() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let down = played(here, "down", [STEADY, GREEDY, RANDOM]);
    let ladder = std::fs::read_to_string(here.join("down/report.html")).unwrap();
    assert!(!ladder.contains("Not transitive"));
    let up = played(here, "up", [RANDOM, GREEDY, STEADY]);
    std::fs::create_dir(here.join("ring")).unwrap();
    let path = here.join("ring").join(Progress::FILE);
    let mut ring = Progress::create(&path, down.header.clone()).unwrap();
    for (chunk, tally) in &down.chunks {
        // The pairings are rock and scissors, rock and paper, scissors and paper.
        let mut tally = tally.clone();
        tally.tables[1] = up.chunks[chunk].tables[1].clone();
        ring.add(*chunk, tally).unwrap();
    }
    succeed(here, &["merge", "ring", "--out", "m"]);
    let rows = std::fs::read_to_string(here.join("m/populations.csv")).unwrap();
    let rows: Vec<Vec<&str>> = rows.lines().skip(1).map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.iter().map(|r| r[1]).collect::<Vec<_>>(), ["rock", "scissors", "paper"]);
    assert!(rows.iter().all(|r| r[2] == "1"), "one ring of all three: {rows:?}");
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    for (first, name) in [(3, "Nash"), (9, "α-rank")] {
        let whole: f64 = (0..3).map(|row| number(row, first)).sum();
        assert!((whole - 1.0).abs() < 1e-5, "{name} shares add up to {whole}");
        for (row, told) in rows.iter().enumerate() {
            let [value, low, high] = [0, 1, 2].map(|end| number(row, first + end));
            assert!(low <= value && value <= high && value > 0.0, "{name}: {told:?}");
        }
    }
    // Of three in a ring each has the share that the third pairing wins by: by hand, with the
    // leads x of rock on scissors, y of scissors on paper and z of paper on rock, y : z : x.
    let matches = std::fs::read_to_string(here.join("m/matchups.csv")).unwrap();
    let heads: Vec<&str> = matches.lines().next().unwrap().split(',').collect();
    let score = heads.iter().position(|h| *h == "score").unwrap();
    let lead: Vec<f64> = matches
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(score).unwrap().parse::<f64>().unwrap() - 0.5)
        .collect();
    let [x, z, y] = [lead[0], -lead[1], lead[2]];
    for (row, part) in [y, z, x].into_iter().enumerate() {
        let share = part / (x + y + z);
        assert!((number(row, 3) - share).abs() < 1e-4, "{} is not {share}", rows[row][3]);
        assert!((number(row, 6) - 0.5).abs() < 1e-4, "level with the mixture: {:?}", rows[row]);
    }
    let page = std::fs::read_to_string(here.join("m/report.html")).unwrap();
    for words in ["Not transitive", "rock, scissors, paper", "beat one another in a cycle"] {
        assert!(page.contains(words), "{words}");
    }
}
