#!/usr/bin/env python3
"""Measures steps a second with random legal moves: parlour, OpenSpiel, RLCard and PettingZoo.

    pip install './python[envs]' pygame rlcard open_spiel && scripts/env-speed.py

A step is a decision of a player; moves of the deck are not counted. Times are user CPU seconds of one
thread, which other programs disturb less: the median of five rounds over all loops, one after the
other. A ratio compares parlour's loop of the same kind. Libraries that are not installed are skipped.
"""

import argparse
import random
import resource
import statistics

import numpy as np
from parlour.envs import Environment, GymVectorEnv, Vector, eleusis_v0, leapfrog_v0, leopard_v0


def user():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def paces(loops, seconds):
    """Steps a CPU second of each loop; `play(steps)` returns the number of steps made."""
    counts, found = {}, {name: [] for name in loops}
    for name, play in loops.items():
        counts[name] = 100
        while True:
            start = user()
            play(counts[name])
            if user() - start > seconds / 8:
                break
            counts[name] *= 2
    for _ in range(5):
        for name, play in loops.items():
            start = user()
            made = play(counts[name])
            found[name].append(made / (user() - start))
    return {name: statistics.median(rounds) for name, rounds in found.items()}


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
    has_observations = game.get_type().provides_observation_tensor

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
                    if has_observations:
                        state.observation_tensor(state.current_player())
                    else:
                        state.information_state_tensor(state.current_player())
                state.apply_action(random.choice(state.legal_actions()))
                made += 1
        return made

    return play


def rlcard(env):
    """RLCard's loop, which observes at each step."""

    def play(steps):
        made = 0
        while made < steps:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(random.choice(list(state["legal_actions"])))
                made += 1
        return made

    return play


def many(vector):
    def play(steps):
        for _ in range(0, steps, len(vector)):
            vector.step(vector.sample())
        return -(-steps // len(vector)) * len(vector)

    return play


def gymnasium(envs):
    """Gymnasium's loop over many tables with opponents."""
    envs.reset(seed=1)

    def play(steps):
        for _ in range(0, steps, envs.num_envs):
            envs.step(np.maximum(envs.tables.sample(), 0))
        return -(-steps // envs.num_envs) * envs.num_envs

    return play


def open_spiel_vector(name, count):
    """OpenSpiel's vector environment."""
    from open_spiel.python import rl_agent, rl_environment, vector_env

    envs = vector_env.SyncVectorEnv([rl_environment.Environment(name) for _ in range(count)])

    def play(steps):
        now = envs.reset()
        for _ in range(0, steps, count):
            seats = [time_step.observations["current_player"] for time_step in now]
            legal = [
                time_step.observations["legal_actions"][seat] for time_step, seat in zip(now, seats)
            ]
            chosen = [rl_agent.StepOutput(random.choice(actions), None) for actions in legal]
            now, *_ = envs.step(chosen, reset_if_done=True)
        return -(-steps // count) * count

    return play


ALONE = "parlour leopard revised, legal_actions()"
SEEN = f"{ALONE}, observed"
MANY = "Vector leopard revised, 4096 tables, arrays"


def others():
    """Loops of other libraries, each with parlour's loop of the same kind."""
    try:
        import pyspiel

        for name in ("gin_rummy", "hearts", "leduc_poker"):
            game = pyspiel.load_game(name)
            yield f"OpenSpiel {name}", open_spiel(game, False), ALONE
            yield f"OpenSpiel {name}, observed", open_spiel(game, True), SEEN
            yield f"OpenSpiel {name}, SyncVectorEnv of 64", open_spiel_vector(name, 64), MANY
    except ImportError:
        pass
    try:
        import rlcard as cards

        for name in ("gin-rummy", "uno"):
            yield f"RLCard {name}, observed", rlcard(cards.make(name)), SEEN
    except ImportError:
        pass
    try:
        from pettingzoo.classic import leduc_holdem_v4, texas_holdem_v4

        for module in (leduc_holdem_v4, texas_holdem_v4):
            name = module.__name__.rsplit(".", 1)[-1]
            for kind in ("raw_env", "env"):
                loop = aec(getattr(module, kind)(), masked)
                yield f"PettingZoo {name}.{kind}()", loop, f"leopard_v0.{kind}()"
    except ImportError:
        pass


def own():
    games = [("leopard", "revised"), ("leapfrog", "mini-6x6"), ("eleusis", "express")]
    yield ALONE, alone(Environment("leopard", "revised"), listed, False)
    yield SEEN, alone(Environment("leopard", "revised"), listed, True)
    for game, variant in games:
        name, table = f"parlour {game} {variant}", Environment(game, variant)
        yield f"{name}, sample()", alone(table, sampled, False)
        yield f"{name}, sample(), observed", alone(table, sampled, True)
    for module, (game, variant) in zip((leopard_v0, leapfrog_v0, eleusis_v0), games):
        yield f"{game}_v0.raw_env()", aec(module.raw_env(variant), masked)
        yield f"{game}_v0.env()", aec(module.env(variant), masked)
        yield f"{game}_v0.raw_env(), table.sample()", aec(module.raw_env(variant), by_table)


def vectors():
    for game, variant, n in [
        ("leopard", "revised", 4096),
        ("leapfrog", "murray", 512),
        ("eleusis", "express", 512),
    ]:
        for seen in (True, False):
            vector = Vector(game, n, variant, threads=1, observations=seen, masks=seen)
            yield f"Vector {game} {variant}, {n} tables" + ", arrays" * seen, many(vector)
    for opponent in ("random", "greedy"):
        for mode in ("NextStep", "SameStep"):
            envs = GymVectorEnv(
                "leopard", 1024, "revised", opponent=opponent, threads=1, autoreset_mode=mode
            )
            yield f"GymVectorEnv leopard revised, 1024 tables, {opponent}, {mode}", gymnasium(envs)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=1, help="seconds of a measurement")
    options.add_argument("--only", default="", help="only loops whose names contain this text")
    chosen = options.parse_args()
    compared = {name: (play, kind) for name, play, kind in others()}
    loops = dict([*own(), *vectors()]) | {name: play for name, (play, _) in compared.items()}
    loops = {name: play for name, play in loops.items() if chosen.only in name}
    found = paces(loops, chosen.seconds)
    for name, steps in found.items():
        base = found.get(compared[name][1]) if name in compared else None
        ratio = f"parlour over it: {base / steps:.1f}" if base else ""
        print(f"{name:<60} {steps:>12,.0f} steps/s  {ratio}".rstrip())


if __name__ == "__main__":
    main()
