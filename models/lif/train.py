# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the shapes network and writes every committed file beside itself.

    python3 train.py            # one thread, about four minutes
    python3 train.py --steps 50 --out /some/folder     # a quick look

Writes shapes_lif.nir, test_x.npy, test_y.npy and calib_x.npy and prints the
accuracy.  The step below is the one README.md defines and reference.py
repeats; training and file differ in nothing but the width of a float.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import training

if __name__ == "__main__":
    training.restart()

import h5py
import numpy as np
import torch
import torch.nn.functional as F

import shapes

HERE = pathlib.Path(__file__).resolve().parent
DT = 1e-4  # seconds per step; the file's time constants are multiples of it
HIDDEN = 128
# (tau_syn, tau_mem) in steps, per hidden layer.  Powers of two, so that a
# decay of 12 bits is exact and the chip loses nothing but weight bits.
TAUS = ((4, 2), (8, 8))
READ_TAU = 4
THRESHOLD = 1.0
SLOPE = 8.0  # steepness of the surrogate derivative 1 / (1 + (SLOPE x)^2)
RATE_COST = 1.0  # loss per spike, neuron and step: buys sparse firing
WEIGHT_NOISE = 0.004  # of a layer's largest weight: half an 8-bit step
SEED_NET = 4
NETS = {"shapes_lif": 5000}  # steps


class Spike(torch.autograd.Function):
    """1 if x > 0, else 0; the backward pass sees a smooth step instead."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad / (1 + (SLOPE * x) ** 2)


class Net(torch.nn.Module):
    """32 -> CubaLIF -> CubaLIF -> LI(10), hidden layers without bias: the
    chip adds its bias behind the synaptic current, not before it."""

    def __init__(self):
        super().__init__()
        widths = [shapes.SIZE, HIDDEN, HIDDEN]
        self.hidden = torch.nn.ModuleList(
            torch.nn.Linear(i, o, bias=False)
            for i, o in zip(widths, widths[1:]))
        self.read = torch.nn.Linear(HIDDEN, len(shapes.CLASSES))
        with torch.no_grad():  # start with v of the order of the threshold
            for layer, (syn, mem) in zip(self.hidden, TAUS):
                layer.weight *= 2 / np.sqrt(syn * mem)

    def forward(self, events, noise=0.0):
        """events (samples, steps, 32) of 0 or 1; returns the read-out
        (samples, steps, 10) and the spikes of both hidden layers."""
        z, spikes = events, []
        for layer, (syn, mem) in zip(self.hidden, TAUS):
            z = cuba_lif(F.linear(z, jitter(layer.weight, noise)), syn, mem)
            spikes.append(z)
        x = F.linear(z, jitter(self.read.weight, noise), self.read.bias)
        return leaky(x, READ_TAU), spikes


def jitter(weight, noise):
    """Uniform noise of +-noise times the largest weight: a network that
    learns under it does not mind rounding to 8 bits."""
    if not noise:
        return weight
    width = noise * weight.detach().abs().max()
    return weight + width * (2 * torch.rand_like(weight) - 1)


def cuba_lif(x, syn, mem):
    """x (samples, steps, n) -> spikes of the same shape.  unbind, because
    indexing x[:, t] makes the backward pass quadratic in the steps."""
    i = v = torch.zeros_like(x[:, 0])
    out = []
    for xt in x.unbind(1):
        i = i - i / syn + xt
        v = v - v / mem + i
        z = Spike.apply(v - THRESHOLD)
        v = v * (1 - z.detach())
        out.append(z)
    return torch.stack(out, 1)


def leaky(x, tau):
    v, out = torch.zeros_like(x[:, 0]), []
    for xt in x.unbind(1):
        v = v - v / tau + xt / tau
        out.append(v)
    return torch.stack(out, 1)


def classify(read):
    return read.sum(1).argmax(1)


def train(net, steps, batch=128, rate=5e-3):
    """Cross-entropy of the mean read-out plus the price of spikes, AdamW,
    one-cycle learning rate.  Pixels are flipped anew in every batch."""
    batches = shapes.batches(shapes.TRAIN, batch)

    def lesson():
        x, y = next(batches)
        read, spikes = net(torch.from_numpy(x).float(), WEIGHT_NOISE)
        return (F.cross_entropy(read.mean(1), torch.from_numpy(y)),
                RATE_COST * sum(z.mean() for z in spikes))

    training.descend(net, *training.one_cycle(net, rate, steps, 0.05), steps, lesson)


def export(net, path):
    """Writes the network as NIR: tau in seconds, w_in = tau_syn/dt and
    r = tau_mem/dt, so that one Euler step of dt adds x itself."""
    nodes = {"input": {"type": "Input", "shape": np.array([shapes.SIZE])}}
    for k, (layer, (syn, mem)) in enumerate(zip(net.hidden, TAUS), 1):
        full = np.ones(HIDDEN)
        nodes[f"fc{k}"] = {"type": "Linear",
                           "weight": layer.weight.detach().numpy()}
        nodes[f"lif{k}"] = {
            "type": "CubaLIF", "tau_syn": syn * DT * full,
            "tau_mem": mem * DT * full, "w_in": syn * full, "r": mem * full,
            "v_leak": 0 * full, "v_threshold": THRESHOLD * full,
            "v_reset": 0 * full}
    full = np.ones(len(shapes.CLASSES))
    nodes["fc3"] = {"type": "Affine",
                    "weight": net.read.weight.detach().numpy(),
                    "bias": net.read.bias.detach().numpy()}
    nodes["read"] = {"type": "LI", "tau": READ_TAU * DT * full, "r": full,
                     "v_leak": 0 * full}
    nodes["output"] = {"type": "Output", "shape": np.array([len(full)])}
    write_nir(path, nodes)


def write_nir(path, nodes):
    """A chain of nodes, {name: {"type": ..., field: value}}, as a NIR file."""
    text = h5py.string_dtype("utf-8")
    chain = list(nodes)
    with h5py.File(path, "w", libver=("earliest", "v108")) as file:
        file.create_dataset("version", data="1.0.7", dtype=text)
        root = file.create_group("node")
        root.create_dataset("type", data="NIRGraph", dtype=text)
        root.create_dataset("edges", data=np.array(
            list(zip(chain, chain[1:])), dtype=object), dtype=text)
        root.create_group("metadata").create_dataset("dt", data=DT)
        for name, node in nodes.items():
            group = root.create_group(f"nodes/{name}")
            for key, value in node.items():
                if key == "type":
                    group.create_dataset(key, data=value, dtype=text)
                else:
                    packed = {"compression": "gzip"} if np.ndim(value) else {}
                    group.create_dataset(key, data=value, **packed)


def judge(net, x, y):
    """Prints the accuracy in double, and how much each hidden layer fires."""
    with torch.no_grad():
        read, spikes = net.double()(torch.from_numpy(x).double())
    right = int((classify(read) == torch.from_numpy(y)).sum())
    print(f"test accuracy {100 * right / len(y):.1f} % ({right} of {len(y)})")
    for k, z in enumerate(spikes, 1):
        print(f"lif{k}: {float(z.mean()):.4f} spikes per neuron and step")


def build(name, steps, out):
    torch.manual_seed(SEED_NET)
    net = Net()
    train(net, steps)
    x, y = shapes.make(shapes.SEED_TEST, shapes.TEST)
    np.save(out / "test_x.npy", x)
    np.save(out / "test_y.npy", y)
    shapes.save_calibration(out, *shapes.calibration())
    export(net, out / f"{name}.nir")
    judge(net, x, y)


if __name__ == "__main__":
    training.run(__doc__, NETS, HERE, build)
