// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lava/Neurons.h"

#include "compiler/lava/Decay.h"
#include "compiler/lava/NetxRules.h"
#include "targets/support/Error.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace dendrolith::lava {

namespace {

using Values = std::vector<int64_t>;

constexpr int64_t kLow = std::numeric_limits<int32_t>::min();
constexpr int64_t kHigh = std::numeric_limits<int32_t>::max();
constexpr Range kWord{kLow, kHigh};
constexpr int64_t kHalfRange = int64_t(1) << 23;
constexpr int64_t kUnity = 4096;
constexpr Range kThreshold{kLow >> 6, kHigh >> 6};
constexpr int64_t kMostBias = int64_t(1) << 30;

template <typename Map> Values mapped(Values values, Map &&map) {
  for (int64_t &value : values)
    value = map(value);
  return values;
}

class ConstantsReader {
public:
  ConstantsReader(Kwargs &kwargs, const NeuronForm &form, uint64_t count)
      : kwargs(kwargs), form(form), count(count),
        name(className(form.lavaClass)) {}

  Constants read() {
    if (name == "LIF" || name == "LIFReset" || name == "TernaryLIF")
      lif();
    else if (name == "ATRLIF")
      atrlif();
    else if (name == "RF" || name == "RF_IZ")
      resonate();
    else if (name == "Delta" || name == "SigmaDelta")
      delta();
    else if (name == "Sigma")
      frozen();
    else
      graded();
    kwargs.finish();
    return std::move(out);
  }

private:
  Values bias() {
    Values mantissa = kwargs.integers("bias_mant", 0, count, {-32768, 32767});
    Values exponent = kwargs.integers("bias_exp", 0, count, {-31, 31});
    Values all(std::max(mantissa.size(), exponent.size()));
    for (size_t i = 0; i < all.size(); ++i) {
      int64_t m = mantissa[mantissa.size() > 1 ? i : 0];
      int64_t e = exponent[exponent.size() > 1 ? i : 0];
      all[i] = e >= 0 ? m * (int64_t(1) << e) : m >> -e;
      if (std::abs(all[i]) > kMostBias)
        kwargs.fail("bias_exp",
                    fmt::format("a bias of at most {} in size", kMostBias),
                    fmt::format("{} << {}", m, e));
    }
    return all;
  }

  void lif() {
    Values du = kwargs.integers("du", 0, count, {-1, kUnity - 1});
    Values dv = kwargs.integers("dv", 0, count, {0, kUnity});
    if (form.variant == "cuba") {
      out.parameters["decay_u"] = du;
      out.parameters["decay_v"] = dv;
    } else {
      out.parameters["keep_u"] =
          mapped(du, [](int64_t d) { return kUnity - 1 - d; });
      out.parameters["keep_v"] =
          mapped(dv, [](int64_t d) { return kUnity - d; });
    }
    out.parameters["bias"] = bias();
    if (form.variant == "image")
      kwargs.flag(kImageFlag, false);
    out.states["u"] = kwargs.integers("u", 0, count, kWord);
    out.states["v"] = kwargs.integers("v", 0, count, kWord);
    auto threshold = [&](const char *key, int64_t usual) {
      return mapped(kwargs.integers(key, usual, count, kThreshold),
                    [](int64_t value) { return value * 64; });
    };
    if (name == "TernaryLIF") {
      out.parameters["high"] = threshold("vth_hi", 10);
      out.parameters["low"] = threshold("vth_lo", -10);
      return;
    }
    out.parameters["threshold"] = threshold("vth", 10);
    if (name == "LIFReset") {
      int64_t interval = kwargs.integer("reset_interval", 1, {1, kHigh});
      int64_t offset = kwargs.integer("reset_offset", 0, {0, kHigh});
      out.parameters["interval"] = {interval};
      out.parameters["offset"] = {offset % interval};
      out.states["phase"] = {1 % interval};
    }
  }

  double decayOf(const char *key, double usual) {
    double delta = kwargs.real(key, usual);
    if (delta < 0 || delta > 1)
      kwargs.fail(key, "0 to 1", fmt::format("{}", delta));
    return delta;
  }

