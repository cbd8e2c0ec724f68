/* Look: the hands of a file of records, step by step, with the notes of a strategy. */
import { Lab } from "./lab.js";
import { address, button, choice, frame, labelled, make, pack, rich, unpack } from "./parts.js";

const MAX_BYTES = 100e6;

const text = async (name) => (await fetch(new URL(name, import.meta.url))).text();

/** Returns a page that steps through a hand, as `parlour show` writes it. */
async function page(hand) {
  const [board, style, own, script] = await Promise.all(["board.css", "hand.css", "board.js", "hand.js"].map(text));
  const data = JSON.stringify([hand]).replaceAll("<", "\\u003c");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>A hand</title><style>${board}${style}</style><body><header></header><main id="hand"></main>
<script type="application/json" id="data">${data}</script><script>${own}</script><script>${script}</script>`;
}

export async function show(root, parameters, shared) {
  let lab = new Lab();
  let lines = [];
  let current = 0;
  let round = 0;
  const status = make("p", { role: "status", id: "found" });
  const bar = make("div", { class: "row" });
  const body = make("div", {});
  const files = make("input", { type: "file", accept: ".jsonl,.json", id: "file", onchange: () => read(files.files[0]) });
  const drop = make("div", {
    class: "drop",
    ondragover: (event) => { event.preventDefault(); drop.classList.add("over"); },
    ondragleave: () => drop.classList.remove("over"),
    ondrop: (event) => { event.preventDefault(); drop.classList.remove("over"); read(event.dataTransfer.files[0]); },
  }, labelled("Drop a file of records here, such as records.jsonl or leopard-hands.jsonl, or choose it:", files));

  function fail(error) {
    bar.replaceChildren();
    body.replaceChildren();
    say(error);
  }

  function say(error) {
    status.replaceChildren(rich("span", `${error.message.replace(/\.$/, "")}.`, "warn"));
  }

  async function read(file) {
    if (!file) return;
    const size = `${Math.ceil(file.size / 1e6)} MB`;
    if (file.size > MAX_BYTES) return fail(new Error(`${file.name} has ${size}, and this page reads at most 100 MB; choose a part of its lines`));
    status.textContent = `Reading ${file.name} …`;
    open((await file.text()).split("\n").filter((line) => line.trim()), file.name);
  }

  function open(found, name) {
    lines = found;
    if (!lines.length) return fail(new Error(`${name} has no record`));
    const number = make("input", { type: "number", min: 1, max: lines.length, value: 1, id: "number", onchange: () => go(Number(number.value) - 1) });
    const go = (next) => {
      current = Math.min(Math.max(next, 0), lines.length - 1);
      number.value = current + 1;
      draw();
    };
    bar.replaceChildren(...(lines.length === 1 ? [] : [
      labelled(`Hand, of ${lines.length.toLocaleString("en")}`, number), button("Previous hand", () => go(current - 1)), button("Next hand", () => go(current + 1)),
    ]));
    return go(0);
  }

  /** Shows the current hand; a strategy reviews its moves if one is named. */
  async function draw(reviewer, seat) {
    round += 1;
    const asked = round;
    const line = lines[current];
    try {
      const hand = await lab.request({ get: "replay", line, reviewer, seat });
      const html = await page(hand);
      if (asked !== round) return;
      status.textContent = `${hand.seats.join(", ")}: ${hand.moves.length} moves.`;
      const game = shared.games.find((one) => one.name === hand.game);
      body.replaceChildren(review(game, hand), frame(`Hand ${current + 1}`, html));
    } catch (error) {
      if (asked !== round) return;
      body.replaceChildren();
      say(new Error(`hand ${current + 1} is not a record that this version reads (${error.message.replace(/\.$/, "")})`));
    }
  }

  function review(game, hand) {
    let seat = hand.adviser?.seat ?? Math.max(hand.seats.indexOf("person"), 0);
    let by = hand.adviser?.name ?? game.reviewer;
    const names = game.strategies.filter((one) => !one.research || one.name === by).map((one) => [one.name, one.name]);
    const start = button("Review the moves", () => {
      start.disabled = true;
      status.replaceChildren(`${by} reviews the moves … `, button("Stop", () => {
        lab.end();
        lab = new Lab();
        draw();
      }));
      draw(by, seat);
    }, { id: "review" });
    const link = button("Link to this hand", async () => {
      const href = address("look", { hand: await pack(lines[current]) });
      history.replaceState(null, "", href);
      link.replaceWith(make("a", { href }, "this hand"));
    });
    return make("div", { class: "row" }, labelled("Reviewer", choice(names, by, (name) => { by = name; })),
      labelled("Curve of", choice(hand.seats.map((name, at) => [at, `seat ${at}, ${name}`]), seat, (value) => { seat = Number(value); })), start, link);
  }

  root.append(make("main", {}, make("h1", {}, "Look at a hand"), drop, status, bar, body));
  if (parameters.hand) await open([await unpack(parameters.hand)], "the link");
  return () => lab.end();
}
