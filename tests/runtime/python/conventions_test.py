# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/dendrolith/conventions.py, layers.py and nir_file.py.
"""`from_layers` with the neurons of each training tool against models that step the
tool's own rule: spikes are identical and read-outs equal to 1e-6, for a recurrent
network in numpy and a convolutional one in torch. Rules and starts are those of the
sources of snntorch 1.0.0 (_neurons/leaky.py, synaptic.py), norse 1.1.0 (module/lif_box.py
and lif.py: initial_state is v_leak) and spikingjelly 2.0.0 (neuron/base_node.py:
register_memory("v", v_reset))."""
import json
import subprocess

from support import DENDROLITH, FOLDER, check, finish, need, np, dl, refused, warned

h5py = need("h5py")
RNG = np.random.default_rng(7)
TOLERANCE = 1e-6


class Step:
    """A neuron by its tool's rule: `step(x)` gives spikes, of state in 64-bit."""

    def __init__(self, rule, **p):
        self.rule, self.p, self.state = rule, p, {}

    def __call__(self, x):
        return self.rule(self.state, x, **self.p)


def leaky(s, x, beta, threshold, zero, looped=False):
    mem = s.get("mem", 0 * x)
    reset = (mem > threshold).astype(float)
    if zero and looped:  # _neurons/rleaky.py: _base_zero
        mem = (beta * mem + x) * (1 - reset)
    elif zero:
        mem = beta * ((1 - reset) * mem) + x
    else:
        mem = beta * mem + x - reset * threshold
    s["mem"] = mem
    return (mem > threshold).astype(float)


def synaptic(s, x, alpha, beta, threshold, zero):
    mem, syn = s.get("mem", 0 * x), s.get("syn", 0 * x)
    reset = (mem > threshold).astype(float)
    syn = alpha * syn + x
    mem = beta * mem + syn
    mem = mem * (1 - reset) if zero else mem - reset * threshold
    s.update(mem=mem, syn=syn)
    return (mem > threshold).astype(float)


def lif_box(s, x, tau_mem_inv, v_leak, v_th, v_reset, dt=1e-3):
    v = s.get("v", 0 * x + v_leak)
    v = v + dt * tau_mem_inv * ((v_leak - v) + x)
    z = (v > v_th).astype(float)
    s["v"] = (1 - z) * v + z * v_reset
    return z


def norse_lif(s, x, tau_mem_inv, tau_syn_inv, v_th, v_reset, jump, v_leak=0.0, dt=1e-3):
    v, i = s.get("v", 0 * x + v_leak), s.get("i", 0 * x)
    acts = i + x if jump else i
    v = v + dt * tau_mem_inv * (v_leak - v + acts)
    i = acts * (1 - dt * tau_syn_inv) if jump else i * (1 - dt * tau_syn_inv) + x
    z = (v > v_th).astype(float)
    s.update(v=(1 - z) * v + z * v_reset, i=i)
    return z


def jelly(s, x, tau, decay_input, v_threshold, v_reset):
    rest = 0.0 if v_reset is None else v_reset
    v = s.get("v", 0 * x + rest)
    v = v + (x - (v - rest)) / tau if decay_input else v - (v - rest) / tau + x
    z = (v >= v_threshold).astype(float)
    s["v"] = v - z * v_threshold if v_reset is None else (1 - z) * v + z * v_reset
    return z


def jelly_if(s, x, v_threshold, v_reset):
    v = s.get("v", 0 * x + (v_reset or 0.0)) + x
    z = (v >= v_threshold).astype(float)
    s["v"] = v - z * v_threshold if v_reset is None else (1 - z) * v + z * v_reset
    return z


def sinabs_lif(s, x, tau_mem, spike_threshold, norm_input, multi, min_v=None):
    a = np.exp(-1 / tau_mem)
    v = a * s.get("v", 0 * x) + ((1 - a) * x if norm_input else x)
    z = (np.where(v > 0, np.trunc(v / spike_threshold), 0) if multi
         else (v >= spike_threshold).astype(float))
    v = v - z * spike_threshold
    s["v"] = v if min_v is None else np.maximum(v, min_v)
    return z


