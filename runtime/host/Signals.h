// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model's input as it comes from a file: samples of steps of values.

#ifndef NEURITE_RUNTIME_HOST_SIGNALS_H
#define NEURITE_RUNTIME_HOST_SIGNALS_H

#include "runtime/host/SampleValues.h"

#include <cstdint>
#include <vector>

namespace neurite {

/// Finite values, row-major (samples, steps, *shape).
struct Samples {
  uint64_t samples = 0, steps = 0;
  std::vector<uint64_t> shape; // of one step
  SampleValues values;

  /// Values in one step: the product of `shape`.
  uint64_t width() const;
  /// Index of the first of the width() values of one step.
  uint64_t begin(uint64_t sample, uint64_t step) const {
    return (sample * steps + step) * width();
  }
  double at(uint64_t sample, uint64_t step, uint64_t element) const {
    return values[begin(sample, step) + element];
  }
};

} // namespace neurite

#endif // NEURITE_RUNTIME_HOST_SIGNALS_H
