// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wide neuron lies on one core or over several: forms are mapped, and the
// cheapest one stays.

#include "compiler/pipelines/DivideWide.h"

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

/// Of what can be divided, each neuron.
LogicalResult split(ModuleOp fixed, const std::string &parts) {
  DendSplitDendriteOptions options;
  options.parts = parts;
  PassManager passes(fixed.getContext());
  passes.addNestedPass<dend::NetworkOp>(createDendSplitDendrite(options));
  return passes.run(fixed);
}

/// Maps a copy of the network. Throws Error for whatever is no answer to the
/// question whether it fits.
Placement tryParts(ModuleOp fixed, int64_t parts, const CompileOptions &options,
                   const SharedTarget &chip, MappingMemo &memo) {
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(fixed->clone()));
  Placement placement;
  placement.parts = parts;
  DiagnosticsAsError errors(fixed.getContext());
  if ((parts > 1 && failed(split(*copy, std::to_string(parts)))) ||
      failed(scheduleNetwork(*copy, options, chip)) ||
      failed(mapOntoChip(*copy, options, chip, memo, true))) {
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
                         const SharedTarget &chip, MappingMemo &memo) {
  Placement divided;
  for (int64_t n = 2; n <= most && !divided.cost; n *= 2) {
    Placement found = tryParts(fixed, n, options, chip, memo);
    if (n == 2 || found.cost || divided.refusal.oneNeuron)
      divided = std::move(found);
  }
  return divided;
}

unsigned messageBits(const SharedTarget &chip) {
  const Target &target = chip.get();
  return target.spikes.graded ? unsigned(target.spikes.payloadBits) : 32;
}

/// A form of a network with neurons that no core holds.
struct WideForm {
  WidePlan plan;
  Placement placed;
};

WideForm tryPlan(ModuleOp fixed, WidePlan plan, const CompileOptions &options,
                 const SharedTarget &chip, MappingMemo &memo,
                 OwningOpRef<ModuleOp> &divided) {
  divided = cast<ModuleOp>(fixed->clone());
  WideForm form{std::move(plan), {}};
  {
    DiagnosticsAsError errors(fixed.getContext());
    errors.check(applyPlan(*divided, form.plan, messageBits(chip)),
                 "a wide neuron cannot be divided");
  }
  form.placed = tryParts(*divided, 1, options, chip, memo);
  return form;
}

/// The other forms that may be cheaper: with front neurons or without, with
/// slices of all states in each part, and in twice as many parts.
std::vector<WidePlan> alternatives(const WidePlan &plan) {
  std::vector<WidePlan> others;
  // Only a form with front neurons gathers their synapses.
  bool gathers = llvm::any_of(plan.collected, [&](const auto &port) {
    return StringRef(port.first).ends_with(".front");
  });
  if (plan.divided.empty())
    return others;
  auto turnFronts = [&](WidePlan other) {
    for (auto &[name, parts] : other.divided)
      parts.front = !parts.front;
    if (!gathers)
      others.push_back(std::move(other));
  };
  turnFronts(plan);
  WidePlan slices = plan, more = plan;
  for (auto &[name, parts] : slices.divided)
    parts.parts = "1x" + parts.parts;
  others.push_back(slices);
  turnFronts(slices);
  for (auto &[name, parts] : more.divided)
    parts.parts = std::to_string(2 * std::stoll(parts.parts));
  others.push_back(std::move(more));
  return others;
}

/// Divides what no core holds until all of it fits, and looks for a cheaper
/// form beside that.
std::optional<Tried> divideWideNeurons(OwningOpRef<ModuleOp> &fixed,
                                       const CompileOptions &options,
                                       const SharedTarget &chip,
                                       MappingMemo &memo, Choices &choices) {
  // Each step divides one neuron further; few networks need half as many.
  constexpr int kMostSteps = 64;
  OwningOpRef<ModuleOp> divided;
  WideForm form = tryPlan(*fixed, {}, options, chip, memo, divided);
  if (form.placed.cost || !form.placed.refusal.oneNeuron)
    return std::nullopt;
  std::string wide = form.placed.refusal.reason, why;
  for (int step = 0; step < kMostSteps && !form.placed.cost; ++step) {
    if (!form.placed.refusal.oneNeuron)
      break;
    WidePlan next = form.plan;
    why = widen(next, *divided, *fixed, form.placed.refusal);
    if (!why.empty())
      break;
    form = tryPlan(*fixed, std::move(next), options, chip, memo, divided);
  }
  if (!form.placed.cost) {
    std::string how = form.plan.empty() ? "not divided" : form.plan.text();
    Refusal refusal = form.placed.refusal;
    if (!why.empty())
      refusal.reason += "; " + why;
    return Tried{"with " + how, form.placed.message, refusal};
  }
  auto cost = [](const WideForm &its) {
    return fmt::format("{} {:.0f} {}", its.plan.text(), *its.placed.cost,
                       its.placed.unit);
  };
  std::string all = "as given does not fit: " + wide + "; " + cost(form);
  for (WidePlan &other : alternatives(form.plan)) {
    WideForm found;
    try {
      found = tryPlan(*fixed, other, options, chip, memo, divided);
    } catch (const Error &) {
      continue; // There are no more parts to divide into.
    }
    all += "; " + (found.placed.cost ? cost(found)
                                     : found.plan.text() + " does not fit: " +
                                           found.placed.refusal.reason);
    if (found.placed.cost && *found.placed.cost < *form.placed.cost)
      form = std::move(found);
  }
  choices.push_back({"wide neurons", form.plan.text()});
  choices.push_back({"wide neurons, modelled", all});
  DiagnosticsAsError errors(fixed->getContext());
  errors.check(applyPlan(*fixed, form.plan, messageBits(chip)),
               "a wide neuron cannot be divided");
  return std::nullopt;
}

/// "H0=4x2/front,R=2": each population's parts, and whether a front neuron
/// computes what they share; without a name, of all that can be divided.
LogicalResult splitAsGiven(ModuleOp fixed, const std::string &text,
                           const SharedTarget &chip) {
  SmallVector<StringRef> words;
  StringRef(text).split(words, ',');
  PassManager passes(fixed.getContext());
  for (StringRef word : words) {
    DendSplitDendriteOptions split;
    auto [name, parts] = word.split('=');
    if (word.contains('='))
      split.population = name.str();
    else
      parts = word;
    split.front = parts.consume_back("/front");
    split.parts = parts.str();
    split.messageBits = messageBits(chip);
    passes.addNestedPass<dend::NetworkOp>(createDendSplitDendrite(split));
  }
  return passes.run(fixed);
}

} // namespace

std::optional<Tried> splitDendrites(OwningOpRef<ModuleOp> &fixed,
                                    const CompileOptions &options,
                                    const SharedTarget &chip, MappingMemo &memo,
                                    Choices &choices, bool &mapped) {
  std::string parts = options.splitDendrite;
  mapped = false;
  if (parts == "auto") {
    int64_t most = leastCompartments(*fixed);
    mapped = most || mayBeTooWide(*fixed, options, chip);
    if (!most)
      return mapped ? divideWideNeurons(fixed, options, chip, memo, choices)
                    : std::nullopt;
    withoutLimits(chip, options); // A wrong name is wrong in every form.
    Placement wide = tryParts(*fixed, 1, options, chip, memo);
    Placement divided = divideUntilFit(*fixed, most, options, chip, memo);
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
  errors.check(splitAsGiven(*fixed, parts, chip),
               "the dendrite cannot be split");
  return std::nullopt;
}

} // namespace neurite
