// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/lava/Graph.h"

#include "compiler/import/common/Findings.h"
#include "compiler/lava/Array.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <numeric>
#include <set>

namespace dendrolith::lava {

namespace {

constexpr uint64_t kMostNeurons = uint64_t(1) << 24;  // of a process
constexpr uint64_t kMostElements = uint64_t(1) << 27; // of all ports
constexpr size_t kMostDims = 8;
// Each has a decay to prove, which takes 40 ms.
constexpr size_t kMostAdaptive = 256;

class GraphReader {
public:
  GraphReader(const Model &model, const std::string &place)
      : model(model), place(place) {
    graph.model = &model;
    graph.place = place;
  }

  Graph read() {
    header();
    for (const Process &process : model.processes())
      faults.attempt([&] { node(process); });
    faults.raise(); // what joins a process that is missing is no fault
    for (int i = 0; i < model.inputs_size(); ++i)
      faults.attempt([&] { input(size_t(i)); });
    for (const Connection &connection : model.connections())
      faults.attempt([&] { connect(connection); });
    for (const Output &output : model.outputs())
      faults.attempt([&] { graph.outputs.push_back(outputNode(output)); });
    faults.raise();
    return std::move(graph);
  }

private:
  [[noreturn]] void fail(const std::string &what) const {
    throw Error(place + ": " + what);
  }

  void header() const {
    if (model.schema_version() != 1)
      fail(fmt::format("schema version {}, this version reads 1",
                       model.schema_version()));
    if (!model.run().tag().empty() && model.run().tag() != "fixed_pt")
      fail(fmt::format("run tag '{}', expected fixed_pt (other models of Lava "
                       "compute in floating point)",
                       model.run().tag()));
    if (model.processes().empty())
      fail("no processes");
    if (model.inputs().empty())
      fail("no inputs; a network needs at least one");
    if (model.outputs().empty())
      fail("no outputs; name what the host is to see");
  }

  void takeName(const std::string &what, const std::string &name) {
    if (name.empty())
      fail(what + " without a name");
    if (!names.insert(name).second)
      fail(fmt::format("{} '{}': the name is taken; processes, inputs and "
                       "outputs need names of their own",
                       what, name));
  }

  /// A small file may speak of much: ports and connections add up.
  void spend(const std::string &what, uint64_t count) {
    elements += count;
    if (elements > kMostElements)
      fail(fmt::format("{}: neurons and connections have more than {} "
                       "elements so far",
                       what, kMostElements));
  }

  void node(const Process &process) {
    takeName("process", process.name());
    std::string who = fmt::format("process '{}'", process.name());
    GraphNode node;
    node.process = &process;
    node.neuron = findNeuronClass(process.lava_class());
    if (node.neuron) {
      node.shape = {process.shape().begin(), process.shape().end()};
      if (node.shape.empty() || node.shape.size() > kMostDims)
        fail(fmt::format("{}: shape of {} dims, expected 1 to {}", who,
                         node.shape.size(), kMostDims));
      node.count = elementCount(node.shape, place + ": " + who);
      if (node.count > kMostNeurons)
        fail(fmt::format("{}: {} neurons, at most {} are read", who, node.count,
                         kMostNeurons));
      spend(who, node.count);
      if (className(process.lava_class()) == "ATRLIF" &&
          ++adaptive > kMostAdaptive)
        fail(fmt::format("{}: more than {} processes of class ATRLIF", who,
                         kMostAdaptive));
      node.arrivals.resize(node.neuron->inputs.size());
    } else if (isSynapseClass(process.lava_class())) {
      if (process.shape_size())
        fail(who + ": synapses have no shape of their own");
      node.synapse = readSynapse(process, place);
      for (const Shape &shape : {node.synapse.inShape, node.synapse.outShape})
        if (elementCount(shape, who) > kMostNeurons)
          fail(fmt::format("{}: a port of {} elements, at most {} are read",
                           who, shapeText(shape), kMostNeurons));
      node.arrivals.resize(1);
    } else {
      std::vector<std::string> known;
      for (const NeuronClass &neuron : neuronClasses())
        known.push_back(neuron.lavaClass);
      fail(fmt::format("{}: class '{}', expected one of {}, {}", who,
                       process.lava_class().substr(0, 80),
                       fmt::join(known, ", "), synapseClassNames()));
    }
    index[process.name()] = graph.nodes.size();
    graph.nodes.push_back(std::move(node));
  }

