# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A network of populations of your own neurons, from arrays."""

from __future__ import annotations

from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Tuple, Union

import numpy as np

from .arrays import ArrayLike, to_numpy
from .network import Network
from .neuron import Neuron, instead
from .value import number_text, refuse


class Input:
    """What the host sends, one array of `shape` in each step."""

    def __init__(self, name: str, shape: Tuple[int, ...]) -> None:
        self.name = name
        self.elements = int(np.prod(shape))


class Population:
    """Neurons of one kind. `population["name"]` is a port, an output or a state."""

    def __init__(self, name: str, neuron: Neuron, size: int) -> None:
        self.name, self.neuron, self.elements = name, neuron, size

    def __getitem__(self, name: str) -> "Part":
        neuron = self.neuron
        known = [*neuron.ports, *neuron.outputs, *neuron.states]
        if name not in known:
            raise refuse(
                f"population '{self.name}' of neuron '{neuron.name}' has no port, "
                f"output or state '{name}'{instead(name, known)}"
            )
        return Part(self, name)


class Part:
    """A port, an output or a state of a population."""

    def __init__(self, of: Population, name: str) -> None:
        self.of, self.name = of, name


def _identifier(name: str) -> str:
    if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
        raise refuse(f"'{name}' is no name; take letters, digits and _")
    return name


def _extents(end: Union[Input, Population], name: str) -> Tuple[int, ...]:
    """Neurons, and elements of each behind them."""
    own = () if isinstance(end, Input) else end.neuron.shapes[name]
    return (end.elements, *own)


