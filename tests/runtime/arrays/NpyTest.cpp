// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy files: bytes equal to NumPy's, and headers that lie.

#include "runtime/arrays/Npy.h"
#include "runtime/arrays/LittleEndian.h"
#include "targets/support/Sha256.h"
#include "tests/runtime/TestSupport.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace dendrolith;
using namespace dendrolith::test;
using NumberKind = Array::NumberKind;

/// A file with this dictionary and data, unpadded.
static std::string file(const std::string &dictionary, const std::string &data,
                        char major = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += major;
  bytes += '\0';
  if (major == 1)
    appendLittle(bytes, static_cast<uint16_t>(dictionary.size() + 1));
  else
    appendLittle(bytes, static_cast<uint32_t>(dictionary.size() + 1));
  return bytes + dictionary + "\n" + data;
}

static std::string header(const std::string &dtype, const std::string &shape,
                          const std::string &order = "False") {
  return "{'descr': '" + dtype + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }";
}

namespace {
struct Golden {
  const char *dtype;
  std::vector<int64_t> ints;
  std::vector<double> real;
  const char *sha; // of the file that NumPy 1.24 writes
};
} // namespace

TEST(Npy, WritesAndReadsNumPysBytes) {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<int64_t> bools = {0, 1, 1, 0, 0, 1};
  std::vector<int64_t> plain = {0, 1, 2, 3, 127, 5};
  std::vector<int64_t> mixed = {0, 1, -1, 127, -128, 5};
  std::vector<double> reals = {0, 1.5, -2.25, inf, -0.0, 1e-3};
  const Golden all[] = {
      {"|b1",
       bools,
       {},
       "2280569060f27c2f53f2bdecf4a7d14b35bc6123f20e4b7c985ce22efa7c0c60"},
      {"|i1",
       mixed,
       {},
       "d7dd2733dabebc5c0a419f71d00107fe766b739a38a4a16414061ac564fdf523"},
      {"|u1",
       plain,
       {},
       "d77f4553a98918107a9db7d1147925c65d0dbd7f5ad23b872f0b9d1449eb5843"},
      {"<i2",
       mixed,
       {},
       "f8666343f27bd14276fbbacb4e4ce1cd74ed5922e48655b9f504908a06b6b05e"},
      {"<u2",
       plain,
       {},
       "e5651af16546cefbe7817a902adea7d37f52b4bda8c9cc214ea2a5a042a69730"},
      {"<i4",
       mixed,
       {},
       "458b47421205be9070f0379806daefd5ad6dcf7b25e1a0a347a3425b09879896"},
      {"<u4",
       plain,
       {},
       "5e4d1e28571aea7802f80e9d72fcaa22f4729a90eff93bf1a6bf1b28ae519c2a"},
      {"<i8",
       mixed,
       {},
       "b0e6ab32a44531e991256c3dd139163bbcbd01845c5bd698c1bc9aa6f225466b"},
      {"<u8",
       plain,
       {},
       "93bbc102441cc7972387143e3c1b8c93b250ea18b467a1cc2e4cfe2a06f3e046"},
      {"<f4",
       {},
       reals,
       "14d366b051b59a5a627d71905de22d7ed57c610352d5bc46bc36e189a10473b4"},
      {"<f8",
       {},
       reals,
       "8f9e95c09a1257fc911ad26695363f212e867b9f17c6d714b3f50758fb43f2f1"},
  };
  for (const Golden &golden : all) {
    SCOPED_TRACE(golden.dtype);
    Array array = golden.real.empty()
                      ? Array::ofInts({2, 3}, golden.ints, golden.dtype)
                      : Array::ofReals({2, 3}, golden.real, golden.dtype);
    std::string bytes = formatNpy(array);
    EXPECT_EQ(sha256(bytes), golden.sha);
    Array again = parseNpy(bytes, "x.npy");
    EXPECT_EQ(again.dtype, golden.dtype);
    EXPECT_EQ(again.shape, array.shape);
    EXPECT_EQ(again.ints, golden.ints);
    ASSERT_EQ(again.real.size(), golden.real.size());
    for (size_t i = 0; i < golden.real.size(); ++i)
      EXPECT_EQ(again.real[i], golden.dtype == std::string("<f4")
                                   ? static_cast<float>(golden.real[i])
                                   : golden.real[i]);
    EXPECT_EQ(formatNpy(again), bytes);
  }
}

