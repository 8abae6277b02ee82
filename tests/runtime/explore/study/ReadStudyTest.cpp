// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/explore/study/ReadStudy.cpp,
// runtime/explore/study/ReadAxes.cpp, runtime/explore/study/ReadGoals.cpp and
// runtime/explore/study/PointsFile.cpp.

#include "runtime/explore/study/ReadStudy.h"

#include "runtime/explore/study/Designs.h"
#include "tests/runtime/explore/StudyFolder.h"

#include <gmock/gmock.h>

using namespace dendrolith::explore;
using namespace dendrolith::explore::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ReadStudy, ReadsAllOfAStudy) {
  const StudyFolder folder(
      "engine: functional\n"
      "vary:\n"
      "  mesh.tiles_x: [1, 2]\n"
      "  limits.synapse_memory_words: {from: 64, to: 4096, steps: 4, scale: "
      "log}\n"
      "  timing.round.update_active: {from: 1, to: 2, steps: 2}\n"
      "  compile.map-for: [time, energy]\n"
      "together: [[mesh.tiles_x, timing.round.update_active]]\n"
      "where: \"mesh.tiles_x * 64 <= limits.synapse_memory_words\"\n"
      "mapping: each\n"
      "repeat: 2\n"
      "seed: 7\n"
      "objectives: {latency.mean: min, accuracy: max}\n"
      "constraints: [\"energy.high < 60 nJ\", \"accuracy >= 90 %\"]\n"
      "budget: {points: 10, seconds: 5, point_seconds: 2}\n"
      "baseline: {mesh.tiles_x: 2}\n");
  const Study study = folder.read();
  ASSERT_EQ(study.axes.size(), 4u);
  EXPECT_THAT(study.axes[1].values, ElementsAre("64", "256", "1024", "4096"));
  EXPECT_EQ(study.models[0].path, folder.scratch.file("m.npz"));
  EXPECT_EQ(study.mapping, "each");
  EXPECT_TRUE(study.objectives[1].max);
  EXPECT_NEAR(study.constraints[0].bound, 0.06, 1e-12); // uJ
  EXPECT_NEAR(study.constraints[1].bound, 0.9, 1e-12);
  EXPECT_EQ(study.constraints[1].comparison, ">=");
  EXPECT_EQ(study.pointSeconds, 2u);
  EXPECT_EQ(study.baseline.at("mesh.tiles_x"), "2");
  EXPECT_EQ(Designs(study).size(), 10u);
}

// No value of either axis is one that the chip takes alone.
TEST(ReadStudy, AxesMayDependOnEachOther) {
  const StudyFolder folder("vary: {spikes.graded: [true], "
                           "spikes.payload_bits: [4, 8]}\n");
  EXPECT_EQ(folder.read().axes.size(), 2u);
}

