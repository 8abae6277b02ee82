# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Digits by the order of their pixels: task, training and the network on four chips.

A digit of a few strokes (models/cnn/glyphs.py) is seen as 7 x 7 pixels, of which the 16
brightest spike, the brightest first. That is shown eight times, and each time ends with
a time reference. Ten neurons with weights of 0 to 7 add up; the one that fires most
often is the answer.

    python3 digits.py train                    # writes digits.npz, 10 s
    python3 digits.py run DENDROLITH [CHIP...] # networks, inputs and results in out/events
"""
import json
import pathlib
import re
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cnn"))
sys.dont_write_bytecode = True
from glyphs import CLASSES, SIZE, brightness  # noqa: E402

PIXELS, FIRST, SHOWN = (SIZE // 2) ** 2, 16, 8
TRAIN, TEST, SEED_TRAIN, SEED_TEST = 4000, 500, 31, 32


def make(seed, count):
    """Pixels in the order in which they spike, (count, FIRST), and labels."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(count) % CLASSES)
    seen = np.array([brightness(rng, label)[0].reshape(SIZE // 2, 2, SIZE // 2, 2).mean((1, 3))
                     for label in labels]).reshape(count, -1)
    seen += 1e-3 * rng.random(seen.shape)
    return np.argsort(-seen, axis=1)[:, :FIRST], labels


def by_events(order, weights, threshold, leak):
    """How often each neuron fires, where pixels are events."""
    v = np.zeros((len(order), CLASSES), int)
    count = np.zeros_like(v)
    for _ in range(SHOWN):
        for k in range(FIRST):
            v += weights[:, order[:, k]].T
            fires = v >= threshold
            count += fires
            v[fires] = 0
        v = np.maximum(v - leak, 0)
    return count


def accuracy(count, order, labels, *network):
    return (count(order, *network).argmax(1) == labels).mean()


def train():
    """Softmax regression on which pixels spike, with weights of 0..7 in it from the first
    step: what all weights have in common moves no answer, for as many pixels spike in
    each image. Threshold and leak are those of the most right answers."""
    order, labels = make(SEED_TRAIN, TRAIN)
    x = np.zeros((TRAIN, PIXELS))
    np.put_along_axis(x, order, 1, axis=1)
    w, target = np.full((CLASSES, PIXELS), 3.5), np.eye(CLASSES)[labels]
    w += np.random.default_rng(0).normal(0, .1, w.shape)
    for step in range(1500):
        z = .5 * x @ np.round(np.clip(w, 0, 7)).T
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        w = np.clip(w - (1 - step / 1500) * (p - target).T @ x / TRAIN, -.4, 7.4)
    weights = np.round(np.clip(w, 0, 7)).astype(int)
    print(f"without neurons {100 * ((x @ weights.T).argmax(1) == labels).mean():.1f} %")
    chosen = {"weights": weights.astype(np.uint8)}
    for name, count, most in (("events", by_events, 120), ("ticks", by_ticks, 60)):
        found = [(accuracy(count, order[:2000], labels[:2000], weights, threshold, leak),
                  threshold, leak)
                 for threshold in range(4, most, 4) for leak in range(40, 80, 2)]
        chosen[name] = max(found)[1:]
        print(f"{name}: threshold {chosen[name][0]}, leak {chosen[name][1]}, "
              f"{100 * accuracy(count, order, labels, weights, *chosen[name]):.1f} % of {TRAIN}")
    np.savez(HERE / "digits.npz", **chosen)


def by_ticks(order, weights, threshold, leak):
    """The same, where all pixels of an image come at once."""
    v = np.zeros((len(order), CLASSES), int)
    count = np.zeros_like(v)
    for _ in range(SHOWN):
        v += weights[:, order].sum(axis=2).T - leak
        fires = v >= threshold
        count += fires
        v = np.where(fires | (v < 0), 0, v)
    return count


def constant(name, values):
    values = np.asarray(values).astype(int)
    kind = f"tensor<{''.join(f'{extent}x' for extent in values.shape)}i32>"
    return f"  dend.constant @{name} : {kind} = dense<{json.dumps(values.tolist())}> : {kind}"


def neuron_of(chip):
    """The neuron that stands beside the chip's numbers."""
    text = (HERE.parents[1] / "targets" / chip / "neuron.mlir").read_text()
    return re.search(r"  dend\.neuron .*?\n  }", text, re.S)[0]


def network(chip, weights, threshold, leak):
    """The network's text for a chip: the same weights."""
    ones, body = np.ones(CLASSES), neuron_of(chip)
    params = {"threshold": threshold * ones, "leak": leak * ones}
    if chip == "catalyst-n1":
        params.update(rest=0 * ones, period=0 * ones, low=-32768 * ones, high=32767 * ones)
    if chip == "ranc":
        # Three axons for each pixel, whose types have the weights 1, 2 and 4.
        weights = np.stack([weights & 1 << b for b in range(3)], axis=2).reshape(CLASSES, -1)
        params = {"leak": -leak * ones, "positive": threshold * ones, "negative": 0 * ones,
                  "reset": 0 * ones, "linear": 0 * ones}
    lines = ["dend.network @digits {", "  dend.clock @tick", body, constant("W", weights),
             *(constant(name, values) for name, values in params.items()),
             f"  dend.input @pixels on @tick : tensor<{weights.shape[1]}xf64> "
             "as !dend.spike<binary>"]
    bind = ", ".join(f"{name} = @{name}" for name in params)
    lines += [f"  dend.population @digit : @neuron[{CLASSES}] on @tick bind {{{bind}}}",
              '  dend.project @pixels -> @digit["I"] #dend.dense weight @W delay 0']
    if chip in ("odin", "tinyodin"):
        lines += ["  dend.input @time on @tick : tensor<1xf64> as !dend.spike<binary>",
                  constant("each", np.ones((CLASSES, 1))),
                  '  dend.project @time -> @digit["T"] #dend.dense weight @each delay 0']
    return "\n".join(lines + ['  dend.output @s = @digit["s"]', "}"]) + "\n"


def inputs(chip, order):
    """The samples as the chip sees them: events in their order, or images."""
    count = len(order)
    if chip not in ("odin", "tinyodin"):
        image = np.zeros((count, 1, PIXELS), np.uint8)
        np.put_along_axis(image[:, 0], order, 1, axis=1)
        image = np.repeat(image, SHOWN, axis=1)
        return {"pixels": np.repeat(image, 3, axis=2) if chip == "ranc" else image}
    pixels = np.zeros((count, SHOWN, FIRST + 1, PIXELS), np.uint8)
    for k in range(FIRST):
        pixels[np.arange(count), :, k, order[:, k]] = 1
    time = np.zeros((count, SHOWN, FIRST + 1, 1), np.uint8)
    time[:, :, FIRST] = 1
    return {"pixels": pixels.reshape(count, -1, PIXELS), "time": time.reshape(count, -1, 1)}


def in_order(dendrolith, folder, order, labels):
    """The network of ticks on ODIN, whose events come one after the other."""
    folder = pathlib.Path(folder) / "steps"
    folder.mkdir(parents=True, exist_ok=True)
    with np.load(HERE / "digits.npz") as file:
        given = file["weights"].astype(int), *map(int, file["ticks"])
    (folder / "digits.mlir").write_text(network("odin", *given))
    values = {"pixels": inputs("catalyst-n1", order)["pixels"],
              "time": np.ones((len(order), SHOWN, 1), np.uint8)}
    for name, value in values.items():
        np.save(folder / f"{name}.npy", value)
    np.save(folder / "labels.npy", labels)
    words = [word for name in values for word in ("--input", f"{name}={folder / name}.npy")]
    done = subprocess.run(
        [str(dendrolith), "run", folder / "digits.mlir", "--target", "odin", *words, "--labels",
         folder / "labels.npy", "--compare", "reference", "--out", folder / "out"], check=True,
        capture_output=True, text=True)
    return "\n".join(line for line in done.stdout.splitlines()
                     if line.startswith(("Accuracy", "Same class", "Events")))


TARGETS = {"odin": "odin", "tinyodin": f"tinyodin,limits.compartments_per_core={CLASSES}",
           "ranc": "ranc", "catalyst-n1": "catalyst-n1"}


def run(dendrolith, folder, chip, order, labels):
    """What a chip counts for each sample, what the equations do, and its result."""
    timed = chip in ("odin", "tinyodin")
    with np.load(HERE / "digits.npz") as file:
        given = file["weights"].astype(int), *map(int, file["events" if timed else "ticks"])
    folder = pathlib.Path(folder) / chip
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "digits.mlir").write_text(network(chip, *given))
    words = []
    for name, values in inputs(chip, order).items():
        np.save(folder / f"{name}.npy", values)
        words += ["--input", f"{name}={folder / name}.npy"]
    np.save(folder / "labels.npy", labels)
    subprocess.run([str(dendrolith), "run", folder / "digits.mlir", *words, "--labels",
                    folder / "labels.npy", "--target", TARGETS[chip], "--engine", "cycle",
                    "--out", folder / "out", "--report", "none"], check=True,
                   stderr=subprocess.DEVNULL)
    result = json.loads((folder / "out" / "result.json").read_text())
    spikes = np.load(folder / "out" / "outputs.npy").reshape(len(order), -1, CLASSES).sum(1)
    want = (by_events if timed else by_ticks)(order, *given)
    return spikes, want, result


