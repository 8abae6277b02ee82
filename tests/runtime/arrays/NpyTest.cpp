// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy files: bytes equal to NumPy's, and headers that lie.

#include "runtime/arrays/Npy.h"
#include "runtime/arrays/LittleEndian.h"
#include "runtime/arrays/Zip.h"
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

// .npz archives: NumPy's own, ours, spoiled ones, and those that would fill
// the memory.

static std::string unhex(const std::string &hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

/// np.savez(a=np.array([1, -2], 'i1'), b=np.array([0.5], 'f4')); its local
/// headers carry 64-bit sizes.
static std::string savez() {
  return unhex(
      "504b030414000000000000002100f99bf312820000008200000005001400612e6e7079"
      "0100100082000000000000008200000000000000934e554d5059010076007b27646573"
      "6372273a20277c6931272c2027666f727472616e5f6f72646572273a2046616c73652c"
      "20277368617065273a2028322c292c207d202020202020202020202020202020202020"
      "2020202020202020202020202020202020202020202020202020202020202020202020"
      "202020202020200a01fe504b0304140000000000000021001aaed44884000000840000"
      "0005001400622e6e70790100100084000000000000008400000000000000934e554d50"
      "59010076007b276465736372273a20273c6634272c2027666f727472616e5f6f726465"
      "72273a2046616c73652c20277368617065273a2028312c292c207d2020202020202020"
      "2020202020202020202020202020202020202020202020202020202020202020202020"
      "20202020202020202020202020202020200a0000003f504b0102140314000000000000"
      "002100f99bf3128200000082000000050000000000000000000000800100000000612e"
      "6e7079504b01021403140000000000000021001aaed448840000008400000005000000"
      "00000000000000008001b9000000622e6e7079504b0506000000000200020066000000"
      "740100000000");
}

/// np.savez_compressed(a=np.array([1, -2], 'i1'), b=np.arange(3, 'f4') / 2)
static std::string savezCompressed() {
  return unhex(
      "504b030414000000080000002100f99bf312460000008200000005001400612e6e7079"
      "01001000820000000000000046000000000000009bec17ea1b10c9c850c650ad9e925a"
      "9c5ca46ea5a05e9369a8aea3a09e965f54529498179f5f94920a12774bcc294e058a17"
      "672416a402f91a463a9a3a0ab50a14002ec67f00504b03041400000008000000210088"
      "6c0fb64c0000008c00000005001400622e6e7079010010008c000000000000004c0000"
      "00000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e96"
      "5f54529498179f5f94920a12774bcc294e058a17672416a402f91ac63a9a3a0ab50a14"
      "002e0608b0676068b00700504b0102140314000000080000002100f99bf31246000000"
      "82000000050000000000000000000000800100000000612e6e7079504b010214031400"
      "0000080000002100886c0fb64c0000008c00000005000000000000000000000080017d"
      "000000622e6e7079504b0506000000000200020066000000000100000000");
}

static std::string
packed(const std::vector<std::pair<std::string, std::string>> &files) {
  std::vector<zip::Packed> members;
  for (const auto &file : files)
    members.push_back({file.first, file.second.size(),
                       [&file](const ByteSink &sink) { sink(file.second); }});
  return bytesOf([&](const ByteSink &sink) { zip::pack(members, sink); });
}

TEST(Npz, ReadsWhatNumPyWrites) {
  std::map<std::string, Array> arrays = parseNpz(savez(), "x.npz");
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays["a"].ints, (std::vector<int64_t>{1, -2}));
  EXPECT_EQ(arrays["b"].real, std::vector<double>{0.5});
  arrays = parseNpz(savezCompressed(), "x.npz");
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays["a"].ints, (std::vector<int64_t>{1, -2}));
  EXPECT_EQ(arrays["b"].real, (std::vector<double>{0, 0.5, 1}));
}

TEST(Npz, RoundTripIsDeterministic) {
  std::map<std::string, Array> arrays;
  arrays["net/lif1:v"] = Array::ofInts({2, 2}, {1, -2, 3, -4}, "<i4");
  arrays["out"] = Array::ofReals({3}, {0.5, -1, 2});
  arrays["caf\xc3\xa9"] = Array::ofInts({1}, {1}, "|u1");
  std::string bytes = formatNpz(arrays);
  EXPECT_EQ(formatNpz(arrays), bytes);
  std::map<std::string, Array> again = parseNpz(bytes, "x.npz");
  ASSERT_EQ(again.size(), 3u);
  EXPECT_EQ(again["net/lif1:v"].ints, arrays["net/lif1:v"].ints);
  EXPECT_EQ(again["net/lif1:v"].dtype, "<i4");
  EXPECT_EQ(again["out"].real, arrays["out"].real);
  EXPECT_EQ(formatNpz(again), bytes);
  EXPECT_TRUE(parseNpz(formatNpz({}), "x.npz").empty());
  for (const char *name : {"", "/etc/x", "../x", "a/..", "a\\x"})
    EXPECT_THROW(formatNpz({{name, arrays["out"]}}), Error) << name;
  EXPECT_THROW(formatNpz({{std::string(2, '\0'), arrays["out"]}}), Error);
}

