// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The synapses that a recipe asks for, source by source: nothing of one row
// depends on another, so that none has to be kept.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_ROWS_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_ROWS_H

#include "compiler/import/study/Generate.h"

namespace dendrolith::study {

/// Sources are numbered through: first the inputs, then the neurons. Each has
/// fanout() distinct targets.
class Rows {
public:
  /// Throws Error for numbers that make no network. `recipe.inputs` is not 0.
  explicit Rows(const Recipe &recipe);

  uint64_t sources() const { return uint64_t(recipe.inputs) + recipe.neurons; }
  uint64_t fanout() const;
  uint64_t synapses() const { return sources() * fanout(); }
  /// Where the recipe puts a source.
  uint32_t core(uint64_t source) const;

  /// The targets of a source, rising.
  void row(uint64_t source, std::vector<int32_t> &targets) const;
  /// The weight of synapse k, counted through all rows.
  int16_t weight(uint64_t k) const;

private:
  void randomRow(uint64_t source, std::vector<int32_t> &row) const;
  void localRow(uint64_t source, std::vector<int32_t> &row) const;
  int32_t target(uint64_t source, uint64_t random) const;

  Recipe recipe;
  uint32_t width = 1, height = 1;          // Spatial: of the grid of neurons
  uint32_t coresAcross = 1, coresDown = 1; // Spatial: of the grid of cores
};

} // namespace dendrolith::study

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_ROWS_H
