# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/torch.py.
"""Cells of PyTorch, each a module or a function of its own, compute on the float engine
what torch computes in double; what cannot be a network is said with file and line."""
from support import check, dl, finish, np, refused, warned
from torch_support import I, N, STEPS, agrees, nn, rng, spike, state, torch, x


class LIF(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N)

    def forward(self, x, mem):
        mem = 0.9 * mem + 2 * self.fc(x)
        z = spike(mem - 0.5)
        return z, mem - 0.5 * z


class DHLIF(nn.Module):
    """Branches with time constants of their own, and a soma (DH-SNN)."""

    def __init__(self, branches=4):
        super().__init__()
        self.fc = nn.Linear(I, N * branches)
        self.tau_n = nn.Parameter(torch.randn(N, branches))
        self.tau_m = nn.Parameter(torch.randn(N))

    def forward(self, x, d, v, z):
        beta, alpha = torch.sigmoid(self.tau_n), torch.sigmoid(self.tau_m)
        d = beta * d + (1 - beta) * self.fc(x).reshape(d.shape)
        v = alpha * v + (1 - alpha) * 6 * d.sum(dim=2) - 0.3 * z
        z = spike(v - 0.3)
        return z, d, v, z


class TwoCompartment(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N)
        self.beta = nn.Parameter(torch.randn(2))

    def forward(self, x, u1, u2):
        b = torch.sigmoid(self.beta)
        u1 = u1 - b[0] * u2 + self.fc(x)
        u2 = u2 + b[1] * u1
        z = spike(u2 - 1.0)
        return z, u1 - 0.5 * z, u2 - z


class Recurrent(nn.Module):
    """Its own spikes of a step ago come back, and a threshold adapts."""

    def __init__(self):
        super().__init__()
        self.fc, self.back = nn.Linear(I, N), nn.Linear(N, N, bias=False)

    def forward(self, x, v, a, z):
        v = 0.9 * v + self.fc(x) + self.back(z) - z * 0.5
        a = 0.95 * a + 0.1 * z
        z = (v >= 0.3 + a).double()
        return z, v, a, z


class Deep(nn.Module):
    """Two layers and a read-out; a short cut goes around the second one."""

    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.out = nn.Linear(I, N), nn.Linear(N, N), nn.Linear(N, 3)

    def forward(self, x, v1, v2, y):
        v1 = 0.8 * v1 + 3 * self.fc1(x)
        s1 = spike(v1 - 0.4)
        v2 = 0.8 * v2 + 3 * self.fc2(s1) + 0.2 * s1
        s2 = spike(v2 - 0.4)
        y = 0.9 * y + self.out(s2)
        return y, v1 * (1 - s1), v2 - 0.4 * s2, y


class Convolutional(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(1, 3, 3, padding=1), nn.BatchNorm2d(3)
        self.out = nn.Linear(3 * 4 * 4, 2)
        self.norm.running_mean.normal_()
        self.norm.running_var.uniform_(0.5, 2)

    def forward(self, x, v):
        v = 0.9 * v + self.norm(self.conv(x))
        s = spike(v - 0.5)
        return self.out(s.flatten(1)), v * (1 - s)


class Matrix(nn.Module):
    """A small matrix of each neuron (PMSN), and a softmax over its elements."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N)
        self.turn = nn.Parameter(0.4 * torch.randn(N, 4, 4))

    def forward(self, x, h):
        h = torch.tanh(torch.bmm(self.turn, h[0].unsqueeze(-1)).squeeze(-1)[None]
                       + self.fc(x).unsqueeze(-1))
        return (torch.softmax(h, dim=2) * h).sum(2), h


class Line(nn.Module):
    """A convolution along one axis, and the average of two places."""

    def __init__(self):
        super().__init__()
        self.conv, self.pool = nn.Conv1d(2, 3, 3, padding=1, stride=2), nn.AvgPool1d(2)
        self.out = nn.Linear(6, 2)

    def forward(self, x, v):
        v = 0.9 * v + self.conv(x)
        s = spike(v - 0.3)
        return self.out(self.pool(s).flatten(1)), v * (1 - s)


class Pooled(nn.Module):
    """Pooling of every kind, of spikes and of real numbers."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, padding=1)
        self.most = nn.MaxPool2d(3, stride=2, padding=1)
        self.mean = nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False, ceil_mode=True)
        self.parts = nn.AdaptiveAvgPool2d((2, 1))

    def forward(self, x, v):
        v = 0.9 * v + self.conv(x)
        s = spike(v - 0.3)
        parts = [self.most(s), self.most(v), self.mean(v), self.parts(s)]
        return torch.cat([p.flatten(1) for p in parts], 1), v * (1 - s)


