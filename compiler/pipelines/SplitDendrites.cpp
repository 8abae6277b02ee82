// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/SplitDendrites.h"

#include "compiler/pipelines/DivideWide.h"

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/rewrites/DendriteParts.h"

#include "dialects/dend/NetworkIndex.h"

#include "mlir/Pass/PassManager.h"

#include "compiler/pipelines/Diagnostics.h"
#include "fmt/format.h"
#include "runtime/host/Workers.h"

#include <exception>

using namespace mlir;

namespace dendrolith {
namespace {

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

/// The network as it is, and with the dendrites in parts: 2, 4, 8, ... up to
/// the first number that fits. If none does, they are the fewest that are not
/// too large for a core each.
std::pair<PlacedForm, PlacedForm> wideAndDivided(ModuleOp fixed, int64_t most,
                                                 const CompileOptions &options,
                                                 const SharedTarget &chip,
                                                 MappingMemo &memo) {
  NetworkForm wide = formOf(fixed, 1, options, chip);
  SmallVector<NetworkForm *> forms{&wide};
  PlacedForm divided;
  for (int64_t n = 2; n <= most && !divided.cost; n *= 2) {
    NetworkForm found = formOf(fixed, n, options, chip);
    forms.push_back(&found);
    place(forms, options, memo);
    forms.clear();
    if (n == 2 || found.placed.cost || divided.refusal.oneNeuron)
      divided = std::move(found.placed);
  }
  place(forms, options, memo);
  return {wide.placed, divided};
}

unsigned messageBits(const SharedTarget &chip) {
  const Target &target = chip.get();
  return target.spikes.graded ? unsigned(target.spikes.payloadBits) : 32;
}

/// A form of a network with neurons that no core holds.
struct WideForm {
  WidePlan plan;
  OwningOpRef<ModuleOp> divided; ///< without a schedule
  NetworkForm form;
};

WideForm formOf(ModuleOp fixed, WidePlan plan, const CompileOptions &options,
                const SharedTarget &chip) {
  OwningOpRef<ModuleOp> divided(cast<ModuleOp>(fixed->clone()));
  {
    DiagnosticsAsError errors(fixed.getContext());
    errors.check(applyPlan(*divided, plan, messageBits(chip)),
                 "a wide neuron cannot be divided");
  }
  NetworkForm form = formOf(*divided, 1, options, chip);
  return {std::move(plan), std::move(divided), std::move(form)};
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

/// The alternatives to a plan that can be had.
std::vector<WideForm> alternativeForms(ModuleOp fixed, const WidePlan &plan,
                                       const CompileOptions &options,
                                       const SharedTarget &chip) {
  std::vector<WideForm> forms;
  for (WidePlan &other : alternatives(plan)) {
    try {
      forms.push_back(formOf(fixed, std::move(other), options, chip));
    } catch (const Error &) {
      continue; // There are no more parts to divide into.
    }
  }
  return forms;
}

/// Divides what no core holds until all of it fits, and looks for a cheaper
/// form beside that.
std::optional<Tried> divideWideNeurons(OwningOpRef<ModuleOp> &fixed,
                                       const CompileOptions &options,
                                       const SharedTarget &chip,
                                       MappingMemo &memo, Choices &choices) {
  // Each step divides one neuron further; few networks need half as many.
  constexpr int kMostSteps = 64;
  auto tryPlan = [&](WidePlan plan) {
    WideForm tried = formOf(*fixed, std::move(plan), options, chip);
    place({&tried.form}, options, memo);
    return tried;
  };
  WideForm best = tryPlan({});
  if (best.form.placed.cost || !best.form.placed.refusal.oneNeuron)
    return std::nullopt;
  std::string wide = best.form.placed.refusal.reason, why;
  for (int step = 0; step < kMostSteps && !best.form.placed.cost; ++step) {
    if (!best.form.placed.refusal.oneNeuron)
      break;
    WidePlan next = best.plan;
    why = widen(next, *best.divided, *fixed, best.form.placed.refusal);
    if (!why.empty())
      break;
    best = tryPlan(std::move(next));
  }
  if (!best.form.placed.cost) {
    std::string how = best.plan.empty() ? "not divided" : best.plan.text();
    Refusal refusal = best.form.placed.refusal;
    if (!why.empty())
      refusal.reason += "; " + why;
    return Tried{"with " + how, best.form.placed.message, refusal};
  }
  auto cost = [](const WideForm &its) {
    return fmt::format("{} {:.0f} {}", its.plan.text(), *its.form.placed.cost,
                       its.form.placed.unit);
  };
  std::string all = "as given does not fit: " + wide + "; " + cost(best);
  std::vector<WideForm> others =
      alternativeForms(*fixed, best.plan, options, chip);
  SmallVector<const NetworkForm *> forms;
  for (const WideForm &other : others)
    forms.push_back(&other.form);
  auto answers = mapAll(forms, options, memo);
  for (auto &&[other, answer] : llvm::zip_equal(others, answers)) {
    try {
      if (other.form.job)
        note(answer, other.form);
    } catch (const Error &) {
      continue; // There are no more parts to divide into.
    }
    const PlacedForm &placed = other.form.placed;
    all += "; " + (placed.cost ? cost(other)
                               : other.plan.text() +
                                     " does not fit: " + placed.refusal.reason);
    if (placed.cost && *placed.cost < *best.form.placed.cost)
      best = std::move(other);
  }
  choices.push_back({"wide neurons", best.plan.text()});
  choices.push_back({"wide neurons, modelled", all});
  DiagnosticsAsError errors(fixed->getContext());
  errors.check(applyPlan(*fixed, best.plan, messageBits(chip)),
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
    const auto [wide, divided] =
        wideAndDivided(*fixed, most, options, chip, memo);
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

std::string PlacedForm::name() const {
  return parts == 1 ? "wide" : fmt::format("in {} parts", parts);
}

std::string PlacedForm::text() const {
  return cost ? fmt::format("{} {:.0f} {}", name(), *cost, unit)
              : fmt::format("{} does not fit: {}", name(), refusal.reason);
}

namespace {

/// Divides each neuron that can be divided.
LogicalResult split(ModuleOp fixed, const std::string &parts) {
  DendSplitDendriteOptions options;
  options.parts = parts;
  PassManager passes(fixed.getContext());
  passes.addNestedPass<dend::NetworkOp>(createDendSplitDendrite(options));
  return passes.run(fixed);
}

/// What the diagnostics say about a form. Throws Error for whatever is no
/// answer to the question whether it fits.
void noteRefusal(DiagnosticsAsError &errors, PlacedForm &placement) {
  if (!errors.refusal())
    errors.raise("the network cannot be mapped onto this target");
  placement.message = errors.message();
  placement.refusal = *errors.refusal();
}

} // namespace

NetworkForm formOf(ModuleOp fixed, int64_t parts, const CompileOptions &options,
                   const SharedTarget &chip) {
  NetworkForm form{cast<ModuleOp>(fixed->clone()), {}, {}};
  form.placed.parts = parts;
  DiagnosticsAsError errors(fixed.getContext());
  MapJob job;
  if ((parts > 1 && failed(split(*form.module, std::to_string(parts)))) ||
      failed(scheduleNetwork(*form.module, options, chip)) ||
      failed(prepareToMap(*form.module, options, chip, job)))
    noteRefusal(errors, form.placed);
  else
    form.job = std::move(job);
  return form;
}

void note(MappingMemo::Answer &answer, NetworkForm &form) {
  dend::NetworkOp network = dend::networkIn(*form.module);
  DiagnosticsAsError errors(network.getContext());
  try {
    if (answer.error)
      std::rethrow_exception(answer.error);
  } catch (const Error &error) {
    emitError(network.getLoc()) << error.what();
    noteRefusal(errors, form.placed);
  }
  if (!*answer.fit) {
    (void)refuse(network, answer.fit->misfit());
    return noteRefusal(errors, form.placed);
  }
  form.placed.cost = (*answer.fit)->cost;
  form.placed.unit = (*answer.fit)->costUnit;
}

std::vector<MappingMemo::Answer> mapAll(ArrayRef<const NetworkForm *> forms,
                                        const CompileOptions &options,
                                        MappingMemo &memo) {
  std::vector<MapRequest> asked;
  for (const NetworkForm *form : forms)
    if (form->job)
      asked.push_back(form->job->request());
  std::vector<MappingMemo::Answer> given =
      memo.mapAll(asked, workersFor(options.threads, UINT32_MAX));
  std::vector<MappingMemo::Answer> answers(forms.size());
  for (size_t i = 0, next = 0; i < forms.size(); ++i)
    if (forms[i]->job)
      answers[i] = std::move(given[next++]);
  return answers;
}

void place(ArrayRef<NetworkForm *> forms, const CompileOptions &options,
           MappingMemo &memo) {
  auto answers = mapAll({forms.begin(), forms.end()}, options, memo);
  for (auto &&[form, answer] : llvm::zip_equal(forms, answers))
    if (form->job)
      note(answer, *form);
}

} // namespace dendrolith
