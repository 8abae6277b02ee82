// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/ReadNetwork.h"

#include "compiler/lowering/Engines.h"
#include "compiler/pipelines/Diagnostics.h"
#include "compiler/transforms/network/Synapses.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"

#include "mlir/IR/IRMapping.h"

#include <fmt/format.h>
#include <map>

using namespace mlir;

namespace dendrolith::lava {
namespace {

dend::SpikeType spikeOf(dend::ProjectOp project, Wire &wire) {
  mlir::Operation *source = dend::symbolOf(project, project.getSourceAttr());
  if (auto input = dyn_cast<dend::InputOp>(source))
    return cast<dend::SpikeType>(input.getSpike());
  dend::NeuronOp model = dend::modelOf(cast<dend::PopulationOp>(source));
  int output = project.getOutput() ? model.findOutput(*project.getOutput()) : 0;
  wire.output = model.getOutput(output).getName().str();
  return model.getOutput(output).getType();
}

/// Gives weight << shift, which must leave a bit of room for sums.
int64_t shifted(int64_t weight, uint64_t shift, dend::ProjectOp project) {
  if (weight != 0 &&
      (shift > 61 || std::abs(weight) > (INT64_MAX >> 1 >> shift)))
    throw Error(fmt::format("projection @{} -> @{}: a weight of {} << {} "
                            "leaves 64 bits",
                            project.getSource().str(),
                            project.getTarget().str(), weight, shift));
  return weight == 0 ? 0 : weight * (int64_t(1) << shift);
}

Wire readWire(dend::ProjectOp project) {
  Wire wire;
  wire.source = project.getSource().str();
  wire.target = project.getTarget().str();
  wire.port = project.getPort().str();
  dend::SpikeType spike = spikeOf(project, wire);
  if (spike.getKind() == dend::SpikeKind::Graded)
    throw Error(fmt::format("projection @{} -> @{} carries real numbers; "
                            "quantise the network",
                            wire.source, wire.target));
  wire.low = spike.getLow();
  wire.high = spike.getHigh();
  wire.delay = int64_t(project.getDelay());
  wire.sources = sourceElements(project);
  wire.targets = targetElements(project);
  wire.dense = isa<dend::DenseAttr>(project.getSynapses());
  wire.diagonal = isa<dend::DiagonalAttr>(project.getSynapses());
  uint64_t shift = project.getShift();
  if (project.getProductShift())
    throw Error(fmt::format("projection @{} -> @{} shifts each product right, "
                            "which no synapse of Lava does",
                            wire.source, wire.target));
  if (wire.diagonal && !project.getWeight()) {
    for (uint32_t k = 0; k < wire.targets; ++k) {
      wire.targetOf.push_back(k);
      wire.sourceOf.push_back(k);
      wire.weights.push_back(shifted(1, shift, project));
    }
    return wire;
  }
  DiagnosticsAsError errors(project.getContext());
  auto arrays = readSynapses<int64_t>(project);
  errors.check(arrays, "the weights of a projection cannot be read");
  for (size_t k = 0; k < arrays->size(); ++k)
    wire.weights.push_back(shifted(arrays->weight(k), shift, project));
  wire.targetOf = std::move(arrays->target);
  wire.sourceOf = std::move(arrays->source);
  if (auto conv = dyn_cast<dend::ConvAttr>(project.getSynapses())) {
    auto weight =
        dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr());
    wire.window = dend::windowOf(
        conv, cast<RankedTensorType>(weight.getType()).getShape());
    for (int64_t w : arrays->weights)
      wire.kernel.push_back(shifted(w, shift, project));
  }
  return wire;
}

class OneClock {
public:
  explicit OneClock(dend::NetworkOp network) : network(network) {
    for (auto clock : network.getOps<dend::ClockOp>()) {
      int64_t ticks = 1;
      for (auto at = clock; at.getDivides();
           at = dend::symbolOf<dend::ClockOp>(at, at.getDividesAttr()))
        ticks *= int64_t(at.getBy().value_or(1));
      ticksOf[clock.getSymName().str()] = ticks;
      if (!clock.getDivides())
        root = clock;
    }
  }