class Levels(nn.Module):
    """Whole numbers of spikes (ILIF), and every way to round."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N)

    def forward(self, x, v):
        v = 0.7 * v + 4 * self.fc(x)
        s = torch.clamp(torch.round(v), 0, 4)
        y = s + 10 * torch.floor(v) + 100 * torch.ceil(v) + 1000 * v.to(torch.int32)
        return y + torch.div(v, 0.5, rounding_mode="floor"), v - s


class Normed(nn.Module):
    """LayerNorm, softmax and the largest over neurons, and LayerNorm within each."""

    def __init__(self):
        super().__init__()
        self.fc, self.norm, self.out = nn.Linear(I, N), nn.LayerNorm(N), nn.Linear(N, 4)
        self.within = nn.LayerNorm(3)
        nn.init.uniform_(self.norm.weight), nn.init.uniform_(self.norm.bias)

    def forward(self, x, v, w):
        v = 0.8 * v + self.norm(self.fc(x))
        w = 0.5 * w + self.within(v.unsqueeze(2) * torch.tensor([1.0, -2.0, 0.5]).to(v))
        return torch.softmax(self.out(v), 1) + torch.amax(v, 1, keepdim=True) + w.sum((1, 2)), v, w


class S4D(nn.Module):
    """Complex states and parameters, discretised in the step."""

    def __init__(self):
        super().__init__()
        self.fc, self.log, self.turn = nn.Linear(I, N), nn.Parameter(torch.rand(N, 4)), nn.Parameter(3 * torch.rand(N, 4))
        self.b, self.c = nn.Parameter(torch.randn(N, 4, 2)), nn.Parameter(torch.randn(N, 4, dtype=torch.cfloat))

    def forward(self, x, h):
        a = -torch.exp(self.log) + 1j * self.turn
        da = torch.exp(0.3 * a)
        b = torch.view_as_complex(self.b) * (da - 1) / a
        h = da * h + b * self.fc(x).unsqueeze(-1)
        return torch.tanh(2 * (h * self.c).real.sum(-1) + h.abs().mean(-1) - h.conj().imag[..., 0]), h


class Erf(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(I, N)

    def forward(self, x, v):
        v = 0.5 * v + 4 * self.fc(x)
        return torch.cat([torch.erf(v), nn.functional.gelu(v)], 1), v


torch.manual_seed(1)
net, *_ = agrees("LIF", LIF(), [state(N)])
check("%mem" in net.text() and "%fc" in net.text(), "LIF: names of the module")
agrees("LIF that starts above 0", LIF(), [state(N, value=0.4)])
agrees("DH-LIF", DHLIF(), [state(N, 4), state(N), state(N)])
agrees("two compartments", TwoCompartment(), [state(N), state(N)])
agrees("recurrent", Recurrent(), [state(N), state(N), state(N)])
agrees("recurrent that starts with spikes", Recurrent(), [state(N), state(N), state(N, value=1.0)])
agrees("deep", Deep(), [state(N), state(N), state(3)])
agrees("a matrix of each neuron", Matrix(), [state(N, 4)])
agrees("GRUCell", nn.GRUCell(I, N), [state(N)])
images = (rng.random((2, 10, 1, 4, 4)) < 0.4).astype(float)
agrees("convolution", Convolutional(), [state(3, 4, 4)], images)
lines = (rng.random((2, 10, 2, 8)) < 0.4).astype(float)
agrees("convolution of a line", Line(), [state(3, 4)], lines)
net, _, want, chip = agrees("pooling", Pooled(), [state(2, 4, 4)], images)
check(np.abs(chip - want).mean() < 0.02, f"pooling in integers: {np.abs(chip - want).mean()}")
whole = rng.integers(-2, 3, (3, STEPS, I)) / 2.0  # many halves, which are ties
_, _, want, chip = agrees("rounding", Levels(), [state(N)])
agrees("rounding of halves", Levels(), [state(N)], whole)
check((np.abs(chip - want) > 4).mean() < 0.1, "rounding in integers")
_, _, want, chip = agrees("softmax and LayerNorm over neurons", Normed(), [state(N), state(N, 3)])
check(np.abs(chip - want).mean() < 0.05, f"LayerNorm in integers: {np.abs(chip - want).mean()}")
_, _, want, chip = agrees("erf", Erf(), [state(N)], bound=1e-7)
check(np.abs(chip - want).mean() < 0.02, f"erf in integers: {np.abs(chip - want).mean()}")
_, _, want, chip = agrees("complex numbers", S4D(), [state(N, 4).to(torch.cfloat)])
check(np.abs(chip - want).mean() < 0.03, f"complex numbers in integers: {np.abs(chip - want).mean()}")
lstm = dl.from_torch(nn.LSTMCell(I, N), (torch.rand(1, I), (state(N), state(N))))
check(lstm.difference < 1e-12, f"LSTMCell: {lstm.difference}")



class After(nn.Module):
    """A neuron of a library behind a layer."""

    def __init__(self, neuron):
        super().__init__()
        self.fc, self.neuron = nn.Linear(I, N), neuron
        nn.init.uniform_(self.fc.weight, -0.5, 1.5)

    def forward(self, x, *states):
        return self.neuron(self.fc(x), *states)


def library(title, make, bound=1e-12):
    """A neuron whose states the library keeps gives what it gives in torch, in double."""
    torch.manual_seed(0)
    net = dl.from_torch(After(make()), torch.rand(1, I))
    check(net.difference < bound, f"{title}: {net.difference}")
    check(np.ptp(net.run(x).outputs) > 0, f"{title}: does something")


def fixed(title, make, layer, chip="loihi1"):
    """A traced neuron is the chip's own one, as a layer of the same numbers is."""
    torch.manual_seed(0)
    module = After(make())
    nn.init.zeros_(module.fc.bias)
    weight = module.fc.weight.detach().double().numpy()
    traced = dl.compile(dl.from_torch(module, torch.rand(1, I)), chip,
                        calibrate=x).run(x, engine="functional").outputs
    written = dl.compile(dl.from_layers([dl.Linear(weight), layer]), chip,
                         calibrate=x).run(x, engine="functional").outputs
    check(np.array_equal(traced, written) and np.ptp(traced) > 0, f"{title} on {chip}")


