// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of weights, one for each source, added to the sums of their targets:
// most of a calibration of dense layers.

#ifndef NEURITE_DIALECTS_DEND_REFERENCE_ADDROWS_H
#define NEURITE_DIALECTS_DEND_REFERENCE_ADDROWS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neurite::dend {

/// Adds what `term` makes of weights and of the value of their source to sums
/// of targets, row by row. Rows of one dense layer have the same targets, side
/// by side: they wait until there are four, so that a sum is read and written
/// once for all of them. The order of additions into a sum stays that of the
/// rows.
template <typename Sum, typename Weight, typename Term> class Rows {
public:
  Rows(Sum *sums, Term term) : sums(sums), term(term) {}
  ~Rows() { flush(); }
  Rows(const Rows &) = delete;
  Rows &operator=(const Rows &) = delete;

  /// `distinct` says that no target comes twice.
  void add(llvm::ArrayRef<uint32_t> targets, const Weight *weights,
           bool distinct, Sum value) {
    const size_t count = targets.size();
    if (count == 0)
      return;
    const uint32_t first = targets.front();
    const bool isDense = distinct && targets.back() - first == count - 1;
    if (waiting > 0 && (!isDense || first != at || count != width))
      flush();
    if (!isDense) {
      for (size_t i = 0; i < count; ++i)
        sums[targets[i]] += term(weights[i], value);
      return;
    }
    at = first;
    width = count;
    rows[waiting] = weights;
    values[waiting] = value;
    if (++waiting == kMost)
      addAll();
  }

private:
  static constexpr size_t kMost = 4;

  void addAll() {
    Sum *__restrict const to = sums + at;
    const Weight *const a = rows[0], *const b = rows[1], *const c = rows[2],
                        *const d = rows[3];
    const Sum x = values[0], y = values[1], z = values[2], w = values[3];
    for (size_t i = 0; i < width; ++i) {
      Sum sum = to[i];
      sum += term(a[i], x);
      sum += term(b[i], y);
      sum += term(c[i], z);
      sum += term(d[i], w);
      to[i] = sum;
    }
    waiting = 0;
  }
  void flush() {
    Sum *__restrict const to = sums + at;
    for (size_t k = 0; k < waiting; ++k)
      for (size_t i = 0; i < width; ++i)
        to[i] += term(rows[k][i], values[k]);
    waiting = 0;
  }

  Sum *sums;
  Term term;
  size_t at = 0, width = 0, waiting = 0;
  const Weight *rows[kMost] = {};
  Sum values[kMost] = {};
};

/// Every row whose source is not zero; `value` is what a source emits.
template <typename Sum, typename Weight, typename Value, typename Term>
void addRows(std::vector<Sum> &sums, llvm::ArrayRef<size_t> begin,
             const std::vector<uint32_t> &target,
             const std::vector<Weight> &weights, bool distinct, Value value,
             Term term) {
  Rows<Sum, Weight, Term> rows(sums.data(), term);
  for (size_t s = 0; s + 1 < begin.size(); ++s)
    if (const Sum x = value(s); x != 0)
      rows.add({target.data() + begin[s], begin[s + 1] - begin[s]},
               weights.data() + begin[s], distinct, x);
}

} // namespace neurite::dend

#endif // NEURITE_DIALECTS_DEND_REFERENCE_ADDROWS_H
