# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/elm/Elm.cpp, compiler/import/npz/Npz.cpp.
"""Bad ELM checkpoints: exit code 1 and one error that names the file and the key,
and says what was found."""
import pathlib
import sys

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "models" / "elm"), str(ROOT / "models")]
import reference  # noqa: E402
import reference_io  # noqa: E402
from refusals import Refusals  # noqa: E402

TESTED = Refusals(sys.argv[1], reference_io.save)
refused, accepted = TESTED.refused, TESTED.accepted
GOOD = reference.random_checkpoint(1)  # 6 neurons, 10 inputs, 4 x 3 synapses, d_m = 3


def at(key, index, value):
    array = np.array(GOOD[key])
    array[index] = value
    return {**GOOD, key: array}


def meta(**entries):
    return {**GOOD, "meta": {**GOOD["meta"], **entries}}


accepted("the good one", GOOD)
accepted("binary", meta(out="binary"))
accepted("what trainers write", meta(seed=1, lr=1e-3, Th=40, sg=10.0, langs=2, jit=1.5))
accepted("the paper's constants", {**GOOD, "meta": {"Din": 10}})
for key in GOOD:
    # Without W2 the first layer is the only one, of another width.
    named = {"rec_W2": "rec_W1"}.get(key, key)
    refused(f"no {key}", {k: v for k, v in GOOD.items() if k != key}, f"'{named}'",
            r"expected shape" if key == "rec_W2" else
            "expected a member .*models/elm/README.md")
    if key == "meta":
        continue
    refused(f"more axes of {key}", {**GOOD, key: np.zeros(GOOD[key].shape + (2,))},
            f"'{key}'", r"found (shape )?\(.*\)")
    refused(f"more rows of {key}", {**GOOD, key: np.concatenate([GOOD[key], GOOD[key][:1]])},
            "expected", r"found (shape )?[\(6]")
    refused(f"nan in {key}", {**GOOD, key: GOOD[key] * np.nan}, f"'{key}'", "finite", "nan")
for entries, *patterns in (
        ({"out": "tanh"}, '"out"', "relu or binary", "tanh"), ({"lam": 0}, '"lam"', "above 0"),
        ({"taur": -1.0}, '"taur"', "above 0", "-1"), ({"c": "ten"}, '"c"', "number", "ten"),
        ({"Din": 0}, '"Din"', "found 0"), ({"Din": 2.5}, '"Din"', "2.5"),
        ({"N": 7}, '"N"', "expected 6", "found 7"), ({"dm": 4}, '"dm"', "expected 3"),
        ({"dtree": 5}, '"dtree"', "expected 4", "found 5"),
        ({"decode": "mean"}, '"decode"', "last=1"), ({"norm": 1}, "'norm'", "may change"),
        ({"neuron": "mmdend"}, '"neuron"', "'rec_ws'", "ELM", "models/elm/README.md")):
    refused(f"{entries}", meta(**entries), "'meta'", *patterns)
refused("no number of inputs", {**GOOD, "meta": {}}, "'meta'", '"Din"', "found none")
refused("an input too many", at("rec_idx", (2, 1), 16), "'rec_idx'", "neuron 2, synapse 1",
        r"0\.\.15", "found 16")
refused("fewer inputs said", meta(Din=9), "'rec_idx'", r"0\.\.14", "found 15")
refused("a negative source", at("ro_idx", (0, 0), -1), "'ro_idx'", r"0\.\.5", "found -1")
refused("another neuron's branch", at("rec_col", (1, 0), 3), "'rec_col'",
        "neuron 1, synapse 0", r"one of the neuron's 4 branches in 4\.\.7", "found 3")
refused("part of a branch", {**GOOD, "ro_col": GOOD["ro_col"] + 0.5}, "'ro_col'", "0.5")
refused("a branch less in W1", {**GOOD, "rec_W1": GOOD["rec_W1"][:, 1:], "meta": {"Din": 10}},
        "'rec_col'", "3 branches")
refused("memories only", {**GOOD, "ro_W1": GOOD["ro_W1"][:, :3]}, "'ro_W1'", "3 memories")
refused("a time constant of 0", at("rec_tau", 0, 0.0), "'rec_tau'", "above 0", "found 0")
sys.exit(TESTED.end())
