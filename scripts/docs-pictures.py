#!/usr/bin/env python3
"""Makes the pictures of docs/pictures from the program and from committed results.

Usage: scripts/docs-pictures.py [PROGRAM]

Plays the tutorial's experiment (examples/knock-at-9.json) and takes screenshots of reports in
headless Chromium. Needs `pip install playwright pillow`.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "target/release/parlour"
OUT = ROOT / "docs/pictures"

# Number, selector of the element that it marks, and the place on the element.
MARKS = [
    (1, "main section:nth-of-type(1) > p", "left"),
    (2, "main section:nth-of-type(1) figure:nth-of-type(1) svg circle", "below"),
    (3, "main section:nth-of-type(1) figure:nth-of-type(2) svg circle", "below"),
    (4, "main section:nth-of-type(2) table tbody tr:nth-child(1) td:nth-child(4)", "inside"),
    (5, "main section:nth-of-type(2) table tbody tr:nth-child(1) td:nth-last-child(1)", "left"),
    (6, "main section:nth-of-type(2) table tbody tr:nth-child(2) td:nth-last-child(1)", "left"),
]

ADD_MARK = """([number, selector, place]) => {
  const element = document.querySelector(selector);
  if (!element) return `nothing matches ${selector}`;
  const box = element.getBoundingClientRect();
  const mark = document.createElement("div");
  mark.textContent = number;
  const x = { below: box.x + box.width / 2 - 10, left: box.x - 16, inside: box.x + 30 }[place];
  const y = place === "below" ? box.y - 28 : box.y + 4;
  mark.style.cssText = `position: absolute; left: ${Math.max(0, x + scrollX)}px; top: ${y + scrollY}px;
    width: 20px; height: 20px; border-radius: 10px; background: #c2410c; color: white;
    font: bold 13px/20px sans-serif; text-align: center; z-index: 9`;
  document.body.append(mark);
}"""


def shot(page, name, bottom):
    """Saves the page from its top to the bottom of an element."""
    box = page.locator(bottom).first.bounding_box()
    clip = {"x": 0, "y": 0, "width": 1000, "height": box["y"] + box["height"] + 12}
    page.screenshot(path=OUT / f"{name}.png", clip=clip, full_page=True)


def shoot_map(page):
    """Saves charts of the map of Leopard's rules, and the first seat's score between two networks."""
    page.goto(f"file://{ROOT}/results/map-of-rules/map.html")
    page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
    for axis, figure in enumerate(["comeback rate", "decision weight"]):
        page.locator("#scatter select").nth(axis).select_option(label=figure)
    page.locator("#heat select").nth(1).select_option(label="knock at × color line")
    for name, place in [("scatter", "scatter"), ("heat", "heat"), ("effects", "effects-chart")]:
        page.locator(f"#{place} figure").screenshot(path=OUT / f"map-{name}.png")
    page.goto(f"file://{ROOT}/results/map-of-rules-strong/report.html")
    changes = page.locator("figure", has=page.locator("h3", has_text="First seat score: change"))
    changes.first.screenshot(path=OUT / "map-strong.png")


def main():
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        tutorial = pathlib.Path(folder) / "tutorial"
        experiment = ROOT / "examples/knock-at-9.json"
        subprocess.run([PROGRAM, "run", experiment, "--out", tutorial, "--quiet"], check=True)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 860})
        page.goto(f"file://{tutorial}/report.html")
        shot(page, "tutorial", "main section:nth-of-type(1) figure:nth-of-type(2)")
        figures = page.locator("figure", has=page.locator("h3", has_text="How hands end"))
        page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
        figures.first.screenshot(path=OUT / "tutorial-endings.png")
        page.goto(f"file://{tutorial}/report.html")
        for mark in MARKS:
            if fault := page.evaluate(ADD_MARK, mark):
                sys.exit(fault)
        shot(page, "annotated-report", "main section:nth-of-type(2) table tbody tr:nth-child(5)")
        for name, run, bottom in [
            ("report", "original-vs-revised", "main section:nth-of-type(1) figure:nth-of-type(2)"),
            ("leopard", "knock-threshold", "main section:nth-of-type(1) figure:nth-of-type(1)"),
            ("leapfrog", "leapfrog-original-vs-murray", "main section:nth-of-type(1) figure:nth-of-type(2)"),
            ("eleusis", "eleusis-1977", "main section:nth-of-type(1) figure:nth-of-type(2)"),
        ]:
            page.goto(f"file://{ROOT}/results/{run}/report.html")
            shot(page, name, bottom)
        shoot_map(page)
        browser.close()
    for picture in OUT.glob("*.png"):
        Image.open(picture).convert("RGB").quantize(96).save(picture, optimize=True)


main()
