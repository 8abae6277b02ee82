// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Rows.h"

#include "compiler/import/study/Draw.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace dendrolith::study {
namespace {

void check(const Recipe &recipe) {
  auto require = [](bool good, const char *what, auto found) {
    if (!good)
      throw Error(fmt::format("generate: expected {}, found {}", what, found));
  };
  const bool local = recipe.mode == Recipe::Mode::Local;
  require(recipe.neurons >= 1, "at least one neuron", recipe.neurons);
  require(recipe.steps >= 1, "at least one step", recipe.steps);
  require(recipe.cores >= 1, "at least one core", recipe.cores);
  require(recipe.leak >= 0 && recipe.leak <= 4096, "a leak of 0 to 4096",
          recipe.leak);
  for (int32_t weight : {recipe.inputWeight, recipe.weight})
    require(weight >= 1 && weight <= kLargestWeight,
            "largest weights of 1 to 255", weight);
  if (recipe.threshold)
    require(*recipe.threshold >= 0 && *recipe.threshold <= kLargestThreshold,
            "a threshold of 0 to 131071", *recipe.threshold);
  for (double rate : {recipe.rate, recipe.inputRate})
    require(rate >= 0 && rate <= 1, "rates of 0 to 1", rate);
  if (!local)
    require(recipe.fanout < recipe.neurons,
            "a fan-out below the number of neurons", recipe.fanout);
  if (recipe.mode == Recipe::Mode::Spatial) {
    // Distinct targets are drawn until there are enough, which needs room.
    require(recipe.fanout * 4 <= recipe.neurons,
            "a fan-out of at most a quarter of the neurons", recipe.fanout);
    require(recipe.reach >= 1 && recipe.reach <= 4096,
            "a reach of 1 to 4096 neurons", recipe.reach);
    require(4 * uint64_t(recipe.reach) * recipe.reach >= recipe.fanout,
            "a reach whose square is a quarter of the fan-out at least",
            recipe.reach);
    require(recipe.anywhere >= 0 && recipe.anywhere <= 1, "a share of 0 to 1",
            recipe.anywhere);
  }
  uint32_t perCore = recipe.neurons / recipe.cores;
  if (local)
    require(recipe.neurons % recipe.cores == 0 && perCore >= 3 * kLocalRun &&
                recipe.cores > 2 * kLocalReach,
            "a local network of 81 neurons or more on each of 9 or more cores, "
            "the same number on each",
            fmt::format("{} on {}", recipe.neurons, recipe.cores));
  uint64_t synapses = (uint64_t(recipe.neurons) + recipe.inputs) *
                      (local ? kLocalCores * kLocalRun : recipe.fanout);
  // 6 bytes each in an archive of at most 4 GiB, with rows and spikes.
  require(synapses <= kMostSynapses, "at most 640,000,000 synapses", synapses);
}

} // namespace

Rows::Rows(const Recipe &given) : recipe(given) {
  check(recipe);
  while (uint64_t(width + 1) * (width + 1) <= recipe.neurons)
    ++width;
  height = (recipe.neurons + width - 1) / width;
  for (uint32_t down = 1; uint64_t(down) * down <= recipe.cores; ++down)
    if (recipe.cores % down == 0)
      coresDown = down;
  coresAcross = recipe.cores / coresDown;
}

uint64_t Rows::fanout() const {
  return recipe.mode == Recipe::Mode::Local ? kLocalCores * kLocalRun
                                            : recipe.fanout;
}

uint32_t Rows::core(uint64_t source) const {
  const bool neuron = source >= recipe.inputs;
  const uint64_t n = neuron ? source - recipe.inputs : 0;
  if (neuron && recipe.mode == Recipe::Mode::Local)
    return uint32_t(n / (recipe.neurons / recipe.cores));
  if (neuron && recipe.mode == Recipe::Mode::Spatial)
    return uint32_t(n / width * coresDown / height * coresAcross +
                    n % width * coresAcross / width);
  const uint64_t perCore = (sources() + recipe.cores - 1) / recipe.cores;
  return uint32_t(recipe.blocks ? source / perCore : source % recipe.cores);
}

