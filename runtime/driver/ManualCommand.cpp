// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith man`: the manual for a pager and, command by command, for a page
// of the documents, from the flags as they are, so that neither can be out of
// date.

#include "runtime/driver/Commands.h"

#include <fmt/format.h>

#include <cstdio>

namespace dendrolith::driver {
namespace {

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

std::string pager(const CLI::App &app) {
  std::string text = fmt::format(
      ".TH DENDROLITH 1 \"\" \"dendrolith {}\"\n.SH NAME\ndendrolith \\- "
      "{}\n.SH "
      "SYNOPSIS\n.B dendrolith\nCOMMAND [OPTIONS]\n.SH DESCRIPTION\n{}\n",
      DENDROLITH_VERSION, "compile and simulate spiking networks",
      troff(app.get_description()));
  for (const CLI::App *command : app.get_subcommands({})) {
    text += fmt::format(".SH \"dendrolith {}\"\n{}\n", command->get_name(),
                        troff(command->get_description()));
    for (const CLI::Option *option : command->get_options())
      text +=
          fmt::format(".TP\n.B {}\n{}\n", troff(option->get_name(true, true)),
                      troff(option->get_description()));
    if (!command->get_footer().empty())
      text += fmt::format(".PP\n.nf\n{}\n.fi\n", troff(command->get_footer()));
  }
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

/// "`--engine`, one of float, cycle" and so on: what is typed.
std::string typed(const CLI::Option &option) {
  const std::string type = option.get_type_name();
  std::string text = fmt::format("`{}`", option.get_positional()
                                             ? option.get_name(true)
                                             : option.get_name(false, true));
  if (const size_t open = type.find(":{"); open != type.npos)
    text += " " +
            cell(fmt::format(
                "{}",
                fmt::join(
                    CLI::detail::split(
                        type.substr(open + 2, type.rfind('}') - open - 2), ','),
                    ", ")));
  else if (!option.get_positional() && option.get_items_expected_max() > 0)
    text += " " + cell(type);
  return text;
}

std::string markdown(const CLI::App &command) {
  std::string text = fmt::format("{}.\n", command.get_description());
  for (const std::string &group : command.get_groups()) {
    std::string rows;
    for (const CLI::Option *option :
         command.get_options([&](const CLI::Option *each) {
           return each->get_group() == group && !each->check_lname("help");
         })) {
      rows += fmt::format("| {} | {}", typed(*option),
                          cell(option->get_description()));
      if (option->get_required())
        rows += " (required)";
      else if (!option->get_default_str().empty())
        rows += fmt::format(" (default `{}`)", option->get_default_str());
      rows += " |\n";
    }
    if (!rows.empty())
      text += fmt::format("\n### {}\n\n| you type | what it means |\n"
                          "|---|---|\n{}",
                          group, rows);
  }
  return text;
}

} // namespace

void addManual(CLI::App &app) {
  CLI::App *manual = app.add_subcommand("man", "Print the manual page");
  auto name = std::make_shared<std::string>();
  manual->add_option("COMMAND", *name,
                     "This command alone, in Markdown; without it all of "
                     "them, in troff");
  manual->footer("Example: dendrolith man | man -l -");
  manual->callback([&app, name] {
    if (name->empty()) {
      std::fputs(pager(app).c_str(), stdout);
      return;
    }
    for (const CLI::App *command : app.get_subcommands({}))
      if (command->get_name() == *name) {
        std::fputs(markdown(*command).c_str(), stdout);
        return;
      }
    throw CLI::ValidationError("man", "there is no command '" + *name + "'");
  });
}

} // namespace dendrolith::driver