BETAS = RNG.uniform(0.7, 0.95, 16)
EDGES = np.where(np.arange(16) % 3 == 0, 1.0, BETAS)  # some keep all of v
CASES = {
    "snntorch Leaky subtract": (dl.snntorch.Leaky(BETAS, 0.9),
                                dict(rule=leaky, beta=BETAS, threshold=0.9, zero=False)),
    "snntorch Leaky some 1": (dl.snntorch.Leaky(EDGES, 0.9),
                              dict(rule=leaky, beta=EDGES, threshold=0.9, zero=False)),
    "snntorch Leaky 1": (dl.snntorch.Leaky(1.0, reset_mechanism="zero"),
                         dict(rule=leaky, beta=1.0, threshold=1.0, zero=True)),
    "snntorch Synaptic 1": (
        dl.snntorch.Synaptic(0.6, EDGES, 1.2),
        dict(rule=synaptic, alpha=0.6, beta=EDGES, threshold=1.2, zero=False)),
    "snntorch Leaky zero": (dl.snntorch.Leaky(0.85, reset_mechanism="zero"),
                            dict(rule=leaky, beta=0.85, threshold=1.0, zero=True)),
    "snntorch Synaptic subtract": (
        dl.snntorch.Synaptic(0.8, BETAS, 1.2),
        dict(rule=synaptic, alpha=0.8, beta=BETAS, threshold=1.2, zero=False)),
    "snntorch Synaptic zero": (
        dl.snntorch.Synaptic(0.7, 0.9, reset_mechanism="zero"),
        dict(rule=synaptic, alpha=0.7, beta=0.9, threshold=1.0, zero=True)),
    "norse LIFBox": (dl.norse.LIFBox(150.0, 0.05, 0.3, -0.1),
                     dict(rule=lif_box, tau_mem_inv=150.0, v_leak=0.05, v_th=0.3, v_reset=-0.1)),
    "norse LIFBox starts high": (
        dl.norse.LIFBox(150.0, 0.25, 0.3, -0.1),
        dict(rule=lif_box, tau_mem_inv=150.0, v_leak=0.25, v_th=0.3, v_reset=-0.1)),
    "norse LIF starts low": (
        dl.norse.LIF(100.0, 200.0, -0.2, 0.2, -0.3),
        dict(rule=norse_lif, tau_mem_inv=100.0, tau_syn_inv=200.0, v_leak=-0.2, v_th=0.2,
             v_reset=-0.3, jump=True)),
    "norse LIF new current": (
        dl.norse.LIF(100.0, 200.0, v_th=0.4),
        dict(rule=norse_lif, tau_mem_inv=100.0, tau_syn_inv=200.0, v_th=0.4, v_reset=0.0,
             jump=True)),
    "norse LIF old current": (
        dl.norse.LIF(100.0, 200.0, v_th=0.4, current="old"),
        dict(rule=norse_lif, tau_mem_inv=100.0, tau_syn_inv=200.0, v_th=0.4, v_reset=0.0,
             jump=False)),
    "spikingjelly LIFNode": (
        dl.spikingjelly.LIFNode(2.5, v_threshold=0.5),
        dict(rule=jelly, tau=2.5, decay_input=True, v_threshold=0.5, v_reset=0.0)),
    "spikingjelly LIFNode soft": (
        dl.spikingjelly.LIFNode(2.0, decay_input=False, v_reset=None),
        dict(rule=jelly, tau=2.0, decay_input=False, v_threshold=1.0, v_reset=None)),
    "spikingjelly LIFNode starts low": (
        dl.spikingjelly.LIFNode(20.0, False, v_reset=-0.5),
        dict(rule=jelly, tau=20.0, decay_input=False, v_threshold=1.0, v_reset=-0.5)),
    "spikingjelly LIFNode decays, starts low": (
        dl.spikingjelly.LIFNode(2.0, v_threshold=0.25, v_reset=-0.25),
        dict(rule=jelly, tau=2.0, decay_input=True, v_threshold=0.25, v_reset=-0.25)),
    "spikingjelly IFNode starts low": (
        dl.spikingjelly.IFNode(1.0, -0.5),
        dict(rule=jelly_if, v_threshold=1.0, v_reset=-0.5)),
    "spikingjelly IFNode": (dl.spikingjelly.IFNode(1.5),
                            dict(rule=jelly_if, v_threshold=1.5, v_reset=0.0)),
    "sinabs LIF single": (
        dl.sinabs.LIF(8.0, 0.4),
        dict(rule=sinabs_lif, tau_mem=8.0, spike_threshold=0.4, norm_input=True, multi=False)),
    "sinabs LIF multi": (
        dl.sinabs.LIF(12.0, 0.5, norm_input=False, spike_fn="multi", min_v_mem=-0.5),
        dict(rule=sinabs_lif, tau_mem=12.0, spike_threshold=0.5, norm_input=False, multi=True,
             min_v=-0.5)),
}


