// Checks that the module plays as the program does: node web/tests/signature.mjs MODULE_FOLDER PROGRAM
// With `--speed`, it also prints the size of the module and its speed.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";

const [folder, program, speed] = process.argv.slice(2);
const web = await import(pathToFileURL(resolve(folder, "parlour_web.js")));
const module = readFileSync(join(folder, "parlour_web_bg.wasm"));
const before = performance.now();
await web.default({ module_or_path: module });
const start = performance.now() - before;

const native = (...words) => execFileSync(program, words, { encoding: "utf8" });
assert.equal(web.signature(), native("bench", "--signature").trim(), "the signature");

// A run in two workers, whose chunks arrive in any order, has the bytes of the command line.
const experiment = JSON.stringify({
    game: "leopard",
    variants: ["original", "revised"],
    strategies: ["steady", "greedy"],
    deals: 2000,
});
const temporary = mkdtempSync(join(tmpdir(), "parlour-"));
try {
    const path = join(temporary, "tab.json");
    writeFileSync(path, experiment);
    native("run", path, "--quiet", "--out", join(temporary, "results"));
    const workers = [new web.Run("tab", experiment), new web.Run("tab", experiment)];
    const missing = [...workers[0].missing()];
    let hands = 0;
    for (const chunk of missing.reverse()) {
        workers[0].add(workers[chunk % 2].play(chunk, (count) => (hands += count)));
        if (chunk === 10) {
            const live = JSON.parse(workers[0].live());
            assert.ok(live.summary.sentences.length > 0 && live.summary.deals < 2000);
        }
    }
    assert.equal(hands, workers[0].hands());
    const { files } = JSON.parse(workers[0].finish());
    // The page names the build, and the header of the progress file the place of the experiment.
    const plain = (text) => text.replaceAll(/\([0-9a-f]{16}\)/g, "");
    const names = Object.keys(files).filter((name) => name !== "progress.jsonl");
    for (const name of names) {
        const there = readFileSync(join(temporary, "results", name), "utf8");
        assert.ok(plain(files[name]) === plain(there), `${name} has other bytes`);
    }
    console.log(`the same signature, and the same bytes in ${names.join(", ")}`);
} finally {
    rmSync(temporary, { recursive: true });
}

// A hand at a table, which is stepped through afterwards; a saved hand goes on where it was.
const opponents = { leopard: "greedy", leapfrog: "greedy", eleusis: "bayes" };
for (const { name } of JSON.parse(web.request('{"get":"games"}')).games) {
    let table = new web.Table(JSON.stringify({ game: name, seed: 5, against: [opponents[name]] }));
    const [seat] = table.people();
    for (let moves = 0; ; moves++) {
        while (table.step());
        const state = JSON.parse(table.request("state", seat));
        if (state.end) break;
        if (moves === 2) {
            table = new web.Table(JSON.stringify({ game: name, resume: table.unfinished() }));
            assert.deepEqual(JSON.parse(table.request("state", seat)).view, state.view);
        }
        const { deal, after, legal } = state;
        const command = { act: "play", seat, deal, after, moves: [legal[moves % legal.length]] };
        table.request("do", null, JSON.stringify(command));
    }
    const line = table.request("record");
    const hand = JSON.parse(web.request(JSON.stringify({ get: "replay", line })));
    assert.equal(hand.changes.length, hand.moves.length, "a change for each move");
}
for (const broken of ["{", '{"get":"nothing"}', '{"get":"rules","game":"chess"}']) {
    assert.throws(() => web.request(broken), Error);
}
assert.throws(() => new web.Run("broken", "{}"), /game/);

if (speed === "--speed") {
    const brotli = brotliCompressSync(module).length;
    console.log(`module ${module.length} bytes, brotli ${brotli}; started in ${start.toFixed(0)} ms`);
    for (const [variant, strategy, deals, count] of [
        ["original", "steady", 20000, 16],
        ["revised", "steady", 20000, 16],
        ["revised", "expert", 64, 4],
    ]) {
        const text = { game: "leopard", variants: [variant], strategies: [strategy], mirror: true, deals };
        const run = new web.Run("speed", JSON.stringify(text));
        // Time of the processor: other programs may run.
        const began = process.cpuUsage();
        let hands = 0;
        for (const chunk of run.missing().slice(0, count)) run.add(run.play(chunk, (played) => (hands += played)));
        const { user, system } = process.cpuUsage(began);
        const seconds = (user + system) / 1e6;
        const [figures] = JSON.parse(run.live()).summary.variants;
        const moves = hands * figures.turns;
        console.log(
            `${variant} ${strategy}: ${(hands / seconds).toFixed(0)} hands a second, ` +
                `${((1000 * seconds) / moves).toFixed(3)} ms a turn`,
        );
    }
}
