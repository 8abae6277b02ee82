// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/mmdend/ReadCheckpoint.h"

#include "compiler/import/common/Findings.h"
#include "compiler/import/npz/mmdend/Baseline.h"
#include "compiler/import/npz/mmdend/Branches.h"
#include "dialects/dend/ZeroOrderHold.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace dendrolith::npz {
namespace {

/// A projection (targets, sources) whose sources are known unless 0.
const Array &projection(Archive &archive, const std::string &key,
                        uint64_t sources) {
  const Array &weight = archive.array(key, 2);
  if (sources && weight.shape[1] != sources)
    throw Error(fmt::format("{}expected {} columns, one per channel of the "
                            "layer before, found shape {}",
                            archive.place(key), sources,
                            shapeText(weight.shape)));
  return weight;
}

Layer readLayer(Archive &archive, const Meta &meta, size_t l,
                uint64_t sources) {
  std::string weight = fmt::format("W{}", l), bias = fmt::format("b{}", l);
  const Array &W = projection(archive, weight, sources);
  Layer layer;
  layer.first = l == 0;
  layer.channels = int64_t(W.shape[0]);
  layer.inputs = int64_t(W.shape[1]);
  layer.weight = flat(W);
  layer.bias = archive.reals(bias, {W.shape[0]}, "one per row of " + weight);
  std::string recurrent = fmt::format("V{}", l);
  if (meta.neuron == Meta::Neuron::Mmdend)
    readDendrite(archive, l, layer);
  else if (meta.isBaseline())
    readBaseline(archive, meta, l, layer);
  if (meta.recurs() && archive.has(recurrent)) {
    // The input's current is held for a step, spikes are not.
    if (l == 0 && meta.micro > 1)
      throw Error(fmt::format("{}expected no recurrent weights in the layer "
                              "that sees the input, as it makes {} micro steps "
                              "per token; found V0: recur from layer 1 on",
                              archive.place(recurrent), meta.micro));
    layer.recurrent =
        archive.reals(recurrent, {W.shape[0], W.shape[0]},
                      "the layer's own spikes of the step before");
  }
  return layer;
}

/// The weights and biases of the read-out.
void readAnswer(Archive &archive, uint64_t sources, Checkpoint &checkpoint) {
  const Array &W = projection(archive, "Wout", sources);
  checkpoint.classes = int64_t(W.shape[0]);
  checkpoint.weight = flat(W);
  for (double &weight : checkpoint.weight)
    weight /= double(checkpoint.ticks());
  checkpoint.bias = archive.reals("bout", {W.shape[0]}, "one per row of Wout");
}

} // namespace

Checkpoint readCheckpoint(Archive &archive, const Meta &meta) {
  Checkpoint checkpoint;
  checkpoint.meta = meta;
  size_t count = 1; // without W0 the reader of layer 0 says what is missing
  while (archive.has(fmt::format("W{}", count)))
    ++count;
  if (checkpoint.meta.layers && size_t(*checkpoint.meta.layers) < count)
    throw Error(fmt::format("{}\"layers\": expected {}, one per W0, W1, ..., "
                            "found {}",
                            archive.place("meta"), count,
                            *checkpoint.meta.layers));
  if (checkpoint.meta.layers)
    count = size_t(*checkpoint.meta.layers);
  Collector faults;
  uint64_t sources = 0; // unknown behind a layer that cannot be read
  for (size_t l = 0; l < count; ++l) {
    const bool isRead = faults.attempt([&] {
      checkpoint.layers.push_back(
          readLayer(archive, checkpoint.meta, l, sources));
    });
    sources = isRead ? uint64_t(checkpoint.layers.back().channels) : 0;
  }
  faults.attempt([&] { readAnswer(archive, sources, checkpoint); });
  faults.raise();
  int64_t inputs = checkpoint.layers.front().inputs;
  if (meta.features && *meta.features + 2 != inputs)
    throw Error(fmt::format("{}\"d\": expected {}, as W0 has {} columns for [x "
                            "(d); y; flag], found {}",
                            archive.place("meta"), inputs - 2, inputs,
                            *meta.features));
  if (archive.has("x_ex")) {
    checkpoint.examples = archive.samples("x_ex", inputs);
    if (auto query = checkpoint.query())
      maskQueries(*checkpoint.examples, *query, archive.where("x_ex"));
  }
  return checkpoint;
}

namespace {

using Complex = std::complex<double>;

constexpr double kLargestReal = std::numeric_limits<double>::max();

class BaselineReader {
public:
  BaselineReader(Archive &archive, const Meta &meta, size_t l, Layer &layer)
      : archive(archive), meta(meta), suffix(std::to_string(l)), layer(layer) {}

