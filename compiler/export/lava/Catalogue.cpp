// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/Catalogue.h"

#include "compiler/lava/NetxRules.h"
#include "compiler/lava/Tensors.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::lava {
namespace {

using Values = std::vector<int64_t>;

constexpr int64_t kUnity = 4096;
constexpr int64_t kMantissa = (int64_t(1) << 12) - 1;
constexpr double kPi = 3.14159265358979323846;

bool fitMantissas(const Values &bias, int64_t exponent, Values &mantissas) {
  int64_t unit = int64_t(1) << exponent;
  for (size_t i = 0; i < bias.size(); ++i) {
    if (bias[i] % unit != 0 || std::abs(bias[i] / unit) > kMantissa)
      return false;
    mantissas[i] = bias[i] / unit;
  }
  return true;
}

class KwargsWriter {
public:
  KwargsWriter(Process &process, const Dims &shape, const NeuronForm &form,
               const Constants &from)
      : process(process), shape(shape), form(form), from(from),
        name(className(form.lavaClass)) {}

  bool write() {
    if (name == "LIF" || name == "LIFReset" || name == "TernaryLIF")
      return lif();
    if (name == "ATRLIF")
      return atrlif();
    if (name == "RF" || name == "RF_IZ")
      return resonate();
    if (name == "Delta" || name == "SigmaDelta")
      return delta();
    if (name != "Sigma") {
      numbers("vth", at("threshold"));
      setInteger(process, "exp", name == "ProdNeuron" ? -one("shift") : 0);
    }
    return true;
  }

private:
  const Values &at(const char *parameter) const {
    return from.parameters.at(parameter);
  }
  int64_t one(const char *parameter) const { return at(parameter).front(); }
  void numbers(const char *key, const Values &values) {
    setNumbers(process, key, shape, values);
  }
  void real(const char *key, double value) {
    (*process.mutable_kwargs())[key] = realValue(value);
  }
  /// value(x) of each number, as it is stored.
  template <typename Map>
  void mapped(const char *key, const char *parameter, Map map) {
    Values values = at(parameter);
    for (int64_t &value : values)
      value = map(value);
    numbers(key, values);
  }
  void initial(std::initializer_list<const char *> states) {
    for (const char *state : states) {
      auto found = from.states.find(state);
      if (found != from.states.end() && !isZero(found->second))
        numbers(state, found->second);
    }
  }

  bool lif() {
    mapped("du", "keep_u", [](int64_t k) { return kUnity - 1 - k; });
    mapped("dv", "keep_v", [](int64_t k) { return kUnity - k; });
    auto mantissa = [](int64_t threshold) { return threshold / 64; };
    if (name == "TernaryLIF") {
      mapped("vth_hi", "high", mantissa);
      mapped("vth_lo", "low", mantissa);
    } else {
      mapped("vth", "threshold", mantissa);
    }
    if (name == "LIFReset") {
      setInteger(process, "reset_interval", one("interval"));
      setInteger(process, "reset_offset", one("offset"));
    }
    initial({"u", "v"});
    return setBias(process, shape, at("bias"));
  }

  bool atrlif() {
    double kept = std::ldexp(double(one("keep_i")), -26);
    real("delta_i", (double(kUnity) - 1 - kept) / double(kUnity));
    for (const char *state : {"v", "theta", "r"}) {
      std::string keep = std::string("keep_") + state;
      real((std::string("delta_") + state).c_str(),
           double(kUnity - one(keep.c_str())) / double(kUnity));
    }
    real("theta_0", double(one("theta_0")) / 64);
    real("theta_step", double(one("theta_step")) / 64);
    initial({"i", "v", "r"});
    return setBias(process, shape, at("bias"));
  }

  /// The constructor cuts sine and cosine toward zero: aim between integers.
  bool resonate() {
    int64_t sine = one("sin"), cosine = one("cos");
    int bits = int(-one("decay_shift"));
    setInteger(process, "decay_bits", bits);
    setInteger(process, "state_exp", one("state_shift"));
    real("vth", std::ldexp(double(one("threshold")), -int(one("state_shift"))));
    double size = std::ldexp(1.0, bits);
    for (double aim : {0.5, 0.25, 1e-2, 1e-4, 1e-6, 0.0}) {
      auto away = [&](int64_t x) {
        return double(x) + (x > 0 ? aim : x < 0 ? -aim : 0.0);
      };
      double angle = std::atan2(away(sine), away(cosine));
      double alpha = 1 - std::hypot(away(sine), away(cosine)) / size;
      double period = angle == 0 ? 1e300 : 2 * kPi / angle;
      double turn = kPi * 2 * 1 / period;
      if (alpha < 0 || alpha > 1 ||
          int64_t((1 - alpha) * std::sin(turn) * size) != sine ||
          int64_t((1 - alpha) * std::cos(turn) * size) != cosine)
        continue;
      real("period", period);
      real("alpha", alpha);
      return true;
    }
    return false;
  }

