// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A large image as a file of sections: round trips, reading a part, and files
// that are not what they claim.

#include "runtime/image/Sections.h"
#include "runtime/host/Files.h"
#include "runtime/image/ProgramFile.h"
#include "targets/support/Sha256.h"
#include "tests/runtime/ProgramFixture.h"
#include "tests/runtime/TestSupport.h"

#include <google/protobuf/unknown_field_set.h>
#include <random>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// The small program in sections, to be spoiled and then sealed with digests
/// that are true.
struct Forged {
  Forged() {
    const std::string file = serializeInSections(smallProgram());
    const sections::Source source = {
        "p.dlp", file.size(), [&](uint64_t offset, char *into, size_t count) {
          file.copy(into, count, offset);
        }};
    std::string digest;
    index = sections::readIndex(source, digest);
    size_t at = sections::kMagic.size();
    for (image::Section *section : all()) {
      parts.push_back(file.substr(at, section->bytes()));
      at += section->bytes();
    }
  }

  /// In the order of the file: groups and memory of cores 0 and 2, the head.
  std::vector<image::Section *> all() {
    std::vector<image::Section *> sections;
    for (image::CoreSections &core : *index.mutable_cores()) {
      sections.push_back(core.mutable_groups());
      sections.push_back(core.mutable_memory());
    }
    sections.push_back(index.mutable_head());
    return sections;
  }

  /// Makes lengths and digests of the index those of the parts.
  Forged &describe() {
    for (size_t i = 0; i < parts.size(); ++i) {
      all()[i]->set_bytes(parts[i].size());
      all()[i]->set_sha256(sections::rawSha256(parts[i]));
    }
    return *this;
  }

  template <typename Message>
  void edit(size_t part, void (*change)(Message &)) {
    Message message;
    message.ParseFromString(parts[part]);
    change(message);
    parts[part] = message.SerializeAsString();
  }

  std::string seal() const {
    std::string bytes(sections::kMagic);
    for (const std::string &part : parts)
      bytes += part;
    return bytes + sections::ending(index.SerializeAsString());
  }

  std::string refused() const {
    return errorOf([&] { parseProgram(seal(), "p.dlp"); });
  }

  image::Index index;
  std::vector<std::string> parts;
};

void has(const std::string &text, const std::string &part) {
  EXPECT_EQ(text.rfind("p.dlp: ", 0), 0u) << text;
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

bool isSecond(uint32_t core) { return core == 2; }

} // namespace

TEST(Sections, RoundTripKeepsEveryByte) {
  const image::Program program = smallProgram();
  const std::string bytes = serializeInSections(program);
  EXPECT_EQ(parseProgram(bytes, "p.dlp").SerializeAsString(),
            program.SerializeAsString());
  EXPECT_EQ(serializeInSections(parseProgram(bytes, "p.dlp")), bytes);
  EXPECT_EQ(Forged().describe().seal(), bytes);
}

TEST(Sections, LargeImagesAreWrittenSo) {
  ScratchDirectory scratch;
  image::Program program = smallProgram();
  image::Note &note = *program.add_policies();
  note.set_key("long");
  note.set_value(std::string(17 << 20, 'x'));
  const std::string bytes = serialize(program);
  EXPECT_EQ(bytes.substr(0, 12), "DENDROLITH2\n");
  EXPECT_EQ(bytes, serializeInSections(program));
  saveProgram(program, scratch.file("p.dlp"));
  EXPECT_EQ(readFile(scratch.file("p.dlp"), 1 << 25), bytes);
  std::string digest;
  EXPECT_EQ(serialize(loadProgram(scratch.file("p.dlp"), &digest)), bytes);
  EXPECT_EQ(digest, digestOf(program));
  EXPECT_EQ(digest, bytes.substr(bytes.size() - 82, 64));
}

TEST(Sections, EveryTruncationIsAnError) {
  const std::string bytes = serializeInSections(smallProgram());
  for (size_t size = 0; size < bytes.size(); ++size)
    has(errorOf([&] { parseProgram(bytes.substr(0, size), "p.dlp"); }),
        size == 0                        ? "empty"
        : size < sections::kMagic.size() ? ""
                                         : "truncated");
  EXPECT_THROW(parseProgram(bytes + "x", "p.dlp"), Error);
  // Two files one behind the other are no image.
  EXPECT_THROW(parseProgram(bytes + bytes, "p.dlp"), Error);
}

TEST(Sections, BitFlipsNeverPass) {
  const std::string bytes = serializeInSections(smallProgram());
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string spoiled = bytes;
    spoiled[bit / 8] = static_cast<char>(spoiled[bit / 8] ^ 1 << bit % 8);
    ASSERT_THROW(parseProgram(spoiled, "p.dlp"), Error) << "bit " << bit;
  }
}

TEST(Sections, SectionsFillTheFile) {
  Forged longer;
  longer.index.mutable_head()->set_bytes(longer.parts.back().size() + 1);
  has(longer.refused(), "its sections end at byte");
  Forged shorter;
  shorter.index.mutable_head()->set_bytes(1);
  has(shorter.refused(), "its sections end at byte");
  Forged huge;
  huge.index.mutable_head()->set_bytes(uint64_t(1) << 31);
  has(huge.refused(), "expected sections of less than 2 GiB");
  // Lengths whose sum would wrap around 64 bits are refused one by one.
  Forged wrapping;
  wrapping.all()[0]->set_bytes(~uint64_t(0));
  has(wrapping.refused(), "expected sections of less than 2 GiB");
  // One that reaches into the next has not the bytes that were digested.
  Forged into;
  into.all()[0]->set_bytes(into.parts[0].size() + 1);
  into.all()[1]->set_bytes(into.parts[1].size() - 1);
  has(into.refused(), "do not have the SHA-256 of the index");
  Forged unnamed;
  unnamed.all()[1]->clear_sha256();
  has(unnamed.refused(), "with a SHA-256");
}

