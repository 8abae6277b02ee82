// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a user wants real weights to become integers.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEROPTIONS_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEROPTIONS_H

#include <string>

namespace dendrolith {

struct QuantiserOptions {
  /// How a step is found: by the largest weight ("max"), by all but one in a
  /// thousand ("percentile"), by the least squared error of the weights ("mse")
  /// or of the sums that neurons see ("search"). "auto": search where weights
  /// have few bits, else max.
  std::string method = "auto";
  /// "nearest" or "adaptive": with what earlier weights lost added to later.
  /// "auto": adaptive where `method` is auto, weights have few bits and there
  /// are samples, else nearest.
  std::string rounding = "auto";
  /// "neuron": fixed-function neurons may count in steps of their own, by their
  /// thresholds; "layer": none does.
  std::string thresholdScale = "neuron";
  /// Whether biases keep mean sums at those of the float network.
  bool correctBias = true;
  /// Whether ports of programs may count in other units than the model's file,
  /// such that powers of two suit their weights.
  bool rescaling = true;
  /// How many networks are compared by their answers to the calibration
  /// samples, of which the closest is taken: "one", "few" or "many" of those
  /// that the options above leave open. "auto" is many where `method` is
  /// search, and few where it is auto.
  std::string candidates = "auto";

  /// The same without "auto".
  QuantiserOptions settled(bool fewBits, bool samples) const {
    QuantiserOptions all = *this;
    if (rounding == "auto")
      all.rounding =
          method == "auto" && fewBits && samples ? "adaptive" : "nearest";
    if (method == "auto")
      all.method = fewBits ? "search" : "max";
    return all;
  }

  /// Whether --dend-quantise rounds alone.
  bool plain() const { return method == "max" && rounding == "nearest"; }
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEROPTIONS_H
