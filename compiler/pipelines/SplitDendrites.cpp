// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dendrite lies on one core or over several: both are mapped, and the cheaper
// one stays.

#include "compiler/pipelines/Stages.h"

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/rewrites/DendriteParts.h"

#include "dialects/dend/NetworkIndex.h"

#include "dialects/chip/Chip.h"

#include "mlir/Pass/PassManager.h"

#include "fmt/format.h"

using namespace mlir;

namespace neurite {
namespace {

/// One way to place the dendrites, mapped.
struct Placement {
  int64_t parts = 1;
  std::optional<double> cost; ///< as the mapper counts it; absent: no fit
  std::string unit;           ///< of the cost
  std::string message;        ///< why the network does not fit
  Refusal refusal;

  std::string name() const {
    return parts == 1 ? "wide" : fmt::format("in {} parts", parts);
  }
  std::string text() const {
    return cost ? fmt::format("{} {:.0f} {}", name(), *cost, unit)
                : fmt::format("{} does not fit: {}", name(), refusal.reason);
  }
};

LogicalResult split(ModuleOp fixed, const std::string &parts) {
  PassManager passes(fixed.getContext());
  passes.addNestedPass<dend::NetworkOp>(
      createDendSplitDendrite(DendSplitDendriteOptions{parts}));
  return passes.run(fixed);
}

/// Maps a copy of the network. Throws Error for whatever is no answer to the
/// question whether it fits.
Placement tryParts(ModuleOp fixed, int64_t parts, const CompileOptions &options,
                   const SharedTarget &chip) {
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(fixed->clone()));
  Placement placement;
  placement.parts = parts;
  DiagnosticsAsError errors(fixed.getContext());
  if ((parts > 1 && failed(split(*copy, std::to_string(parts)))) ||
      failed(scheduleNetwork(*copy, options, chip)) ||
      failed(mapOntoChip(*copy, options, chip))) {
    if (!errors.refusal())
      errors.raise("the network cannot be mapped onto this target");
    placement.message = errors.message();
    placement.refusal = *errors.refusal();
    return placement;
  }
  report::MappingReportAttr::Fields mapping =
      (*copy->getOps<chip::ProgramImageOp>().begin()).getMapping()->fields();
  placement.cost = mapping.cost;
  placement.unit = mapping.cost_unit;
  return placement;
}

/// The fewest compartments of a dendrite that can be split; 0 without one.
int64_t leastCompartments(ModuleOp fixed) {
  int64_t least = 0;
  for (auto network : fixed.getOps<dend::NetworkOp>()) {
    dend::NetworkIndex index(network);
    for (auto population : network.getOps<dend::PopulationOp>()) {
      std::string why;
      if (auto parts = divide(population, why))
        least =
            least ? std::min(least, parts->compartments) : parts->compartments;
    }
  }
  return least;
}

/// Maps the dendrites in parts: 2, 4, 8, ... up to the first number that fits.
/// If none does, they are the fewest that are not too large for a core each.
Placement divideUntilFit(ModuleOp fixed, int64_t most,
                         const CompileOptions &options,
                         const SharedTarget &chip) {
  Placement divided;
  for (int64_t n = 2; n <= most && !divided.cost; n *= 2) {
    Placement found = tryParts(fixed, n, options, chip);
    if (n == 2 || found.cost || divided.refusal.oneNeuron)
      divided = std::move(found);
  }
  return divided;
}

} // namespace

std::optional<Tried> splitDendrites(OwningOpRef<ModuleOp> &fixed,
                                    const CompileOptions &options,
                                    const SharedTarget &chip,
                                    Choices &choices) {
  std::string parts = options.splitDendrite;
  if (parts == "auto") {
    int64_t most = leastCompartments(*fixed);
    if (!most)
      return std::nullopt;
    withoutLimits(chip, options); // A wrong name is wrong in every form.
    Placement wide = tryParts(*fixed, 1, options, chip);
    Placement divided = divideUntilFit(*fixed, most, options, chip);
    bool splits = divided.cost && (!wide.cost || *divided.cost < *wide.cost);
    choices.push_back({"dendrite", splits ? divided.name() : wide.name()});
    choices.push_back(
        {"dendrite, modelled", wide.text() + "; " + divided.text()});
    if (!wide.cost && !divided.cost)
      return Tried{"with the dendrite " + divided.name(), divided.message,
                   divided.refusal};
    if (!splits)
      return std::nullopt;
    parts = std::to_string(divided.parts);
  } else if (parts == "wide") {
    return std::nullopt;
  } else {
    choices.push_back({"dendrite", "in parts: " + parts + " (given)"});
  }
  DiagnosticsAsError errors(fixed->getContext());
  errors.check(split(*fixed, parts), "the dendrite cannot be split");
  return std::nullopt;
}

} // namespace neurite
