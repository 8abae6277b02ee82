# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do RANC's own programs give the outputs that its authors list?

    images.py [RANC_CHECKOUT] [--dendrolith build/bin/dendrolith] [--engine functional] [--keep DIR]

The images of a checkout (memory_files: two files a core, inputs and outputs by tick)
become networks, as recordings do (grid.py). An output of tick t is that of `lead` ticks
later, for an image has as many layers; in tick 0 all neurons at the bus fire, which the
authors leave out.
"""
import argparse
import os
import pathlib
import re
import sys
import tempfile

from grid import Case, run

import numpy as np

# Folder -> columns and rows of its grid, and the place of the output bus.
IMAGES = {"tea/128": (8, 4, 0, 3), "tea/256": (4, 3, 0, 2), "tea/512": (2, 3, 0, 2),
          "tea/512_128": (2, 3, 0, 2), "vmm": (3, 3, 2, 2)}
LEADS = 6


def numbers(path, base=10):
    return [int(word, base) for word in path.read_text().split()]


def rows_of(path):
    """Lines of bits; comments hold other things."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.S)
    return [word for word in text.split() if set(word) <= set("01")]


def neuron_of(row, axons):
    """A row; one without its bit of the mode resets to a value."""
    address = (axons - 1).bit_length()
    mode = len(row) == axons + 104 + address
    fields, at = {"syn": [int(bit) for bit in reversed(row[:axons])], "w": [], "mode": 0}, axons
    for name, bits in [("v", 9), ("reset", 9), *[("w", 9)] * 4, ("leak", 9), ("pos", 9), ("neg", 9),
                       *[("mode", 1)] * mode, ("dx", 9), ("dy", 9), ("axon", address), ("tick", 4)]:
        value = int(row[at:at + bits], 2)
        value -= (value >> 8 << 9) if bits == 9 and name != "axon" else 0
        if name == "w":
            fields["w"].append(value)
        else:
            fields[name] = value
        at += bits
    if at != len(row):
        sys.exit(f"a row of {len(row)} bits, expected {at} for {axons} axons")
    return fields


class Image(Case):
    def __init__(self, folder, width, height, x, y):
        types = {int(path.stem[-3:]): numbers(path, 2) for path in folder.glob("tc_*.mem")}
        axons, bus = len(types[0]), x + y * width
        cores = {c: {"types": types[c],
                     "neurons": [neuron_of(row, axons)
                                 for row in rows_of(folder / f"csram_{c:03}.mem")]}
                 for c in sorted(types) if c != bus and c < width * height}
        packets = (folder / "tb_input.txt").read_text().split()
        address, inputs = (axons - 1).bit_length(), []
        for count in numbers(folder / "tb_num_inputs.txt"):
            inputs.append([])
            for word in packets[:count]:
                dx, dy = int(word[:9], 2), int(word[9:18], 2)
                inputs[-1].append((dx + dy * width, int(word[18:18 + address], 2),
                                   int(word[18 + address:], 2)))
            packets = packets[count:]
        counts = numbers(folder / "tb_num_outputs.txt")
        axis, self.expected = numbers(folder / "tb_correct.txt", 2), []
        for count in counts:
            self.expected.append(set(axis[:count]))
            axis = axis[count:]
        ticks = len(counts) + LEADS
        self.build({"meta": {"grid": (width, height), "neurons": len(cores[0]["neurons"]),
                             "axons": axons, "output": (x, y)},
                    "recorded": {"ticks": [0] * ticks}, "cores": cores,
                    "inputs": inputs + [[] for _ in range(ticks - len(inputs))]})

    def bus(self, spikes, tick):
        """The axons of the bus that get a spike in a tick."""
        return {neuron["axon"] for c, core in self.cores.items()
                for n, neuron in enumerate(core["neurons"]) if spikes[c][tick, n] and
                (c % self.width + neuron["dx"], c // self.width + neuron["dy"]) == self.out}


def compare(image, dendrolith, engine, folder):
    """The lead at which most ticks agree, and how many."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.mlir").write_text(image.network())
    for c, seen in image.host().items():
        np.save(folder / f"x{c}.npy", seen)
    outputs, *_ = run(dendrolith, folder, engine, "ideal", [f"x{c}" for c in image.cores])
    spikes = {c: np.asarray(outputs[f"s{c}"]).reshape(image.ticks, -1) for c in image.cores}
    found = [image.bus(spikes, tick) for tick in range(image.ticks)]
    return max((sum(found[t + lead] == want for t, want in enumerate(image.expected)), -lead)
               for lead in range(1, LEADS))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout", type=pathlib.Path, nargs="?",
                        default=pathlib.Path(os.environ.get("DENDROLITH_RTL", "/none"), "RANC"))
    parser.add_argument("--dendrolith", type=pathlib.Path, default="build/bin/dendrolith")
    parser.add_argument("--engine", default="functional")
    parser.add_argument("--keep", type=pathlib.Path)
    given = parser.parse_args()
    files = given.checkout / "hardware/IP/RANCNetwork/src/simulations/memory_files"
    if not files.is_dir():
        print(f"skipped: {files} is not there")
        sys.exit(77)
    wrong = 0
    for name, place in IMAGES.items():
        image = Image(files / name, *place)
        with tempfile.TemporaryDirectory() as temporary:
            folder = (given.keep or pathlib.Path(temporary)) / name.replace("/", "_")
            equal, lead = compare(image, given.dendrolith.absolute(), given.engine, folder)
        count = sum(map(len, image.expected))
        wrong += equal != len(image.expected)
        print(f"{name:12} {len(image.cores):2} cores, {equal} of {len(image.expected)} ticks equal, "
              f"{count} outputs, {-lead} ticks behind")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
