"""Moves a second of Python bots in a run: a torch network asked for many hands at once, the same
network asked for one hand at a time, and a bot without a network. Wall time, median of five.

Usage: python scripts/batched-bot.py [DEALS]"""

import statistics
import sys
import time

import parlour
import torch
from parlour.envs import Environment

torch.set_num_threads(1)
table = Environment("leopard", "revised")
layers = [torch.nn.Linear(table.numbers, 128), torch.nn.ReLU(), torch.nn.Linear(128, 128)]
net = torch.nn.Sequential(*layers, torch.nn.ReLU(), torch.nn.Linear(128, table.actions))


class Batched:
    moves = 0

    @torch.inference_mode()
    def choose_many(self, observations, masks):
        Batched.moves += len(masks)
        values = net(torch.from_numpy(observations).float())
        return values.masked_fill(~torch.from_numpy(masks), -1e9).argmax(1)


class OneByOne:
    moves = 0

    @torch.inference_mode()
    def choose(self, view):
        OneByOne.moves += 1
        values = net(torch.from_numpy(view.observation()).float())
        mask = torch.from_numpy(view.mask()).bool()
        return view.actions.index(int(values.masked_fill(~mask, -1e9).argmax()))


class First:
    moves = 0

    def choose(self, view):
        First.moves += 1
        return 0


def pace(bot, deals):
    bot.moves, start = 0, time.perf_counter()
    parlour.match("leopard", bot, "random", deals=deals, progress=False, on_fault="raise")
    return bot.moves / (time.perf_counter() - start)


deals = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
for bot, part in ((Batched, 1), (OneByOne, 20), (First, 4)):
    paces = [pace(bot, deals // part) for _ in range(5)]
    print(f"{bot.__name__}: {statistics.median(paces):,.0f} moves a second")
