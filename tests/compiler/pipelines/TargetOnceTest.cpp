// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compilation reads the file of its chip once (targets/loader/Target.h,
// compiler/pipelines/Compile.h).

#include "compiler/pipelines/Compile.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dendrolith {
namespace {

const std::string kNetworkFile =
    DENDROLITH_SOURCE_DIR "/tests/compiler/pipelines/Inputs/cuba.mlir";

/// A copy of a shipped chip under a name of its own.
class ChipFile {
public:
  ChipFile()
      : folder(std::filesystem::temp_directory_path() /
               ("dendrolith-once-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder);
    write(Target::load("tiny").yamlText);
  }
  ~ChipFile() { std::filesystem::remove_all(folder); }

  std::string path() const { return (folder / "chip.yaml").string(); }
  void write(const std::string &text) const { std::ofstream(path()) << text; }

private:
  std::filesystem::path folder;
};

TEST(TargetOnce, AFileThatChangesMeanwhileGivesOneChip) {
  ChipFile file;
  CompileOptions options;
  options.target = file.path();
  Compilation model(kNetworkFile);
  model.quantise(options);
  const std::string before = model.target().yamlText;
  file.write("no chip any more");
  model.lower(options);
  EXPECT_EQ(model.emit().target_yaml(), before);
  EXPECT_FALSE(model.explain(options).empty());
  // Another compilation reads it anew.
  Compilation later(kNetworkFile);
  EXPECT_THROW(later.quantise(options), Error);
}

TEST(TargetOnce, AnotherNameIsAnotherChip) {
  CompileOptions options;
  options.target = "tiny";
  Compilation model(kNetworkFile);
  model.quantise(options);
  EXPECT_EQ(model.target().name, "tiny");
  options.target = "loihi1";
  model.quantise(options);
  EXPECT_EQ(model.target().name, "loihi1");
}

TEST(TargetOnce, CopiesOfAHandleShareWhatWasRead) {
  ChipFile file;
  SharedTarget first(file.path());
  SharedTarget second = first;
  const Target *read = &first.get();
  file.write("no chip any more");
  EXPECT_EQ(&second.get(), read);
  EXPECT_EQ(&second.getOr("loihi1"), read);
  SharedTarget none;
  EXPECT_FALSE(none);
  EXPECT_EQ(none.getOr("loihi1").name, "loihi1");
  EXPECT_THROW(SharedTarget(file.path()).get(), Error);
}

} // namespace
} // namespace dendrolith
