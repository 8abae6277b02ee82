# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests compiler/import/lava/Netx.cpp, compiler/export/netx/Hdf5File.cpp.
"""NetX files run as Lava runs them: spikes and states of every layer and step
equal netx_loader.py, which is plain numpy; and what the writer makes of them
reads as the same model and holds the same bytes again.

usage: netx_import_test.py DENDROLITH NETX-TOOL [PART...]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: numpy or h5py is not installed")
    sys.exit(77)
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "models/netx"))
import netx_files as files
import netx_loader as loader

DENDROLITH, TOOL = sys.argv[1:3]
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)
STEPS = 24


def stimulus(rng, layers):
    """What the host sends, with the file's axes."""
    first = layers[0]
    if first["type"] == files.text("input"):
        shape = tuple(first["shape"])
    else:
        outputs = int(np.prod(first["shape"]))
        weight = first["weight"]
        if isinstance(weight, dict):
            weight = weight["real"]
        shape = (weight.size // outputs,)
    if "neuron" in first and first["type"] == files.text("input"):
        return rng.integers(-60, 90, (STEPS, *shape))
    return (rng.random((STEPS, *shape)) < 0.35).astype(int)


def same_run(path, x, title, engines=("functional", "reference"), target="ideal", reset=None):
    spikes, states = loader.run(path, x, reset)
    told = ["--import", f"reset-interval={reset[0]},reset-offset={reset[1]}"] if reset else []
    np.save(FOLDER / "x.npy", x)
    np.savez(FOLDER / "want.npz", **spikes, **states,
             output=list(spikes.values())[-1])
    for engine in engines:
        done = subprocess.run(
            [DENDROLITH, "run", path, "--input", FOLDER / "x.npy", "--engine", engine,
             "--target", target, "--compare", FOLDER / "want.npz", *told], capture_output=True, text=True,
            timeout=300)
        if done.returncode or "equal to" not in done.stdout:
            sys.exit(f"FAILED: {title} in {engine}: {done.stderr}{done.stdout[-300:]}")
    return sum(np.count_nonzero(s) for s in spikes.values())


def tool(*arguments):
    done = subprocess.run([TOOL, *arguments], capture_output=True, text=True,
                          timeout=120)
    if done.returncode:
        sys.exit(f"FAILED: {arguments}: {done.stderr}")
    return json.loads(done.stdout)


def model(*arguments):
    """The JSON without names, which follow the number of layers before."""
    content = tool(*arguments)
    content.pop("source_hash"), content.pop("name")
    names = {}
    for process in content["processes"]:
        names[process["name"]] = len(names)
    text = json.dumps(content, sort_keys=True)
    for name, number in sorted(names.items(), key=lambda n: -len(n[0])):
        text = text.replace(f'"{name}"', f'"#{number}"')
    return text


def networks(seeds):
    total = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        layers = files.random_network(rng)
        path = files.write(FOLDER / f"{seed}.net", layers, gzip=seed % 2 == 1)
        engines = ("functional", "reference") + (("cycle",) if seed % 8 == 0 else ())
        total += same_run(path, stimulus(rng, layers), f"network {seed}", engines)
        if seed % 4 == 0:
            same_run(path, np.load(FOLDER / "x.npy"), f"network {seed} on loihi2",
                     ("cycle",) if seed % 8 else ("functional",), "loihi2")
        again, twice = FOLDER / "again.net", FOLDER / "twice.net"
        if model(path, again) != model(again, twice):
            sys.exit(f"FAILED: network {seed} reads otherwise when written again")
        if again.read_bytes() != twice.read_bytes():
            sys.exit(f"FAILED: network {seed} is not the same bytes again")
        same_run(again, np.load(FOLDER / "x.npy"), f"network {seed} written again",
                 ("functional",))
    print(f"ok: {len(seeds)} random networks, {total} messages; each again as written")


def resonators():
    rng = np.random.default_rng(7)
    for kind in ("RF_PHASE", "RF_IZHIKEVICH"):
        weights = {"real": rng.integers(-90, 90, (6, 9)),
                   "imag": rng.integers(0, 200, (6, 9)).astype("f4")}
        layers = [files.entry(9, files.cuba(4096, 4096, 2)),
                  files.dense(weights, files.resonator(kind, 2440.5, 2987.5, 40), 6),
                  files.dense(rng.integers(-60, 60, (4, 6)), files.cuba())]
        path = files.write(FOLDER / "rf.net", layers)
        x = rng.integers(0, 9, (STEPS, 9))
        if not same_run(path, x, kind, ("functional", "reference", "cycle")):
            sys.exit(f"FAILED: {kind} sends nothing")
        if model(path, FOLDER / "again.net") != model(FOLDER / "again.net"):
            sys.exit(f"FAILED: {kind} reads otherwise when written again")
        path = files.write(FOLDER / "host.net", layers[1:])
        same_run(path, (x > 4).astype(int), kind + " fed by the host")
    print("ok: resonators with complex weights")


def details():
    rng = np.random.default_rng(7)
    x = (rng.random((STEPS, 5)) < 0.4).astype(int)
    weight = rng.integers(1, 90, (5, 5))
    for how in files.TEXTS:
        layer = files.dense(weight, files.cuba(threshold=30))
        layer["type"] = files.text("dense", how)
        layer["neuron"]["type"] = files.text("LOIHI", how)
        same_run(files.write(FOLDER / "text.net", [layer]), x, how, ("functional",))
    for size, title in ((5, "by neuron before by input"), (1, "one of one")):
        delay = np.arange(size) % 5
        layer = files.dense(weight[:, :size], files.cuba(threshold=30), delay=delay)
        same_run(files.write(FOLDER / "delay.net", [layer]), x[:, :size], title)
    layer = files.dense(weight, files.cuba(threshold=30), delay=np.array(62))
    long = np.concatenate((x, np.zeros((50, 5), int)))
    same_run(files.write(FOLDER / "delay.net", [layer]), long, "62 steps")
    recurrent = files.dense_rec(weight * 2, weight[::-1] * 2, files.cuba(threshold=90),
                                delay=weight % 4)
    recurrent["weight"][0, 0], recurrent["weight"][1, 1] = -200, 150
    same_run(files.write(FOLDER / "rec.net", [recurrent]), x, "recurrent delays")
    few = rng.integers(-20, 21, (5, 5))
    loop = files.dense_rec(few, few[::-1], files.sdnn(3), bias=np.arange(5))
    for entry in ([files.entry(5, files.sdnn(2))], []):  # graded, and read as 0 and 1
        same_run(files.write(FOLDER / "loop.net", [*entry, loop]), x[:6], "graded loop")
    silent = files.write(FOLDER / "silent.net", [files.dense(weight)])
    if same_run(silent, x, "integrator"):
        sys.exit("FAILED: a layer without a neuron group fires")
    with h5py.File(FOLDER / "text.net", "a") as file:
        file.attrs["note"] = "ignored"
        file["simulation/Ts"] = 1
        file["layer/0/dendrolith"] = "ignored too"
    same_run(FOLDER / "text.net", x, "extra datasets and groups")
    print("ok: texts, delays, recurrent delays, integrators, extra datasets")


def resets():
    """What NetX is told beside the file, on every engine that has programs."""
    rng = np.random.default_rng(11)
    layers = [files.entry(9, files.cuba(300, 200, 40)),
              files.dense(rng.integers(-20, 90, (7, 9)), files.cuba(900, 40, 60), 7),
              files.dense(rng.integers(-20, 90, (5, 7)), files.cuba(50, 30, 90))]
    path = files.write(FOLDER / "reset.net", layers)
    x = rng.integers(0, 30, (STEPS, 9))
    counts = {same_run(path, x, f"resets {reset}", ("functional", "reference", "cycle"),
                       "loihi2", reset) for reset in (None, (16, 0), (16, 3), (5, 2), (1, 0))}
    if len(counts) < 4:
        sys.exit(f"FAILED: resets change nothing: {counts}")
    for key, value, words in (("reset-interval", "0", "expected 1 to 2^20 steps, found '0'"),
                              ("reset-offset", "x", "expected 0 to 2^20 steps, found 'x'"),
                              ("reset-offset", "3", "without reset-interval nothing is reset")):
        done = subprocess.run([DENDROLITH, "run", path, "--input", FOLDER / "x.npy", "--import",
                               f"{key}={value}"], capture_output=True, text=True)
        if done.returncode != 1 or words not in done.stderr or done.stderr.count("\n") != 1:
            sys.exit(f"FAILED: {key}={value}: {done.stderr}")
    done = subprocess.run([DENDROLITH, "run", path, "--input", FOLDER / "x.npy", "--target",
                           "loihi1,host.payload_bits=18,host.sign=true", "--import",
                           "reset-interval=4"],
                          capture_output=True, text=True)
    if done.returncode != 1 or "layer0" not in done.stderr:
        sys.exit(f"FAILED: resets on loihi1: {done.stderr}")
    print(f"ok: layers are reset as NetX is told, {sorted(counts)} messages")


def image():
    """Biases of the input layer are the same numbers in messages, where a current keeps nothing."""
    rng = np.random.default_rng(12)
    path = files.write(FOLDER / "image.net", [
        files.entry((2, 4, 3), files.cuba(4096, 30, 900)), files.flatten(24),
        files.dense(rng.integers(-20, 90, (5, 24)), files.cuba(50, 30, 90))])
    biases = rng.integers(-20, 90, (2, 4, 3))
    np.save(FOLDER / "image.npy", biases)
    np.save(FOLDER / "sent.npy", np.broadcast_to(biases, (STEPS, 2, 4, 3)))
    np.save(FOLDER / "silent.npy", np.zeros((STEPS, 2, 4, 3), int))

    def run(name, x, *more):
        return subprocess.run([DENDROLITH, "run", path, "--input", FOLDER / x, "--out", FOLDER / name, *more],
                              capture_output=True, text=True)

    outputs = []
    for name, x, *more in (("sent", "sent.npy"), ("silent", "silent.npy"),
                           ("bias", "silent.npy", "--import", f"input-bias={FOLDER / 'image.npy'}")):
        done = run(name, x, *more)
        if done.returncode:
            sys.exit(f"FAILED: {name}: {done.stderr}")
        outputs.append(np.load(FOLDER / name / "outputs.npy"))
    if not np.array_equal(outputs[0], outputs[2]) or not outputs[0].any() or outputs[1].any():
        sys.exit(f"FAILED: an image in biases: {[out.sum() for out in outputs]}")
    # Each sample has its own image, sent once: as many compilations with one each say the same.
    images = np.stack([biases, *rng.integers(-20, 90, (2, 2, 4, 3))])
    first = np.zeros((3, STEPS, 2, 4, 3), int)
    first[:, 0] = images
    np.save(FOLDER / "first.npy", first)
    for options in ([], ["reset-interval=16,reset-offset=1"]):
        done = run("each", "first.npy", "--target", "loihi2", "--import", ",".join(["input-bias=input", *options]))
        if done.returncode:
            sys.exit(f"FAILED: an image for each sample: {done.stderr}")
        outputs = np.load(FOLDER / "each" / "outputs.npy")
        for one, out in zip(images, outputs):
            np.save(FOLDER / "one.npy", one)
            run("one", "silent.npy", "--target", "loihi2", "--import",
                ",".join([f"input-bias={FOLDER / 'one.npy'}", *options]))
            if not np.array_equal(np.load(FOLDER / "one" / "outputs.npy"), out.reshape(STEPS, -1)):
                sys.exit(f"FAILED: {options}: a sample's own image differs from a compilation with it")
        if len({out.tobytes() for out in outputs}) < 3:
            sys.exit(f"FAILED: {options}: images do not tell samples apart: {[out.sum() for out in outputs]}")
    np.save(FOLDER / "turned.npy", biases.transpose())
    np.save(FOLDER / "real.npy", biases + .5)
    np.save(FOLDER / "large.npy", biases + 2**18)
    for wrong, words in (("turned", "expected integers of shape (2, 4, 3)"), ("real", "found other numbers"),
                         ("large", "at most 2^18"), ("none", "none.npy")):
        done = run("wrong", "silent.npy", "--import", f"input-bias={FOLDER / wrong}.npy")
        if done.returncode != 1 or words not in done.stderr or done.stderr.count("\n") != 1:
            sys.exit(f"FAILED: {wrong}: {done.stderr}")
    print("ok: an image stands in the input layer's biases")


def slayer():
    """Files of SLAYER for Loihi 1 say the same in other words."""
    rng = np.random.default_rng(13)
    first, loop = rng.integers(-60, 120, (7, 9)) * 2, rng.integers(-20, 20, (7, 7)) * 2
    last, neuron = rng.integers(-60, 120, (4, 7)) * 2, files.cuba(900, 200, 60, wgtExp=0)
    x = (rng.random((STEPS, 9)) < 0.4).astype(int)
    spikes, _ = loader.run(files.write(FOLDER / "netx.net", [
        files.dense_rec(first, loop, neuron), files.dense(last, neuron)]), x)
    layers = [files.entry([1, 1, 9]), {**files.flatten(9), "shape": np.array([9, 1, 1])},
              {**files.dense(first, neuron), "type": files.text("recurrent"),
               "shape": np.array([7, 1, 1]), "recWeight": loop},
              files.dense(last, neuron),
              {"type": files.text("average"), "shape": np.array([2, 1, 1])}]
    np.save(FOLDER / "x.npy", x)
    np.savez(FOLDER / "want.npz", output=list(spikes.values())[-1])

    def told(*layers):
        path = files.write(FOLDER / "slayer.net", layers)
        return subprocess.run([DENDROLITH, "run", path, "--input", FOLDER / "x.npy", "--target",
                               "ideal", "--compare", FOLDER / "want.npz"], capture_output=True,
                              text=True)
    done = told(*layers)
    if done.returncode or "equal to" not in done.stdout or "averages over 2" not in done.stderr \
            or not spikes["layer1"].any():
        sys.exit(f"FAILED: SLAYER's words: {done.stderr}{done.stdout[-300:]}")
    for wrong, words in (([*layers, files.dense(last.T, neuron)], "nothing behind average"),
                         ([files.entry([3, 1, 3]), *layers[1:]], "an input along one axis"),
                         ([files.dense(last, files.cuba(wgtExp=1))], "neuron/wgtExp"),
                         ([files.dense(last, {**neuron, "refDelay": 2})], "neuron/refDelay")):
        done = told(*wrong)
        if done.returncode != 1 or words not in done.stderr:
            sys.exit(f"FAILED: {words}: {done.stderr}")
    print("ok: files of SLAYER for Loihi 1")


def targets():
    path = files.write(FOLDER / "graded.net", [files.dense(np.ones((5, 5)), files.sdnn())])
    np.save(FOLDER / "x.npy", np.ones((STEPS, 5)))
    done = subprocess.run([DENDROLITH, "run", path, "--input", FOLDER / "x.npy", "--target",
                           "loihi1"], capture_output=True, text=True)
    if done.returncode != 1 or "layer0" not in done.stderr:
        sys.exit(f"FAILED: sigma-delta on loihi1: {done.stderr}")
    done = subprocess.run(
        [DENDROLITH, "run", ROOT / "models/netx/shapes.net", "--input",
         ROOT / "models/lif/test_x.npy", "--labels", ROOT / "models/lif/test_y.npy",
         "--target", "loihi1", "--compare", ROOT / "models/netx/spikes.npz"],
        capture_output=True, text=True)
    if done.returncode or "Accuracy: 92.80 %" not in done.stdout:
        sys.exit(f"FAILED: the shipped network: {done.stderr}{done.stdout}")
    print("ok: sigma-delta refused by loihi1, the shipped network runs on it")


# Each part is a ctest test of its own.
PARTS = {"random0": lambda: networks(range(0, 13)),
         "random1": lambda: networks(range(13, 27)),
         "random2": lambda: networks(range(27, 40)),
         "resonators": resonators, "details": details, "resets": resets, "image": image, "slayer": slayer, "targets": targets}
for part in sys.argv[3:] or PARTS:
    PARTS[part]()