TEST(Npy, WritesNumPysComplexScalarAndEmptyFiles) {
  Array array;
  array.kind = NumberKind::Complex;
  array.shape = {3};
  array.real = {1, 2, -0.0, -0.5, 3, 0};
  EXPECT_EQ(sha256(formatNpy(array, "<c8")),
            "d070a07e787028dde93ee88efdeec9b5b7189b389acf3ec19fea3361f47579e9");
  EXPECT_EQ(sha256(formatNpy(array)),
            "f2f89e5a32325e34318a0b64f0f37edc9bb92e4eeaae118fcd73aaa1fd0d7e5e");
  EXPECT_EQ(parseNpy(formatNpy(array), "x").real, array.real);
  EXPECT_EQ(sha256(formatNpy(Array::ofInts({}, {7}, "<i4"))),
            "f4775731e24d8a6a8a8b3d8d96fc0bbc086134e40470261823fe1906cdec6732");
  EXPECT_EQ(sha256(formatNpy(Array::ofReals({0, 4}, {}))),
            "8825ff7dd3621950d9d249e0725e93ab26e2904d6d9eff4a45bd0630772b2c67");
}

TEST(Npy, ReadsHalfPrecision) {
  std::string data("\x00\x3c\x00\xc0\xff\x7b\x01\x00\x00\x7c\x00\xfc\x00\x7e"
                   "\x54\x35",
                   16);
  Array array = parseNpy(file(header("<f2", "(8,)"), data), "x");
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> expected = {1,   -2,   65504, 5.960464477539063e-08,
                                  inf, -inf, NAN,   0.3330078125};
  for (size_t i = 0; i < 8; ++i)
    if (i == 6)
      EXPECT_TRUE(std::isnan(array.real[i]));
    else
      EXPECT_EQ(array.real[i], expected[i]);
}

