# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/npz/mmdend/ReadCheckpoint.cpp.
"""Bad checkpoints (.npz) of the neurons that MMDEND and DendriCL are compared with:
exit code 1 and one error that names the file and the key, and says what was found."""
import pathlib
import sys

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "models" / "mmdend"), str(ROOT / "models")]
import baselines  # noqa: E402
import reference_io  # noqa: E402
from refusals import Refusals  # noqa: E402

TESTED = Refusals(sys.argv[1], reference_io.save)
refused, accepted = TESTED.refused, TESTED.accepted


def changed(net, key, value):
    return {**net, key: np.asarray(value, dtype=float)}


def alif():
    net = baselines.random_checkpoint(7, "plif")
    for l, D in enumerate((9, 7)):
        del net[f"tau{l}"]
        net |= {f"beta{l}": np.full(D, 0.4), f"tau_a{l}": np.array(20.0)}
    return {**net, "meta": {"neuron": "alif", "tau": 4.0}}


GOOD = {neuron: baselines.random_checkpoint(5, neuron) for neuron in baselines.BASELINES}
GOOD["alif"] = alif()
KEYS = {**{neuron: keys.split() for neuron, (_, keys) in baselines.BASELINES.items()},
        "alif": ["beta", "tau_a"]}
for neuron, net in GOOD.items():
    if neuron != "psn":  # refused for its first layer
        accepted(f"good {neuron}", net)
    for key in [f"{key}1" for key in ["W", "b", *KEYS[neuron]] if key != "W"]:
        if neuron == "psn":  # refused for its first layer
            continue
        refused(f"{neuron} without {key}", {k: v for k, v in net.items() if k != key},
                f"expected a member '{key}'", "models/mmdend/README.md")
        refused(f"{neuron}, more axes of {key}", changed(net, key, np.zeros((3, 2, 1, 1))),
                f"'{key}'", "expected", r"found.*\(3, 2, 1, 1\)")
        refused(f"{neuron}, nan in {key}", changed(net, key, np.full(np.shape(net[key]), np.nan)),
                f"'{key}'", "finite", "nan")
    for entries in ({"U": 4}, {"f": "relu"}, {"norm": "batch"}):
        if neuron != "alif" or "norm" in entries:
            refused(f"{neuron} with {entries}", {**net, "meta": {**net["meta"], **entries}},
                    "'meta'", f"'{next(iter(entries))}'", "may change")

for neuron, key, value, *patterns in (
        ("plif", "tau0", np.full(8, 2.0), r"\(9,\)", "one per channel", r"found \(8,\)"),
        ("plif", "tau0", 0.5, "at least one step", "found 0.5"),
        ("klif", "tau1", np.zeros(7), "at least one step", "found 0"),
        ("glif", "gamma0", 1.5, "from 0 to 1", "found 1.5"),
        ("glif", "theta1", 0.0, "above 0", "found 0"),
        ("pmsn", "dt0", np.zeros(9), "above 0", "channel 0"),
        ("pmsn", "lam_re0", np.full((9, 3), 0.1), "below 1", "mode 0", "does not decay"),
        ("pmsn", "C1", np.zeros((7, 2, 2)), "D = 7, K = 3", r"found \(7, 2, 2\)"),
        ("pmsn", "theta0", -1.0, "above 0", "found -1"),
        ("masked_psn", "w0", np.eye(8)[:, :5], "one row and one column per step",
         r"\(8, 5\)"),
        ("masked_psn", "w1", np.eye(8) + 0.5 * np.eye(8, k=3), "the past only",
         "weight 0.5 of the input of step 3 at step 0", "train a masked_psn"),
        ("masked_psn", "theta0", np.ones(7), r"\(8,\)", "one per row of w", r"found \(7,\)"),
        ("sliding_psn", "theta0", np.ones(4), "one number", r"found \(4,\)"),
        ("psn", "w0", np.ones((8, 8)), "the past only", "neither a chip nor an engine"),
        ("alif", "beta0", -0.1, "at least 0", "found -0.1"),
        ("alif", "tau_a1", 0.1, "at least one step", "found 0.1")):
    refused(f"{neuron} with {key} = {value}", changed(GOOD[neuron], key, value), f"'{key}'",
            *patterns)
refused("layers", {**GOOD["glif"], "meta": {"neuron": "glif", "layers": 1}}, '"layers"',
        "expected 2", "found 1")
refused("decode", {**GOOD["glif"], "meta": {"neuron": "glif", "decode": "max"}}, '"decode"',
        "mean or last=N")
refused("an unknown neuron", {**GOOD["glif"], "meta": {"neuron": "slif"}}, '"neuron"',
        "plif, klif, glif, psn, masked_psn, sliding_psn, pmsn, alif", "slif")
sys.exit(TESTED.end())
