# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/lava/NetxLayer.cpp, compiler/import/lava/NetxNeuron.cpp.
"""NetX files that cannot be loaded, that NetX would load as something else, or
that are hostile: exit code 1 and one error with the layer, the dataset, what was
expected and what was found.

usage: netx_bad_test.py DENDROLITH NETX-TOOL [PART...]
"""
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: numpy or h5py is not installed")
    sys.exit(77)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "models/netx"))
import netx_files as files

DENDROLITH, TOOL = sys.argv[1:3]
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
BAD = FOLDER / "bad.net"
np.save(FOLDER / "x.npy", np.zeros((3, 4)))
failed = cases = 0


def refused(title, *patterns):
    global failed, cases
    cases += 1
    done = subprocess.run([DENDROLITH, "run", BAD, "--input", FOLDER / "x.npy"],
                          capture_output=True, text=True, timeout=60)
    wrong = [p for p in (r"bad\.net", *patterns) if not re.search(p, done.stderr)]
    lines = [l for l in done.stderr.splitlines() if not l.startswith("warning")]
    if done.returncode != 1 or len(lines) != 1 or wrong:
        failed += 1
        print(f"FAILED {title}: exit code {done.returncode}, no {wrong} in "
              f"{done.stderr!r}")


def bad(title, layers, *patterns, **more):
    files.write(BAD, layers, **more)
    refused(title, *patterns)


W = np.array([[20, -6, 4, 8], [2, 4, -90, 6], [64, 2, 2, 2]])


def one(*patterns, title=None, neuron=None, weight=W, without=None, **more):
    """A single dense layer with something else in it."""
    layer = files.dense(weight, files.cuba(**(neuron or {})), **more)
    layer.pop(without, None)
    bad(title or patterns[0], [layer], *patterns)


def changed(index, value, weight=W):
    weight = weight.copy()
    weight.flat[index] = value
    return weight


def weights():
    # These the loader changes in silence.
    KEEPS = "layer/0: weight: expected weights that NetX keeps"
    one(KEEPS, r"found 129 at \[0, 1\], of which it makes 128;", weight=changed(1, 129))
    one(KEEPS, "found 255 .*makes 254", weight=changed(1, 255))
    one(KEEPS, "found 300 .*makes 254", weight=changed(1, 300))
    one(KEEPS, "found -258 .*makes -256", weight=changed(1, -258))
    one(KEEPS, r"found 256 at \[2, 3\], of which it makes 0;",
        weight=changed(11, 256, np.abs(W)))
    one(KEEPS, "found -256 .*makes -255", weight=changed(3, -256, -np.abs(W)))
    one(KEEPS, "found -128 .*makes -126", weight=changed(3, -128, -np.abs(W) % 128 - 128))
    one(KEEPS, "found -1 .*makes 0", weight=-np.ones((3, 4), int))
    one("expected a weight other than 0, found none; NetX cannot scale", weight=0 * W)
    one("weight: expected -2147483647 to .*found 10000000000 at \\[0, 1\\]",
        weight=changed(1, 10 ** 10))
    one("weight: .*found nan at", weight=changed(1, np.nan, W.astype(float)))
    one("weight: .*found inf at", weight=changed(1, np.inf, W.astype("f4")))
    one("weight: missing", without="weight")
    one(r"expected weights \(3, in\) or 3 \* in in a row, found shape \(4, 3\)",
        weight=W.T, outputs=3)
    one(r"found shape \(13,\)", weight=np.ones(13), outputs=3)
    one(r"found shape \(3, 2, 2\)", weight=W.reshape(3, 2, 2))
    one("weight: expected weights .*, found text", weight="heavy", outputs=3)
    one("found none: shape \\(3, 0\\)", weight=W[:, :0])
    one("weight: expected one dataset, found a group", weight={"real": W, "imag": W},
        outputs=3)
    one("bias: expected \\(3,\\), found shape \\(4,\\)", bias=np.arange(4))
    one("bias: .*found nan", bias=np.array([1, np.nan, 0]))

    # Delays.
    one(r"delay: expected 0 to 62, found 63 at \[1\]", delay=np.array([0, 63, 1]))
    one("delay: expected 0 to 62, found 64", delay=64)
    one("delay: .*found -1", delay=np.array([0, -1, 0, 0]))
    one(r"delay: expected one delay, 3 by neuron, 4 by input or a \(3, 4\) matrix, "
        r"found shape \(1,\)", delay=np.array([3]))
    one(r"found shape \(4, 3\)", delay=W.T % 5)
    SQUARE = np.array([[2, -3], [5, 1]])
    bad("recurrent delays", [files.dense_rec(SQUARE, SQUARE, files.cuba(), delay=2)],
        "delay: NetX forgets weight_exp .* weights are 32 times too large")
    bad("recurrent shape", [files.dense_rec(SQUARE, W, files.cuba())],
        r"weight_rec: expected weights \(2, in\)")
    bad("no recurrent weights", [files.dense(SQUARE, files.cuba(), **{
        "type": files.text("dense_rec")})], "weight_rec: missing")


