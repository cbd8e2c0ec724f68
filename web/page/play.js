/* Play: the table of `parlour play`, with bots in a worker in place of the local server. */
import { openTable } from "./table.js";
import { Lab } from "./lab.js";
import { rulesForm, rulesOf } from "./rules.js";
import { address, button, choice, labelled, make, pack, parsed, redraw, rich, unpack } from "./parts.js";

/** The last hands by their addresses: unfinished ones, which go on after a reload, and links to finished ones. */
const SAVED = "hands";
const MOST_SAVED = 20;

const savedHands = () => Object.entries(JSON.parse(localStorage.getItem(SAVED) ?? "{}"));

function save(address, hand) {
  const others = savedHands().filter(([known]) => known !== address);
  localStorage.setItem(SAVED, JSON.stringify(Object.fromEntries([...others.slice(1 - MOST_SAVED), [address, hand]])));
}

const list = (text) => (text ? text.split(",") : []);

/** Reads the options of a table from an address. */
async function optionsOf({ game, variant, against, people, seats, seed, hand }) {
  const saved = savedHands().find(([address]) => address === location.hash)?.[1];
  if (saved?.text) return { game: saved.game, resume: saved.text };
  if (hand) return { game, resume: await unpack(hand) };
  const number = (name, text) => {
    if (!/^\d{1,15}$/.test(text)) throw new Error(`\`${name}\` in the link is not a number`);
    return Number(text);
  };
  return {
    game,
    variant: variant?.startsWith("{") ? parsed("variant", variant) : variant,
    against: list(against),
    people: list(people).map((seat) => number("people", seat)),
    seats: seats && number("seats", seats),
    seed: seed && number("seed", seed),
  };
}

/** The requests of a table to a worker. */
class Transport {
  #lab = new Lab();
  #woken = [];

  async open(options, key) {
    await this.#lab.call("sit", JSON.stringify(options));
    Object.assign(this, { game: options.game, key });
  }

  /** Waits for another snapshot. Meanwhile the bots and the adviser think. */
  async state(seat, since) {
    for (;;) {
      const seen = JSON.parse(await this.#lab.call("ask", "state", seat));
      if (seen.version !== since) {
        this.#save();
        return seen;
      }
      if (!(await this.#lab.call("step"))) await new Promise((done) => this.#woken.push(done));
    }
  }

  async send(command) {
    const reply = JSON.parse(await this.#lab.call("ask", "do", null, JSON.stringify(command)));
    for (const wake of this.#woken.splice(0)) wake();
    return reply;
  }

  async rules() {
    return JSON.parse(await this.#lab.call("ask", "rules"));
  }

  /** Returns the unfinished hand as a text. */
  unfinished() {
    return this.#lab.call("unfinished");
  }

  async #save() {
    const text = await this.unfinished();
    if (text) save(this.key, { game: this.game, text });
  }

  async links() {
    const line = await this.#lab.call("ask", "record");
    const record = URL.createObjectURL(new Blob([line, "\n"], { type: "application/jsonl" }));
    const replay = address("look", { hand: await pack(line) });
    save(this.key, { replay });
    return { replay, record };
  }

  async left() {
    location.hash = "#play";
  }

  close() {
    this.#lab.end();
  }
}

/** Shows the form that sets a table. */
async function setup(root, shared) {
  const [saved] = savedHands().findLast(([, hand]) => hand.text) ?? [];
  let game = await shared.game(shared.games[0].name);
  let variant = game.variants[0].name;
  let against = game.adviser;
  let people = "";
  const form = make("form", { onsubmit: (event) => {
    event.preventDefault();
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    location.hash = address("play", { game: game.name, variant, against, people, seed: String(seed) });
  } });
  const draw = () => {
    const strategies = game.strategies.filter((one) => !one.research || [against, game.adviser].includes(one.name));
    const about = game.strategies.find((one) => one.name === against)?.about;
    const seats = rulesOf(game, variant).seats ?? 2;
    redraw(form, [
      labelled("Game", choice(shared.games.map((one) => [one.name, { leopard: "Leopard", leapfrog: "Leap Frog", eleusis: "Eleusis" }[one.name] ?? one.name]), game.name, async (name) => {
        form.inert = true;
        game = await shared.game(name);
        form.inert = false;
        [variant, against, people] = [game.variants[0].name, game.adviser, ""];
        draw();
      })),
      make("div", {}, rulesForm(game, variant, (next) => { variant = next; draw(); })),
      labelled(seats > 2 ? `The ${seats - 1} others` : "Opponent", choice(strategies.map((one) => [one.name, one.name]), against, (name) => { against = name; draw(); })),
      rich("p", about ?? "", "dim"),
      labelled("Your seat", choice([["", "the usual one"], ...Array.from({ length: seats }, (_, seat) => [String(seat), seat || game.name !== "eleusis" ? `seat ${seat}` : "seat 0, the dealer"])], people, (seat) => { people = seat; })),
      make("button", { class: "button main", id: "sit" }, "Deal"),
    ]);
  };
  draw();
  root.append(make("main", {}, make("h1", {}, "Play against a bot"),
    saved ? make("p", {}, make("a", { href: saved, class: "button" }, "Resume the unfinished hand")) : null, form));
}

export async function show(root, parameters, shared) {
  if (!Object.keys(parameters).length) return setup(root, shared);
  const game = await shared.game(parameters.game);
  const finished = savedHands().find(([address]) => address === location.hash)?.[1].replay;
  if (finished && shared.isReloaded) {
    location.replace(finished);
    return undefined;
  }
  const transport = new Transport();
  try {
    await transport.open(await optionsOf(parameters), location.hash);
  } catch (error) {
    transport.close();
    throw error;
  }
  const table = make("div");
  const link = make("p", { role: "status", class: "dim" }, button("Link to this position", async () => {
    const text = await transport.unfinished();
    if (!text) return link.append(" The hand is over.");
    const href = new URL(address("play", { game: game.name, hand: await pack(text) }), location.href).href;
    const copied = await navigator.clipboard?.writeText(href).then(() => true, () => false);
    return link.replaceChildren(copied ? "Copied: " : "", make("a", { href }, "this position"), ".");
  }));
  root.append(table, link);
  const close = openTable(table, transport);
  return () => {
    close();
    transport.close();
  };
}
