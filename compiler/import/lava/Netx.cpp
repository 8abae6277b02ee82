// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain of layers: what each receives, and how they are connected.

#include "compiler/import/lava/Netx.h"

#include "compiler/import/common/Findings.h"
#include "compiler/import/lava/NetxNeuron.h"
#include "compiler/import/lava/NetxSynapses.h"
#include "compiler/lava/NetxRules.h"
#include "compiler/lava/Tensors.h"
#include "runtime/host/Files.h"
#include "targets/support/Sha256.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <filesystem>

namespace dendrolith::lava {

namespace {

class Chain {
public:
  Chain(const std::string &path, const NetxOptions &options)
      : options(options) {
    network.model.set_schema_version(1);
    network.model.set_producer("dendrolith " DENDROLITH_VERSION);
    network.model.set_name(std::filesystem::path(path).stem().string());
    network.model.mutable_run()->set_tag("fixed_pt");
  }

  /// Adds a layer, or keeps what is wrong with it: layers behind it are read
  /// without what it would have told them.
  void add(const std::string &path, unsigned i, const hdf5::Node &group) {
    if (faults.attempt([&] { add(NetxLayer(path, i, group), i == 0); }))
      return;
    isLost = true;
    source = fmt::format("layer{}", i);
    shape.clear();
    flattens = false;
  }

  NetxNetwork finish(const std::string &path) {
    faults.raise();
    if (source.empty())
      throw Error(path + ": layer: expected at least one layer of neurons, "
                         "found none");
    if (!options.inputBias.empty() && !takesImage)
      throw Error(path + ": layer/0: expected an input layer with neurons, "
                         "whose biases --import input-bias gives, found none");
    if (flattens)
      throw Error(path + ": layer: expected a dense layer after flatten, found "
                         "the end of the network");
    Output &output = *network.model.add_outputs();
    output.set_name("output");
    output.set_source(source);
    output.set_source_port("s_out");
    return std::move(network);
  }

private:
  void add(const NetxLayer &layer, bool isFirst) {
    std::string type = layer.text("type");
    if (averages)
      layer.refuse("type",
                   "expected nothing behind average, whose sums the host "
                   "makes, found {}",
                   quotedName(type));
    if (type == "input")
      addInput(layer, isFirst);
    else if (type == "flatten")
      addFlatten(layer);
    else if (type == "conv")
      addConv(layer);
    else if (type == "dense" || type == "dense_rec" || type == "recurrent")
      addDense(layer, type != "dense");
    else if (type == "average" && !source.empty())
      addAverage(layer);
    else
      layer.refuse("type",
                   "expected input, dense, dense_rec, conv or flatten, found "
                   "{}, which NetX {}",
                   quotedName(type),
                   isRefused(type) ? "does not build" : "skips in silence");
  }

  static bool isRefused(const std::string &type) {
    for (const char *known :
         {"pool", "convT", "unpool", "average", "concat", "dense_comp"})
      if (type == known)
        return true;
    return false;
  }

  void addInput(const NetxLayer &layer, bool isFirst) {
    if (!isFirst)
      layer.refuse("type", "expected an input layer in the first place only; "
                           "NetX does not connect it here");
    if (layer.has("delay"))
      layer.refuse("delay",
                   "NetX ignores delays of the input layer; remove it");
    shape = layer.shape();
    if (!options.inputShape.empty() && shape != options.inputShape)
      layer.refuse("shape",
                   "--import input-shape says {}, found {}; leave it "
                   "out where a file has an input layer",
                   shapeText(options.inputShape), shapeText(shape));
    std::reverse(shape.begin(), shape.end());
    if (!layer.has("neuron"))
      return;
    NetxNeuron neuron =
        readNeuron(layer, NetxRole::Input, shape, network.warnings);
    if (layer.has("weight") || layer.has("bias"))
      network.warnings.push_back(
          {"ignored-weights", layer.place,
           "NetX keeps weight and bias of the input layer for its caller and "
           "applies neither; scale the input"});
    if (options.inputBias == NetxOptions::kFromInput)
      takeBiases(layer, neuron);
    else if (!options.inputBias.empty())
      setBias(layer, neuron, shape, options.inputBias);
    takesImage = true;
    reset(layer, neuron);
    // Messages of 16 bits, or what a current of 24 bits holds before its shift.
    int64_t reach = neuron.messageBits ? 1 << 15 : 1 << 17;
    feed(layer.name(), "a_in", -reach, reach - 1);
    take(std::move(neuron));
  }

