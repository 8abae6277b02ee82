// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options by name, and what was chosen as text.

#include "compiler/import/nir/Options.h"

#include "compiler/import/nir/Dynamics.h"
#include "targets/support/Text.h"

#include <cstdlib>
#include <map>

namespace dendrolith::nir {

template <typename T>
static T choose(const std::string &name, const std::string &value,
                const std::vector<std::pair<const char *, T>> &choices) {
  std::string all;
  for (const auto &[text, choice] : choices) {
    if (value == text)
      return choice;
    all += (all.empty() ? "" : ", ") + std::string(text);
  }
  throw Error(fmt::format("--import {}: expected one of {}, found {}", name,
                          all, quotedName(value)));
}

const std::vector<std::pair<const char *, const char *>> &optionNames() {
  static const std::vector<std::pair<const char *, const char *>> names = {
      {"preset", "NIR: conventions of norse, snntorch, spyx, sinabs or nengo; "
                 "options beside it go before"},
      {"dt", "NIR: time step in seconds (else the file's, else 1e-4)"},
      {"time-unit", "NIR: unit of tau and delay: s, ms or steps"},
      {"integrator", "NIR: euler, exact, expdecay or mixed (current by Euler, "
                     "membrane exact)"},
      {"reset", "NIR: value (as the file says), zero or subtract"},
      {"reset-when", "NIR: same or next step, there after decay and input"},
      {"spike-when", "NIR: a spike leaves in the same or the next step"},
      {"current-order", "NIR: the membrane reads the new or the old current"},
      {"threshold", "NIR: a spike where v is gt or ge v_threshold"},
      {"spikes-per-step", "NIR: one, or many: floor(v / v_threshold)"},
      {"v-min", "NIR: least v, in units of -v_threshold"},
      {"spike-value", "NIR: a spike is worth 1 (unit) or 1/dt (dirac)"},
      {"loop-delay", "NIR: ticks on an edge that closes a cycle"},
      {"loop-start", "NIR: at first a loop carries what zeros give (zero) or "
                     "nothing, no bias either (skip)"},
      {"if-convention",
       "NIR: IF and I integrate r*x (r), dt*r*x (dt), x (unit) "
       "or leak by 0.9 (leaky)"}};
  return names;
}

static double number(const std::string &name, const std::string &value,
                     double low, double high, const char *what) {
  char *end = nullptr;
  double found = std::strtod(value.c_str(), &end);
  if (value.empty() || *end || !(found > low && found < high))
    throw Error(fmt::format("--import {}: expected {}, found {}", name, what,
                            quotedName(value)));
  return found;
}

void setOption(NirOptions &options, const std::string &name,
               const std::string &value) {
  auto flag = [&](const char *off, const char *on) {
    return choose<bool>(name, value, {{off, false}, {on, true}});
  };
  if (name == "preset") {
    setPreset(options, value);
  } else if (name == "dt") {
    options.dt = number(name, value, 0, 1e9, "a positive number of seconds");
  } else if (name == "v-min") {
    options.vMin = number(name, value, -1e-300, 1e9, "a number of 0 or more");
    options.leastOf = LeastOf::All;
  } else if (name == "loop-delay") {
    char *end = nullptr;
    long ticks = std::strtol(value.c_str(), &end, 10);
    if (value.empty() || *end || ticks < 0 || ticks > 1 << 20)
      throw Error(
          fmt::format("--import loop-delay: expected 0 to 2^20 ticks, found "
                      "{}",
                      quotedName(value)));
    options.loopDelay = ticks;
  } else if (name == "time-unit") {
    options.timeUnit = choose<TimeUnit>(name, value,
                                        {{"s", TimeUnit::Seconds},
                                         {"ms", TimeUnit::Milliseconds},
                                         {"steps", TimeUnit::Steps}});
  } else if (name == "integrator") {
    options.integrator = choose<Integrator>(name, value,
                                            {{"euler", Integrator::Euler},
                                             {"exact", Integrator::Exact},
                                             {"expdecay", Integrator::ExpDecay},
                                             {"mixed", Integrator::Mixed}});
  } else if (name == "reset") {
    options.reset = choose<Reset>(name, value,
                                  {{"value", Reset::Value},
                                   {"zero", Reset::Zero},
                                   {"subtract", Reset::Subtract}});
  } else if (name == "reset-when") {
    options.resetNext = flag("same", "next");
  } else if (name == "spike-when") {
    options.emitNext = flag("same", "next");
  } else if (name == "current-order") {
    options.oldCurrent = flag("new", "old");
  } else if (name == "threshold") {
    options.inclusive = flag("gt", "ge");
  } else if (name == "spikes-per-step") {
    options.manySpikes = flag("one", "many");
  } else if (name == "spike-value") {
    options.diracSpikes = flag("unit", "dirac");
  } else if (name == "loop-start") {
    options.silentLoops = flag("zero", "skip");
  } else if (name == "if-convention") {
    options.ifConvention =
        choose<IfConvention>(name, value,
                             {{"r", IfConvention::R},
                              {"dt", IfConvention::Dt},
                              {"unit", IfConvention::Unit},
                              {"leaky", IfConvention::Leaky}});
  } else {
    std::string known;
    for (const auto &option : optionNames())
      known += std::string(known.empty() ? "" : ", ") + option.first;
    throw Error(fmt::format("unknown import option {}, expected one of {}",
                            quotedName(name), known));
  }
}

/// What differs from the usual order of events in a step, and its numbers.
static void describeStep(const NirOptions &options, Choices &lines) {
  lines.emplace_back(
      "spike", fmt::format("{} where v {} v_threshold{}",
                           options.manySpikes    ? "floor(v / v_threshold)"
                           : options.diracSpikes ? "1/dt"
                                                 : "1",
                           options.inclusive ? ">=" : ">",
                           options.emitNext ? ", sent a step later" : ""));
  lines.emplace_back("current order",
                     options.oldCurrent
                         ? "the membrane reads the current before its update"
                         : "the membrane reads the current after its update");
  if (options.vMin)
    lines.emplace_back(
        "least v",
        fmt::format("{}{}",
                    *options.vMin == 0
                        ? "0"
                        : fmt::format("-{} v_threshold", *options.vMin),
                    options.leastOf == LeastOf::If      ? " of IF nodes"
                    : options.leastOf == LeastOf::Leaky ? " of LIF and CubaLIF "
                                                          "nodes"
                                                        : ""));
  if (options.silentLoops)
    lines.emplace_back("loop start", "a loop carries nothing at first, not "
                                     "even a bias");
  if (options.startsAtLeak)
    lines.emplace_back("start", "v and the synaptic current begin at v_leak");
  if (options.ignoreR)
    lines.emplace_back("r", "taken as 1 in LI and LIF nodes");
  if (options.plainInput)
    lines.emplace_back("input", "of LI and LIF nodes added as it is, without "
                                "r and dt/tau");
  if (options.currentResetsFirst)
    lines.emplace_back("reset of CubaLIF",
                       "before the decay; without a loop behind the input too");
  if (options.leakInCurrent)
    lines.emplace_back("v_leak", "also drives the synaptic current");
}

Choices describe(const Graph &graph, const Policy &policy) {
  const NirOptions &options = policy.options;
  Choices lines;
  if (!options.preset.empty())
    lines.emplace_back(
        "preset", options.preset + (options.presetVersion.empty() ? "" : "@") +
                      options.presetVersion);
  bool steps = options.timeUnit == TimeUnit::Steps;
  bool ms = options.timeUnit == TimeUnit::Milliseconds;
  lines.emplace_back("dt", steps
                               ? "1 step"
                               : fmt::format("{} {} ({})", policy.dt,
                                             ms ? "ms" : "s", policy.dtSource));
  lines.emplace_back("time-unit", steps ? "steps" : ms ? "ms" : "s");
  lines.emplace_back("integrator",
                     options.integrator == Integrator::Euler
                         ? "euler: v += dt/tau (v_leak + r x - v)"
                     : options.integrator == Integrator::Exact
                         ? "exact: solution for constant input"
                     : options.integrator == Integrator::Mixed
                         ? "mixed: currents by Euler, membranes exact"
                         : "expdecay: exponential decay plus dt/tau r x");
  const char *when = options.resetNext ? "a step after the spike, behind decay "
                                         "and input"
                                       : "in the spike's step";
  lines.emplace_back("reset", fmt::format("{} {}",
                                          options.reset == Reset::Value
                                              ? "value: v = v_reset"
                                          : options.reset == Reset::Zero
                                              ? "zero: v = 0"
                                              : "subtract: v -= v_threshold",
                                          when));
  static const char *ifLines[] = {"r: v += r x", "dt: v += dt r x",
                                  "unit: v += x", "leaky: v = 0.9 v + x"};
  lines.emplace_back("if-convention", ifLines[size_t(options.ifConvention)]);
  describeStep(options, lines);
  std::string cuts;
  std::map<std::pair<unsigned, unsigned>, unsigned> seen;
  std::string doubled;
  for (const Edge &edge : graph.edges) {
    std::string text =
        fmt::format("{} -> {}", quotedName(graph.nodes[edge.from].name),
                    quotedName(graph.nodes[edge.to].name));
    unsigned count = ++seen[{edge.from, edge.to}];
    if (edge.cut && count == 1)
      cuts += (cuts.empty() ? "" : ", ") + text;
    if (count == 2)
      doubled += (doubled.empty() ? "" : ", ") + text;
  }
  lines.emplace_back("loop-delay",
                     fmt::format("{} on {}", options.loopDelay,
                                 cuts.empty() ? "no edge (no cycle)" : cuts));
  if (!doubled.empty())
    lines.emplace_back("repeated edges", "each counts: " + doubled);
  return lines;
}

} // namespace dendrolith::nir
