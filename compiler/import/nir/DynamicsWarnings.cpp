// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What parameters say about the time step and conventions a file was made for.

#include "compiler/import/nir/Dynamics.h"
#include "compiler/import/nir/Writer.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::nir {

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
                         "overshoots; check --import dt and --import time-unit",
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

/// What the neurons say of dt together.
struct Implied {
  std::optional<double> dt; ///< the first that one says
  const Node *node = nullptr;
  const char *from = "";
  bool isCommon = true; ///< whether all that could say it say the same

  void add(const Node &node, const std::optional<double> &said,
           const char *from) {
    isCommon &= said && (!dt || std::fabs(*said - *dt) <= 1e-3 * *dt);
    if (said && !dt) {
      dt = said;
      this->node = &node;
      this->from = from;
    }
  }
};

/// Where all neurons imply one dt, another one gives wrong numbers: only
/// somebody who says so gets it.
static void refuseOtherStep(const Graph &graph, const Policy &policy,
                            const Implied &implied) {
  if (!implied.dt || !implied.isCommon || policy.options.dt ||
      !policy.options.preset.empty() ||
      policy.options.timeUnit == TimeUnit::Steps ||
      std::fabs(*implied.dt - policy.dt) <= 1e-3 * policy.dt)
    return;
  const double second =
      policy.options.timeUnit == TimeUnit::Milliseconds ? 1e-3 : 1;
  graph.refuse(*implied.node,
               "{}, as those of all neurons, imply a dt of {:.6g}, but {:.6g} "
               "({}) would be used; give --import dt={:.6g} if the network was "
               "trained with it, else --import dt={:.6g}",
               implied.from, *implied.dt, policy.dt, policy.dtSource,
               *implied.dt * second, policy.dt * second);
}

/// A tau that is so long beside dt is rather in another unit: a membrane that
/// keeps everything over any sample that people give.
static void warnOfUnits(Graph &graph, const Policy &policy) {
  constexpr double kLong = 5e3, kShort = 0.1;
  if (policy.options.timeUnit == TimeUnit::Steps)
    return;
  for (const Node &node : graph.nodes)
    for (const char *key : {"tau", "tau_syn", "tau_mem"}) {
      const hdf5::Node *data = isNeuron(node.type) ? node.field(key) : nullptr;
      // A tau that loses nothing at all is meant so: beta = 1 of a tool.
      std::vector<double> lossy;
      for (const double tau : data ? data->values : lossy)
        if (1 - policy.dt / tau != 1)
          lossy.push_back(tau);
      if (lossy.empty())
        continue;
      auto [least, most] = std::minmax_element(lossy.begin(), lossy.end());
      if (*least < kLong * policy.dt && *most > kShort * policy.dt)
        continue;
      graph.warnings.push_back(
          {"tau-unit", placeOf(node),
           fmt::format("{} is {:.6g} to {:.6g}, {:.3g} to {:.3g} steps of dt "
                       "{:.6g} (file's unit): one of them seems to be in "
                       "another unit; check --import time-unit and --import dt",
                       key, *least, *most, *least / policy.dt,
                       *most / policy.dt, policy.dt)});
    }
}

/// A file does not say how its tool resets.
static void warnOfReset(Graph &graph, const Policy &policy) {
  const NirOptions &options = policy.options;
  if (options.preset != "snntorch" ||
      (options.given.count("reset") &&
       (options.reset != Reset::Subtract || options.resetNext)) ||
      std::none_of(graph.nodes.begin(), graph.nodes.end(),
                   [](const Node &node) { return isNeuron(node.type); }))
    return;
  graph.warnings.push_back(
      {"preset-reset", "",
       fmt::format(
           "--import preset=snntorch {}, as snnTorch's import does, and no "
           "file "
           "records the reset_mechanism; snnTorch trains with 'subtract', one "
           "step later, unless told otherwise: give --import from=snntorch in "
           "place of the preset if the network was trained so, else --import "
           "reset=zero",
           options.reset == Reset::Subtract ? "resets in the spike's step"
                                            : "resets to zero")});
}

