# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/explore/page/StudyPage.cpp and its runtime/explore/page/study.js, on the
# page that StudyPageTest.cpp writes.
"""The page of a study in headless Chromium: numbers of its points, configuration
at a click and at a key, other axes, no request and no complaint."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "e2e"))
from browser import Browser, is_there, tables  # noqa: E402


def check(good, text):
    print(("ok: " if good else "FAILED: ") + text, flush=True)
    if not good:
        sys.exit(1)


folder = tempfile.TemporaryDirectory()
PAGE = pathlib.Path(folder.name) / "study.html"
subprocess.run([sys.argv[1], "--gtest_filter=StudyPage.IsTheSame*"], check=True,
               capture_output=True, env={**os.environ, "DENDROLITH_STUDY_PAGE": str(PAGE)})
text = PAGE.read_text()
data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
rows = {row["id"]: row for row in tables(text)["points"]}
for point in data["points"]:
    row = rows[point["id"]]
    assert row["state"] == point["state"]
    assert [row[column] for column in data["columns"]] == point["settings"]
    for name, band in point["values"].items():
        assert float(row.get(name + ".low", row.get(name))) == band[0], (name, row)
check(len(rows) == 18, "the table has all points, and its numbers are theirs")
check({row["id"] for row in tables(text)["front"]} ==
      {point["id"] for point in data["points"] if point["standing"] in ("certain", "possible")},
      "the table of the front has those on it")
lines = data["csv"].splitlines()
check(lines[0].startswith("id,state,reason,microcode.lanes") and len(lines) == 19,
      "the CSV has a row for each point")

has_library = "Licence of ECharts" in text
if not has_library:
    print("skipped: ECharts was not fetched (no npm), pictures that zoom are not tested")
if not is_there():
    sys.exit(0)
READ = [".card p", "figcaption", "td", "thead th", ".tools", "#picked caption"]
CHART = "echarts.getInstanceByDom(document.querySelector('[data-live=front] .canvas'))"
PICKED = "return [...document.querySelectorAll('#picked thead th')].slice(1)" \
         ".map(cell => cell.textContent.match(/P\\d+/)[0])"
with Browser() as browser:
    for width in (1600, 900, 390):
        for dark in (False, True):
            browser.open(PAGE, width, dark)
            wide, picture = browser.screenshot()
            over, least = browser.overflowing(), min(browser.contrasts(READ))
            canvases = browser.js("return document.querySelectorAll('canvas').length")
            check(wide == width and len(picture) > 50000 and not over and least >= 4.5 and
                  canvases == 2 * has_library,
                  f"at {width}{', dark' * dark}: {canvases} zooming pictures, contrast "
                  f"{least:.1f} {over[:2]}")
    browser.open(PAGE)
    first = [data["points"][at]["id"] for at in data["chosen"]]
    check(browser.js(PICKED) == first, f"{first} are shown without asking")
    browser.js("const row = [...document.querySelectorAll('#all-points tbody tr')][4];"
               "row.focus(); row.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))")
    check("P5" in browser.js(PICKED), "Enter on a row shows its point")
    shown = browser.js("return document.querySelector('#picked').textContent")
    check("</script><b>" in shown and "core 3 receive 400" in shown,
          "with its energy, closers and fit")
    browser.js("const row = [...document.querySelectorAll('#all-points tbody tr')][12];"
               "row.click()")
    check("P13" not in browser.js(PICKED), "a point that does not fit has nothing to show")
    if has_library:
        dots = browser.js(f"return {CHART}.getOption().series.filter(s => s.type === 'scatter')"
                          ".flatMap(s => s.data.map(d => [d.at, ...d.bands]))")
        wanted = [[at, point["values"]["latency.mean"], point["values"]["energy"]]
                  for at, point in enumerate(data["points"]) if point["standing"]]
        check(sorted(dots) == wanted, f"{len(dots)} points stand where their numbers say")
        place = browser.js(f"""
            const chart = {CHART}, option = chart.getOption();
            const series = option.series.findIndex(s => s.type === 'scatter' && s.data.length);
            const dot = option.series[series].data[0];
            const box = chart.getDom().getBoundingClientRect();
            chart.getDom().scrollIntoView({{block: 'center', behavior: 'instant'}});
            const [x, y] = chart.convertToPixel({{seriesIndex: series}}, dot.value);
            const now = chart.getDom().getBoundingClientRect();
            return [dot.at, now.x + x, now.y + y, document.querySelector('#picked').innerText]""")
        before = browser.js(PICKED)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            browser.devtools("Input.dispatchMouseEvent", type=kind, x=place[1], y=place[2],
                             button="none" if kind == "mouseMoved" else "left", clickCount=1)
        for _ in range(40):  # the browser takes its time with a click
            after, clicked = browser.js(PICKED), data["points"][place[0]]["id"]
            if after != before:
                break
            time.sleep(0.05)
        check((clicked in before) != (clicked in after),
              f"a click on {clicked} changes what is shown: {before} to {after}")
        browser.js("""
            const select = [...document.querySelectorAll('[data-live=front] select')][1];
            select.value = 'area'; select.dispatchEvent(new Event('change'))""")
        check(browser.js(f"return {CHART}.getOption().yAxis[0].name").startswith("area (mm²)"),
              "another value stands on an axis when asked")
    check(not browser.js("return document.querySelectorAll('.saves + .saves').length"),
          "a picture has one row of save buttons")
    spelt = browser.js(r"return document.querySelector('main').textContent.match(/.{9}[ (](us|uJ|mm2)\b/g)")
    check(not spelt, f"units have their signs: {spelt}")
    browser.open(PAGE, scripts=False)
    browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
    check(browser.js("return document.querySelectorAll('svg.wide').length") >= 4,
          "without scripts the pictures are there")
    console, asked = browser.complaints()
    check(not console and not asked, f"no complaint, no request {console[:3]} {asked[:3]}")
print("ok")
