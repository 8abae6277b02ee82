// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of lava.lib.dl.netx that stand in its code and not in its files:
// classes, constants, and what it makes of weights. It shifts the weights of a
// dense layer left to fill 8 bits, counts the bits that are left, and hands
// them to Lava's Dense, which cuts them to that count. Some weights change on
// the way.
//
// lava-dl, whose NetX this is: https://github.com/lava-nc/lava-dl

#ifndef DENDROLITH_COMPILER_LAVA_NETXRULES_H
#define DENDROLITH_COMPILER_LAVA_NETXRULES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dendrolith::lava {

constexpr const char *kLif = "lava.proc.lif.process.LIF";
constexpr const char *kLifReset = "lava.proc.lif.process.LIFReset";
constexpr const char *kRf = "lava.proc.rf.process.RF";
constexpr const char *kRfIz = "lava.proc.rf_iz.process.RF_IZ";
constexpr const char *kDelta = "lava.proc.sdn.process.Delta";
constexpr const char *kSigma = "lava.proc.sdn.process.Sigma";
constexpr const char *kSigmaDelta = "lava.proc.sdn.process.SigmaDelta";
constexpr const char *kDense = "lava.proc.dense.process.Dense";
constexpr const char *kDelayDense = "lava.proc.dense.process.DelayDense";
constexpr const char *kConv = "lava.proc.conv.process.Conv";

/// A keyword of our own beside those of LIF and LIFReset: messages add to the
/// mantissas of the biases, for the rest of the sample, and to nothing else.
constexpr const char *kImageFlag = "input_is_bias";

constexpr int kBiasExponent = 6, kStateExponent = 6, kSpikeExponent = 6,
              kDecayBits = 12, kMaxDelay = 62;
constexpr unsigned kSigmaDeltaBits = 16;   ///< of SDNN messages
constexpr int64_t kMostThreshold = 131072; ///< mantissa; never reached

/// A resonator's decay by step as its constructor takes it: 1 - alpha is the
/// size, 2 pi / period the angle.
struct Resonance {
  double period, alpha;
};

/// Computes the decay from sine and cosine parts times 2^12, as NetX does.
Resonance resonanceOf(double sine, double cosine);

/// The integers that the constructor makes of the decay again, cut toward zero.
/// A sine or cosine that was an integer may lose one on the way. That depends
/// on the last bit of the machine's sine, which libm and NumPy's vector code
/// round differently.
struct Rotation {
  int64_t sine, cosine;
  bool isCertain; ///< neither is so close to an integer
};
Rotation rotationOf(const Resonance &resonance);

struct NetxWeights {
  unsigned shift = 0; ///< stored << shift, with weight_exp = -shift
  unsigned bits = 8;  ///< num_weight_bits
  /// The first weight that would change, and what it would become. If there is
  /// one, the rest means nothing.
  struct Loss {
    size_t index;
    double becomes;
  };
  std::optional<Loss> loss;
};

/// Computes what NetX makes of the weights, which must not all be zero, because
/// NetX cannot scale those.
NetxWeights netxWeights(const std::vector<int64_t> &weights);

/// Says in messages what NetX keeps.
constexpr const char *kNetxWeightRule =
    "NetX keeps even weights from -256 to 254 and any from -128 to 127 where "
    "both signs occur, 0 to 255 where none is negative, and -255 to 0 without "
    "a power of two as the least where none is positive";

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_NETXRULES_H
