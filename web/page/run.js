/* A run of an experiment: one worker on each core plays chunks of deals, one more worker collects them. The
   lines of finished chunks are stored, so that a run goes on after a reload. */
import { Lab } from "./lab.js";

/** The lines of chunks in IndexedDB, under the program's version, the experiment and the chunk's number. */
class Lines {
  static async open() {
    const lines = new Lines();
    try {
      const request = indexedDB.open("parlour", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("lines");
      lines.base = await done(request);
    } catch {
      lines.base = null;
    }
    return lines;
  }

  #store() {
    return this.base.transaction("lines", "readwrite").objectStore("lines");
  }

  /** Returns the lines of an experiment, and forgets those of other versions of the program. */
  async all(key) {
    if (!this.base) return [];
    const store = this.#store();
    store.delete(IDBKeyRange.upperBound([key[0]], true));
    store.delete(IDBKeyRange.lowerBound([key[0], []]));
    return done(store.getAll(IDBKeyRange.bound(key, [...key, []])));
  }

  /** Stores a line. Without storage, as in some private windows, a run only lasts as long as its page. */
  async put(key, chunk, line) {
    if (this.base) await done(this.#store().put(line, [...key, chunk])).catch(() => {});
  }

  async forget(key) {
    if (this.base) await done(this.#store().delete(IDBKeyRange.bound(key, [...key, []])));
  }
}

const done = (request) => new Promise((yes, no) => {
  request.onsuccess = () => yes(request.result);
  request.onerror = () => no(request.error);
});

const LIVE_INTERVAL = 1500;

export class Run {
  hands = 0;
  played = 0;
  /** The last figures, with the files at the end. */
  figures = null;
  isRunning = false;
  isFinishing = false;
  isOver = false;
  error = null;
  #collector = new Lab();
  #players = [];
  #missing = [];
  #taken = new Set();
  /** The hands of chunks that are being played. */
  #current = new Map();
  #shown = 0;

  /** `onChange` is called whenever something has changed. */
  constructor(name, text, version, onChange) {
    Object.assign(this, { name, text, key: [version, name, text], onChange });
  }

  /** Returns true if chunks of this run are stored. */
  static async isStored(name, text, version) {
    return (await (await Lines.open()).all([version, name, text])).length > 0;
  }

  /** Reads the experiment and adds the stored chunks. */
  async open() {
    const { hands, missing } = await this.#collector.call("open", this.name, this.text);
    [this.hands, this.chunks, this.#missing] = [hands, missing.length, missing];
    this.lines = await Lines.open();
    for (const line of await this.lines.all(this.key)) this.#missing = await this.#collector.call("add", line);
    await this.#figures();
  }

  get stored() {
    return this.chunks - this.#missing.length;
  }

  /** Returns the part of the run that is played. */
  get progress() {
    const current = [...this.#current.values()].reduce((sum, hands) => sum + hands, 0);
    return this.isOver ? 1 : this.stored / this.chunks + current / this.hands;
  }

  async start() {
    if (this.isRunning || this.isOver) return;
    this.isRunning = true;
    this.onChange();
    const cores = Math.min(navigator.hardwareConcurrency || 2, this.#missing.length);
    try {
      await Promise.all(Array.from({ length: cores }, () => this.#play()));
    } catch (error) {
      this.error = error;
      this.stop();
    }
  }

  /** Plays chunks in a worker until none is missing. */
  async #play() {
    let chunk;
    const player = new Lab((hands) => {
      this.played += hands;
      this.#current.set(chunk, (this.#current.get(chunk) ?? 0) + hands);
      this.onChange();
    });
    this.#players.push(player);
    await player.call("open", this.name, this.text);
    for (;;) {
      chunk = this.#missing.find((one) => !this.#taken.has(one));
      if (chunk === undefined) return;
      this.#taken.add(chunk);
      const line = await player.call("play", chunk);
      this.#missing = await this.#collector.call("add", line);
      this.#current.delete(chunk);
      await this.lines.put(this.key, chunk, line);
      // Each call may end the run.
      if (this.isRunning) await this.#figures();
      if (!this.isRunning || !this.#missing.length) return;
    }
  }

  async #figures() {
    if (!this.#missing.length) {
      if (this.isFinishing) return;
      this.isFinishing = true;
      this.#endPlayers();
      this.onChange();
      this.figures = JSON.parse(await this.#collector.call("finish"));
      this.isOver = true;
      this.isRunning = false;
    } else if (this.stored && performance.now() - this.#shown > LIVE_INTERVAL) {
      this.#shown = performance.now();
      this.figures = JSON.parse(await this.#collector.call("live"));
    }
    this.onChange();
  }

  /** Ends the players. Their unfinished chunks are played again later. */
  stop() {
    this.isRunning = false;
    this.#endPlayers();
    this.onChange();
  }

  #endPlayers() {
    for (const player of this.#players) player.end();
    this.#players = [];
    this.#taken.clear();
    this.#current.clear();
  }

  /** Ends all workers. */
  close() {
    this.onChange = () => {};
    this.stop();
    this.#collector.end();
  }

  /** Deletes the stored lines. */
  forget() {
    return this.lines.forget(this.key);
  }
}
