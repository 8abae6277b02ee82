// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model as a chain of layers, or the first process that breaks it.

#include "compiler/export/netx/Netx.h"

#include "compiler/export/netx/Hdf5File.h"
#include "compiler/export/netx/LayerGroup.h"
#include "compiler/export/netx/NeuronLayer.h"
#include "compiler/export/netx/SynapseLayer.h"
#include "compiler/import/lava/Synapse.h"
#include "compiler/lava/NetxRules.h"
#include "compiler/lava/lava.pb.h"
#include "runtime/host/Files.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace dendrolith::lava {

namespace {

class Links {
public:
  /// The model must outlive this.
  explicit Links(const Model &model);

  /// Gives the process of that name. Throws Error where there is none.
  const Process &process(const std::string &name) const;

  /// Gives the synapses at a port of a neuron: those that the neuron itself
  /// feeds, or the others. Throws Error for synapses with more senders than
  /// one.
  std::vector<const Process *> synapsesAt(const Process &neuron,
                                          const std::string &port,
                                          bool isRecurrent) const;

private:
  /// What feeds a synapse; empty for the host.
  std::string sourceOf(const Process &synapse) const;

  const Model &model;
  std::map<std::string, const Process *> processes;
};

bool isSynapse(const Process &process) {
  return isSynapseClass(process.lava_class());
}

Links::Links(const Model &model) : model(model) {
  for (const Process &process : model.processes())
    processes[process.name()] = &process;
}

const Process &Links::process(const std::string &name) const {
  auto found = processes.find(name);
  if (found == processes.end())
    throw Error("no NetX file: the model has no process '" + name + "'");
  return *found->second;
}

std::vector<const Process *> Links::synapsesAt(const Process &neuron,
                                               const std::string &port,
                                               bool isRecurrent) const {
  std::vector<const Process *> found;
  for (const Connection &connection : model.connections()) {
    if (connection.target() != neuron.name() ||
        connection.target_port() != port)
      continue;
    const Process &synapse = process(connection.source());
    bool isOwn = sourceOf(synapse) == neuron.name();
    if (isOwn == isRecurrent)
      found.push_back(&synapse);
  }
  return found;
}

std::string Links::sourceOf(const Process &synapse) const {
  std::string source;
  size_t fed = 0;
  for (const Connection &connection : model.connections()) {
    if (connection.target() != synapse.name())
      continue;
    source = connection.source();
    ++fed;
  }
  for (const Input &input : model.inputs())
    fed += input.target() == synapse.name();
  if (fed != 1)
    refuseNetx(synapse, "{} senders, expected one: the format is a chain", fed);
  return source;
}

class Chain {
public:
  explicit Chain(const Model &model) : model(model), links(model) {}

  NetxFile write() {
    const Process *neuron = addInput();
    while (neuron)
      neuron = addLayer(*neuron);
    for (const Process &process : model.processes())
      if (!used.count(process.name()))
        refuseNetx(process, "it is not on the one chain of layers that the "
                            "format has");
    if (!last)
      throw Error("no NetX file: no neurons behind the input");
    for (const Output &output : model.outputs())
      if (output.source() != last->name() || output.source_port() != "s_out")
        refuseNetx(links.process(output.source()),
                   "it is an output; in NetX the last layer alone is one");
    LayerGroup root;
    root.group("layer", layers.finish());
    NetxFile file{root.finish(), std::nullopt};
    if (begins == NeuronLayer::Begins::WithInput)
      file.resetOffset = stepsBefore;
    return file;
  }

private:
  void push(LayerGroup layer, const char *type) {
    layer.text("type", type, true);
    layers.group(std::to_string(count++), layer.finish());
  }

