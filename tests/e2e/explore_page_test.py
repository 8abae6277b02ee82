# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/ExploreViews.cpp and runtime/explore/page/StudyPage.cpp.
"""`dendrolith explore STUDY --html`: the numbers of the store's files, the same bytes
whoever measured, and in headless Chromium no request and no complaint."""
import json
import shutil
import subprocess

from browser import Browser, is_there, tables
from support import DENDROLITH, FOLDER, ROOT, check, dendrolith

LIF = ROOT / "models" / "lif"
STUDY = FOLDER / "study.yaml"
STUDY.write_text(f"""name: small & fast
models:
  - {{name: lif, model: {LIF}/shapes_lif.nir, calibrate: {LIF}/calib_x.npy,
     input: {LIF}/test_x.npy, labels: {LIF}/test_y.npy, samples: 2}}
target: loihi2
vary:
  microcode.lanes: [1, 4]
  timing.scaled.noc.local.buffer: [4, 24]
  limits.core_memory_bytes: [196608, 256]
objectives: {{latency.mean: min, energy: min}}
""")
pages = []
for jobs in (1, 2):
    store, page = FOLDER / f"store{jobs}", FOLDER / f"page{jobs}.html"
    dendrolith("explore", STUDY, "-o", store, "--jobs", jobs)
    said = dendrolith("explore", store, "--html", page)
    check(said.startswith(f"wrote {page}"), "explore says which page it wrote")
    pages.append(page.read_text())
check(pages[0] == pages[1], "one and two workers give the same bytes")
check(str(FOLDER) not in pages[0] and str(ROOT) not in pages[0], "without a machine's path")

stored = [json.loads(path.read_text()) for path in (FOLDER / "store1").glob("points/*/*.json")]
shown = tables(pages[0])["points"]
check(len(stored) == len(shown) == 8, f"all {len(shown)} points are in the table")


def numbers(row, names):
    cells = [row.get(name, row.get(name + ".low")) for name in names]
    return [float(cell) for cell in cells if cell]


names = sorted({name for point in stored for name in point.get("values", {})})
found = sorted(numbers(row, names) for row in shown if row["state"] == "done")
wanted = sorted([point["values"][name][0] for name in names if name in point["values"]]
                for point in stored if point["state"] == "done")
check(found == wanted and found, f"{len(found)} done ones with the numbers of their files")
unfit = [row for row in shown if row["state"] == "unfit"]
check(unfit and all("memory" in row["reason"] for row in unfit),
      f"{len(unfit)} do not fit, and say why")


# Studies with nothing to compare: each says so in words, on the page and in the views.
def odd(name, target, axis, objectives):
    study, store, page = FOLDER / f"{name}.yaml", FOLDER / name, FOLDER / f"{name}.html"
    study.write_text(f"""name: {name}
models:
  - {{name: lif, model: {LIF}/shapes_lif.nir, calibrate: {LIF}/calib_x.npy,
     input: {LIF}/test_x.npy, labels: {LIF}/test_y.npy, samples: 2}}
target: {target}
engine: functional
vary: {{{axis}}}
objectives: {objectives}
""")
    dendrolith("explore", study, "-o", store)
    dendrolith("explore", store, "--html", page)
    front = subprocess.run([DENDROLITH, "explore", store, "--pareto"], capture_output=True, text=True)
    return page.read_text(), front


page, front = odd("goalless", "loihi2", "formats.weight_bits: [8, 4]", "{}")
check("The study names no objectives" in page and front.returncode == 1 and
      "the study has no objectives" in front.stderr, "no objectives")
page, front = odd("equal", "loihi2", "compile.map-seed: [1, 2]", "{accuracy: max, area: min}")
check("All points have the same accuracy" in page and "All points have the same area" in page and
      "1 more" in front.stdout, "objectives that decide nothing, points that are the same")
page, front = odd("unfit", "tiny", "formats.weight_bits: [8, 4]", "{accuracy: max, energy: min}")
check("No point is done" in page and "in-axons" in page and front.returncode == 1 and
      "no point of the study is done" in front.stderr, "no point fits")
page, front = odd("single", "loihi2", "formats.weight_bits: [8]", "{accuracy: max, energy: min}")
check("No axis alone moves it" in page and "1 points certain" in front.stdout, "one point")
page, front = odd("unreal", "loihi2", "formats.weight_bits: [8, .nan]", "{latency.mean: min}")
check("expected a finite number" in page and front.returncode == 1 and
      "no point has 'latency.mean'" in front.stderr, "an axis that is no number, an unknown value")
one = next((FOLDER / "single").glob("points/*/*.json"))
stored_text = one.read_text()
for what, changed in (("NaN", stored_text.replace("1.0", "NaN", 1)),
                      ("another version", stored_text.replace('"version": 2', '"version": 99'))):
    one.write_text(changed)
    shutil.rmtree(FOLDER / "single" / "index", ignore_errors=True)  # few points need none
    bad = subprocess.run([DENDROLITH, "explore", FOLDER / "single", "--html", FOLDER / "bad.html"],
                         capture_output=True, text=True)
    check(bad.returncode == 1 and one.name in bad.stderr and not (FOLDER / "bad.html").exists(),
          f"a point of {what} is named, and no page is written")
    one.write_text(stored_text)
if is_there():
    with Browser() as browser:
        for name in ("goalless", "equal", "unfit", "single", "unreal"):
            browser.open(FOLDER / f"{name}.html", 390)
            hollow = browser.js("""return [...document.querySelectorAll('main section')].filter(s =>
                s.innerText.trim().split("\\n").length < 2 || [...s.querySelectorAll('.picture > svg')]
                .some(p => p.childElementCount < 2)).map(s => s.id)""")
            check(not hollow and not browser.overflowing(), f"{name}: no section is empty {hollow}")
        for width in (1600, 900):
            browser.open(FOLDER / "page1.html", width)
            wide, picture = browser.screenshot()
            check(wide == width and len(picture) > 50000 and not browser.overflowing(),
                  f"a picture of {len(picture)} bytes at {width}")
        console, asked = browser.complaints()
        check(not console and not asked, f"no complaint, no request {console[:3]} {asked[:3]}")
print("ok")
