// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes arrays as NumPy's files from where their numbers lie, without a copy
// of them: traces are most of the memory of a run.

#ifndef DENDROLITH_RUNTIME_ARRAYS_WRITEARRAYS_H
#define DENDROLITH_RUNTIME_ARRAYS_WRITEARRAYS_H

#include "runtime/arrays/Npy.h"
#include "runtime/arrays/ValueFile.h"
#include "runtime/host/Content.h"

namespace dendrolith {

/// An array whose numbers lie elsewhere and outlive it: in `ints`, or in
/// `real`, as in Array, or in a file.
struct ArrayView {
  ArrayView(const Array &array)
      : shape(array.shape), dtype(array.dtype), kind(array.kind),
        ints(&array.ints), real(&array.real) {}
  ArrayView(std::vector<uint64_t> shape, const std::vector<double> &real,
            std::string dtype)
      : shape(std::move(shape)), dtype(std::move(dtype)),
        kind(Array::NumberKind::Float), real(&real) {}

  std::vector<uint64_t> shape;
  std::string dtype;
  Array::NumberKind kind;
  const std::vector<int64_t> *ints = nullptr;
  const std::vector<double> *real = nullptr;
  const ValueFile *file = nullptr; // instead of `real`
};

/// The bytes of formatNpy().
void writeNpy(const ArrayView &array, const ByteSink &sink,
              const std::string &dtype = "");

/// The bytes of formatNpz().
void writeNpz(const std::map<std::string, ArrayView> &arrays,
              const ByteSink &sink);

/// What an array is called in the archive. Throws Error for a name that cannot
/// be a file's.
std::string npzMember(const std::string &name);

/// How many bytes writeNpy() hands over. Throws Error as it does where the type
/// and the shape do not belong to the numbers.
uint64_t bytesOfNpy(const ArrayView &array);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_WRITEARRAYS_H
