"use strict";
// The runs can be filtered by game and by conclusion; without this script all are shown.
const games = [...document.querySelectorAll("section.game")];
const nameOf = (part) => part.querySelector("h2").textContent;
const bar = document.createElement("form");
bar.className = "filter";
const add = (name, options) => {
  const label = bar.appendChild(document.createElement("label"));
  label.textContent = `${name} `;
  const select = label.appendChild(document.createElement("select"));
  for (const [text, value] of options) select.add(new Option(text, value));
  select.addEventListener("change", show);
  return select;
};
const game = add("Game", [["all", ""], ...games.map(nameOf).map((text) => [text, text])]);
const conclusion = add("Result", [["all", ""], ["a clear difference", "difference"], ["no clear difference", "no clear difference"]]);
function show() {
  for (const part of games) {
    const runs = [...part.querySelectorAll("section.run")];
    for (const run of runs) run.hidden = conclusion.value !== "" && run.dataset.conclusion !== conclusion.value;
    part.hidden = (game.value !== "" && nameOf(part) !== game.value) || runs.every((run) => run.hidden);
  }
}
document.querySelector("header").append(bar);
show();
