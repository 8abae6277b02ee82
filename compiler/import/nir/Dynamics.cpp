// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/Dynamics.h"

#include "compiler/import/nir/Writer.h"

#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::nir {

std::vector<double> perNeuron(const Node &node, const std::string &key,
                              double absent) {
  uint64_t count = product(node.out);
  const hdf5::Node *data = node.field(key);
  if (!data)
    return std::vector<double>(count, absent);
  if (data->values.size() == 1)
    return std::vector<double>(count, data->values[0]);
  return data->values;
}

Parameter collapse(std::vector<double> values) {
  if (std::all_of(values.begin(), values.end(),
                  [&](double value) { return value == values[0]; }))
    values.resize(1);
  return values;
}

static std::optional<Parameter> unless(std::vector<double> values,
                                       double neutral) {
  Parameter parameter = collapse(std::move(values));
  if (parameter.size() == 1 && parameter[0] == neutral)
    return std::nullopt;
  return parameter;
}

Shares sharesOf(double h, Integrator integrator, bool isCurrent) {
  if (integrator == Integrator::Mixed)
    integrator = isCurrent ? Integrator::Euler : Integrator::Exact;
  if (integrator == Integrator::Euler)
    return {1 - h, h, h};
  const double lost = -std::expm1(-h);
  return {std::exp(-h), integrator == Integrator::Exact ? lost : h, lost};
}

/// tau dx/dt = (leak - x) + factor * drive, over one step.
static Compartment leaky(const std::vector<double> &tau,
                         const std::vector<double> &factor,
                         const std::vector<double> &leak, double dt,
                         const NirOptions &options, Gain adds, bool isCurrent) {
  std::vector<double> keep(tau), gain(tau), offset(tau);
  for (size_t i = 0; i < tau.size(); ++i) {
    const Shares shares = sharesOf(dt / tau[i], options.integrator, isCurrent);
    keep[i] = shares.keep;
    gain[i] = shares.drive * factor[i];
    offset[i] = shares.leak * leak[i];
    if (options.clampsDecay)
      keep[i] = std::clamp(keep[i], 0.0, 1.0);
    if (adds != Gain::Equations)
      gain[i] = adds == Gain::One ? 1 : keep[i];
  }
  return {collapse(std::move(keep)), unless(std::move(gain), 1),
          unless(std::move(offset), 0)};
}

static Compartment integrating(const Node &node, double dt,
                               IfConvention convention) {
  std::vector<double> gain = perNeuron(node, "r", 1);
  if (convention == IfConvention::Unit)
    return {{1.0}, std::nullopt, std::nullopt};
  if (convention == IfConvention::Leaky)
    return {{0.9}, std::nullopt, std::nullopt};
  if (convention == IfConvention::Dt)
    for (double &value : gain)
      value *= dt;
  return {{1.0}, unless(std::move(gain), 1), std::nullopt};
}

static ResetWhen resetWhenOf(const Graph &graph, const Node &node,
                             const NirOptions &options) {
  const bool hasCurrent = node.type == Type::CubaLIF;
  if (options.currentResetsFirst && hasCurrent)
    return options.currentResetsTwice && !feedsItself(graph, node)
               ? ResetWhen::Both
               : ResetWhen::Same;
  if (options.zeroTakesInput && options.reset == Reset::Zero &&
      !options.given.count("reset-when"))
    return hasCurrent || feedsItself(graph, node) ? ResetWhen::Next
                                                  : ResetWhen::Same;
  if (options.resetNext)
    return ResetWhen::Next;
  return options.resetsAgain && options.reset == Reset::Subtract &&
                 !options.manySpikes
             ? ResetWhen::Again
             : ResetWhen::Same;
}

/// Where a spike leads the potential with --import reset=value.
static std::vector<double> resetOf(const Node &node,
                                   const NirOptions &options) {
  return options.vReset
             ? std::vector<double>(product(node.out), *options.vReset)
             : perNeuron(node, "v_reset", 0);
}

