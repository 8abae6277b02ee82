// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/schedule/Relays.h"

#include "compiler/transforms/network/BodyBuilder.h"
#include "compiler/transforms/network/BoundModel.h"
#include "compiler/transforms/network/Names.h"
#include "compiler/transforms/network/Refusal.h"
#include "compiler/transforms/network/Synapses.h"
#include "fmt/format.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace mlir;

namespace dendrolith {
namespace {

/// How much delay goes into each relay of a source: all that a connection holds
/// where its edges have that much. Edges between clocks count other ticks, so
/// there it is none; phases make up for any choice.
std::vector<int64_t> hopDelays(const ScheduleProblem &problem,
                               const std::vector<int64_t> &hops,
                               int64_t period) {
  std::vector<int64_t> delay(problem.nodes.size(),
                             (*problem.maxDelay + 1) / period);
  for (size_t e = 0; e < hops.size(); ++e) {
    const ScheduleEdge &edge = problem.edges[e];
    if (hops[e] == 0)
      continue;
    int64_t most = problem.ticks(edge.from) == problem.ticks(edge.to)
                       ? edge.delay / hops[e]
                       : 0;
    delay[edge.from] = std::min(delay[edge.from], most);
  }
  return delay;
}

int64_t relaysOf(const RelayPlan &plan) {
  return std::accumulate(plan.hops.begin(), plan.hops.end(), int64_t(0));
}

/// Relays for the phases of a schedule without a limit: each takes a step and
/// holds as much as the limit says. Every loop keeps its steps, so this plan
/// serves where any does.
RelayPlan forPhases(const ScheduleProblem &problem,
                    const ScheduleSolution &solution) {
  RelayPlan plan;
  for (int64_t held : solution.connection)
    plan.hops.push_back(held / (*problem.maxDelay + 1));
  plan.hopDelay = hopDelays(problem, plan.hops, solution.period);
  return plan;
}

/// The edge of the longest delay among those whose limit has a part in it.
std::optional<unsigned> longest(const ScheduleProblem &problem,
                                const DelayConflict &conflict) {
  std::optional<unsigned> best;
  for (unsigned e : conflict.limited)
    if (e < problem.edges.size() &&
        (!best || problem.edges[e].delay > problem.edges[*best].delay))
      best = e;
  return best;
}

/// Relays on the longest delays of each conflict until there is none. Nothing
/// where that takes `most` or more of them.
std::optional<RelayPlan> onLongest(const ScheduleProblem &problem,
                                   const ScheduleSolution &times,
                                   int64_t most) {
  RelayPlan plan;
  plan.hops.assign(problem.edges.size(), 0);
  while (relaysOf(plan) < most) {
    plan.hopDelay = hopDelays(problem, plan.hops, times.period);
    const auto conflict = delayConflict(withRelays(problem, plan), times);
    if (!conflict)
      return plan;
    const auto edge = longest(problem, *conflict);
    if (!edge)
      return std::nullopt;
    const int64_t holds = *problem.maxDelay + 1;
    plan.hops[*edge] +=
        std::max<int64_t>(1, (conflict->steps + holds - 1) / holds);
  }
  return std::nullopt;
}

} // namespace

ScheduleProblem withRelays(const ScheduleProblem &problem,
                           const RelayPlan &plan) {
  ScheduleProblem all = problem;
  std::vector<std::vector<unsigned>> chains(problem.nodes.size());
  for (size_t e = 0; e < problem.edges.size(); ++e) {
    const unsigned source = problem.edges[e].from;
    std::vector<unsigned> &chain = chains[source];
    while (int64_t(chain.size()) < plan.hops[e]) {
      ScheduleNode relay = problem.nodes[source];
      relay.name += ".relay";
      const unsigned before = chain.empty() ? source : chain.back();
      chain.push_back(unsigned(all.nodes.size()));
      all.nodes.push_back(std::move(relay));
      all.edges.push_back({before, chain.back(), plan.hopDelay[source]});
    }
    if (plan.hops[e] == 0)
      continue;
    all.edges[e].from = chain[size_t(plan.hops[e]) - 1];
    all.edges[e].delay -= plan.hops[e] * plan.hopDelay[source];
  }
  return all;
}

std::optional<RelayPlan> planRelays(const ScheduleProblem &problem) {
  if (!problem.maxDelay)
    return std::nullopt;
  ScheduleProblem unlimited = problem;
  unlimited.maxDelay = std::nullopt;
  NoSchedule why;
  const auto times = solveSchedule(unlimited, why);
  if (!times)
    return std::nullopt;
  const RelayPlan enough = forPhases(problem, *times);
  if (auto fewer = onLongest(problem, *times, relaysOf(enough)))
    return fewer;
  if (delayConflict(withRelays(problem, enough), *times))
    return std::nullopt;
  return enough;
}

namespace {

/// What one source sends over one of its outputs.
struct Sent {
  dend::SpikeType type;
  int64_t elements = 0;
};

class RelayBuilder {
public:
  RelayBuilder(dend::NetworkOp network, const Target &chip)
      : network(network), chip(chip), builder(network.getContext()),
        context(network.getContext()) {}

