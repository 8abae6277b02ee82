// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith man`: the manual for a pager, a command's options for a page of
// the documents, and the keywords of the Python package. All come from the
// table of options, so that none can be out of date.

#include "runtime/driver/Command.h"
#include "runtime/options/Options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace dendrolith::driver {
namespace {

using namespace options;
using Keys = std::vector<std::pair<std::string, std::string>>;
using Rows = std::vector<const Option *>;

// What all commands with a model share is told once.
const std::vector<std::string> kModelCommands = {"check", "compile", "export",
                                                 "run", "tune"};

bool isOfModels(const Option &row) {
  return std::all_of(kModelCommands.begin(), kModelCommands.end(),
                     [&](const std::string &command) {
                       const Rows rows = rowsOf(command);
                       return std::find(rows.begin(), rows.end(), &row) !=
                              rows.end();
                     });
}

/// What the page of all commands with a model has; --target means the same but
/// to `check`, and one key is for commands that end with one mapping.
Rows sharedRows() {
  Rows shared = rowsOf("compile");
  shared.erase(std::remove_if(shared.begin(), shared.end(),
                              [](const Option *row) {
                                return !isOfModels(*row) &&
                                       row->place != Place::Tuning &&
                                       row->name != "target";
                              }),
               shared.end());
  return shared;
}

/// Text as troff takes it: a backslash, a hyphen, and a dot or quote at the
/// beginning of a line mean something else there.
std::string troff(const std::string &text) {
  std::string escaped;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || text[i - 1] == '\n';
    if (begins && (text[i] == '.' || text[i] == '\''))
      escaped += "\\&";
    if (text[i] == '\\' || text[i] == '-')
      escaped += '\\';
    escaped += text[i] == '\\' ? 'e' : text[i];
  }
  return escaped;
}

std::string entry(const std::string &name, const std::string &help) {
  return fmt::format(".TP\n.B {}\n{}\n", troff(name), troff(help));
}

std::string pager() {
  std::string text = fmt::format(
      ".TH DENDROLITH 1 \"\" \"dendrolith {}\"\n.SH NAME\ndendrolith \\- "
      "compile and simulate spiking networks\n.SH SYNOPSIS\n.B "
      "dendrolith\nCOMMAND [OPTIONS]\n.SH DESCRIPTION\n{}\n",
      DENDROLITH_VERSION,
      troff("Compiles trained dendritic and spiking networks for Loihi-like "
            "chips and simulates them, cycle by cycle."));
  for (const CommandRow &command : commandRows()) {
    text += fmt::format(".SH \"dendrolith {}\"\n{}\n", command.name,
                        troff(command.what));
    for (const Option *row : rowsOf(command.name))
      if (row->place == Place::Line || row->place == Place::More)
        text += entry(row->spelled(), helpOf(*row));
    text += entry("-h,--help,--help-all", "Print the options that are used "
                                          "most; --help-all: all of them");
    text += fmt::format(".PP\n.nf\nExample: {}\n.fi\n", troff(command.example));
  }
  text += ".SH \"Keys of \\-\\-tuning and \\-\\-recipe\"\n";
  for (const char *command : {"compile", "generate"})
    for (const Option *row : rowsOf(command))
      if (!row->isOnLine())
        text += entry(row->name, row->help);
  text += ".SH \"Keys of \\-\\-import\"\n";
  for (const auto &[key, help] : importKeys())
    text += entry(key, help);
  return text;
}

