// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/support/Sha256.cpp, targets/loader/files/Discovery.cpp,
// targets/loader/Describe.cpp.
// Names, hashes, overrides and printing.

#include "targets/loader/Describe.h"
#include "targets/loader/files/Discovery.h"
#include "targets/support/Sha256.h"
#include "tests/targets/Support.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

TEST(Sha256, VectorsOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca49599"
                        "1b7852b855");
  EXPECT_EQ(sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410"
            "ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesOfAnySize) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += char(i * 7);
  for (size_t piece : {1, 63, 64, 65, 200}) {
    Sha256 sum;
    for (size_t at = 0; at < text.size(); at += piece)
      sum.add(std::string_view(text).substr(at, piece));
    EXPECT_EQ(sum.digest(), sha256(text)) << piece;
  }
}

TEST(Hash, IsThatOfTheText) {
  Target first = Target::load("loihi1"), second = Target::load("loihi1");
  EXPECT_EQ(first.hash, second.hash);
  EXPECT_EQ(first.hash, sha256(first.yamlText));
  // A program carries the text; reading it back gives the same target.
  Target back = Target::parse(first.yamlText, "program.dlp");
  EXPECT_EQ(back.hash, first.hash);
  EXPECT_EQ(back.timing().hash, first.timing().hash);
  EXPECT_EQ(CostTable::load("davies2018", back).hash,
            CostTable::load("davies2018", first).hash);
}

TEST(Hash, OfATimingSetIgnoresCitations) {
  Target tiny = Target::load("tiny");
  Target recited = Target::parse(
      edit(tiny.yamlText, "made up, stands for no silicon", "made up"), "t");
  EXPECT_NE(recited.hash, tiny.hash);
  EXPECT_EQ(recited.timing().hash, tiny.timing().hash);
  Target slower = Target::parse(edit(tiny.yamlText, "update_active: {value: 2",
                                     "update_active: {value: 3"),
                                "t");
  EXPECT_NE(slower.timing().hash, tiny.timing().hash);
}

TEST(Names, UnknownOnesListTheKnown) {
  Target chip = Target::load("loihi1");
  EXPECT_EQ(
      messageOf([] { Target::load("loihi"); }),
      "unknown target 'loihi', expected one of catalyst-n1, ideal, loihi1, "
      "loihi1-study, loihi2, "
      "loihi2-binary, morphic, netx, odin, ranc, spinnaker2, tiny, tinyodin, "
      "truenorth or a path to a .yaml file, did you mean 'loihi1'?");
  EXPECT_EQ(
      messageOf([] { Target::load(".."); }),
      "unknown target '..', expected one of catalyst-n1, ideal, loihi1, "
      "loihi1-study, "
      "loihi2, "
      "loihi2-binary, morphic, netx, odin, ranc, spinnaker2, tiny, tinyodin, "
      "truenorth or a path to a .yaml file");
  EXPECT_EQ(messageOf([&] { chip.timing("davis2018"); }),
            "target 'loihi1' has no timing set 'davis2018', expected one of "
            "davies2018, silicon-fit-2025, did you mean 'davies2018'?");
  EXPECT_EQ(messageOf([&] { CostTable::load("silicon", chip); }),
            "target 'loihi1' has no cost table 'silicon', expected one of "
            "davies2018, silicon-fit-2025 or a path to a .yaml file");
  EXPECT_EQ(messageOf([] { Target::load("./none.yaml"); }),
            "./none.yaml: cannot open: No such file or directory");
  EXPECT_EQ(messageOf([] { Target::load("/dev/"); }),
            "/dev/: expected a regular file, found a directory");
}

/// Folders of chips of one's own.
class OwnFolders : public testing::Test {
protected:
  void SetUp() override { write("a", "mine", Target::load("tiny").yamlText); }
  void TearDown() override {
    unsetenv("DENDROLITH_TARGETS");
    std::filesystem::remove_all(dir);
  }

  void write(const std::string &folder, const std::string &chip,
             const std::string &text) {
    std::filesystem::create_directories(dir / folder / chip);
    std::ofstream(dir / folder / chip / "chip.yaml") << text;
  }

  void search(const std::vector<std::string> &folders) {
    std::string path;
    for (const std::string &folder : folders)
      path += (path.empty() ? "" : ":") + (dir / folder).string();
    setenv("DENDROLITH_TARGETS", path.c_str(), 1);
  }

  std::filesystem::path dir =
      std::filesystem::path(testing::TempDir()) /
      ("dendrolith-targets-own-" + std::to_string(getpid()));
};