  bool divisible(const char *parameter, int64_t bits) const {
    return std::all_of(
        at(parameter).begin(), at(parameter).end(),
        [&](int64_t x) { return x % (int64_t(1) << bits) == 0; });
  }

  bool delta() {
    int64_t state = -one("out_shift"), spike = 0;
    if (name == "Delta")
      spike = one("in_shift") - state;
    else if (divisible("threshold", state + kSpikeExponent) &&
             divisible("bias", state + kSpikeExponent))
      spike = kSpikeExponent; // free here: as in NetX
    int64_t shift = spike + state, unit = int64_t(1) << shift;
    auto scaled = [&](const char *key, const char *parameter) {
      if (divisible(parameter, shift))
        mapped(key, parameter, [&](int64_t x) { return x / unit; });
      else if (at(parameter).size() == 1)
        real(key, std::ldexp(double(one(parameter)), -int(shift)));
      else
        return false;
      return true;
    };
    bool fits = scaled("vth", "threshold");
    setInteger(process, "spike_exp", spike);
    setInteger(process, "state_exp", state);
    bool sums = form.variant.find("cum_error") != std::string::npos;
    (*process.mutable_kwargs())["cum_error"].set_flag(sums);
    if (name == "SigmaDelta") {
      fits = scaled("bias", "bias") && fits;
      setText(process, "act_mode",
              form.variant.rfind("relu", 0) == 0 ? "RELU" : "UNIT");
    }
    return fits;
  }

  Process &process;
  const Dims &shape;
  const NeuronForm &form;
  const Constants &from;
  std::string name;
};

/// Equal numbers, one of them perhaps standing for all neurons.
bool same(const Values &a, const Values &b) {
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (a[a.size() == 1 ? 0 : i] != b[b.size() == 1 ? 0 : i])
      return false;
  return true;
}

/// Whether the importer finds the same constants again. Keywords that it
/// refuses are an answer, too: the class has none for these constants.
bool readsBack(const Process &process, const NeuronForm &form,
               const Dims &shape, const Constants &wanted) {
  try {
    Kwargs kwargs(process, "");
    readVariant(kwargs, form.lavaClass);
    Constants found = readConstants(kwargs, form, product(shape));
    for (const auto &[key, values] : wanted.parameters)
      if (!found.parameters.count(key) ||
          !same(values, found.parameters.at(key)))
        return false;
    for (const auto &[key, values] : wanted.states) {
      auto state = found.states.find(key);
      if (state == found.states.end() ? !isZero(values)
                                      : !same(values, state->second))
        return false;
    }
    return true;
  } catch (const KeywordError &) {
    return false;
  }
}

} // namespace

bool isZero(const std::vector<int64_t> &values) {
  return std::all_of(values.begin(), values.end(),
                     [](int64_t value) { return value == 0; });
}

bool setBias(Process &process, const Dims &shape, const Values &bias) {
  Values mantissas = bias, exponents(bias.size(), 0);
  // One exponent for all, if possible NetX's.
  for (int64_t exponent : {int64_t(kBiasExponent), int64_t(0)})
    if (fitMantissas(bias, exponent, mantissas)) {
      setNumbers(process, "bias_mant", shape, mantissas);
      setInteger(process, "bias_exp", exponent);
      return true;
    }
  mantissas = bias;
  for (size_t i = 0; i < bias.size(); ++i)
    while (std::abs(mantissas[i]) > kMantissa) {
      if (mantissas[i] % 2 != 0)
        return false;
      mantissas[i] /= 2;
      ++exponents[i];
    }
  setNumbers(process, "bias_mant", shape, mantissas);
  setNumbers(process, "bias_exp", shape, exponents);
  return true;
}

std::optional<Process> asClass(const std::string &name, const Dims &shape,
                               const NeuronForm &form,
                               const Constants &constants, std::string &why) {
  Process process;
  process.set_name(name);
  process.set_lava_class(form.lavaClass);
  process.mutable_shape()->Assign(shape.begin(), shape.end());
  if (KwargsWriter(process, shape, form, constants).write() &&
      readsBack(process, form, shape, constants))
    return process;
  why = "no arguments of " + form.lavaClass + " give its constants";
  return std::nullopt;
}

} // namespace dendrolith::lava
