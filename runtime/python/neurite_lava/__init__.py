# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds ordinary Lava processes from a file of `neurite export --format lava`.

    from neurite_lava import load
    network = load("model.lava.pb")   # {name: process}, connected

Needs NumPy, protobuf and Lava. The file is untrusted: everything is checked
before the first process is made, and only classes listed here are imported.
"""
from collections import namedtuple
import importlib
from math import prod
import os

import numpy as np
from google.protobuf.message import DecodeError

from neurite_lava import lava_pb2
from neurite_lava.body import (LARGEST_POPULATION, Body, FileError, expect,
                               read_tensor)

__all__ = ["load", "read", "FileError", "Network", "Output"]

SCHEMA_VERSION = 1
LARGEST_FILE = (1 << 31) - 1

# kwargs: "number" is an integer, or a tensor of the shape; a ? may be left out.
Class = namedtuple("Class", "inputs outputs kwargs")
LIF = dict(u="number?", v="number?", du="number?", dv="number?",
           bias_mant="number?", bias_exp="number?")
RF = dict(period="real", alpha="real", state_exp="integer?", decay_bits="integer?", vth="real?")
DELTA = dict(vth="real", cum_error="flag?", spike_exp="integer?", state_exp="integer?")
SYNAPSES = dict(weight_exp="integer?", num_weight_bits="integer?", num_message_bits="integer?",
                sign_mode="SignMode?")
DENSE, SPARSE = dict(SYNAPSES, weights="matrix"), dict(SYNAPSES, weights="csr")
DELAYS = dict(delays="delays", max_delay="integer?")
POPULATION = "neurite_lava.population.Population"


def neurons(kwargs, inputs=("a_in",)):
    return Class(inputs, ("s_out",), kwargs)


def synapses(kwargs):
    return Class(("s_in",), ("a_out",), kwargs)


CLASSES = {
    "lava.proc.lif.process.LIF": neurons(dict(LIF, vth="number?")),
    "lava.proc.lif.process.LIFReset": neurons(dict(
        LIF, vth="number?", reset_interval="integer?", reset_offset="integer?")),
    "lava.proc.lif.process.TernaryLIF": neurons(dict(LIF, vth_hi="number?", vth_lo="number?")),
    "lava.proc.atrlif.process.ATRLIF": neurons(dict(
        delta_i="real?", delta_v="real?", delta_theta="real?", delta_r="real?", theta_0="real?",
        theta_step="real?", bias_mant="number?", bias_exp="number?",
        i="number?", v="number?", theta="number?", r="number?")),
    "lava.proc.rf.process.RF": neurons(RF, ("a_real_in", "a_imag_in")),
    "lava.proc.rf_iz.process.RF_IZ": neurons(RF, ("a_real_in", "a_imag_in")),
    "lava.proc.sdn.process.Delta": neurons(DELTA),
    "lava.proc.sdn.process.Sigma": neurons({}),
    "lava.proc.sdn.process.SigmaDelta": neurons(dict(DELTA, bias="number?", act_mode="ActivationMode?")),
    "lava.proc.graded.process.GradedVec": neurons(dict(vth="number?", exp="integer?")),
    "lava.proc.graded.process.GradedReluVec": neurons(dict(vth="number?", exp="integer?")),
    "lava.proc.prodneuron.process.ProdNeuron": neurons(
        dict(vth="number?", exp="integer?"), ("a_in1", "a_in2")),
    "lava.proc.dense.process.Dense": synapses(DENSE),
    "lava.proc.dense.process.DelayDense": synapses(dict(DENSE, **DELAYS)),
    "lava.proc.sparse.process.Sparse": synapses(SPARSE),
    "lava.proc.sparse.process.DelaySparse": synapses(dict(SPARSE, **DELAYS)),
    "lava.proc.conv.process.Conv": synapses(dict(
        weight="kernel", input_shape="triple", stride="pair?", padding="pair?", dilation="pair?",
        groups="integer?", weight_exp="integer?", num_weight_bits="integer?",
        num_message_bits="integer?", sign_mode="SignMode?")),
    POPULATION: None,  # what its Neuron says
}
ENUMS = {"SignMode": ("lava.utils.weightutils", ("NULL", "MIXED", "EXCITATORY", "INHIBITORY")),
         "ActivationMode": ("lava.proc.sdn.process", ("UNIT", "RELU"))}

# What the host connects to. latency: steps behind the inputs; port: an OutPort,
# or a variable to probe, which counts `scale` units per 1.
Output = namedtuple("Output", "port latency scale")


class Network(dict):
    """Processes by name. inputs: {name: [InPort]}; outputs: {name: Output}."""

    def __init__(self, processes, inputs, outputs, message):
        super().__init__(processes)
        self.inputs, self.outputs, self.message = inputs, outputs, message


def read(path):
    """The parsed and checked message; makes no process."""
    return Checked(path).message


def load(path):
    """A Network of Lava processes. Raises FileError for what is no such file."""
    checked = Checked(path)
    message = checked.message
    built = {p.name: checked.build(p) for p in message.processes}
    for c in message.connections:
        port = getattr(built[c.source], c.source_port)
        if c.transpose:
            port = port.transpose(axes=tuple(c.transpose))
        if c.reshape:
            port = port.reshape(tuple(c.reshape))
        port.connect(getattr(built[c.target], c.target_port))
    inputs, outputs = {}, {}
    for i in message.inputs:
        inputs.setdefault(i.name, []).append(getattr(built[i.target], i.target_port))
    for o in message.outputs:
        outputs[o.name] = Output(getattr(built[o.source], o.source_port), o.latency, o.scale or 1.0)
    return Network(built, inputs, outputs, message)


class Checked:
    """A message, and the keyword arguments and port shapes of its processes."""

    def __init__(self, path):
        size = os.path.getsize(path)
        expect(size <= LARGEST_FILE, f"{path}: {size} bytes, expected at most {LARGEST_FILE}")
        with open(path, "rb") as file:
            try:
                self.message = lava_pb2.Model.FromString(file.read())
            except DecodeError as error:
                raise FileError(f"{path}: no Lava model of Neurite ({error})") from None
        expect(self.message.schema_version == SCHEMA_VERSION,
               f"{path}: schema version {self.message.schema_version}, expected {SCHEMA_VERSION}")
        self.bodies, self.serialised, self.kwargs = {}, {}, {}
        self.inputs, self.outputs, self.variables, self.is_neuron = {}, {}, {}, {}
        for neuron in self.message.neurons:
            expect(neuron.name not in self.bodies, f"a second neuron '{neuron.name}'")
            self.bodies[neuron.name] = Body(neuron)
            self.serialised[neuron.name] = neuron.SerializeToString(deterministic=True)
        for process in self.message.processes:
            self.process(process)
        self.connections()
        self.ends()

    # Processes

    def process(self, process):
        where = f"process '{process.name}'"
        expect(process.name and process.name not in self.kwargs, f"{where}: a name used before")
        expect(process.lava_class in CLASSES,
               f"{where}: class '{process.lava_class}' is not among those that are loaded")
        if process.lava_class == POPULATION:
            return self.population(process, where)
        kind = CLASSES[process.lava_class]
        shape = neuron_shape(process.shape, where) if "s_out" in kind.outputs else None
        expect(shape or not process.shape, f"{where}: synapses have no shape of their own")
        kwargs = {"shape": shape} if shape else {}
        for key, value in process.kwargs.items():
            expect(key in kind.kwargs, f"{where}: keyword '{key}' is not one of {sorted(kind.kwargs)}")
            kwargs[key] = read_value(value, kind.kwargs[key].rstrip("?"), shape, f"{where}: '{key}'")
        for key, form in kind.kwargs.items():
            expect(key in kwargs or form.endswith("?"), f"{where}: keyword '{key}' is missing")
        into, out = (shape, shape) if shape else synapse_shapes(kwargs, where)
        self.register(process.name, kwargs, {port: into for port in kind.inputs},
                      {port: out for port in kind.outputs},
                      {"u", "v"} if process.lava_class.startswith("lava.proc.lif.") else set(), bool(shape))

    def population(self, process, where):
        shape = neuron_shape(process.shape, where)
        values = dict(process.kwargs)
        name = read_value(values.pop("neuron", lava_pb2.Value()), "text", None, f"{where}: 'neuron'")
        expect(name in self.bodies, f"{where}: neuron '{name}' is not in the file")
        body = self.bodies[name]
        expect(all(prod(kind.dims) * prod(shape) <= LARGEST_POPULATION for kind in body.types),
               f"{where}: a value of all neurons has more than {LARGEST_POPULATION} elements")
        kwargs = {"shape": shape, "neuron": self.serialised[name]}
        wanted = {"param_" + n: (shape if own else ()) + k.dims
                  for (n, k), own in zip(body.parameters, body.per_neuron)}
        free = {"init_" + n: shape + k.dims for n, k in body.states}
        free.update({"bias_" + n: shape + k.dims for n, k in body.ports})
        bits = {prefix + n: k.bits for prefix, fields in (("param_", body.parameters), ("init_", body.states))
                for n, k in fields}
        for key, value in values.items():
            at = f"{where}: '{key}'"
            if key == "start":
                kwargs[key] = read_value(value, "integer", None, at)
                expect(0 <= kwargs[key] < 1 << 31, f"{at}: {kwargs[key]} steps")
                continue
            dims = {**wanted, **free}.get(key)
            expect(dims is not None, f"{at} belongs to nothing of neuron '{name}'")
            kwargs[key] = read_value(value, "number", None, at)
            given = np.asarray(kwargs[key])
            expect(given.shape == dims or (given.shape == () and key in free),
                   f"{at}: shape {list(given.shape)}, expected {list(dims)}")
            half = 1 << (bits.get(key, 64) - 1)
            low, high = (0, 1) if half == 1 else (-half, half - 1)
            expect(low <= int(given.min()) and int(given.max()) <= high, f"{at}: a number beyond its type")
        for key in wanted:
            expect(key in kwargs, f"{where}: '{key}' is missing")
        self.register(process.name, kwargs, {"in_" + n: shape + k.dims for n, k in body.ports},
                      {"out_" + n: shape + k.dims for n, k in body.outputs},
                      {"state_" + n for n, _ in body.states}, True)

    def register(self, name, kwargs, inputs, outputs, variables, is_neuron):
        self.kwargs[name] = kwargs
        self.inputs.update({(name, port): shape for port, shape in inputs.items()})
        self.outputs.update({(name, port): shape for port, shape in outputs.items()})
        self.variables[name], self.is_neuron[name] = variables, is_neuron

    def build(self, process):
        kwargs = self.kwargs[process.name]
        if process.lava_class == POPULATION:
            from neurite_lava.population import population_class
            return population_class(kwargs["neuron"])(name=process.name, **kwargs)
        module, _, name = process.lava_class.rpartition(".")  # a key of CLASSES
        kwargs = {key: value() if callable(value) else value for key, value in kwargs.items()}
        return getattr(importlib.import_module(module), name)(name=process.name, **kwargs)

    # Connections

    def connections(self):
        seen, direct = set(), {}
        for c in self.message.connections:
            where = f"connection '{c.source}.{c.source_port}' to '{c.target}.{c.target_port}'"
            source, target = (c.source, c.source_port), (c.target, c.target_port)
            expect(source in self.outputs, f"{where}: its source is not in the file")
            expect(target in self.inputs, f"{where}: its target is not in the file")
            expect((source, target) not in seen, f"{where}: a second time")
            seen.add((source, target))
            shape = self.outputs[source]
            if c.transpose:
                expect(sorted(c.transpose) == list(range(len(shape))),
                       f"{where}: transpose {list(c.transpose)} of {len(shape)} axes")
                shape = tuple(shape[axis] for axis in c.transpose)
            if c.reshape:
                expect(len(c.reshape) <= 8 and prod(c.reshape) == prod(shape),
                       f"{where}: {list(shape)} cannot become {list(c.reshape)}")
                shape = tuple(c.reshape)
            expect(shape == self.inputs[target],
                   f"{where}: shape {list(shape)}, expected {list(self.inputs[target])}")
            if self.is_neuron[c.source] and self.is_neuron[c.target]:
                direct.setdefault(c.source, []).append(c.target)
        refuse_cycles(direct)

    def ends(self):
        for i in self.message.inputs:
            shape = self.inputs.get((i.target, i.target_port))
            expect(i.name and shape is not None, f"input '{i.name}': its target is not in the file")
            expect(tuple(i.shape) == shape, f"input '{i.name}': shape {list(i.shape)}, expected {list(shape)}")
            expect(i.lowest <= i.highest, f"input '{i.name}': from {i.lowest} to {i.highest}")
        names = set()
        for o in self.message.outputs:
            known = o.source_port in self.variables.get(o.source, ()) if o.probe \
                else (o.source, o.source_port) in self.outputs
            expect(o.name and o.name not in names and known, f"output '{o.name}': its source is not in the file")
            names.add(o.name)


def neuron_shape(shape, where):
    shape = tuple(shape)
    expect(1 <= len(shape) <= 4 and all(shape) and prod(shape) <= LARGEST_POPULATION,
           f"{where}: shape {list(shape)}, expected up to 4 axes and {LARGEST_POPULATION} neurons")
    return shape


def synapse_shapes(kwargs, where):
    """(in, out) of a synapse process."""
    if "weights" in kwargs:
        weights = kwargs["weights"]
        rows, columns = weights.dims if isinstance(weights, Csr) else weights.shape
        return (columns,), (rows,)
    kernel, shape = kwargs["weight"], kwargs["input_shape"]
    groups = kwargs.get("groups", 1)
    expect(groups >= 1 and kernel.shape[0] % groups == 0 and kernel.shape[3] * groups == shape[2],
           f"{where}: kernel {list(kernel.shape)} in {groups} groups does not fit input {list(shape)}")
    out = []
    for axis in (0, 1):
        stride, padding, dilation = (kwargs.get(key, (other, other))[axis] for key, other in
                                     (("stride", 1), ("padding", 0), ("dilation", 1)))
        expect(1 <= stride <= 127 and 0 <= padding <= 127 and 1 <= dilation <= 127
               and kernel.shape[1 + axis] <= 127, f"{where}: a stride, padding, dilation or kernel beyond 127")
        room = shape[axis] + 2 * padding - dilation * (kernel.shape[1 + axis] - 1) - 1
        expect(room >= 0, f"{where}: its kernel is larger than its input")
        out.append(room // stride + 1)
    expect(prod(out) * kernel.shape[0] <= LARGEST_POPULATION, f"{where}: too many outputs")
    return shape, (out[0], out[1], kernel.shape[0])


class Csr(namedtuple("Csr", "dims indptr indices data")):
    """A sparse matrix, checked; SciPy's when called."""

    def __call__(self):
        from scipy.sparse import csr_matrix
        return csr_matrix((self.data, self.indices, self.indptr), shape=self.dims)


