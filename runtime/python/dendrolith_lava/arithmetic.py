# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integer arithmetic of fixed-point values: that of dialects/dend/FixedPoint.h.

Arrays are int64. What may leave 64 bits on the way goes through Python's
integers (arrays of objects): slower and exact.
"""
import numpy as np


def exact(x, bits):
    """x, in a form whose results of up to `bits` bits, sign included, are exact."""
    return x if bits <= 64 else x.astype(object)


def wrap(x, bits):
    """The integer of the signed range that is congruent to x modulo 2^bits."""
    if x.dtype == object:
        half = 1 << (bits - 1)
        return (((x + half) & ((1 << bits) - 1)) - half).astype(np.int64)
    spare = 64 - bits
    return np.left_shift(x, spare) >> spare


def saturate(x, bits):
    high = (1 << (bits - 1)) - 1
    if x.dtype == object:
        return np.minimum(np.maximum(x, -high - 1), high).astype(np.int64)
    return np.clip(x, -high - 1, high)


def narrow(x, bits, overflow):
    if bits == 1:  # a truth value
        return (x & 1).astype(np.int64)
    return saturate(x, bits) if overflow == "saturate" else wrap(x, bits)


def shift_round(x, bits, rounding):
    """x / 2^bits, rounded to an integer; bits >= 0."""
    if bits == 0:
        return x
    if bits > 62:
        x = x.astype(object)
    low = x >> bits
    if rounding == "floor":
        return low
    rest, half = x - (low << bits), 1 << (bits - 1)
    if rounding == "toward_zero":
        return low + ((x < 0) & (rest != 0))
    if rounding == "nearest_up":
        return low + (rest >= half)
    return low + ((rest > half) | ((rest == half) & (low & 1 == 1)))


def rescale(x, bits, exponent, to_bits, to_exponent, rounding, overflow):
    """x of up to `bits` bits, worth 2^exponent each, as dend.rescale has it."""
    shift = exponent - to_exponent
    if shift <= 0:
        return narrow(shift_round(x, -shift, rounding), to_bits, overflow)
    return narrow(exact(x, bits + shift) << shift, to_bits, overflow)


def shift_by(x, bits, amount, rounding):
    """x * 2^amount in `bits` bits: left wraps, right rounds."""
    x, amount = np.broadcast_arrays(x, amount)
    result = np.empty(x.shape, np.int64)
    for by in np.unique(amount):
        by, where = int(by), amount == by
        if by >= 64:
            result[where] = 0
        elif by >= 0:
            result[where] = wrap(exact(x[where], bits + by) << by, bits)
        else:
            result[where] = shift_round(x[where], min(-by, 128), rounding)
    return result


def leading_zeros(x, bits):
    length = np.frompyfunc(lambda value: abs(value).bit_length(), 1, 1)
    return bits - length(x.astype(object)).astype(np.int64)


def product_terms(a, a_type, b, b_type, to, rounding):
    """Each product, rescaled modulo 2^bits to the type `to`."""
    bits = a_type.bits + b_type.bits
    return rescale(exact(a, bits) * b, bits, a_type.exponent + b_type.exponent,
                   to.bits, to.exponent, rounding, "wrap")


def interpolate(x, x_type, knots, knots_bits, low, step):
    """dend.table: knots (1 or neurons, count), x (neurons, ...)."""
    count = knots.shape[1]
    if len(x) < len(knots):
        x = np.broadcast_to(x, (len(knots),) + x.shape[1:])
    low = int(np.ldexp(low, -x_type.exponent))
    bits = int(np.log2(np.ldexp(step, -x_type.exponent)))
    if max(x_type.bits + 1, knots_bits + 1 + bits) > 63:
        x = x.astype(object)
    offset = np.maximum(x - low, 0)
    at = np.minimum(offset >> bits, count - 1)
    part = np.where(at < count - 1, offset - (at << bits), 0)
    at = at.astype(np.int64)

    def knot(index):
        flat = index.reshape(len(index), -1)
        if len(knots) == 1:
            return knots[0][flat].reshape(index.shape)
        return np.take_along_axis(knots, flat, 1).reshape(index.shape)

    left = knot(at)
    rise = knot(np.minimum(at + 1, count - 1)) - exact(left, knots_bits + 1)
    return (left + ((rise * part) >> bits)).astype(np.int64)


def ladder(v, shift, scale, bits, vth, u):
    """dend.ssf: how many rungs shift + scale * vth * k the value has reached, which is
    floor(clip((v - shift) / scale, -u, u) / vth) where the scale is above 0."""
    numerator, denominator = float(vth).as_integer_ratio()
    rungs = int(u / vth)
    room = max(numerator.bit_length(), denominator.bit_length())
    if bits + 1 + room > 63:
        v, shift, scale = (x.astype(object) for x in (v, shift, scale))
    above = (v - shift) * denominator
    step = np.abs(scale) * numerator
    reached = above // np.maximum(step, 1)
    # A computed scale may be 0 or less: rungs fall together, or descend.
    reached = np.where(scale > 0, reached,
                       np.where(scale < 0, reached + 1, np.where(v >= shift, rungs, -rungs)))
    return np.minimum(np.maximum(reached, -rungs), rungs).astype(np.int64)
