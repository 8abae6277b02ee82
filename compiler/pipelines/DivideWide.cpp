// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neurons that are too large for a core are divided until all of them fit, and
// the cheapest of the forms that do stays.

#include "compiler/pipelines/DivideWide.h"

#include "compiler/pipelines/Diagnostics.h"

#include "compiler/lowering/Engines.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/rewrites/RewriteReport.h"
#include "compiler/transforms/rewrites/WideBody.h"
#include "compiler/transforms/rewrites/WideNetwork.h"

#include "dialects/dend/NetworkIndex.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include "fmt/format.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace dendrolith {
namespace {

/// Whether one neuron receives or holds vectors.
bool isWide(dend::PopulationOp population) {
  dend::NeuronOp model = dend::modelOf(population);
  auto vector = [](BlockArgument argument) {
    return dend::elementCount(argument.getType()) > 1;
  };
  return llvm::any_of(model.getPortArgs(), vector) ||
         llvm::any_of(model.getStateArgs(), vector);
}

/// Synapses of one neuron's port.
int64_t synapsesInto(dend::PopulationOp population, StringRef port) {
  int64_t count = 0;
  for (dend::ProjectOp project : dend::projectionsInto(population))
    if (port.empty() || project.getPort() == port)
      count += synapsesOf(project);
  return count / int64_t(population.getSize());
}

/// The name of a piece begins with that of the neuron that was divided.
std::string baseOf(dend::NetworkOp network, StringRef name) {
  std::string base;
  for (auto population : network.getOps<dend::PopulationOp>()) {
    StringRef its = population.getSymName();
    if ((name == its || name.starts_with(its.str() + ".")) &&
        its.size() > base.size())
      base = its.str();
  }
  return base;
}

} // namespace

std::string WidePlan::text() const {
  std::string all;
  auto add = [&](const std::string &its) {
    all += (all.empty() ? "" : ", ") + its;
  };
  for (const auto &[name, parts] : divided)
    add(fmt::format("{} in {} parts{}", name, parts.parts,
                    parts.front ? " and a front neuron" : ""));
  for (const auto &[name, port] : collected)
    add(fmt::format("synapses of {} at port {} collected", name, port));
  return all;
}

LogicalResult applyPlan(ModuleOp fixed, const WidePlan &plan,
                        unsigned messageBits) {
  PassManager passes(fixed.getContext());
  passes.enableVerifier(false); // once behind all, as a plan has many passes
  for (const auto &[name, parts] : plan.divided) {
    DendSplitDendriteOptions split;
    split.parts = parts.parts;
    split.population = name;
    split.front = parts.front;
    split.messageBits = messageBits;
    passes.addNestedPass<dend::NetworkOp>(createDendSplitDendrite(split));
  }
  for (const auto &[name, port] : plan.collected) {
    DendCollectSynapsesOptions collect;
    collect.population = name;
    collect.port = port;
    collect.messageBits = messageBits;
    passes.addNestedPass<dend::NetworkOp>(createDendCollectSynapses(collect));
  }
  return success(succeeded(passes.run(fixed)) && succeeded(verify(fixed)));
}

bool mayBeTooWide(ModuleOp fixed, const CompileOptions &options,
                  const SharedTarget &chip) {
  dend::NetworkOp network = dend::networkIn(fixed);
  dend::NetworkIndex index(network);
  SmallVector<StringRef> wide;
  uint64_t memory = chip.get().limits.coreMemoryBytes.value_or(UINT64_MAX);
  for (auto population : network.getOps<dend::PopulationOp>())
    if (isWide(population)) {
      if (uint64_t(synapsesInto(population, "")) > memory / 4)
        return true; // a fourth: weights, and indices of sparse ones
      wide.push_back(population.getSymName());
    }
  const MicrocodeAbility &core = chip.get().microcode;
  if (wide.empty() || !(core.registers || core.programWords || core.stateBytes))
    return false;
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(fixed->clone()));
  DiagnosticsAsError errors(fixed.getContext());
  if (failed(scheduleNetwork(*copy, options, chip)))
    return false;
  Target lifted = withoutLimits(chip, options);
  for (StringRef name : wide) {
    auto population =
        dend::networkIn(*copy).lookupSymbol<dend::PopulationOp>(name);
    if (failed(readMicrocode(population, dend::modelOf(population), lifted)))
      return errors.refusal() && errors.refusal()->oneNeuron;
  }
  return false;
}

std::string widen(WidePlan &plan, ModuleOp divided, ModuleOp fixed,
                  const Refusal &refusal) {
  dend::NetworkOp now = dend::networkIn(divided);
  // A refusal quotes the population whose neuron is too large, or its model.
  auto quotes = [&](StringRef name) {
    return StringRef(refusal.reason).contains(("'" + name + "'").str()) ||
           StringRef(refusal.reason).contains(("'@" + name + "'").str());
  };
  dend::PopulationOp piece;
  bool program = false; // it is the program that is too large
  for (auto population : now.getOps<dend::PopulationOp>())
    if (!piece &&
        (quotes(population.getSymName()) || quotes(population.getModel()))) {
      piece = population;
      program = !quotes(population.getSymName());
    }
  if (!piece)
    return "it is not known which neuron is too large";
  std::string name = piece.getSymName().str(),
              base = baseOf(dend::networkIn(fixed), name);
  auto mine = plan.divided.find(base);
  bool isDivided = mine != plan.divided.end();
  bool isPart = isDivided && name != base && name != base + ".front";
  // Synapses are gathered elsewhere; those of a part, in a front neuron first.
  if (!program && isPart && !mine->second.front) {
    mine->second.front = true;
    return "";
  }
  if (!program && !isPart) {
    dend::NeuronOp model = dend::modelOf(piece);
    std::string most;
    int64_t synapses = 0;
    for (unsigned i = 0; i < model.getPorts().size(); ++i) {
      std::string port = model.getPort(i).getName().str();
      int64_t its = synapsesInto(piece, port);
      if (its > synapses &&
          dend::elementCount(model.getPortArgs()[i].getType()) < its)
        if (!llvm::is_contained(plan.collected, std::pair(name, port))) {
          synapses = its;
          most = port;
        }
    }
    if (!most.empty()) {
      plan.collected.push_back({name, most});
      return "";
    }
    // What feeds many parts has a table entry for each; a front neuron is one.
    bool turned = false;
    for (auto &its : plan.divided) {
      turned |= !its.second.front;
      its.second.front = true;
    }
    if (turned)
      return "";
  }
  if (isDivided && !isPart)
    return fmt::format("'{}' cannot be divided further", name);
  auto population =
      dend::networkIn(fixed).lookupSymbol<dend::PopulationOp>(base);
  std::string why = population ? whyNotDivisible(population) : "";
  auto limits = population && why.empty()
                    ? wideLimits(dend::modelOf(population), why)
                    : std::nullopt;
  if (!limits)
    return fmt::format("'{}' cannot be divided: {}", base, why);
  int64_t parts = isDivided ? std::stoll(mine->second.parts) * 2
                            : std::max<int64_t>(2, limits->groups);
  if (parts > limits->groups * limits->length)
    return fmt::format("'{}' cannot be divided further than into {} parts",
                       base, limits->groups * limits->length);
  // What is divided keeps its name for what joins its parts, which has other
  // ports.
  if (!isDivided)
    llvm::erase_if(plan.collected,
                   [&](const auto &port) { return port.first == base; });
  plan.divided[base].parts = std::to_string(parts);
  return "";
}

} // namespace dendrolith
