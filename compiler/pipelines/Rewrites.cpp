// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Rewrites.h"

#include "compiler/pipelines/Pipelines.h"
#include "compiler/pipelines/samples/RunSamples.h"
#include "compiler/transforms/rewrites/RewriteReport.h"
#include "dialects/dend/fast/Interpreter.h"

#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace dendrolith {
namespace {

constexpr const char *kDeadUnits = "dead-units";

// A float network is compared on so few samples because it is run twice in the
// interpreter, which is slow.
constexpr uint64_t kFloatSamples = 4;
// How far outputs may differ, relative to the largest: some hundred doubles
// were added in another order.
constexpr double kRounding = 1e-9;

/// How far two networks are apart.
struct Difference {
  double gap = 0, largest = 0; ///< the largest difference and value of outputs
  uint64_t spikes = 0, differing = 0;
};

/// Compares outputs and integer emissions after a root tick. Populations that
/// only one of the two networks has, or that run another model there, are left
/// out.
void compareRewritten(dend::NetworkOp network, const dend::Interpreter &one,
                      const dend::Interpreter &other,
                      dend::NetworkOp otherNetwork, Difference &difference) {
  for (const dend::OutputInfo &output : one.outputs()) {
    std::vector<double> a = one.output(output.name),
                        b = other.output(output.name);
    for (size_t i = 0; i < a.size(); ++i) {
      difference.largest = std::max(difference.largest, std::fabs(b[i]));
      difference.gap = std::max(difference.gap, std::fabs(a[i] - b[i]));
    }
  }
  for (auto population : network.getOps<dend::PopulationOp>()) {
    StringRef name = population.getSymName();
    auto same = otherNetwork.lookupSymbol<dend::PopulationOp>(name);
    if (!same || same.getModel() != population.getModel())
      continue;
    dend::NeuronOp model = dend::modelOf(population);
    for (unsigned o = 0; o < model.getOutputs().size(); ++o) {
      StringRef output = model.getOutput(o).getName().getValue();
      const dend::Signal &a = one.emission(name, output),
                         &b = other.emission(name, output);
      for (size_t i = 0; i < a.raw.size() && i < b.raw.size(); ++i) {
        ++difference.spikes;
        difference.differing += a.raw[i] != b.raw[i];
      }
    }
  }
}

} // namespace

std::vector<std::string> rewriteNames() {
  std::vector<std::string> names = floatRewriteNames();
  names.push_back(kDeadUnits);
  return names;
}

bool removesDeadUnits(const std::vector<std::string> &names) {
  return std::find(names.begin(), names.end(), kDeadUnits) != names.end();
}

LogicalResult rewriteFloat(ModuleOp module,
                           const std::vector<std::string> &names) {
  RewriteOptions options;
  options.names = ArrayRef<std::string>(names);
  PassManager passes(module.getContext());
  populateRewritePipeline(passes, options);
  return passes.run(module);
}

LogicalResult verifyFloat(dend::NetworkOp rewritten, dend::NetworkOp before,
                          const dend::Bindings &bindings,
                          const std::map<std::string, Samples> &inputs) {
  auto one = dend::fast::Interpreter::create(rewritten, bindings),
       other = dend::fast::Interpreter::create(before, bindings);
  if (failed(one) || failed(other))
    return failure();
  Difference difference;
  InputFeeder feeder(**one, inputs);
  uint64_t samples = std::min(feeder.samples, kFloatSamples);
  for (uint64_t s = 0; s < samples; ++s) {
    (*one)->reset();
    (*other)->reset();
    for (uint64_t tick = 0; tick < feeder.ticks; ++tick) {
      (*one)->tick(feeder.at(s, tick));
      (*other)->tick(feeder.at(s, tick));
      compareRewritten(rewritten, **one, **other, before, difference);
    }
  }
  std::string found =
      fmt::format("float network run beside the one before on {} samples: "
                  "outputs differ by {:.2g} at most (largest {:.4g}), {} of {} "
                  "spikes differ",
                  samples, difference.gap, difference.largest,
                  difference.differing, difference.spikes);
  if (!difference.differing &&
      difference.gap > kRounding * std::max(1.0, difference.largest))
    return rewritten.emitError("rewrites that are exact in reals changed what "
                               "the network computes: ")
           << found;
  std::vector<std::string> names = floatRewriteNames();
  recordVerified(rewritten, SmallVector<StringRef>(names.begin(), names.end()),
                 found);
  return success();
}

} // namespace dendrolith
