// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a model's input of an array.

#ifndef NEURITE_RUNTIME_ARRAYS_TOSAMPLES_H
#define NEURITE_RUNTIME_ARRAYS_TOSAMPLES_H

#include "runtime/arrays/Npy.h"
#include "runtime/host/Signals.h"

#include <cstdint>
#include <string>
#include <vector>

namespace neurite {

/// Accepts (steps, *shape), which is one sample, or (samples, steps, *shape).
/// Throws Error that begins with `where` ("input 'x.npy'"): another shape, no
/// steps, complex numbers, NaN or infinity, integers beyond 2^53.
Samples toSamples(const Array &array, const std::vector<uint64_t> &shape,
                  const std::string &where);

} // namespace neurite

#endif // NEURITE_RUNTIME_ARRAYS_TOSAMPLES_H
