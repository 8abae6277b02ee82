// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What parameters say about the time step and conventions a file was made for.

#include "compiler/import/nir/Dynamics.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>

namespace neurite::nir {

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
        graph.warnings.push_back(
            {"tau-below-dt", placeOf(node),
             fmt::format("{} {} is shorter than dt {} (file's unit): Euler "
                         "overshoots; check --dt and --time-unit",
                         key, least, policy.dt)});
    }
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
      graph.warnings.push_back(
          {"other-dt", placeOf(node),
           fmt::format("{} imply a dt of {:.6g} (file's unit), but {:.6g} is "
                       "used; give --dt if the network was trained with it",
                       from, *implied, policy.dt)});
    bool isIf = node.type == Type::IF || node.type == Type::I;
    bool ignored = isIf ? policy.options.ifConvention == IfConvention::Unit
                        : policy.options.ignoreR &&
                              (node.type == Type::LI || node.type == Type::LIF);
    if (ignored && std::any_of(r.begin(), r.end(),
                               [](double value) { return value != 1; }))
      graph.warnings.push_back(
          {"ignored-r", placeOf(node),
           std::string("its r is ignored, ") +
               (isIf ? "--if-convention unit" : "--preset norse")});
    if (isIf && policy.options.ifConvention == IfConvention::R && r[0] != 1 &&
        std::all_of(r.begin(), r.end(), [&](double value) {
          return std::fabs(value * policy.dt - 1) < 1e-3;
        }))
      graph.warnings.push_back(
          {"if-convention", placeOf(node),
           "r is 1/dt, so the file seems to mean v += dt r x; give "
           "--if-convention dt if so"});
  }
}

} // namespace neurite::nir
