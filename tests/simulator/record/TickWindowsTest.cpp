// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/record/TickWindows.h: the file has what was recorded, and
// what is held does not grow with the run.

#include "simulator/record/TickWindows.h"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

namespace dendrolith::sim {
namespace {

constexpr uint64_t kWidth = 3;

std::shared_ptr<ValueFile> fileOf(uint64_t values) {
  std::string name =
      (std::filesystem::temp_directory_path() / "dendrolith-ticks.XXXXXX")
          .string();
  const int descriptor = ::mkstemp(name.data());
  ::unlink(name.c_str());
  return std::make_shared<ValueFile>(descriptor, "ticks",
                                     ValueFile::ValueType::Int64, 0, values);
}

std::vector<int64_t> readOf(const ValueFile &file) {
  std::vector<int64_t> values(file.size());
  file.get(0, values.data(), values.size());
  return values;
}

/// Records 1, 2, ... in every tick; something comes to a tick until two more
/// have begun.
void record(TickWindows<int64_t> &windows, uint64_t sample, uint64_t ticks,
            std::set<const int64_t *> *places = nullptr) {
  for (uint64_t tick = 0; tick < ticks + 2; ++tick) {
    for (uint64_t late = tick < 2 ? 0 : tick - 2;
         late <= std::min(tick, ticks - 1); ++late) {
      int64_t *row = windows.row(sample, late);
      if (places)
        places->insert(row);
      for (uint64_t i = 0; i < kWidth; ++i)
        row[i] += int64_t(late * kWidth + i + 1);
    }
    windows.write(sample, tick < 2 ? 0 : tick - 1);
  }
}

TEST(TickWindows, BringsTheTicksOfAnySampleToTheirPlace) {
  const uint64_t samples = 3, ticks = 200;
  const auto file = fileOf(samples * ticks * kWidth);
  TickWindows<int64_t> windows(file, samples, ticks, kWidth, 4);
  for (uint64_t sample : {2, 0}) // nothing comes in the other one
    record(windows, sample, ticks);
  windows.write(1, ticks);
  const std::vector<int64_t> values = readOf(*file);
  for (uint64_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], i / (ticks * kWidth) == 1
                             ? 0
                             : 3 * int64_t(i % (ticks * kWidth) + 1))
        << i;
}

TEST(TickWindows, HoldsNoMoreInALongRun) {
  std::vector<size_t> held;
  for (uint64_t ticks : {1000, 50000}) {
    TickWindows<int64_t> windows(fileOf(ticks * kWidth), 1, ticks, kWidth, 4);
    std::set<const int64_t *> places;
    record(windows, 0, ticks, &places);
    held.push_back(places.size());
  }
  EXPECT_EQ(held[0], held[1]);
  EXPECT_LT(held[0], 100u);
}

TEST(TickWindows, AWideTickGoesAlone) {
  const uint64_t width = uint64_t(1) << 18;
  const auto file = fileOf(4 * width);
  TickWindows<int64_t> windows(file, 1, 4, width, 1);
  windows.row(0, 0)[width - 1] = 7;
  windows.write(0, 1);
  EXPECT_EQ(readOf(*file)[width - 1], 7);
}

} // namespace
} // namespace dendrolith::sim
