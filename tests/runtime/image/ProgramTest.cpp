// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image as a file: round trips, and files that are not what they claim.

#include "runtime/host/Files.h"
#include "targets/support/Sha256.h"
#include "tests/runtime/ProgramFixture.h"
#include "tests/runtime/TestSupport.h"

#include <random>

using namespace dendrolith;
using namespace dendrolith::test;

TEST(ProgramFile, RoundTripKeepsEveryByte) {
  image::Program program = smallProgram();
  std::string bytes = serialize(program);
  image::Program again = parseProgram(bytes, "p.dlp");
  EXPECT_EQ(again.SerializeAsString(), program.SerializeAsString());
  EXPECT_EQ(serialize(again), bytes);
  EXPECT_EQ(serialize(smallProgram()), bytes);
}

TEST(ProgramFile, SaveAndLoad) {
  ScratchDirectory scratch;
  saveProgram(smallProgram(), scratch.file("p.dlp"));
  image::Program program = loadProgram(scratch.file("p.dlp"));
  EXPECT_EQ(serialize(program), serialize(smallProgram()));
  EXPECT_EQ(readFile(scratch.file("p.dlp"), 1 << 20), serialize(program));
  EXPECT_EQ(scratch.entries(), 1u);
}

TEST(ProgramFile, InvalidProgramLeavesNoFile) {
  ScratchDirectory scratch;
  image::Program program = smallProgram();
  program.mutable_schedule()->set_period(0);
  EXPECT_THROW(saveProgram(program, scratch.file("p.dlp")), Error);
  EXPECT_EQ(scratch.entries(), 0u);
}

TEST(ProgramFile, EveryTruncationIsAnError) {
  std::string bytes = serialize(smallProgram());
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::string message = errorOf([&] {
      parseProgram(std::string_view(bytes).substr(0, size), "p.dlp");
    });
    ASSERT_EQ(message.rfind("p.dlp: ", 0), 0u) << message;
    ASSERT_NE(message.find(size == 0 ? "empty" : "truncated"),
              std::string::npos)
        << size << ": " << message;
  }
  EXPECT_THROW(parseProgram(bytes + "x", "p.dlp"), Error);
}

TEST(ProgramFile, BitFlipsNeverPass) {
  std::string bytes = serialize(smallProgram());
  for (unsigned seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    std::string spoiled = bytes;
    size_t bit = random() % (8 * bytes.size());
    spoiled[bit / 8] = static_cast<char>(spoiled[bit / 8] ^ 1 << bit % 8);
    ASSERT_THROW(parseProgram(spoiled, "p.dlp"), Error) << "seed " << seed;
  }
}

/// The file a person would forge: wrong content under a right digest.
static std::string wrap(const std::string &message) {
  return "DENDROLITH\n" + sha256(message) + "\n" + message;
}

TEST(ProgramFile, ForgedContentNeverCrashes) {
  std::string message = smallProgram().SerializeAsString();
  unsigned refused = 0;
  for (unsigned seed = 0; seed < 5000; ++seed) {
    std::mt19937 random(seed);
    std::string spoiled = message;
    for (unsigned i = 0; i <= seed % 4; ++i) {
      size_t bit = random() % (8 * message.size());
      spoiled[bit / 8] = static_cast<char>(spoiled[bit / 8] ^ 1 << bit % 8);
    }
    try {
      // What passes must be as good as any valid program.
      serialize(parseProgram(wrap(spoiled), "p.dlp"));
    } catch (const Error &) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 2000u);
}

TEST(ProgramFile, MessagesSayWhatToDo) {
  EXPECT_EQ(errorOf([] { parseProgram("PK\x03\x04", "m.npz"); }),
            "m.npz: not a program image (expected the signature 'DENDROLITH'); "
            "compile the model first");
  EXPECT_EQ(errorOf([] { parseProgram(wrap("\xff\xff\xff"), "p.dlp"); }),
            "p.dlp: malformed program image: the content is not a program "
            "message; recompile the model");
  image::Program program = smallProgram();
  program.set_format_version(1);
  EXPECT_EQ(errorOf([&] {
              parseProgram(wrap(program.SerializeAsString()), "p.dlp");
            }),
            "p.dlp: expected format version 3, found 1; recompile the model");
  program = smallProgram();
  program.mutable_cores(1)->set_in_axons(encodeInAxons({{99, 0, 0, 0}}));
  EXPECT_EQ(errorOf([&] {
              parseProgram(wrap(program.SerializeAsString()), "p.dlp");
            }),
            "p.dlp: core 2, in-axon 0: list 99 does not exist, the core has 5 "
            "lists; recompile the model");
  EXPECT_NE(errorOf([] {
              loadProgram("/nonexistent/p.dlp");
            }).find("/nonexistent/p.dlp: cannot open"),
            std::string::npos);
}

