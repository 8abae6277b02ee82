// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Command.h"

#include "runtime/options/Options.h"

#include "targets/support/Text.h"

#include "llvm/ADT/StringRef.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

namespace dendrolith::driver {
namespace {

using namespace options;
using Arity = OptionType::Arity;

const std::map<std::string, void (*)(Command &)> kAdd = {
    {"compile", addCompile},
    {"check", addCheck},
    {"run", addRun},
    {"export", addExport},
    {"report", addReport},
    {"tune", addTune},
    {"explore", addExplore},
    {"generate", addGenerate},
    {"plan", addPlan},
    {"targets", addTargets},
    {"serve", addServe},
    {"completion", addCompletion},
    {"man", addManual},
    {"silicon", addSilicon},
    {"calibrate", addCalibrate},
    {"demo", addDemo},
    {"doctor", addDoctor},
    {"docs", addDocuments},
    {"capsule", addCapsule},
    {"verify", addVerify},
    {"cosim", addCosim},
};

void setArity(CLI::Option &option, Arity arity) {
  constexpr int kAny = CLI::detail::expected_max_vector_size;
  switch (arity) {
  case Arity::None:
  case Arity::One:
    return;
  case Arity::Maybe:
    option.expected(0, 1);
    return;
  case Arity::Pair:
    option.expected(2);
    return;
  case Arity::List:
    option.expected(kAny);
    return;
  case Arity::Each:
    option.expected(kAny)->allow_extra_args(false);
    return;
  case Arity::Commas:
    option.expected(kAny)->delimiter(',');
    return;
  }
}

CLI::Option *addOption(CLI::App &app, CommandOptions &options,
                       const Option &row) {
  if (row.type.form == OptionType::Form::Flag)
    return app.add_flag_callback(
        row.spelled(), [&options, &row] { options.set(row.name, {"true"}); },
        row.help);
  CLI::Option *option = app.add_option(
      row.spelled(),
      [&options, &row](const CLI::results_t &values) {
        options.set(row.name, values);
        return true;
      },
      helpOf(row));
  setArity(*option, row.type.arity);
  option->required(row.type.required)->type_name(row.placeholder());
  option->default_str(row.standard);
  option->check([&row](const std::string &value) {
    // Else the option behind one without a value would be lost in silence.
    if (value.size() > 2 && startsWith(value, "--") && row.name != "slurm")
      return fmt::format("expected a value, found the option '{}'; a file of "
                         "that name is ./{}",
                         printable(value), printable(value));
    return row.wrong(value);
  });
  return option;
}

/// Refuses "--out=" with nothing behind it, as of an empty variable of a shell:
/// CLI11 would take the next word.
void refuseEmpty(const std::vector<std::string> &words) {
  for (const std::string &word : words)
    if (word.size() > 2 && word[0] == '-' && word.find('=') == word.size() - 1)
      throw UsageError(printable(word) + ": expected a value behind it, found "
                                         "none");
}

/// The files that a value may mean: "X.npy", "NAME=X.npy", "F.json,KEY=VALUE".
std::vector<std::string> pathsIn(const std::string &value) {
  return {value, value.substr(value.find('=') + 1),
          value.substr(0, value.find(','))};
}

/// Refuses to write over a file that the same command line reads, of which
/// there may be no other copy. A mapping may go on from its own image.
void refuseOverwriting(const CommandOptions &options) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto isOf = [&](const std::string &file, const std::string &given) {
    const fs::path path(file);
    const bool inResult =
        path.extension() == ".json" || path.extension() == ".npy";
    return fs::equivalent(file, given, error) ||
           (inResult && fs::is_directory(given, error) &&
            fs::equivalent(path.has_parent_path() ? path.parent_path() : ".",
                           given, error));
  };
  for (const char *written : {"out", "html", "timeline"})
    if (options.find(written) && options.isGiven(written))
      for (const std::string &file : pathsIn(options.valuesOf(written)[0]))
        for (const Option *row : options.bound())
          if (row->name != written && row->name != "map-from" &&
              fs::is_regular_file(file, error) && options.isGiven(row->name))
            for (const std::string &value : options.valuesOf(row->name))
              for (const std::string &given : pathsIn(value))
                if (isOf(file, given))
                  throw UsageError(fmt::format(
                      "--{} {}: would be written over what {} {} names; choose "
                      "another file",
                      written, printable(file),
                      (row->isOnLine() && islower(row->name[0]) ? "--" : "") +
                          row->name,
                      printable(value)));
}

/// Refuses a key of a chip or a recipe with two values, of which one would be
/// lost.
void refuseTwice(const CommandOptions &options) {
  for (const std::string option : {"target", "NAME", "recipe"}) {
    if (!options.find(option) || !options.isGiven(option))
      continue;
    std::set<std::string> keys;
    for (const std::string &value : options.valuesOf(option)) {
      if (option != "recipe") // explore takes several chips
        keys.clear();
      // Each key stands between a comma and an equals sign.
      for (size_t at = 0; at < value.size();) {
        const size_t end = std::min(value.find(',', at), value.size());
        const size_t equals = value.find('=', at);
        const std::string key = value.substr(at, equals - at);
        if (equals < end && !keys.insert(key).second)
          throw UsageError(fmt::format("{}{}: {} is given twice",
                                       option == "NAME" ? "" : "--", option,
                                       printable(key)));
        at = end + 1;
      }
    }
  }
}

/// What a command line asks for.
enum class Help { None, Short, All };

/// Adds what is bound. The short help leaves out what few need. CLI11 takes the
/// name from an option without a group, errors too, so that only help has any.
void addOptions(CLI::App &app, CommandOptions &options, Help help) {
  for (const Option *row : options.bound())
    if (row->isOnLine()) {
      const bool shown = help == Help::None || row->place == Place::Line ||
                         (help == Help::All && row->place == Place::More);
      addOption(app, options, *row)->group(shown ? row->group : "");
    }
}

std::string
keyLines(const std::string &title,
         const std::vector<std::pair<std::string, std::string>> &keys) {
  std::string text = keys.empty() ? "" : "\n" + title + ":\n";
  for (const auto &[key, help] : keys)
    text += fmt::format("  {:<27} {}\n", key, help);
  return text;
}

/// What stands below the options: an example, and the keys or where they are.
std::string footerOf(const std::string &name, const std::string &example,
                     Help help) {
  size_t hidden = 0;
  std::vector<std::pair<std::string, std::string>> tuning, recipe;
  for (const Option *row : rowsOf(name)) {
    hidden += row->place == Place::More;
    if (row->place == Place::Tuning)
      tuning.emplace_back(row->name, row->help);
    if (row->place == Place::Recipe)
      recipe.emplace_back(row->name, row->help);
  }
  std::string text = "Example: " + example;
  if (hidden + tuning.size() + recipe.size() == 0)
    return text;
  if (help != Help::All)
    return text + "\n--help-all has the other options and all keys.";
  return text + "\n" + keyLines("Keys of --tuning", tuning) +
         (tuning.empty() ? "" : keyLines("Keys of --import", importKeys())) +
         keyLines("Keys of --recipe", recipe);
}

/// The word of `known` that needs the fewest changes of a letter to become
/// `typed`, at most one for each three letters; empty if there is none.
std::string nearest(const std::string &typed,
                    const std::vector<std::string> &known) {
  std::string best;
  unsigned fewest = unsigned(typed.size()) / 3 + 1;
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

/// Whatever command was named, which took what was typed behind it.
const CLI::App &chosenOf(const CLI::App &app) {
  const CLI::App *command = &app;
  for (auto chosen = app.get_subcommands(); !chosen.empty();
       chosen = command->get_subcommands())
    command = chosen.front();
  return *command;
}

/// A line for each argument that was not expected and that a flag or command
/// resembles: "did you mean --target?".
std::string suggestions(const CLI::App &app) {
  const CLI::App &command = chosenOf(app);
  std::vector<std::string> known;
  for (const CLI::Option *option : command.get_options())
    for (const std::string &name : option->get_lnames())
      known.push_back("--" + name);
  for (const CLI::App *other : command.get_subcommands(nullptr))
    known.push_back(other->get_name());
  std::string text;
  for (const std::string &typed : app.remaining(true)) {
    const std::string name = typed.substr(0, typed.find('='));
    if (std::string meant = nearest(name, known); !meant.empty())
      text += fmt::format("{}: did you mean {}?\n", printable(name), meant);
  }
  return text;
}

std::string unexpected(const CLI::App &app) {
  std::vector<std::string> names;
  for (const std::string &typed : app.remaining(true))
    names.push_back(printable(typed));
  return fmt::format("The following argument{} not expected: {}",
                     names.size() == 1 ? " was" : "s were",
                     fmt::join(names, " "));
}

/// What is wrong with a command line, in our own words: CLI11's have a word for
/// its programmer in them, and quote whatever was typed.
std::string usageText(const CLI::App &app, const CLI::ParseError &error) {
  const std::string text = error.what();
  switch (CLI::ExitCodes(error.get_exit_code())) {
  case CLI::ExitCodes::ExtrasError:
    return unexpected(app);
  case CLI::ExitCodes::ArgumentMismatch: {
    const std::string name = text.substr(0, text.find(':'));
    return name + (text.find(": 1 required") != text.npos
                       ? ": expected a value behind it, found none"
                       : ": expected another number of values behind it");
  }
  case CLI::ExitCodes::RequiredError:
    if (!app.get_subcommands().empty() || app.get_subcommands(nullptr).empty())
      return text;
    return app.remaining(true).empty()
               ? std::string("expected a command, found none")
               : "expected a command, found '" +
                     printable(app.remaining(true).front()) + "'";
  default:
    return printable(text, 1000);
  }
}

/// A row without a variable would be an option that does nothing.
void requireAllBound(const CommandOptions &options) {
  for (const Option *row : rowsOf(options.command()))
    if (!options.find(row->name))
      throw std::logic_error("--" + row->name + " of " + options.command() +
                             " is bound to nothing");
}

/// Adds the commands; the options alone of the one whose name comes first, as
/// all of them would take a fifth of a start.
std::unique_ptr<Command> addCommands(CLI::App &app, const std::string &first,
                                     Help help) {
  std::unique_ptr<Command> chosen;
  for (const CommandRow &row : commandRows()) {
    CLI::App *command = app.add_subcommand(row.name, row.what);
    if (row.name != first)
      continue;
    command->set_help_flag("-h,--help,--help-all",
                           "Print this help; --help-all: all of it");
    command->footer(footerOf(row.name, row.example, help));
    chosen = std::make_unique<Command>(row.name);
    kAdd.at(row.name)(*chosen);
    requireAllBound(chosen->options);
    addOptions(*command, chosen->options, help);
  }
  return chosen;
}

} // namespace

void readArguments(CommandOptions &options,
                   std::vector<std::string> arguments) {
  CLI::App app;
  app.set_help_flag(); // nobody reads it where no command line is
  addOptions(app, options, Help::None);
  refuseEmpty(arguments);
  try {
    std::reverse(arguments.begin(), arguments.end()); // as CLI11 takes them
    app.parse(std::move(arguments));
    options.check();
    refuseOverwriting(options);
    refuseTwice(options);
  } catch (const CLI::ParseError &error) {
    std::string meant = suggestions(app);
    if (!meant.empty())
      meant = "; " + meant.substr(0, meant.size() - 1);
    throw UsageError(usageText(app, error) + meant);
  }
}

bool runCommand(int argc, char **argv) {
  CLI::App app("Compiles trained dendritic and spiking networks for Loihi-like "
               "chips and simulates them, cycle by cycle.",
               "dendrolith");
  app.set_version_flag("--version", "dendrolith " DENDROLITH_VERSION);
  app.require_subcommand(1);
  std::vector<std::string> words(argv + 1, argv + std::max(argc, 1));
  // Many programs have `help COMMAND`.
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    if (words.empty() || kAdd.count(words.front()))
      words.push_back("--help");
  }
  const auto has = [&words](const char *word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const Help help = has("--help-all")            ? Help::All
                    : has("--help") || has("-h") ? Help::Short
                                                 : Help::None;
  const auto command =
      addCommands(app, words.empty() ? "" : words.front(), help);
  try {
    refuseEmpty(words);
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    if (command) {
      command->options.check();
      refuseOverwriting(command->options);
      refuseTwice(command->options);
      command->run();
    }
  } catch (const CLI::ParseError &wrong) {
    if (wrong.get_exit_code() == int(CLI::ExitCodes::Success))
      return app.exit(wrong) == 0; // what it prints was asked for
    std::fprintf(stderr, "%s\nRun with --help for more information.\n%s",
                 shortened(usageText(app, wrong)).c_str(),
                 suggestions(app).c_str());
    return false;
  } catch (const UsageError &wrong) {
    std::fprintf(stderr, "%s\nRun with --help for more information.\n",
                 shortened(wrong.what()).c_str());
    return false;
  }
  return true;
}

} // namespace dendrolith::driver
