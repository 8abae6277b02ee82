// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-fold-readout: W2 (W1 x + b1) + b2 = (W2 W1) x + (W2 b1 + b2), where
// the population in between only emits its port.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/network/BoundModel.h"
#include "compiler/transforms/network/Synapses.h"
#include "compiler/transforms/quantise/QuantisedLayer.h"
#include "compiler/transforms/rewrites/RewriteReport.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/reference/Clocks.h"

#include <fmt/format.h>

namespace dendrolith {
#define GEN_PASS_DEF_DENDFOLDREADOUT
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

constexpr llvm::StringLiteral kFoldReadout = "fold-readout";
constexpr llvm::StringLiteral kFoldReadoutLooksFor =
    "a population that only emits its port (a linear read-out layer) and feeds "
    "one other on its clock";

/// A population that only emits its port, and its projections.
struct Relay {
  dend::PopulationOp population;
  SmallVector<dend::ProjectOp> in;
  dend::ProjectOp out;
};

bool emitsItsPort(dend::NeuronOp model) {
  auto yield = dyn_cast<dend::YieldOp>(&model.getBlock().front());
  return yield && model.getPorts().size() == 1 && model.getStates().empty() &&
         yield.getEmitted().size() == 1 &&
         yield.getEmitted().front() == model.getPortArgs().front() &&
         dend::isReal(model.getPortArgs().front().getType());
}

bool holds(dend::PopulationOp population, StringRef port) {
  dend::NeuronOp model = dend::modelOf(population);
  return bool(model.getPort(unsigned(model.findPort(port))).getHold());
}

/// Whether readSynapses() will find elements.
bool isReadable(dend::ProjectOp project) {
  if (isa<dend::ConvAttr, dend::PoolAttr>(project.getSynapses()))
    return false;
  for (FlatSymbolRefAttr symbol :
       {project.getWeightAttr(), project.getIndicesAttr(),
        project.getBiasAttr()})
    if (symbol && failed(dend::readReals(project, symbol)))
      return false;
  return true;
}

/// Reads the weights of a projection as (targets, sources), row by row.
FailureOr<std::vector<double>> denseWeights(dend::ProjectOp project) {
  auto synapses = readSynapses<double>(project);
  if (failed(synapses))
    return failure();
  auto sources = size_t(sourceElements(project));
  std::vector<double> dense(size_t(targetElements(project)) * sources, 0.0);
  for (size_t k = 0; k < synapses->size(); ++k)
    dense[synapses->target[k] * sources + synapses->source[k]] +=
        synapses->weight(k);
  return dense;
}

class FoldReadout {
public:
  explicit FoldReadout(dend::NetworkOp network) : network(network) {}

  LogicalResult run() {
    auto perRoot = dend::ticksPerRoot(network);
    if (failed(perRoot))
      return failure();
    ticks = *perRoot;
    bool changed = false;
    for (bool again = true; again;) {
      again = false;
      obstacles.clear();
      for (auto population : network.getOps<dend::PopulationOp>()) {
        if (!emitsItsPort(dend::modelOf(population)))
          continue;
        Relay relay = relayAt(population);
        std::string why = obstacle(relay);
        if (!why.empty()) {
          obstacles.push_back(
              fmt::format("'@{}' {}", population.getSymName().str(), why));
          continue;
        }
        if (failed(fold(relay)))
          return failure();
        again = changed = true;
        break;
      }
    }
    if (!changed)
      return appliesNowhere(network, kFoldReadout, kFoldReadoutLooksFor,
                            obstacles);
    eraseUnusedSymbols(network);
    return success();
  }

private:
  Relay relayAt(dend::PopulationOp population) {
    Relay relay{population, {}, {}};
    for (auto project : network.getOps<dend::ProjectOp>())
      if (project.getTarget() == population.getSymName())
        relay.in.push_back(project);
    return relay;
  }

  int64_t ticksOf(StringRef source) {
    Operation *op = SymbolTable::lookupSymbolIn(network, source);
    auto input = dyn_cast<dend::InputOp>(op);
    return ticks.lookup(input ? input.getClock()
                              : cast<dend::PopulationOp>(op).getClock());
  }