def neurons():
    one("neuron/iDecay: expected an integer type, found 64-bit floats .*0.5",
        neuron={"i_decay": 0.5})
    one("neuron/vDecay: .*floats", neuron={"v_decay": np.float32(128)})
    one("neuron/vDecay: expected 0 to 4096, found 4097", neuron={"v_decay": 4097})
    one("neuron/iDecay: .*found -1 at", neuron={"i_decay": np.array([1, -1, 2])})
    one(r"neuron/iDecay: expected one decay or 3, one per neuron, found shape \(2,\)",
        neuron={"i_decay": np.array([1, 2])})
    one("neuron/vThMant: expected one integer for the layer, found shape",
        neuron={"threshold": np.array([5, 6, 7])})
    one("neuron/vThMant: expected 0 to 131072, found 131073",
        neuron={"threshold": 131073})
    one("neuron/vThMant: .*floats", neuron={"threshold": 5.0})
    one("neuron/messageBits: NetX cannot read it and Lava hangs",
        neuron={"messageBits": 8})
    for kind, why in (("ADRF_PHASE", "which NetX would load as plain RF"),
                      ("ADRF_IZHIKEVICH", "plain RF"), ("RF", "load as RF_IZ"),
                      ("ALIF", "cannot build"), ("cuba", "cannot build"), ("", "'', ")):
        one("neuron/type: expected CUBA, LOIHI, SDNN, RF_PHASE or RF_IZHIKEVICH, found",
            why, neuron={"type": files.text(kind, "variable")})
    one("neuron/type: expected one text, found numbers", neuron={"type": 3})
    one("neuron/type: expected one text, found an array",
        neuron={"type": np.array([b"CUBA", b"CUBA"])})
    for key in ("type", "iDecay", "vDecay", "vThMant"):
        neuron = files.cuba()
        del neuron[key]
        bad("without " + key, [files.dense(W, neuron)], f"neuron/{key}: missing")
    bad("neuron as a number", [{**files.dense(W), "neuron": 3}],
        "neuron: expected a group, found a dataset")
    bad("other activation", [files.dense(W, files.sdnn(activation="tanh"))],
        "neuron/activation: expected relu, .*found 'tanh'")
    bad("bias of Sigma", [files.dense(W, files.sdnn(sigma_output=1), bias=np.ones(3))],
        "bias: lava.proc.sdn.process.Sigma takes no bias")
    bad("real resonator", [files.dense(W, files.resonator())],
        "weight: expected a group with real and imag")
    PAIR = {"real": W, "imag": W}
    for key in ("delay", "bias"):
        bad("complex " + key, [files.dense(PAIR, files.resonator(), 3, **{
            key: np.ones(3, int)})], f"{key}: NetX ignores it where weights are complex")
    bad("complex without imag", [files.dense({"real": W}, files.resonator(), 3)],
        "weight/imag: missing")
    bad("zero imag", [files.dense({"real": W, "imag": 0 * W}, files.resonator(), 3)],
        "weight/imag: expected a weight other than 0")
    bad("growing resonator", [files.dense(PAIR, files.resonator(sine=4000, cosine=4000),
                                          3)], "neuron/sinDecay: .*does not grow")
    bad("still resonator", [files.dense(PAIR, files.resonator(sine=0), 3)],
        "neuron/sinDecay: expected a sine above 0")
    bad("resonator as input", [files.entry(4, files.resonator())],
        "neuron/type: expected CUBA, LOIHI or SDNN in a layer of type input")


