# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of a neuron's equations: `leak`, `fire`, `where`, `maximum`, ...

They compute what a neuron does, from numbers, arrays of numpy and tensors of torch.
They also take the values that `dendrolith.neuron` hands to the same function when it
reads its equations. So one function is the neuron on a chip and its reference in
numpy and torch.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional

import numpy as np

from .value import OF_NUMPY, Operand, body_of, refuse, select

__all__ = [
    "leak",
    "fire",
    "where",
    "maximum",
    "minimum",
    "clip",
    "relu",
    "exp",
    "tanh",
    "sigmoid",
    "softplus",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "log",
    "total",
    "largest",
    "element",
    "dot",
    "matvec",
    "each",
]


def _library(*operands: Operand) -> Any:
    """Return numpy, or torch where an operand is a tensor, and the operands for it."""
    torch = sys.modules.get("torch")
    for like in operands:
        if torch is not None and isinstance(like, torch.Tensor):
            made = [
                x
                if isinstance(x, torch.Tensor)
                else torch.as_tensor(x, dtype=like.dtype, device=like.device)
                for x in operands
            ]
            return torch, made
    return np, operands


def _function(name: str, formula: Callable[[Any, Any], Any], doc: str) -> Any:
    def work(x: Operand) -> Any:
        body = body_of(x)
        if body is not None:
            return body.add(f"math {name} {body.real(x)}")
        library, (x,) = _library(x)
        return formula(library, x)

    work.__name__, work.__doc__ = name, doc
    return work


exp = _function("exp", lambda m, x: m.exp(x), "e to the power of x.")
log = _function("log", lambda m, x: m.log(x), "The natural logarithm; not on a chip.")
tanh = _function("tanh", lambda m, x: m.tanh(x), "The hyperbolic tangent.")
sqrt = _function("sqrt", lambda m, x: m.sqrt(x), "The square root.")
rsqrt = _function("rsqrt", lambda m, x: 1 / m.sqrt(x), "1 / sqrt(x).")
reciprocal = _function("reciprocal", lambda m, x: 1 / x, "1 / x.")
sigmoid = _function("sigmoid", lambda m, x: 1 / (1 + m.exp(-x)), "1 / (1 + exp(-x)).")
softplus = _function("softplus", lambda m, x: m.log(1 + m.exp(x)), "log(1 + exp(x)).")


def _extreme(op: str, name: str, doc: str) -> Any:
    def work(a: Operand, b: Operand) -> Any:
        body = body_of(a, b)
        if body is not None:
            return body.add(f"{op} {body.real(a)}, {body.real(b)}")
        library, (a, b) = _library(a, b)
        return getattr(library, name)(a, b)

    work.__name__, work.__doc__ = name, doc
    return work


maximum = _extreme("max", "maximum", "Give the larger of two numbers.")
minimum = _extreme("min", "minimum", "Give the smaller of two numbers.")


def clip(x: Operand, low: Operand, high: Operand) -> Any:
    """Give x between low and high."""
    return minimum(maximum(x, low), high)


def relu(x: Operand) -> Any:
    """Give x where it is above 0, else 0."""
    return maximum(x, 0.0)


def where(condition: Operand, yes: Operand, no: Operand) -> Any:
    """Give yes where the condition is true, else no."""
    body = body_of(condition, yes, no)
    if body is not None:
        return select(body.truth(condition), yes, no)
    library, (yes, no) = _library(yes, no)
    return library.where(condition, yes, no)


def leak(
    state: Operand,
    drive: Operand,
    keep: Operand,
    gain: Optional[Operand] = None,
) -> Any:
    """Give keep * state + gain * drive, a compartment after a step; gain is 1 where
    it is left out, keep is the decay factor of a step, exp(-dt / tau)."""
    body = body_of(state, drive, keep, gain)
    if body is None:
        return keep * state + (drive if gain is None else gain * drive)
    text = f"compartment {body.real(state)} drive {body.real(drive)}"
    text += f" keep {body.real(keep)}"
    return body.add(text + ("" if gain is None else f" gain {body.real(gain)}"))


def fire(
    v: Operand, theta: Operand, reset: Operand = 0.0, inclusive: bool = False
) -> Any:
    """Give whether v > theta (with `inclusive` v >= theta), and v after that: `reset`
    is where a spike puts v, "subtract" takes theta off (a soft reset), and "none"
    leaves v."""
    if isinstance(reset, str) and reset not in ("subtract", "none"):
        raise refuse(
            f"fire: reset is '{reset}', expected a number, 'subtract' or 'none'"
        )
    body = body_of(v, theta, reset)
    if body is None:
        spike = v >= theta if inclusive else v > theta
        if isinstance(reset, str):
            return spike, where(spike, v - theta, v) if reset == "subtract" else v
        return spike, where(spike, reset, v)
    text = f"fire {body.real(v)}, {body.real(theta)} reset "
    if isinstance(reset, str):
        text += reset
    elif isinstance(reset, (int, float)) and reset == 0:
        text += "value"
    else:
        text += f"value to {body.real(reset)}"
    return tuple(body.fire(text + (" inclusive" if inclusive else "")))


def total(d: Operand) -> Any:
    """Give the sum of a vector's elements; of arrays (neurons, elements), too."""
    body = body_of(d)
    if body is not None:
        return body.add(f"reduce sum {body.vector(d, 'total')}", False, ())
    return d.sum(-1)


def largest(d: Operand) -> Any:
    """Give the largest of a vector's elements."""
    body = body_of(d)
    if body is not None:
        return body.add(f"reduce max {body.vector(d, 'largest')}", False, ())
    library, (d,) = _library(d)
    return d.max(-1) if library is np else d.amax(-1)


def element(d: Operand, place: int) -> Any:
    """Give one element of a vector, the first by 0."""
    body = body_of(d)
    if body is None:
        return d[..., place]
    vector = body.vector(d, "element")
    if not 0 <= int(place) < vector.shape[0]:
        raise refuse(f"element {place} of a vector of {vector.shape[0]} is asked for")
    return body.add(f"element {vector}[{int(place)}]", False, vector.shape[1:])


def dot(a: Operand, b: Operand) -> Any:
    """Give the sum of the products of two vectors' elements."""
    body = body_of(a, b)
    if body is None:
        return (a * b).sum(-1)
    x, y = body.vector(a, "dot"), body.vector(b, "dot")
    if x.shape != y.shape or len(x.shape) != 1:
        raise refuse(f"dot takes two vectors, found shapes {x.shape} and {y.shape}")
    return body.add(f"dot {x}, {y}", False, ())


def matvec(matrix: Operand, d: Operand) -> Any:
    """Give a matrix (dl.Param[3, 4]) times a vector."""
    body = body_of(matrix, d)
    if body is None:
        return (matrix * d[..., None, :]).sum(-1)
    m, x = body.vector(matrix, "matvec"), body.vector(d, "matvec")
    if len(m.shape) != 2 or m.shape[1:] != x.shape:
        raise refuse(
            f"matvec takes a matrix and its vector, found shapes {m.shape} and {x.shape}"
        )
    return body.add(f"matvec {m}, {x}", False, m.shape[:1])


def each(v: Operand) -> Any:
    """Give a number of a neuron beside its vectors: in equations v itself, of an array
    (neurons,) one of (neurons, 1)."""
    return v if body_of(v) is not None else v[..., None]


OF_NUMPY.update(
    maximum=maximum, minimum=minimum, exp=exp, log=log, tanh=tanh, sqrt=sqrt
)
