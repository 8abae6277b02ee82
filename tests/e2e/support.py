# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the end-to-end tests share: the commands, results, and a failing check."""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEURITE, NEURITE_OPT = sys.argv[1:3]
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)


def neurite(*arguments):
    """Runs the command; returns what it printed."""
    return subprocess.run([NEURITE, *map(str, arguments)], check=True,
                          capture_output=True, text=True).stdout


def run(name, *arguments):
    """`neurite run ... --out`; returns (result.json, outputs, traces)."""
    out = FOLDER / name
    neurite("run", *arguments, "--out", out)
    result = json.loads((out / "result.json").read_text())
    traces = out / "traces.npz"
    loaded = dict(np.load(traces)) if traces.exists() else {}
    return result, np.load(out / "outputs.npy"), loaded


def without_host(result):
    """The result without what depends on the machine and the moment."""
    return {k: v for k, v in result.items()
            if k not in ("wall_s", "peak_rss_mb")}


def check(condition, text):
    print(("ok: " if condition else "FAILED: ") + text, flush=True)
    if not condition:
        sys.exit(1)


def cosine(a, b):
    a, b = a.astype(float), b.astype(float)
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))
