# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/nir/DynamicsWarnings.cpp, compiler/import/nir/Dynamics.cpp,
# compiler/import/nir/Graph.cpp, compiler/import/npz/Npz.cpp, compiler/import/npz/dendricl/Dendricl.cpp,
# compiler/import/lava/Netx.cpp, compiler/transforms/quantise/BodyParams.cpp and
# runtime/driver/ExportCommand.cpp.
"""Warnings of runtime/session/WARNINGS.md that name a property of one kind of file: each
provoked once, and every code of the page named by some test."""
import re
import subprocess
import sys

from support import FOLDER, DENDROLITH, ROOT, check, np
from warned import CHAIN, PAGE, SEEN, expect, lif, linear, save, some, write

import h5py
import dendricl_networks
import mmdend_checkpoints

sys.path.insert(0, str(ROOT / "models" / "netx"))
import netx_files as netx

# NIR: conventions that are not the file's, delays, and what a file need not have.
IF = "IF", {"r": [2, 2], "v_threshold": [1, 1]}
expect("ignored-r", "node 'n'", write("unit", CHAIN, w=linear(1.2), n=IF), "--input", some,
       "--import", "if-convention=unit", absent=("if-convention",))
steps = "IF", {"r": [1e4, 1e4], "v_threshold": [1, 1]}
expect("if-convention", "node 'n'", write("per_dt", CHAIN, w=linear(1.2), n=steps), "--input",
       some, absent=("ignored-r",))
late = write("late", ["input>w", "w>d", "d>n", "n>output"], w=linear(3),
             d=("Delay", {"delay": [2.5e-4, 1e-4]}), n=lif())
expect("rounded-delay", "node 'd'", late, "--input", some, "--import", "dt=1e-4")
around = write("around", ["input>w", "w>a", "a>x", "x>b", "b>y", "y>a", "b>output"],
               w=linear(3), x=linear(1), y=linear(1), a=lif(), b=lif())
expect("loop-delay", "the file", around, "--input", some)
alone = write("alone", ["n>output"], n=("LIF", {
    "tau": [2e-4, 4e-4], "r": [1, 1], "v_leak": [2, 2], "v_threshold": [1, 1]}))
with h5py.File(alone, "a") as f:
    del f["node/nodes/input"]
far = write("far", ["input>w", "w>n", "input>d", "d>x", "x>n", "n>output"], w=linear(3),
            x=linear(2), d=("Delay", {"delay": [7e-3, 7e-3]}), n=lif())
expect("relays", "", far, "--input", some, "--calibrate", some, "--target", "loihi1")
expect("no-input", "the file", alone, "--steps", "5")
# What a training tool's file leaves open: snnTorch's is known by v_reset and tau/r.
leaky = "LIF", {**lif(tau=(1e-3, 5e-4), r=(10, 5))[1], "v_reset": [0, 0]}
result = expect("assumed-rule", "", write("leaky", CHAIN, w=linear(1.2), n=leaky), "--input", some,
                "--engine", "float", absent=("weighted-sums",))
check(result["policies"]["read as"] == "snnTorch 1.0: reset by subtraction, one step later",
      "what it is read as")
expect("weighted-sums", "node 'output'", write("sums", ["input>w", "w>n", "n>x", "x>output"],
       w=linear(1.2), x=linear(1), n=leaky), "--input", some, "--engine", "float")
batched = write("batched", CHAIN, w=linear(1.2), n=lif())
with h5py.File(batched, "a") as f:
    for end in ("input", "output"):
        del f[f"node/nodes/{end}/shape"]
        f[f"node/nodes/{end}/shape"] = np.array([1, 2])
expect("batch-axis", "node 'output'", batched, "--input", some, "--engine", "float")
newer = write("newer", CHAIN, w=linear(3), n=lif())
with h5py.File(newer, "a") as f:
    del f["version"]
    f["version"] = "7.1"
expect("unknown-version", "the file", newer, "--input", some)
marked = write("marked", CHAIN, w=linear(3), n=lif())
with h5py.File(marked, "a") as f:
    f.attrs["writer"] = "someone"
expect("unused-attributes", "", marked, "--input", some)

# Checkpoints.
net = dendricl_networks.random_net(3)
tokens, _ = dendricl_networks.tasks(4, 3, 8, 4)
x = save("tokens", tokens)
net["extra"] = np.ones(3)
extra = mmdend_checkpoints.save(FOLDER / "extra.npz", net)
RUN = ["--input", x, "--target", "loihi2"]
expect("unused-array", f"{extra}: 'extra'", extra, *RUN, absent=("unstable-step",))
del net["extra"]
fast = mmdend_checkpoints.save(FOLDER / "fast.npz", {**net, "gamma": np.array(3.0)})
expect("unstable-step", f"{fast}: 'gamma'", fast, *RUN, absent=("unused-array",))
told = tokens.copy()
told[:, -1, 4] = 1.5
told_file = save("told", told)
expect("told-label", f"input '{told_file}'", mmdend_checkpoints.save(FOLDER / "net.npz", net),
       "--input", told_file, "--target", "loihi2")

