// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the meta of a checkpoint of MMDEND, LIF or baseline layers says about
// the network.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_META_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_META_H

#include "compiler/import/npz/common/MetaReader.h"

namespace dendrolith::npz {

struct Meta {
  /// From Plif on: the baselines of Baseline.h.
  enum class Neuron {
    Mmdend,
    Lif,
    Plif,
    Klif,
    Glif,
    Psn,
    MaskedPsn,
    SlidingPsn,
    Pmsn,
    Alif
  };
  enum class Soma { Leaky, Virtual };
  Neuron neuron = Neuron::Mmdend;
  bool isBaseline() const { return neuron >= Neuron::Plif; }
  /// Whether layers may see their own spikes and make several passes per step.
  bool recurs() const {
    return neuron == Neuron::Lif || neuron == Neuron::Alif;
  }
  std::optional<int64_t> layers;   ///< number of hidden layers, if it is said
  std::string activation = "relu"; ///< f, in the words of dend's activation
  double U = 4, Vth = 1;           ///< range and threshold of SSF; Vth | U
  double tau = 2;                  ///< LIF, ALIF: time constant in passes, >= 1
  std::string decode = "mean";     ///< of logits over steps, or "last=n"
  /// For LIF and ALIF: one pass per step with a potential that lives through
  /// the sample, or `micro` passes per step, whose potential starts at 0 in
  /// each step.
  Soma soma = Soma::Leaky;
  int64_t micro = 4;
  /// For LIF and ALIF: d of the token [x (d); y; flag] that the network sees,
  /// if the task is in-context regression.
  std::optional<int64_t> features;
};

/// Throws dendrolith::Error.
Meta readMeta(const MetaReader &reader, Meta::Neuron neuron);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_META_H
