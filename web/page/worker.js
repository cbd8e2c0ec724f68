/* A worker with its own copy of the module. It answers one call after the other. */
import load, { Run, Table, request, version } from "./parlour_web.js";

let run = null;
let table = null;
let hands = 0;
let reported = 0;

/** Reports the hands that were just played, a few times a second. */
function count(played) {
  hands += played;
  if (performance.now() - reported < 200) return;
  postMessage({ hands });
  reported = performance.now();
  hands = 0;
}

const methods = {
  version,
  request,
  open(name, text) {
    run = new Run(name, text);
    return { hands: run.hands(), missing: [...run.missing()] };
  },
  play(chunk) {
    const line = run.play(chunk, count);
    reported = 0;
    count(0);
    return line;
  },
  add(line) {
    run.add(line);
    return [...run.missing()];
  },
  live: () => run.live(),
  finish: () => run.finish(),
  sit(options) {
    table = new Table(options);
    return [...table.people()];
  },
  ask: (page, seat, command) => table.request(page, seat, command),
  step: () => table.step(),
  unfinished: () => table.unfinished(),
};

let ready;
addEventListener("message", async ({ data }) => {
  // The first message has the compiled module.
  if (data.module) {
    ready = load({ module_or_path: data.module });
    return;
  }
  try {
    await ready;
    postMessage({ id: data.id, result: methods[data.method](...data.words) });
  } catch (error) {
    const isTrap = error instanceof WebAssembly.RuntimeError;
    postMessage({ id: data.id, error: isTrap ? `The laboratory stopped (${error.message}). Reload the page to go on.` : error.message });
  }
});
