// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/Dynamics.h"

#include <algorithm>
#include <cmath>

namespace neurite::nir {

/// A dataset as one value per neuron; 0-d (and one-element w_in) repeats.
static std::vector<double> perNeuron(const Node &node, const std::string &key,
                                     double absent) {
  uint64_t count = elements(node.out);
  const hdf5::Node *data = node.field(key);
  if (!data)
    return std::vector<double>(count, absent);
  if (data->values.size() == 1)
    return std::vector<double>(count, data->values[0]);
  return data->values;
}

/// One value where all neurons have the same.
static Parameter collapse(std::vector<double> values) {
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

/// tau dx/dt = (leak - x) + factor * drive, over one step.
static Compartment leaky(const std::vector<double> &tau,
                         const std::vector<double> &factor,
                         const std::vector<double> &leak,
                         const Policy &policy) {
  std::vector<double> keep(tau), gain(tau), offset(tau);
  for (size_t i = 0; i < tau.size(); ++i) {
    double h = policy.dt / tau[i];
    switch (policy.options.integrator) {
    case Integrator::Euler:
      keep[i] = 1 - h;
      gain[i] = h * factor[i];
      offset[i] = h * leak[i];
      break;
    case Integrator::Exact:
      keep[i] = std::exp(-h);
      gain[i] = -std::expm1(-h) * factor[i];
      offset[i] = -std::expm1(-h) * leak[i];
      break;
    case Integrator::ExpDecay:
      keep[i] = std::exp(-h);
      gain[i] = h * factor[i];
      offset[i] = -std::expm1(-h) * leak[i];
      break;
    }
  }
  return {collapse(std::move(keep)), unless(std::move(gain), 1),
          unless(std::move(offset), 0)};
}

static Compartment integrating(const Node &node, const Policy &policy) {
  std::vector<double> gain = perNeuron(node, "r", 1);
  if (policy.options.ifConvention == IfConvention::Dt)
    for (double &value : gain)
      value *= policy.dt;
  return {{1.0}, unless(std::move(gain), 1), std::nullopt};
}

static void addThreshold(const Graph &graph, const Node &node,
                         const Policy &policy, Dynamics &dynamics) {
  dynamics.threshold = collapse(perNeuron(node, "v_threshold", 0));
  dynamics.resetTo = unless(perNeuron(node, "v_reset", 0), 0);
  dynamics.resets = true;
  if (policy.options.reset == Reset::Subtract && dynamics.resetTo)
    graph.refuse(node, "v_reset is not zero, and --reset subtract takes the "
                       "threshold off instead; import it with --reset value");
}

static void warnOfOvershoot(Graph &graph, const Policy &policy) {
  if (policy.options.integrator != Integrator::Euler)
    return;
  for (const Node &node : graph.nodes)
    for (const char *key : {"tau", "tau_syn", "tau_mem"}) {
      const hdf5::Node *data = isNeuron(node.type) ? node.field(key) : nullptr;
      if (!data)
        continue;
      double least =
          *std::min_element(data->values.begin(), data->values.end());
      if (least < policy.dt)
        graph.warnings.push_back(fmt::format(
            "node {}: {} {} is shorter than dt {} (file's unit): Euler "
            "overshoots; check --dt and --time-unit",
            quoted(node.name), key, least, policy.dt));
    }
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
  if (options.timeUnit == TimeUnit::Steps) {
    if (options.dt)
      bad("dt", "means nothing with --time-unit steps, where one unit of the "
                "file is one step; give one of the two");
    return {options, 1, "one step"};
  }
  double dt = options.dt.value_or(graph.dt.value_or(1e-4));
  return {options, options.timeUnit == TimeUnit::Milliseconds ? dt * 1e3 : dt,
          options.dt ? "given"
          : graph.dt ? "from the file"
                     : "default"};
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
  std::vector<double> zero(elements(node.out), 0.0);
  switch (node.type) {
  case Type::I:
  case Type::IF:
    dynamics.potential = integrating(node, policy);
    break;
  case Type::LI:
  case Type::LIF:
    dynamics.potential =
        leaky(perNeuron(node, "tau", 1), perNeuron(node, "r", 1),
              perNeuron(node, "v_leak", 0), policy);
    break;
  default:
    dynamics.current = leaky(perNeuron(node, "tau_syn", 1),
                             perNeuron(node, "w_in", 1), zero, policy);
    dynamics.potential =
        leaky(perNeuron(node, "tau_mem", 1), perNeuron(node, "r", 1),
              perNeuron(node, "v_leak", 0), policy);
    break;
  }
  requireFinite(graph, node, policy, dynamics.current);
  requireFinite(graph, node, policy, dynamics.potential);
  if (node.field("v_threshold"))
    addThreshold(graph, node, policy, dynamics);
  return dynamics;
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
                   "2^20; check --dt and --time-unit",
                   delay, rounded, policy.dt);
    moved |= std::fabs(exact - rounded) > 1e-6 * std::max(1.0, exact);
    ticks.push_back(static_cast<int64_t>(rounded));
  }
  if (moved)
    graph.warnings.push_back(fmt::format(
        "node {}: its delays are no whole numbers of ticks and are rounded; "
        "check --dt and --time-unit",
        quoted(node.name)));
  return ticks;
}

/// a / b if that is one number for all neurons (to 0.1 %) and b is not simply
/// 1 everywhere, which says nothing about dt.
static std::optional<double> commonRatio(const std::vector<double> &a,
                                         const std::vector<double> &b) {
  double first = a[0] / b[0];
  bool ones = true;
  for (size_t i = 0; i < a.size(); ++i) {
    ones &= b[i] == 1;
    if (!(std::fabs(a[i] / b[i] - first) <= 1e-3 * std::fabs(first)))
      return std::nullopt;
  }
  if (ones || !(first > 0) || !std::isfinite(first))
    return std::nullopt;
  return first;
}

void warnOfOtherStep(Graph &graph, const Policy &policy) {
  warnOfOvershoot(graph, policy);
  for (const Node &node : graph.nodes) {
    std::optional<double> implied;
    std::string from;
    std::vector<double> r;
    if (isNeuron(node.type))
      r = perNeuron(node, "r", 1);
    if (node.type == Type::LIF || node.type == Type::LI) {
      implied = commonRatio(perNeuron(node, "tau", 1), r);
      from = "tau/r";
    } else if (node.type == Type::CubaLIF || node.type == Type::CubaLI) {
      implied = commonRatio(perNeuron(node, "tau_mem", 1), r);
      auto other = commonRatio(perNeuron(node, "tau_syn", 1),
                               perNeuron(node, "w_in", 1));
      if (!other || !implied || std::fabs(*other - *implied) > 1e-3 * *implied)
        implied.reset();
      from = "tau_mem/r and tau_syn/w_in";
    }
    if (implied && std::fabs(*implied - policy.dt) > 1e-3 * policy.dt)
      graph.warnings.push_back(fmt::format(
          "node {}: {} imply a dt of {:.6g} (file's unit), but {:.6g} is used; "
          "give --dt if the network was trained with it",
          quoted(node.name), from, *implied, policy.dt));
    bool isIf = node.type == Type::IF || node.type == Type::I;
    if (isIf && policy.options.ifConvention == IfConvention::R && r[0] != 1 &&
        std::all_of(r.begin(), r.end(), [&](double value) {
          return std::fabs(value * policy.dt - 1) < 1e-3;
        }))
      graph.warnings.push_back(fmt::format(
          "node {}: r is 1/dt, so the file seems to mean v += dt r x; give "
          "--if-convention dt if so",
          quoted(node.name)));
  }
}

} // namespace neurite::nir
