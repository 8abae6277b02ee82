# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Placement files that put neurons of a population on cores in any order."""
import re

from support import FOLDER, dendrolith, np


def cores_of(*arguments):
    """Population -> core -> how many of its neurons the mapper puts there."""
    text = dendrolith("compile", *arguments, "--emit", "chip")
    found, core = {}, None
    for line in text.splitlines():
        if match := re.match(r"\s*chip\.core (\d+)", line):
            core = int(match[1])
        elif match := re.match(r'\s*chip\.group "(.*?)" neurons \d+ \+ (\d+) ', line):
            counts = found.setdefault(match[1], {})
            counts[core] = counts.get(core, 0) + int(match[2])
    return found


def write(name, cores, rng=None):
    """`cores`: population -> the core of each neuron. A line for each range, in any
    order with a random generator: neurons lie on a core in that of the lines."""
    path = FOLDER / f"{name}.yaml"
    lines = []
    for population, of in cores.items():
        starts = [0, *(np.flatnonzero(np.diff(of)) + 1), len(of)]
        for first, end in zip(starts, starts[1:]):
            lines.append(f"- {{population: '{population}', first: {first}, "
                         f"count: {end - first}, core: {of[first]}}}")
    if rng is not None:
        rng.shuffle(lines)
    path.write_text("\n".join(lines) + "\n")
    return path


def shuffled(name, seed, *arguments):
    """As many neurons on each core as the mapper has there, drawn at random."""
    rng = np.random.default_rng(seed)
    return write(name, {
        population: rng.permutation(np.repeat(list(counts), list(counts.values())))
        for population, counts in cores_of(*arguments).items()}, rng)