  void run() {
    for (auto input : network.getOps<dend::InputOp>())
      if (int64_t n = ticksOf[input.getClock().str()]; n > 1)
        refuse("input", input.getSymName(), n, "the host gives one value each");
    for (auto output : network.getOps<dend::OutputOp>()) {
      auto from = dend::symbolOf<dend::PopulationOp>(
          output, output.getPopulationAttr());
      if (int64_t n = ticksOf[from.getClock().str()]; n > 1)
        refuse("output", output.getSymName(), n, "the host takes one value");
    }
    for (auto project :
         llvm::make_early_inc_range(network.getOps<dend::ProjectOp>()))
      rewire(project);
    for (auto population : network.getOps<dend::PopulationOp>()) {
      int64_t n = ticksOf[population.getClock().str()];
      if (n == 1)
        continue;
      population.setModelAttr(FlatSymbolRefAttr::get(
          unrolled(dend::modelOf(population), n).getSymNameAttr()));
      population.setClockAttr(FlatSymbolRefAttr::get(root.getSymNameAttr()));
    }
  }

private:
  [[noreturn]] void refuse(const char *what, StringRef name, int64_t ticks,
                           const std::string &why) {
    throw Error(fmt::format("{} '@{}' ticks {} times in a tick of '@{}', and "
                            "all processes of Lava tick together: {}",
                            what, name.str(), ticks, root.getSymName().str(),
                            why));
  }

  int64_t ticks(FlatSymbolRefAttr end) {
    mlir::Operation *op = dend::symbolOf(network, end);
    auto population = dyn_cast<dend::PopulationOp>(op);
    return population ? ticksOf[population.getClock().str()] : 1;
  }

  /// A name that belongs to one tick of those in a root tick.
  StringAttr named(StringAttr name, int64_t tick) {
    return StringAttr::get(name.getContext(),
                           fmt::format("{}_tick{}", name.str(), tick));
  }

  void rewire(dend::ProjectOp project) {
    int64_t from = ticks(project.getSourceAttr()),
            to = ticks(project.getTargetAttr());
    if (from == 1 && to == 1)
      return;
    auto target =
        dend::symbolOf<dend::PopulationOp>(project, project.getTargetAttr());
    dend::NeuronOp model = dend::modelOf(target);
    bool held =
        to > 1 &&
        model.getPort(unsigned(model.findPort(project.getPort()))).getHold();
    if (from == 1 && held)
      return;
    if ((to > 1 && from != to) || held)
      refuse("population", target.getSymName(), to,
             fmt::format("expected its port '{}' to {}",
                         project.getPort().str(),
                         held ? "receive from the root clock only"
                              : "hold what comes from another clock"));
    StringAttr output = project.getOutputAttr();
    if (!output)
      output = dend::modelOf(dend::symbolOf<dend::PopulationOp>(
                                 project, project.getSourceAttr()))
                   .getOutput(0)
                   .getName();
    OpBuilder builder(project);
    int64_t delay = int64_t(project.getDelay());
    for (int64_t tick = 0; tick < from; ++tick) {
      auto part = cast<dend::ProjectOp>(builder.clone(*project));
      if (to == 1) {
        part.setOutputAttr(named(output, tick));
        if (tick)
          part.removeBiasAttr();
        continue;
      }
      int64_t late = (delay - tick + from - 1) / from; // root ticks
      if (delay <= tick)
        late = 0;
      part.setOutputAttr(named(output, tick - delay + late * from));
      part.setPortAttr(named(project.getPortAttr(), tick));
      part.setDelay(uint64_t(late));
    }
    project.erase();
  }

