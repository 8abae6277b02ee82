# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/ExploreViews.cpp and runtime/explore/page/StudyPage.cpp.
"""`dendrolith explore STUDY --html`: the numbers of the store's files, the same bytes
whoever measured, and in headless Chromium no request and no complaint."""
import json

from browser import Browser, is_there, tables
from support import FOLDER, ROOT, check, dendrolith

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
if is_there():
    with Browser() as browser:
        for width in (1600, 900):
            browser.open(FOLDER / "page1.html", width)
            wide, picture = browser.screenshot()
            check(wide == width and len(picture) > 50000 and not browser.overflowing(),
                  f"a picture of {len(picture)} bytes at {width}")
        console, asked = browser.complaints()
        check(not console and not asked, f"no complaint, no request {console[:3]} {asked[:3]}")
print("ok")
