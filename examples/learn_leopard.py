"""Trains a linear policy for Leopard by REINFORCE and measures it against two strategies.

    pip install ./python numpy && python examples/learn_leopard.py

A softmax over the legal actions, whose scores are linear in what a seat sees (Williams 1992). The
learner plays 512 tables at once against `random`; a hand is worth 1, 0 or -1.
"""

import argparse
import os
import time

# Matrices of this size are faster with one thread.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from parlour.envs import Vector, split

TABLES, STEPS = 512, 48


def features(vector):
    """Both squares, their values, and a 1, as rows of floats."""
    planes = split(vector, vector.observations)
    parts = [planes["own square"], planes["other square"], planes["values"] / 8]
    rows = [part.reshape(len(vector), -1) for part in parts]
    return np.concatenate([*rows, np.ones((len(vector), 1))], axis=1, dtype=np.float32)


def choices(weights, vector, rng):
    """Samples an action for each table; returns features and probabilities, too."""
    seen = features(vector)
    scores = np.where(vector.masks, seen @ weights, -np.inf)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    lots = rng.random((len(chances), 1), dtype=np.float32) * chances.sum(axis=1, keepdims=True)
    actions = (chances.cumsum(axis=1) < lots).sum(axis=1)
    # If rounding selects no legal action, take the likeliest one.
    last = np.minimum(actions, chances.shape[1] - 1)
    legal = vector.masks[np.arange(len(vector)), last]
    return np.where(legal, last, chances.argmax(axis=1)), seen, chances


def learn(seconds, seed=1):
    """Trains for a number of seconds; returns the weights and the number of choices."""
    vector = Vector("leopard", TABLES, "revised", opponents="random", seed=seed)
    rng = np.random.default_rng(seed)
    weights = np.zeros((features(vector).shape[1], vector.facts["count"]), dtype=np.float32)
    made, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        steps = []
        for _ in range(STEPS):
            actions, seen, chances = choices(weights, vector, rng)
            vector.step(actions)
            steps.append((actions, seen, chances, vector.rewards.copy(), vector.dones.copy()))
        # All choices of a finished hand get its result; unfinished hands are skipped.
        worth, known = np.zeros(TABLES, np.float32), np.zeros(TABLES, bool)
        slope = np.zeros_like(weights)
        count = 0
        for actions, seen, chances, rewards, dones in reversed(steps):
            worth, known = np.where(dones, rewards, worth), known | dones
            gain = np.where(known, worth, 0)[:, None]
            pull = -chances * gain
            pull[np.arange(TABLES), actions] += gain[:, 0]
            slope += seen.T @ pull
            count += known.sum()
        weights += 200 * slope / count
        made += count
    return weights, made


def score(weights, opponent, hands, seed=2):
    """Score against a strategy and half the width of its 95 % interval."""
    vector = Vector("leopard", TABLES, "revised", opponents=opponent, seed=seed)
    rng, results = np.random.default_rng(seed), []
    while sum(map(len, results)) < hands:
        actions, _, _ = choices(weights, vector, rng)
        vector.step(actions)
        results.append(vector.rewards[vector.dones])
    shares = (np.concatenate(results) + 1) / 2
    return shares.mean(), 1.96 * shares.std() / np.sqrt(len(shares))


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--hands", type=int, default=5000)
    options = options.parse_args()
    weights, made = learn(options.seconds)
    print(f"{made} choices in {options.seconds:g} seconds")
    for opponent in ("random", "greedy"):
        for name, known in (("untrained", np.zeros_like(weights)), ("learnt", weights)):
            share, half = score(known, opponent, options.hands)
            print(f"{name} against {opponent}: {100 * share:.1f} ± {100 * half:.1f} %")


if __name__ == "__main__":
    main()