class LateReset(nn.Module):
    """Starts above its threshold, so that its first step is a reset."""

    def forward(self, x, v):
        v = 0.75 * torch.where(v > 1, torch.zeros_like(v), v) + x
        return (v > 1).double(), v


late = dl.from_torch(LateReset(), (torch.rand(1, I), state(I, value=2.0)))
check(late.difference == 0, "a late reset that starts above its threshold")

try:
    import snntorch
except ImportError:
    print("skipped: snntorch")
else:
    for reset in ("subtract", "zero"):
        library(f"Leaky {reset}", lambda: snntorch.Leaky(
            beta=0.9, init_hidden=True, reset_mechanism=reset))
    fixed("snnTorch's Leaky", lambda: snntorch.Leaky(
        beta=0.875, init_hidden=True, reset_mechanism="zero"),
        dl.snntorch.Leaky(beta=0.875, reset_mechanism="zero"))
    library("Synaptic", lambda: snntorch.Synaptic(alpha=0.9, beta=0.8, init_hidden=True))
    library("Alpha", lambda: snntorch.Alpha(alpha=0.9, beta=0.8, init_hidden=True))
    library("Lapicque", lambda: snntorch.Lapicque(beta=0.5, init_hidden=True))
    library("RLeaky", lambda: snntorch.RLeaky(beta=0.9, linear_features=N, init_hidden=True))
    library("RSynaptic", lambda: snntorch.RSynaptic(
        alpha=0.9, beta=0.8, linear_features=N, init_hidden=True))
    two = dl.from_torch(nn.Sequential(
        nn.Linear(I, N), snntorch.Leaky(beta=0.9, init_hidden=True), nn.Linear(N, 3),
        snntorch.Leaky(beta=0.9, init_hidden=True)), torch.rand(1, I))
    check(two.difference < 1e-12 and set(two.populations.values()) == {3, N},
          f"two layers of snnTorch: {two.difference}, {two.populations}")
