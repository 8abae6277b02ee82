# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/export/lava/ExportNetwork.cpp,
# compiler/export/lava/ExportNetwork.cpp.
"""Networks that ask something of the export: delays, loops, direct connections,
wide weights, convolutions, biases behind other layers, NetX files. Each is
exported, loaded, run step by step, and equals the functional engine."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [sys.argv[3], str(HERE / "standin"), str(HERE), str(HERE.parents[1] / "e2e")]
from support import FOLDER, DENDROLITH, check, dendrolith, np  # noqa: E402

try:
    import google.protobuf  # noqa: F401
except ImportError:
    print("skipped: protobuf for Python is not installed")
    sys.exit(77)
from executor import run as run_lava  # noqa: E402
from dendrolith_lava import load  # noqa: E402

rng = np.random.default_rng(5)
FX = "!dend.fx<32, 0>"


def constant(name, values, bits=32):
    values = np.asarray(values)
    shape = "x".join(map(str, values.shape)) + ("x" if values.ndim else "")
    return f"dend.constant @{name} : tensor<{shape}i{bits}> = dense<{values.tolist()}> : tensor<{shape}i{bits}>"


def cuba(name, size, du=300, dv=500, threshold=64 * 40, bias=0, start=0, options=""):
    """A population of dend.cuba neurons; bias may be a list."""
    values = dict(du=du, dv=dv, th=threshold, bias=bias)
    kinds = ", ".join(f"%{k} : i32{' per_neuron' if np.ndim(v) else ''}" for k, v in values.items())
    bind = ", ".join(f"{k} = @{name}_{k}" for k in values)
    return "\n".join([constant(f"{name}_{k}", v) for k, v in values.items()] + [f"""
