// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/Writer.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace dendrolith::nir {
namespace {

bool isNear(double value, double expected) {
  return std::fabs(value - expected) <= 1e-5 * std::fabs(expected);
}

/// The neurons of a graph, and what is true of them.
class Signs {
public:
  explicit Signs(const Graph &graph) : graph(graph) {
    for (const Node &node : graph.nodes)
      if (isNeuron(node.type))
        neurons.push_back(&node);
  }

  bool empty() const { return neurons.empty(); }

  bool areOf(std::initializer_list<Type> types) const {
    return holds([&](const Node &node) {
      return std::find(types.begin(), types.end(), node.type) != types.end();
    });
  }
  bool has(Type type) const {
    return std::any_of(neurons.begin(), neurons.end(),
                       [&](const Node *node) { return node->type == type; });
  }
  bool holds(const std::function<bool(const Node &)> &what) const {
    return std::all_of(neurons.begin(), neurons.end(),
                       [&](const Node *node) { return what(*node); });
  }

  /// Whether a parameter is one number wherever a node has it.
  bool all(const char *key, double expected) const {
    return holds([&](const Node &node) {
      const hdf5::Node *data = node.field(key);
      return !data || std::all_of(data->values.begin(), data->values.end(),
                                  [&](double v) { return v == expected; });
    });
  }
  /// Whether neurons that spike reset to zeros that the file has.
  bool resetToZero() const {
    return all("v_reset", 0) && holds([](const Node &node) {
             return !node.field("v_threshold") || node.field("v_reset");
           });
  }
  /// What all time constants lie between.
  std::pair<double, double> taus() const {
    double least = INFINITY, most = 0;
    for (const Node *node : neurons)
      for (const char *key : {"tau", "tau_mem", "tau_syn"})
        if (const hdf5::Node *data = node->field(key))
          for (const double tau : data->values) {
            least = std::min(least, tau);
            most = std::max(most, tau);
          }
    return {least, most};
  }
  /// The one step that a function finds for (tau, gain) of every neuron; `none`
  /// where nothing says any.
  std::optional<double>
  step(const std::function<std::optional<double>(double, double)> &of,
       bool currentsToo, std::optional<double> none = std::nullopt) const {
    std::optional<double> found;
    for (const Node *node : neurons)
      for (const auto &[tau, gain] : pairs(*node, currentsToo)) {
        const std::optional<double> dt = of(tau, gain);
        if (dt && std::isnan(*dt))
          continue; // this neuron leaves it open
        if (!dt || !(*dt > 0) || (found && !isNear(*dt, *found)))
          return std::nullopt;
        found = dt;
      }
    return found ? found : none;
  }

  /// Whether the Input nodes are named as extract_nir_graph of nirtorch does.
  bool isExtracted() const {
    return std::all_of(
        graph.nodes.begin(), graph.nodes.end(), [](const Node &node) {
          return node.type != Type::Input || node.wire || node.name == "input";
        });
  }
  bool hasBatchAxes() const {
    return std::any_of(
        graph.nodes.begin(), graph.nodes.end(), [](const Node &node) {
          return node.type == Type::Output && !node.wire &&
                 node.field("shape")->values.size() > node.in.size();
        });
  }
  bool areNamed(const char *stem) const {
    return holds([&](const Node &node) {
      const std::string &name = node.name;
      const size_t length = std::string(stem).size();
      return name.compare(0, length, stem) == 0 && name.size() > length &&
             std::isdigit(static_cast<unsigned char>(name[length]));
    });
  }

private:
  static std::vector<std::pair<double, double>> pairs(const Node &node,
                                                      bool currentsToo) {
    std::vector<std::pair<double, double>> all;
    auto add = [&](const char *tau, const char *gain) {
      const std::vector<double> a = perNeuron(node, tau, 1),
                                b = perNeuron(node, gain, 1);
      if (node.field(tau))
        for (size_t i = 0; i < a.size(); ++i)
          all.emplace_back(a[i], b[i]);
    };
    add("tau", "r");
    add("tau_mem", "r");
    if (currentsToo)
      add("tau_syn", "w_in");
    return all;
  }

