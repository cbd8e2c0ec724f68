/* The page of a table: board.js draws the program's snapshots, and clicks are sent back as commands. A
   snapshot contains only what its seat may know. The site and `parlour play` share it; they differ in the
   transport of requests. */

const MARKUP = `
<header>
  <h1 id="title">parlour</h1>
  <button type="button" id="show-rules">Rules</button>
  <p id="status" role="status" aria-live="polite">Loading the table …</p>
  <p id="match" hidden></p>
</header>
<p id="notice" role="alert" hidden></p>
<main>
  <section id="curtain" hidden>
    <p id="curtain-text"></p>
    <button type="button" id="unveil">Show my hand</button>
  </section>
  <form id="deal" hidden>
    <h2 id="deal-title">You deal: which rule?</h2>
    <p id="deal-how">Enter a rule, such as “if last.red then even else odd”, or the name of a rule. Only you see it. docs/rule-language.md has the language.</p>
    <label for="secret">Rule:</label>
    <input id="secret" autocomplete="off" spellcheck="false" placeholder="color != last.color">
    <p id="meant" role="status"></p>
    <div id="meant-cards"></div>
    <button type="submit" id="deal-it" disabled>Use this rule</button>
    <button type="button" id="deal-any">Pick a rule for me</button>
    <button type="button" id="deal-hand">Keep it secret: I'll call right and wrong</button>
  </form>
  <div id="table"></div>
  <div id="turn" hidden></div>
  <form id="state-rule" hidden>
    <label for="rule">State the rule:</label>
    <input id="rule" list="rules" autocomplete="off" spellcheck="false" placeholder="color != last.color">
    <datalist id="rules"></datalist>
    <button type="submit">State</button>
  </form>
  <section id="right" hidden aria-label="cards that are right now"></section>
  <section id="end" hidden aria-label="result of the hand"></section>
</main>
<aside>
  <div id="acts">
    <button type="button" id="hint">Hint</button>
    <button type="button" id="back">Take back</button>
    <button type="button" id="resign">Resign</button>
    <button type="button" id="again" hidden>Next hand</button>
    <a id="look" href="hand" target="_blank" rel="noopener" hidden>Replay the hand</a>
    <a id="record" href="record" download="hand.jsonl" hidden>Save the record</a>
    <button type="button" id="leave">Leave</button>
  </div>
  <div id="asked" hidden>
    <p id="asked-text"></p>
    <button type="button" id="agree">Agree</button>
    <button type="button" id="refuse">Refuse</button>
  </div>
  <section id="advice" hidden></section>
  <details id="log" open><summary>Moves</summary><ol id="past"></ol></details>
</aside>
<dialog id="rulebook" aria-labelledby="rules-title">
  <form method="dialog"><h2 id="rules-title">Rules</h2><button>Close</button></form>
  <div id="rules-text"></div>
</dialog>
`;

export function el(tag, text, names) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (names) made.className = names;
  return made;
}

