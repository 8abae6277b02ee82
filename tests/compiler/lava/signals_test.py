# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith_lava/signals.py, runtime/driver/ExportCommand.cpp.
"""`network.source` and `network.read`: what they put before and behind a network is
scaled, padded and cut so that read() gives what `dendrolith run` gives."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [sys.argv[3], str(HERE / "standin"), str(HERE), str(HERE.parents[1] / "e2e")]
from support import FOLDER, ROOT, check, dendrolith, np  # noqa: E402

try:
    import google.protobuf  # noqa: F401
except ImportError:
    print("skipped: protobuf for Python is not installed")
    sys.exit(77)
from executor import Executor  # noqa: E402
from dendrolith_lava import FileError, lava_pb2 as pb, load  # noqa: E402
from dendrolith_lava.signals import decode, encode  # noqa: E402


def play(network, steps):
    """What Lava does: `steps` steps with the buffers that are connected."""
    executor = Executor(network)
    signals = network.signals
    rings = [ring for found in signals.sources.values() for ring in found]
    for t in range(steps):
        sent = {id(ring.s_out): ring.data[..., t % ring.data.shape[-1]].astype(np.int64)
                for ring in rings}
        for name, value in executor.step(sent=sent).items():
            sink = signals.sinks[name]
            if hasattr(sink, "rows"):
                sink.rows[t] = value
            else:
                sink.data.init[..., t % sink.data.shape[-1]] = value


lif, path = ROOT / "models" / "lif", FOLDER / "lif.pb"
x = np.load(lif / "test_x.npy")[0]
np.save(FOLDER / "x.npy", x)
said = dendrolith("export", lif / "shapes_lif.nir", "--input", FOLDER / "x.npy", "--target", "loihi1",
               "--format", "lava", "-o", path)
check("Choices" in said and "the first of the run itself" in said and "target: loihi1" in said,
      "export says what it chose")
dendrolith("run", lif / "shapes_lif.nir", "--input", FOLDER / "x.npy", "--target", "loihi1",
        "--engine", "functional", "--out", FOLDER / "out")
wanted = np.load(FOLDER / "out" / "outputs.npy")
network = load(path)
rings = network.source("input", x)
check(network.steps == len(x) + max(o.latency for o in network.message.outputs),
      f"{network.steps} steps: the input's and the latency")
check(all(r.data.shape[-1] == network.steps and not r.data[..., len(x):].any() for r in rings),
      "the source is padded with zeros to its end")
play(network, network.steps)
name, = network.outputs
found = network.read(name)
check(found.shape == wanted.shape and np.allclose(found, wanted, rtol=1e-12),
      "read() gives what `dendrolith run` with the same input gives, in its units")

# Neurons with a matrix of states, fed by a port of its shape: their axes are none of a picture.
FX = "tensor<2x3x!dend.fx<24, 0>>"
weights = [[(2 * row + column) % 50 + 1 for column in range(2)] for row in range(12)]
(FOLDER / "matrix.mlir").write_text(f"""dend.network @matrix {{
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<binary>
  dend.neuron @cell ports(%M : {FX}) states(%m : {FX} reset sample) outputs(s : !dend.spike<binary>) {{
    %next = dend.add %m, %M : ({FX}, {FX}) -> {FX}
    %z = dend.literal 10 : i64 as !dend.fx<24, 0>
    %s = dend.cmp gt %z, %z : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> i1
    dend.yield states(%next : {FX}) emit(%s : i1)
  }}
  dend.constant @W : tensor<12x2xi8> = dense<{weights}> : tensor<12x2xi8>
  dend.population @p : @cell[2] on @step
  dend.project @x -> @p["M"] #dend.dense weight @W delay 0
  dend.output @s = @p["s"]
  dend.output @m = probe @p["m"]
}}
""")
np.save(FOLDER / "events.npy", np.array([[1, 0], [0, 1], [1, 1], [0, 0]], np.uint8))
dendrolith("export", FOLDER / "matrix.mlir", "--format", "lava", "-o", FOLDER / "matrix.pb")
dendrolith("run", FOLDER / "matrix.mlir", "--input", FOLDER / "events.npy", "--target", "ideal", "--out",
           FOLDER / "matrix")
matrices = load(FOLDER / "matrix.pb")
matrices.source("x", np.load(FOLDER / "events.npy"))
play(matrices, matrices.steps)
for output, wanted in np.load(FOLDER / "matrix" / "outputs.npz").items():
    found = matrices.read(output)
    check(found.shape == wanted.shape and np.array_equal(found, wanted),
          f"'{output}' of neurons with matrices: {found.shape}, expected {wanted.shape}")
picture = np.arange(3 * 2 * 2 * 4 * 5).reshape(2, 2, 3, 4, 5)  # (W, H, C, state, steps)
check(np.array_equal(decode(picture, pb.Output(), 5, axes=3)[4, 2, 1, 0], picture[0, 1, 2, :, 4]),
      "states of neurons in a picture: the neurons' axes are turned round, the states' are not")
# Lava gives a part that nobody ran no runtime.
matrices.signals.sinks["m"].runtime = None
try:
    matrices.read("m")
    text = "nothing was raised"
except FileError as error:
    text = str(error)
check("output 'm'" in text and "never run" in text and "network['p'].run" in text, f"refused: {text}")

# (C, H, W) in the host's order, values with a scale, clipping and refusals.
message = pb.Input(name="x", lowest=-4, highest=4, scale=2)
data = encode(np.array([[[[0.25, 0.75], [-9, 1]]]]), message, (2, 2, 1), 3)
check(data.shape == (2, 2, 1, 3) and data[:, :, 0, 0].T.tolist() == [[0, 2], [-4, 2]]
      and not data[..., 1:].any(), "rounded half to even, clipped, as (W, H, C)")
whole = pb.Input(name="x", lowest=0, highest=1)
for values, words in (([[0.5]], "expected integers"), ([[2]], "from 0 to 1"),
                      ([[np.nan]], "finite"), ([[0, 1]], "2 values in a step, expected 1")):
    try:
        encode(values, whole, (1,), 2)
        text = "nothing was raised"
    except FileError as error:
        text = str(error)
    check(words in text, f"refused: {text}")
back = decode(np.arange(12).reshape(1, 2, 2, 3), pb.Output(latency=1), 2)
check(back.shape == (2, 2, 2, 1) and back[0, :, :, 0].tolist() == [[1, 7], [4, 10]],
      "an output of three axes comes back as (C, H, W), without its latency")
for call, words in ((lambda: load(path).read(name), "give every input a source"),
                    (lambda: load(path).source("other", x), "expected one of"),
                    (lambda: network.source("input", x), "has a source")):
    try:
        call()
        text = "nothing was raised"
    except FileError as error:
        text = str(error)
    check(words in text, f"refused: {text}")
