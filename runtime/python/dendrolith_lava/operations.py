# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations of dialects/dend/DendBodyOps.td on integers: what operands each
takes, and what it computes."""
from math import prod

import numpy as np

from dendrolith_lava import arithmetic as fx
from dendrolith_lava.checks import Type, expect

ROUNDINGS = ("floor", "toward_zero", "nearest_even", "nearest_up")
OVERFLOWS = ("wrap", "saturate")
COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less,
           "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}


def lift(x, rank):
    """(neurons, dims...) with ones behind, so that scalars broadcast."""
    return x.reshape(x.shape + (1,) * (rank + 1 - x.ndim))


# Rules: dims of the result from operand types, or an error.

def same(kinds, attributes, result):
    """Element-wise operands of one type, which is the result's."""
    expect(all(kind[:2] == result[:2] for kind in kinds), "types differ")
    return common(kinds)


def common(kinds):
    dims = {kind.dims for kind in kinds} - {()}
    expect(kinds and len(dims) <= 1, "shapes differ")
    return dims.pop() if dims else ()


def compared(kinds, attributes, result):
    expect(attributes["predicate"] in COMPARE and result.bits == 1, "no comparison")
    expect(len(kinds) == 2 and kinds[0][:2] == kinds[1][:2], "types differ")
    return common(kinds)


def selected(kinds, attributes, result):
    expect(len(kinds) == 3 and kinds[0].bits == 1, "no condition")
    same(kinds[1:], attributes, result)
    return common(kinds)


def multiplied(kinds, attributes, result):
    expect(len(kinds) == 2 and result.exponent == kinds[0].exponent + kinds[1].exponent
           and kinds[0].bits + kinds[1].bits <= 64, "the product does not fit")
    return common(kinds)


def counted(count, rule=same):
    def check(kinds, attributes, result):
        expect(len(kinds) == count, f"{len(kinds)} operands, expected {count}")
        expect(attributes.get("overflow", "wrap") in OVERFLOWS, "unknown overflow")
        expect(attributes.get("rounding", "floor") in ROUNDINGS, "unknown rounding")
        return rule(kinds, attributes, result)
    return check


def needs(*keys, count, rule):
    """counted() of an operation that says how it rounds, and what overflow does."""
    known = {"rounding": ROUNDINGS, "overflow": OVERFLOWS}

    def check(kinds, attributes, result):
        for key in keys:
            expect(attributes.get(key) in known[key],
                   f"{key} {attributes.get(key)!r}, expected one of {known[key]}")
        return counted(count, rule)(kinds, attributes, result)
    return check


def any_type(kinds, attributes, result):
    return common(kinds)


def literal_dims(kinds, attributes, result):
    expect(not kinds, "a constant reads nothing")
    value = attributes["value"]
    low, high = (0, 1) if result.bits == 1 else (-(1 << (result.bits - 1)),
                                                 (1 << (result.bits - 1)) - 1)
    if isinstance(value, np.ndarray):
        expect(value.dtype.kind == "i" and value.size and low <= value.min()
               and value.max() <= high, "a constant outside its type")
        return value.shape
    expect(isinstance(value, int) and low <= value <= high, "a constant outside its type")
    return result.dims


def shifted(kinds, attributes, result):
    expect(kinds[0][:2] == result[:2], "types differ")
    return common(kinds)


def tabled(kinds, attributes, result):
    low, step = (np.ldexp(float(attributes[key]), -kinds[0].exponent) for key in ("low", "step"))
    expect(len(kinds[1].dims) == 1 and kinds[1][:2] == result[:2], "knots do not fit")
    expect(low == np.floor(low) and abs(low) < 2.0**63 and 1 <= step < 2.0**62
           and np.frexp(step)[0] == 0.5, "knots do not lie on integers")
    return kinds[0].dims


def dotted(kinds, attributes, result):
    expect(kinds[0].dims == kinds[1].dims, "shapes differ")
    return ()


