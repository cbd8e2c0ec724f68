#!/usr/bin/env python3
"""Opens report pages in headless Chromium, as a reader would, and says what is wrong with them.

Usage: tests/browser/report.py [--shots FOLDER] REPORT.html...

Each page is opened at the width of a desk and of a telephone, light and dark, with no network.
It fails on: anything on the console, a request, an element that sticks out of the page, a chart
without its text, an answer or a first chart beyond the first screen, a folded part that is not printed, a
touch that shows nothing, text too small to read or larger in a chart than on the page, "NaN", a page over 1 MB,
a table that does not sort; on an index: runs under no game, a filter that does not filter. It prints how long a
page takes to open, which depends on the machine's other work and is no fault. Needs `pip install playwright` and
Chromium ($CHROMIUM, or the first of `chromium`, `chromium-browser`, `google-chrome`).
"""

import argparse
import os
import pathlib
import shutil
import sys
import time

from playwright.sync_api import sync_playwright

SIZES = {"desk": (1280, 900), "phone": (390, 844)}

FAULTS = """() => {
  const faults = [];
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide) faults.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${wide}`);
  const inner = (e) => e.closest('.scroll, .wide, svg');
  for (const e of document.body.querySelectorAll('*')) {
    const box = e.getBoundingClientRect();
    if (box.width && box.right > wide + 1 && !inner(e)) faults.push(`${e.tagName} .${e.className} sticks out: ${(e.textContent || '').slice(0, 60)}`);
  }
  const charts = [...document.querySelectorAll('svg:not([aria-hidden])')];
  if (!charts.length && document.querySelector('#answer')) faults.push('no chart');
  for (const chart of charts) {
    const text = chart.getAttribute('aria-label') || '';
    if (chart.getAttribute('role') !== 'img' || text.length < 20) faults.push(`a chart without its text: "${text}"`);
    const box = chart.getBoundingClientRect();
    const parts = chart.getBBox();
    const view = chart.viewBox.baseVal;
    if (parts.x < -2 || parts.y < -2 || parts.x + parts.width > view.width + 3 || parts.y + parts.height > view.height + 3)
      faults.push(`drawn beyond its frame (${parts.x.toFixed()} ${parts.y.toFixed()} ${(parts.x + parts.width).toFixed()} ${(parts.y + parts.height).toFixed()} in ${view.width} ${view.height}): ${text.slice(0, 60)}`);
    const letters = box.width && Math.max(...[...chart.querySelectorAll('text')].map((e) => parseFloat(getComputedStyle(e).fontSize)));
    if (letters * box.width / view.width > 16.5) faults.push(`letters of ${(letters * box.width / view.width).toFixed(1)} pixels in a chart: ${text.slice(0, 60)}`);
    const card = chart.closest('figure');
    if (box.width && card && box.width < 0.8 * card.clientWidth && !chart.closest('.wide') && !chart.style.maxWidth) faults.push(`a chart fills half of its card: ${text.slice(0, 60)}`);
    if (box.width && box.width / view.width < 0.75) faults.push(`drawn too small (${(box.width / view.width).toFixed(2)}): ${text.slice(0, 60)}`);
  }
  if (/NaN|Infinity|undefined/.test(document.documentElement.outerHTML.replace(/<script[^]*?<\\/script>/g, ''))) faults.push('NaN, Infinity or undefined');
  const rgb = (c) => (c.match(/[\\d.]+/g) || []).slice(0, 3).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  const light = (c) => { const [r, g, b] = rgb(c); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const page = light(getComputedStyle(document.body).backgroundColor);
  for (const e of document.querySelectorAll('p, li, th, td, h1, h2, h3, figcaption, svg text:not(.inside)')) {
    const style = getComputedStyle(e);
    const ink = light(e.namespaceURI.endsWith('svg') ? style.fill : style.color);
    const contrast = (Math.max(ink, page) + 0.05) / (Math.min(ink, page) + 0.05);
    if (contrast < 4.5) { faults.push(`contrast ${contrast.toFixed(1)}: ${e.textContent.slice(0, 40)}`); break; }
  }
  return faults;
}"""

SORTS = """() => {
  document.querySelectorAll('details').forEach((d) => { d.open = true; });
  const table = document.querySelector('table.sort');
  if (!table) return [];
  const column = [...table.rows[0].cells].length > 3 ? 3 : 1;
  const read = () => [...table.tBodies[0].rows].map((r) => parseFloat(r.cells[column].textContent)).filter((x) => !Number.isNaN(x));
  table.rows[0].cells[column].querySelector('button').click();
  const down = read();
  return down.every((x, i) => i === 0 || down[i - 1] >= x) ? [] : ['a table does not sort'];
}"""


