// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Column.h"

#include "compiler/import/study/Draw.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::study {
namespace {

// Decays per step of 0.1 ms: synaptic currents by exp(-0.1 / 0.5), of which a
// neuron takes (4095 - decay_u) / 4096, potentials by exp(-0.1 / 10).
constexpr double kCurrentDecay = (kColumnDecayU + 1) / 4096.0,
                 kPotentialDecay = kColumnDecayV / 4096.0;
// A postsynaptic potential of 0.15 mV needs a current of 87.81 pA; one such
// spike in each step drives a potential of 439.05 pA x 40 MOhm from rest. The
// threshold is 15 mV above rest.
constexpr double kDrive = 87.81e-12 * 0.5 / 0.1 * 40e6, kThreshold = 15e-3;
constexpr int64_t kInhibition = 4; // as strong as excitation, by a shift of 2

// The means of the quarters of a normal distribution of 1.5 +- 0.75 ms and 0.75
// +- 0.375 ms, in steps; one more, because a current acts in the step after.
constexpr std::array<int16_t, 4> kSlow = {7, 14, 18, 25},
                                 kFast = {4, 7, 10, 13};

bool isInhibitory(uint32_t population) { return population % 2 == 1; }

/// Twice as strong is layer 4's excitation of layer 2/3's excitatory neurons.
double strength(uint32_t target, uint32_t source) {
  return target == 0 && source == 2 ? 2 : 1;
}

/// The synapses from a population to another in the whole column: as many as
/// give a pair a synapse, or several, with the published probability.
double wholeCount(uint32_t target, uint32_t source) {
  const auto &all = columnPopulations();
  const double pairs = double(all[target].size) * all[source].size;
  return std::log1p(-all[target].from[source]) / std::log1p(-1 / pairs);
}

} // namespace

const std::array<ColumnPopulation, kColumnPopulations> &columnPopulations() {
  static const std::array<ColumnPopulation, kColumnPopulations> all = {{
      {"L23E",
       20683,
       1600,
       0.903,
       {.1009, .1689, .0437, .0818, .0323, 0, .0076, 0}},
      {"L23I",
       5834,
       1500,
       2.965,
       {.1346, .1371, .0316, .0515, .0755, 0, .0042, 0}},
      {"L4E",
       21915,
       2100,
       4.414,
       {.0077, .0059, .0497, .135, .0067, .0003, .0453, 0}},
      {"L4I",
       5479,
       1900,
       5.876,
       {.0691, .0029, .0794, .1597, .0033, 0, .1057, 0}},
      {"L5E",
       4850,
       2000,
       7.569,
       {.1004, .0622, .0505, .0057, .0831, .3726, .0204, 0}},
      {"L5I",
       1065,
       1900,
       8.633,
       {.0548, .0269, .0257, .0022, .06, .3158, .0086, 0}},
      {"L6E",
       14395,
       2900,
       1.105,
       {.0156, .0066, .0211, .0166, .0572, .0197, .0396, .2252}},
      {"L6I",
       2948,
       2100,
       7.829,
       {.0364, .001, .0034, .0005, .0277, .008, .0658, .1443}},
  }};
  return all;
}

uint32_t columnNeurons() {
  uint32_t all = 0;
  for (const ColumnPopulation &population : columnPopulations())
    all += population.size;
  return all;
}

Column::Column(const ColumnRecipe &given) : recipe(given) {
  auto require = [](bool good, const char *what, auto found) {
    if (!good)
      throw Error(fmt::format("generate: expected {}, found {}", what, found));
  };
  // Below it, neurons have a few strong synapses and the mean is no guide.
  require(recipe.scale >= 0.01 && recipe.scale <= 1, "a scale of 0.01 to 1",
          recipe.scale);
  require(recipe.inputs >= 256 && recipe.inputs <= (1 << 20),
          "256 to 1048576 inputs", recipe.inputs);
  require(recipe.steps >= 1, "at least one step", recipe.steps);
  checkSteps(recipe.steps, recipe.inputs,
             recipe.inputs * kBundled * kBackgroundRate * kColumnStep);
  for (uint32_t p = 0; p < kColumnPopulations; ++p)
    begin[p + 1] =
        begin[p] +
        uint32_t(std::lround(columnPopulations()[p].size * recipe.scale));
  // Weights grow as fewer synapses are left, and have 8 bits.
  unit = std::clamp(int32_t(std::lround(48 * std::sqrt(recipe.scale))), 1, 16);
  threshold = int32_t(std::lround(unit * kThreshold / kDrive / kCurrentDecay /
                                  kPotentialDecay));
  connect();
  connectBackground();
  for (uint32_t p = 0; p < kColumnPopulations; ++p)
    bias[p] = biasOf(p);
  times.resize(neurons());
  met.resize((neurons() + 63) / 64);
}

