#!/usr/bin/env python3
"""Plays whole hands of `parlour play` in a browser by clicks, and once by keys.

Usage: play.py [--shots FOLDER] [--page FOLDER] PARLOUR

Every game is played to its end at desktop and phone width, light and dark. Faults are: console
messages, requests to other hosts, parts wider than the page, and records that do not verify. Needs
playwright, and Chromium from the path or $CHROMIUM. --page replaces the page's files by those of a
folder, for development.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}

# Game, its options, size, colours.
HANDS = [
    ("leopard", ["--against", "greedy"], "desktop", "light"),
    ("leopard", ["--variant", "running-revised", "--against", "ismcts-250"], "phone", "dark"),
    ("leapfrog", ["--variant", "murray-mini-6x6", "--against", "greedy"], "desktop", "dark"),
    ("leapfrog", ["--variant", "mini-5x5", "--seats", "3", "--against", "greedy"], "phone", "light"),
    ("eleusis", ["--seats", "4", "--against", "cautious"], "desktop", "light"),
    ("eleusis", ["--variant", "express", "--against", "cautious,random"], "phone", "dark"),
]

# Finds parts that are wider than the page.
WIDE = """() => {
    const faults = [];
    const wide = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > wide) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const part of document.querySelectorAll("body *")) {
        const box = part.getBoundingClientRect();
        if (box.width && box.right > wide + 1 && !part.closest(".scroll, svg")) faults.push(`${part.tagName}.${part.className} reaches ${box.right}`);
    }
    return [...new Set(faults)].slice(0, 5);
}"""

PICK = """(at) => {
    const visible = (part) => part && !part.closest("[hidden]") && part.getClientRects().length > 0;
    const play = [...document.querySelectorAll("#turn button")].find((made) => made.textContent === "Play");
    if (visible(document.getElementById("end"))) return "end";
    if (visible(document.getElementById("unveil"))) return "#unveil";
    const all = [...document.querySelectorAll("#table button.target")].filter(visible);
    for (const made of document.querySelectorAll("[data-driver]")) made.removeAttribute("data-driver");
    const pass = all.filter((made) => ["knock", "pass", "submit"].includes(made.dataset.pick));
    const from = visible(play) && !all.length ? [play] : pass.length && at[1] < .6 ? pass : all;
    if (!from.length) return visible(play) ? (play.dataset.driver = "1", "[data-driver]") : null;
    from[Math.floor(at[0] * from.length)].dataset.driver = "1";
    return "[data-driver]";
}"""


# Returns the next click of a dealer with the rule "red cards are right", and the number of moves. Returns
# null if this position was already judged: the last click may not have arrived yet.
JUDGE = """async (judged) => {
    const seen = await fetch("state?seat=0").then((answer) => answer.json());
    if (seen.end) return ["end", 0];
    const moves = seen.past.length;
    if (seen.turn !== 0 || !moves || moves === judged) return null;
    const { stage, shown, string } = seen.view.public;
    const red = (card) => "HD".includes(card[1]);
    const last = seen.past[seen.past.length - 1].move;
    if (stage === "force") return [`shown:${shown.find(red)}`, moves];
    if (last.startsWith("guess ")) return [last === "guess red" ? "right" : "wrong", moves];
    return [(shown ? !shown.some(red) : string.every(red)) ? "right" : "wrong", moves];
}"""

# Makes a move and takes it back while the bot thinks. Returns the milliseconds of both requests.
MOVE_AND_BACK = """async (seen) => {
    const ask = async (body) => {
        const start = performance.now();
        const answer = await fetch("do", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
        await answer.json();
        return performance.now() - start;
    };
    const { deal, after, legal } = seen;
    const move = await ask({ act: "play", seat: 0, deal, after, moves: [legal[0]] });
    await new Promise((done) => setTimeout(done, 30));
    return [move, await ask({ act: "take_back", seat: 0 })];
}"""


class Table:
    """A running `parlour play`."""

    def __init__(self, parlour, game, options, folder):
        self.folder = folder
        command = [parlour, "play", game, "--no-open", "--seed", "11", *options]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.addresses = []
        for line in self.process.stdout:
            self.addresses += re.findall(r"http://\S+", line)
            if "Ctrl-C" in line:
                break

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Driver:
    def __init__(self, browser, parlour, shots, own):
        self.browser, self.parlour, self.shots, self.own = browser, parlour, shots, own
        self.faults = []

    def open(self, address, size="desktop", scheme="light", where=""):
        width, height = SIZES[size]
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        page = context.new_page()
        fault = lambda text: self.faults.append(f"{where}: {text}")
        page.on("console", lambda m: fault(f"console: {m.text}"))
        page.on("pageerror", lambda e: fault(f"error: {e}"))
        root = address.split("/", 3)[2]
        page.on("request", lambda r: None if f"//{root}/" in r.url or r.url.startswith("data:") else fault(f"asks for {r.url}"))
        if self.own:
            for name in ("local.js", "table.js", "table.css", "table.html"):
                way = "**/" + ("" if name == "table.html" else name)
                page.route(way, self.local(self.own / name))
        page.goto(address)
        return page

    @staticmethod
    def local(path):
        return lambda route: route.fulfill(path=path)

    def shot(self, page, name):
        if self.shots:
            page.screenshot(path=str(self.shots / f"{name}.png"), full_page=True)

    def play(self, page, where, name, most=2000):
        """Clicks random targets until the hand is over."""
        lots = random.Random(5)
        picks = 0
        until = time.monotonic() + 300
        while time.monotonic() < until and picks < most:
            what = page.evaluate(PICK, [lots.random(), lots.random()])
            if what == "end":
                break
            if what is None:
                page.wait_for_timeout(15)
                continue
            # The page may redraw its buttons before the click, so a short wait is repeated.
            try:
                page.click(what, timeout=200)
            except Exception:
                continue
            picks += 1
            if picks in (3, 20):
                self.faults += [f"{where}: {fault}" for fault in page.evaluate(WIDE)]
                self.shot(page, f"{name}-{picks}")
        else:
            self.faults.append(f"{where}: the hand has not ended after {picks} clicks")
        page.wait_for_timeout(300)
        self.faults += [f"{where}: {fault}" for fault in page.evaluate(WIDE)]
        self.shot(page, f"{name}-end")
        return picks

    def hand(self, game, options, size, scheme):
        where = f"{game} {' '.join(options)}, {size}, {scheme}"
        with tempfile.TemporaryDirectory() as folder, Table(self.parlour, game, options, folder) as table:
            page = self.open(table.addresses[0], size, scheme, where)
            start = time.monotonic()
            picks = self.play(page, where, f"{game}-{size}-{scheme}")
            print(f"{where}: {picks} clicks, {time.monotonic() - start:.1f} s")
            self.verify(page, folder, where)
            page.context.close()

    def verify(self, page, folder, where):
        """Checks that the downloaded record equals the saved one and verifies."""
        kept = list(pathlib.Path(folder).glob("*-hands.jsonl"))
        if not kept:
            return self.faults.append(f"{where}: no record was kept")
        with page.expect_download() as got:
            page.click("#record")
        if pathlib.Path(got.value.path()).read_text() != kept[0].read_text():
            self.faults.append(f"{where}: the page's record is not the one in the file")
        with page.context.expect_page() as opened:
            page.click("#look")
        hand = opened.value
        # Messages before the listeners are attached are lost, so the page is loaded again.
        hand.wait_for_selector(".board")
        hand.on("pageerror", lambda e: self.faults.append(f"{where}: the page of the hand: {e}"))
        hand.on("console", lambda m: self.faults.append(f"{where}: the page of the hand: {m.text}"))
        hand.reload()
        hand.wait_for_selector(".board")
        hand.keyboard.press("ArrowRight")
        done = subprocess.run([self.parlour, "verify", kept[0]], capture_output=True, text=True)
        if done.returncode:
            self.faults.append(f"{where}: {done.stderr}")

    def dealer(self):
        """The person deals with a typed rule; its meaning is shown, and bots report their beliefs."""
        where = "the dealer"
        options = ["--variant", "express", "--seat", "0", "--against", "cautious"]
        with tempfile.TemporaryDirectory() as folder, Table(self.parlour, "eleusis", options, folder) as table:
            page = self.open(table.addresses[0], "desktop", "light", where)
            page.fill("#secret", "colour")
            # The page's policy forbids polling a JavaScript condition, so the text is awaited.
            page.locator("#meant", has_text=re.compile(".{11}")).wait_for()
            if page.is_enabled("#deal-it"):
                self.faults.append(f"{where}: an invalid rule can be dealt")
            page.fill("#secret", "color != last.color")
            page.wait_for_selector("#deal-it:enabled")
            self.faults += [f"{where}: {fault}" for fault in page.evaluate(WIDE)]
            self.shot(page, "dealer-lays")
            page.click("#deal-it")
            page.wait_for_selector("#right:has-text('26 of 52')")
            self.play(page, where, "dealer")
            page.wait_for_selector("text=Beliefs of the bots")
            self.shot(page, "dealer-end")
            self.verify(page, folder, where)
            page.context.close()
            print(f"{where}: done")

    def secret(self):
        """The person judges by hand and reveals the rule at the end, which completes the record."""
        where = "the dealer who keeps the rule"
        options = ["--variant", "express", "--seat", "0", "--against", "cautious"]
        with tempfile.TemporaryDirectory() as folder, Table(self.parlour, "eleusis", options, folder) as table:
            page = self.open(table.addresses[0], "phone", "dark", where)
            page.click("#deal-hand")
            verdicts = 0
            judged, clicked = None, 0
            until = time.monotonic() + 300
            while time.monotonic() < until:
                # A click that was refused because the position had changed is repeated.
                if time.monotonic() > clicked + 3:
                    judged = None
                asked = page.evaluate(JUDGE, judged)
                if asked is None:
                    page.wait_for_timeout(15)
                    continue
                what, moves = asked
                if what == "end":
                    break
                try:
                    page.click(f'[data-pick="{what}"]', timeout=1000)
                except Exception:
                    continue
                judged, clicked = moves, time.monotonic()
                verdicts += 1
                if verdicts == 5:
                    self.faults += [f"{where}: {fault}" for fault in page.evaluate(WIDE)]
                    self.shot(page, "judges")
            page.fill("#secret", "black")
            page.click("#deal-it:enabled")
            page.wait_for_selector("text=this rule contradicts your verdicts")
            page.fill("#secret", "red")
            self.shot(page, "tells")
            page.click("#deal-it:enabled")
            page.wait_for_selector("#record:visible")
            self.verify(page, folder, where)
            page.context.close()
            print(f"{where}: {verdicts} verdicts")

    def rules(self):
        """Reads what to do and the rules of an own variant, by keys, and closes them with Escape."""
        where = "the rules"
        with tempfile.TemporaryDirectory() as folder:
            mine = pathlib.Path(folder) / "mine.json"
            mine.write_text('{"name": "mine", "base": "revised", "knock_at": 11}')
            with Table(self.parlour, "leopard", ["--variant", str(mine), "--against", "greedy"], folder) as table:
                page = self.open(table.addresses[0], "phone", "dark", where)
                page.locator("#status", has_text="to knock you need 11, you have 0.").wait_for()
                page.focus("#show-rules")
                page.keyboard.press("Enter")
                page.locator("#rulebook", has_text="when your square is worth 11 or more").wait_for()
                page.click("#rulebook summary")
                self.faults += [f"{where}: {fault}" for fault in page.evaluate(WIDE)]
                self.shot(page, "rules")
                page.keyboard.press("Escape")
                page.wait_for_selector("#rulebook", state="hidden")
                page.context.close()
                print(f"{where}: done")

    def drag(self):
        """Drags a card to a cell with the mouse."""
        where = "a card that is dragged"
        with tempfile.TemporaryDirectory() as folder, Table(self.parlour, "leopard", ["--against", "greedy"], folder) as table:
            page = self.open(table.addresses[0], where=where)
            page.wait_for_selector("#table button.target")
            move = page.evaluate("fetch('state?seat=0').then((answer) => answer.json()).then((seen) => seen.legal.find((move) => / o/.test(move)))")
            card, cell = move.split(" o")
            page.drag_and_drop(f"[data-pick='card:{card}']", f"[data-pick='cell:0:{cell}']")
            page.wait_for_selector(f"#past li:has-text('{move}')")
            page.context.close()
            print(f"{where}: {move}")

    def keyboard(self):
        """Plays a whole hand with the keyboard only."""
        where = "leapfrog by keys"
        options = ["--variant", "mini-4x4", "--against", "greedy"]
        with tempfile.TemporaryDirectory() as folder, Table(self.parlour, "leapfrog", options, folder) as table:
            page = self.open(table.addresses[0], where=where)
            page.wait_for_selector("#table button.target")
            until = time.monotonic() + 300
            keys = 0
            ready = """() => document.activeElement.matches("#table button.target, #turn button:first-of-type")"""
            while time.monotonic() < until and not page.is_visible("#end"):
                page.keyboard.press("Tab")
                keys += 1
                if page.evaluate(ready):
                    page.keyboard.press("Enter")
                    page.wait_for_timeout(40)
            if not page.is_visible("#end"):
                self.faults.append(f"{where}: the hand has not ended after {keys} keys")
            print(f"{where}: {keys} keys")
            page.context.close()

    def people(self):
        """Two people in two tabs; one reloads; a hint, and a move is taken back."""
        where = "two people"
        options = ["--variant", "mini-4x4", "--seat", "0", "--seat", "1"]
        with tempfile.TemporaryDirectory() as folder, Table(self.parlour, "leapfrog", options, folder) as table:
            first = self.open(table.addresses[1], where=where)
            second = self.open(table.addresses[2], where=where)
            first.click("#table button.target >> nth=0")
            first.click("#turn button:text-is('Play')")
            second.wait_for_selector("#table button.target")
            second.click("#table button.target >> nth=0")
            second.click("#turn button:text-is('Play')")
            # The server has the move, whatever the other page still shows.
            second.wait_for_selector("#table button.target", state="detached")
            first.wait_for_selector("#table button.target")
            first.click("#back")
            second.click("#agree")
            first.wait_for_selector("#table button.target")
            first.click("#hint")
            first.wait_for_selector("#advice p")
            address = first.url
            first.close()
            first = self.open(address, where=where)
            first.click("#table button.target >> nth=1")
            first.click("#turn button:text-is('Play')")
            second.wait_for_selector("#table button.target")
            # One screen for both, which hides the hands between turns.
            both = self.open(table.addresses[0], "phone", "dark", where)
            both.wait_for_selector("#unveil")
            self.shot(both, "curtain")
            for page in (first, second, both):
                page.context.close()
            print(f"{where}: done")

    def quick(self):
        """Checks that a click is answered within 500 ms while a bot thinks for about a second."""
        where = "an answer while a bot thinks"
        took = []
        with tempfile.TemporaryDirectory() as folder:
            slow = pathlib.Path(folder, "slow.json")
            slow.write_text('{"base": "ismcts-500", "budget": {"iterations": 100000}}')
            with Table(self.parlour, "leopard", ["--against", "./slow.json"], folder) as table:
                page = self.open(table.addresses[0], where=where)
                for _ in range(12):
                    page.wait_for_selector("#table button.target")
                    seen = page.evaluate("fetch('state?seat=0').then((answer) => answer.json())")
                    took += page.evaluate(MOVE_AND_BACK, seen)
                page.context.close()
        took.sort()
        print(f"{where}: median {took[len(took) // 2]:.1f} ms, slowest {took[-1]:.1f} ms")
        # The slowest quarter is ignored, since other programs may keep the machine busy.
        if took[len(took) * 3 // 4] > 500:
            self.faults.append(f"{where}: {took}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shots", type=pathlib.Path, help="a folder for pictures")
    parser.add_argument("--page", type=pathlib.Path, help="a folder with the page's files")
    parser.add_argument("--only", help="a part: hands, dealer, secret, rules, drag, keyboard, people, quick")
    parser.add_argument("parlour", type=pathlib.Path)
    given = parser.parse_args()
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not chromium:
        sys.exit("no Chromium: install it, or name it in $CHROMIUM")
    if given.shots:
        given.shots.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        driver = Driver(browser, given.parlour.resolve(), given.shots, given.page)
        if given.only in (None, "hands"):
            for hand in HANDS:
                driver.hand(*hand)
        for part in ("dealer", "secret", "rules", "drag", "keyboard", "people", "quick"):
            if given.only in (None, part):
                getattr(driver, part)()
        browser.close()
    for fault in dict.fromkeys(driver.faults):
        print(fault, file=sys.stderr)
    sys.exit(1 if driver.faults else 0)


if __name__ == "__main__":
    main()