void warnOfOtherStep(Graph &graph, const Policy &policy) {
  // A tool's step is known, and r of its files may be no resistance; a file
  // that says its rule says its step, too.
  if ((!policy.options.tool.empty() && policy.options.tool != "nir") ||
      (graph.dt && !graph.said.empty()))
    return;
  warnOfOvershoot(graph, policy);
  warnOfUnits(graph, policy);
  warnOfReset(graph, policy);
  Implied together;
  for (const Node &node : graph.nodes) {
    std::optional<double> implied;
    const char *from = "";
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
    if (*from)
      together.add(node, implied, from);
    if (implied && std::fabs(*implied - policy.dt) > 1e-3 * policy.dt)
      graph.warnings.push_back(
          {"other-dt", placeOf(node),
           fmt::format(
               "{} imply a dt of {:.6g} (file's unit), but {:.6g} is "
               "used; give --import dt if the network was trained with it",
               from, *implied, policy.dt)});
    bool isIf = node.type == Type::IF || node.type == Type::I;
    bool ignored = isIf ? policy.options.ifConvention == IfConvention::Unit
                        : policy.options.ignoreR &&
                              (node.type == Type::LI || node.type == Type::LIF);
    if (ignored && std::any_of(r.begin(), r.end(),
                               [](double value) { return value != 1; }))
      graph.warnings.push_back({"ignored-r", placeOf(node),
                                std::string("its r is ignored, ") +
                                    (isIf ? "--import if-convention=unit"
                                          : "--import preset=norse")});
    if (isIf && policy.options.ifConvention == IfConvention::R && r[0] != 1 &&
        std::all_of(r.begin(), r.end(), [&](double value) {
          return std::fabs(value * policy.dt - 1) < 1e-3;
        }))
      graph.warnings.push_back(
          {"if-convention", placeOf(node),
           "r is 1/dt, so the file seems to mean v += dt r x; give "
           "--import if-convention=dt if so"});
  }
  refuseOtherStep(graph, policy, together);
}

/// Whether the key was said, for all nodes or for some.
static bool isSaid(const NirOptions &options, const std::string &setting) {
  const std::string key = setting.substr(0, setting.find('='));
  return std::any_of(options.said.begin(), options.said.end(),
                     [&](const auto &one) {
                       return one.first == key ||
                              one.first.substr(one.first.rfind(':') + 1) == key;
                     });
}

static void warnOfRule(Graph &graph, const std::string &text) {
  if (std::any_of(graph.nodes.begin(), graph.nodes.end(),
                  [](const Node &node) { return node.field("v_threshold"); }))
    graph.warnings.push_back({"assumed-rule", "", text});
}

static void warnOfGuess(Graph &graph, const NirOptions &options) {
  const ToolWords words = wordsOf(options.tool);
  if (!*words.open || isSaid(options, words.settles))
    return;
  warnOfRule(
      graph,
      fmt::format(
          "read as {} {} trains by default{}; a file does not hold {}; "
          "--import {} says that it is right",
          words.title, options.toolVersion,
          isSaid(options, "from") ? "" : " (by " + writerOf(graph).sign + ")",
          words.open, words.settles));
}

/// Exporters that trace leave out what they do not know.
static void warnOfSums(Graph &graph, const NirOptions &options) {
  if (wordsOf(options.tool).title[0] == 0 || isSaid(options, "from"))
    return;
  for (const Edge &edge : graph.edges) {
    const Node &from = graph.nodes[edge.from], &to = graph.nodes[edge.to];
    if (to.type == Type::Output && !to.wire &&
        (from.type == Type::Affine || from.type == Type::Linear))
      graph.warnings.push_back(
          {"weighted-sums", placeOf(to),
           fmt::format("the answer is no spike: the file ends with {} '{}'; "
                       "exporters leave out what they cannot trace, as the sum "
                       "of a skip connection and what is behind it; --import "
                       "from={} says that it is right",
                       typeName(from.type), printable(from.name, 64),
                       options.tool)});
  }
}