  void atrlif() {
    double delta = decayOf("delta_i", 0.4);
    Decay decay = proveDecay(delta);
    if (!decay.constant)
      throw KeywordError(fmt::format(
          "{}: a decay of {} is not bit-exact in integers: no constant gives "
          "Lava's rounded product i * {} for all currents up to i = {}; "
          "compiler/import/lava/README.md lists decays that have one",
          kwargs.name("delta_i"), delta, kUnity - (delta * kUnity + 1),
          decay.firstDifferent));
    out.parameters["keep_i"] = {decay.high()};
    out.parameters["keep_i_low"] = {decay.low()};
    auto whole = [&](const char *key, double usual) {
      return Values{int64_t(double(kUnity) - decayOf(key, usual) * kUnity)};
    };
    out.parameters["keep_v"] = whole("delta_v", 0.4);
    out.parameters["keep_theta"] = whole("delta_theta", 0.2);
    out.parameters["keep_r"] = whole("delta_r", 0.2);
    out.parameters["theta_0"] = scaled("theta_0", 5, 64);
    out.parameters["theta_step"] = scaled("theta_step", 3.75, 64);
    out.parameters["bias"] = bias();
    out.states["i"] =
        kwargs.integers("i", 0, count, {1 - kHalfRange, kHalfRange});
    for (const char *state : {"v", "r"})
      out.states[state] = kwargs.integers(state, 0, count, kWord);
    // Lava forgets both before its first step.
    kwargs.reals("theta", 5, count);
    kwargs.reals("s", 0, count);
    out.states["theta"] = out.parameters["theta_0"];
  }

  /// Towards zero, as NumPy's cast to int32 does.
  Values scaled(const char *key, std::optional<double> usual, double factor) {
    Values all;
    for (double value : kwargs.reals(key, usual, count)) {
      double product = value * factor;
      if (std::fabs(product) > double(kHigh))
        kwargs.fail(key, fmt::format("at most {} in size", kHigh / factor),
                    fmt::format("{}", value));
      all.push_back(int64_t(product));
    }
    return all;
  }

  void resonate() {
    double period = kwargs.real("period", std::nullopt);
    double alpha = kwargs.real("alpha", std::nullopt);
    int64_t bits = kwargs.integer("decay_bits", 0, {0, 30});
    int64_t exponent = kwargs.integer("state_exp", 0, {0, 30});
    if (alpha < 0 || alpha > 1)
      kwargs.fail("alpha", "0 to 1", fmt::format("{}", alpha));
    const double pi = 3.14159265358979323846;
    double turn = pi * 2 * 1 / period, one = double(int64_t(1) << bits);
    if (!std::isfinite(turn))
      kwargs.fail("period", "a number other than 0 with a finite frequency",
                  fmt::format("{}", period));
    out.parameters["sin"] = {int64_t((1 - alpha) * std::sin(turn) * one)};
    out.parameters["cos"] = {int64_t((1 - alpha) * std::cos(turn) * one)};
    out.parameters["decay_shift"] = {-bits};
    out.parameters["state_shift"] = {exponent};
    out.parameters["threshold"] =
        scaled("vth", 1, double(int64_t(1) << exponent));
  }

  void frozen() {
    kwargs.only("t_interval", 0);
    kwargs.only("t_offset", 0);
  }

  void delta() {
    int64_t spike = kwargs.integer("spike_exp", 0, {0, 15});
    int64_t state = kwargs.integer("state_exp", 0, {0, 15});
    double one = double(int64_t(1) << (spike + state));
    out.parameters["threshold"] = scaled("vth", std::nullopt, one);
    out.parameters["out_shift"] = {-state};
    kwargs.flag("cum_error", false);
    if (name == "Delta") {
      out.parameters["in_shift"] = {spike + state};
      return;
    }
    out.parameters["bias"] = scaled("bias", 0, one);
    frozen();
  }

  void graded() {
    out.parameters["threshold"] = kwargs.integers("vth", 1, count, kWord);
    int64_t exponent = kwargs.integer("exp", 0, {0, 31});
    if (name == "ProdNeuron")
      out.parameters["shift"] = {-exponent};
  }

  Kwargs &kwargs;
  const NeuronForm &form;
  uint64_t count;
  std::string name;
  Constants out;
};

} // namespace

std::string readVariant(Kwargs &kwargs, const std::string &lavaClass) {
  std::string name = className(lavaClass);
  if (name == "LIF" || name == "LIFReset")
    if (kwargs.flag(kImageFlag, false))
      return "image";
  if (name == "LIF")
    return "plain";
  if (name != "Delta" && name != "SigmaDelta")
    return "";
  bool sums = kwargs.flag("cum_error", false);
  if (name == "Delta")
    return sums ? "cum_error" : "";
  bool relu = kwargs.member("act_mode", {"UNIT", "RELU"}).value_or(1) == 1;
  return std::string(relu ? "relu" : "unit") + (sums ? " cum_error" : "");
}

Constants readConstants(Kwargs &kwargs, const NeuronForm &form,
                        uint64_t neurons) {
  return ConstantsReader(kwargs, form, neurons).read();
}

bool startsLikeCuba(Kwargs &kwargs, uint64_t neurons) {
  for (const char *state : {"u", "v"})
    for (int64_t value : kwargs.integers(state, 0, neurons, kWord))
      if (value <= -kHalfRange || value > kHalfRange)
        return false;
  return true;
}

} // namespace dendrolith::lava
