# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests simulator/report/html/RunPage.cpp, simulator/report/html/page.js,
# simulator/report/html/run.js, simulator/report/html/page.css and
# runtime/driver/OutputFiles.cpp.
"""`dendrolith run --html` and `dendrolith report --html`: the same bytes, numbers of
result.json to the last digit, and in headless Chromium no request and no
complaint, wide and narrow, light, dark, on paper and without scripts."""
import json
import os
import re
import shutil
import subprocess
import sys
from xml.etree import ElementTree

from browser import Browser, is_there, tables
from support import FOLDER, DENDROLITH, ROOT, check, dendrolith, np, result_of, tables_of

LIF = ROOT / "models" / "lif"
np.save(FOLDER / "x.npy", np.load(LIF / "test_x.npy")[:6])
np.save(FOLDER / "y.npy", np.load(LIF / "test_y.npy")[:6])
arguments = ("run", LIF / "shapes_lif.nir", "--target", "loihi2", "--calibrate",
             LIF / "calib_x.npy", "--input", FOLDER / "x.npy", "--labels",
             FOLDER / "y.npy", "--engine", "cycle", "--trace", "lif1,lif2,lif1:v",
             "--compare", "float")
OUT, PAGE = FOLDER / "out", FOLDER / "run.html"
said = dendrolith(*arguments, "--out", OUT, "--html", PAGE)
text = PAGE.read_text()
check(f"wrote {PAGE}" in said, "run says which page it wrote")
said = dendrolith("report", OUT, "--html", FOLDER / "report.html")
check(said.startswith(f"wrote {FOLDER / 'report.html'}"), "so does report")
check((FOLDER / "report.html").read_text() == text, "both pages are the same bytes")
dendrolith(*arguments, "--html", FOLDER / "again.html")
check((FOLDER / "again.html").read_text() == text, "and those of another run")
check(str(ROOT) not in text and str(FOLDER) not in text, "no path of this machine is in it")

# Every number stands there as result.json has it.
result, more, page = result_of(OUT), tables_of(OUT), tables(text)
events = {row["event"]: row for row in page["energy-by-event"]}
for event, high in result["energy"]["high"]["by_event"].items():
    if not high["count"]:
        continue
    low = result["energy"]["low"]["by_event"][event]
    row = events[event]
    found = [json.loads(row[key] or "null")
             for key in ("count", "energy_low_pJ", "energy_high_pJ")]
    check(found == [high["count"], low["energy_pJ"], high["energy_pJ"]],
          f"{event}: {found}") if found != [high["count"], low["energy_pJ"],
                                            high["energy_pJ"]] else None
check(len(events) > 10, f"{len(events)} events are as in result.json")
layers = {row["layer"]: json.loads(row["energy_high_pJ"] or "null")
          for row in page["energy-by-layer"] if row["kind"] == "population"}
check(layers == {row["population"]: row["energy_pJ"]["high"] for row in result["layers"]
                 if row["kind"] == "population"}, f"energies of {len(layers)} layers, too")
check([float(row["latency_ns"]) for row in page["samples"]] ==
      more["samples"]["latency_ns"], "latencies of samples")
first = [step for step in more["latency"]["steps"] if step["sample"] == 0]
check([{key: row[key] for key in first[0] if key != "sample"} for row in page["steps"]] ==
      [{key: str(value) for key, value in step.items() if key != "sample"} for step in first],
      f"{len(first)} steps, and who closed them")
check("The picture has the first" not in text, "nothing is left out of the picture of steps")
dendrolith("run", LIF / "shapes_lif.nir", "--target", "loihi1", "--calibrate", LIF / "calib_x.npy",
           "--input", LIF / "test_x.npy", "--engine", "cycle", "--html", FOLDER / "long.html")
check("The picture has the first 10,000 of 17,500 steps: it ends with step 24 of sample 285" in
      (FOLDER / "long.html").read_text(), "a picture of steps says what it leaves out")
