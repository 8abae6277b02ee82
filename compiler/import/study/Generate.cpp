// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Generate.h"

#include "compiler/import/study/Draw.h"
#include "compiler/import/study/Rows.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace dendrolith::study {
namespace {

/// Adds the weights of a source's synapses to sums by neuron.
using AddRow = std::function<void(uint32_t source, std::vector<int64_t> &sum)>;

/// Adds rows that are kept in memory.
AddRow adderOf(const Network &net) {
  return [&net](uint32_t s, std::vector<int64_t> &sum) {
    for (int64_t k = net.begin[s]; k < net.begin[s + 1]; ++k)
      sum[net.target[k]] += net.weight[k];
  };
}

/// Adds rows that are made again each time.
AddRow adderOf(const Rows &rows) {
  return [&rows, row = std::vector<int32_t>()](
             uint32_t s, std::vector<int64_t> &sum) mutable {
    rows.row(s, row);
    for (size_t i = 0; i < row.size(); ++i)
      sum[row[i]] += rows.weight(s * rows.fanout() + i);
  };
}

/// Computes the spikes of a network by a plain loop over neurons and rows,
/// which shares nothing with the engines.
Raster simulate(const Network &net, const AddRow &add, const Stimulus &stimulus,
                uint64_t steps, std::vector<uint64_t> &perStep) {
  Raster raster;
  std::vector<int64_t> v(net.neurons), sum(net.neurons);
  std::vector<uint32_t> before; // sources that spiked a step ago
  size_t in = 0;
  for (uint64_t t = 1; t <= steps; ++t) {
    std::fill(sum.begin(), sum.end(), 0);
    for (uint32_t s : before)
      add(s, sum);
    before.clear();
    for (; in < stimulus.in.size() && stimulus.in.step[in] == int32_t(t); ++in)
      before.push_back(uint32_t(stimulus.in.id[in]));
    const size_t first = raster.size();
    for (uint32_t n = 0; n < net.neurons; ++n) {
      // Division of integers truncates toward zero, as the leak does.
      v[n] = v[n] * (4096 - net.leak) / 4096 + sum[n] * (1 << kFractionBits);
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

Network makeNetwork(const Recipe &recipe, const Rows &rows, bool keep) {
  Network net;
  net.neurons = recipe.neurons;
  net.inputs = recipe.inputs;
  net.cores = recipe.cores;
  net.leak = recipe.leak;
  net.begin.push_back(0);
  std::vector<int32_t> row;
  for (uint64_t s = 0; s < rows.sources(); ++s) {
    net.core.push_back(int32_t(rows.core(s)));
    net.begin.push_back(int64_t((s + 1) * rows.fanout()));
    if (!keep)
      continue;
    rows.row(s, row);
    net.target.insert(net.target.end(), row.begin(), row.end());
    for (size_t i = 0; i < row.size(); ++i)
      net.weight.push_back(rows.weight(s * rows.fanout() + i));
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
  const AddRow add = adderOf(net);
  int32_t low = 1, high = 1 << 14;
  while (high - low > 1) {
    net.threshold = (low + high) / 2;
    std::vector<uint64_t> per;
    simulate(net, add, stimulus, steps, per);
    uint64_t fired = std::accumulate(per.begin() + std::ptrdiff_t(steps / 2),
                                     per.end(), uint64_t(0));
    double found = double(fired) / double(steps - steps / 2) / net.neurons;
    (found > rate ? low : high) = net.threshold;
  }
  return high;
}

/// A network of the same recipe whose synapses can be kept: neurons have as
/// many synapses, inputs are as frequent, and so it needs the same threshold.
Recipe smaller(Recipe recipe, uint64_t synapses) {
  const uint64_t parts = synapses / recipe.kept + 1;
  const uint32_t perCore = std::max(1u, recipe.neurons / recipe.cores);
  recipe.cores = uint32_t(std::max<uint64_t>(recipe.cores / parts, 9));
  recipe.inputs = uint32_t(std::max<uint64_t>(recipe.inputs / parts, 1));
  recipe.neurons = recipe.mode == Recipe::Mode::Local
                       ? perCore * recipe.cores
                       : uint32_t(recipe.neurons / parts);
  recipe.neurons = std::max(recipe.neurons, 4 * recipe.fanout + 1);
  recipe.kept = UINT64_MAX;
  return recipe;
}

} // namespace

void checkSteps(uint64_t steps, uint64_t sources, double spikes) {
  constexpr uint64_t most = INT32_MAX;
  constexpr double mostUpdates = 1e11, mostBytes = 4e9, spikeBytes = 8;
  const double updates = double(sources) * double(steps),
               bytes = spikes * double(steps) * spikeBytes;
  if (steps > most)
    throw Error(fmt::format("generate: expected at most {} steps, found {}",
                            most, steps));
  if (updates > mostUpdates)
    throw Error(fmt::format("generate: {} steps of {} neurons and inputs are "
                            "{:.3g} updates, expected at most {:.0e}; ask for "
                            "fewer steps",
                            steps, sources, updates, mostUpdates));
  if (bytes > mostBytes)
    throw Error(fmt::format("generate: {} steps of about {:.3g} spikes each "
                            "are {:.3g} GB, expected at most {:.0f} GB; ask "
                            "for fewer steps or lower rates",
                            steps, spikes, bytes / 1e9, mostBytes / 1e9));
}

Generated generate(const Recipe &given) {
  Recipe recipe = given;
  if (recipe.inputs == 0)
    recipe.inputs = std::max(1u, recipe.neurons / 10);
  const Rows rows(recipe);
  checkSteps(recipe.steps, rows.sources(),
             recipe.rate * recipe.neurons + recipe.inputRate * recipe.inputs);
  const bool keep = rows.synapses() <= recipe.kept;
  Generated made;
  made.network = makeNetwork(recipe, rows, keep);
  made.synapses = rows.synapses();
  made.stimulus = makeStimulus(recipe);
  Network &net = made.network;
  net.threshold =
      recipe.threshold ? *recipe.threshold
      : keep ? findThreshold(net, made.stimulus, recipe.rate)
             : generate(smaller(recipe, rows.synapses())).network.threshold;
  made.stimulus.expected = simulate(net, keep ? adderOf(net) : adderOf(rows),
                                    made.stimulus, recipe.steps, made.perStep);
  return made;
}

} // namespace dendrolith::study
