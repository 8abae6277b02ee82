# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests dialects/reference.py.
"""The references of the dialects are those of their definitions, and a stale page is seen."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TBLGEN, INCLUDE = sys.argv[1:3]


def checked(definitions, page):
    return subprocess.run([sys.executable, ROOT / "dialects/reference.py", TBLGEN, INCLUDE,
                           definitions, page, "--check"], capture_output=True, text=True)


failed = 0
for definitions in ("dialects/dend/DendOps.td", "dialects/chip/ChipOps.td"):
    page = (ROOT / definitions).parent / "Reference.md"
    done = checked(definitions, page)
    failed += done.returncode
    print(done.stdout + done.stderr, end="")
    with tempfile.TemporaryDirectory() as folder:
        stale = pathlib.Path(folder) / "Reference.md"
        stale.write_text(page.read_text().replace("phase", "fase").replace("overflow", "overflew"))
        done = checked(definitions, stale)
        if done.returncode != 1 or "ninja dendrolith-reference" not in done.stdout:
            failed += 1
            print(f"FAILED: a stale page of {definitions} was not seen: {done.stdout}")
print("failed" if failed else "all passed")
sys.exit(1 if failed else 0)
