// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options by name, and what was chosen as text.

#include "compiler/import/nir/Dynamics.h"

#include <cstdlib>
#include <map>

namespace neurite::nir {

template <typename T>
static T choose(const std::string &name, const std::string &value,
                const std::vector<std::pair<const char *, T>> &choices) {
  std::string all;
  for (const auto &[text, choice] : choices) {
    if (value == text)
      return choice;
    all += (all.empty() ? "" : ", ") + std::string(text);
  }
  throw Error(fmt::format("--{}: expected one of {}, found {}", name, all,
                          quoted(value)));
}

void setOption(NirOptions &options, const std::string &name,
               const std::string &value) {
  char *end = nullptr;
  if (name == "dt") {
    double dt = std::strtod(value.c_str(), &end);
    if (value.empty() || *end || !(dt > 0 && dt < 1e9))
      throw Error(fmt::format("--dt: expected a positive number of seconds, "
                              "found {}",
                              quoted(value)));
    options.dt = dt;
  } else if (name == "loop-delay") {
    long ticks = std::strtol(value.c_str(), &end, 10);
    if (value.empty() || *end || ticks < 0 || ticks > 1 << 20)
      throw Error(fmt::format("--loop-delay: expected 0 to 2^20 ticks, found "
                              "{}",
                              quoted(value)));
    options.loopDelay = ticks;
  } else if (name == "time-unit") {
    options.timeUnit = choose<TimeUnit>(name, value,
                                        {{"s", TimeUnit::Seconds},
                                         {"ms", TimeUnit::Milliseconds},
                                         {"steps", TimeUnit::Steps}});
  } else if (name == "integrator") {
    options.integrator =
        choose<Integrator>(name, value,
                           {{"euler", Integrator::Euler},
                            {"exact", Integrator::Exact},
                            {"expdecay", Integrator::ExpDecay}});
  } else if (name == "reset") {
    options.reset = choose<Reset>(
        name, value, {{"value", Reset::Value}, {"subtract", Reset::Subtract}});
  } else if (name == "if-convention") {
    options.ifConvention = choose<IfConvention>(
        name, value, {{"r", IfConvention::R}, {"dt", IfConvention::Dt}});
  } else {
    throw Error(fmt::format("unknown import option {}, expected dt, time-unit, "
                            "integrator, reset, loop-delay or if-convention",
                            quoted(name)));
  }
}

Policies describe(const Graph &graph, const Policy &policy) {
  const NirOptions &options = policy.options;
  Policies lines;
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
                         : "expdecay: exponential decay plus dt/tau r x");
  lines.emplace_back("reset", options.reset == Reset::Value
                                  ? "value: v = v_reset in the spike's step"
                                  : "subtract: v -= v_threshold in the spike's "
                                    "step");
  lines.emplace_back("if-convention", options.ifConvention == IfConvention::R
                                          ? "r: v += r x"
                                          : "dt: v += dt r x");
  lines.emplace_back("spike", "1 where v > v_threshold");
  lines.emplace_back("current order",
                     "the membrane reads the current after its update");
  std::string cuts;
  std::map<std::pair<unsigned, unsigned>, unsigned> seen;
  std::string doubled;
  for (const Edge &edge : graph.edges) {
    std::string text =
        fmt::format("{} -> {}", quoted(graph.nodes[edge.from].name),
                    quoted(graph.nodes[edge.to].name));
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

} // namespace neurite::nir
