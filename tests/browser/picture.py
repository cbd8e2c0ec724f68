#!/usr/bin/env python3
"""Saves charts of report pages as a reader would, and draws the files with another program.

Usage: tests/browser/picture.py [--keep FOLDER] REPORT.html...

Of each kind of chart one is saved as SVG from the dark page and drawn by rsvg-convert. It fails if
the picture differs from what Chromium shows on the light page, if a chart without its intervals would
pass, if PNG and SVG differ, or if the copied table has not the chart's numbers. Needs Chromium,
`pip install playwright` and rsvg-convert (Debian: librsvg2-bin).
"""

import argparse
import base64
import os
import pathlib
import re
import shutil
import subprocess
import sys

from playwright.sync_api import sync_playwright

# The side of a block of pixels, and the most by which the mean of a colour in a block may differ, of 255: with letters,
# which programs smooth differently, and without. Intervals that are missing differ by 30 or more.
SIDE, WITH_LETTERS, WITHOUT_LETTERS = 6, 65, 27

# The first chart of each kind: of those that draw the same classes.
KINDS = """() => {
  document.querySelectorAll('details').forEach((d) => { d.open = true; });
  const seen = new Set();
  return [...document.querySelectorAll('figure svg')].flatMap((chart, at) => {
    const drawn = [...new Set([...chart.querySelectorAll('[class]')].map((e) => e.getAttribute('class')))];
    const kind = drawn.filter((name) => !/^(tick|label|name|value)$/.test(name)).sort().join();
    return seen.has(kind) || !seen.add(kind) ? [] : [at];
  });
}"""

# The greatest difference between blocks of two pictures, where they have one size.
COMPARE = """async ([one, other, side]) => {
  const read = async (bytes) => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + bytes;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await read(one), await read(other)];
  if (Math.abs(a.width - b.width) > 1 || Math.abs(a.height - b.height) > 1) return `${a.width} × ${a.height} against ${b.width} × ${b.height}`;
  let most = 0;
  for (let top = 0; top + side <= Math.min(a.height, b.height); top += side) {
    for (let left = 0; left + side <= Math.min(a.width, b.width); left += side) {
      for (let colour = 0; colour < 3; colour++) {
        let sum = 0;
        for (let y = top; y < top + side; y++) for (let x = left; x < left + side; x++) {
          sum += a.data[4 * (y * a.width + x) + colour] - b.data[4 * (y * b.width + x) + colour];
        }
        most = Math.max(most, Math.abs(sum) / (side * side));
      }
    }
  }
  return most;
}"""


# Shows a chart on the colour of a card, where no pixel is cut.
ON_WHOLE_PIXELS = """(e) => {
  e.style.background = 'var(--card)';
  e.style.width = `${Math.floor(e.getBoundingClientRect().width)}px`;
  const box = e.getBoundingClientRect();
  e.style.marginTop = `${Math.ceil(box.y) - box.y}px`;
  e.style.marginLeft = `${Math.ceil(box.x) - box.x}px`;
}"""


def drawn(svg):
    """The picture that rsvg-convert makes of a chart."""
    return subprocess.run(["rsvg-convert"], input=svg.encode(), check=True, capture_output=True).stdout


def fitted(svg, x, y, wide, high, scale):
    """The file without its margin and legend, where it lies on the grid of pixels as on the page."""
    size = f'width="{wide}" height="{high}"'
    svg = re.sub(r'width="\d+" height="\d+"(?=><title)', size, svg, count=1)
    view = (-(x % 1) / scale, -(y % 1) / scale, wide / scale, high / scale)
    return re.sub(r'viewBox="[^"]*"', f'viewBox="{" ".join(map(str, view))}"', svg, count=1)