K = np.arange(18).reshape(2, 1, 3, 3)
IMAGE = files.entry((1, 6, 5))


def window(*patterns, shape=(2, 4, 3), weight=K, first=IMAGE, neuron=None, **more):
    """An image's convolution with something else in it."""
    layer = files.conv(shape, weight, neuron or files.cuba(), **more)
    layer = {k: v for k, v in layer.items() if v is not None}
    bad(patterns[0], [first, layer] if first else [layer], *patterns)


def windows():
    window("layer/1: delay: NetX ignores delays of convolutions", delay=1)
    window(r"shape: expected \(2, 4, 3\) .*, found \(2, 4, 4\)", shape=(2, 4, 4))
    window("conv needs an input .*, found a flat one", first=files.entry(30))
    window("stride: expected 1 to 127, found 0", stride=0)
    window("padding: expected 0 to 127, found -1", padding=-1)
    window("dilation: expected one integer or .*found shape \\(3,\\)",
           dilation=np.ones(3, int))
    window("groups: .*found 0", groups=0)
    window("weight: expected 1 input channels in 2 group", groups=2)
    window("weight: expected a kernel inside the padded input", dilation=7)
    window("weight: expected \\(out, in, height, width\\).*found shape \\(2, 9\\)",
           weight=K.reshape(2, 9))
    window("stride: missing", stride=None)
    bad("conv without neuron", [IMAGE, {k: v for k, v in files.conv(
        (2, 4, 3), K, None).items() if k != "neuron"}], "layer/1: neuron: missing")
    window(r"bias: expected one per channel or \(3, 4, 2\), found shape \(3,\)",
           bias=np.ones(3))
    window("neuron/iDecay: expected one decay for the layer, found shape",
           neuron=files.cuba(np.array([1, 2])))


def layers():
    bad("conv into dense", [IMAGE, files.conv((2, 4, 3), K, files.cuba()),
                            files.dense(np.ones((2, 24)), files.cuba())],
        r"layer/2: type: expected a flatten layer between \(2, 4, 3\)")
    bad("flatten at the end", [IMAGE, files.conv((2, 4, 3), K, files.cuba()),
                               files.flatten(24)], "expected a dense layer after flatten")
    bad("flatten of another size", [IMAGE, files.conv((2, 4, 3), K, files.cuba()),
                                    files.flatten(23)], "layer/2: shape: expected 24")
    bad("flatten of flat", [files.dense(W, files.cuba()), files.flatten(3)],
        "flatten needs a layer of neurons .*found one that is flat")
    bad("flatten first", [files.entry((1, 2, 2)), files.flatten(4),
                          files.dense(W, files.cuba())], "layer/1: type: .*found an input")
    bad("inputs that differ", [files.dense(W, files.cuba()), files.dense(W, files.cuba())],
        "layer/1: weight: expected 3 inputs, .*found 4")
    bad("second input", [files.dense(W, files.cuba()), files.entry(3, files.cuba())],
        "layer/1: type: expected an input layer in the first place only")
    bad("delayed input", [files.entry(4, files.cuba(), delay=3)], "layer/0: delay: NetX")
    bad("input alone", [files.entry(4)], "at least one layer of neurons, found none")
    bad("two axes", [files.entry((2, 2)), files.dense(W, files.cuba())],
        "layer/0: shape: expected \\(channel, height, width\\) or \\(N\\)")
    for kind, why in (("pool", "does not build"), ("dense_comp", "does not build"),
                      ("convT", "does not build"), ("unpool", "does not build"),
                      ("residual", "skips in silence"), ("kwta", "skips in silence"),
                      ("Dense", "skips in silence")):
        bad(kind, [files.dense(W, files.cuba()), {"type": files.text(kind)}],
            rf"layer/1: type: expected input, dense, .*found '{kind}', which NetX {why}")
    bad("no type", [{"shape": np.array([3]), "weight": W}], "layer/0: type: missing")


