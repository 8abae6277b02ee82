// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a model's input of an array.

#ifndef DENDROLITH_RUNTIME_ARRAYS_TOSAMPLES_H
#define DENDROLITH_RUNTIME_ARRAYS_TOSAMPLES_H

#include "runtime/arrays/Npy.h"
#include "runtime/host/Signals.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith {

/// What an array of shape `found` is as an input with steps of shape `shape`,
/// without values: (steps, *shape) is one sample, (samples, steps, *shape) are
/// many. Throws Error that begins with `where`: another shape, no steps.
Samples frameOf(const std::vector<uint64_t> &found,
                const std::vector<uint64_t> &shape, const std::string &where);

/// "(3, 5, 2)": the index of element i of an array.
std::string indexText(const std::vector<uint64_t> &shape, uint64_t i);

/// Throws Error for infinity and what is no number, found at element i.
void requireFinite(double value, const std::vector<uint64_t> &shape, uint64_t i,
                   const std::string &where);

/// Accepts (steps, *shape), which is one sample, or (samples, steps, *shape).
/// Throws Error that begins with `where` ("input 'x.npy'"): another shape, no
/// steps, complex numbers, NaN or infinity, integers beyond 2^53.
Samples toSamples(const Array &array, const std::vector<uint64_t> &shape,
                  const std::string &where);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_TOSAMPLES_H
