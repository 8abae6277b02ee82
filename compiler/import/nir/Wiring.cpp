// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/Wiring.h"

#include "targets/support/Text.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <deque>
#include <iterator>
#include <map>
#include <set>

namespace dendrolith::nir {

namespace {

/// Whether projections can start here: at a population or an input of the whole
/// graph. They end at a population or an output of it.
inline bool isSource(const Node &node) {
  return isPopulation(node.type) || (node.type == Type::Input && !node.wire);
}
inline bool isSink(const Node &node) {
  return isPopulation(node.type) || (node.type == Type::Output && !node.wire);
}

using Arrows =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// The vertices, each after all that point to it; empty where there is a cycle.
/// Vertices and arrows are visited in order of their numbers, so that order
/// depends on nothing else.
std::vector<unsigned> sorted(const Arrows &arrows) {
  std::vector<unsigned> order;
  try {
    boost::topological_sort(arrows, std::back_inserter(order));
  } catch (const boost::not_a_dag &) {
    return {};
  }
  return {order.rbegin(), order.rend()};
}

/// The lowest vertex on a cycle, in a graph that has one.
unsigned lowestOnCycle(const Arrows &arrows) {
  std::vector<unsigned> component(boost::num_vertices(arrows));
  unsigned count = boost::strong_components(arrows, component.data());
  std::vector<unsigned> members(count, 0);
  for (unsigned one : component)
    ++members[one];
  unsigned vertex = 0;
  while (members[component[vertex]] == 1 &&
         !boost::edge(vertex, vertex, arrows).second)
    ++vertex;
  return vertex;
}

/// Gives the nodes that are neither population nor input, each after what feeds
/// it. An edge that was cut as a loop makes no exception: a cycle of linear
/// nodes and delays alone remembers for ever, and no finite sum of projections
/// does that.
std::vector<unsigned> linearOrder(const Graph &graph) {
  auto isLinear = [&](unsigned node) {
    return !isSource(graph.nodes[node]) && !isSink(graph.nodes[node]);
  };
  Arrows arrows(graph.nodes.size());
  for (const Edge &edge : graph.edges)
    if (isLinear(edge.from) && isLinear(edge.to))
      boost::add_edge(edge.from, edge.to, arrows);
  std::vector<unsigned> order;
  for (unsigned node : sorted(arrows))
    if (isLinear(node))
      order.push_back(node);
  if (order.empty() && boost::num_edges(arrows) > 0)
    graph.refuse(graph.nodes[lowestOnCycle(arrows)],
                 "it lies on a cycle of linear nodes and delays without a "
                 "neuron; put a population on the cycle");
  return order;
}

/// Throws if projections of delay zero close a cycle.
void checkDelays(const Graph &graph, const Policy &policy,
                 const std::vector<Projection> &projections) {
  Arrows arrows(graph.nodes.size());
  for (const Projection &p : projections)
    if (p.delay == 0)
      boost::add_edge(p.source, p.target, arrows);
  if (boost::num_edges(arrows) > 0 && sorted(arrows).empty())
    graph.refuse(
        graph.nodes[lowestOnCycle(arrows)],
        "it lies on a cycle without delay, because --import loop-delay is "
        "{}; give 1 or more",
        policy.options.loopDelay);
}

struct Term {
  unsigned source;
  int64_t delay;
  LinearMap map;
  bool isLoop = false; ///< has come over an edge that closes a cycle
};

/// A node's output as a linear function of populations and inputs.
struct Signal {
  std::vector<Term> terms;
  Bias bias;
  LateBias late;
};

void addLate(LateBias &late, int64_t tick, const Bias &bias) {
  if (bias.values)
    late[tick] = add(late[tick], bias);
}

/// What an edge from a source carries of what it emits.
LinearMap emittedBy(const Node &node, const Policy &policy) {
  uint64_t size = product(node.out);
  bool spikes = node.type == Type::Threshold || node.field("v_threshold");
  const NirOptions &options = policy.of(node);
  const double worth = options.diracSpikes ? 1 / policy.dt : options.spikeValue;
  if (worth == 1 || !isPopulation(node.type) || !spikes)
    return identity(size);
  return diagonal(std::vector<double>(size, worth), false, node.name);
}

class Wirer {
public:
  Wirer(Graph &graph, const Policy &policy)
      : graph(graph), policy(policy), signals(graph.nodes.size()) {}
  std::vector<Projection> run();

private:
  Signal across(const Edge &edge) const;
  Signal sumInto(unsigned node) const;
  void apply(const Node &node, const LinearMap &map, Signal &signal) const;
  void affine(const Node &node, Signal &signal) const;
  void window(const Node &node, Signal &signal) const;
  void addBias(const Node &node, std::vector<double> values, bool float32,
               Signal &signal) const;
  void delay(const Node &node, Signal &signal);
  Graph &graph;
  const Policy &policy;
  std::vector<Signal> signals;
  std::vector<std::vector<const Edge *>> into;
};

} // namespace

Signal Wirer::across(const Edge &edge) const {
  Signal signal = signals[edge.from];
  if (edge.cut)
    for (Term &term : signal.terms) {
      // What a Delay node of the loop has held need not wait once more.
      if (term.delay == 0)
        term.delay = policy.options.loopDelay;
      term.isLoop = true;
    }
  if (edge.cut && policy.options.silentLoops) {
    LateBias late;
    for (auto &[tick, bias] : signal.late)
      late[tick + policy.options.loopDelay] = bias;
    addLate(late, policy.options.loopDelay, signal.bias);
    signal.late = std::move(late);
    signal.bias = {};
  }
  return signal;
}

/// The sum of what arrives, one term per source and delay.
Signal Wirer::sumInto(unsigned node) const {
  Signal sum;
  std::map<std::pair<unsigned, int64_t>, size_t> where;
  for (const Edge *edge : into[node]) {
    Signal part = across(*edge);
    sum.bias = add(sum.bias, part.bias);
    for (auto &[tick, bias] : part.late)
      addLate(sum.late, tick, bias);
    for (Term &term : part.terms) {
      auto [it, isNew] = where.emplace(std::make_pair(term.source, term.delay),
                                       sum.terms.size());
      if (isNew) {
        sum.terms.push_back(std::move(term));
        continue;
      }
      sum.terms[it->second].isLoop |= term.isLoop;
      LinearMap &map = sum.terms[it->second].map;
      if (map.kind != term.map.kind &&
          map.rows > maxMapElements / std::max<uint64_t>(map.cols, 1))
        graph.refuse(graph.nodes[node],
                     "the paths that meet here would need "
                     "{} x {} weights",
                     map.rows, map.cols);
      map = add(map, term.map);
    }
  }
  return sum;
}

void Wirer::apply(const Node &node, const LinearMap &map,
                  Signal &signal) const {
  for (Term &term : signal.terms) {
    uint64_t count = composedElements(map, term.map);
    if (count > maxMapElements)
      graph.refuse(node,
                   "composed with what feeds it, it would need {} weights, "
                   "expected at most {}; put a population between",
                   count, maxMapElements);
    term.map = compose(map, term.map);
  }
  signal.bias = compose(map, signal.bias);
  for (auto &[tick, bias] : signal.late)
    bias = compose(map, bias);
}

void Wirer::affine(const Node &node, Signal &signal) const {
  const hdf5::Node &weight = *node.field("weight");
  uint64_t out = weight.shape[weight.shape.size() - 2];
  uint64_t in = weight.shape.back();
  uint64_t blocks = product(node.out) / out;
  LinearMap map;
  map.kind = LinearMap::MapForm::Dense;
  map.rows = blocks * out;
  map.cols = blocks * in;
  map.float32 = weight.isFloat32();
  map.sparse = blocks > 1;
  map.name = node.name;
  if (map.rows > maxMapElements / map.cols)
    graph.refuse(node,
                 "'weight' {} stands for {} x {} weights, expected at "
                 "most {}",
                 shapeText(weight.shape), map.rows, map.cols, maxMapElements);
  std::vector<double> values;
  if (blocks == 1) {
    values = weight.values;
  } else {
    // A stack of matrices is a block-diagonal one.
    values.assign(map.rows * map.cols, 0.0);
    for (uint64_t row = 0; row < map.rows; ++row)
      std::copy_n(weight.values.begin() + row * in, in,
                  values.begin() + row * map.cols + row / out * in);
  }
  map.values = std::make_shared<const std::vector<double>>(std::move(values));
  apply(node, map, signal);
  if (node.type != Type::Affine)
    return;
  const hdf5::Node &bias = *node.field("bias");
  addBias(node, bias.values, bias.isFloat32(), signal);
}

/// A convolution with its bias, or a pooling: a convolution of each channel by
/// itself, whose windows count padding where they average.
void Wirer::window(const Node &node, Signal &signal) const {
  dend::Window window = windowOf(graph, node);
  if (isPooling(node.type)) {
    double area = double(window.kernel[0] * window.kernel[1]);
    double value = node.type == Type::AvgPool2d ? 1 / area : 1;
    return apply(
        node,
        convolution(window,
                    std::vector<double>(size_t(window.weights()), value), true,
                    node.name),
        signal);
  }
  const hdf5::Node &weight = *node.field("weight");
  apply(node, convolution(window, weight.values, weight.isFloat32(), node.name),
        signal);
  const hdf5::Node &bias = *node.field("bias");
  std::vector<double> values;
  int64_t plane = window.output(0) * window.output(1);
  for (double value : bias.values)
    values.insert(values.end(), size_t(plane), value);
  addBias(node, std::move(values), bias.isFloat32(), signal);
}

void Wirer::addBias(const Node &node, std::vector<double> values, bool float32,
                    Signal &signal) const {
  if (std::all_of(values.begin(), values.end(),
                  [](double value) { return value == 0; }))
    return;
  signal.bias =
      add({std::make_shared<const std::vector<double>>(std::move(values)),
           float32, node.name},
          signal.bias);
}

/// Each distinct delay takes the rows that have it.
void Wirer::delay(const Node &node, Signal &signal) {
  std::vector<int64_t> ticks = delayTicks(graph, node, policy);
  std::vector<Term> terms;
  Bias now;
  LateBias late;
  for (int64_t delay : std::set<int64_t>(ticks.begin(), ticks.end())) {
    std::vector<bool> keep(ticks.size());
    for (size_t i = 0; i < ticks.size(); ++i)
      keep[i] = ticks[i] == delay;
    for (const Term &term : signal.terms)
      terms.push_back({term.source, term.delay + delay,
                       keepRows(term.map, keep), term.isLoop});
    if (delay == 0)
      now = keepRows(signal.bias, keep);
    else
      addLate(late, delay, keepRows(signal.bias, keep));
    for (const auto &[tick, bias] : signal.late)
      addLate(late, tick + delay, keepRows(bias, keep));
  }
  signal = {std::move(terms), std::move(now), std::move(late)};
}

std::vector<Projection> Wirer::run() {
  into.resize(graph.nodes.size());
  for (const Edge &edge : graph.edges)
    into[edge.to].push_back(&edge);
  for (unsigned i = 0; i < graph.nodes.size(); ++i)
    if (isSource(graph.nodes[i]))
      signals[i].terms = {{i, 0, emittedBy(graph.nodes[i], policy)}};
  for (unsigned i : linearOrder(graph)) {
    const Node &node = graph.nodes[i];
    Signal signal = sumInto(i);
    if (node.type == Type::Affine || node.type == Type::Linear) {
      affine(node, signal);
    } else if (isConvolution(node.type) || isPooling(node.type)) {
      window(node, signal);
    } else if (node.type == Type::Scale) {
      const hdf5::Node &scale = *node.field("scale");
      std::vector<double> values = scale.values;
      values.resize(product(node.out), scale.values[0]);
      apply(node, diagonal(std::move(values), scale.isFloat32(), node.name),
            signal);
    } else if (node.type == Type::Delay) {
      delay(node, signal);
    }
    signals[i] = std::move(signal);
  }
  auto leavesLate = [&](unsigned source) {
    return policy.options.emitNext && graph.nodes[source].field("v_threshold");
  };
  std::vector<Projection> projections;
  for (unsigned i = 0; i < graph.nodes.size(); ++i) {
    if (!isSink(graph.nodes[i]))
      continue;
    for (const Edge *edge : into[i]) {
      Signal signal = across(*edge);
      for (Term &term : signal.terms) {
        bool early = term.isLoop && term.delay == 0 && leavesLate(term.source);
        projections.push_back({term.source, i, std::move(term.map),
                               term.delay + early, signal.bias, signal.late,
                               early});
        signal.bias = {}; // added once
        signal.late = {};
      }
    }
  }
  checkDelays(graph, policy, projections);
  return projections;
}

std::vector<Projection> wire(Graph &graph, const Policy &policy) {
  return Wirer(graph, policy).run();
}

bool isPlain(const Projection &projection) {
  return projection.map.kind == LinearMap::MapForm::Identity &&
         projection.delay == 0 && !projection.bias.values &&
         projection.late.empty();
}

} // namespace dendrolith::nir
