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
// Every chart can be taken away as a file of its own, which brings its colours along.
for (const chart of document.querySelectorAll("figure svg")) {
  const link = document.createElement("a");
  link.className = "take";
  link.textContent = "SVG";
  link.href = "#";
  const title = chart.closest("figure").querySelector("h3")?.textContent || "chart";
  link.title = `${title} as SVG`;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const copy = chart.cloneNode(true);
    const style = document.createElementNS(chart.namespaceURI, "style");
    style.textContent = document.querySelector("style").textContent;
    copy.prepend(style);
    const file = new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
    const away = document.createElement("a");
    away.href = URL.createObjectURL(file);
    away.download = `${title.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase()}.svg`;
    away.click();
    setTimeout(() => URL.revokeObjectURL(away.href), 1000);
  });
  chart.closest("figure").prepend(link);
}
