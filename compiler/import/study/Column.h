// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cortical column of Potjans and Diesmann (2014) in the integers of a chip:
// eight populations with exponential synaptic currents, delays, a refractory
// time and a background of Poisson spikes. README.md beside this file says what
// is as published and what is not.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_COLUMN_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_COLUMN_H

#include "compiler/import/study/File.h"

#include <array>

namespace dendrolith::study {

constexpr uint32_t kColumnPopulations = 8;

/// What is published of a population.
struct ColumnPopulation {
  const char *name;
  uint32_t size;
  uint32_t background; // sources of 8 spikes a second that reach a neuron
  double rate;         // spikes a second of a neuron in the whole column
  std::array<double, kColumnPopulations> from; // probability by source
};
const std::array<ColumnPopulation, kColumnPopulations> &columnPopulations();

/// Neurons of the whole column.
uint32_t columnNeurons();

struct ColumnRecipe {
  double scale = 0.1;     // of the neurons, and of the synapses that each has
  uint32_t inputs = 4096; // sources of the background
  uint64_t steps = 10000; // of 0.1 ms
  uint64_t seed = 1;
};

/// A step is 0.1 ms; an input is 50 of the background's sources together.
constexpr double kColumnStep = 1e-4;
constexpr uint32_t kBundled = 50;
constexpr double kBackgroundRate = 8;
/// The neuron in the integers of `dend.cuba`: 0.5 ms, 10 ms, and 2 ms in which
/// it is held at rest after the step of its spike.
constexpr int32_t kColumnDecayU = 741, kColumnDecayV = 41;
constexpr uint32_t kColumnRefractory = 21;

/// Rows of a column, made source by source: of the recurrent synapses only how
/// many lead from a neuron to a population is kept.
class Column {
public:
  /// Throws Error for numbers that make no network.
  explicit Column(const ColumnRecipe &recipe);

  uint32_t neurons() const { return begin.back(); }
  uint64_t sources() const { return uint64_t(recipe.inputs) + neurons(); }
  /// Synapses before those of a source and a target are added up.
  uint64_t drawn() const { return drawnSynapses; }

  /// Where populations begin, and the end.
  std::array<uint32_t, kColumnPopulations + 1> begin = {};
  int32_t threshold = 0, unit = 0; // of a weight's 1; a background's weight
  std::array<int32_t, kColumnPopulations> bias = {};

  /// The targets of a source, rising, with the sums of their weights. Counts
  /// those that were beyond a weight's range and are held there.
  void row(uint64_t source, std::vector<int32_t> &targets,
           std::vector<int16_t> &weights, uint64_t &clipped);
  /// Steps from a spike to its effect, and how far its weights are shifted.
  int16_t delay(uint64_t source) const;
  int16_t shift(uint64_t source) const;

private:
  struct Bundle { // of synapses between two populations, at this scale
    uint64_t count = 0;
    int64_t weight = 0; // mean, times 65536
  };
  void connect();
  void connectBackground();
  int32_t biasOf(uint32_t population) const;
  uint32_t populationOf(uint64_t source) const;
  void drawRow(uint64_t source);

  ColumnRecipe recipe;
  std::array<std::array<Bundle, kColumnPopulations>, kColumnPopulations>
      bundles; // [target][source]
  uint64_t drawnSynapses = 0;
  std::vector<uint32_t> counts; // of a neuron's synapses by population
  std::vector<uint64_t> inputBegin;
  std::vector<uint32_t> inputTargets;
  // How often each neuron is a target of the row at hand, and which are: a bit
  // for each, so that they are found in order.
  std::vector<uint16_t> times;
  std::vector<uint64_t> met;
};

/// Writes PREFIX.npz and PREFIX.json, piece by piece, and gives a line of what
/// they hold. Both appear or none.
std::string writeColumn(const ColumnRecipe &recipe, const std::string &prefix);

} // namespace dendrolith::study

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_COLUMN_H
