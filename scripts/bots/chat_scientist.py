"""A language model that discovers Eleusis rules, behind an endpoint with OpenAI's chat completions.

    parlour check-bot --game eleusis --science --move-ms 65000 -- \\
        python3 scripts/bots/chat_scientist.py --url URL --model NAME

`parlour science` measures its score, and its calibration: the probabilities that it states against the share of
its guesses that are right. `chat.py` has the rules for faults, retries and time.
"""

from __future__ import annotations

import json
from typing import Any

import chat

TASK = """\
A secret rule decides which card may follow the line of cards accepted so far (the mainline). It looks at the cards
of the mainline and at nothing else. Each turn you lay a card of your hand and hear if it is right; a right card joins
the mainline. Find the rule with few cards.

Each turn you may also state your best guess of the rule, with the probability that it is right. Be calibrated: of the
guesses to which you give 70 %, 70 % should be right. A guess is right if it gives the same verdicts as the secret
rule from now on, however it is worded. With "commit": true you claim it: a right claim ends the case, and a wrong
one costs 2 points. The score is 31 less the number of the turn in which you claim the right rule.

Guesses are written in this language:

{language}

Think briefly, then end with one line of JSON, such as
{{"card": "7H", "guess": "color == last.color", "probability": 0.4, "commit": false}}
Without a guess, leave out the last three fields."""


def read_belief(answer: str, hand: list[str]) -> dict[str, Any]:
    """Finds a card and a belief in an answer."""
    said = next((it for it in chat.objects(answer) if "card" in it), None)
    if said is None:
        raise chat.Fault('The answer has no line such as {"card": "7H"}.')
    card = str(said["card"]).strip().upper().replace("10", "T")
    if card not in hand:
        raise chat.Fault(f"`{card[:10]}` is not in your hand, which is {' '.join(hand)}.")
    belief: dict[str, Any] = {"card": card}
    guess = said.get("guess")
    if not isinstance(guess, str) or not guess.strip():
        return belief
    if fault := chat.rule_fault(guess):
        # The card can be laid without the guess.
        raise chat.Fault(f"Your guess is {fault}.", belief)
    probability = said.get("probability")
    if isinstance(probability, bool) or not isinstance(probability, (int, float)):
        raise chat.Fault("A guess needs a `probability` from 0 to 1.", belief)
    if not 0 <= probability <= 1:
        raise chat.Fault(f"`probability` is {probability}; it must be from 0 to 1.", belief)
    return {**belief, "guess": guess, "probability": probability, "commit": said.get("commit") is True}


def verdicts(message: dict[str, Any]) -> list[str]:
    """The cards laid so far, each with the card before it."""
    line, lines = message["mainline"][0], []
    for turn, verdict in enumerate(message["verdicts"], 1):
        lines.append(f"{turn}: {verdict['card']} after {line}: {'right' if verdict['right'] else 'wrong'}")
        if verdict["right"]:
            line = verdict["card"]
    return lines


class Scientist:
    """Solves cases by asking a model."""

    def __init__(self, model: chat.Chat) -> None:
        self.model = model
        self.system = TASK.format(language=chat.rule_language())
        self.turns = 0
        self.case = 0

    def hear(self, message: dict[str, Any]) -> dict[str, Any] | None:
        if message["type"] == "science":
            self.turns, self.case = message["turns"], self.case + 1
            self.model.begin(message["seed"])
        elif message["type"] == "state":
            return self.state(message)
        return None

    def state(self, message: dict[str, Any]) -> dict[str, Any]:
        hand = sorted(set(message["hand"]))
        prompt = "\n".join(
            [
                f"Turn {message['turn']} of {self.turns}.",
                "Mainline: " + " ".join(message["mainline"]),
                "Verdicts:",
                *(verdicts(message) or ["none"]),
                "Your wrong claims: " + ("; ".join(message["refuted"]) or "none"),
                "Your hand: " + " ".join(hand),
            ]
        )
        cards = [{"card": card} for card in hand]
        what = f"case {self.case}, turn {message['turn']}"
        read = lambda answer: read_belief(answer, hand)  # noqa: E731
        answer: dict[str, Any] = self.model.choose(what, self.system, prompt, read, cards)
        return answer


def main() -> None:
    said = chat.arguments(__doc__ or "")
    scientist = Scientist(chat.Chat(said))
    chat.serve(scientist.model, f"chat-{said.model}", scientist.hear)


if __name__ == "__main__":
    main()
