"""Trains Leopard by sb3-contrib's MaskablePPO, and measures it while it learns.

    pip install ./python sb3-contrib safetensors && python examples/maskable_ppo.py

The learner meets `greedy` at 256 tables and alternates between the seats.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
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


def evaluate(
    model: MaskablePPO, scale: Any, opponent: str, deals: int, seed: int
) -> parlour.Evaluation:
    """Plays the likeliest actions; every deal is played from both seats."""

    def likeliest(observations: Any, masks: Any) -> Any:
        return model.predict(observations * scale, action_masks=masks, deterministic=True)[0]

    return parlour.evaluate(
        likeliest, "leopard", "revised", opponents=opponent, deals=deals, seed=seed, progress=False
    )


class Curve(BaseCallback):
    """Stops after some CPU seconds; measures the learner on fresh deals and writes a row for each."""

    def __init__(
        self, seconds: float, every: float, deals: int, path: Path | None, scale: Any
    ) -> None:
        super().__init__()
        self.scale = scale
        self.seconds, self.every, self.deals, self.path = seconds, every, deals, path
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
            found = evaluate(self.model, self.scale, opponent, self.deals, fresh)
            done = f"{seconds:5.0f} s {self.num_timesteps:9,} choices"
            print(f"{done}: {found.sentence}", flush=True)
            versions = f"python {platform.python_version()}, torch {torch.__version__}, "
            versions += f"sb3-contrib {sb3_contrib.__version__}, parlour {parlour.__version__}"
            self.rows.append(
                {
                    "seed": seed,
                    "cpu_seconds": round(seconds),
                    "choices": self.num_timesteps,
                    "opponent": opponent,
                    "deals": self.deals,
                    "score": round(found.score, 4),
                    "score_low": round(found.interval[0], 4),
                    "score_high": round(found.interval[1], 4),
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
    options.add_argument("--deals", type=int, default=2000, help="deals of a measurement")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, help="CSV file for the learning curve")
    options.add_argument("--save", type=Path, help="file for the network, a strategy")
    chosen = options.parse_args()
    if chosen.save and importlib.util.find_spec("safetensors") is None:
        options.error("--save needs safetensors: pip install safetensors")
    torch.set_num_threads(1)
    envs = make(256, "greedy")
    scale = envs.scale
    curve = Curve(chosen.seconds, chosen.every, chosen.deals, chosen.out, scale)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
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
    if chosen.save:
        network = parlour.save_network(model, "leopard", chosen.save, variant="revised")
        print(parlour.rate(network, "leopard", "revised", progress=False).sentence)


if __name__ == "__main__":
    main()
