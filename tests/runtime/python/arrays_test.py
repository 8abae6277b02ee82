# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/arrays.py, texts.py and flags.py.
"""Arrays that are not what they should be are refused with what to do, and those of
torch, of files, of events and with time first are taken."""
import tracemalloc

from support import FOLDER, check, finish, lif, np, dl, refused
from dendrolith.arrays import place_inputs, to_numpy

path, x, y = lif()
net = dl.load(path)
program = net.compile("loihi1", calibrate=x[:8])
classes = 10
usual = program.run(x, labels=y)

refused("a wrong width", lambda: program.run(x[..., :5]), "input 'input'",
        "(samples, steps, 32)")
refused("a flat step", lambda: program.run(x.reshape(24, 32, 8, 4)), "flatten")
bad = x.astype(np.float32)
bad[3, 2, 1] = np.nan
refused("NaN", lambda: program.run(bad), "[3, 2, 1]", "finite")
refused("words", lambda: program.run(np.full((1, 2, 32), "a")), "expected whole or real numbers")
refused("complex", lambda: program.run(x * 1j), "complex")
refused("ragged", lambda: program.run([[1, 2], [3]]), "input 'input'")
refused("reals for events", lambda: program.run(x * 0.5), "expected only 0 and 1")
refused("another name", lambda: program.run({"data": x}), "no input 'data'", "input")
refused("no input", lambda: program.run(), "x=")
wrong = refused("all layers", lambda: dl.from_layers([
    dl.Linear(np.ones((3, 4))), dl.LIF(0.01), dl.Linear(np.ones((5, 9))), dl.LIF(np.ones(4)),
    ("c", dl.Conv2d(np.ones((2, 1, 3, 3)))), dl.Linear(np.ones((2, 2)))]),
    "layer 'fc2'", "takes (9,) and gets (3,)", "layer 'lif2'", "layer 'c'")
check(wrong and wrong.node == "fc2" and len(wrong.message.splitlines()) == 3, f"each once: {wrong}")
refused("labels from 1 on", lambda: program.run(x, labels=np.arange(24) % classes + 1),
        "labels - 1")
refused("labels below 0", lambda: program.run(x, labels=y.astype(int) - 50), "from 0 on")
refused("one-hot labels", lambda: program.run(x, labels=np.eye(classes)[y.astype(int)]),
        "argmax")
refused("fractions", lambda: program.run(x, labels=y + 0.5), "metric='r2'")
refused("too few labels", lambda: program.run(x, labels=y[:5]), "there are 5 and 24 samples")
early = np.swapaxes(np.concatenate([x, x[:6]]), 0, 1)  # 32 steps of 30 samples
refused("time first, as labels show", lambda: program.run(early[:, :20], labels=y[:20]),
        "there are 20 and 32 samples")
refused("time first without samples", lambda: program.run(x[0], time_first=True), "leave time_first")

first = program.run(np.swapaxes(x, 0, 1), labels=y, time_first=True)
check(np.array_equal(first.outputs, usual.outputs), "time first is turned round")
np.save(FOLDER / "x.npy", x)
np.save(FOLDER / "y.npy", y)
named = program.run(str(FOLDER / "x.npy"), labels=FOLDER / "y.npy")
check(np.array_equal(named.outputs, usual.outputs) and named.accuracy == usual.accuracy, "files")
for kind in (bool, np.int64, np.float16, np.float64, list):
    given = x.tolist() if kind is list else x.astype(kind)
    check(np.array_equal(program.run(given).outputs, usual.outputs), f"{kind}")
check(np.array_equal(program.run(np.asfortranarray(x)).outputs, usual.outputs), "Fortran order")
check(program.run(x, labels=y.astype(float)).accuracy == usual.accuracy, "whole labels as reals")
# A large input is looked at in pieces and written as it lies: nothing of its size is made.
port = {"name": "input", "shape": (1000,), "tokens": False}
for kind in (np.uint8, bool, np.float32):
    large = np.zeros((40, 1000, 1000), kind)
    tracemalloc.start()
    texts, arrays = place_inputs(large, [port], str(FOLDER), "large", False, None)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    size = (FOLDER / "large1.npy").stat().st_size
    check(most < 0.2 * large.nbytes and size < large.nbytes + 200,
          f"{kind.__name__}: {large.nbytes} bytes took {most} and became {size}")
    (FOLDER / "large1.npy").unlink()
late = np.zeros((3, 1000, 1000), np.float32)
late[2, 5, 7] = np.inf
refused("infinity in a late piece", lambda: to_numpy(late, "x"), "x: is inf at [2, 5, 7]")
refused("one number that is none", lambda: to_numpy(np.float64("nan"), "x"), "is nan at []")

try:
    import torch
except ImportError:
    print("skipped: torch is not installed, tensors are not given")
else:
    tensor = torch.tensor(x, dtype=torch.float32, requires_grad=True)
    given = program.run(tensor, labels=torch.tensor(y.astype(np.int64)))
    check(np.array_equal(given.outputs, usual.outputs), "a tensor with a gradient")

# Flags.
refused("no such flag", lambda: net.compile("loihi1", map_fro="x"), "map_fro", "did you mean map_from")
refused("a wrong value", lambda: net.compile("loihi1", map_for="speed"), "map_for")
refused("a flag of a run", lambda: program.run(x, target="loihi2"), "expected: target=")
check(net.compile("loihi1", calibrate=x[:8], weight_bits=[8, 8, 8], map_for="cores")
      .facts["mapping"]["cores"] <= program.facts["mapping"]["cores"], "flags do something")
