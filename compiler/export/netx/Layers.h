// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one layer of a NetX file from a neuron process and its synapses.

#ifndef DENDROLITH_COMPILER_EXPORT_NETX_LAYERS_H
#define DENDROLITH_COMPILER_EXPORT_NETX_LAYERS_H

#include "compiler/import/hdf5/Tree.h"
#include "compiler/lava/lava.pb.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace dendrolith::lava {

/// A group under construction, whose members are put in order of their names at
/// the end.
class LayerGroup {
public:
  void text(const std::string &key, const std::string &value, bool isArray);
  void integers(const std::string &key, const std::vector<uint64_t> &shape,
                const std::vector<int64_t> &values);
  void real(const std::string &key, double value);
  void group(const std::string &key, hdf5::Node node);
  hdf5::Node finish();

private:
  void add(const std::string &key, hdf5::Node node);
  hdf5::Node node;
};

/// Gives a text such as "process 'relay' (TernaryLIF)", which opens every
/// refusal.
std::string processText(const Process &process);

template <typename... Args>
[[noreturn]] void refuseNetx(const Process &process,
                             fmt::format_string<Args...> text, Args &&...args) {
  throw Error("no NetX file: " + processText(process) + ": " +
              fmt::format(text, std::forward<Args>(args)...));
}

using Shape = std::vector<uint64_t>;

/// Turns Lava's (width, height, channel) into the file's (channel, height,
/// width).
std::vector<int64_t> fileShape(const Shape &shape);

/// What the layer's neuron is to NetX.
struct NeuronLayer {
  hdf5::Node neuron;         ///< the group "neuron"
  std::vector<int64_t> bias; ///< by neuron, Lava's order; empty: none
  bool isGraded = false;     ///< sends more than spikes
  bool isComplex = false;
};

/// Makes the layer's neuron. With `isInput` the host feeds it at a_in, where
/// SDNN means Delta.
NeuronLayer neuronLayer(const Process &process, bool isInput, bool isConv);

/// What arrives at a layer: 0 and 1, messages of graded neurons, or what the
/// host sends where no input neuron stands between, which NetX reads as 0
/// and 1.
enum class Arrives { Spikes, Graded, HostValues };

/// Each adds the weights of a layer's synapses, and what stands beside them, to
/// the layer's group. Recurrent synapses read the layer's own messages.
void addDense(LayerGroup &layer, const Process &synapse, Arrives arrives);
void addRecurrent(LayerGroup &layer, const Process &synapse,
                  const Process &recurrent, Arrives arrives, bool isGraded);
void addComplex(LayerGroup &layer, const Process &real, const Process &imag,
                Arrives arrives);
void addConv(LayerGroup &layer, const Process &synapse, Arrives arrives);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_NETX_LAYERS_H
