// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model's input as it comes from a file: samples of steps of values.

#ifndef DENDROLITH_RUNTIME_HOST_SIGNALS_H
#define DENDROLITH_RUNTIME_HOST_SIGNALS_H

#include "runtime/host/SampleValues.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith {

/// Finite values, row-major (samples, steps, *shape).
struct Samples {
  uint64_t samples = 0, steps = 0;
  std::vector<uint64_t> shape; // of one step
  SampleValues values;
  /// The values are ids, (samples, steps), each below width(): a step is 1 at
  /// the element of its id and 0 elsewhere.
  bool tokens = false;

  /// Values in one step: the product of `shape`.
  uint64_t width() const;
  /// Numbers that are kept of one step: one id, or all values.
  uint64_t stored() const { return tokens ? 1 : width(); }
  /// Index of the first of the stored() numbers of one step.
  uint64_t begin(uint64_t sample, uint64_t step) const {
    return (sample * steps + step) * stored();
  }
  double at(uint64_t sample, uint64_t step, uint64_t element) const {
    const uint64_t first = begin(sample, step);
    return tokens ? double(values[first] == double(element))
                  : values[first + element];
  }
  /// Leaves the first `count` samples, of as many or more.
  void keep(uint64_t count) {
    samples = count;
    values = values.first(samples * steps * stored());
  }
};

/// The name under which a network without inputs is given the samples and root
/// ticks of a run; they have no values.
inline const std::string kNoInput;

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_SIGNALS_H
