// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Generate.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace neurite::study {
namespace {

enum Stream : uint64_t { Targets = 1, Weights = 2, Spikes = 3, Cores = 4 };

/// Draws number k of a stream.
uint64_t draw(uint64_t seed, Stream stream, uint64_t k) {
  uint64_t z = seed + 0x9E3779B97F4A7C15 * ((uint64_t(stream) << 40) + k + 1);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// A number from 0 to n - 1, for n below 2^32.
uint32_t below(uint64_t random, uint64_t n) {
  return uint32_t(((random >> 32) * n) >> 32);
}

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
  for (double rate : {recipe.rate, recipe.inputRate})
    require(rate >= 0 && rate <= 1, "rates of 0 to 1", rate);
  if (!local)
    require(recipe.fanout < recipe.neurons,
            "a fan-out below the number of neurons", recipe.fanout);
  uint32_t perCore = recipe.neurons / recipe.cores;
  if (local)
    require(recipe.neurons % recipe.cores == 0 && perCore >= 3 * kLocalRun &&
                recipe.cores > 2 * kLocalReach,
            "a local network of 81 neurons or more on each of 9 or more cores, "
            "the same number on each",
            fmt::format("{} on {}", recipe.neurons, recipe.cores));
  uint64_t synapses = (uint64_t(recipe.neurons) + recipe.inputs) *
                      (local ? kLocalCores * kLocalRun : recipe.fanout);
  require(synapses <= INT32_MAX, "at most 2^31 - 1 synapses", synapses);
}

/// Adds distinct neurons, but not the source itself: those met twice are drawn
/// again.
void addRandomRow(const Recipe &recipe, uint64_t source, uint64_t sources,
                  int64_t self, std::vector<int32_t> &row) {
  const uint64_t f = recipe.fanout;
  row.resize(f);
  for (uint64_t i = 0; i < f; ++i)
    row[i] = int32_t(
        below(draw(recipe.seed, Targets, source * f + i), recipe.neurons));
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
      row[i] = int32_t(below(
          draw(recipe.seed, Targets, source * f + i + round * sources * f),
          recipe.neurons));
  }
  std::sort(row.begin(), row.end());
}

