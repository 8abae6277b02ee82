// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the targets of .lava.pb files share: a file's message, built as it is
// where it asks for little.

#ifndef DENDROLITH_TESTS_FUZZ_LAVA_H
#define DENDROLITH_TESTS_FUZZ_LAVA_H

#include "compiler/import/lava/Lava.h"
#include "tests/fuzz/Tree.h"

#include <google/protobuf/stubs/logging.h>

namespace dendrolith::fuzz {

/// A small file may speak of gigabytes, and each decay of an ATRLIF takes a
/// while to prove; a fuzz target has no time for them.
inline bool asksForLittle(const lava::Model &model) {
  constexpr double mostElements = 1 << 12;
  constexpr unsigned mostAdaptive = 1;
  auto product = [](const auto &extents) {
    double count = 1;
    for (auto extent : extents)
      count *= double(extent);
    return count;
  };
  double elements = 0;
  unsigned adaptive = 0;
  for (const lava::Process &process : model.processes()) {
    adaptive += process.lava_class() == "lava.proc.atrlif.process.ATRLIF";
    elements += product(process.shape());
    for (const auto &[key, value] : process.kwargs())
      elements += std::max(product(value.tensor().dims()),
                           product(value.integers().values()));
  }
  return elements <= mostElements && adaptive <= mostAdaptive;
}

/// Reads and builds a file, which verifies the network; false where it is
/// refused, by an Error and no line of protobuf's own.
inline bool buildLava(const std::string &bytes, ImportedModel &model) {
  google::protobuf::SetLogHandler(
      [](google::protobuf::LogLevel, const char *, int,
         const std::string &line) { require(false, "protobuf: " + line); });
  return accepted([&] {
    const std::string place = "fuzz.lava.pb";
    lava::Model message = parseLava(bytes, place);
    if (!asksForLittle(message))
      throw Error("too large for a fuzz target");
    model = dendrolith::buildLava(context(), message, place);
  });
}

} // namespace dendrolith::fuzz

#endif // DENDROLITH_TESTS_FUZZ_LAVA_H