def readout(x, keep=0.9):
    """v += (x - v) / 10 over (samples, steps, n)."""
    v, all_v = 0 * x[:, 0], []
    for t in range(x.shape[1]):
        v = keep * v + (1 - keep) * x[:, t]
        all_v.append(v)
    return np.stack(all_v, 1)


def agree(title, net, x, spikes, answers):
    result = net.run(x, trace=["hidden"])
    found = result.traces["hidden"]
    check(found.shape == spikes.shape, f"{title}: spikes have shape {found.shape}")
    check(np.array_equal(found, spikes), f"{title}: spikes are identical; "
          f"{int((found != spikes).sum())} of {spikes.size} differ")
    worst = float(np.abs(result.outputs - answers).max())
    check(worst <= TOLERANCE, f"{title}: read-outs are equal to 1e-6, not {worst}")
    check(0.02 < spikes.astype(bool).mean() < 0.9, f"{title}: rate {spikes.mean():.3f}")


w_in, w_back = RNG.normal(0, 0.6, (16, 12)), RNG.normal(0, 0.3, (16, 16))
b_in, b_back = RNG.normal(0.1, 0.1, 16), RNG.normal(0, 0.05, 16)
w_out = RNG.normal(0, 0.5, (3, 16))
x = (RNG.random((3, 25, 12)) < 0.4).astype(np.uint8)
for title, (neuron, rule) in CASES.items():
    dt = neuron.conventions["dt"]
    net = dl.from_layers([dl.Linear(w_in, b_in), ("hidden", dl.Recurrent(neuron, w_back, b_back)),
                          dl.Linear(w_out), dl.LI(10 * dt)])
    looped = {"looped": True} if rule["rule"] is leaky else {}
    step, spikes, z = Step(**rule, **looped), [], np.zeros((3, 16))
    for t in range(x.shape[1]):
        z = step(x[:, t] @ w_in.T + b_in + z @ w_back.T + b_back)
        spikes.append(z)
    spikes = np.stack(spikes, 1)
    agree(f"recurrent, {title}", net, x, spikes, readout(spikes @ w_out.T))

# Neurons of several tools, each with its own rule; a reset to zero of snnTorch's RLeaky
# takes the input of its step as well, that of Leaky does not.
pairs = list(CASES.items())
for (one, (first, rule1)), (other, (second, rule2)) in zip(pairs, pairs[3:] + pairs[:3]):
    net = dl.from_layers([dl.Linear(w_in, b_in), ("first", first), dl.Linear(w_back, b_back),
                          ("second", second)])
    found = net.run(x, trace=["first", "second"])
    step1, step2 = Step(**rule1), Step(**rule2)
    spikes = [step1(x[:, t] @ w_in.T + b_in) for t in range(x.shape[1])]
    behind = np.stack([step2(z @ w_back.T + b_back) for z in spikes], 1)
    check(np.array_equal(found.traces["first"], np.stack(spikes, 1)) and
          np.array_equal(found.traces["second"], behind), f"{one}, then {other}: identical")