TEST(Sections, TheIndexIsWithinTheFile) {
  std::string bytes = serializeInSections(smallProgram());
  bytes.replace(bytes.size() - 17, 16, "ffffffffffffffff");
  has(errorOf([&] { parseProgram(bytes, "p.dlp"); }),
      "its index is longer than the file");
  bytes.replace(bytes.size() - 17, 16, "+000000000000001");
  has(errorOf([&] { parseProgram(bytes, "p.dlp"); }), "does not end with");
}

TEST(Sections, EachHasWhatItIsFor) {
  Forged id;
  id.index.mutable_cores(0)->set_id(1);
  has(id.refused(), "core 1: expected a section of groups with the id");
  Forged order;
  order.index.mutable_cores()->SwapElements(0, 1);
  for (size_t i : {0, 1})
    std::swap(order.parts[i], order.parts[i + 2]);
  has(order.describe().refused(), "expected cores in order of id");
  Forged twice;
  twice.edit<image::Core>(
      0, [](image::Core &core) { core.mutable_synapses()->set_weights("x"); });
  has(twice.describe().refused(), "expected no synapses in the section");
  Forged memory;
  memory.edit<image::Core>(1, [](image::Core &core) { core.add_groups(); });
  has(memory.describe().refused(), "expected synapses and in-axons alone");
  Forged head;
  head.edit<image::Program>(
      4, [](image::Program &program) { program.add_cores(); });
  has(head.describe().refused(), "expected no cores in its head");
  Forged garbage;
  garbage.parts[1] = "\xff\xff\xff";
  has(garbage.describe().refused(), "are no section");
  Forged more;
  more.index.GetReflection()
      ->MutableUnknownFields(&more.index)
      ->AddVarint(99, 1);
  has(more.refused(), "the index is none that this version writes");
  // Fields that nobody knows, wherever they are.
  for (size_t part = 0; part < 5; ++part) {
    Forged unknown;
    unknown.parts[part] += std::string("\xf8\x07\x01", 3);
    EXPECT_NE(unknown.describe().refused(), "") << part;
  }
}

TEST(Sections, ForgedContentNeverCrashes) {
  unsigned refused = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    Forged forged;
    for (unsigned i = 0; i <= seed % 3; ++i) {
      std::string &part = forged.parts[random() % forged.parts.size()];
      const size_t bit = random() % (8 * part.size());
      part[bit / 8] = static_cast<char>(part[bit / 8] ^ 1 << bit % 8);
    }
    try {
      // What passes must be as good as any valid program.
      const auto program = parseProgram(forged.describe().seal(), "p.dlp");
      parseProgram(serializeInSections(program), "p.dlp");
    } catch (const Error &) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000u);
}

TEST(Sections, ReadsTheSynapsesOfSomeCores) {
  ScratchDirectory scratch;
  image::Program expected = smallProgram();
  dropMemory(expected, isSecond);
  EXPECT_FALSE(expected.cores(0).has_synapses());
  EXPECT_EQ(expected.cores(1).SerializeAsString(),
            smallProgram().cores(1).SerializeAsString());
  for (const std::string &bytes :
       {serialize(smallProgram()), serializeInSections(smallProgram())}) {
    writeAside(scratch.file("p.dlp"), bytes);
    for (unsigned threads : {1, 4}) {
      ProgramFile file(scratch.file("p.dlp"));
      ASSERT_EQ(file.cores().size(), 2u);
      EXPECT_EQ(file.cores()[1].id, 2u);
      EXPECT_GT(file.cores()[1].bytes, file.cores()[0].bytes);
      EXPECT_EQ(file.read(isSecond, threads).SerializeAsString(),
                expected.SerializeAsString());
    }
    EXPECT_EQ(
        ProgramFile(scratch.file("p.dlp")).read({}, 4).SerializeAsString(),
        smallProgram().SerializeAsString());
  }
}

TEST(Sections, WhatIsNotWantedIsNotRead) {
  ScratchDirectory scratch;
  Forged forged;
  forged.parts[1].assign(forged.parts[1].size(), 'x');
  writeAside(scratch.file("p.dlp"), forged.seal());
  EXPECT_EQ(ProgramFile(scratch.file("p.dlp")).read(isSecond).cores_size(), 2);
  EXPECT_NE(errorOf([&] {
              loadProgram(scratch.file("p.dlp"));
            }).find("do not have the SHA-256"),
            std::string::npos);
}

TEST(Sections, APartIsCheckedAsFarAsItIsThere) {
  image::Program part = smallProgram();
  EXPECT_NE(errorOf([&] {
              validatePart(part, isSecond, 1);
            }).find("core 0: expected no synapses"),
            std::string::npos);
  dropMemory(part, isSecond);
  validatePart(part, isSecond, 2);
  // Everything is known of core 2, so an in-axon must be there.
  *part.mutable_cores(0)->mutable_groups(0)->mutable_axons() =
      encodeAxons({{0, 1, 2}, {{2, 2}, {2, 9}}});
  EXPECT_NE(errorOf([&] {
              validatePart(part, isSecond, 2);
            }).find("in-axon 9 does not exist"),
            std::string::npos);
  *part.mutable_cores(0)->mutable_groups(0)->mutable_axons() =
      encodeAxons({{0, 1, 2}, {{2, 2}, {3, 0}}});
  EXPECT_NE(errorOf([&] {
              validatePart(part, isSecond, 2);
            }).find("core 3 is not a core"),
            std::string::npos);
}
