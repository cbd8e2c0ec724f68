"use strict";
// Tables sort by the column whose head is pressed; without this script they stand as written.
for (const table of document.querySelectorAll("table.sort")) {
  const body = table.tBodies[0];
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = document.createElement("button");
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "descending";
      table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => row.cells[column].textContent.trim().replace("−", "-").replace(/^[<>] /, "");
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [parseFloat(key(a)), parseFloat(key(b))];
        const order = Number.isNaN(x) || Number.isNaN(y) ? key(a).localeCompare(key(b)) : x - y;
        return up ? order : -order;
      });
      body.append(...rows);
    });
  });
}
// On a phone, a table that does not fit its place is shown as cards.
const tables = [...document.querySelectorAll(".scroll table:not(.evidence)")];
for (const table of tables) {
  const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
  for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, column) => { cell.dataset.head = heads[column]; });
}
const fit = () => {
  for (const table of tables) table.classList.remove("cards");
  const wide = innerWidth > 640 ? [] : tables.filter((table) => table.offsetWidth > table.parentNode.clientWidth);
  for (const table of wide) table.classList.add("cards");
};
window.addEventListener("resize", fit);
document.addEventListener("toggle", fit, true);
fit();
// Charts of many numbers show the one under the pointer.
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.body.append(tip);
for (const chart of document.querySelectorAll("svg[data-tips]")) {
  const [left, top, wide, high] = chart.dataset.place.split(" ").map(Number);
  const columns = Number(chart.dataset.columns);
  const texts = chart.dataset.tips.split("|");
  const rows = texts.length / columns;
  const point = (event) => {
    const box = chart.getBoundingClientRect();
    const scale = chart.viewBox.baseVal.width / box.width;
    const x = ((event.clientX - box.left) * scale - left) / wide;
    const y = ((event.clientY - box.top) * scale - top) / high;
    tip.hidden = x < 0 || x >= 1 || y < 0 || y >= 1;
    if (tip.hidden) return;
    tip.textContent = texts[Math.floor(y * rows) * columns + Math.floor(x * columns)];
    const right = document.documentElement.clientWidth - tip.offsetWidth - 4;
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, right))}px`;
    tip.style.top = `${event.clientY < 60 ? event.clientY + 24 : event.clientY - 32}px`;
  };
  chart.addEventListener("pointermove", point);
  chart.addEventListener("pointerdown", point);
  // A finger that is lifted leaves the chart; its number stays until the next touch elsewhere.
  chart.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") tip.hidden = true; });
}
document.addEventListener("pointerdown", (event) => { if (!event.target.closest("svg[data-tips]")) tip.hidden = true; });
// What is folded is opened by a link to it, and in print.
const open = () => { const part = location.hash && document.querySelector(location.hash); if (part instanceof HTMLDetailsElement) part.open = true; };
window.addEventListener("hashchange", open);
open();
let folded = [];
window.addEventListener("beforeprint", () => { folded = [...document.querySelectorAll("details:not([open])")]; folded.forEach((part) => { part.open = true; }); });
window.addEventListener("afterprint", () => { folded.forEach((part) => { part.open = false; }); });
// Every chart can be saved as a picture, or its numbers copied as a table.
// Style properties of a saved chart, with their defaults.
const LOOK = {
  fill: "rgb(0, 0, 0)", "fill-opacity": "1", stroke: "none", "stroke-width": "1px", "stroke-opacity": "1",
  "stroke-dasharray": "none", "stroke-linejoin": "miter", "text-anchor": "start", "font-family": "", "font-size": "",
};
const MARGIN = 8;
const add = (parent, name, attributes, text) => {
  const node = parent.appendChild(document.createElementNS(parent.namespaceURI, name));
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text) node.textContent = text;
  return node;
};
// Draws the legend below the chart. Returns the height of the picture with it.
const drawKey = (copy, items, width, height) => {
  let [x, y] = [0, height + 14];
  for (const item of items) {
    const text = add(copy, "text", { class: "tick" }, item.textContent);
    const wide = text.getComputedTextLength() + 16;
    if (x && x + wide > width) [x, y] = [0, y + 18];
    add(copy, "rect", { class: item.querySelector(".chip").classList[1], x, y: y - 9, width: 10, height: 10 });
    text.setAttribute("x", x + 15);
    text.setAttribute("y", y);
    x += wide + 14;
  }
  return items.length ? y + 6 : height;
};
// Returns the chart in the light theme as a file without a style sheet: programs that draw SVG know few of its rules.
const picture = (chart, title, items) => {
  const copy = chart.cloneNode(true);
  copy.classList.add("paper");
  const { width, height } = chart.viewBox.baseVal;
  const scale = chart.getBoundingClientRect().width / width;
  chart.after(copy);
  const high = drawKey(copy, items, width, height) + 2 * MARGIN;
  const wide = width + 2 * MARGIN;
  for (const node of copy.querySelectorAll("*")) {
    const style = getComputedStyle(node);
    if (!["g", "title"].includes(node.tagName)) {
      for (const [name, usual] of Object.entries(LOOK)) {
        const value = style.getPropertyValue(name);
        const isSeen = value !== usual && (node.tagName === "text" || !/^(font|text)/.test(name));
        if (isSeen) node.setAttribute(name, value.replaceAll('"', "'").replace(/px\b/g, ""));
      }
    }
  }
  const paper = getComputedStyle(copy).getPropertyValue("--card").trim();
  copy.remove();
  copy.prepend(add(copy, "rect", { x: -MARGIN, y: -MARGIN, width: wide, height: high, fill: paper }));
  copy.prepend(add(copy, "desc", {}, chart.getAttribute("aria-label")));
  copy.prepend(add(copy, "title", {}, title));
  for (const node of [copy, ...copy.querySelectorAll("[class]")]) {
    for (const { name } of [...node.attributes]) if (/^(class|style|aria-label|data-.*)$/.test(name)) node.removeAttribute(name);
  }
  copy.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${wide} ${high}`);
  const size = [wide, high].map((side) => Math.round(side * scale));
  copy.setAttribute("width", size[0]);
  copy.setAttribute("height", size[1]);
  return { size, file: new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }) };
};
const save = (file, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const savePng = ({ size, file }, name) => {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = size.map((side) => 2 * side);
    const context = canvas.getContext("2d");
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(image.src);
    canvas.toBlob((png) => save(png, name));
  };
  image.src = URL.createObjectURL(file);
};
// Returns the numbers of a chart as lines of cells, from its texts: "a: 51 ± 2; b: 49 [46, 51]" or "0 to 1: 5.3 %, 4.2 %".
const NUMBER = "[−-]?[\\d.]+";
const VALUE = new RegExp(`^(.*?) ?(${NUMBER})(?:\\s*±\\s*(${NUMBER})|\\s*\\[(${NUMBER}),\\s*(${NUMBER})\\]|\\s*\\([a-z ]+\\)| to (${NUMBER}))?(\\s*%)?(?: at (.+))?$`);
const numbers = (chart, title) => {
  const label = chart.getAttribute("aria-label").replace(/\.$/, "");
  const items = chart.dataset.tips ? chart.dataset.tips.split("|") : label.slice(title.length + 2).split("; ");
  return items.filter((item) => item.includes(": "));
};
const table = (items) => {
  const plain = (text) => text.replace("−", "-").trim();
  const rows = [];
  for (const item of items) {
    const colon = item.lastIndexOf(": ");
    const name = item.slice(0, colon);
    const row = { "": name };
    const texts = item.slice(colon + 2).split(/,\s(?![^[]*\])/);
    for (const [at, text] of texts.entries()) {
      const [, head, value, half, low, high, to, sign, x] = text.match(VALUE) || [];
      if (value === undefined) continue;
      const column = (head || (texts.length > 1 && !x ? `seat ${at}` : "value")) + (sign ? ", %" : "");
      const one = x === undefined ? row : { "": name, at: x };
      one[column] = plain(value);
      const digits = (value.split(".")[1] || "").length;
      const end = (sign) => (Number(plain(value)) + sign * Number(half)).toFixed(digits);
      if (half || low) Object.assign(one, { low: half ? end(-1) : plain(low), high: half ? end(1) : plain(high) });
      if (to) one[`${column} to`] = plain(to);
      if (one !== row) rows.push(one);
    }
    if (Object.keys(row).length > 1) rows.push(row);
  }
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [heads, ...rows.map((row) => heads.map((head) => row[head] ?? ""))].map((cells) => cells.join("\t")).join("\n") + "\n";
};
const copyText = (text) => {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
};
for (const chart of document.querySelectorAll("figure svg")) {
  const card = chart.closest("figure");
  const title = chart.getAttribute("aria-label").split(": ")[0];
  const name = title.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase();
  // Charts of a row share the legend below it.
  const key = () => {
    const below = card.parentNode.nextElementSibling;
    const list = card.querySelector("ul.key") || (below?.matches("ul.key") ? below : null);
    return [...(list?.children || [])];
  };
  const actions = {
    SVG: ["Save as SVG", () => save(picture(chart, title, key()).file, `${name}.svg`)],
    PNG: ["Save as PNG", () => savePng(picture(chart, title, key()), `${name}.png`)],
    "copy table": ["Copy the numbers as a table for a spreadsheet", (button) => {
      copyText(table(numbers(chart, title)));
      button.textContent = "copied";
      setTimeout(() => { button.textContent = "copy table"; }, 1500);
    }],
  };
  if (!numbers(chart, title).length) delete actions["copy table"];
  const row = document.createElement("div");
  row.className = "take";
  for (const [text, [about, act]] of Object.entries(actions)) {
    const button = document.createElement("button");
    button.textContent = text;
    button.title = about;
    button.addEventListener("click", () => act(button));
    row.append(button);
  }
  card.append(row);
}