  /// Writes the input layer and gives the neuron that comes first.
  const Process *addInput() {
    if (model.inputs().empty())
      throw Error("no NetX file: the model has no input");
    const Input &input = model.inputs(0);
    Shape shape(input.shape().begin(), input.shape().end());
    const Process *fed = nullptr;
    for (const Input &other : model.inputs()) {
      const Process &target = links.process(other.target());
      if (other.name() != input.name() ||
          isSynapse(target) != isSynapse(links.process(input.target())))
        refuseNetx(target, "a second input; NetX has one");
      if (isSynapse(target))
        next.push_back(&target);
      else
        fed = &target;
    }
    if (!fed) {
      // An input layer that is flat, before a flat layer, says nothing but does
      // no harm.
      LayerGroup layer;
      layer.integers("shape", {shape.size()}, fileShape(shape));
      push(std::move(layer), "input");
      stepsBefore = 1;
      if (input.lowest() < 0 || input.highest() > 1)
        arrives = Arrives::HostValues;
      return follow(nullptr);
    }
    if (input.target_port() != "a_in")
      refuseNetx(*fed, "NetX feeds an input layer at a_in only");
    NeuronLayer neuron = neuronLayer(*fed, true, false, 0);
    if (std::any_of(neuron.bias.begin(), neuron.bias.end(),
                    [](int64_t bias) { return bias; }))
      refuseNetx(*fed, "it has a bias, which NetX ignores in an input layer");
    LayerGroup layer;
    layer.integers("shape", {shape.size()}, fileShape(shape));
    layer.group("neuron", std::move(neuron.neuron));
    push(std::move(layer), "input");
    used.insert(fed->name());
    return advance(*fed, neuron);
  }

  /// Finds the neuron that the synapses in `next` lead to; `from` is what feeds
  /// them.
  const Process *follow(const Process *from) {
    const Process *target = nullptr;
    for (const Process *synapse : next)
      for (const Connection &connection : model.connections()) {
        if (connection.source() != synapse->name())
          continue;
        const Process &found = links.process(connection.target());
        if (&found == from)
          continue; // recurrent
        if (target && target != &found)
          refuseNetx(found,
                     "a second branch beside '{}'; the format is a chain",
                     target->name());
        if (connection.transpose_size() || connection.reshape_size())
          refuseNetx(*synapse, "its sums change shape on the way");
        target = &found;
      }
    return target;
  }

  const Process *advance(const Process &neuron, const NeuronLayer &layer) {
    last = &neuron;
    ++neuronLayers;
    arrives = layer.isGraded ? Arrives::Graded : Arrives::Spikes;
    next.clear();
    for (const Connection &connection : model.connections()) {
      if (connection.source() != neuron.name())
        continue;
      const Process &target = links.process(connection.target());
      if (!isSynapse(target))
        refuseNetx(target, "neurons feed it without synapses, for which NetX "
                           "has no layer");
      next.push_back(&target);
    }
    return follow(&neuron);
  }

  const Process &only(const Process &neuron, const char *port) {
    std::vector<const Process *> found = links.synapsesAt(neuron, port, false);
    if (found.size() != 1)
      refuseNetx(neuron,
                 "{} synapses from the layer before at {}, expected one",
                 found.size(), port);
    used.insert(found[0]->name());
    return *found[0];
  }

  /// Adds a flatten layer where the connection into a dense layer asks for one.
  void addFlatten(const Process &synapse) {
    for (const Connection &connection : model.connections()) {
      if (connection.target() != synapse.name())
        continue;
      Shape axes(connection.transpose().begin(), connection.transpose().end());
      const Process &source = links.process(connection.source());
      if (source.shape_size() != 3) {
        if (!axes.empty())
          refuseNetx(synapse,
                     "its input is transposed; NetX does so in flatten "
                     "layers only");
        continue;
      }
      bool isConv = synapse.lava_class() == kConv;
      if (isConv && axes.empty() && connection.reshape().empty())
        continue;
      if (isConv || axes != Shape{2, 1, 0} || connection.reshape_size() != 1)
        refuseNetx(synapse, "its input changes shape otherwise than by NetX's "
                            "flatten (transpose 2, 1, 0)");
      LayerGroup layer;
      layer.integers("shape", {1}, {int64_t(connection.reshape(0))});
      push(std::move(layer), "flatten");
    }
  }