def matvec_dims(kinds, attributes, result):
    (rows, columns), (length,) = kinds[0].dims, kinds[1].dims
    expect(columns == length, "shapes differ")
    return (rows,)


def vecmat_dims(kinds, attributes, result):
    (length,), (rows, columns) = kinds[0].dims, kinds[1].dims
    expect(rows == length, "shapes differ")
    return (columns,)


def outer_dims(kinds, attributes, result):
    expect(kinds[0] == result and prod(kinds[0].dims) == prod(kinds[1].dims) * prod(kinds[2].dims),
           "shapes differ")
    return kinds[0].dims


def reduced(kinds, attributes, result):
    expect(attributes["kind"] in ("sum", "max") and kinds[0][:2] == result[:2], "types differ")
    return ()


def top_dims(kinds, attributes, result):
    expect(attributes["k"] >= 0 and result.bits == 1 and len(kinds[0].dims) == 1, "no vector")
    return kinds[0].dims


def slice_dims(kinds, attributes, result):
    offset, size = attributes["offset"], attributes["size"]
    expect(kinds[0][:2] == result[:2] and size > 0 and 0 <= offset
           and offset + size <= kinds[0].dims[0], "outside the operand")
    return (size,) + kinds[0].dims[1:]


def element_dims(kinds, attributes, result):
    expect(kinds[0][:2] == result[:2] and 0 <= attributes["index"] < kinds[0].dims[0],
           "outside the operand")
    return kinds[0].dims[1:]


def concat_dims(kinds, attributes, result):
    expect(kinds and all(kind[:2] == result[:2] for kind in kinds), "types differ")
    shapes = [kind.dims or (1,) for kind in kinds]
    expect(len({shape[1:] for shape in shapes}) == 1, "shapes differ")
    return (sum(shape[0] for shape in shapes),) + shapes[0][1:]


def roll_dims(kinds, attributes, result):
    expect(kinds[0] == result and kinds[0].dims and isinstance(attributes["by"], int), "no vector")
    return kinds[0].dims


def splat_dims(kinds, attributes, result):
    expect(kinds[0] == Type(result.bits, result.exponent, ()), "no scalar of its type")
    return result.dims


def ssf_dims(kinds, attributes, result):
    vth, u = float(attributes["vth"]), float(attributes["u"])
    expect(np.isfinite(vth) and np.isfinite(u) and 0 < vth <= u and u / vth < 2.0**31
           and result.bits == 32, "no ladder")
    expect(all(kind[:2] == kinds[0][:2] for kind in kinds), "types differ")
    return common(kinds)


# Evaluation: f(values, operand types, result type, attributes).

def elementwise(function):
    def run(values, kinds, to, attributes):
        rank = len(to.dims)
        return function([lift(value, rank) for value in values], kinds, to, attributes)
    return run


def narrowed(function, extra):
    """A function of integers whose result has at most `extra` further bits."""
    return elementwise(lambda v, kinds, to, attributes: fx.narrow(
        function(*(fx.exact(x, to.bits + extra) for x in v)), to.bits,
        attributes.get("overflow", "wrap")))


def flat(x):
    return x.reshape(len(x), -1)


def literal(values, kinds, to, attributes):
    return np.broadcast_to(np.asarray(attributes["value"], np.int64), to.dims)[None]


def table(values, kinds, to, attributes):
    return fx.interpolate(values[0], kinds[0], values[1], kinds[1].bits,
                          attributes["low"], attributes["step"])


def summed(place):
    """Rescaled products in the places that `place` gives, added modulo 2^bits."""
    def run(values, kinds, to, attributes):
        a, b, axis = place(*values)
        terms = fx.product_terms(a, kinds[0], b, kinds[1], to, attributes.get("rounding", "floor"))
        return fx.wrap(terms.sum(axis=axis), to.bits)
    return run


def outer_add(values, kinds, to, attributes):
    start, a, b = values
    terms = fx.product_terms(flat(a)[:, :, None], kinds[1], flat(b)[:, None, :], kinds[2], to,
                             attributes.get("rounding", "floor"))
    return fx.wrap(start + terms.reshape((len(terms),) + to.dims), to.bits)