static void addThreshold(const Graph &graph, const Node &node,
                         const NirOptions &options, Dynamics &dynamics) {
  std::vector<double> theta = perNeuron(node, "v_threshold", 0);
  dynamics.threshold = collapse(theta);
  dynamics.resets = true;
  dynamics.resetWhen = resetWhenOf(graph, node, options);
  if (options.reset == Reset::Value || options.reset == Reset::Subtract)
    dynamics.resetTo = unless(resetOf(node, options), 0);
  if (options.reset == Reset::Subtract && dynamics.resetTo)
    graph.refuse(node,
                 "v_reset is not zero, and --import reset=subtract takes the "
                 "threshold off instead; import it with --import reset=value");
  if (options.manySpikes && options.reset != Reset::Subtract)
    graph.refuse(node,
                 "spikes-per-step=many takes as many thresholds off; give "
                 "it --import reset=subtract as well");
  if (options.manySpikes && *std::min_element(theta.begin(), theta.end()) <= 0)
    graph.refuse(node, "it has a v_threshold of 0 or less, which --"
                       "spikes-per-step many divides by");
  bool isIf = node.type == Type::IF;
  if (options.vMin && (options.leastOf == LeastOf::All ||
                       isIf == (options.leastOf == LeastOf::If))) {
    for (double &value : theta)
      value = *options.vMin == 0 ? 0 : value * -*options.vMin;
    dynamics.least = collapse(theta);
  }
}

/// The options of nodes that have some of their own.
static std::map<std::string, NirOptions>
optionsOfNodes(const Graph &graph, const NirOptions &options) {
  std::map<std::string, NirOptions> all;
  for (const auto &[name, settings] : options.ofNode) {
    std::vector<std::string> known;
    for (const Node &node : graph.nodes)
      if (isNeuron(node.type))
        known.push_back(quotedName(node.name));
    if (std::find(known.begin(), known.end(), quotedName(name)) == known.end())
      throw Error(
          fmt::format("{}: --import {}:{}: there is no such neuron node, "
                      "expected one of {}",
                      graph.file, printable(name, 64), settings.front().first,
                      fmt::join(known, ", ")));
    NirOptions own = options;
    own.ofNode.clear();
    for (const auto &[key, value] : settings)
      setOption(own, key, value);
    all.emplace(name, std::move(own));
  }
  return all;
}

Policy settle(const Graph &graph, const NirOptions &options) {
  auto bad = [&](const char *name, const std::string &why) {
    throw Error(fmt::format("{}: --{}: {}", graph.file, name, why));
  };
  if (options.dt && !(*options.dt > 0 && std::isfinite(*options.dt)))
    bad("dt", fmt::format("expected a positive number of seconds, found {}",
                          *options.dt));
  if (options.loopDelay < 0 || options.loopDelay > 1 << 20)
    bad("loop-delay",
        fmt::format("expected 0 to 2^20 ticks, found {}", options.loopDelay));
  if (options.manySpikes && options.reset != Reset::Subtract)
    bad("spikes-per-step", "many takes as many thresholds off; give --import "
                           "reset=subtract with it");
  if (options.manySpikes && options.diracSpikes)
    bad("spikes-per-step", "many means floor(v / v_threshold) spikes of 1; "
                           "leave out --import spike-value");
  checkLoops(graph, options);
  if (options.timeUnit == TimeUnit::Steps) {
    if (options.dt)
      bad("dt",
          "means nothing with --import time-unit=steps, where one unit of the "
          "file is one step; give one of the two");
    return {options, 1, "one step", optionsOfNodes(graph, options)};
  }
  const std::optional<double> tools = stepOfTool(graph, options.tool);
  double dt =
      options.dt.value_or(graph.dt.value_or(tools.value_or(options.usualDt)));
  return {options, options.timeUnit == TimeUnit::Milliseconds ? dt * 1e3 : dt,
          options.dt ? "given"
          : graph.dt ? "from the file"
          : tools    ? "of the tool"
                     : "default",
          optionsOfNodes(graph, options)};
}

/// The potentials before the first step: what the file's metadata say, or what
/// the tool begins with.
static std::optional<Parameter> startOf(const Graph &graph, const Node &node,
                                        const std::vector<double> &leak,
                                        const NirOptions &options) {
  const hdf5::Node *metadata = node.field("metadata");
  const hdf5::Node *start = metadata ? metadata->find("v_init") : nullptr;
  if (!start)
    return options.start == Start::Leak ? unless(leak, 0)
           : options.start == Start::Reset
               ? unless(perNeuron(node, "v_reset", 0), 0)
               : std::nullopt;
  const std::vector<double> &values = start->values;
  if (start->kind != hdf5::Node::Content::Numbers ||
      (values.size() != 1 && values.size() != product(node.out)) ||
      !std::all_of(values.begin(), values.end(),
                   [](double value) { return std::isfinite(value); }))
    graph.refuse(node,
                 "metadata 'v_init', its potential before the first step, is "
                 "expected to be one finite number or one for each of its {} "
                 "neurons; correct it, or leave it out for 0",
                 product(node.out));
  return unless(values, 0);
}

