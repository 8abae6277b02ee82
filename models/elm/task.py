# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two spoken digits as spikes, to be added: the task of the networks here.

    python3 task.py --commit           # test_x.npy, test_y.npy, calib_x.npy

SHD-Adding (section 4.1 of the paper) shows a network the spikes of two spoken
digits, end to end, and asks for their sum: 19 classes.  Its recordings cannot
be part of this repository, so the spikes are drawn here in their likeness: a
digit is three bands of energy (formants) that move over the channels of a
cochlea, each in its own part of the time.  A speaker is faster or slower,
higher or lower, begins earlier or later and is louder or softer; every channel
also fires by itself now and then.  Everything follows from the seed.
"""
import argparse
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
CHANNELS, DIGIT_STEPS, DIGITS = 40, 40, 10
STEPS, CLASSES = 2 * DIGIT_STEPS, 2 * DIGITS - 1
BANDS, WIDTH, PEAK = 3, 1.3, 0.7  # of a digit; of a band, in channels; in spikes
SPEED, PITCH, ONSET = (0.9, 1.1), 1.0, 3  # a speaker's range
LOUDNESS, NOISE = (0.7, 1.0), 0.004
POOL, TEST, CALIB = 6000, 400, 64
SEED_DIGITS, SEED_TRAIN, SEED_TEST, SEED_CALIB = 21, 22, 23, 24
FINE = 4  # points of a band's track per step


def digits():
    """The bands of every digit: centre (digit, band, point) in channels and
    loudness likewise, over DIGIT_STEPS * FINE points."""
    rng = np.random.default_rng(SEED_DIGITS)
    time = np.linspace(0, 1, DIGIT_STEPS * FINE)
    shape = (DIGITS, BANDS, 1)
    start, end, bow = (rng.uniform(3, CHANNELS - 4, shape),
                       rng.uniform(3, CHANNELS - 4, shape), rng.normal(0, 5, shape))
    centre = start + (end - start) * time + bow * np.sin(np.pi * time)
    begin, length = rng.uniform(0.05, 0.45, shape), rng.uniform(0.3, 0.5, shape)
    part = (time - begin) / length
    loud = np.where((part > 0) & (part < 1), np.sin(np.pi * np.clip(part, 0, 1)), 0.0)
    return centre, loud


def speak(rng, labels):
    """Spikes (n, step, channel) of uint8 of the digits `labels` (n,)."""
    centre, loud = digits()
    one = (len(labels), 1)
    speed, onset = rng.uniform(*SPEED, one), rng.integers(0, ONSET + 1, one)
    point = np.rint((np.arange(DIGIT_STEPS) - onset) * speed * FINE).astype(int)
    heard = (point >= 0) & (point < DIGIT_STEPS * FINE)
    point = np.clip(point, 0, DIGIT_STEPS * FINE - 1)
    pitch, level = rng.uniform(-PITCH, PITCH, one), rng.uniform(*LOUDNESS, one)
    quiet = np.full((len(labels), DIGIT_STEPS, CHANNELS), 1 - NOISE)
    for band in range(BANDS):
        track = centre[labels[:, None], band, point] + pitch
        force = PEAK * level * heard * loud[labels[:, None], band, point]
        away = (np.arange(CHANNELS) - track[..., None]) / WIDTH
        quiet *= 1 - force[..., None] * np.exp(-0.5 * away ** 2)
    return (rng.random(quiet.shape) > quiet).astype(np.uint8)


class Pool:
    """Spoken digits from which pairs are drawn."""

    def __init__(self, seed, count):
        self.rng = np.random.default_rng(seed)
        self.labels = self.rng.permutation(np.arange(count) % DIGITS)
        self.spikes = np.concatenate([speak(self.rng, part) for part in
                                      np.array_split(self.labels, max(1, count // 500))])

    def pairs(self, count):
        """Samples (count, STEPS, CHANNELS) of uint8, sums (count,), and the digits
        (count, 2)."""
        first, second = self.rng.integers(0, len(self.labels), (2, count))
        x = np.concatenate([self.spikes[first], self.spikes[second]], axis=1)
        said = np.stack([self.labels[first], self.labels[second]], axis=1)
        return x, said.sum(1).astype(np.uint8), said


def test_set():
    return Pool(SEED_TEST, 2 * TEST).pairs(TEST)[:2]


def calibration():
    return Pool(SEED_CALIB, 2 * CALIB).pairs(CALIB)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--commit", action="store_true", required=True)
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    options = parser.parse_args()
    x, y = test_set()
    np.save(options.out / "test_x.npy", x)
    np.save(options.out / "test_y.npy", y)
    np.save(options.out / "calib_x.npy", calibration())
    print(f"{len(x)} samples of {STEPS} steps and {CHANNELS} channels, "
          f"{x.sum() / len(x):.1f} spikes each")


if __name__ == "__main__":
    main()
