/* Ask: an experiment in a form, its run in web workers, and its answer. */
import { Run } from "./run.js";
import { nameOf, rulesForm, rulesOf } from "./rules.js";
import { address, button, choice, download, frame, labelled, make, parsed, redraw, rich } from "./parts.js";

/** The address of the run that goes on after a reload. */
const RUNNING = "running";

/** The player and the number of deals of a comparison that takes seconds. */
const STARTERS = { leopard: ["steady", 8000], leapfrog: ["greedy", 200], eleusis: ["cautious", 10] };

function starter(game) {
  const [player, deals] = STARTERS[game.name] ?? [game.adviser, 100];
  return { game: game.name, variants: game.variants.slice(0, 2).map((variant) => variant.name), strategies: [player], deals, seed: 1 };
}

/** Sets the pairings that fit the numbers of seats: pairs at two seats, and line-ups at larger tables. */
function withPairings(game, experiment) {
  const seats = new Set(experiment.variants.map((spec) => rulesOf(game, spec, experiment.variants).seats ?? 2));
  const names = experiment.strategies.map(nameOf);
  const { schedule, line_ups: _, mirror, ...rest } = experiment;
  if ([...seats].every((count) => count === 2)) {
    return schedule === "gauntlet" ? experiment : { ...rest, mirror: mirror ?? true };
  }
  const lineUps = [...seats].map((count) => Array.from({ length: count }, (_, seat) => names[seat % names.length]));
  return { ...rest, schedule: "line-up", line_ups: names.length ? lineUps : [] };
}

