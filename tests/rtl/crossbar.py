# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The order in which ODIN and tinyODIN take events, in a few lines of its own, against
which tests/runtime/python/order_test.py holds the engines.
"""
from collections import deque
from dataclasses import dataclass, field
from typing import Iterable, Iterator

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
    """Neurons by their numbers, the weights of rows, and the queue."""

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
