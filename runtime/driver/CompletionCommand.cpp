// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith completion`: what a shell needs, from the flags as they are, so
// that it cannot be out of date.

#include "runtime/driver/Commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

namespace dendrolith::driver {
namespace {

std::vector<const CLI::App *> commandsOf(const CLI::App &app) {
  return app.get_subcommands([](const CLI::App *) { return true; });
}

std::vector<std::string> flagsOf(const CLI::App &command) {
  std::vector<std::string> flags;
  for (const CLI::Option *option : command.get_options())
    for (const std::string &name : option->get_lnames())
      flags.push_back("--" + name);
  return flags;
}

/// The words that a flag takes, which CLI11 prints as "TEXT:{a,b}"; none where
/// it takes any.
std::vector<std::string> choicesOf(const CLI::Option &option) {
  const std::string type = option.get_type_name();
  const size_t open = type.find(":{"), close = type.rfind('}');
  if (open == type.npos || close == type.npos)
    return {};
  return CLI::detail::split(type.substr(open + 2, close - open - 2), ',');
}

/// For bash, which zsh takes too after `autoload bashcompinit; bashcompinit`.
std::string bash(const CLI::App &app) {
  std::vector<std::string> names;
  std::string flags, choices;
  for (const CLI::App *command : commandsOf(app)) {
    names.push_back(command->get_name());
    flags += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(),
                         fmt::join(flagsOf(*command), " "));
    for (const CLI::Option *option : command->get_options())
      if (auto words = choicesOf(*option);
          !words.empty() && !option->get_lnames().empty())
        choices += fmt::format("    \"{} --{}\") words=\"{}\" ;;\n",
                               command->get_name(), option->get_lnames()[0],
                               fmt::join(words, " "));
  }
  return fmt::format(
      R"(# Completion of dendrolith: source <(dendrolith completion bash)
_dendrolith() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words=
  local before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$word"))
    return
  fi
  case "$command $before" in
{}  esac
  case "$word" in -*) case "$command" in
{}  esac ;; esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _dendrolith dendrolith
)",
      fmt::join(names, " "), choices, flags);
}

std::string fish(const CLI::App &app) {
  std::string text =
      "# Completion of dendrolith: dendrolith completion fish | source\n";
  for (const CLI::App *command : commandsOf(app)) {
    const std::string &name = command->get_name();
    text += fmt::format("complete -c dendrolith -n __fish_use_subcommand -a {} "
                        "-d '{}'\n",
                        name, command->get_description());
    for (const CLI::Option *option : command->get_options()) {
      if (option->get_lnames().empty())
        continue;
      auto words = choicesOf(*option);
      text += fmt::format(
          "complete -c dendrolith -n '__fish_seen_subcommand_from {}' -l "
          "{}{}\n",
          name, option->get_lnames()[0],
          !words.empty() ? fmt::format(" -x -a '{}'", fmt::join(words, " "))
          : option->get_expected_max() > 0 ? " -r"
                                           : "");
    }
  }
  return text;
}

} // namespace

void addCompletion(CLI::App &app) {
  CLI::App *completion = app.add_subcommand(
      "completion", "Print the completion script of a shell");
  auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "bash (for zsh, too) or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "fish"}));
  completion->footer("Example: source <(dendrolith completion bash)");
  completion->callback([&app, shell] {
    std::fputs((*shell == "bash" ? bash(app) : fish(app)).c_str(), stdout);
  });
}

} // namespace dendrolith::driver