TEST(Npz, EveryTruncationIsAnError) {
  for (const std::string &bytes : {savez(), savezCompressed()})
    for (size_t size = 0; size < bytes.size(); ++size)
      ASSERT_EQ(errorOf([&] {
                  parseNpz(std::string_view(bytes).substr(0, size), "x.npz");
                }).rfind("x.npz", 0),
                0u);
}

TEST(Npz, EveryByteMayBeWrong) {
  for (const std::string &bytes : {savez(), savezCompressed()}) {
    unsigned refused = 0;
    for (size_t at = 0; at < bytes.size(); ++at)
      for (int mask : {1, 0x80, 0xff}) {
        std::string spoiled = bytes;
        spoiled[at] = static_cast<char>(spoiled[at] ^ mask);
        try {
          // Some bytes mean nothing (dates, versions); the values must stand.
          for (auto &[name, array] : parseNpz(spoiled, "x.npz"))
            EXPECT_EQ(array.value(0), name == "a"         ? 1
                                      : array.size() == 1 ? 0.5
                                                          : 0);
        } catch (const Error &) {
          ++refused;
        }
      }
    EXPECT_GT(refused, bytes.size());
  }
}

TEST(Npz, RefusesBombsAndForeignMembers) {
  // The declared size of member a, in its directory entry.
  std::string bytes = savezCompressed();
  size_t entry = bytes.find("PK\x01\x02");
  std::string small = bytes, large = bytes, huge = bytes;
  small.replace(entry + 24, 4, std::string("\x40\0\0\0", 4));
  large.replace(entry + 24, 4, std::string("\0\0\1\0", 4));
  huge.replace(entry + 24, 4, std::string("\xfe\xff\xff\xff", 4));
  EXPECT_EQ(errorOf([&] { parseNpz(small, "x.npz"); }),
            "x.npz, member 'a.npy': truncated: expected a header of 128 bytes, "
            "found 64");
  EXPECT_EQ(errorOf([&] { parseNpz(large, "x.npz"); }),
            "x.npz, member 'a.npy': malformed archive: the content does not "
            "unpack");
  EXPECT_EQ(errorOf([&] { parseNpz(huge, "x.npz"); }),
            "x.npz: expected at most 4294967296 bytes unpacked, found more");
  EXPECT_EQ(
      errorOf([] { parseNpz(packed({{"readme.txt", "hello"}}), "x.npz"); }),
      "x.npz, member 'readme.txt': expected members named NAME.npy");
  std::string array = formatNpy(Array::ofInts({1}, {1}));
  EXPECT_EQ(errorOf([&] {
              parseNpz(packed({{"a.npy", array}, {"a.npy", array}}), "x.npz");
            }),
            "x.npz, member 'a.npy': appears twice");
  EXPECT_EQ(errorOf([&] {
              parseNpz(packed({{"a.npy", array + "!"}}), "x.npz");
            }).rfind("x.npz, member 'a.npy': too long", 0),
            0u);
  EXPECT_EQ(errorOf([] { parseNpz("\x93NUMPY and more than 22 bytes", "y"); }),
            "y: not a zip archive, as .npz and .pt2 are, or truncated: it has "
            "no end record");
}

TEST(Npz, RefusesEncryptedAndUnknownMethods) {
  std::string bytes = savez();
  size_t entry = bytes.find("PK\x01\x02");
  std::string encrypted = bytes, method = bytes;
  encrypted[entry + 8] = 1;
  method[entry + 10] = 93;
  EXPECT_EQ(errorOf([&] { parseNpz(encrypted, "x"); }),
            "x, member 'a.npy': encrypted members are not read");
  EXPECT_EQ(errorOf([&] { parseNpz(method, "x"); }),
            "x, member 'a.npy': expected a stored or deflated member, found "
            "method 93");
}

TEST(Npz, ReadsOnlyNamedMembers) {
  ScratchDirectory scratch;
  std::string path = scratch.file("x.npz");
  std::map<std::string, Array> arrays;
  arrays["a"] = Array::ofInts({1}, {1});
  arrays["b"] = Array::ofInts({1}, {2});
  saveNpz(path, arrays);
  EXPECT_EQ(listNpz(path), (std::vector<std::string>{"a", "b"}));
  arrays = loadNpz(path, {"b"});
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays["b"].ints[0], 2);
  EXPECT_EQ(errorOf([&] { loadNpz(path, {"a", "c"}); }),
            path + ": expected a member 'c', found a, b");
}

TEST(Npz, ReadsTheSharedArchives) {
  const char *configured = std::getenv("DENDROLITH_SHARED");
  std::filesystem::path shared =
      configured ? configured : DENDROLITH_SHARED_DIR;
  if (!std::filesystem::exists(shared / "data"))
    GTEST_SKIP() << "no shared data";
  unsigned read = 0;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(shared / "data")) {
    std::string path = entry.path().string();
    if (entry.path().extension() == ".npy") {
      EXPECT_GT(loadNpy(path).size(), 0u) << path;
      ++read;
    } else if (entry.path().extension() == ".npz") {
      for (const std::string &name : listNpz(path)) {
        try {
          EXPECT_EQ(loadNpz(path, {name}).size(), 1u);
          ++read;
        } catch (const Error &error) {
          // Notes in text lie beside the numbers.
          EXPECT_NE(std::string(error.what()).find("found '<U"),
                    std::string::npos)
              << error.what();
        }
      }
    }
  }
  EXPECT_GT(read, 0u);
}
