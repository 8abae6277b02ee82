// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/Area.h"

#include <fmt/format.h>

#include <cmath>

namespace dendrolith {

static std::string range(LowHigh value, int digits) {
  const std::string low = fmt::format("{:.{}g}", value.low, digits);
  const std::string high = fmt::format("{:.{}g}", value.high, digits);
  return low == high ? low : low + " to " + high;
}

std::string formatSilicon(const Target &target, const TimingSet &timing) {
  if (!target.area)
    return "  not known: the chip file has no section 'area'\n";
  const std::optional<Silicon> silicon = siliconOf(target, timing);
  if (!silicon)
    return "  not known: a memory of the cores is unlimited\n";
  auto line = [](const std::string &name, const std::string &count,
                 const std::string &each, const std::string &area,
                 const std::string &leakage, const std::string &from) {
    std::string text =
        fmt::format("  {:<16}  {:>5}  {:>20}  {:>16}  {:>16}  {}", name, count,
                    each, area, leakage, from);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text =
      line("part", "count", "each (um2)", "area (mm2)", "leaks (mW)", "from");
  for (const SiliconPart &part : silicon->parts)
    text += line(part.name, std::to_string(part.count), range(part.each, 4),
                 range(part.area, 3),
                 silicon->leakage ? range(part.leakage, 3) : "",
                 fmt::format("{}, {}", toString(part.kind), part.source));
  text += line("chip", "", "", range(silicon->area, 3),
               silicon->leakage ? range(*silicon->leakage, 3) : "not known",
               fmt::format("{} nm", target.area->node));
  return text;
}

static std::string row(const std::string &chip, const std::string &what,
                       const std::string &published, const std::string &here,
                       const std::string &middle, const std::string &leaks) {
  std::string text = fmt::format("{:<13}  {:<4}  {:>15}  {:>18}  {:>6}  {}",
                                 chip, what, published, here, middle, leaks);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

/// Of the middle against what is published, to a tenth, and never -0.
static double percent(LowHigh ours, double published) {
  const double off = 50 * (ours.low + ours.high) / published - 100;
  return std::round(10 * off) / 10 + 0.0;
}

std::string compareAreas(const std::vector<Target> &targets) {
  std::string text = row("target", "", "published (mm2)", "here (mm2)",
                         "middle", "leaks (mW)");
  for (const Target &target : targets) {
    const std::optional<Silicon> silicon = siliconOf(target, target.timing());
    if (!silicon)
      continue;
    auto compare = [&](const char *what, LowHigh ours,
                       const std::optional<UnitNumber> &published,
                       const std::string &leaks) {
      const double there =
          published ? (published->value.low + published->value.high) / 2 : 0;
      text += row(
          target.name, what,
          published ? range(published->value, 6) : "not known", range(ours, 3),
          published ? fmt::format("{:+.1f} %", percent(ours, there)) : "",
          leaks);
    };
    compare("chip", silicon->area, target.area->publishedDie,
            silicon->leakage ? range(*silicon->leakage, 3) : "not known");
    if (target.area->publishedCore)
      compare("core", silicon->core, target.area->publishedCore, "");
  }
  return text;
}

} // namespace dendrolith
