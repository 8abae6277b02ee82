// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes synapse processes as weights, delays and windows.

#include "compiler/export/netx/SynapseLayer.h"

#include "compiler/import/lava/Synapse.h"
#include "compiler/lava/NetxRules.h"

#include <algorithm>

namespace dendrolith::lava {

namespace {

constexpr uint64_t kMostWeights = uint64_t(1) << 28;

Synapse read(const Process &process, Arrives arrives) {
  if (!isSynapseClass(process.lava_class()))
    refuseNetx(process, "expected a synapse of {}", synapseClassNames());
  Synapse synapse = readSynapse(process, "no NetX file");
  if (synapse.binary && arrives == Arrives::Graded)
    refuseNetx(process, "num_message_bits is 0 though the layer before sends "
                        "graded messages; NetX sets 16");
  if (!synapse.binary && arrives == Arrives::HostValues)
    refuseNetx(process, "it reads graded values from the host, for which NetX "
                        "has an argument and the file no place");
  return synapse;
}

/// Gives every weight of (out, in), however they are stored.
std::vector<int64_t> expanded(const Process &process, const Array &array,
                              const std::vector<int64_t> &values) {
  if (!array.isSparse)
    return values;
  if (array.dims[0] * array.dims[1] > kMostWeights)
    refuseNetx(process,
               "{} weights, at most {} are written: the format has no "
               "sparse ones",
               array.dims[0] * array.dims[1], kMostWeights);
  std::vector<int64_t> all(array.dims[0] * array.dims[1]);
  for (size_t row = 0; row < array.dims[0]; ++row)
    for (int64_t k = array.rows[row]; k < array.rows[row + 1]; ++k)
      all[row * array.dims[1] + uint64_t(array.columns[size_t(k)])] =
          values[size_t(k)];
  return all;
}

/// What a message of 1 adds, which NetX stores as it is.
std::vector<int64_t> effective(const Process &process, const Synapse &synapse) {
  std::vector<int64_t> weights =
      expanded(process, synapse.weights, synapse.weights.integers);
  int64_t unit = int64_t(1) << std::abs(synapse.exponent);
  for (int64_t &weight : weights) {
    if (synapse.exponent >= 0) {
      weight *= unit;
      continue;
    }
    if (weight % unit)
      refuseNetx(process,
                 "weight {} with weight_exp {} is no whole number; its "
                 "sum is rounded, which NetX never asks for",
                 weight, synapse.exponent);
    weight /= unit;
  }
  return weights;
}

/// Refuses weights that the loader would change. `next` are those that it
/// scales together with them.
void checkWeights(const Process &process, std::vector<int64_t> weights,
                  const std::vector<int64_t> &next = {}) {
  size_t own = weights.size();
  weights.insert(weights.end(), next.begin(), next.end());
  if (std::all_of(weights.begin(), weights.end(),
                  [](int64_t w) { return w == 0; }))
    refuseNetx(process, "all weights are 0, which NetX cannot scale; leave the "
                        "layer out");
  NetxWeights scale = netxWeights(weights);
  if (scale.loss)
    refuseNetx(process, "weight {}{} would become {}; {}",
               weights[scale.loss->index],
               scale.loss->index < own ? "" : " of the recurrent part",
               scale.loss->becomes, kNetxWeightRule);
}

/// Adds the delays, with one axis less where every delay is the same.
void addDelays(LayerGroup &layer, const Process &process,
               const Synapse &synapse) {
  if (synapse.delays.empty())
    return;
  std::vector<int64_t> delays = synapse.delays;
  if (delays.size() > 1)
    delays = expanded(process, synapse.weights, delays);
  int64_t most = *std::max_element(delays.begin(), delays.end());
  if (most > kMaxDelay)
    refuseNetx(process, "a delay of {}, the format has at most {}", most,
               kMaxDelay);
  if (delays.size() == 1)
    layer.integers("delay", {}, delays);
  else
    layer.integers("delay", synapse.weights.dims, delays);
}

} // namespace

void addDense(LayerGroup &layer, const Process &process, Arrives arrives) {
  Synapse synapse = read(process, arrives);
  std::vector<int64_t> weights = effective(process, synapse);
  checkWeights(process, weights);
  addDelays(layer, process, synapse);
  layer.integers("weight", synapse.weights.dims, weights);
}

void addRecurrent(LayerGroup &layer, const Process &process,
                  const Process &recurrent, Arrives arrives, bool isGraded) {
  Synapse synapse = read(process, arrives);
  // NetX gives both processes the message bits of the layer before.
  bool isBinary = arrives != Arrives::Graded;
  Synapse back = read(recurrent, Arrives::Spikes);
  if (isGraded && back.binary != isBinary)
    refuseNetx(recurrent,
               "num_message_bits is {}, NetX sets that of the layer before",
               isBinary ? "above 0" : "0");
  if (!synapse.delays.empty() || !back.delays.empty())
    refuseNetx(recurrent, "delays in a recurrent layer, of which NetX loses "
                          "weight_exp; export --format lava carries them");
  std::vector<int64_t> weights = effective(process, synapse);
  std::vector<int64_t> backWeights = effective(recurrent, back);
  checkWeights(process, weights, backWeights);
  layer.integers("weight", synapse.weights.dims, weights);
  layer.integers("weight_rec", back.weights.dims, backWeights);
}

void addComplex(LayerGroup &layer, const Process &real, const Process &imag,
                Arrives arrives) {
  LayerGroup weight;
  for (bool isReal : {true, false}) {
    const Process &process = isReal ? real : imag;
    Synapse synapse = read(process, arrives);
    if (!synapse.delays.empty())
      refuseNetx(process,
                 "delays, which NetX ignores where weights are complex");
    std::vector<int64_t> weights = effective(process, synapse);
    checkWeights(process, weights);
    weight.integers(isReal ? "real" : "imag", synapse.weights.dims, weights);
  }
  layer.group("weight", weight.finish());
}

void addConv(LayerGroup &layer, const Process &process, Arrives arrives) {
  Synapse synapse = read(process, arrives);
  const dend::Window &window = *synapse.window;
  auto pair = [&](const char *key, int64_t vertical, int64_t horizontal) {
    layer.integers(key, {2}, {vertical, horizontal});
  };
  pair("stride", window.stride[0], window.stride[1]);
  pair("padding", window.padding[0], window.padding[1]);
  pair("dilation", window.dilation[0], window.dilation[1]);
  layer.integers("groups", {}, {window.groups});
  layer.integers("weight", synapse.weights.dims, synapse.weights.integers);
}

} // namespace dendrolith::lava
