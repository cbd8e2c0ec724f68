//! Exact values of larger boards, and of the committed table.

use std::path::Path;
use std::time::Instant;

use parlour::games::leapfrog::solve::{SolveOptions, solve};
use parlour::games::leapfrog::{Chains, FirstToLeap, Rules};

/// Limits of the boards that the check of the table solves again.
const MOST_CELLS: u16 = 20;
const MOST_COLOURINGS: u32 = 5;

#[test]
#[ignore = "some seconds"]
fn five_by_five() {
    let start = Instant::now();
    let solution = solve(&Rules::plain(5, 5), None, &SolveOptions::default(), &mut |_| {}).unwrap();
    println!(
        "5x5: {} in {:?} positions, {:?}",
        solution.value,
        solution.positions,
        start.elapsed()
    );
    assert_eq!(solution.value, 0);
}

#[test]
#[ignore = "some seconds"]
fn the_committed_table_is_reproduced() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = place.join("results/leapfrog-exact-values/values.csv");
    let mut table = csv::Reader::from_path(&place).unwrap();
    let header = table.headers().unwrap().clone();
    let mut checked = 0;
    for row in table.records() {
        let row = row.unwrap();
        let field = |name: &str| &row[header.iter().position(|column| column == name).unwrap()];
        let (rows, cols) = (field("rows").parse().unwrap(), field("cols").parse().unwrap());
        let coloured = field("pieces") == "murray";
        let base = if coloured { Rules::murray(rows, cols) } else { Rules::plain(rows, cols) };
        let single = field("chains") == "single";
        let rules = Rules {
            chains: if single { Chains::Single } else { Chains::Optional },
            diagonal: field("diagonal") == "true",
            first_to_leap: FirstToLeap::Seat((field("second_seat_starts") == "true").into()),
            ..base
        };
        let late = field("colouring").parse().is_ok_and(|n: u32| n >= MOST_COLOURINGS);
        if rules.cells() > MOST_CELLS || late {
            continue;
        }
        let solution =
            solve(&rules, Some(field("board")), &SolveOptions::default(), &mut |_| {}).unwrap();
        assert_eq!(field("value"), solution.value.to_string(), "{row:?}");
        assert_eq!(field("best_first_captures"), solution.best_first_captures.join(" "));
        assert_eq!(field("positions"), solution.positions.unwrap().to_string());
        checked += 1;
    }
    assert!(checked > 200);
}
