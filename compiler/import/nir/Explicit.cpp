// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/Explicit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace dendrolith::nir {
namespace {

using Content = hdf5::Node::Content;

void put(hdf5::Node &group, const std::string &name, hdf5::Node node) {
  auto at =
      std::lower_bound(group.members.begin(), group.members.end(), name,
                       [](const hdf5::Member &member, const std::string &key) {
                         return member.name < key;
                       });
  if (at != group.members.end() && at->name == name)
    at->node = std::move(node);
  else
    group.members.insert(at, {name, std::move(node)});
}

hdf5::Node text(const std::string &value) {
  hdf5::Node node;
  node.kind = Content::Strings;
  node.strings = {value};
  return node;
}

/// Numbers of four bytes where that is all that there is to them.
hdf5::Node numbers(std::vector<double> values, Shape shape) {
  hdf5::Node node;
  node.kind = Content::Numbers;
  node.bytes =
      std::all_of(values.begin(), values.end(),
                  [](double value) { return double(float(value)) == value; })
          ? 4
          : 8;
  node.values = std::move(values);
  node.shape = std::move(shape);
  return node;
}

hdf5::Node integers(const Shape &values, Shape shape) {
  hdf5::Node node = numbers({values.begin(), values.end()}, std::move(shape));
  node.number = hdf5::NumberClass::Signed;
  node.bytes = 8;
  return node;
}

/// A step of one neuron, and the terms of the equation that it comes from.
struct StepNumbers {
  double keep, gain, offset;
};
struct Terms {
  double tau, factor, leak;
};

double nudged(double value, int steps) {
  for (; steps > 0; --steps)
    value = std::nextafter(value, INFINITY);
  for (; steps < 0; ++steps)
    value = std::nextafter(value, -INFINITY);
  return value;
}

/// 0, 1, -1, 2, -2, ...
int sideways(int i) { return i % 2 ? (i + 1) / 2 : -i / 2; }

/// The number whose product with the share is what is wanted, to the bit: the
/// file's own if it is one.
std::optional<double> factorOf(double share, double wanted, double own) {
  if (share * own == wanted)
    return own;
  for (int i = 0; i < 9; ++i)
    if (double found = nudged(wanted / share, sideways(i));
        share * found == wanted)
      return found;
  return std::nullopt;
}

/// The equation of which a step gives the constants to the bit, near the one in
/// the file. Nothing is lost where tau is 2^60 steps.
Terms termsOf(const StepNumbers &wanted, const Terms &own, double dt,
              Integrator integrator, bool isCurrent) {
  const auto keepOf = [&](double tau) {
    return sharesOf(dt / tau, integrator, isCurrent).keep;
  };
  const bool isEuler = keepOf(dt) == 0;
  double start = own.tau;
  if (!(std::isfinite(start) && start > 0 && keepOf(start) == wanted.keep))
    start = wanted.keep == 1   ? std::ldexp(dt, 60)
            : isEuler          ? dt / (1 - wanted.keep)
            : wanted.keep == 0 ? dt * 1e-3
                               : -dt / std::log(wanted.keep);
  for (int i = 0; i < 64; ++i) {
    const double tau = nudged(start, sideways(i));
    const Shares shares = sharesOf(dt / tau, integrator, isCurrent);
    if (shares.keep != wanted.keep)
      continue;
    const auto factor = factorOf(shares.drive, wanted.gain, own.factor),
               leak = factorOf(shares.leak, wanted.offset, own.leak);
    if (factor && leak)
      return {tau, *factor, *leak};
  }
  const Shares shares = sharesOf(dt / start, integrator, isCurrent);
  return {start, wanted.gain / shares.drive, wanted.offset / shares.leak};
}

/// The rule that a file says itself (NirReader::readSaid), or none.
void putSaid(hdf5::Node &metadata, const Settings &settings) {
  std::string all;
  for (const auto &[key, value] : settings)
    all += (all.empty() ? "" : ",") + key + "=" + value;
  metadata.members.erase(std::remove_if(metadata.members.begin(),
                                        metadata.members.end(),
                                        [](const hdf5::Member &member) {
                                          return member.name == "import";
                                        }),
                         metadata.members.end());
  if (!all.empty())
    put(metadata, "import", text(all));
}

double at(const Parameter &values, size_t i) {
  return values.size() == 1 ? values[0] : values[i];
}

std::vector<double> spread(const std::optional<Parameter> &values,
                           double absent, size_t count) {
  std::vector<double> all(count, absent);
  for (size_t i = 0; values && i < count; ++i)
    all[i] = at(*values, i);
  return all;
}

class Explicit {
public:
  Explicit(const Graph &graph, const Policy &policy)
      : graph(graph), policy(policy) {
    for (const Node &node : graph.nodes) {
      byName[node.name] = &node;
      if (isNeuron(node.type))
        settings[&node] = settingsOf(node);
    }
    settleCommon();
  }
  hdf5::Node run();

private:
  hdf5::Node group(const hdf5::Node &in, const std::string &prefix);
  void edges(hdf5::Node &in, const std::string &prefix);
  void node(const Node &node, hdf5::Node &out) const;
  void neuron(const Node &node, hdf5::Node &out) const;
  void compartment(const Node &node, const Compartment &part, bool isCurrent,
                   hdf5::Node &out) const;
  std::map<std::string, std::string> settingsOf(const Node &node) const;
  void settleCommon();
  Settings ofGraph() const;