# The file says its own rule, so that every door reads one network; a key that is given
# goes before it, and what lost the rule is warned of.
def files(title):
    where = FOLDER / title.replace(" ", "_").replace(",", "")
    where.mkdir()
    return where / "network.nir"


def without(path, *keys):
    with h5py.File(path, "r+") as file:
        for key in keys:
            del file["node"][key]
    return path


def codes(network):
    return [w.code for w in network.warnings]


for (title, (first, _)), (_, (second, _)) in zip(pairs, pairs[3:] + pairs[:3]):
    net = dl.from_layers([dl.Linear(w_in, b_in), ("first", first), dl.Linear(w_back, b_back),
                          ("second", second)], v_min=2.0 if "sinabs" in title else None)
    path = files(title)
    net.write(path)
    read = dl.load(path)
    check(net.flags == [] and read.text() == net.text(), f"{title}: a file read as it was made")
    check(np.array_equal(read.run(x).outputs, net.run(x).outputs), f"{title}: the same spikes")
    check("assumed-rule" not in codes(read), f"{title}: nothing is guessed, {codes(read)}")
    check("assumed-rule" in codes(dl.load(without(path, "metadata/import"))),
          f"{title}: a file of before is warned of")
net = dl.from_layers([dl.Linear(w_in, b_in), dl.snntorch.Leaky(0.9)], spike_value=2.0, loop_delay=1)
path = files("doors")
net.write(path)
np.save(FOLDER / "x.npy", x)
done = subprocess.run([DENDROLITH, "run", path, "--engine", "float", "--input", FOLDER / "x.npy",
                       "--out", FOLDER / "out"], capture_output=True, text=True)
check("Read as its file says: reset by subtraction, one step later" in done.stdout, done.stdout)
check(np.array_equal(dl.Result.load(FOLDER / "out").outputs, net.run(x).outputs), "the command")
told = subprocess.run([DENDROLITH, "check", path, "--target", "loihi2", "--calibrate",
                       FOLDER / "x.npy"], capture_output=True, text=True).stdout
check("its file says" in told and "assumed" not in told, told)
(FOLDER / "s.yaml").write_text(f"""name: own
models: [{{name: own, model: {path}, calibrate: {FOLDER}/x.npy, input: {FOLDER}/x.npy, samples: 3}}]
target: loihi2
vary:
  microcode.lanes: [4]
""")
done = subprocess.run([DENDROLITH, "explore", FOLDER / "s.yaml", "-o", FOLDER / "store"],
                      capture_output=True, text=True)
(point,) = (FOLDER / "store").glob("points/*/*.json")
seen = json.loads(point.read_text())["values"]["latency.mean"][0]
told = net.compile("loihi2,microcode.lanes=4", calibrate=x).run(x, engine="cycle")
check(abs(seen - 1e6 * told.latency.mean) < 1e-5, f"explore: {seen} us, not {told.latency}")
told = dl.compile(path, "loihi2", calibrate=x).run(x)
check(np.array_equal(told.outputs, net.compile("loihi2", calibrate=x).run(x).outputs), "a chip")
other = dl.load(path, reset="value")
check("reset to v_reset" not in other.text() and not np.array_equal(
    other.run(x).outputs, net.run(x).outputs), "a key that is given goes before the file's")
kept = dl.from_layers([dl.Linear(w_in, b_in), dl.snntorch.Leaky(0.9)], spike_value=2.0, reset=None)
check(np.array_equal(kept.run(x).outputs, net.run(x).outputs), "None leaves a neuron's own rule")
start = dl.load(net, v_reset=-0.1).run(x).outputs
check(np.array_equal(start, dl.load(net, reset="value", v_reset=-0.1).run(x).outputs), "v_reset is a reset to it")
mixed = dl.from_layers([dl.Linear(w_in, b_in), dl.snntorch.Leaky(0.9), dl.Linear(w_back),
                        dl.snntorch.Leaky(0.9, reset_mechanism="zero")])
