// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reading and writing NetX files share: the classes and constants that
// lava.lib.dl.netx has in its code, not in the file.
//
// lava-dl, whose NetX this is: https://github.com/lava-nc/lava-dl

#ifndef DENDROLITH_COMPILER_LAVA_NETX_H
#define DENDROLITH_COMPILER_LAVA_NETX_H

#include <cstdint>

namespace dendrolith::lava {

constexpr const char *kLif = "lava.proc.lif.process.LIF";
constexpr const char *kRf = "lava.proc.rf.process.RF";
constexpr const char *kRfIz = "lava.proc.rf_iz.process.RF_IZ";
constexpr const char *kDelta = "lava.proc.sdn.process.Delta";
constexpr const char *kSigma = "lava.proc.sdn.process.Sigma";
constexpr const char *kSigmaDelta = "lava.proc.sdn.process.SigmaDelta";
constexpr const char *kDense = "lava.proc.dense.process.Dense";
constexpr const char *kDelayDense = "lava.proc.dense.process.DelayDense";
constexpr const char *kConv = "lava.proc.conv.process.Conv";

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

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_NETX_H