  const Graph &graph;
  std::vector<const Node *> neurons;
};

/// tau / r, which decay factors of 1 and beyond leave open.
std::optional<double> ratio(double tau, double r) {
  return std::isinf(tau) && std::isinf(r) ? 1e-4 : tau / r;
}

/// r = beta with tau = dt / (1 - beta). A beta of 1 and an LI leave it open.
std::optional<double> ofBeta(double tau, double r) {
  return r == 1 ? NAN : tau * (1 - r);
}

/// r = tau / dt exp(-dt / tau).
std::optional<double> ofDecay(double tau, double r) {
  if (!(r > 1) || !(tau > 0))
    return std::nullopt;
  double share = 1 / r;
  for (int i = 0; i < 60; ++i)
    share -= (share - std::exp(-share) / r) / (1 + std::exp(-share) / r);
  return tau * share;
}

bool isSnnTorch(const Signs &signs) {
  const auto dt = signs.step(ratio, true);
  return signs.isExtracted() && signs.areOf({Type::LIF, Type::CubaLIF}) &&
         signs.all("v_leak", 0) && signs.resetToZero() && dt &&
         isNear(*dt, 1e-4);
}

bool isPlain(const Signs &signs) {
  return signs.isExtracted() && !signs.areNamed("layer_") &&
         signs.all("r", 1) && signs.all("w_in", 1) && signs.resetToZero();
}

bool isNorse(const Signs &signs) {
  const auto [least, most] = signs.taus();
  return isPlain(signs) &&
         signs.areOf({Type::LIF, Type::CubaLIF, Type::LI, Type::IF}) &&
         least >= 9e-7 && least < 1e-4 && most < 1e-3;
}

bool isSinabs(const Signs &signs) {
  const auto [least, most] = signs.taus();
  return isPlain(signs) && signs.areOf({Type::LIF, Type::LI, Type::IF}) &&
         signs.all("v_leak", 0) && std::isfinite(most) && most > 0 &&
         least >= 1;
}

/// Its LI, a PSU_LIF, has r of 1; another neuron has it where beta is 1.
bool isSpyx(const Signs &signs) {
  return signs.areNamed("layer_") && signs.all("w_in", 1) &&
         signs.all("v_leak", 0) && signs.resetToZero() &&
         signs.areOf({Type::LIF, Type::CubaLIF, Type::IF, Type::LI}) &&
         signs.holds([](const Node &node) {
           const char *time = node.type == Type::CubaLIF ? "tau_mem" : "tau";
           const std::vector<double> tau = perNeuron(node, time, INFINITY),
                                     r = perNeuron(node, "r", 1);
           for (size_t i = 0; i < r.size(); ++i)
             if ((r[i] == 1) != (node.type == Type::LI || std::isinf(tau[i])))
               return false;
           return true;
         }) &&
         signs.step(ofBeta, false, 1);
}

bool isRockpool(const Signs &signs) {
  return signs.isExtracted() && signs.hasBatchAxes() &&
         signs.areOf({Type::LIF, Type::CubaLIF}) && signs.all("w_in", 1) &&
         signs.all("v_leak", 0) && signs.resetToZero() &&
         signs.step(ofDecay, false);
}

/// The step that a SpikingJelly neuron implies; of one that says none, 1e-4.
std::optional<double> jellyStep(const Signs &signs) {
  std::optional<double> found;
  const bool agree = signs.holds([&](const Node &node) {
    std::optional<double> dt;
    const double r = perNeuron(node, "r", 1)[0];
    if (node.type == Type::IF)
      dt = 1 / r;
    else if (node.type == Type::CubaLIF)
      dt = perNeuron(node, "tau_mem", 1)[0] / r;
    else if (r != 1)
      dt = perNeuron(node, "tau", 1)[0] / r;
    const bool fits = !dt || !found || isNear(*dt, *found);
    if (dt)
      found = dt;
    return fits;
  });
  return agree ? std::optional<double>(found.value_or(1e-4)) : std::nullopt;
}

/// Its exporter traces with torch.fx, which has no node "input", and fills each
/// parameter of a node with one number.
bool isSpikingJelly(const Signs &signs) {
  return !signs.isExtracted() &&
         signs.areOf({Type::LIF, Type::CubaLIF, Type::IF}) &&
         signs.holds([](const Node &node) {
           for (const char *key :
                {"tau", "tau_mem", "tau_syn", "r", "w_in", "v_leak", "v_reset"})
             if (const hdf5::Node *data = node.field(key))
               if (collapse(data->values).size() != 1)
                 return false;
           const hdf5::Node *leak = node.field("v_leak"),
                            *reset = node.field("v_reset");
           return reset && (node.type != Type::LIF ||
                            leak->values[0] == reset->values[0]);
         }) &&
         jellyStep(signs);
}

} // namespace

