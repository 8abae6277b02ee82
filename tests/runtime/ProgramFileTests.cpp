// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image as a file: round trips, and files that are not what they claim.

#include "runtime/Files.h"
#include "targets/Sha256.h"
#include "tests/runtime/ProgramFixture.h"
#include "tests/runtime/TestSupport.h"

#include <random>

using namespace neurite;
using namespace neurite::test;

TEST(ProgramFile, RoundTripKeepsEveryByte) {
  image::Program program = smallProgram();
  std::string bytes = serialize(program);
  image::Program again = parseProgram(bytes, "p.nrt");
  EXPECT_EQ(again.SerializeAsString(), program.SerializeAsString());
  EXPECT_EQ(serialize(again), bytes);
  EXPECT_EQ(serialize(smallProgram()), bytes);
}

TEST(ProgramFile, SaveAndLoad) {
  ScratchDirectory scratch;
  saveProgram(smallProgram(), scratch.file("p.nrt"));
  image::Program program = loadProgram(scratch.file("p.nrt"));
  EXPECT_EQ(serialize(program), serialize(smallProgram()));
  EXPECT_EQ(readFile(scratch.file("p.nrt"), 1 << 20), serialize(program));
  EXPECT_EQ(scratch.entries(), 1u);
}

TEST(ProgramFile, InvalidProgramLeavesNoFile) {
  ScratchDirectory scratch;
  image::Program program = smallProgram();
  program.mutable_schedule()->set_period(0);
  EXPECT_THROW(saveProgram(program, scratch.file("p.nrt")), Error);
  EXPECT_EQ(scratch.entries(), 0u);
}

TEST(ProgramFile, EveryTruncationIsAnError) {
  std::string bytes = serialize(smallProgram());
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::string message = errorOf([&] {
      parseProgram(std::string_view(bytes).substr(0, size), "p.nrt");
    });
    ASSERT_EQ(message.rfind("p.nrt: ", 0), 0u) << message;
    ASSERT_NE(message.find(size == 0 ? "empty" : "truncated"),
              std::string::npos)
        << size << ": " << message;
  }
  EXPECT_THROW(parseProgram(bytes + "x", "p.nrt"), Error);
}

TEST(ProgramFile, BitFlipsNeverPass) {
  std::string bytes = serialize(smallProgram());
  for (unsigned seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    std::string spoiled = bytes;
    size_t bit = random() % (8 * bytes.size());
    spoiled[bit / 8] = static_cast<char>(spoiled[bit / 8] ^ 1 << bit % 8);
    ASSERT_THROW(parseProgram(spoiled, "p.nrt"), Error) << "seed " << seed;
  }
}

/// The file a person would forge: wrong content under a right digest.
static std::string wrap(const std::string &message) {
  return "NEURITE\n" + sha256(message) + "\n" + message;
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
      serialize(parseProgram(wrap(spoiled), "p.nrt"));
    } catch (const Error &) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 2000u);
}

TEST(ProgramFile, MessagesSayWhatToDo) {
  EXPECT_EQ(errorOf([] { parseProgram("PK\x03\x04", "m.npz"); }),
            "m.npz: not a program image (expected the signature 'NEURITE'); "
            "compile the model first");
  EXPECT_EQ(errorOf([] { parseProgram(wrap("\xff\xff\xff"), "p.nrt"); }),
            "p.nrt: malformed program image: the content is not a program "
            "message; recompile the model");
  image::Program program = smallProgram();
  program.set_format_version(1);
  EXPECT_EQ(errorOf([&] {
              parseProgram(wrap(program.SerializeAsString()), "p.nrt");
            }),
            "p.nrt: expected format version 2, found 1; recompile the model");
  program = smallProgram();
  program.mutable_cores(1)->set_in_axons(encodeInAxons({{99, 0, 0, 0}}));
  EXPECT_EQ(errorOf([&] {
              parseProgram(wrap(program.SerializeAsString()), "p.nrt");
            }),
            "p.nrt: core 2, in-axon 0: list 99 does not exist, the core has 5 "
            "lists; recompile the model");
  EXPECT_NE(errorOf([] {
              loadProgram("/nonexistent/p.nrt");
            }).find("/nonexistent/p.nrt: cannot open"),
            std::string::npos);
}

TEST(ProgramFile, DescriptionNamesEverything) {
  std::string text = describeProgram(smallProgram());
  for (const char *part :
       {"small.nir", "target tiny", "period 1 steps, depth 3 steps",
        "a (3,): cuba_lif, phase 1", "in (2,): binary", "state v of b",
        "core 2: 5 in-axons, 5 lists (1 sparse), 4 weights, 6 words",
        "b[0..1] from compartment 1, phase 2", "threshold 4096"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Tables, RoundTripsAndByteOrder) {
  EXPECT_EQ(encodeU32({0x01020304}), std::string("\x04\x03\x02\x01", 4));
  EXPECT_EQ(encodeI16({-2, 258}), std::string("\xfe\xff\x02\x01", 4));
  EXPECT_EQ(decodeI16(encodeI16({-32768, 32767})),
            (std::vector<int16_t>{-32768, 32767}));
  EXPECT_EQ(encodeInAxons({{1, 2, 3, 4}}),
            std::string("\1\0\0\0\2\0\0\0\3\0\4\0", 12));
  EXPECT_EQ(encodeLists({{1, 2, 3, 4, ListKind::Sparse, 6, 7, 8}}),
            std::string("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\1\6\7\x08", 20));
  SynapseList list =
      decodeLists(encodeLists({{1, 2, 3, 4, ListKind::Conv, 6, 7, 8}}))[0];
  EXPECT_EQ(list.firstOffset, 3u);
  EXPECT_EQ(list.kind, ListKind::Conv);
  EXPECT_EQ(list.indexBits, 8);
  AxonTable table = decodeAxons(encodeAxons({{0, 1, 1}, {{7, 9}}}));
  EXPECT_EQ(table.sources(), 2u);
  EXPECT_EQ(table.rows[0].axon, 9u);
  EXPECT_EQ(errorOf([] { decodeLists("123"); }),
            "expected whole rows of 20 bytes, found 3 bytes");
}
