// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files beside a result.json are its own or an error; which may be missing.

#include "simulator/report/result/ResultFolder.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Sha256.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

class ResultFolder : public ::testing::Test {
protected:
  ResultFolder()
      : folder(std::filesystem::temp_directory_path() /
               ("dendrolith-folder-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder);
    for (const char *name : {"outputs.npz", "traces.npz", "tables.json"}) {
      write(name, name);
      hashes[hashKey(name)] = sha256(name);
    }
    for (const char *key : {"predicted_sha256", "spikes_sha256"})
      hashes[key] = nullptr;
  }
  ~ResultFolder() override { std::filesystem::remove_all(folder); }

  void write(const std::string &name, const std::string &bytes) const {
    writeAside((folder / name).string(), bytes);
  }
  void remove(const std::string &name) const {
    std::filesystem::remove(folder / name);
  }
  std::string errorOf(void (*check)(const std::string &, const Json &)) const {
    try {
      check(folder.string(), hashes);
    } catch (const Error &error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder;
  Json hashes = Json::object();
};

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST_F(ResultFolder, KeysAreNamesWithoutTheirEnding) {
  EXPECT_EQ(hashKey("outputs.npy"), "outputs_sha256");
  EXPECT_EQ(hashKey("predicted.npy"), "predicted_sha256");
  EXPECT_EQ(resultFileNames().back(), "result.json");
}

TEST_F(ResultFolder, WhatWasWrittenIsTaken) {
  EXPECT_EQ(errorOf(checkPresent), "");
  EXPECT_EQ(errorOf(checkComplete), "");
}

TEST_F(ResultFolder, AnEditedFileIsNamedWithBothHashes) {
  write("traces.npz", "other");
  const std::string error = errorOf(checkPresent);
  EXPECT_TRUE(has(error, "traces.npz: not the file")) << error;
  EXPECT_TRUE(has(error, sha256("traces.npz"))) << error;
  EXPECT_TRUE(has(error, sha256("other"))) << error;
}

TEST_F(ResultFolder, AFileThatTheResultHasNotIsAnotherRuns) {
  write("spikes.npz", "old");
  EXPECT_TRUE(has(errorOf(checkPresent), "spikes.npz: the result.json beside "
                                         "it has no such file"));
  // Nor may outputs be there twice.
  remove("spikes.npz");
  write("outputs.npy", "old");
  EXPECT_TRUE(has(errorOf(checkPresent), "outputs.npy: not the file"));
}

TEST_F(ResultFolder, APartMayNotBeMissingButAllMay) {
  remove("outputs.npz");
  EXPECT_EQ(errorOf(checkPresent), "");
  const std::string error = errorOf(checkComplete);
  EXPECT_TRUE(has(error, sha256("outputs.npz"))) << error;
  EXPECT_TRUE(has(error, "found none")) << error;
  remove("traces.npz");
  remove("tables.json");
  EXPECT_EQ(errorOf(checkComplete), "");
}

TEST_F(ResultFolder, EveryFileHasAMember) {
  hashes.erase("predicted_sha256");
  for (auto check : {checkPresent, checkComplete})
    EXPECT_TRUE(has(errorOf(check), "hashes: expected 'predicted_sha256'"));
  hashes = nullptr;
  EXPECT_TRUE(has(errorOf(checkPresent), "hashes: expected"));
}

} // namespace
} // namespace dendrolith::report
