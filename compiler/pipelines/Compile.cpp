// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Compile.h"

#include "compiler/emit/EmitProgram.h"
#include "compiler/import/mlir/Ranc.h"
#include "compiler/lowering/NetworkToMap.h"
#include "compiler/pipelines/ChooseNetwork.h"
#include "compiler/pipelines/Diagnostics.h"
#include "compiler/pipelines/Rewrites.h"
#include "compiler/pipelines/SplitDendrites.h"
#include "compiler/pipelines/Stages.h"
#include "compiler/pipelines/Statistics.h"
#include "compiler/pipelines/samples/Calibrate.h"
#include "compiler/pipelines/samples/CheckQuantised.h"
#include "compiler/transforms/network/Refusal.h"
#include "compiler/transforms/quantise/CubaShape.h"
#include "compiler/transforms/quantise/LayerBits.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"

#include "runtime/host/Files.h"
#include "runtime/host/Signals.h"

using namespace mlir;

namespace dendrolith {
namespace {

// The importers refuse larger models anyway.
constexpr uint64_t kModelBytes = uint64_t(4) << 30;

/// Puts bound arrays in place of extern constants, so that passes see numbers.
void bindConstants(dend::NetworkOp network, const dend::Bindings &bindings,
                   DiagnosticsAsError &errors) {
  for (auto constant : network.getOps<dend::ConstantOp>()) {
    auto type = cast<RankedTensorType>(constant.getType());
    if (constant.getValueAttr())
      continue;
    auto tensor = dend::readConstant(constant, bindings);
    errors.check(tensor, "a constant cannot be bound");
    std::string name = constant.getSymName().str();
    constant.setValueAttr(tensor->isReal
                              ? dend::makeElements(type, name, tensor->real)
                              : dend::makeElements(type, name, tensor->ints));
    constant.removeKeyAttr();
    constant.removeAtAttr();
  }
}

/// The populations whose step bodies are quantised value by value.
llvm::StringSet<> bodiesOf(dend::NetworkOp network) {
  dend::NetworkIndex index(network);
  llvm::StringSet<> names;
  for (auto population : network.getOps<dend::PopulationOp>())
    if (kindOf(population) == ModelKind::Body)
      names.insert(population.getSymName());
  return names;
}

void setChoices(dend::NetworkOp network, const Choices &choices) {
  std::vector<report::NoteAttr::Fields> rows;
  for (const auto &[key, value] : choices)
    rows.push_back({key, value});
  network.setPoliciesAttr(
      report::rowsOf<report::NoteAttr>(network.getContext(), rows));
}

/// What the options chose, and what became of real-valued inputs.
void addChoices(Choices &choices, const CompileOptions &options,
                const ChosenNetwork &chosen, dend::NetworkOp before,
                dend::NetworkOp after) {
  choices.push_back({"spikes", options.spikes == "auto"
                                   ? "as the target can (auto)"
                                   : options.spikes + " (given)"});
  for (auto input : before.getOps<dend::InputOp>()) {
    auto now = after.lookupSymbol<dend::InputOp>(input.getSymName());
    auto spike = cast<dend::SpikeType>(now.getSpike());
    if (input.getSpike() == now.getSpike() ||
        spike.getKind() != dend::SpikeKind::Int)
      continue;
    const std::optional<uint64_t> bits = inputBitsOf(now);
    choices.push_back(
        {"input " + input.getSymName().str(),
         std::to_string(spike.getLow()) + " to " +
             std::to_string(spike.getHigh()) +
             (bits ? ", " + std::to_string(*bits) + " bits (given)" : "")});
  }
  if (!chosen.used.plain())
    choices.push_back({"quantiser", chosen.used.method + ", rounded " +
                                        chosen.used.rounding});
  if (!chosen.among.empty())
    choices.push_back({"networks compared", chosen.among});
  for (const auto &[what, bits] : {std::pair("weight bits", options.weightBits),
                                   std::pair("state bits", options.stateBits)})
    if (!bits.empty())
      choices.push_back({what, bits + " (given)"});
  if (options.minCores)
    choices.push_back(
        {"cores", "at least " + std::to_string(options.minCores) + " (given)"});
}

} // namespace

Compilation::Compilation(const std::string &path, const ImportOptions &options,
                         const Bind &bind)
    : context(MLIRContext::Threading::DISABLED) {
  context.loadDialect<dend::DendDialect, chip::ChipDialect>();
  // An error names its place; the whole op behind it is no help to a user.
  context.printOpOnDiagnostic(false);
  fileSha256 =
      isRanc(path) ? digestOfRanc(path) : sha256OfFile(path, kModelBytes);
  model = importModel(context, path, options);
  DiagnosticsAsError errors(&context);
  if (bind)
    bindings = bind(floatNetwork());
  if (!bindings.empty())
    bindConstants(floatNetwork(), bindings, errors);
}

dend::NetworkOp Compilation::floatNetwork() {
  return dend::networkIn(*model.module);
}

dend::NetworkOp Compilation::fixedNetwork() {
  return fixed ? dend::networkIn(*fixed) : dend::NetworkOp();
}

dend::NetworkOp Compilation::preparedNetwork() {
  if (prepared)
    return dend::networkIn(*prepared);
  DiagnosticsAsError errors(&context);
  auto copy =
      mlir::OwningOpRef<ModuleOp>(cast<ModuleOp>(model.module->clone()));
  // They describe the network as it was trained: passes change it below.
  recordStatistics(dend::networkIn(*copy));
  recordLayers(dend::networkIn(*copy));
  errors.check(prepareNetwork(*copy),
               "the network cannot be prepared for quantisation");
  prepared = std::move(copy);
  return dend::networkIn(*prepared);
}

void Compilation::rewrite(const CompileOptions &options) {
  if (options.rewrites.empty())
    return;
  DiagnosticsAsError errors(&context);
  plain = cast<ModuleOp>(model.module->clone());
  errors.check(rewriteFloat(*model.module, options.rewrites),
               "the network cannot be rewritten");
  if (!floatNetwork().getRewrites()) // none of the float network
    plain = nullptr;
  else
    floatNetwork().removeStatisticsAttr(); // of the layers that were
}

Warnings Compilation::warnings() {
  return fixed ? warningsOf(fixedNetwork()) : model.warnings;
}

std::vector<std::string> Compilation::rewriteLines() {
  std::vector<std::string> lines;
  if (ArrayAttr rows = floatNetwork().getRewritesAttr())
    for (auto row : rows.getAsRange<report::RewriteRowAttr>())
      lines.push_back("rewrite " + row.getRewrite().str() + ": " +
                      row.getDetail().str());
  return lines;
}

void Compilation::calibrate(const std::map<std::string, Samples> &inputs,
                            const std::string &what,
                            const std::map<std::string, std::string> &files) {
  DiagnosticsAsError errors(&context);
  if (plain)
    errors.check(
        verifyFloat(floatNetwork(), dend::networkIn(*plain), bindings, inputs),
        "the rewritten network cannot be verified");
  errors.check(
      dendrolith::calibrate(preparedNetwork(), bindings, inputs, sampleThreads),
      "calibration failed");
  calibrationInputs = inputs;
  for (const auto &[name, samples] : inputs)
    model.choices.push_back({name == kNoInput ? std::string("calibration")
                                              : "calibration of " + name,
                             std::to_string(samples.samples) + " samples of " +
                                 std::to_string(samples.steps) + " steps, " +
                                 what});
  for (const auto &[name, hash] : files)
    model.choices.push_back({"calibration file of " + name, hash});
}

void Compilation::calibrateOnExamples() {
  if (!model.examples.empty())
    calibrate(model.examples, "the model's own examples");
}

const SharedTarget &Compilation::chipOf(const CompileOptions &options) {
  if (!named || named.name() != options.target)
    named = SharedTarget(options.target);
  return named;
}

void Compilation::quantise(const CompileOptions &options) {
  chipOf(options).get(); // what is wrong with a chip is not the model's place
  DiagnosticsAsError errors(&context);
  preparedNetwork();
  fixed = cast<ModuleOp>(prepared->clone());
  for (const Warning &warning : model.warnings)
    warn(fixedNetwork(), warning);
  const SharedTarget &onto = chipOf(options);
  if (!onto.get().engines.has("microcode"))
    errors.check(raiseNetwork(*fixed), "the network cannot be raised");
  const llvm::StringSet<> programs = bodiesOf(fixedNetwork());
  bool pruned = removesDeadUnits(options.rewrites);
  ChosenNetwork chosen;
  if (failed(chooseNetwork(fixed, options, onto, calibrationInputs,
                           sampleThreads, chosen)) ||
      (pruned && failed(removeDeadUnits(*fixed, calibrationInputs)))) {
    fixed = nullptr;
    if (!onto.get().engines.has("microcode") && !errors.message().empty() &&
        !programs.empty())
      throw Unsupported(errors.all());
    errors.raise("the network cannot be quantised for this target");
  }
  if (!programs.empty())
    errors.check(checkQuantised(fixedNetwork(), programs, calibrationInputs,
                                sampleThreads),
                 "the quantised network cannot be checked");
  Choices choices = model.choices;
  addChoices(choices, options, chosen, floatNetwork(), fixedNetwork());
  mappings.clear();
  tried =
      splitDendrites(fixed, options, onto, mappings, choices, shapedByMapping);
  if (failed(scheduleNetwork(*fixed, options, onto)))
    errors.raise("there is no schedule", tried);
  setChoices(fixedNetwork(), choices);
}

std::vector<Need> Compilation::leastNeeds(const CompileOptions &options) {
  const Target onto = withoutLimits(chipOf(options), options);
  DiagnosticsAsError errors(&context);
  auto lowered = toMapNetwork(fixedNetwork(), onto);
  errors.check(lowered, "the network cannot be mapped onto this target");
  return dendrolith::leastNeeds(lowered->map, onto);
}

void Compilation::lower(const CompileOptions &options) {
  const SharedTarget &onto = chipOf(options);
  lifted = withoutLimits(onto, options);
  DiagnosticsAsError errors(&context);
  chip = cast<ModuleOp>(fixed->clone());
  if (failed(mapOntoChip(*chip, options, onto, mappings))) {
    chip = nullptr;
    errors.raise("the network cannot be mapped onto this target", tried);
  }
}

std::vector<NodeFate> Compilation::explain(const CompileOptions &options) {
  // As the chip sees it.
  auto raised =
      mlir::OwningOpRef<ModuleOp>(cast<ModuleOp>(model.module->clone()));
  DiagnosticsAsError errors(&context);
  errors.check(raiseNetwork(*raised), "the network cannot be raised");
  return explainNodes(model, dend::networkIn(*raised), fixedNetwork(),
                      chipOf(options).get());
}

image::Program Compilation::emit() const {
  auto images = ModuleOp(chip.get()).getOps<chip::ProgramImageOp>();
  DiagnosticsAsError errors(const_cast<MLIRContext *>(&context));
  auto program = emitProgram(*images.begin(), lifted);
  errors.check(program, "the program image cannot be written");
  program->set_model_name(model.name);
  program->set_model_sha256(fileSha256);
  return std::move(*program);
}

std::string Compilation::text(const std::string &stage) {
  ModuleOp module = stage == "dend"         ? *model.module
                    : stage == "dend-fixed" ? *fixed
                                            : *chip;
  std::string out;
  llvm::raw_string_ostream stream(out);
  module.print(stream);
  return out;
}

} // namespace dendrolith
