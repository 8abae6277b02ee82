// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the neurons of a float network do over calibration samples: the
// statistics that weights are chosen with.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ACTIVITY_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ACTIVITY_H

#include "compiler/transforms/quantise/WeightRows.h"
#include "runtime/host/Signals.h"

#include "compiler/transforms/quantise/WeightChoices.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <string>
#include <utility>

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

// Sums up what one source emits over many updates into its moments.

/// Updates with few values that are not zero are added at once, others in
/// batches.
class MomentGatherer {
public:
  /// Products are gathered where `correlated` and there are at most 4096
  /// elements.
  MomentGatherer(size_t elements, bool correlated);

  /// One update, a value per element.
  void add(const double *values);
  void add(const int64_t *values);

  /// Means over all updates, which are given up.
  SourceMoments result();

private:
  template <typename T> void addUpdate(const T *values);
  void flush();

  std::vector<double> sum, square;
  Eigen::MatrixXd products, batch; // lower triangle
  std::vector<Eigen::Index> active;
  Eigen::Index filled = 0;
  uint64_t updates = 0;
};

// What layers do before and after their weights were rounded, in words: equal
// scores can hide that a layer fires otherwise than it did.

class ActivityReport {
public:
  /// Notes what populations do with their integers, as the runs for later
  /// layers show it; the last note of a population counts.
  void note(const Activity &activity);

  /// Says so in the choices for each population that was noted, beside what it
  /// did `before`.
  void write(dend::NetworkOp network, const Activity &before,
             WeightChoices &choices) const;

private:
  // Mean potential and mean message, by population.
  std::map<std::string, std::pair<double, double>> seen;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ACTIVITY_H
