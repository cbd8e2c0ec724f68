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