  /// A population behind `source` that repeats what it sends.
  dend::PopulationOp behind(dend::ProjectOp project, Operation *source,
                            Attribute before, StringAttr beforeOutput,
                            int64_t delay);

  int64_t neurons = 0, populations = 0;

private:
  dend::FxType fx(unsigned width) {
    return dend::FxType::get(context, width, 0);
  }
  StringAttr text(const Twine &name) { return builder.getStringAttr(name); }
  Sent sentBy(dend::ProjectOp project, Operation *source);
  dend::NeuronOp modelFor(dend::SpikeType type);
  dend::NeuronOp emptyModel(dend::SpikeType type, ArrayRef<StringRef> params,
                            ArrayRef<StringRef> states, ArrayRef<Type> types);
  dend::NeuronOp cuba(dend::SpikeType type);
  dend::NeuronOp program(dend::SpikeType type);
  FlatSymbolRefAttr constant(const std::string &name, RankedTensorType type,
                             int64_t value);
  int64_t shift() const {
    const NumberFormats &formats = chip.formats;
    return std::max<int64_t>(0, int64_t(formats.weightShift) +
                                    formats.weightExponentMin);
  }

  dend::NetworkOp network;
  const Target &chip;
  OpBuilder builder;
  MLIRContext *context;
  std::map<std::string, dend::NeuronOp> models; // by type
};

Sent RelayBuilder::sentBy(dend::ProjectOp project, Operation *source) {
  Sent sent;
  sent.elements = sourceElements(project);
  if (auto input = dyn_cast<dend::InputOp>(source)) {
    sent.type = input.getSpike();
    return sent;
  }
  dend::NeuronOp model = dend::modelOf(cast<dend::PopulationOp>(source));
  for (unsigned i = 0; i < model.getOutputs().size(); ++i)
    if (!project.getOutputAttr() ||
        model.getOutput(i).getName() == project.getOutputAttr()) {
      sent.type = model.getOutput(i).getType();
      break;
    }
  return sent;
}

FlatSymbolRefAttr RelayBuilder::constant(const std::string &name,
                                         RankedTensorType type, int64_t value) {
  auto op = dend::ConstantOp::create(
      builder, network.getLoc(), text(freeName(network, name)),
      TypeAttr::get(type),
      DenseElementsAttr::get(
          type, builder.getIntegerAttr(type.getElementType(), value)),
      StringAttr(), DenseI64ArrayAttr());
  return FlatSymbolRefAttr::get(op.getSymNameAttr());
}

dend::NeuronOp RelayBuilder::emptyModel(dend::SpikeType type,
                                        ArrayRef<StringRef> params,
                                        ArrayRef<StringRef> states,
                                        ArrayRef<Type> types) {
  SmallVector<Attribute> ports{
      dend::PortAttr::get(context, text("I"), FlatSymbolRefAttr())};
  SmallVector<Attribute> paramAttrs, stateAttrs, outputs;
  for (StringRef name : params)
    paramAttrs.push_back(dend::ParamAttr::get(context, text(name), false));
  for (StringRef name : states)
    stateAttrs.push_back(
        dend::StateAttr::get(context, text(name), text("sample"), Attribute()));
  outputs.push_back(dend::OutputAttr::get(context, text("s"), type, 1));
  auto model = dend::NeuronOp::create(
      builder, network.getLoc(), text(freeName(network, "relay")),
      builder.getArrayAttr(ports), builder.getArrayAttr(paramAttrs),
      builder.getArrayAttr(stateAttrs), builder.getArrayAttr(outputs));
  Block &block = model.getBody().emplaceBlock();
  for (Type each : types)
    block.addArgument(each, model.getLoc());
  return model;
}

/// A neuron that keeps nothing and spikes at any positive input.
dend::NeuronOp RelayBuilder::cuba(dend::SpikeType type) {
  Type i32 = builder.getI32Type();
  auto model = emptyModel(type, {"decay_u", "decay_v", "threshold", "bias"},
                          {"u", "v", "r"},
                          {fx(64), i32, i32, i32, i32, fx(32), fx(32), i32});
  auto inside = OpBuilder::atBlockEnd(&model.getBlock());
  auto args = model.getBlock().getArguments();
  auto op =
      dend::CubaOp::create(inside, model.getLoc(),
                           TypeRange{inside.getI1Type(), fx(32), fx(32), i32},
                           ValueRange{args[0], args[5], args[6], args[7],
                                      args[1], args[2], args[3], args[4]});
  setStates(op, chip.formats);
  dend::YieldOp::create(inside, model.getLoc(),
                        ValueRange{op.getNextU(), op.getNextV(), op.getNextR()},
                        {op.getSpike()});
  return model;
}

/// A program that sends what arrives.
dend::NeuronOp RelayBuilder::program(dend::SpikeType type) {
  auto model = emptyModel(type, {}, {}, {fx(64)});
  BodyBuilder body(model.getBlock(), model.getLoc());
  Value sum = model.getBlock().getArgument(0);
  Value sent;
  if (type.getKind() == dend::SpikeKind::Binary)
    sent = body.cmp(dend::Predicate::GT, sum, body.literal(fx(64), 0));
  else
    sent = body.rescale(body.shift(sum,
                                   body.literal(builder.getI32Type(), -shift()),
                                   dend::Rounding::Floor),
                        fx(32), dend::Rounding::Floor, dend::Overflow::Wrap);
  auto inside = OpBuilder::atBlockEnd(&model.getBlock());
  dend::YieldOp::create(inside, model.getLoc(), ValueRange{}, {sent});
  return model;
}

dend::NeuronOp RelayBuilder::modelFor(dend::SpikeType type) {
  std::string key;
  llvm::raw_string_ostream(key) << type;
  dend::NeuronOp &model = models[key];
  if (model)
    return model;
  if (type.getKind() == dend::SpikeKind::Binary && chip.engines.has("cuba"))
    return model = cuba(type);
  if (chip.engines.has("microcode") &&
      type.getKind() != dend::SpikeKind::Graded)
    return model = program(type);
  return {};
}

dend::PopulationOp RelayBuilder::behind(dend::ProjectOp project,
                                        Operation *source, Attribute before,
                                        StringAttr beforeOutput,
                                        int64_t delay) {
  builder.setInsertionPoint(project);
  const Sent sent = sentBy(project, source);
  dend::NeuronOp model = modelFor(sent.type);
  if (!model)
    return {};
  const std::string name =
      freeName(network, (project.getSource() + ".relay").str());
  NamedAttrList params;
  if (!model.getParams().empty()) {
    const int64_t bits = std::min<int64_t>(int64_t(chip.formats.decayBits), 12);
    const int64_t one = 4096; // of 12 bits, as the engine computes
    auto scalar = RankedTensorType::get({}, builder.getI32Type());
    for (auto [key, value] : {std::pair{"decay_u", one - (one >> bits)},
                              {"decay_v", one},
                              {"threshold", int64_t(0)},
                              {"bias", int64_t(0)}})
      params.set(key, constant(name + "." + key, scalar, value));
  }
  std::string clock;
  llvm::TypeSwitch<Operation *>(source).Case<dend::InputOp, dend::PopulationOp>(
      [&](auto op) { clock = op.getClock().str(); });
  auto population = dend::PopulationOp::create(
      builder, project.getLoc(), text(name),
      FlatSymbolRefAttr::get(model.getSymNameAttr()),
      builder.getI64IntegerAttr(sent.elements),
      FlatSymbolRefAttr::get(context, clock), params.getDictionary(context),
      DenseI64ArrayAttr(), FloatAttr());
  // What is known of several outputs is not that of one.
  auto many = dyn_cast<dend::PopulationOp>(source);
  if (!many || dend::modelOf(many).getOutputs().size() == 1)
    for (const char *known : {"rates", "activity"})
      if (Attribute value = source->getAttr(known))
        population->setAttr(known, value);
  auto weights =
      RankedTensorType::get({sent.elements}, builder.getIntegerType(16));
  dend::ProjectOp::create(
      builder, project.getLoc(), cast<FlatSymbolRefAttr>(before), beforeOutput,
      FlatSymbolRefAttr::get(context, name), text("I"),
      dend::DiagonalAttr::get(context), constant(name + ".w", weights, 1),
      FlatSymbolRefAttr(), FlatSymbolRefAttr(),
      builder.getI64IntegerAttr(delay), builder.getI64IntegerAttr(shift()));
  neurons += sent.elements;
  ++populations;
  return population;
}

} // namespace

void insertRelays(dend::NetworkOp network, const Target &chip,
                  ArrayRef<Operation *> nodes,
                  ArrayRef<dend::ProjectOp> projections,
                  const ScheduleProblem &problem, const RelayPlan &plan) {
  RelayBuilder relays(network, chip);
  std::map<std::pair<unsigned, StringRef>, SmallVector<dend::PopulationOp>>
      chains;
  for (size_t e = 0; e < projections.size(); ++e) {
    dend::ProjectOp project = projections[e];
    const unsigned source = problem.edges[e].from;
    auto &chain = chains[{source, project.getOutput().value_or("")}];
    const int64_t each = plan.hopDelay[source];
    while (int64_t(chain.size()) < plan.hops[e]) {
      auto before = chain.empty()
                        ? project.getSourceAttr()
                        : FlatSymbolRefAttr::get(chain.back().getSymNameAttr());
      StringAttr output = chain.empty()
                              ? project.getOutputAttr()
                              : StringAttr::get(network.getContext(), "s");
      chain.push_back(
          relays.behind(project, nodes[source], before, output, each));
      if (!chain.back())
        throw Error(fmt::format(
            "the delays of what '{}' sends differ by more than the {} steps "
            "that a connection of target '{}' holds, and no neuron of it "
            "repeats such values on the way; choose a target with "
            "programmable neurons or shorter delays",
            problem.nodes[source].name, *problem.maxDelay, chip.name));
    }
    if (plan.hops[e] == 0)
      continue;
    dend::PopulationOp last = chain[size_t(plan.hops[e]) - 1];
    project.setSourceAttr(FlatSymbolRefAttr::get(last.getSymNameAttr()));
    project.setOutputAttr(StringAttr::get(network.getContext(), "s"));
    project.setDelay(project.getDelay() - uint64_t(plan.hops[e] * each));
  }
  warn(network,
       {"relays", "",
        fmt::format("a connection of target '{}' holds {} steps, and delays of "
                    "paths that meet differ by more: {} neurons in {} "
                    "populations named '<source>.relay' repeat what is sent on "
                    "the long paths alone, at an update a tick and a message a "
                    "spike each",
                    chip.name, *problem.maxDelay, relays.neurons,
                    relays.populations)});
}

} // namespace dendrolith
