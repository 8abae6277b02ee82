# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small networks of the training tools' own layers, with what each tool computes.

A network is a name, what is special about it, and the keys of --import that settle it
where its file does not say it ("" where nothing is needed, None where no key can). Its
weights come from NumPy by the network's name, so that no tool's generator counts.
"""
import contextlib
import io
import zlib

import numpy as np

STEPS, INPUTS, HIDDEN, OUTPUTS = 50, 8, 12, 6
X = (np.random.default_rng(7).random((STEPS, INPUTS)) < 0.4).astype(np.float32)


class Case:
    """A network of one tool: `make` gives its layers, drawn by its name."""

    def __init__(self, name, about, make, keys="", lost=""):
        self.name, self.about, self.make = name, about, make
        self.keys, self.lost = keys, lost
        self.random = np.random.default_rng(zlib.crc32(name.encode()))


class Tool:
    """What all tools' networks have in common: dense layers and a row of steps."""

    def __init__(self):
        import torch
        self.torch = torch

    def given(self, x):
        return self.torch.from_numpy(x)

    def full(self, count, value):
        return self.torch.full((count,), float(value))

    def linear(self, case, inputs, outputs, scale=2.5, bias=True, kind=None):
        layer = (kind or self.torch.nn.Linear)(inputs, outputs, bias=bias)
        bound = 1 / inputs ** 0.5
        draw = lambda *shape: self.torch.from_numpy(
            case.random.uniform(-bound, bound, shape).astype(np.float32))
        layer.weight.data = draw(outputs, inputs) * scale + .05 * scale
        if bias:
            layer.bias.data = draw(outputs)
        return layer

    def chain(self, first, second, **options):
        """Dense, neuron, dense, neuron."""
        return lambda case: [
            self.linear(case, INPUTS, HIDDEN, **options), first(HIDDEN),
            self.linear(case, HIDDEN, OUTPUTS, **options), second(OUTPUTS)]

    def both(self, neuron, **options):
        return self.chain(neuron, neuron, **options)


