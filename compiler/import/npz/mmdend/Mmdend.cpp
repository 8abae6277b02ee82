// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/mmdend/Mmdend.h"

#include "compiler/import/npz/mmdend/Baseline.h"
#include "compiler/import/npz/mmdend/Neuron.h"
#include "compiler/import/npz/mmdend/ReadCheckpoint.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/Dend.h"

#include <fmt/format.h>
#include <map>

using namespace mlir;

namespace dendrolith::npz {
namespace {

/// The type of the constant that gives a parameter to so many neurons.
RankedTensorType boundType(const Parameter &param, int64_t neurons) {
  SmallVector<int64_t> shape;
  if (param.perNeuron)
    shape.push_back(neurons);
  if (auto type = dyn_cast<RankedTensorType>(param.type))
    llvm::append_range(shape, type.getShape());
  return RankedTensorType::get(shape, dend::elementType(param.type));
}

class MmdendBuilder {
public:
  MmdendBuilder(OpBuilder &builder, const Checkpoint &checkpoint)
      : builder(builder), checkpoint(checkpoint) {}

  void run() {
    const Layer &first = checkpoint.layers.front();
    dend::ClockOp::create(builder, loc, text("step"), FlatSymbolRefAttr(),
                          IntegerAttr());
    if (checkpoint.isVirtual())
      dend::ClockOp::create(builder, loc, text("micro"), symbol("step"),
                            builder.getI64IntegerAttr(checkpoint.ticks()));
    IntegerAttr query, label;
    if (std::optional<Query> task = checkpoint.query()) {
      query = builder.getI64IntegerAttr(int64_t(task->flag));
      label = builder.getI64IntegerAttr(int64_t(*task->label));
    }
    dend::InputOp::create(
        builder, loc, text("x"), symbol("step"),
        TypeAttr::get(tensor({first.inputs})),
        TypeAttr::get(dend::gradedSpike(builder.getContext())), FloatAttr(),
        query, label);
    std::string source = "x";
    for (auto [l, layer] : llvm::enumerate(checkpoint.layers)) {
      std::string name = fmt::format("L{}", l);
      populate(name, layer);
      project(source, name, fmt::format("W{}", l), fmt::format("b{}", l),
              layer.inputs, layer.weight, layer.bias);
      if (!layer.recurrent.empty())
        recur(name, fmt::format("V{}", l), layer);
      source = name;
    }
    createReadout(builder, "linear", checkpoint);
    population("out", "linear", "step", checkpoint.classes, DictionaryAttr());
    project(source, "out", "Wout", "bout", checkpoint.layers.back().channels,
            checkpoint.weight, checkpoint.bias);
    dend::OutputOp::create(builder, loc, text("logits"), UnitAttr(),
                           symbol("out"), text("y"), DenseI64ArrayAttr(),
                           text(checkpoint.meta.decode));
  }

private:
  StringAttr text(const std::string &value) {
    return builder.getStringAttr(value);
  }
  FlatSymbolRefAttr symbol(const std::string &name) {
    return FlatSymbolRefAttr::get(builder.getContext(), name);
  }
  RankedTensorType tensor(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF64Type());
  }
  FlatSymbolRefAttr constant(const std::string &name, RankedTensorType type,
                             const Values &values) {
    dend::ConstantOp::create(builder, loc, text(name), TypeAttr::get(type),
                             dend::makeElements(type, name, values),
                             StringAttr(), DenseI64ArrayAttr());
    return symbol(name);
  }
  void population(const std::string &name, const std::string &model,
                  const char *clock, int64_t neurons, DictionaryAttr params) {
    dend::PopulationOp::create(builder, loc, text(name), symbol(model),
                               builder.getI64IntegerAttr(neurons),
                               symbol(clock), params, DenseI64ArrayAttr(),
                               FloatAttr());
  }