none = dl.from_layers([dl.Linear(w_in, b_in), dl.snntorch.Leaky(0.9, reset_mechanism="none"),
                       dl.Linear(w_back), dl.snntorch.Leaky(0.9, reset_mechanism="none")])
check(np.array_equal(dl.load(mixed, reset="none").run(x).outputs, none.run(x).outputs),
      "and before that of each node")
bare = files("bare")
net.write(bare)
check("assumed-rule" in codes(dl.load(without(bare, "metadata"), dt=1e-3)), "no metadata at all")
check("assumed-rule" not in codes(dl.load(bare, dt=1e-3, reset="subtract")), "until it is said")
spoilt = files("spoilt")
net.write(spoilt)
for said in ("reset=soft", "reset", "rest=value", ""):
    without(spoilt, "metadata/import")
    with h5py.File(spoilt, "r+") as file:
        file["node/metadata"].create_dataset("import", data=said, dtype=h5py.string_dtype())
    refused(f"a rule '{said}'", lambda: dl.load(spoilt).inputs, "metadata 'import'")
refused("a convention that there is not", lambda: dl.from_layers(
    [dl.Linear(w_in), dl.LIF(0.01)], rset="value"), "rset")
for title, work, words in (
        ("no list", lambda: dl.from_layers(None), ("a list of layers", "None")),
        ("a text", lambda: dl.from_layers("fc"), ("a list of layers",)),
        ("a shape of texts", lambda: dl.from_layers([dl.Flatten()], "abc"), ("input_shape",)),
        ("half an extent", lambda: dl.from_layers([dl.Flatten()], (1.5, 2)), ("input_shape", "1.5")),
        ("no step", lambda: dl.from_layers([dl.Linear(w_in)], dt=float("nan")), ("dt", "nan")),
        ("two rules", lambda: dl.from_layers([dl.Linear(w_in)], reset=["zero", "none"]), ("reset",)),
        ("a path", lambda: dl.from_layers([dl.Linear(w_in)], name="a/b"), ("a/b", "without '/'")),
        ("a NUL", lambda: dl.from_layers([dl.Linear(w_in)], name="a\0b"), ("name", "control")),
        ("a name of bytes", lambda: dl.from_layers([(b"fc", dl.Linear(w_in))]), ("fc",)),
        ("a stride of 0", lambda: dl.Conv2d(np.ones((1, 1, 3, 3)), stride=0), ("stride", "1 or more")),
        ("a group of x", lambda: dl.Conv2d(np.ones((1, 1, 3, 3)), groups="x"), ("groups",)),
        ("a window of 0", lambda: dl.AvgPool2d(0), ("AvgPool2d", "1 or more"))):
    refused(title, work, *words)
refused("two steps in one network", lambda: dl.from_layers(
    [dl.Linear(w_in), dl.snntorch.Leaky(0.9), dl.Linear(w_back), dl.norse.LIFBox(dt=1e-4)]),
    "layer 'lif2'", "dt=0.0001", "layer 'lif1' dt=0.001")
# A learned factor may leave 0 to 1: snnTorch computes with the nearer of the two.
LEARNED = np.linspace(-0.1, 1.2, 16)
for title, neuron in {
        "Leaky: beta": lambda given: dl.snntorch.Leaky(given),
        "Synaptic: alpha": lambda given: dl.snntorch.Synaptic(given, 0.9),
        "Synaptic: beta": lambda given: dl.snntorch.Synaptic(0.9, given),
        "Readout: beta": lambda given: dl.snntorch.Readout(given)}.items():
    told = warned(lambda: neuron(LEARNED))
    check(len(told) == 1 and title in told[0] and "5 of 16" in told[0]
          and "[0] -0.1 as 0" in told[0] and "[15] 1.2 as 1" in told[0], f"{title}: {told}")
    answers = [dl.from_layers([dl.Linear(w_in, b_in), neuron(given)]).run(x).outputs
               for given in (LEARNED, np.clip(LEARNED, 0, 1))]
    check(np.array_equal(*answers), f"{title}: runs as clamped")
    check(not warned(lambda: neuron(np.clip(LEARNED, 0, 1))), f"{title}: no word of what is legal")