class SnnTorch(Tool):
    name, packages = "snntorch", ("snntorch", "nir", "nirtorch")

    def cases(self):
        import snntorch as snn
        full = self.full

        def leaky(beta=.9, **given):
            return lambda n: snn.Leaky(beta=full(n, beta), threshold=full(n, 1),
                                       init_hidden=True, **given)

        def synaptic(**given):
            return lambda n: snn.Synaptic(alpha=full(n, .7), beta=full(n, .85),
                                          threshold=full(n, 1), init_hidden=True, **given)

        def looped(kind, **given):
            return lambda case: [self.linear(case, INPUTS, HIDDEN),
                                 self.loop(case, kind(linear_features=HIDDEN, **given)),
                                 self.linear(case, HIDDEN, OUTPUTS), leaky(.8)(OUTPUTS)]
        zero, none = {"reset_mechanism": "zero"}, {"reset_mechanism": "none"}
        now = {"reset_delay": False}
        rleaky = {"beta": .9, "init_hidden": True}
        rsyn = {"alpha": .7, "beta": .9, "init_hidden": True}
        pool = lambda case: [
            self.conv(case), snn.Leaky(beta=full(4 * 6 * 6, .9).reshape(4, 6, 6),
                                       threshold=full(4 * 6 * 6, 1).reshape(4, 6, 6),
                                       init_hidden=True),
            self.torch.nn.AvgPool2d(2), self.torch.nn.Flatten(),
            self.linear(case, 36, OUTPUTS), leaky(.8)(OUTPUTS)]
        return [
            Case("leaky", "Leaky", self.chain(leaky(), leaky(.8))),
            Case("leaky_unlike", "Leaky, a beta for each neuron, some above 1",
                 self.both(lambda n: snn.Leaky(
                     beta=self.torch.linspace(.6, 1.1, n), threshold=full(n, 1),
                     learn_beta=True, init_hidden=True))),
            Case("leaky_one", "Leaky, beta 1 and 0", self.chain(leaky(1), leaky(0))),
            Case("leaky_zero", 'Leaky, reset "zero"', self.both(leaky(**zero)), "reset=zero"),
            Case("leaky_none", 'Leaky, reset "none"', self.both(leaky(**none)), "reset=none"),
            Case("leaky_now", "Leaky, reset_delay=False", self.both(leaky(**now)),
                 "reset-when=same"),
            Case("leaky_now_heavy", "the same under heavy drive",
                 self.both(leaky(**now), scale=9), "reset-when=same"),
            Case("leaky_zero_now", 'Leaky, reset "zero", reset_delay=False',
                 self.both(leaky(**zero, **now)), "reset=zero,reset-when=same"),
            Case("leaky_mixed", "Leaky, two resets", self.chain(leaky(), leaky(**zero)),
                 "3:reset=zero"),
            Case("leaky_graded", "Leaky, graded_spikes_factor 1.5",
                 self.chain(leaky(graded_spikes_factor=1.5), leaky()), "1:spike-value=1.5"),
            Case("leaky_inhibition", "Leaky, inhibition",
                 self.chain(leaky(inhibition=True), leaky()), None, "inhibition"),
            Case("linear_end", "a dense layer at the end",
                 lambda case: self.chain(leaky(), leaky())(case)[:3], "from=snntorch"),
            Case("synaptic", "Synaptic", self.both(synaptic())),
            Case("synaptic_zero", 'Synaptic, reset "zero"', self.both(synaptic(**zero)),
                 "reset=zero"),
            Case("rleaky", "RLeaky", looped(snn.RLeaky, **rleaky)),
            Case("rleaky_zero", 'RLeaky, reset "zero"', looped(snn.RLeaky, **rleaky, **zero),
                 "1.lif:reset=zero"),
            Case("rsynaptic", "RSynaptic", looped(snn.RSynaptic, **rsyn)),
            Case("conv_pool", "Conv2d, AvgPool2d, Flatten", pool),
            Case("alpha", "Alpha", self.both(lambda n: snn.Alpha(
                alpha=.9, beta=.8, init_hidden=True))),
            Case("lapicque", "Lapicque", self.both(lambda n: snn.Lapicque(
                beta=.9, init_hidden=True))),
        ]

    def conv(self, case):
        layer = self.torch.nn.Conv2d(2, 4, 3)
        for one in (layer.weight, layer.bias):
            one.data = self.torch.from_numpy(
                case.random.uniform(-.5, .8, one.shape).astype(np.float32))
        return layer

    def loop(self, case, neuron):
        for one in (neuron.recurrent.weight, neuron.recurrent.bias):
            one.data = self.torch.from_numpy(
                case.random.uniform(-.2, .2, one.shape).astype(np.float32))
        return neuron

    def input(self, case):
        if case.name != "conv_pool":
            return X
        return (case.random.random((STEPS, 2, 8, 8)) < .2).astype(np.float32)

    def run(self, layers, x):
        import snntorch as snn
        net, rows, states = self.torch.nn.Sequential(*layers), [], {}
        for step in x:
            rows.append(net(step[None])[0].numpy().copy())
            for i, layer in enumerate(layers):
                if isinstance(layer, snn.SpikingNeuron):
                    states.setdefault(str(i), []).append(layer.mem[0].numpy().copy())
        for layer in layers:
            if isinstance(layer, snn.SpikingNeuron):
                layer.reset_mem()
        return net, rows, states

    def export(self, net, x):
        from snntorch.export_nir import export_to_nir
        for layer in net:
            if isinstance(layer, self.torch.nn.Flatten):
                layer.start_dim = 0  # the sample has no batch, which the importer wants so
        return export_to_nir(net, x[0])


