# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawn shapes as binary events: the task of the shipped network.

An image is 32 x 32 pixels of 0 or 1: one of ten shapes with random centre,
radius and rotation, two clutter bars, and pixels flipped at random.  It is
shown column by column, so a sample is (32 steps, 32 inputs) and the network
has to remember what it saw.  Everything follows from the seed.
"""
import numpy as np

SIZE = 32
CLASSES = ("ring", "disk", "square outline", "filled square",
           "triangle outline", "filled triangle", "plus", "X",
           "vertical stripes", "horizontal stripes")
FLIP = 0.02  # chance that a pixel is inverted
BARS = 2  # clutter bars per image
STROKE = 1.2  # half the width of a drawn line, in pixels
SEED_TRAIN, SEED_TEST, SEED_CALIB, SEED_MORE = 1, 2, 3, 5
TRAIN, TEST, CALIB, MORE = 60000, 500, 64, 436
TILT = 0.35  # largest rotation of a shape, in radians


def _triangle(x, y, radius):
    """Signed distance to an upright triangle, negative inside."""
    inner = 0.55 * radius
    sides = [np.cos(a) * x + np.sin(a) * y
             for a in np.pi / 2 + 2 * np.pi / 3 * np.arange(3)]
    return np.max(sides, axis=0) - inner


def _inside(name, x, y, radius, wave, shift):
    """Which points (x, y), relative to the centre, the shape covers."""
    rho = np.hypot(x, y)
    box = np.maximum(abs(x), abs(y)) - 0.85 * radius
    if name == "ring":
        return abs(rho - radius) < STROKE
    if name == "disk":
        return rho < radius
    if name == "square outline":
        return abs(box) < STROKE
    if name == "filled square":
        return box < 0
    if name == "triangle outline":
        return abs(_triangle(x, y, radius)) < STROKE
    if name == "filled triangle":
        return _triangle(x, y, radius) < 0
    if name in ("plus", "X"):
        if name == "X":
            x, y = (x + y) / np.sqrt(2), (x - y) / np.sqrt(2)
        return (np.minimum(abs(x), abs(y)) < STROKE) & (rho < radius)
    across = x if name == "vertical stripes" else y
    return (rho < radius) & (np.cos(2 * np.pi * across / wave + shift) > 0)


def draw(rng, labels):
    """Images (n, row, column) of bool for the given labels, without flips."""
    rows, columns = np.mgrid[0:SIZE, 0:SIZE].astype(float)
    images = np.zeros((len(labels), SIZE, SIZE), bool)
    for image, label in zip(images, labels):
        radius = rng.uniform(5, 10)
        cx, cy = rng.uniform(radius, SIZE - 1 - radius, 2)
        tilt = rng.uniform(-TILT, TILT)
        c, s = np.cos(tilt), np.sin(tilt)
        dx, dy = columns - cx, rows - cy
        image |= _inside(CLASSES[label], c * dx + s * dy, c * dy - s * dx,
                         radius, rng.uniform(4, 6),
                         rng.uniform(0, 2 * np.pi))
        for _ in range(BARS):
            bx, by = rng.uniform(0, SIZE - 1, 2)
            angle, half = rng.uniform(0, np.pi), rng.uniform(2, 5)
            c, s = np.cos(angle), np.sin(angle)
            dx, dy = columns - bx, rows - by
            image |= (abs(c * dx + s * dy) < half) & \
                     (abs(c * dy - s * dx) < 0.6)
    return images


def flip(rng, images):
    """Invert each pixel with probability FLIP."""
    return images ^ (rng.random(images.shape, np.float32) < FLIP)


def events(images):
    """Images (n, row, column) to events (n, step, input): column by column."""
    return np.ascontiguousarray(images.transpose(0, 2, 1)).astype(np.uint8)


def batches(drawn, size):
    """Endless batches of events and labels, of `drawn` images whose pixels are flipped anew."""
    rng = np.random.default_rng(SEED_TRAIN)
    labels = np.arange(drawn) % len(CLASSES)
    images = draw(rng, labels)
    while True:
        pick = rng.integers(0, drawn, size)
        yield events(flip(rng, images[pick])), labels[pick]


def make(seed, count):
    """`count` samples: events (count, 32, 32) of uint8 and labels (count,)
    of uint8, classes in equal shares, in random order."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(count) % len(CLASSES)).astype(np.uint8)
    return events(flip(rng, draw(rng, labels))), labels


def calibration(make=make, seeds=(SEED_CALIB, SEED_MORE)):
    """500 samples and labels from seeds that neither training nor the test set
    has.  The first 64 are calib_x.npy."""
    some, more = (make(*drawn) for drawn in zip(seeds, (CALIB, MORE)))
    return tuple(np.concatenate(pair) for pair in zip(some, more))


def save_calibration(folder, x, y):
    """Both sizes: 64 samples, and 500 with labels."""
    np.save(folder / "calib_x.npy", x[:CALIB])
    np.save(folder / "calib500_x.npy", x)
    np.save(folder / "calib500_y.npy", y)


if __name__ == "__main__":
    for sample, label in zip(*make(0, 10)):
        print(CLASSES[label])
        print("\n".join("".join(".#"[p] for p in row) for row in sample.T))