dend.neuron @{name}_model ports(%I : !dend.fx<64, 0>) params({kinds})
    states(%u : {FX} reset sample, %v : {FX} reset sample init {start}, %r : i32 reset sample)
    outputs(s : !dend.spike<binary>) {{
  %s, %u1, %v1, %r1 = dend.cuba %I, %u, %v, %r decay %du, %dv threshold %th bias %bias {options} : (!dend.fx<64, 0>, {FX}, {FX}, i32, i32, i32, i32, i32) -> (i1, {FX}, {FX}, i32)
  dend.yield states(%u1, %v1, %r1 : {FX}, {FX}, i32) emit(%s : i1)
}}
dend.population @{name} : @{name}_model[{size}] on @step bind {{{bind}}}
dend.output @{name}_spikes = @{name}["s"]
dend.output @{name}_v = probe @{name}["v"]"""])


def network(name, input_size, *parts, spike="binary", shape=None):
    shape = shape or [input_size]
    text = "\n".join([f"dend.network @{name} {{", "dend.clock @step",
                      f"dend.input @x on @step : tensor<{'x'.join(map(str, shape))}xf64> as !dend.spike<{spike}>",
                      *parts, "}"])
    path = FOLDER / f"{name}.mlir"
    path.write_text(text)
    return path


def project(source, target, kind, weight, *rest, output='["s"]'):
    name = f"w{rng.integers(1 << 40)}"
    source += "" if source == "x" else output
    return (constant(name, weight) +
            f'\ndend.project @{source} -> @{target}["I"] {kind} weight @{name} {" ".join(rest)}')


def agree(name, path, x, classes, target="loihi1"):
    np.save(FOLDER / "x.npy", x.astype(float))
    dendrolith("run", path, "--input", FOLDER / "x.npy", "--out", FOLDER / name, "--target", target)
    out = FOLDER / name / "outputs.npz"
    want = dict(np.load(out)) if out.exists() else {None: np.load(FOLDER / name / "outputs.npy")}
    file = FOLDER / f"{name}.lava.pb"
    dendrolith("export", path, "--format", "lava", "-o", file)
    net = load(file)
    found = sorted({type(p).__name__.rstrip("0123456789") for p in net.values()})
    check(classes is None or found == classes, f"{name}: processes {', '.join(found)}")
    host = net.message.inputs[0].name
    got = run_lava(load, file, {host: x}, len(x))
    for key, value in got.items():
        value = value.transpose(0, 3, 2, 1) if value.ndim == 4 else value
        wanted = want[key if key in want else None].reshape(len(x), -1)
        check(np.array_equal(value.reshape(len(x), -1) / net.outputs[key].scale, wanted),
              f"{name}: {key} at {len(x)} ticks ({np.count_nonzero(wanted)} not zero)")
    return want


def spikes(ticks, size, rate=.4):
    return (rng.random((ticks, size)) < rate).astype(np.int64)


def weights(rows, columns, top=100):
    return rng.integers(-top, top + 1, (rows, columns))


# Two paths of different length meet; the bias of the second layer waits for it.
agree("paths", network(
    "paths", 5, cuba("a", 6), cuba("b", 4, bias=[640, -320, 64 * 7, 0], start=128),
    project("x", "a", "#dend.dense", weights(6, 5), "shift 6"),
    project("a", "b", "#dend.dense", weights(4, 6), "shift 7"),
    project("x", "b", "#dend.dense", weights(4, 5), "delay 2 shift 6")),
    spikes(60, 5), ["DelayDense", "Dense", "LIF"])
# What makes up for the negative bias would cross the threshold: not stock.
agree("crossing", network(
    "crossing", 5, cuba("a", 6), cuba("b", 4, bias=[0, 0, 0, -3008]),
    project("x", "a", "#dend.dense", weights(6, 5), "shift 6"),
    project("a", "b", "#dend.dense", weights(4, 6), "shift 7")),
    spikes(60, 5), ["Dense", "LIF", "Population"])
agree("loop", network(
    "loop", 5, cuba("a", 6, dv=0, bias=[-128] * 6, threshold=64),
    cuba("b", 6, du=4095),
    project("x", "a", "#dend.dense", weights(6, 5), "shift 6"),
    project("a", "a", "#dend.dense", weights(6, 6), "delay 1 shift 6"),
    project("a", "b", "#dend.diagonal", [64] * 6), project("b", "a", "#dend.dense", weights(6, 6), "delay 2 shift 6")),
    spikes(60, 5), ["DelayDense", "Dense", "LIF"])
agree("odd", network("odd", 5, cuba("a", 6, threshold=64 * 40 + 1),
                     project("x", "a", "#dend.dense", weights(6, 5), "shift 6")),
      spikes(60, 5), ["Dense", "Population"],
      "loihi1,formats.threshold_shift=0,formats.threshold_bits=24")
agree("refractory", network("refractory", 5, cuba("a", 6, options="{refractory = 3 : i64}"),
                            project("x", "a", "#dend.dense", weights(6, 5), "shift 6")),
      spikes(60, 5), ["Dense", "Population"])
wide = rng.integers(-(1 << 11), 1 << 11, (6, 5))
wide[0], wide[:, 0] = -128, 255
agree("wide", network("wide", 5, cuba("a", 6, threshold=64 * 3000),
                      project("x", "a", "#dend.dense", wide, "shift 6"),
                      spike="int, -9, 9"), rng.integers(-9, 10, (60, 5)), ["Dense", "LIF"],
      "loihi1,synapse_memory.weight_bit_codes=8+12,formats.weight_bits=12")
one_sign = np.concatenate([rng.integers(0, 256, (3, 5)), rng.integers(-256, 0, (3, 5))])
for k, part in enumerate((one_sign[:3], one_sign[3:])):
    agree(f"sign{k}", network(f"sign{k}", 5, cuba("a", 3), project("x", "a", "#dend.dense", part, "shift 6")),
          spikes(40, 5), ["Dense", "LIF"])
agree("direct", network("direct", 5, cuba("a", 5), cuba("b", 5, threshold=0),
                        project("x", "a", "#dend.diagonal", [640] * 5),
                        project("a", "b", "#dend.diagonal", [64] * 5)),
      spikes(60, 5), ["Dense", "LIF"])

# Sums of 40 bits: what weights share goes into the port's unit, the bias is finer.
agree("shared", network(
    "shared", 5, """dend.neuron @sum ports(%I : !dend.fx<40, 0>) states(%v : !dend.fx<40, 0> reset sample) {
  %w = dend.add %v, %I : (!dend.fx<40, 0>, !dend.fx<40, 0>) -> !dend.fx<40, 0>
  dend.yield states(%w : !dend.fx<40, 0>)
}
dend.population @a : @sum[6] on @step
dend.output @a_v = probe @a["v"]""",
    constant("b", [3, -5, 0, 70, 9, -1], 64),
    project("x", "a", "#dend.dense", weights(6, 5), "bias @b shift 13"), spike="int, -30000, 30000"),
    rng.integers(-30000, 30001, (40, 5)), ["Dense", "Population"], "ideal")
check({p.proc_params.get("values", {}).get("unit_I") for p in
       load(FOLDER / "shared.lava.pb").values() if "Population" in type(p).__name__} == {8},
      "8 of 40 bits are the port's unit")


def conv(padding, stride=(1, 1), groups=1, channels=2):
    return (f"#dend.conv<input = [{channels}, 6, 5], stride = [{stride[0]}, {stride[1]}], padding = "
            f"[{', '.join(map(str, padding))}], dilation = [1, 1], groups = {groups}>")


image = spikes(30, 60).reshape(30, 2, 6, 5)
agree("conv", network(
    "conv", 60, cuba("a", 4 * 6 * 5, threshold=64 * 90), cuba("b", 7),
    project("x", "a", conv((1, 1, 1, 1), groups=2), rng.integers(-60, 60, (4, 1, 3, 3)), "shift 6"),
    project("a", "b", "#dend.dense", weights(7, 120), "shift 6"),
    project("b", "a", "#dend.dense", weights(120, 7), "delay 2 shift 6"),
    shape=[2, 6, 5]), image, ["Conv", "Dense", "LIF"])
agree("lopsided", network(
    "lopsided", 60, cuba("a", 3 * 6 * 5, threshold=64 * 90),
    project("x", "a", conv((2, 1, 0, 1)), rng.integers(-60, 60, (3, 2, 3, 3)), "shift 6"),
    shape=[2, 6, 5]), image, ["LIF", "Sparse"])


def refused(text, path, *flags, form="lava"):
    ran = subprocess.run([DENDROLITH, "export", path, "--format", form, "-o", FOLDER / "no", *flags],
                         capture_output=True, text=True)
    check(ran.returncode == 1 and text in ran.stderr, f"refused: {ran.stderr.strip()}")


refused("@a -> @b -> @a has a delay of 1 ticks", network(
    "fast", 5, cuba("a", 6), cuba("b", 6), project("x", "a", "#dend.dense", weights(6, 5), "shift 6"),
    project("a", "b", "#dend.dense", weights(6, 6), "shift 6"),
    project("b", "a", "#dend.dense", weights(6, 6), "delay 1 shift 6")))
refused("at most 63", network("late", 5, cuba("a", 6),
                              project("x", "a", "#dend.dense", weights(6, 5), "delay 70 shift 6"),
                              project("x", "a", "#dend.dense", weights(6, 5), "shift 6")))
refused("32 bits", network("huge", 5, cuba("a", 6), project(
    "x", "a", "#dend.dense", np.full((6, 5), (1 << 28) + 1), "shift 6"), spike="int, -9, 9"))
refused("its threshold 2561 is no multiple of 64", FOLDER / "odd.mlir", form="stock-lava")
refused("no refractory time", FOLDER / "refractory.mlir", form="netx")

# NetX files: what comes back from an export is the same network.
NETX = HERE.parents[2] / "models/netx"
sys.path.insert(0, str(NETX))
try:
    import netx_files
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(0)
folder = FOLDER / "netx"
folder.mkdir()
subprocess.run([sys.executable, NETX / "netx_files.py", folder, "16"], check=True)
same = 0
for path in sorted(folder.glob("*.net")):
    again, file = path.with_suffix(".again.net"), path.with_suffix(".lava.pb")
    for form, out in (("netx", again), ("lava", file)):
        dendrolith("export", path, "--format", form, "-o", out)
    message = load(file).message
    (host,) = {i.name for i in message.inputs}
    shape = tuple(message.inputs[0].shape)[::-1]
    low, high = max(message.inputs[0].lowest, -40), min(message.inputs[0].highest, 40)
    x = rng.integers(low, high + 1, (20, *shape))
    np.save(FOLDER / "x.npy", x.astype(float))
    results = []
    for name in (path, again):
        dendrolith("run", name, "--input", FOLDER / "x.npy", "--out", FOLDER / name.stem)
        results.append(np.load(FOLDER / name.stem / "outputs.npy").reshape(20, -1))
    (value,) = run_lava(load, file, {host: x}, len(x)).values()
    value = (value.transpose(0, 3, 2, 1) if value.ndim == 4 else value).reshape(20, -1)
    check(np.array_equal(*results) and np.array_equal(value, results[0]),
          f"{path.name}: .net and .pb again, {np.count_nonzero(value)} of {value.size} not zero")
    same += value.any()
check(same > 4, f"{same} of the networks emit something")

# Biases behind the first layer wait for its input, which NetX's reset says.
late = network("late", 5, cuba("a", 6, bias=[64, -128, 0, 320, 640, 0]),
               cuba("b", 4, bias=[640, -320, 64 * 7, 0]), cuba("c", 3, dv=0, bias=[-640, 640, 832]),
               project("x", "a", "#dend.dense", weights(6, 5, 25), "shift 6"),
               project("a", "b", "#dend.dense", weights(4, 6, 25), "shift 6"),
               project("b", "c", "#dend.dense", weights(3, 4, 25), "shift 6")).read_text()
(FOLDER / "late.mlir").write_text(late.replace('dend.output @a_spikes = @a["s"]\ndend.output @a_v = probe @a["v"]', "")
                                  .replace('dend.output @b_spikes = @b["s"]\ndend.output @b_v = probe @b["v"]', "")
                                  .replace('dend.output @c_v = probe @c["v"]', ""))
np.save(FOLDER / "x.npy", spikes(60, 5).astype(float))
told = dendrolith("export", FOLDER / "late.mlir", "--format", "netx", "-o", FOLDER / "late.net")
check("reset_interval=N, reset_offset=1" in told, "the export says which reset its file asks for")
results = []
for name, *flags in (("late.mlir",), ("late.net", "--import", "reset-interval=1000,reset-offset=1"), ("late.net",)):
    dendrolith("run", FOLDER / name, "--input", FOLDER / "x.npy", "--out", FOLDER / "late", *flags)
    results.append(np.load(FOLDER / "late/outputs.npy").reshape(60, -1))
wanted, reset, early = results[0][:-3], results[1][3:], results[2][3:]  # a step a layer
check(np.array_equal(wanted, reset) and wanted.any(),
      f"late: .net with a reset, {np.count_nonzero(wanted)} of {wanted.size} not zero")
check(not np.array_equal(wanted, early), "late: without the reset the network is another")
