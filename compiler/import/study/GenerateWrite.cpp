// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Generate.h"
#include "compiler/import/study/Meta.h"
#include "compiler/import/study/Packed.h"
#include "compiler/import/study/Rows.h"

#include "runtime/arrays/LittleEndian.h"
#include "runtime/host/Files.h"
#include "targets/support/Sha256.h"

#include <nlohmann/json.hpp>
#include <numeric>

namespace dendrolith::study {

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
