// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Rewrites.h"

#include "compiler/pipelines/Pipelines.h"
#include "compiler/pipelines/samples/RunSamples.h"
#include "compiler/transforms/rewrites/RewriteReport.h"
#include "dialects/dend/fast/Interpreter.h"

#include "compiler/transforms/Passes.h"
#include "dialects/dend/NetworkIndex.h"
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

namespace {

/// Notes on every population the neurons that emit nothing in all samples.
LogicalResult noteSilent(dend::NetworkOp network,
                         const std::map<std::string, Samples> &inputs) {
  auto interpreter = dend::fast::Interpreter::create(network);
  if (failed(interpreter))
    return failure();
  std::map<std::string, std::vector<char>> emitted;
  auto note = [&](dend::PopulationOp population) {
    StringRef name = population.getSymName();
    auto neurons = size_t(population.getSize());
    std::vector<char> &did = emitted[name.str()];
    did.resize(neurons, 0);
    dend::NeuronOp model = dend::modelOf(population);
    for (unsigned o = 0; o < model.getOutputs().size(); ++o) {
      dend::OutputAttr output = model.getOutput(o);
      const dend::Signal &signal =
          (*interpreter)->emission(name, output.getName().getValue());
      auto each = size_t(output.getElements());
      for (size_t i = 0; i < signal.raw.size(); ++i)
        did[i / each % neurons] |= signal.raw[i] != 0;
    }
  };
  InputFeeder feeder(**interpreter, inputs);
  for (uint64_t s = 0; s < feeder.samples; ++s) {
    (*interpreter)->reset();
    for (uint64_t tick = 0; tick < feeder.ticks; ++tick) {
      (*interpreter)->tick(feeder.at(s, tick));
      for (auto population : network.getOps<dend::PopulationOp>())
        note(population);
    }
  }
  for (auto population : network.getOps<dend::PopulationOp>()) {
    std::vector<int64_t> silent;
    const std::vector<char> &did = emitted[population.getSymName().str()];
    // A population without outputs is there to be probed.
    if (!dend::modelOf(population).getOutputs().empty())
      for (size_t n = 0; n < did.size(); ++n)
        if (!did[n])
          silent.push_back(int64_t(n));
    population.setSilent(silent);
    population.setSilentSamples(feeder.samples);
  }
  return success();
}

/// Values compared, and how many were not equal.
struct Comparison {
  uint64_t outputs = 0, emissions = 0, differing = 0;
};

/// Compares outputs, and emissions of the neurons that are left, after a root
/// tick.
void comparePruned(dend::NetworkOp pruned, const dend::Interpreter &one,
                   const dend::Interpreter &whole, Comparison &comparison) {
  for (const dend::OutputInfo &output : one.outputs()) {
    std::vector<double> a = one.output(output.name),
                        b = whole.output(output.name);
    comparison.outputs += b.size();
    for (size_t i = 0; i < b.size(); ++i)
      comparison.differing += a.size() != b.size() || a[i] != b[i];
  }
  for (auto population : pruned.getOps<dend::PopulationOp>()) {
    StringRef name = population.getSymName();
    ArrayRef<int64_t> removed =
        population.getRemoved().value_or(ArrayRef<int64_t>());
    dend::NeuronOp model = dend::modelOf(population);
    for (unsigned o = 0; o < model.getOutputs().size(); ++o) {
      StringRef output = model.getOutput(o).getName().getValue();
      auto each = size_t(model.getOutput(o).getElements());
      size_t neurons = size_t(population.getSize()) + removed.size();
      const std::vector<int64_t> &a = one.emission(name, output).raw,
                                 &b = whole.emission(name, output).raw;
      size_t next = 0;
      for (size_t i = 0; i < b.size(); ++i) {
        bool gone = std::binary_search(removed.begin(), removed.end(),
                                       int64_t(i / each % neurons));
        // A neuron that is gone must have been silent.
        int64_t found = gone ? 0 : next < a.size() ? a[next++] : ~b[i];
        ++comparison.emissions;
        comparison.differing += found != b[i];
      }
    }
  }
}

} // namespace

LogicalResult verifyPruned(dend::NetworkOp pruned, dend::NetworkOp whole,
                           const std::map<std::string, Samples> &inputs) {
  auto one = dend::fast::Interpreter::create(pruned),
       other = dend::fast::Interpreter::create(whole);
  if (failed(one) || failed(other))
    return failure();
  Comparison comparison;
  InputFeeder feeder(**one, inputs);
  for (uint64_t s = 0; s < feeder.samples; ++s) {
    (*one)->reset();
    (*other)->reset();
    for (uint64_t tick = 0; tick < feeder.ticks; ++tick) {
      (*one)->tick(feeder.at(s, tick));
      (*other)->tick(feeder.at(s, tick));
      comparePruned(pruned, **one, **other, comparison);
    }
  }
  std::string found = fmt::format(
      "{} of {} output values and emissions differ from the whole integer "
      "network on {} samples",
      comparison.differing, comparison.outputs + comparison.emissions,
      feeder.samples);
  if (comparison.differing)
    return pruned.emitError("rewrite 'dead-units' changed what the network "
                            "computes: ")
           << found;
  recordVerified(pruned, {"dead-units"}, found);
  return success();
}

LogicalResult removeDeadUnits(ModuleOp fixed,
                              const std::map<std::string, Samples> &inputs) {
  dend::NetworkOp network = dend::networkIn(fixed);
  if (inputs.empty())
    return network.emitError("rewrite 'dead-units' removes what is silent on "
                             "calibration samples, and there are none; give "
                             "--calibrate X.npy");
  OwningOpRef<ModuleOp> whole = cast<ModuleOp>(fixed->clone());
  if (failed(noteSilent(network, inputs)))
    return failure();
  PassManager passes(fixed.getContext());
  passes.addNestedPass<dend::NetworkOp>(createDendDeadUnits());
  if (failed(passes.run(fixed)))
    return failure();
  return verifyPruned(dend::networkIn(fixed), dend::networkIn(*whole), inputs);
}

} // namespace dendrolith
