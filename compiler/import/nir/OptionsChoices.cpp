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
      {"preset", "NIR: what the importer of norse, snntorch, spyx, sinabs or "
                 "nengo makes of a file; options beside it go before"},
      {"from", "NIR: the tool that trained it, whose rule holds: snntorch, "
               "norse, spikingjelly, sinabs, rockpool, spyx, or nir for none; "
               "else it is looked for in the file"},
      {"strict", "NIR: yes refuses what is assumed of a file, such as its tool "
                 "by a signature, the usual dt or where a loop waits"},
      {"dt", "NIR: time step in seconds (else the file's, else 1e-4)"},
      {"time-unit", "NIR: unit of tau and delay: s, ms or steps"},
      {"integrator", "NIR: euler, exact, expdecay or mixed (current by Euler, "
                     "membrane exact)"},
      {"reset", "NIR: value (as the file says), zero, subtract or none; "
                "NODE:reset=zero is that of one node, so for the next keys but "
                "spike-when"},
      {"v-reset", "NIR: where a spike leads v, in place of the file's"},
      {"reset-when", "NIR: same or next step, there after decay and input; "
                     "again: the same, and what is still above the threshold "
                     "once more before the next spike"},
      {"spike-when", "NIR: a spike leaves in the same or the next step"},
      {"current-order", "NIR: the membrane reads the new or the old current"},
      {"threshold", "NIR: a spike where v is gt or ge v_threshold"},
      {"spikes-per-step", "NIR: one, or many: floor(v / v_threshold)"},
      {"v-min", "NIR: least v, in units of -v_threshold"},
      {"spike-value", "NIR: a spike is worth 1 (unit), 1/dt (dirac) or a "
                      "number"},
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

static void setOne(NirOptions &options, const std::string &name,
                   const std::string &value) {
  auto flag = [&](const char *off, const char *on) {
    return choose<bool>(name, value, {{off, false}, {on, true}});
  };
  if (name == "preset") {
    setPreset(options, value);
  } else if (name == "from") {
    setTool(options, value);
  } else if (name == "strict") {
    options.isStrict = flag("no", "yes");
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
                                   {"subtract", Reset::Subtract},
                                   {"none", Reset::None}});
  } else if (name == "v-reset") {
    if (options.given.count("reset") && options.reset != Reset::Value)
      throw Error("--import v-reset: a spike leads v there with reset=value "
                  "alone; leave out the other reset");
    options.reset = Reset::Value;
    options.vReset = number(name, value, -1e300, 1e300, "a number");
  } else if (name == "reset-when") {
    options.resetNext = value == "next";
    options.resetsAgain |= choose<bool>(
        name, value, {{"same", false}, {"next", false}, {"again", true}});
  } else if (name == "spike-when") {
    options.emitNext = flag("same", "next");
  } else if (name == "current-order") {
    options.oldCurrent = flag("new", "old");
  } else if (name == "threshold") {
    options.inclusive = flag("gt", "ge");
  } else if (name == "spikes-per-step") {
    options.manySpikes = flag("one", "many");
  } else if (name == "spike-value") {
    options.diracSpikes = value == "dirac";
    options.spikeValue =
        value == "unit" || options.diracSpikes
            ? 1
            : number(name, value, 0, 1e9, "unit, dirac or a number above 0");
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

/// A key of one node: those of a step of a neuron.
static void setOfNode(NirOptions &options, const std::string &node,
                      const std::string &key, const std::string &value) {
  static const std::set<std::string> own = {
      "integrator",    "reset",        "v-reset",         "reset-when",
      "current-order", "threshold",    "spikes-per-step", "v-min",
      "spike-value",   "if-convention"};
  if (node.empty() || !own.count(key))
    throw Error(fmt::format("--import {}: expected NODE:KEY with a key of one "
                            "neuron, {}",
                            quotedName(node + ":" + key),
                            fmt::join(own, ", ")));
  NirOptions scratch;
  setOption(scratch, key, value);
  options.ofNode[node].emplace_back(key, value);
}

void setOption(NirOptions &options, const std::string &name,
               const std::string &value) {
  options.said.emplace_back(name, value);
  if (const size_t colon = name.rfind(':'); colon != name.npos)
    return setOfNode(options, name.substr(0, colon), name.substr(colon + 1),
                     value);
  options.given.insert(name);
  setOne(options, name, value);
}

/// What differs from the usual order of events in a step, and its numbers.
static void describeStep(const NirOptions &options, Choices &lines) {
  lines.emplace_back(
      "spike",
      fmt::format("{} where v {} v_threshold{}",
                  options.manySpikes    ? "floor(v / v_threshold)"
                  : options.diracSpikes ? "1/dt"
                                        : fmt::format("{}", options.spikeValue),
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
  if (options.start != Start::Zero)
    lines.emplace_back("start",
                       options.start == Start::Reset ? "v begins at v_reset"
                       : options.leakInCurrent
                           ? "v and the synaptic current begin at v_leak"
                           : "v begins at v_leak");
  if (options.ignoreR)
    lines.emplace_back("r", "taken as 1 in LI and LIF nodes");
  if (options.currentGain == Gain::One && options.potentialGain == Gain::One)
    lines.emplace_back("input", "of LI and LIF nodes added as it is, without "
                                "r and dt/tau");
  else if (options.currentGain != Gain::Equations)
    lines.emplace_back("input", options.currentGain == Gain::Kept
                                    ? "added to currents before they decay, to "
                                      "potentials as it is"
                                    : "of synaptic currents added as it is");
  if (options.currentResetsFirst)
    lines.emplace_back(
        "reset of CubaLIF",
        options.currentResetsTwice
            ? "before the decay; without a loop behind the input "
              "too"
            : "before the decay");
  if (options.leakInCurrent)
    lines.emplace_back("v_leak", "also drives the synaptic current");
}

static std::string resetText(const NirOptions &options) {
  const std::string when =
      options.resetNext ? ", one step later" : ", in the spike's step";
  switch (options.reset) {
  case Reset::Subtract:
    return "reset by subtraction" + when;
  case Reset::Zero:
    return "reset to zero" + (options.zeroTakesInput ? "" : when);
  case Reset::None:
    return "no reset";
  case Reset::Value:
    return "reset to v_reset" + when;
  }
  return "";
}

/// Whose rule it is, where that is known.
static void describeRule(const Policy &policy, Choices &lines) {
  const NirOptions &options = policy.options;
  const ToolWords words = wordsOf(options.tool);
  if (!*words.title && !options.isOfFile)
    return;
  std::string text = (options.isOfFile ? "its file says"
                                       : fmt::format("{} {}", words.title,
                                                     options.toolVersion)) +
                     ": " + resetText(options);
  for (const auto &[name, own] : policy.ofNode)
    if (resetText(own) != resetText(options))
      text += fmt::format("; {}: {}", quotedName(name), resetText(own));
  lines.emplace_back("read as", text);
}

Choices describe(const Graph &graph, const Policy &policy) {
  const NirOptions &options = policy.options;
  Choices lines;
  describeRule(policy, lines);
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
  lines.emplace_back(
      "reset",
      fmt::format("{} {}",
                  options.reset == Reset::Value  ? "value: v = v_reset"
                  : options.reset == Reset::Zero ? "zero: v = 0"
                  : options.reset == Reset::None ? "none"
                                                 : "subtract: v -= v_threshold",
                  options.reset == Reset::None ? "" : when));
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
