# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/packages/site, runtime/driver/DoctorCommand.cpp.
"""The documentation site has every page, a search that finds them without a network, and
asks nobody for anything; `dendrolith docs` says where it is."""
import json
import pathlib
import re
import subprocess
import sys

DENDROLITH = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = DENDROLITH.parents[1]
done = subprocess.run([sys.executable, ROOT / "runtime/packages/site", BUILD], capture_output=True,
                      text=True)
if done.returncode and "cannot be installed" in done.stderr:
    print(f"skipped: {done.stderr.strip().splitlines()[-1]}")
    sys.exit(77)
assert done.returncode == 0, done.stderr
told = subprocess.run([DENDROLITH, "docs"], capture_output=True, text=True, check=True).stdout.strip()
site = pathlib.Path(told).parent
assert site.samefile(BUILD / "share/dendrolith/docs") and told.endswith("/index.html"), told
pages = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"], capture_output=True, text=True)
for name in pages.stdout.split():
    page = site / re.sub(r"README\.md$", "index.md", name)
    assert page.with_suffix(".html").exists(), f"no page of {name}"
index = json.loads((site / "search/search_index.json").read_text())
for word, place in (("saturation", "runtime/driver/"), ("mesh.tiles_x", "targets/"),
                    ("Pareto", "runtime/"), ("events_to_frames", "runtime/python/")):
    found = [entry["location"] for entry in index["docs"] if word.lower() in entry["text"].lower()
             or word.lower() in entry["title"].lower()]
    assert any(location.startswith(place) for location in found), f"{word}: {found[:5]}"
print(done.stdout.strip())
