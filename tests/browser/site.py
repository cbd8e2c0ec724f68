#!/usr/bin/env python3
"""Uses the site in a browser, as `cargo xtask site` makes it, at desktop and phone width.

Usage: site.py [--shots FOLDER] [--only PART] SITE PARLOUR

A comparison is run to its end with a reload in the middle, and its tables must have the bytes of the program
PARLOUR. A hand of each game is played by clicks. Faults are: console messages, requests to other hosts, parts
wider than the page, a slow interface, and wrong input without a sentence. Needs playwright, and Chromium from
the path or $CHROMIUM.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

from playwright.sync_api import sync_playwright

from play import PICK, SIZES, WIDE

SCHEMES = {"desktop": "light", "phone": "dark"}

# Limits in milliseconds. Other programs may keep the machine busy: only SLACK times as much is a fault.
SLACK = 10
FIRST_VIEW = 1000
ANSWER = 50

MINI = {"name": "mini", "base": "original", "rows": 6, "cols": 6}
HANDS = {
    "leopard": {"against": "greedy"},
    "leapfrog": {"variant": json.dumps(MINI), "against": "greedy"},
    "eleusis": {"variant": "express", "against": "cautious"},
}

# Addresses that are broken, and words of the sentence that says so.
BROKEN = {
    "#nothing": "unknown view",
    "#ask?game=chess": "no game",
    "#ask?game=leopard&variants=[1": "not valid JSON",
    "#ask?game=leopard&strategies=5": "no list of names",
    "#ask?study=nothing": "no study",
    "#play?game=leopard&seed=x": "not a number",
    "#play?game=leopard&variant=nothing": "nothing",
    "#play?game=leopard&hand=abc": "damaged",
    "#look?hand=abc": "damaged",
    "#explain?study=nothing": "no page",
}

# Measures how late the page's timers are.
DELAYS = """() => {
    window.delays = [];
    let last = performance.now();
    const tick = () => {
        const now = performance.now();
        window.delays.push(now - last - 5);
        last = now;
        setTimeout(tick, 5);
    };
    setTimeout(tick, 5);
}"""

TABLES = """async () => Object.fromEntries(await Promise.all([...document.querySelectorAll(".files a")].map(
    async (link) => [link.download, await (await fetch(link.href)).text()])))"""


class Driver:
    def __init__(self, browser, given, root):
        self.browser, self.shots, self.parlour = browser, given.shots, given.parlour.resolve()
        self.root = root
        self.faults = []

    def fault(self, text):
        self.faults.append(text)

    def open(self, size, where, script=None):
        width, height = SIZES[size]
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=SCHEMES[size])
        if script:
            context.add_init_script(script)
        page = context.new_page()
        page.on("console", lambda m: self.fault(f"{where}: console: {m.text}"))
        page.on("pageerror", lambda e: self.fault(f"{where}: error: {e}"))
        own = (self.root, f"blob:{self.root}", "data:")
        page.on("request", lambda r: None if r.url.startswith(own) else self.fault(f"{where}: asks for {r.url}"))
        return page

    def look(self, page, where, name):
        self.faults += [f"{where}: {fault}" for fault in page.evaluate(WIDE)]
        if self.shots:
            page.screenshot(path=str(self.shots / f"{name}.png"), full_page=True)

    def first(self):
        """Measures when the first view can be used, without a cache."""
        times = []
        for size in list(SIZES) * 2:
            page = self.open(size, f"first view, {size}")
            start = time.monotonic()
            page.goto(self.root)
            page.wait_for_selector("#run")
            times.append(1000 * (time.monotonic() - start))
            self.look(page, "first view", f"first-{size}")
            page.context.close()
        print(f"first view: {', '.join(f'{took:.0f}' for took in times)} ms")
        if min(times) > SLACK * FIRST_VIEW:
            self.fault(f"the first view takes {min(times):.0f} ms")

    def signature(self):
        """Compares the behaviour of the module with the program's."""
        page = self.open("desktop", "signature")
        page.goto(self.root)
        own = page.evaluate("""async () => {
            const module = await import("./parlour_web.js");
            await module.default({ module_or_path: "parlour_web_bg.wasm" });
            return module.signature();
        }""")
        page.context.close()
        program = subprocess.run([self.parlour, "bench", "--signature"], check=True, capture_output=True, text=True).stdout.strip()
        if own != program:
            self.fault(f"the module's signature is {own}, the program's {program}")
        print(f"signature: {own}")

    def ask(self, page, **options):
        """Opens the address of a comparison."""
        query = {"game": "leopard", "variants": '["revised","original"]', "strategies": '["steady"]', "seed": 7, **options}
        page.goto(f"{self.root}#ask?{urllib.parse.urlencode(query)}")
        page.wait_for_selector("#run:enabled")

    def comparison(self):
        """Runs 2,000 deals and compares the tables with those of the program."""
        for size in SIZES:
            where = f"comparison, {size}"
            page = self.open(size, where)
            self.ask(page, deals=2000)
            start = time.monotonic()
            page.click("#run")
            page.wait_for_selector("iframe", timeout=120_000)
            print(f"{where}: {time.monotonic() - start:.1f} s for 8,000 hands of `steady`")
            page.wait_for_timeout(500)
            self.look(page, where, f"end-{size}")
            self.compare(page, where)
            # A stop condition ends the run within the same chunk.
            self.ask(page, deals=20_000, until='{"half_width":0.02}')
            page.click("#run")
            page.wait_for_selector("iframe", timeout=120_000)
            self.compare(page, f"{where}, until ±2 %")
            page.context.close()

    def resume(self):
        """Reloads the page in the middle of a run, stops the run and goes on."""
        for size in SIZES:
            where = f"reload, {size}"
            page = self.open(size, where)
            self.ask(page, deals=20_000)
            page.click("#run")
            page.evaluate(DELAYS)
            page.locator("#progress", has_text="hands a second").wait_for()
            page.wait_for_selector("p.answer")
            text, before = page.inner_text("#progress"), self.progress(page)
            self.look(page, where, f"live-{size}")
            delays = page.evaluate("window.delays")
            page.reload()
            page.wait_for_selector("progress")
            resumed = 0
            while not resumed:
                page.wait_for_timeout(10)
                resumed = self.progress(page)
            page.evaluate(DELAYS)
            # The chunks that were being played are played again.
            if not before - 0.1 < resumed < 1:
                self.fault(f"{where}: {before:.0%} before the reload, {resumed:.0%} after it")
            page.get_by_role("button", name="Stop").click()
            stopped = self.progress(page)
            page.get_by_role("button", name="Go on").click()
            page.wait_for_selector("iframe", timeout=120_000)
            delays += page.evaluate("window.delays")
            self.compare(page, where)
            page.reload()
            page.wait_for_selector("iframe")
            delays.sort()
            slow = delays[len(delays) * 99 // 100]
            print(f"{where}: {text} {before:.0%} before the reload, {resumed:.0%} after it, stopped at {stopped:.0%}; "
                  f"timers late by {slow:.0f} ms (99 %), at most {delays[-1]:.0f} ms")
            if slow > SLACK * ANSWER:
                self.fault(f"{where}: the interface answers after {slow:.0f} ms")
            page.context.close()

    @staticmethod
    def progress(page):
        return page.evaluate("document.querySelector('progress').value")

    def compare(self, page, where):
        files = page.evaluate(TABLES)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "comparison.json")
            path.write_text(files["comparison.json"])
            out = pathlib.Path(folder, "results")
            subprocess.run([self.parlour, "run", path, "--quiet", "--out", out], check=True, capture_output=True)
            tables = [name for name in files if name.endswith(".csv")]
            own = {path.name for path in out.glob("*.csv")}
            if set(tables) != own:
                self.fault(f"{where}: tables {sorted(own ^ set(tables))} are missing")
            for name in own & set(tables):
                if (out / name).read_bytes() != files[name].encode():
                    self.fault(f"{where}: {name} has other bytes than the program's")
            print(f"{where}: {len(tables)} tables have the program's bytes")

    def form(self):
        """Changes a rule and the players; the address follows, and wrong values get a sentence."""
        for size in SIZES:
            where = f"form, {size}"
            page = self.open(size, where)
            page.goto(f"{self.root}#ask")
            page.click("#rules-1 summary")
            page.fill('#rules-1 [data-rule="knock_at"]', "9")
            page.keyboard.press("Tab")
            page.wait_for_selector("#rules-1 .changed")
            self.look(page, where, f"form-{size}")
            page.fill('#rules-1 [data-rule="knock_at"]', "900")
            page.keyboard.press("Tab")
            page.wait_for_selector("#size .warn")
            if not page.is_disabled("#run"):
                self.fault(f"{where}: a wrong value can be run")
            page.fill('#rules-1 [data-rule="knock_at"]', "10")
            # A change redraws the form; the field that is entered next must stay.
            page.keyboard.press("Tab")
            page.keyboard.type("4")
            page.keyboard.press("Tab")
            page.click("#deals")
            page.keyboard.press("Control+a")
            page.keyboard.type("3000")
            page.click("#seed")
            page.keyboard.press("Control+a")
            page.keyboard.type("77")
            page.click("#rules-0 summary")
            page.locator("#size", has_text="12,000 hands").wait_for()
            entered = [page.input_value(field) for field in ('#rules-1 [data-rule="suit_line"]', "#deals", "#seed")]
            if entered[1:] != ["3000", "77"] or "seed=77" not in page.url or "deals=3000" not in page.url:
                self.fault(f"{where}: entered 3000 and 77, the form has {entered}, the address {page.url}")
            address = page.url
            page.reload()
            page.wait_for_selector("#run")
            if page.url != address or page.input_value('#rules-1 [data-rule="knock_at"]') != "10":
                self.fault(f"{where}: the address does not keep the rules")
            for game in ("leapfrog", "eleusis"):
                page.get_by_label("Game").select_option(game)
                page.wait_for_url(f"**game={game}&**")
                page.locator("#size", has_text="hands").wait_for()
                if page.is_disabled("#run"):
                    self.fault(f"{where}: {game} cannot be run")
                self.look(page, where, f"form-{game}-{size}")
            unnamed = page.evaluate("""() => [...document.querySelectorAll("input, select, textarea, button")]
                .filter((part) => !(part.labels?.length || part.ariaLabel || part.textContent.trim())).map((part) => part.outerHTML)""")
            if unnamed:
                self.fault(f"{where}: no label for {unnamed[:3]}")
            # The run starts by keys.
            page.focus("#seed")
            for _ in range(5):
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.id") == "run":
                    break
            page.keyboard.press("Enter")
            page.wait_for_selector("progress")
            page.context.close()
            print(f"{where}: done")

    def hands(self):
        """Plays a hand of each game by clicks, with a reload in the middle, and looks at it afterwards."""
        for size in SIZES:
            for game, options in HANDS.items():
                where = f"{game}, {size}"
                page = self.open(size, where)
                query = urllib.parse.urlencode({"game": game, "seed": 11, **options})
                page.goto(f"{self.root}#play?{query}")
                start = time.monotonic()
                clicks = self.play(page, where, 5)
                page.wait_for_timeout(500)
                moves = page.locator("#past li").count()
                page.reload()
                page.wait_for_selector("#past li")
                page.wait_for_timeout(100)
                if page.locator("#past li").count() < moves:
                    self.fault(f"{where}: {moves} moves before the reload, fewer after it")
                self.look(page, where, f"{game}-{size}")
                clicks += self.play(page, where, 2000)
                page.wait_for_selector("#end:visible")
                self.look(page, where, f"{game}-end-{size}")
                print(f"{where}: {clicks} clicks, {time.monotonic() - start:.1f} s")
                self.replay(page, where, f"hand-{game}-{size}")
                page.context.close()

    def deal(self):
        """Sets a table in the form, takes a hint, takes a move back, reads the rules and deals a rule of Eleusis."""
        page = self.open("desktop", "the form of a table")
        page.goto(f"{self.root}#play")
        page.get_by_label("Opponent").select_option("greedy")
        page.click("#sit")
        page.click("#hint")
        page.wait_for_selector("#advice p")
        self.play(page, "the form of a table", 2)
        page.wait_for_selector("#past li:nth-child(2)")
        page.click("#back:enabled")
        page.locator("#past li").first.wait_for(state="detached")
        page.click("#show-rules")
        page.locator("#rulebook", has_text="when your square is worth 7 or more").wait_for()
        page.keyboard.press("Escape")
        page.click("#views a >> text=Play")
        page.get_by_label("Game").select_option("eleusis")
        page.get_by_label("The 4 others").wait_for()
        page.get_by_label("Your seat").select_option("0")
        page.click("#sit")
        page.fill("#secret", "color != last.color")
        page.click("#deal-it:enabled")
        page.wait_for_selector("#right:has-text('of 52')")
        page.context.close()
        print("the form of a table: done")

    @staticmethod
    def play(page, where, most):
        lots = random.Random(5)
        clicks = 0
        until = time.monotonic() + 300
        while time.monotonic() < until and clicks < most:
            what = page.evaluate(PICK, [lots.random(), lots.random()])
            if what == "end":
                break
            if what is None:
                page.wait_for_timeout(15)
                continue
            # The page may redraw its buttons before the click.
            try:
                page.click(what, timeout=200)
            except Exception:
                continue
            clicks += 1
        return clicks

    def replay(self, page, where, name):
        """Verifies the record with the program, and steps through it."""
        with tempfile.TemporaryDirectory() as folder:
            with page.expect_download() as got:
                page.click("#record")
            record = pathlib.Path(folder, "hand.jsonl")
            record.write_bytes(pathlib.Path(got.value.path()).read_bytes())
            done = subprocess.run([self.parlour, "verify", record], capture_output=True, text=True)
            if done.returncode:
                self.fault(f"{where}: {done.stderr}")
            page.goto(self.root + page.get_attribute("#look", "href"))
            inside = page.frame_locator("iframe")
            inside.locator(".said", has_text="Move 1 of").wait_for()
            inside.get_by_label("Forward (→)").click()
            inside.locator(".said", has_text="Move 2 of").wait_for()
            page.wait_for_timeout(200)
            self.look(page, where, name)
            page.goto(f"{self.root}#look")
            page.wait_for_selector("iframe", state="detached")
            page.set_input_files("#file", record)
            page.wait_for_selector("iframe")

    def wrong(self):
        """Opens broken links and wrong files, and browsers without what the site needs."""
        page = self.open("phone", "wrong input")
        for address, words in BROKEN.items():
            # A page that is missing on purpose is no fault.
            before = len(self.faults)
            page.goto("about:blank")
            page.goto(self.root + address)
            page.locator("[role=alert]", has_text=words).wait_for()
            page.locator("#view a", has_text="Start afresh").wait_for()
            self.faults = self.faults[:before] + [fault for fault in self.faults[before:] if "404" not in fault]
        self.look(page, "wrong input", "wrong")
        with tempfile.TemporaryDirectory() as folder:
            large = pathlib.Path(folder, "large.jsonl")
            with large.open("wb") as file:
                file.truncate(200_000_000)
            other = pathlib.Path(folder, "other.jsonl")
            other.write_text('{"format":9,"game":"leopard"}\n')
            text = pathlib.Path(folder, "text.jsonl")
            text.write_text("no record\n")
            page.goto(f"{self.root}#look")
            for path, words in ((large, "200 MB"), (other, "hand 1"), (text, "hand 1")):
                page.set_input_files("#file", path)
                page.locator("#found .warn", has_text=words).wait_for()
                print(f"wrong input: {page.inner_text('#found')}")
        page.context.close()
        for script, words in (("WebAssembly.validate = () => false", "SIMD"), ("delete window.Worker", "workers")):
            page = self.open("phone", "an old browser", script)
            page.goto(self.root)
            page.locator("[role=alert]", has_text=words).wait_for()
            page.context.close()

    def studies(self):
        """Goes from a study to its rules."""
        for size in SIZES:
            where = f"studies, {size}"
            page = self.open(size, where)
            page.goto(f"{self.root}#explain")
            page.click("text=When may a seat knock?")
            page.wait_for_selector("h1:has-text('When may a seat knock?')")
            page.wait_for_timeout(200)
            self.look(page, where, f"study-{size}")
            page.click("text=Change a rule and run again")
            page.locator("#size", has_text="252,000 hands").wait_for()
            page.go_back()
            page.click("text=Play revised")
            page.wait_for_selector("#table button.target")
            page.context.close()
            print(f"{where}: done")

    def documentation(self):
        """Follows every link of the documentation that stays on the site."""
        page = self.open("phone", "documentation")
        known, open_ = {f"{self.root}docs/index.html"}, [f"{self.root}docs/index.html"]
        count = 0
        while open_:
            address = open_.pop()
            page.goto(address)
            count += 1
            name = address.removeprefix(self.root)
            self.look(page, name, name.replace("/", "-").removesuffix(".html"))
            links = page.evaluate("[...document.links].map((link) => link.href)")
            for link, _, place in (link.partition("#") for link in links):
                if place and link == address and not page.evaluate("(place) => !!document.getElementById(place)", place):
                    self.fault(f"{name}: no heading #{place}")
                if link in known or not link.startswith(self.root):
                    continue
                known.add(link)
                if link.startswith(f"{self.root}docs/") and link.endswith(".html"):
                    open_.append(link)
                elif not page.request.get(link).ok:
                    self.fault(f"{name}: {link} is missing")
        page.context.close()
        print(f"documentation: {count} pages, {len(known)} links")

    def offline(self, server):
        """Opens the site once more after its server has ended."""
        page = self.open("desktop", "offline")
        page.goto(self.root)
        page.wait_for_selector("#run")
        page.evaluate("navigator.serviceWorker.ready.then(() => {})")
        # Until the worker controls the page, its files are being stored.
        page.evaluate("""() => navigator.serviceWorker.controller
            || new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }))""")
        server.kill()
        server.wait()
        before = len(self.faults)
        page.goto(f"{self.root}#play?game=leapfrog&against=greedy&seed=1")
        page.reload()
        page.wait_for_selector("#table button.target")
        self.faults = self.faults[:before]
        page.context.close()
        print("offline: done")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shots", type=pathlib.Path, help="a folder for pictures")
    parser.add_argument("--only", help="a part: first, signature, comparison, resume, form, deal, hands, wrong, studies, documentation, offline")
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("parlour", type=pathlib.Path)
    given = parser.parse_args()
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not chromium:
        sys.exit("no Chromium: install it, or name it in $CHROMIUM")
    if given.shots:
        given.shots.mkdir(parents=True, exist_ok=True)
    serve = [given.parlour.resolve(), "serve", given.site, "--no-open"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
        root = server.stdout.readline().split()[-1]
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        driver = Driver(browser, given, root)
        for part in ("first", "signature", "comparison", "resume", "form", "deal", "hands", "wrong", "studies", "documentation"):
            if given.only in (None, part):
                getattr(driver, part)()
        if given.only in (None, "offline"):
            driver.offline(server)
        browser.close()
        server.kill()
    for fault in dict.fromkeys(driver.faults):
        print(fault, file=sys.stderr)
    sys.exit(1 if driver.faults else 0)


if __name__ == "__main__":
    main()