  /// The population of a layer, its constants, and its model if it is new.
  void populate(const std::string &name, const Layer &layer) {
    std::string base = wordFor(checkpoint.meta.neuron);
    auto [model, isNew] = models.emplace(
        formOf(checkpoint, layer),
        models.empty() ? base : fmt::format("{}{}", base, models.size()));
    if (isNew)
      createModel(builder, model->second, checkpoint, layer);
    SmallVector<NamedAttribute> bound;
    for (const Parameter &param : parameters(builder, checkpoint, layer)) {
      bound.push_back(builder.getNamedAttr(
          param.name,
          constant(name + "." + param.name, boundType(param, layer.channels),
                   param.values)));
    }
    population(name, model->second, checkpoint.isVirtual() ? "micro" : "step",
               layer.channels, builder.getDictionaryAttr(bound));
  }

  void project(const std::string &source, const std::string &target,
               const std::string &weight, const std::string &bias,
               int64_t sources, const Values &weights, const Values &biases) {
    auto targets = int64_t(biases.size());
    auto W = constant(weight, tensor({targets, sources}), weights);
    auto b = constant(bias, tensor({targets}), biases);
    dend::ProjectOp::create(
        builder, loc, symbol(source), source == "x" ? StringAttr() : text("s"),
        symbol(target), text("I"), dend::DenseAttr::get(builder.getContext()),
        W, FlatSymbolRefAttr(), b, builder.getI64IntegerAttr(0),
        builder.getI64IntegerAttr(0));
  }

  /// A layer's spikes into itself, a step later, tick by tick.
  void recur(const std::string &name, const std::string &weight,
             const Layer &layer) {
    auto V = constant(weight, tensor({layer.channels, layer.channels}),
                      layer.recurrent);
    dend::ProjectOp::create(
        builder, loc, symbol(name), text("s"), symbol(name), text("I"),
        dend::DenseAttr::get(builder.getContext()), V, FlatSymbolRefAttr(),
        FlatSymbolRefAttr(), builder.getI64IntegerAttr(checkpoint.ticks()),
        builder.getI64IntegerAttr(0));
  }

  OpBuilder &builder;
  const Checkpoint &checkpoint;
  Location loc = builder.getUnknownLoc();
  std::map<std::string, std::string> models; // by form
};

void importMmdend(Archive &archive, Meta::Neuron neuron, MLIRContext &context,
                  ImportedModel &model) {
  Checkpoint checkpoint =
      readCheckpoint(archive, readMeta(MetaReader(archive), neuron));
  OpBuilder builder(&context);
  model.module = ModuleOp::create(builder, builder.getUnknownLoc());
  builder.setInsertionPointToStart(model.module->getBody());
  auto network = dend::NetworkOp::create(builder, builder.getUnknownLoc(),
                                         builder.getStringAttr(model.name));
  builder.createBlock(&network.getBody());
  MmdendBuilder(builder, checkpoint).run();
  if (checkpoint.examples)
    model.examples["x"] = std::move(*checkpoint.examples);
}

} // namespace

CheckpointKind mmdendKind() {
  return {"MMDEND",
          "models/mmdend",
          {"mmdend"},
          {"W0", "Wout"},
          [](Archive &archive, MLIRContext &context, ImportedModel &model) {
            importMmdend(archive, Meta::Neuron::Mmdend, context, model);
          }};
}

CheckpointKind baselineKind() {
  return {"layers of baseline neurons",
          "models/mmdend",
          baselineWords(),
          {"W0", "Wout"},
          [](Archive &archive, MLIRContext &context, ImportedModel &model) {
            importMmdend(archive,
                         neuronOf(MetaReader(archive).text("neuron", "")),
                         context, model);
          }};
}

CheckpointKind lifKind() {
  return {"LIF layers",
          "models/mmdend",
          {"lif"},
          {"W0", "Wout"},
          [](Archive &archive, MLIRContext &context, ImportedModel &model) {
            importMmdend(archive, Meta::Neuron::Lif, context, model);
          }};
}

} // namespace dendrolith::npz
