#!/usr/bin/env python3
"""Plays random games through `parlour.openspiel` and through `Environment`, and compares them move by move.

Usage: scripts/openspiel-agreement.py [GAMES]

Each game is a deal of Leopard, Leap Frog or Eleusis Express in turn (900 GAMES). At each turn the seat to
move, its legal actions, observation and move texts must be equal, at each eighth turn the view, and the
returns at the end.
"""

import json
import random
import sys
import time

import numpy as np
from parlour import openspiel
from parlour.envs import Environment

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 900
RULES = [("leopard", "revised"), ("leapfrog", "murray-mini-6x6"), ("eleusis", "express")]


def check(state, table):
    """Plays one hand on both sides and returns its number of moves."""
    moves = 0
    while table.seat is not None:
        seat, legal = table.seat, table.legal_actions()
        assert state.current_player() == seat
        assert state.legal_actions() == legal
        if moves % 8 == 0:
            view = json.dumps(table.view(seat), separators=(",", ":"))
            assert state.observation_string(seat) == view
        assert np.array_equal(state.observation_tensor(seat), table.observe(seat))
        action = random.choice(legal)
        assert state.action_to_string(seat, action).startswith(table.notation(action))
        state.apply_action(action)
        table.step(action)
        moves += 1
    assert state.is_terminal()
    assert np.allclose(state.returns(), table.rewards, atol=1e-6)
    return moves


random.seed(1)
start, moves = time.process_time(), 0
games = [openspiel.load(*rules, chance="sampled", deals=GAMES) for rules in RULES]
for deal in range(GAMES):
    game, rules = games[deal % len(games)], RULES[deal % len(games)]
    state = game.new_initial_state()
    state.apply_action(deal)
    moves += check(state, Environment(*rules, seed=0, deal=deal))
print(f"{GAMES} games, {moves} moves: all equal, {time.process_time() - start:.0f} s")
