// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/image/NeuronNumbers.cpp, runtime/image/Program.cpp.
// Whoever reads of a group finds its neurons under the model's numbers.

#include "runtime/image/NeuronNumbers.h"
#include "runtime/image/Program.h"
#include "tests/runtime/MicrocodeFixture.h"
#include "tests/runtime/ProgramFixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace dendrolith;
using namespace dendrolith::test;

TEST(NeuronNumbers, WithoutNumbersGroupsCountThem) {
  image::Program program = smallProgram();
  NeuronNumbers numbers(program);
  const image::Group &group = program.cores(1).groups(0);
  EXPECT_EQ(numbers.of(group, 0), 2u);
  EXPECT_EQ(numbers.textOf(group), "a[2..2]");
  EXPECT_EQ(numbers.textOf(program.cores(0).groups(0)), "a[0..1]");
}

TEST(NeuronNumbers, NumbersOfTheModel) {
  image::Program program = smallProgram();
  program.mutable_populations(0)->set_numbers(encodeU32({2, 0, 1}));
  validate(program);
  NeuronNumbers numbers(program);
  const image::Group &group = program.cores(0).groups(0);
  EXPECT_EQ(numbers.of(group, 0), 2u);
  EXPECT_EQ(numbers.of(group, 1), 0u);
  EXPECT_EQ(numbers.textOf(group), "a[0..0, 2..2]");
  std::vector<NumberRange> ranges = numbers.rangesOf(group);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[1].first, 2u);
  EXPECT_EQ(ranges[1].end, 3u);
  EXPECT_EQ(numbers.textOf(program.cores(1).groups(1)), "b[0..1]");
  EXPECT_NE(describeProgram(program).find("a[0..0, 2..2] from accumulator 0"),
            std::string::npos);
}

TEST(NeuronNumbers, ManyRangesAreCutShort) {
  image::Program program;
  image::Population &population = *program.add_populations();
  population.set_name("a");
  std::vector<uint32_t> order(40); // even ones first
  for (uint32_t n = 0; n < 40; ++n)
    order[n] = n < 20 ? 2 * n : 2 * n - 39;
  population.set_numbers(encodeU32(order));
  image::Group group;
  group.set_population("a");
  group.set_count(20);
  NeuronNumbers numbers(program);
  EXPECT_EQ(numbers.rangesOf(group).size(), 20u);
  EXPECT_EQ(numbers.textOf(group),
            "a[0..0, 2..2, 4..4, 6..6, 8..8, 10..10, 12..12, 14..14, 20 "
            "neurons in all]");
}

TEST(ListPrograms, NamesNeuronsByTheirNumbers) {
  image::Program program = microProgram();
  std::string name = program.populations(0).name();
  EXPECT_NE(listPrograms(program).find("run by " + name + "[0.."),
            std::string::npos)
      << listPrograms(program);
  uint64_t size = program.populations(0).size();
  std::vector<uint32_t> order(size);
  std::iota(order.rbegin(), order.rend(), 0);
  program.mutable_populations(0)->set_numbers(encodeU32(order));
  const image::Group *group = nullptr;
  for (const image::Core &core : program.cores())
    for (const image::Group &each : core.groups())
      if (!group && each.population() == name)
        group = &each;
  ASSERT_NE(group, nullptr);
  EXPECT_NE(listPrograms(program).find(fmt::format(
                "{}[{}..{}]", name, size - group->count(), size - 1)),
            std::string::npos)
      << listPrograms(program);
}
