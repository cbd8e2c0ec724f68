"""Trains Leopard by PPO with action masks in a single file, and measures it while it learns.

    pip install ./python torch gymnasium safetensors && python examples/ppo.py

The learner meets `greedy` at 256 tables and alternates between the seats. After Huang et al., "The 37
implementation details of proximal policy optimization" (2022).
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import platform
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

import parlour
import parlour.envs

Array = npt.NDArray[Any]
ENVS, STEPS, EPOCHS, BATCH = 256, 64, 3, 2048
LEARNING_RATE, GAMMA, LAMBDA = 1e-3, 0.99, 0.95
CLIP, ENTROPY, MAX_NORM = 0.2, 0.01, 0.5


def make(num_envs: int, opponent: str) -> parlour.envs.GymVectorEnv:
    envs = gymnasium.make_vec(
        "parlour/Leopard-v0",
        num_envs,
        variant="revised",
        opponent=opponent,
        rescale=True,
        threads=1,
        autoreset_mode="SameStep",
    )
    assert isinstance(envs, parlour.envs.GymVectorEnv)
    return envs


def linear(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    """A layer with orthogonal weights."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    """Actor and critic with common hidden layers: they learn faster here than two networks."""

    def __init__(self, scale: Array, actions: int, width: int = 128) -> None:
        super().__init__()
        self.scale = scale
        self.body = nn.Sequential(
            linear(scale.size, width), nn.ReLU(), linear(width, width), nn.ReLU()
        )
        self.actor = linear(width, actions, 0.01)
        self.critic = linear(width, 1, 1.0)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Log probability of each action (about -1e9 for illegal ones), and value."""
        hidden = self.body(observations)
        logs = self.actor(hidden).masked_fill(~masks, -1e9).log_softmax(1)
        return logs, self.critic(hidden).squeeze(1)


def evaluate(agent: Agent, opponent: str, deals: int, seed: int) -> parlour.Evaluation:
    """Plays the likeliest actions; every deal is played from both seats."""

    def likeliest(observations: Array, masks: Array) -> Array:
        with torch.no_grad():
            logs, _ = agent(torch.from_numpy(observations * agent.scale), torch.from_numpy(masks))
        actions: Array = logs.argmax(1).numpy()
        return actions

    return parlour.evaluate(
        likeliest, "leopard", "revised", opponents=opponent, deals=deals, seed=seed, progress=False
    )


class Curve:
    """Measures an agent against two strategies on fresh deals, and writes a row for each."""

    def __init__(self, path: Path | None, seed: int, deals: int) -> None:
        self.path, self.seed, self.deals, self.rows = path, seed, deals, list[dict[str, object]]()

    def add(self, agent: Agent, seconds: float, choices: int) -> None:
        for opponent in ("random", "greedy"):
            found = evaluate(agent, opponent, self.deals, 1_000_000 * self.seed + choices)
            print(f"{seconds:5.0f} s {choices:9,} choices: {found.sentence}", flush=True)
            self.rows.append(
                {
                    "seed": self.seed,
                    "cpu_seconds": round(seconds),
                    "choices": choices,
                    "opponent": opponent,
                    "deals": self.deals,
                    "score": round(found.score, 4),
                    "score_low": round(found.interval[0], 4),
                    "score_high": round(found.interval[1], 4),
                    "versions": f"python {platform.python_version()}, torch {torch.__version__}, "
                    f"parlour {parlour.__version__}",
                }
            )
        if self.path:
            with self.path.open("w", newline="") as file:
                writer = csv.DictWriter(file, self.rows[0], lineterminator="\n")
                writer.writeheader()
                writer.writerows(self.rows)


