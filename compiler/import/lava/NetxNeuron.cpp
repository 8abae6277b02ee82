// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/lava/NetxNeuron.h"
#include "compiler/lava/NetxRules.h"
#include "compiler/lava/Tensors.h"
#include "runtime/arrays/Npy.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::lava {

namespace {

class NetxNeuronReader {
public:
  NetxNeuronReader(const NetxLayer &layer, NetxRole role, const Shape &shape,
                   Warnings &notes)
      : layer(layer), role(role), notes(notes), neurons(product(shape)) {
    neuron.process.set_name(layer.name());
    for (uint64_t size : shape)
      neuron.process.add_shape(size);
  }

  NetxNeuron read() {
    const hdf5::Node *group = layer.find("neuron");
    if (!group) {
      if (role != NetxRole::Dense)
        layer.refuse("neuron", "missing, expected a group with type and "
                               "parameters; export the network again");
      integrator();
      return neuron;
    }
    if (group->kind != hdf5::Node::Content::Group)
      layer.refuse("neuron", "expected a group, found a dataset");
    if (layer.has("neuron/messageBits"))
      layer.refuse("neuron/messageBits",
                   "NetX cannot read it and Lava hangs; remove it (SDNN sends "
                   "16 bits, the others spikes)");
    std::string type = layer.text("neuron/type");
    if (type == "CUBA" || type == "LOIHI")
      cuba();
    else if (type == "SDNN")
      sigmaDelta();
    else if (type == "RF_PHASE")
      resonator(kRf);
    else if (type == "RF_IZHIKEVICH")
      resonator(kRfIz);
    else
      layer.refuse(
          "neuron/type",
          "expected CUBA, LOIHI, SDNN, RF_PHASE or RF_IZHIKEVICH, "
          "found {}{}",
          quotedName(type),
          type.find("ADRF") != type.npos ? ", which NetX would load as plain RF"
          : type.find("RF") != type.npos ? ", which NetX would load as RF_IZ"
                                         : ", which NetX cannot build");
    return neuron;
  }

private:
  void set(const char *key, Value value) {
    (*neuron.process.mutable_kwargs())[key] = std::move(value);
  }

  /// The decay. A dense layer may have one per neuron, which Lava's LIF takes
  /// though it is not documented.
  Value decay(const char *key, int64_t offset) {
    std::vector<int64_t> values = layer.integers(key, 0, 4096);
    for (int64_t &value : values)
      value += offset;
    if (values.size() == 1)
      return integerValue(values[0]);
    if (role == NetxRole::Conv || values.size() != neurons ||
        layer.find(key)->shape.size() != 1)
      layer.refuse(key, "expected one decay{}, found shape {}",
                   role == NetxRole::Conv
                       ? std::string(" for the layer")
                       : fmt::format(" or {}, one per neuron", neurons),
                   shapeText(layer.find(key)->shape));
    return tensorValue({neurons}, values);
  }

  void lif(Value du, Value dv, int64_t vth) {
    neuron.process.set_lava_class(kLif);
    neuron.biasKey = "bias_mant";
    set("du", std::move(du));
    set("dv", std::move(dv));
    set("vth", integerValue(vth));
    set("bias_exp", integerValue(kBiasExponent));
  }

  void cuba() {
    neuron.mayReset = true;
    // SLAYER for Loihi 1 writes both; NetX reads neither.
    if (layer.has("neuron/wgtExp"))
      layer.integer("neuron/wgtExp", 0, 0);
    if (layer.has("neuron/refDelay"))
      layer.integer("neuron/refDelay", 1, 1);
    lif(decay("neuron/iDecay", -1), decay("neuron/vDecay", 0),
        layer.integer("neuron/vThMant", 0, kMostThreshold));
  }

  /// Neither leaks nor, in practice, fires.
  void integrator() {
    lif(integerValue(-1), integerValue(4096), kMostThreshold);
  }

  void sigmaDelta() {
    neuron.messageBits = kSigmaDeltaBits;
    if (role != NetxRole::Input && layer.has("neuron/sigma_output")) {
      neuron.process.set_lava_class(kSigma);
      return;
    }
    neuron.process.set_lava_class(role == NetxRole::Input ? kDelta
                                                          : kSigmaDelta);
    set("vth",
        integerValue(layer.integer("neuron/vThMant", 0, kMostThreshold)));
    set("spike_exp", integerValue(kSpikeExponent));
    set("state_exp", integerValue(kStateExponent));
    if (role == NetxRole::Input)
      return;
    neuron.biasKey = "bias";
    if (!layer.has("neuron/activation"))
      return;
    std::string name = layer.text("neuron/activation"), lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (lower != "relu")
      layer.refuse("neuron/activation",
                   "expected relu, which NetX builds whatever this says, found "
                   "{}; train with relu",
                   quotedName(name));
  }

