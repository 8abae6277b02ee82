# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A number inside the equations of a neuron, and the operations made of it, as text
of the dialect."""

from __future__ import annotations

import math
import re
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from .errors import DendrolithError

#: A number, an array, a tensor, or a Value.
Operand = Any
#: Of what a neuron has of a value: () is one number, (4,) are four.
Shape = Tuple[int, ...]


def type_text(shape: Shape) -> str:
    """Write the type of a value in the dialect."""
    return f"tensor<{'x'.join(map(str, shape))}xf64>" if shape else "f64"


def refuse(message: str, hint: Optional[str] = None) -> DendrolithError:
    """Make an error whose place is the line outside of this package."""
    here = str(Path(__file__).parent)
    for frame in reversed(traceback.extract_stack()):
        if not frame.filename.startswith(here):
            place = f"{frame.filename}:{frame.lineno}: "
            return DendrolithError(
                place + message, frame.filename, frame.lineno, hint=hint
            )
    return DendrolithError(message, hint=hint)


def number_text(value: float) -> str:
    """Write a number as the dialect reads it: 1e-05 as 1.0e-05."""
    digits, e, exponent = repr(float(value)).partition("e")
    return digits + ("" if "." in digits else ".0") + e + exponent


def body_of(*operands: Operand) -> Optional[Body]:
    for operand in operands:
        if isinstance(operand, Value):
            return operand.body
    return None


def _binary(op: str) -> Callable[[Operand, Operand], Value]:
    def work(a: Operand, b: Operand) -> Value:
        body = body_of(a, b)
        assert body is not None
        x, y = body.value(a), body.value(b)
        if op == "mul" and x.is_truth != y.is_truth:  # s * theta chooses
            return select(x, y, 0.0) if x.is_truth else select(y, x, 0.0)
        return body.add(f"{op} {body.real(x)}, {body.real(y)}")

    return work


def _compare(predicate: str) -> Callable[[Operand, Operand], Value]:
    def work(a: Operand, b: Operand) -> Value:
        body = body_of(a, b)
        assert body is not None
        return body.add(f"cmp {predicate} {body.real(a)}, {body.real(b)}", True)

    return work


def _logic(op: str) -> Callable[[Operand, Operand], Value]:
    def work(a: Operand, b: Operand) -> Value:
        body = body_of(a, b)
        assert body is not None
        return body.add(f"{op} {body.truth(a)}, {body.truth(b)}", True)

    return work


def select(condition: Value, yes: Operand, no: Operand) -> Value:
    body = condition.body
    a, b = body.value(yes), body.value(no)
    if a.is_truth != b.is_truth:
        a, b = body.real(a), body.real(b)
    if condition.shape and not (a.shape or b.shape):
        a = body.spread(a, condition.shape)
    return body.add(f"select {body.truth(condition)}, {a}, {b}", a.is_truth)


def _swapped(work: Callable[[Operand, Operand], Value]) -> Any:
    return lambda a, b: work(b, a)


class Body:
    """The operations of a neuron in the order in which they were written."""

    def __init__(self, neuron: str) -> None:
        self.neuron = neuron
        self.lines: List[str] = []
        self.shapes: Dict[str, Shape] = {}
        self._literals: Dict[str, Value] = {}

    def _shape_of(self, text: str) -> Shape:
        """The shape that the values in `text` have together: numbers go with all."""
        shapes = [self.shapes[name] for name in re.findall(r"%\w+", text)]
        wide = [shape for shape in shapes if shape]
        if any(shape != wide[0] for shape in wide):
            raise refuse(
                f"values of shapes {' and '.join(map(str, wide))} are put together in "
                f"the equations of '{self.neuron}'; only numbers go with vectors"
            )
        return wide[0] if wide else ()

    def add(
        self, text: str, is_truth: bool = False, shape: Optional[Shape] = None
    ) -> Value:
        shape = self._shape_of(text) if shape is None else shape
        name = f"%{len(self.lines)}"
        self.lines.append(f"{name} = dend.{text}")
        return Value(self, name, is_truth, shape)

    def fire(self, text: str) -> List[Value]:
        shape, number = self._shape_of(text), len(self.lines)
        self.lines.append(f"%{number}, %after{number} = dend.{text}")
        names = [(f"%{number}", True), (f"%after{number}", False)]
        return [Value(self, name, is_truth, shape) for name, is_truth in names]

    def spread(self, value: Value, shape: Shape) -> Value:
        """Give a number to all elements of a shape."""
        if value.shape == shape:
            return value
        if value.shape:
            raise refuse(
                f"a value of shape {value.shape} is where the equations of "
                f"'{self.neuron}' need shape {shape}"
            )
        number = self.real(value)
        return self.add(f"splat {number} -> {type_text(shape)}", False, shape)

    def vector(self, operand: Operand, what: str) -> Value:
        """Return a value that has elements."""
        value = self.real(operand)
        if not value.shape:
            raise refuse(
                f"{what} takes a vector, and in the equations of '{self.neuron}' it gets "
                "one number; dl.State[4] declares a state of four"
            )
        return value

    def value(self, operand: Operand) -> Value:
        """Return the value of an operand, of a number a literal."""
        if isinstance(operand, Value):
            if operand.body is not self:
                raise refuse(
                    f"a value of neuron '{operand.body.neuron}' is used in neuron "
                    f"'{self.neuron}'; neurons see each other's spikes alone"
                )
            return operand
        if isinstance(operand, (bool, np.bool_)):
            return self._literal("true" if operand else "false", True)
        shape = np.shape(operand) if hasattr(operand, "shape") else ()
        if len(shape):
            raise refuse(
                f"an array of shape {tuple(shape)} is in the equations of "
                f"'{self.neuron}', which are of one neuron; declare a parameter "
                "(name: dl.Param), and give the array to Circuit.population"
            )
        try:
            number = float("no" if isinstance(operand, str) else operand)
        except (TypeError, ValueError) as error:
            raise refuse(
                f"a {type(operand).__name__} is in the equations of "
                f"'{self.neuron}', expected a number or a value of the neuron"
            ) from error
        if not math.isfinite(number):
            raise refuse(f"{number} is in the equations of '{self.neuron}'")
        return self._literal(number_text(number), False)

    def _literal(self, text: str, is_truth: bool) -> Value:
        if text not in self._literals:
            self._literals[text] = self.add(f"literal {text}", is_truth)
        return self._literals[text]

    def real(self, operand: Operand) -> Value:
        """Return an operand as a real: 1.0 for what is true, 0.0 for what is not."""
        value = self.value(operand)
        return select(value, 1.0, 0.0) if value.is_truth else value

    def truth(self, operand: Operand) -> Value:
        value = self.value(operand)
        if not value.is_truth:
            raise refuse(
                f"a number is where the equations of '{self.neuron}' need what is "
                "true or not, as v > theta is"
            )
        return value


class Value:
    """A number of one neuron or several of them, in its equations; after a comparison
    what is true or not. It has no value while the equations are read."""

    def __init__(
        self, body: Body, name: str, is_truth: bool = False, shape: Shape = ()
    ) -> None:
        self.body, self.name, self.is_truth, self.shape = body, name, is_truth, shape
        body.shapes[name] = shape

    def __str__(self) -> str:
        return self.name

    def __bool__(self) -> bool:
        raise refuse(
            "'if', 'and', 'or' and 'not' cannot ask a value of a neuron, which has "
            "none yet; use where(condition, a, b), and &, | and ~",
            hint="use where(condition, a, b), and &, | and ~",
        )

    def __float__(self) -> float:
        raise refuse(
            "a function of numbers cannot take a value of a neuron; those of "
            "dendrolith.equations and of numpy can"
        )

    def __getitem__(self, place: Any) -> Value:
        raise refuse(
            "elements of a neuron's vector are element(d, 2), and total(d) adds them up: "
            "of an array, d[2] would be a neuron's"
        )

    __add__, __radd__ = _binary("add"), _swapped(_binary("add"))
    __sub__, __rsub__ = _binary("sub"), _swapped(_binary("sub"))
    __mul__, __rmul__ = _binary("mul"), _swapped(_binary("mul"))
    __truediv__, __rtruediv__ = _binary("div"), _swapped(_binary("div"))
    __lt__, __le__ = _compare("lt"), _compare("le")
    __gt__, __ge__ = _compare("gt"), _compare("ge")
    __eq__, __ne__ = _compare("eq"), _compare("ne")  # type: ignore[assignment]
    __and__, __rand__ = _logic("min"), _swapped(_logic("min"))
    __or__, __ror__ = _logic("max"), _swapped(_logic("max"))
    __hash__ = object.__hash__

    def __pow__(self, exponent: int) -> Value:
        if exponent not in (2, 3, 4):
            raise refuse("a power is of 2, 3 or 4 here; write others as exp and log")
        product = self
        for _ in range(exponent - 1):
            product = product * self
        return product

    def __neg__(self) -> Value:
        return self.body.add(f"neg {self.body.real(self)}")

    def __abs__(self) -> Value:
        return self.body.add(f"abs {self.body.real(self)}")

    def __invert__(self) -> Value:
        text = f"cmp eq {self.body.truth(self)}, {self.body.value(False)}"
        return self.body.add(text, True)

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **named: Any
    ) -> Value:
        """Take the functions of numpy that are equations of a neuron."""
        known = OF_NUMPY.get(ufunc.__name__)
        if method != "__call__" or known is None or named:
            raise refuse(
                f"numpy.{ufunc.__name__} is none of the equations of a neuron; of "
                f"numpy there are {', '.join(sorted(OF_NUMPY))}"
            )
        return known(*inputs)


#: The functions of numpy that are equations of a neuron, by their names.
OF_NUMPY: Dict[str, Callable[..., Value]] = {
    "add": _binary("add"),
    "subtract": _binary("sub"),
    "multiply": _binary("mul"),
    "divide": _binary("div"),
    "true_divide": _binary("div"),
    "greater": _compare("gt"),
    "greater_equal": _compare("ge"),
    "less": _compare("lt"),
    "less_equal": _compare("le"),
    "equal": _compare("eq"),
    "not_equal": _compare("ne"),
    "absolute": Value.__abs__,
    "negative": Value.__neg__,
}
