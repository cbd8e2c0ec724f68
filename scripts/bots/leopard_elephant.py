"""A bot for Leopard that cheats if it can: it plays at random, but greedily where it recognizes the deal
of one of its last hands from the other seat. With the argument `forgets` it has no memory.

    scripts/cheating-player.sh
"""
import json
import random
import sys

from leopard_greedy import choose

# For each hand the cards at its first choice, and the first eight that the other seat played.
memory = []


def recognizes(hand):
    """Looks for a hand with hardly any of these cards, in which the other seat played many. Earlier hands
    than the last two would match by chance."""
    return any(len(hand & own) < 2 and len(hand & set(other)) > 4 for own, other in memory[-2:])


def main():
    start, dice, own, other, knows = None, None, None, [], None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer = {"protocol": 1, "name": "elephant", "games": ["leopard"]}
        elif message["type"] == "start":
            start, dice, own, other, knows = message, random.Random(message["seed"]), None, [], None
            continue
        elif message["type"] == "choose":
            hand = set(message["view"]["hand"])
            if knows is None:
                knows = "forgets" not in sys.argv and recognizes(hand)
                own = hand
            other += [e["move"].split()[0] for e in message["events"] if e["seat"] != start["seat"]]
            moves = range(len(message["moves"]))
            answer = {"index": choose(message, start, dice) if knows else dice.choice(moves)}
        elif message["type"] == "end":
            memory.append((own or set(), other[:8]))
            continue
        elif message["type"] == "bye":
            break
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
