# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the network on moving digits and writes every committed file beside itself.

    python3 train.py            # one thread, a few minutes
    python3 train.py --steps 50 --out /some/folder     # a quick look

Writes glyphs_cnn.nir, test_x.npy, test_y.npy, calib_x.npy and calib_y.npy and
prints the accuracy.  The step is the one README.md defines and reference.py
repeats; training and file differ in nothing but the width of a float.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import training

if __name__ == "__main__":
    training.restart()

import numpy as np
import torch
import torch.nn.functional as F

# In front of this folder, whose train.py is this file.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lif"))
from train import DT, Spike, jitter, judge, leaky, write_nir  # noqa: E402

import glyphs  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
CHANNELS = (2, 8, 16)
KERNEL, STRIDE, PADDING = 3, 2, 1
TAU, READ_TAU = 4, 8  # steps
THRESHOLD = 1.0
RATE_COST = 0.1  # loss per spike, neuron and step: buys sparse firing
WEIGHT_NOISE = 0.004  # of a layer's largest weight: half an 8-bit step
SEED_NET = 24
NETS = {"glyphs_cnn": 2500}  # steps


class Net(torch.nn.Module):
    """2x14x14 -> Conv(8) LIF 8x7x7 -> Conv(16) LIF 16x4x4 -> LI(10)."""

    def __init__(self):
        super().__init__()
        self.convs = torch.nn.ModuleList(
            torch.nn.Conv2d(i, o, KERNEL, STRIDE, PADDING, bias=False)
            for i, o in zip(CHANNELS, CHANNELS[1:]))
        self.read = torch.nn.Linear(CHANNELS[-1] * 16, glyphs.CLASSES)
        with torch.no_grad():  # a silent layer would learn nothing
            for conv in self.convs:
                conv.weight *= 3

    def forward(self, events, noise=0.0):
        """events (samples, steps, 2, 14, 14) of 0 or 1; returns the read-out
        (samples, steps, 10) and the spikes of both hidden layers."""
        z, spikes = events, []
        for conv in self.convs:
            x = F.conv2d(z.flatten(0, 1), jitter(conv.weight, noise), None, STRIDE, PADDING)
            z = lif(x.unflatten(0, z.shape[:2]))
            spikes.append(z)
        x = F.linear(z.flatten(2), jitter(self.read.weight, noise), self.read.bias)
        return leaky(x, READ_TAU), spikes


def lif(x):
    v, out = torch.zeros_like(x[:, 0]), []
    for xt in x.unbind(1):
        v = v - v / TAU + xt
        z = Spike.apply(v - THRESHOLD)
        v = v * (1 - z.detach())
        out.append(z)
    return torch.stack(out, 1)


def train(net, steps, batch=128, rate=3e-3):
    """Cross-entropy of the mean read-out plus the price of spikes, AdamW,
    one-cycle learning rate."""
    rng = np.random.default_rng(glyphs.SEED_TRAIN)
    x, y = (torch.from_numpy(a) for a in glyphs.make(glyphs.SEED_TRAIN, glyphs.TRAIN))

    def lesson():
        pick = torch.from_numpy(rng.integers(0, len(y), batch))
        read, spikes = net(x[pick].float(), WEIGHT_NOISE)
        return (F.cross_entropy(read.mean(1), y[pick].long()),
                RATE_COST * sum(z.mean() for z in spikes))

    training.descend(net, *training.one_cycle(net, rate, steps, 0.05), steps, lesson, 100)


def export(net, path):
    """Writes the network as NIR: tau in seconds and r = tau/dt, so that one
    Euler step of dt adds the weighted input itself."""
    side = glyphs.SIZE
    nodes = {"input": {"type": "Input", "shape": np.array([CHANNELS[0], side, side])}}
    for k, conv in enumerate(net.convs, 1):
        side = (side + 2 * PADDING - KERNEL) // STRIDE + 1
        full = np.ones((CHANNELS[k], side, side))
        nodes[f"conv{k}"] = {
            "type": "Conv2d", "weight": conv.weight.detach().numpy(),
            "bias": np.zeros(CHANNELS[k]), "stride": np.int64(STRIDE),
            "padding": np.int64(PADDING), "dilation": np.int64(1), "groups": np.int64(1)}
        nodes[f"lif{k}"] = {"type": "LIF", "tau": TAU * DT * full, "r": TAU * full,
                            "v_leak": 0 * full, "v_threshold": THRESHOLD * full,
                            "v_reset": 0 * full}
    nodes["flat"] = {"type": "Flatten", "start_dim": np.int64(0), "end_dim": np.int64(-1)}
    nodes["fc"] = {"type": "Affine", "weight": net.read.weight.detach().numpy(),
                   "bias": net.read.bias.detach().numpy()}
    full = np.ones(glyphs.CLASSES)
    nodes["read"] = {"type": "LI", "tau": READ_TAU * DT * full, "r": full, "v_leak": 0 * full}
    nodes["output"] = {"type": "Output", "shape": np.array([len(full)])}
    write_nir(path, nodes)


def build(name, steps, out):
    torch.manual_seed(SEED_NET)
    net = Net()
    train(net, steps)
    x, y = glyphs.make(glyphs.SEED_TEST, glyphs.TEST)
    calib = glyphs.make(glyphs.SEED_CALIB, glyphs.CALIB)
    for file, array in (("test_x", x), ("test_y", y), ("calib_x", calib[0]), ("calib_y", calib[1])):
        np.save(out / f"{file}.npy", array)
    export(net, out / f"{name}.nir")
    judge(net, x, y)


if __name__ == "__main__":
    training.run(__doc__, NETS, HERE, build)