  /// The value that a state has when a root tick begins.
  mlir::Value start(OpBuilder &builder, dend::NeuronOp model, unsigned i) {
    Attribute init = model.getState(i).getInit();
    auto number = dyn_cast_or_null<IntegerAttr>(init);
    if (init && !number)
      throw Error(fmt::format(
          "neuron model '@{}': its state '{}' starts at values by neuron in "
          "each tick of '@{}', which a process of Lava has for a sample only",
          model.getSymName().str(), model.getState(i).getName().str(),
          root.getSymName().str()));
    mlir::Type type = model.getStateArgs()[i].getType();
    auto value = builder.getI64IntegerAttr(number ? number.getInt() : 0);
    Attribute all = value;
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      all = DenseElementsAttr::get(
          RankedTensorType::get(tensor.getShape(), builder.getI64Type()),
          value.getInt());
    return dend::LiteralOp::create(builder, model.getLoc(), type, all);
  }

  dend::NeuronOp unrolled(dend::NeuronOp model, int64_t count) {
    auto [known, isNew] =
        models.try_emplace({model.getSymName().str(), count}, nullptr);
    if (!isNew)
      return known->second;
    OpBuilder builder(model);
    SmallVector<Attribute> ports, states, outputs;
    SmallVector<mlir::Type> portTypes, stateTypes;
    auto onRoot = [&](FlatSymbolRefAttr clock) {
      int64_t n = ticksOf[clock.getValue().str()];
      if (n > 1)
        refuse("neuron model", model.getSymName(), count,
               fmt::format("something of it waits for '@{}', {} times",
                           clock.getValue().str(), n));
      return true;
    };
    for (auto [i, arg] : llvm::enumerate(model.getPortArgs())) {
      dend::PortAttr port = model.getPort(unsigned(i));
      bool held = port.getHold() && onRoot(port.getHold());
      for (int64_t tick = 0; tick < (held ? 1 : count); ++tick) {
        ports.push_back(dend::PortAttr::get(
            model.getContext(),
            held ? port.getName() : named(port.getName(), tick), {}));
        portTypes.push_back(arg.getType());
      }
    }
    for (unsigned i = 0; i < model.getStateArgs().size(); ++i)
      if (!isa<FlatSymbolRefAttr>(model.getState(i).getReset())) {
        states.push_back(model.getState(i));
        stateTypes.push_back(model.getStateArgs()[i].getType());
      }
    unsigned emits = unsigned(model.getOutputs().size());
    for (int64_t tick = 0; tick < count; ++tick)
      for (unsigned i = 0; i < emits; ++i) {
        dend::OutputAttr output = model.getOutput(i);
        outputs.push_back(dend::OutputAttr::get(
            model.getContext(), named(output.getName(), tick), output.getType(),
            output.getElements()));
      }
    auto made = dend::NeuronOp::create(
        builder, model.getLoc(),
        StringAttr::get(
            model.getContext(),
            fmt::format("{}_ticks{}", model.getSymName().str(), count)),
        builder.getArrayAttr(ports), model.getParams(),
        builder.getArrayAttr(states), builder.getArrayAttr(outputs));
    Block &block = made.getBody().emplaceBlock();
    for (mlir::Type type : portTypes)
      block.addArgument(type, model.getLoc());
    for (mlir::Value param : model.getParamArgs())
      block.addArgument(param.getType(), model.getLoc());
    for (mlir::Type type : stateTypes)
      block.addArgument(type, model.getLoc());
    builder.setInsertionPointToStart(&block);

    SmallVector<mlir::Value> now, emitted;
    unsigned kept = 0;
    for (unsigned i = 0; i < model.getStateArgs().size(); ++i) {
      auto clock = dyn_cast<FlatSymbolRefAttr>(model.getState(i).getReset());
      if (clock && onRoot(clock))
        now.push_back(start(builder, model, i));
      else
        now.push_back(made.getStateArgs()[kept++]);
    }
    auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
    for (int64_t tick = 0; tick < count; ++tick) {
      IRMapping map;
      unsigned at = 0;
      for (auto [i, arg] : llvm::enumerate(model.getPortArgs())) {
        bool held = bool(model.getPort(unsigned(i)).getHold());
        map.map(arg, made.getPortArgs()[at + (held ? 0 : unsigned(tick))]);
        at += held ? 1 : unsigned(count);
      }
      map.map(model.getParamArgs(), made.getParamArgs());
      for (auto [arg, value] : llvm::zip(model.getStateArgs(), now))
        map.map(arg, value);
      for (mlir::Operation &op : model.getBlock().without_terminator())
        builder.clone(op, map);
      now.clear();
      for (mlir::Value next : yield.getStates())
        now.push_back(map.lookup(next));
      for (mlir::Value value : yield.getEmitted())
        emitted.push_back(map.lookup(value));
    }
    SmallVector<mlir::Value> next;
    for (unsigned i = 0; i < now.size(); ++i)
      if (!isa<FlatSymbolRefAttr>(model.getState(i).getReset()))
        next.push_back(now[i]);
    dend::YieldOp::create(builder, model.getLoc(), next, emitted);
    return known->second = made;
  }

