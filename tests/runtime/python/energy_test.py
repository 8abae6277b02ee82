# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests targets/conventions.
"""The conventions that SpikingJelly counts by give its figures on the same spikes: those of 2.0.0 in
energy.json, and its own where torch and SpikingJelly are installed. `--record` behind the
program writes energy.json."""
import json
import pathlib
import sys

from support import check, dl, finish, need, np

need("h5py")
SAMPLES, STEPS = 3, 24
RECORD = pathlib.Path(__file__).with_name("energy.json")
rng = np.random.default_rng(11)


def weights(*shape):
    """In sixteenths, none of them 0: the same in floats and on the chip."""
    return rng.integers(1, 8, shape) * rng.choice((-1, 1, 1), shape) / 16


def linear(before, after, bias):
    return {"kind": "linear", "weight": weights(after, before), "bias": weights(after) if bias else None}


def convolution(before, after, bias, stride=1, groups=1):
    return {"kind": "convolution", "weight": weights(after, before // groups, 3, 3),
            "bias": weights(after) if bias else None, "stride": stride, "groups": groups}


def dense(*widths, bias=False):
    return [linear(before, after, bias) for before, after in zip(widths, widths[1:])]


def convolutions(bias, groups=1):
    return [convolution(2, 4, bias), convolution(4, 6, bias, stride=2, groups=groups),
            linear(6 * 4 * 3, 5, bias)]


def network(layers, shape):
    """Each layer with spiking neurons of a leak of one half behind it."""
    found = []
    for number, layer in enumerate(layers):
        if layer["kind"] == "linear":
            if number and layers[number - 1]["kind"] == "convolution":
                found.append(dl.Flatten())
            found.append(dl.Linear(layer["weight"], layer["bias"]))
        else:
            found.append(dl.Conv2d(layer["weight"], layer["bias"], stride=layer["stride"],
                                   padding=1, groups=layer["groups"]))
        found.append(dl.spikingjelly.LIFNode(tau=2.0, decay_input=False, v_reset=0.0))
    return dl.from_layers(found, input_shape=shape)


NETWORKS = {"20-16": dense(20, 16), "24-32-10": dense(24, 32, 10),
            "12-40-40-6": dense(12, 40, 40, 6), "18-20-4 with biases": dense(18, 20, 4, bias=True),
            "convolutions": convolutions(False), "convolutions with biases": convolutions(True),
            "convolutions of two groups": convolutions(False, groups=2),
            "18-20-4 of values": dense(18, 20, 4, bias=True),
            "convolutions of values": convolutions(True)}
INPUTS = {}
for name in NETWORKS:
    shape = (2, 8, 6) if "conv" in name else (int(name.split("-")[0]),)
    x = INPUTS[name] = (rng.random((SAMPLES, STEPS, *shape)) < 0.3).astype(float)
    if "values" in name:  # of which every step has one that is no spike
        x *= rng.integers(1, 4, x.shape)
        x.reshape(SAMPLES, STEPS, -1)[..., 0] = 3


class Jelly:
    """The same networks in SpikingJelly, and what its profilers say of them."""

    def __init__(self):
        import torch
        from spikingjelly.activation_based import functional, layer, neuron
        from spikingjelly.activation_based.op_counter import (
            analytical_energy, neuromc, simple_energy, spikesim)
        self.torch, self.functional, self.layer, self.neuron = torch, functional, layer, neuron
        self.simple, self.lemaire = simple_energy, analytical_energy
        self.neuromc, self.spikesim = neuromc, spikesim

    def network(self, layers):
        parts = []
        for number, layer in enumerate(layers):
            weight, bias = layer["weight"], layer["bias"]
            if layer["kind"] == "linear":
                if number and layers[number - 1]["kind"] == "convolution":
                    parts.append(self.layer.Flatten())
                part = self.layer.Linear(*weight.shape[::-1], bias=bias is not None)
            else:
                part = self.layer.Conv2d(weight.shape[1] * layer["groups"], weight.shape[0], 3,
                                         stride=layer["stride"], padding=1, groups=layer["groups"],
                                         bias=bias is not None)
            with self.torch.no_grad():
                part.weight.copy_(self.torch.tensor(weight))
                if bias is not None:
                    part.bias.copy_(self.torch.tensor(bias))
            parts += [part, self.neuron.LIFNode(tau=2.0, decay_input=False, v_reset=0.0)]
        return self.torch.nn.Sequential(*parts).eval()

    def by_steps(self, net, x):
        """The outputs of each sample, step by step."""
        outputs = []
        with self.torch.no_grad():
            for sample in x:
                self.functional.reset_net(net)
                outputs.append([net(self.torch.tensor(step[None], dtype=self.torch.float32))[0].numpy()
                                for step in sample])
        self.functional.reset_net(net)
        return np.asarray(outputs)

    def counted(self, net, x, profiler):
        profiler.bind_model(net)
        with profiler:
            self.by_steps(net, x)
        return profiler.get_report()

    def at_once(self, net, x, estimate):
        """The mean figure of samples, each with all its steps in one call."""
        self.functional.set_step_mode(net, "m")
        total = 0
        for sample in x:
            self.functional.reset_net(net)
            total += estimate(net, self.torch.tensor(sample[:, None], dtype=self.torch.float32)).energy_total_pj
        self.functional.reset_net(net)
        self.functional.set_step_mode(net, "s")
        return total / len(x)

    def figures(self, layers, x, of_values):
        """pJ of a sample by convention. The simple model also counts additions in the Python
        code of a neuron: synapses alone are compared; and it multiplies values that are 0."""
        net, found = self.network(layers), {}
        if not of_values:
            counts = self.counted(net, x, self.simple.SimpleEnergyProfiler()).counts
            found["ac-mac-45nm"] = 0.9 * counts["synop"] / len(x)
            found["step-45nm"] = found["ac-mac-45nm"] + 24.96 * counts["memory_access_bytes"] / len(x)
        if all(layer.get("groups", 1) == 1 for layer in layers):  # NeuroMC takes no notice of them
            found["neuromc2026"] = self.at_once(net, x, self.neuromc.estimate_neuromc_runtime_energy)
            if layers[0]["kind"] == "convolution":
                found["spikesim2023"] = self.at_once(net, x, self.spikesim.estimate_spikesim_energy)
        config = self.lemaire.LemaireEnergyConfig(strict=False)  # a Flatten costs nothing
        report = self.counted(net, x, self.lemaire.LemaireEnergyProfiler(config=config))
        return {**found, "lemaire2022": report.total_pj / len(x)}, self.by_steps(net, x)


try:
    jelly = Jelly()
except ImportError:
    jelly = None
    print("torch or spikingjelly is not installed, its recorded figures are compared")
recorded = json.loads(RECORD.read_text()) if RECORD.exists() else {}
for name, layers in NETWORKS.items():
    x, theirs = INPUTS[name], recorded.get(name, {})
    result = dl.compile(network(layers, x.shape[2:]), "loihi2", calibrate=x).run(x)
    if jelly:
        now, expected = jelly.figures(layers, x, "values" in name)
        check(np.array_equal(np.asarray(result.outputs) > 0, expected > 0), f"{name}: spikes")
        if "--record" in sys.argv:
            theirs = recorded[name] = now
        check(now.keys() == theirs.keys() and np.allclose(list(now.values()), list(theirs.values()), rtol=1e-9),
              f"{name}: recorded {theirs}, SpikingJelly has {now}")
    check(len(theirs) > 1, f"{name}: figures of SpikingJelly")
    rows = {row["name"]: row for row in result.conventions()}
    for convention, figure in theirs.items():
        ours = rows[convention]["per_sample_pJ"]
        check(ours and np.isclose(ours, figure, rtol=1e-9),
              f"{name} {convention}: {ours} pJ, SpikingJelly {figure} {rows[convention]['reason']}")
        print(f"{name:<28}{convention:<16}{(ours or 0) / 1e3:>12.3f} nJ, SpikingJelly {figure / 1e3:.3f}")
    if "groups" in name:
        for convention in ("neuromc2026", "spikesim2023"):
            check("one group" in str(rows[convention]["reason"]), f"{name} {convention}")
if "--record" in sys.argv:
    RECORD.write_text(json.dumps(recorded, indent=1) + "\n")
finish()