/// One draw of a target, which may have been drawn before.
int32_t Rows::target(uint64_t source, uint64_t random) const {
  if (recipe.mode != Recipe::Mode::Spatial ||
      below(random << 32, 1 << 20) < uint32_t(recipe.anywhere * (1 << 20)))
    return int32_t(below(random, recipe.neurons));
  // Inputs lie evenly over the neurons.
  const uint64_t centre = source < recipe.inputs
                              ? source * recipe.neurons / recipe.inputs
                              : source - recipe.inputs;
  auto around = [&](uint64_t place, uint64_t offset, uint32_t size) {
    int64_t moved = int64_t(place) + spread(recipe.reach, offset);
    moved %= int64_t(size);
    return uint64_t(moved < 0 ? moved + size : moved);
  };
  const uint64_t x = around(centre % width, draw(random, Cores, 0), width),
                 y = around(centre / width, draw(random, Cores, 1), height);
  const uint64_t found = y * width + x;
  // The last row of the grid may be short: what is missing is the source's
  // centre, which a neuron refuses as its own and draws again.
  return int32_t(found < recipe.neurons ? found : centre);
}

/// Distinct neurons, but not the source itself: those met twice are drawn
/// again.
void Rows::randomRow(uint64_t source, std::vector<int32_t> &row) const {
  const uint64_t f = recipe.fanout;
  const int64_t self = int64_t(source) - recipe.inputs; // negative for inputs
  row.resize(f);
  for (uint64_t i = 0; i < f; ++i)
    row[i] = target(source, draw(recipe.seed, Targets, source * f + i));
  std::vector<uint32_t> order(f), again;
  for (uint64_t round = 1;; ++round) {
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return row[a] < row[b]; });
    again.clear();
    for (uint64_t i = 0; i < f; ++i)
      if ((i > 0 && row[order[i]] == row[order[i - 1]]) ||
          row[order[i]] == self)
        again.push_back(order[i]);
    if (again.empty())
      break;
    for (uint32_t i : again)
      row[i] = target(source, draw(recipe.seed, Targets,
                                   source * f + i + round * sources() * f));
  }
  std::sort(row.begin(), row.end());
}

/// Runs of neurons on three cores near the source's, without the source.
void Rows::localRow(uint64_t source, std::vector<int32_t> &row) const {
  const int64_t self = int64_t(source) - recipe.inputs; // negative for inputs
  const uint32_t perCore = recipe.neurons / recipe.cores, own = core(source);
  std::vector<uint32_t> near(2 * kLocalReach + 1);
  std::iota(near.begin(), near.end(), 0);
  row.clear();
  for (uint32_t j = 0; j < kLocalCores; ++j) {
    uint64_t k = source * kLocalCores + j;
    std::swap(near[j],
              near[j + below(draw(recipe.seed, Cores, k), near.size() - j)]);
    uint32_t to = (own + recipe.cores + near[j] - kLocalReach) % recipe.cores;
    int64_t first = int64_t(to) * perCore + below(draw(recipe.seed, Targets, k),
                                                  perCore - kLocalRun + 1);
    if (self >= first && self < first + kLocalRun)
      first += first + 2 * kLocalRun <= int64_t(to + 1) * perCore
                   ? int64_t(kLocalRun)
                   : -int64_t(kLocalRun);
    for (uint32_t i = 0; i < kLocalRun; ++i)
      row.push_back(int32_t(first + i));
  }
  std::sort(row.begin(), row.end());
}

void Rows::row(uint64_t source, std::vector<int32_t> &targets) const {
  if (recipe.mode == Recipe::Mode::Local)
    localRow(source, targets);
  else
    randomRow(source, targets);
}

int16_t Rows::weight(uint64_t k) const {
  const uint64_t r = draw(recipe.seed, Weights, k);
  const int32_t half = recipe.inputWeight / 2;
  if (k < recipe.inputs * fanout()) // excitatory
    return int16_t(half +
                   int32_t(below(r, uint64_t(recipe.inputWeight - half + 1))));
  const int32_t weight = 1 + int32_t(below(r, uint64_t(recipe.weight)));
  return int16_t(r & 1 ? -weight : weight);
}

} // namespace dendrolith::study