class Tester:
    """A page in the dark, whose charts are saved, and in the light, with which they are compared."""

    def __init__(self, browser, path, keep):
        self.path, self.keep, self.faults, self.worst, self.controls = path, keep, [], {}, 0
        self.dark, self.light = [
            browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=scheme) for scheme in ("dark", "light")
        ]
        for page in (self.dark, self.light):
            page.goto(path.resolve().as_uri())
            self.charts = page.evaluate(KINDS)

    def expect(self, right, what):
        if not right:
            self.faults.append(f"{self.path}: {what}")

    def button(self, chart, name):
        return chart.locator("xpath=ancestor::figure").get_by_role("button", name=name, exact=True)

    def saved(self, chart, name):
        """The file that a button of a chart's card saves, and its name."""
        with self.dark.expect_download() as download:
            self.button(chart, name).click()
        return pathlib.Path(download.value.path()).read_bytes(), download.value.suggested_filename

    def difference(self, one, other, side=SIDE):
        return self.dark.evaluate(COMPARE, [base64.b64encode(one).decode(), base64.b64encode(other).decode(), side])

    def compare(self, one, other, most, what, side=SIDE):
        """Expects a small difference; records how close it came."""
        found = self.difference(one, other, side)
        is_number = isinstance(found, (int, float))
        self.expect(is_number and found <= most, f"{what}: {found}")
        self.worst[most] = max(self.worst.get(most, 0), found if is_number else 0)

    def check(self, at):
        chart, light = [page.locator("figure svg").nth(at) for page in (self.dark, self.light)]
        content, name = self.saved(chart, "SVG")
        svg = content.decode()
        for word in ("var(", "class=", "<style", "NaN"):
            self.expect(word not in svg, f"{name} has {word}")
        self.expect(re.search(r'width="\d+" height="\d+"><title>\w', svg), f"{name} has no size or no title")
        # What the light page shows, on the colour of a card.
        light.evaluate(ON_WHOLE_PIXELS)
        shown = light.screenshot()
        box = light.evaluate("(e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height, b.width / e.viewBox.baseVal.width]; }")
        part = fitted(svg, *box)
        self.compare(drawn(part), shown, WITH_LETTERS, f"{name}: rsvg-convert draws another picture")
        light.evaluate("(e) => e.querySelectorAll('text').forEach((text) => { text.style.visibility = 'hidden'; })")
        shapes, part = light.screenshot(), re.sub(r"<text .*?</text>", "", part)
        self.compare(drawn(part), shapes, WITHOUT_LETTERS, f"{name}: rsvg-convert draws other shapes")
        # The test sees it if the intervals are lost, where one is longer than its dot is wide.
        interval = re.compile(r'<line [^>]*x1="([-\d.]+)" x2="([-\d.]+)"[^>]*stroke-opacity="0.55"[^>]*/>')
        if any(float(to) - float(start) > 24 for start, to in interval.findall(part)):
            found = self.difference(drawn(interval.sub("", part)), shapes)
            self.expect(found > WITHOUT_LETTERS, f"{name}: without its intervals it differs by {found} only")
            self.controls += 1
        png, _ = self.saved(chart, "PNG")
        double = re.sub(r'width="(\d+)" height="(\d+)"(?=><title)', lambda m: f'width="{2 * int(m[1])}" height="{2 * int(m[2])}"', svg, count=1)
        self.compare(png, drawn(double), WITH_LETTERS, f"{name}: PNG and SVG differ", 2 * SIDE)
        self.check_table(chart, name)
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            stem = self.keep / f"{self.path.resolve().parent.name}-{at}-{name.removesuffix('.svg')}"
            for suffix, kept in ((".svg", content), ("-rsvg.png", drawn(svg)), (".png", png), ("-shown.png", shown)):
                stem.with_name(stem.name + suffix).write_bytes(kept)

    def check_table(self, chart, name):
        """The copied table has rows as wide as its head, and numbers of the chart."""
        source = chart.evaluate("(e) => e.getAttribute('aria-label') + (e.dataset.tips || '')").replace("−", "-")
        if not self.button(chart, "copy table").count():
            return self.expect(not re.search(r"±|%", source), f"{name} has numbers, but no table to copy")
        self.button(chart, "copy table").click()
        self.dark.evaluate("document.body.insertAdjacentHTML('beforeend', '<textarea id=paste></textarea>')")
        self.dark.focus("#paste")
        self.dark.keyboard.press("Control+V")
        text = self.dark.input_value("#paste")
        self.dark.evaluate("document.getElementById('paste').remove()")
        heads, *rows = [line.split("\t") for line in text.splitlines()] or [[]]
        self.expect(rows and all(len(row) == len(heads) > 1 for row in rows), f"{name}: copied {text[:80]!r}")
        is_number = re.compile(r"-?[\d.]+$").match
        for row in rows:
            self.expect(all(not cell or is_number(cell) for cell in row[1:]), f"{name}: no numbers: {row}")
        self.expect(all(row[1] in source for row in rows), f"{name}: other numbers than the chart's: {rows[0]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the saved pictures")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not chromium or not shutil.which("rsvg-convert"):
        sys.exit("no Chromium or no rsvg-convert: install them, or name Chromium in $CHROMIUM")
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for path in given.pages:
            tester = Tester(browser, path, given.keep)
            for at in tester.charts:
                tester.check(at)
            worst = ", ".join(f"{found:.0f} of {most}" for most, found in tester.worst.items())
            print(f"{path}: {len(tester.charts)} kinds of charts, differences up to {worst}; {tester.controls} also without intervals")
            faults += tester.faults
        browser.close()
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