  void run() {
    switch (meta.neuron) {
    case Meta::Neuron::Plif:
      return readPlif();
    case Meta::Neuron::Klif:
      return readKlif();
    case Meta::Neuron::Glif:
      return readGlif();
    case Meta::Neuron::Psn:
    case Meta::Neuron::MaskedPsn:
      return readRows();
    case Meta::Neuron::SlidingPsn:
      return readTaps();
    case Meta::Neuron::Pmsn:
      return readModes();
    default:
      return readAlif();
    }
  }

private:
  /// One number for the layer or one per channel.
  struct Each {
    Values values;
    bool perNeuron = false;
    double operator[](size_t n) const { return values[perNeuron ? n : 0]; }
  };

  std::string key(const char *name) const { return name + suffix; }
  std::string place(const char *name) const { return archive.place(key(name)); }
  uint64_t channels() const { return uint64_t(layer.channels); }

  Each each(const char *name, double least, double most, const char *expected) {
    Each found;
    found.perNeuron = archive.rank(key(name)) == 1;
    found.values =
        archive.reals(key(name), found.perNeuron ? Shape{channels()} : Shape{},
                      "one number, or one per channel");
    for (double value : found.values)
      if (!(value >= least && value <= most))
        throw Error(fmt::format("{}expected {}, found {}", place(name),
                                expected, value));
    return found;
  }
  Each timeConstant(const char *name) {
    return each(name, 1, kLargestReal, "a time constant of at least one step");
  }
  Each fraction(const char *name) {
    return each(name, 0, 1, "numbers from 0 to 1");
  }

  void constant(const char *name, Shape shape, Values values) {
    layer.constants.push_back(
        {name, std::move(shape), std::move(values), false, false});
  }
  void scalar(const char *name, double value) { constant(name, {}, {value}); }
  /// A parameter that `of` gives for each channel, from numbers that differ
  /// between channels or do not.
  template <typename Of>
  void derived(const char *name, std::initializer_list<const Each *> from,
               Of of) {
    bool perNeuron = std::any_of(from.begin(), from.end(),
                                 [](const Each *e) { return e->perNeuron; });
    Values values;
    for (size_t n = 0; n < (perNeuron ? channels() : 1); ++n)
      values.push_back(of(n));
    layer.constants.push_back({name, {}, std::move(values), perNeuron, false});
  }

  // h = (1 - 1/tau) v + I/tau;  s = [h > 1];  v = h (1 - s)
  void readPlif() {
    Each tau = timeConstant("tau");
    derived("keep", {&tau}, [&](size_t n) { return 1 - 1 / tau[n]; });
    derived("gain", {&tau}, [&](size_t n) { return 1 / tau[n]; });
    scalar("theta", 1);
  }

  // f = max(k h, 0) with the h of above;  s = [f > 1];  v = f (1 - s)
  void readKlif() {
    Each tau = timeConstant("tau"),
         k = each("k", -kLargestReal, kLargestReal, "a finite number");
    derived("keep", {&tau, &k},
            [&](size_t n) { return k[n] * (1 - 1 / tau[n]); });
    derived("gain", {&tau, &k}, [&](size_t n) { return k[n] / tau[n]; });
    scalar("theta", 1);
  }

  // u = (1 - alpha (1 - keep)) u (1 - gamma s) - (1 - alpha) leak
  //     + (1 - beta (1 - conduct)) I - (1 - gamma) reset s
  void readGlif() {
    Each alpha = fraction("alpha"), beta = fraction("beta"),
         gamma = fraction("gamma"), keep = fraction("keep"),
         leak = fraction("leak"), reset = fraction("reset"),
         conduct = fraction("conduct");
    auto kept = [&](size_t n) { return 1 - alpha[n] * (1 - keep[n]); };
    derived("keep", {&alpha, &keep}, kept);
    derived("stay", {&alpha, &keep, &gamma},
            [&](size_t n) { return kept(n) * (1 - gamma[n]); });
    derived("drop", {&gamma, &reset},
            [&](size_t n) { return (1 - gamma[n]) * reset[n]; });
    derived("gain", {&beta, &conduct},
            [&](size_t n) { return 1 - beta[n] * (1 - conduct[n]); });
    derived("leak", {&alpha, &leak},
            [&](size_t n) { return (1 - alpha[n]) * leak[n]; });
    Each theta = threshold();
    derived("theta", {&theta}, [&](size_t n) { return theta[n]; });
  }

  Each threshold() {
    return each("theta", std::numeric_limits<double>::min(), kLargestReal,
                "a threshold above 0");
  }

