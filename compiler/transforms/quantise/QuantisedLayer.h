// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One population on its way from reals to integers.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEDLAYER_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEDLAYER_H

#include "compiler/transforms/network/Synapses.h"
#include "compiler/transforms/quantise/Calibration.h"
#include "compiler/transforms/quantise/CubaShape.h"
#include "compiler/transforms/quantise/LayerScale.h"
#include "compiler/transforms/quantise/WeightChoices.h"

namespace dendrolith {

/// How a real input becomes spikes: binary where fixed-function neurons have
/// nothing else, or no range is known; else integers of the bits that were
/// asked for (LayerBits.h; without, 8 or as many as whole numbers need), over
/// the calibrated range and with a sign if that has one.
struct InputFormat {
  bool binary = true;
  int64_t low = 0, high = 1;
  double scale = 1; // payload = round-half-even(value * scale)
};
InputFormat chooseInputFormat(dend::InputOp input, const Target &chip);

struct QuantisedLayer {
  dend::PopulationOp population;
  dend::NeuronOp model; // the float one
  CubaShape shape;
  CubaReals reals;
  std::vector<dend::ProjectOp> projections;
  std::vector<ProjectionWeights> weights; // per projection, payload units
  std::vector<double> bias;               // of v, per neuron, reset shift in
  std::vector<double> settled;            // share of i that became bias of v
  std::vector<double> startU, startV;     // initial states, per neuron
  // Null where all neurons count in one step; else all numbers of a neuron
  // above, and its threshold, are multiplied by its factor.
  const NeuronFactors *factors = nullptr;
  LayerBounds bounds;
  // The magnitudes that calibration saw, without the room above them.
  std::optional<double> seenCurrent, seenPotential;
  std::string rangeSource; // "calibrated" or "static bound"
  LayerScale scale;
};

/// Everything about a population that the rewrite needs, with what was chosen
/// for it before. Inputs must already have their integer spike types. Fails
/// with a diagnostic that names the population and what does not fit.
mlir::FailureOr<QuantisedLayer> analyseLayer(dend::PopulationOp population,
                                             const Target &chip,
                                             const WeightChoices &choices);

/// Replaces model, parameters, weights and biases by integers and appends the
/// report's rows.
void rewriteLayer(QuantisedLayer &layer, const Target &chip,
                  llvm::SmallVectorImpl<report::QuantRowAttr> &report);

/// Points an output at the integer model's spike or state. Fails with a
/// diagnostic on a probed state that is not a multiple of the integer one.
mlir::LogicalResult rewriteOutput(dend::OutputOp output,
                                  const std::vector<QuantisedLayer> &layers);

/// Removes constants and neuron models nothing refers to.
void eraseUnusedSymbols(dend::NetworkOp network);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEDLAYER_H