  /// SLAYER's host adds up spikes of neighbours; the chip has no such layer.
  void addAverage(const NetxLayer &layer) {
    averages = true;
    network.warnings.push_back(
        {"ignored-average", layer.place,
         fmt::format("the host averages over {} groups, which no chip does; "
                     "the output has the neurons of the layer before",
                     product(layer.shape()))});
  }

  void addFlatten(const NetxLayer &layer) {
    if (isLost)
      return;
    // An input along one axis is flat in any order.
    if (source.empty() && shape.size() == 3 &&
        product(shape) == *std::max_element(shape.begin(), shape.end())) {
      shape = {product(shape)};
      return;
    }
    if (source.empty() || shape.size() != 3)
      layer.refuse("type",
                   "flatten needs a layer of neurons (channel, height, "
                   "width) or an input along one axis before it, found {}; "
                   "remove it",
                   !source.empty() ? "one that is flat"
                   : shape.empty() ? "none"
                                   : "an input " + shapeText(shape));
    if (layer.has("shape")) {
      Shape given = layer.shape();
      if (product(given) != product(shape))
        layer.refuse("shape",
                     "expected {} elements as in the layer before, "
                     "found {}",
                     product(shape), shapeText(given));
    }
    flattens = true;
  }

  void addConv(const NetxLayer &layer) {
    const bool isFirst = source.empty() && shape.empty();
    if (!isLost && !isFirst && (flattens || shape.size() != 3))
      layer.refuse("type",
                   "conv needs an input (channel, height, width) before "
                   "it, found a flat one");
    Shape output = layer.shape();
    if (output.size() != 3)
      layer.refuse("shape", "expected (channel, height, width), found {}",
                   shapeText(output));
    std::reverse(output.begin(), output.end());
    if (isFirst && !isLost)
      shape = options.inputShape.empty() ? inputOfConv(layer, output)
                                         : Shape(options.inputShape.rbegin(),
                                                 options.inputShape.rend());
    NetxNeuron neuron =
        readNeuron(layer, NetxRole::Conv, output, network.warnings);
    if (isLost) // no input that its kernels could be held against
      return readBias(layer, neuron, output, network.warnings);
    NetxSynapses synapses =
        readConv(layer, shape, output, messageBits, network.warnings);
    readBias(layer, neuron, output, network.warnings);
    connect(layer, std::move(neuron), std::move(synapses), output);
  }

  void addDense(const NetxLayer &layer, bool isRecurrent) {
    if (!source.empty() && shape.size() == 3 && !flattens)
      layer.refuse("type",
                   "expected a flatten layer between {} (channel, "
                   "height, width) and a dense one, found none",
                   shapeText({shape[2], shape[1], shape[0]}));
    Shape output{product(layer.shape())};
    NetxNeuron neuron =
        readNeuron(layer, NetxRole::Dense, output, network.warnings);
    NetxSynapses synapses =
        readDense(layer, output[0], isRecurrent, neuron.isComplex, messageBits,
                  network.warnings);
    if (!shape.empty() && product(shape) != synapses.inputs)
      layer.refuse("weight",
                   "expected {} inputs, which the layer before has, "
                   "found {}",
                   product(shape), synapses.inputs);
    if (source.empty())
      shape = {synapses.inputs};
    readBias(layer, neuron, output, network.warnings);
    connect(layer, std::move(neuron), std::move(synapses), output);
  }

  void connect(const NetxLayer &layer, NetxNeuron neuron, NetxSynapses synapses,
               const Shape &output) {
    reset(layer, neuron);
    for (NetxSynapse &synapse : synapses.all) {
      const std::string &name = synapse.process.name();
      if (synapse.isRecurrent)
        link(layer.name(), "s_out", name, "s_in");
      else if (!source.empty())
        link(source, "s_out", name, "s_in", flattens);
      else
        feed(name, "s_in", 0, 1);
      link(name, "a_out", layer.name(), synapse.port);
      *network.model.add_processes() = std::move(synapse.process);
    }
    shape = output;
    flattens = false;
    take(std::move(neuron));
  }

