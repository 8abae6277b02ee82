// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/lava/Plan.h"

#include "compiler/import/lava/Synapse.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace dendrolith::lava {

namespace {

constexpr double kWord = 0x1p31, kConv = 0x1p23;

class Planner {
public:
  explicit Planner(const Graph &graph) : graph(graph) {
    plan.firedNodes.resize(graph.nodes.size());
    plan.firedInputs.resize(size_t(graph.model->inputs_size()));
  }

  Plan make() {
    for (target = 0; target < graph.nodes.size(); ++target) {
      const GraphNode &node = graph.nodes[target];
      plan.ports.emplace_back(node.neuron ? node.arrivals.size() : 0);
      for (input = 0; node.neuron && input < node.arrivals.size(); ++input) {
        bounds.assign(node.count, 0);
        for (const Arrival &arrival : node.arrivals[input])
          arrive(arrival);
        port().bound = *std::max_element(bounds.begin(), bounds.end());
      }
    }
    return std::move(plan);
  }

private:
  PortPlan &port() { return plan.ports[target][input]; }

  /// The largest |message| that an input or a neuron sends.
  double largest(const Arrival &source) const {
    if (source.from == Arrival::From::Input) {
      const Input &input = graph.model->inputs(int(source.index));
      return std::max(-double(input.lowest()), double(input.highest()));
    }
    const NeuronClass &neuron = *graph.nodes[source.index].neuron;
    return neuron.binary || className(neuron.lavaClass) == "TernaryLIF" ? 1
                                                                        : kWord;
  }

  bool isBinary(const Arrival &source) const {
    if (source.from == Arrival::From::Neuron)
      return graph.nodes[source.index].neuron->binary;
    const Input &input = graph.model->inputs(int(source.index));
    return input.lowest() >= 0 && input.highest() <= 1;
  }

  Projection projection(const Arrival &source, Projection::Pattern kind) const {
    Projection out;
    out.pattern = kind;
    out.from = source.from;
    out.source = source.index;
    out.target = target;
    out.input = input;
    return out;
  }

  void arrive(const Arrival &arrival) {
    if (arrival.from == Arrival::From::Synapse)
      return throughSynapse(arrival);
    Projection out = projection(arrival, Projection::Pattern::Diagonal);
    if (!arrival.map.empty()) {
      out.pattern = Projection::Pattern::Sparse;
      SynapseEntries entries;
      for (size_t i = 0; i < arrival.map.size(); ++i)
        entries.push_back({uint32_t(i), arrival.map[i], 1});
      out.weights = takeSorted(entries, out.indices);
    }
    for (double &bound : bounds)
      bound += largest(arrival);
    port().common = true;
    plan.projections.push_back(std::move(out));
  }

  void throughSynapse(const Arrival &arrival) {
    const GraphNode &node = graph.nodes[arrival.index];
    const std::vector<Arrival> &sources = node.arrivals[0];
    const Synapse &synapse = node.synapse;
    if (synapse.binary && sources.size() > 1)
      throw Error(fmt::format(
          "{}: process '{}' has {} senders and num_message_bits = 0: whether "
          "their sum is 0 is no sum of synapses; give each a process of its "
          "own",
          graph.place, node.process->name(), sources.size()));
    double message = 0;
    for (const Arrival &source : sources)
      message += synapse.binary ? 1 : largest(source);
    for (DelayGroup &group : delayGroupsOf(synapse)) {
      Scale scale = scaleOf(synapse, group, message, arrival);
      if (group.isZero())
        continue;
      for (const Arrival &source : sources)
        project(synapse, group, scale, source, arrival);
    }
  }

  /// How mantissas, and a shift at some place, make the group's sum.
  struct Scale {
    unsigned zeros = 0; ///< low bits that mantissas drop
    int64_t shift = 0;
    int own = -1;
  };

