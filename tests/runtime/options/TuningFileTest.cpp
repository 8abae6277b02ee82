// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// runtime/options/ModelOptions.h: options that a tuning file sets.

#include "runtime/options/ModelOptions.h"

#include "targets/support/Error.h"

#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>

namespace dendrolith::options {
namespace {

struct TuningFile : testing::Test {
  TuningFile() { bindModel(options, request); }

  std::string errorOf(const std::string &text) {
    try {
      readTuning(options, text);
    } catch (const Error &error) {
      return error.what();
    }
    return "no error";
  }

  session::ModelRequest request;
  CommandOptions options{"export"};
};

TEST_F(TuningFile, SetsOptionsByTheirNames) {
  const std::string path =
      (std::filesystem::path(testing::TempDir()) / "tuning.yaml").string();
  std::ofstream(path) << "map-seed: 7\nrescaling: false\nmap-time: 2.5\n"
                         "candidates: few\n";
  options.set("tuning", {path});
  EXPECT_EQ(request.compile.mapSeed, 7u);
  EXPECT_FALSE(request.compile.quantiser.rescaling);
  EXPECT_EQ(request.compile.mapSeconds, 2.5);
  EXPECT_EQ(request.compile.quantiser.candidates, "few");
  EXPECT_TRUE(options.isGiven("map-seed"));
  std::filesystem::remove(path);
}

TEST_F(TuningFile, RefusesWhatItDoesNotKnowAtItsPlace) {
  EXPECT_EQ(
      errorOf("{map-sed: 7}").substr(0, 65),
      "--tuning:1:2: unknown key 'map-sed' in --tuning of export, did yo");
  EXPECT_EQ(errorOf("{map-seed: few}"),
            "--tuning:1:12: map-seed: expected a whole number from 0 on, "
            "found 'few'");
  EXPECT_EQ(errorOf("{map-seed: '7'}").substr(0, 24),
            "--tuning:1:12: map-seed:");
  EXPECT_EQ(errorOf("{max-moves: 0}"),
            "--tuning:1:13: max-moves: expected a whole number from 1 to "
            "4294967296, found '0'");
  EXPECT_EQ(errorOf("{rescaling: maybe}"),
            "--tuning:1:13: rescaling: maybe not in {true,false}");
  EXPECT_EQ(errorOf("{solver: [packed]}").substr(0, 22),
            "--tuning:1:10: solver:");
  EXPECT_EQ(errorOf("{map-verify: 2}").substr(0, 47),
            "--tuning:1:2: unknown key 'map-verify' in --tun");
  EXPECT_NE(errorOf("/no/such/file.yaml"), "no error");
}

} // namespace
} // namespace dendrolith::options