try:
    from spikingjelly.activation_based import neuron
except ImportError:
    print("skipped: spikingjelly")
else:
    for kind in ("IFNode", "LIFNode", "ParametricLIFNode", "QIFNode", "EIFNode",
                 "IzhikevichNode", "KLIFNode", "CUBALIFNode", "ComplementaryLIFNode"):
        library(kind, getattr(neuron, kind))
    for chip in ("loihi1", "loihi2", "truenorth"):
        fixed("SpikingJelly's LIFNode", neuron.LIFNode, dl.spikingjelly.LIFNode(tau=2.0), chip)
        fixed("SpikingJelly's IFNode", neuron.IFNode, dl.spikingjelly.IFNode(), chip)
    # Two inputs of half a threshold reach it, and v >= theta fires.
    halves = nn.Linear(1, 1, bias=False)
    nn.init.constant_(halves.weight, 0.5)
    ones = np.ones((1, 10, 1))
    for chip in ("loihi1", "loihi2", "truenorth"):
        meets = dl.compile(dl.from_torch(nn.Sequential(halves, neuron.IFNode()), torch.rand(1, 1)),
                           chip, calibrate=ones).run(ones, engine="functional").outputs
        check(meets.ravel().tolist() == [0, 1] * 5, f"v == theta fires on {chip}")
try:
    import norse.torch as norse
except ImportError:
    print("skipped: norse")
else:
    for kind in ("LIFBoxCell", "LIFCell", "LICell", "IAFCell", "LSNNCell", "LIFAdExCell",
                 "LIFExCell"):
        # Norse keeps its constants in float32, and multiplies them there.
        library(kind, getattr(norse, kind), 1e-6)
    fixed("Norse's LIFBox", norse.LIFBoxCell, dl.norse.LIFBox())
    row = dl.from_torch(norse.SequentialState(
        nn.Linear(I, N), norse.LIFBoxCell(), nn.Linear(N, 3), norse.LICell()), torch.rand(1, I))
    check(row.difference < 1e-6, f"SequentialState: {row.difference}")

# A file is read as it was written, and what is in it is not executed.
path = __import__("support").FOLDER / "lif.pt2"
lif = dl.from_torch(LIF(), (torch.rand(1, I), state(N)))
lif.write(path)
check(np.array_equal(dl.load(path).run(x).outputs, lif.run(x).outputs), "from the file")


# A whole module of torch.save, in the form of DH-SNN's files.
class Branched(nn.Module):
    def __init__(self, inputs, neurons, branch, recurrent):
        super().__init__()
        self.input_dim, self.output_dim, self.branch, self.vth = inputs, neurons, branch, 0.4
        wide = inputs + (neurons if recurrent else 0)
        self.pad = -wide % branch
        self.dense = nn.Linear(wide + self.pad, neurons * branch)
        self.mask = (torch.rand(neurons * branch, wide + self.pad) < 0.5).float()
        self.dense.weight.data *= 6 * self.mask
        self.tau_m, self.tau_n = nn.Parameter(torch.randn(neurons)), nn.Parameter(torch.randn(neurons, branch))
        self.recurrent = recurrent

    def begin(self, batch):
        self.mem, self.spike = torch.zeros(2, batch, self.output_dim)
        self.d_input = torch.zeros(batch, self.output_dim, self.branch)

    def forward(self, x):
        parts = [x] + [self.spike] * self.recurrent + [torch.zeros(len(x), self.pad)]
        keep = torch.sigmoid(self.tau_n)
        self.d_input = keep * self.d_input + (1 - keep) * self.dense(
            torch.cat(parts, 1)).reshape(self.d_input.shape)
        keep = torch.sigmoid(self.tau_m)
        self.mem = keep * self.mem + (1 - keep) * self.d_input.sum(2) - self.vth * self.spike
        self.spike = spike(self.mem - self.vth)
        return self.spike


