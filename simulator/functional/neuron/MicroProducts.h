// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose results depend on many elements: tables, sums of products,
// reductions, marks. Included by MicroKernels.cpp alone.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROPRODUCTS_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROPRODUCTS_H

#include "simulator/functional/neuron/MicroArithmetic.h"
#include "simulator/functional/neuron/MicroKernels.h"

#include <algorithm>

namespace dendrolith::sim {
namespace {

using micro::Instruction;
using micro::Rounding;

/// Finds the row of an operand's element.
const int64_t *row(const Lanes &lanes, size_t element) {
  return lanes.first + element * lanes.element;
}

void table(const KernelArguments &k) {
  const Instruction &code = *k.code;
  for (uint32_t e = 0; e < code.n; ++e) {
    int64_t *d = k.d.first + e * k.d.element;
    const int64_t *a = row(k.a, e);
    for (size_t j = 0; j < k.neurons; ++j)
      d[j] = interpolate(a[j * k.a.lane], code, [&](uint32_t knot) {
        return row(k.b, knot)[j * k.b.lane];
      });
  }
}

/// Adds the terms of four pairs of rows to each d[j], modulo 2^64; the caller
/// wraps the sum at the end.
template <size_t A, size_t B, typename Term>
void accumulate4(int64_t *d, const int64_t *const *a, const int64_t *const *b,
                 size_t neurons, Term term) {
  const int64_t *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];
  const int64_t *b0 = b[0], *b1 = b[1], *b2 = b[2], *b3 = b[3];
  for (size_t j = 0; j < neurons; ++j)
    d[j] = static_cast<int64_t>(
        bitsOf(d[j]) + term(a0[A * j], b0[B * j]) + term(a1[A * j], b1[B * j]) +
        term(a2[A * j], b2[B * j]) + term(a3[A * j], b3[B * j]));
}
template <size_t A, size_t B, typename Term>
void accumulate1(int64_t *d, const int64_t *a, const int64_t *b, size_t neurons,
                 Term term) {
  for (size_t j = 0; j < neurons; ++j)
    d[j] = static_cast<int64_t>(bitsOf(d[j]) + term(a[A * j], b[B * j]));
}

/// Which rows the t-th term of result i multiplies.
struct TermRows {
  size_t a, b;
  TermRows(const Instruction &code, uint32_t i, uint32_t t) : a(t), b(t) {
    if (code.op == MicroOp::MatVec)
      a = size_t(i) * code.m + t;
    else if (code.op == MicroOp::VecMat)
      b = size_t(t) * code.n + i;
    else if (code.op == MicroOp::Outer)
      a = i / code.m, b = i % code.m;
  }
};

template <size_t A, size_t B, typename Term>
void sumRows(const KernelArguments &k, Term term) {
  const Instruction &code = *k.code;
  Wrap wrap(code.width);
  bool outer = code.op == MicroOp::Outer;
  uint32_t terms = outer ? 1 : code.m;
  for (uint32_t i = 0; i < code.n; ++i) {
    int64_t *d = k.d.first + i * k.d.element;
    for (size_t j = 0; j < k.neurons; ++j)
      d[j] = outer ? row(k.c, i)[j * k.c.lane] : 0;
    uint32_t t = 0;
    for (; t + 4 <= terms; t += 4) {
      const int64_t *a[4], *b[4];
      for (uint32_t u = 0; u < 4; ++u) {
        TermRows rows(code, i, t + u);
        a[u] = row(k.a, rows.a);
        b[u] = row(k.b, rows.b);
      }
      accumulate4<A, B>(d, a, b, k.neurons, term);
    }
    for (; t < terms; ++t) {
      TermRows rows(code, i, t);
      accumulate1<A, B>(d, row(k.a, rows.a), row(k.b, rows.b), k.neurons, term);
    }
    for (size_t j = 0; j < k.neurons; ++j)
      d[j] = wrap(bitsOf(d[j]));
  }
}

/// The same for a single neuron, whose vectors and rows of matrices lie in
/// order. The order of additions is another, which modulo 2^64 never shows.
template <typename Term> void sumInOrder(const KernelArguments &k, Term term) {
  const Instruction &code = *k.code;
  const uint32_t n = code.n, m = code.m;
  const int64_t *a = k.a.first, *b = k.b.first, *c = k.c.first;
  int64_t *d = k.d.first;
  Wrap wrap(code.width);
  switch (code.op) {
  case MicroOp::VecMat:
    std::fill_n(d, n, 0);
    for (uint32_t t = 0; t < m; ++t, b += n) {
      const int64_t x = a[t];
#pragma GCC ivdep
      for (uint32_t i = 0; i < n; ++i)
        d[i] = static_cast<int64_t>(bitsOf(d[i]) + term(x, b[i]));
    }
#pragma GCC ivdep
    for (uint32_t i = 0; i < n; ++i)
      d[i] = wrap(bitsOf(d[i]));
    return;
  case MicroOp::Outer:
    for (uint32_t i = 0; i < n; i += m, c += m, d += m) {
      const int64_t x = a[i / m];
#pragma GCC ivdep
      for (uint32_t j = 0; j < m; ++j)
        d[j] = wrap(bitsOf(c[j]) + term(x, b[j]));
    }
    return;
  default: // Dot and MatVec: a sum for each row of a
    for (uint32_t i = 0; i < n; ++i, a += m) {
      uint64_t sum = 0;
      for (uint32_t t = 0; t < m; ++t)
        sum += term(a[t], b[t]);
      d[i] = wrap(sum);
    }
  }
}

template <typename Term>
void sumOfProducts(const KernelArguments &k, Term term) {
  const bool hasScalar = !k.a.element || !k.b.element ||
                         (k.code->op == MicroOp::Outer && !k.c.element);
  if (liesInOrder(k) && !hasScalar)
    return sumInOrder(k, term);
  if (k.a.lane && k.b.lane)
    sumRows<1, 1>(k, term);
  else if (k.a.lane)
    sumRows<1, 0>(k, term);
  else if (k.b.lane)
    sumRows<0, 1>(k, term);
  else
    sumRows<0, 0>(k, term);
}

void productsLeft(const KernelArguments &k) {
  unsigned shift = static_cast<unsigned>(k.code->shift);
  sumOfProducts(k, [=](int64_t x, int64_t y) {
    return shift >= 64 ? 0 : product<true>(x, y) << shift;
  });
}
template <Rounding R> void productsRight(const KernelArguments &k) {
  ShiftRight<R> shift(static_cast<unsigned>(-int(k.code->shift)));
  sumOfProducts(k, [=](int64_t x, int64_t y) {
    return bitsOf(shift(static_cast<int64_t>(product<true>(x, y))));
  });
}
void productsAny(const KernelArguments &k) {
  Instruction code = *k.code;
  code.saturate = false;
  sumOfProducts(k, [&](int64_t x, int64_t y) {
    return bitsOf(scaleWide(Wide(x) * y, code));
  });
}
KernelVersions chooseProducts(const Instruction &code, unsigned bits) {
  if (code.shift >= 0)
    return versionsOf<productsLeft>();
  if (bits > 62 || code.shift < -62)
    return versionsOf<productsAny>();
  switch (code.rounding) {
  case Rounding::TowardZero:
    return versionsOf<productsRight<Rounding::TowardZero>>();
  case Rounding::NearestEven:
    return versionsOf<productsRight<Rounding::NearestEven>>();
  case Rounding::NearestUp:
    return versionsOf<productsRight<Rounding::NearestUp>>();
  default:
    return versionsOf<productsRight<Rounding::Floor>>();
  }
}

void sum(const KernelArguments &k) {
  Wrap wrap(k.code->width);
  int64_t *d = k.d.first;
  for (size_t j = 0; j < k.neurons; ++j) {
    uint64_t total = 0;
    for (uint32_t t = 0; t < k.code->m; ++t)
      total += bitsOf(row(k.a, t)[j * k.a.lane]);
    d[j] = wrap(total);
  }
}
void maximum(const KernelArguments &k) {
  int64_t *d = k.d.first;
  for (size_t j = 0; j < k.neurons; ++j) {
    int64_t largest = row(k.a, 0)[j * k.a.lane];
    for (uint32_t t = 1; t < k.code->m; ++t) {
      int64_t x = row(k.a, t)[j * k.a.lane];
      largest = x > largest ? x : largest;
    }
    d[j] = largest;
  }
}

/// Each mark takes one pass, as in the reference. The result never shares words
/// with the operand.
void topk(const KernelArguments &k) {
  const Instruction &code = *k.code;
  for (size_t j = 0; j < k.neurons; ++j) {
    auto mask = [&](uint32_t i) -> int64_t & {
      return k.d.first[i * k.d.element + j];
    };
    for (uint32_t i = 0; i < code.n; ++i)
      mask(i) = 0;
    for (uint32_t pass = 0; pass < code.m; ++pass) {
      uint32_t best = code.n;
      for (uint32_t i = 0; i < code.n; ++i)
        if (!mask(i) && (best == code.n || row(k.a, i)[j * k.a.lane] >
                                               row(k.a, best)[j * k.a.lane]))
          best = i;
      mask(best) = 1;
    }
  }
}

} // namespace
} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROPRODUCTS_H
