// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint's numbers, checked and turned into the constants of a step.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_CHECKPOINT_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_CHECKPOINT_H

#include "compiler/import/npz/common/Archive.h"
#include "compiler/import/npz/common/MetaReader.h"
#include "runtime/host/Query.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::npz {

// What the meta of a checkpoint of MMDEND, LIF or baseline layers says about
// the network.

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

/// The constants of one branch, per step; times are in steps.
struct Branch {
  /// The diagonal form (MMDEND eq. 10) has K complex numbers in each, as (re,
  /// im).
  Values A, G, C;
  /// The cable form (eq. 7, 8) has K, K - 1, K - 1 and K numbers.
  Values diag, lower, upper, gamma;
  double dt = 0;
  double direct = 0;          ///< of the input, eq. 9
  int64_t first = 0, end = 0; ///< the channels that have it
};

/// A parameter of a baseline's neurons: its shape is that of one neuron, whose
/// values come one neuron after another if they differ. Complex numbers are
/// pairs.
struct NeuronConstant {
  std::string name;
  Shape shape;
  Values values;
  bool perNeuron = false, complex = false;
};

/// One layer of D neurons behind a dense projection.
struct Layer {
  int64_t channels = 0, inputs = 0;
  bool first = false;  ///< sees the input
  Values weight, bias; ///< (D, inputs), (D)
  /// Weights (D, D) from the layer's spikes in the same pass of the step
  /// before. Only LIF and ALIF layers have them, and they may be empty.
  Values recurrent;
  /// Baselines only, in the order of the model's parameters.
  std::vector<NeuronConstant> constants;
  /// MMDEND only.
  int64_t compartments = 0; ///< K
  bool cable = false;
  std::vector<Branch> branches;
  Values join;                                                ///< J: 1 / tau_j
  double beta = 0, alpha = 0, feed = 0, shift = 0, scale = 0; ///< eq. 15 to 17
};

struct Checkpoint {
  Meta meta;
  std::vector<Layer> layers;
  int64_t classes = 0;
  /// The read-out of the spikes summed over a step: (classes, D) and (classes).
  Values weight, bias;
  std::optional<Samples> examples; ///< of the input: x_ex

  /// Whether potentials start at 0 in each step, which then has meta.micro
  /// ticks. Only LIF and ALIF networks can be so.
  bool isVirtual() const {
    return meta.recurs() && meta.soma == Meta::Soma::Virtual;
  }
  int64_t ticks() const { return isVirtual() ? meta.micro : 1; } ///< per step
  /// Where a token of in-context regression has its flag and its label.
  std::optional<Query> query() const {
    if (!meta.features)
      return std::nullopt;
    return Query{uint64_t(*meta.features) + 1, uint64_t(*meta.features)};
  }
};

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_MMDEND_CHECKPOINT_H
