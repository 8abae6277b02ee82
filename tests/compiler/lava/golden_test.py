# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/lava/Build.cpp, compiler/lava/Neurons.cpp.
"""The golden cases recorded from Lava (../shared/data/lava): outputs and states
at every step, in each engine, and on loihi2. What loihi1 holds: chips_test.py."""
import json
import sys

from lava_net import ENGINES, Net, ROOT, check, np, run, same

DATA = ROOT.parent / "shared" / "data" / "lava"
if not DATA.exists():
    print(f"skipped: {DATA} is not there")
    sys.exit(77)
PARAMETERS = json.loads((DATA / "process_golden.json").read_text())
GOLDEN = np.load(DATA / "process_golden.npz")
CLASSES = ("LIFReset", "LIF", "TernaryLIF", "ATRLIF", "RF_IZ", "RF", "SigmaDelta", "Delta",
           "Sigma", "GradedReluVec", "GradedVec", "ProdNeuron", "DelayDense", "Dense",
           "Conv")


def last_first(x):
    """Time, which is last in the recordings, first."""
    return np.moveaxis(x, -1, 0)


def case(name):
    cls = next(c for c in CLASSES if name.startswith(c))
    kwargs = {k: np.array(v) if isinstance(v, list) and k not in ("input_shape",)
              else tuple(v) if isinstance(v, list) else v
              for k, v in PARAMETERS[name].items()}
    if cls == "SigmaDelta":
        kwargs["act_mode"] = "RELU" if "relu" in name else "UNIT"
    given = {key.split("/")[2]: last_first(GOLDEN[key]) for key in GOLDEN.files
             if key.startswith(name + "/in/")}
    out = last_first(GOLDEN[name + "/out"])
    states = {("p", key.split("/")[2]): GOLDEN[key] for key in GOLDEN.files
              if key.startswith(name + "/state/")}
    net = Net(name)
    if cls in ("Dense", "Conv", "DelayDense"):
        # A vector of graded neurons without threshold shows what arrives.
        net.process("synapse", cls, **kwargs)
        net.process("p", "GradedVec", out.shape[1:], vth=0)
        net.connect("synapse", "p")
    else:
        net.process("p", cls, out.shape[1:], **kwargs)
    for port, x in given.items():
        net.input(port, "synapse" if port == "s_in" else "p",
                  min(0, int(x.min())), max(1, int(x.max())), port)
    if not kwargs.get("cum_error"):
        states.pop(("p", "error"), None)  # always 0, our neuron has none
    return net, given, out, states


for name in PARAMETERS:
    net, given, out, states = case(name)
    for engine in ENGINES:
        found, traced, _ = run(net, given, engine, list(states),
                               *(["--verify"] if engine == "cycle" else []))
        same(f"{name} in {engine}, output", found["p"], out)
        for key in states:
            same(f"{name} in {engine}, state {key[1]}", traced[key], states[key])
    found, traced, _ = run(net, given, "cycle", list(states), "--target", "loihi2")
    same(f"{name} in cycle on loihi2, output", found["p"], out)
    for key in states:
        same(f"{name} on loihi2, state {key[1]}", traced[key], states[key])
    check(True, f"{name}: {len(out)} steps of output and "
                f"{', '.join(k[1] for k in states) or 'no state'} in {', '.join(ENGINES)}"
                ", and cycle on loihi2")
