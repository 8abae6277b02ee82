# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the networks of this folder and writes them beside itself.

    python3 train.py --all               # every network, one after the other
    python3 train.py --net d32           # one network
    python3 train.py --net d32 --steps 50 --out /some/folder    # a quick look

The network as PyTorch sees it is in torch_net.py, the task in task.py.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import training

if __name__ == "__main__":
    training.restart()

import numpy as np
import torch
import torch.nn.functional as F

import task
from torch_net import DendAttn

HERE = pathlib.Path(__file__).resolve().parent
SEED_NET = 34
EXAMPLES = 4  # sequences stored in a checkpoint with their logits

# One shared branch and the best two of three routed ones; two key blocks that share
# eight of 32 rows.
ROUTED = dict(dk=32, dv=32, Er=3, Es=1, topk=2, M=2, dkb=20, P=12, L=2)
NETS = {
    "d32": dict(ROUTED, d=32, H=1, steps=600),
    # As many branches, all of them shared: every token runs every branch.
    "d32_dense": dict(ROUTED, d=32, H=1, Er=0, Es=4, topk=0, steps=600),
    "d32_single": dict(ROUTED, d=32, H=1, Er=0, Es=1, topk=0, steps=600),
    "d64": dict(ROUTED, d=64, H=2, steps=500),
    "d64_dense": dict(ROUTED, d=64, H=2, Er=0, Es=4, topk=0, steps=500),
    "d128": dict(ROUTED, d=128, H=4, steps=300, rate=5e-3, bs=16),
}


def accuracy(net, x, y):
    """The share of right answers, over the tokens that ask for one."""
    with torch.no_grad():
        found = torch.cat([net(part)[0].argmax(-1)
                           for part in torch.from_numpy(x).split(50)]).numpy()
    asked = y != task.NOT_ASKED
    return float((found == y)[asked].mean())


def train(net, spec, steps):
    """AdamW, cosine to zero; every batch holds new sequences."""
    size, batch = task.SIZES[spec["d"]], spec.get("bs", 32)
    rng = np.random.default_rng([task.SEED_TRAIN, spec["d"]])
    held_out = task.test_set(spec["d"], 100)
    first = 2 * size["pairs"]  # the tokens before ask nothing, in every sequence

    def lesson():
        x, y = (torch.from_numpy(part) for part in task.draw(rng, batch, **size))
        logits, _ = net(x)
        return F.cross_entropy(logits[:, first:].flatten(0, 1), y[:, first:].flatten()), 0.0

    training.descend(net, *training.cosine(net.parameters(), spec.get("rate", 1e-2), steps), steps, lesson, 50,
                     lambda: f", accuracy {accuracy(net, *held_out):.4f}")


def build(name, steps, out):
    spec = NETS[name]
    size = task.SIZES[spec["d"]]
    torch.manual_seed(SEED_NET)
    net = DendAttn(V=size["vocabulary"], **spec)
    print(f"{name}: {sum(p.numel() for p in net.parameters())} parameters, "
          f"{steps} steps", flush=True)
    train(net, spec, steps)
    found = {key: value.numpy().astype(np.float32)
             for key, value in net.arrays().items()}
    meta = dict(spec, name=name, task="mqar", V=size["vocabulary"], steps=steps)
    net = net.double()
    x, y = task.test_set(spec["d"])
    print(f"{name}: accuracy {accuracy(net, x, y):.4f} over {len(x)} held-out "
          "sequences", flush=True)
    with torch.no_grad():
        for i, use in enumerate(net(torch.from_numpy(x[:100]))[1]):
            print(f"{name}: layer {i}, share of the tokens that run a branch: "
                  + " ".join(f"{share:.2f}" for share in use), flush=True)
        x, y = x[:EXAMPLES], y[:EXAMPLES]
        logits = net(torch.from_numpy(x))[0].numpy().astype(np.float32)
    np.savez_compressed(out / f"{name}.npz", meta=json.dumps(meta), **found,
                        x_ex=x, y_ex=y, logits_ex=logits)


if __name__ == "__main__":
    training.run(__doc__, {name: spec["steps"] for name, spec in NETS.items()}, HERE, build)
