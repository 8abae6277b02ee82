// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith check`: whether a model is sound and fits chips.

#include "runtime/driver/CheckCommand.h"

#include "runtime/driver/Command.h"
#include "runtime/driver/Terminal.h"
#include "runtime/options/ModelOptions.h"
#include "runtime/session/NetworkShape.h"
#include "runtime/session/Workload.h"
#include "simulator/report/html/NetworkPicture.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <sstream>

namespace dendrolith::driver {
namespace {

/// "loihi1,loihi2" are two chips, "loihi1,formats.weight_bits=4" is one with a
/// number changed. A list in brackets, "[cuba, microcode]", is one value.
std::vector<std::string> targetsOf(const std::vector<std::string> &given) {
  std::vector<std::string> targets;
  for (const std::string &text : given) {
    bool isFirst = true;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
      const size_t open = isFirst ? part.npos : targets.back().rfind("=[");
      const bool isInList =
          open != part.npos && targets.back().find(']', open) == part.npos;
      if (isInList || (!isFirst && part.find('=') != part.npos))
        targets.back() += "," + part;
      else
        targets.push_back(part);
      isFirst = false;
    }
  }
  if (targets.empty())
    targets.push_back("ideal");
  return targets;
}

std::string linesOf(const std::vector<session::CheckFinding> &findings) {
  std::string text;
  for (const session::CheckFinding &finding : findings) {
    text += "  " + finding.kind + ": " + finding.message;
    if (!finding.hint.empty())
      text += "; what would help: " + finding.hint;
    text += "\n";
  }
  return text;
}

std::string textOf(const session::Verdict &verdict) {
  std::string text = "Target '" + verdict.target + "': " + verdict.verdict;
  if (verdict.verdict == "undecided")
    text += ": the rule that the warning names is a guess; as it is read";
  if (verdict.cores)
    text +=
        fmt::format(", in {} of {} cores", *verdict.cores, verdict.available);
  text += "\n" + linesOf(verdict.findings);
  if (verdict.needs.empty())
    return text;
  report::TextTable table(
      {"resource", "needs at least", "chip has", "cores", "most of it", ""});
  for (const Need &need : verdict.needs)
    table.add({need.resource, report::grouped(need.used) + " " + need.unit,
               report::grouped(need.limit), std::to_string(need.cores),
               need.population, need.fits() ? "" : "too much"});
  return text + table.text();
}

std::string textOf(const session::CheckReport &report) {
  std::string text = report.model + ": ";
  text += report.findings.empty()
              ? "nothing wrong with the model itself\n"
              : fmt::format("{} finding(s)\n", report.findings.size()) +
                    linesOf(report.findings);
  if (!report.readAs.empty())
    text += "  read as " + report.readAs + "\n";
  for (const Warning &warning : report.warnings)
    text += "  warning: " + lineOf(warning) + "\n";
  for (const session::Verdict &verdict : report.targets)
    text += textOf(verdict);
  return text;
}

/// Why the command fails.
std::string refusalOf(const session::CheckReport &report) {
  if (!report.findings.empty())
    return "the model has to be corrected first";
  size_t unfit = 0, undecided = 0;
  for (const session::Verdict &verdict : report.targets) {
    undecided += verdict.verdict == "undecided";
    unfit += verdict.verdict != "fits" && verdict.verdict != "undecided";
  }
  if (unfit)
    return fmt::format("{} of {} target(s) cannot run it", unfit,
                       report.targets.size());
  return fmt::format("its rule is a guess on {} target(s); give the keys of "
                     "--import that the warning names",
                     undecided);
}

/// The network as its file has it.
std::string pictureOf(const CheckFlags &flags) {
  const session::Prepared made = withMemoryFor(
      flags.path, [&] { return session::loadOnce(flags.model, flags.path); });
  const nlohmann::ordered_json none;
  return report::html::networkSvg(
      {session::networkShape(made.model->floatNetwork()), none, none});
}

} // namespace

void bindCheck(options::CommandOptions &options, CheckFlags &flags) {
  options.bind("MODEL", flags.path);
  useTerminal(flags.model);
  bindModel(options, flags.model);
  options.bind("target", flags.targets);
  options.bind("format", flags.format);
}

session::CheckReport check(const CheckFlags &flags) {
  return session::check(flags.model, flags.path, targetsOf(flags.targets));
}

void addCheck(Command &command) {
  auto flags = std::make_shared<CheckFlags>();
  bindCheck(command.options, *flags);
  command.run = [flags] {
    if (flags->format == "svg") // which judges nothing
      return void(std::fputs(pictureOf(*flags).c_str(), stdout));
    const session::CheckReport report =
        withMemoryFor(flags->path, [&] { return check(*flags); });
    std::fputs((flags->format == "json" ? toJson(report).dump(2) + "\n"
                                        : textOf(report))
                   .c_str(),
               stdout);
    if (report.ok())
      return;
    throw Error(flags->path + ": " + refusalOf(report));
  };
}

} // namespace dendrolith::driver
