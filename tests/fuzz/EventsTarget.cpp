// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/arrays/EventArrays.cpp, runtime/arrays/LoadSamples.cpp.
// The first byte chooses the shape of a step and what follows: a .npy file that
// is read as dense input; an archive of events; or the arrays of such an
// archive, each as the byte of its name, that of its type, the number of its
// elements, and the elements in a byte each.

#include "runtime/arrays/EventArrays.h"
#include "runtime/arrays/LoadSamples.h"
#include "runtime/arrays/ToSamples.h"
#include "tests/fuzz/Scratch.h"

#include <algorithm>
#include <numeric>

using namespace dendrolith;

using Shape = std::vector<uint64_t>;

/// Whether dense input of so many steps is small; it may take 512 MiB.
static bool smallInput(const std::map<std::string, Array> &arrays) {
  for (const char *name : {"t", "sample", "steps", "begin"})
    if (auto found = arrays.find(name); found != arrays.end())
      for (int64_t value : found->second.ints)
        if (value > 1 << 9 || found->second.size() > 1 << 9)
          return false;
  return true;
}

static std::string archiveOf(const uint8_t *data, size_t size) {
  static const char *const names[] = {"t", "ch",     "x",     "y",
                                      "p", "sample", "begin", "steps"};
  static const char *const types[] = {"<i8", "<i4", "|i1", "<f8"};
  std::map<std::string, Array> arrays;
  for (size_t at = 0; at + 3 <= size;) {
    const std::string name = names[data[at] % 8];
    const std::string type = types[data[at + 1] % 4];
    const size_t count = std::min<size_t>(data[at + 2], size - at - 3);
    at += 3;
    std::vector<int64_t> values(count);
    for (int64_t &value : values)
      value = int8_t(data[at++]);
    Shape shape = {count};
    if (name == "steps" && count == 1)
      shape.clear();
    arrays[name] = type == "<f8"
                       ? Array::ofReals(shape, {values.begin(), values.end()})
                       : Array::ofInts(shape, values, type);
  }
  return formatNpz(arrays);
}

/// Every event is one more in one place.
static bool readsEvents(std::string_view bytes, const Shape &shape) {
  fuzz::MemoryFile file(bytes);
  return fuzz::accepted([&] {
    EventArrays events(file.path());
    const std::map<std::string, Array> arrays = loadNpz(file.path());
    if (!smallInput(arrays))
      return;
    const Samples samples = events.toSamples(shape);
    fuzz::require(samples.values.size() ==
                      samples.samples * samples.steps * samples.width(),
                  "dense input of another size than its shape's");
    const double sum = samples.values.visit([](const auto &values) {
      return std::accumulate(values.begin(), values.end(), 0.0);
    });
    fuzz::require(sum == double(arrays.at("t").size()),
                  "the dense input has another number of events");
  });
}

/// The values are those that the general reader gives.
static bool readsDense(std::string_view bytes, const Shape &shape) {
  fuzz::MemoryFile file(bytes);
  return fuzz::accepted([&] {
    const Samples samples = loadSamples(file.path(), shape, "input 'fuzz'");
    const Samples other =
        toSamples(loadNpy(file.path()), shape, "input 'fuzz'");
    fuzz::require(samples.samples == other.samples &&
                      samples.steps == other.steps &&
                      samples.shape == other.shape,
                  "dense input of another shape than the array's");
    for (uint64_t s = 0; s < samples.samples; ++s)
      for (uint64_t t = 0; t < samples.steps; ++t)
        for (uint64_t i = 0; i < samples.width(); ++i)
          fuzz::require(samples.at(s, t, i) == other.at(s, t, i),
                        "dense input of other values than the array's");
  });
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return -1;
  static const Shape shapes[] = {{3}, {2, 3}, {2, 2, 3}, {}};
  const Shape &shape = shapes[data[0] >> 2 & 3];
  std::string_view bytes(reinterpret_cast<const char *>(data + 1), size - 1);
  switch (data[0] & 3) {
  case 0:
    return readsDense(bytes, shape) ? 0 : -1;
  case 1:
    return readsEvents(bytes, shape) ? 0 : -1;
  default:
    return readsEvents(archiveOf(data + 1, size - 1), shape) ? 0 : -1;
  }
}