class Circuit:
    """A network that is built by calls; `dl.check`, `dl.compile` and `dl.load` take
    it, and `network()` is what they see.

        net = dl.Circuit("memory")
        x = net.input("x", 4)
        a = net.population("a", plateau, 16, kd=np.linspace(0.8, 0.95, 16))
        net.connect(x, a["i_d"], weight)          # (16, 4): targets, sources
        net.output(a["s"])
    """

    def __init__(self, name: str = "circuit") -> None:
        self.name = _identifier(name)
        self._symbols = {"step"}
        self._lines: List[str] = []
        self._models: Dict[Tuple[int, FrozenSet[str]], Tuple[str, Neuron]] = {}
        self._arrays: Dict[str, np.ndarray] = {}
        self._ends: Dict[str, Union[Input, Population]] = {}
        self._without_delay: Dict[str, List[str]] = {}
        self._outputs = 0

    def _free(self, name: str) -> str:
        if _identifier(name) in self._symbols:
            raise refuse(f"there is a '{name}' already; take another name")
        return name

    def _symbol(self, name: str) -> str:
        """Take a symbol that nothing else has."""
        while name in self._symbols:
            name += "_"
        self._symbols.add(name)
        return name

    def input(
        self, name: str, shape: Union[int, Sequence[int]], spikes: str = "graded"
    ) -> Input:
        """Add an input of `shape` in each step; `spikes` is "binary" where it is 0
        and 1 alone, and "graded" for numbers."""
        if spikes not in ("binary", "graded"):
            raise refuse(
                f"input '{name}': spikes is '{spikes}', expected 'binary' or 'graded'"
            )
        extents = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
        if not extents or any(int(extent) < 1 for extent in extents):
            raise refuse(
                f"input '{name}': has shape {extents}, expected extents above 0"
            )
        made = Input(self._symbol(self._free(name)), extents)
        self._ends[name] = made
        text = ", ".join(str(int(extent)) for extent in extents)
        self._lines.append(f"dend.input @{name}[{text}] on @step as {spikes}")
        return made

    def population(
        self, name: str, neuron: Neuron, size: int, **params: ArrayLike
    ) -> Population:
        """Add `size` neurons of a kind. Each parameter is one number for all, or an
        array (size,); a vector dl.Param[4] has shape (4,) for all, or (size, 4)."""
        self._free(name)
        if not isinstance(neuron, Neuron):
            raise refuse(
                f"population '{name}': a {type(neuron).__name__} is no neuron; put "
                "@dl.neuron above its function"
            )
        if int(size) < 1:
            raise refuse(f"population '{name}': has {size} neurons, expected 1 or more")
        known = neuron.params
        for param in params:
            if param not in known:
                raise refuse(
                    f"population '{name}': neuron '{neuron.name}' has no parameter "
                    f"'{param}'{instead(param, list(known))}"
                )
        arrays = {}
        for param, default in known.items():
            given = params.get(param, default)
            what = f"population '{name}': parameter '{param}'"
            if given is None:
                raise refuse(f"{what} has no value; give {param}=number or array")
            arrays[param] = to_numpy(given, what)
            own = neuron.shapes[param]
            if arrays[param].shape not in ((), own, (size, *own)):
                raise refuse(
                    f"{what} has shape {arrays[param].shape}, expected "
                    + (f"{own} for all" if own else "one number")
                    + f" or {(size, *own)}, one for each neuron"
                )
            if own and not arrays[param].ndim:
                arrays[param] = np.full(own, arrays[param])
        made = Population(self._symbol(name), neuron, int(size))
        self._ends[name] = made
        each = frozenset(
            param for param in arrays if arrays[param].ndim > len(neuron.shapes[param])
        )
        bound = [
            f"{param} = @{self._constant(f'{name}_{param}', array)}"
            for param, array in arrays.items()
        ]
        bind = f" bind {{{', '.join(bound)}}}" if bound else ""
        model = self._model(neuron, each)
        self._lines.append(f"dend.population @{name} : @{model}[{size}] on @step{bind}")
        return made

    def _model(self, neuron: Neuron, per_neuron: FrozenSet[str]) -> str:
        known = self._models.get((id(neuron), per_neuron))
        if known is None:
            name = self._symbol(neuron.name)
            known = self._models[(id(neuron), per_neuron)] = (name, neuron)
        return known[0]

    def _constant(self, name: str, array: np.ndarray) -> str:
        name = self._symbol(name)
        if array.ndim == 0:
            self._lines.append(f"dend.constant @{name} = {number_text(array.item())}")
            return name
        self._arrays[name] = array.astype(np.float64)
        shape = "".join(f"{extent}x" for extent in array.shape)
        self._lines.append(
            f'dend.constant @{name} : tensor<{shape}f64> extern "{name}"'
        )
        return name

    def connect(
        self,
        source: Union[Input, Population, Part],
        target: Union[Population, Part],
        weight: ArrayLike,
        bias: Optional[ArrayLike] = None,
        delay: int = 0,
    ) -> None:
        """Add synapses from an input or an output to a port, all to all.

        `weight` is (targets, sources), `bias` (targets,) acts in every step. What is
        sent arrives in the same step, or `delay` steps later; a loop needs a delay. A
        vector port dl.Port[4] takes (targets, 4, sources).
        """
        start, output = self._end(source, "outputs")
        end, port = self._end(target, "ports")
        what = f"connect {start.name} -> {end.name}"
        if isinstance(end, Input):
            raise refuse(f"{what}: an input takes no spikes")
        matrix = to_numpy(weight, f"{what}: weight")
        ends, starts = _extents(end, port), _extents(start, output)
        expected = (int(np.prod(ends)), int(np.prod(starts)))
        if matrix.shape == (*ends, *starts):
            matrix = matrix.reshape(expected)
        if matrix.shape != expected:
            turned = matrix.shape == expected[::-1]
            raise refuse(
                f"{what}: weight has shape {matrix.shape}, expected {expected}: targets, "
                "sources" + (f", or {(*ends, *starts)}" if len(ends) > 1 else "") + ("; take weight.T" if turned else "")
            )
        if int(delay) != delay or delay < 0:
            raise refuse(f"{what}: delay is {delay}, expected 0, 1, 2, ... steps")
        offset = None if bias is None else to_numpy(bias, f"{what}: bias")
        if offset is not None and offset.shape == ends:
            offset = offset.reshape(expected[:1])
        if offset is not None and offset.shape != expected[:1]:
            raise refuse(
                f"{what}: bias has shape {offset.shape}, expected {expected[:1]}"
            )
        if not delay:
            self._refuse_loop(start.name, end.name)
        name = f"{start.name}_{end.name}_{port}"
        text = f"weight @{self._constant(name, matrix)}"
        if offset is not None:
            text += f" bias @{self._constant(f'{name}_bias', offset)}"
        origin = f"@{start.name}" + (f'["{output}"]' if output else "")
        self._lines.append(
            f'dend.project {origin} -> @{end.name}["{port}"] {text} delay {int(delay)}'
        )

    def _end(self, of: Any, kind: str) -> Tuple[Union[Input, Population], str]:
        """Return what a connection begins or ends at, and the output or port there."""
        end, name = (of.of, of.name) if isinstance(of, Part) else (of, "")
        kinds = (Input, Population)
        if not isinstance(end, kinds) or self._ends.get(end.name) is not end:
            raise refuse(f"connect: {of!r} is no input or population of this circuit")
        if isinstance(end, Input):
            return end, ""
        known = getattr(end.neuron, kind)
        if not name and len(known) == 1:
            name = known[0]
        if name not in known:
            raise refuse(
                f"connect: population '{end.name}' has the {kind} {', '.join(known)}"
                + (f", and '{name}' is none of them" if name else "")
                + (f'; write which one, as {end.name}["{known[0]}"]' if known else "")
            )
        return end, name

    def _refuse_loop(self, source: str, target: str) -> None:
        """Refuse a connection that closes a loop within a step."""
        paths = [[target]]
        for path in paths:
            if path[-1] == source:
                loop = " -> ".join([source, *path])
                raise refuse(
                    f"connect {source} -> {target}: {loop} is a cycle without delay: "
                    "each would wait for the other in the same step; give one "
                    "connection delay=1",
                    hint="give one connection delay=1",
                )
            paths += [path + [after] for after in self._without_delay.get(path[-1], [])]
        self._without_delay.setdefault(source, []).append(target)

    def output(
        self,
        of: Union[Population, Part],
        name: Optional[str] = None,
        decode: Optional[str] = None,
    ) -> None:
        """Let the host receive an output, or watch a state, which each neuron then sends
        in every step; `trace=` of a run shows it without a message. `decode` says what
        the answer of a sample is: "mean" over its steps, or "last=N" over the last N."""
        end: Union[Input, Population]
        if isinstance(of, Part) and of.name in of.of.neuron.states:
            probe, end, word = "probe ", of.of, of.name
        else:
            probe, (end, word) = "", self._end(of, "outputs")
        called = self._symbol(f"{end.name}_{word}" if name is None else self._free(name))
        self._outputs += 1
        tail = f' decode "{decode}"' if decode else ""
        self._lines.append(
            f'dend.output @{called} = {probe}@{end.name}["{word}"]{tail}'
        )

    def text(self) -> str:
        """Return the network in the dialect; its arrays are `network()`'s."""
        if not self._outputs:
            raise refuse(f"circuit '{self.name}' has no output; call output(population)")
        parts = ["dend.clock @step"]
        for (_, per_neuron), (name, neuron) in self._models.items():
            parts.append(neuron.text(per_neuron, name))
        body = "\n".join([*parts, *self._lines]).replace("\n", "\n  ")
        return f"dend.network @{self.name} {{\n  {body}\n}}\n"

    def network(self) -> Network:
        """Return the network as it stands."""
        return Network(f"{self.name}.mlir", None, self.text().encode(), self._arrays)