/** Reads the experiment of an address. */
async function experimentOf(parameters, shared) {
  const { study, game: name = "leopard", ...rest } = parameters;
  if (study) {
    const found = shared.experiments.find((one) => one.name === study);
    if (!found) throw new Error(`there is no study \`${study}\``);
    const { search, ...experiment } = JSON.parse(found.text);
    if (search) experiment.about += " The search of rules needs the program; here the named rule sets are played.";
    return experiment;
  }
  const game = await shared.game(name);
  const read = Object.entries(rest).map(([key, text]) => [key, /^[[{"\d-]|^(true|false|null)$/.test(text) ? parsed(key, text) : text]);
  const experiment = { ...starter(game), ...Object.fromEntries(read) };
  for (const list of ["variants", "strategies"]) {
    const isList = Array.isArray(experiment[list]) && experiment[list].every((one) => typeof nameOf(one ?? {}) === "string");
    if (!isList) throw new Error(`\`${list}\` in the link is no list of names`);
  }
  return "schedule" in rest || "mirror" in rest ? experiment : withPairings(game, experiment);
}

export async function show(root, parameters, shared) {
  let experiment = await experimentOf(parameters, shared);
  await shared.game(experiment.game);
  let { study } = parameters;
  let run = null;
  let checks = 0;
  const game = () => shared.games.find((one) => one.name === experiment.game);
  const name = () => study ?? "comparison";
  const text = () => JSON.stringify(experiment, null, 2);
  const here = () => (study ? address("ask", { study }) : address("ask", experiment));

  const form = make("form", { onsubmit: (event) => { event.preventDefault(); begin(); } });
  const size = make("p", { role: "status", id: "size" });
  const output = make("section", { id: "answer", "aria-label": "Answer" });
  root.append(make("main", {}, make("h1", {}, "What does a rule change?"),
    make("p", {}, "Choose two rule sets of a game, and the players. Bots play both rule sets on the same deals, that is with the same cards, in this browser. Read ",
      make("a", { href: "docs/rules.html" }, "the rules of the games"), " or ", make("a", { href: "docs/concepts.html" }, "what the figures mean"), "."), form, output));

  /** Takes a changed experiment into the form and the address. */
  function change(next) {
    experiment = next;
    study = undefined;
    run?.close();
    run = null;
    output.replaceChildren();
    history.replaceState(null, "", here());
    draw();
  }

  /** Takes an experiment with other rule sets or players. */
  function fitted(next) {
    const { question: { between, ...question } = {}, ...rest } = next;
    const names = [...next.variants, ...next.strategies].map(nameOf);
    // A question may name rule sets or players that are gone.
    if (between?.every((one) => names.includes(one))) question.between = between;
    change(withPairings(game(), Object.keys(question).length ? { ...rest, question } : rest));
  }

  function draw() {
    const current = game();
    const variants = experiment.variants ?? current.variants.map((variant) => variant.name);
    const rules = variants.map((spec, order) => {
      const set = (next) => fitted({ ...experiment, variants: variants.with(order, next) });
      const remove = button("Remove", () => fitted({ ...experiment, variants: variants.toSpliced(order, 1) }), { "aria-label": `Remove rule set ${order + 1}` });
      return make("fieldset", { id: `rules-${order}` }, make("legend", {}, order ? `Rule set ${order + 1}` : "Rule set 1, the reference"),
        rulesForm(current, spec, set, variants), variants.length > 1 ? remove : "");
    });
    const chosen = experiment.strategies;
    const isChosen = (strategy) => chosen.some((one) => nameOf(one) === strategy);
    const box = ({ name: strategy, about }) => make("label", { class: "check" }, make("input", {
      type: "checkbox", value: strategy, checked: isChosen(strategy),
      onchange: ({ target }) => fitted({ ...experiment, strategies: target.checked ? [...chosen, strategy] : chosen.filter((one) => nameOf(one) !== strategy) }),
    }), make("span", {}, make("b", {}, strategy), about ? rich("small", ` ${about}`) : null));
    const own = chosen.filter((one) => typeof one !== "string").map((one) => ({ name: one.name, about: "of this experiment" }));
    const [few, more] = [true, false].map((main) => current.strategies.filter((one) => (!one.research || isChosen(one.name)) === main));
    const number = (field, label, min) => labelled(label, make("input", {
      type: "number", min, max: Number.MAX_SAFE_INTEGER, required: true, value: experiment[field] ?? "", id: field,
      onchange: ({ target }) => change({ ...experiment, [field]: Number(target.value) }),
    }));
    const area = make("textarea", { rows: 14, spellcheck: "false", "aria-label": "Experiment as JSON" });
    area.value = text();
    const use = button("Use this text", async () => {
      try {
        const next = parsed("experiment", form.querySelector("textarea").value);
        await shared.game(next.game);
        // The form would choose pairings of its own after a reload.
        change("schedule" in next ? next : { mirror: false, ...next });
      } catch (error) {
        size.replaceChildren(rich("span", `${error.message}.`, "warn"));
      }
    });
    const games = shared.games.map((one) => [one.name, { leopard: "Leopard", leapfrog: "Leap Frog", eleusis: "Eleusis" }[one.name] ?? one.name]);
    const names = variants.map(nameOf);
    redraw(form, [
      rich("p", experiment.about ?? ""),
      labelled("Game", choice(games, experiment.game, async (name) => {
        form.inert = true;
        const next = await shared.game(name);
        form.inert = false;
        change(withPairings(next, starter(next)));
      })),
      make("div", { class: "columns" }, rules),
      button("Add a rule set", () => fitted({ ...experiment, variants: [...variants, current.variants.find((one) => !names.includes(one.name))?.name ?? names[0]] })),
      make("fieldset", {}, make("legend", {}, "Players"), make("div", { class: "columns" }, few.map(box), own.map(box)),
        make("details", {}, make("summary", {}, "More players, for research"), make("div", { class: "columns" }, more.map(box)))),
      make("div", { class: "row" }, number("deals", "Deals", 1), number("seed", "Random seed", 0)),
      make("details", {}, make("summary", {}, "The experiment as JSON"), area, use),
      size,
      make("div", { class: "row" }, make("button", { class: "button main", id: "run" }, "Run")),
    ]);
    check();
  }

  /** Shows the size of the run, or what is wrong. */
  async function check() {
    checks += 1;
    const current = checks;
    const start = form.querySelector("#run");
    try {
      const { hands } = await shared.lab.call("open", name(), text());
      if (current === checks) size.textContent = `${hands.toLocaleString("en")} hands.`;
    } catch (error) {
      if (current !== checks) return;
      const message = error.message.replace(/^comparison: /, "").replace(/\.$/, "");
      const place = message.replace(/field `variants\[(\d+)\]\.?([^`]*)`/, (_, order, rule) => `rule set ${Number(order) + 1}, \`${rule}\``);
      size.replaceChildren(rich("span", `${place}.`, "warn"));
      start.disabled = true;
    }
  }

  /** Reads the run with its stored chunks, and starts it. */
  async function begin(isStarted = true) {
    if (run || form.querySelector("#run").disabled) return;
    const opened = new Run(name(), text(), shared.version, () => requestAnimationFrame(() => run === opened && progress()));
    run = opened;
    shownFigures = null;
    started = null;
    result.replaceChildren();
    output.replaceChildren(make("p", { role: "status" }, "Reading the experiment …"));
    form.querySelector("#run").disabled = true;
    if (isStarted) output.scrollIntoView({ behavior: "smooth" });
    try {
      await run.open();
      if (isStarted) resume();
    } catch (error) {
      output.replaceChildren(make("p", { class: "warn", role: "alert" }, error.message));
    }
  }

  let started = null;
  function resume() {
    started = { time: performance.now(), played: run.played };
    sessionStorage.setItem(RUNNING, here());
    run.start();
  }

  function stop() {
    sessionStorage.removeItem(RUNNING);
    run.stop();
  }

  async function again() {
    await run.forget();
    run.close();
    run = null;
    begin();
  }

  let shownFigures = null;
  const bar = make("progress", { max: 1, "aria-label": "Progress" });
  const state = make("p", { id: "progress", role: "status" });
  const result = make("div", {});
  const controls = make("div", { class: "row" });

  function progress() {
    if (run.hands === undefined || run.chunks === undefined) return;
    if (!output.contains(bar)) output.replaceChildren(make("h2", {}, "Answer"), bar, state, controls, result);
    bar.value = run.progress;
    const seconds = started ? (performance.now() - started.time) / 1000 : 0;
    const rate = started && seconds > 1 ? (run.played - started.played) / seconds : 0;
    const left = rate ? ((1 - run.progress) * run.hands) / rate : 0;
    const time = left > 90 ? `about ${Math.round(left / 60)} minutes left` : `about ${Math.ceil(left)} s left`;
    const part = `${Math.floor(100 * run.progress)} % of ${run.hands.toLocaleString("en")} hands`;
    state.textContent = run.error ? `Stopped: ${run.error.message}` : run.isOver ? `Finished: ${run.figures.summary.deals.toLocaleString("en")} deals.`
      : run.isFinishing ? "Writing the report …" : run.isRunning ? `${part}${rate ? `, ${Math.round(rate).toLocaleString("en")} hands a second, ${time}` : ""}.` : `Stopped at ${part}.`;
    const mode = run.isOver ? "over" : run.isRunning || run.isFinishing ? "running" : "stopped";
    if (controls.dataset.mode !== mode || !controls.childElementCount) {
      controls.dataset.mode = mode;
      controls.replaceChildren(...(mode === "over" ? [button("Run again", again)] : mode === "running" ? [button("Stop", stop)] : [button("Go on", resume)]));
      if (mode === "over") sessionStorage.removeItem(RUNNING);
    }
    if (run.figures && run.figures !== shownFigures) figures(run.figures);
  }

  function figures(found) {
    shownFigures = found;
    const { summary, verdicts, chart, files } = found;
    const sentences = summary.sentences.map((sentence, order) => rich("p", sentence, order ? "more" : "answer"));
    if (files) {
      const tables = Object.keys(files).filter((file) => file.endsWith(".csv"));
      // The links of the report lead to the files of the run.
      let report = files["report.html"];
      for (const file of [...tables, "progress.jsonl"]) report = report.replaceAll(`href="${file}"`, () => `download="${file}" href="${download(file, files[file]).href}"`);
      // Only the command line writes this file.
      report = report.replaceAll('href="manifest.json"', "");
      result.replaceChildren(...sentences,
        make("h3", {}, "Files"),
        make("ul", { class: "files" }, [...tables, "report.html", "progress.jsonl"].map((file) => make("li", {}, download(file, files[file]))),
          make("li", {}, download(`${name()}.json`, text()), make("small", {}, ` repeat it with parlour run ${name()}.json`))),
        make("h3", {}, "Report"), frame("Report", report));
      return;
    }
    const picture = make("div", {});
    // The style of the reports holds inside only.
    const inside = picture.attachShadow({ mode: "open" });
    inside.append(make("link", { rel: "stylesheet", href: "report.css" }));
    inside.append(...new DOMParser().parseFromString(chart, "text/html").body.childNodes);
    const cells = (tag, texts) => make("tr", {}, texts.map((cell) => rich(tag, cell)));
    const rows = verdicts.map((texts, order) => cells(order ? "td" : "th", texts));
    result.replaceChildren(...sentences, picture, make("div", { class: "scroll" }, make("table", {}, rows)));
  }

  draw();
  if (sessionStorage.getItem(RUNNING) === here()) begin();
  else if (await Run.isStored(name(), text(), shared.version)) begin(false);
  return () => run?.close();
}
