// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the neurons of a float network do over calibration samples: the
// statistics that weights are chosen with.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ACTIVITY_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ACTIVITY_H

#include "compiler/transforms/quantise/WeightRows.h"
#include "runtime/host/Signals.h"

#include "llvm/ADT/StringSet.h"

#include <map>
#include <string>

namespace dendrolith {

/// Means over all updates of a population.
struct NeuronActivity {
  /// The mean of what a threshold or ladder compares, by neuron; without these
  /// the mean of the last state; empty without states. A state is counted in
  /// the units of the model's file.
  std::vector<double> potential;
  /// Largest magnitude of each real state without elements, a potential before
  /// its reset included: by state, then by neuron.
  std::vector<std::vector<double>> largest;
};

struct Activity {
  std::map<std::string, SourceMoments> sources;  ///< by sourceKey()
  std::map<std::string, NeuronActivity> neurons; ///< by population
};

/// Names what a projection carries: an input, or an output of a population.
std::string sourceKey(dend::ProjectOp project);
std::string sourceKey(dend::PopulationOp population, llvm::StringRef output);

/// Runs the network on all samples. Products are gathered for the sources in
/// `correlated` that have at most 4096 elements.
mlir::FailureOr<Activity>
observeActivity(dend::NetworkOp network, const llvm::StringSet<> &correlated,
                const std::map<std::string, Samples> &inputs);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ACTIVITY_H
