/* Explain: the committed studies with their answers, and ways to go on from them. */
import { address, choice, labelled, make, rich } from "./parts.js";
import { nameOf } from "./rules.js";

async function load(path) {
  const answer = await fetch(new URL(path, import.meta.url)).catch(() => {
    throw new Error(`\`${path}\` was not opened before, so it needs the network`);
  });
  if (!answer.ok) throw new Error(`this site has no page \`${path}\``);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

export async function show(root, { study }, shared) {
  if (study) return single(root, study, shared);
  const index = await load("results/index.html");
  const main = make("main", {}, make("h1", {}, "What the studies found"));
  const games = [...index.querySelectorAll("section.game")];
  const names = games.map((part) => part.querySelector("h2").textContent);
  const body = make("div", {});
  const draw = (name) => body.replaceChildren(...games.filter((part) => !name || part.querySelector("h2").textContent === name).flatMap((part) => [
    make("h2", {}, part.querySelector("h2").textContent),
    ...[...part.querySelectorAll("section.run")].map((run) => {
      const [title, ...rest] = [...run.children].map((child) => document.importNode(child, true));
      const folder = title.querySelector("a").getAttribute("href").split("/")[0];
      title.querySelector("a").setAttribute("href", address("explain", { study: folder }));
      return make("section", { class: "study" }, title, rest);
    }),
  ]));
  draw("");
  main.append(labelled("Game", choice([["", "all"], ...names.map((name) => [name, name])], "", draw)), body);
  root.append(main);
  return undefined;
}

async function single(root, study, shared) {
  if (!/^[a-z0-9_.-]+$/.test(study)) throw new Error(`there is no study \`${study}\``);
  const path = `results/${study}/report.html`;
  const report = await load(path);
  const answer = make("div", {});
  // The style of the reports holds inside only.
  const inside = answer.attachShadow({ mode: "open" });
  inside.append(make("link", { rel: "stylesheet", href: "report.css" }), document.importNode(report.getElementById("answer"), true));
  const found = shared.experiments.find((one) => one.name === study);
  const experiment = found && JSON.parse(found.text);
  const game = experiment && shared.games.find((one) => one.name === experiment.game);
  const specs = (experiment?.variants ?? game?.variants.map((one) => one.name) ?? []).map((spec) => (spec.sweep ? spec.base ?? game.variants[0].name : spec));
  // Files of strategies are not on the site.
  const isPlayable = experiment?.strategies.every((one) => typeof one !== "string" || game.strategies.some((known) => known.name === one));
  const variants = specs.filter((spec, order) => specs.findIndex((one) => nameOf(one) === nameOf(spec)) === order).slice(0, 6);
  const play = variants.map((variant) => make("a", { class: "button", href: address("play", { game: game.name, variant }) }, `Play ${nameOf(variant)}`));
  root.append(make("main", {}, rich("h1", report.querySelector("h1").textContent), answer,
    make("div", { class: "row" }, isPlayable ? make("a", { class: "button main", href: address("ask", { study }) }, "Change a rule and run again") : null, play,
      make("a", { class: "button", href: path }, "Whole report"), make("a", { class: "button", href: "#explain" }, "All studies"))));
}