/// Adds runs of neurons on three cores near `core`, without the source.
void addLocalRow(const Recipe &recipe, uint64_t source, uint32_t core,
                 int64_t self, std::vector<int32_t> &row) {
  const uint32_t perCore = recipe.neurons / recipe.cores;
  std::vector<uint32_t> near(2 * kLocalReach + 1);
  std::iota(near.begin(), near.end(), 0);
  row.clear();
  for (uint32_t j = 0; j < kLocalCores; ++j) {
    uint64_t k = source * kLocalCores + j;
    std::swap(near[j],
              near[j + below(draw(recipe.seed, Cores, k), near.size() - j)]);
    uint32_t to = (core + recipe.cores + near[j] - kLocalReach) % recipe.cores;
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

Network makeNetwork(const Recipe &recipe) {
  const bool local = recipe.mode == Recipe::Mode::Local;
  Network net;
  net.neurons = recipe.neurons;
  net.inputs = recipe.inputs;
  net.cores = recipe.cores;
  net.leak = recipe.leak;
  const uint64_t sources = uint64_t(net.inputs) + net.neurons;
  const uint64_t perCore = (sources + net.cores - 1) / net.cores;
  std::vector<int32_t> row;
  net.begin.push_back(0);
  for (uint64_t s = 0; s < sources; ++s) {
    const int64_t self = int64_t(s) - net.inputs; // negative for inputs
    uint64_t core = recipe.blocks ? s / perCore : s % net.cores;
    if (local && self >= 0)
      core = uint64_t(self) / (net.neurons / net.cores);
    net.core.push_back(int32_t(core));
    if (local)
      addLocalRow(recipe, s, uint32_t(core), self, row);
    else
      addRandomRow(recipe, s, sources, self, row);
    net.target.insert(net.target.end(), row.begin(), row.end());
    net.begin.push_back(int64_t(net.target.size()));
  }
  const int32_t half = recipe.inputWeight / 2;
  const uint64_t ofInputs = uint64_t(net.begin[net.inputs]);
  for (uint64_t k = 0; k < net.target.size(); ++k) {
    uint64_t r = draw(recipe.seed, Weights, k);
    int32_t weight = 1 + int32_t(below(r, uint64_t(recipe.weight)));
    if (r & 1)
      weight = -weight;
    if (k < ofInputs) // excitatory
      weight =
          half + int32_t(below(r, uint64_t(recipe.inputWeight - half + 1)));
    net.weight.push_back(int16_t(weight));
  }
  return net;
}

Stimulus makeStimulus(const Recipe &recipe) {
  Stimulus stimulus;
  stimulus.inputs = recipe.inputs;
  stimulus.neurons = recipe.neurons;
  stimulus.steps = recipe.steps;
  const auto limit = uint32_t(recipe.inputRate * (1 << 20));
  for (uint64_t t = 0; t < recipe.steps; ++t)
    for (uint64_t i = 0; i < recipe.inputs; ++i)
      if (below(draw(recipe.seed, Spikes, t * recipe.inputs + i), 1 << 20) <
          limit) {
        stimulus.in.step.push_back(int32_t(t + 1));
        stimulus.in.id.push_back(int32_t(i));
      }
  return stimulus;
}

/// The smallest threshold that gives no more than the rate, by bisection on
/// the second half of a short run.
int32_t findThreshold(Network net, const Stimulus &stimulus, double rate) {
  const uint64_t steps = std::min<uint64_t>(stimulus.steps, 40);
  int32_t low = 1, high = 1 << 14;
  while (high - low > 1) {
    net.threshold = (low + high) / 2;
    std::vector<uint64_t> per;
    simulate(net, stimulus, steps, per);
    uint64_t fired = std::accumulate(per.begin() + std::ptrdiff_t(steps / 2),
                                     per.end(), uint64_t(0));
    double found = double(fired) / double(steps - steps / 2) / net.neurons;
    (found > rate ? low : high) = net.threshold;
  }
  return high;
}

} // namespace

Raster simulate(const Network &net, const Stimulus &stimulus, uint64_t steps,
                std::vector<uint64_t> &perStep) {
  Raster raster;
  std::vector<int64_t> v(net.neurons), sum(net.neurons);
  std::vector<uint32_t> before; // sources that spiked a step ago
  size_t in = 0;
  for (uint64_t t = 1; t <= steps; ++t) {
    std::fill(sum.begin(), sum.end(), 0);
    for (uint32_t s : before)
      for (int64_t k = net.begin[s]; k < net.begin[s + 1]; ++k)
        sum[net.target[k]] += net.weight[k];
    before.clear();
    for (; in < stimulus.in.size() && stimulus.in.step[in] == int32_t(t); ++in)
      before.push_back(uint32_t(stimulus.in.id[in]));
    const size_t first = raster.size();
    for (uint32_t n = 0; n < net.neurons; ++n) {
      // Division of integers truncates toward zero, as the leak does.
      v[n] = v[n] * (4096 - net.leak) / 4096 + (sum[n] << kFractionBits);
      if (v[n] <= int64_t(net.threshold) << kFractionBits)
        continue;
      v[n] = 0;
      raster.step.push_back(int32_t(t));
      raster.id.push_back(int32_t(n));
      before.push_back(net.inputs + n);
    }
    perStep.push_back(raster.size() - first);
  }
  return raster;
}

Generated generate(const Recipe &given) {
  Recipe recipe = given;
  if (recipe.inputs == 0)
    recipe.inputs = std::max(1u, recipe.neurons / 10);
  check(recipe);
  Generated made;
  made.network = makeNetwork(recipe);
  made.stimulus = makeStimulus(recipe);
  made.network.threshold =
      recipe.threshold
          ? *recipe.threshold
          : findThreshold(made.network, made.stimulus, recipe.rate);
  made.stimulus.expected =
      simulate(made.network, made.stimulus, recipe.steps, made.perStep);
  return made;
}

} // namespace neurite::study
