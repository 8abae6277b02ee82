# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests targets/conventions.
"""The conventions that SpikingJelly counts by give its figures on the same spikes."""
from support import check, dl, finish, need, np

torch = need("torch")
jelly = need("spikingjelly.activation_based")
from spikingjelly.activation_based import functional, neuron  # noqa: E402
from spikingjelly.activation_based.op_counter import (  # noqa: E402
    analytical_energy, simple_energy)

SAMPLES, STEPS = 3, 24
rng = np.random.default_rng(11)


def layers(*widths):
    """Weights of 1/16 and a leak of one half are the same in floats and on the chip."""
    parts = []
    for before, after in zip(widths, widths[1:]):
        linear = torch.nn.Linear(before, after, bias=False)
        with torch.no_grad():
            linear.weight.copy_(torch.tensor(rng.integers(-4, 8, (after, before)) / 16))
        parts += [linear, neuron.LIFNode(tau=2.0, decay_input=False, v_reset=0.0)]
    return torch.nn.Sequential(*parts).eval()


def counted(net, x, profiler):
    """The report of one of SpikingJelly's profilers on all samples."""
    profiler.bind_model(net)
    with profiler, torch.no_grad():
        for sample in x:
            functional.reset_net(net)
            for step in sample:
                net(torch.tensor(step[None], dtype=torch.float32))
    functional.reset_net(net)
    return profiler.get_report()


def figures(net, x):
    """SpikingJelly's figures of a sample, in pJ, by convention. Its simple model also
    counts additions in the Python code of a neuron; synapses alone are compared."""
    simple = counted(net, x, simple_energy.SimpleEnergyProfiler()).counts
    lemaire = counted(net, x, analytical_energy.LemaireEnergyProfiler())
    return {"ac-mac-45nm": 0.9 * simple["synop"] / len(x),
            "step-45nm": (0.9 * simple["synop"] + 24.96 * simple["memory_access_bytes"]) / len(x),
            "lemaire2022": lemaire.total_pj / len(x)}


for widths in ((20, 16), (24, 32, 10), (12, 40, 40, 6)):
    net = layers(*widths)
    x = (rng.random((SAMPLES, STEPS, widths[0])) < 0.3).astype(float)
    walked = dl.from_torch(net, example=torch.zeros(1, widths[0]))
    program = dl.compile(walked, "loihi2", calibrate=x)
    result = program.run(x)
    with torch.no_grad():
        expected = []
        for sample in x:
            functional.reset_net(net)
            expected.append([net(torch.tensor(step[None], dtype=torch.float32))[0].numpy()
                             for step in sample])
    same = np.array_equal(np.asarray(result.outputs) > 0, np.asarray(expected) > 0)
    ours = {row["name"]: row["per_sample_pJ"] for row in result.conventions()}
    for name, theirs in figures(net, x).items():
        check(same and np.isclose(ours[name], theirs, rtol=1e-9),
              f"{widths} {name}: {ours[name]} pJ, SpikingJelly {theirs}")

finish()
