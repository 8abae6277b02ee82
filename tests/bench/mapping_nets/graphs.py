# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of graphs: who is connected with whom. Each gives a Network to settle."""
import numpy as np

from .network import from_pairs

INPUT_REACH = 30  # neurons that an input is connected with


def input_pairs(neurons):
    """A tenth as many inputs, each to neurons in a row, spread evenly."""
    inputs = max(neurons // 10, 1)
    reach = min(INPUT_REACH, neurons)
    first = np.arange(inputs) * neurons // inputs
    target = (first[:, None] + np.arange(reach)) % neurons
    return inputs, np.repeat(np.arange(inputs), reach), target.ravel()


def with_inputs(neurons, source, target, seed, **more):
    inputs, of_input, to = input_pairs(neurons)
    return from_pairs(inputs, neurons,
                      np.concatenate([of_input, source + inputs]),
                      np.concatenate([to, target]), seed, **more)


def small_world(neurons, rewired, fanout=100, seed=1, **more):
    """A ring, of whose synapses a share leads anywhere instead (Watts and
    Strogatz); repetitions and synapses to oneself are dropped."""
    rng = np.random.default_rng([seed, 2])
    half = fanout // 2
    offset = np.concatenate([np.arange(-half, 0), np.arange(1, half + 1)])
    source = np.repeat(np.arange(neurons), fanout)
    target = (source + np.tile(offset, neurons)) % neurons
    away = rng.random(len(target)) < rewired
    target[away] = rng.integers(0, neurons, np.count_nonzero(away))
    other = target != source
    return with_inputs(neurons, source[other], target[other], seed, **more)


POTJANS_SIZE = [20683, 5834, 21915, 5479, 4850, 1065, 14395, 2948]
POTJANS_P = np.array([  # [target][source], in order 23E 23I 4E 4I 5E 5I 6E 6I
    [.1009, .1689, .0437, .0818, .0323, 0, .0076, 0],
    [.1346, .1371, .0316, .0515, .0755, 0, .0042, 0],
    [.0077, .0059, .0497, .135, .0067, .0003, .0453, 0],
    [.0691, .0029, .0794, .1597, .0033, 0, .1057, 0],
    [.1004, .0622, .0505, .0057, .0831, .3726, .0204, 0],
    [.0548, .0269, .0257, .0022, .06, .3158, .0086, 0],
    [.0156, .0066, .0211, .0166, .0572, .0197, .0396, .2252],
    [.0364, .001, .0034, .0005, .0277, .008, .0658, .1443]])


def potjans(scale, in_degree, seed=1, **more):
    """Potjans and Diesmann's column with `scale` of its neurons and `in_degree`
    of the synapses that each of them receives; repetitions are merged."""
    rng = np.random.default_rng([seed, 3])
    size = [int(round(n * scale)) for n in POTJANS_SIZE]
    first = np.concatenate([[0], np.cumsum(size)])
    sources, targets = [], []
    for t, post in enumerate(POTJANS_SIZE):
        for s, pre in enumerate(POTJANS_SIZE):
            if POTJANS_P[t, s] == 0:
                continue
            whole = np.log1p(-POTJANS_P[t, s]) / np.log1p(-1 / (pre * post))
            count = int(round(whole / post * in_degree * size[t]))
            sources.append(first[s] + rng.integers(0, size[s], count))
            targets.append(first[t] + rng.integers(0, size[t], count))
    neurons = int(first[-1])
    inhibitory = np.zeros(max(neurons // 10, 1) + neurons, bool)
    for s in range(1, len(size), 2):
        inhibitory[len(inhibitory) - neurons:][first[s]:first[s + 1]] = True
    return with_inputs(neurons, np.concatenate(sources),
                       np.concatenate(targets), seed, inhibitory=inhibitory,
                       **more)


def blocks(seed, count=9, size=600, fanout=60, spread=1.5, **more):
    """Blocks of neurons with log-normal traffic between them."""
    rng = np.random.default_rng([seed, 4])
    traffic = rng.lognormal(0, spread, (count, count))
    sources, targets = [], []
    for b in range(count):
        share = traffic[b] / traffic[b].sum()
        for neuron in range(b * size, (b + 1) * size):
            for to, n in enumerate(rng.multinomial(fanout, share)):
                some = rng.choice(size, min(n, size), replace=False)
                targets.append(to * size + some)
                sources.append(np.full(len(some), neuron))
    return with_inputs(count * size, np.concatenate(sources),
                       np.concatenate(targets), seed, **more)


def chain(seed, layers, sizes=(150, 420), fanout=20, **more):
    """Layers of random sizes, each sparsely connected to the next; the network
    and the layer of each neuron."""
    rng = np.random.default_rng([seed, 5])
    size = rng.integers(sizes[0], sizes[1] + 1, layers)
    first = np.concatenate([[0], np.cumsum(size)])
    sources, targets = [], []
    for l in range(layers - 1):
        for neuron in range(first[l], first[l + 1]):
            some = rng.choice(size[l + 1], min(fanout, size[l + 1]), False)
            targets.append(first[l + 1] + some)
            sources.append(np.full(len(some), neuron))
    net = with_inputs(int(first[-1]), np.concatenate(sources),
                      np.concatenate(targets), seed, **more)
    return net, np.repeat(np.arange(layers), size)


def uniform(neurons, fanout, seed, **more):
    """Each neuron to distinct other ones anywhere."""
    rng = np.random.default_rng([seed, 6])
    target = np.concatenate([rng.choice(neurons - 1, fanout, False)
                             for _ in range(neurons)])
    source = np.repeat(np.arange(neurons), fanout)
    target += target >= source
    return with_inputs(neurons, source, target, seed, **more)