  dend::NetworkOp network;
  dend::ClockOp root;
  std::map<std::string, int64_t> ticksOf; // in a root tick, by clock
  std::map<std::pair<std::string, int64_t>, dend::NeuronOp> models;
};

} // namespace

void joinClocks(dend::NetworkOp network) { OneClock(network).run(); }

std::vector<Wire> readWires(dend::NetworkOp network) {
  std::vector<Wire> wires;
  for (auto project : network.getOps<dend::ProjectOp>())
    wires.push_back(readWire(project));
  return wires;
}

std::optional<CubaNumbers> readCubaNumbers(dend::PopulationOp population) {
  dend::NeuronOp model = dend::modelOf(population);
  Block &block = model.getBlock();
  if (!llvm::hasNItems(block.without_terminator(), 1) ||
      !isa<dend::CubaOp>(block.front()))
    return std::nullopt;
  auto cuba = cast<dend::CubaOp>(block.front());
  auto yield = cast<dend::YieldOp>(block.getTerminator());
  for (unsigned i = 0; i < model.getStateArgs().size(); ++i) {
    mlir::Value state = model.getStateArgs()[i], next = yield.getStates()[i];
    bool inPlace = (state == cuba.getU() && next == cuba.getNextU()) ||
                   (state == cuba.getV() && next == cuba.getNextV()) ||
                   (state == cuba.getR() && next == cuba.getNextR());
    auto reset = dyn_cast<StringAttr>(model.getState(i).getReset());
    if (!inPlace || !reset || reset != "sample" ||
        (state == cuba.getR() && model.getState(i).getInit()))
      return std::nullopt;
  }
  if (model.getPortArgs().size() != 1 ||
      cuba.getInput() != model.getPortArgs()[0] ||
      model.getStateArgs().size() != 3 || yield.getEmitted().size() > 1 ||
      (yield.getEmitted().size() == 1 &&
       yield.getEmitted()[0] != cuba.getSpike()))
    return std::nullopt;
  DiagnosticsAsError errors(population.getContext());
  auto table = readCuba(population, model);
  errors.check(table, "the parameters of a population cannot be read");
  CubaNumbers numbers;
  numbers.decayU = std::move(table->decayU);
  numbers.decayV = std::move(table->decayV);
  numbers.threshold = std::move(table->threshold);
  numbers.bias = std::move(table->bias);
  numbers.startU = std::move(table->startU);
  numbers.startV = std::move(table->startV);
  numbers.inputWrapBits = cuba.getInputWrapBits();
  numbers.currentBits = cuba.getCurrentBits();
  numbers.refractory = cuba.getRefractory();
  numbers.vmin = int64_t(cuba.getVmin());
  numbers.vmax = int64_t(cuba.getVmax());
  numbers.openHigh = cuba.getWrap() == dend::WrapRange::OpenHigh;
  numbers.biasWrap = cuba.getBiasWrap();
  numbers.silent = cuba.getSilent();
  return numbers;
}

} // namespace dendrolith::lava
