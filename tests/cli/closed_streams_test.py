# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/host/ChildProcess.cpp.
"""Whoever starts the command may have closed stdin, stdout and stderr: the files
that it then opens, and the pipes to its child processes, must not be taken for
them. Every kind of child is used: for HDF5, for MLIR and for SystemC."""
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

DENDROLITH = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
LIF = ROOT / "models" / "lif"
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
failed = 0


def run(closed, *arguments):
    """Exit code with the descriptors of `closed` closed."""
    redirections = {0: "<&-", 1: ">&-", 2: "2>&-"}
    shell = 'exec "$@" ' + " ".join(redirections[fd] for fd in closed)
    return subprocess.run(["sh", "-c", shell, "sh", DENDROLITH, *arguments],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=300).returncode


def files(folder):
    """Names and contents, without what differs from run to run."""
    found = {}
    for path in sorted(folder.iterdir()):
        if path.name == "result.json":
            found[path.name] = re.sub(
                r'"wall_s": \{[^{}]*\}|"peak_rss_bytes": [0-9]+', "", path.read_text())
        else:
            found[path.name] = path.read_bytes()
    return found


def check(title, code, expected=0):
    global failed
    if code != expected:
        failed += 1
        print(f"FAILED {title}: exit code {code}, expected {expected}")


model = FOLDER / "model.mlir"
common = ["--calibrate", LIF / "calib_x.npy", "--target", "loihi1"]
subsets = [subset for size in (1, 2, 3)
           for subset in itertools.combinations((0, 1, 2), size)]

check("a model as text", run((), "compile", LIF / "shapes_lif.nir", *common,
                         "--emit", "dend", "-o", model))
for kind, path in (("nir", LIF / "shapes_lif.nir"), ("mlir", model)):
    wanted = None
    for closed in [()] + subsets:
        title = f"{kind}, closed {closed}"
        out = FOLDER / "out"
        check(title, run(closed, "run", path, *common, "--input",
                         LIF / "calib_x.npy", "--engine", "cycle", "--out", out))
        if not out.exists():
            continue
        found = files(out)
        for file in out.iterdir():
            file.unlink()
        out.rmdir()
        wanted = wanted or found
        if found != wanted:
            failed += 1
            print(f"FAILED {title}: other files than with all three open")

# What must fail still fails, with nobody to read why.
(FOLDER / "bad.nir").write_bytes(b"\211HDF\r\n\032\n" + bytes(100))
(FOLDER / "bad.mlir").write_text("(" * 100000)
for name in ("bad.nir", "bad.mlir"):
    for closed in subsets:
        check(f"{name}, closed {closed}",
              run(closed, "compile", FOLDER / name, "--target", "loihi1",
                  "-o", FOLDER / "bad.dlp"), 1)

print("failed:" if failed else "all passed", failed or "")
sys.exit(1 if failed else 0)
