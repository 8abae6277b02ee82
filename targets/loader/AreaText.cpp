// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/Area.h"

#include <fmt/format.h>

namespace neurite {

static std::string range(LowHigh value, int digits) {
  const std::string low = fmt::format("{:.{}g}", value.low, digits);
  const std::string high = fmt::format("{:.{}g}", value.high, digits);
  return low == high ? low : low + " to " + high;
}

/// How a published number lies to ours.
static std::string beside(const char *what, LowHigh ours,
                          const UnitNumber &published) {
  const double there = (published.value.low + published.value.high) / 2;
  const double here = (ours.low + ours.high) / 2;
  return fmt::format("  {}: {} mm2 published ({}, {}), {} here, the middle "
                     "{:+.1f} %\n",
                     what, range(published.value, 6), toString(published.kind),
                     published.source, range(ours, 3),
                     100 * (here / there - 1));
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
  if (target.area->publishedCore)
    text += beside("core", silicon->core, *target.area->publishedCore);
  if (target.area->publishedDie)
    text += beside("chip", silicon->area, *target.area->publishedDie);
  return text;
}

} // namespace neurite