class SpikingJelly(Tool):
    name, packages = "spikingjelly", ("spikingjelly", "nir", "nirtorch")

    def cases(self):
        from spikingjelly.activation_based import layer, neuron
        node = lambda kind, **given: lambda n: kind(**given)
        lif, plain, big = neuron.LIFNode, neuron.IFNode, {"scale": 9}
        delayed = lambda case: [
            self.linear(case, INPUTS, HIDDEN), plain(), layer.Delay(2),
            self.linear(case, HIDDEN, OUTPUTS), plain()]
        return [
            Case("if", "IFNode", self.both(node(plain))),
            Case("if_reset", "IFNode, v_reset", self.both(node(plain, v_reset=-.4))),
            Case("if_soft", "IFNode, v_reset None", self.both(node(plain, v_reset=None))),
            Case("lif", "LIFNode", self.chain(node(lif, tau=2.), node(lif, tau=3.), **big)),
            Case("lif_input", "LIFNode, decay_input False",
                 self.chain(node(lif, tau=2., decay_input=False), node(lif, tau=3.), **big)),
            Case("lif_reset", "LIFNode, v_reset", self.chain(
                node(lif, tau=2., v_reset=.2), node(lif, tau=3., v_reset=-.3), **big)),
            Case("plif", "ParametricLIFNode", self.both(
                node(neuron.ParametricLIFNode, init_tau=2.), **big)),
            Case("cuba", "CUBALIFNode", self.both(
                node(neuron.CUBALIFNode, c_decay=.5, v_decay=.75))),
            Case("mixed", "IFNode, then LIFNode",
                 self.chain(node(plain), node(lif, tau=3.), **big)),
            Case("qif", "QIFNode", self.both(node(neuron.QIFNode))),
            Case("delay", "Delay of two steps", delayed),
        ]

    def run(self, layers, x):
        from spikingjelly.activation_based import base, functional
        net, rows, states = self.torch.nn.Sequential(*layers), [], {}
        functional.reset_net(net)
        for step in x:
            rows.append(net(step[None])[0].numpy().copy())
            for i, layer in enumerate(layers):
                if isinstance(layer, base.MemoryModule) and hasattr(layer, "v"):
                    states.setdefault(str(i), []).append(layer.v[0].numpy().copy())
        functional.reset_net(net)
        return net, rows, states

    def export(self, net, x):
        from spikingjelly.activation_based.nir_exchange import export_to_nir
        return export_to_nir(net, x[:1])


class Norse(Tool):
    name, packages = "norse", ("norse", "nir", "nirtorch")

    def cases(self):
        import norse.torch as norse
        full = self.full

        def box(leak=0, reset=0, inverse=100):
            return lambda n: norse.LIFBoxCell(norse.LIFBoxParameters(
                tau_mem_inv=full(n, inverse), v_leak=full(n, leak), v_th=full(n, 1),
                v_reset=full(n, reset)))

        def cell(leak=0):
            return lambda n: norse.LIFCell(norse.LIFParameters(
                tau_mem_inv=full(n, 100), tau_syn_inv=full(n, 200), v_leak=full(n, leak),
                v_th=full(n, .5)))
        iaf = lambda n: norse.IAFCell(norse.IAFParameters(v_th=full(n, 1)))
        readout = lambda n: norse.LIBoxCell(norse.LIBoxParameters(
            tau_mem_inv=full(n, 100), v_leak=full(n, 0)))
        big = {"scale": 20}
        return [
            Case("box", "LIFBoxCell", self.both(box(), **big)),
            Case("box_leak", "LIFBoxCell, v_leak", self.chain(box(.3), box(), **big)),
            Case("box_reset", "LIFBoxCell, v_reset", self.chain(box(reset=-.3), box(reset=.1),
                 **big), "1:v-reset=-0.3,3:v-reset=0.1"),
            Case("box_slow", "LIFBoxCell, two time constants",
                 self.chain(box(inverse=20), box(inverse=300), **big)),
            Case("lif", "LIFCell", self.both(cell(), **big)),
            Case("lif_leak", "LIFCell, v_leak", self.chain(cell(.2), cell(-.1), **big)),
            Case("iaf", "IAFCell", self.both(iaf), "from=norse"),
            Case("box_li", "LIBoxCell at the end", self.chain(box(), readout, **big)),
            Case("li", "LICell at the end", self.chain(box(), lambda n: norse.LICell(), **big)),
            Case("refractory", "LIFRefracCell", self.both(lambda n: norse.LIFRefracCell(),
                                                          **big)),
        ]

    def run(self, layers, x):
        import norse.torch as norse
        net, state, rows, states = norse.SequentialState(*layers), None, [], {}
        for step in x:
            row, state = net(step[None], state)
            rows.append(row[0].numpy().copy())
            for i, one in enumerate(state):
                if hasattr(one, "v"):
                    states.setdefault(str(i), []).append(one.v[0].numpy().copy())
        return net, rows, states

    def export(self, net, x):
        from norse.torch.utils.export_nir import to_nir
        return to_nir(net, x[0])