  /// Sine and cosine pass through period and alpha, as in NetX.
  void resonator(const char *lavaClass) {
    if (role != NetxRole::Dense)
      layer.refuse("neuron/type",
                   "expected CUBA, LOIHI or SDNN in a layer of type {}, found "
                   "a resonator, which NetX builds for dense layers with "
                   "weight/real and weight/imag only",
                   role == NetxRole::Input ? "input" : "conv");
    neuron.isComplex = true;
    neuron.process.set_lava_class(lavaClass);
    double sine = part("neuron/sinDecay"), cosine = part("neuron/cosDecay");
    Resonance resonance = resonanceOf(sine, cosine);
    if (!(sine > 0) || !(resonance.alpha >= 0))
      layer.refuse("neuron/sinDecay",
                   "expected a sine above 0 that with cosDecay does not grow "
                   "(sine^2 + cosine^2 <= 4096^2), found {} and {}",
                   sine, cosine);
    if (Rotation rotation = rotationOf(resonance); !rotation.isCertain)
      notes.push_back(
          {"uncertain-rotation", layer.place + ": neuron",
           fmt::format("NetX passes sinDecay {} and cosDecay {} through "
                       "floating point and cuts them, here to {} and {}; "
                       "elsewhere either may be one apart (a half added to "
                       "both makes it certain)",
                       sine, cosine, rotation.sine, rotation.cosine)});
    set("period", realValue(resonance.period));
    set("alpha", realValue(resonance.alpha));
    set("vth",
        integerValue(layer.integer("neuron/vThMant", 0, kMostThreshold)));
    set("state_exp", integerValue(kStateExponent));
    set("decay_bits", integerValue(kDecayBits));
  }

  double part(const char *key) {
    const hdf5::Node &node = layer.numbers(key, "a number");
    if (node.values.size() != 1)
      layer.refuse(key, "expected one number for the layer, found shape {}",
                   shapeText(node.shape));
    if (!(std::fabs(node.values[0]) <= 4096))
      layer.refuse(key, "expected -4096 to 4096, found {}", node.values[0]);
    return node.values[0];
  }

  const NetxLayer &layer;
  NetxRole role;
  Warnings &notes;
  uint64_t neurons;
  NetxNeuron neuron;
};

} // namespace

NetxNeuron readNeuron(const NetxLayer &layer, NetxRole role, const Shape &shape,
                      Warnings &notes) {
  return NetxNeuronReader(layer, role, shape, notes).read();
}

// Shifted left by 12 at the most, it stays in 32 bits.
static constexpr int64_t kMostBias = 1 << 18;

void readBias(const NetxLayer &layer, NetxNeuron &neuron, const Shape &shape,
              Warnings &notes) {
  if (!layer.has("bias"))
    return;
  if (neuron.biasKey.empty())
    layer.refuse("bias", "{} takes no bias; remove it",
                 neuron.process.lava_class());
  std::vector<int64_t> given =
      layer.whole("bias", -kMostBias, kMostBias, notes);
  const Shape &found = layer.find("bias")->shape;
  bool isChannels = shape.size() == 3 && found == Shape{shape[2]};
  if (found != shape && !isChannels)
    layer.refuse("bias", "expected {}{}, found shape {}",
                 shape.size() == 3 ? "one per channel or " : "",
                 shapeText(shape), shapeText(found));
  std::vector<int64_t> values(product(shape));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = given[isChannels ? i % shape[2] : i];
  (*neuron.process.mutable_kwargs())[neuron.biasKey] =
      tensorValue(shape, values);
}

static void needBias(const NetxLayer &layer, const NetxNeuron &neuron) {
  if (neuron.biasKey.empty())
    layer.refuse("neuron", "{} takes no bias, and --import input-bias has one",
                 neuron.process.lava_class());
}

void takeBiases(const NetxLayer &layer, NetxNeuron &neuron) {
  needBias(layer, neuron);
  (*neuron.process.mutable_kwargs())[kImageFlag].set_flag(true);
}

void setBias(const NetxLayer &layer, NetxNeuron &neuron, const Shape &shape,
             const std::string &image) {
  needBias(layer, neuron);
  const dendrolith::Array given = loadNpy(image);
  // As the host sends it: (channel, row, column), and other shapes in order.
  Shape axes = shape;
  if (axes.size() == 3)
    std::reverse(axes.begin(), axes.end());
  if (!given.isInteger() || given.shape != axes)
    throw Error(fmt::format(
        "{}: expected integers of shape {}, as {} has it, found {} of shape {}",
        image, shapeText(axes), layer.place,
        given.isInteger() ? "integers" : "other numbers",
        shapeText(given.shape)));
  std::vector<int64_t> values = given.ints;
  for (int64_t value : values)
    if (value < -kMostBias || value > kMostBias)
      throw Error(fmt::format("{}: expected biases of at most 2^18, found {}",
                              image, value));
  if (axes.size() == 3)
    for (uint64_t c = 0, i = 0; c < axes[0]; ++c)
      for (uint64_t y = 0; y < axes[1]; ++y)
        for (uint64_t x = 0; x < axes[2]; ++x)
          values[(x * axes[1] + y) * axes[0] + c] = given.ints[i++];
  (*neuron.process.mutable_kwargs())[neuron.biasKey] =
      tensorValue(shape, values);
}

} // namespace dendrolith::lava
