# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the networks of this folder and writes them beside itself.

    python3 train.py --all                   # every network and the test set
    python3 train.py --net sparse            # one network, about two minutes
    python3 train.py --net j6 --steps 50 --out /some/folder    # a quick look

The networks as PyTorch sees them are in torch_net.py.
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
from torch_baselines import BASELINES, STEPPED, write
from torch_net import COMPARTMENTS, HIDDEN, LIF_TAU, Dendrites, Lif, Net

HERE = pathlib.Path(__file__).resolve().parent
SEED_NET = 14
KEYS = ("J", "K", "Dp", "S", "U", "shift")  # of a layer of dendrites
EXAMPLES = 4  # samples stored in a checkpoint with their logits

# Activity: loss per mean |S| of a layer.  J branches of D' channels, S apart.
MMDEND = dict(neuron="mmdend", J=4, Dp=56, S=24, U=4, activity=0.1)
NETS = {
    "sparse": MMDEND,
    "dense": {**MMDEND, "activity": 0.0},
    "single": {**MMDEND, "J": 1, "Dp": 128, "S": 0},
    "ternary": {**MMDEND, "U": 1},
    "j2": {**MMDEND, "J": 2, "Dp": 80, "S": 48},
    "j6": {**MMDEND, "J": 6, "Dp": 48, "S": 16},
    # The paper's ablations: its Table 6, compartments of Figure 6, and Figure 7, where
    # D' = D/J + share (D - D/J).
    "u3": {**MMDEND, "U": 3},
    "unshifted": {**MMDEND, "shift": False},
    **{f"k{K}": {**MMDEND, "K": K} for K in (1, 2, 4, 16)},
    **{f"share{share}": {**MMDEND, "Dp": 32 + 96 * share // 100, "S": 32 - 32 * share // 100}
       for share in (0, 50, 75, 100)},
    "lif": dict(neuron="lif", activity=0.0),
    **{neuron: dict(neuron=neuron, activity=0.1) for neuron in (*BASELINES, *STEPPED)},
}
KINDS = {"mmdend": Dendrites, "lif": Lif, **BASELINES, **STEPPED}


def groups(net, rate):
    """Weights decay and learn at `rate`; lam and dt learn slower."""
    slow, shared, weights = [], [], []
    for name, p in net.named_parameters():
        if name.split(".")[-1] in ("log_decay", "lam_im", "log_dt"):
            slow.append(p)
        else:
            (weights if name.endswith("weight") else shared).append(p)
    return [dict(params=weights, lr=rate, weight_decay=1e-4),
            dict(params=shared, lr=rate, weight_decay=0.0),
            dict(params=slow, lr=0.4 * rate, weight_decay=0.0)]


def train(net, activity, steps, data, batch=64, rate=5e-3):
    """Cross-entropy plus the price of activity, AdamW, cosine to zero."""
    batches = data.batches(batch)

    def lesson():
        x, labels = (torch.from_numpy(part) for part in next(batches))
        logits, spikes = net(x.float())
        return (F.cross_entropy(logits, labels.long()),
                activity * sum(s.abs().mean() for s in spikes))

    training.descend(net, *training.cosine(groups(net, rate), rate, steps), steps, lesson)


def arrays(net, meta):
    """The checkpoint: batch norm and the scale of the grey levels folded into
    W and b, the rest as EQUATIONS.md lists it."""
    found = {"meta": np.asarray(json.dumps(meta))}
    for l, (linear, norm, neurons) in enumerate(
            zip(net.maps, net.norms, net.neurons)):
        gain = norm.weight / (norm.running_var + norm.eps).sqrt()
        W, b = gain[:, None] * linear.weight, norm.bias - gain * norm.running_mean
        if l == 0:
            W = W / task.SCALE
            b = b - task.OFFSET * W.sum(1)
        layer = {"W": W, "b": b}
        if meta["neuron"] not in STEPPED:
            layer.update(neurons.constants())
        found.update({f"{key}{l}": value.detach().numpy().astype(np.float32)
                      for key, value in layer.items()})
        if meta["neuron"] == "mmdend":
            found[f"Dp{l}"] = np.array(neurons.Dp, np.int32)
            found[f"S{l}"] = np.array(neurons.S, np.int32)
    found["Wout"] = net.read.weight.detach().numpy().astype(np.float32)
    found["bout"] = net.read.bias.detach().numpy().astype(np.float32)
    return found


def describe(name, steps, data):
    """`meta`: what a reader of the checkpoint has to know."""
    net = NETS[name]
    meta = dict(name=name, task=data.TASK, neuron=net["neuron"], H=HIDDEN,
                layers=2, decode="mean", steps=steps, activity=net["activity"])
    if net["neuron"] == "lif":
        return {**meta, "tau": LIF_TAU, "Vth": 1.0}
    if net["neuron"] != "mmdend":
        return meta
    return {**meta, "J": net["J"], "K": net.get("K", COMPARTMENTS), "U": net["U"], "Vth": 1.0,
            "f": "relu"}


def build(name, steps, out, data=task):
    torch.manual_seed(SEED_NET)
    shape = {key: value for key, value in NETS[name].items() if key in KEYS}
    net = Net(lambda: KINDS[NETS[name]["neuron"]](**shape), data.SIZE)
    print(f"{name}: {steps} steps", flush=True)
    train(net, NETS[name]["activity"], steps, data)
    net = net.double().eval()
    x, y = data.test_set()
    with torch.no_grad():
        logits, spikes = net(torch.from_numpy(x).double())
    found = arrays(net, describe(name, steps, data))
    if name in STEPPED:
        write(net.neurons, found, out / f"{name}.pt2")
    else:
        found["x_ex"], found["y_ex"] = x[:EXAMPLES], y[:EXAMPLES]
        found["logits_ex"] = logits[:EXAMPLES].numpy().astype(np.float32)
        np.savez_compressed(out / f"{name}.npz", **found)
    right = int((logits.argmax(1).numpy() == y).sum())
    print(f"{name}: test accuracy {100 * right / len(y):.1f} % "
          f"({right} of {len(y)})")
    for l, s in enumerate(spikes):
        print(f"{name}: L{l} mean |S| {float(s.abs().mean()):.3f}, non-zero "
              f"{100 * float((s != 0).double().mean()):.1f} %", flush=True)
    return net


def write_samples(out):
    x, y = task.test_set()
    np.save(out / "test_x.npy", x)
    np.save(out / "test_y.npy", y)
    task.shapes.save_calibration(out, *task.calibration())


if __name__ == "__main__":
    training.run(__doc__, dict.fromkeys(NETS, 2000), HERE, build, write_samples)
