# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODIN and tinyODIN were loaded with, as a network whose ticks are events, so that
`cosim` has the potentials of each."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import numpy as np

from .binary import shipped
from .cosim import Events


@dataclass(frozen=True)
class Loaded:
    """Neurons by their numbers, and the weights of rows."""

    chip: str
    threshold: dict[int, int]
    leak: dict[int, int]
    potential: dict[int, int]
    weights: dict[tuple[int, int], int]


def loaded(session: Events) -> Loaded:
    """What load.spi puts into the chip."""
    tiny = session.name == "tinyodin"
    words, cells, registers = {}, {}, {}
    for line in (session.work / "net" / "load.spi").read_text().splitlines():
        address, data = (int(word, 16) for word in line.split())
        kind, low = address >> 16, address & 0xFFFF
        if kind == 5:
            words[low & 255] = words.get(low & 255, 0) | data << 8 * (low >> 8)
        elif kind == 6 and data:
            at = low >> 5 & 255, 8 * (low & 31) + 2 * (low >> 13)
            cells[at], cells[at[0], at[1] + 1] = data & 15, data >> 4
        elif kind == 0:
            registers[low] = data
    used = session.neurons
    if tiny:
        return Loaded("tinyodin", {n: words[n] >> 12 & 0xFFF for n in used},
                      {n: words[n] >> 24 & 127 for n in used},
                      {n: (words[n] & 0xFFF ^ 0x800) - 0x800 for n in used},
                      {at: (cell ^ 8) - 8 for at, cell in cells.items() if cell})
    signs = {p: 1 - 2 * (registers[2 + p // 16] >> p % 16 & 1) for p in range(256)}
    return Loaded("odin", {n: words[n] >> 9 & 255 for n in used},
                  {n: (words[n] >> 1 & 127) * (words[n] >> 8 & 1) for n in used},
                  {n: words[n] >> 70 & 255 for n in used},
                  {at: (cell & 7) * signs[at[0]] for at, cell in cells.items() if cell & 8})


def network(chip: Loaded) -> tuple[str, list[int]]:
    """A network with an input for each row, so that it can be given any order: its text, and
    the rows by the elements of `x`. Its population n has the neurons by their numbers."""
    numbers = sorted(chip.threshold)
    rows = sorted({row for row, _ in chip.weights} | set(numbers))
    text = (shipped("targets") / chip.chip / "neuron.mlir").read_text()
    body = re.search(r"  dend\.neuron .*?\n  }\n", text, re.S)[0]

    def constant(name: str, values: object) -> str:
        array = np.asarray(values).astype(int)
        kind = f"tensor<{'x'.join(map(str, array.shape))}xi32>"
        return f"  dend.constant @{name} : {kind} = dense<{json.dumps(array.tolist())}> : {kind}"
    return "\n".join([
        "dend.network @order {", "  dend.clock @event",
        *(constant(name, [of[n] for n in numbers]) for name, of in
          (("threshold", chip.threshold), ("leak", chip.leak), ("start", chip.potential))),
        constant("W", [[chip.weights.get((row, n), 0) for row in rows] for n in numbers]),
        constant("each", np.ones((len(numbers), 1))),
        body.replace("reset sample", "reset sample init @start"),
        f"  dend.input @x on @event : tensor<{len(rows)}xf64> as !dend.spike<binary>",
        "  dend.input @time on @event : tensor<1xf64> as !dend.spike<binary>",
        f"  dend.population @n : @neuron[{len(numbers)}] on @event "
        "bind {threshold = @threshold, leak = @leak}",
        '  dend.project @x -> @n["I"] #dend.dense weight @W delay 0',
        '  dend.project @time -> @n["T"] #dend.dense weight @each delay 0',
        '  dend.output @s = @n["s"]', "}"]) + "\n", rows
