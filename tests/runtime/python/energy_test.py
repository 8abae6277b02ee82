# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests targets/conventions.
"""The conventions that SpikingJelly counts by give its figures on the same spikes."""
from support import check, dl, finish, need, np

torch = need("torch")
jelly = need("spikingjelly.activation_based")
from spikingjelly.activation_based import functional, layer, neuron  # noqa: E402
from spikingjelly.activation_based.op_counter import (  # noqa: E402
    analytical_energy, neuromc, simple_energy, spikesim)

SAMPLES, STEPS = 3, 24
rng = np.random.default_rng(11)


def lif():
    """Weights of 1/16 and a leak of one half are the same in floats and on the chip."""
    return neuron.LIFNode(tau=2.0, decay_input=False, v_reset=0.0)


def exact(module):
    """A synaptic layer with such weights, none of them zero."""
    with torch.no_grad():
        for numbers in module.parameters():
            some = rng.integers(1, 8, tuple(numbers.shape)) * rng.choice((-1, 1, 1), tuple(numbers.shape))
            numbers.copy_(torch.tensor(some / 16))
    return module


def dense(*widths, bias=False):
    parts = []
    for before, after in zip(widths, widths[1:]):
        parts += [exact(layer.Linear(before, after, bias=bias)), lif()]
    return torch.nn.Sequential(*parts).eval()


def convolutions(bias, groups=1):
    return torch.nn.Sequential(
        exact(layer.Conv2d(2, 4, 3, padding=1, bias=bias)), lif(),
        exact(layer.Conv2d(4, 6, 3, stride=2, padding=1, groups=groups, bias=bias)), lif(),
        layer.Flatten(), exact(layer.Linear(6 * 4 * 3, 5, bias=bias)), lif()).eval()


def network(net, shape):
    """The same by its layers: convolutions stay convolutions."""
    def array(numbers):
        return None if numbers is None else numbers.detach().numpy()

    found = []
    for part in net:
        if isinstance(part, torch.nn.Linear):
            found.append(dl.Linear(array(part.weight), array(part.bias)))
        elif isinstance(part, torch.nn.Conv2d):
            found.append(dl.Conv2d(array(part.weight), array(part.bias), stride=part.stride,
                                   padding=part.padding, groups=part.groups))
        elif isinstance(part, neuron.LIFNode):
            found.append(dl.spikingjelly.LIFNode(tau=2.0, decay_input=False, v_reset=0.0))
        else:
            found.append(dl.Flatten())
    return dl.from_layers(found, input_shape=shape)


def counted(net, x, profiler):
    """The report of one of SpikingJelly's profilers on all samples, step by step."""
    profiler.bind_model(net)
    with profiler, torch.no_grad():
        for sample in x:
            functional.reset_net(net)
            for step in sample:
                net(torch.tensor(step[None], dtype=torch.float32))
    functional.reset_net(net)
    return profiler.get_report()


def at_once(net, x, work):
    """What `work` makes of each sample with all its steps in one call, and its mean."""
    functional.set_step_mode(net, "m")
    found = []
    for sample in x:
        functional.reset_net(net)
        found.append(work(net, torch.tensor(sample[:, None], dtype=torch.float32)))
    functional.reset_net(net)
    functional.set_step_mode(net, "s")
    return sum(found) / len(found)


def figures(net, x):
    """SpikingJelly's figures of a sample, in pJ, by convention. Its simple model also
    counts additions in the Python code of a neuron; synapses alone are compared."""
    simple = counted(net, x, simple_energy.SimpleEnergyProfiler()).counts
    found = {"ac-mac-45nm": 0.9 * simple["synop"] / len(x),
             "step-45nm": (0.9 * simple["synop"] + 24.96 * simple["memory_access_bytes"]) / len(x),
             "neuromc2026": at_once(net, x, lambda net, sample: neuromc.estimate_neuromc_runtime_energy(
                 net, sample).energy_total_pj)}
    if not any(isinstance(part, torch.nn.Flatten) for part in net):
        lemaire = counted(net, x, analytical_energy.LemaireEnergyProfiler())
    else:
        config = analytical_energy.LemaireEnergyConfig(strict=False)  # a Flatten costs nothing
        lemaire = counted(net, x, analytical_energy.LemaireEnergyProfiler(config=config))
        if all(getattr(part, "groups", 1) == 1 for part in net):  # else it refuses
            found["spikesim2023"] = at_once(
                net, x, lambda net, sample: spikesim.estimate_spikesim_energy(
                    net, sample).energy_total_pj)
    return {**found, "lemaire2022": lemaire.total_pj / len(x)}


NETWORKS = {"20-16": dense(20, 16), "24-32-10": dense(24, 32, 10),
            "12-40-40-6": dense(12, 40, 40, 6), "18-20-4 with biases": dense(18, 20, 4, bias=True),
            "convolutions": convolutions(False), "convolutions with biases": convolutions(True),
            "convolutions of two groups": convolutions(False, groups=2),
            "18-20-4 of values": dense(18, 20, 4, bias=True),
            "convolutions of values": convolutions(True)}
for name, net in NETWORKS.items():
    shape = (2, 8, 6) if "conv" in name else (int(name.split("-")[0]),)
    x = (rng.random((SAMPLES, STEPS, *shape)) < 0.3).astype(float)
    if "values" in name:  # of which every step has one that is no spike
        x *= rng.integers(1, 4, x.shape)
        x.reshape(SAMPLES, STEPS, -1)[..., 0] = 3
    program = dl.compile(network(net, shape), "loihi2", calibrate=x)
    result = program.run(x)
    with torch.no_grad():
        expected = []
        for sample in x:
            functional.reset_net(net)
            expected.append([net(torch.tensor(step[None], dtype=torch.float32))[0].numpy()
                             for step in sample])
    same = np.array_equal(np.asarray(result.outputs) > 0, np.asarray(expected) > 0)
    rows = {row["name"]: row for row in result.conventions()}
    for convention, theirs in figures(net, x).items():
        ours = rows[convention]["per_sample_pJ"]
        if "values" in name and convention in ("ac-mac-45nm", "step-45nm"):
            continue  # SpikingJelly also multiplies zeros
        if "groups" in name and convention == "neuromc2026":
            check(ours is None and "one group" in rows[convention]["reason"], f"{name} {convention}")
            continue
        check(same and ours and np.isclose(ours, theirs, rtol=1e-9),
              f"{name} {convention}: {ours} pJ, SpikingJelly {theirs} {rows[convention]['reason']}")
        print(f"{name:<28}{convention:<16}{(ours or 0) / 1e3:>12.3f} nJ, SpikingJelly {theirs / 1e3:.3f}")

finish()
