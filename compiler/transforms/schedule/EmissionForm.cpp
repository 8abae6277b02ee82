// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/schedule/EmissionForm.h"

#include "compiler/transforms/network/Refusal.h"

using namespace mlir;

namespace dendrolith {

// Steps that one unary value may take; beyond that a schedule is of no use.
constexpr int64_t kMaxUnarySteps = 64;

static bool fitsPayload(const SpikeAbility &spikes, int64_t low, int64_t high) {
  if (!spikes.graded || (low < 0 && !spikes.sign))
    return false;
  uint64_t bits = std::min<uint64_t>(spikes.payloadBits, 63);
  if (bits == 0)
    return false;
  int64_t span = int64_t(1) << (low < 0 ? bits - 1 : bits);
  return low >= (low < 0 ? -span : 0) && high < span;
}

/// "4 bits, signed", or what else a payload is.
static std::string payloadOf(const SpikeAbility &spikes) {
  return std::to_string(spikes.graded ? spikes.payloadBits : 0) + " bits" +
         (spikes.sign ? ", signed" : "");
}

FailureOr<std::vector<EmissionForm>>
chooseEmissions(dend::PopulationOp population, const Target &chip,
                SpikeForm wanted) {
  dend::NeuronOp model = dend::modelOf(population);
  std::vector<EmissionForm> forms;
  for (unsigned i = 0; i < model.getOutputs().size(); ++i) {
    dend::SpikeType type = model.getOutput(i).getType();
    EmissionForm &form = forms.emplace_back();
    auto needsBinary = [&](const Twine &sends) -> LogicalResult {
      if (chip.spikes.binary)
        return success();
      return refuse(population.emitError(),
                    "output '" + model.getOutput(i).getName().getValue() +
                        "' of '@" + population.getSymName() + "' sends " +
                        sends + ", and target '" + chip.name +
                        "' has no spikes without a number (spikes.binary)",
                    "choose a target with binary spikes");
    };
    if (type.getKind() == dend::SpikeKind::Binary) {
      if (failed(needsBinary("binary spikes")))
        return failure();
      continue;
    }
    if (type.getKind() == dend::SpikeKind::Graded)
      continue; // a real value is refused when the body is lowered
    int64_t low = type.getLow(), high = type.getHigh();
    int64_t units = std::max(high, -std::max(low, -kMaxUnarySteps - 1));
    bool fits = fitsPayload(chip.spikes, low, high);
    auto refused = [&](const Twine &why, const Twine &advice) {
      InFlightDiagnostic error =
          refuse(population.emitError(),
                 "output '" + model.getOutput(i).getName().getValue() +
                     "' of '@" + population.getSymName() + "' sends " +
                     Twine(low) + " to " + Twine(high) + ", " + why,
                 advice);
      if (model.getStates().empty())
        error << "; if its neurons are linear, --rewrite fold-readout composes "
                 "them into the weights of what they feed";
      return error;
    };
    if (wanted == SpikeForm::Graded && !fits)
      return refused("which graded spikes of target '" + chip.name +
                         "' cannot carry (payload of " +
                         payloadOf(chip.spikes) + ")",
                     "choose unary spikes or a target with graded ones");
    bool integer = type.getKind() == dend::SpikeKind::Int;
    if (wanted == SpikeForm::Graded ||
        (wanted == SpikeForm::Auto && integer && fits)) {
      form.kind = dend::EmissionKind::Graded;
      continue;
    }
    if (units > kMaxUnarySteps)
      return refused("which fits neither a payload of target '" + chip.name +
                         "' (" + payloadOf(chip.spikes) + ") nor " +
                         Twine(kMaxUnarySteps) + " unit spikes",
                     "use a smaller range");
    if (failed(needsBinary("unit spikes")))
      return failure();
    form.kind = low >= 0 || chip.spikes.sign ? dend::EmissionKind::Unary
                                             : dend::EmissionKind::Split;
    form.steps = std::max<int64_t>(units, 1);
    if (form.steps > 1 && !chip.scheduling.gating)
      return refused("which takes " + Twine(form.steps) +
                         " steps of unary spikes, and target '" + chip.name +
                         "' cannot gate groups, so that each tick is one step",
                     "choose graded spikes or a target with group_gating");
  }
  return forms;
}

} // namespace dendrolith
