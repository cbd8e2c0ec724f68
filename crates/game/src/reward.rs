//! Rewards of finished hands.

use std::str::FromStr;

use serde::Serialize;

use crate::search::Reward as Share;
use crate::{Scores, Seat};
use parlour_base::error::{Error, unknown};

/// The kind of reward. It is given at the end of the hand; before that rewards are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reward {
    /// 1 for the only seat with the most points and less for the others, with sum 0. With two seats
    /// a loss is −1 and a draw 0. With n seats and a share s of the win it is (n·s − 1) / (n − 1).
    #[default]
    Win,
    /// The seat's points.
    Points,
    /// The seat's points minus those of the best other seat.
    Margin,
}

impl Reward {
    const NAMES: [(&'static str, Reward); 3] =
        [("win", Reward::Win), ("points", Reward::Points), ("margin", Reward::Margin)];

    /// The reward of a seat.
    pub fn of(self, scores: &Scores, seat: usize) -> f32 {
        let points = &scores.0;
        match self {
            Reward::Win => {
                let shares = Share { win: 1.0, scale: 1.0 }.of(scores);
                let (share, seats) =
                    (shares.get(seat).copied().unwrap_or(0.0), points.len() as f32);
                (seats * share - 1.0) / (seats - 1.0)
            }
            Reward::Points => points.get(seat).copied().unwrap_or(0) as f32,
            Reward::Margin => scores.margin(Seat(seat as u8)) as f32,
        }
    }

    /// The lowest and the highest reward, from those of the scores.
    pub fn range(self, (low, high): (i32, i32), seats: usize) -> (f32, f32) {
        let spread = (high - low) as f32;
        match self {
            Reward::Win => (-1.0 / (seats as f32 - 1.0), 1.0),
            Reward::Points => (low as f32, high as f32),
            Reward::Margin => (-spread, spread),
        }
    }
}

impl FromStr for Reward {
    type Err = Error;

    fn from_str(name: &str) -> Result<Reward, Error> {
        let known = Reward::NAMES.iter().find(|(known, _)| *known == name);
        let names = Reward::NAMES.iter().map(|(name, _)| *name);
        known.map(|(_, reward)| *reward).ok_or_else(|| Error::input(unknown("reward", name, names)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_say_who_won_and_by_how_much() {
        let of = |reward: Reward, points: &[i32]| -> Vec<f32> {
            let scores = Scores(points.iter().copied().collect());
            (0..points.len()).map(|seat| reward.of(&scores, seat)).collect()
        };
        assert_eq!(of(Reward::Win, &[7, 3]), [1.0, -1.0]);
        assert_eq!(of(Reward::Win, &[3, 3]), [0.0, 0.0]);
        assert_eq!(of(Reward::Win, &[3, 9, 1, 2, 0]), [-0.25, 1.0, -0.25, -0.25, -0.25]);
        assert_eq!(of(Reward::Win, &[5, 5, 2]), [0.25, 0.25, -0.5]);
        assert_eq!(of(Reward::Points, &[7, -1]), [7.0, -1.0]);
        assert_eq!(of(Reward::Margin, &[7, 3, 5]), [2.0, -4.0, -2.0]);
        assert_eq!("margin".parse(), Ok(Reward::Margin));
        assert!("wins".parse::<Reward>().unwrap_err().to_string().contains("Did you mean `win`?"));
    }
}
