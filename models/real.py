# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a network of this folder on data that nobody here drew, downloaded by it.

    python3 real.py --net images --out DIR   # MMDEND on Fashion-MNIST, from Debian's package
    python3 real.py --net vowels --out DIR   # ELM on JapaneseVowels, from the package aeon

DIR gets the data, the checkpoint, and test_x.npy, test_y.npy and calib_x.npy for
`dendrolith run`.  The recipes are those of mmdend/ and elm/.
"""
import gzip
import pathlib
import subprocess
import sys
import time
import types
import zipfile

import training

if __name__ == "__main__":
    training.restart()

import numpy as np

MODELS = pathlib.Path(__file__).resolve().parent
IMAGES, SPEECH = "dataset-fashion-mnist", "aeon"
CALIB, TEST = 64, 1000
FRAMES, FINE = 29, 256  # the longest utterance; steps of a coefficient
LOUDER, JITTER = 0.1, 0.1  # standard deviations of what training adds


def package(folder, pattern, *command):
    """The downloaded package, fetched if it is not there."""
    if not list(folder.glob(pattern)):
        subprocess.run(command, cwd=folder, check=True)
    return sorted(folder.glob(pattern))[-1]


def idx(content):
    """An array of uint8 from a file of the MNIST family."""
    axes = content[3]
    shape = np.frombuffer(content, ">i4", axes, 4)
    if content[:3] != b"\0\0\x08" or len(content) != 4 + 4 * axes + shape.prod():
        raise SystemExit(f"not an IDX file of bytes: {content[:4]}, {len(content)} bytes")
    return np.frombuffer(content, np.uint8, offset=4 + 4 * axes).reshape(shape)


def series(text):
    """Samples (n, frame, channel) and labels from 0 on of a .ts file.  Each ends at the last
    frame, with zeros before it, because answers are read at the end."""
    rows = [line.split(":") for line in text.split("@data", 1)[1].split("\n") if line.strip()]
    x = np.zeros((len(rows), FRAMES, len(rows[0]) - 1), np.float32)
    for sample, row in zip(x, rows):
        values = np.array([channel.split(",") for channel in row[:-1]], np.float32)
        sample[FRAMES - values.shape[1]:] = values.T
    return np.rint(FINE * x) / np.float32(FINE), np.array([int(row[-1]) - 1 for row in rows])


def columns(folder):
    """Fashion-MNIST, one column of 28 grey levels a step: training and test."""
    deb = package(folder, f"{IMAGES}_*.deb", "apt-get", "download", IMAGES)
    subprocess.run(["dpkg-deb", "-x", deb.name, "images"], cwd=folder, check=True)
    found = folder / "images/usr/share/datasets/fashion-mnist"
    read = lambda name: idx(gzip.decompress((found / f"{name}-ubyte.gz").read_bytes()))
    return [(np.ascontiguousarray(read(f"{part}-images-idx3").transpose(0, 2, 1)),
             read(f"{part}-labels-idx1")) for part in ("train", "t10k")]


def vowels(folder):
    """JapaneseVowels: 12 cepstral coefficients a frame of nine speakers."""
    wheel = package(folder, f"{SPEECH}-*.whl", sys.executable, "-m", "pip", "download", "--no-deps",
                    "--only-binary=:all:", SPEECH)
    with zipfile.ZipFile(wheel) as files:
        return [series(files.read(f"aeon/datasets/data/JapaneseVowels/JapaneseVowels_{part}.ts")
                       .decode()) for part in ("TRAIN", "TEST")]


def write(out, calib, test):
    for name, array in (("calib_x", calib), ("test_x", test[0]), ("test_y", test[1])):
        np.save(out / f"{name}.npy", array)


def train_images(steps, out):
    import train
    (x, y), whole = columns(out)
    test = tuple(part[:TEST] for part in whole)
    write(out, x[:CALIB], test)

    def batches(count):
        rng = np.random.default_rng(0)
        while True:
            pick = rng.integers(0, len(x), count)
            yield x[pick], y[pick]

    train.build("sparse", steps, out, types.SimpleNamespace(
        TASK="Fashion-MNIST", SIZE=x.shape[2], batches=batches, test_set=lambda: test))


def train_vowels(steps, out):
    import torch
    import torch_net
    import train
    (x, y), test = vowels(out)
    write(out, x[:: len(x) // CALIB][:CALIB], test)
    meta = {**train.NETS["p4000_m3_s0"], "name": "vowels", "task": "JapaneseVowels", "steps": steps,
            "Din": x.shape[2], "lr": 1e-2}
    net = torch_net.Net(0, x.shape[2], meta["N"], meta["dm"], meta["dtree"], train.WIDTH,
                        2 * meta["dm"], train.RHO, train.TAU_MAX, int(y.max()) + 1, False)
    begin, rng = time.process_time(), np.random.default_rng(0)
    torch.manual_seed(0)

    def lesson():
        pick = rng.integers(0, len(x), 32)
        spoken = x[pick] * (1 + LOUDER * rng.standard_normal((32, 1, 1)))
        spoken += JITTER * rng.standard_normal(spoken.shape) * (spoken != 0)
        scores, _, _ = net(torch.from_numpy(spoken).float())
        return torch.nn.functional.cross_entropy(scores, torch.from_numpy(y[pick])), 0.0

    optimizer = torch.optim.Adam(net.parameters(), meta["lr"])
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    training.descend(net, optimizer, plan, steps, lesson)
    train.save(net, meta, *test, begin, out)


NETS = {"images": ("mmdend", 600, train_images), "vowels": ("elm", 600, train_vowels)}


def build(name, steps, out):
    folder, _, recipe = NETS[name]
    sys.path.insert(0, str(MODELS / folder))
    recipe(steps, out)


if __name__ == "__main__":
    training.run(__doc__, {name: row[1] for name, row in NETS.items()}, pathlib.Path("real"), build)