refused("a beta that is none", lambda: dl.snntorch.Leaky(np.array([0.9, np.nan])), "Leaky: beta", "nan")
# A factor of 1 loses nothing, which is no tau in another unit.
for neuron in (dl.snntorch.Synaptic(1.0, 1.0), dl.snntorch.Synaptic(0.6, 1.0), dl.snntorch.Leaky(1.0)):
    codes = [w.code for w in dl.from_layers([dl.Linear(w_in), neuron]).warnings]
    check("tau-unit" not in codes, f"a factor of 1: {codes}")
refused("a start of another shape", lambda: dl.from_layers(
    [dl.Linear(w_in), dl.LIF(0.01, v_init=np.zeros(5) + 1)]), "layer 'lif1'", "v_init", "(16,)")
still = dl.from_layers([dl.Linear(np.zeros((2, 1))), dl.LI(2.0, v_init=np.array([4.0, -2.0]))],
                       time_unit="steps")
found = still.run(np.zeros((2, 2, 1), np.uint8)).outputs
check(np.array_equal(found, [[[2, -1], [1, -0.5]]] * 2), f"v_init starts each sample, {found}")
rest = dl.from_layers([dl.Linear(np.zeros((1, 1))), dl.norse.LI(v_leak=0.5)])
found = rest.run(np.zeros((1, 3, 1), np.uint8)).outputs
check(np.array_equal(found.ravel(), [0.5] * 3), f"a Norse LI rests at v_leak, {found.ravel()}")
traced = dl.from_layers([dl.Linear(np.array([[0.25]])), ("jelly", dl.spikingjelly.IFNode(1.0, -0.5))])
found = traced.run(np.ones((1, 3, 1), np.uint8), trace=["jelly:v"]).traces["jelly:v"]
check(np.allclose(found.ravel(), [-0.25, 0, 0.25]), f"v has the tool's units, {found.ravel()}")


def first_spikes(neuron, count):
    """Steps (from 1) at which it fires with .3 in each."""
    net = dl.from_layers([dl.Linear(np.array([[0.3]])), neuron])
    out = net.run(np.ones((1, 40, 1), np.uint8)).outputs[0, :, 0]
    return [int(t) + 1 for t in np.flatnonzero(out)[:count]]


for title, neuron, steps in (
        ("IFNode", dl.spikingjelly.IFNode(1.0, -0.5), [5, 10]),
        ("LIFNode, tau 50", dl.spikingjelly.LIFNode(50.0, False, 1.0, -0.5), [6]),
        ("LIFNode, tau 100", dl.spikingjelly.LIFNode(100.0, False, 1.0, -1.0), [7]),
        ("LIFBox", dl.norse.LIFBox(v_leak=0.9), [4])):
    found = first_spikes(neuron, len(steps))
    check(found == steps, f"{title} with another start fires first at {steps}, not {found}")
for title, work, words in (
        ("no time to leak in", lambda: dl.sinabs.LIF(0), ("tau_mem is 0", "above 0")),
        ("a negative rate", lambda: dl.norse.LI(100, -1), ("tau_syn_inv is -1",)),
        ("a step of 0", lambda: dl.snntorch.Leaky(.9, dt=0), ("dt is 0",)),
        ("a step of words", lambda: dl.spikingjelly.LIFNode(dt="ms"), ("dt: has the type",)),
        ("a tau of words", lambda: dl.LIF("fast"), ("LIF: tau: has the type",))):
    refused(title, work, *words)
