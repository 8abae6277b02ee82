# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains state-space networks on the drawn shapes of ../lif, and writes them as exported
steps (.pt2) beside itself.

    python3 train.py --all                       # 90 s of CPU
    python3 train.py --net mingru --steps 50 --out /some/folder    # a quick look

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

SEED_NET, DRAWN, STEPS = 4, 20000, 800
NEURONS = 64  # of a layer
NETS = {"mingru": torch_net.MinGRU, "s4d": torch_net.S4D, "s5": torch_net.S5}


def train(net, steps, batch=64, rate=1e-2):
    """Cross-entropy of the mean read-out, AdamW, one-cycle rate.  Pixels are flipped
    anew in every batch."""
    batches = shapes.batches(DRAWN, batch)

    def lesson():
        x, y = next(batches)
        return F.cross_entropy(net.unrolled(torch.from_numpy(x).float()).mean(1), torch.from_numpy(y)), 0.0

    training.descend(net, *training.one_cycle(net, rate, steps, 0.1), steps, lesson, 200)


def build(name, steps, out):
    begin = time.process_time()
    torch.manual_seed(SEED_NET)
    net = torch_net.Net(NETS[name], shapes.SIZE, NEURONS, len(shapes.CLASSES))
    train(net, steps)
    torch_net.write(net, out / f"{name}.pt2")
    x, y = shapes.make(shapes.SEED_TEST, shapes.TEST)
    with torch.no_grad():
        read = net.double().unrolled(torch.from_numpy(x).double())
    right = int((read.mean(1).argmax(1).numpy() == y).sum())
    print(f"{name}: test accuracy {100 * right / len(y):.1f} % ({right} of {len(y)}), "
          f"{time.process_time() - begin:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    training.run(__doc__, dict.fromkeys(NETS, STEPS), HERE, build)