namespace {
struct Signature {
  const char *tool, *sign;
  bool (*fits)(const Signs &);
};
} // namespace

static const Signature kSignatures[] = {
    {"spyx", "layers layer_0, layer_1, ... with r of beta", isSpyx},
    {"snntorch", "v_reset of zeros and tau/r of 1e-4", isSnnTorch},
    {"rockpool", "batch axes and r of tau/dt exp(-dt/tau)", isRockpool},
    {"norse", "r of 1 and tau below 1e-4: dt over the inverse of tau", isNorse},
    {"sinabs", "r of 1 and tau in steps", isSinabs},
    {"spikingjelly", "a graph of torch.fx, one number in a node",
     isSpikingJelly}};

Writer writerOf(const Graph &graph) {
  const Signs signs(graph);
  if (signs.empty() || graph.dt || graph.producer)
    return {};
  Writer writer;
  for (const Signature &one : kSignatures) {
    if (!one.fits(signs))
      continue;
    if (writer.tool.empty())
      writer = {one.tool, one.sign};
    else
      writer.others.emplace_back(one.tool, one.sign);
  }
  if (writer.tool.empty() && isPlain(signs) && signs.areOf({Type::IF}))
    return {"", "IF nodes with r of 1 and v_reset of zeros", true};
  return writer;
}

bool isOfDecays(const Graph &graph) {
  const Signs signs(graph);
  return !graph.dt && !graph.producer &&
         signs.areOf({Type::LIF, Type::CubaLIF, Type::LI, Type::CubaLI}) &&
         signs.all("v_leak", 0) && signs.resetToZero() &&
         signs.step(
             [](double tau, double r) {
               return r == 1 ? std::nullopt : ratio(tau, r);
             },
             true);
}

/// Enters what the file says itself. What is given for all nodes holds for
/// those, too, of which the file says something else.
static void setSaid(NirOptions &options, const Graph &graph,
                    const NirOptions &given) {
  for (const auto &[node, key, value] : graph.said)
    if (!given.given.count(key) &&
        !(key == "reset" && given.given.count("v-reset")))
      try {
        setOption(options, node.empty() ? key : node + ":" + key, value);
      } catch (const Error &error) {
        throw Error(
            fmt::format("{}: metadata 'import': {}", graph.file, error.what()));
      }
}

NirOptions optionsFor(const Graph &graph, const NirOptions &given) {
  if (!given.preset.empty() || !given.tool.empty())
    return given;
  const Writer writer = writerOf(graph);
  if (writer.tool.empty() && graph.said.empty())
    return given;
  NirOptions options;
  if (!graph.said.empty())
    setSaid(options, graph, given);
  else
    setTool(options, writer.tool);
  options.isOfFile = !graph.said.empty() && given.said.empty();
  options.limits = given.limits;
  for (const auto &[name, value] : given.said)
    setOption(options, name, value);
  return options;
}

std::optional<double> stepOfTool(const Graph &graph, const std::string &tool) {
  const Signs signs(graph);
  if (tool == "snntorch")
    return 1e-4;
  if (tool == "spikingjelly")
    return jellyStep(signs).value_or(1e-4);
  if (tool == "spyx")
    return signs.step(ofBeta, false, 1).value_or(1);
  if (tool == "rockpool")
    return signs.step(ofDecay, false).value_or(1e-3);
  if (tool == "norse") // 1.1 writes dt / tau_mem_inv, so tau times 1e-3
    return signs.taus().first < 1e-3 ? 1e-6 : 1e-3;
  return std::nullopt;
}

} // namespace dendrolith::nir
