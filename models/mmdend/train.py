# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the networks of this folder and writes them beside itself.

    python3 train.py --all                   # every network and the test set
    python3 train.py --net sparse            # one network, about two minutes
    python3 train.py --net j6 --steps 50 --out /some/folder    # a quick look

Branches and soma are linear, so a layer is trained as eq. 12 of the paper: a
convolution over time, here one Toeplitz matrix (steps, steps) per branch and
one for the soma, shared by all channels.  Values are laid out (steps, channels,
samples).  reference.py runs the exported network as a recurrence instead.
"""
import argparse
import json
import os
import pathlib
import sys

# glibc returns every large tensor to the kernel unless told otherwise, and
# then most of the time goes into page faults; it reads this only at start.
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "4000000000",
          "MALLOC_TRIM_THRESHOLD_": "8000000000",
          "MALLOC_TOP_PAD_": "268435456"}
if __name__ == "__main__" and any(k not in os.environ for k in MALLOC):
    os.environ.update(MALLOC)
    os.execv(sys.executable, [sys.executable] + sys.argv)

import numpy as np
import torch
import torch.nn.functional as F

import task

HERE = pathlib.Path(__file__).resolve().parent
HIDDEN, COMPARTMENTS = 128, 8
SEED_NET = 14
EXAMPLES = 4  # samples stored in a checkpoint with their logits
# |A| of a branch stays below 1 - 2^-8, so that rounding A to the fewest bits
# a chip would use cannot make it grow.
LEAST_DECAY = 1.02 * 2.0 ** -8  # of -Re(lam) dt
LIF_TAU = 2.0

# Activity: loss per mean |S| of a layer.  J branches of D' channels, S apart.
MMDEND = dict(neuron="mmdend", J=4, Dp=56, S=24, U=4, activity=0.1)
NETS = {
    "sparse": MMDEND,
    "dense": {**MMDEND, "activity": 0.0},
    "single": {**MMDEND, "J": 1, "Dp": 128, "S": 0},
    "ternary": {**MMDEND, "U": 1},
    "j2": {**MMDEND, "J": 2, "Dp": 80, "S": 48},
    "j6": {**MMDEND, "J": 6, "Dp": 48, "S": 16},
    "lif": dict(neuron="lif", activity=0.0),
}


def through(soft, hard):
    """`hard` forward, the derivative of `soft` backward."""
    return soft + (hard - soft).detach()


def toeplitz(kernel):
    """kernel (steps) to the matrix that convolves with it: M[t, q] =
    kernel[t - q], zero above the diagonal."""
    steps = len(kernel)
    padded = F.pad(kernel, (steps, 0))  # index steps + t - q
    t = torch.arange(steps)
    return padded[steps + t[:, None] - t[None, :]]


class Dendrites(torch.nn.Module):
    """One MMDEND layer behind its input current; eq. 10 to 17."""

    def __init__(self, J, Dp, S, U, **_):
        super().__init__()
        self.J, self.Dp, self.S, self.U = J, Dp, S, U
        K, par = COMPARTMENTS, lambda x: torch.nn.Parameter(x)
        self.log_decay = par(torch.full((J, K), 0.5).log())
        self.lam_im = par(np.pi * torch.arange(float(K)).repeat(J, 1))
        self.log_dt = par(torch.linspace(np.log(0.02), np.log(0.5), J))
        self.B = par(torch.randn(J, K, 2) * 0.7)
        self.C = par(torch.randn(J, K, 2) * 0.7)
        self.go = par(torch.randn(J) * 0.3)
        self.log_tauj = par(torch.zeros(J))
        self.log_taus = par(torch.tensor(2.0).log())
        self.gs = par(torch.tensor(0.3))
        self.phi_p = par(torch.tensor(0.0))
        self.log_phi_s = par(torch.tensor(0.0))

    def constants(self):
        """The parameters under their names in a checkpoint."""
        dt = self.log_dt.exp()
        decay = torch.maximum(self.log_decay.exp(), LEAST_DECAY / dt[:, None])
        return dict(lam_re=-decay, lam_im=self.lam_im, dt=dt, B=self.B, C=self.C,
                    go=self.go, tauj=self.log_tauj.exp(), taus=self.log_taus.exp(),
                    gs=self.gs, phi_p=self.phi_p, phi_s=self.log_phi_s.exp())

    def forward(self, I):
        """I (steps, D, samples) to integer spikes of the same shape."""
        p, steps = self.constants(), len(I)
        time = torch.arange(float(steps), dtype=I.dtype)
        lam = torch.complex(p["lam_re"], p["lam_im"])
        step = lam * p["dt"][:, None]
        gain = (step.exp() - 1) / lam * torch.view_as_complex(p["B"])
        power = (step[..., None] * time).exp()  # (J, K, steps)
        weight = torch.view_as_complex(p["C"]) * gain
        kernel = (weight[..., None] * power).sum(1).real  # (J, steps)
        direct = torch.eye(steps, dtype=I.dtype)
        drive = p["gs"] * I
        for j in range(self.J):
            first, end = j * self.S, j * self.S + self.Dp
            matrix = toeplitz(kernel[j]) + p["go"][j] * direct
            part = I[:, first:end]
            d = F.relu(matrix @ part.reshape(steps, -1)).view(part.shape)
            drive = drive + F.pad(d / p["tauj"][j], (0, 0, first, I.shape[1] - end))
        beta = torch.exp(-1 / p["taus"])
        soma = toeplitz(p["taus"] * (1 - beta) * beta ** time)
        Vs = (soma @ drive.reshape(steps, -1)).view(I.shape)
        level = ((Vs - p["phi_p"]) / p["phi_s"]).clamp(-self.U, self.U)
        return through(level, level.floor())


class Lif(torch.nn.Module):
    """One LIF layer with hard reset (eq. 1 to 3), arctan surrogate."""

    def forward(self, I):
        v, out = torch.zeros_like(I[0]), []
        # unbind: indexing I[t] makes the backward pass quadratic in the steps.
        for current in I.unbind(0):
            h = (1 - 1 / LIF_TAU) * v + current / LIF_TAU
            s = through(torch.atan(np.pi * (h - 1)) / np.pi, (h > 1).to(h.dtype))
            v = h * (1 - s.detach())
            out.append(s)
        return torch.stack(out)


class Net(torch.nn.Module):
    """Two layers of linear map, batch norm and neurons; linear read-out of the
    mean over the steps."""

    def __init__(self, neuron, **shape):
        super().__init__()
        widths = [task.SIZE, HIDDEN, HIDDEN]
        self.maps = torch.nn.ModuleList(
            torch.nn.Linear(i, o, bias=False) for i, o in zip(widths, widths[1:]))
        self.norms = torch.nn.ModuleList(
            torch.nn.BatchNorm1d(HIDDEN, momentum=0.02) for _ in self.maps)
        self.neurons = torch.nn.ModuleList(
            Lif() if neuron == "lif" else Dendrites(**shape) for _ in self.maps)
        self.read = torch.nn.Linear(HIDDEN, len(task.CLASSES))

    def forward(self, x):
        """x (samples, steps, inputs) of grey levels; logits (samples,
        classes) and the spikes of both layers."""
        h = (x.permute(1, 2, 0) - task.OFFSET) / task.SCALE
        spikes = []
        for linear, norm, neurons in zip(self.maps, self.norms, self.neurons):
            h = neurons(norm(torch.matmul(linear.weight, h)))
            spikes.append(h)
        return self.read(h.mean(0).T), spikes


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


def train(net, activity, steps, batch=64, rate=5e-3):
    """Cross-entropy plus the price of activity, AdamW, cosine to zero.  Grey
    levels and noise are drawn anew in every batch."""
    images, labels, rng = task.drawn(task.SEED_TRAIN, task.TRAIN)
    optimizer = torch.optim.AdamW(groups(net, rate))
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    total = 0.0
    for step in range(1, steps + 1):
        pick = rng.integers(0, len(images), batch)
        x = torch.from_numpy(task.grey(rng, images[pick])).float()
        logits, spikes = net(x)
        loss = F.cross_entropy(logits, torch.from_numpy(labels[pick]).long())
        total += loss.item()
        optimizer.zero_grad()
        (loss + activity * sum(s.abs().mean() for s in spikes)).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        plan.step()
        if step % 250 == 0:
            print(f"step {step} of {steps}: loss {total / 250:.3f}", flush=True)
            total = 0.0


def arrays(net, meta):
    """The checkpoint: batch norm and the scale of the grey levels folded into
    W and b, the rest as README.md lists it."""
    found = {"meta": np.asarray(json.dumps(meta))}
    for l, (linear, norm, neurons) in enumerate(
            zip(net.maps, net.norms, net.neurons)):
        gain = norm.weight / (norm.running_var + norm.eps).sqrt()
        W, b = gain[:, None] * linear.weight, norm.bias - gain * norm.running_mean
        if l == 0:
            W = W / task.SCALE
            b = b - task.OFFSET * W.sum(1)
        layer = {"W": W, "b": b}
        if meta["neuron"] == "mmdend":
            layer.update(neurons.constants())
        found.update({f"{key}{l}": value.detach().numpy().astype(np.float32)
                      for key, value in layer.items()})
        if meta["neuron"] == "mmdend":
            found[f"Dp{l}"] = np.array(neurons.Dp, np.int32)
            found[f"S{l}"] = np.array(neurons.S, np.int32)
    found["Wout"] = net.read.weight.detach().numpy().astype(np.float32)
    found["bout"] = net.read.bias.detach().numpy().astype(np.float32)
    return found


def describe(name, steps):
    """`meta`: what a reader of the checkpoint has to know."""
    net = NETS[name]
    meta = dict(name=name, task="grey shapes", neuron=net["neuron"], H=HIDDEN,
                layers=2, decode="mean", steps=steps, activity=net["activity"])
    if net["neuron"] == "lif":
        return {**meta, "tau": LIF_TAU, "Vth": 1.0}
    return {**meta, "J": net["J"], "K": COMPARTMENTS, "U": net["U"], "Vth": 1.0,
            "f": "relu"}


def build(name, steps, out):
    torch.manual_seed(SEED_NET)
    net = Net(**NETS[name])
    print(f"{name}: {steps} steps", flush=True)
    train(net, NETS[name]["activity"], steps)
    net = net.double().eval()
    x, y = task.test_set()
    with torch.no_grad():
        logits, spikes = net(torch.from_numpy(x).double())
    found = arrays(net, describe(name, steps))
    found["x_ex"], found["y_ex"] = x[:EXAMPLES], y[:EXAMPLES]
    found["logits_ex"] = logits[:EXAMPLES].numpy().astype(np.float32)
    np.savez_compressed(out / f"{name}.npz", **found)
    right = int((logits.argmax(1).numpy() == y).sum())
    print(f"{name}: test accuracy {100 * right / len(y):.1f} % "
          f"({right} of {len(y)})")
    for l, s in enumerate(spikes):
        print(f"{name}: L{l} mean |S| {float(s.abs().mean()):.3f}, non-zero "
              f"{100 * float((s != 0).double().mean()):.1f} %", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--net", choices=NETS)
    which.add_argument("--all", action="store_true",
                       help="every network, the test set and calibration images")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=1,
                        help="more than one may change the last digits")
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    if options.all:
        x, y = task.test_set()
        np.save(options.out / "test_x.npy", x)
        np.save(options.out / "test_y.npy", y)
        np.save(options.out / "calib_x.npy", task.calibration())
    for name in NETS if options.all else [options.net]:
        build(name, options.steps, options.out)


if __name__ == "__main__":
    main()
