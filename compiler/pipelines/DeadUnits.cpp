// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/DeadUnits.h"

#include "compiler/pipelines/samples/RunSamples.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/rewrites/RewriteReport.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/fast/Interpreter.h"

#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>

#include <algorithm>

using namespace mlir;

namespace dendrolith {
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