refused("no file", lambda: dl.load("nothing.nir"), "no such file")
refused("no model", lambda: dl.load(3), "int")

for title, target in (("None", None), ("a number", 5), ("bytes", b"loihi1"), ("a list", ["loihi1"])):
    refused(f"target: {title}", lambda target=target: net.compile(target), "target", "expected the name")
refused("help", lambda: net.compile("loihi1", help=True), "help")
refused("a generator for a flag", lambda: net.compile("loihi1", map_for=(i for i in "a")), "map_for", "generator")

# What is to be recorded.
for title, trace in (("a number", 5), ("an empty name", [""]), ("numbers", [5]), ("None in a list", [None])):
    refused(f"trace: {title}", lambda trace=trace: program.run(x, trace=trace), "trace")
refused("a state without a name", lambda: program.run(x, trace="lif1:"), "trace 'lif1:'", "colon")
check(program.run(x, trace="lif1,lif1:v").traces.raw.keys() == {"lif1", "lif1:v"}, "the command's text")
same = program.run(x, trace=["read"], engine="reference").traces["read"]
check(np.array_equal(same, program.run(x, trace=["read"]).traces["read"]) and
      np.array_equal(same, program.run(x, trace=["read:v"]).traces["read:v"]),
      "a read-out's trace is its potential, as in the float network")
check(np.array_equal(program.run(x, trace=["lif1:s"]).traces["lif1:s"],
                     program.run(x, trace=["lif1"]).traces["lif1"]), "spikes by their name")

try:
    import h5py
except ImportError:
    print("skipped: h5py is not installed, no node is renamed")
else:
    (FOLDER / "odd.nir").write_bytes(path.read_bytes())
    with h5py.File(FOLDER / "odd.nir", "r+") as file:
        file["node/nodes"].move("lif1", "a,b:c")
        edges = [[b"a,b:c" if end == b"lif1" else end for end in edge] for edge in file["node/edges"][()]]
        del file["node/edges"]
        file["node/edges"] = edges
    odd = dl.load(FOLDER / "odd.nir").compile("loihi1", calibrate=x[:8])
    odd.save(FOLDER / "odd.dlp")
    plain = program.run(x, trace=["lif1", "lif1:v"]).traces.raw
    for title, one in (("a model", odd), ("an image", dl.load(FOLDER / "odd.dlp"))):
        raw = one.run(x, trace=["a,b:c", "a,b:c:v"]).traces.raw
        check(np.array_equal(raw["a,b:c"], plain["lif1"]) and
              np.array_equal(raw["a,b:c:v"], plain["lif1:v"]), f"{title} whose names have a comma and a colon")
    refused("half of a name", lambda: odd.run(x, trace=["a"]), "in a name write")

# Control characters and what is no UTF-8, before anything is written.
(FOLDER / "any.yaml").write_text("name: any\n")
for letter in ("\0", "\n", "\x1f", "\x7f", "\udc80"):
    name = str(FOLDER / f"s{letter}.dlp")
    for title, work in (("save", lambda: program.save(name)), ("load", lambda: dl.load(name)),
                        ("report", lambda: usual.report(name)), ("out", lambda: program.run(x, out=name)),
                        ("input", lambda: program.run(name)), ("labels", lambda: program.run(x, labels=name)),
                        ("target", lambda: net.compile(name)), ("trace", lambda: program.run(x, trace=name)),
                        ("costs", lambda: program.run(x, costs=name)), ("dt", lambda: dl.load(path, dt=name).inputs),
                        ("result", lambda: dl.Result.load(name)), ("tuning", lambda: net.compile("loihi1", tuning=name)),
                        ("study", lambda: dl.explore(f"{name}.yaml", out="o")), ("store", lambda: dl.Study(name)),
                        ("out of a study", lambda: dl.explore(FOLDER / "any.yaml", out=name))):
        refused(f"{title} with {letter!r}", work, *([] if letter == "\udc80" else ["control character"]))
check(not list(FOLDER.glob("s*")), "nothing of such a name was written")

# Objects that are no arrays.
class Broken:
    def __array__(self, *_, **__):
        raise RuntimeError("boom")


refused("an array that raises", lambda: program.run(Broken()), "input 'input'", "boom")
refused("no samples", lambda: program.run(x[:0]), "input 'input'", "at least one sample of one step")
masked = np.ma.array(x, mask=x > 0)
refused("masked values", lambda: program.run(masked), f"{int(x.sum())} of {x.size} values are masked")
refused("masked labels", lambda: program.run(x, labels=np.ma.array(y, mask=y > 3)), "labels", "masked")
check(np.array_equal(program.run(np.ma.array(x)).outputs, usual.outputs), "nothing is masked")
for title, value, word in (("a generator", (i for i in [1]), "generator"), ("None in a list", [[None] * 32], "NoneType"),
                           ("2**70", [[2**70] * 32], "64 bits"), ("numbers as objects", x.astype(object), "astype"),
                           ("a set", {1}, "set")):
    refused(title, lambda value=value: program.run(value), "input 'input'", word)

# A key of an archive may be any word.
extern = {"file": np.ones(3), "allow_pickle": np.zeros(2), "arr_0": np.ones(1)}
refused("a checkpoint of odd keys", lambda: dl.load(extern).inputs, "checkpoint")
check(dl.load(path, weights=extern).inputs == net.inputs, "weights of odd keys")
finish()
