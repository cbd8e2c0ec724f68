"use strict";
// Steps through recorded hands. The page holds the data: for each hand its first frame, the changes
// from frame to frame, its moves, and the notes of an adviser.
(() => {
  const hands = JSON.parse(document.getElementById("data").textContent);

  /** Applies a change to a value. Unchanged parts are shared. */
  function applied(old, change) {
    if (!change) return old;
    if ("v" in change) return change.v;
    if ("s" in change) return [...old.slice(0, change.s[0]), ...change.s[2], ...old.slice(change.s[0] + change.s[1])];
    const made = Array.isArray(old) ? [...old] : { ...old };
    for (const [name, inner] of Object.entries(change.o || change.i)) made[name] = applied(old[name], inner);
    for (const name of change.x || []) delete made[name];
    return made;
  }
  for (const hand of hands) {
    hand.frames = [hand.first];
    for (const change of hand.changes) hand.frames.push(applied(hand.frames.at(-1), change));
    hand.notes = new Map(hand.adviser ? hand.adviser.notes.map((note) => [note.at, note]) : []);
  }

  const el = (tag, names, ...inside) => {
    const made = document.createElement(tag);
    if (names) made.className = names;
    made.append(...inside.flat().filter((part) => part !== null && part !== undefined));
    return made;
  };
  const svg = (tag, attributes, ...inside) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...inside);
    return made;
  };

  const NOTATION = {
    leopard: "Moves: 7H o7 plays the seven of hearts on your own cell 7, x7 on the opponent's; - discards; end ends the turn.",
    leapfrog: "Moves: xe5 removes a piece at the start; e5-g5-g7 leaps twice.",
    eleusis: "Moves: 7H plays a card, submit asks for the verdict, pass ends the turn.",
  };

  /** The state of the page: the hand, the step from 0, and the observer: "all" with open hands, or a seat. */
  const now = { hand: 0, step: 0, as: "all" };
  const shown = () => hands[now.hand];
  const minus = (number) => String(number).replace("-", "−");
  const name = (hand, seat) => `${hand.seats[seat]} (seat ${seat})`;
  const percent = (x) => `${(100 * x).toFixed(1)} %`.replace("-", "−");
  const agrees = (note, made) => note.best === made.move;
  const cost = (note) => (note.values ? note.values.best - note.values.played : 0);
  const isMistake = (note) => note.mark.includes("?");

  // ---- the page's parts

  const root = document.getElementById("hand");
  const table = el("div", "table");
  const said = el("p", "said");
  said.setAttribute("aria-live", "polite");
  const advice = el("p", "advice");
  const slider = el("input");
  slider.type = "range";
  slider.min = 0;
  slider.setAttribute("aria-label", "Move");
  const button = (text, label, act) => {
    const made = el("button", "", text);
    made.type = "button";
    made.title = label;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  };
  const choose = el("select");
  choose.setAttribute("aria-label", "Hand");
  const as = el("select");
  as.setAttribute("aria-label", "Observer");
  const curve = el("figure", "curve");
  const list = el("ol", "list");
  const worst = el("p", "worst");
  const about = el("p", "dim");
  const notation = el("p", "dim");
  const steps = el("div", "steps", button("|◀", "First move (Home)", () => go(0)), button("◀", "Back (←)", () => go(now.step - 1)), slider,
    button("▶", "Forward (→)", () => go(now.step + 1)), button("▶|", "End (End)", () => go(Infinity)));
  root.replaceChildren(
    el("div", "choices", hands.length > 1 ? el("label", "", "Hand ", choose) : null, el("label", "", "Seen by ", as)), about,
    el("div", "columns", el("div", "left", steps, said, advice, table), el("div", "right", curve, worst, list)),
    el("p", "dim", `Keys: ← and → step, Home and End go to the ends, H hides or opens the hands. ${hands.some((hand) => hand.adviser)
      ? "M goes to the next mistake. A solid frame marks the actual move, a dashed frame the move that the adviser prefers." : ""}`), notation);
  hands.forEach((hand, at) => choose.append(new Option(hand.title, at)));

  // ---- drawing

  function view(frame, seat) {
    return { ...frame.common, ...frame.own[seat] };
  }

  function scene(hand) {
    const frame = hand.frames[now.step];
    const all = now.as === "all";
    const seat = all ? 0 : Number(now.as);
    const made = hand.moves[now.step];
    const note = hand.notes.get(now.step);
    const marks = made ? [{ seat: made.seat, move: made.move, as: "made" }] : [];
    if (note && !agrees(note, made)) marks.push({ seat: made.seat, move: note.best, as: "better" });
    const open = all ? { hands: frame.own.map((own) => own.hand || frame.common.hand), rule: frame.own[0].rule } : null;
    return { game: hand.game, view: view(frame, seat), rules: hand.rules, seats: hand.seats, near: all ? 0 : seat, past: hand.moves.slice(0, now.step), open, marks };
  }

  function words(hand) {
    const made = hand.moves[now.step];
    if (!made) {
      const won = hand.winner === null ? "no single winner" : `${name(hand, hand.winner)} wins`;
      return `The end: ${won}. Points: ${hand.scores.map(minus).join(", ")}.`;
    }
    return `Move ${now.step + 1} of ${hand.moves.length}: ${name(hand, made.seat)} plays ${made.move}.`;
  }

  function advised(hand) {
    const note = hand.notes.get(now.step);
    const made = hand.moves[now.step];
    if (!hand.adviser || !made) return "";
    if (!note) return `${hand.adviser.name}: the only legal move.`;
    const why = note.why ? ` ${note.why}` : "";
    const own = hand.adviser.name;
    const { values } = note;
    if (agrees(note, made)) return `${own} agrees${values ? `; chance to win ${percent(values.played)}` : ""}.${why}`;
    if (!values) return `${own} prefers ${note.best}; it gives a move but no evaluation.${why}`;
    const half = values.half_width ? ` ± ${(100 * values.half_width).toFixed(1)}` : "";
    return `${own} prefers ${note.best}: ${percent(values.best)} instead of ${percent(values.played)} (loss ${(100 * cost(note)).toFixed(1).replace("-", "−")}${half} points). ${note.mark}`.trim() + why;
  }

  // ---- the curve

  const LINES = ["line-a", "line-b", "line-c", "line-d", "line-e", "line-f", "line-g", "line-h"];

  /** Returns the lines of the curve: the chance to win of one seat if the adviser has values, otherwise the points. */
  function series(hand) {
    const valued = hand.adviser ? hand.adviser.notes.filter((note) => note.values) : [];
    if (!valued.length) {
      const points = (seat) => hand.points.map((all, at) => [at, all[seat]]);
      return { title: "Score if the hand ended here", unit: "", lines: hand.seats.map((_, seat) => ({ seat, points: points(seat) })) };
    }
    const { seat } = hand.adviser;
    // Before and after each own move, so that a mistake is a drop; then the result.
    const own = valued.filter((note) => hand.moves[note.at].seat === seat);
    const best = Math.max(...hand.scores);
    const won = hand.scores[seat] === best ? 1 / hand.scores.filter((points) => points === best).length : 0;
    const points = own.flatMap(({ at, values }) => [[at, 100 * values.best], [at, 100 * values.played]]);
    const title = `Chance of ${name(hand, seat)} to win, by ${hand.adviser.name}`;
    const key = `From the cards that ${hand.seats[seat]} sees; ends at the result. Dots: ${hand.seats[seat]}'s mistakes.`;
    return { title, key, unit: " %", lines: [{ seat, points: [...points, [hand.moves.length, 100 * won]] }], range: [0, 100] };
  }

  const [WIDE, HIGH, LEFT, TOP, BOTTOM] = [480, 190, 50, 14, 26];

  function drawCurve(hand) {
    const { title, unit, lines, range, key: legend } = series(hand);
    const all = lines.flatMap((line) => line.points.map(([, y]) => y));
    const [low, high] = range || [Math.min(0, ...all), Math.max(1, ...all)];
    const x = (step) => LEFT + (step / Math.max(1, hand.moves.length)) * (WIDE - LEFT - 8);
    const y = (number) => HIGH - BOTTOM - ((number - low) / (high - low || 1)) * (HIGH - BOTTOM - TOP);
    const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `${title}. The moves are listed below.` });
    const middle = range ? (low + high) / 2 : null;
    for (const tick of middle === null ? [low, high] : [low, middle, high]) {
      picture.append(svg("line", { class: "grid", x1: LEFT, x2: WIDE - 8, y1: y(tick), y2: y(tick) }), text(LEFT - 5, y(tick) + 4, `${minus(tick)}${unit}`, "end"));
    }
    const every = Math.max(1, Math.ceil(hand.moves.length / 8 / 5) * 5);
    for (let step = 0; step < hand.moves.length; step += every) picture.append(text(x(step), HIGH - 10, String(step + 1), "middle"));
    for (const line of lines) {
      picture.append(svg("path", { class: `line ${range ? LINES[0] : LINES[line.seat % LINES.length]}`, d: `M${line.points.map(([at, number]) => `${x(at).toFixed(1)} ${y(number).toFixed(1)}`).join("L")}` }));
    }
    const place = new Map(range ? lines[0].points : []);
    for (const note of hand.notes.values()) {
      if (!isMistake(note) || !place.has(note.at) || hand.moves[note.at].seat !== lines[0].seat) continue;
      const height = y(place.get(note.at));
      picture.append(svg("circle", { class: "costly", cx: x(note.at), cy: height, r: 4 }), text(x(note.at), height > HIGH - BOTTOM - 18 ? height - 8 : height + 15, note.mark, "middle", "mark"));
    }
    picture.append(svg("line", { class: "cursor", y1: TOP, y2: HIGH - BOTTOM }));
    const pick = (event) => {
      const box = picture.getBoundingClientRect();
      go(Math.round((((event.clientX - box.left) * WIDE) / box.width - LEFT) / (WIDE - LEFT - 8) * hand.moves.length));
    };
    picture.addEventListener("pointerdown", (event) => { pick(event); picture.setPointerCapture(event.pointerId); });
    picture.addEventListener("pointermove", (event) => { if (event.buttons) pick(event); });
    curve.dataset.x = JSON.stringify([LEFT, WIDE - LEFT - 8]);
    const key = lines.length > 1 ? el("ul", "key", lines.map((line) => el("li", "", svg("svg", { viewBox: "0 0 26 6", class: "dash" }, svg("path", { class: `line ${LINES[line.seat % LINES.length]}`, d: "M0 3L26 3" })), name(hand, line.seat)))) : legend ? el("p", "dim", legend) : null;
    curve.replaceChildren(...[el("h2", "", title), picture, key].filter(Boolean));
  }

  function text(x, y, inside, anchor, names) {
    return svg("text", { x, y, "text-anchor": anchor, class: names || "tick" }, inside);
  }

  // ---- steps

  const anchor = (step) => `${hands.length > 1 ? `hand-${now.hand + 1}-` : ""}${step < shown().moves.length ? `move-${step + 1}` : "end"}`;

  function drawHand() {
    const hand = shown();
    slider.max = hand.moves.length;
    about.textContent = [`${hand.game}, ${hand.variant}`, `deal ${hand.deal}`, `seed ${hand.seed}`, hand.seats.map((_, seat) => name(hand, seat)).join(", ")].join(" · ");
    notation.textContent = NOTATION[hand.game] || "";
    as.replaceChildren(new Option("everybody (open hands)", "all"), ...hand.seats.map((_, seat) => new Option(name(hand, seat), seat)));
    if (now.as !== "all" && Number(now.as) >= hand.seats.length) now.as = "all";
    as.value = now.as;
    choose.value = now.hand;
    drawCurve(hand);
    // Of the seat whose curve is shown.
    const own = [...hand.notes.values()].filter((note) => hand.moves[note.at].seat === hand.adviser.seat);
    const costly = own.filter(isMistake).sort((a, b) => cost(b) - cost(a) || a.at - b.at).slice(0, 5);
    const link = (note) => {
      const made = el("a", "", `${note.at + 1}${note.mark}`);
      made.href = `#${anchor(note.at)}`;
      return [made, ` (−${(100 * cost(note)).toFixed(1)} %)`];
    };
    worst.replaceChildren(...(costly.length ? [`Biggest mistakes of ${name(hand, hand.adviser.seat)}, by chance to win: `, ...costly.flatMap((note, at) => [at ? ", " : "", ...link(note)])] : []));
    list.replaceChildren(...hand.moves.map((made, at) => {
      const note = hand.notes.get(at);
      const item = el("a", `seat-${made.seat}`, el("span", "dim", String(made.seat)), " ", made.move, note && isMistake(note) ? el("b", "", ` ${note.mark}`) : null);
      item.href = `#${anchor(at)}`;
      return el("li", "", item);
    }));
    drawStep();
  }

  function drawStep() {
    const hand = shown();
    Board.draw(table, scene(hand));
    said.textContent = words(hand);
    advice.textContent = advised(hand);
    slider.value = now.step;
    slider.setAttribute("aria-valuetext", said.textContent);
    const [left, wide] = JSON.parse(curve.dataset.x);
    const at = left + (now.step / Math.max(1, hand.moves.length)) * wide;
    const cursor = curve.querySelector(".cursor");
    cursor.setAttribute("x1", at);
    cursor.setAttribute("x2", at);
    [...list.children].forEach((item, step) => {
      const link = item.firstChild;
      if (step === now.step) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
    const current = list.children[now.step];
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }

  function go(step) {
    now.step = Math.min(Math.max(0, step), shown().moves.length);
    drawStep();
    history.replaceState(null, "", `#${anchor(now.step)}`);
  }

  /** Goes to the step in the address: #move-12, #end, #hand-2, #hand-2-move-12. */
  function follow() {
    const asked = /^#(?:hand-(\d+)-?)?(?:move-(\d+)|(end))?$/.exec(location.hash);
    const hand = asked && asked[1] ? Math.min(Math.max(1, Number(asked[1])), hands.length) - 1 : now.hand;
    now.hand = hand;
    const last = shown().moves.length;
    now.step = !asked ? 0 : asked[3] ? last : Math.min(Math.max(0, Number(asked[2] || 1) - 1), last);
    drawHand();
    if (asked && root.getBoundingClientRect().top > 0) root.scrollIntoView();
  }

  slider.addEventListener("input", () => go(Number(slider.value)));
  choose.addEventListener("change", () => { location.hash = `#hand-${Number(choose.value) + 1}`; });
  as.addEventListener("change", () => { now.as = as.value; drawStep(); });
  window.addEventListener("hashchange", follow);
  document.querySelector("header").addEventListener("click", (event) => { if (event.target.closest("a")) root.scrollIntoView(); });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("select, input") || event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = { ArrowLeft: now.step - 1, ArrowRight: now.step + 1, Home: 0, End: Infinity };
    if (event.key in keys) { event.preventDefault(); go(keys[event.key]); }
    if (event.key === "m" || event.key === "M") {
      const next = [...shown().notes.values()].find((note) => note.at > now.step && isMistake(note));
      if (next) go(next.at);
    }
    if (event.key === "h" || event.key === "H") {
      const mover = shown().moves[now.step];
      now.as = now.as === "all" ? String(mover ? mover.seat : 0) : "all";
      as.value = now.as;
      drawStep();
    }
  });
  follow();
})();
