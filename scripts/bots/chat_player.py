"""A language model that plays any game, behind an endpoint with OpenAI's chat completions.

    parlour check-bot --game leopard --move-ms 65000 -- python3 scripts/bots/chat_player.py --url URL --model NAME

`chat.py` has the rules for faults, retries and time.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import chat

NOTATION = {
    "leopard": "`3H o3` plays the three of hearts on cell 3 of your square, `3H x3` on your opponent's (cells "
    "1 to 9, row by row); `3H -` discards it; `knock` and `end` are moves, too.",
    "leapfrog": "`e5-g5` leaps from e5 to g5 over f5 and captures f5 (columns are letters, rows are numbers from "
    "the top); `xe5` is a first capture of e5; `stop` ends a chain.",
    "eleusis": "`7H` plays the seven of hearts, `submit` asks for the verdict on the cards played, `no play` claims "
    "that no card fits, `prophesy` makes you prophet, `right` and `wrong` judge, `pass` does nothing.",
}
FORM = """\
Cards are a rank (A 2 3 4 5 6 7 8 9 T J Q K) and a suit (S H D C). Seats count from 0.
Choose the legal move that gives you the best chance to win. Think briefly, then end with one line of JSON:
{"move": NUMBER}"""


def explanation(game: str, rules: dict[str, Any]) -> str:
    """The rules in words, the fields of a view and the notation."""
    books = json.loads(chat.program("rules", game, "--json").stdout)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.json")
        file.write_text(json.dumps({"name": "table", "base": books[0]["variant"], **rules}), "utf-8")
        done = chat.program("rules", game, str(file), "--json")
    if done.returncode != 0:
        chat.fail(f"cannot explain these rules: {done.stderr.strip()}")
    play = ["\n".join(lines) for lines in json.loads(done.stdout)[0]["play"]]
    schema = json.loads(chat.program("schema", "view").stdout)
    views = {"leopard": "LeopardView", "leapfrog": "View", "eleusis": "EleusisView"}
    fields = _fields(schema["$defs"][views[game]], schema["$defs"], set())
    parts = [
        f"You play {game}.",
        *play,
        "Fields of your view:\n" + "\n".join(fields),
        "Moves: " + NOTATION[game],
    ]
    if rules.get("express"):
        parts.append(
            'To state the rule, answer {"move": "guess RULE"}. RULE is in this language:\n\n'
            + chat.rule_language()
        )
    return "\n\n".join([*parts, FORM])


def _fields(schema: dict[str, Any], types: dict[str, Any], seen: set[str]) -> list[str]:
    """The fields of a JSON Schema with their descriptions, in lines."""
    lines = []
    for name, field in schema.get("properties", {}).items():
        kinds = [field, field.get("items", {}), *field.get("anyOf", [])]
        names = [kind["$ref"].rpartition("/")[2] for kind in kinds if "$ref" in kind]
        new = [kind for kind in names if kind not in seen]
        seen.update(new)
        texts = [field.get("description", ""), *(types[kind].get("description", "") for kind in new)]
        lines.append(f"- {name}: " + " ".join(" ".join(dict.fromkeys(texts)).split()))
        for kind in new:
            lines += _fields(types[kind], types, seen)
    return lines


def read_move(answer: str, moves: list[str]) -> dict[str, Any]:
    """Finds the move in an answer: its number or its text, in JSON or alone in the last line."""
    said = next((it["move"] for it in chat.objects(answer) if "move" in it), None)
    if said is None:
        lines = [line.strip(" `*.\t") for line in chat.spoken(answer).splitlines() if line.strip(" `*.\t")]
        last = re.sub(r"^(move|answer)\s*:?\s*", "", lines[-1], flags=re.IGNORECASE) if lines else ""
        if last not in moves and not last.isdecimal():
            raise chat.Fault('The answer has no line such as {"move": 0}.')
        said = last
    if isinstance(said, str):
        said = said.strip(" `")
        for index, move in enumerate(moves):
            if move.lower() == said.lower():
                return {"index": index}
        if said.startswith("guess ") and any(move.startswith("guess ") for move in moves):
            if fault := chat.rule_fault(said[6:].strip()):
                raise chat.Fault(f"{said[:40]}: {fault}.")
            return {"move": said}
        number = re.match(r"\d+(?=:|$)", said)  # As in `3: QH o2`.
        if number is None:
            raise chat.Fault(f"`{said[:40]}` is not a legal move.")
        said = int(number[0])
    if isinstance(said, bool) or not isinstance(said, int) or not 0 <= said < len(moves):
        raise chat.Fault(f"There is no move {str(said)[:20]}; the numbers go from 0 to {len(moves) - 1}.")
    return {"index": said}


class Player:
    """Plays hands by asking a model."""

    def __init__(self, model: chat.Chat) -> None:
        self.model = model
        self.game = ""
        self.start: dict[str, Any] = {}
        self.past: list[str] = []
        self.hand = 0
        self.known: dict[str, str] = {}

    def hear(self, message: dict[str, Any]) -> dict[str, Any] | None:
        kind = message["type"]
        if kind == "hello":
            self.game = message["game"]
        elif kind == "start":
            self.start, self.past, self.hand = message, [], self.hand + 1
            self.model.begin(message["seed"])
        elif kind == "choose":
            return self.choose(message)
        return None

    def choose(self, message: dict[str, Any]) -> dict[str, Any]:
        rules, moves, view = self.start["rules"], message["moves"], message["view"]
        key = json.dumps(rules)
        if key not in self.known:
            self.known[key] = explanation(self.game, rules)
        self.past += [f"seat {event['seat']}: {event['move']}" for event in message["events"]]
        # The rules of a corpus are hundreds of moves, and stated better in words.
        shown = [f"{index}: {move}" for index, move in enumerate(moves) if not move.startswith("guess ")]
        if len(shown) < len(moves):
            shown.append("or state the rule")
        prompt = (
            f"You are seat {self.start['seat']} of {self.start['seats']}.\n"
            f"Your view: {json.dumps(view, separators=(',', ':'))}\n"
            f"The last moves: {'; '.join(self.past[-40:]) or 'none'}\n"
            f"Your legal moves:\n" + "\n".join(shown)
        )
        legal = [{"index": index} for index in range(len(moves))]
        what = f"hand {self.hand}"
        read = lambda answer: read_move(answer, moves)  # noqa: E731
        answer: dict[str, Any] = self.model.choose(what, self.known[key], prompt, read, legal)
        return answer


def main() -> None:
    said = chat.arguments(__doc__ or "")
    player = Player(chat.Chat(said))
    chat.serve(player.model, f"chat-{said.model}", player.hear)


if __name__ == "__main__":
    main()
