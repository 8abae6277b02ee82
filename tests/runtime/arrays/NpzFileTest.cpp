// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/arrays/NpzFile.cpp: whatever the order in which numbers come,
// the bytes are those of the archive that is made in memory.

#include "runtime/arrays/NpzFile.h"
#include "runtime/arrays/Npy.h"
#include "targets/support/Error.h"
#include "targets/support/InputFile.h"

#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dendrolith {
namespace {

class NpzFileTest : public ::testing::Test {
protected:
  ~NpzFileTest() override { std::filesystem::remove(path); }

  NpzFile open(const NpzFile::Layouts &layouts,
               NpzFile::Writers writers = NpzFile::Writers::Several) const {
    return NpzFile(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600),
                   "traces.npz", layouts, writers);
  }
  std::string errorOf(const NpzFile::Layouts &layouts) const {
    try {
      open(layouts);
    } catch (const Error &error) {
      return error.what();
    }
    return "";
  }

  const std::string path =
      (std::filesystem::temp_directory_path() /
       ("dendrolith-npz-file-" + std::to_string(::getpid())))
          .string();
};

TEST_F(NpzFileTest, HasTheBytesOfTheArchiveInMemory) {
  const std::vector<int64_t> ends = {INT64_MIN, -1, 0, INT64_MAX};
  for (auto writers :
       {NpzFile::Writers::Several, NpzFile::Writers::ThisProcess}) {
    NpzFile file = open({{"b:v", {{2, 2}}}, {"a", {{1, 3, 2}}}}, writers);
    file.values("b:v")->put(2, ends.data() + 2, 2);
    file.values("a")->put(4, ends.data(), 2);
    file.values("b:v")->put(0, ends.data(), 2);
    // Two numbers of "a" never come, and are 0.
    file.values("a")->put(0, ends.data() + 1, 2);
    file.finish();
    file.finish();
    const std::string wanted = formatNpz(
        {{"a", Array::ofInts({1, 3, 2}, {-1, 0, 0, 0, INT64_MIN, -1})},
         {"b:v", Array::ofInts({2, 2}, ends)}});
    EXPECT_EQ(readFile(path, 10000), wanted);
    EXPECT_EQ(bytesOf([&](const ByteSink &sink) { file.read(sink); }), wanted);
  }
}

TEST_F(NpzFileTest, HoldsNarrowIntegersBesideWideOnes) {
  const ValueFile::ValueType narrow = ValueFile::ValueType::Int32;
  const std::vector<int64_t> some = {INT32_MIN, 7, INT32_MAX};
  NpzFile file =
      open({{"a", {{3}, narrow}}, {"b", {{2}}}}, NpzFile::Writers::ThisProcess);
  file.values("a")->put(0, some.data(), 2);
  const int32_t last = INT32_MAX;
  file.values("a")->put(2, &last, 1);
  file.values("b")->put(1, some.data(), 1);
  std::vector<int64_t> read(3);
  file.values("a")->get(0, read.data(), 3);
  EXPECT_EQ(read, some);
  EXPECT_EQ(bytesOf([&](const ByteSink &sink) { file.read(sink); }),
            formatNpz({{"a", Array::ofInts({3}, some, "<i4")},
                       {"b", Array::ofInts({2}, {0, INT32_MIN})}}));
}

TEST_F(NpzFileTest, NumbersMayComeAfterIt) {
  std::shared_ptr<ValueFile> values;
  {
    NpzFile file = open({{"a", {{1}}}});
    values = file.values("a");
  }
  const int64_t one = 1;
  values->put(0, &one, 1);
  int64_t read = 0;
  values->get(0, &read, 1);
  EXPECT_EQ(read, 1);
}

TEST_F(NpzFileTest, OneDescriptorForAnyNumberOfArrays) {
  NpzFile::Layouts layouts;
  for (int i = 0; i < 3000; ++i)
    layouts["a" + std::to_string(i)] = {{1}};
  NpzFile file = open(layouts);
  file.finish();
  EXPECT_EQ(loadNpz(path).size(), 3000u);
}

TEST_F(NpzFileTest, RefusesBeforeTheRunWhatNoArchiveHolds) {
  EXPECT_NE(errorOf({{"a", {{1 << 15, 1 << 14}}}}).find("less than 4 GiB"),
            std::string::npos);
  EXPECT_NE(errorOf({{"../a", {{1}}}}).find("a name that can be a file's"),
            std::string::npos);
}

} // namespace
} // namespace dendrolith
