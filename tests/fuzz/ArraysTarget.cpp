// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/arrays/Npy.cpp.
// One file as an array and as an archive of arrays.

#include "runtime/arrays/ToSamples.h"
#include "tests/fuzz/Fuzz.h"

#include <cmath>

using namespace dendrolith;

static bool sameArray(const Array &a, const Array &b) {
  auto equal = [](double x, double y) {
    return x == y || (std::isnan(x) && std::isnan(y));
  };
  return a.kind == b.kind && a.shape == b.shape && a.ints == b.ints &&
         std::equal(a.real.begin(), a.real.end(), b.real.begin(), b.real.end(),
                    equal);
}

/// What is read can be written, reads back as it was, and is refused or taken
/// as an input.
static void use(const Array &array) {
  // Not every type that is read is written.
  fuzz::accepted([&] {
    Array again = parseNpy(formatNpy(array), "written.npy");
    fuzz::require(sameArray(array, again),
                  "written and read back, the array is another: " +
                      array.dtype);
  });
  for (size_t axes = 1; axes <= 2 && axes <= array.shape.size(); ++axes)
    fuzz::accepted([&] {
      toSamples(array, {array.shape.begin() + axes, array.shape.end()},
                "input 'fuzz.npy'");
    });
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  bool taken = fuzz::accepted([&] { use(parseNpy(bytes, "fuzz.npy")); });
  taken |= fuzz::accepted([&] {
    std::map<std::string, Array> arrays = parseNpz(bytes, "fuzz.npz");
    for (const auto &[name, array] : arrays)
      use(array);
    fuzz::accepted([&] {
      fuzz::require(parseNpz(formatNpz(arrays), "written.npz").size() ==
                        arrays.size(),
                    "written and read back, the archive is another");
    });
  });
  return taken ? 0 : -1;
}
