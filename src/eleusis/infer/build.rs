//! Making the grammar: combinations, the classes of those that judge alike, and a prior learnt
//! from rules that people have used.

use rustc_hash::FxHashMap;

use super::atoms::Role;
use super::grammar::{likeliest, power};
use super::signature::{on_situations, rule_signature, signature};
use super::{Combo, Grammar};
use crate::eleusis::rule::Rule;

/// How many kinds of combination there are: one atom, both, either, exactly one, if.
const KINDS: usize = 5;

/// What each kind of combination, each template, and each atom in a combination gets on top of
/// how often the training rules have it.
const KIND_EXTRA: f64 = 1.0;
const TEMPLATE_EXTRA: f64 = 0.3;
const ATOM_EXTRA: f64 = 0.15;

/// What each part of a text makes of its likelihood among the texts of its template: four parts
/// halve it.
const HALVED: f64 = 0.840_896_415_253_714_6;

const fn kind(combo: Combo) -> usize {
    match combo {
        Combo::One(_) => 0,
        Combo::And(..) => 1,
        Combo::Or(..) => 2,
        Combo::Xor(..) => 3,
        Combo::If(..) => 4,
    }
}

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

/// How often the training rules have each kind, template and atom.
struct Prior {
    kinds: [f64; KINDS],
    /// By template of a rule of one atom; an atom's share of its template.
    templates: Vec<f64>,
    template_of: Vec<usize>,
    share: Vec<f64>,
    /// By atom: as a condition, as a side of an *if*, as a part of another combination.
    conditions: Vec<f64>,
    sides: Vec<f64>,
    parts: Vec<f64>,
}

fn normalized(mut weights: Vec<f64>) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= total.max(f64::MIN_POSITIVE));
    weights
}

impl Prior {
    fn learnt(
        roles: &[Role],
        template_of: Vec<usize>,
        sizes: &[f64],
        seen: impl Iterator<Item = Combo>,
    ) -> Prior {
        let templates = template_of.iter().max().map_or(0, |most| most + 1);
        let extra = |wanted: fn(Role) -> bool| -> Vec<f64> {
            roles.iter().map(|&role| if wanted(role) { ATOM_EXTRA } else { 0.0 }).collect()
        };
        let mut kinds = [KIND_EXTRA; KINDS];
        let mut counts = vec![0.0; templates];
        for (role, &template) in roles.iter().zip(&template_of) {
            if *role != Role::Condition {
                counts[template] = TEMPLATE_EXTRA;
            }
        }
        let mut conditions = extra(|role| role == Role::Condition);
        let mut sides = extra(|role| role == Role::Simple);
        let mut parts = sides.clone();
        for combo in seen {
            kinds[kind(combo)] += 1.0;
            match combo {
                Combo::One(a) => counts[template_of[a as usize]] += 1.0,
                Combo::And(a, b) | Combo::Or(a, b) | Combo::Xor(a, b) => {
                    parts[a as usize] += 1.0;
                    parts[b as usize] += 1.0;
                }
                Combo::If(c, a, b) => {
                    conditions[c as usize] += 1.0;
                    sides[a as usize] += 1.0;
                    sides[b as usize] += 1.0;
                }
            }
        }
        let mut totals = vec![0.0; templates];
        let weight = |atom: usize| power(HALVED, sizes[atom] as usize);
        let alone = |atom: &usize| roles[*atom] != Role::Condition;
        for atom in (0..roles.len()).filter(alone) {
            totals[template_of[atom]] += weight(atom);
        }
        let share = (0..roles.len())
            .map(|atom| if alone(&atom) { weight(atom) / totals[template_of[atom]] } else { 0.0 });
        let share = share.collect();
        let total: f64 = kinds.iter().sum();
        Prior {
            kinds: kinds.map(|kind| kind / total),
            templates: normalized(counts),
            template_of,
            share,
            conditions: normalized(conditions),
            sides: normalized(sides),
            parts: normalized(parts),
        }
    }

    fn of(&self, combo: Combo) -> f64 {
        let part = |a: u16| self.parts[a as usize];
        let inner = match combo {
            Combo::One(a) => self.templates[self.template_of[a as usize]] * self.share[a as usize],
            // In either order.
            Combo::And(a, b) | Combo::Or(a, b) | Combo::Xor(a, b) => 2.0 * part(a) * part(b),
            Combo::If(c, a, b) => {
                self.conditions[c as usize] * self.sides[a as usize] * self.sides[b as usize]
            }
        };
        self.kinds[kind(combo)] * inner
    }
}

/// The grammar of these atoms, each with its role and template, with a prior learnt from these
/// rules.
pub(super) fn build(atoms: Vec<(Role, Rule, String)>, training: &[Rule]) -> Grammar {
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
    let (mut combos, mut signatures) = (Vec::new(), Vec::new());
    let mut members: Vec<(u32, Combo)> = Vec::new();
    for combo in all {
        let Some(signature) = signature(combo, &masks) else { continue };
        let next = combos.len() as u32;
        let class = *known.entry(signature).or_insert(next);
        if class == next {
            combos.push(combo);
            signatures.push(signature);
        } else if size(combo) < size(combos[class as usize]) {
            combos[class as usize] = combo;
        }
        members.push((class, combo));
    }
    let found: Vec<Combo> = training
        .iter()
        .filter_map(|rule| known.get(&rule_signature(rule)?))
        .map(|&class| combos[class as usize])
        .collect();
    let missing = training.len() - found.len();
    let outside = (missing + 1) as f64 / (training.len() + 2) as f64;
    let prior = Prior::learnt(&roles, template_of, &sizes, found.into_iter());
    let mut priors = vec![0.0; combos.len()];
    for (class, combo) in members {
        priors[class as usize] += prior.of(combo);
    }
    let family = |combo: &Combo| {
        let template = |atom: u16| prior.template_of[atom as usize] as u32;
        let templates = names.len() as u32;
        // Rules with a condition are of one family if their conditions have one template.
        match *combo {
            Combo::One(a) => template(a),
            Combo::If(c, ..) => templates * KINDS as u32 + template(c),
            Combo::And(..) | Combo::Or(..) | Combo::Xor(..) => templates + kind(*combo) as u32,
        }
    };
    let priors = normalized(priors);
    Grammar {
        families: combos.iter().map(family).collect(),
        likely: likeliest(&priors),
        priors,
        combos,
        signatures,
        combined,
        outside,
        atoms: rules,
    }
}
