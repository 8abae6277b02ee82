#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a checkpoint of models/elm (.npz) or models/dhsnn (.pt2) on with a chip of few
bits in the loop: the forward pass is what the chip's integers answer, the backward pass
the gradient of the network in floats.

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
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
ELM = ROOT / "models" / "elm"
sys.path[:0] = [str(ROOT / "runtime" / "python"), str(ROOT / "models")]
import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

import dendrolith as dl  # noqa: E402

FEW = "loihi2,formats.weight_bits=4"
SEED, BATCH = 41, 64


class Elm:
    """A network of models/elm, whose answer is that of the last step."""

    data = ELM
    WIDTH = 4  # synapses of a branch, for all of the family

    def __init__(self, path):
        sys.path.insert(0, str(ELM))
        import task
        import torch_net

        with np.load(path) as arrays:
            found = dict(arrays)
        self.meta = meta = json.loads(str(found["meta"]))
        self.pool = task.Pool(SEED, task.POOL)
        self.net = torch_net.Net(meta["seed"], task.CHANNELS, meta["N"], meta["dm"],
                                 meta["dtree"], self.WIDTH, 2 * meta["dm"], meta["rho"],
                                 meta["tmax"], task.CLASSES, meta["out"] == "binary")
        with torch.no_grad():
            for prefix, layer in (("rec_", self.net.rec), ("ro_", self.net.ro), ("lin_", self.net.lin)):
                for name, parameter in layer.named_parameters():
                    parameter.copy_(torch.from_numpy(found[prefix + name]))
                if prefix != "lin_":
                    layer.idx, layer.col = (found[prefix + k].astype(int) for k in ("idx", "col"))

    def write(self, path):
        np.savez_compressed(path, **self.net.arrays(), meta=np.asarray(json.dumps(self.meta)))

    def batch(self):
        return self.pool.pairs(BATCH)[:2]

    def answers(self, x):
        """The scores at each step, of which only the last is an answer."""
        return F.pad(self.net(x)[0][:, None], (0, 0, x.shape[1] - 1, 0))

    @staticmethod
    def scores(answers):
        return answers[:, -1]


class Dhsnn:
    """A network of models/dhsnn, whose answer is the mean over the steps."""

    data = ROOT / "models" / "lif"

    def __init__(self, path):
        sys.path[:0] = [str(ROOT / "models" / "dhsnn"), str(self.data)]
        import shapes
        import torch_net

        self.torch_net = torch_net
        self.batches = shapes.batches(20000, BATCH)
        found = torch.export.load(path).state_dict
        neurons, branches, sources = found["net.weight"].shape
        self.net = torch_net.Net(sources - neurons, neurons, branches, len(shapes.CLASSES))
        self.net.load_state_dict({name.removeprefix("net."): value for name, value in found.items()
                                  if name.startswith("net.")})

    def write(self, path):
        self.torch_net.write(self.net, path)

    def batch(self):
        return next(self.batches)

    def answers(self, x):
        return self.torch_net.unrolled(self.net, x)[0]

    @staticmethod
    def scores(answers):
        return answers.mean(1)


def calibration(model):
    return np.load(model.data / "calib_x.npy")


def score(path, model, target):
    x, y = (np.load(model.data / f"test_{part}.npy") for part in "xy")
    network = dl.load(path)
    runs = network if target is None else dl.compile(network, target, calibrate=calibration(model))
    return 100 * runs.run(x.astype(float), labels=y).score.value


def train(model, steps, rate, target, suffix):
    """`target` None: the same steps without a chip, for what training alone brings."""
    optimizer = torch.optim.Adam(model.net.parameters(), lr=rate)
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    every, total = max(1, steps // 5), 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"net{suffix}"
        for step in range(1, steps + 1):
            x, y = model.batch()
            x, run = torch.from_numpy(x).float(), model.answers
            if target:
                model.write(path)
                program = dl.compile(dl.load(path), target, calibrate=calibration(model))
                run = dl.torch.on_chip(program, run)
            loss = F.cross_entropy(model.scores(run(x)), torch.from_numpy(y).long())
            total += loss.item()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.net.parameters(), 1.0)
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
    warnings.simplefilter("ignore", dl.DendrolithWarning)  # of each step what the chip loses
    suffix = options.checkpoint.suffix
    model = (Dhsnn if suffix == ".pt2" else Elm)(options.checkpoint)
    target = None if options.without_chip else options.target
    train(model, options.steps, options.rate, target, suffix)
    model.write(options.out)
    for path in (options.checkpoint, options.out):
        print(f"{path.name}: {score(path, model, None):.2f} % in floats, "
              f"{score(path, model, options.target):.2f} % on {options.target}")


if __name__ == "__main__":
    main()
