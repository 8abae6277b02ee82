// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/arrays/WriteArrays.h: pieces are those of the whole, and few.

#include "runtime/arrays/WriteArrays.h"
#include "tests/runtime/TestSupport.h"

#include <algorithm>
#include <numeric>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

std::vector<int64_t> rising(size_t count) {
  std::vector<int64_t> values(count);
  std::iota(values.begin(), values.end(), -3);
  return values;
}

/// What a sink gets: all bytes, and the most that were copied at once.
struct Heard {
  std::string bytes;
  size_t most = 0;

  /// `within` is where numbers lie that are handed over as they are.
  void take(std::string_view piece, const void *within = nullptr) {
    bytes += piece;
    if (static_cast<const void *>(piece.data()) != within)
      most = std::max(most, piece.size());
  }
};

} // namespace

TEST(WriteArrays, WideNumbersAreHandedOverWhereTheyLie) {
  const Array ints = Array::ofInts({2, 500000}, rising(1000000));
  Heard heard;
  writeNpy(ints, [&](std::string_view piece) {
    heard.take(piece, ints.ints.data());
  });
  EXPECT_EQ(heard.bytes, formatNpy(ints));
  EXPECT_EQ(heard.bytes.size(), bytesOfNpy(ints));
  EXPECT_LE(heard.most, 128u); // the header
}

TEST(WriteArrays, NarrowOnesArePieces) {
  const Array ints = Array::ofInts({1000000}, rising(1000000), "<i4");
  Heard heard;
  writeNpy(ints, [&](std::string_view piece) { heard.take(piece); });
  EXPECT_EQ(heard.bytes, formatNpy(ints));
  EXPECT_LE(heard.most, size_t(1) << 16);
  EXPECT_EQ(parseNpy(heard.bytes, "x").ints, ints.ints);
}

TEST(WriteArrays, RealsAsIntegers) {
  const std::vector<double> values = {1, -2, 3};
  EXPECT_EQ(bytesOf([&](const ByteSink &sink) {
              writeNpy({{3}, values, "<i4"}, sink);
            }),
            formatNpy(Array::ofInts({3}, {1, -2, 3}, "<i4")));
}

TEST(WriteArrays, AnArchiveIsThatOfItsArrays) {
  std::map<std::string, Array> arrays;
  arrays["a"] = Array::ofInts({300000}, rising(300000), "<i2");
  arrays["b"] = Array::ofReals({2}, {0.5, -1});
  std::fill(arrays["a"].ints.begin(), arrays["a"].ints.end(), 7);
  Heard heard;
  writeNpz({arrays.begin(), arrays.end()},
           [&](std::string_view piece) { heard.take(piece); });
  EXPECT_EQ(heard.bytes, formatNpz(arrays));
  EXPECT_LE(heard.most, size_t(1) << 16);
  EXPECT_EQ(parseNpz(heard.bytes, "x")["a"].ints, arrays["a"].ints);
}

TEST(WriteArrays, NothingIsHandedOverOfAnArchiveThatIsTooLarge) {
  const Array few = Array::ofInts({3}, {1, 2, 3});
  std::map<std::string, ArrayView> arrays = {
      {std::string(0x10000, 'x'), ArrayView(few)}};
  bool heard = false;
  EXPECT_EQ(errorOf([&] {
              writeNpz(arrays, [&](std::string_view) { heard = true; });
            }),
            "cannot write the archive: expected a name of at most 65535 bytes, "
            "found 65540");
  EXPECT_FALSE(heard);
}
