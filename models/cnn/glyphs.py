# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Digits seen by an event camera that moves: the task of the network here.

A digit of a few strokes, with random place, size, turn, slant and width, is
looked at in three saccades, as the camera of N-MNIST does.  A pixel that became
brighter from one step to the next is an event of polarity 0, one that became
darker of polarity 1; a few more events are noise.  A sample is (10 steps, 2
polarities, 14 rows, 14 columns) of 0 or 1.  Everything follows from the seed.

    python3 glyphs.py           # prints one sample of each digit
"""
import numpy as np

SIZE, STEPS, CLASSES = 14, 10, 10
STEP = 0.25  # change of brightness that makes an event
NOISE = 0.01  # chance of an event that nothing made
SACCADE = 2.5  # pixels that the camera moves in each of three directions
TRAIN, TEST, CALIB = 16000, 500, 300
SEED_TRAIN, SEED_TEST, SEED_CALIB = 21, 22, 23


def _arc(cx, cy, rx, ry, begin, end, parts=8):
    """Points on an ellipse; angles in turns, clockwise from the right."""
    a = 2 * np.pi * np.linspace(begin, end, parts + 1)
    return np.stack([cx + rx * np.cos(a), cy + ry * np.sin(a)], 1)


# Strokes of each digit: points (x, y) from -1 to 1, y downwards.
STROKES = (
    [_arc(0, 0, 0.6, 1, 0, 1, 12)],
    [[(-0.4, -0.6), (0.1, -1), (0.1, 1)]],
    [np.vstack([_arc(0, -0.45, 0.55, 0.55, 0.5, 1.12), [(-0.6, 1), (0.6, 1)]])],
    [_arc(-0.1, -0.5, 0.6, 0.5, 0.6, 1.25), _arc(-0.1, 0.5, 0.65, 0.5, 0.75, 1.4)],
    [[(0.3, 1), (0.3, -1), (-0.6, 0.4), (0.7, 0.4)]],
    [np.vstack([[(0.55, -1), (-0.5, -1), (-0.5, -0.1)],
                _arc(-0.05, 0.4, 0.6, 0.6, 0.7, 1.4)])],
    [np.vstack([[(0.4, -1), (-0.4, 0)], _arc(0, 0.45, 0.55, 0.55, 0.5, 1.5)])],
    [[(-0.6, -1), (0.6, -1), (-0.2, 1)]],
    [_arc(0, -0.5, 0.45, 0.5, 0, 1), _arc(0, 0.5, 0.55, 0.5, 0, 1)],
    [np.vstack([_arc(0, -0.45, 0.55, 0.55, 0, 1), [(0.3, 1)]])],
)
SEGMENTS = [np.concatenate([np.stack([np.array(s)[:-1], np.array(s)[1:]], 1) for s in strokes])
            for strokes in STROKES]


def path():
    """Where the camera looks at each of STEPS + 1 moments, in pixels."""
    corners = SACCADE * np.array([(0, 0), (0.5, 0.9), (-0.5, 0.9), (0, 0)])
    at = np.linspace(0, 3, STEPS + 1)
    return np.stack([np.interp(at, range(4), corners[:, k]) for k in (0, 1)], 1) - [0, SACCADE / 2]


def brightness(rng, label):
    """A digit at all moments: (STEPS + 1, SIZE, SIZE) from 0 to 1."""
    size, turn, slant = rng.uniform(3.6, 5), rng.uniform(-0.25, 0.25), rng.uniform(-0.25, 0.25)
    width, centre = rng.uniform(0.7, 1.1), rng.uniform(-1, 1, 2) + (SIZE - 1) / 2
    c, s = np.cos(turn), np.sin(turn)
    lines = size * SEGMENTS[label] @ np.array([[c, s], [slant * c - s, slant * s + c]])
    begin, along = lines[:, 0], lines[:, 1] - lines[:, 0]
    rows, columns = np.mgrid[0:SIZE, 0:SIZE]
    points = np.stack([columns, rows], -1) - centre + path()[:, None, None]
    away = points[..., None, :] - begin
    share = np.clip((away * along).sum(-1) / (along ** 2).sum(-1), 0, 1)
    distance = np.hypot(*np.moveaxis(away - share[..., None] * along, -1, 0)).min(-1)
    return np.clip(width + 0.5 - distance, 0, 1)


def make(seed, count):
    """`count` samples (count, STEPS, 2, SIZE, SIZE) and labels (count,), both
    uint8, classes in equal shares, in random order."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(count) % CLASSES).astype(np.uint8)
    events = np.zeros((count, STEPS, 2, SIZE, SIZE), np.uint8)
    for sample, label in zip(events, labels):
        change = np.diff(brightness(rng, label), axis=0)
        sample[:, 0], sample[:, 1] = change > STEP, change < -STEP
        sample |= rng.random(sample.shape, np.float32) < NOISE
    return events, labels


if __name__ == "__main__":
    for sample, label in zip(*make(0, CLASSES)):
        print(label)
        for row in sample[:, 0].sum(0) - sample[:, 1].sum(0).astype(int):
            print("".join("+" if v > 0 else "-" if v < 0 else "." for v in row))