  /// Steps count from 1, and each layer is reset a step after the one before.
  void reset(const NetxLayer &layer, NetxNeuron &neuron) {
    const uint64_t offset = options.resetOffset + 1 + layersTaken++;
    if (options.resetInterval == 0)
      return;
    if (!neuron.mayReset) {
      network.warnings.push_back(
          {"ignored-reset", layer.place,
           "NetX resets CUBA and LOIHI neurons alone, so reset-interval "
           "changes nothing in this layer"});
      return;
    }
    neuron.process.set_lava_class(kLifReset);
    auto &kwargs = *neuron.process.mutable_kwargs();
    kwargs["reset_interval"] = integerValue(int64_t(options.resetInterval));
    kwargs["reset_offset"] = integerValue(int64_t(offset));
  }

  void take(NetxNeuron neuron) {
    source = neuron.process.name();
    messageBits = neuron.messageBits;
    *network.model.add_processes() = std::move(neuron.process);
  }

  void feed(const std::string &target, const char *port, int64_t lowest,
            int64_t highest) {
    Input &input = *network.model.add_inputs();
    input.set_name("input");
    input.set_target(target);
    input.set_target_port(port);
    for (uint64_t size : shape)
      input.add_shape(size);
    input.set_lowest(lowest);
    input.set_highest(highest);
  }

  void link(const std::string &from, const char *port, const std::string &to,
            const std::string &toPort, bool flatten = false) {
    Connection &connection = *network.model.add_connections();
    connection.set_source(from);
    connection.set_source_port(port);
    connection.set_target(to);
    connection.set_target_port(toPort);
    if (!flatten)
      return;
    for (uint64_t axis : {2, 1, 0})
      connection.add_transpose(axis);
    connection.add_reshape(product(shape));
  }

  const NetxOptions options;
  NetxNetwork network;
  uint64_t layersTaken = 0; ///< with neurons
  std::string source;       ///< process of the layer before; empty: the host
  Shape shape;              ///< of what it sends, Lava's order; empty: unknown
  unsigned messageBits = 0; ///< of what it sends; 0: spikes
  bool flattens = false, averages = false, takesImage = false;
  Collector faults;
  bool isLost = false; ///< a layer was: what its followers see is unknown
};

} // namespace

NetxNetwork readNetx(const hdf5::Node &tree, const std::string &path,
                     const NetxOptions &options) {
  const hdf5::Node *layers = tree.find("layer");
  if (!layers || layers->kind != hdf5::Node::Content::Group)
    throw Error(path + ": layer: expected a group of this name, found " +
                (layers ? "a dataset" : "none") + "; is it a NetX file?");
  // h5py counts every member, and asks for 0 to that count.
  for (size_t i = 0; i < layers->members.size(); ++i) {
    const hdf5::Node *layer = layers->find(std::to_string(i));
    if (layer && layer->kind == hdf5::Node::Content::Group)
      continue;
    std::string names;
    for (size_t k = 0; k < std::min<size_t>(layers->members.size(), 12); ++k)
      names += (k ? ", " : "") + quotedName(layers->members[k].name);
    throw Error(
        fmt::format("{}: layer: expected groups '0' to '{}' only, found "
                    "{}{}",
                    path, layers->members.size() - 1, names,
                    layer ? fmt::format(" ('{}' is a dataset)", i) : ""));
  }
  Chain chain(path, options);
  for (unsigned i = 0; i < layers->members.size(); ++i)
    chain.add(path, i, *layers->find(std::to_string(i)));
  return chain.finish(path);
}

NetxNetwork readNetx(const std::string &path, const NetxOptions &options,
                     const hdf5::Limits &limits) {
  NetxNetwork network = readNetx(hdf5::readFile(path, limits), path, options);
  network.model.set_source_hash(
      sha256(dendrolith::readFile(path, uint64_t(1) << 34)));
  return network;
}

} // namespace dendrolith::lava
