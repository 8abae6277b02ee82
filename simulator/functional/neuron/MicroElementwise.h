// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that compute each element of a result from the same element of their
// operands. Included by MicroKernels.cpp alone.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROELEMENTWISE_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROELEMENTWISE_H

#include "simulator/functional/neuron/MicroArithmetic.h"
#include "simulator/functional/neuron/MicroKernels.h"

namespace dendrolith::sim {
namespace {

using micro::Instruction;
using micro::Rounding;

/// Computes d[e][j] = f(operands[e][j]). Strides over neurons are 0 or 1, and
/// the compiler knows them in the inner loop.
template <size_t A, size_t B, size_t C, typename F>
void rows(const KernelArguments &arguments, uint32_t elements, F f) {
  // This is a copy because, for all the compiler knows, a result that is
  // written might be one of the fields.
  const KernelArguments k = arguments;
  const size_t neurons = k.neurons;
  for (uint32_t e = 0; e < elements; ++e) {
    int64_t *d = k.d.first + e * k.d.element;
    const int64_t *a = k.a.first + e * k.a.element;
    const int64_t *b = k.b.first + e * k.b.element;
    const int64_t *c = k.c.first + e * k.c.element;
    // A result lies in its operand's place or apart from it.
#pragma GCC ivdep
    for (size_t j = 0; j < neurons; ++j)
      d[j] = f(a[A * j], b[B * j], c[C * j]);
  }
}

template <typename F> void eachElement(const KernelArguments &given, F f) {
  KernelArguments k = given;
  uint32_t elements = k.code->n;
  // The elements of a single neuron take the place of neurons.
  if (liesInOrder(k)) {
    k.neurons = elements;
    elements = 1;
    for (Lanes *lanes : {&k.d, &k.a, &k.b, &k.c})
      *lanes = {lanes->first, 0, lanes->element};
  }
  switch (k.a.lane + 2 * k.b.lane + 4 * k.c.lane) {
  case 0:
    return rows<0, 0, 0>(k, elements, f);
  case 1:
    return rows<1, 0, 0>(k, elements, f);
  case 2:
    return rows<0, 1, 0>(k, elements, f);
  case 3:
    return rows<1, 1, 0>(k, elements, f);
  case 4:
    return rows<0, 0, 1>(k, elements, f);
  case 5:
    return rows<1, 0, 1>(k, elements, f);
  case 6:
    return rows<0, 1, 1>(k, elements, f);
  default:
    return rows<1, 1, 1>(k, elements, f);
  }
}

// Sums that wrap: unsigned arithmetic is exact modulo 2^64.
void addWrap(const KernelArguments &k) {
  Wrap wrap(k.code->width);
  eachElement(k, [=](int64_t x, int64_t y, int64_t) {
    return wrap(bitsOf(x) + bitsOf(y));
  });
}
void subWrap(const KernelArguments &k) {
  Wrap wrap(k.code->width);
  eachElement(k, [=](int64_t x, int64_t y, int64_t) {
    return wrap(bitsOf(x) - bitsOf(y));
  });
}
// Sums that saturate, of operands below 2^62 and of any operands.
template <int Sign> void addClip(const KernelArguments &k) {
  Limits64 limits(k.code->width);
  eachElement(k, [=](int64_t x, int64_t y, int64_t) {
    return limits(static_cast<int64_t>(bitsOf(x) + Sign * bitsOf(y)));
  });
}
template <int Sign> void addClipWide(const KernelArguments &k) {
  Limits64 limits(k.code->width);
  eachElement(k, [=](int64_t x, int64_t y, int64_t) {
    Wide sum = Wide(x) + Sign * Wide(y);
    return sum < limits.low    ? limits.low
           : sum > limits.high ? limits.high
                               : static_cast<int64_t>(sum);
  });
}

/// mul and scale that lose no bits on the right are exact modulo 2^64.
template <bool Mul> void scaleLeft(const KernelArguments &k) {
  Wrap wrap(k.code->width);
  int shift = k.code->shift;
  if (shift >= 64)
    return eachElement(k, [](int64_t, int64_t, int64_t) { return int64_t(0); });
  eachElement(k, [=](int64_t x, int64_t y, int64_t) {
    return wrap(product<Mul>(x, y) << shift);
  });
}

/// mul and scale that shift to the right, where the exact value is below 2^62.
template <bool Mul, Rounding R> void scaleRight(const KernelArguments &k) {
  ShiftRight<R> shift(static_cast<unsigned>(-int(k.code->shift)));
  Wrap wrap(k.code->width);
  Limits64 limits(k.code->width);
  if (k.code->saturate)
    return eachElement(k, [=](int64_t x, int64_t y, int64_t) {
      return limits(shift(static_cast<int64_t>(product<Mul>(x, y))));
    });
  eachElement(k, [=](int64_t x, int64_t y, int64_t) {
    return wrap(bitsOf(shift(static_cast<int64_t>(product<Mul>(x, y)))));
  });
}

/// mul and scale of values of any size.
template <bool Mul> void scaleAny(const KernelArguments &k) {
  const Instruction &code = *k.code;
  eachElement(k, [&](int64_t x, int64_t y, int64_t) {
    return scaleWide(Mul ? Wide(x) * y : Wide(x), code);
  });
}

template <bool Mul>
KernelVersions chooseScale(const Instruction &code, unsigned bits) {
  if (code.shift >= 0)
    return code.saturate ? versionsOf<scaleAny<Mul>>()
                         : versionsOf<scaleLeft<Mul>>();
  if (bits > 62 || code.shift < -62)
    return versionsOf<scaleAny<Mul>>();
  switch (code.rounding) {
  case Rounding::TowardZero:
    return versionsOf<scaleRight<Mul, Rounding::TowardZero>>();
  case Rounding::NearestEven:
    return versionsOf<scaleRight<Mul, Rounding::NearestEven>>();
  case Rounding::NearestUp:
    return versionsOf<scaleRight<Mul, Rounding::NearestUp>>();
  default:
    return versionsOf<scaleRight<Mul, Rounding::Floor>>();
  }
}

void move(const KernelArguments &k) {
  eachElement(k, [](int64_t x, int64_t, int64_t) { return x; });
}
void neg(const KernelArguments &k) {
  Wrap wrap(k.code->width);
  eachElement(k,
              [=](int64_t x, int64_t, int64_t) { return wrap(0 - bitsOf(x)); });
}
void abs(const KernelArguments &k) {
  Wrap wrap(k.code->width);
  eachElement(k, [=](int64_t x, int64_t, int64_t) {
    return wrap(x < 0 ? 0 - bitsOf(x) : bitsOf(x));
  });
}
void min(const KernelArguments &k) {
  eachElement(k, [](int64_t x, int64_t y, int64_t) { return y < x ? y : x; });
}
void max(const KernelArguments &k) {
  eachElement(k, [](int64_t x, int64_t y, int64_t) { return y > x ? y : x; });
}
void clamp(const KernelArguments &k) {
  eachElement(k, [](int64_t x, int64_t low, int64_t high) {
    int64_t raised = x < low ? low : x;
    return raised > high ? high : raised;
  });
}
void select(const KernelArguments &k) {
  // Masks instead of a choice, which would become a branch.
  eachElement(k, [](int64_t x, int64_t y, int64_t z) {
    uint64_t yes = 0 - uint64_t(x != 0);
    return static_cast<int64_t>(bitsOf(z) ^ ((bitsOf(y) ^ bitsOf(z)) & yes));
  });
}
template <micro::Predicate P> void compare(const KernelArguments &k) {
  using micro::Predicate;
  eachElement(k, [](int64_t x, int64_t y, int64_t) {
    return int64_t(P == Predicate::EQ   ? x == y
                   : P == Predicate::NE ? x != y
                   : P == Predicate::LT ? x < y
                   : P == Predicate::LE ? x <= y
                   : P == Predicate::GT ? x > y
                                        : x >= y);
  });
}
KernelVersions chooseCompare(micro::Predicate predicate) {
  using micro::Predicate;
  switch (predicate) {
  case Predicate::EQ:
    return versionsOf<compare<Predicate::EQ>>();
  case Predicate::NE:
    return versionsOf<compare<Predicate::NE>>();
  case Predicate::LT:
    return versionsOf<compare<Predicate::LT>>();
  case Predicate::LE:
    return versionsOf<compare<Predicate::LE>>();
  case Predicate::GT:
    return versionsOf<compare<Predicate::GT>>();
  default:
    return versionsOf<compare<Predicate::GE>>();
  }
}

void shift(const KernelArguments &k) {
  const Instruction &code = *k.code;
  eachElement(
      k, [&](int64_t x, int64_t y, int64_t) { return shiftBy(x, y, code); });
}
void clz(const KernelArguments &k) {
  unsigned width = k.code->width;
  eachElement(
      k, [=](int64_t x, int64_t, int64_t) { return leadingZeros(x, width); });
}
void ladder(const KernelArguments &k) {
  const Instruction &code = *k.code;
  eachElement(
      k, [&](int64_t x, int64_t y, int64_t z) { return climb(x, y, z, code); });
}

} // namespace
} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROELEMENTWISE_H
