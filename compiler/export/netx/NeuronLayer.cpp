// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neuron processes as the group `neuron`.

#include "compiler/export/netx/NeuronLayer.h"

#include "compiler/lava/Kwargs.h"
#include "compiler/lava/NetxRules.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dendrolith::lava {

namespace {

constexpr Range kWord{std::numeric_limits<int32_t>::min(),
                      std::numeric_limits<int32_t>::max()};

class NeuronWriter {
public:
  NeuronWriter(const Process &process, bool isInput, bool isConv,
               uint64_t latency)
      : process(process), kwargs(process, "no NetX file"), isInput(isInput),
        isConv(isConv), latency(latency) {
    count = product(process.shape());
  }

  NeuronLayer write() {
    const std::string &name = process.lava_class();
    if (name == kLif)
      lif();
    else if (name == kSigma || name == kDelta || name == kSigmaDelta)
      sigmaDelta(name);
    else if (name == kRf || name == kRfIz)
      resonator(name == kRf);
    else
      refuseNetx(process,
                 "the format has LIF, Delta, Sigma, SigmaDelta, RF and "
                 "RF_IZ only; export --format lava carries it");
    kwargs.finish();
    layer.neuron = group.finish();
    return std::move(layer);
  }

private:
  void one(const char *key, int64_t value) { group.integers(key, {}, {value}); }

  int64_t threshold() {
    std::vector<int64_t> values =
        kwargs.integers("vth", 10, count, {0, kMostThreshold});
    for (int64_t value : values)
      if (value != values[0])
        refuseNetx(process,
                   "thresholds differ by neuron ({} and {}); the "
                   "format has one for the layer",
                   values[0], value);
    return values[0];
  }

  /// One, or of dense layers one per neuron.
  void decay(const char *key, const char *from, int64_t offset, Range range) {
    std::vector<int64_t> values = kwargs.integers(from, 0, count, range);
    for (int64_t &value : values)
      value += offset;
    bool isOne = std::all_of(values.begin(), values.end(),
                             [&](int64_t v) { return v == values[0]; });
    if (isOne)
      return one(key, values[0]);
    if (isConv || process.shape_size() != 1)
      refuseNetx(process,
                 "{} differs by neuron, which NetX takes for flat "
                 "layers only",
                 from);
    group.integers(key, {count}, values);
  }

  void startsAtZero(const char *key) {
    for (int64_t value : kwargs.integers(key, 0, count, kWord))
      if (value)
        refuseNetx(process, "{} starts at {}; in NetX every state starts at 0",
                   key, value);
  }

  void lif() {
    group.text("type", "CUBA", false);
    decay("iDecay", "du", 1, {-1, 4095});
    decay("vDecay", "dv", 0, {0, 4096});
    one("vThMant", threshold());
    one("refDelay", 1);
    one("gradedSpike", 0);
    startsAtZero("u");
    std::vector<int64_t> mantissa =
        kwargs.integers("bias_mant", 0, count, kWord);
    std::vector<int64_t> exponent =
        kwargs.integers("bias_exp", 0, count, {-31, 31});
    for (size_t i = 0; i < count; ++i) {
      int64_t m = mantissa[mantissa.size() > 1 ? i : 0];
      int64_t e = exponent[exponent.size() > 1 ? i : 0];
      double bias = e >= 0 ? std::ldexp(double(m), int(e)) : double(m >> -e);
      double value = bias / (1 << kBiasExponent);
      if (value != std::trunc(value) || std::fabs(value) > kWord.second)
        refuseNetx(process,
                   "the bias of neuron {} is {} * 2^{}, expected a "
                   "multiple of 64, which NetX shifts left by 6",
                   i, m, e);
      layer.bias.push_back(int64_t(value));
    }
    startOfV();
  }