  GraphNode &find(const std::string &what, const std::string &name,
                  size_t &number) {
    auto found = index.find(name);
    if (found == index.end())
      fail(fmt::format("{}: no process '{}'", what, name));
    number = found->second;
    return graph.nodes[number];
  }

  /// Number of an input port, and its shape.
  size_t inPort(const std::string &what, const GraphNode &node,
                const std::string &port, Shape &shape) const {
    std::vector<std::string> ports =
        node.neuron ? node.neuron->inputs : std::vector<std::string>{"s_in"};
    auto found = std::find(ports.begin(), ports.end(), port);
    if (found == ports.end())
      fail(fmt::format("{}: process '{}' has no input port '{}', expected {}",
                       what, node.process->name(), port,
                       fmt::join(ports, " or ")));
    shape = node.neuron ? node.shape : node.synapse.inShape;
    return size_t(found - ports.begin());
  }

  void outPort(const std::string &what, const GraphNode &node,
               const std::string &port) const {
    const char *expected = node.neuron ? "s_out" : "a_out";
    if (port != expected)
      fail(fmt::format("{}: process '{}' has no output port '{}', expected {}",
                       what, node.process->name(), port, expected));
  }

  void input(size_t i) {
    const Input &input = model.inputs(int(i));
    size_t first = arrays.try_emplace(input.name(), i).first->second;
    graph.arrays.push_back(first);
    if (first == i)
      takeName("input", input.name());
    std::string what = fmt::format("input '{}'", input.name());
    const Input &same = model.inputs(int(first));
    if (!std::equal(input.shape().begin(), input.shape().end(),
                    same.shape().begin(), same.shape().end()) ||
        input.lowest() != same.lowest() || input.highest() != same.highest())
      fail(what +
           ": feeds several ports, expected one shape and range for all");
    size_t number;
    Shape shape;
    GraphNode &node = find(what, input.target(), number);
    size_t port = inPort(what, node, input.target_port(), shape);
    Shape given(input.shape().begin(), input.shape().end());
    if (given != shape)
      fail(fmt::format("{}: shape {}, its port has {}", what, shapeText(given),
                       shapeText(shape)));
    using Word = std::numeric_limits<int32_t>;
    if (input.lowest() < Word::min() || input.highest() > Word::max() ||
        input.lowest() > 0 || input.highest() < 1)
      fail(fmt::format("{}: values {} to {}, expected a range of 32-bit "
                       "integers with 0 and 1 in it",
                       what, input.lowest(), input.highest()));
    node.arrivals[port].push_back({Arrival::From::Input, first, {}});
  }

  void connect(const Connection &connection) {
    std::string what =
        fmt::format("connection {}.{} -> {}.{}", connection.source(),
                    connection.source_port(), connection.target(),
                    connection.target_port());
    size_t sourceIndex, to;
    GraphNode &source = find(what, connection.source(), sourceIndex);
    outPort(what, source, connection.source_port());
    GraphNode &target = find(what, connection.target(), to);
    Shape shape;
    size_t port = inPort(what, target, connection.target_port(), shape);
    if (!source.neuron && !target.neuron)
      fail(what + ": synapses must end at neurons");
    source.isRead = true;
    spend(what, elementCount(shape, what));
    const Shape &sent = source.neuron ? source.shape : source.synapse.outShape;
    target.arrivals[port].push_back(
        {source.neuron ? Arrival::From::Neuron : Arrival::From::Synapse,
         sourceIndex,
         elementMap(connection, sent, shape, place + ": " + what)});
  }

