//! The tests and conditions that rules are combined from.

mod cards;
mod positions;
mod relations;
mod template;
mod windows;

pub use template::template;

/// The version of the lists and of the combinations; any change of them changes it.
pub const VERSION: u32 = 2;

/// What a test or condition is used for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// A condition that looks back only: it chooses between two tests.
    Condition,
    /// A short test: a rule of its own, and a part of others.
    Simple,
    /// A rule of its own only.
    Alone,
}

fn add(out: &mut Vec<(Role, String)>, role: Role, text: impl Into<String>) {
    out.push((role, text.into()));
}

const PROPERTIES: [&str; 8] = ["red", "even", "face", "prime", "loop", "low", "heart", "spade"];
const ORDERS: [&str; 6] = ["S H D C", "S H C D", "S D H C", "S D C H", "S C H D", "S C D H"];

/// All of them.
pub fn atoms() -> Vec<(Role, String)> {
    let mut out = Vec::new();
    conditions(&mut out);
    cards::one_card(&mut out);
    cards::several(&mut out);
    relations::relations(&mut out);
    windows::windows(&mut out);
    positions::positions(&mut out);
    out
}

fn conditions(out: &mut Vec<(Role, String)>) {
    let mut condition = |text: String| add(out, Role::Condition, text);
    for property in PROPERTIES.iter().chain(&["diamond", "club", "composite"]) {
        condition(format!("last.{property}"));
    }
    for property in ["red", "even", "face", "low"] {
        condition(format!("last(2).{property}"));
        condition(format!("last(3).{property}"));
        condition(format!("last.{property} == last(2).{property}"));
        // What is played decides, not what was.
        condition((*property).to_owned());
    }
    condition("last.suit == last(2).suit".into());
    condition("last.rank > last(2).rank".into());
    condition("even(last.rank + last(2).rank + last(3).rank)".into());
    for rank in 2..=12 {
        condition(format!("last.rank > {rank}"));
    }
    for period in 2..=6 {
        condition(format!("n mod {period} == 0"));
    }
    for (count, window) in [(2, 3), (3, 4), (3, 5), (5, 8)] {
        condition(format!("count(black, {window}) >= {count}"));
    }
    condition("count(black) > count(red)".into());
    condition("last.rank == K".into());
    condition("last.rank == A".into());
    condition("odd(run(color))".into());
    condition("run(color) < runs(color)".into());
}

fn list(low: u32, high: u32) -> String {
    (low..=high).map(|rank| rank.to_string()).collect::<Vec<_>>().join(", ")
}