# Parameters of a body in a chip's formats.
shapes = mmdend_checkpoints.checkpoint(5, 6, [("turning modes", 2, 3, 6, 4)])
grey = save("grey", np.random.default_rng(6).integers(0, 9, (2, 10, 6)).astype(np.uint8))
CHIP = ["--input", grey, "--target", "loihi2"]
slow = {**shapes, "lam_re0": np.full((2, 3), -0.001)}
expect("slow-pole", "layer 'L0'", mmdend_checkpoints.save(FOLDER / "slow.npz", slow), *CHIP)


def codes_of(*arguments):
    """Codes that a command printed; it may end as it likes."""
    done = subprocess.run([DENDROLITH, *map(str, arguments)], capture_output=True, text=True)
    found = set(re.findall(r"^warning: .*\[([a-z-]+)\]$", done.stderr, re.M))
    SEEN.update(found)
    return found


for code, change, flags in (
        ("rounded-to-zero", {"C0": shapes["C0"] * np.array([1, 1, 1e-9])[:, None]}, CHIP),
        ("rounded-parameter", {"phi_s0": np.array(2e-5)}, CHIP),
        # Most potentials are 0, and so is a rung.
        ("coarse-potential", {"phi_p0": np.array(0.0), "b0": np.zeros(10)},
         ["--input", save("hardly", (np.arange(120) == 30).reshape(2, 10, 6).astype(np.uint8)),
          "--target", "loihi2"])):
    model = mmdend_checkpoints.save(FOLDER / f"{code}.npz", {**shapes, **change})
    check(code in codes_of("run", model, *flags), f"{code}: other {', '.join(change)}")
(FOLDER / "never.mlir").write_text("""
dend.network @never {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<binary>
  dend.neuron @m ports(%I : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %far = dend.literal 1.0e+03 : f64 as f64
    %one = dend.literal 1.0 : f64 as f64
    %is = dend.cmp gt %I, %far : (f64, f64) -> i1
    %w = dend.when %is keep(%v : f64) -> (f64) {
      %sum = dend.add %v, %I : (f64, f64) -> f64
      dend.give %sum : f64
    }
    %half = dend.literal 0.5 : f64 as f64
    %kept = dend.mul %w, %half : (f64, f64) -> f64
    %next = dend.add %kept, %I : (f64, f64) -> f64
    %s = dend.cmp gt %next, %one : (f64, f64) -> i1
    dend.yield states(%next : f64) emit(%s : i1)
  }
  dend.constant @w : tensor<2x2xf64> = dense<[[0.5, 1.0], [2.0, 0.25]]> : tensor<2x2xf64>
  dend.population @p : @m[2] on @step
  dend.project @x -> @p["I"] #dend.dense weight @w delay 0
  dend.output @y = @p["s"]
}
""")
found = codes_of("run", FOLDER / "never.mlir", "--input", some, "--target", "loihi2")
check("unseen-values" in found, f"unseen-values: a region that never ran: {found}")

# NetX: what its loader ignores or cuts.
weight = np.array([[20, -6, 4, 8], [2, 4, -90, 6], [64, 2, 2, 2]])
four = save("four", np.ones((2, 5, 4), int))


def net_of(name, *layers):
    netx.write(FOLDER / f"{name}.net", list(layers))
    return FOLDER / f"{name}.net", "--input", four


check("ignored-weights" in codes_of("run", *net_of(
    "entry", netx.entry(4, netx.cuba(), weight=np.array([2.0])),
    netx.dense(weight, netx.cuba()))), "ignored-weights: of the input layer")
check("ignored-average" in codes_of("run", *net_of("mean", netx.dense(weight, netx.cuba()), {
    "type": netx.text("average"), "shape": np.array([1])})), "ignored-average: the host's sums")
check("ignored-reset" in codes_of("run", *net_of("kept", netx.dense(weight, netx.sdnn())),
                                  "--import", "reset-interval=4"),
      "ignored-reset: sigma-delta neurons go on")
check("cut-fraction" in codes_of("run", *net_of("cut", netx.dense(
    weight, netx.cuba(), bias=np.array([1.5, 0, 0])))), "cut-fraction: a bias with a half")
both = {"real": weight, "imag": weight}
found = codes_of("run", *net_of("turn", netx.dense(both, netx.resonator(
    sine=2751, cosine=2751), outputs=3)))
check("uncertain-rotation" in found, f"uncertain-rotation: a whole number: {found}")

# Export without samples.
check("export-ranges" in codes_of("export", marked, "--format", "lava", "-o", FOLDER / "e.lava.pb") and
      "export-ranges" not in codes_of("export", marked, "--format", "lava", "--input", some, "-o",
                                      FOLDER / "f.lava.pb"), "export-ranges: without samples")

# Every code is named by a test.
texts = [path.read_text() for pattern in ("*.py", "*.cpp", "*.mlir", "*.test")
         for path in (ROOT / "tests").rglob(pattern)]
codes = re.findall(r"^\| `([a-z-]+)`", PAGE, re.M)
unnamed = [code for code in codes
           if not any(re.search(rf"[\"'\[]{code}[\"'\]]", text) for text in texts)]
check(len(codes) > 30 and not unnamed, f"{len(codes)} codes, without a test: {unnamed}")
print(f"seen: {', '.join(sorted(SEEN))}")
