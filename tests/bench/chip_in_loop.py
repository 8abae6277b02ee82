#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains an ELM checkpoint on with a chip of few bits in the loop: the forward pass is
what the chip's integers answer, the backward pass the gradient of the network in floats.

    python3 tests/bench/chip_in_loop.py build/bin/dendrolith models/elm/family/p4000_m3_s0.npz --out OUT.npz

100 steps of 64 samples take under two minutes of CPU. --without-chip takes the same steps
in floats, for what training alone brings. The last weights are kept, whatever they score;
the test set is looked at for what is printed. Needs torch.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ELM = ROOT / "models" / "elm"
sys.path[:0] = [str(ROOT / "runtime" / "python"), str(ELM)]
import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

import dendrolith as dl  # noqa: E402
import task  # noqa: E402
import torch_net  # noqa: E402

WIDTH = 4  # synapses of a branch, for all of the family
FEW = "loihi2,formats.weight_bits=4"
SEED, BATCH = 41, 64


def restore(path):
    """The network of a checkpoint, and its meta."""
    with np.load(path) as arrays:
        found = dict(arrays)
    meta = json.loads(str(found["meta"]))
    net = torch_net.Net(meta["seed"], task.CHANNELS, meta["N"], meta["dm"], meta["dtree"], WIDTH,
                        2 * meta["dm"], meta["rho"], meta["tmax"], task.CLASSES,
                        meta["out"] == "binary")
    with torch.no_grad():
        for prefix, layer in (("rec_", net.rec), ("ro_", net.ro), ("lin_", net.lin)):
            for name, parameter in layer.named_parameters():
                parameter.copy_(torch.from_numpy(found[prefix + name]))
            if prefix != "lin_":
                layer.idx, layer.col = (found[prefix + k].astype(int) for k in ("idx", "col"))
    return net, meta


def write(net, meta, path):
    np.savez_compressed(path, **net.arrays(), meta=np.asarray(json.dumps(meta)))


def calibration():
    return np.load(ELM / "calib_x.npy")


def answers(net):
    """The network as a function of samples, at each step; only the last is an answer."""
    def run(x):
        scores = net(x)[0]
        return F.pad(scores[:, None], (0, 0, x.shape[1] - 1, 0))
    return run


def score(path, target):
    x, y = (np.load(ELM / f"test_{part}.npy") for part in "xy")
    network = dl.load(path)
    runs = network if target is None else dl.compile(network, target, calibrate=calibration())
    return 100 * runs.run(x.astype(float), labels=y).score.value


def train(net, meta, steps, rate, target):
    """`target` None: the same steps without a chip, for what training alone brings."""
    optimizer = torch.optim.Adam(net.parameters(), lr=rate)
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    pool = task.Pool(SEED, task.POOL)
    model, every, total = answers(net), max(1, steps // 5), 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "net.npz"
        for step in range(1, steps + 1):
            x, y, _ = pool.pairs(BATCH)
            x, run = torch.from_numpy(x).float(), model
            if target:
                write(net, meta, path)
                run = dl.torch.on_chip(dl.compile(dl.load(path), target, calibrate=calibration()), model)
            loss = F.cross_entropy(run(x)[:, -1], torch.from_numpy(y).long())
            total += loss.item()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            plan.step()
            if step % every == 0:
                print(f"  step {step} of {steps}: loss {total / every:.3f}", flush=True)
                total = 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dendrolith", type=pathlib.Path)
    parser.add_argument("checkpoint", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--target", default=FEW)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--without-chip", action="store_true")
    options = parser.parse_args()
    os.environ["DENDROLITH_BIN"] = str(options.dendrolith.resolve())
    torch.set_num_threads(1)
    net, meta = restore(options.checkpoint)
    target = None if options.without_chip else options.target
    train(net, meta, options.steps, options.rate, target)
    write(net, meta, options.out)
    for path in (options.checkpoint, options.out):
        print(f"{path.name}: {score(path, None):.2f} % in floats, "
              f"{score(path, options.target):.2f} % on {options.target}")


if __name__ == "__main__":
    main()