  // H[t] = sum over q of w[t, q] I[q];  s[t] = [H[t] >= theta[t]]
  void readRows() {
    const Array &w = archive.array(key("w"), 2);
    uint64_t steps = w.shape[0], order = 1;
    if (w.shape[1] != steps)
      throw Error(
          fmt::format("{}expected one row and one column per step, found "
                      "shape {}",
                      place("w"), shapeText(w.shape)));
    for (uint64_t t = 0; t < steps; ++t)
      for (uint64_t q = 0; q < steps; ++q)
        if (double value = w.value(t * steps + q); value != 0 && q > t)
          refuseFuture(t, q, value);
        else if (value != 0)
          order = std::max(order, t - q + 1);
    // Row t holds the weights of the newest input, of the one before, ...
    Values rows(steps * order, 0.0);
    for (uint64_t t = 0; t < steps; ++t)
      for (uint64_t age = 0; age < std::min(order, t + 1); ++age)
        rows[t * order + age] = w.value(t * steps + t - age);
    constant("w", {steps, order}, std::move(rows));
    constant("theta", {steps},
             archive.reals(key("theta"), {steps}, "one per row of w"));
  }

  [[noreturn]] void refuseFuture(uint64_t t, uint64_t q, double value) {
    throw Error(fmt::format(
        "{}expected neurons that see the past only, found weight {} of the "
        "input "
        "of step {} at step {}: a parallel spiking neuron that is not masked "
        "needs inputs that are still to come, so neither a chip nor an engine "
        "that runs step by step can compute it; train a masked_psn or a "
        "sliding_psn (models/mmdend/reference.py runs this one)",
        place("w"), value, q, t));
  }

  // H[t] = sum over i of w[i] I[t - i];  s[t] = [H[t] >= theta]
  void readTaps() {
    const Array &w = archive.array(key("w"), 1);
    constant("w", w.shape, flat(w));
    scalar("theta", archive.real(key("theta")));
  }

  // V' = A V + I with the input's gain in C, and theta 1.
  void readModes() {
    uint64_t D = channels(), K = archive.array(key("lam_re"), 2).shape[1];
    std::string why = fmt::format("D = {}, K = {}", D, K);
    auto reals = [&](const char *name, const Shape &shape) {
      return archive.reals(key(name), shape, why);
    };
    Values re = reals("lam_re", {D, K}), im = reals("lam_im", {D, K}),
           dt = reals("dt", {D}), B = reals("B", {D, K, 2}),
           C = reals("C", {D, K, 2}), direct = reals("go", {D});
    Each theta = threshold();
    Values A(2 * D * K), weight(2 * D * K);
    for (uint64_t i = 0; i < D * K; ++i) {
      uint64_t n = i / K;
      if (!(dt[n] > 0))
        throw Error(fmt::format("{}expected numbers above 0, found {} for "
                                "channel {}",
                                place("dt"), dt[n], n));
      Complex lambda(re[i], im[i]), a = std::exp(lambda * dt[n]);
      if (!(std::abs(a) < 1))
        throw Error(
            fmt::format("{}channel {}, mode {}: expected |exp(lambda dt)| "
                        "below 1, found {}: the mode does not decay",
                        place("lam_re"), n, i % K, std::abs(a)));
      Complex gain = dend::holdGain(lambda, dt[n]) *
                     Complex(B[2 * i], B[2 * i + 1]) *
                     Complex(C[2 * i], C[2 * i + 1]) / theta[n];
      A[2 * i] = a.real(), A[2 * i + 1] = a.imag();
      weight[2 * i] = gain.real(), weight[2 * i + 1] = gain.imag();
    }
    layer.constants.push_back({"A", {K}, std::move(A), true, true});
    layer.constants.push_back({"C", {K}, std::move(weight), true, true});
    for (uint64_t n = 0; n < D; ++n)
      direct[n] /= theta[n];
    layer.constants.push_back({"go", {}, std::move(direct), true, false});
  }

  // h = (1 - 1/tau) v + I/tau;  s = [h > 1 + beta a];  v = h - s (1 + beta a);
  // a = rho a + (1 - rho) s.  The state is beta a.
  void readAlif() {
    Each beta = each("beta", 0, kLargestReal, "numbers of at least 0"),
         tau = timeConstant("tau_a");
    auto rho = [&](size_t n) { return std::exp(-1 / tau[n]); };
    scalar("keep", 1 - 1 / meta.tau);
    scalar("gain", 1 / meta.tau);
    scalar("theta", 1);
    derived("rho", {&tau}, rho);
    derived("rise", {&tau, &beta},
            [&](size_t n) { return beta[n] * (1 - rho(n)); });
  }

  Archive &archive;
  const Meta &meta;
  std::string suffix;
  Layer &layer;
};

} // namespace

void readBaseline(Archive &archive, const Meta &meta, size_t l, Layer &layer) {
  BaselineReader(archive, meta, l, layer).run();
}

} // namespace dendrolith::npz
