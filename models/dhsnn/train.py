# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains neurons with and without branches on the drawn shapes of ../lif, and writes them
as exported steps (.pt2) beside itself.

    python3 train.py --all                       # both networks, 50 s of CPU
    python3 train.py --net point --steps 50 --out /some/folder    # a quick look

Needs torch 2.8 or later.  The networks as PyTorch sees them are in torch_net.py.
"""
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "lif")]
import train_command
import train_environment

if __name__ == "__main__":
    # Sums in one order, so that the same bytes come out again.
    train_environment.restart(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")

import numpy as np
import torch
import torch.nn.functional as F

import shapes
import torch_net

SEED_NET, DRAWN, STEPS = 4, 20000, 1000
RATE_COST = 0.2  # loss per spike, neuron and step
NETS = {"branches": (32, 4), "point": (32, 1)}  # neurons, branches of each


def train(net, steps, batch=64, rate=1e-2):
    """Cross-entropy of the mean read-out plus the price of spikes, AdamW, one-cycle
    rate.  Pixels are flipped anew in every batch."""
    rng = np.random.default_rng(shapes.SEED_TRAIN)
    labels = np.arange(DRAWN) % len(shapes.CLASSES)
    images = shapes.draw(rng, labels)
    optimizer = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-2)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps, pct_start=0.1)
    total = 0.0
    for step in range(1, steps + 1):
        pick = rng.integers(0, DRAWN, batch)
        x = torch.from_numpy(shapes.events(shapes.flip(rng, images[pick]))).float()
        read, spikes = torch_net.unrolled(net, x)
        loss = F.cross_entropy(read.mean(1), torch.from_numpy(labels[pick]))
        total += loss.item()
        optimizer.zero_grad()
        (loss + RATE_COST * spikes.mean()).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        plan.step()
        if step % 250 == 0:
            print(f"step {step} of {steps}: loss {total / 250:.3f}", flush=True)
            total = 0.0


def build(name, steps, out):
    begin = time.process_time()
    torch.manual_seed(SEED_NET)
    neurons, branches = NETS[name]
    net = torch_net.Net(shapes.SIZE, neurons, branches, len(shapes.CLASSES))
    train(net, steps or STEPS)
    torch_net.write(net, out / f"{name}.pt2")
    x, y = shapes.make(shapes.SEED_TEST, shapes.TEST)
    with torch.no_grad():
        read, spikes = torch_net.unrolled(net.double(), torch.from_numpy(x).double())
    right = int((read.mean(1).argmax(1).numpy() == y).sum())
    print(f"{name}: test accuracy {100 * right / len(y):.1f} % ({right} of {len(y)}), "
          f"{float(spikes.sum()) / len(y):.0f} spikes a sample, {net.synapses()} synapses, "
          f"{time.process_time() - begin:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    train_command.run(__doc__, NETS, HERE, build)
