// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Column.h"
#include "compiler/import/study/Draw.h"
#include "compiler/import/study/Packed.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::study {
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
