//! Teaches the judge of luck in Leopard: a network that sees the whole truth learns what positions
//! come to.
//!
//! Hands of `steady`, a third of them against `brisk`, are played under all variants, on seeds that
//! nothing else uses; in a quarter of them one move is random, and only what follows it counts. The
//! lessons are positions in which a card has just come, while the cards are dealt too, each with the
//! hand's result. What comes out depends on the options alone, on one kind of machine.
//!
//! `--players` makes a judge of hands between two players: all hands are theirs, and it knows who
//! sits where. `--detailed` tells it every card by itself. In the last `--foretold` hands lessons are
//! not results, but what the network itself foretells, of the cards that came next and of others.

mod lessons;
mod teacher;

use clap::Args;
use parlour::chance::Seed;
use parlour::game::Ruled;
use parlour::games::leopard::Leopard;
use parlour::games::leopard::judge::{HIDDEN, STEP, WIDEST, Written};
use rayon::prelude::*;

use crate::table::variant;
use lessons::{Lesson, School};
use teacher::{Teacher, fresh, rounded};

/// Hands to a batch.
const HANDS: u64 = 512;

// What the options are where they are left out.
const RATE: f32 = 2e-3;
const LAST_RATE: f32 = 2e-5;
const FORETOLD_RATE: f32 = 1e-3;
const EVERY: u32 = 2;
const LESSONS: u32 = 512;

#[derive(Args)]
pub struct TeachJudge {
    /// Where the judge goes
    #[arg(long, default_value = "src/games/leopard/judge/leopard.judge")]
    out: String,
    #[arg(long, default_value_t = 400_000)]
    hands: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The size of a step at first, and at last
    #[arg(long, default_value_t = RATE)]
    rate: f32,
    #[arg(long, default_value_t = LAST_RATE)]
    last_rate: f32,
    /// The variants; one alone makes a judge of its rules and no others
    #[arg(long, value_delimiter = ',')]
    variants: Vec<String>,
    /// Two players, in whose hands alone it is taught
    #[arg(long, value_delimiter = ',')]
    players: Vec<String>,
    /// Tell it every cell, line and card by itself
    #[arg(long)]
    detailed: bool,
    /// How wide the hidden layer is
    #[arg(long, default_value_t = HIDDEN)]
    hidden: usize,
    /// Of the cards drawn one in so many makes a lesson
    #[arg(long, default_value_t = EVERY, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Lessons to a step
    #[arg(long, default_value_t = LESSONS, value_parser = clap::value_parser!(u32).range(1..))]
    lessons: u32,
    /// Of the hands the last so many are foretold
    #[arg(long, default_value_t = 0)]
    foretold: u64,
    /// The size of a step where they begin
    #[arg(long, default_value_t = FORETOLD_RATE)]
    foretold_rate: f32,
    /// A judge file to go on from
    #[arg(long)]
    from: Option<String>,
    /// Hands between two reports
    #[arg(long, default_value_t = 100_000)]
    report: u64,
}

impl TeachJudge {
    pub fn run(&self) -> anyhow::Result<()> {
        let games = match self.variants.as_slice() {
            // The usual rules come up as often as all others together.
            [] => {
                let all = Leopard::presets().into_iter().map(|preset| preset.name);
                let usual = std::iter::repeat_n("revised", 4);
                all.chain(usual).map(variant).collect::<anyhow::Result<Vec<_>>>()?
            }
            names => names.iter().map(|name| variant(name)).collect::<anyhow::Result<Vec<_>>>()?,
        };
        if self.hidden == 0 || self.hidden > WIDEST || !self.hidden.is_multiple_of(STEP) {
            anyhow::bail!("`--hidden` is a multiple of {STEP} up to {WIDEST}, not {}", self.hidden);
        }
        if self.foretold > self.hands {
            anyhow::bail!("`--foretold` is of the `--hands`, {} at most", self.hands);
        }
        let school = School::new(games, &self.players, self.every)?;
        let root = Seed::new(self.seed).named("judge");
        let detailed = self.detailed || !self.players.is_empty();
        let start = match &self.from {
            Some(path) => {
                let judge = Written::read(&std::fs::read(path)?).map_err(anyhow::Error::msg)?;
                teacher::of(&judge.net)
            }
            None => fresh(self.hidden, detailed, &mut root.named("start").stream()),
        };
        if !self.players.is_empty() && !start.detailed {
            anyhow::bail!("`--from` is a judge that cannot tell players apart");
        }
        let mut teacher = Teacher::new(start);
        let mut order = root.named("order").stream();
        let (mut error, mut steps) = (0.0, 0);
        let by_results = self.hands.saturating_sub(self.foretold);
        for first in (0..self.hands).step_by(HANDS as usize) {
            let foretold = first >= by_results;
            let (rate, from, to) = match foretold {
                false => (self.rate, 0, by_results),
                true => (self.foretold_rate, by_results, self.hands),
            };
            let part = (first - from) as f32 / (to - from) as f32;
            let rate = rate * (self.last_rate / rate).powf(part);
            let (net, hands) = (&teacher.net, (first..first + HANDS).into_par_iter());
            let lessons = hands.map(|n| match foretold {
                false => school.results(root.child(n), net),
                true => school.foretold(root.child(n), net),
            });
            let lessons: Vec<Vec<Lesson>> = lessons.collect();
            let mut lessons: Vec<Lesson> = lessons.into_iter().flatten().collect();
            order.shuffle(&mut lessons);
            for lessons in lessons.chunks(self.lessons as usize) {
                error += teacher.teach(lessons, rate);
                steps += 1;
            }
            let done = first + HANDS;
            if done / self.report > first / self.report || done >= self.hands {
                let of = if foretold { "of what is foretold" } else { "of results" };
                println!("{done} hands: mean squared error {of} {:.5}", error / steps as f32);
                (error, steps) = (0.0, 0);
                self.write(&teacher, &school)?;
            }
        }
        Ok(())
    }

    fn write(&self, teacher: &Teacher, school: &School) -> anyhow::Result<()> {
        let rules = school.games.first().filter(|_| self.variants.len() == 1);
        let rules = rules.map(Leopard::rules).cloned();
        let mut taught = format!("lab teach-judge --hands {} --seed {}", self.hands, self.seed);
        fn unusual<T: PartialEq + ToString>(number: T, usual: T) -> String {
            if number == usual { String::new() } else { number.to_string() }
        }
        for (option, value) in [
            ("--variants", self.variants.join(",")),
            ("--players", self.players.join(",")),
            ("--hidden", unusual(self.hidden, HIDDEN)),
            ("--rate", unusual(self.rate, RATE)),
            ("--last-rate", unusual(self.last_rate, LAST_RATE)),
            ("--every", unusual(self.every, EVERY)),
            ("--lessons", unusual(self.lessons, LESSONS)),
            ("--foretold", unusual(self.foretold, 0)),
            ("--foretold-rate", unusual(self.foretold_rate, FORETOLD_RATE)),
            ("--from", self.from.clone().unwrap_or_default()),
        ] {
            if !value.is_empty() {
                taught += &format!(" {option} {value}");
            }
        }
        if self.detailed {
            taught += " --detailed";
        }
        let judge = Written { net: rounded(&teacher.net), rules, players: self.players.clone() };
        Ok(std::fs::write(&self.out, judge.file(&taught))?)
    }
}
