// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/ChooseNetwork.h"

#include "compiler/pipelines/Stages.h"
#include "compiler/pipelines/samples/Answers.h"
#include "compiler/transforms/quantise/CubaShape.h"
#include "compiler/transforms/quantise/LayerBits.h"

#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/NumberAttrs.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;

namespace dendrolith {
namespace {

/// Below this, steps by the largest weight lose what others keep.
constexpr uint64_t kManyBits = 8;
// Samples that networks are compared on: more take time and rarely tell more.
constexpr uint64_t kComparedSamples = 32;

bool hasFewBits(dend::NetworkOp network, const Target &chip) {
  return chip.formats.weightBits < kManyBits ||
         llvm::any_of(
             network.getOps<dend::ProjectOp>(),
             [](dend::ProjectOp project) {
               return weightBitsOf(project).value_or(kManyBits) < kManyBits;
             });
}

/// Whether the host alone reads a population, as real numbers: errors of its
/// weights go straight into the answers.
bool isReadOut(dend::PopulationOp population) {
  auto network = population->getParentOfType<dend::NetworkOp>();
  dend::NeuronOp model = dend::modelOf(population);
  auto reads = [&](dend::OutputOp output) {
    if (output.getPopulation() != population.getSymName())
      return false;
    if (output.getProbe())
      return true;
    const int at = model.findOutput(output.getFrom());
    return at >= 0 && model.getOutput(unsigned(at)).getType().getKind() ==
                          dend::SpikeKind::Graded;
  };
  return llvm::any_of(network.getOps<dend::OutputOp>(), reads) &&
         dend::projectionsOutOf(population).empty();
}

/// One number for all weights, few bits, leaves those into read-outs as they
/// are on a chip of many bits. Where there are no others it is meant for them.
void keepReadOuts(dend::NetworkOp network, StringRef asked,
                  const Target &chip) {
  uint64_t bits = 0;
  if (asked.getAsInteger(10, bits) || bits >= kManyBits)
    return;
  dend::NetworkIndex index(network);
  SmallVector<dend::ProjectOp> kept;
  const std::vector<dend::ProjectOp> all = weightedProjections(network);
  for (dend::ProjectOp project : all)
    if (isReadOut(dend::symbolOf<dend::PopulationOp>(project,
                                                     project.getTargetAttr())))
      kept.push_back(project);
  if (kept.size() == all.size())
    return;
  Builder builder(network.getContext());
  for (dend::ProjectOp project : kept)
    project->setAttr(dend::kWeightBits,
                     builder.getI64IntegerAttr(int64_t(std::min<uint64_t>(
                         kManyBits, chip.formats.weightBits))));
}

std::string nameOf(const QuantiserOptions &options) {
  const bool searches = options.method == "search";
  return options.method + ", " + options.rounding +
         (searches && options.rescaling ? ", rescaled" : "") +
         (searches && options.thresholdScale == "layer" ? ", a step per layer"
                                                        : "");
}

QuantisedKind kindOfNetwork(dend::NetworkOp network, const Target &chip,
                            bool samples) {
  dend::NetworkIndex index(network);
  QuantisedKind kind{hasFewBits(network, chip), samples, false, false};
  for (auto population : network.getOps<dend::PopulationOp>()) {
    kind.programs |= kindOf(population) == ModelKind::Body;
    kind.fixedFunction |= kindOf(population) == ModelKind::Cuba;
  }
  return kind;
}

/// Quantises a copy; null where that cannot be done, without a diagnostic.
OwningOpRef<ModuleOp> quantised(ModuleOp prepared,
                                const CompileOptions &options,
                                const SharedTarget &chip,
                                const std::map<std::string, Samples> &inputs,
                                const QuantiserOptions &quantiser) {
  ScopedDiagnosticHandler silent(prepared.getContext(),
                                 [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(prepared->clone()));
  if (failed(quantiseNetwork(*copy, options, chip, inputs, quantiser)))
    return nullptr;
  return copy;
}

} // namespace

std::vector<QuantiserCandidate> candidatesOf(const QuantiserOptions &asked,
                                             const QuantisedKind &network) {
  QuantiserOptions first = asked.settled(network.fewBits, network.samples);
  first.rescaling &= network.programs && network.samples;
  const bool isAuto = asked.method == "auto";
  const bool many = asked.candidates == "many" ||
                    (asked.candidates == "auto" && asked.method == "search");
  std::vector<QuantiserOptions> all{first};
  if (network.samples && asked.candidates != "one" &&
      (first.method == "search" || (isAuto && asked.candidates != "auto"))) {
    all.front().method = "search";
    auto vary = [&](auto &&change) {
      for (size_t i = 0, count = all.size(); i < count; ++i) {
        all.push_back(all[i]);
        change(all.back());
      }
    };
    if (first.rescaling)
      vary([](QuantiserOptions &options) { options.rescaling = false; });
    if (many && asked.rounding == "auto")
      vary([&](QuantiserOptions &options) {
        options.rounding = first.rounding == "nearest" ? "adaptive" : "nearest";
      });
    if (many && network.fixedFunction && asked.thresholdScale == "neuron")
      vary([](QuantiserOptions &options) { options.thresholdScale = "layer"; });
    // What many bits have anyway comes first, and so is taken on a tie.
    if (first.method == "max")
      all.insert(all.begin(), first);
    else if (many && isAuto) {
      all.push_back(first);
      all.back().method = "max";
      all.back().rounding = "nearest";
    }
  }
  std::vector<QuantiserCandidate> named;
  for (QuantiserOptions &options : all)
    named.push_back({nameOf(options), options});
  return named;
}

/// A number of candidates that was asked for and cannot be had.
static LogicalResult checkCandidates(dend::NetworkOp network,
                                     const QuantiserOptions &asked,
                                     bool samples) {
  if (asked.candidates == "auto" || asked.candidates == "one")
    return success();
  const std::string flag = "candidates: " + asked.candidates + " compares ";
  if (!samples)
    return network.emitError(flag +
                             "what networks answer to samples, and there "
                             "are none; give some with --calibrate");
  if (asked.method != "auto" && asked.method != "search")
    return network.emitError(flag +
                             "networks whose steps are searched, and "
                             "--quantise " +
                             asked.method +
                             " leaves one; take --quantise search or auto");
  return success();
}

LogicalResult chooseNetwork(OwningOpRef<ModuleOp> &network,
                            const CompileOptions &options,
                            const SharedTarget &chip,
                            const std::map<std::string, Samples> &inputs,
                            unsigned threads, ChosenNetwork &chosen) {
  dend::NetworkOp prepared = dend::networkIn(*network);
  // Before pooling gets weights, which a list of bits does not count.
  if (failed(setWeightBits(prepared, options.weightBits, chip.get())) ||
      failed(setInputBits(prepared, options.inputBits)))
    return failure();
  if (options.quantiser.method == "auto")
    keepReadOuts(prepared, options.weightBits, chip.get());
  if (failed(checkCandidates(prepared, options.quantiser, !inputs.empty())))
    return failure();
  const std::vector<QuantiserCandidate> candidates = candidatesOf(
      options.quantiser, kindOfNetwork(prepared, chip.get(), !inputs.empty()));
  chosen.used = candidates.front().options;
  if (candidates.size() > 1) {
    auto truth = answersOf(prepared, inputs, kComparedSamples, threads);
    if (failed(truth))
      return failure();
    OwningOpRef<ModuleOp> best;
    std::string kept;
    double least = std::numeric_limits<double>::infinity();
    for (const QuantiserCandidate &candidate : candidates) {
      OwningOpRef<ModuleOp> tried =
          quantised(*network, options, chip, inputs, candidate.options);
      if (!tried)
        continue;
      auto answers =
          answersOf(dend::networkIn(*tried), inputs, kComparedSamples, threads);
      if (failed(answers))
        return failure();
      const double error = answerError(*answers, *truth);
      chosen.among +=
          fmt::format("{}{} {:.4g} %", chosen.among.empty() ? "" : "; ",
                      candidate.name, 100 * std::sqrt(error));
      if (best && error >= least)
        continue;
      least = error;
      kept = candidate.name;
      chosen.used = candidate.options;
      best = std::move(tried);
    }
    if (best) {
      chosen.among =
          fmt::format("kept: {}; answers off by: {}", kept, chosen.among);
      network = std::move(best);
      return success();
    }
  }
  return quantiseNetwork(*network, options, chip, inputs, chosen.used);
}

} // namespace dendrolith
