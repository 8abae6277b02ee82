# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From PyTorch to Loihi in fifteen minutes: from_pytorch.md beside this file tells the story.

    /usr/bin/python3 runtime/python/tutorial/from_pytorch.py out/tutorial

writes the figures into the folder, and prints what the page quotes. It needs torch,
h5py and matplotlib, and a built `dendrolith`.
"""
import pathlib
import sys

import numpy as np

try:
    import torch
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "this trains: pip install torch, or Debian's python3-torch for /usr/bin/python3"
    ) from error

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "runtime" / "python"))  # where the package is not installed

import dendrolith as dl  # noqa: E402

# 1. Data: ten classes, each a melody of firing rates over 32 channels and 32 steps, from
# which spikes are drawn at random: (samples, steps, channels) of 0 and 1.
rng = np.random.default_rng(0)
melodies = 0.35 * rng.random((10, 8, 32)).repeat(4, axis=1) ** 2


def draw(samples):
    y = rng.integers(0, 10, samples)
    return (rng.random((samples, 32, 32)) < melodies[y]).astype(np.uint8), y


(train_x, train_y), (test_x, test_y) = draw(2000), draw(500)
print(f"data: {train_x.shape} to train, {test_x.shape} to test")

# 2. A network in plain PyTorch. The neuron is snnTorch's Leaky, reset by subtraction.
BETA, KEEP = 0.9, 0.95  # of the hidden neurons, and of the read-out


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


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = torch.nn.Linear(32, 64)
        self.fc2 = torch.nn.Linear(64, 10)

    def forward(self, x):
        """Spikes of the hidden layer and the read-out, (samples, steps, n) each."""
        mem = spk = torch.zeros(len(x), 64, dtype=x.dtype)
        out = torch.zeros(len(x), 10, dtype=x.dtype)
        spikes, outs = [], []
        for t in range(x.shape[1]):
            mem = BETA * mem + self.fc1(x[:, t]) - spk
            spk = Spike.apply(mem - 1)
            out = KEEP * out + self.fc2(spk)
            spikes.append(spk)
            outs.append(out)
        return torch.stack(spikes, 1), torch.stack(outs, 1)


torch.manual_seed(0)
torch.set_num_threads(1)
net = Net()
optimiser = torch.optim.Adam(net.parameters(), lr=5e-3)
x, y = torch.tensor(train_x, dtype=torch.float32), torch.tensor(train_y)
for epoch in range(10):
    for batch in torch.randperm(len(x)).split(50):
        loss = torch.nn.functional.cross_entropy(net(x[batch])[1].mean(1), y[batch])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
with torch.no_grad():
    spikes, outs = net.double()(torch.tensor(test_x, dtype=torch.float64))
classes = outs.mean(1).argmax(1).numpy()
print(f"torch: {100 * (classes == test_y).mean():.2f} % of {len(test_y)} test samples")

# 3. The same network for Dendrolith: weights as they are, decay factors as they are.
model = dl.from_layers([
    ("fc1", dl.Linear(net.fc1.weight, net.fc1.bias)),
    ("lif1", dl.snntorch.Leaky(beta=BETA, threshold=1.0)),
    ("fc2", dl.Linear(net.fc2.weight, net.fc2.bias)),
    ("out", dl.snntorch.Readout(beta=KEEP)),
], name="shapes")
floats = model.run(test_x, labels=test_y, trace=["lif1"])
print(f"float engine: {100 * floats.accuracy:.2f} %, spikes that differ from torch: "
      f"{int((floats.traces['lif1'] != spikes.numpy()).sum())} of {spikes.numel()}, largest "
      f"difference of the read-out {np.abs(floats.outputs - outs.numpy()).max():.1e}")

# 4. Does it fit, and where?
report = dl.check(model, ["loihi1", "loihi2"], calibrate=train_x[:64])
print(report)

# 5. Loihi 1 has no reset by subtraction a step later, so the report refuses it; Loihi 2
# runs it as a program. Number ranges come from samples that are not those of the test.
program = dl.compile(model, "loihi2", calibrate=train_x[:64])
result = program.run(test_x, labels=test_y, engine="cycle", trace=["lif1", "lif1:v"])
print(result)

# 6. Where does the chip leave the network that was trained?
print(result.compare("float"))

# 7. Fewer bits of weights, on as many threads as the machine has cores.
fewer = dl.explore(model, x=test_x[:100], labels=test_y[:100], targets="loihi2",
                   weight_bits=[8, 6, 4, 3], calibrate=train_x[:64], jobs=2)
for row in fewer:
    print(f"{row['weight_bits']} bits: {100 * row['score']:.0f} %, "
          f"{1e9 * row['energy_low_J']:.1f} to {1e9 * row['energy_high_J']:.1f} nJ, "
          f"{1e6 * row['latency_mean_s']:.2f} us")

# 8. Pictures.
if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in {
        "raster": lambda: result.plot.raster("lif1"),
        "membrane": lambda: result.plot.trace("lif1:v"),
        "confusion": result.plot.confusion,
        "energy": result.plot.energy,
        "chip": result.plot.chip,
    }.items():
        draw().figure.savefig(folder / f"{name}.png", dpi=80)
        pyplot.close("all")
    print(f"wrote {len(list(folder.glob('*.png')))} figures to {folder.name}")
