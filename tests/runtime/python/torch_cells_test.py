# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/torch.py and compiler/import/torch with cells as their users write them.
"""Cells of many kinds, written as people write them in PyTorch, are the same network in
double and nearly the same in loihi2's integers, and their structure is found."""
import re
import subprocess

from support import DENDROLITH, FOLDER, check, finish, np
from torch_support import I, N, agrees, nn, spike, state, torch


class Cell(nn.Module):
    """Each has a layer before it."""

    def __init__(self, outputs=N):
        super().__init__()
        self.fc = nn.Linear(I, outputs)


class Refractory(Cell):
    """Counts the silent steps behind a spike."""

    def forward(self, x, v, left):
        v = torch.where(left > 0, torch.zeros_like(v), 0.9 * v + 2 * self.fc(x))
        z = spike(v - 0.5)
        return z, v * (1 - z), torch.where(z > 0, torch.full_like(left, 3.0), torch.clamp(left - 1, min=0))


class Cable(Cell):
    """A dendrite of three compartments that flow into each other, and a soma."""

    def __init__(self):
        super().__init__(3 * N)

    def forward(self, x, d, v):
        left = torch.cat([d[..., :1], d[..., :-1]], 2)
        right = torch.cat([d[..., 1:], v.unsqueeze(-1)], 2)
        d = 0.7 * d + 0.1 * (left - d) + 0.1 * (right - d) + self.fc(x).view(1, N, 3)
        v = 0.85 * v + 0.4 * (d[..., -1] - v)
        z = (v > 0.6).float()
        return z, d, v - 0.6 * z


class Adaptive(Cell):
    """Two traces of spikes raise the threshold, each with a time of its own."""

    def __init__(self):
        super().__init__()
        self.register_buffer("keep", torch.tensor([0.8, 0.97]))
        self.register_buffer("jump", torch.tensor([0.3, 0.1]))

    def forward(self, x, v, a, z):
        a = self.keep * a + self.jump * z.unsqueeze(-1)
        v = 0.9 * v * (1 - z) + 2 * self.fc(x)
        z = torch.heaviside(v - 0.4 - a.sum(-1), torch.tensor(0.0))
        return z, v, a, z


class NMDA(Cell):
    """Synapses that open with the dendrite's voltage (Jahr and Stevens)."""

    def forward(self, x, rise, fall, v):
        g = torch.relu(self.fc(x))
        rise, fall = 0.5 * rise + g, 0.95 * fall + g
        block = 1 / (1 + 0.28 * torch.exp(-3 * v))
        v = v + 0.1 * (-v + 2 * (fall - rise) * block * (1 - v))
        return v, rise, fall, v


class Gated(Cell):
    """A memory with an input gate, a forget gate and a peephole."""

    def __init__(self):
        super().__init__(3 * N)

    def forward(self, x, c):
        i, f, g = self.fc(x).chunk(3, dim=1)
        keep = torch.sigmoid(f + 0.5 * c + 1)
        c = keep * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.nn.functional.silu(c), c


class Plateau(Cell):
    """Calcium: strong input holds a dendrite up for some steps, which lowers the soma's threshold."""

    def forward(self, x, v, up, timer):
        drive = self.fc(x)
        timer = torch.where(drive > 0.3, torch.ones_like(timer) * 8, torch.maximum(timer - 1, torch.zeros_like(timer)))
        up = 0.6 * up + 0.4 * (timer > 0).to(up.dtype)
        v = 0.9 * v + drive
        z = ((v > 0.8 - 0.5 * up) & (timer < 7)).to(v.dtype)
        return z, torch.where(z.bool(), torch.zeros_like(v), v), up, timer


class Traces(Cell):
    """Reads as Clopath's rule does: filtered voltages and spikes, no weight changes."""

    def forward(self, x, v, slow, fast, trace):
        u = self.fc(x)
        slow, fast = slow + (v - slow) / 15, fast + (v - fast) / 5
        v = v + (u - v) / 4
        z = (v >= 0.1).double()
        trace = trace * 0.9 + z
        depress = trace * torch.clamp(slow - 0.02, min=0)
        potentiate = trace * torch.clamp(fast - 0.01, min=0) * torch.clamp(v, min=0)
        return potentiate - 0.3 * depress, v * (1 - z), slow, fast, trace