/// Text in a cell of a table, where '|' would end it and '<' begin a tag.
std::string cell(const std::string &text) {
  std::string escaped;
  for (char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_')
      escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

/// "`--engine` float, cycle" and so on: what is typed.
std::string typed(const Option &row) {
  std::string text =
      fmt::format("`{}`", row.isOnLine() ? row.spelled() : row.name);
  if (const auto words = row.choices(); !words.empty())
    return text + " " + cell(fmt::format("{}", fmt::join(words, ", ")));
  return row.isArgument() || row.placeholder().empty()
             ? text
             : text + " " + row.placeholder();
}

std::string meaning(const Option &row) {
  std::string text = cell(helpOf(row));
  if (row.type.required)
    text += " (required)";
  else if (!row.standard.empty())
    text += fmt::format(" (default `{}`)", row.standard);
  return text;
}

std::string tableOf(const std::string &title, const Keys &lines) {
  std::string text = lines.empty()
                         ? std::string()
                         : fmt::format("\n### {}\n\n| you type | what "
                                       "it means |\n|---|---|\n",
                                       title);
  for (const auto &[name, help] : lines)
    text += fmt::format("| {} | {} |\n", name, help);
  return text;
}

/// A table for each group of the rows, and for each place of keys.
std::string tablesOf(const Rows &rows) {
  std::vector<std::pair<std::string, Keys>> tables;
  for (const Option *row : rows) {
    const std::string title = row->place == Place::Tuning   ? "Keys of --tuning"
                              : row->place == Place::Recipe ? "Keys of --recipe"
                                                            : row->group;
    auto found =
        std::find_if(tables.begin(), tables.end(),
                     [&](const auto &table) { return table.first == title; });
    if (found == tables.end())
      found = tables.insert(tables.end(), {title, {}});
    found->second.emplace_back(typed(*row), meaning(*row));
  }
  std::string text;
  for (const auto &[title, lines] : tables)
    text += tableOf(title, lines);
  return text;
}

std::string markdown(const CommandRow &command) {
  const Rows shared = sharedRows();
  Rows own = rowsOf(command.name);
  const size_t all = own.size();
  own.erase(std::remove_if(own.begin(), own.end(),
                           [&](const Option *row) {
                             return std::count(shared.begin(), shared.end(),
                                               row) > 0;
                           }),
            own.end());
  std::string text = command.what + ".\n" + tablesOf(own);
  if (own.size() < all)
    text += "\nBeside these the [options of a model]"
            "(README.md#options-of-a-model).\n";
  return text;
}

std::string modelMarkdown() {
  Keys keys;
  for (const auto &[key, help] : importKeys())
    keys.emplace_back("`" + key + "`", cell(help));
  return tablesOf(sharedRows()).substr(1) + tableOf("Keys of --import", keys);
}

/// Text in lines of Python's usual width behind an indent.
std::string wrapped(const std::string &text, const std::string &indent) {
  std::string lines, line = indent;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (line.size() + (end - begin) > 88) {
      lines += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line = indent;
    }
    line += text.substr(begin, end - begin) + " ";
    begin = end + 1;
  }
  return lines + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string pythonType(const Option &row) {
  using Form = OptionType::Form;
  if (row.type.arity == OptionType::Arity::Each ||
      row.type.arity == OptionType::Arity::List)
    return "Union[str, Sequence[str]]";
  switch (row.type.form) {
  case Form::Flag:
  case Form::Truth:
    return "bool";
  case Form::Word:
    return "str";
  case Form::Count:
  case Form::Whole:
    return "int";
  case Form::Real:
    return "float";
  default: // bits and cores are numbers, lists or dicts, too
    return "Any";
  }
}

std::string pythonClass(const std::string &name, const std::string &what,
                        const std::string &members) {
  return fmt::format("\n\nclass {}, total=False):\n    "
                     "\"\"\"{}\"\"\"\n\n{}",
                     name, what, members);
}

std::string pythonMembers(const std::string &command, bool isTuning) {
  std::string text;
  for (const Option *row : rowsOf(command))
    if (!row->python.empty() && (row->place == Place::Tuning) == isTuning)
      text += wrapped(helpOf(*row), "    # ") + "    " + row->python + ": " +
              pythonType(*row) + "\n";
  return text;
}

/// "{"map_from", "placement"}": the keywords whose rows have something.
template <typename Has>
std::string pythonSet(const std::string &name, Has has) {
  std::vector<std::string> words;
  for (const char *command : {"compile", "run"})
    for (const Option *row : rowsOf(command))
      if (!row->python.empty() && has(*row) &&
          std::find(words.begin(), words.end(), row->python) == words.end())
        words.push_back(row->python);
  std::sort(words.begin(), words.end());
  return fmt::format("\n{} = {{\"{}\"}}\n", name, fmt::join(words, "\", \""));
}

/// The words that options take, for texts that name an option with its value.
std::string pythonChoices() {
  std::string text = "CHOICES = {\n";
  std::vector<std::string> known;
  for (const char *command : {"compile", "run"})
    for (const Option *row : rowsOf(command))
      if (!row->python.empty() && !row->choices().empty() &&
          std::find(known.begin(), known.end(), row->python) == known.end()) {
        known.push_back(row->python);
        text += fmt::format("    \"{}\": \"{}\",\n", row->python,
                            fmt::join(row->choices(), "|"));
      }
  return text + "}\n";
}

std::string python() {
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n\"\"\"The "
      "keywords of compile, check, run and load.\n\nPrinted by `dendrolith man "
      "python` from the table of options.\n\"\"\"\n\nimport os\nfrom typing "
      "import Any, Mapping, Sequence, TypedDict, Union\n";
  text += pythonSet("FILES", [](const Option &row) {
    return (row.type.form == OptionType::Form::File &&
            row.stage != CompilerStage::None) ||
           row.name == "costs";
  });
  text += pythonSet("REPEATED", [](const Option &row) {
    return row.type.arity == OptionType::Arity::Each ||
           row.type.arity == OptionType::Arity::List;
  });
  text += pythonChoices();
  std::string conventions, names;
  for (const auto &[key, help] : importKeys()) {
    std::string word = key;
    std::replace(word.begin(), word.end(), '-', '_');
    word += word == "from" ? "_" : ""; // a keyword of Python
    conventions += wrapped(help, "    # ") + "    " + word + ": Any\n";
    names += (names.empty() ? "    \"" : "    \"") + word + "\",\n";
  }
  text += "CONVENTIONS = {\n" + names + "}\n";
  text += pythonClass("Conventions(TypedDict",
                      "What a NIR file does not say, for load.", conventions);
  text += pythonClass("Tuning(TypedDict", "What is seldom set by hand.",
                      pythonMembers("compile", true));
  text += pythonClass("CompileOptions(Conventions",
                      "Keywords of compile and check.",
                      "    tuning: Union[Tuning, Mapping[str, Any], str, "
                      "\"os.PathLike[str]\"]\n" +
                          pythonMembers("compile", false));
  text += pythonClass("RunOptions(TypedDict", "Keywords of Program.run.", [] {
    std::string own;
    for (const Option *row : rowsOf("run"))
      if (!row->python.empty() && row->isOnLine() && !isOfModels(*row))
        own += wrapped(helpOf(*row), "    # ") + "    " + row->python + ": " +
               pythonType(*row) + "\n";
    return own;
  }());
  return text;
}

std::string manualOf(const std::string &name) {
  if (name.empty())
    return pager();
  if (name == "model")
    return modelMarkdown();
  if (name == "python")
    return python();
  for (const CommandRow &command : commandRows())
    if (command.name == name)
      return markdown(command);
  throw UsageError("man: there is no command '" + name + "'");
}

} // namespace

void addManual(Command &command) {
  auto name = std::make_shared<std::string>();
  command.options.bind("COMMAND", *name);
  command.run = [name] { std::fputs(manualOf(*name).c_str(), stdout); };
}

} // namespace dendrolith::driver
