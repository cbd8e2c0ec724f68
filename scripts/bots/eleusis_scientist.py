"""A bot for rule discovery: it keeps the rules that agree with every verdict so far.

    parlour check-bot --game eleusis --science -- python3 scripts/bots/eleusis_scientist.py
"""
import json
import random
import sys

RANKS = "A23456789TJQK"
CARDS = [rank + suit for rank in RANKS for suit in "SHDC"]
rank = lambda card: RANKS.index(card[0]) + 1
red = lambda card: card[1] in "HD"
odd = lambda card: rank(card) % 2 == 1
face = lambda card: rank(card) > 10

# Rules in the rule language, with the same rule as a function of the last card and the next.
IDEAS = {
    "red": lambda last, card: red(card),
    "black": lambda last, card: not red(card),
    "odd": lambda last, card: odd(card),
    "even": lambda last, card: not odd(card),
    "rank <= 10": lambda last, card: not face(card),
    "face": lambda last, card: face(card),
    "color == last.color": lambda last, card: red(card) == red(last),
    "color != last.color": lambda last, card: red(card) != red(last),
    "suit == last.suit": lambda last, card: card[1] == last[1],
    "suit != last.suit": lambda last, card: card[1] != last[1],
    "parity == last.parity": lambda last, card: odd(card) == odd(last),
    "parity != last.parity": lambda last, card: odd(card) != odd(last),
    "rank >= last.rank": lambda last, card: rank(card) >= rank(last),
    "rank <= last.rank": lambda last, card: rank(card) <= rank(last),
    "suit == last.suit or rank == last.rank": lambda last, card: card[1] == last[1] or card[0] == last[0],
}


def agrees(idea, message):
    """True if a rule agrees with every verdict."""
    last = message["mainline"][0]
    for verdict in message["verdicts"]:
        if idea(last, verdict["card"]) != verdict["right"]:
            return False
        if verdict["right"]:
            last = verdict["card"]
    return True


def state(message, dice):
    left = [text for text, idea in IDEAS.items() if text not in message["refuted"] and agrees(idea, message)]
    last, hand = message["mainline"][-1], sorted(set(message["hand"]))
    if not left:
        return {"card": dice.choice(hand)}
    # The card that splits the remaining rules most evenly.
    ayes = {card: sum(IDEAS[text](last, card) for text in left) for card in hand}
    card = min(hand, key=lambda card: abs(2 * ayes[card] - len(left)))
    # Rules with equal verdicts on all cards count once.
    views = {tuple(IDEAS[text](last, card) for card in CARDS) for text in left}
    return {"card": card, "guess": left[0], "probability": 0.6 / len(views), "commit": len(views) == 1}


def main():
    dice = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer = {"protocol": 1, "name": "scientist.py", "games": ["eleusis"]}
        elif message["type"] == "science":
            dice = random.Random(message["seed"])
            continue
        elif message["type"] == "state":
            answer = state(message, dice)
        elif message["type"] == "bye":
            break
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
