# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Your first dendritic neuron: it answers to A then B, and to no other pair.

    /usr/bin/python3 runtime/python/tutorial/first_dendrite.py out/dendrite

first_dendrite.md beside this file tells the story. It needs matplotlib and a built `dendrolith`.
"""
import pathlib
import sys

try:
    import matplotlib
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "this draws: pip install matplotlib, or Debian's python3-matplotlib for /usr/bin/python3"
    ) from error
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
matplotlib.use("Agg")  # draws into files
sys.path.insert(0, str(ROOT / "runtime" / "python"))  # where the package is not installed

import matplotlib.pyplot as pyplot  # noqa: E402
import dendrolith as dl  # noqa: E402
from dendrolith.equations import fire, leak, maximum, sigmoid  # noqa: E402

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out/dendrite")

# 1. The task: two bursts, 5 to 20 steps apart, on channels A (0) and B (1). Class 1 is A then
# B; class 0 is B then A, A twice, or B twice.
rng = np.random.default_rng(1)
SAMPLES, STEPS, BURST = 200, 50, 4


def draw(samples):
    x, y = np.zeros((samples, STEPS, 2), np.uint8), rng.integers(0, 2, samples)
    for sample, label in zip(x, y):
        first, second = (0, 1) if label else [(1, 0), (0, 0), (1, 1)][rng.integers(3)]
        start, gap = rng.integers(2, 15), rng.integers(5, 21)
        sample[start:start + BURST, first] = 1
        sample[start + gap:start + gap + BURST, second] = 1
    return x, y


(calib_x, _), (x, y) = draw(50), draw(SAMPLES)


# 2. Two neurons, as functions of their equations.
@dl.neuron
def point(i: dl.Port, v: dl.State, keep: dl.Param, theta: dl.Param):
    s, v = fire(leak(v, i, keep), theta)
    return dict(v=v, s=s)


@dl.neuron
def dendrite(i_d: dl.Port, i_s: dl.Port, d: dl.State, p: dl.State, v: dl.State,
             kd: dl.Param = 0.6, kp: dl.Param = 0.95, kv: dl.Param = 0.5):
    d = leak(d, i_d, kd)                        # the dendrite sums its own synapses
    p = maximum(kp * p, sigmoid(8 * (d - 1)))   # above 1 it starts a plateau, which fades
    s, v = fire(leak(v, i_s * p, kv), 0.25)     # which lets the soma's synapses through
    return dict(d=d, p=p, v=v, s=s)


# 3. A network of each. The point neuron has the best of many weights; the dendrite has A
# on the dendrite and B at the soma.
def circuit(neuron, weights, **params):
    net = dl.Circuit(neuron.name)
    source = net.input("x", 2, spikes="binary")
    cell = net.population("cell", neuron, 1, **params)
    for port, weight in weights.items():
        net.connect(source, cell[port], weight)
    net.output(cell)
    return net


def right(spikes):
    return 100 * float(((spikes[..., 0].sum(1) > 0) == y).mean())


def loop(a, b, keep, theta):
    """The point neuron in numpy: the function itself, called with arrays."""
    v, fired = np.zeros(SAMPLES), np.zeros(SAMPLES, bool)
    for t in range(STEPS):
        new = point(x[:, t] @ np.array([a, b]), v, keep, theta)
        v, fired = new["v"], fired | new["s"]
    return 100 * float((fired == y).mean())


choices = [(a, b, keep, 1.0) for a in np.linspace(-1, 1, 9) for b in np.linspace(-1, 1, 9)
           for keep in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)]
a, b, keep, theta = max(choices, key=lambda choice: loop(*choice))
print(f"point neuron: weights {a:.2f} of A and {b:.2f} of B, keep {keep}, "
      f"the best of {len(choices)}")
nets = {"point": circuit(point, {"i": [[a, b]]}, keep=keep, theta=theta),
        "dendrite": circuit(dendrite, {"i_d": [[0.6, 0.0]], "i_s": [[0.0, 0.5]]})}
print(nets["dendrite"].text())

# 4. As written, and on a chip.
for name, net in nets.items():
    floats = dl.load(net).run(x, trace=["cell"])
    program = dl.compile(net, "loihi2", calibrate=calib_x)
    states = ["cell:v"] if name == "point" else ["cell:d", "cell:p", "cell:v"]
    chip = program.run(x, engine="cycle", trace=["cell", *states])
    print(f"{name}: {right(floats.traces['cell']):.1f} % right in reals, "
          f"{right(chip.traces['cell']):.1f} % on loihi2, {chip.latency}")
    print(f"  energy: {chip.energy}")
print(dl.check(nets["dendrite"], ["loihi1", "loihi2"], calibrate=calib_x))

# 5. The states of one sample of each class: the chip's, and those of the equations.
known = dl.load(net).run(x, trace=["cell", *states])
figure, axes = pyplot.subplots(3, 2, figsize=(10, 6), sharex=True, sharey="row",
                               constrained_layout=True)
both = x.any(axis=1).all(axis=1)  # A and B, in either order
for column, (title, some) in enumerate((("A then B", both & (y == 1)),
                                        ("B then A", both & (y == 0)))):
    sample = int(np.flatnonzero(some)[0])
    top, middle, bottom = axes[:, column]
    top.set_title(title)
    top.eventplot([np.flatnonzero(x[sample, :, 0]), np.flatnonzero(x[sample, :, 1])],
                  lineoffsets=[1, 0], linelengths=0.8, colors=["#0072B2", "#D55E00"])
    for axis, state, colour in ((middle, "cell:d", "#0072B2"), (middle, "cell:p", "#009E73"),
                                (bottom, "cell:v", "#D55E00")):
        axis.plot(chip.traces[state][sample, :, 0], color=colour, label=state[5:])
        axis.plot(known.traces[state][sample, :, 0], color="black", lw=0.8, ls=":")
    spikes = np.flatnonzero(chip.traces["cell"][sample, :, 0])
    bottom.plot(spikes, np.full(len(spikes), 0.25), "k^", label="spike")
    bottom.set_xlabel("step")
axes[0, 0].set_yticks([0, 1], ["B", "A"])
axes[1, 0].set_ylabel("dendrite d, plateau p")
axes[2, 0].set_ylabel("soma v")
axes[1, 0].legend(loc="upper right", fontsize="small")
axes[2, 0].legend(loc="upper right", fontsize="small")
folder.mkdir(parents=True, exist_ok=True)
figure.savefig(folder / "first_dendrite.png", dpi=80)
print(f"wrote first_dendrite.png to {folder.name}")
