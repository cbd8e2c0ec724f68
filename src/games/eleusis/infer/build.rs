//! Making the grammar: combinations, the classes of those that judge alike, and a prior learnt
//! from rules that people have used.

use rustc_hash::FxHashMap;

use super::atoms::Role;
use super::grammar::likeliest;
use super::prior::{Atom, KINDS, Learning, Pairing, kind, learn};
use super::signature::{on_situations, rule_signature, signatures};
use super::stuck::stuck;
use super::{Combo, Grammar, Masks};
use crate::cards::CardSet;
use crate::games::eleusis::rule::Rule;

/// All combinations of the atoms that are made.
fn combine(roles: &[Role]) -> Vec<Combo> {
    let with = |role: Role| {
        let all = (0u16..).zip(roles).filter(move |(_, r)| **r == role);
        all.map(|(index, _)| index).collect::<Vec<u16>>()
    };
    let (conditions, simple) = (with(Role::Condition), with(Role::Simple));
    let ones = (0u16..).zip(roles).filter(|(_, role)| **role != Role::Condition);
    let mut all: Vec<Combo> = ones.map(|(index, _)| Combo::One(index)).collect();
    for (at, &a) in simple.iter().enumerate() {
        for &b in &simple[at + 1..] {
            all.extend([Combo::And(a, b), Combo::Or(a, b), Combo::Xor(a, b)]);
        }
    }
    for &c in &conditions {
        for &a in &simple {
            all.extend(simple.iter().filter(|&&b| b != a).map(|&b| Combo::If(c, a, b)));
        }
    }
    all
}

/// How each two of these tests go together: bit 0, one says what the other does not; bit 1, they
/// hardly ever agree that a card is right; bit 2, they are of one template; bit 3, they speak of the
/// same.
struct Pairings {
    place: Vec<usize>,
    count: usize,
    of: Vec<Pairing>,
}

impl Pairings {
    fn new(atoms: &[Atom<'_>], masks: &[Vec<Masks>]) -> Pairings {
        let simple: Vec<usize> =
            (0..atoms.len()).filter(|&atom| atoms[atom].role == Role::Simple).collect();
        let mut place = vec![0; atoms.len()];
        for (at, &atom) in simple.iter().enumerate() {
            place[atom] = at;
        }
        let subject = |text: &str| {
            text.strip_prefix("not ").unwrap_or(text).split(' ').next().map(str::to_owned)
        };
        let mut of = Vec::with_capacity(simple.len() * simple.len());
        for &a in &simple {
            for &b in &simple {
                let (mut both, mut either, mut contrary) = (0, 0, true);
                for situation in masks {
                    let (a, b) = (situation[a], situation[b]);
                    if a.yes != a.right || b.yes != b.right {
                        continue;
                    }
                    both += (a.yes & b.yes).count_ones();
                    either += (a.yes | b.yes).count_ones();
                    contrary &= a.yes ^ b.yes == CardSet::FULL.0;
                }
                let apart = f64::from(both) < 0.15 * f64::from(either);
                let alike = atoms[a].template == atoms[b].template;
                let same = subject(atoms[a].text) == subject(atoms[b].text);
                of.push(
                    u8::from(contrary)
                        | u8::from(apart) << 1
                        | u8::from(alike) << 2
                        | u8::from(same) << 3,
                );
            }
        }
        Pairings { place, count: simple.len(), of }
    }

    fn of(&self, combo: Combo) -> Pairing {
        match combo {
            Combo::One(_) => 0,
            Combo::And(a, b) | Combo::Or(a, b) | Combo::Xor(a, b) | Combo::If(_, a, b) => {
                self.of[self.place[a as usize] * self.count + self.place[b as usize]]
            }
        }
    }
}

/// The grammar of these atoms, each with its role and template, with a prior learnt from these
/// rules.
pub(super) fn build(
    atoms: Vec<(Role, Rule, String)>,
    training: &[Rule],
    learning: &Learning,
) -> Grammar {
    let roles: Vec<Role> = atoms.iter().map(|(role, ..)| *role).collect();
    let mut names: Vec<&String> = atoms.iter().map(|(.., template)| template).collect();
    names.sort();
    names.dedup();
    let template_of: Vec<usize> = atoms
        .iter()
        .map(|(.., template)| names.binary_search(&template).unwrap_or_default())
        .collect();
    let rules: Vec<Rule> = atoms.iter().map(|(_, rule, _)| rule.clone()).collect();
    let sizes: Vec<f64> = rules.iter().map(|rule| rule.expr().size() as f64).collect();
    let size = |combo: Combo| combo.atoms().map(|atom| 1.0 + sizes[atom as usize]).sum::<f64>();
    let masks = on_situations(&rules);
    let all = combine(&roles);
    let combined = all.len();
    let mut known: FxHashMap<u128, u32> = FxHashMap::default();
    let (mut combos, mut kept) = (Vec::new(), Vec::new());
    let texts: Vec<String> = rules.iter().map(Rule::to_string).collect();
    let described: Vec<Atom<'_>> = (0..rules.len())
        .map(|atom| Atom {
            role: roles[atom],
            text: &texts[atom],
            template: &atoms[atom].2,
            size: sizes[atom],
        })
        .collect();
    let pairings = Pairings::new(&described, &masks);
    let mut members: Vec<(u32, Combo, Pairing)> = Vec::new();
    let numbers = signatures(&all, &masks);
    let left_stuck = stuck(&all, &rules);
    for ((combo, number), is_stuck) in all.into_iter().zip(numbers).zip(left_stuck) {
        let Some(signature) = number.filter(|_| !is_stuck) else { continue };
        let next = combos.len() as u32;
        let class = *known.entry(signature).or_insert(next);
        if class == next {
            combos.push(combo);
            kept.push(signature);
        } else if size(combo) < size(combos[class as usize]) {
            combos[class as usize] = combo;
        }
        members.push((class, combo, pairings.of(combo)));
    }
    let found: Vec<u32> =
        training.iter().filter_map(|rule| known.get(&rule_signature(rule)?).copied()).collect();
    let missing = training.len() - found.len();
    let outside = (missing + 1) as f64 / (training.len() + 2) as f64;
    let priors = learn(&described, &members, combos.len(), &found, learning);
    let family = |combo: &Combo| {
        let template = |atom: u16| template_of[atom as usize] as u32;
        let templates = names.len() as u32;
        // Rules with a condition are of one family if their conditions have one template.
        match *combo {
            Combo::One(a) => template(a),
            Combo::If(c, ..) => templates * KINDS as u32 + template(c),
            Combo::And(..) | Combo::Or(..) | Combo::Xor(..) => templates + kind(*combo) as u32,
        }
    };
    Grammar {
        families: combos.iter().map(family).collect(),
        likely: likeliest(&priors),
        priors,
        combos,
        signatures: kept,
        combined,
        outside,
        atoms: rules,
    }
}
