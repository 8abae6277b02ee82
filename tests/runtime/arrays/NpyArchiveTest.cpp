// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npz archives: NumPy's own, ours, spoiled ones, and those that would fill
// the memory.

#include "runtime/arrays/Npy.h"
#include "runtime/arrays/Zip.h"
#include "tests/runtime/TestSupport.h"

using namespace dendrolith;
using namespace dendrolith::test;

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
