// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table targets/loader/chip/MicroOps.def: the codes that images store stay
// what they are, and what the rows say agrees with itself.

#include "targets/loader/chip/Counters.h"
#include "targets/loader/chip/Microcode.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

using namespace dendrolith;

namespace {

std::vector<MicroOp> allOps() {
  std::vector<MicroOp> ops;
  for (size_t code = 0; code < kMicroOps; ++code)
    ops.push_back(static_cast<MicroOp>(code));
  return ops;
}

// New instructions go behind these; none is ever taken away or moved.
TEST(MicroOps, ImagesStoreTheseCodes) {
  const std::vector<std::string> names = {
      "move",  "add",    "sub",    "mul",    "neg",   "abs",   "min",
      "max",   "clamp",  "cmp",    "sel",    "scale", "shift", "clz",
      "table", "dot",    "matvec", "vecmat", "outer", "sum",   "maximum",
      "topk",  "ladder", "skip",   "emit"};
  ASSERT_GE(kMicroOps, names.size());
  for (size_t code = 0; code < names.size(); ++code)
    EXPECT_EQ(toString(static_cast<MicroOp>(code)), names[code]) << code;
}

TEST(MicroOps, NamesAreUniqueAndReversible) {
  for (MicroOp op : allOps())
    EXPECT_EQ(microOpOf(toString(op)), op);
  for (size_t i = 0; i < kMicroClasses; ++i) {
    auto kind = static_cast<MicroClass>(i);
    EXPECT_EQ(microClassOf(toString(kind)), kind);
  }
  EXPECT_FALSE(microOpOf("halt"));
  EXPECT_FALSE(microClassOf("matvec"));
}

TEST(MicroOps, PlacesOfResults) {
  std::set<std::string> apart, without;
  for (MicroOp op : allOps()) {
    EXPECT_GE(operandsOf(op), 1u) << toString(op);
    EXPECT_LE(operandsOf(op), 3u) << toString(op);
    if (!isElementwise(op))
      apart.insert(toString(op));
    if (!hasResult(op))
      without.insert(toString(op));
  }
  EXPECT_EQ(apart, (std::set<std::string>{"table", "dot", "matvec", "vecmat",
                                          "outer", "sum", "maximum", "topk"}));
  EXPECT_EQ(without, (std::set<std::string>{"skip", "emit"}));
}

// What a class counts under is the event of its name, but for the ladder's
// rungs, which have an event of their own.
TEST(MicroOps, ClassesAreCounted) {
#define MICRO_CLASS(Name, text, counter)                                       \
  if (MicroClass::Name == MicroClass::Ladder)                                  \
    EXPECT_STREQ(counterName(Counter::counter), "ssf_rungs");                  \
  else                                                                         \
    EXPECT_EQ(counterName(Counter::counter), std::string("microcode.") + text);
#include "targets/loader/chip/MicroOps.def"
}

} // namespace
