# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/given.py, program.py, result.py and runtime/driver/ServeCommand.cpp.
"""A program and a result mean what they meant when they were made: arrays that change
afterwards make no difference, or are refused by name, and so are files."""
import copy
import pickle
import shutil
import threading

from support import FOLDER, ROOT, check, dl, finish, lif, np, refused

path, x, y = lif()
shutil.copytree(ROOT / "targets" / "loihi1", FOLDER / "chip")
chip, costs = FOLDER / "chip" / "chip.yaml", FOLDER / "chip" / "costs-davies2018.yaml"
net = dl.load(path)
program = net.compile("loihi1", calibrate=x[:8])
usual = program.run(x, labels=y)
beside = str(usual.compare("float"))


def changed(file, change):
    """The file has other bytes inside."""
    class Changed:
        def __enter__(self):
            self.old = file.read_bytes()
            file.write_bytes(change(self.old))

        def __exit__(self, *_):
            file.write_bytes(self.old)
    return Changed()


# One buffer for everything.
buffer, labels, cal = x.copy(), y.copy(), x[:8].copy()
held = dl.load(path).compile("loihi1", calibrate=cal)
result = held.run(buffer, labels=labels)
buffer[:], labels[:], cal[:] = 0, 0, 1
check(result.compare("reference").is_equal, "the reference gets the input as it was")
check(str(result.compare("float")) == beside, "so does the float engine")
for array in (result.outputs, result.predicted, held.run(x, trace="lif1:v").traces.raw["lif1:v"]):
    try:
        array[:] = 0
        check(False, "an array of a result can be written to")
    except ValueError as error:
        check("read-only" in str(error), f"what a result holds is read-only: {error}")
result.report(FOLDER / "held.html")
usual.report(FOLDER / "usual.html")
check(len((FOLDER / "held.html").read_bytes()) > 1000, "and the report")
runs = []
for sample in range(6):
    buffer[:1] = x[sample]
    runs.append(held.run(buffer[:1], labels=y[sample:sample + 1]))
for sample, run in enumerate(runs):
    check(np.array_equal(run.outputs[0], usual.outputs[sample]) and run.compare("reference").is_equal,
          f"sample {sample} of a loop over one buffer")
