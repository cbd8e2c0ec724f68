"""Trains Leopard by sb3-contrib's MaskablePPO, and measures it while it learns.

    pip install ./python sb3-contrib && python examples/maskable_ppo.py

The learner meets `greedy` at 256 tables and alternates between the seats.
"""

from __future__ import annotations

import argparse
import csv
import math
import platform
import time
from pathlib import Path
from typing import Any

import numpy as np
import sb3_contrib
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

import parlour
from gymnasium import spaces
from parlour.envs import SB3VecEnv


def make(num_envs: int, opponent: str) -> SB3VecEnv:
    return SB3VecEnv("leopard", num_envs, "revised", opponent=opponent, rescale=True, threads=1)


class Body(BaseFeaturesExtractor):
    """Hidden layers that actor and critic share: they learn faster here than two networks."""

    def __init__(self, space: spaces.Box, width: int = 128) -> None:
        super().__init__(space, width)
        first, second = nn.Linear(space.shape[0], width), nn.Linear(width, width)
        self.layers = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())

    def forward(self, observations: Tensor) -> Tensor:
        hidden: Tensor = self.layers(observations)
        return hidden


def evaluate(model: MaskablePPO, opponent: str, hands: int, seed: int) -> float:
    """Share of wins with the likeliest actions; the first hands of each table count."""
    envs = make(min(hands, 500), opponent)
    left, wins = np.full(envs.num_envs, hands // envs.num_envs), 0
    envs.seed(seed)
    observations: Any = envs.reset()
    while left.any():
        masks = envs.envs.action_masks()
        actions, _ = model.predict(observations, action_masks=masks, deterministic=True)
        observations, rewards, over, _ = envs.step(actions)
        counted = over & (left > 0)
        wins += int((rewards[counted] > 0).sum())
        left -= counted
    return wins / (hands // envs.num_envs * envs.num_envs)


class Curve(BaseCallback):
    """Stops after some CPU seconds; measures the learner on fresh deals and writes a row for each."""

    def __init__(self, seconds: float, every: float, hands: int, path: Path | None) -> None:
        super().__init__()
        self.seconds, self.every, self.hands, self.path = seconds, every, hands, path
        self.start, self.measured, self.rows = time.process_time(), 0.0, list[dict[str, object]]()

    def spent(self) -> float:
        """CPU seconds without those of measurements."""
        return time.process_time() - self.start - self.measured

    def learning_rate(self, _: float) -> float:
        return 1e-3 * max(1 - self.spent() / self.seconds, 0.02)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.spent() >= self.every * (1 + len(self.rows) // 2):
            self.measure()

    def measure(self) -> None:
        assert isinstance(self.model, MaskablePPO)
        seconds, started, seed = self.spent(), time.process_time(), self.model.seed or 0
        for opponent in ("random", "greedy"):
            fresh = 1_000_000 * seed + self.num_timesteps
            share = evaluate(self.model, opponent, self.hands, fresh)
            half = 1.96 * math.sqrt(share * (1 - share) / self.hands)
            done = f"{seconds:5.0f} s {self.num_timesteps:9,} choices"
            print(f"{done}, {opponent}: {share:.3f} ± {half:.3f}", flush=True)
            versions = f"python {platform.python_version()}, torch {torch.__version__}, "
            versions += f"sb3-contrib {sb3_contrib.__version__}, parlour {parlour.__version__}"
            self.rows.append(
                {
                    "seed": seed,
                    "cpu_seconds": round(seconds),
                    "choices": self.num_timesteps,
                    "opponent": opponent,
                    "hands": self.hands,
                    "win_share": round(share, 4),
                    "half_width": round(half, 4),
                    "versions": versions,
                }
            )
        if self.path:
            with self.path.open("w", newline="") as file:
                writer = csv.DictWriter(file, self.rows[0], lineterminator="\n")
                writer.writeheader()
                writer.writerows(self.rows)
        self.measured += time.process_time() - started


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--seconds", type=float, default=600, help="CPU seconds of training")
    options.add_argument("--every", type=float, default=60, help="seconds between measurements")
    options.add_argument("--hands", type=int, default=4000, help="hands of a measurement")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, help="CSV file for the learning curve")
    chosen = options.parse_args()
    torch.set_num_threads(1)
    curve = Curve(chosen.seconds, chosen.every, chosen.hands, chosen.out)
    model = MaskablePPO(
        "MlpPolicy",
        make(256, "greedy"),
        learning_rate=curve.learning_rate,
        n_steps=64,
        batch_size=2048,
        n_epochs=3,
        ent_coef=0.01,
        policy_kwargs={"features_extractor_class": Body, "net_arch": []},
        seed=chosen.seed,
        device="cpu",
    )
    while curve.spent() < chosen.seconds:
        model.learn(256 * 64, callback=curve, reset_num_timesteps=False)
    curve.measure()


if __name__ == "__main__":
    main()