  /// A potential that biases alone lead to 0 when the first input comes is what
  /// NetX's reset in that step leaves.
  void startOfV() {
    const std::vector<int64_t> start = kwargs.integers("v", 0, count, kWord),
                               decay = kwargs.integers("dv", 0, count, kWord);
    const int64_t most = threshold() * (1 << kBiasExponent);
    const auto of = [](const std::vector<int64_t> &all, size_t i) {
      return all[all.size() > 1 ? i : 0];
    };
    for (size_t i = 0; i < count; ++i) {
      const int64_t bias = layer.bias[i] * (1 << kBiasExponent);
      if (latency == 0 || bias == 0) {
        if (of(start, i))
          refuseNetx(process, "v starts at {}; in NetX every state starts at 0",
                     of(start, i));
        continue;
      }
      const auto begins = of(start, i) ? NeuronLayer::Begins::WithInput
                                       : NeuronLayer::Begins::AtOnce;
      if (layer.begins != NeuronLayer::Begins::Either && layer.begins != begins)
        refuseNetx(
            process,
            "biases of some of its neurons begin with the first input "
            "and of others at once; in NetX a layer is reset as a whole");
      layer.begins = begins;
      if (begins == NeuronLayer::Begins::AtOnce)
        continue;
      int64_t given = of(start, i), zero = 0; // what v becomes from either
      bool fires = false;
      for (uint64_t step = 0; step < latency; ++step) {
        given = leaked(given, of(decay, i)) + bias;
        zero = leaked(zero, of(decay, i)) + bias;
        fires |= zero > most;
      }
      if (given != 0)
        refuseNetx(process,
                   "v starts at {}, and the bias of neuron {} does not lead it "
                   "to 0 in the {} steps before its first input; in NetX every "
                   "state starts at 0",
                   of(start, i), i, latency);
      if (fires)
        refuseNetx(
            process,
            "the bias of neuron {} alone would make it fire in the {} "
            "steps before its first input, when NetX has yet to reset it",
            i, latency);
    }
  }

  static int64_t leaked(int64_t v, int64_t decay) {
    constexpr int64_t one = int64_t(1) << kDecayBits;
    const int64_t kept = std::abs(v) * (one - decay) >> kDecayBits;
    return v < 0 ? -kept : kept;
  }

  void sigmaDelta(const std::string &name) {
    layer.isGraded = true;
    if (isInput != (name == kDelta))
      refuseNetx(process, isInput ? "expected LIF or Delta after the input"
                                  : "NetX has Delta as the input layer only");
    group.text("type", "SDNN", false);
    group.text("activation", "relu", false);
    for (const char *key : {"t_interval", "t_offset"})
      if (name != kDelta)
        kwargs.only(key, 0);
    if (name == kSigma) {
      one("sigma_output", 1);
      one("vThMant", 0);
      return;
    }
    one("vThMant", threshold());
    expect("spike_exp", kSpikeExponent);
    expect("state_exp", kStateExponent);
    if (kwargs.flag("cum_error", false))
      refuseNetx(process, "cum_error is set, which NetX never does");
    if (name == kDelta)
      return;
    if (kwargs.member("act_mode", {"UNIT", "RELU"}).value_or(1) != 1)
      refuseNetx(process, "act_mode is UNIT, NetX builds RELU");
    layer.bias = kwargs.integers("bias", 0, count, kWord);
    layer.bias.resize(count, layer.bias[0]);
  }

  void expect(const char *key, int64_t wanted) {
    int64_t found = kwargs.integer(key, 0, {0, 63});
    if (found != wanted)
      refuseNetx(process, "{} is {}, NetX sets {}", key, found, wanted);
  }

  /// The loader cuts what comes back through floating point: with a half more,
  /// which it takes, the integers are certain.
  void resonator(bool isPhase) {
    layer.isComplex = true;
    group.text("type", isPhase ? "RF_PHASE" : "RF_IZHIKEVICH", false);
    one("vThMant", threshold());
    expect("state_exp", kStateExponent);
    expect("decay_bits", kDecayBits);
    Rotation wanted = rotationOf({kwargs.real("period", std::nullopt),
                                  kwargs.real("alpha", std::nullopt)});
    double sine = double(wanted.sine) + 0.5;
    double cosine = double(wanted.cosine) + (wanted.cosine < 0 ? -0.5 : 0.5);
    Resonance loaded = resonanceOf(sine, cosine);
    Rotation again = rotationOf(loaded);
    if (wanted.sine < 0 || loaded.alpha < 0 || again.sine != wanted.sine ||
        again.cosine != wanted.cosine)
      refuseNetx(process,
                 "no sinDecay and cosDecay load as {} and {}; export "
                 "--format lava carries them",
                 wanted.sine, wanted.cosine);
    group.real("sinDecay", sine);
    group.real("cosDecay", cosine);
  }

  const Process &process;
  Kwargs kwargs;
  bool isInput, isConv;
  uint64_t latency, count = 1;
  LayerGroup group;
  NeuronLayer layer;
};

} // namespace

NeuronLayer neuronLayer(const Process &process, bool isInput, bool isConv,
                        uint64_t latency) {
  return NeuronWriter(process, isInput, isConv, latency).write();
}

} // namespace dendrolith::lava
