# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The order in which ODIN and tinyODIN take events, in a few lines of its own.

The engines take events in this order (`scheduling.queue`); `cosim` unrolls a network
into its events here, so that each is compared with the RTL, and tests hold both queues
against each other.
"""

from __future__ import annotations

import json
import re
from collections import deque
from dataclasses import dataclass, field
from typing import Iterable, Iterator

import numpy as np

from .binary import shipped
from .cosim import Events

DEPTH = {"odin": 32, "tinyodin": 128}
FLOOR_TOP = {"odin": (0, 255), "tinyodin": (-2048, 2047)}


@dataclass(frozen=True)
class Event:
    """A spike of a source, or what reaches one neuron or all of them by itself."""

    source: int | None = None
    neuron: int | None = None  # None: all
    weight: int = 0  # of a virtual event
    timed: bool = False

    @property
    def waits(self) -> bool:
        """Time references and single synapses pass those in the queue."""
        return not self.timed and (self.source is None) != (self.neuron is None) or \
            (self.source is None and self.neuron is not None and self.weight != 0)


@dataclass
class Done:
    """An event that was taken, the numbers that fired at it, and those that were lost."""

    event: Event
    fired: list[int]
    lost: list[int]


@dataclass
class Crossbar:
    """Neurons by their numbers, and the weights of rows."""

    chip: str
    threshold: dict[int, int]
    leak: dict[int, int]
    potential: dict[int, int]
    weights: dict[tuple[int, int], int]
    closed: bool = True  # spikes come back
    silent: frozenset[int] = frozenset()  # whose spikes go nowhere
    queue: deque[Event] = field(default_factory=deque)

    def take(self, event: Event) -> Done:
        low, high = FLOOR_TOP[self.chip]
        done = Done(event, [], [])
        for n in sorted(self.threshold) if event.neuron is None else [event.neuron]:
            if n not in self.threshold:
                continue
            v = self.potential[n]
            if event.timed:
                less = min(abs(v), self.leak[n])
                v += less if v < 0 else -less
            else:
                v += event.weight if event.source is None else self.weights.get((event.source, n), 0)
            v = min(max(v, low), high)
            fires = v >= max(self.threshold[n], 0)
            self.potential[n] = 0 if fires else v
            if fires and n not in self.silent:
                done.fired.append(n)
                if self.closed and len(self.queue) < DEPTH[self.chip]:
                    self.queue.append(Event(source=n))
                elif self.closed:
                    done.lost.append(n)
        return done

    def play(self, inputs: Iterable[Event]) -> Iterator[Done]:
        """Takes inputs as fast as the bus brings them, until nothing waits. Behind an
        input at least one event that waits is taken before the next; the one that is
        taken keeps its place in the queue until it ends."""
        pending, ready = deque(inputs), True
        while pending or self.queue:
            full = len(self.queue) == DEPTH[self.chip]
            if pending and not full and (ready or not self.queue):
                event, ready = pending.popleft(), False
                if event.waits:
                    self.queue.append(event)
                else:
                    yield self.take(event)
            else:
                done, ready = self.take(self.queue[0]), True
                self.queue.popleft()
                yield done


def loaded(session: Events) -> Crossbar:
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
        return Crossbar("tinyodin", {n: words[n] >> 12 & 0xFFF for n in used},
                        {n: words[n] >> 24 & 127 for n in used},
                        {n: (words[n] & 0xFFF ^ 0x800) - 0x800 for n in used},
                        {at: (cell ^ 8) - 8 for at, cell in cells.items() if cell}, not registers[1])
    signs = {p: 1 - 2 * (registers[2 + p // 16] >> p % 16 & 1) for p in range(256)}
    return Crossbar("odin", {n: words[n] >> 9 & 255 for n in used},
                    {n: (words[n] >> 1 & 127) * (words[n] >> 8 & 1) for n in used},
                    {n: words[n] >> 70 & 255 for n in used},
                    {at: (cell & 7) * signs[at[0]] for at, cell in cells.items() if cell & 8},
                    not registers[1])


def network(chip: Crossbar) -> tuple[str, list[int]]:
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


def events(session: Events, sample: int, tick: int) -> list[Event]:
    """The inputs of a tick: spikes by their numbers, then time references."""
    sent = [session.source[name, int(k)] for name, values in session.inputs.items()
            for k in np.flatnonzero(values[sample, tick]) if (name, int(k)) in session.source]
    return [Event(source=n) for n in sorted(n for n in sent if n is not None)] + \
        [Event(timed=True) for n in sent if n is None]