def reduce(values, kinds, to, attributes):
    elements = flat(values[0])
    if attributes["kind"] == "max":
        return elements.max(axis=1)
    return fx.narrow(elements.sum(axis=1), to.bits, "wrap")


def topk(values, kinds, to, attributes):
    best = np.argsort(~values[0], axis=1, kind="stable")[:, :attributes["k"]]
    mask = np.zeros(values[0].shape, np.int64)
    np.put_along_axis(mask, best, 1, 1)
    return mask


def concat(values, kinds, to, attributes):
    neurons = max(len(value) for value in values)
    parts = [value if value.ndim > 1 else value[:, None] for value in values]
    return np.concatenate([np.broadcast_to(part, (neurons,) + part.shape[1:])
                           for part in parts], axis=1)


def splat(values, kinds, to, attributes):
    return np.broadcast_to(lift(values[0], len(to.dims)), (len(values[0]),) + to.dims)


# name: (rule for the dims of its result, evaluation)
OPERATIONS = {
    "when": (None, None),
    "literal": (literal_dims, literal),
    "add": (counted(2), narrowed(lambda x, y: x + y, 1)),
    "sub": (counted(2), narrowed(lambda x, y: x - y, 1)),
    "neg": (counted(1), narrowed(lambda x: -x, 1)),
    "abs": (counted(1), narrowed(np.abs, 1)),
    "mul": (counted(2, multiplied), elementwise(lambda v, k, to, a: fx.narrow(
        v[0] * v[1], to.bits, "wrap"))),
    "min": (counted(2), elementwise(lambda v, k, to, a: np.minimum(*v))),
    "max": (counted(2), elementwise(lambda v, k, to, a: np.maximum(*v))),
    "clamp": (counted(3), elementwise(lambda v, k, to, a: np.minimum(
        np.maximum(v[0], v[1]), v[2]))),
    "cmp": (compared, elementwise(
        lambda v, k, to, a: COMPARE[a["predicate"]](*v).astype(np.int64))),
    "select": (selected, elementwise(lambda v, k, to, a: np.where(v[0] != 0, v[1], v[2]))),
    "rescale": (needs("rounding", "overflow", count=1, rule=any_type), elementwise(lambda v, k, to, a: fx.rescale(
        v[0], k[0].bits, k[0].exponent, to.bits, to.exponent, a["rounding"], a["overflow"]))),
    "shift": (needs("rounding", count=2, rule=shifted), elementwise(lambda v, k, to, a: fx.shift_by(
        v[0], to.bits, v[1], a["rounding"]))),
    "clz": (counted(1, any_type), elementwise(
        lambda v, k, to, a: fx.leading_zeros(v[0], k[0].bits))),
    "table": (counted(2, tabled), table),
    "dot": (counted(2, dotted), summed(lambda a, b: (flat(a), flat(b), 1))),
    "matvec": (counted(2, matvec_dims), summed(lambda a, b: (a, b[:, None, :], 2))),
    "vecmat": (counted(2, vecmat_dims), summed(lambda a, b: (a[:, :, None], b, 1))),
    "outer_add": (counted(3, outer_dims), outer_add),
    "reduce": (counted(1, reduced), reduce),
    "topk": (counted(1, top_dims), topk),
    "slice": (counted(1, slice_dims),
              lambda v, k, to, a: v[0][:, a["offset"]:a["offset"] + a["size"]]),
    "element": (counted(1, element_dims), lambda v, k, to, a: v[0][:, a["index"]]),
    "concat": (concat_dims, concat),
    "roll": (counted(1, roll_dims), lambda v, k, to, a: np.roll(v[0], a["by"], axis=1)),
    "splat": (counted(1, splat_dims), splat),
    "ssf": (counted(3, ssf_dims), elementwise(lambda v, k, to, a: fx.ladder(
        v[0], v[1], v[2], k[0].bits, a["vth"], a["u"]))),
}
