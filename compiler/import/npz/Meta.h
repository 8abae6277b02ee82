// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a checkpoint says about itself: the JSON text of its member `meta`.

#ifndef NEURITE_COMPILER_IMPORT_NPZ_META_H
#define NEURITE_COMPILER_IMPORT_NPZ_META_H

#include <cstdint>
#include <optional>
#include <string>

namespace neurite::npz {

struct Meta {
  enum class Neuron { Mmdend, Lif, Dendricl };
  enum class Soma { Virtual, Memoryless, Leaky };
  Neuron neuron = Neuron::Mmdend;
  std::optional<int64_t> layers;   ///< number of hidden layers, if it is said
  std::string activation = "relu"; ///< f, in the words of dend's activation
  double U = 4, Vth = 1;           ///< range and threshold of SSF; Vth | U
  double tau = 2;                  ///< LIF: time constant in passes, >= 1
  std::string decode = "mean";     ///< of logits over steps, or "last=n"
  /// For DendriCL, and for LIF, which is never memoryless, and leaky unless it
  /// says otherwise: `micro` passes per token of a soma whose potential starts
  /// at 0 in each token, one pass without a potential, or one pass with a
  /// potential that lives through the sample.
  Soma soma = Soma::Virtual;
  int64_t micro = 4;
  double decay = 0.75; ///< DendriCL: what a pass keeps of the potential
  /// For LIF: d of the token [x (d); y; flag] that the network sees, if the
  /// task is in-context regression.
  std::optional<int64_t> features;
  /// For DendriCL: whether the read-out adds Ry times the apical prediction.
  bool readsPrediction = false;
};

/// `place` begins every message; `otherwise` is the neuron if none is named.
/// Throws neurite::Error.
Meta parseMeta(const std::string &text, const std::string &place,
               Meta::Neuron otherwise);

} // namespace neurite::npz

#endif // NEURITE_COMPILER_IMPORT_NPZ_META_H
