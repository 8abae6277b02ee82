// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Rewrites.h"

#include "compiler/pipelines/InputFeeder.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/rewrites/RewriteReport.h"

#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace neurite {
namespace {

struct FloatRewrite {
  const char *name;
  std::unique_ptr<Pass> (*create)();
};
const FloatRewrite kFloatRewrites[] = {{"fold-readout", createDendFoldReadout},
                                       {"rank-d", createDendRankD}};
constexpr const char *kDeadUnits = "dead-units";

// Of a float network, which is run twice in the slow interpreter.
constexpr uint64_t kFloatSamples = 4;
// Relative; two orders of additions of some hundred doubles.
constexpr double kRounding = 1e-9;

bool has(const std::vector<std::string> &names, const char *name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// How far two networks are apart.
struct Difference {
  double gap = 0, largest = 0; // of outputs
  uint64_t spikes = 0, differing = 0;
};

/// Outputs and integer emissions after a root tick. Populations that only one
/// of the two has, or that have another size there, are left out.
void compareTick(dend::NetworkOp network, const dend::Interpreter &one,
                 const dend::Interpreter &other, dend::NetworkOp otherNetwork,
                 Difference &difference) {
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
  std::vector<std::string> names;
  for (const FloatRewrite &rewrite : kFloatRewrites)
    names.push_back(rewrite.name);
  names.push_back(kDeadUnits);
  return names;
}

bool removesDeadUnits(const std::vector<std::string> &names) {
  return has(names, kDeadUnits);
}

LogicalResult rewriteFloat(ModuleOp module,
                           const std::vector<std::string> &names) {
  PassManager passes(module.getContext());
  for (const FloatRewrite &rewrite : kFloatRewrites)
    if (has(names, rewrite.name))
      passes.addNestedPass<dend::NetworkOp>(rewrite.create());
  return passes.run(module);
}

LogicalResult verifyFloat(dend::NetworkOp rewritten, dend::NetworkOp before,
                          const dend::Bindings &bindings,
                          const std::map<std::string, Samples> &inputs) {
  auto one = dend::Interpreter::create(rewritten, bindings),
       other = dend::Interpreter::create(before, bindings);
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
      compareTick(rewritten, **one, **other, before, difference);
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
  recordVerified(rewritten, {"fold-readout", "rank-d"}, found);
  return success();
}

} // namespace neurite
