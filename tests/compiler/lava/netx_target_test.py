# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests targets/netx/chip.yaml, compiler/export/lava/StockNeurons.cpp,
# compiler/import/lava/Plan.cpp.
"""NIR to NetX: what --target netx quantises is a file that NetX carries, and the file
gives the spikes of the model on that target."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "e2e"), str(HERE.parents[0] / "import" / "nir")]
from support import FOLDER, DENDROLITH, check, dendrolith, np  # noqa: E402

try:
    import h5py
    import random_graphs
except ImportError:
    print("skipped: needs h5py")
    sys.exit(77)

rng = np.random.default_rng(7)


class File:
    old = False

    def __init__(self, sizes):
        self.nodes = {"input": {"type": "Input", "shape": np.array(sizes[:1])}}
        for i, (inputs, outputs) in enumerate(zip(sizes, sizes[1:])):
            full = {k: np.full(outputs, v) for k, v in
                    (("tau", 5e-4), ("r", 5.0), ("v_leak", 0.0), ("v_threshold", 1.0))}
            self.nodes[f"w{i}"] = {"type": "Linear",
                                   "weight": rng.normal(0, 1.5 / np.sqrt(inputs),
                                                        (outputs, inputs))}
            self.nodes[f"n{i}"] = {"type": "LIF", **full}
        self.nodes["output"] = {"type": "Output", "shape": np.array(sizes[-1:])}
        names = list(self.nodes)
        self.edges = list(zip(names, names[1:]))


model, file = FOLDER / "net.nir", FOLDER / "net.net"
random_graphs.write(model, File([20, 30, 30, 10]))
x = np.concatenate([(rng.random((50, 20)) < 0.4) * 1.0, np.zeros((3, 20))])
np.save(FOLDER / "x.npy", x)
dendrolith("export", model, "--input", FOLDER / "x.npy", "--target", "netx", "--format", "netx",
        "-o", file)
with h5py.File(file) as f:
    weights = np.concatenate([f[f"layer/{k}/weight"][()].ravel() for k in f["layer"]
                              if "weight" in f[f"layer/{k}"]])
check(np.abs(weights).max() == 254 and not (weights % 2).any() and len(np.unique(weights)) > 150,
      "weights use all of what NetX keeps, and no more")
dendrolith("run", model, "--input", FOLDER / "x.npy", "--target", "netx", "--out", FOLDER / "a")
dendrolith("run", file, "--input", FOLDER / "x.npy", "--out", FOLDER / "b")
ours, theirs = (np.load(FOLDER / k / "outputs.npy") for k in "ab")
check(ours.sum() > 10 and np.array_equal(ours[:50], theirs[3:]),
      f"{int(ours.sum())} spikes of the model on the target, three layers later in NetX")
done = subprocess.run([DENDROLITH, "export", model, "--input", FOLDER / "x.npy", "--target", "loihi1",
                       "--format", "netx", "-o", FOLDER / "no.net"], capture_output=True, text=True)
check(done.returncode == 1, f"loihi1's own weights are none: {done.stderr.strip()[:90]}")
done = subprocess.run([DENDROLITH, "export", model, "--target", "netx", "--format", "netx", "-o",
                       FOLDER / "warned.net"], capture_output=True, text=True)
check(done.returncode == 0 and "warning" in done.stderr and "its integers may differ"
      in done.stderr, "without --calibrate and --input export says what may differ")

# A threshold that no voltage reaches, as NetX's integrators have it.
text = FOLDER / "read.mlir"
FX = "!dend.fx<32, 0>"
values = dict(du=4095, dv=0, th=131072 * 64, bias=0)
text.write_text("dend.network @read {\ndend.clock @step\n"
                "dend.input @x on @step : tensor<2xf64> as !dend.spike<binary>\n" +
                "".join(f"dend.constant @{k} : tensor<i32> = dense<{v}> : tensor<i32>\n"
                        for k, v in values.items()) +
                "dend.constant @w : tensor<3x2xi16> = dense<[[64, 128], [-64, 192], [640, 64]]> "
                ": tensor<3x2xi16>\n" + f"""
dend.neuron @m ports(%I : !dend.fx<64, 0>) params(%du : i32, %dv : i32, %th : i32, %bias : i32)
    states(%u : {FX} reset sample, %v : {FX} reset sample, %r : i32 reset sample)
    outputs(s : !dend.spike<binary>) {{
  %s, %u1, %v1, %r1 = dend.cuba %I, %u, %v, %r decay %du, %dv threshold %th bias %bias : (!dend.fx<64, 0>, {FX}, {FX}, i32, i32, i32, i32, i32) -> (i1, {FX}, {FX}, i32)
  dend.yield states(%u1, %v1, %r1 : {FX}, {FX}, i32) emit(%s : i1)
}}
dend.population @n : @m[3] on @step bind {{du = @du, dv = @dv, th = @th, bias = @bias}}
dend.project @x -> @n["I"] #dend.dense weight @w delay 0
dend.output @o = @n["s"]
}}
""")
dendrolith("export", text, "--format", "netx", "-o", FOLDER / "read.net")
with h5py.File(FOLDER / "read.net") as f:
    found = [f[f"layer/{k}/neuron/vThMant"][()] for k in f["layer"] if "neuron" in f[f"layer/{k}"]]
check([int(np.ravel(v)[0]) for v in found] == [131072], "a threshold that is never reached")
