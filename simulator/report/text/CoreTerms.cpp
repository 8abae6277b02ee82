// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/CoreTerms.h"

#include "simulator/report/text/TextTable.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dendrolith::report {
namespace {

using sim::CoreCounts;

constexpr double kPsInNs = 1e3;

/// Instructions and the elements that they compute, which wider machines take
/// several of at once.
double programTime(const CoreCounts &counts, const Chip &chip,
                   const MicrocodeTiming &timing) {
  double cycles =
      double(counts[Counter::MicrocodeIssue]) * double(timing.issue);
  for (size_t c = 0; c < kMicroClasses; ++c)
    if (const auto counter =
            counterOf(std::string("microcode.") + toString(MicroClass(c))))
      cycles += double(counts[*counter]) * double(timing.cycles[c]) /
                double(chip.microcode.lanes);
  return cycles * double(timing.cycle);
}

/// A list of equal weights may be served faster than others.
double synapseTime(const CoreCounts &counts, const TimingSet &timing) {
  const auto each = [&](Counter kind, uint64_t time) {
    const auto &uniform = timing.perSynapse.uniform;
    return double(counts[kind]) *
           double(uniform ? std::min(time, *uniform) : time);
  };
  return each(Counter::SynopsDense, timing.perSynapse.dense) +
         each(Counter::SynopsSparse, timing.perSynapse.sparse) +
         each(Counter::SynopsConv, timing.perSynapse.conv);
}

CoreTerms termsOf(uint32_t core, const CoreCounts &counts, const Chip &chip,
                  const TimingSet &set, double steps) {
  const TimingSet timing = set.forCore(core);
  const double ns = steps * kPsInNs;
  const auto times = [&](Counter counter, uint64_t time) {
    return double(counts[counter]) * double(time);
  };
  CoreTerms terms;
  terms.core = core;
  terms.neurons = (times(Counter::UpdatesActive, timing.updateActive) +
                   times(Counter::UpdatesInactive, timing.updateInactive) +
                   programTime(counts, chip, timing.microcode)) /
                  ns;
  terms.synapses = synapseTime(counts, timing) / ns;
  terms.memory = times(Counter::SynmemWords, timing.perWord) / ns;
  terms.link = times(Counter::Flits, timing.noc.local.interval) / ns;
  return terms;
}

} // namespace

StepBound boundOf(const sim::Counts &counts, const Chip &chip,
                  const TimingSet &timing, uint64_t steps) {
  if (timing.serial)
    throw Error(fmt::format("--by bound: phases of '{}' follow each other in "
                            "timing set '{}', and terms of work that overlaps "
                            "are no bound of them",
                            chip.name, timing.name));
  StepBound found;
  const auto take = [&](double term, const char *what, const char *part,
                        const std::string &whose) {
    if (term <= found.bound)
      return;
    found.bound = term;
    found.binding = what + whose;
    found.part = part;
  };
  for (const auto &[core, events] : counts.cores) {
    const CoreTerms terms = termsOf(core, events, chip, timing, double(steps));
    const std::string whose = fmt::format(" of core {}", core);
    take(terms.neurons, "neurons", "update", whose);
    take(terms.synapses, "synapses", "receive", whose);
    take(terms.memory, "memory", "receive", whose);
    take(terms.link, "link", "noc", whose);
    found.cores.push_back(terms);
  }
  const NocTiming &noc = timing.noc;
  const uint64_t interval = std::min({noc.north.interval, noc.south.interval,
                                      noc.east.interval, noc.west.interval});
  for (const sim::LinkCount &link : counts.links)
    found.mesh = std::max(found.mesh, double(link.flits) * double(interval) /
                                          double(steps) / kPsInNs);
  take(found.mesh, "busiest link", "noc", " of the mesh");
  // The fullest of several chips has at least this many tiles in use.
  const uint64_t tiles = (counts.tiles + counts.chips - 1) / counts.chips;
  found.barrier =
      double(timing.barrierTime(std::max<uint64_t>(tiles, 1), counts.chips)) /
      kPsInNs;
  take(found.barrier, "barrier", "barrier", "");
  return found;
}

/// The part of the critical path that is most above the bound.
static std::string whyAbove(const StepBound &bound,
                            const nlohmann::ordered_json &critical,
                            double steps) {
  std::string most;
  double excess = 0;
  for (const auto &[name, time] : critical.items()) {
    const std::string part = name.substr(0, name.rfind('_'));
    const double above =
        time.get<double>() / steps - (part == bound.part ? bound.bound : 0);
    if (above > excess) {
      excess = above;
      most = part;
    }
  }
  if (most == bound.part)
    return fmt::format("the last core of a step takes {:.4g} ns longer in '{}' "
                       "than the mean of the busiest one: work differs between "
                       "steps, or a core waits for a full receiver",
                       excess, most);
  return fmt::format("'{}' takes {:.4g} ns of a step that do not overlap with "
                     "the bound",
                     most, excess);
}

std::string formatCoreTerms(const StepBound &bound,
                            const nlohmann::ordered_json &result) {
  constexpr size_t kRows = 20;
  std::vector<CoreTerms> cores = bound.cores;
  const auto most = [](const CoreTerms &each) {
    return std::max({each.neurons, each.synapses, each.memory, each.link});
  };
  std::stable_sort(cores.begin(), cores.end(),
                   [&](const CoreTerms &a, const CoreTerms &b) {
                     return most(a) > most(b);
                   });
  TextTable table(
      {"core", "synapses (ns)", "neurons (ns)", "memory (ns)", "link (ns)"});
  const auto number = [](double value) { return fmt::format("{:.1f}", value); };
  for (size_t i = 0; i < cores.size() && i < kRows; ++i)
    table.add({std::to_string(cores[i].core), number(cores[i].synapses),
               number(cores[i].neurons), number(cores[i].memory),
               number(cores[i].link)});
  std::string text =
      "Terms of a mean step, each kind of work alone\n" + table.text();
  if (cores.size() > kRows)
    text += fmt::format("  and {} cores below these\n", cores.size() - kRows);
  text += fmt::format("Mesh, its busiest link: {:.1f} ns; barrier: {:.1f} ns\n",
                      bound.mesh, bound.barrier);
  const auto &critical = result.at("latency").at("critical");
  const double steps = result.at("counts").at("total").at("steps");
  double engine = 0;
  for (const auto &[name, time] : critical.items())
    engine += time.get<double>() / steps;
  text += fmt::format("Bound: {:.1f} ns by the {}; the engine's mean step: "
                      "{:.1f} ns, {:.2f} times as long\n",
                      bound.bound, bound.binding, engine, engine / bound.bound);
  if (engine > 1.1 * bound.bound)
    text +=
        "Above the bound because " + whyAbove(bound, critical, steps) + "\n";
  return text;
}

} // namespace dendrolith::report
