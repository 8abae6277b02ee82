# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of warnings share: small NIR files, and a run that has to warn."""
import re
import subprocess
import sys

from support import FOLDER, DENDROLITH, ROOT, check, dendrolith, np, result_of

sys.path.insert(0, str(ROOT / "tests" / "compiler" / "import" / "nir"))
try:
    import random_graphs
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)

PAGE = (ROOT / "runtime/session/WARNINGS.md").read_text()
STEPS, SEEN = 12, set()


class File:
    """Nodes of two elements between an input and an output."""
    old = False

    def __init__(self, edges, **nodes):
        two = np.array([2])
        self.nodes = {"input": {"type": "Input", "shape": two},
                      "output": {"type": "Output", "shape": two}}
        for name, (kind, fields) in nodes.items():
            self.nodes[name] = {"type": kind, **{
                key: np.asarray(value, float) for key, value in fields.items()}}
        self.edges = [tuple(edge.split(">")) for edge in edges]


def lif(threshold=1.0, tau=(2e-4, 4e-4), r=(1, 1)):
    return "LIF", {"tau": np.broadcast_to(tau, 2), "r": np.broadcast_to(r, 2),
                   "v_leak": [0, 0], "v_threshold": np.broadcast_to(threshold, 2)}


def linear(weight):
    return "Linear", {"weight": np.eye(2) * weight}


def write(name, edges, **nodes):
    path = FOLDER / f"{name}.nir"
    random_graphs.write(path, File(edges, **nodes))
    return path


def save(name, values):
    np.save(FOLDER / f"{name}.npy", values)
    return FOLDER / f"{name}.npy"


ones = save("ones", np.ones((3, STEPS, 2)))
some = save("some", np.random.default_rng(1).integers(0, 2, (3, STEPS, 2)).astype(float))
labels = save("labels", np.zeros(3, int))
CHAIN = ["input>w", "w>n", "n>output"]


def expect(code, where, *arguments, absent=()):
    """One run: warns of `code` at `where`, in all four places; returns the result."""
    out = FOLDER / "out"
    done = subprocess.run([DENDROLITH, "run", *map(str, arguments), "--out", str(out)],
                          capture_output=True, text=True)
    if done.returncode:
        check(False, f"{code}: {done.stderr}")
    result = result_of(out)
    rows = result["warnings"]
    found = [row for row in rows if row["code"] == code and row["where"] == where]
    check(len(found) == 1, f"{code} at {where or 'the whole'}: {rows}")
    line = (where and where + ": ") + found[0]["text"] + f" [{code}]"
    check(done.stderr.count("warning: " + line) == 1, f"{code}: once on standard error")
    check("  " + line in done.stdout and f"Warnings ({len(rows)})" in done.stdout and
          re.search(rf"^Warnings: {len(rows)} \(.*{code}", done.stdout, re.M) and
          result["summary"]["warnings"] == len(rows), f"{code}: beside the score, and counted")
    check(not {row["code"] for row in rows} & set(absent), f"{code}: and not {absent}")
    check(f"| `{code}`" in PAGE, f"{code}: stands in WARNINGS.md")
    SEEN.add(code)
    return result
