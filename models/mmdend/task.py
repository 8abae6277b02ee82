# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawn shapes in grey: the task of the networks in this folder.

The drawing is that of ../lif/shapes.py: one of ten shapes and two clutter bars
in 32 x 32 pixels.  Here each image has its own background, contrast and
Gaussian noise, rounded to grey levels 0..255, which a graded input of 8 bits
carries exactly.  An image is shown column by column: a sample is (32 steps, 32
inputs).  Everything follows from the seed.
"""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lif"))
import shapes  # noqa: E402

SIZE, CLASSES = shapes.SIZE, shapes.CLASSES
BASE = (80, 96)  # background level
CONTRAST = (40, 64)  # shape minus background
NOISE = 0.5  # standard deviation of the noise, of the contrast
# What training subtracts and divides by; folded into W0 and b0 on export.
OFFSET, SCALE = 88.0, 64.0
TRAIN, TEST = 20000, 1000
SEED_TRAIN, SEED_TEST, SEED_CALIB, SEED_MORE = 11, 12, 13, 15
TASK = "grey shapes"


def grey(rng, images):
    """Images (n, row, column) of bool to samples (n, step, input) of uint8."""
    each = (len(images), 1, 1)
    base = rng.uniform(*BASE, each).astype(np.float32)
    contrast = rng.uniform(*CONTRAST, each).astype(np.float32)
    noise = NOISE * rng.standard_normal(images.shape, np.float32)
    level = np.rint(np.clip(base + contrast * (images + noise), 0, 255))
    return np.ascontiguousarray(level.transpose(0, 2, 1)).astype(np.uint8)


def drawn(seed, count):
    """`count` noiseless images (count, row, column) of bool, their labels
    (count,) of uint8 in equal shares and random order, and the generator."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(count) % len(CLASSES)).astype(np.uint8)
    return shapes.draw(rng, labels), labels, rng


def make(seed, count):
    """`count` samples (count, 32, 32) and labels (count,), both uint8."""
    images, labels, rng = drawn(seed, count)
    return grey(rng, images), labels


def batches(count):
    """`count` samples and labels at a time, without end.  Grey levels and noise are drawn
    anew in every batch."""
    images, labels, rng = drawn(SEED_TRAIN, TRAIN)
    while True:
        pick = rng.integers(0, len(images), count)
        yield grey(rng, images[pick]), labels[pick]


def test_set():
    return make(SEED_TEST, TEST)


def calibration():
    """500 samples and labels, as shapes.calibration() draws them."""
    return shapes.calibration(make, (SEED_CALIB, SEED_MORE))


if __name__ == "__main__":
    for sample, label in zip(*make(0, 10)):
        print(CLASSES[label])
        print("\n".join("".join(" .:-=+*#%@"[p // 26] for p in row)
                        for row in sample.T))