class Sinabs(Tool):
    name, packages = "sinabs", ("sinabs", "nir", "nirtorch")

    def cases(self):
        import sinabs.activation as activation
        import sinabs.layers as layers
        full = self.full
        one, raw = {"spike_fn": activation.SingleSpike}, {"norm_input": False}

        def iaf(**given):
            return lambda n: layers.IAFSqueeze(spike_threshold=full(n, 1), batch_size=1, **given)

        def lif(tau=8, threshold=.4, **given):
            return lambda n: layers.LIFSqueeze(tau_mem=full(n, tau), batch_size=1,
                                               spike_threshold=full(n, threshold), **given)
        leak = lambda n: layers.ExpLeakSqueeze(tau_mem=full(n, 8), batch_size=1)
        return [
            Case("iaf", "IAF, MultiSpike", self.both(iaf()), "from=sinabs"),
            Case("iaf_one", "IAF, SingleSpike", self.both(iaf(**one)),
                 "from=sinabs,spikes-per-step=one"),
            Case("iaf_min", "IAF, min_v_mem", self.chain(iaf(min_v_mem=-.3), iaf()),
                 "from=sinabs,1:v-min=0.3"),
            Case("iaf_leak", "ExpLeak at the end", self.chain(iaf(), leak)),
            Case("lif", "LIF", self.chain(lif(), lif(4), scale=4)),
            Case("lif_one", "LIF, SingleSpike", self.both(lif(**one), scale=4), "spikes-per-step=one"),
            Case("lif_raw", "LIF, norm_input False", self.both(lif(threshold=1, **raw)),
                 "preset=sinabs"),
            Case("lif_raw_one", "LIF, norm_input False, SingleSpike",
                 self.both(lif(threshold=1, **raw, **one)), "preset=sinabs,spikes-per-step=one"),
            Case("lif_syn", "LIF, tau_syn", self.both(lif(tau_syn=full(1, 4))), None,
                 "tau_syn"),
        ]

    def run(self, layers, x):
        import sinabs.layers
        net, states = self.torch.nn.Sequential(*layers), {}
        stateful = [one for one in layers if isinstance(one, sinabs.layers.StatefulLayer)]
        for one in stateful:
            one.record_states = True
        rows = net(x).numpy().copy()
        for i, one in enumerate(layers):
            if one in stateful and "v_mem" in one.recordings:
                states[str(i)] = one.recordings["v_mem"].reshape(len(x), -1).numpy().copy()
        for one in stateful:
            one.reset_states()
        return net, rows, states

    def export(self, net, x):
        from sinabs.nir import to_nir
        return to_nir(net, x[:1])


class Rockpool(Tool):
    name, packages = "rockpool", ("rockpool", "nir", "nirtorch")

    def cases(self):
        from rockpool.nn.modules import ExpSynTorch, LIFNeuronTorch, LIFTorch

        def lif(kind=LIFTorch, **given):
            return lambda n: kind(n, **given)

        def chain(first, second):
            return lambda case: [self.weights(case, INPUTS, HIDDEN), first(HIDDEN),
                                 self.weights(case, HIDDEN, OUTPUTS), second(OUTPUTS)]
        usual = {"tau_mem": .02, "tau_syn": .01, "dt": 1e-3}
        alone = lif(LIFNeuronTorch, tau_mem=.02, dt=1e-3)
        slow = lif(tau_mem=.05, tau_syn=.01, dt=5e-3)
        biased = lambda n: LIFTorch(n, **usual, bias=self.full(n, .05))
        return [
            Case("lif", "LIFTorch", chain(lif(**usual), lif(tau_mem=.01, tau_syn=.02, dt=1e-3))),
            Case("lif_slow", "LIFTorch, dt 5 ms", chain(slow, slow)),
            Case("neuron", "LIFNeuronTorch", chain(alone, alone)),
            Case("lif_bias", "LIFTorch, bias", chain(biased, biased), None, "bias"),
            Case("synapse", "ExpSynTorch", chain(lif(**usual), lambda n: ExpSynTorch(
                n, tau=.01, dt=1e-3))),
        ]

    def weights(self, case, inputs, outputs):
        from rockpool.nn.modules import LinearTorch
        layer = LinearTorch((inputs, outputs), has_bias=False)
        layer.weight.data = self.torch.from_numpy(
            case.random.uniform(-.1, .14, (inputs, outputs)).astype(np.float32))
        return layer

    def run(self, layers, x):
        from rockpool.nn.combinators import Sequential
        net = Sequential(*layers)
        rows, _, told = net(x[None], record=True)
        states = {name: one["vmem"][0].numpy().copy() for name, one in told.items()
                  if isinstance(one, dict) and "vmem" in one}
        return net, rows[0].numpy().copy(), states

    def export(self, net, x):
        from rockpool.nn.modules.torch.nir import to_nir
        return to_nir(net)