without = dl.from_layers([dl.Linear(w_in), dl.LIF(2.0, v_threshold=np.nan)])
told = f"{refused('no threshold', lambda: without.inputs, 'v_threshold')} {without.check('loihi1')}"
check(told.count("layer 'lif1' (LIF)") == 2 and "file" not in told and ".nir" not in told, f"no file is named, as nobody gave one: {told}")
told = str(refused("a chip of short words", lambda: dl.from_layers(
    [dl.Linear(w_in), ("a", dl.CubaLIF(2.0, 2.0, 1.0, 1.0))], time_unit="steps").compile("odin"), "population 'a'", "words of"))
check("dend." not in told and "cuba" not in told, f"no operation is named that nobody wrote: {told}")
refused("no reset of that name", lambda: dl.snntorch.Leaky(0.9, reset_mechanism="soft"),
        "Readout", kind=dl.Unsupported)
refused("no shape", lambda: dl.from_layers([dl.Flatten()]), "input_shape")
refused("shapes that do not meet", lambda: dl.from_layers([dl.Linear(w_in), dl.Linear(w_in)]),
        "layer 'fc2'", "takes (12,) and gets (16,)")
refused("a parameter of another shape",
        lambda: dl.from_layers([dl.Linear(w_in), dl.snntorch.Leaky(BETAS[:5])]),
        "layer 'lif1'", "(16,)")
refused("a torch-like module", lambda: dl.from_layers([object()], (3,)), "module.weight")

# A convolution over one axis, with the batch norm behind it, and a maximum of spikes: by hand.
kernel, start = RNG.normal(size=(4, 2, 3)), RNG.normal(size=4)
mean, var, factor, shift = RNG.normal(size=4), RNG.random(4) + .3, RNG.random(4) * 3, RNG.random(4)
line = (RNG.random((1, 20, 2, 16)) < .4).astype(np.uint8)
padded = np.pad(line[0].astype(float), ((0, 0), (0, 0), (1, 1)))
summed = np.stack([np.einsum("oiw,tiw->to", kernel, padded[:, :, 2 * i:2 * i + 3]) + start
                   for i in range(8)], axis=2)
normed = ((summed - mean[:, None]) / np.sqrt(var + 1e-5)[:, None] * factor[:, None] + shift[:, None])
norm = lambda layer: dl.BatchNorm(layer, mean, var, factor, shift)
net = dl.from_layers([norm(dl.Conv1d(kernel, start, stride=2, padding=1))], (2, 16))
check(abs(net.run(line).outputs[0] - normed).max() < 1e-9, "Conv1d with a BatchNorm")
image = (RNG.random((1, 20, 2, 9, 9)) < .3).astype(np.uint8)
pooled = np.stack([np.stack([image[0, :, :, 2 * i:2 * i + 3, 2 * j:2 * j + 3].max(axis=(2, 3))
                             for j in range(4)], axis=2) for i in range(4)], axis=2)
net = dl.from_layers([dl.Threshold(.5), dl.MaxPool2d(3, 2)], (2, 9, 9))
check(np.array_equal(net.run(image).outputs[0], pooled) and pooled.mean() < .99, "MaxPool2d")
many, where = dl.sinabs.IAF(spike_fn="multi"), "behind a neuron that sends 0 or 1"
for title, make, words in (
        ("a maximum of numbers", lambda: dl.from_layers([dl.MaxPool2d(2)], (2, 8, 8)), where),
        ("a maximum of many", lambda: dl.from_layers([many, dl.MaxPool2d(2)], (2, 8, 8)), where),
        ("many by a convention", lambda: dl.from_layers(
            [dl.IF(), dl.MaxPool2d(2)], (2, 8, 8), spikes_per_step="many", reset="subtract"), where),
        ("a norm of a neuron", lambda: norm(dl.IF()), "found IF"),
        ("a norm of other channels", lambda: norm(dl.Linear(np.ones((3, 2)))), "(3,)"),
        ("no variance", lambda: dl.BatchNorm(dl.Linear(np.ones((3, 2))), 0, -1), "var + eps"),
        ("two strides on one axis", lambda: dl.Conv1d(kernel, stride=(1, 2)), "stride"),
        ("two axes for one", lambda: dl.from_layers([dl.Conv1d(kernel)], (2, 8, 8)),
         "(channels, length)")):
    refused(title, make, words)



