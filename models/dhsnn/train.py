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
import training

if __name__ == "__main__":
    training.restart()

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
    batches = shapes.batches(DRAWN, batch)

    def lesson():
        x, y = next(batches)
        read, spikes = torch_net.unrolled(net, torch.from_numpy(x).float())
        return F.cross_entropy(read.mean(1), torch.from_numpy(y)), RATE_COST * spikes.mean()

    training.descend(net, *training.one_cycle(net, rate, steps, 0.1), steps, lesson)


def build(name, steps, out):
    begin = time.process_time()
    torch.manual_seed(SEED_NET)
    neurons, branches = NETS[name]
    net = torch_net.Net(shapes.SIZE, neurons, branches, len(shapes.CLASSES))
    train(net, steps)
    torch_net.write(net, out / f"{name}.pt2")
    x, y = shapes.make(shapes.SEED_TEST, shapes.TEST)
    with torch.no_grad():
        read, spikes = torch_net.unrolled(net.double(), torch.from_numpy(x).double())
    right = int((read.mean(1).argmax(1).numpy() == y).sum())
    print(f"{name}: test accuracy {100 * right / len(y):.1f} % ({right} of {len(y)}), "
          f"{float(spikes.sum()) / len(y):.0f} spikes a sample, {net.synapses()} synapses, "
          f"{time.process_time() - begin:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    training.run(__doc__, dict.fromkeys(NETS, STEPS), HERE, build)
