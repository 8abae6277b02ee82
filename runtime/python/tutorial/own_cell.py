# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From your own PyTorch cell to a chip in ten minutes: own_cell.md beside this file tells
the story.

    python3 runtime/python/tutorial/own_cell.py

It needs torch 2.6 or later and a built `dendrolith`.
"""
import pathlib
import sys

import numpy as np
import torch

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "runtime" / "python"))  # where the package is not installed

import dendrolith as dl  # noqa: E402

# 1. A cell of your own: three branches, each with a memory of its own length, and a soma.
INPUTS, CELLS, BRANCHES, CLASSES, STEPS = 16, 24, 3, 4, 30


class Spike(torch.autograd.Function):
    """A step whose gradient is that of a smooth one."""

    @staticmethod
    def forward(context, v):
        context.save_for_backward(v)
        return (v > 0).to(v)

    @staticmethod
    def backward(context, gradient):
        (v,) = context.saved_tensors
        return gradient / (1 + 10 * v.abs()) ** 2


class Cell(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.branches = torch.nn.Linear(INPUTS, CELLS * BRANCHES)
        self.tau = torch.nn.Parameter(torch.tensor([0.0, 2.0, 4.0]).repeat(CELLS, 1))
        self.readout = torch.nn.Linear(CELLS, CLASSES)

    def forward(self, x, d, v, y):
        keep = torch.sigmoid(self.tau)
        d = keep * d + (1 - keep) * self.branches(x).reshape(d.shape)
        v = 0.8 * v + torch.relu(d).sum(dim=2)
        s = Spike.apply(v - 1)
        y = 0.95 * y + self.readout(s)
        return y, d, v * (1 - s), y


def states(batch):
    zeros = torch.zeros
    return [zeros(batch, CELLS, BRANCHES), zeros(batch, CELLS), zeros(batch, CLASSES)]


def unrolled(cell, x):
    """The read-out at each step, (samples, steps, classes)."""
    held, rows = [s.to(x) for s in states(len(x))], []
    for t in range(x.shape[1]):
        y, *held = cell(x[:, t], *held)
        rows.append(y)
    return torch.stack(rows, 1)


# 2. A task with a memory: which two of four groups of inputs were busy, one early, one late.
rng = np.random.default_rng(0)


def draw(samples):
    early, late = rng.integers(0, 2, samples), rng.integers(0, 2, samples)
    rate = np.full((samples, STEPS, INPUTS), 0.05)
    for k in range(samples):
        rate[k, 2:8, 4 * early[k]:4 * early[k] + 4] = 0.6
        rate[k, 20:26, 8 + 4 * late[k]:12 + 4 * late[k]] = 0.6
    return (rng.random(rate.shape) < rate).astype(float), 2 * early + late


(train_x, train_y), (test_x, test_y) = draw(800), draw(200)
torch.manual_seed(0)
torch.set_num_threads(1)
cell = Cell()
optimiser = torch.optim.Adam(cell.parameters(), lr=5e-3)
x, labels = torch.tensor(train_x, dtype=torch.float32), torch.tensor(train_y)
for epoch in range(8):
    for batch in torch.randperm(len(x)).split(50):
        loss = torch.nn.functional.cross_entropy(unrolled(cell, x[batch])[:, -1], labels[batch])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
with torch.no_grad():
    scores = unrolled(cell.double(), torch.tensor(test_x)).numpy()
print(f"torch: {100 * (scores[:, -1].argmax(1) == test_y).mean():.1f} %")

# 3. The cell as it is, as a network; nothing is written again.
net = dl.from_torch(cell, (torch.zeros(1, INPUTS), *states(1)), name="own_cell")
print(net)
print("\n".join(line for line in net.text().splitlines() if "dend.p" in line))
floats = net.run(test_x).outputs
print(f"float engine: largest difference from torch {np.abs(floats - scores).max():.1e}")

# 4. Where does it fit, and what does the chip give?
print(dl.check(net, ["loihi1", "loihi2"], calibrate=train_x[:64]))
program = dl.compile(net, "loihi2", calibrate=train_x[:64])
result = program.run(test_x, engine="cycle")
print(f"loihi2: {100 * (result.outputs[:, -1].argmax(1) == test_y).mean():.1f} %, "
      f"{1e9 * result.energy.low:.0f} to {1e9 * result.energy.high:.0f} nJ and "
      f"{1e6 * result.latency.mean:.1f} us a sample")

# 5. The chip in the loop: its numbers forward, the gradient of the float cell backward.
few = torch.tensor(train_x[:50])
y = dl.torch.on_chip(program, lambda batch: unrolled(cell, batch))(few)
torch.nn.functional.cross_entropy(y[:, -1], labels[:50]).backward()
print(f"gradient of the branches: {cell.branches.weight.grad.abs().max():.3f} at most")
