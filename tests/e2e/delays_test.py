# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/transforms/schedule/Relays.cpp,
# compiler/lowering/JoinDelays.cpp.
"""Delays that differ by more than a connection of a chip holds: relays on the
long paths, and the answers of the chip without a limit, to the bit. Delays of
synapses in the words of a chip: one list for a source, and the same answers."""
import json
import subprocess
import sys

from support import FOLDER, DENDROLITH, ROOT, check, np

sys.path.insert(0, str(ROOT / "tests" / "compiler" / "import" / "nir"))
try:
    import random_graphs
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(77)

SIZE, STEPS, SAMPLES = 3, 200, 2
rng = np.random.default_rng(5)
X = FOLDER / "x.npy"
np.save(X, (rng.random((SAMPLES, STEPS, SIZE)) < 0.2).astype(float))


class Net:
    """Paths (source, target, delays by element of the source)."""
    old = False

    def __init__(self, populations, paths):
        one = np.ones(SIZE)
        self.nodes = {"input": {"type": "Input", "shape": np.array([SIZE])},
                      "output": {"type": "Output", "shape": np.array([SIZE])}}
        self.edges = [(populations[-1], "output")]
        for name in populations:
            self.nodes[name] = {"type": "LIF", "tau": 4e-4 * one, "r": one,
                                "v_leak": 0 * one, "v_threshold": 0.3 * one}
        for i, (source, target, ticks) in enumerate(paths):
            weight = rng.integers(0, 8, (SIZE, SIZE)) / 8
            self.nodes[f"w{i}"] = {"type": "Linear", "weight": weight}
            self.nodes[f"d{i}"] = {"type": "Delay", "delay": 1e-4 * one * ticks}
            self.edges += [(source, f"d{i}"), (f"d{i}", f"w{i}"), (f"w{i}", target)]


def outputs(path, target, *more):
    out = FOLDER / f"{path.stem}-{target}"
    done = subprocess.run(
        [DENDROLITH, "run", path, "--target", target, "--calibrate", X, "--input", X,
         "--out", out, *more], capture_output=True, text=True)
    check(done.returncode == 0, f"{path.stem} on {target} {done.stderr.strip()[-300:]}")
    return (np.load(out / "outputs.npy"),
            [w for w in json.loads((out / "result.json").read_text())["warnings"]
             if w["code"] == "relays"])


CASES = {
    "pair63": (["l"], [("input", "l", 0), ("input", "l", 63)]),
    "pair80": (["l"], [("input", "l", 1), ("input", "l", 80)]),
    "many": (["l"], [("input", "l", d) for d in (0, 1, 20, 40, 60, 80)]),
    "synapses": (["l"], [("input", "l", np.array([0, 70, 150]))]),
    "hidden": (["a", "b"], [("input", "a", 0), ("a", "b", 0), ("a", "b", 130)]),
    "skip": (["a", "b"], [("input", "a", 150), ("a", "b", 0), ("input", "b", 0)]),
    "loop": (["l"], [("input", "l", 0), ("l", "l", 1), ("l", "l", 100)]),
}
for name, (populations, paths) in CASES.items():
    file = FOLDER / f"{name}.nir"
    random_graphs.write(file, Net(populations, paths))
    wanted, without = outputs(file, "ideal")
    check(np.any(wanted) and not without, f"{name}: ideal holds all delays")
    for target in ("loihi1", "loihi2"):
        found, said = outputs(file, target, "--engine", "cycle", "--verify")
        check(np.array_equal(found, wanted), f"{name} on {target}: 0 values differ")
        check(len(said) == 1 and "neurons in" in said[0]["text"],
              f"{name} on {target}: the warning tells what relays cost")

# Where phases are enough, nothing is added.
file = FOLDER / "within.nir"
random_graphs.write(file, Net(["l"], [("input", "l", 20), ("input", "l", 80)]))
found, said = outputs(file, "loihi1")
check(np.array_equal(found, outputs(file, "ideal")[0]) and not said,
      "delays that differ by 60 need no relays on loihi1")

# Each neuron hears its sources after a delay of its own. Where words have delays, a source has one
# list and sends one message; where a list has one delay, it has three of each.
net = Net(["l"], [])
net.nodes["w"] = {"type": "Linear", "weight": rng.permuted(np.tile([2, 5, 7], (SIZE, 1)), axis=1) / 8}
net.nodes["d"] = {"type": "Delay", "delay": 1e-4 * np.array([0, 20, 60])}
net.edges += [("input", "w"), ("w", "d"), ("d", "l")]
file = FOLDER / "rows.nir"
random_graphs.write(file, net)
wanted, _ = outputs(file, "ideal")
check(np.any(wanted), "rows: the neurons fire")
for target in ("loihi1", "loihi2"):
    for bits, lists in ((7, SIZE), (0, SIZE * SIZE)):
        for engine in (("--engine", "functional"), ("--engine", "cycle", "--verify")):
            chip = f"{target},synapse_memory.max_delay_bits={bits}"
            found, said = outputs(file, chip, "--map-for", "cores", *engine)
            check(np.array_equal(found, wanted) and not said, f"rows on {chip}: 0 values differ")
            result = json.loads((FOLDER / f"rows-{chip}" / "result.json").read_text())
            used = {row["resource"]: row["used"] for row in result["fit"]}
            check(used["in-axons"] == lists, f"rows on {chip}: {used['in-axons']} in-axons, not {lists}")
            counts = result["counts"]["total"]
            check(counts["axon_reads"] * SIZE * SIZE == counts["synops"]["dense"] * lists,
                  f"rows on {chip}: {counts['axon_reads']} messages, one for each list")
