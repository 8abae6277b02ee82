# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a minGRU network on the drawn shapes of ../lif, and writes it as an exported step
(.pt2) beside itself.

    python3 train.py --all                       # 14 s of CPU
    python3 train.py --net mingru --steps 50 --out /some/folder    # a quick look

Needs torch 2.8 or later.  The network as PyTorch sees it is in torch_net.py.
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

SEED_NET, DRAWN, STEPS = 4, 20000, 800
NETS = {"mingru": 64}  # neurons of a layer


def train(net, steps, batch=64, rate=1e-2):
    """Cross-entropy of the mean read-out, AdamW, one-cycle rate.  Pixels are flipped
    anew in every batch."""
    rng = np.random.default_rng(shapes.SEED_TRAIN)
    labels = np.arange(DRAWN) % len(shapes.CLASSES)
    images = shapes.draw(rng, labels)
    optimizer = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-2)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps, pct_start=0.1)
    total = 0.0
    for step in range(1, steps + 1):
        pick = rng.integers(0, DRAWN, batch)
        x = torch.from_numpy(shapes.events(shapes.flip(rng, images[pick]))).float()
        loss = F.cross_entropy(net.unrolled(x).mean(1), torch.from_numpy(labels[pick]))
        total += loss.item()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        plan.step()
        if step % 200 == 0:
            print(f"step {step} of {steps}: loss {total / 200:.3f}", flush=True)
            total = 0.0


def build(name, steps, out):
    begin = time.process_time()
    torch.manual_seed(SEED_NET)
    net = torch_net.Net(shapes.SIZE, NETS[name], len(shapes.CLASSES))
    train(net, steps or STEPS)
    torch_net.write(net, out / f"{name}.pt2")
    x, y = shapes.make(shapes.SEED_TEST, shapes.TEST)
    with torch.no_grad():
        read = net.double().unrolled(torch.from_numpy(x).double())
    right = int((read.mean(1).argmax(1).numpy() == y).sum())
    print(f"{name}: test accuracy {100 * right / len(y):.1f} % ({right} of {len(y)}), "
          f"{time.process_time() - begin:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    train_command.run(__doc__, NETS, HERE, build)