TEST(ProgramFile, DescriptionNamesEverything) {
  std::string text = describeProgram(smallProgram());
  for (const char *part :
       {"small.nir", "target tiny", "period 1 steps, depth 3 steps",
        "a (3,): cuba_lif, phase 1", "in (2,): binary", "state v of b",
        "core 2: 5 in-axons, 5 lists (1 sparse), 4 weights, 6 words",
        "b[0..1] from accumulator 1, phase 2", "threshold 4096"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Tables, RoundTripsAndByteOrder) {
  auto bytes = [](const char *text, size_t size) {
    return std::string(text, size) + std::string(3, '\0');
  };
  EXPECT_EQ(encodeU32({0x01020304}), bytes("\1\0\0\0\4\4\3\2\1", 9));
  EXPECT_EQ(encodeU32({1, 300}), bytes("\2\0\0\0\2\1\0\x2c\1", 9));
  EXPECT_EQ(encodeI16({-2, 2}), bytes("\2\0\0\0\1\3\4", 7));
  EXPECT_EQ(decodeI16(encodeI16({-32768, 32767})),
            (std::vector<int16_t>{-32768, 32767}));
  InAxon axon = decodeInAxons(encodeInAxons({{1, 2, 3, 4}}))[0];
  EXPECT_EQ(axon.list, 1u);
  EXPECT_EQ(axon.base, 2u);
  EXPECT_EQ(axon.port, 3);
  EXPECT_EQ(axon.delay, 4);
  AxonTable table = decodeAxons(encodeAxons({{0, 1, 1}, {{7, 9}}}));
  EXPECT_EQ(table.sources(), 2u);
  EXPECT_EQ(table.rows[0].axon, 9u);
  EXPECT_EQ(errorOf([] { decodeLists("123"); }),
            "expected a whole table, found one of 3 bytes that ends too early");
}

// Lists out of order and shared, axons that jump and far cores.
TEST(Tables, KeepsWhatACompilerWouldNotWrite) {
  std::vector<SynapseList> lists = {
      {5, 2, 0, 1, ListKind::Dense, 6, 8, 0},
      {5, 2, 7, 1, ListKind::Sparse, 6, 8, 9},
      {0, 2, 9, 1, ListKind::Sparse, 6, 8, 9},
      {2, 3, 4, 9, ListKind::Conv, 31, 16, 32},
      {~0u, ~0u, ~0u, ~0u, ListKind::Sparse, 255, 255, 255}};
  std::vector<SynapseList> back = decodeLists(encodeLists(lists));
  ASSERT_EQ(back.size(), lists.size());
  for (size_t i = 0; i < lists.size(); ++i) {
    EXPECT_EQ(back[i].first, lists[i].first);
    EXPECT_EQ(back[i].count, lists[i].count);
    EXPECT_EQ(back[i].firstOffset, lists[i].firstOffset);
    EXPECT_EQ(back[i].words, lists[i].words);
    EXPECT_EQ(back[i].kind, lists[i].kind);
    EXPECT_EQ(back[i].shift, lists[i].shift);
    EXPECT_EQ(back[i].weightBits, lists[i].weightBits);
    EXPECT_EQ(back[i].indexBits, lists[i].indexBits);
  }
  AxonTable table{{0, 3, 3, 6},
                  {{1, 4}, {1, 5}, {1 << 19, 2}, {1, 3}, {2, 0}, {~0u, 8}}};
  AxonTable again = decodeAxons(encodeAxons(table));
  EXPECT_EQ(again.begin, table.begin);
  ASSERT_EQ(again.rows.size(), table.rows.size());
  for (size_t i = 0; i < table.rows.size(); ++i) {
    EXPECT_EQ(again.rows[i].core, table.rows[i].core);
    EXPECT_EQ(again.rows[i].axon, table.rows[i].axon);
  }
}

// To the right, a product is cut down and wraps to 16 bits.
TEST(Tables, ContributionOfAnEntry) {
  EXPECT_EQ(contribution(-3, 5, 2), -60);
  EXPECT_EQ(contribution(100, 255, kRightShift + 7), 199);
  EXPECT_EQ(contribution(-1, 1, kRightShift + 7), -1);
  EXPECT_EQ(contribution(32767, 255, kRightShift + 7), 65278 - 65536);
  EXPECT_EQ(contribution(-32768, 255, kRightShift + 7), -65280 + 65536);
  EXPECT_TRUE(isListShift(31) && isListShift(kRightShift + 31));
  EXPECT_FALSE(isListShift(32) || isListShift(kRightShift) ||
               isListShift(kRightShift + 32));
}

// By shape or row by row, lists that lie one after the other give equal bytes,
// also those of convolutions, which say where their offsets are.
TEST(Tables, ListsByShape) {
  for (ListKind indexed : {ListKind::Sparse, ListKind::Conv}) {
    const std::vector<SynapseList> shapes = {
        {0, 9, 0, 9, ListKind::Dense, 6, 8, 0}, // of no list
        {0, 2, 0, 1, indexed, 6, 8, 9},
        {0, 3, 0, 1, ListKind::Dense, 6, 8, 0},
        {0, 1, 0, 1, ListKind::Sparse, 6, 8, 9}};
    EXPECT_EQ(encodeLists(shapes, {2, 1, 1, 3, 2, 1}),
              encodeLists({{0, 3, 0, 1, ListKind::Dense, 6, 8, 0},
                           {3, 2, 0, 1, indexed, 6, 8, 9},
                           {5, 2, 2, 1, indexed, 6, 8, 9},
                           {7, 1, 4, 1, ListKind::Sparse, 6, 8, 9},
                           {8, 3, 0, 1, ListKind::Dense, 6, 8, 0},
                           {11, 2, 5, 1, indexed, 6, 8, 9}}));
  }
  EXPECT_EQ(encodeLists({}, {}), encodeLists({}));
}

// What follows each other takes few bytes: a list one of its shape, its entry
// one of weight, a message one of its core.
TEST(Tables, OrderTakesNoBytes) {
  std::vector<SynapseList> lists;
  std::vector<InAxon> axons;
  AxonTable table{{0}, {}};
  for (uint32_t i = 0; i < 200; ++i) {
    lists.push_back({2 * i, 2, 0, 1, ListKind::Dense, 6, 8, 0});
    axons.push_back({i, i, 0, 0});
    table.rows.push_back({i % 5, i / 5});
    table.begin.push_back(i + 1);
  }
  EXPECT_LE(encodeLists(lists).size(), 200 + 64u);
  EXPECT_LE(encodeInAxons(axons).size(), 200 + 64u);
  EXPECT_LE(encodeAxons(table).rows().size(), 200 + 64u);
}
