// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith completion`: what a shell needs, from the table of options, so
// that it cannot be out of date.

#include "runtime/driver/Command.h"
#include "runtime/explore/study/AxisNames.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace dendrolith::driver {
namespace {

using namespace options;

/// The flags of a command that a person types.
std::vector<const Option *> flagsOf(const std::string &command) {
  std::vector<const Option *> flags = rowsOf(command);
  flags.erase(std::remove_if(flags.begin(), flags.end(),
                             [](const Option *row) {
                               return row->isArgument() || !row->isOnLine();
                             }),
              flags.end());
  return flags;
}

std::vector<std::string> namesOfCommands() {
  std::vector<std::string> names;
  for (const CommandRow &command : commandRows())
    names.push_back(command.name);
  return names;
}

/// What a value can be, where that is known before any file is read.
std::vector<std::string> wordsOf(const std::string &command,
                                 const Option &row) {
  if (command == "explore" && (row.name == "pareto" || row.name == "tornado" ||
                               row.name == "best" || row.name == "sensitivity"))
    return explore::valueNames();
  if (row.name == "import") {
    std::vector<std::string> keys;
    for (const auto &[key, help] : importKeys())
      keys.push_back(key + "=");
    return keys;
  }
  return row.name == "COMMAND" ? namesOfCommands() : row.choices();
}

/// For bash, which zsh takes too behind kZshPrelude.
std::string bash() {
  const std::vector<std::string> names = namesOfCommands();
  std::string flags,
      choices = fmt::format("    \"help help\") words=\"{}\" ;;\n",
                            fmt::join(names, " "));
  for (const std::string &name : names) {
    flags += fmt::format("    {}) words=\"", name);
    for (const Option *row : flagsOf(name))
      flags += "--" + row->name + " ";
    flags += "--help --help-all\" ;;\n";
    // Behind the command itself stands its argument.
    for (const Option *row : rowsOf(name))
      if (const auto words = wordsOf(name, *row);
          row->isOnLine() && !words.empty())
        choices += fmt::format("    \"{} {}\") words=\"{}\" ;;\n", name,
                               row->isArgument() ? name : "--" + row->name,
                               fmt::join(words, " "));
  }
  return fmt::format(
      R"(# Completion of dendrolith: source <(dendrolith completion bash)
_dendrolith() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words=
  local before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "{} help --help --version" -- "$word"))
    return
  fi
  case "$command $before" in
{}  esac
  case "$before" in --target|targets)
    words=$("${{COMP_WORDS[0]}}" targets 2>/dev/null | cut -d' ' -f1) ;;
  esac
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

constexpr const char *kZshPrelude =
    "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n";

std::string fish() {
  std::string text =
      "# Completion of dendrolith: dendrolith completion fish | source\n";
  for (const CommandRow &command : commandRows()) {
    const std::string &name = command.name;
    text += fmt::format("complete -c dendrolith -n __fish_use_subcommand -a {} "
                        "-d '{}'\n",
                        name, command.what);
    const std::string flag = fmt::format(
        "complete -c dendrolith -n '__fish_seen_subcommand_from {}' -l ", name);
    for (const Option *row : rowsOf(name))
      if (const auto words = wordsOf(name, *row);
          row->isArgument() && !words.empty())
        text += fmt::format("complete -c dendrolith -n "
                            "'__fish_seen_subcommand_from {}' -x -a '{}'\n",
                            name, fmt::join(words, " "));
    for (const Option *row : flagsOf(name)) {
      const auto words = wordsOf(name, *row);
      text +=
          flag + row->name +
          (!words.empty() ? fmt::format(" -x -a '{}'", fmt::join(words, " "))
           : row->name == "target"
               ? std::string(
                     " -r -a '(dendrolith targets | cut -d \" \" -f 1)'")
           : row->placeholder().empty() ? ""
                                        : " -r") +
          "\n";
    }
    text += flag + "help\n" + flag + "help-all\n";
  }
  return text;
}

} // namespace

void addCompletion(Command &command) {
  auto shell = std::make_shared<std::string>();
  command.options.bind("SHELL", *shell);
  command.run = [shell] {
    const std::string script = *shell == "fish"  ? fish()
                               : *shell == "zsh" ? kZshPrelude + bash()
                                                 : bash();
    std::fputs(script.c_str(), stdout);
  };
}

} // namespace dendrolith::driver