  const Graph &graph;
  const Policy &policy;
  size_t edge = 0; ///< the next one, in the order in which they were read
  std::map<std::string, const Node *> byName;
  std::map<const Node *, std::map<std::string, std::string>> settings;
  std::map<std::string, std::string> common; ///< to all neurons
};

std::string worthOf(const NirOptions &options) {
  return options.diracSpikes       ? "dirac"
         : options.spikeValue == 1 ? "unit"
                                   : fmt::format("{}", options.spikeValue);
}

/// What a step of the neuron does, each key with its value; "" is none.
std::map<std::string, std::string>
Explicit::settingsOf(const Node &node) const {
  const NirOptions &options = policy.of(node);
  static const char *integrators[] = {"euler", "exact", "expdecay", "mixed"};
  std::map<std::string, std::string> all = {
      {"integrator", integrators[size_t(options.integrator)]}};
  const Dynamics dynamics = discretise(graph, node, policy);
  if (dynamics.current)
    all["current-order"] = options.oldCurrent ? "old" : "new";
  if (!dynamics.resets)
    return all;
  all["reset"] = options.reset == Reset::Subtract ? "subtract"
                 : options.reset == Reset::None   ? "none"
                                                  : "value";
  all["reset-when"] = dynamics.resetWhen == ResetWhen::Same    ? "same"
                      : dynamics.resetWhen == ResetWhen::Again ? "again"
                                                               : "next";
  all["threshold"] = options.inclusive ? "ge" : "gt";
  all["spikes-per-step"] = options.manySpikes ? "many" : "one";
  all["v-min"] = dynamics.least ? fmt::format("{}", *options.vMin) : "";
  all["spike-value"] = worthOf(options);
  return all;
}

/// What the first neuron does holds for the graph; but a least potential, which
/// nothing takes back, only where all neurons that spike have it.
void Explicit::settleCommon() {
  common["spike-value"] = worthOf(policy.options); // of Thresholds, too
  std::set<std::string> least;
  for (const Node &node : graph.nodes)
    if (auto it = settings.find(&node); it != settings.end())
      for (const auto &[key, value] : it->second) {
        if (key == "v-min")
          least.insert(value);
        common.emplace(key, value);
      }
  if (least.size() != 1)
    common.erase("v-min");
}

/// The settings of the whole graph: the reset and the comparison whatever they
/// are, others where they are not the usual ones.
Settings Explicit::ofGraph() const {
  static const std::map<std::string, std::string> usual = {
      {"integrator", "euler"},
      {"current-order", "new"},
      {"spikes-per-step", "one"},
      {"spike-value", "unit"}};
  const NirOptions &options = policy.options;
  Settings all;
  for (const auto &[key, value] : common)
    if (auto it = usual.find(key);
        !value.empty() && (it == usual.end() || it->second != value))
      all.emplace_back(key, value);
  if (options.timeUnit != TimeUnit::Seconds)
    all.emplace_back("time-unit",
                     options.timeUnit == TimeUnit::Steps ? "steps" : "ms");
  if (options.emitNext)
    all.emplace_back("spike-when", "next");
  if (options.loopDelay != 1)
    all.emplace_back("loop-delay", fmt::format("{}", options.loopDelay));
  if (options.silentLoops)
    all.emplace_back("loop-start", "skip");
  return all;
}

void Explicit::compartment(const Node &node, const Compartment &part,
                           bool isCurrent, hdf5::Node &out) const {
  const bool isCuba = node.type == Type::CubaLI || node.type == Type::CubaLIF;
  const char *time = isCurrent ? "tau_syn"
                     : isCuba  ? "tau_mem"
                               : "tau",
             *gain = isCurrent ? "w_in" : "r";
  const size_t count = product(node.out);
  const Integrator integrator = policy.of(node).integrator;
  const std::vector<double> gains = spread(part.gain, 1, count),
                            offsets = spread(part.offset, 0, count);
  std::vector<double> tau = perNeuron(node, time, 10 * policy.dt),
                      factor = perNeuron(node, gain, 1),
                      leak = isCurrent ? std::vector<double>(count, 0.0)
                                       : perNeuron(node, "v_leak", 0);
  for (size_t i = 0; i < count; ++i) {
    const Terms terms =
        termsOf({at(part.keep, i), gains[i], offsets[i]},
                {tau[i], factor[i], leak[i]}, policy.dt, integrator, isCurrent);
    tau[i] = terms.tau;
    factor[i] = terms.factor;
    leak[i] = terms.leak;
  }
  put(out, time, numbers(std::move(tau), node.out));
  put(out, gain, numbers(std::move(factor), node.out));
  if (!isCurrent)
    put(out, "v_leak", numbers(std::move(leak), node.out));
}

void Explicit::neuron(const Node &node, hdf5::Node &out) const {
  const Dynamics dynamics = discretise(graph, node, policy);
  const Compartment &potential = *dynamics.potential;
  const size_t count = product(node.out);
  if (dynamics.resetWhen == ResetWhen::Both ||
      (dynamics.current &&
       (dynamics.current->offset || dynamics.current->start)))
    graph.refuse(node,
                 "--import preset={} {}, which NIR cannot say; export it as it "
                 "was trained, without the preset",
                 policy.options.preset,
                 dynamics.resetWhen == ResetWhen::Both
                     ? "takes its threshold off twice"
                     : "lets v_leak drive its current");
  if (dynamics.current)
    compartment(node, *dynamics.current, true, out);
  const bool integrates = node.type == Type::I || node.type == Type::IF;
  if (integrates && at(potential.keep, 0) == 1) {
    put(out, "r", numbers(spread(potential.gain, 1, count), node.out));
  } else {
    if (integrates)
      put(out, "type", text(node.type == Type::IF ? "LIF" : "LI"));
    compartment(node, potential, false, out);
  }
  if (dynamics.threshold) {
    put(out, "v_threshold",
        numbers(spread(dynamics.threshold, 0, count), node.out));
    put(out, "v_reset", numbers(spread(dynamics.resetTo, 0, count), node.out));
  }
  hdf5::Node metadata;
  if (const hdf5::Node *own = node.field("metadata"))
    metadata = *own;
  if (potential.start)
    put(metadata, "v_init",
        numbers(spread(potential.start, 0, count), node.out));
  Settings own;
  for (const auto &[key, value] : settings.at(&node))
    if (auto it = common.find(key);
        !value.empty() && (it == common.end() || it->second != value))
      own.emplace_back(key, value);
  putSaid(metadata, own);
  if (!metadata.members.empty())
    put(out, "metadata", std::move(metadata));
}

/// Shapes are those of one sample, which readers of other tools ask for.
void Explicit::node(const Node &node, hdf5::Node &out) const {
  if (isNeuron(node.type))
    return neuron(node, out);
  if (node.type == Type::Input)
    put(out, "shape", integers(node.out, {node.out.size()}));
  if (node.type == Type::Output)
    put(out, "shape", integers(node.in, {node.in.size()}));
  if (node.type == Type::Flatten)
    put(out, "input_type", integers(node.in, {node.in.size()}));
  if (node.type == Type::Conv2d && node.in.size() == 3)
    put(out, "input_shape", integers({node.in[1], node.in[2]}, {2}));
  if (node.type == Type::Conv1d && node.in.size() == 2)
    put(out, "input_shape", integers({node.in[1]}, {}));
  for (const char *key : {"threshold", "delay"})
    if (node.field(key))
      put(out, key, numbers(perNeuron(node, key, 0), node.out));
}

/// An edge of a nested graph may have been led elsewhere (enterNeurons).
void Explicit::edges(hdf5::Node &in, const std::string &prefix) {
  for (size_t e = 0; e + 1 < in.strings.size(); e += 2, ++edge) {
    const std::string &to = graph.nodes[graph.edges[edge].to].name;
    if (policy.options.entersNeuron && graph.nodes[graph.edges[edge].from].wire)
      in.strings[e + 1] = to.substr(prefix.size());
  }
}

hdf5::Node Explicit::group(const hdf5::Node &in, const std::string &prefix) {
  hdf5::Node out = in;
  hdf5::Node nodes;
  for (const hdf5::Member &member : in.find("nodes")->members) {
    const std::string name = prefix + member.name;
    auto found = byName.find(name);
    hdf5::Node below =
        found == byName.end() ? group(member.node, name + ".") : member.node;
    if (found != byName.end())
      node(*found->second, below);
    put(nodes, member.name, std::move(below));
  }
  put(out, "nodes", std::move(nodes));
  hdf5::Node pairs = *in.find("edges");
  edges(pairs, prefix);
  put(out, "edges", std::move(pairs));
  if (const hdf5::Node *own = in.find("metadata")) {
    hdf5::Node metadata = *own;
    putSaid(metadata, {});
    put(out, "metadata", std::move(metadata));
  }
  return out;
}

hdf5::Node Explicit::run() {
  hdf5::Node root = group(*graph.tree.find("node"), "");
  hdf5::Node metadata;
  if (const hdf5::Node *own = root.find("metadata"))
    metadata = *own;
  put(metadata, "producer", text("dendrolith " DENDROLITH_VERSION));
  const double unit =
      policy.options.timeUnit == TimeUnit::Milliseconds ? 1e3 : 1;
  if (policy.options.timeUnit != TimeUnit::Steps)
    put(metadata, "dt",
        numbers({factorOf(unit, policy.dt, policy.dt / unit).value_or(0)}, {}));
  putSaid(metadata, ofGraph());
  for (const auto &[key, value] : describe(graph, policy))
    if (key == "read as")
      put(metadata, "read_as", text(value));
  put(root, "metadata", std::move(metadata));
  hdf5::Node tree;
  put(tree, "node", std::move(root));
  put(tree, "version", text("1.0"));
  return tree;
}

} // namespace

hdf5::Node explicitTree(const Graph &graph, const Policy &policy) {
  return Explicit(graph, policy).run();
}

} // namespace dendrolith::nir