TEST(Npy, ReadsOtherOrdersAndVersions) {
  Array array = parseNpy(
      file(header(">i4", "(2,)"), std::string("\0\0\1\2\xff\xff\xff\xfe", 8)),
      "x");
  EXPECT_EQ(array.ints, (std::vector<int64_t>{258, -2}));
  array = parseNpy(
      file(header(">f8", "()"), std::string("\x3f\xf8\0\0\0\0\0\0", 8), 2),
      "x");
  EXPECT_EQ(array.real, std::vector<double>{1.5});
  EXPECT_TRUE(array.shape.empty());
  // np.asfortranarray(np.arange(6).reshape(2, 3))
  array = parseNpy(file(header("<i2", "(2, 3)", "True"),
                        std::string("\0\0\3\0\1\0\4\0\2\0\5\0", 12), 3),
                   "x");
  EXPECT_EQ(array.ints, (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
  // Three axes and two parts a number: index (i, j, k) holds 100 i + 10 j + k.
  std::string data;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        for (float value : {100.f * i + 10.f * j + k, 0.5f}) {
          uint32_t bits;
          std::memcpy(&bits, &value, 4);
          appendLittle(data, bits);
        }
  array = parseNpy(file(header("<c8", "(2, 3, 2)", "True"), data), "x");
  EXPECT_EQ(array.real[2 * ((1 * 3 + 2) * 2 + 1)], 121);
  EXPECT_EQ(array.real[2 * ((0 * 3 + 1) * 2 + 0)], 10);
  EXPECT_EQ(array.real[2 * ((0 * 3 + 1) * 2 + 0) + 1], 0.5);
}

TEST(Npy, EveryTruncationIsAnError) {
  std::string bytes = formatNpy(Array::ofInts({2, 3}, {1, 2, 3, 4, 5, 6}));
  for (size_t size = 0; size < bytes.size(); ++size)
    ASSERT_EQ(errorOf([&] {
                parseNpy(std::string_view(bytes).substr(0, size), "x.npy");
              }).rfind("x.npy: ", 0),
              0u);
  EXPECT_EQ(errorOf([&] { parseNpy(bytes + "!", "x.npy"); }),
            "x.npy: too long: expected 48 bytes of elements (shape (2, 3), "
            "type <i8), found 49");
}

TEST(Npy, RefusesByName) {
  auto error = [](const std::string &dictionary, const std::string &data = "") {
    return errorOf([&] { parseNpy(file(dictionary, data), "x"); });
  };
  EXPECT_EQ(error(header("|O", "(1,)")),
            "x: pickled object arrays are not read; save a numeric array");
  for (const char *type : {"<U5", "|S3", "<M8[ns]", "<f16", "|V4", "f8", "=f8",
                           "|f8", "", "<i3", "i1"})
    EXPECT_EQ(error(header(type, "(1,)")).rfind("x: expected elements of", 0),
              0u)
        << type;
  EXPECT_NE(error("{'descr': [('a', '<f8')], 'fortran_order': False, "
                  "'shape': (1,), }")
                .find("record arrays are not read"),
            std::string::npos);
  EXPECT_NE(error(header("<u8", "(1,)"), std::string(8, '\xff'))
                .find("at most 2^63 - 1 as element 0, found "
                      "18446744073709551615"),
            std::string::npos);
  EXPECT_NE(error(header("|b1", "(1,)"), "\x02").find("expected 0 or 1"),
            std::string::npos);
  EXPECT_EQ(errorOf([] { parseNpy("PK\x03\x04 and so on", "x"); }),
            "x: not a .npy array");
  EXPECT_EQ(errorOf([] { parseNpy(file(header("|u1", "()"), "\1", 4), "x"); }),
            "x: expected .npy format 1.0, 2.0 or 3.0, found 4.0");
}

TEST(Npy, RefusesSizesThatLie) {
  // Products that overflow, and gigabytes that are not there.
  for (const char *shape :
       {"(4294967296, 4294967296)", "(99999999999999999999,)",
        "(18446744073709551615, 2)", "(536870912,)", "(536870913,)"})
    EXPECT_THROW(parseNpy(file(header("<f8", shape), "12345678"), "x"), Error)
        << shape;
  // A zero makes the others harmless, but only together with no data.
  EXPECT_EQ(parseNpy(file(header("<f8", "(4294967296, 0)"), ""), "x").size(),
            0u);
  EXPECT_THROW(parseNpy(file(header("<f8", "(4294967296, 0)"), "1"), "x"),
               Error);
}

TEST(Npy, RefusesMalformedHeaders) {
  for (const char *dictionary :
       {"", "{", "{}", "{'descr'", "{'descr': '<f8'",
        "{'descr': '<f8', 'fortran_order': False}",
        "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': ()}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': ()} + exit()",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (), 'x': ()}",
        "{'descr': '<\\x66', 'fortran_order': False, 'shape': ()}",
        "{descr: '<f8', 'fortran_order': False, 'shape': ()}"}) {
    EXPECT_THROW(parseNpy(file(dictionary, "12345678"), "x"), Error)
        << dictionary;
  }
  // The same with nothing wrong.
  EXPECT_EQ(parseNpy(file("{\"shape\":(),'fortran_order':True,'descr':'<f8'}",
                          "12345678"),
                     "x")
                .real.size(),
            1u);
}

TEST(Npy, RefusesValuesThatDoNotFit) {
  EXPECT_EQ(errorOf([] { formatNpy(Array::ofInts({2}, {0, 256}), "|u1"); }),
            "cannot write the array: element 1: 256 does not fit type u1");
  for (auto [value, type] :
       std::vector<std::pair<double, const char *>>{{-129, "|i1"},
                                                    {-1, "<u8"},
                                                    {2, "|b1"},
                                                    {0.5, "<i4"},
                                                    {1e300, "<i8"},
                                                    {NAN, "<i8"},
                                                    {1e300, "<f4"},
                                                    {1, "<f2"},
                                                    {1, ">f8"},
                                                    {1, "<c16"}})
    EXPECT_THROW(formatNpy(Array::ofReals({}, {value}), type), Error) << type;
  EXPECT_THROW(formatNpy(Array::ofReals({3}, {1, 2})), Error);
  EXPECT_EQ(formatNpy(Array::ofReals({1}, {3}), "<i4"),
            formatNpy(Array::ofInts({1}, {3}, "<i4")));
}
