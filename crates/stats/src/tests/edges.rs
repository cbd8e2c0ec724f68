//! Coverage of difficult intervals: rare events, and scores after a test that stopped because of
//! them.

use super::coverage::{Count, LEAGUE, League, tournaments};
use crate::*;
use parlour_base::maths::exact::{exp, ln};

#[test]
fn rare_events_and_their_changes_are_covered() {
    // An event happens in one hand of 20 to one of 2000, more often in some deals: 25 chunks of 10
    // deals of 4 hands. Often it never happens, or once.
    let mut counts: [Count; 3] = Default::default();
    tournaments("rare", |stream| {
        let rate = exp(-3.0 - 4.6 * stream.unit());
        let other = (rate * (0.5 + 1.5 * stream.unit())).min(1.0);
        let mut seen = [[0u64; 2]; 25];
        for seen in &mut seen {
            for _ in 0..10 {
                let luck = if stream.below(2) == 0 { 0.5 } else { 1.5 };
                for _ in 0..4 {
                    // Both rules are played with the same cards, and half of the hands are equal
                    // under both.
                    let one = stream.unit();
                    let two = if stream.below(2) == 0 { one } else { stream.unit() };
                    for (rule, lot) in [one / rate, two / other].into_iter().enumerate() {
                        seen[rule] += u64::from(lot < luck);
                    }
                }
            }
        }
        let found = jackknife_all(&[10; 25], |left_out| {
            let rest = (0..25).filter(|chunk| Some(*chunk) != left_out);
            let hands = 40.0 * rest.clone().count() as f64;
            let of = |rule: usize| rest.clone().map(|c| seen[c][rule]).sum::<u64>() as f64 / hands;
            vec![Some(of(0)), Some(of(1)), Some(of(1) - of(0))]
        });
        let [from, to, change] = [found[0].unwrap(), found[1].unwrap(), found[2].unwrap()];
        let variance = |e: Estimate| jackknife_variance(e, 25);
        counts[0].see(&proportion(from.value, variance(from), 24.0, 250), rate);
        counts[1].see(&proportion(to.value, variance(to), 24.0, 250), other);
        let change = proportion_change(change.value, variance(change), 24.0, 1000, 250);
        counts[2].see(&change, other - rate);
    });
    counts.iter().zip(["rare", "as rare", "change"]).for_each(|(count, name)| count.assert(name));
}

#[test]
fn figures_of_few_deals_are_covered() {
    // Every tenth deal of 64 chunks of 4 deals is analyzed: 26 deals. A hand has 20 to 59 choices,
    // and some deals have more forced ones. The values of choices are skewed: mostly small, rarely
    // large.
    let mut counts: [Count; 2] = Default::default();
    tournaments("decisions", |stream| {
        let mut chunks = [[0.0; 3]; 64];
        for deal in (0..256).step_by(10) {
            let sums = &mut chunks[deal / 4];
            let forced = if stream.below(2) == 0 { 0.05 } else { 0.15 };
            for _ in 0..2 {
                for _ in 0..20 + stream.below(40) {
                    sums[0] += 1.0;
                    sums[1] += f64::from(u8::from(stream.unit() < forced));
                    sums[2] += -0.03 * ln(1.0 - stream.unit());
                }
            }
        }
        let found = jackknife_all(&[4; 64], |left_out| {
            let rest = (0..64).filter(|chunk| Some(*chunk) != left_out);
            let sum = |of: usize| rest.clone().map(|chunk| chunks[chunk][of]).sum::<f64>();
            vec![Some(sum(1) / sum(0)), Some(sum(2) / sum(0))]
        });
        let [share, worth] = [found[0].unwrap(), found[1].unwrap()];
        counts[0].see(&proportion(share.value, jackknife_variance(share, 64), 25.0, 26), 0.1);
        counts[1].see(&with_fewer_deals(worth, 64, 26), 0.03);
    });
    counts.iter().zip(["forced", "worth"]).for_each(|(count, name)| count.assert(name));
}

#[test]
fn scores_after_a_sequential_test_are_covered() {
    // Two strategies play until a test between −10 and 30 Elo decides. Chunks double in size after
    // every 16, and 20 come before the first look. The strengths differ between tournaments, from
    // clearly weaker to clearly stronger.
    let test = Sprt { elo0: -10.0, elo1: 30.0, alpha: 0.05, beta: 0.05, scale: EloScale::Logistic };
    let (mut corrected, mut above) = (Count::default(), 0.0);
    let mut plain = 0.0;
    tournaments("stopped", |stream| {
        let strengths = [0.5 * (stream.unit() - 0.4), 0.0, 0.0];
        let league = League { strengths, ..LEAGUE };
        let truth = (league.score(0, 1) + 1.0 - league.score(1, 0)) / 2.0;
        let mut deals = [0u64; 5];
        for chunk in 0..160 {
            let step = 4 << (chunk / 16);
            for _ in 0..step {
                let luck = league.luck(stream);
                let won = league.play(0, 1, luck, stream) + 2 - league.play(1, 0, luck, stream);
                deals[won as usize] += 1;
            }
            let all: u64 = deals.iter().sum();
            let step = if chunk == 19 { all } else { step };
            let verdict = test.verdict(&deals);
            if chunk < 19 || verdict == Verdict::Undecided {
                continue;
            }
            let score = score_after(&test, verdict, &deals, step).unwrap();
            let mean = (0..5).map(|i| deals[i] as f64 * i as f64 / 4.0).sum::<f64>() / all as f64;
            corrected.see(&score, truth);
            above += f64::from(u8::from(score.value > truth));
            plain += f64::from(u8::from((mean > truth) == (verdict == Verdict::Upper)));
            break;
        }
    });
    corrected.assert("after a test");
    let of = corrected.of as f64;
    assert!(of > 1990.0 && (0.46..0.54).contains(&(above / of)), "{above} of {of} too high");
    // The observed score is too extreme, on the side of the decision.
    assert!(plain / of > 0.55, "{plain} of {of}");
}
