#!/usr/bin/env python3
"""Opens pages of recorded hands in a headless Chromium as people use them, on a desk and on a phone, light
and dark: steps by key, click and link, hides the hands, and looks whether anything is wrong.

Usage: tests/browser/hand.py PAGE... [--pictures FOLDER]
"""
import argparse
import os
import pathlib
import re
import shutil

from playwright.sync_api import sync_playwright

PARSER = argparse.ArgumentParser()
PARSER.add_argument("pages", nargs="+", type=pathlib.Path)
PARSER.add_argument("--pictures", type=pathlib.Path)
GIVEN = PARSER.parse_args()
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
WIDTHS = {"desk": 1280, "phone": 390}


def expect(page, right, what):
    if not right:
        raise SystemExit(f"{page.url}: {what}")


def wide(page):
    """How far the page, or a line of its table, goes beyond the screen."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def said(page):
    return page.inner_text(".said")


def step_through(page):
    """By keys to the end and back, by the buttons, by a link, and by what an address says."""
    data = page.evaluate("JSON.parse(document.getElementById('data').textContent)")
    moves = len(data[0]["moves"])
    expect(page, said(page).startswith(f"Move 1 of {moves}:"), f"it begins with {said(page)}")
    for step in range(2, moves + 1):
        page.keyboard.press("ArrowRight")
        expect(page, said(page).startswith(f"Move {step} of {moves}:"), f"step {step} is {said(page)}")
        expect(page, step % 10 or wide(page) <= 0, f"step {step} is {wide(page)} points too wide")
    page.keyboard.press("ArrowRight")
    expect(page, said(page).startswith("The end:"), f"after the last move it says {said(page)}")
    expect(page, page.url.endswith("end"), "the address does not follow")
    expect(page, wide(page) <= 0, f"the end is {wide(page)} points too wide")
    page.get_by_label("Back (←)").click()
    expect(page, said(page).startswith(f"Move {moves} of"), "a click does not go back")
    page.keyboard.press("Home")
    page.locator("ol.list a").nth(4).click()
    page.locator(".said", has_text=re.compile("^Move 5 of")).wait_for()
    expect(page, said(page).startswith("Move 5 of"), f"the link to move 5 leads to {said(page)}")
    # A mark of a mistake may follow.
    expect(page, data[0]["moves"][4]["move"] in page.locator("ol.list a[aria-current]").inner_text(), "the list marks another move")
    page.goto(page.url.split("#")[0] + f"#{'hand-1-' if len(data) > 1 else ''}move-3")
    page.reload()
    expect(page, said(page).startswith("Move 3 of"), f"#move-3 leads to {said(page)}")
    return data


def look_closed(page, data):
    """As a seat sees it: no card of another's hand is in what is drawn."""
    if not data[0]["first"]["own"][1].get("hand"):
        return
    cards = page.locator(".board .hand .card:not(.back)")
    everything = cards.count()
    page.keyboard.press("h")
    expect(page, page.locator(".board .back").count() > 0, "no back of a card is seen after H")
    expect(page, cards.count() < everything, "H hides no card")
    page.keyboard.press("h")
    expect(page, cards.count() == everything, "H does not open the hands again")


def marked(page, data):
    """Where an adviser speaks, its marks lead to the moves."""
    adviser = data[0]["adviser"]
    # Those of the seat whose curve is shown.
    notes = (adviser or {"notes": []})["notes"]
    notes = [note for note in notes if data[0]["moves"][note["at"]]["seat"] == adviser["seat"]]
    costly = [note for note in notes if note["mark"].startswith("?")]
    links = page.locator(".worst a")
    expect(page, links.count() == min(5, len(costly)), f"{links.count()} moves are named as costly")
    expect(page, page.locator(".curve .costly").count() == len(costly), "the curve marks others")
    if costly:
        links.first.click()
        expect(page, page.locator(".board .is-made").count() > 0 or "plays" in said(page), "no move is marked")
        expect(page, adviser["name"] in page.inner_text(".advice"), "the adviser says nothing")


PLAIN = """() => {
  const picked = [];
  const scene = { game: "kuhn", view: { seat: 0, card: 2 }, rules: {}, seats: ["a", "b"], legal: ["bet", "pass"] };
  Board.draw(document.body, { ...scene, onPick: (_, next) => picked.push(next.move) });
  document.querySelector("button[data-pick=bet]").click();
  return [document.querySelector("pre").textContent.includes('"card": 2'), picked];
}"""


def plain(browser):
    """A game without a drawer of its own shows its view and a button for each move."""
    page = browser.new_page()
    page.add_script_tag(path=pathlib.Path(__file__).parents[2] / "crates/board/src/board.js")
    shown, picked = page.evaluate(PLAIN)
    expect(page, shown and picked == ["bet"], f"a plain board: {shown}, {picked}")
    page.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    plain(browser)
    for file in GIVEN.pages:
        for name, width in WIDTHS.items():
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
                wrong = []
                page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
                page.on("pageerror", lambda e: wrong.append(str(e)))
                page.on("request", lambda r: wrong.append(r.url) if not r.url.startswith(("file:", "data:")) else None)
                page.goto(file.resolve().as_uri())
                expect(page, wide(page) <= 0, f"{width}: {wide(page)} points too wide")
                # The long way is the same in both colours.
                if scheme == "light":
                    data = step_through(page)
                    look_closed(page, data)
                    marked(page, data)
                if GIVEN.pictures:
                    GIVEN.pictures.mkdir(parents=True, exist_ok=True)
                    page.keyboard.press("Home")
                    for _ in range(30):
                        page.keyboard.press("ArrowRight")
                    page.screenshot(path=GIVEN.pictures / f"{file.stem}-{name}-{scheme}.png", full_page=True)
                expect(page, not wrong, f"{width}, {scheme}: {wrong}")
                page.close()
    browser.close()
print(f"{len(GIVEN.pages)} pages of hands at {len(WIDTHS)} widths: no overflow, no error, no request")