check([[int(row[key] or 0) for key in ("used", "limit", "worst_core")] for row in page["fit"]] ==
      [[row["used"], row["limit"] or 0, row["worst_core"]] for row in result["fit"]], "the fit")
check([int(row["flits"]) for row in page["links"]] ==
      [row["flits"] for row in more["utilisation"]["links"]], "flits of links")
told = json.loads(dendrolith("report", OUT, "--conventions", "--format", "json"))["conventions"]
found = {row["convention"]: json.loads(row["energy_pJ"] or "null") for row in page["conventions"]}
check(found == {row["name"]: row["per_sample_pJ"] for row in told} and found["ac-mac-45nm"] > 0,
      f"{len(found)} conventions")
even = {row["name"]: row["break_even"]["activity"] for row in told if row["break_even"]}
check(len(even) == 4 and even == {row["convention"]: {
    end: json.loads(row[f"activity_{end}"] or "null") for end in ("low", "high")}
    for row in page["break-even"]}, "and where the chip costs as much as each conventional network")
traces = np.load(OUT / "traces.npz")
check({row["population"]: int(row["events"]) for row in page["spikes"]} ==
      {name: np.count_nonzero(traces[name]) for name in ("lif1", "lif2")}, "spikes")
unit = result["trace_units_per_real"]["lif1:v"]
potentials = traces["lif1:v"][0] / unit
check([float(row[key]) for row in page["states"] for key in ("least", "greatest")] ==
      [potentials.min(), potentials.max()], "potentials in the model's units")
quoted = re.search(r"Accuracy</h3><p class=\"quoted\">([\d.]+)", text).group(1)
check(float(quoted) == round(100 * result["score"]["value"], 2), f"accuracy {quoted} %")

# The network: its layers and their synapses, with what the run found of them.
shown = {row["layer"]: row for row in page["network-layers"]}
check(list(shown) == [row["name"] for row in result["network"]["nodes"]] and
      all(int(shown[row["population"]]["neurons"]) == row["neurons"] for row in result["layers"]
          if row["kind"] == "population"), "layers of the network")
flows = {(row["source"], row["target"]): row for row in more["flows"]}
check([float(row["messages_per_sample"]) for row in page["network-synapses"]] ==
      [flows[row["from"], row["to"]]["counts"]["messages"] / result["samples"]
       for row in result["network"]["edges"]], "messages between them")
thresholds = [state["threshold"] for node in result["network"]["nodes"]
              for state in node["states"] if state["threshold"] is not None]
check(thresholds and f"threshold {thresholds[0]:.4g}" in text, f"thresholds {thresholds}")

# Names of a model are text.
evil = "</script><b>"
mlir = (ROOT / "models" / "relay" / "relay.mlir").read_text()
names = re.findall(r"dend\.population @(\w+)", mlir)
(FOLDER / "evil.mlir").write_text(re.sub(rf"@{names[0]}\b", f'@"{evil}"', mlir))
dendrolith("run", FOLDER / "evil.mlir", "--target", "loihi1", "--input",
        ROOT / "models" / "relay" / "x.npy", "--engine", "cycle", "--html",
        FOLDER / "evil.html")
evil_text = (FOLDER / "evil.html").read_text()
check(evil not in evil_text and "&lt;/script&gt;&lt;b&gt;" in evil_text,
      f"a population called {evil} is text")

# Without ECharts the page says what is missing.
(FOLDER / "bin").mkdir()
alone = shutil.copy(DENDROLITH, FOLDER / "bin" / "dendrolith")
said = subprocess.run([alone, "report", OUT, "--html", FOLDER / "static.html"], check=True,
                      env={**os.environ, "DENDROLITH_TARGETS": str(ROOT / "targets")},
                      capture_output=True, text=True).stdout
static = (FOLDER / "static.html").read_text()
check("ECharts is not installed" in said and said.count("\n") == 1 and "npm" in static,
      "a page without ECharts says so, and how to get it")