dl.close()
check(np.array_equal(held.run(x).outputs, usual.outputs), "another process gets the calibration as it was")
found = []
threads = [threading.Thread(target=lambda: found.append(held.run(x).outputs)) for _ in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
check(len(found) == 3 and all(np.array_equal(o, usual.outputs) for o in found), "and so do threads")

# Large arrays are not kept; they are refused where they changed.
large = np.concatenate([x] * 50)
result = program.run(large)
check(result.compare("reference").is_equal, "a large input that stays")
large[-1, -1, -1] ^= 1
refused("a large input that changed", lambda: result.compare("reference"), "input 'input'", "changed")
refused("its report", lambda: result.report(FOLDER / "no.html"), "input 'input'", "changed")
check(not (FOLDER / "no.html").exists(), "no page of another run")
large[-1, -1, -1] ^= 1
check(result.compare("reference").is_equal, "and as it was again")
samples = np.concatenate([x] * 50)
calibrated = net.compile("loihi1", calibrate=samples)
samples[0] ^= 1
check(calibrated.run(x).outputs.any(), "the process that holds it goes on")
dl.close()
refused("a large calibration that changed", lambda: calibrated.run(x), "input 'input'", "changed")

# Files.
file, answers = FOLDER / "x.npy", FOLDER / "y.npy"
# What it writes replaces no model and no array.
for name, write in (("image.nir", dl.load(path).compile("loihi1", calibrate=x).save), ("page.npy", usual.report),
                    ("archive.json", usual.capsule)):
    (FOLDER / name).write_text("the user's")
    refused(f"{name} is there", lambda write=write, name=name: write(FOLDER / name), name, "would be lost")
    check((FOLDER / name).read_text() == "the user's", f"{name} is lost")
np.save(file, x)
np.save(answers, y)
by_file = net.compile("loihi1", calibrate=str(file))
result = by_file.run(file, labels=answers)
flip = lambda old: old[:-1] + bytes([old[-1] ^ 1])  # noqa: E731
with changed(file, flip):
    refused("an input file", lambda: result.compare("reference"), "input 'input'", "x.npy")
    dl.close()
    refused("a calibration file", lambda: by_file.run(x), "input 'input'", "x.npy")
with changed(answers, flip):
    refused("labels", lambda: result.report(FOLDER / "no.html"), "labels", "y.npy")
check(np.array_equal(by_file.run(x).outputs, result.outputs), "files that are back")
model = FOLDER / "copy.nir"
model.write_bytes(path.read_bytes())
copied = dl.load(model)
copied.run(x)
with changed(model, lambda old: old + b" "):
    dl.close()
    refused("the file of a float network", lambda: copied.run(x), "copy.nir", "changed")
own = net.compile(str(chip), calibrate=x[:8])
priced = own.run(x, labels=y)
limit = (b"in_axons: {value: 4096", b"in_axons: {value: 4095")
with changed(chip, lambda old: old.replace(*limit)):
    check(own.run(x).data["target"]["sha256"] == priced.data["target"]["sha256"], "a chip that is held")
    dl.close()
    refused("a chip", lambda: own.run(x), "chip's file", "changed")
dearer = lambda old: old.replace(b"23.6", b"47.2")  # noqa: E731
check(dearer(costs.read_bytes()) != costs.read_bytes(), "a price to change")
own.run(x)
with changed(costs, dearer):
    check(own.run(x).energy.low == priced.energy.low, "prices that are held")
    dl.close()
    refused("a cost table", lambda: own.run(x), "cost table", "changed")
named = own.run(x, costs=str(costs))
with changed(costs, dearer):
    refused("a named cost table", lambda: named.report(FOLDER / "no.html"), "cost tables", "changed")
check(not (FOLDER / "no.html").exists(), "no page at other prices")

# Images.
image = FOLDER / "net.dlp"
program.save(image)
loaded = dl.load(image)
first = loaded.run(x, trace=["lif1"])
check(np.array_equal(first.outputs, usual.outputs), "an image")
other = FOLDER / "other.dlp"
net.compile("loihi1", calibrate=x[:8], weight_bits=4).save(other)
with changed(image, lambda _: other.read_bytes()):
    refused("an image that was replaced", lambda: loaded.run(x, out=str(FOLDER / "none")), "net.dlp", "changed")
    check(not (FOLDER / "none" / "result.json").exists(), "no result of another image")
    dl.close()
    refused("and in another process", lambda: loaded.run(x), "net.dlp", "the file was changed")
check(np.array_equal(loaded.run(x).outputs, usual.outputs), "the image is back")

# Steps: state stays from piece to piece, in as many processes as there are steppers.
def steps_of(stepper, sample, lengths):
    """Outputs of pieces of a sample, joined."""
    ends = np.cumsum([0, *lengths])
    return np.concatenate([stepper.step(sample[a:b]) for a, b in zip(ends, ends[1:])])


few = [1] * 5 + [x.shape[1] - 9, 4]
with program.stepper() as one, loaded.stepper() as two:
    for sample in range(3):
        pieces = [steps_of(stepper, x[sample], few) for stepper in (one, two)]
        check(all(np.array_equal(piece, usual.outputs[sample]) and piece.dtype == usual.outputs.dtype
                  for piece in pieces), f"sample {sample} in pieces is the whole one")
        refused("two samples", lambda: one.step(x[:2]), "one sample", "found 2")
        refused("another shape", lambda: one.step(x[0, :, 1:]), "input 'input'", "expected")
        one.reset(), two.reset()
    check(one.saturated == 0, "nothing saturated")
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        refused("a copy of its state", lambda: copied(one), "cannot be copied")
    one._worker.kill()
    refused("a process that ended", lambda: one.step(x[0]), "state is gone")
refused("a closed one", lambda: two.step(x[0]), "is closed")
# A loop with a delay, in a pipeline.
rng = np.random.default_rng(3)
loop = dl.from_layers([dl.Linear(rng.normal(0, 1, (12, 32))), dl.snntorch.Leaky(beta=0.9),
                       dl.Recurrent(dl.snntorch.Leaky(beta=0.8), rng.normal(0, .4, (12, 12))), dl.Delay(3e-3),
                       dl.Linear(rng.normal(0, 1, (5, 12))), dl.snntorch.Leaky(beta=0.7)])
looped = loop.compile("loihi2", calibrate=x[:8].astype(float))
whole = looped.run(x[:2].astype(float))
with looped.stepper() as stepper:
    check(np.array_equal(steps_of(stepper, x[1].astype(float), few), whole.outputs[1]) and whole.outputs[1].any(),
          f"a loop in pieces, {whole.data['schedule']['period_steps']} steps a tick")

# What a network was given.
weights = {"w": np.ones(3)}
conventions = dl.load(path, weights, dt=1e-4)
weights["w"][:] = 0
conventions.conventions["dt"] = 1
check(conventions._weights["w"].all() and conventions.flags == ["--import=dt=0.0001"], "it keeps them")

# The folder of a result.
folder = FOLDER / "result"
kept = program.run(x, labels=y, trace=["lif1"], out=folder)
check(dl.Result.load(folder).accuracy == kept.accuracy, "a folder")
for name in ("outputs.npy", "predicted.npy", "traces.npz", "tables.json"):
    with changed(folder / name, flip):
        refused(f"{name} that changed", lambda: dl.Result.load(folder), name)
    with changed(folder / name, lambda old: old[:len(old) // 2]):
        refused(f"half of {name}", lambda: dl.Result.load(folder), name)
with changed(folder / "outputs.npy", lambda _: b"\x80\x04]q\x00."):
    refused("a pickle", lambda: dl.Result.load(folder), "outputs.npy")
for text in ("", "[]", "{", "5", "{}", '{"schema": 2}', "[" * 100000, '{"schema": 2, "hashes": []}', "\x00"):
    with changed(folder / "result.json", lambda _, text=text: text.encode()):
        refused(f"result.json of {text[:20]!r}", lambda: dl.Result.load(folder), "result.json")
data = (folder / "result.json").read_text()
for key in ("summary", "model", "samples", "hashes", "warnings", "layers", "energy", "score", "target"):
    with changed(folder / "result.json", lambda old, key=key: old.replace(f'"{key}":'.encode(), b'"other":')):
        refused(f"no {key}", lambda: dl.Result.load(folder), "result.json")
refused("no folder", lambda: dl.Result.load(FOLDER / "nowhere"), "result.json")
# In another process: the answers are there, what would need the input is refused.
again = pickle.loads(pickle.dumps(kept))
check(again.accuracy == kept.accuracy and np.array_equal(again.traces["lif1"], kept.traces["lif1"]), "by pickle")
refused("compare by pickle", again.compare, "by pickle")
refused("compare with an array", lambda: kept.compare(kept.outputs), "found a ndarray")
refused("no path", lambda: dl.Result.load(None), "path")
finish()
