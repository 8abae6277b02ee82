// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Suggest.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace dendrolith::driver {

std::string nearest(const std::string &typed,
                    const std::vector<std::string> &known) {
  const unsigned most = unsigned(typed.size()) / 3;
  std::string best;
  unsigned fewest = most + 1;
  for (const std::string &word : known) {
    const unsigned changes =
        llvm::StringRef(typed).edit_distance(word, true, fewest);
    if (changes < fewest) {
      fewest = changes;
      best = word;
    }
  }
  return best;
}

std::string suggestions(const CLI::App &app) {
  // Whatever command was named took what was typed behind it.
  const CLI::App *command = &app;
  for (auto chosen = app.get_subcommands(); !chosen.empty();
       chosen = command->get_subcommands())
    command = chosen.front();
  std::vector<std::string> known;
  for (const CLI::Option *option : command->get_options())
    for (const std::string &name : option->get_lnames())
      known.push_back("--" + name);
  for (const CLI::App *other : command->get_subcommands(nullptr))
    known.push_back(other->get_name());
  std::string text;
  for (const std::string &typed : app.remaining(true)) {
    const std::string name = typed.substr(0, typed.find('='));
    if (std::string meant = nearest(name, known); !meant.empty())
      text += fmt::format("{}: did you mean {}?\n", name, meant);
  }
  return text;
}

} // namespace dendrolith::driver
