// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A neuron whose state is the sum of its keys: a delta rule between one dense
// projection and those that read it.

#ifndef NEURITE_COMPILER_TRANSFORMS_REWRITES_DELTARULESITE_H
#define NEURITE_COMPILER_TRANSFORMS_REWRITES_DELTARULESITE_H

#include "dialects/dend/Dend.h"

#include <string>
#include <vector>

namespace neurite {

/// What match() finds of a population: u' = keep u + rate e a with u = 0 at
/// first and the key a = W s, so that u always lies in the columns of W.
struct DeltaRuleSite {
  explicit DeltaRuleSite(dend::PopulationOp population);

  /// Whether the body has a delta rule at all.
  bool hasRule();
  /// Fills in what follows. Returns why the population does not fit, empty if
  /// it does: state and key are used by rule, prediction u . a and one output
  /// alone, and u has more elements than W has columns.
  std::string match();

  int64_t rank() const { return int64_t(columns.size()); }
  double weight(int64_t row, int64_t column) const {
    return weights[size_t(row * sources + column)];
  }

  dend::PopulationOp population;
  dend::NeuronOp model;
  dend::NetworkOp network;
  dend::DeltaRuleOp rule;
  dend::DotOp prediction;
  unsigned state = 0, port = 0, emitted = 0; ///< indices of u, a and the output
  dend::ProjectOp key;
  llvm::SmallVector<dend::ProjectOp> readers; ///< dense, of the output
  int64_t elements = 0, sources = 0;
  std::vector<double> weights;  ///< W, (elements, sources)
  std::vector<int64_t> columns; ///< those of W that are not zero

private:
  std::string matchBody();
  std::string matchReaders();
  std::string matchKey();
};

} // namespace neurite

#endif // NEURITE_COMPILER_TRANSFORMS_REWRITES_DELTARULESITE_H
