"use strict";
/* Draws the table of a game on a page, from the views that the program writes as JSON.

   Board.draw(element, scene) draws the table into the element; equal scenes give equal elements.
   A scene has
     game    name of the game; one without a drawer below is shown as JSON
     view    the view of a seat
     rules   the rules of the variant
   and optionally
     seats   the seats' names
     near    the seat whose side is drawn first [default: the view's seat]
     past    the moves so far, [{seat, move}]: the source of Leopard's ranks and discards
     hidden  true if the view's own hand is hidden too
     open    information beyond the view: {hands: [cards by seat], rule: text}
     marks   moves to mark, [{seat, move, as}]; `as` is "made" or "better"
     legal   the legal moves in the notation of the game
     picked  the picks of a move so far, a list
     onPick  a callback for a pick: (what, {picked, move})
   A pick is a button with a name: "card:7H", "cell:0:5" (a square's seat and cell), "cell:e5",
   "shown:7H", "discard", or the move itself, "knock". `picked` goes into the next scene; `move` is
   the complete move, or null while it is incomplete. Board.next(scene, what) returns both without
   drawing. */
const Board = (() => {
  const SUITS = { S: ["♠", "spades"], H: ["♥", "hearts"], D: ["♦", "diamonds"], C: ["♣", "clubs"] };
  const RANKS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
  const WORDS = { S: "♠\uFE0E", H: "♥\uFE0E", D: "♦\uFE0E", C: "♣\uFE0E" };

  /** Creates an element with a class and its content: texts and elements. */
  function el(tag, names, ...inside) {
    const made = document.createElement(tag);
    if (names) made.className = names;
    made.append(...inside.flat().filter((part) => part !== null && part !== undefined && part !== ""));
    return made;
  }

  function svg(tag, attributes, ...inside) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...inside);
    return made;
  }

  const rank = (card) => (card[0] === "T" ? "10" : card[0]);
  const face = (card) => rank(card) + WORDS[card[1]];
  const spoken = (card) => `${RANKS[card[0]] || card[0]} of ${SUITS[card[1]][1]}`;
  const count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
  const title = (scene, seat) => (scene.seats && scene.seats[seat] ? `seat ${seat}, ${scene.seats[seat]}` : `seat ${seat}`);

  // ---- picks

  /** Returns the picks of a move of a seat, in order. */
  function path(scene, seat, move) {
    if (scene.game === "leopard") {
      const [card, place] = move.split(" ");
      if (!place) return [move];
      if (place === "-") return [`card:${card}`, "discard"];
      return [`card:${card}`, `cell:${place[0] === "o" ? seat : 1 - seat}:${place.slice(1)}`];
    }
    if (scene.game === "leapfrog") {
      const cells = move.replace(/^x/, "").split("-").map((cell) => `cell:${cell}`);
      return move === "stop" || move.startsWith("first ") ? [move] : cells;
    }
    if (scene.game !== "eleusis") return [move];
    if (/^[2-9TJQKA][SHDC]$/.test(move)) return [`card:${move}`];
    return move.startsWith("force ") ? [`shown:${move.slice(6)}`] : [move];
  }

  /** Returns the picks of each legal move. A leaping piece need not be picked again. */
  function paths(scene) {
    const chain = scene.game === "leapfrog" && scene.view.chain;
    return (scene.legal || []).map((move) => {
      const whole = path(scene, scene.view.seat, move);
      return { move, picks: chain && whole.length > 1 ? whole.slice(1) : whole };
    });
  }

  const begins = (picks, start) => start.every((pick, at) => picks[at] === pick);

  function next(scene, what) {
    const picked = scene.picked || [];
    if (picked[picked.length - 1] === what) return { picked: picked.slice(0, -1), move: null };
    for (const tried of [[...picked, what], [what]]) {
      const fit = paths(scene).filter(({ picks }) => begins(picks, tried));
      const done = fit.find(({ picks }) => picks.length === tried.length);
      if (done) return { picked: [], move: done.move };
      if (fit.length) return { picked: tried, move: null };
    }
    return { picked, move: null };
  }

  /** Returns the current buttons and marks. */
  function look(scene) {
    const picked = scene.picked || [];
    const all = paths(scene);
    const targets = new Set(all.filter(({ picks }) => begins(picks, picked)).map(({ picks }) => picks[picked.length]));
    const starts = new Set(all.map(({ picks }) => picks[0]));
    const marks = new Map();
    for (const mark of scene.marks || []) {
      for (const pick of path(scene, mark.seat, mark.move)) marks.set(pick, [...(marks.get(pick) || []), mark.as]);
    }
    return { picked: new Set(picked), targets, starts, marks };
  }

  /** Creates a thing on the table: a button if it can be picked. */
  function thing(scene, looked, what, names, label, ...inside) {
    const { picked, targets, starts, marks } = looked;
    const button = scene.onPick && (picked.has(what) || targets.has(what) || starts.has(what));
    const classes = [names];
    if (picked.has(what)) classes.push("picked");
    if (button && targets.has(what)) classes.push("target");
    for (const as of new Set(marks.get(what) || [])) classes.push(`is-${as}`);
    const made = el(button ? "button" : "span", classes.join(" "), ...inside);
    made.dataset.pick = what;
    if (!button) {
      if (label) { made.setAttribute("role", "img"); made.setAttribute("aria-label", label); }
      return made;
    }
    made.type = "button";
    made.setAttribute("aria-label", label);
    made.setAttribute("aria-pressed", String(picked.has(what)));
    made.addEventListener("click", () => scene.onPick(what, next(scene, what)));
    if (what.startsWith("card:")) {
      made.draggable = true;
      made.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", what));
    }
    return made;
  }

  /** Makes an element a drop target for cards of the hand. */
  function place(scene, made, what) {
    if (!scene.onPick) return made;
    made.addEventListener("dragover", (event) => event.preventDefault());
    made.addEventListener("drop", (event) => {
      event.preventDefault();
      const card = event.dataTransfer.getData("text/plain");
      const laid = next({ ...scene, picked: [card] }, what);
      if (laid.move) scene.onPick(what, laid);
    });
    return made;
  }

  function card(scene, looked, what, text) {
    return thing(scene, looked, what, `card suit-${text[1]}`, spoken(text), face(text));
  }

  /** Creates buttons for moves that are words: knock, end, submit, … */
  function actions(scene, looked) {
    const words = paths(scene).filter(({ picks, move }) => picks[0] === move && !move.startsWith("guess "));
    if (!words.length || !scene.onPick) return null;
    return el("div", "actions", words.map(({ move }) => thing(scene, looked, move, "word", move, move)));
  }

  /** Draws the hand of a seat: its cards if they are visible, otherwise their backs. */
  function hand(scene, looked, seat, held) {
    const own = seat === scene.view.seat && !scene.hidden;
    const opened = scene.open && scene.open.hands && scene.open.hands[seat];
    const cards = own ? scene.view.hand : opened;
    const row = el("div", "hand");
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", `hand of ${title(scene, seat)}: ${count(held, "card")}`);
    if (cards) {
      // Only the mover's cards are marked, and only one copy of each.
      const plain = { ...looked, marks: new Map() };
      const marked = (scene.marks || []).every((mark) => mark.seat === seat) ? looked : plain;
      const at = own ? scene : { ...scene, onPick: null };
      row.append(...cards.map((text, order) => card(at, cards.indexOf(text) === order ? marked : plain, `card:${text}`, text)));
    } else {
      for (let back = 0; back < Math.min(held, 24); back += 1) row.append(el("span", "card back"));
    }
    if (!held) row.append(el("span", "dim", "no card"));
    return row;
  }

  // ---- Leopard

  const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
  const isBlack = (suit) => suit === "S" || suit === "C";

  /** Returns the scoring lines of a square: of one suit, or of one colour only. */
  function lines(suits) {
    const found = [];
    for (const line of LINES) {
      const [a, b, c] = line.map((cell) => suits[cell]);
      if ([a, b, c].includes(".")) continue;
      if (a === b && b === c) found.push({ line, kind: "suit" });
      else if (isBlack(a) === isBlack(b) && isBlack(b) === isBlack(c)) found.push({ line, kind: "color" });
    }
    return found;
  }

  /** Returns the top card of each cell, and the last discarded card, as far as they are known. */
  function tops(past) {
    const squares = [Array(9).fill(null), Array(9).fill(null)];
    let discard = null;
    for (const { seat, move } of past || []) {
      const [text, to] = move.split(" ");
      if (to === "-") discard = text;
      else if (to) squares[to[0] === "o" ? seat : 1 - seat][to.slice(1) - 1] = text;
    }
    return { squares, discard };
  }

  function square(scene, looked, seat, top) {
    const suits = [...scene.view.squares[seat].replaceAll("/", "")];
    const scoring = lines(suits);
    const cells = suits.map((suit, at) => {
      const what = `cell:${seat}:${at + 1}`;
      const lies = top[at];
      const down = suit === "." && lies && "JQ".includes(lies[0]);
      const shown = suit === "." ? (down ? "▒" : "") : lies && lies[1] === suit && !"JQ".includes(lies[0]) ? face(lies) : WORDS[suit];
      const said = suit === "." ? (down ? "face down" : "open") : lies ? spoken(lies) : SUITS[suit][1];
      const names = `cell ${suit === "." ? (down ? "down" : "none") : `suit-${suit}`}`;
      const made = thing(scene, looked, what, names, `cell ${at + 1} of ${title(scene, seat)}: ${said}`, el("small", "number", String(at + 1)), el("b", "", shown));
      return place(scene, made, what);
    });
    const overlay = svg("svg", { class: "lines", viewBox: "0 0 3 3", "aria-hidden": "true" });
    for (const { line, kind } of scoring) {
      const [a, b, c] = line.map((cell) => [(cell % 3) + 0.5, Math.floor(cell / 3) + 0.5]);
      // From edge to edge of the signs, not through them.
      for (const [from, to] of [[a, b], [b, c]]) {
        const [dx, dy] = [(to[0] - from[0]) * 0.28, (to[1] - from[1]) * 0.28];
        overlay.append(svg("line", { class: kind, x1: from[0] + dx, y1: from[1] + dy, x2: to[0] - dx, y2: to[1] - dy }));
      }
    }
    const grid = el("div", "square", ...cells);
    grid.append(overlay);
    const of = (kind) => scoring.filter((line) => line.kind === kind).length;
    const { suit_line: suit, color_line: color } = scene.rules;
    const parts = [];
    if (of("suit")) parts.push(`${count(of("suit"), "line")} of a suit at ${suit}`);
    if (of("color")) parts.push(`${of("color")} of a colour at ${color}`);
    return el("div", "side", el("h4", "", head(scene, seat, scene.view.to_move === seat && scene.view.end === "open")),
      grid, el("p", "value", el("b", "", String(scene.view.values[seat])), parts.length ? ` = ${parts.join(", ")}` : " points", result(scene, seat)));
  }

  /** Returns how the value of a square becomes the score at the end of a hand; empty if they are equal. */
  function result({ view, rules }, seat) {
    if (view.end === "open") return "";
    const bonus = view.end === "exhausted" || rules.bonus_when === "always" ? Math.max(0, view.values[seat] - rules.bonus_over) : 0;
    const price = view.end.knock === seat ? rules.knock_penalty : 0;
    const changes = [bonus ? `+${bonus} bonus above ${rules.bonus_over}` : "", price ? `−${price} for the knock` : ""].filter(Boolean);
    return changes.length ? `; ${changes.join(", ")}: score ${view.values[seat] + bonus - price}` : "";
  }

  /** Returns a seat's name, marked if it is to move. */
  function head(scene, seat, moves, ...roles) {
    const name = scene.seats && scene.seats[seat] ? scene.seats[seat] : `seat ${seat}`;
    const who = el("span", "who", moves ? "▸ " : "", name);
    return [who, el("small", "dim", [`seat ${seat}`, ...roles, ...(moves ? ["to move"] : [])].join(" · "))];
  }

  /** Returns a table of the unseen copies of each card: one row per suit. */
  function unseen(view) {
    const left = {};
    for (const text of view.unseen) left[text] = (left[text] || 0) + 1;
    const ranks = [..."A23456789TJQK"];
    const cell = (text) => el("td", left[text] ? (left[text] === 1 ? "one" : "two") : "zero", String(left[text] || "·"));
    const rows = [..."SHDC"].map((suit) => el("tr", `suit-${suit}`, el("th", "", WORDS[suit]), ranks.map((r) => cell(r + suit))));
    const heads = el("tr", "", el("th", ""), ranks.map((r) => el("th", "", r === "T" ? "10" : r)));
    return el("details", "unseen", el("summary", "", `Unseen cards: ${view.unseen.length}`),
      el("table", "", el("thead", "", heads), el("tbody", "", rows)));
  }

  function leopard(scene, looked) {
    const { view } = scene;
    const near = scene.near ?? view.seat;
    const { squares, discard } = tops(scene.past);
    const pile = thing(scene, looked, "discard", "pile slot", discard ? `discard pile, ${spoken(discard)} on top` : "discard pile", discard ? face(discard) : "", el("small", "", "discard"));
    if (discard) pile.classList.add(`suit-${discard[1]}`);
    const stock = el("span", "pile stock", String(view.stock), el("small", "", "stock"));
    stock.setAttribute("role", "img");
    stock.setAttribute("aria-label", `stock: ${count(view.stock, "card")}`);
    const sides = [near, 1 - near];
    return [
      el("div", "sides", sides.map((seat) => square(scene, looked, seat, squares[seat]))),
      el("div", "piles", stock, place(scene, pile, "discard")),
      sides.map((seat) => el("div", "holder", el("p", "dim", `${scene.seats && scene.seats[seat] === "you" ? "Your hand" : `Hand of ${title(scene, seat)}`}: ${count(view.held[seat], "card")}`), hand(scene, looked, seat, view.held[seat]))),
      actions(scene, looked),
      scene.hidden || scene.open ? null : unseen(view),
    ];
  }
  // ---- Leap Frog

  const COLOURS = [null, ["w", "white"], ["y", "yellow"], ["r", "red"], ["g", "green"]];

  function leapfrog(scene, looked) {
    const { view, rules } = scene;
    const [rows, cols] = [Math.max(rules.rows || 0, view.board.length), rules.cols || Math.max(...view.board.map((row) => row.length))];
    const coloured = rules.pieces !== "original" && rules.pieces !== "plain";
    const letter = (col) => String.fromCharCode(97 + col);
    const board = el("div", "frogs");
    board.style.setProperty("--cols", cols);
    board.append(el("span", "edge"), ...Array.from({ length: cols }, (_, col) => el("span", "edge", letter(col))));
    const captured = new Set(view.chain ? view.chain.captured : []);
    for (let row = 0; row < rows; row += 1) {
      board.append(el("span", "edge", String(row + 1)));
      for (let col = 0; col < cols; col += 1) {
        const cell = letter(col) + (row + 1);
        const worth = Number((view.board[row] || "")[col] || 0) || 0;
        const [mark, colour] = (coloured && COLOURS[worth]) || ["", worth ? "plain" : ""];
        const piece = worth ? el("i", `piece worth-${coloured ? worth : 0}`, coloured ? String(worth) : "") : null;
        if (piece && mark) piece.dataset.letter = mark;
        const said = worth ? (coloured ? `${colour} piece worth ${worth}` : "piece") : "open";
        const names = `hole${view.chain && view.chain.at === cell ? " leaping" : ""}${captured.has(cell) ? " taken" : ""}`;
        board.append(thing(scene, looked, `cell:${cell}`, names, `${cell}: ${said}`, piece));
      }
    }
    const seats = rules.seats || view.points.length;
    const score = (seat) => {
      const [points, taken] = [view.points[seat], view.taken[seat]];
      const moves = view.to_move === seat && view.phase !== "over";
      return el("li", moves ? "moves" : "", head(scene, seat, moves), el("b", "", String(points)), el("span", "dim", ` ${points === 1 ? "point" : "points"}, ${count(taken, "piece")} captured`));
    };
    const key = coloured ? el("p", "dim", "Pieces: 1 white, 2 yellow, 3 red, 4 green; the number is the value.") : null;
    return [board, el("ul", "scores", Array.from({ length: seats }, (_, seat) => score(seat))), actions(scene, looked), key];
  }

  // ---- Eleusis

  /** Returns the main line card by card, each with the attempts after it. */
  function line(view) {
    const { mainline, history } = view.public;
    const spots = mainline.map((text) => ({ text, seat: null, tries: [] }));
    let at = 0;
    for (const event of history) {
      const verdict = event.prophet_said ? `prophet seat ${event.prophet_said[0]} said ${event.prophet_said[1] ? "right" : "wrong"}` : "";
      const claim = event.act.no_play;
      if (claim) {
        spots[at].tries.push({ seat: event.seat, cards: [], claim: true, right: event.right, verdict, picked: event.prophet_picked });
        if (claim.forced && at + 1 < spots.length) { at += 1; spots[at].seat = 0; }
      } else if (event.right) {
        for (const _ of event.act.play) if (at + 1 < spots.length) { at += 1; spots[at].seat = event.seat; }
        spots[at].verdict = verdict;
      } else {
        spots[at].tries.push({ seat: event.seat, cards: event.act.play, verdict });
      }
      if (event.becomes_prophet) spots[at].marker = `seat ${event.seat} becomes prophet`;
      if (event.expelled) spots[at].tries.push({ note: `seat ${event.seat} is expelled` });
      const guesses = event.guess ? [[event.seat, ...event.guess]] : [];
      for (const [seat, , right] of guesses.concat(event.other_guesses ?? [])) {
        spots[at].tries.push({ note: `seat ${seat} states a rule: ${right ? "✓ it is the rule" : "✗ it is not"}` });
      }
    }
    return spots;
  }

  function tried(scene, entry) {
    const bare = { picked: new Set(), targets: new Set(), starts: new Set(), marks: new Map() };
    if (entry.note) return el("div", "try", el("small", "", entry.note));
    const by = el("small", "by", `${entry.claim ? (entry.right ? "✓" : "✗") : "✗"} ${entry.seat}`);
    by.title = [title(scene, entry.seat), entry.verdict].filter(Boolean).join("; ");
    const what = entry.claim ? [el("small", "", "no play")] : entry.cards.map((text) => card({ ...scene, onPick: null }, bare, "", text));
    return el("div", what.length > 3 ? "try long" : "try", what, by);
  }

  function eleusis(scene, looked) {
    const { view, rules } = scene;
    const open = view.public;
    const bare = { ...looked, picked: new Set(), targets: new Set(), starts: new Set(), marks: new Map() };
    const spots = line(view).map((spot, at) => {
      const who = spot.seat === null ? "starter" : spot.seat === 0 ? "dealer" : `✓ ${spot.seat}`;
      const by = el("small", "by", who);
      by.title = [spot.seat === null ? "the starter" : title(scene, spot.seat), spot.verdict].filter(Boolean).join("; ");
      return el("div", "spot", card({ ...scene, onPick: null }, bare, `main:${at}`, spot.text), by, spot.marker ? el("small", "marker", `◆ ${spot.marker}`) : null, spot.tries.map((entry) => tried(scene, entry)));
    });
    const table = el("div", "mainline", spots);
    table.setAttribute("role", "group");
    table.setAttribute("aria-label", "main line, with wrong plays below the card they followed");
    const string = open.string.length ? el("div", "holder", el("p", "dim", ["judge", "verdict"].includes(open.stage) ? "Awaiting a verdict:" : "The string so far:"),
      el("div", "hand", open.string.map((text) => card({ ...scene, onPick: null }, bare, "", text)))) : null;
    const shown = open.shown ? el("div", "holder", el("p", "dim", `Hand shown by ${title(scene, open.player)} with a no-play claim:`),
      el("div", "hand", open.shown.map((text) => card(scene, looked, `shown:${text}`, text)))) : null;
    const said = open.said ? el("p", "", `Prophet ${title(scene, open.said[0])} said ${open.said[1] ? "✓ right" : "✗ wrong"}.`) : null;
    const going = open.end === "open";
    const turn = !going ? null : ["judge", "pick"].includes(open.stage) ? (open.prophet ?? open.player) : ["force", "verdict"].includes(open.stage) ? 0 : open.player;
    const seats = Array.from({ length: rules.seats }, (_, seat) => {
      const roles = [];
      if (seat === 0) roles.push("dealer");
      if (open.prophet === seat) roles.push("◆ prophet");
      if (open.expelled.includes(seat)) roles.push("expelled");
      if (seat > 0) roles.push(count(open.held[seat], "card"));
      const mine = seat === view.seat;
      return el("li", [turn === seat ? "moves" : "", mine ? "mine" : ""].join(" "), head(scene, seat, turn === seat, ...roles),
        seat > 0 ? hand(scene, looked, seat, open.held[seat]) : null);
    });
    const rule = (scene.open && scene.open.rule) || view.rule;
    const stock = open.pools.reduce((sum, pool) => sum + pool.stock, 0);
    const facts = [`${count(open.mainline.length, "card")} on the main line`, `${stock} in the stock`];
    if (open.expelling) facts.push("a mistake now expels");
    return [
      rule && !scene.hidden ? el("p", "rule", "The rule: ", el("code", "", typeof rule === "string" ? rule : JSON.stringify(rule))) : null,
      table, el("p", "dim", `${facts.join(" · ")}.`), string, shown, said, actions(scene, looked), el("ul", "seats", seats),
    ];
  }

  // ---- any other game

  /** Draws a game that has no drawer: the view as JSON, and a button for each legal move. */
  function plain(scene, looked) {
    const seats = (scene.seats || []).map((_, seat) => el("li", "", title(scene, seat)));
    return [el("pre", "view", JSON.stringify(scene.view, null, 2)), actions(scene, looked), el("ul", "seats", seats)];
  }

  const GAMES = { leopard, leapfrog, eleusis };

  function draw(element, scene) {
    const focused = element.contains(document.activeElement) ? document.activeElement.dataset.pick : null;
    const opened = [...element.querySelectorAll("details[open]")].map((part) => part.className);
    const parts = (GAMES[scene.game] || plain)(scene, look(scene));
    const table = el("div", `board ${scene.game}`, parts.flat());
    for (const part of table.querySelectorAll("details")) part.open = opened.includes(part.className);
    element.replaceChildren(table);
    if (focused) {
      const again = [...table.querySelectorAll("button[data-pick]")].find((made) => made.dataset.pick === focused);
      if (again) again.focus({ preventScroll: true });
    }
  }

  return { draw, next, face, spoken };
})();