/// Extreme parameters give no finite step.
static void requireFinite(const Graph &graph, const Node &node,
                          const Policy &policy,
                          const std::optional<Compartment> &part) {
  auto finite = [](const Parameter &values) {
    return std::all_of(values.begin(), values.end(),
                       [](double value) { return std::isfinite(value); });
  };
  if (part && !(finite(part->keep) && (!part->gain || finite(*part->gain)) &&
                (!part->offset || finite(*part->offset))))
    graph.refuse(node,
                 "its parameters give no finite step of dt {} (file's unit): "
                 "a time constant is too short or a factor too large",
                 policy.dt);
}

Dynamics discretise(const Graph &graph, const Node &node,
                    const Policy &policy) {
  Dynamics dynamics;
  if (node.type == Type::Threshold) {
    dynamics.threshold = collapse(perNeuron(node, "threshold", 0));
    return dynamics;
  }
  const NirOptions &options = policy.of(node);
  checkNode(graph, node, options);
  std::vector<double> zero(product(node.out), 0.0);
  std::vector<double> leak = perNeuron(node, "v_leak", 0);
  std::vector<double> r = perNeuron(node, "r", 1);
  if (options.ignoreR && (node.type == Type::LI || node.type == Type::LIF))
    r.assign(r.size(), 1.0);
  switch (node.type) {
  case Type::I:
  case Type::IF:
    dynamics.potential = integrating(node, policy.dt, options.ifConvention);
    break;
  case Type::LI:
  case Type::LIF:
    dynamics.potential = leaky(
        perNeuron(node, "tau", 1), r, leak, policy.dt, options,
        options.plainReadout && node.type == Type::LI ? Gain::One
                                                      : options.potentialGain,
        false);
    break;
  default:
    dynamics.current =
        leaky(perNeuron(node, "tau_syn", 1), perNeuron(node, "w_in", 1),
              options.leakInCurrent ? leak : zero, policy.dt, options,
              options.currentGain, true);
    dynamics.potential =
        leaky(perNeuron(node, "tau_mem", 1), r, leak, policy.dt, options,
              options.potentialGain, false);
    break;
  }
  dynamics.potential->start = startOf(graph, node, leak, options);
  if (dynamics.current && options.leakInCurrent)
    dynamics.current->start = unless(leak, 0);
  requireFinite(graph, node, policy, dynamics.current);
  requireFinite(graph, node, policy, dynamics.potential);
  if (node.field("v_threshold"))
    addThreshold(graph, node, options, dynamics);
  return dynamics;
}

std::vector<int64_t> heldTicks(const Graph &graph, const Policy &policy) {
  std::vector<int64_t> held(graph.nodes.size(), 0);
  for (size_t i = 0; i < held.size(); ++i) {
    if (graph.nodes[i].type != Type::Delay)
      continue;
    std::vector<double> delays = perNeuron(graph.nodes[i], "delay", 0);
    double least = *std::min_element(delays.begin(), delays.end());
    // A longer one is refused where it is wired.
    held[i] = int64_t(std::min(std::nearbyint(least / policy.dt), 1e6));
  }
  return held;
}

std::vector<int64_t> delayTicks(Graph &graph, const Node &node,
                                const Policy &policy) {
  std::vector<int64_t> ticks;
  bool moved = false;
  for (double delay : perNeuron(node, "delay", 0)) {
    double exact = delay / policy.dt, rounded = std::nearbyint(exact);
    if (rounded > 1 << 20)
      graph.refuse(node,
                   "a delay of {} is {} ticks of {}, expected at most "
                   "2^20; check --import dt and --import time-unit",
                   delay, rounded, policy.dt);
    moved |= std::fabs(exact - rounded) > 1e-6 * std::max(1.0, exact);
    ticks.push_back(static_cast<int64_t>(rounded));
  }
  if (moved)
    graph.warnings.push_back({"rounded-delay", placeOf(node),
                              "its delays are no whole numbers of ticks and "
                              "are rounded; check --import dt "
                              "and --import time-unit"});
  return ticks;
}

} // namespace dendrolith::nir
