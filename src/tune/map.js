// Draws the map of a space of rules: rule sets by two figures, two rules at a time, and effects.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { base, fields, figures, effects, means, sets, front } = data;
  const words = (name) => name.replaceAll("_", " ");
  // As wide in its own units as the other charts of pages, whose letters are legible on a phone.
  const WIDE = 340;
  const names = figures.map(([name]) => name);
  const isShare = (figure) => /^(share|fraction)/.test(figures[figure][1]);
  const plain = (x) => String(Math.abs(x) < 100 ? Number(x.toPrecision(3)) : Math.round(x));
  const text = (figure, x) =>
    x === null ? "–" : isShare(figure) ? (100 * x).toFixed(1) + " %" : plain(x);
  const change = (figure, { value, interval }) => {
    const half = (interval[1] - interval[0]) / 2;
    const digits = Math.max(0, 1 - Math.floor(Math.log10(half || 1)));
    return isShare(figure)
      ? `${(100 * value).toFixed(1)} ± ${(100 * half).toFixed(1)} pp`
      : `${value.toFixed(digits)} ± ${half.toFixed(digits)}`;
  };
  const rules = (set) => Object.fromEntries(set.map((value, at) => [fields[at][0], fields[at][1][value]]));
  const svgNode = (name, attributes, parent, content) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (content !== undefined) node.textContent = content;
    parent?.append(node);
    return node;
  };
  // A chart that is drawn again when a choice changes; its buttons stay.
  const chart = (host) => {
    const figure = document.createElement("figure");
    figure.style.maxWidth = "660px";
    const title = document.createElement("h3");
    figure.append(title);
    const svg = svgNode("svg", { role: "img" }, figure);
    host.append(figure);
    return (height, label) => {
      svg.replaceChildren();
      title.textContent = label;
      const attributes = { viewBox: `0 0 ${WIDE} ${height}`, "aria-label": label };
      for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
      return svg;
    };
  };
  const select = (host, label, options, chosen, changed) => {
    const wrap = document.createElement("label");
    const node = document.createElement("select");
    options.forEach((option, at) => node.add(new Option(words(option), at, false, at === chosen)));
    node.addEventListener("change", changed);
    wrap.append(label + " ", node);
    host.append(wrap);
    return () => Number(node.value);
  };
  // A row for choices, and a chart below it.
  const controls = (id) => {
    const host = document.getElementById(id);
    const row = document.createElement("div");
    row.className = "filter";
    host.append(row);
    return [row, chart(host)];
  };
  // Round ticks within a range.
  const ticks = (low, high) => {
    const rough = (high - low) / 4 || 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= rough);
    const found = [];
    for (let at = Math.ceil(low / step); at * step <= high; at += 1) found.push(at * step);
    return found;
  };
  const save = (rules) => {
    const link = document.createElement("a");
    const variant = JSON.stringify({ ...(base.base ? base : { base }), ...rules, name: undefined }, null, 2);
    link.href = URL.createObjectURL(new Blob([variant + "\n"]));
    link.download = "rules.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };

  const scatter = () => {
    const [row, start] = controls("scatter");
    // The rule set that the answer speaks of first.
    const best = document.querySelector("p.answer code")?.textContent;
    const draw = () => {
      const [x, y] = [across(), up()];
      const svg = start(262, `Rule sets by ${words(names[x])} and ${words(names[y])}`);
      const values = (figure) =>
        sets.map((set) => set[2][figure]).concat(front.map((it) => it[1][figure]?.value)).filter((v) => v != null);
      const scale = (figure, from, to) => {
        const [low, high] = [Math.min(...values(figure)), Math.max(...values(figure))];
        const at = (v) => from + ((v - low) / (high - low || 1)) * (to - from);
        return Object.assign(at, { low, high });
      };
      const [sx, sy] = [scale(x, 46, WIDE - 10), scale(y, 222, 22)];
      for (const v of ticks(sx.low, sx.high)) {
        svgNode("line", { class: "grid", x1: sx(v), x2: sx(v), y1: 16, y2: 228 }, svg);
        svgNode("text", { class: "tick", x: Math.min(sx(v), WIDE - 17), y: 240, "text-anchor": "middle" }, svg, text(x, v));
      }
      for (const v of ticks(sy.low, sy.high)) {
        svgNode("line", { class: "grid", x1: 42, x2: WIDE - 6, y1: sy(v), y2: sy(v) }, svg);
        svgNode("text", { class: "tick", x: 39, y: sy(v) + 3, "text-anchor": "end" }, svg, text(y, v));
      }
      svgNode("text", { class: "name", x: (WIDE + 40) / 2, y: 256, "text-anchor": "middle" }, svg, words(names[x]));
      svgNode("text", { class: "name", x: 0, y: 10 }, svg, words(names[y]));
      for (const [set, deals, figure] of sets) {
        if (figure[x] === null || figure[y] === null) continue;
        const dot = svgNode("circle", { class: "band", cx: sx(figure[x]), cy: sy(figure[y]), r: 0.8 + Math.log10(deals) / 5, cursor: "pointer" }, svg);
        const said = set.map((value, at) => `${words(fields[at][0])} ${fields[at][1][value]}`);
        const all = figure.map((v, at) => `${words(names[at])} ${text(at, v)}`);
        svgNode("title", {}, dot, `${said.join(", ")}\n${all.join("\n")}\n${deals} deals`);
        dot.addEventListener("click", () => save(rules(set)));
      }
      // The reference, which is the first, is drawn last: nothing hides it.
      [...front.entries()].reverse().forEach(([at, [name, figure, own]]) => {
        if (!figure[x] || !figure[y]) return;
        const place = { cx: sx(figure[x].value), cy: sy(figure[y].value), r: 4 };
        const ring = svgNode("circle", { class: at ? "line-a" : "line-b", "pointer-events": "all", cursor: "pointer", tabindex: 0, role: "button", "aria-label": `save ${name}`, ...place }, svg);
        const all = figure.map((e, it) => `${words(names[it])} ${text(it, e ? e.value : null)}`);
        ring.addEventListener("click", () => save(own));
        ring.addEventListener("keydown", ({ key }) => key === "Enter" && save(own));
        svgNode("title", {}, ring, `${name}\n${all.join("\n")}`);
        // The name stands on the side with more room.
        const [side, anchor] = place.cx > WIDE / 2 ? [place.cx - 7, "end"] : [place.cx + 7, "start"];
        if (at === 0) svgNode("text", { class: "label", x: side, y: place.cy + 3, "text-anchor": anchor }, svg, name);
        else if (name === best) svgNode("text", { class: "label", x: place.cx, y: place.cy + 14, "text-anchor": anchor }, svg, "recommended");
      });
    };
    const across = select(row, "across", names, Math.min(1, names.length - 1), draw);
    const up = select(row, "up", names, 0, draw);
    draw();
  };

  const heat = () => {
    const [row, start] = controls("heat");
    const pairs = means.filter(([figure]) => figure === names[0]).map(([, one, two]) => `${one} × ${two}`);
    // The two rules that change the first figure most.
    const order = effects.filter((it) => it.figure === names[0] && !it.other_rule);
    order.sort((a, b) => Math.abs(b.effect.value) - Math.abs(a.effect.value));
    const first = order.slice(0, 2).map((it) => it.rule);
    const chosen = Math.max(0, pairs.findIndex((it) => it === first.join(" × ") || it === [...first].reverse().join(" × ")));
    const draw = () => {
      const figure = what();
      const own = means.filter(([name]) => name === names[figure]);
      const [, one, two, cells] = own[pair()];
      const [rows, columns] = [0, 1].map((at) => [...new Set(cells.map((cell) => cell[at]))]);
      const left = 16 + 6 * Math.max(...rows.map((value) => String(value).length));
      const [wide, high] = [Math.min(60, (WIDE - left - 4) / columns.length), 20];
      const svg = start(58 + high * rows.length, `${words(names[figure])} by ${words(one)} and ${words(two)}`);
      const numbers = cells.map((cell) => cell[2]);
      const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
      const fair = names[figure].startsWith("first_seat");
      let isCrossed = false;
      const furthest = Math.max(...numbers.map((v) => Math.abs(v - 0.5))) || 1;
      for (const [a, b, v] of cells) {
        const [x, y] = [left + wide * columns.indexOf(b), 16 + high * rows.indexOf(a)];
        // For fairness: the nearer to one half, the paler; both sides have their own colour.
        const share = fair ? Math.abs(v - 0.5) / furthest : (v - least) / (most - least || 1);
        const colour = fair && v < 0.5 ? "var(--b)" : "var(--a)";
        svgNode("rect", { x, y, width: wide - 1, height: high - 1, style: `fill: ${colour}; fill-opacity: ${0.06 + 0.6 * share}` }, svg);
        svgNode("text", { class: "cell", x: x + wide / 2, y: y + 13, "text-anchor": "middle" }, svg, text(figure, v));
        // The contour of a fair first seat.
        const other = (i, j) => cells.find((cell) => cell[0] === rows[rows.indexOf(a) + i] && cell[1] === columns[columns.indexOf(b) + j]);
        const crosses = (cell) => fair && cell && (cell[2] - 0.5) * (v - 0.5) < 0 && (isCrossed = true);
        if (crosses(other(0, 1))) svgNode("line", { class: "mark", "stroke-width": 2.5, x1: x + wide - 0.5, x2: x + wide - 0.5, y1: y, y2: y + high }, svg);
        if (crosses(other(1, 0))) svgNode("line", { class: "mark", "stroke-width": 2.5, x1: x, x2: x + wide, y1: y + high - 0.5, y2: y + high - 0.5 }, svg);
      }
      rows.forEach((value, at) => svgNode("text", { class: "tick", x: left - 4, y: 29 + high * at, "text-anchor": "end" }, svg, value));
      columns.forEach((value, at) => svgNode("text", { class: "tick", x: left + wide * (at + 0.5), y: 28 + high * rows.length, "text-anchor": "middle" }, svg, value));
      svgNode("text", { class: "name", x: 0, y: 10 }, svg, words(one));
      svgNode("text", { class: "name", x: left + (wide * columns.length) / 2, y: 40 + high * rows.length, "text-anchor": "middle" }, svg, words(two));
      const contour = isCrossed ? "The line is the contour of a fair start." : "All cells are on one side of a fair start.";
      const note = fair ? contour : "The stronger the colour, the higher.";
      svgNode("text", { class: "tick", x: 0, y: 54 + high * rows.length }, svg, note);
    };
    const what = select(row, "figure", names, 0, draw);
    const pair = select(row, "rules", pairs, chosen, draw);
    draw();
  };

  const bars = () => {
    const [row, start] = controls("effects-chart");
    const draw = () => {
      const figure = what();
      const own = effects.filter((it) => it.figure === names[figure] && Boolean(it.other_rule) === Boolean(kind()));
      own.sort((a, b) => Math.abs(b.effect.value) - Math.abs(a.effect.value));
      const shown = own.slice(0, 15);
      const svg = start(16 + 20 * shown.length, `Effects on ${words(names[figure])}`);
      const ends = shown.flatMap((it) => it.effect.interval).concat(0);
      const [low, high] = [Math.min(...ends), Math.max(...ends)];
      const at = (v) => 150 + ((v - low) / (high - low || 1)) * (WIDE - 220);
      svgNode("line", { class: "reference", x1: at(0), x2: at(0), y1: 4, y2: 6 + 20 * shown.length }, svg);
      shown.forEach((it, index) => {
        const y = 16 + 20 * index;
        const name = it.other_rule ? `${it.rule} × ${it.other_rule}` : `${it.rule}: ${it.from} → ${it.to}`;
        const [from, to] = it.effect.interval;
        const isClear = from > 0 || to < 0;
        svgNode("text", { class: "label", x: 0, y: y + 3 }, svg, words(name));
        const mark = svgNode("g", { class: isClear ? "mark" : "mark faint" }, svg);
        svgNode("rect", { class: "tint", x: Math.min(at(0), at(it.effect.value)), y: y - 6, width: Math.abs(at(it.effect.value) - at(0)), height: 12 }, mark);
        svgNode("line", { class: "whisker", x1: at(from), x2: at(to), y1: y, y2: y }, mark);
        svgNode("text", { class: "value", x: WIDE, y: y + 3, "text-anchor": "end" }, svg, change(figure, it.effect));
      });
    };
    const what = select(row, "figure", names, 0, draw);
    const kind = select(row, "of", ["single rules", "pairs of rules"], 0, draw);
    draw();
  };

  scatter();
  heat();
  bars();
})();
