// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith demo`: the first result, of a network that is shipped.

#include "runtime/driver/Command.h"

#include "targets/loader/files/Discovery.h"
#include "targets/support/Error.h"

#include <cstdio>
#include <memory>

namespace dendrolith::driver {
namespace {

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
