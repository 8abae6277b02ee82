# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many Loihi chips the cortical microcircuit of Potjans and Diesmann needs
at full size, from its rules alone: neurons share a core with others of their
population, as many as the core's limits hold, each list is stored as the chip
stores lists, and a pair of neurons has a synapse with the probability of its
populations. Nothing is built.

    python3 tests/bench/column_chips.py
"""
import math

import numpy as np

from mapping_nets.graphs import POTJANS_P, POTJANS_SIZE

LIMITS = dict(neurons=1024, words=16384, in_axons=4096, out_axons=4096)
SYNAPSE_BITS, HEADER_BITS, WORD_BITS = 8, 10, 64  # of targets/loihi1/chip.yaml
INDEX_BITS = (0, 6, 7, 8, 9, 10)
CORES = 128  # of a chip
NAMES = "23E 23I 4E 4I 5E 5I 6E 6I".split()
SIZE = np.array(POTJANS_SIZE)


def synapses():
    """Expected number of synapses, repetitions counted."""
    return sum(math.log1p(-p) / math.log1p(-1 / (pre * post))
               for row, post in zip(POTJANS_P, SIZE)
               for p, pre in zip(row, SIZE) if p)


def list_words(count, neurons):
    """Words of a list of `count` of `neurons` targets."""
    index = min(b for b in INDEX_BITS if 2**b >= neurons)
    full, rest = divmod(count, 64)
    return sum(math.ceil((k * (SYNAPSE_BITS + index) + HEADER_BITS) / WORD_BITS)
               for k in [64] * full + [rest] * (rest > 0))


def needs(population, neurons):
    """In-axons and words of a core with so many neurons of a population."""
    axons = words = 0.
    for p, size in zip(POTJANS_P[population], SIZE):
        if p == 0:
            continue
        share = np.array([math.comb(neurons, k) * p**k * (1 - p)**(neurons - k)
                          for k in range(neurons + 1)])
        axons += size * (1 - share[0])
        words += size * sum(share[k] * list_words(k, neurons)
                            for k in range(1, neurons + 1))
    return axons, words


def most(population, tables):
    """The most neurons of a population on a core, 0 for none. Without
    `tables` in-axons and out-axons count for nothing."""
    neurons = 0
    while neurons < LIMITS["neurons"]:
        axons, words = needs(population, neurons + 1)
        if words > LIMITS["words"] or tables and axons > LIMITS["in_axons"]:
            break
        neurons += 1
    return neurons


def main():
    print(f"{SIZE.sum():,} neurons, {synapses():,.0f} synapses")
    print("population  sources of a neuron  neurons of a core: by all limits,"
          " by memory")
    cores = 0
    for t, name in enumerate(NAMES):
        held = most(t, tables=False)
        cores += math.ceil(SIZE[t] / held)
        print(f"{name:<10}  {needs(t, 1)[0]:19,.0f}  {most(t, tables=True):34}"
              f"  {held:9}")
    print("A neuron with more sources than a core has in-axons "
          f"({LIMITS['in_axons']:,}) fits no core: no number of chips holds "
          "the network.")
    print(f"With axon tables without a limit: {cores:,} cores, "
          f"{math.ceil(cores / CORES):,} chips.")


if __name__ == "__main__":
    main()