def read_value(value, form, shape, where):
    """The Python value of a keyword, of the form that its class wants."""
    kind = value.WhichOneof("kind")
    if form in ENUMS:
        module, names = ENUMS[form]
        expect(kind == "text" and value.text in names, f"{where}: expected one of {list(names)}")
        return lambda: getattr(importlib.import_module(module), form)[value.text]
    if form in ("text", "flag"):
        expect(kind == form, f"{where}: expected a {form}, found {kind}")
        return getattr(value, kind)
    if form in ("pair", "triple"):
        found = tuple(value.integers.values)
        expect(kind == "integers" and len(found) == {"pair": 2, "triple": 3}[form],
               f"{where}: expected a {form} of integers")
        expect(form == "pair" or all(0 < x for x in found) and prod(found) <= LARGEST_POPULATION,
               f"{where}: {list(found)}")
        return found
    if kind == "integer" and form in ("integer", "number", "real", "delays"):
        expect(form != "delays" or 0 <= value.integer <= 63, f"{where}: {value.integer}, expected 0 to 63")
        return value.integer
    if kind == "real" and form == "real":
        expect(np.isfinite(value.real), f"{where}: {value.real}")
        return value.real
    expect(kind == "tensor" and form in ("number", "delays", "matrix", "kernel", "csr"),
           f"{where}: expected {form}, found {kind}")
    if form == "csr":
        return read_csr(value.tensor, where)
    tensor = read_tensor(value.tensor, where)
    expect(tensor.dtype.kind == "i" and tensor.size, f"{where}: expected integers, found '{value.tensor.dtype}'")
    rank = {"matrix": 2, "kernel": 4, "delays": 2}.get(form, tensor.ndim)
    expect(tensor.ndim == rank, f"{where}: {tensor.ndim} axes, expected {rank}")
    if form == "delays":
        expect(0 <= tensor.min() and tensor.max() <= 63, f"{where}: expected delays from 0 to 63")
    if form == "number" and shape:
        expect(tensor.shape == shape, f"{where}: shape {list(tensor.shape)}, expected {list(shape)}")
    return tensor.astype(np.int64 if form == "delays" or tensor.itemsize == 8 else np.int32)


