# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/Build.cpp, simulator/functional/machine/Step.cpp.
"""A three-layer NIR network with biases and a loop: every tick of the chip run
equals the reference, from the first (where only biases act) to the last."""
from support import FOLDER, check, np, run, sys

try:
    import h5py
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)

random = np.random.default_rng(5)
TEXT = h5py.string_dtype("utf-8")
WIDTHS = (6, 20, 16, 8)


def write(path):
    """in -> 3 x (Affine -> LIF) -> out, and layer 2 back into layer 1."""
    nodes = {"in": {"type": "Input", "shape": [WIDTHS[0]]}}
    edges, before = [], "in"
    for k, (n, m) in enumerate(zip(WIDTHS, WIDTHS[1:]), 1):
        one = np.ones(m)
        nodes[f"fc{k}"] = {"type": "Affine", "bias": random.uniform(-0.05, 0.25, m),
                           "weight": random.normal(0, 1.2 / np.sqrt(n), (m, n))}
        nodes[f"l{k}"] = {"type": "LIF", "tau": 5e-4 * one, "r": 5 * one,
                          "v_leak": 0 * one, "v_threshold": one,
                          "v_reset": -0.1 * one}
        edges += [(before, f"fc{k}"), (f"fc{k}", f"l{k}")]
        before = f"l{k}"
    nodes["back"] = {"type": "Linear",
                     "weight": random.normal(0, 0.3, (WIDTHS[1], WIDTHS[2]))}
    nodes["out"] = {"type": "Output", "shape": [WIDTHS[-1]]}
    edges += [(before, "out"), ("l2", "back"), ("back", "l1")]
    with h5py.File(path, "w") as file:
        file.create_dataset("version", data="1.0.7", dtype=TEXT)
        root = file.create_group("node")
        root.create_dataset("type", data="NIRGraph", dtype=TEXT)
        root.create_dataset("edges", data=np.array(edges, dtype=object), dtype=TEXT)
        for name, node in nodes.items():
            group = root.create_group(f"nodes/{name}")
            for key, value in node.items():
                group.create_dataset(key, data=value,
                                     dtype=TEXT if key == "type" else None)
    return path


model = write(FOLDER / "biased.nir")
x = FOLDER / "x.npy"
np.save(x, (random.random((3, 60, WIDTHS[0])) < 0.2).astype("u1"))
requests = ",".join(f"l{k}{state}" for k in (1, 2, 3) for state in ("", ":v"))
seen = {engine: run(engine, model, "--target", "loihi1", "--input", x, "--engine",
                    engine, "--trace", requests)
        for engine in ("reference", "functional", "cycle")}
traces = seen["reference"][2]
check(seen["cycle"][0]["schedule"]["period_steps"] == 2,
      "the loop of two layers takes two steps per tick")
for engine in ("functional", "cycle"):
    differing = sum(int(np.sum(traces[n] != t)) for n, t in seen[engine][2].items())
    check(differing == 0, f"{engine}: 0 differences in {len(traces)} traces")
for k in (1, 2, 3):
    check(traces[f"l{k}"].sum() > 50, f"l{k} fires {traces[f'l{k}'].sum()} times")
_, outputs, there = run("float", model, "--input", x, "--engine", "float",
                        "--trace", "l1")
check(np.any(there["l1"][:, 1:] != 0), "the float network fires too")