FIRST = """(tables) => {
  const faults = [];
  const answer = document.querySelector('p.answer');
  if (!answer || answer.textContent.length < 20) faults.push('no answer');
  if (answer && answer.getBoundingClientRect().bottom > innerHeight) faults.push('the answer is not on the first screen');
  const chart = document.querySelector('#answer svg');
  if (!chart) faults.push('no chart beside the answer');
  else if (chart.getBoundingClientRect().top > innerHeight) faults.push('the first chart is not on the first screen');
  if ([...document.querySelectorAll('a[href]')].filter((a) => a.getAttribute('href').endsWith('.csv')).length < tables) faults.push('the tables are not linked');
  for (const f of document.querySelectorAll('figure')) if (f.querySelector('svg') && f.querySelectorAll('.take button').length < 2) faults.push('a chart that cannot be taken away');
  return faults;
}"""

INDEX = """() => {
  const faults = [];
  const shown = () => [...document.querySelectorAll('section.run')].filter((run) => run.checkVisibility());
  const all = shown().length;
  if (!all || document.querySelectorAll('section.run').length !== document.querySelectorAll('section.game section.run').length) faults.push('runs under no game');
  const [game, result] = document.querySelectorAll('.filter select');
  const pick = (select, at) => { select.selectedIndex = at; select.dispatchEvent(new Event('change')); return shown(); };
  for (let at = 1; at < game.options.length; at++) {
    const runs = pick(game, at);
    if (!runs.length || runs.some((run) => run.closest('.game').querySelector('h2').textContent !== game.options[at].value)) faults.push(`${game.options[at].value} is not filtered`);
  }
  pick(game, 0);
  const counts = [1, 2].map((at) => {
    const runs = pick(result, at);
    if (runs.some((run) => run.dataset.conclusion !== result.options[at].value)) faults.push('conclusions are not filtered');
    return runs.length;
  });
  if (counts[0] + counts[1] < all / 2 || pick(result, 0).length !== all) faults.push(`${all} runs, of them ${counts} with a conclusion`);
  return faults;
}"""

FOLDED = "() => [...document.querySelectorAll('details > :not(summary)')].filter((e) => !e.checkVisibility()).length"


def touched(browser, own):
    """What is wrong under a finger: the number that a touch shows must stay."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, offline=True)
    page = context.new_page()
    page.goto(own)
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    chart = page.locator("svg[data-tips]").first
    faults = []
    if chart.count():
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(500)
        if page.evaluate("document.querySelector('.tip').hidden"):
            faults.append("a touch shows no number")
    context.close()
    return faults


def check(browser, path, shots):
    """What is wrong with one page, a line each."""
    faults = []
    size = path.stat().st_size
    tables = min(5, len(list(path.parent.glob("*.csv"))))
    if size > 1_000_000:
        faults.append(f"{size} bytes, more than 1 MB")
    for scheme in ("light", "dark"):
        for name, (width, height) in SIZES.items():
            where = f"{name}, {scheme}: "
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, offline=True
            )
            page = context.new_page()
            page.on("console", lambda m, w=where: faults.append(f"{w}console: {m.text}"))
            page.on("pageerror", lambda e, w=where: faults.append(f"{w}error: {e}"))
            own = path.resolve().as_uri()
            page.on(
                "request",
                lambda r, w=where: None
                if r.url == own or r.url.startswith("data:")
                else faults.append(f"{w}asks for {r.url}"),
            )
            start = time.monotonic()
            page.goto(own, wait_until="load")
            took = time.monotonic() - start
            own_faults = page.evaluate(INDEX) if path.name == "index.html" else page.evaluate(FIRST, tables)
            faults += [where + fault for fault in page.evaluate(FAULTS) + own_faults]
            if shots:
                stem = path.resolve().parent.name
                page.screenshot(path=str(shots / f"{stem}-{name}-{scheme}.png"), full_page=True)
            page.emulate_media(media="print")
            if hidden := page.evaluate(FOLDED):
                faults.append(f"{where}{hidden} parts are not printed")
            page.emulate_media(media="screen")
            faults += [where + fault for fault in page.evaluate(SORTS) + page.evaluate(FAULTS)]
            context.close()
            print(f"{path}: {where}{size} bytes, {took:.2f} s")
    return faults + touched(browser, path.resolve().as_uri())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shots", type=pathlib.Path, help="a folder for pictures of the pages")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not chromium:
        sys.exit("no Chromium: install it, or name it in $CHROMIUM")
    if given.shots:
        given.shots.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        faults = [f"{path}: {f}" for path in given.pages for f in check(browser, path, given.shots)]
        browser.close()
    for fault in dict.fromkeys(faults):
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
