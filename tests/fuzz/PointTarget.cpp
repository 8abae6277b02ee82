// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/explore/store/PointFiles.cpp, runtime/explore/point/Point.cpp.
// The JSON of a point of a store, with the checksum that a forger would give
// it. What is taken is what the text of the same point gives again.

#include "runtime/explore/store/PointFiles.h"
#include "targets/support/Sha256.h"
#include "tests/fuzz/Fuzz.h"

using namespace dendrolith;

/// As textOf() ends a point's file.
static std::string sealed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  if (text.size() < 2 || text.back() != '}')
    return text;
  text.pop_back();
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  return text + ",\n \"sha256\": \"" + sha256(text + "\n}") + "\"\n}\n";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text =
      sealed(std::string(reinterpret_cast<const char *>(data), size));
  bool taken = fuzz::accepted([&] {
    const explore::Point point = explore::pointOf(text, "fuzz.json");
    const std::string written = explore::textOf(point);
    fuzz::require(explore::textOf(explore::pointOf(written, "written.json")) ==
                      written,
                  "written and read back, the point is another:\n" + written);
    for (const char *name : {"score", "energy.high", "latency.mean.low"})
      explore::valueOf(point, name);
  });
  return taken ? 0 : -1;
}