static void warnOfSeveral(Graph &graph, const NirOptions &options) {
  const Writer writer = writerOf(graph);
  if (writer.others.empty() || options.tool != writer.tool ||
      isSaid(options, "from"))
    return;
  const auto &[other, sign] = writer.others.front();
  warnOfRule(
      graph,
      fmt::format("the file has the signatures of {} ({}) and of {} ({}); it "
                  "is read as the first of them; give --import from={} or "
                  "from={}",
                  wordsOf(writer.tool).title, writer.sign, wordsOf(other).title,
                  sign, writer.tool, other));
}

void warnOfWriter(Graph &graph, const Policy &policy) {
  const NirOptions &options = policy.options;
  warnOfGuess(graph, options);
  warnOfSeveral(graph, options);
  warnOfSums(graph, options);
  if (!options.tool.empty() || !options.preset.empty())
    return;
  if (graph.producer && graph.producer->rfind("dendrolith", 0) == 0 &&
      !options.given.count("reset") && !options.given.count("v-reset"))
    warnOfRule(graph,
               "Dendrolith wrote it, and its rule is not in it (metadata "
               "'import'), which older versions and other tools leave out; it "
               "is read with a reset to v_reset; write it anew, or give its "
               "conventions; --import reset=value says that it is right");
  if (isSaid(options, "reset"))
    return;
  const Writer writer = writerOf(graph);
  if (writer.isShared)
    warnOfRule(
        graph,
        "Norse, which resets to 0, and Sinabs, which takes thresholds "
        "off and sends several spikes in a step, write the same file (" +
            writer.sign +
            "); it is read as the first of them; give --import "
            "from=norse, from=sinabs, or from=nir where it is neither's");
  else if (isOfDecays(graph))
    warnOfRule(graph,
               "r is tau over one step everywhere, as tools with decay factors "
               "have it, which often take the threshold off; it is read with a "
               "reset to v_reset; give --import reset=subtract, zero or none, "
               "or reset=value where it is right");
}

/// What no warning says, as it is usual.
static void keepUnsaid(const Graph &graph, const Policy &policy,
                       Collector &faults) {
  const NirOptions &options = policy.options;
  const auto spikes = [](const Node &node) {
    return isNeuron(node.type) && node.field("v_threshold");
  };
  const bool anySpike =
      std::any_of(graph.nodes.begin(), graph.nodes.end(), spikes);
  if (!options.tool.empty() && !isSaid(options, "from"))
    faults.keep(fmt::format(
        "{}: its tool is known by a signature alone ({}); give --import "
        "from={} if it is right, else from=nir",
        graph.file, writerOf(graph).sign, options.tool));
  if (anySpike && options.tool.empty() && options.preset.empty() &&
      !isSaid(options, "reset"))
    faults.keep(fmt::format(
        "{}: neither the file nor --import says whose rule its spikes follow, "
        "so that they would lead to v_reset in their step; give --import "
        "from=TOOL, or reset=value if it is right",
        graph.file));
  if (std::string(policy.dtSource) == "default" &&
      std::any_of(graph.nodes.begin(), graph.nodes.end(),
                  [](const Node &node) { return isStateful(node.type); }))
    faults.keep(fmt::format("{}: neither the file nor --import says dt, so "
                            "that it would be {:.6g}; give --import dt={:.6g} "
                            "if it is right",
                            graph.file, policy.dt, options.usualDt));
}

void refuseAssumptions(const Graph &graph, const Policy &policy) {
  // What is odd in a file, and no choice between several networks.
  static const std::set<std::string> plain = {"unused-attributes", "loose-end",
                                              "no-input"};
  if (!policy.options.isStrict)
    return;
  Collector faults;
  const bool hasStep = isSaid(policy.options, "dt");
  for (const Warning &warning : graph.warnings)
    if (!plain.count(warning.code) && !(hasStep && warning.code == "other-dt"))
      faults.keep(fmt::format("{}: {}{}{}", graph.file, warning.where,
                              warning.where.empty() ? "" : ": ", warning.text));
  keepUnsaid(graph, policy, faults);
  faults.raise();
}

} // namespace dendrolith::nir
