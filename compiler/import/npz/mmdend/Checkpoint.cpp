// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/mmdend/Checkpoint.h"

#include "dialects/dend/DendEnums.h"

#include <cmath>
#include <fmt/format.h>

namespace dendrolith::npz {
namespace {

// The largest spike, U / Vth, may be this much.
constexpr double kLargestSpike = 1 << 15;

} // namespace

Meta readMeta(const MetaReader &reader, Meta::Neuron neuron) {
  Meta meta;
  meta.neuron = neuron;
  if (meta.recurs()) {
    // Tools write what the other kind of layer would have beside it.
    reader.only(
        {"layers", "decode", "tau", "soma", "n_micro", "Vth", "U", "f"});
    reader.onlyNumber("Vth", 1, "1, the threshold of LIF");
  } else if (meta.isBaseline()) {
    reader.only({"layers", "decode"});
  } else {
    reader.only({"layers", "decode", "f", "U", "Vth", "tau"});
  }
  meta.layers = reader.integer("layers", 1, 1e6, "a number of layers");
  meta.decode = reader.text(
      "decode", reader.text("task", "") == "xor" ? "last=10" : "mean");
  if (!isDecode(meta.decode))
    reader.fail("decode", "mean or last=N");
  if (meta.recurs()) {
    meta.tau = reader.number("tau", meta.tau);
    if (!(meta.tau >= 1) || !std::isfinite(meta.tau))
      reader.fail("tau", "a time constant of at least one step");
    meta.soma = reader.choice("soma", 0, {"leaky", "virtual"},
                              "leaky or virtual, of a LIF or ALIF network")
                    ? Meta::Soma::Virtual
                    : Meta::Soma::Leaky;
    int64_t micro = reader.microSteps(meta.micro);
    meta.micro = meta.soma == Meta::Soma::Virtual ? micro : 1;
    meta.features =
        reader.integer("d", 1, 1e6, "a number of features, at least 1");
  }
  if (meta.neuron != Meta::Neuron::Mmdend)
    return meta;
  meta.activation = reader.text("f", meta.activation);
  if (!dend::symbolizeActivation(meta.activation))
    reader.fail("f", "relu, leaky_relu, tanh or identity");
  meta.U = reader.number("U", meta.U);
  if (!(meta.U > 0) || !std::isfinite(meta.U))
    reader.fail("U", "a number above 0");
  meta.Vth = reader.number("Vth", meta.Vth);
  if (!(meta.Vth > 0) || std::fmod(meta.U, meta.Vth) != 0 ||
      meta.U / meta.Vth > kLargestSpike)
    reader.fail("Vth", fmt::format("a threshold that divides U = {}", meta.U));
  return meta;
}

} // namespace dendrolith::npz
