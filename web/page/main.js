/* Chooses the view that the address names. The part after `#` has the view and its state, so that a rule
   set, a table or a hand is a link. */
import { Lab, obstacle } from "./lab.js";
import { make, rich } from "./parts.js";

const VIEWS = ["ask", "play", "look", "explain"];
const root = document.getElementById("view");

/** What the views share: a worker for short requests, and the description of the games. */
const shared = {
  lab: null,
  games: [],
  experiments: [],
  /** Returns a game with the meanings of its rules, which are read when they are needed. */
  async game(name) {
    const game = shared.games.find((one) => one.name === name);
    if (!game) throw new Error(`there is no game \`${name ?? ""}\``);
    game.fields ??= (await shared.lab.request({ get: "rules", game: name })).fields;
    return game;
  },
};
let close = null;
let round = 0;

function failed(view, error) {
  root.replaceChildren(make("main", {},
    make("h1", {}, "This does not work"),
    make("div", { role: "alert" }, rich("p", `${error.message.replace(/[.\s]+$/, "")}.`)),
    make("p", {}, make("a", { href: `#${view}` }, "Start afresh"), " or choose a view above.")));
}

async function show() {
  round += 1;
  const current = round;
  const [name, query] = location.hash.slice(1).split(/\?(.*)/s);
  const view = VIEWS.includes(name) ? name : "ask";
  for (const link of document.querySelectorAll("#views a")) {
    if (link.hash === `#${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  close?.();
  close = null;
  try {
    if (name && name !== view) throw new Error(`the link names an unknown view, \`${name}\``);
    const module = await import(`./${view}.js`);
    shared.isReloaded = current === 1 && performance.getEntriesByType("navigation")[0]?.type === "reload";
    if (current !== round) return;
    document.title = `${view[0].toUpperCase()}${view.slice(1)} · parlour`;
    root.className = "";
    const body = document.createElement("div");
    const shown = await module.show(body, Object.fromEntries(new URLSearchParams(query ?? "")), shared);
    if (current !== round) return shown?.();
    close = shown;
    root.replaceChildren(body);
    scrollTo(0, 0);
    // After a click on a view, the keyboard and the screen reader go on there.
    const title = body.querySelector("h1");
    if (current > 1 && title) {
      title.tabIndex = -1;
      title.focus();
    }
  } catch (error) {
    if (current === round) failed(view, error);
  }
}

async function start() {
  const why = obstacle();
  if (why) throw new Error(why);
  // A view's code arrives while the module is compiled.
  VIEWS.forEach((view) => import(`./${view}.js`));
  shared.lab = new Lab();
  const [{ games, experiments }, version] = await Promise.all([shared.lab.request({ get: "games" }), shared.lab.call("version")]);
  Object.assign(shared, { games, experiments, version });
  document.getElementById("version").textContent = `${version}.`;
  addEventListener("hashchange", show);
  await show();
  // After the first load, all files are on this machine.
  if (isSecureContext) navigator.serviceWorker?.register("offline.js").catch(() => {});
}

start().catch((error) => failed("ask", error));
