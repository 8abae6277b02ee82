// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands that show what is shipped beside the program: `targets` the chips,
// `demo` a first result.

#include "runtime/driver/Command.h"
#include "targets/loader/Describe.h"
#include "targets/loader/Target.h"
#include "targets/loader/chip/Area.h"
#include "targets/loader/files/Discovery.h"
#include "targets/loader/price/CostTable.h"
#include "targets/support/Error.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace dendrolith::driver {
namespace {

struct TargetsFlags {
  std::string name, format;
};

std::vector<Target> allTargets() {
  for (const std::string &folder : ownDirs())
    if (targetsIn(folder).empty())
      throw Error("DENDROLITH_TARGETS: '" + folder +
                  "' holds no chip, expected folders with a chip.yaml in it");
  std::vector<Target> targets;
  for (const std::string &each : listTargets())
    targets.push_back(Target::load(each));
  if (targets.empty())
    throw Error("no chips found, set DENDROLITH_TARGETS to the folder that "
                "holds them");
  return targets;
}

void showTargets(const TargetsFlags &flags) {
  if (flags.name.empty()) {
    const std::vector<Target> targets = allTargets();
    if (flags.format == "json")
      std::puts(summaryJson(targets).dump(2).c_str());
    else
      for (const Target &target : targets)
        std::puts(summary(target).c_str());
    return;
  }
  const Target target = Target::load(flags.name);
  if (flags.format == "json")
    std::puts(describeJson(target).dump(2).c_str());
  else
    std::fputs(describe(target).c_str(), stdout);
}

std::vector<std::string> demonstration(const std::string &out) {
  const std::string models = shippedDir("models");
  if (models.empty())
    throw Error("demo: the shipped networks are missing, expected them in "
                "share/dendrolith/models beside the program's folder; install "
                "Dendrolith as a whole, not the program alone");
  const std::string lif = models + "/lif/";
  std::vector<std::string> words = {lif + "shapes_lif.nir",
                                    "--target",
                                    "loihi1",
                                    "--calibrate",
                                    lif + "calib_x.npy",
                                    "--input",
                                    lif + "test_x.npy",
                                    "--labels",
                                    lif + "test_y.npy",
                                    "--engine",
                                    "cycle",
                                    "--compare",
                                    "float"};
  if (!out.empty())
    words.insert(words.end(), {"--out", out});
  return words;
}

/// A word as a shell takes it.
std::string quoted(const std::string &word) {
  const bool plain =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                             "XYZ0123456789_-./=,:+") == word.npos;
  if (plain && !word.empty())
    return word;
  std::string text = "'";
  for (char letter : word)
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

} // namespace

void addTargets(Command &command) {
  auto flags = std::make_shared<TargetsFlags>();
  command.options.bind("NAME", flags->name);
  command.options.bind("format", flags->format);
  command.run = [flags] { showTargets(*flags); };
}

void addDemo(Command &command) {
  auto out = std::make_shared<std::string>();
  command.options.bind("out", *out);
  command.run = [out] {
    const std::vector<std::string> words = demonstration(*out);
    std::string line = "$ dendrolith run";
    for (const std::string &word : words)
      line += " " + quoted(word);
    std::puts(line.c_str());
    Command run("run");
    addRun(run);
    readArguments(run.options, words);
    run.run();
  };
}

} // namespace dendrolith::driver
