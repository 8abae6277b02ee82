// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Generate.h"
#include "compiler/import/study/Meta.h"

#include "runtime/arrays/LittleEndian.h"
#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"
#include "targets/support/Sha256.h"

#include <nlohmann/json.hpp>
#include <numeric>

namespace neurite::study {

std::string digestOf(const Raster &raster) {
  std::string pairs;
  pairs.reserve(8 * raster.size());
  for (size_t i = 0; i < raster.size(); ++i) {
    appendLittle(pairs, uint32_t(raster.step[i]));
    appendLittle(pairs, uint32_t(raster.id[i]));
  }
  return sha256(pairs);
}

template <typename T>
static Array vectorOf(const std::vector<T> &values, const char *dtype) {
  return Array::ofInts({values.size()}, {values.begin(), values.end()}, dtype);
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
  const bool local = recipe.mode == Recipe::Mode::Local;
  const uint64_t fanout =
      local ? kLocalCores * kLocalRun : uint64_t(recipe.fanout);
  std::map<std::string, Array> arrays;
  arrays["row_ptr"] = vectorOf(net.begin, "<i8");
  arrays["col"] = vectorOf(net.target, "<i4");
  arrays["weight"] = vectorOf(net.weight, "<i2");
  arrays["core"] = vectorOf(net.core, "<i4");
  arrays["in_t"] = vectorOf(in.step, "<i4");
  arrays["in_id"] = vectorOf(in.id, "<i4");
  arrays["ref_t"] = vectorOf(out.step, "<i4");
  arrays["ref_id"] = vectorOf(out.id, "<i4");
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
      {"n_synapses", net.target.size()},
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
       {{"policy", local           ? "local"
                   : recipe.blocks ? "block"
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
  AtomicFile archive(prefix + ".npz"), text(prefix + ".json");
  archive.write(formatNpz(arrays));
  text.write(meta.dump(1));
  archive.commit();
  text.commit();
}

} // namespace neurite::study