check(tables(static) == page and static.count("<svg") == text.count("<svg"),
      "and has the same tables and pictures")
bad = subprocess.run([DENDROLITH, "report", OUT, "--html", FOLDER / "none" / "r.html"],
                     capture_output=True, text=True)
check(bad.returncode == 1 and str(FOLDER / "none") in bad.stderr, "a bad path is refused")

has_library = "Licence of ECharts" in text
if not has_library:
    print("skipped: ECharts was not fetched (no npm), pictures that zoom are not tested")
if not is_there():
    sys.exit(0)
READ = [".card p", ".card h3", "figcaption", ".subtitle", "summary", "td", "thead th", "nav a"]
with Browser() as browser:
    for path in (PAGE, FOLDER / "static.html", FOLDER / "evil.html"):
        zooming = {PAGE: 3, FOLDER / "static.html": 0}.get(path, 1) if has_library else 0
        for width in (1600, 900, 390):
            for dark in (False, True):
                browser.open(path, width, dark)
                drawn = browser.js("return [document.documentElement.dataset.drawn, "
                                   "document.querySelectorAll('canvas').length]")
                wide, picture = browser.screenshot()
                over, least = browser.overflowing(), min(browser.contrasts(READ))
                good = drawn == [str(zooming), zooming] and wide == width and \
                    len(picture) > 50000 and not over and least >= 4.5
                check(good, f"{path.name} at {width}{', dark' * dark}: {drawn[1]} zooming "
                            f"pictures, contrast {least:.1f}") if width == 1600 or not good \
                    else None
    browser.open(PAGE)
    heard = browser.js("return Dendrolith.csvOfTable(document.querySelector("
                       "'[data-csv=energy-by-event]'))")
    lines = [line.split(",") for line in heard.splitlines()]
    check(lines[0][:2] == ["event", "count"] and
          [dict(zip(lines[0], line)) for line in lines[1:]] == page["energy-by-event"],
          "the CSV of a table is the table")
    sort = "const t = document.querySelector('[data-csv=samples]');" \
           "t.tHead.rows[0].cells[1].querySelector('button').click();" \
           "return [...t.tBodies[0].rows].map(row => Number(row.cells[1].dataset.v))"
    rising = sorted(more["samples"]["latency_ns"])
    check(browser.js(sort) == rising and browser.js(sort) == rising[::-1],
          "a click on a heading sorts, a second one the other way")
    if has_library:
        check(browser.js("""
            const select = document.querySelector('[data-live=steps] select');
            select.value = "3"; select.dispatchEvent(new Event("change"));
            const canvas = document.querySelector('[data-live=steps] .canvas');
            const option = echarts.getInstanceByDom(canvas).getOption();
            return option.series[0].data""") ==
              [step["update_ps"] / 1e3 for step in more["latency"]["steps"]
               if step["sample"] == 3], "the picture of steps shows the sample asked for")
        zoom = browser.js("""
            const place = document.querySelector('[data-live=raster]');
            place.querySelector('[aria-label="Zoom in"]').click();
            place.querySelector('[aria-label="To the right"]').click();
            const {start, end} = echarts.getInstanceByDom(place.querySelector('.canvas'))
              .getOption().dataZoom[0];
            return [start, end]""")
        check(zoom == [50, 100], f"buttons zoom the raster: {zoom}")
    # The chip in other colours, and back.
    browser.open(PAGE)
    offered = browser.js("return [...document.querySelectorAll('.colours option')].map(o => o.textContent)")
    check({"steps closed", "pJ per sample, high end", "ns of receiving per sample",
           "messages sent per sample", "neurons"} <= set(offered), f"colours of the chip: {offered}")
    paint = """
        const select = document.querySelector('.colours select'), core = document.querySelector('svg.chip [data-core]');
        const read = () => [...document.querySelectorAll('svg.chip [data-core] title')].map(t => t.textContent);
        const before = read();
        select.value = arguments[0]; select.dispatchEvent(new Event("change"));
        const painted = read();
        select.value = -1; select.dispatchEvent(new Event("change"));
        return [before, painted, read()]"""
    memory = next((each for each in offered if each.startswith("words of synapse memory")), None)
    check(memory, f"memory by core is offered: {offered}")
    before, painted, after = browser.js(paint, offered.index(memory) - 1)
    fit = {row["resource"]: row for row in result["fit"]}["synapse memory"]
    words = {int(re.match(r"core (\d+)", title)[1]): float(re.search(r": ([\d.e+-]+) words", title)[1])
             for title in painted}
    check(max(words.values()) == words[fit["worst_core"]] == fit["used"],
          f"the fullest core has {max(words.values())} words, as fit has ({fit['used']})")
    before, painted, after = browser.js(paint, offered.index("pJ per sample, high end") - 1)
    sum_pj = sum(float(re.search(r": ([\d.e+-]+) pJ", title).group(1)) for title in painted)
    told = dendrolith("report", OUT, "--by", "core", "--per", "sample")
    scale = {"uJ": 1e6, "nJ": 1e3, "pJ": 1}[re.search(r"high \((\w+)\)", told)[1]]
    by_core = sum(float(line.split()[4]) * scale for line in told.splitlines() if line.split()[0].isdigit())
    check(before == after and abs(sum_pj / by_core - 1) < .01,
          f"cores have {sum_pj:.5g} pJ a sample together, as report --by core has ({by_core:.5g})")
    # Saved pictures are whole files.
    saved = browser.js("""
        const files = [], make = URL.createObjectURL;
        URL.createObjectURL = blob => { files.push(blob); return make(blob); };
        document.querySelectorAll('.saves button').forEach(b => b.textContent === "SVG" && b.click());
        return Promise.all(files.map(f => f.text()))""")
    for file in saved:
        ElementTree.fromstring(file)
    check(len(saved) >= 6 and any("class=\"network\"" in file for file in saved),
          f"{len(saved)} pictures save themselves as SVG that can be read")
    # By the keyboard alone: each control is reached, and says what it is.
    reached = set()
    for _ in range(400):
        browser.press("\ue004")
        at = browser.js("""
            const e = document.activeElement;
            return [e.tagName, (e.getAttribute('aria-label') || e.textContent || e.closest('label')?.textContent || '').trim(),
                    getComputedStyle(e).outlineStyle]""")
        if at[0] == "BODY" or tuple(at) in reached and at[0] == "A" and "To the" in at[1]:
            break
        check(at[1] and at[2] != "none", f"{at} has a name and is marked") if not (
            at[1] and at[2] != "none") else reached.add(tuple(at))
    kinds = {tag for tag, *_ in reached}
    check({"A", "BUTTON", "SUMMARY"} <= kinds and any(name == "Zoom in" for _, name, _ in reached) == has_library,
          f"the keyboard reaches {len(reached)} controls")
    browser.open(PAGE, media="print")
    check(browser.js("return [...document.querySelectorAll('canvas, .tools')].every(e => "
                     "e.offsetParent === null) && [...document.querySelectorAll('.picture')]"
                     ".every(e => e.offsetHeight > 0)"), "paper has the pictures of the file")
    paper = browser.paper()
    check(paper[:5] == b"%PDF-" and 2 <= len(re.findall(rb"/Type\s*/Page\b", paper)) < 40,
          "printed on paper")
    browser.open(PAGE, scripts=False)
    browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
    check(browser.js("return document.querySelectorAll('canvas').length === 0 && "
                     "[...document.querySelectorAll('.picture')].every(e => e.offsetHeight > 0)"
                     " && document.querySelectorAll('table').length") > 10,
          "without scripts every picture and table is there")
    console, asked = browser.complaints()
    check(not console, f"the console is silent {console[:3]}")
    check(not asked, f"nothing is asked for {asked[:3]}")
print("ok")