  size_t outputNode(const Output &output) {
    takeName("output", output.name());
    std::string what = fmt::format("output '{}'", output.name());
    size_t number;
    GraphNode &node = find(what, output.source(), number);
    if (!node.neuron)
      fail(fmt::format("{}: process '{}' is no neuron; let it end at one", what,
                       output.source()));
    outPort(what, node, output.source_port());
    return number;
  }

  const Model &model;
  const std::string &place;
  Graph graph;
  Collector faults;
  std::set<std::string> names;
  std::map<std::string, size_t> index, arrays; ///< processes; inputs
  uint64_t elements = 0;
  size_t adaptive = 0;
};

} // namespace

Graph readGraph(const Model &model, const std::string &place) {
  return GraphReader(model, place).read();
}

std::vector<uint32_t> numbering(const Shape &shape) {
  if (shape.size() != 3)
    return {};
  std::vector<uint32_t> numbers;
  numbers.reserve(shape[0] * shape[1] * shape[2]);
  for (uint64_t w = 0; w < shape[0]; ++w)
    for (uint64_t h = 0; h < shape[1]; ++h)
      for (uint64_t c = 0; c < shape[2]; ++c)
        numbers.push_back(uint32_t((c * shape[1] + h) * shape[0] + w));
  return numbers;
}

std::vector<int64_t> dendShape(const Shape &shape) {
  std::vector<int64_t> all(shape.begin(), shape.end());
  if (all.size() == 3)
    std::reverse(all.begin(), all.end());
  return all;
}

/// Row-major element of the sender at each place of the turned shape, which
/// `shape` becomes.
static std::vector<uint32_t> transposed(const Connection &connection,
                                        Shape &shape, const std::string &what) {
  std::vector<uint32_t> all(elementCount(shape, what));
  std::iota(all.begin(), all.end(), 0);
  if (connection.transpose().empty())
    return all;
  Shape axes(connection.transpose().begin(), connection.transpose().end());
  Shape sorted = axes, every(shape.size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(every.begin(), every.end(), 0);
  if (sorted != every)
    throw Error(fmt::format("{}: transpose {}, expected the axes of shape {}",
                            what, fmt::join(axes, ","), shapeText(shape)));
  Shape stride(shape.size(), 1), turned;
  for (size_t i = shape.size() - 1; i > 0; --i)
    stride[i - 1] = stride[i] * shape[i];
  for (uint64_t axis : axes)
    turned.push_back(shape[axis]);
  for (size_t i = 0; i < all.size(); ++i) {
    uint64_t rest = i, from = 0;
    for (size_t k = axes.size(); k-- > 0; rest /= turned[k])
      from += rest % turned[k] * stride[axes[k]];
    all[i] = uint32_t(from);
  }
  shape = turned;
  return all;
}

std::vector<uint32_t> elementMap(const Connection &connection,
                                 const Shape &sent, const Shape &received,
                                 const std::string &what) {
  Shape shape = sent;
  std::vector<uint32_t> all = transposed(connection, shape, what);
  if (!connection.reshape().empty()) {
    Shape reshape(connection.reshape().begin(), connection.reshape().end());
    if (elementCount(reshape, what) != all.size())
      throw Error(fmt::format("{}: cannot reshape {} to {}", what,
                              shapeText(shape), shapeText(reshape)));
    shape = reshape;
  }
  if (shape != received)
    throw Error(fmt::format("{}: sends {}, the port takes {}", what,
                            shapeText(shape), shapeText(received)));
  std::vector<uint32_t> from = numbering(sent), to = numbering(received);
  std::vector<uint32_t> map(all.size());
  bool same = true;
  for (size_t i = 0; i < all.size(); ++i) {
    uint32_t target = to.empty() ? uint32_t(i) : to[i];
    map[target] = from.empty() ? all[i] : from[all[i]];
    same &= map[target] == target;
  }
  return same ? std::vector<uint32_t>() : map;
}

} // namespace dendrolith::lava