/** Creates an element with a text, in which code is between backticks. */
export function rich(tag, text, names) {
  const made = el(tag, undefined, names);
  made.append(...text.split("`").map((part, order) => (order % 2 ? el("code", part) : part)));
  return made;
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Shows a table in an element and returns a function that closes it. The transport has five functions:
    `state(seat, since)` waits for a snapshot other than version `since`, `send(command)`, `rules()`,
    `links()` with the addresses of the replay and the record, and `left()`. All return promises. */
export function openTable(root, transport) {
  root.classList.add("table-page");
  root.innerHTML = MARKUP;
  const at = (id) => root.querySelector(`#${id}`);
  /** The last snapshot; the seat shown; the parts of a move picked so far. */
  let seen = null;
  let seat = null;
  let picked = [];
  /** In games with preview: the moves picked but not sent, and the position after them. */
  let trying = [];
  let tried = null;
  /** True while moves are being sent. */
  let sent = false;
  let message = "";
  /** The cards drawn last. */
  let drawn = [];
  let left = false;

  // ---- requests

  const ask = (command) => transport.send(command);

  /** Sends a command and shows its error. Returns true if it succeeded. */
  async function act(body) {
    message = "";
    try {
      await ask(body);
    } catch (error) {
      message = error.message;
    }
    draw();
    return !message;
  }

  /** Polls for changes until the person leaves. A later call ends an earlier one. */
  let rounds = 0;
  async function follow() {
    rounds += 1;
    const round = rounds;
    let since = null;
    while (round === rounds && !left) {
      try {
        const said = await transport.state(seat, since);
        if (round !== rounds) return;
        const now = seatOf(said);
        if (now !== seat) {
          [seat, since] = [now, null];
          continue;
        }
        const news = !seen || said.version !== seen.version || said.seat !== seen.seat;
        since = said.version;
        if (news) take(said);
        else await wait(150);
      } catch (error) {
        if (round !== rounds || left) return;
        message = error.message;
        at("status").textContent = "No table";
        at("notice").textContent = message;
        at("notice").hidden = false;
        since = null;
        await wait(1000);
      }
    }
  }

  /** Returns the seat to show. A single person needs no curtain; the seats rotate between the hands of a match. */
  function seatOf(said) {
    if (said.mine.length === 1) return said.mine[0];
    return seen && said.deal === seen.deal && said.mine.includes(seat) ? seat : null;
  }

  // ---- the table

  const key = (said) => `${said.deal}/${said.after}/${said.seat}`;

  /** Returns the cards that a hand has gained. */
  function more(before, after) {
    const left = [...before];
    return after.filter((card) => {
      const at = left.indexOf(card);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  }

  /** Returns the cards that the seat has drawn since the last snapshot. */
  function drew(said) {
    const onward = seen && seen.view && said.view && seen.seat === said.seat && seen.deal === said.deal && said.after >= seen.after;
    if (!onward || !seen.view.hand || said.end) return [];
    return more(seen.view.hand, said.view.hand);
  }

  function take(said) {
    if (seen && key(seen) !== key(said) && isMine()) drawn = [];
    drawn = [...drawn, ...drew(said)];
    if (!seen || key(seen) !== key(said)) {
      picked = [];
      trying = [];
      tried = null;
      message = "";
      sent = false;
    }
    seen = said;
    draw();
  }

  const several = () => seen.mine.length > 1;
  const name = (who) => {
    if (seen.seats[who].person) return who === seen.seat && !several() ? "you" : `person at seat ${who}`;
    return seen.seats[who].name;
  };
  /** The name of a participant, with the seat at larger tables. */
  const title = (who) => (seen.seats.length > 2 && name(who) !== "you" ? `seat ${who} ${name(who)}` : name(who));
  const isMine = () => seen.turn !== null && seen.turn === seen.seat;
  /** True while a screen shared by several people hides the hands. */
  const isVeiled = () => several() && !seen.end && seen.turn !== null && seen.mine.includes(seen.turn) && seat !== seen.turn;

  function scene(view, more) {
    return {
      game: seen.game, view, rules: seen.rules, seats: seen.seats.map((_, who) => name(who)), past: seen.past, ...more,
    };
  }

  function draw() {
    if (!seen) return;
    at("title").textContent = `${{ leopard: "Leopard", leapfrog: "Leap Frog", eleusis: "Eleusis" }[seen.game] || seen.game}, ${seen.variant}`;
    document.title = `${isMine() ? "● " : ""}${at("title").textContent}`;
    const notice = [message, seen.notice].filter(Boolean).join(" ");
    at("notice").textContent = notice;
    at("notice").hidden = !notice;
    status();
    matching();
    dealing();
    const veiled = isVeiled();
    at("curtain").hidden = !veiled;
    if (veiled) at("curtain-text").textContent = `It is the turn of seat ${seen.turn}. Pass the screen on.`;
    at("table").hidden = veiled || !seen.view;
    if (veiled) at("table").replaceChildren();
    else if (seen.view) board();
    turn();
    right(veiled);
    stating();
    acts(veiled);
    advice(veiled);
    past(veiled);
    end();
  }

  function status() {
    const text = seen.end
      ? outcome()
      : seen.asks_dealer ? (seen.seat === 0 ? "You deal." : "The dealer chooses a rule.")
      : isMine() ? `Your turn.${drawn.length ? ` You drew ${drawn.map(Board.face).join(" ")}.` : ""} ${toDo()}` : seen.seats[seen.turn].person ? `It is the turn of seat ${seen.turn}.` : `${name(seen.turn)} is thinking …`;
    const line = at("status");
    if (line.textContent !== text) line.textContent = text;
    line.classList.toggle("mine", isMine() || Boolean(seen.end));
  }

  /** Returns what the person can do now: in the game's words, or with the moves picked but not sent. */
  function toDo() {
    if (!tried) return seen.to_do.replace(/\b[2-9TJQKA][SHDC]\b/g, Board.face);
    const more = tried.legal.some((move) => move !== "stop");
    return more ? "Choose where the piece leaps next, or press Play to make the move." : "Press Play to make the move, or Undo.";
  }

  /** Shows the place of the hand in its match, and the totals. */
  function matching() {
    at("match").hidden = seen.hands === 1;
    const totals = seen.totals.map((total, who) => `${title(who)} ${total}`).join(", ");
    const winner = seen.end && seen.end.match_winner;
    const over = !seen.end || !seen.end.match_over ? "" : winner === null ? " The match has no single winner." : ` ${title(winner) === "you" ? "You win" : `${title(winner)} wins`} the match.`;
    at("match").textContent = `Hand ${seen.hand + 1} of ${seen.hands}. Totals: ${totals}.${over}`;
  }

  function outcome() {
    if (seen.end.resigned) return "The hand was ended early.";
    const points = seen.end.scores.join(" : ");
    if (seen.end.winner === null) return `There is no single winner: ${points}.`;
    const winner = title(seen.end.winner);
    return `${winner === "you" ? "You win" : `${winner} wins`}, ${points}.`;
  }

  /** Returns the open hands: all of them at the end. */
  function open() {
    if (!seen.end || seen.end.views.length === 0 || !("hand" in seen.end.views[0])) return null;
    const rule = seen.end.views.map((view) => view.rule).find(Boolean);
    return { hands: seen.end.views.map((view) => view.hand), rule };
  }

  function board() {
    // Until the move is sent, the person stays to move.
    const view = tried ? { ...tried.view, to_move: seen.seat } : seen.view;
    const legal = tried ? tried.legal : seen.legal;
    const marks = seen.advice && isMine() && !tried && seen.advice.best ? [{ seat: seen.seat, move: seen.advice.best, as: "better" }] : [];
    const last = seen.past[seen.past.length - 1];
    if (last && !tried && last.seat !== seen.seat && seen.game !== "eleusis") {
      const start = seen.past.findLastIndex((event) => event.seat !== last.seat) + 1;
      marks.push(...seen.past.slice(start).map((event) => ({ ...event, as: "made" })));
    }
    Board.draw(at("table"), scene(view, {
      legal: seen.open ? legal.filter((move) => move !== "stop") : legal,
      marks, picked, open: open(), onPick: isMine() ? pick : null,
    }));
  }

  function pick(what, next) {
    if (sent) return undefined;
    picked = next.picked;
    if (next.move === null) return draw();
    if (seen.open) return attempt([...trying, next.move]);
    return send([next.move]);
  }

  const send = async (moves) => {
    // A second click may come before the next snapshot.
    if (sent) return;
    sent = true;
    if (!(await act({ act: "play", seat: seen.seat, deal: seen.deal, after: seen.after, moves }))) sent = false;
  };

  /** Previews the moves of a turn before they are sent. */
  async function attempt(moves) {
    const where = key(seen);
    picked = [];
    message = "";
    if (!moves.length) {
      [trying, tried] = [[], null];
      return draw();
    }
    try {
      const led = await ask({ act: "preview", seat: seen.seat, deal: seen.deal, after: seen.after, moves });
      if (key(seen) === where) [trying, tried] = [moves, led];
    } catch (error) {
      message = error.message;
    }
    draw();
  }

  function turn() {
    const bar = at("turn");
    bar.hidden = !tried;
    if (!tried) return;
    const focused = bar.contains(document.activeElement) ? document.activeElement.textContent : null;
    const shown = trying.filter((move) => move !== "stop").map((move, order) => (order && move.includes("-") ? move.split("-")[1] : move)).join("-");
    const button = (text, then) => {
      const made = el("button", text);
      made.type = "button";
      made.addEventListener("click", then);
      return made;
    };
    const stop = tried.legal.includes("stop") ? ["stop"] : [];
    bar.replaceChildren(
      el("code", shown),
      button("Play", () => send([...trying, ...stop])),
      button("Undo", () => attempt(trying.slice(0, -1))),
    );
    const again = [...bar.querySelectorAll("button")].find((made) => made.textContent === focused);
    (again || bar.querySelector("button")).focus({ preventScroll: true });
  }

  /** Shows a text and cards, one group per suit. */
  function suited(element, text, cards) {
    const groups = ["S", "H", "D", "C"].map((suit) => [suit, cards.filter((card) => card[1] === suit).map(Board.face).join(" ")]);
    element.replaceChildren(text, ...groups.filter(([, group]) => group).map(([suit, group]) => el("span", group, `suit-${suit}`)));
  }

  /** True if the person who judged by hand is asked for the rule, which the record needs. */
  const tells = () => Boolean(seen.end && seen.end.asks_rule && seen.mine.includes(0));

  /** Shows the form in which the person who deals chooses or reveals a rule. */
  function dealing() {
    const asks = tells() || (seen.asks_dealer && seen.seat === 0);
    at("deal-title").textContent = tells() ? "Which rule was it?" : "You deal: which rule?";
    at("deal-how").textContent = tells() ? "Enter it in the rule language to record and replay the hand."
      : "Enter a rule, such as “if last.red then even else odd”, or the name of a rule. Only you see it. docs/rule-language.md has the language.";
    at("deal-it").textContent = tells() ? "Reveal" : "Use this rule";
    at("deal-any").hidden = tells();
    at("deal-hand").hidden = tells();
    if (asks && at("deal").hidden) {
      at("secret").value = "";
      at("meant").textContent = "";
      at("meant-cards").textContent = "";
      at("deal-it").disabled = true;
    }
    at("deal").hidden = !asks;
  }

  async function disclose(text) {
    try {
      const reply = await ask({ act: "reveal_secret", seat: 0, text });
      at("meant").textContent = reply.fault || "";
    } catch (error) { at("meant").textContent = error.message; }
  }

  let meaning = 0;
  async function mean() {
    const text = at("secret").value.trim();
    meaning += 1;
    const asked = meaning;
    at("deal-it").disabled = true;
    if (!text) { at("meant").textContent = ""; at("meant-cards").textContent = ""; return; }
    try {
      const meant = await ask({ act: "preview_secret", seat: 0, text });
      if (asked !== meaning) return;
      if (meant.fault) throw new Error(meant.fault.split(" Known:")[0]);
      at("meant").textContent = [meant.text, meant.words].filter(Boolean).join(": ");
      if (tells()) suited(at("meant-cards"), `Right at the end, ${meant.right.length} of 52: `, meant.right);
      else at("meant-cards").replaceChildren("A main line could begin: ", ...meant.sample.map((card) => el("span", Board.face(card), `suit-${card[1]}`)));
      at("deal-it").disabled = false;
    } catch (error) {
      if (asked !== meaning) return;
      at("meant").textContent = error.message;
      at("meant-cards").textContent = "";
    }
  }

  /** Shows the dealer which cards are right now. */
  let shownRight = null;
  async function right(veiled) {
    const rule = !veiled && !seen.end && seen.view && seen.view.rule;
    at("right").hidden = !rule;
    if (!rule || shownRight === key(seen)) return;
    shownRight = key(seen);
    try {
      const meant = await ask({ act: "preview_secret", seat: seen.seat, text: rule });
      if (meant.fault) at("right").textContent = "";
      else suited(at("right"), `Right now, ${meant.right.length} of 52: `, meant.right);
    } catch (error) { at("right").textContent = ""; }
  }

  /** Shows the form for stating a rule in Express. */
  function stating() {
    const guesses = isMine() ? seen.legal.filter((move) => move.startsWith("guess ")) : [];
    at("state-rule").hidden = guesses.length === 0;
    if (guesses.length && !at("rules").childElementCount) {
      at("rules").replaceChildren(...guesses.map((guess) => {
        const option = el("option");
        option.value = guess.slice(6);
        return option;
      }));
    }
  }

  /** The deal to which the links lead. */
  let linked = null;
  async function link(deal) {
    linked = deal;
    const links = await transport.links();
    at("look").href = links.replay;
    at("record").href = links.record;
  }

  function acts(veiled) {
    const over = Boolean(seen.end);
    at("hint").hidden = over;
    at("hint").disabled = veiled || seen.asks_dealer || !isMine() || seen.advising || Boolean(seen.advice);
    at("hint").textContent = seen.advising ? "Thinking …" : "Hint";
    at("back").hidden = over;
    at("back").disabled = veiled || !seen.may_take_back;
    at("resign").hidden = over;
    at("resign").disabled = veiled || seen.seat === null || seen.asks_dealer;
    at("again").hidden = !over;
    at("again").textContent = over && seen.end.match_over ? "New match" : "Next hand";
    at("look").hidden = !(over && seen.end.recorded);
    at("record").hidden = !(over && seen.end.recorded);
    if (over && seen.end.recorded && linked !== seen.deal) link(seen.deal);
    const own = seen.mine.includes(seen.asks_back);
    at("asked").hidden = seen.asks_back === null;
    at("asked-text").textContent = own ? "You asked to take back a move; all others must agree." : `Seat ${seen.asks_back} asks to take back a move.`;
    at("agree").hidden = own;
    at("refuse").hidden = own;
  }

  const percent = (value, chance) => (chance ? `${(100 * value).toFixed(1)} %` : value.toFixed(3));

  function values(lines, chance) {
    const table = el("table", undefined, "values");
    const head = el("tr");
    head.append(el("th", "move"), el("th", chance ? "winning chance" : "mean reward"), el("th", "95 % interval"));
    table.append(head, ...lines.map((line) => {
      const row = el("tr");
      row.append(el("td", line.move), el("td", percent(line.value, chance)), el("td", `${percent(line.low, chance)} to ${percent(line.high, chance)}`));
      return row;
    }));
    return table;
  }

  function advice(veiled) {
    const given = veiled ? null : seen.advice;
    at("advice").hidden = !given;
    if (!given) return at("advice").replaceChildren();
    const sure = given.iterations === 0
      ? (given.allowed === 1 ? "It is the only legal move." : given.reasons || "It gives a move but no evaluation.")
      : given.as_good <= 1 ? "It is clearly better than every other candidate."
        : given.as_good === given.moves.length ? "No candidate is clearly better than another." : `The top ${given.as_good} are too close to call.`;
    const shown = [rich("p", `${given.strategy} would play ${given.best}. ${sure}`)];
    if (given.iterations > 0) shown.push(values(given.moves.slice(0, 6), given.is_chance));
    at("advice").replaceChildren(...shown);
  }

  function past(veiled) {
    const list = at("past");
    const events = veiled ? [] : seen.past;
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
    list.replaceChildren(...events.map((event) => {
      const line = el("li");
      line.append(el("span", `${title(event.seat)}: `, "by"), event.move);
      return line;
    }));
    if (atEnd) list.scrollTop = list.scrollHeight;
  }

  function end() {
    const part = at("end");
    part.hidden = !seen.end;
    if (!seen.end) return part.replaceChildren();
    const shown = [];
    const beliefs = seen.end.beliefs.map((belief, who) => belief && `${name(who)} (seat ${who}) ${belief}.`).filter(Boolean);
    if (beliefs.length) {
      shown.push(el("h2", "Beliefs of the bots"));
      shown.push(...beliefs.map((belief) => rich("p", belief)));
    }
    if (seen.end.thoughts.length) {
      shown.push(el("h2", "Evaluations of the bots"));
      const chance = seen.end.thoughts[0].is_chance;
      const bots = new Set(seen.end.thoughts.map((thought) => thought.seat)).size;
      const table = el("table", undefined, "values");
      const head = el("tr");
      head.append(el("th", "move"), el("th", chance ? "winning chance" : "mean reward"), el("th", "next best"));
      table.append(head, ...seen.end.thoughts.map((thought) => {
        const row = el("tr");
        const [best, second] = thought.liked;
        row.append(el("td", `${thought.after + 1}. ${bots > 1 ? `seat ${thought.seat}: ` : ""}${thought.move}`), el("td", best ? percent(best.value, chance) : ""),
          el("td", second ? `${second.move}, ${percent(second.value, chance)}` : ""));
        return row;
      }));
      const scroll = el("div", undefined, "scroll");
      scroll.append(table);
      shown.push(scroll);
    }
    shown.push(el("p", `Seed ${seen.end.seed} deals the same cards again.`));
    part.replaceChildren(...shown);
  }

  // ---- rules

  async function showRules() {
    const book = await transport.rules();
    at("rules-title").textContent = `Rules of ${book.variant}`;
    const lines = book.play.map((lines) => {
      if (lines.length === 1) return rich("p", lines[0]);
      const list = el("ul");
      list.append(...lines.map((line) => el("li", line)));
      return list;
    });
    const row = (tag, cells) => {
      const made = el("tr");
      made.append(...cells.map((cell) => rich(tag, cell)));
      return made;
    };
    const [table, fold, scroll] = [el("table", undefined, "values"), el("details"), el("div", undefined, "scroll")];
    table.append(row("th", ["field", "value", "range", "meaning"]),
      ...book.fields.map((field) => row("td", [`\`${field.name}\``, field.value, field.range, field.meaning])));
    scroll.append(table);
    fold.append(el("summary", "Rules that a variant can change"), scroll);
    at("rules-text").replaceChildren(...lines, fold);
    at("rulebook").showModal();
  }

  // ---- events

  at("show-rules").addEventListener("click", showRules);

  at("unveil").addEventListener("click", () => {
    seat = seen.turn;
    follow();
  });
  at("secret").addEventListener("input", mean);
  at("deal").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = at("secret").value.trim();
    if (tells()) disclose(text);
    else act({ act: "set_secret", seat: 0, text });
  });
  at("deal-any").addEventListener("click", () => act({ act: "set_secret", seat: 0, text: null }));
  at("deal-hand").addEventListener("click", () => act({ act: "set_secret", seat: 0, text: "by hand" }));
  at("hint").addEventListener("click", () => act({ act: "advise", seat: seen.seat }));
  at("back").addEventListener("click", () => act({ act: "take_back", seat: seen.seat }));
  at("resign").addEventListener("click", () => act({ act: "resign", seat: seen.seat, deal: seen.deal }));
  at("again").addEventListener("click", () => act({ act: "next_hand", deal: seen.deal }));
  at("agree").addEventListener("click", () => act({ act: "answer_take_back", agree: true }));
  at("refuse").addEventListener("click", () => act({ act: "answer_take_back", agree: false }));
  at("leave").addEventListener("click", async () => {
    left = true;
    try { await ask({ act: "leave" }); } catch (error) { message = error.message; }
    transport.left();
  });
  at("state-rule").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = at("rule").value.trim();
    if (text) send([`guess ${text}`]).then(() => { at("rule").value = ""; });
  });

  follow();
  return () => {
    left = true;
  };
}
