// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/lava/Build.h"

#include "compiler/import/lava/Lava.h"
#include "compiler/import/lava/Plan.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace dendrolith::lava {
namespace {

/// A plan, and the inputs that it holds for.
struct NarrowPlan {
  Plan plan;
  /// In place of the model's own; it holds what a graph reads of its model but
  /// processes. Null: nothing was narrowed.
  std::unique_ptr<Model> model;
};

/// The host inputs whose values reach a port of the node, themselves or through
/// synapses that read more than whether they are 0.
std::set<size_t> inputsOf(const Graph &graph, const GraphNode &node) {
  std::set<size_t> found;
  auto add = [&](const Arrival &arrival) {
    if (arrival.from == Arrival::From::Input)
      found.insert(graph.arrays[arrival.index]);
  };
  for (const auto &port : node.arrivals)
    for (const Arrival &arrival : port) {
      add(arrival);
      if (arrival.from != Arrival::From::Synapse)
        continue;
      const GraphNode &synapse = graph.nodes[arrival.index];
      if (!synapse.synapse.binary)
        std::for_each(synapse.arrivals[0].begin(), synapse.arrivals[0].end(),
                      add);
    }
  return found;
}

double boundOf(const Plan &plan, size_t node) {
  double bound = 0;
  for (const PortPlan &port : plan.ports[node])
    bound = std::max(bound, port.bound);
  return bound;
}

bool isGraded(const Input &input) {
  return input.lowest() < -1 || input.highest() > 1;
}

/// Makes the range of an array's inputs smaller by the factor. False: it was as
/// small as a graded input gets.
bool shrink(const Graph &graph, Model &model, size_t array, double factor) {
  bool changed = false;
  for (int i = 0; i < model.inputs_size(); ++i) {
    Input &input = *model.mutable_inputs(i);
    if (graph.arrays[size_t(i)] != array || !isGraded(input))
      continue;
    auto less = [&](int64_t end) {
      return int64_t(std::trunc(double(end) * factor));
    };
    input.set_lowest(less(input.lowest()));
    input.set_highest(less(input.highest()));
    changed = true;
  }
  return changed;
}

/// Plans a graph. Where a sum of host inputs may leave what ATRLIF's decay is
/// proved for, the inputs are taken to be smaller, as far as needed: every run
/// refuses values beyond an input's range by name, and a warning says which it
/// is. The graph then reads the model that is returned.
NarrowPlan planWithin(Graph &graph) {
  NarrowPlan result{makePlan(graph), nullptr};
  const Model &given = *graph.model;
  for (size_t node = 0; node < graph.nodes.size(); ++node) {
    const NeuronClass *neuron = graph.nodes[node].neuron;
    if (!neuron || className(neuron->lavaClass) != "ATRLIF")
      continue;
    std::set<size_t> inputs = inputsOf(graph, graph.nodes[node]);
    double bound = boundOf(result.plan, node);
    for (bool changed = true; changed && bound > double(kMostCubaInput);) {
      if (!result.model) {
        result.model = std::make_unique<Model>();
        *result.model->mutable_inputs() = given.inputs();
        *result.model->mutable_outputs() = given.outputs();
        *result.model->mutable_connections() = given.connections();
        graph.model = result.model.get();
      }
      changed = false;
      for (size_t array : inputs)
        changed |=
            shrink(graph, *result.model, array, double(kMostCubaInput) / bound);
      result.plan = makePlan(graph);
      bound = boundOf(result.plan, node);
    }
  }
  for (int i = 0; result.model && i < given.inputs_size(); ++i) {
    const Input &now = result.model->inputs(i), &was = given.inputs(i);
    if (graph.arrays[size_t(i)] == size_t(i) &&
        (now.lowest() != was.lowest() || now.highest() != was.highest()))
      result.plan.warnings.push_back(
          {"narrowed-input", fmt::format("input '{}'", now.name()),
           fmt::format("it is taken from {} to {} in place of {} to {}, for "
                       "which ATRLIF behind it is proved exact; a run refuses "
                       "values beyond",
                       now.lowest(), now.highest(), was.lowest(),
                       was.highest())});
  }
  return result;
}

} // namespace
} // namespace dendrolith::lava