  Scale scaleOf(const Synapse &synapse, const DelayGroup &group, double message,
                const Arrival &arrival) {
    Scale scale;
    if (group.isZero())
      return scale;
    std::vector<double> sums = group.rowSums(synapse);
    double most = 0;
    for (double &sum : sums)
      most = std::max(most, sum *= message);
    const int zeros = int(group.trailingZeros());
    auto ownTerm = [&](unsigned width, int right) {
      scale.own = int(port().own.size());
      port().own.push_back({width, unsigned(right)});
      double largest = std::ldexp(1.0, int(width) - 1);
      for (double &bound : bounds)
        bound += std::ldexp(std::min(most, largest), synapse.exponent);
    };
    int power = zeros + synapse.exponent;
    bool fits = most < kWord; // then no wrap comes before the shift
    if (synapse.window && most >= kWord)
      plan.warnings.push_back(
          {"large-sums",
           fmt::format("process '{}'",
                       graph.nodes[arrival.index].process->name()),
           fmt::format("its sums may reach {:.3g}; where one reaches 2^31, "
                       "Lava's conversion from double gives 0 on x86, and here "
                       "it wraps in 24 bits",
                       most)});
    if (synapse.window && most >= kConv) {
      ownTerm(24, 0);
      scale.zeros = unsigned(zeros);
      scale.shift = zeros;
    } else if (synapse.exponent >= 0 || (power >= 0 && fits)) {
      scale.zeros = unsigned(zeros);
      scale.shift = power;
      port().common = true;
      double factor = std::ldexp(1.0, synapse.exponent);
      for (size_t i = 0; i < bounds.size(); ++i)
        bounds[i] +=
            factor * sums[group.rowOf(
                         synapse, arrival.map.empty() ? i : arrival.map[i])];
    } else if (fits) {
      scale.zeros = unsigned(zeros);
      ownTerm(32, -power);
    } else {
      ownTerm(32, -synapse.exponent);
    }
    return scale;
  }

  void project(const Synapse &synapse, const DelayGroup &group,
               const Scale &scale, const Arrival &source,
               const Arrival &arrival) {
    bool asIs = source.map.empty() && arrival.map.empty();
    Projection out = projection(source, Projection::Pattern::Sparse);
    if (synapse.window && asIs) {
      out.pattern = Projection::Pattern::Conv;
      out.window = &*synapse.window;
      for (int64_t weight : synapse.weights.integers)
        out.weights.push_back(mantissa(weight, scale.zeros, arrival));
    } else if (group.isWhole() && !synapse.window &&
               !synapse.weights.isSparse) {
      out.pattern = Projection::Pattern::Dense;
      out.weights = dense(synapse, scale, source, arrival);
    } else {
      SynapseEntries entries = group.entries(synapse);
      std::vector<uint32_t> place(arrival.map.size());
      for (size_t i = 0; i < place.size(); ++i)
        place[arrival.map[i]] = uint32_t(i);
      for (SynapseEntry &entry : entries) {
        entry.weight = mantissa(entry.weight, scale.zeros, arrival);
        if (!place.empty())
          entry.target = place[entry.target];
        if (!source.map.empty())
          entry.source = source.map[entry.source];
      }
      out.weights = takeSorted(entries, out.indices);
    }
    out.delay = 1 + group.delay;
    out.shift = scale.shift;
    out.own = scale.own;
    if (synapse.binary && !isBinary(source)) {
      out.fired = true;
      (source.from == Arrival::From::Input ? plan.firedInputs
                                           : plan.firedNodes)[source.index] =
          true;
    }
    plan.projections.push_back(std::move(out));
  }

  std::vector<int16_t> dense(const Synapse &synapse, const Scale &scale,
                             const Arrival &source,
                             const Arrival &arrival) const {
    size_t rows = synapse.weights.dims[0], columns = synapse.weights.dims[1];
    std::vector<int16_t> all(rows * columns);
    for (size_t r = 0; r < rows; ++r) {
      size_t from = arrival.map.empty() ? r : arrival.map[r];
      for (size_t c = 0; c < columns; ++c)
        all[r * columns + (source.map.empty() ? c : source.map[c])] = mantissa(
            synapse.weights.integers[from * columns + c], scale.zeros, arrival);
    }
    return all;
  }

  int16_t mantissa(int64_t weight, unsigned zeros,
                   const Arrival &arrival) const {
    int64_t value = weight / (int64_t(1) << zeros);
    using Word = std::numeric_limits<int16_t>;
    if (value < Word::min() || value > Word::max())
      throw Error(fmt::format(
          "{}: process '{}': weight {} takes more than 16 "
          "bits, which no synapse has",
          graph.place, graph.nodes[arrival.index].process->name(), weight));
    return int16_t(value);
  }

  const Graph &graph;
  Plan plan;
  size_t target = 0, input = 0;
  std::vector<double> bounds; ///< of the common sum, by target element
};

} // namespace

Plan makePlan(const Graph &graph) { return Planner(graph).make(); }

} // namespace dendrolith::lava