def read_csr(tensor, where):
    if not tensor.HasField("csr"):
        dense = read_tensor(tensor, where)
        expect(dense.dtype.kind == "i" and dense.ndim == 2, f"{where}: expected a matrix of integers")
        return dense.astype(np.int32)
    expect(tensor.dtype in ("i1", "i2", "i4") and len(tensor.dims) == 2 and not tensor.dense
           and all(0 < n < 1 << 31 for n in tensor.dims), f"{where}: no sparse matrix of integers")
    rows, columns = tensor.dims
    csr, size = tensor.csr, int(tensor.dtype[1])
    expect(len(csr.indptr) == 8 * (rows + 1), f"{where}: {len(csr.indptr)} bytes of row starts for {rows} rows")
    begin = np.frombuffer(csr.indptr, "<i8")
    expect(len(csr.indices) % 4 == 0 and len(csr.indices) // 4 * size == len(csr.data),
           f"{where}: {len(csr.indices)} bytes of indices for {len(csr.data)} of data")
    column = np.frombuffer(csr.indices, "<i4")
    expect(begin[0] == 0 and begin[-1] == len(column) and (np.diff(begin) >= 0).all(),
           f"{where}: its row starts do not rise from 0 to {len(column)}")
    rising = np.diff(column.astype(np.int64)) > 0
    inside = np.ones(len(rising), bool)
    inside[begin[1:-1][(begin[1:-1] > 0) & (begin[1:-1] < len(column))] - 1] = False
    expect(((column >= 0) & (column < columns)).all() and (rising | ~inside).all(),
           f"{where}: the indices of a row do not rise within {columns} columns")
    data = np.frombuffer(csr.data, "<" + tensor.dtype).astype(np.int32)
    return Csr((rows, columns), begin, column, data)


def refuse_cycles(direct):
    """Neurons that feed themselves with no synapses between would wait for ever."""
    waiting = {}
    for source, targets in direct.items():
        for target in targets:
            waiting[target] = waiting.get(target, 0) + 1
    ready = [name for name in direct if name not in waiting]
    while ready:
        for target in direct.get(ready.pop(), ()):
            waiting[target] -= 1
            if not waiting[target]:
                del waiting[target]
                ready.append(target)
    expect(not waiting, f"processes {sorted(waiting)} feed each other in the same step")
