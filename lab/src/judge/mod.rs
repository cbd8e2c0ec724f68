//! Teaches the judge of luck in Leopard: a network that sees the whole truth learns what positions
//! come to.
//!
//! Hands of `steady`, a third of them against `brisk`, are played under all variants, on seeds that
//! nothing else uses; in a quarter of them one move is random, and only what follows it counts. The
//! lessons are positions in which a card has just come, while the cards are dealt too, each with the
//! hand's result. What comes out depends on the options alone, on one kind of machine.

mod lessons;
mod teacher;

use clap::Args;
use parlour::chance::Seed;
use parlour::game::Ruled;
use parlour::games::leopard::Leopard;
use parlour::games::leopard::judge::Net;
use rayon::prelude::*;

use crate::table::variant;
use lessons::{Lesson, School};
use teacher::{Teacher, fresh, rounded};

/// Hands to a batch, and lessons to a step.
const HANDS: u64 = 512;
const LESSONS: usize = 512;

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
    #[arg(long, default_value_t = 2e-3)]
    rate: f32,
    #[arg(long, default_value_t = 2e-5)]
    last_rate: f32,
    /// The variants; one alone makes a judge of its rules and no others
    #[arg(long, value_delimiter = ',')]
    variants: Vec<String>,
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
        let school = School::new(games)?;
        let root = Seed::new(self.seed).named("judge");
        let start = match &self.from {
            Some(path) => {
                let (net, _) = Net::read(&std::fs::read(path)?).map_err(anyhow::Error::msg)?;
                teacher::of(&net)
            }
            None => fresh(&mut root.named("start").stream()),
        };
        let mut teacher = Teacher::new(start);
        let mut order = root.named("order").stream();
        let (mut error, mut steps) = (0.0, 0);
        for first in (0..self.hands).step_by(HANDS as usize) {
            let part = first as f32 / self.hands as f32;
            let rate = self.rate * (self.last_rate / self.rate).powf(part);
            let hands = (first..first + HANDS).into_par_iter();
            let lessons: Vec<Vec<Lesson>> = hands.map(|n| school.hand(root.child(n))).collect();
            let mut lessons: Vec<Lesson> = lessons.into_iter().flatten().collect();
            order.shuffle(&mut lessons);
            for lessons in lessons.chunks(LESSONS) {
                error += teacher.teach(lessons, rate);
                steps += 1;
            }
            let done = first + HANDS;
            if done / self.report > first / self.report || done >= self.hands {
                println!("{done} hands: mean squared error {:.5}", error / steps as f32);
                (error, steps) = (0.0, 0);
                self.write(&teacher, &school)?;
            }
        }
        Ok(())
    }

    fn write(&self, teacher: &Teacher, school: &School) -> anyhow::Result<()> {
        let only = school.games.first().filter(|_| self.variants.len() == 1);
        let variants = self.variants.join(",");
        let said = [("--variants", variants), ("--from", self.from.clone().unwrap_or_default())];
        let mut taught = format!("lab teach-judge --hands {} --seed {}", self.hands, self.seed);
        for (option, value) in said.iter().filter(|(_, value)| !value.is_empty()) {
            taught += &format!(" {option} {value}");
        }
        let file = rounded(&teacher.net).file(only.map(Leopard::rules), &taught);
        Ok(std::fs::write(&self.out, file)?)
    }
}
