/* The laboratory in web workers: calls of its functions return promises. */

/** A module that uses an instruction on vectors of 128 bits. */
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/** Returns the reason why this browser cannot run the laboratory, or null. */
export function obstacle() {
  const update = "Use a browser of 2023 or later, or install the program.";
  if (typeof Worker === "undefined") return `This browser has no web workers. ${update}`;
  if (typeof WebAssembly === "undefined" || !WebAssembly.validate(SIMD)) return `This browser has no WebAssembly with SIMD. ${update}`;
  return null;
}

async function compile() {
  const address = new URL("parlour_web_bg.wasm", import.meta.url);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The laboratory's module is missing: ${address} (${answer.status}).`);
  // A server that does not know the type of the file cannot stream it.
  return answer.headers.get("Content-Type") === "application/wasm"
    ? WebAssembly.compileStreaming(answer)
    : WebAssembly.compile(await answer.arrayBuffer());
}

let compiled = null;

/** A worker that owns a copy of the module. */
export class Lab {
  #worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  #calls = new Map();
  #ready;
  #next = 0;

  /** `onHands` hears of the numbers of hands just played. */
  constructor(onHands = () => {}) {
    compiled ??= compile();
    this.#ready = compiled.then((module) => this.#worker.postMessage({ module }));
    this.#worker.onmessage = ({ data }) => {
      if (data.hands !== undefined) return onHands(data.hands);
      const [done, fail] = this.#calls.get(data.id);
      this.#calls.delete(data.id);
      return data.error === undefined ? done(data.result) : fail(new Error(data.error));
    };
    this.#worker.onerror = () => this.#fail(new Error("The worker of the laboratory did not start. Reload the page."));
  }

  /** Calls a function of the worker. */
  async call(method, ...words) {
    await this.#ready;
    this.#next += 1;
    return new Promise((done, fail) => {
      this.#calls.set(this.#next, [done, fail]);
      this.#worker.postMessage({ id: this.#next, method, words });
    });
  }

  /** Sends a request of the module and returns its answer. */
  async request(body) {
    return JSON.parse(await this.call("request", JSON.stringify(body)));
  }

  /** Ends the worker. Its unanswered calls never return. */
  end() {
    this.#worker.terminate();
    this.#calls.clear();
  }

  #fail(error) {
    for (const [, fail] of this.#calls.values()) fail(error);
    this.#calls.clear();
  }
}