void Column::connect() {
  counts.resize(size_t(neurons()) * kColumnPopulations);
  uint64_t drawn = 0;
  for (uint32_t t = 0; t < kColumnPopulations; ++t)
    for (uint32_t s = 0; s < kColumnPopulations; ++s) {
      Bundle &bundle = bundles[t][s];
      const uint32_t targets = begin[t + 1] - begin[t],
                     sources = begin[s + 1] - begin[s];
      const double perNeuron =
          wholeCount(t, s) / columnPopulations()[t].size * recipe.scale;
      bundle.count = uint64_t(std::llround(perNeuron * targets));
      bundle.weight =
          std::llround(65536 * unit * strength(t, s) / std::sqrt(recipe.scale));
      // Sources are drawn as targets are: uniformly and with repetition.
      for (uint64_t k = 0; k < bundle.count; ++k)
        ++counts[size_t(begin[s] +
                        below(draw(recipe.seed, Sources, drawn + k), sources)) *
                     kColumnPopulations +
                 t];
      drawn += bundle.count;
    }
  drawnSynapses = drawn;
}

void Column::connectBackground() {
  std::vector<uint64_t> next(recipe.inputs + 1);
  auto visit = [&](auto synapse) {
    uint64_t k = 0;
    for (uint32_t p = 0; p < kColumnPopulations; ++p)
      for (uint32_t n = begin[p]; n < begin[p + 1]; ++n)
        for (uint32_t i = 0; i < columnPopulations()[p].background / kBundled;
             ++i)
          synapse(below(draw(recipe.seed, Targets, k++), recipe.inputs), n);
    return k;
  };
  drawnSynapses += visit([&](uint32_t input, uint32_t) { ++next[input + 1]; });
  for (uint32_t i = 0; i < recipe.inputs; ++i)
    next[i + 1] += next[i];
  inputBegin = next;
  inputTargets.resize(next.back());
  visit([&](uint32_t input, uint32_t neuron) {
    inputTargets[next[input]++] = neuron;
  });
}

/// What the mean input misses because synapses are fewer, though stronger: it
/// shrinks by the root of the scale, while its variance stays.
int32_t Column::biasOf(uint32_t t) const {
  double missing = 0; // per step, of a weight's 1
  for (uint32_t s = 0; s < kColumnPopulations; ++s) {
    const double sign = isInhibitory(s) ? -double(kInhibition) : 1;
    missing += sign * unit * strength(t, s) * wholeCount(t, s) /
               columnPopulations()[t].size * columnPopulations()[s].rate *
               kColumnStep;
  }
  missing *= 1 - std::sqrt(recipe.scale);
  // A current in its steady state, as the potential has it.
  const double wanted = missing / kCurrentDecay * (1 << kFractionBits);
  // The chip has 12 bits of it, and an exponent.
  int exponent = 0;
  while (std::abs(wanted) / (1 << exponent) > 4095)
    ++exponent;
  return int32_t(std::lround(wanted / (1 << exponent))) * (1 << exponent);
}

uint32_t Column::populationOf(uint64_t source) const {
  const uint32_t n = uint32_t(source - recipe.inputs);
  uint32_t p = 0;
  while (n >= begin[p + 1])
    ++p;
  return p;
}

int16_t Column::delay(uint64_t source) const {
  if (source < recipe.inputs)
    return 1;
  const uint32_t quarter = below(draw(recipe.seed, Delays, source), 4);
  return (isInhibitory(populationOf(source)) ? kFast : kSlow)[quarter];
}

int16_t Column::shift(uint64_t source) const {
  const bool strong =
      source >= recipe.inputs && isInhibitory(populationOf(source));
  return int16_t(kFractionBits + (strong ? 2 : 0));
}

void Column::drawRow(uint64_t source) {
  auto meet = [&](uint32_t neuron) {
    ++times[neuron];
    met[neuron / 64] |= uint64_t(1) << neuron % 64;
  };
  if (source < recipe.inputs) {
    for (uint64_t k = inputBegin[source]; k < inputBegin[source + 1]; ++k)
      meet(inputTargets[k]);
    return;
  }
  const uint64_t own = draw(recipe.seed, SourceSeeds, source);
  const uint32_t *count =
      &counts[(source - recipe.inputs) * kColumnPopulations];
  uint64_t k = 0;
  for (uint32_t t = 0; t < kColumnPopulations; ++t)
    for (uint32_t i = 0; i < count[t]; ++i)
      meet(begin[t] + below(draw(own, Targets, k++), begin[t + 1] - begin[t]));
}