namespace dendrolith {
using namespace mlir;

namespace lava {

/// A cuba neuron expects that its synapses have shifted their sum by this much.
constexpr int64_t kCubaShift = 6;

void GraphBuilder::input(size_t i) {
  const Input &input = inputOf(i);
  MLIRContext *context = builder.getContext();
  Shape shape(input.shape().begin(), input.shape().end());
  auto type = RankedTensorType::get(dendShape(shape), builder.getF64Type());
  bool binary = input.lowest() == 0 && input.highest() == 1;
  dend::SpikeType spike =
      binary ? dend::binarySpike(context)
             : dend::intSpike(context, input.lowest(), input.highest());
  dend::InputOp::create(builder, at(input.name()), text(input.name()),
                        symbol(clock), TypeAttr::get(type),
                        TypeAttr::get(spike), FloatAttr(), IntegerAttr(),
                        IntegerAttr());
  if (plan.firedInputs[i])
    relay(i);
}

/// Adds, for each element of an input, a neuron that says whether it is not 0.
void GraphBuilder::relay(size_t i) {
  const Input &input = inputOf(i);
  std::string name = names.fresh(input.name() + ".fired");
  NeuronForm form{"lava.proc.graded.process.GradedVec", "", {{Term()}}, true};
  Constants all;
  all.parameters["threshold"] = {0};
  place(name, form, all, {input.shape().begin(), input.shape().end()});
  relays[i] = name;
  dend::ProjectOp::create(
      builder, at(name), symbol(input.name()), StringAttr(), symbol(name),
      text("a_in"), dend::DiagonalAttr::get(builder.getContext()),
      FlatSymbolRefAttr(), FlatSymbolRefAttr(), FlatSymbolRefAttr(),
      builder.getI64IntegerAttr(0), builder.getI64IntegerAttr(0), UnitAttr());
}

void GraphBuilder::project(const Projection &projection, size_t number) {
  MLIRContext *context = builder.getContext();
  const GraphNode &target = graph.nodes[projection.target];
  const NeuronForm &form = forms.at(projection.target);
  bool isInput = projection.from == Arrival::From::Input;
  bool relayed = isInput && projection.fired;
  std::string source = relayed ? relays.at(projection.source)
                       : isInput
                           ? inputOf(projection.source).name()
                           : graph.nodes[projection.source].process->name();
  StringAttr sent;
  if (projection.fired)
    sent = text("fired");
  else if (!isInput)
    sent = text("s_out");
  const PortPlan &port = plan.ports[projection.target][projection.input];
  size_t term =
      projection.own < 0 ? 0 : size_t(projection.own) + (port.common ? 1 : 0);
  const std::string &to = target.process->name();
  std::string name = fmt::format("{}.{}.weight", to, number);
  Attribute kind = dend::DiagonalAttr::get(context);
  FlatSymbolRefAttr weight, indices;
  auto elements = int64_t(projection.weights.size());
  switch (projection.pattern) {
  case Projection::Pattern::Diagonal:
    break;
  case Projection::Pattern::Dense: {
    auto targets = int64_t(target.count);
    kind = dend::DenseAttr::get(context);
    weight =
        constant(name, {targets, elements / targets}, 16, projection.weights);
    break;
  }
  case Projection::Pattern::Sparse:
    kind = dend::SparseAttr::get(context);
    weight = constant(name, {elements}, 16, projection.weights);
    indices = constant(fmt::format("{}.{}.indices", to, number), {elements, 2},
                       32, projection.indices);
    break;
  case Projection::Pattern::Conv: {
    const dend::Window &w = *projection.window;
    auto dims = [&](auto values) {
      return builder.getDenseI64ArrayAttr(
          SmallVector<int64_t>(values.begin(), values.end()));
    };
    kind = dend::ConvAttr::get(context, dims(w.input), dims(w.stride),
                               dims(w.padding), dims(w.dilation), w.groups);
    weight =
        constant(name, {w.channels, w.inPerGroup(), w.kernel[0], w.kernel[1]},
                 16, projection.weights);
    break;
  }
  }
  int64_t shift = projection.shift + (form.variant == "cuba" ? kCubaShift : 0);
  dend::ProjectOp::create(
      builder, at(to), symbol(source), sent, symbol(to),
      text(portName(target.neuron->inputs[projection.input], term)), kind,
      weight, indices, FlatSymbolRefAttr(),
      builder.getI64IntegerAttr(projection.delay),
      builder.getI64IntegerAttr(shift), UnitAttr());
}

void GraphBuilder::run() {
  for (const GraphNode &node : graph.nodes)
    if (node.neuron)
      names.take(node.process->name());
  for (int i = 0; i < graph.model->inputs_size(); ++i)
    if (graph.arrays[size_t(i)] == size_t(i))
      names.take(graph.model->inputs(i).name());
  for (const Output &output : graph.model->outputs())
    names.take(output.name());
  clock = names.fresh("step");
  dend::ClockOp::create(builder, at(clock), text(clock), FlatSymbolRefAttr(),
                        IntegerAttr());
  for (int i = 0; i < graph.model->inputs_size(); ++i)
    if (graph.arrays[size_t(i)] == size_t(i))
      input(size_t(i));
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].neuron)
      population(i);
    else if (!graph.nodes[i].isRead || graph.nodes[i].arrivals[0].empty())
      warnings.push_back(
          {"loose-end",
           fmt::format("process '{}'", graph.nodes[i].process->name()),
           "it joins nothing"});
  for (size_t i = 0; i < plan.projections.size(); ++i)
    project(plan.projections[i], i);
  for (int i = 0; i < graph.model->outputs_size(); ++i) {
    const Output &output = graph.model->outputs(i);
    const GraphNode &node = graph.nodes[graph.outputs[size_t(i)]];
    dend::OutputOp::create(
        builder, at(output.name()), text(output.name()), UnitAttr(),
        symbol(node.process->name()), text("s_out"),
        builder.getDenseI64ArrayAttr(dendShape(node.shape)), StringAttr());
  }
}

