# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A study network in memory: rows by source, its input and its spikes.

The files are those of compiler/import/study; the loop here shares nothing with
the engines, so that a run compares its spikes with somebody else's.
"""
import dataclasses
import hashlib
import json
import pathlib

import numpy as np


@dataclasses.dataclass
class Network:
    inputs: int
    neurons: int
    row_ptr: np.ndarray  # by source: the inputs, then the neurons
    col: np.ndarray
    weight: np.ndarray
    in_t: np.ndarray  # input spikes in order of (step, input), steps from 1 on
    in_id: np.ndarray
    steps: int
    leak: int = 512
    threshold: int = 1
    ref_t: np.ndarray = None
    ref_id: np.ndarray = None
    core: np.ndarray = None  # by neuron; 0 throughout where nobody has chosen
    rate: np.ndarray = None  # by neuron, where a rule states rates of its own
    seed: int = 0

    @property
    def sources(self):
        return self.inputs + self.neurons

    def source_of_synapse(self):
        return np.repeat(np.arange(self.sources), np.diff(self.row_ptr))

    def measured_rate(self):
        """Spikes per step of each source, the inputs first."""
        count = np.concatenate([
            np.bincount(self.in_id, minlength=self.inputs)[:self.inputs],
            np.bincount(self.ref_id, minlength=self.neurons)])
        return count / self.steps


def from_pairs(inputs, neurons, source, target, seed, steps=100, in_rate=0.05,
               inhibitory=None):
    """A network of distinct pairs (source, target neuron); repeated ones are
    merged. Weights are 1 to 32 of either sign, or negative and four times as
    large exactly where the source is `inhibitory`; inputs have 48 to 96."""
    rng = np.random.default_rng([seed, 1])
    key = np.unique(source.astype(np.int64) * neurons + target)
    source, target = key // neurons, key % neurons
    row_ptr = np.zeros(inputs + neurons + 1, np.int64)
    np.cumsum(np.bincount(source, minlength=inputs + neurons), out=row_ptr[1:])
    weight = rng.integers(1, 33, len(key))
    if inhibitory is None:
        weight *= rng.choice([-1, 1], len(key))
    else:
        weight = np.where(inhibitory[source], -4 * weight, weight)
    of_inputs = row_ptr[inputs]
    weight[:of_inputs] = rng.integers(48, 97, of_inputs)
    spikes = rng.random((steps, inputs)) < in_rate
    in_t, in_id = np.nonzero(spikes)
    return Network(inputs, neurons, row_ptr, target.astype(np.int32),
                   weight.astype(np.int16), (in_t + 1).astype(np.int32),
                   in_id.astype(np.int32), steps, seed=seed)


def simulate(net, threshold=None, steps=None):
    """Steps and numbers of the neurons that spike."""
    steps = steps or net.steps
    limit = 64 * (net.threshold if threshold is None else threshold)
    keep = 4096 - net.leak
    begin = np.searchsorted(net.in_t, np.arange(1, steps + 2))
    length = np.diff(net.row_ptr)
    v = np.zeros(net.neurons, np.int64)
    before = np.zeros(0, np.int64)
    when, who = [], []
    for t in range(1, steps + 1):
        v *= keep
        v = np.where(v >= 0, v >> 12, -(-v >> 12))  # toward zero
        if len(before):
            each = length[before]
            end = np.cumsum(each)
            at = np.arange(end[-1]) + np.repeat(
                net.row_ptr[before] - (end - each), each)
            v += 64 * np.bincount(net.col[at], net.weight[at],
                                  net.neurons).astype(np.int64)
        fired = np.nonzero(v > limit)[0]
        v[fired] = 0
        when.append(np.full(len(fired), t, np.int32))
        who.append(fired.astype(np.int32))
        before = np.concatenate([net.in_id[begin[t - 1]:begin[t]],
                                 fired + net.inputs]).astype(np.int64)
    return np.concatenate(when), np.concatenate(who)


def settle(net, rate=0.05):
    """Chooses the smallest threshold with no more than `rate` spikes a neuron
    and step in the second half of a short run, and records the spikes."""
    steps = min(net.steps, 40)
    low, high = 1, 1 << 14
    while high - low > 1:
        middle = (low + high) // 2
        when, _ = simulate(net, middle, steps)
        found = np.count_nonzero(when > steps // 2)
        too_many = found > rate * (steps - steps // 2) * net.neurons
        low, high = (middle, high) if too_many else (low, middle)
    net.threshold = high
    net.ref_t, net.ref_id = simulate(net)
    return net


def shuffled(net, seed=1):
    """The same network with its neurons numbered in any order."""
    new = np.random.default_rng(seed).permutation(net.neurons)  # by old number
    old = np.argsort(new)
    rows = np.concatenate([np.arange(net.inputs), net.inputs + old])
    length = np.diff(net.row_ptr)[rows]
    row_ptr = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
    at = np.arange(row_ptr[-1]) + np.repeat(
        net.row_ptr[rows] - row_ptr[:-1], length)
    source = np.repeat(np.arange(len(rows)), length)
    col = new[net.col[at]]
    order = np.lexsort((col, source))
    spikes = np.lexsort((new[net.ref_id], net.ref_t))
    return dataclasses.replace(
        net, row_ptr=row_ptr, col=col[order].astype(np.int32),
        weight=net.weight[at][order], ref_t=net.ref_t[spikes],
        ref_id=new[net.ref_id][spikes].astype(np.int32),
        core=None if net.core is None else net.core[old],
        rate=None if net.rate is None else net.rate[old])


def apart(net, seed=1):
    """The network with another reference: each neuron spikes as often, at steps
    of its own, so that who is active together with whom cannot be seen."""
    rng = np.random.default_rng([seed, 7])
    count = np.bincount(net.ref_id, minlength=net.neurons)
    who = np.repeat(np.arange(net.neurons), count)
    when = np.argsort(rng.random((net.neurons, net.steps)), 1)
    at = np.arange(len(who)) - np.repeat(np.cumsum(count) - count, count)
    when = when[who, at] + 1
    order = np.lexsort((who, when))
    return dataclasses.replace(net, ref_t=when[order].astype(np.int32),
                               ref_id=who[order].astype(np.int32))


def write(net, prefix, cores=None):
    """PREFIX.npz and PREFIX.json; the neurons lie on `core`, the archive's
    number of cores is `cores` or the fewest that hold those."""
    prefix = pathlib.Path(prefix)
    core = np.zeros(net.neurons, np.int32) if net.core is None else net.core
    arrays = dict(
        row_ptr=net.row_ptr.astype(np.int64), col=net.col.astype(np.int32),
        weight=net.weight.astype(np.int16), in_t=net.in_t, in_id=net.in_id,
        core=np.concatenate([np.zeros(net.inputs), core]).astype(np.int32),
        ref_t=net.ref_t, ref_id=net.ref_id)
    if net.rate is not None:
        arrays["rate"] = net.rate
    np.savez(prefix.with_suffix(".npz"), **arrays)
    pairs = np.stack([net.ref_t, net.ref_id], 1).astype("<u4").tobytes()
    fired = len(net.ref_t)
    length = np.diff(net.row_ptr)
    meta = dict(
        format="bench-random-snn", version=1, seed=net.seed,
        n_neurons=net.neurons, n_inputs=net.inputs,
        fanout=int(round(length.mean())), n_synapses=len(net.col),
        timesteps=net.steps,
        model=dict(kind="lif", frac_bits=6, leak_4096=net.leak,
                   leak_rounding="toward_zero", threshold=int(net.threshold),
                   compare="strictly_greater", reset=0, axon_delay_steps=1),
        mapping=dict(policy="block", cores=int(cores or core.max() + 1)),
        reference=dict(
            output_spikes=fired, input_spikes=len(net.in_t),
            mean_rate=fired / net.steps / net.neurons,
            synaptic_events=int(length[net.in_id].sum()
                                + length[net.inputs + net.ref_id].sum()),
            raster_sha256=hashlib.sha256(pairs).hexdigest()))
    prefix.with_suffix(".json").write_text(json.dumps(meta, indent=1))


def read(path):
    path = pathlib.Path(path).with_suffix(".npz")
    meta = json.loads(path.with_suffix(".json").read_text())
    with np.load(path) as a:
        return Network(
            meta["n_inputs"], meta["n_neurons"], a["row_ptr"], a["col"],
            a["weight"], a["in_t"], a["in_id"], meta["timesteps"],
            meta["model"]["leak_4096"], meta["model"]["threshold"], a["ref_t"],
            a["ref_id"], a["core"][meta["n_inputs"]:],
            a["rate"] if "rate" in a else None, meta["seed"])
