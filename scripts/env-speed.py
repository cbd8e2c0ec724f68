#!/usr/bin/env python3
"""Measures steps a second in a Python loop with random legal moves: parlour, OpenSpiel and PettingZoo.

    pip install ./python numpy pettingzoo pygame rlcard open_spiel && scripts/env-speed.py

A step is a decision of a player; moves of the deck are not counted. Times are user CPU seconds (median of
five measurements), which other programs disturb less; many threads are also measured in wall time. Libraries that are not installed are skipped.
"""

import argparse
import random
import resource
import statistics
import time

from parlour.envs import Environment, Vector, eleusis_v0, leapfrog_v0, leopard_v0


def user():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def pace(play, seconds):
    """Steps a CPU second; `play(steps)` returns the number of steps made."""
    steps, found = 1000, []
    while True:
        start = user()
        play(steps)
        if user() - start > seconds / 8:
            break
        steps *= 2
    for _ in range(5):
        start = user()
        made = play(steps)
        found.append(made / (user() - start))
    return statistics.median(found)


def alone(table, choose, observe):
    """A loop over one table."""

    def play(steps):
        for _ in range(steps):
            if table.seat is None:
                table.reset()
            if observe:
                table.observe()
                table.mask()
            table.step(choose(table))
        return steps

    return play


def sampled(table):
    return table.sample()


def listed(table):
    return random.choice(table.legal_actions())


def aec(env, choose):
    """PettingZoo's loop with an observation at each step."""

    def play(steps):
        made = 0
        while made < steps:
            env.reset(seed=random.getrandbits(31))
            for agent in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                over = terminated or truncated
                env.step(None if over else choose(env, agent, observation["action_mask"]))
                made += not over
        return made

    return play


def masked(env, agent, mask):
    return int(env.action_space(agent).sample(mask))


def by_table(env, _agent, _mask):
    return env.unwrapped.table.sample()


def open_spiel(game, observe):
    """OpenSpiel's loop; the caller draws chance, which is not counted."""

    def play(steps):
        made = 0
        while made < steps:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, chances = zip(*state.chance_outcomes())
                    state.apply_action(random.choices(actions, chances)[0])
                    continue
                if observe:
                    state.observation_tensor(state.current_player())
                state.apply_action(random.choice(state.legal_actions()))
                made += 1
        return made

    return play


def many(vector, steps=200):
    """Steps a second of many tables, in CPU time and in wall time."""
    vector.step(vector.sample())
    found = []
    for _ in range(5):
        start, clock = user(), time.perf_counter()
        for _ in range(steps):
            vector.step(vector.sample())
        made = len(vector) * steps
        found.append((made / (user() - start), made / (time.perf_counter() - clock)))
    return [statistics.median(column) for column in zip(*found)]


def others(seconds):
    try:
        import pyspiel

        for name in ("tic_tac_toe", "leduc_poker", "gin_rummy"):
            game = pyspiel.load_game(name)
            yield f"OpenSpiel {name}", pace(open_spiel(game, False), seconds)
            yield f"OpenSpiel {name}, observed", pace(open_spiel(game, True), seconds)
    except ImportError:
        pass
    try:
        from pettingzoo.classic import leduc_holdem_v4, texas_holdem_v4

        for module in (leduc_holdem_v4, texas_holdem_v4):
            name = module.__name__.rsplit(".", 1)[-1]
            yield f"PettingZoo {name}, raw", pace(aec(module.raw_env(), masked), seconds)
            yield f"PettingZoo {name}, in wrappers", pace(aec(module.env(), masked), seconds)
    except ImportError:
        pass


def own(seconds):
    games = [("leopard", "revised"), ("leapfrog", "mini-6x6"), ("eleusis", "express")]
    for game, variant in games:
        name, table = f"parlour {game} {variant}", Environment(game, variant)
        if game == "leopard":
            yield f"{name}, legal_actions()", pace(alone(table, listed, False), seconds)
        yield f"{name}, sample()", pace(alone(table, sampled, False), seconds)
        yield f"{name}, sample(), observed", pace(alone(table, sampled, True), seconds)
    for module, (game, variant) in zip((leopard_v0, leapfrog_v0, eleusis_v0), games):
        name = f"parlour {game}_v0 {variant}"
        yield f"{name}, raw", pace(aec(module.raw_env(variant), by_table), seconds)
        yield f"{name}, raw, space's sample", pace(aec(module.raw_env(variant), masked), seconds)
        yield f"{name}, in wrappers", pace(aec(module.env(variant), by_table), seconds)


def vectors():
    for game, variant, n in [
        ("leopard", "revised", 4096),
        ("leapfrog", "murray", 512),
        ("eleusis", "express", 512),
    ]:
        for threads in (1, 2):
            for seen in (True, False):
                vector = Vector(
                    game, n, variant, threads=threads, observations=seen, masks=seen
                )
                what = "observations and masks" if seen else "neither"
                yield f"Vector {game} {variant}, n={n}, threads={threads}, {what}", many(vector)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=1, help="seconds of a measurement")
    seconds = options.parse_args().seconds
    for row in (own(seconds), others(seconds)):
        for name, steps in row:
            print(f"{name:<58} {steps:>12,.0f} steps/s", flush=True)
    print("many tables: steps a second of a core, and of wall time")
    for name, (core, clock) in vectors():
        print(f"{name:<74} {core:>12,.0f} {clock:>12,.0f}", flush=True)


if __name__ == "__main__":
    main()
