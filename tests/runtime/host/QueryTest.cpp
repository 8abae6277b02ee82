// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two tasks of three tokens [x, y, flag].

#include "runtime/host/Query.h"
#include "tests/runtime/TestSupport.h"

#include <map>

using namespace dendrolith;
using namespace dendrolith::test;

/// Two samples of three tokens; `changes` are (place, value).
static Samples tasks(const std::map<size_t, double> &changes = {}) {
  Samples samples;
  samples.samples = 2;
  samples.steps = 3;
  samples.shape = {3};
  std::vector<double> values = {1, 2, 0, 3, 4, 0, 5, 0, 1, //
                                6, 7, 0, 8, 9, 0, 1, 2, 1};
  for (auto [place, value] : changes)
    values[place] = value;
  samples.values = std::move(values);
  return samples;
}

TEST(Query, TheLabelThereBecomesZeroAndIsCounted) {
  Samples samples = tasks();
  EXPECT_EQ(maskQueries(samples, {2, 1}, "x"), 1u);
  EXPECT_EQ(samples.values, tasks({{16, 0}}).values);
  samples = tasks();
  EXPECT_EQ(maskQueries(samples, {2, std::nullopt}, "x"), 0u);
  EXPECT_EQ(samples.values, tasks().values);
}

TEST(Query, NamesTheSampleWithoutOneQueryAtItsEnd) {
  auto error = [](size_t at, double flag) {
    Samples samples = tasks({{at, flag}});
    return errorOf([&] { maskQueries(samples, {2, 1}, "input 'x.npy'"); });
  };
  EXPECT_EQ(
      error(8, 0),
      "input 'x.npy': sample 0: expected one query, the last of 3 tokens, "
      "with flag (element 2) 1 there and 0 before, found none");
  EXPECT_NE(error(11, 1).find("sample 1"), std::string::npos);
  EXPECT_NE(error(11, 1).find("found a second one at token 2 after token 0"),
            std::string::npos);
  EXPECT_NE(error(14, 0.5).find("found flag 0.5 at token 1"),
            std::string::npos);
  Samples early = tasks({{8, 0}, {5, 1}});
  EXPECT_NE(errorOf([&] {
              maskQueries(early, {2, 1}, "x");
            }).find("found it at token 1"),
            std::string::npos);
}
