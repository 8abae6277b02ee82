// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Forms.h"

#include "compiler/pipelines/Diagnostics.h"
#include "compiler/transforms/Passes.h"
#include "dialects/dend/NetworkIndex.h"

#include "mlir/Pass/PassManager.h"

#include "runtime/host/Workers.h"

#include "fmt/format.h"

#include <exception>

using namespace mlir;

namespace dendrolith {

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
