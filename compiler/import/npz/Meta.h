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
  enum class Neuron { Mmdend, Lif };
  Neuron neuron = Neuron::Mmdend;
  std::optional<int64_t> layers;   ///< number of hidden layers, if it is said
  std::string activation = "relu"; ///< f, in the words of dend's activation
  double U = 4, Vth = 1;           ///< range and threshold of SSF; Vth | U
  double tau = 2;                  ///< LIF: time constant in steps, >= 1
  std::string decode = "mean";     ///< of logits over steps, or "last=n"
};

/// `place` begins every message. Throws neurite::Error.
Meta parseMeta(const std::string &text, const std::string &place);

} // namespace neurite::npz

#endif // NEURITE_COMPILER_IMPORT_NPZ_META_H
