// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/ActivityReport.h"

#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/UnitsAttr.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace dendrolith {

/// Mean potential and mean message of a population's neurons.
static std::pair<double, double> meansOf(const Activity &activity,
                                         const std::string &population) {
  auto mean = [](const std::vector<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0) /
           double(std::max<size_t>(values.size(), 1));
  };
  std::pair<double, double> means{0, 0};
  auto neurons = activity.neurons.find(population);
  if (neurons != activity.neurons.end())
    means.first = mean(neurons->second.potential);
  auto source = activity.sources.lower_bound(population + ":");
  if (source != activity.sources.end() &&
      llvm::StringRef(source->first).starts_with(population + ":"))
    means.second = mean(source->second.mean);
  return means;
}

/// How many units of what the target of a projection sends first are one unit
/// of the model's file.
static double unitsOfMessages(dend::ProjectOp project) {
  auto population =
      dend::symbolOf<dend::PopulationOp>(project, project.getTargetAttr());
  dend::NeuronOp model = dend::modelOf(population);
  return model.getOutputs().empty()
             ? 1
             : dend::unitsOf(population, dend::kOutputUnits,
                             model.getOutput(0).getName());
}

void ActivityReport::note(const Activity &activity) {
  for (const auto &[name, neurons] : activity.neurons)
    seen[name] = meansOf(activity, name);
}

void ActivityReport::write(dend::NetworkOp network, const Activity &before,
                           WeightChoices &choices) const {
  for (auto project : network.getOps<dend::ProjectOp>()) {
    ChosenWeights *chosen = choices.find(project);
    auto after = seen.find(project.getTarget().str());
    if (!chosen || after == seen.end())
      continue;
    auto [potential, message] = meansOf(before, after->first);
    const double units = unitsOfMessages(project);
    chosen->how += fmt::format(
        "; mean potential {:.4g} in floats, {:.4g} now, mean message {:.4g}, "
        "{:.4g} now",
        potential, after->second.first, message / units,
        after->second.second / units);
  }
}

} // namespace dendrolith
