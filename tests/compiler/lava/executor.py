# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a loaded network: stock processes by lava_ref.py, `Population` by its own
model, which stands where Lava would look for it."""
import enum
import sys

import numpy as np

import lava_ref


class Stock:
    def __init__(self, process):
        p = {key: value.name if isinstance(value, enum.Enum) else value
             for key, value in process.given.items() if key != "name"}
        self.neuron = lava_ref.CLASSES[type(process).__name__](p.pop("shape"), p)

    def step(self, inputs):
        return {"s_out": self.neuron.step(*(inputs[name] for name in self.neuron.inputs))}

    def variable(self, name):
        return self.neuron.state[name]


def synapses(process):
    p = dict(process.given)
    if hasattr(p.get("weights"), "toarray"):
        p["weights"] = p["weights"].toarray()
    return lava_ref.SYNAPSES[type(process).__name__](p)


class PopulationRunner:
    def __init__(self, process):
        module = sys.modules[type(process).__module__]
        model = next(c for c in vars(module).values()
                     if getattr(c, "implements_process", None) is type(process))
        assert "fixed_pt" in model.tags
        self.model = model(process.proc_params)
        for name in vars(process):
            kind = getattr(model, name, None)
            if name.startswith("state_"):
                var = getattr(process, name)
                setattr(self.model, name, np.array(np.broadcast_to(var.init, var.shape), kind.d_type))

    def step(self, inputs):
        for name, value in inputs.items():
            setattr(self.model, name, Receiver(value))
        sent = {name: Sender() for name in dir(type(self.model)) if name.startswith("out_")}
        vars(self.model).update(sent)
        self.model.run_spk()
        return {name: port.value.astype(np.int64) for name, port in sent.items()}

    def variable(self, name):
        return getattr(self.model, name)


class Receiver:
    def __init__(self, value):
        self.value = value

    def recv(self):
        return self.value


class Sender:
    def send(self, value):
        self.value = value


class Executor:
    """step({input: array of (C, H, W) or (N)}) -> {output: array}, a step of all."""

    def __init__(self, network):
        self.network = network
        self.models, self.inputs, self.outputs = {}, {}, {}
        for name, process in network.items():
            kind = type(process).__name__
            self.models[name] = (synapses(process) if kind in lava_ref.SYNAPSES else
                                 Stock(process) if kind in lava_ref.CLASSES else
                                 PopulationRunner(process))
            ports = vars(process)
            self.inputs[name] = {k: p for k, p in ports.items() if type(p).__name__ == "InPort"}
            self.outputs[name] = {k: p for k, p in ports.items() if type(p).__name__ == "OutPort"}
        self.synapses = [n for n, m in self.models.items() if hasattr(m, "send")]
        self.neurons = [n for n in self.models if n not in self.synapses]

    def step(self, host=None, sent=None):
        """host: values by input; or sent: what connected sources send, by port's id."""
        sent, given = sent or {}, {}
        for message in self.network.message.inputs if host else ():
            x = np.asarray(host[message.name])
            if message.scale:
                x = np.clip(np.rint(x * message.scale), message.lowest, message.highest)
            x = x.astype(np.int64)
            assert message.lowest <= x.min() and x.max() <= message.highest
            shape = tuple(message.shape)
            given[message.target, message.target_port] = \
                x.transpose() if len(shape) == 3 and x.ndim == 3 else x.reshape(shape)

        def received(name):
            values = {}
            for key, port in self.inputs[name].items():
                total = np.array(np.broadcast_to(given.get((name, key), 0), port.shape), np.int64)
                for source, transforms in port.sources:
                    value = sent[id(source)]
                    for transform in transforms:
                        value = transform(value)
                    total += value
                values[key] = total
            return values

        for name in self.synapses:
            sent[id(self.network[name].a_out)] = self.models[name].send()
        waiting = list(self.neurons)
        while waiting:  # direct connections are of the same step
            ready = [n for n in waiting if all(id(s) in sent for port in self.inputs[n].values()
                                               for s, _ in port.sources)]
            assert ready, "processes wait for each other"
            for name in ready:
                result = self.models[name].step(received(name))
                sent.update({id(self.outputs[name][key]): value for key, value in result.items()})
                waiting.remove(name)
        for name in self.synapses:
            self.models[name].read(received(name)["s_in"])
        return {o.name: np.array(self.models[o.source].variable(o.source_port)) if o.probe
                else sent[id(self.outputs[o.source][o.source_port])]
                for o in self.network.message.outputs}


def run(load, path, host, ticks):
    """Values of each output at each tick: {name: (ticks, shape)}, integers."""
    network = load(path)
    executor = Executor(network)
    last = max(o.latency for o in network.outputs.values())
    rows = []
    for t in range(ticks + last):
        rows.append(executor.step({name: x[t] if t < ticks else np.zeros_like(x[0])
                                   for name, x in host.items()}))
    return {name: np.array([row[name] for row in rows[o.latency:o.latency + ticks]])
            for name, o in network.outputs.items()}
