# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/export/lava/StockNeurons.cpp,
# compiler/export/lava/ExportNetwork.cpp.
"""The golden cases recorded from Lava, imported and exported again: stock
processes of the same classes, which give the recorded outputs."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [sys.argv[3], str(HERE / "standin")]
from executor import run as run_lava  # noqa: E402
from lava_net import MODULES, Net, ROOT, check, np, to_dend  # noqa: E402
from dendrolith_lava import load  # noqa: E402
from support import FOLDER, dendrolith  # noqa: E402

DATA = ROOT.parent / "shared" / "data" / "lava"
if not DATA.exists():
    print(f"skipped: {DATA} is not there")
    sys.exit(77)
PARAMETERS = json.loads((DATA / "process_golden.json").read_text())
GOLDEN = np.load(DATA / "process_golden.npz")


def case(name):
    """The case as a network; a synapse process is watched by graded neurons."""
    cls = max((c for c in MODULES if name.startswith(c)), key=len)
    kwargs = {k: tuple(v) if k == "input_shape" else np.array(v) if isinstance(v, list) else v
              for k, v in PARAMETERS[name].items()}
    if cls == "SigmaDelta":
        kwargs["act_mode"] = "RELU" if "relu" in name else "UNIT"
    given = {key.split("/")[2]: np.moveaxis(GOLDEN[key], -1, 0) for key in GOLDEN.files
             if key.startswith(name + "/in/")}
    out = np.moveaxis(GOLDEN[name + "/out"], -1, 0)
    net = Net(name)
    synapses = "s_in" in given
    if synapses:
        net.process("synapse", cls, **kwargs)
        net.process("p", "GradedVec", out.shape[1:], vth=0).connect("synapse", "p")
    else:
        net.process("p", cls, out.shape[1:], **kwargs)
    for port, x in given.items():
        net.input(port, "synapse" if synapses else "p", min(0, int(x.min())),
                  max(1, int(x.max())), port)
    return net, cls, given, out


for name in PARAMETERS:
    net, cls, given, out = case(name)
    again = FOLDER / f"{name}.again.lava.pb"
    dendrolith("export", net.save(), "--format", "stock-lava", "-o", again)
    classes = {type(p).__name__ for p in load(again).values()}
    check(cls in classes and classes <= {cls, "GradedVec"}, f"{name}: exported as {sorted(classes)}")
    (found,) = run_lava(load, again, {k: to_dend(x) for k, x in given.items()}, len(out)).values()
    check(found.reshape(out.shape).tolist() == out.tolist() if found.ndim == out.ndim
          else to_dend(out).reshape(len(out), -1).tolist() == found.reshape(len(out), -1).tolist(),
          f"{name}: {len(out)} recorded steps of output")