class Spyx(Tool):
    name, packages = "spyx", ("spyx", "jax", "nir")

    def __init__(self):
        import jax
        from flax import nnx
        self.jax, self.nnx = jax, nnx

    def given(self, x):
        return self.jax.numpy.asarray(x)

    def cases(self):
        from spyx import nn
        here = {"rngs": self.nnx.Rngs(0)}

        def neuron(kind, **given):
            return lambda n: kind((n,), **given, **here)

        def unlike(n):
            layer = nn.LIF((n,), **here)
            layer.beta[...] = np.linspace(.3, .95, n, dtype=np.float32)
            return layer

        def looped(kind, **given):
            return lambda case: [self.linear(case, INPUTS, HIDDEN),
                                 self.loop(case, kind((HIDDEN,), **given, **here)),
                                 self.linear(case, HIDDEN, OUTPUTS),
                                 neuron(nn.LIF, beta=.8)(OUTPUTS)]
        lif, cuba = neuron(nn.LIF, beta=.9), neuron(nn.CuBaLIF, alpha=.7, beta=.85)
        both = {"alpha": .7, "beta": .85}
        return [
            Case("if", "IF", self.both(neuron(nn.IF))),
            Case("lif", "LIF", self.chain(lif, neuron(nn.LIF, beta=.8))),
            Case("lif_threshold", "LIF, threshold .6",
                 self.both(neuron(nn.LIF, beta=.9, threshold=.6))),
            Case("lif_unlike", "LIF, a beta for each neuron", self.both(unlike)),
            Case("lif_one", "LIF, beta 1", self.chain(neuron(nn.LIF, beta=1.), lif)),
            Case("cuba", "CuBaLIF", self.both(cuba)),
            Case("rif", "RIF", looped(nn.RIF)),
            Case("rlif", "RLIF", looped(nn.RLIF, beta=.9)),
            Case("rcuba", "RCuBaLIF", looped(nn.RCuBaLIF, **both)),
            Case("psu", "PSU_LIF", self.both(neuron(nn.PSU_LIF, beta=.9))),
            Case("li", "LI at the end", self.chain(lif, neuron(nn.LI, beta=.9))),
            Case("alif", "ALIF", self.both(neuron(nn.ALIF, beta=.9, gamma=.8))),
        ]

    def linear(self, case, inputs, outputs, scale=2.5):
        layer = self.nnx.Linear(inputs, outputs, rngs=self.nnx.Rngs(0))
        bound = 1 / inputs ** 0.5
        draw = lambda *shape: case.random.uniform(-bound, bound, shape).astype(np.float32)
        layer.kernel[...] = (draw(outputs, inputs) * scale + .05 * scale).T
        layer.bias[...] = draw(outputs)
        return layer

    def loop(self, case, neuron):
        shape = neuron.recurrent_w.shape
        neuron.recurrent_w[...] = case.random.uniform(-.2, .2, shape).astype(np.float32)
        return neuron

    def run(self, layers, x):
        from spyx import nn
        net, rows, states = nn.Sequential(*layers), [], {}
        state = net.initial_state(1)
        for step in x:
            row, state = net(step[None], state)
            rows.append(np.array(row[0]))
            for i, one in enumerate(state):
                if one is not None:  # v, and what else a neuron keeps behind it
                    v = np.array(one[0]).reshape(-1, net.layers[i].hidden_shape[0]) \
                        if hasattr(net.layers[i], "hidden_shape") else np.array(one)
                    states.setdefault(f"layer_{i}", []).append(v[0])
        return net, rows, states

    def export(self, net, x):
        from spyx.nir import to_nir
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            graph = to_nir(net, {"input": np.array([INPUTS])}, {"output": np.array([OUTPUTS])})
        if told.getvalue():  # a layer that is left out
            raise ValueError(told.getvalue())
        return graph


TOOLS = (SnnTorch, SpikingJelly, Norse, Sinabs, Rockpool, Spyx)