if __name__ == "__main__":
    if sys.argv[1:] == ["train"]:
        train()
        sys.exit()
    order, labels = make(SEED_TEST, TEST)
    with np.load(HERE / "digits.npz") as file:
        network_of_events = file["weights"].astype(int), *map(int, file["events"])
    for what, other in (("dimmest first", order[:, ::-1]), ("by place", np.sort(order))):
        count = by_events(other, *network_of_events)
        print(f"events {what}: {100 * (count.argmax(1) == labels).mean():.1f} %, another answer "
              f"in {(count.argmax(1) != by_events(order, *network_of_events).argmax(1)).sum()}")
    print("chip          right   spikes        us   nJ of events")
    for chip in sys.argv[3:] or TARGETS:
        spikes, want, result = run(sys.argv[2], "out/events", chip, order, labels)
        if (spikes != want).any():
            sys.exit(f"{chip}: {(spikes != want).sum()} of {want.size} counts are not those of "
                     "the equations")
        energy = result["energy"]["low"]
        print(f"{chip:12} {100 * (spikes.argmax(1) == labels).mean():5.1f} % "
              f"{spikes.sum() / TEST:7.2f} {result['latency']['per_sample_ns']['mean'] / 1e3:9.1f}  "
              + (f"{energy['bound'] or ''} {energy['total_pJ'] / TEST / 1e3:.2f}"
                 if chip == "odin" else "unpriced"))
    print("the network of ticks on odin, event by event:")
    print(in_order(sys.argv[2], "out/events", order, labels))
