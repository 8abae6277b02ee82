// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Generate.h"

#include "compiler/import/study/Draw.h"
#include "compiler/import/study/Rows.h"

#include "compiler/import/study/Meta.h"
#include "runtime/arrays/LittleEndian.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Sha256.h"

#include <nlohmann/json.hpp>

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

std::string digestOf(const Raster &raster) {
  constexpr size_t block = 1 << 12; // spikes
  std::vector<int32_t> pairs(2 * block);
  std::string bytes(pairs.size() * sizeof(int32_t), 0);
  Sha256 sum;
  for (size_t at = 0; at < raster.size(); at += block) {
    const size_t count = std::min(block, raster.size() - at);
    for (size_t i = 0; i < count; ++i) {
      pairs[2 * i] = raster.step[at + i];
      pairs[2 * i + 1] = raster.id[at + i];
    }
    packInt32(pairs.data(), 2 * count, bytes.data());
    sum.add({bytes.data(), 2 * count * sizeof(int32_t)});
  }
  return sum.digest();
}

/// The archive in the order of the names, as NumPy's users know it. Rows that
/// are not kept are made once for each pass over them.
static std::vector<zip::Packed> arraysOf(const Generated &made,
                                         const Rows &rows) {
  const Network &net = made.network;
  const Raster &in = made.stimulus.in, &out = made.stimulus.expected;
  const bool kept = net.target.size() == made.synapses;
  auto targets = [&rows](const Numbers<int32_t> &sink) {
    std::vector<int32_t> row;
    for (uint64_t s = 0; s < rows.sources(); ++s) {
      rows.row(s, row);
      sink(row.data(), row.size());
    }
  };
  auto weights = [&rows](const Numbers<int16_t> &sink) {
    for (uint64_t k = 0; k < rows.synapses(); ++k) {
      const int16_t weight = rows.weight(k);
      sink(&weight, 1);
    }
  };
  return {kept ? packed("col", net.target)
               : packed<int32_t>("col", made.synapses, targets),
          packed("core", net.core),
          packed("in_id", in.id),
          packed("in_t", in.step),
          packed("ref_id", out.id),
          packed("ref_t", out.step),
          packed("row_ptr", net.begin),
          kept ? packed("weight", net.weight)
               : packed<int16_t>("weight", made.synapses, weights)};
}

static double meanOf(const std::vector<uint64_t> &values, size_t from) {
  uint64_t sum = std::accumulate(values.begin() + std::ptrdiff_t(from),
                                 values.end(), uint64_t(0));
  return double(sum) / double(values.size() - from);
}

void write(const Generated &made, const Recipe &recipe,
           const std::string &prefix) {
  const Network &net = made.network;
  const Raster &in = made.stimulus.in, &out = made.stimulus.expected;
  Recipe full = recipe;
  full.inputs = net.inputs;
  const Rows rows(full);
  const uint64_t fanout = rows.fanout();
  std::vector<uint64_t> first(
      made.perStep.begin(),
      made.perStep.begin() +
          std::ptrdiff_t(std::min<size_t>(made.perStep.size(), 10)));
  const double neurons = double(net.neurons);
  nlohmann::ordered_json meta = {
      {"format", "bench-random-snn"},
      {"version", 1},
      {"seed", recipe.seed},
      {"n_neurons", net.neurons},
      {"n_inputs", net.inputs},
      {"fanout", fanout},
      {"n_synapses", made.synapses},
      {"timesteps", made.stimulus.steps},
      {"model",
       {{"kind", "lif"},
        {"frac_bits", kFractionBits},
        {"leak_4096", net.leak},
        {"leak_rounding", "toward_zero"},
        {"threshold", net.threshold},
        {"compare", "strictly_greater"},
        {"reset", 0},
        {"axon_delay_steps", 1}}},
      {"mapping",
       {{"policy", recipe.mode == Recipe::Mode::Local     ? "local"
                   : recipe.mode == Recipe::Mode::Spatial ? "spatial"
                   : recipe.blocks                        ? "block"
                                                          : "roundrobin"},
        {"cores", net.cores}}},
      {"reference",
       {{"output_spikes", out.size()},
        {"input_spikes", in.size()},
        {"synaptic_events", (in.size() + out.size()) * fanout},
        {"mean_rate", meanOf(made.perStep, 0) / neurons},
        {"mean_rate_second_half",
         meanOf(made.perStep, made.perStep.size() / 2) / neurons},
        {"spikes_first_10_steps", first},
        {"raster_sha256", digestOf(out)}}}};
  if (recipe.mode == Recipe::Mode::Spatial)
    meta["mapping"]["reach"] = recipe.reach;
  AtomicFile archive(prefix + ".npz"), text(prefix + ".json");
  zip::pack(arraysOf(made, rows),
            [&](std::string_view bytes) { archive.write(bytes); });
  text.write(meta.dump(1));
  archive.commit();
  text.commit();
}

} // namespace dendrolith::study