  const Process *addLayer(const Process &neuron) {
    if (!used.insert(neuron.name()).second)
      refuseNetx(neuron, "a loop over several layers; the format is a chain");
    std::vector<const Process *> back = links.synapsesAt(neuron, "a_in", true);
    bool isComplex = neuron.lava_class() == kRf || neuron.lava_class() == kRfIz;
    const Process &synapse = only(neuron, isComplex ? "a_real_in" : "a_in");
    bool isConv = synapse.lava_class() == kConv;
    NeuronLayer written =
        neuronLayer(neuron, false, isConv, stepsBefore + neuronLayers);
    beginTogether(neuron, written.begins);
    Shape shape(neuron.shape().begin(), neuron.shape().end());
    addFlatten(synapse);
    LayerGroup layer;
    layer.integers("shape", {shape.size()}, fileShape(shape));
    layer.group("neuron", std::move(written.neuron));
    addBias(layer, written.bias, shape);
    if (back.size() > 1)
      refuseNetx(*back[1], "a second recurrent part; NetX has one");
    for (const Process *recurrent : back)
      used.insert(recurrent->name());
    if (isComplex)
      addComplex(layer, synapse, only(neuron, "a_imag_in"), arrives);
    else if (isConv && back.empty())
      addConv(layer, synapse, arrives);
    else if (isConv || (shape.size() != 1))
      refuseNetx(neuron, isConv ? "a recurrent convolution, which NetX has not"
                                : "expected one axis after dense synapses");
    else if (back.empty())
      addDense(layer, synapse, arrives);
    else
      addRecurrent(layer, synapse, *back[0], arrives, written.isGraded);
    push(std::move(layer), isConv         ? "conv"
                           : back.empty() ? "dense"
                                          : "dense_rec");
    return advance(neuron, written);
  }

  void beginTogether(const Process &neuron, NeuronLayer::Begins layer) {
    if (layer == NeuronLayer::Begins::Either)
      return;
    if (begins != NeuronLayer::Begins::Either && begins != layer)
      refuseNetx(neuron,
                 "its biases begin {} and those of a layer before it {}; NetX "
                 "resets every layer or none",
                 textOf(layer), textOf(begins));
    begins = layer;
  }

  static const char *textOf(NeuronLayer::Begins begins) {
    return begins == NeuronLayer::Begins::AtOnce ? "at once"
                                                 : "with its first input";
  }

  /// Adds the bias, with one value per channel where that says it all.
  static void addBias(LayerGroup &layer, const std::vector<int64_t> &bias,
                      const Shape &shape) {
    if (std::all_of(bias.begin(), bias.end(), [](int64_t b) { return !b; }))
      return;
    uint64_t channels = shape.back();
    bool isByChannel = shape.size() == 3;
    for (size_t i = 0; isByChannel && i < bias.size(); ++i)
      isByChannel = bias[i] == bias[i % channels];
    if (isByChannel)
      layer.integers("bias", {channels},
                     {bias.begin(), bias.begin() + int64_t(channels)});
    else
      layer.integers("bias", shape, bias);
  }

  const Model &model;
  Links links;
  std::set<std::string> used;
  std::vector<const Process *> next; ///< synapses fed by the layer before
  const Process *last = nullptr;
  Arrives arrives = Arrives::Spikes;
  NeuronLayer::Begins begins = NeuronLayer::Begins::Either;
  LayerGroup layers;
  unsigned count = 0, neuronLayers = 0;
  unsigned stepsBefore = 0; ///< the first layer of neurons has its input
};

} // namespace

NetxFile netxFile(const Model &model) { return Chain(model).write(); }

std::optional<unsigned> writeNetx(const Model &model, const std::string &path) {
  const NetxFile file = netxFile(model);
  writeAside(path, hdf5Bytes(file.tree));
  return file.resetOffset;
}

} // namespace dendrolith::lava