FlatSymbolRefAttr GraphBuilder::numbers(const std::string &name, unsigned bits,
                                        std::vector<int64_t> values) {
  std::vector<int64_t> shape;
  if (values.size() > 1)
    shape.push_back(int64_t(values.size()));
  return constant(name, shape, bits, std::move(values));
}

NeuronForm GraphBuilder::formOf(size_t index, Kwargs &kwargs) {
  const GraphNode &node = graph.nodes[index];
  NeuronForm form;
  form.lavaClass = node.neuron->lavaClass;
  form.variant = readVariant(kwargs, form.lavaClass);
  form.fired = plan.firedNodes[index];
  bool common = true;
  double bound = 0;
  for (const PortPlan &port : plan.ports[index]) {
    std::vector<Term> terms;
    if (port.common || port.own.empty())
      terms.emplace_back();
    terms.insert(terms.end(), port.own.begin(), port.own.end());
    form.inputs.push_back(std::move(terms));
    common &= port.own.empty();
    bound = std::max(bound, port.bound);
  }
  if (form.variant == "plain" && common && bound <= double(kMostCubaInput) &&
      !form.fired && startsLikeCuba(kwargs, node.count)) {
    form.variant = "cuba";
    form.inputs[0][0].width = 64;
  }
  if (StringRef(form.lavaClass).ends_with(".ATRLIF") &&
      bound > double(kMostCubaInput)) {
    // What a neuron sends has no range of its own that could be narrowed.
    form.variant = "checked";
    warnings.push_back(
        {"checked-range", fmt::format("process '{}'", node.process->name()),
         fmt::format(
             "a_in may reach {:.0f}; up to {} ATRLIF's current stays in "
             "the 24 bits for which its decay is proved; a run says "
             "where it is more",
             bound, kMostCubaInput)});
  }
  return form;
}