def train(seconds: float, seed: int, curve: Curve, every: float) -> Agent:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    envs = make(ENVS, "greedy")
    numbers, actions = envs.scale.size, envs.tables.facts["count"]
    agent = Agent(envs.scale, actions)
    optimizer = torch.optim.Adam(agent.parameters(), LEARNING_RATE, eps=1e-5)

    seen, masks = (
        torch.zeros(STEPS, ENVS, numbers),
        torch.zeros(STEPS, ENVS, actions, dtype=torch.bool),
    )
    chosen, logs = torch.zeros(STEPS, ENVS, dtype=torch.long), torch.zeros(STEPS, ENVS)
    values, rewards, ends = (
        torch.zeros(STEPS + 1, ENVS),
        torch.zeros(STEPS, ENVS),
        torch.zeros(STEPS, ENVS),
    )
    first, _ = envs.reset(seed=seed)
    observation, mask = torch.from_numpy(first), torch.from_numpy(envs.action_masks())
    start, measured, spent, choices = time.process_time(), 0.0, 0.0, 0

    while spent < seconds:
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * max(1 - spent / seconds, 0.02)
        for step in range(STEPS):
            with torch.no_grad():
                log, values[step] = agent(observation, mask)
            action = torch.multinomial(log.exp(), 1)
            seen[step], masks[step], chosen[step] = observation, mask, action[:, 0]
            logs[step] = log.gather(1, action)[:, 0]
            following, reward, over, _, _ = envs.step(action[:, 0].numpy())
            observation, mask = torch.from_numpy(following), torch.from_numpy(envs.action_masks())
            rewards[step], ends[step] = torch.from_numpy(reward), torch.from_numpy(over)
        choices += STEPS * ENVS

        # Generalized advantage estimation. A hand ends with its result, so nothing is truncated.
        with torch.no_grad():
            _, values[STEPS] = agent(observation, mask)
        advantages, advantage = torch.zeros(STEPS, ENVS), torch.zeros(ENVS)
        for step in reversed(range(STEPS)):
            goes_on = 1 - ends[step]
            error = rewards[step] + GAMMA * goes_on * values[step + 1] - values[step]
            advantage = error + GAMMA * LAMBDA * goes_on * advantage
            advantages[step] = advantage
        returns = (advantages + values[:STEPS]).flatten()

        batch = [part.flatten(0, 1) for part in (seen, masks, chosen, logs, advantages)]
        for _ in range(EPOCHS):
            for rows in torch.randperm(STEPS * ENVS).reshape(-1, BATCH):
                observations, legal, taken, before, gain = (part[rows] for part in batch)
                log, value = agent(observations, legal)
                ratio = (log.gather(1, taken[:, None])[:, 0] - before).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                policy = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
                error = (value - returns[rows]).square().mean()
                entropy = -(log.exp() * log).sum(1).mean()
                optimizer.zero_grad()
                torch.autograd.backward(policy + 0.5 * error - ENTROPY * entropy)
                nn.utils.clip_grad_norm_(agent.parameters(), MAX_NORM)
                optimizer.step()

        spent = time.process_time() - start - measured
        if spent >= every * (1 + len(curve.rows) // 2) or spent >= seconds:
            before_it = time.process_time()
            curve.add(agent, spent, choices)
            measured += time.process_time() - before_it
    return agent


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--seconds", type=float, default=600, help="CPU seconds of training")
    options.add_argument("--every", type=float, default=60, help="seconds between measurements")
    options.add_argument("--deals", type=int, default=2000, help="deals of a measurement")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, help="CSV file for the learning curve")
    options.add_argument("--save", type=Path, help="file for the network, a strategy")
    chosen = options.parse_args()
    if chosen.save and importlib.util.find_spec("safetensors") is None:
        options.error("--save needs safetensors: pip install safetensors")
    curve = Curve(chosen.out, chosen.seed, chosen.deals)
    agent = train(chosen.seconds, chosen.seed, curve, chosen.every)
    if chosen.save:
        actor = nn.Sequential(*agent.body, agent.actor)
        network = parlour.save_network(
            actor, "leopard", chosen.save, variant="revised", scale=agent.scale
        )
        print(parlour.rate(network, "leopard", "revised", progress=False).sentence)


if __name__ == "__main__":
    main()
