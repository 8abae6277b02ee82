// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A neuron whose state is the sum of its keys: a delta rule between one dense
// projection and those that read it.
//
// DendriCL: J. Shen, Y. Wu, C. Chen, Dendritic In-Context Learning in a
// Single-Layer Spiking Neural Network, 2026, https://arxiv.org/abs/2607.02283
// DendAttn: K. Wang et al., Biologically Inspired Neuron Structures for
// Versatile Foundation Models: Augmenting Memory Capacity, Temporal Dynamics,
// and Information Segregation via Native Dendritic Mechanisms, manuscript, its
// newest references are of 2025; models/dendattn/README.md names all authors.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_REWRITES_DELTARULESITE_H
#define DENDROLITH_COMPILER_TRANSFORMS_REWRITES_DELTARULESITE_H

#include "dialects/dend/Dend.h"

#include <string>
#include <vector>

namespace dendrolith {

/// What match() finds of a population: u' = keep u + rate e a, with u = 0 at
/// first and the key a = W s. So u always lies in the space of W's columns.
struct DeltaRuleSite {
  explicit DeltaRuleSite(dend::PopulationOp population);

  /// Whether the body has a delta rule at all.
  bool hasRule();
  /// Fills in the members below. Returns why the population does not fit; the
  /// text is empty if it does. It fits if only the rule, the prediction u . a
  /// and one output use state and key, and if u has more elements than W has
  /// columns.
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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_REWRITES_DELTARULESITE_H