TEST_F(OwnFolders, StandInFrontOfTheShippedChips) {
  std::string base = "base: loihi1\nname: loihi1\ndescription: faster\n";
  write("b", "loihi1",
        base +
            "timing:\n  davies2018:\n    update_active: {value: 7, unit: ps, "
            "kind: assumed, source: davies2018}\n");
  write("b", "mine", "name: [\n");
  search({"a", "b"});
  EXPECT_EQ(listTargets(),
            (std::vector<std::string>{
                "catalyst-n1", "ideal", "loihi1", "loihi1-study", "loihi2",
                "loihi2-binary", "mine", "morphic", "netx", "odin", "ranc",
                "spinnaker2", "tiny", "tinyodin", "truenorth"}));
  EXPECT_EQ(Target::load("mine").name, "tiny"); // the first of that name
  // A chip of a shipped one's name hides it, and may be built on it.
  Target faster = Target::load("loihi1");
  EXPECT_EQ(faster.description, "faster");
  EXPECT_EQ(faster.timing().updateActive, 7u);
  EXPECT_EQ(CostTable::load("", faster).name, "davies2018");
  setenv("DENDROLITH_TARGETS", ":", 1);
  EXPECT_EQ(Target::load("loihi1").timing().updateActive, 8400u);
}

TEST_F(OwnFolders, MissingOnesAreAnError) {
  search({"a", "none"});
  const std::string expected = "DENDROLITH_TARGETS: '" +
                               (dir / "none").string() +
                               "' is no folder, expected folders separated by "
                               "':'";
  EXPECT_EQ(messageOf([] { Target::load("loihi1"); }), expected);
  EXPECT_EQ(messageOf([] { listTargets(); }), expected);
}

TEST_F(OwnFolders, FolderIsATarget) {
  EXPECT_EQ(Target::load((dir / "a" / "mine").string()).name, "tiny");
  EXPECT_EQ(Target::load((dir / "a" / "mine").string() + "/").name, "tiny");
  EXPECT_EQ(Target::load((dir / "a" / "mine").string() + ",mesh.tiles_x=3")
                .mesh.tilesX,
            3u);
  EXPECT_EQ(messageOf([&] { Target::load((dir / "a").string()); }),
            (dir / "a").string() +
                ": expected a regular file, found a directory");
}

TEST_F(OwnFolders, DefaultCostsMustBeThere) {
  auto load = [&](const std::string &costs) {
    write("a", "mine",
          edit(Target::load("tiny").yamlText, "default_costs: round",
               "default_costs: " + costs));
    return messageOf([&] { Target::load((dir / "a" / "mine").string()); });
  };
  EXPECT_EQ(load("round"), "");
  EXPECT_NE(
      load("rond").find(
          "'default_costs' names 'rond', but there is no costs-rond.yaml "
          "beside the chip, expected one of round, did you mean 'round'?"),
      std::string::npos)
      << load("rond");
  EXPECT_NE(load("{low: round, high: high}").find("names 'high'"),
            std::string::npos);
  // A program carries a chip without its tables.
  std::string text = edit(Target::load("tiny").yamlText, "default_costs: round",
                          "default_costs: rond");
  EXPECT_EQ(Target::parse(text, "program.dlp").defaultCosts, "rond");
}

TEST(Shape, NamesTheFirstDifference) {
  Target chip = Target::load("loihi1");
  EXPECT_EQ(shapeDifference(
                chip, Target::load("loihi1,timing.davies2018.update_active=1,"
                                   "costs.davies2018.hops_ew=2")),
            "");
  EXPECT_EQ(shapeDifference(chip, Target::load("loihi1,mesh.tiles_x=7")),
            "'mesh.tiles_x' is 8 there and 7 here");
  EXPECT_EQ(shapeDifference(chip, Target::load("loihi2")),
            "'limits.compartments_per_core' is 1024 there and 8192 here");
}

TEST(Override, LiftsOneLimitAndIsRecorded) {
  Target tiny = Target::load("tiny");
  tiny.overrideLimit("in_axons");
  tiny.overrideLimit("in_axons");
  EXPECT_EQ(tiny.limits.inAxons, std::nullopt);
  EXPECT_EQ(tiny.limits.outAxons, 32u);
  EXPECT_EQ(tiny.overriddenLimits, std::vector<std::string>{"in_axons"});
  EXPECT_NE(describe(tiny).find("dendrolith (lifted by request)"),
            std::string::npos);
  EXPECT_EQ(messageOf([&] { tiny.overrideLimit("in_axon"); }),
            "target 'tiny' has no limit 'in_axon', expected one of "
            "compartments_per_core, synapse_memory_words, in_axons, out_axons, "
            "max_delay, decay_profiles, threshold_profiles, synapse_formats, "
            "join_children, core_memory_bytes, fan_in, fan_out, "
            "out_axons_per_neuron, spikes_per_step, delayed_per_step, "
            "injections_per_step, injections_per_neuron, did you mean "
            "'in_axons'?");
}

TEST(Describe, NamesEachNumberWithItsSource) {
  Target chip = Target::load("loihi1");
  std::string text = describe(chip);
  for (const Record &record : chip.records)
    EXPECT_NE(text.find("  " + record.name + " "), std::string::npos);
  EXPECT_NE(text.find("timing davies2018 (default)\n"), std::string::npos);
  EXPECT_NE(text.find("cost tables: davies2018, silicon-fit-2025 (default "
                      "davies2018)"),
            std::string::npos);
  EXPECT_EQ(summary(chip).find('\n'), std::string::npos);
  EXPECT_EQ(summary(chip).rfind("loihi1", 0), 0u);
}

} // namespace