class Node:
    """A node as the package nir has it in memory."""

    def __init__(self, kind, **fields):
        self.fields = {"type": kind, "metadata": {}, **fields}

    def to_dict(self):
        return self.fields


class Graph:
    def __init__(self, nodes, edges):
        self.nodes, self.edges, self.metadata = nodes, edges, {}


def graph(wide):
    """Numbers for a whole layer, which nir.write refuses, or one for each neuron."""
    of = (lambda v: np.full(16, v)) if wide else (lambda v: np.float64(v))
    loop = Graph({"input": Node("Input", shape=np.array([16])),
                  "lif": Node("LIF", tau=of(4e-4), r=of(4.0), v_leak=of(0.0), v_threshold=of(1.0)),
                  "back": Node("Linear", weight=w_back),
                  "output": Node("Output", shape=np.array([16]))},
                 [("input", "lif"), ("lif", "back"), ("back", "lif"), ("lif", "output")])
    return Graph({"input": Node("Input", shape=np.array([12])),
                  "fc": Node("Affine", weight=w_in, bias=b_in), "loop": loop,
                  "output": Node("Output", shape=np.array([16]))},
                 [("input", "fc"), ("fc", "loop"), ("loop", "output")])


few, full = (dl.load(graph(wide), dt=1e-4).run(x).outputs for wide in (False, True))
check(np.array_equal(few, full) and 0.02 < few.mean() < 0.9, f"a graph in memory, {few.mean()}")
own = dl.load(graph(True), from_="snntorch", **{"loop.lif:reset": "zero"}).flags
check(own == ["--import=from=snntorch", "--import=loop.lif:reset=zero"], f"keys of a node, {own}")

try:
    import torch
except ImportError:
    torch = None
    print("skipped: torch is not installed, convolutional networks are not compared")
if torch:
    kernel, k_bias = RNG.normal(0, 0.5, (4, 2, 3, 3)), RNG.normal(0.1, 0.1, 4)
    w_fc = RNG.normal(0, 0.2, (3, 4 * 4 * 3))
    image = (RNG.random((2, 15, 2, 8, 6)) < 0.3).astype(np.uint8)
    for title, (_, rule) in CASES.items():
        if rule.get("beta") is BETAS or rule.get("beta") is EDGES:
            rule = dict(rule, beta=0.9)
        tool, kind = title.split()[:2]
        given = {key: value for key, value in rule.items()
                 if key not in ("rule", "zero", "jump", "multi", "min_v")}
        if "zero" in rule:
            given["reset_mechanism"] = "zero" if rule["zero"] else "subtract"
        if "jump" in rule:
            given["current"] = "new" if rule["jump"] else "old"
        if "multi" in rule:
            given.update(spike_fn="multi" if rule["multi"] else "single",
                         min_v_mem=rule.get("min_v"))
        neuron = getattr(getattr(dl, tool), kind)(**given)
        net = dl.from_layers(
            [dl.Conv2d(torch.tensor(kernel, requires_grad=True), k_bias, padding=1),
             ("hidden", neuron), dl.AvgPool2d(2), dl.Flatten(), dl.Linear(w_fc),
             dl.LI(10 * neuron.conventions["dt"])], input_shape=(2, 8, 6))
        step, spikes, currents = Step(**rule), [], []
        for t in range(image.shape[1]):
            drive = torch.nn.functional.conv2d(torch.tensor(image[:, t], dtype=torch.float64),
                                               torch.tensor(kernel), torch.tensor(k_bias),
                                               padding=1)
            z = step(drive.numpy())
            spikes.append(z.reshape(2, -1))
            pooled = torch.nn.functional.avg_pool2d(torch.tensor(z), 2).flatten(1)
            currents.append(pooled.numpy() @ w_fc.T)
        agree(f"convolutional, {title}", net, torch.tensor(image), np.stack(spikes, 1),
              readout(np.stack(currents, 1)))
finish()