def layout():
    GOOD = files.dense(W, files.cuba())
    bad("another name", {"0": GOOD, "first": GOOD},
        "layer: expected groups '0' to '1' only, found '0', 'first'")
    bad("a gap", {"0": GOOD, "2": GOOD}, "found '0', '2'")
    bad("leading zero", {"00": GOOD}, "found '00'")
    bad("a dataset as layer", {"0": GOOD, "1": 5}, r"\('1' is a dataset\)")
    bad("no layers", {}, "at least one layer of neurons, found none")
    with h5py.File(BAD, "w") as file:
        file["layer"] = 1
    refused("layer is a number", "layer: expected a group of this name, found a dataset")
    h5py.File(BAD, "w").close()
    refused("empty file", "layer: expected a group of this name, found none")
    for size, pattern in (((1 << 40,), "shape: expected 1 to 16777216"),
                          ((4096, 4096, 4096), "expected at most 16777216 neurons"),
                          ((0,), "expected 1 to"), ((-3,), "found -3"),
                          ((1, 2, 3, 4), "found an array of shape")):
        bad(f"shape {size}", [{**GOOD, "shape": np.array(size)}], "layer/0: shape", pattern)
    bad("shape of floats", [{**GOOD, "shape": np.array([3.0])}], "shape: .*floats")
    bad("shape of text", [{**GOOD, "shape": "3"}], "shape: .*found text")
    bad("complex numbers", [{**GOOD, "weight": W * 1j}], "/layer/0/weight.*compound")
    with h5py.File(files.write(BAD, [GOOD]), "a") as file:
        del file["layer/0/weight"]
        file.create_dataset("layer/0/weight", (1 << 20, 1 << 20), "i1", chunks=(1, 64))
    refused("huge declared weights", "weight.*(beyond|stores none)")
    with h5py.File(files.write(BAD, [GOOD]), "a") as file:
        file["layer/0/loop"] = file["layer"]
    refused("cycle of groups", "second hard link")
    with h5py.File(files.write(BAD, [GOOD]), "a") as file:
        del file["layer/0/weight"]
        file["layer/0/weight"] = h5py.ExternalLink("other.net", "/weight")
    refused("external link", "is an external link")
    with h5py.File(files.write(BAD, [GOOD]), "a") as file:
        file["layer/1"] = h5py.SoftLink("/layer/0")
    refused("soft link", "is a soft link")
    with h5py.File(files.write(BAD, [GOOD]), "a") as file:
        group = file
        for _ in range(200):
            group = group.create_group("deep")
    refused("deep nesting", "too deep|nested")
    files.write(BAD, [GOOD])
    whole = BAD.read_bytes()
    for part in (0, 9, 100, len(whole) // 2, len(whole) - 1):
        BAD.write_bytes(whole[:part])
        refused(f"cut at {part}")
    BAD.write_text("layer: none")
    refused("text")


def mutations(seeds):
    # Bytes of good files change at random. Each file is read or refused, in the
    # limited child.
    global failed
    taken = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        files.write(BAD, files.random_network(rng), gzip=seed % 2 == 1)
        content = bytearray(BAD.read_bytes())
        for _ in range(rng.integers(1, 9)):
            content[rng.integers(len(content))] = rng.integers(256)
        BAD.write_bytes(content)
        done = subprocess.run([TOOL, BAD], capture_output=True, text=True, timeout=60,
                              errors="replace")
        taken += done.returncode == 0
        if done.returncode not in (0, 1) or (done.returncode and
                                             done.stderr.count("error: ") != 1):
            failed += 1
            print(f"FAILED mutation {seed}: exit code {done.returncode}: {done.stderr!r}")
    print(f"{len(seeds)} files with changed bytes: {taken} read, the others refused")


# Each part is a ctest test of its own.
PARTS = {"weights": weights, "neurons": neurons, "windows": windows,
         "layers": layers, "layout": layout,
         "mutations0": lambda: mutations(range(100)),
         "mutations1": lambda: mutations(range(100, 200))}
for part in sys.argv[3:] or PARTS:
    PARTS[part]()
print(f"{cases} bad NetX files, {failed} failures")
sys.exit(failed > 0)
