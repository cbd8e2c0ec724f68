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
      const key = (row) => row.cells[column].textContent.trim().replace("−", "-");
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
  chart.addEventListener("pointerleave", () => { tip.hidden = true; });
}
