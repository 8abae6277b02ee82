// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/arrays/ValueFile.cpp.

#include "runtime/arrays/ValueFile.h"
#include "runtime/arrays/Npy.h"
#include "runtime/arrays/NpyHeader.h"
#include "runtime/arrays/Zip.h"
#include "targets/support/Error.h"
#include "targets/support/InputFile.h"

#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <unistd.h>
#include <vector>

namespace dendrolith {
namespace {

using Values = std::vector<double>;

Values readOf(const ValueFile &file, uint64_t at, size_t count) {
  Values values(count);
  file.get(at, values.data(), count);
  return values;
}

std::filesystem::path folder() {
  return std::filesystem::temp_directory_path();
}

TEST(ValueFile, GivesBackWhatWasWrittenAndZerosElsewhere) {
  ValueFile file(folder().string(), 10);
  EXPECT_EQ(file.size(), 10u);
  const Values values = {1.5, -INFINITY, 1e300};
  file.put(7, values.data(), values.size());
  file.put(2, values.data(), 1);
  EXPECT_EQ(readOf(file, 0, 10),
            (Values{0, 0, 1.5, 0, 0, 0, 0, 1.5, -INFINITY, 1e300}));
}

TEST(ValueFile, HasTheBytesOfNumPysFile) {
  const std::string path =
      (folder() / ("dendrolith-values-" + std::to_string(::getpid()))).string();
  for (auto form : {ValueFile::ValueType::Int32, ValueFile::ValueType::Real}) {
    const char *type = form == ValueFile::ValueType::Int32 ? "<i4" : "<f8";
    const std::string header = npy::formatHeader(type, {2, 2});
    const int descriptor =
        ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    ASSERT_GE(descriptor, 0);
    ASSERT_EQ(::write(descriptor, header.data(), header.size()),
              ssize_t(header.size()));
    ValueFile file(descriptor, path, form, header.size(), 4);
    const Values values = {-2147483648.0, 2147483647, 0, -1};
    file.put(0, values.data(), 3);
    file.put(3, values.data() + 3, 1);
    EXPECT_EQ(readOf(file, 0, 4), values);
    EXPECT_EQ(readFile(path, 1000),
              formatNpy(Array::ofReals({2, 2}, values), type));
  }
  std::filesystem::remove(path);
}

TEST(ValueFile, KeepsWideIntegers) {
  const std::string path =
      (folder() / ("dendrolith-wide-" + std::to_string(::getpid()))).string();
  ValueFile file(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600), "wide",
                 ValueFile::ValueType::Int64, 3, 4);
  const std::vector<int64_t> values = {INT64_MIN, (int64_t(1) << 53) + 1};
  file.put(1, values.data(), 2);
  std::vector<int64_t> found(4);
  file.get(0, found.data(), 4);
  EXPECT_EQ(found, (std::vector<int64_t>{0, values[0], values[1], 0}));
  EXPECT_EQ(std::filesystem::file_size(path), 3 + 4 * 8u);
  std::filesystem::remove(path);
}

TEST(ValueFile, RefusesWhatIsNoIntegerOf32Bits) {
  const std::string path =
      (folder() / ("dendrolith-value-" + std::to_string(::getpid()))).string();
  ValueFile file(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600), "out",
                 ValueFile::ValueType::Int32, 0, 4);
  std::filesystem::remove(path);
  for (double value : {0.5, 2147483648.0, double(NAN)}) {
    const Values values = {1, value};
    try {
      file.put(1, values.data(), 2);
      ADD_FAILURE() << value;
    } catch (const Error &error) {
      EXPECT_EQ(std::string(error.what()).rfind("out: element 2: ", 0), 0u)
          << error.what();
    }
  }
}

TEST(ValueFile, RefusesIntegersOfMoreThan32Bits) {
  const std::string path =
      (folder() / ("dendrolith-narrow-" + std::to_string(::getpid()))).string();
  ValueFile file(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600), "v",
                 ValueFile::ValueType::Int32, 0, 1000);
  std::filesystem::remove(path);
  std::vector<int64_t> values(600, INT32_MIN);
  file.put(0, values.data(), values.size());
  for (int64_t value : {int64_t(INT32_MAX) + 1, int64_t(INT32_MIN) - 1}) {
    values[500] = value;
    try {
      file.put(7, values.data(), values.size());
      ADD_FAILURE() << value;
    } catch (const Error &error) {
      EXPECT_EQ(error.what(), "v: element 507: " + std::to_string(value) +
                                  " is no integer of type i4");
    }
  }
}

TEST(ValueFile, SaysWhereItCannotWrite) {
  try {
    ValueFile file("/no/such/folder", 1);
    ADD_FAILURE();
  } catch (const Error &error) {
    EXPECT_EQ(std::string(error.what()).rfind("/no/such/folder: ", 0), 0u);
  }
}

} // namespace

// Tests runtime/arrays/ValueFile.cpp: in whatever pieces and order bytes
// come, their checksum is that of all of them in order.

namespace {

TEST(PieceChecksum, IsThatOfAllBytesInOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string all(1 + random() % 3000, '\0');
    std::vector<std::pair<uint64_t, uint64_t>> pieces; // begin, size
    for (uint64_t at = 0; at < all.size();) {
      const uint64_t size =
          std::min<uint64_t>(1 + random() % 400, all.size() - at);
      if (random() % 3) // the others stay zero
        pieces.push_back({at, size});
      at += size;
    }
    std::shuffle(pieces.begin(), pieces.end(), random);
    PieceChecksum sum;
    for (auto [at, size] : pieces) {
      for (uint64_t i = at; i < at + size; ++i)
        all[i] = static_cast<char>(random());
      sum.add(at, std::string_view(all).substr(at, size));
    }
    EXPECT_EQ(sum.of(all.size()), zip::addToChecksum(0, all));
  }
}

TEST(PieceChecksum, OfNothingAndOfZeros) {
  PieceChecksum sum;
  EXPECT_EQ(sum.of(0), 0u);
  EXPECT_EQ(sum.of(5), zip::addToChecksum(0, std::string(5, '\0')));
  sum.add(2, "");
  EXPECT_EQ(sum.of(1 << 20), zip::addToChecksum(0, std::string(1 << 20, '\0')));
}

TEST(PieceChecksum, RefusesBytesThatCameBefore) {
  PieceChecksum sum;
  sum.add(10, "abc");
  sum.add(20, "abc");
  for (uint64_t at : {8, 10, 12, 18, 22})
    EXPECT_THROW(sum.add(at, "xyz"), std::logic_error) << at;
  EXPECT_THROW(sum.add(11, "x"), std::logic_error);
  EXPECT_THROW(sum.add(5, std::string(100, 'x')), std::logic_error);
}

} // namespace
} // namespace dendrolith
