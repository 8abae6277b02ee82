// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/reference/Build.h"
#include "dialects/dend/NetworkIndex.h"

#include "dialects/dend/Checks.h"

using namespace mlir;

namespace dendrolith::dend {
namespace {

// Longest delay, so that tick arithmetic stays far from 64 bits.
constexpr int64_t kMaxDelay = int64_t(1) << 31;

std::vector<int64_t> toVector(ArrayRef<int64_t> shape) {
  return {shape.begin(), shape.end()};
}

/// The source that a projection reads.
FailureOr<unsigned> findSource(ProjectOp op, ArrayRef<Source> sources) {
  for (auto [i, source] : llvm::enumerate(sources)) {
    if (source.name != op.getSource())
      continue;
    const std::string &name = source.name; // no lambda takes a binding (C++17)
    bool only = llvm::count_if(sources, [&](const Source &other) {
                  return other.name == name;
                }) == 1;
    if (op.getOutput() ? source.output == *op.getOutput() : only)
      return unsigned(i);
  }
  return op.emitError() << "no output '" << op.getOutput().value_or("")
                        << "' of @" << op.getSource();
}

/// Adds the projection to the network, and to `dependencies` unless it comes
/// from the host.
FailureOr<Connections> addProjection(ProjectOp op, const Bindings &bindings,
                                     BuiltNetwork &net,
                                     std::vector<Dependency> &dependencies) {
  FailureOr<unsigned> source = findSource(op, net.sources);
  if (failed(source))
    return failure();
  const Source &from = net.sources[*source];
  auto to = llvm::find_if(net.populations, [&](Population &population) {
    return population.op.getSymName() == op.getTarget();
  });
  int index =
      to == net.populations.end() ? -1 : to->model.findPort(op.getPort());
  if (index < 0)
    return op.emitError() << "no port '" << op.getPort() << "' of @"
                          << op.getTarget();
  Port &port = to->ports[index];
  FailureOr<Timing> timing = buildTiming(op, from.ticks, to->ticks);
  if (failed(timing))
    return failure();
  if (from.value.isReal() && !port.sum.isReal())
    return op.emitError() << "projection @" << op.getSource() << " -> @"
                          << op.getTarget()
                          << " sends reals to a port of integers: give the "
                             "source an integer spike type";
  FailureOr<Connections> connections = Connections::create(
      op, from.value.size * from.value.count, port.sum.size * to->neurons,
      port.sum.isReal(), bindings);
  if (failed(connections))
    return failure();
  unsigned number = net.projections.size();
  port.projections.push_back(number);
  if (from.population < 0) {
    for (Input &input : net.inputs)
      if (input.source == *source)
        input.outgoing.push_back(number);
  } else {
    net.populations[from.population].outgoing.push_back(number);
    dependencies.push_back({unsigned(from.population),
                            unsigned(to - net.populations.begin()), *timing,
                            op});
  }
  net.projections.push_back(
      {op, *source, *timing, std::move(connections->bias), {}});
  return connections;
}

LogicalResult addOutput(OutputOp op, ArrayRef<Population> populations,
                        ArrayRef<Source> sources,
                        std::vector<OutputInfo> &infos) {
  for (const Population &population : populations) {
    PopulationOp populationOp = population.op;
    NeuronOp model = population.model;
    if (populationOp.getSymName() != op.getPopulation())
      continue;
    int index = op.getProbe() ? model.findState(op.getFrom())
                              : model.findOutput(op.getFrom());
    if (index < 0)
      break;
    PopulationValue value =
        op.getProbe() ? PopulationValue(model.getStateArgs()[index].getType())
                      : sources[population.sources[index]].value;
    OutputInfo info;
    info.name = op.getSymName().str();
    info.ticks = population.ticks;
    info.probe = op.getProbe();
    info.integer = !info.probe && !value.isReal();
    int64_t size = population.neurons * value.size;
    if (value.kind == ElementKind::Complex)
      return op.emitError()
             << "output @" << op.getSymName() << " probes a complex state";
    if (op.getShape())
      info.shape = toVector(*op.getShape());
    else if (value.size == 1 && populationOp.getShape())
      info.shape = toVector(*populationOp.getShape());
    else if (value.size == 1)
      info.shape = {size};
    else
      info.shape = {population.neurons, value.size};
    int64_t count = 1;
    for (int64_t extent : info.shape)
      count *= extent;
    if (count != size)
      return op.emitError() << "output @" << op.getSymName() << " has " << size
                            << " elements, its shape " << shapeText(info.shape)
                            << " has " << count;
    infos.push_back(std::move(info));
    return success();
  }
  return op.emitError() << "no '" << op.getFrom() << "' of @"
                        << op.getPopulation();
}

} // namespace

FailureOr<int64_t> Context::ticks(Operation *user, StringRef clock) const {
  auto it = clocks.find(clock);
  if (it == clocks.end())
    return user->emitError() << "no clock @" << clock;
  return it->second;
}

FailureOr<int64_t> Context::every(Operation *user, int64_t own,
                                  StringRef clock) const {
  FailureOr<int64_t> other = ticks(user, clock);
  if (failed(other))
    return failure();
  if (own % *other == 0)
    return own / *other;
  if (*other % own == 0)
    return int64_t(1);
  return user->emitError() << "clock @" << clock << " (" << *other
                           << " ticks per root tick) and the population's own ("
                           << own << ") do not divide each other";
}

FailureOr<Tensor> Context::constant(Operation *user, StringRef name) const {
  auto constant = symbolOf<ConstantOp>(
      op, FlatSymbolRefAttr::get(user->getContext(), name));
  if (!constant)
    return user->emitError() << "no constant @" << name;
  return readConstant(constant, bindings);
}

FailureOr<Timing> buildTiming(ProjectOp op, int64_t sourceTicks,
                              int64_t targetTicks) {
  int64_t delay = int64_t(op.getDelay());
  if (delay < 0 || delay > kMaxDelay)
    return op.emitError() << "delay " << delay << " is outside 0 to "
                          << kMaxDelay;
  if (sourceTicks % targetTicks != 0 && targetTicks % sourceTicks != 0)
    return op.emitError() << "the clocks of @" << op.getSource() << " ("
                          << sourceTicks << " ticks per root tick) and @"
                          << op.getTarget() << " (" << targetTicks
                          << ") do not divide each other";
  return Timing{sourceTicks, targetTicks, delay};
}

FailureOr<Input> buildInput(InputOp op, const Context &context,
                            std::vector<Source> &sources) {
  FailureOr<int64_t> ticks = context.ticks(op, op.getClock());
  if (failed(ticks))
    return failure();
  Input input;
  input.info = {op.getSymName().str(), toVector(shapeOf(op.getType())), *ticks,
                op.getSpike()};
  if (op.getScale())
    input.scale = op.getScale()->convertToDouble();
  input.source = sources.size();
  Source source{input.info.name,  -1, "", *ticks, op.getSpike(),
                PopulationValue()};
  bool graded = op.getSpike().getKind() == SpikeKind::Graded;
  source.value.kind = graded ? ElementKind::Real : ElementKind::Int;
  source.value.width = graded ? 0 : 64;
  source.value.clear(elementCount(op.getType()));
  sources.push_back(std::move(source));
  return input;
}

LogicalResult Interpreter::build(NetworkOp op, const Bindings &bindings) {
  FailureOr<llvm::StringMap<int64_t>> clocks = ticksPerRoot(op);
  if (failed(clocks))
    return failure();
  NetworkIndex index(op);
  Context context{op, bindings, std::move(*clocks)};
  Block &body = op.getBody().front();
  for (InputOp input : body.getOps<InputOp>()) {
    FailureOr<Input> built = buildInput(input, context, net->sources);
    if (failed(built))
      return failure();
    net->inputInfos.push_back(built->info);
    net->inputs.push_back(std::move(*built));
  }
  SmallVector<PopulationOp> populationOps;
  SmallVector<int64_t> ticks;
  for (PopulationOp population : body.getOps<PopulationOp>()) {
    FailureOr<Population> built = buildPopulation(
        population, populationOps.size(), context, net->sources);
    if (failed(built))
      return failure();
    populationOps.push_back(population);
    ticks.push_back(built->ticks);
    net->populations.push_back(std::move(*built));
  }
  std::vector<Dependency> dependencies;
  for (ProjectOp projection : body.getOps<ProjectOp>()) {
    FailureOr<Connections> connections =
        addProjection(projection, bindings, *net, dependencies);
    if (failed(connections))
      return failure();
    keepSynapses(std::move(*connections));
  }
  FailureOr<std::vector<Visit>> order =
      orderUpdates(op, populationOps, ticks, dependencies);
  if (failed(order))
    return failure();
  net->order = std::move(*order);
  for (OutputOp output : body.getOps<OutputOp>()) {
    if (failed(addOutput(output, net->populations, net->sources,
                         net->outputInfos)))
      return failure();
    net->outputOps.push_back(output);
  }
  return success();
}

} // namespace dendrolith::dend