  /// Says why composing would not be exact or would not help; the text is empty
  /// if it would. Finds the projection out of the relay.
  std::string obstacle(Relay &relay) {
    dend::PopulationOp population = relay.population;
    StringRef name = population.getSymName();
    for (auto output : network.getOps<dend::OutputOp>())
      if (output.getPopulation() == name)
        return "is an output of the network";
    for (auto project : network.getOps<dend::ProjectOp>())
      if (project.getSource() == name) {
        if (relay.out)
          return "feeds more than one projection";
        relay.out = project;
      }
    if (!relay.out || relay.in.empty())
      return "is not between two projections";
    auto target = dend::symbolOf<dend::PopulationOp>(relay.out,
                                                     relay.out.getTargetAttr());
    if (target == population)
      return "feeds itself";
    dend::NeuronOp model = dend::modelOf(population);
    if (model.getPort(0).getHold())
      return "holds its port over several updates";
    if (population.getClock() != target.getClock())
      return "is on another clock than what it feeds";
    bool biased = llvm::any_of(relay.in, [](dend::ProjectOp project) {
      return bool(project.getBiasAttr());
    });
    // The relay's bias arrives with its first message, but a composed bias is
    // there at once; and a port that holds keeps what arrives, but no bias.
    if (biased && (relay.out.getDelay() || holds(target, relay.out.getPort())))
      return "sends its bias on with a delay or into a held port";
    int64_t before = synapsesOf(relay.out), after = 0;
    for (dend::ProjectOp project : relay.in) {
      if (relay.out.getDelay() &&
          ticksOf(project.getSource()) < ticks.lookup(population.getClock()))
        return "delays what a slower clock sends it";
      before += synapsesOf(project);
      after += targetElements(relay.out) * sourceElements(project);
    }
    if (after > before)
      return fmt::format("is a bottleneck: {} synapses would become {}", before,
                         after);
    if (!isReadable(relay.out) || !llvm::all_of(relay.in, isReadable))
      return "has projections without weights at hand (extern, convolution or "
             "pooling)";
    return "";
  }

  LogicalResult fold(Relay &relay) {
    NetworkSize before = sizeOf(network);
    dend::ProjectOp out = relay.out;
    auto outer = denseWeights(out);
    if (failed(outer))
      return failure();
    BoundModel constants(dend::modelOf(relay.population));
    auto targets = targetElements(out), middle = sourceElements(out);
    std::vector<double> bias(size_t(targets), 0.0);
    bool biased = bool(out.getBiasAttr());
    if (biased)
      bias = *dend::readReals(out, out.getBiasAttr());
    auto make = [&](StringRef name, ArrayRef<int64_t> shape,
                    const std::vector<double> &values) {
      auto type =
          RankedTensorType::get(shape, Float64Type::get(network.getContext()));
      return constants.addConstant(out, name, type,
                                   dend::makeElements(type, name, values));
    };
    std::string base =
        (out.getTarget() + "." + relay.population.getSymName()).str();
    dend::ProjectOp first;
    for (dend::ProjectOp in : relay.in) {
      auto inner = denseWeights(in);
      if (failed(inner))
        return failure();
      auto sources = sourceElements(in);
      std::vector<double> product(size_t(targets * sources), 0.0);
      for (int64_t t = 0; t < targets; ++t)
        for (int64_t m = 0; m < middle; ++m)
          for (int64_t s = 0; s < sources; ++s)
            product[size_t(t * sources + s)] +=
                (*outer)[size_t(t * middle + m)] *
                (*inner)[size_t(m * sources + s)];
      if (in.getBiasAttr()) {
        biased = true;
        std::vector<double> added = *dend::readReals(in, in.getBiasAttr());
        for (int64_t t = 0; t < targets; ++t)
          for (int64_t m = 0; m < middle; ++m)
            bias[size_t(t)] +=
                (*outer)[size_t(t * middle + m)] * added[size_t(m)];
      }
      in.setTargetAttr(out.getTargetAttr());
      in.setPortAttr(out.getPortAttr());
      in.setSynapsesAttr(dend::DenseAttr::get(network.getContext()));
      in.setWeightAttr(make(base + ".W", {targets, sources}, product));
      in.removeIndicesAttr();
      in.removeBiasAttr();
      in.setDelay(in.getDelay() + out.getDelay());
      if (!first)
        first = in;
    }
    if (biased)
      first.setBiasAttr(make(base + ".b", {targets}, bias));
    std::string name = relay.population.getSymName().str(),
                target = out.getTarget().str();
    int64_t size = int64_t(relay.population.getSize());
    out.erase();
    relay.population.erase();
    NetworkSize after = sizeOf(network);
    recordRewrite(
        network, kFoldReadout, name,
        fmt::format("'@{}', {} linear neuron{}, is composed into the weights "
                    "of '@{}': {} synapses become {}",
                    name, size, size == 1 ? "" : "s", target, before.synapses,
                    after.synapses),
        before);
    return success();
  }

  dend::NetworkOp network;
  llvm::StringMap<int64_t> ticks;
  std::vector<std::string> obstacles;
};

struct DendFoldReadoutPass : impl::DendFoldReadoutBase<DendFoldReadoutPass> {
  void runOnOperation() override {
    if (failed(FoldReadout(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
} // namespace dendrolith
