# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the networks of this folder and writes them beside itself.

    python3 train.py --all               # every network, one after the other
    python3 train.py --net d10           # one network
    python3 train.py --net tiny --steps 50 --out /some/folder    # a quick look

The networks as PyTorch sees them are in torch_net.py and torch_lif.py, the task
in task.py.
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

import task
from score import r2
from torch_baselines import ActiveDendrites, Questions, Spikformer
from torch_lif import Lesson, PureLif
from torch_lsnn import Lsnn
from torch_net import DendriCL

HERE = pathlib.Path(__file__).resolve().parent
SEED_NET = 24
EXAMPLES = 8  # samples stored in a checkpoint with their read-outs

# price: loss per mean spike of a unit and token, soma and block.  recurrent:
# layers that see their own spikes.  queries: per task while training.
VIRTUAL = dict(neuron="dendricl", soma="virtual", n_micro=4, decay=0.75, price=0.0)
PAPER = dict(VIRTUAL, d_m=384, d_a=384)
TINY = dict(VIRTUAL, d=5, k=10, d_m=32, d_a=16, steps=5000)
NETS = {
    "d10": dict(PAPER, d=10, k=20, steps=20000),
    "d20": dict(PAPER, d=20, k=40, steps=16000),
    "d20_sparse": dict(PAPER, d=20, k=40, steps=16000, price=1.0),
    "small_sparse": dict(VIRTUAL, d=10, k=20, d_m=128, d_a=64, steps=8000, price=1.0),
    # The paper's DendriCNN, and two layers, which have the parameters of one
    # (Table 13) with a block as wide as the layer.
    "cnn_d10": dict(PAPER, d=10, k=20, soma="memoryless", n_micro=1, decay=0.0, spike=0,
                    mantissa=8, steps=8000),
    "two_layer_d10": dict(PAPER, d=10, k=20, layers=2, d_b=384, mantissa=8,
                          steps=6000),
    "tiny": TINY,
    "tiny_memoryless": dict(TINY, soma="memoryless", n_micro=1, decay=0.0),
    "tiny_leaky": dict(TINY, soma="leaky", n_micro=1),
    "lif_d10": dict(neuron="lif", soma="virtual", d=10, k=20, layers=4, width=320,
                    n_micro=4, tau=4.0, Vth=1.0, recurrent=(1, 2, 3), decode="last=1",
                    steps=8000, rate=4e-3, queries=4),
    "spikformer_d10": dict(neuron="spikformer", d=10, k=20, d_m=96, heads=6, width=192,
                           blocks=2, n_micro=4, decay=0.75, steps=1500, rate=3e-3,
                           queries=4, batch=32, mantissa=8),
    "active_d10": dict(neuron="active-dendrites", d=10, k=20, width=256, segments=8,
                       k_winners=64, layers=2, steps=3000, rate=2e-3, queries=16,
                       mantissa=8),
    # The paper's Tables 2 and 3; d10 and d20 are above.
    **{f"d{d}": dict(PAPER, d=d, k=2 * d, mantissa=8, steps=10000)
       for d in (5, 15, 25, 30, 40, 50)},
}
# The paper's beta; it does not give the time constant, here one context in ticks.
NETS["lsnn_d10"] = dict(NETS["lif_d10"], neuron="alif", beta=0.4, tau_a=80.0,
                        steps=1000)


class Regression(torch.nn.Module):
    """The loss of a DendriCL network: squared error at the query plus the price
    of spikes."""

    def __init__(self, net, spec):
        super().__init__()
        self.net, self.spec = net, spec

    def forward(self, rng, batch):
        x, y, _ = task.draw(rng, batch, self.spec["d"], self.spec["k"])
        out, activity = self.net(torch.from_numpy(x))
        loss = (out[:, -1] - torch.from_numpy(y)).square().mean()
        return loss + self.spec["price"] * sum(activity)


CLASSES = {"dendricl": (DendriCL, Regression), "lif": (PureLif, Lesson),
           "alif": (Lsnn, Lesson),
           "spikformer": (Spikformer, Questions),
           "active-dendrites": (ActiveDendrites, Questions)}


def answers(net, x):
    """The read-outs at the query, of a few samples at a time."""
    with torch.no_grad():
        return torch.cat([net(part)[0][:, -1] for part in x.split(250)]).numpy()


def train(net, spec, steps, batch=64):
    """AdamW, cosine to zero; every batch holds new tasks."""
    rng = np.random.default_rng([task.SEED_TRAIN, spec["d"], spec["k"]])
    x, y, _ = task.test_set(spec["d"])
    held_out = torch.from_numpy(x), y
    lesson = CLASSES[spec["neuron"]][1](net, spec)

    def reached():
        found = r2(answers(net.eval(), held_out[0]), held_out[1])
        net.train()
        return f", R2 {found:.4f}"

    training.descend(lesson, *training.cosine(lesson.parameters(), spec.get("rate", 1e-3), steps), steps,
                     lambda: (lesson(rng, batch), 0.0), 500, reached)


def rounded(values, bits):
    """float32 numbers with so many bits of mantissa, which a file stores in less."""
    fraction, exponent = np.frexp(values.astype(np.float64))
    short = np.ldexp(np.rint(np.ldexp(fraction, bits)), exponent - bits)
    return np.asarray(short, dtype=np.float32)


def build(name, steps, out):
    spec = NETS[name]
    torch.manual_seed(SEED_NET)
    net = CLASSES[spec["neuron"]][0](**spec)
    print(f"{name}: {sum(p.numel() for p in net.parameters())} parameters, "
          f"{steps} steps", flush=True)
    train(net, spec, steps)
    save(name, net, dict(spec, name=name, task="linear regression", steps=steps), out)


def save(name, net, meta, out):
    """Writes the checkpoint with examples, and prints what it reaches."""
    if "mantissa" in meta:
        with torch.no_grad():
            for value in net.parameters():
                value.copy_(torch.from_numpy(rounded(value.numpy(), meta["mantissa"])))
    found = {key: value.detach().numpy().astype(np.float32)
             for key, value in net.arrays().items()}
    meta = dict(meta)
    for key in ("beta", "tau_a"):  # arrays say these
        meta.pop(key, None)
    x, y, _ = task.test_set(meta["d"])
    net = net.double().eval()
    reached = r2(answers(net, torch.from_numpy(x).double()), y)
    print(f"{name}: R2 {reached:.4f} over {len(x)} held-out tasks", flush=True)
    x = x[:EXAMPLES]
    with torch.no_grad():
        read_out = net(torch.from_numpy(x).double(), every=True)[0]
    np.savez_compressed(out / f"{name}.npz", meta=json.dumps(meta), **found, x_ex=x,
                        out_ex=read_out.numpy().astype(np.float32))


if __name__ == "__main__":
    training.run(__doc__, {name: spec["steps"] for name, spec in NETS.items()}, HERE, build)