void Column::row(uint64_t source, std::vector<int32_t> &targets,
                 std::vector<int16_t> &weights, uint64_t &clipped) {
  targets.clear();
  weights.clear();
  drawRow(source);
  const bool input = source < recipe.inputs;
  const uint32_t s = input ? 0 : populationOf(source);
  const uint64_t own = draw(recipe.seed, SourceSeeds, source);
  uint32_t t = 0;
  uint64_t k = 0;
  for (size_t word = 0; word < met.size(); ++word) {
    for (uint64_t bits = met[word]; bits; bits &= bits - 1) {
      const auto n = uint32_t(64 * word) + uint32_t(__builtin_ctzll(bits));
      while (n >= begin[t + 1])
        ++t;
      int64_t weight = 0; // times 65536
      for (; times[n]; --times[n]) {
        const int64_t mean =
            input ? int64_t(unit) * 65536 : bundles[t][s].weight;
        weight += mean;
        if (!input) // a tenth of the weight is its standard deviation
          weight += spread(mean / 10, draw(own, Weights, k++));
      }
      weight = (weight + 32768) >> 16;
      clipped += weight > kLargestWeight;
      weight = std::clamp<int64_t>(weight, 0, kLargestWeight);
      targets.push_back(int32_t(n));
      weights.push_back(int16_t(!input && isInhibitory(s) ? -weight : weight));
    }
    met[word] = 0;
  }
}

namespace {

/// Spikes of the background: an input has one in a step as often as its sources
/// together.
Raster backgroundOf(const ColumnRecipe &recipe) {
  const auto limit =
      uint32_t(kBackgroundRate * kBundled * kColumnStep * (1 << 20));
  Raster raster;
  for (uint64_t t = 0; t < recipe.steps; ++t)
    for (uint64_t i = 0; i < recipe.inputs; ++i)
      if (below(draw(recipe.seed, Spikes, t * recipe.inputs + i), 1 << 20) <
          limit) {
        raster.step.push_back(int32_t(t + 1));
        raster.id.push_back(int32_t(i));
      }
  return raster;
}

nlohmann::ordered_json describe(const ColumnRecipe &recipe,
                                const Column &column, uint64_t synapses,
                                uint64_t inputSpikes) {
  nlohmann::ordered_json populations = nlohmann::ordered_json::array();
  for (uint32_t p = 0; p < kColumnPopulations; ++p)
    populations.push_back(
        {{"name", columnPopulations()[p].name},
         {"first", column.begin[p]},
         {"size", column.begin[p + 1] - column.begin[p]},
         {"bias", column.bias[p]},
         {"rate", columnPopulations()[p].rate * kColumnStep}});
  return {{"format", "dendrolith-column"},
          {"version", 1},
          {"seed", recipe.seed},
          {"scale", recipe.scale},
          {"step_s", kColumnStep},
          {"n_neurons", column.neurons()},
          {"n_inputs", recipe.inputs},
          {"n_synapses", synapses},
          {"n_drawn_synapses", column.drawn()},
          {"timesteps", recipe.steps},
          {"input_spikes", inputSpikes},
          {"model",
           {{"kind", "cuba"},
            {"decay_u", kColumnDecayU},
            {"decay_v", kColumnDecayV},
            {"threshold", column.threshold},
            {"refractory", kColumnRefractory},
            {"background_weight", column.unit}}},
          {"populations", populations}};
}

} // namespace

std::string writeColumn(const ColumnRecipe &recipe, const std::string &prefix) {
  Column column(recipe);
  std::vector<int64_t> begin{0};
  std::vector<int16_t> delay, shift;
  std::vector<int32_t> targets;
  std::vector<int16_t> weights;
  uint64_t clipped = 0, ignored = 0;
  for (uint64_t s = 0; s < column.sources(); ++s) {
    column.row(s, targets, weights, clipped);
    begin.push_back(begin.back() + int64_t(targets.size()));
    delay.push_back(column.delay(s));
    shift.push_back(column.shift(s));
  }
  const uint64_t synapses = uint64_t(begin.back());
  const Raster in = backgroundOf(recipe);
  auto all = [&](auto take) {
    for (uint64_t s = 0; s < column.sources(); ++s) {
      column.row(s, targets, weights, ignored);
      take();
    }
  };
  const std::vector<zip::Packed> arrays = {
      packed<int32_t>("col", synapses,
                      [&](const Numbers<int32_t> &out) {
                        all([&] { out(targets.data(), targets.size()); });
                      }),
      packed("delay", delay),
      packed("in_id", in.id),
      packed("in_t", in.step),
      packed("row_ptr", begin),
      packed("shift", shift),
      packed<int16_t>("weight", synapses, [&](const Numbers<int16_t> &out) {
        all([&] { out(weights.data(), weights.size()); });
      })};
  AtomicFile archive(prefix + ".npz"), text(prefix + ".json");
  zip::pack(arrays, [&](std::string_view bytes) { archive.write(bytes); });
  text.write(describe(recipe, column, synapses, in.size()).dump(1));
  archive.commit();
  text.commit();
  return fmt::format(
      "{} neurons and {} inputs, {} synapses ({} drawn, {} beyond the largest "
      "weight), threshold {}: {} steps of 0.1 ms with {} spikes of the "
      "background",
      column.neurons(), recipe.inputs, synapses, column.drawn(), clipped,
      column.threshold, recipe.steps, in.size());
}

} // namespace dendrolith::study