void GraphBuilder::population(size_t index) {
  const GraphNode &node = graph.nodes[index];
  Kwargs kwargs(*node.process, graph.place);
  NeuronForm form = formOf(index, kwargs);
  Constants all = readConstants(kwargs, form, node.count);
  forms[index] = form;
  place(node.process->name(), form, all, node.shape);
}

void GraphBuilder::place(const std::string &name, const NeuronForm &form,
                         const Constants &all, const Shape &shape) {
  std::vector<uint32_t> order = numbering(shape);
  // Equal values are one; others go to their neuron's number in dend.
  auto arranged = [&](std::vector<int64_t> values) {
    if (std::all_of(values.begin(), values.end(),
                    [&](int64_t v) { return v == values[0]; }))
      values.resize(1);
    if (values.size() == 1 || order.empty())
      return values;
    std::vector<int64_t> moved(values.size());
    for (size_t i = 0; i < values.size(); ++i)
      moved[order[i]] = values[i];
    return moved;
  };
  std::set<std::string> perNeuron;
  std::map<std::string, Attribute> initial;
  SmallVector<NamedAttribute> params;
  for (const std::string &param : parameterNames(form)) {
    std::vector<int64_t> values = arranged(all.parameters.at(param));
    if (values.size() > 1)
      perNeuron.insert(param);
    bool wide = std::any_of(values.begin(), values.end(),
                            [](int64_t v) { return v != int64_t(int32_t(v)); });
    params.push_back(builder.getNamedAttr(
        param, numbers(name + "." + param, wide ? 64 : 32, values)));
  }
  for (const auto &[state, given] : all.states) {
    std::vector<int64_t> values = arranged(given);
    if (values.size() > 1)
      initial[state] = numbers(name + "." + state, 32, values);
    else if (values[0] != 0)
      initial[state] = builder.getI64IntegerAttr(values[0]);
  }
  std::string model = names.fresh(name + "." + className(form.lavaClass));
  buildNeuron(builder, at(name), model, form, perNeuron, initial);
  std::vector<int64_t> dims = dendShape(shape);
  const auto count = static_cast<int64_t>(product(dims));
  dend::PopulationOp::create(builder, at(name), text(name), symbol(model),
                             builder.getI64IntegerAttr(count), symbol(clock),
                             builder.getDictionaryAttr(params),
                             builder.getDenseI64ArrayAttr(dims), FloatAttr());
}

} // namespace lava

ImportedModel buildLava(MLIRContext &context, const lava::Model &model,
                        const std::string &place) {
  context.getOrLoadDialect<dend::DendDialect>();
  lava::Graph graph = lava::readGraph(model, place);
  lava::NarrowPlan narrow = lava::planWithin(graph);
  const lava::Plan &plan = narrow.plan;
  ImportedModel out;
  out.complete = true;
  out.name = model.name().empty() ? "network" : model.name();
  OpBuilder builder(&context);
  out.module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToStart(out.module->getBody());
  auto network = dend::NetworkOp::create(
      builder, NameLoc::get(builder.getStringAttr(out.name)),
      builder.getStringAttr(out.name));
  builder.createBlock(&network.getBody());
  out.warnings = plan.warnings;
  lava::GraphBuilder(builder, graph, plan, out.warnings).run();
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (said.empty())
      said = diagnostic.str();
    return success();
  });
  if (failed(verify(*out.module)))
    throw Error(place + ": " + said);
  return out;
}

} // namespace dendrolith