TEST(ReadStudy, SaysWhereAStudyIsWrong) {
  const std::pair<const char *, const char *> cases[] = {
      {"vari: {}\n", "study.yaml:4:1: unknown key 'vari' in 'study'"},
      {"seed: 1\n", "study.yaml:1:1: missing key 'vary'"},
      {"vary: {mesh.tiles_xx: [1]}\n",
       "study.yaml:4:8: no axis of tiny is named 'mesh.tiles_xx', did you mean "
       "'mesh.tiles_x'?"},
      {"vary: {compile.mapfor: [time]}\n", "did you mean 'compile.map-for'?"},
      {"vary: {timing: [fast]}\n",
       "study.yaml:4:8: the chip has no timing set 'fast'"},
      {"vary: {mesh.tiles_x: [4x]}\n", "study.yaml:4:8: "},
      {"vary: {mesh.tiles_x: []}\n",
       "study.yaml:4:22: 'mesh.tiles_x' has no values"},
      {"vary: {mesh.tiles_x: [1, 1]}\n",
       "study.yaml:4:26: 'mesh.tiles_x' has the value '1' twice"},
      {"vary: {mesh.tiles_x: {from: 1, to: 1.000001, steps: 9}}\n",
       "study.yaml:4:53: 9 steps of 'mesh.tiles_x' from 1 to 1.000001 are only "
       "1 different values"},
      {"vary: {mesh.tiles_x: {from: 0, to: 3, steps: 2, scale: log}}\n",
       "study.yaml:4:56: a log scale"},
      {"vary: {mesh.tiles_x: {from: 1, to: 3, scale: log}}\n",
       "missing key 'steps'"},
      {"vary: {target: [tiny]}\n", "'target' is no axis"},
      {"vary: {mesh.tiles_x: [1, 2], mesh.tiles_y: [1]}\n"
       "together: [[mesh.tiles_x, mesh.tiles_y]]\n",
       "study.yaml:5:27: 'mesh.tiles_y' has 1 values and 'mesh.tiles_x' has 2"},
      {"vary: {mesh.tiles_x: [1, 2], mesh.tiles_y: [1, 2]}\n"
       "together: [[mesh.tiles_x, mesh.tiles_y], [mesh.tiles_y, "
       "mesh.tiles_x]]\n",
       "study.yaml:5:43: 'mesh.tiles_y' is in 'together' twice"},
      {"vary: {mesh.tiles_x: [1, 2]}\ntogether: [[mesh.tiles_x, mesh.tile_y]]"
       "\n",
       "did you mean 'mesh.tiles_x'?"},
      {"vary: {mesh.tiles_x: [1, 2]}\nwhere: \"mesh.tile_x < 2\"\n",
       "study.yaml:5:9: no axis is named 'mesh.tile_x', did you mean "
       "'mesh.tiles_x'?"},
      {"vary: {mesh.tiles_x: [1, 2]}\nobjectives: {latency: min}\n",
       "study.yaml:5:14: nothing that is measured is named 'latency'"},
      {"vary: {mesh.tiles_x: [1, 2]}\nobjectives: {area: least}\n",
       "expected one of min, max"},
      {"vary: {mesh.tiles_x: [1, 2]}\nconstraints: [\"area < 5 uJ\"]\n",
       "'uJ' is no unit of area, expected one of um2, mm2"},
      {"vary: {mesh.tiles_x: [1, 2]}\nconstraints: [\"cores < 5 mm2\"]\n",
       "'mm2' is no unit of cores, which has none"},
      {"vary: {mesh.tiles_x: [1, 2]}\nconstraints: [\"area 5\"]\n",
       "study.yaml:5:15: expected a constraint such as"},
      {"vary: {mesh.tiles_x: [1, 2]}\nbaseline: {mesh.tiles_x: 3}\n",
       "study.yaml:5:26: the baseline's mesh.tiles_x = 3 is none of the values "
       "of that axis: 1, 2"},
      {"vary: {mesh.tiles_x: [1, 2]}\nstrategy: {random: 3}\n",
       "study.yaml:5:11: random: 3 asks for more designs than the 2"},
      {"vary: {mesh.tiles_x: [1, 2]}\nstrategy: {random: 2, sobol: 2}\n",
       "study.yaml:5:11: expected one strategy, found 2"},
      {"vary: {mesh.tiles_x: [1, 2]}\nstrategy: grids\n",
       "did you mean 'grid'?"},
      {"vary: {mesh.tiles_x: [1, 2]}\nrepeat: 1000000\n",
       "study.yaml:1:1: the study has 2000000 points, more than a million; "
       "say 'budget: {points: 2000000}'"},
      {"strategy: {file: p.csv}\n", "study.yaml:4:18: 'file' names '"},
  };
  for (const auto &[text, message] : cases) {
    const StudyFolder folder(text);
    EXPECT_THAT(folder.error(), HasSubstr(message)) << text;
  }
}

TEST(ReadStudy, LooksForFilesFromTheStudysFolder) {
  const StudyFolder folder("vary: {mesh.tiles_x: [1, 2]}\n");
  std::filesystem::remove(folder.scratch.file("m.npz"));
  EXPECT_THAT(folder.error(), HasSubstr("study.yaml:2:27: 'model' names '"));
  StudySource source = sourceOf(folder.file());
  source.checked = false; // whoever only looks at points
  EXPECT_EQ(readStudy(source).models.size(), 1u);
}

TEST(ReadStudy, TakesDesignsFromAFile) {
  const StudyFolder folder("strategy: {file: p.csv}\n");
  const auto points = [&](const std::string &text) {
    write(folder.scratch.file("p.csv"), text);
  };
  points("mesh.tiles_x, mesh.tiles_y\n1,2\n\n2, 2 \n");
  const Study study = folder.read();
  EXPECT_THAT(study.axes[0].values, ElementsAre("1", "2"));
  const Designs designs(study);
  ASSERT_EQ(designs.size(), 2u);
  EXPECT_EQ(designs.at(1).values[0].second, "2");
  EXPECT_EQ(designs.at(1).values[1].second, "2");
  points("mesh.tiles_x,mesh.tiles_y\n1,2\n2\n");
  EXPECT_THAT(folder.error(), HasSubstr("p.csv:3:1: expected 2 values"));
  points("mesh.tiles_x,mesh.tiles_y\n1,2\n1,2\n");
  EXPECT_THAT(folder.error(), HasSubstr("p.csv:3:1: this design is"));
  points("mesh.tiles_x,mesh.tile_y\n1,2\n");
  EXPECT_THAT(folder.error(), HasSubstr("p.csv:1:14: no axis of tiny"));
  points("mesh.tiles_x\n");
  EXPECT_THAT(folder.error(), HasSubstr("found no design"));
}

TEST(ReadStudy, CountsBeforeItMakesDesigns) {
  // 10^8 designs, of which a budget keeps a few.
  std::string vary = "vary:\n";
  for (const char *axis : {"mesh.tiles_x", "mesh.tiles_y"})
    vary += std::string("  ") + axis +
            ": {from: 1, to: 10000, steps: "
            "10000}\n";
  EXPECT_THAT(StudyFolder(vary).error(), HasSubstr("100000000 points"));
  EXPECT_EQ(Designs(StudyFolder(vary + "budget: {points: 3}\n").read()).size(),
            3u);
  EXPECT_THAT(StudyFolder(vary + "strategy: {sobol: 2000000}\n").error(),
              HasSubstr("2000000 points"));
}