class Scales(Cell):
    """One input at four times, weighted by what was learned."""

    def __init__(self):
        super().__init__()
        self.rate, self.mix = nn.Parameter(torch.rand(N, 4)), nn.Parameter(torch.randn(N, 4))

    def forward(self, x, h):
        keep = torch.exp(-torch.nn.functional.softplus(self.rate))
        h = keep * h + self.fc(x).unsqueeze(-1)
        return (h * self.mix).sum(-1), h


class Resonator(Cell):
    """Turns and fades, and fires where it rises above its threshold."""

    def __init__(self):
        super().__init__()
        self.angle, self.fade = nn.Parameter(torch.rand(N)), nn.Parameter(0.1 * torch.rand(N))

    def forward(self, x, re, im):
        keep = torch.exp(-self.fade)
        c, s = keep * torch.cos(self.angle), keep * torch.sin(self.angle)
        re, im = c * re - s * im + self.fc(x), s * re + c * im
        return (im > 0.5).float(), re, im


class Shunting(Cell):
    """Excitation over inhibition on each of four branches."""

    def __init__(self):
        super().__init__(8 * N)

    def forward(self, x, v):
        e, i = torch.split(torch.nn.functional.softplus(self.fc(x)).reshape(1, N, 8), 4, dim=-1)
        branch = (0.2 * v.unsqueeze(-1) + e) / (1 + e + i)
        v = 0.5 * v + 0.5 * branch.mean(dim=-1)
        return v, v


class Queue(Cell):
    """A delay line of each neuron (a sliding PSN)."""

    def __init__(self):
        super().__init__()
        self.taps = nn.Parameter(torch.tensor([0.1, 0.3, 0.5, 1.0]))

    def forward(self, x, line):
        line = torch.cat([line[:, :, 1:], self.fc(x).unsqueeze(2)], dim=2)
        return torch.ge(torch.matmul(line, self.taps), 0.2).float(), line


class Twice(Cell):
    """A soma and its branches read one layer, in two shapes."""

    def forward(self, x, d, v):
        u = self.fc(x)
        d = torch.tensor([0.5, 0.9]) * d + u[..., None]
        v = 0.9 * v + u + d.sum(-1)
        z = (v > 1).to(v.dtype)
        return z, d, v - z


def raised(net):
    """How many of each structure op --dend-raise-structure finds."""
    file = FOLDER / "cell.mlir"
    file.write_text(net.text())
    opt = str(DENDROLITH).replace("/dendrolith", "/dendrolith-opt")
    text = subprocess.run([opt, file, "--dend-raise-structure"], check=True, capture_output=True, text=True).stdout
    return tuple(len(re.findall(rf"= dend\.{kind}\b", text)) for kind in ("compartment", "branch", "fire"))


CASES = (  # states; compartments, branches and thresholds that are found; the largest mean difference in integers
    (Refractory, [state(N), state(N)], (1, 0, 1), 0.02),
    (Cable, [state(N, 3), state(N)], (2, 0, 1), 0.02),
    (Adaptive, [state(N), state(N, 2), state(N)], (1, 0, 0), 0.02),
    (NMDA, [state(N), state(N), state(N)], (3, 0, 0), 0.02),
    (Gated, [state(N)], (0, 0, 0), 0.02),
    (Plateau, [state(N), state(N), state(N)], (1, 0, 0), 0.02),
    (Traces, [state(N)] * 4, (3, 0, 0), 0.02),
    (Scales, [state(N, 4)], (0, 1, 0), 0.05),
    (Resonator, [state(N), state(N)], (2, 0, 1), 0.02),
    (Shunting, [state(N)], (1, 0, 0), 0.02),
    (Queue, [state(N, 4)], (0, 0, 0), 0.02),
    (Twice, [state(N, 2), state(N)], (2, 0, 1), 0.02),
)
for kind, states, structure, bound in CASES:
    torch.manual_seed(2)
    net, _, want, chip = agrees(kind.__name__, kind(), states)
    off = np.abs(chip - want).mean()
    print(f"{kind.__name__}: {net.difference:.1e} from torch, {off:.4f} in integers, raised {raised(net)}")
    check(off < bound, f"{kind.__name__} in integers: {off}")
    sent = net.text().count("dend.project ")
    check(kind is not Twice or sent == 1, f"{kind.__name__} pays for its layer {sent} times")
    check(raised(net) == structure, f"{kind.__name__}: {raised(net)} where {structure} is expected")
finish()
