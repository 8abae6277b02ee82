# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A neuron from a Python function of its equations.

    @dl.neuron
    def plateau(i_d: dl.Port, i_s: dl.Port, d: dl.State, p: dl.State, v: dl.State,
                kd: dl.Param, kp: dl.Param = 0.95, kv: dl.Param = 0.9):
        d = leak(d, i_d, kd)
        p = maximum(kp * p, sigmoid(4 * (d - 1)))
        s, v = fire(leak(v, i_s + p, kv), 1.0)
        return dict(d=d, p=p, v=v, s=s)

The function is called once, and says what one neuron does in one step. It returns
the next value of every state, and what it sends by other names. Called with arrays
it computes with them, as any function does. `d: dl.State[8]` are eight numbers of each
neuron, as branches have them; ports and parameters take a size, too.
"""

from __future__ import annotations

import difflib
import inspect
from typing import (
    Annotated,
    Any,
    Callable,
    Dict,
    FrozenSet,
    List,
    Mapping,
    Tuple,
    get_type_hints,
)

from .value import Body, Operand, Shape, Value, number_text, refuse, type_text


class _Kind(type):
    """What an argument of a neuron is; with a size it has that many elements."""

    _kind: str

    def __getitem__(cls, size: Any) -> Any:
        shape = size if isinstance(size, tuple) else (size,)
        whole = all(isinstance(n, int) and n > 0 for n in shape)
        if not whole or len(shape) > (2 if cls._kind == "param" else 1):
            raise refuse(
                f"dl.{cls.__name__}[{size!r}]: expected a number of elements, as "
                f"dl.{cls.__name__}[4]"
                + (", or two for a matrix" if cls._kind == "param" else "")
            )
        return Annotated[Any, cls._kind, shape]


class Port(metaclass=_Kind):
    """The sum of what arrives at a neuron in a step, weights times spikes; of
    `dl.Port[4]` four sums, one for each branch."""

    _kind = "port"


class State(metaclass=_Kind):
    """What a neuron keeps from step to step; a default is its value at the start of a
    sample, which is 0 else. `dl.State[4]` is a vector of four."""

    _kind = "state"


class Param(metaclass=_Kind):
    """A number that Circuit.population binds, to one for all neurons or to an array
    (neurons,); a default is taken where it does not. `dl.Param[4]` is a vector, for all
    neurons or (neurons, 4), and `dl.Param[4, 4]` a matrix."""

    _kind = "param"


def _kind_of(hint: Any) -> Tuple[str, Shape]:
    """What an annotation declares, and of which shape; "" for anything else."""
    if isinstance(hint, _Kind):
        return hint._kind, ()
    made: Tuple[Any, ...] = getattr(hint, "__metadata__", ())
    return (made[0], made[1]) if len(made) == 2 else ("", ())


def instead(word: str, known: List[str]) -> str:
    """Say which name was probably meant, or which there are."""
    near = difflib.get_close_matches(word, known, 1)
    if near:
        return f", did you mean '{near[0]}'?"
    return f"; there is {', '.join(known) or 'none'}"


class Neuron:
    """A kind of neuron: its ports, parameters, states and outputs by name, and its
    equations. `dendrolith.neuron` makes it, Circuit.population makes neurons of it."""

    def __init__(self, function: Callable[..., Mapping[str, Operand]]) -> None:
        self.name = function.__name__
        self.__doc__ = function.__doc__
        self._function = function
        self._parts: Dict[str, Dict[str, Any]] = {"port": {}, "param": {}, "state": {}}
        #: Elements of each argument and of what is sent: () is a number.
        self.shapes: Dict[str, Shape] = {}
        self._declare()
        body = Body(self.name)
        given = {
            name: Value(body, f"%{name}", False, shape)
            for name, shape in self.shapes.items()
        }
        result = function(**given)
        self._next: Dict[str, Value] = {}
        self._sent: Dict[str, Value] = {}
        self._take(body, result)
        self._lines = body.lines

    def _declare(self) -> None:
        try:
            hints = get_type_hints(self._function, include_extras=True)
        except NameError as error:
            raise refuse(
                f"neuron '{self.name}': {error}; write dl.Port, dl.State and dl.Param "
                "with the module's own name of dendrolith"
            ) from error
        for name, given in inspect.signature(self._function).parameters.items():
            kind, self.shapes[name] = _kind_of(hints.get(name))
            if kind not in self._parts:
                raise refuse(
                    f"neuron '{self.name}': '{name}' is declared as nothing; write "
                    f"'{name}: dl.Port', '{name}: dl.State' or '{name}: dl.Param'"
                )
            empty = given.default is inspect.Parameter.empty
            default = None if empty else given.default
            if kind == "port" and default is not None:
                raise refuse(f"neuron '{self.name}': port '{name}' has no default")
            self._parts[kind][name] = default

    def _take(self, body: Body, result: Any) -> None:
        if not isinstance(result, Mapping):
            raise refuse(
                f"neuron '{self.name}' returns a {type(result).__name__}, expected a "
                "dict: dict(v=v, s=s), each state's next value and what is sent"
            )
        states = self.states
        for name, operand in result.items():
            if name in self.ports or name in self.params:
                raise refuse(
                    f"neuron '{self.name}' returns '{name}', which it cannot change; "
                    "give what it sends another name"
                )
            value = body.value(operand)
            if name in states:
                self._next[name] = body.spread(body.real(value), self.shapes[name])
                continue
            if len(value.shape) > 1:
                raise refuse(
                    f"neuron '{self.name}' sends '{name}' of shape {value.shape}, "
                    "expected a number or a vector"
                )
            self._sent[name], self.shapes[name] = value, value.shape
        for name in states:
            if name not in self._next:
                others = difflib.get_close_matches(name, list(self._sent), 1)
                raise refuse(
                    f"state '{name}' of neuron '{self.name}' is never assigned: what "
                    f"the function returns has no '{name}'"
                    + (f", is '{others[0]}' meant to be it?" if others else "")
                )
        if not self._sent:
            raise refuse(
                f"neuron '{self.name}' sends nothing; return a spike or a number "
                "under a name that is no state, as in dict(v=v, s=v > 1)"
            )

    @property
    def ports(self) -> List[str]:
        """Names of the ports."""
        return list(self._parts["port"])

    @property
    def params(self) -> Dict[str, Any]:
        """The parameters, with their defaults or None."""
        return dict(self._parts["param"])

    @property
    def states(self) -> Dict[str, float]:
        """The states, with their values at the start of a sample."""
        return {k: float(v or 0) for k, v in self._parts["state"].items()}

    @property
    def outputs(self) -> List[str]:
        """Names of what a neuron sends."""
        return list(self._sent)

    def __call__(self, *operands: Operand, **named: Operand) -> Any:
        """Compute the equations, with arrays (neurons,) of numpy or torch."""
        return self._function(*operands, **named)

    def text(self, per_neuron: FrozenSet[str] = frozenset(), name: str = "") -> str:
        """Return the `dend.neuron`, where the parameters in `per_neuron` have a value
        for each neuron."""

        def declared(one: str) -> str:
            shape = self.shapes[one]
            return f"%{one}" + (f" : {type_text(shape)}" if shape else "")

        params = [
            declared(param) + (" per_neuron" if param in per_neuron else "")
            for param in self.params
        ]
        states = [
            declared(state) + (f" init {number_text(init)}" if init else "")
            for state, init in self.states.items()
        ]
        lines = [f"dend.neuron @{name or self.name}"]
        ports = [declared(port) for port in self.ports]
        for word, parts in (("ports", ports), ("params", params), ("states", states)):
            if parts:
                lines.append(f"    {word}({', '.join(parts)})")
        sent = [k + (f"[{v.shape[0]}]" if v.shape else "") for k, v in self._sent.items()]
        lines.append(f"    outputs({', '.join(sent)}) {{")
        lines += ["  " + line for line in self._lines]
        ends = []
        if states:
            ends.append(f"states({', '.join(str(self._next[s]) for s in self.states)})")
        ends.append(f"emit({', '.join(map(str, self._sent.values()))})")
        lines.append(f"  dend.yield {' '.join(ends)}")
        return "\n".join([*lines, "}"])

    def __repr__(self) -> str:
        return f"<dendrolith.Neuron {self.name}{inspect.signature(self._function)}>"


def neuron(function: Callable[..., Mapping[str, Operand]]) -> Neuron:
    """Make a kind of neuron of a function of its equations.

    Its arguments are declared as `dl.Port`, the sum of what arrives in a step;
    `dl.State`, what is kept from step to step, whose default is its value at the
    start of a sample; or `dl.Param`, one number for all neurons or one for each. With a
    size, as `dl.State[4]`, they are vectors of each neuron. It returns a dict: the next value of each state, and by other names what the neuron
    sends (true or not is a spike, a number is a graded spike).
    """
    return Neuron(function)
