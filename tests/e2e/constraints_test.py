# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/mapping/constraints/Adjust.cpp, runtime/options/ModelOptions.cpp.
"""A network under constraints, and one that starts from an earlier mapping: neurons
lie where they have to, few of them move, and the outputs are those of the mapper's own
choice."""
import re

import placements
from support import FOLDER, ROOT, check, dendrolith, np, run

LIF = ROOT / "models" / "lif"
MODEL = [LIF / "shapes_lif.nir", "--target", "loihi1", "--calibrate", LIF / "calib_x.npy"]
X = FOLDER / "x.npy"
np.save(X, np.load(LIF / "test_x.npy")[:3])
SHOWN = ["--input", X, "--trace", "lif1,lif2:v"]


def same(name, *arguments):
    """Outputs and traces against those of the mapping without constraints."""
    result, outputs, traces = run(name, *arguments, *SHOWN, "--verify")
    check(np.array_equal(outputs, OUTPUTS) and
          all(np.array_equal(traces[key], TRACES[key]) for key in TRACES),
          f"{name}: outputs and traces")
    return result


_, OUTPUTS, TRACES = run("free", *MODEL, *SHOWN)
rules = FOLDER / "rules.yaml"
rules.write_text("""
pin:
  - {population: lif2, core: 9}
  - {population: lif1, first: 0, count: 40, tile: 3}
apart:
  - {of: [{population: lif1, first: 0, count: 40}, {population: lif1, first: 40}]}
forbid: [{core: 0}, {tile: 7}]
reserve: [{compartments_per_core: 64}]
""")
constrained = [*MODEL, "--map-constraints", rules]
same("constrained", *constrained)
same("constrained-cycle", *constrained, "--engine", "cycle")
cores = placements.cores_of(*constrained)
dead = {0, *range(28, 32)}
check(set(cores["lif2"]) == {9}, f"pinned: {cores['lif2']}")
check(sum(n for core, n in cores["lif1"].items() if 12 <= core < 16) >= 40,
      f"pinned to a tile: {cores['lif1']}")
check(not any(dead & set(of) for of in cores.values()), "dead cores are empty")

# From an earlier mapping: its own image moves nothing, or no more than is allowed.
old = FOLDER / "old.dlp"
dendrolith("compile", *MODEL, "-o", old)
dendrolith("compile", *constrained, "-o", FOLDER / "constrained.dlp")


def moved(result):
    found = re.search(r"from '.*', (\d+) of (\d+) neurons moved, (\d+) new",
                      result["mapping"]["objective"])
    check(found is not None, result["mapping"]["objective"])
    return tuple(map(int, found.groups()))


neurons = sum(sum(of.values()) for of in cores.values())
for budget in ([], ["--tuning", "{max-moves: 5}"]):
    result = same(f"from{len(budget)}", *MODEL, "--map-from", old, *budget)
    count, placed, new = moved(result)
    check((placed, new) == (neurons, 0) and (not budget or count <= 5),
          f"{count} of {placed} moved with {budget}")
count, placed, new = moved(same("again", *constrained, "--map-from",
                                FOLDER / "constrained.dlp", "--tuning", "{max-moves: 5}"))
check(count <= 5, f"{count} of {placed} moved under constraints")