class ReadOut(nn.Module):
    def __init__(self, inputs, neurons):
        super().__init__()
        self.dense, self.tau_m = nn.Linear(inputs, neurons), nn.Parameter(torch.randn(neurons))

    def begin(self, batch):
        self.mem = torch.zeros(batch, len(self.tau_m))

    def forward(self, x):
        keep = torch.sigmoid(self.tau_m)
        self.mem = keep * self.mem + (1 - keep) * self.dense(x)
        return self.mem


def theirs(kind, name):
    """A class under the name that their files have."""
    made = type(name, (kind,), {"__module__": __name__})
    return globals().setdefault(name, made)


torch.manual_seed(3)
branched = [theirs(Branched, f"spike_{kind}_test_denri_wotanh_R") for kind in ("rnn", "dense")]
published = nn.Sequential()
published.add_module("rnn_1", branched[0](I, N, 3, True))
published.add_module("dense_1", branched[1](N, 7, 2, False))
published.add_module("read", theirs(ReadOut, "readout_integrator_test")(7, 3))
published.add_module("criterion", nn.CrossEntropyLoss())  # theirs keep it inside
torch.save(published, path.with_suffix(".pth"))
net = dl.from_torch(path.with_suffix(".pth"))
check(net.difference < 1e-12 and "%rnn_1_d" in net.text(), f"DH-SNN: {net.difference}")
published.double()
rows = []
with torch.no_grad():
    torch.set_default_dtype(torch.float64)
    for layer in published[:3]:
        layer.begin(len(x))
    for t in range(STEPS):
        rows.append(published[:3](torch.tensor(x[:, t])).numpy())
    torch.set_default_dtype(torch.float32)
want = np.stack(rows, 1)
check(np.ptp(want) > 0, "DH-SNN does something")
check(np.abs(net.run(x).outputs - want).max() < 1e-12, "DH-SNN: torch's own step")
torch.save(LIF(), path.with_suffix(".pth"))
refused("an unknown module", lambda: dl.from_torch(path.with_suffix(".pth")), "Linear", "stored(path)")
torch.save(LIF().state_dict(), path.with_suffix(".pth"))
refused("a state_dict", lambda: dl.from_torch(path.with_suffix(".pth")), "state_dict", "no step")


# What cannot be a network.
class Branching(nn.Module):
    def forward(self, x, v):
        if v.sum() > 0:
            return x, v
        return x, v + x


class Unknown(nn.Module):
    def forward(self, x, v):
        v = torch.cummax(v + x, 1)[0]
        return v, v


class Resorted(nn.Module):
    def forward(self, x, v):
        v = 0.5 * torch.sort(v + x)[0]
        return v, v


class Noisy(nn.Module):
    def forward(self, x, v):
        v = v + torch.rand_like(v)
        return v, v


refused("a branch", lambda: dl.from_torch(Branching(), (torch.rand(1, 4), state(4))),
        "torch_test.py:", "torch.where")
refused("an unknown operation", lambda: dl.from_torch(Unknown(), (torch.rand(1, 4), state(4))),
        "torch_test.py:", "cummax", "expected")
rate = 0.1
plain = dl.from_torch(lambda x, v: (rate * v + x,) * 2, (torch.rand(1, 4), state(4)))
check(plain.difference < 1e-12, f"a function is compared in double: {plain.difference}")
sorts = dl.from_torch(Resorted(), (torch.rand(1, 4), state(4)))
check(sorts.difference < 1e-12, f"a state that one neuron makes: {sorts.difference}")
refused("random", lambda: dl.from_torch(Noisy(), (torch.rand(1, 4), state(4))),
        "torch_test.py:", "random")
refused("a state that grows", lambda: dl.from_torch(
    lambda x, v: (x, torch.cat([v, v], 1)), (torch.rand(1, 4), state(4))), "shape")
refused("no numbers", lambda: dl.from_torch(
    lambda x, v: (torch.log(v - x - 1), v), (torch.rand(1, 4), state(4))), "infinite or no number", "in torch itself")
refused("no tensor", lambda: dl.from_torch(LIF(), 3), "example=(x, *states)")
for wrong in (torch.rand(2, I), torch.rand(I)):
    refused("no batch of one", lambda: dl.from_torch(LIF(), (wrong, state(N))), str(tuple(wrong.shape)), "(1, ...)")


def draws(x, v):
    return x + torch.randn_like(x), v


refused("random, in a function", lambda: dl.from_torch(draws, (torch.rand(1, 4), state(4))),
        f"torch_test.py:{draws.__code__.co_firstlineno + 1}: randn_like")
refused("states forgotten", lambda: dl.from_torch(lambda x, u, v, w: (x, u), (torch.rand(1, 4), *[state(4)] * 3)),
        "states")

# What integers cannot hold is said when it is compiled.
class Chaotic(nn.Module):
    """The logistic map: any rounding is another trajectory."""

    def forward(self, x, v):
        v = 3.95 * v * (1 - v)
        return v + 0.001 * x, v


class HodgkinHuxley(nn.Module):
    """Its gates and its potential, by exponential Euler."""

    def forward(self, x, v, m, h, n):
        def gate(g, a, b):
            e = torch.exp(-0.05 * (a + b))
            return g * e + (1 - e) * a / (a + b)

        m = gate(m, -0.1 * (v + 40) / (torch.exp(-(v + 40) / 10) - 1), 4 * torch.exp(-(v + 65) / 18))
        h = gate(h, 0.07 * torch.exp(-(v + 65) / 20), 1 / (1 + torch.exp(-(v + 35) / 10)))
        n = gate(n, -0.01 * (v + 55) / (torch.exp(-(v + 55) / 10) - 1), 0.125 * torch.exp(-(v + 65) / 80))
        na, k = 120 * m ** 3 * h, 36 * n ** 4
        e = torch.exp(-0.05 * (na + k + 0.3))
        v = v * e + (1 - e) * (na * 50 - k * 77 - 0.3 * 54.4 + x) / (na + k + 0.3)
        return v, v, m, h, n


def compiled(module, states, given):
    net, program = dl.from_torch(module, (torch.tensor(given[0, :1]), *states)), []
    said = warned(lambda: program.append(dl.compile(net, "loihi2", calibrate=given)))
    return program[0], [text for text in said if "beside the float network" in text]


said = compiled(Chaotic(), [state(2, value=0.3)], np.ones((1, 200, 2)))
check(said[0].drift > 0.5 and len(said[1]) == 1 and "rms" in said[1][0], f"chaos: {said}")
current = np.zeros((2, 800, 3))
current[:, 60:] = [7.0, 10.0, 20.0]
said = compiled(HodgkinHuxley(), [state(3, value=one) for one in (-65.0, 0.0529, 0.596, 0.3177)], current)
print(f"Hodgkin-Huxley: drift {said[0].drift:.3f}, {said[1]}")
check((said[0].drift > 0.1) == bool(said[1]), f"Hodgkin-Huxley: {said}")
said = compiled(LIF(), [state(N)], x)
check(said[0].drift < 0.05 and not said[1], f"a LIF drifts little: {said}")

# The chip in the loop: its numbers forward, the float model's gradient backward.
model = LIF().double()


def floating(batch):
    rows = []
    for t in range(batch.shape[1]):
        rows.append(torch.sigmoid(model.fc(batch[:, t])))
    return torch.stack(rows, 1)


program = dl.compile(dl.from_torch(model, (torch.rand(1, I), state(N))), "loihi2", calibrate=x)
batch = torch.tensor(x)
y = dl.torch.on_chip(program, floating)(batch)
check(np.array_equal(y.detach().numpy(), program.run(x, engine="functional").outputs),
      "on_chip: forward is the chip")
(y * 2).sum().backward()
got = model.fc.weight.grad.clone()
model.zero_grad()
(floating(batch) * 2).sum().backward()
check(torch.equal(got, model.fc.weight.grad), "on_chip: backward is the model")
for title, other in (("time first", lambda x: floating(x).transpose(0, 1)), ("no steps", lambda x: floating(x).sum(1)),
                     ("flat", lambda x: floating(x).reshape(-1))):
    refused(f"on_chip: {title}", lambda other=other: dl.torch.on_chip(program, other)(batch), "give both one shape")
chip = dl.torch.on_chip(program, trained := torch.nn.Linear(I, N))
with torch.no_grad():
    trained.weight += 1
said = warned(lambda: chip(batch.float()))
check(len(said) == 1 and "weights of the model have changed" in said[0], f"on_chip: other weights are warned of: {said}")
finish()
