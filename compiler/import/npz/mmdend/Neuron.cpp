// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/mmdend/Neuron.h"

#include "compiler/import/npz/mmdend/Baseline.h"
#include "dialects/dend/Dend.h"

#include <fmt/format.h>
#include <map>

using namespace mlir;

namespace dendrolith::npz {
namespace {

bool isLif(const Checkpoint &checkpoint) {
  return checkpoint.meta.neuron == Meta::Neuron::Lif;
}

/// The states of a layer's neurons by name, with their types.
std::vector<std::pair<std::string, mlir::Type>>
states(Builder &builder, const Checkpoint &checkpoint, const Layer &layer) {
  mlir::Type real = builder.getF64Type();
  if (isLif(checkpoint))
    return {{"v", real}};
  mlir::Type element = layer.cable ? real : ComplexType::get(real);
  mlir::Type modes = RankedTensorType::get({layer.compartments}, element);
  std::vector<std::pair<std::string, mlir::Type>> all;
  for (size_t j = 0; j < layer.branches.size(); ++j)
    all.emplace_back(fmt::format("V{}", j), modes);
  all.emplace_back("Vs", real);
  return all;
}

/// The clocks that clear the port and the states, if not every update and every
/// sample do.
struct Clocks {
  FlatSymbolRefAttr hold, reset;
};

/// A model under construction: its arguments by name.
class Body {
public:
  Body(OpBuilder &builder, const std::string &name,
       const std::vector<Parameter> &params,
       const std::vector<std::pair<std::string, mlir::Type>> &states,
       StringRef output, dend::SpikeType spike, Clocks clocks = {})
      : builder(builder), loc(NameLoc::get(builder.getStringAttr(name))) {
    MLIRContext *context = builder.getContext();
    auto text = [&](StringRef value) { return builder.getStringAttr(value); };
    SmallVector<Attribute> paramAttrs, stateAttrs;
    for (const Parameter &param : params)
      paramAttrs.push_back(
          dend::ParamAttr::get(context, text(param.name), false));
    for (auto &[state, type] : states)
      stateAttrs.push_back(dend::StateAttr::get(
          context, text(state),
          clocks.reset ? Attribute(clocks.reset) : Attribute(text("sample")),
          Attribute()));
    auto op = dend::NeuronOp::create(
        builder, loc, text(name),
        builder.getArrayAttr(
            dend::PortAttr::get(context, text("I"), clocks.hold)),
        builder.getArrayAttr(paramAttrs), builder.getArrayAttr(stateAttrs),
        builder.getArrayAttr(
            dend::OutputAttr::get(context, text(output), spike, 1)));
    Block *block = builder.createBlock(&op.getBody());
    arguments["I"] = block->addArgument(builder.getF64Type(), loc);
    for (const Parameter &param : params)
      arguments[param.name] = block->addArgument(param.type, loc);
    for (auto &[state, type] : states)
      arguments[state] = block->addArgument(type, loc);
  }

  /// The argument of that name, null if there is none: then an optional operand
  /// is absent.
  Value operator[](const std::string &name) { return arguments[name]; }

  OpBuilder &builder;
  Location loc;

private:
  std::map<std::string, Value> arguments;
};

/// Writes branch j; gives its drive and pushes its new state.
Value branch(Body &body, const Meta &meta, const Layer &layer, size_t j,
             SmallVectorImpl<Value> &next) {
  const Branch &branch = layer.branches[j];
  auto at = [&](const char *name) {
    return body[fmt::format("{}{}", name, j)];
  };
  auto activation = dend::ActivationAttr::get(
      body.builder.getContext(), *dend::symbolizeActivation(meta.activation));
  DenseI64ArrayAttr range;
  if (branch.first > 0 || branch.end < layer.channels)
    range = body.builder.getDenseI64ArrayAttr({branch.first, branch.end});
  Value V = at("V"), I = body["I"];
  mlir::Type results[] = {V.getType(), I.getType()};
  Operation *op =
      layer.cable
          ? dend::CableOp::create(body.builder, body.loc, results[0],
                                  results[1], V, I, at("diag"), at("lower"),
                                  at("upper"), at("gamma"), at("dt"), at("go"),
                                  activation, range)
                .getOperation()
          : dend::BranchOp::create(body.builder, body.loc, results[0],
                                   results[1], V, I, at("A"), at("G"), at("C"),
                                   at("go"), activation, range);
  next.push_back(op->getResult(0));
  return op->getResult(1);
}

void mmdendBody(Body &body, const Meta &meta, const Layer &layer) {
  OpBuilder &builder = body.builder;
  mlir::Type real = builder.getF64Type();
  SmallVector<Value> next, drives;
  for (size_t j = 0; j < layer.branches.size(); ++j)
    drives.push_back(branch(body, meta, layer, j, next));
  Value dendrite = dend::JoinOp::create(
      builder, body.loc, real, dend::JoinKind::Sum, drives, body["join"]);
  Value soma =
      dend::SomaOp::create(builder, body.loc, real, body["Vs"], dendrite,
                           body["I"], body["beta"], body["alpha"], body["gs"]);
  next.push_back(soma);
  Value spikes = dend::SsfOp::create(builder, body.loc, builder.getI32Type(),
                                     soma, body["phi_p"], body["phi_s"],
                                     builder.getF64FloatAttr(meta.Vth),
                                     builder.getF64FloatAttr(meta.U));
  dend::YieldOp::create(builder, body.loc, next, ValueRange(spikes));
}

// h = (1 - 1/tau) v + I/tau;  s = [h > 1];  v = h (1 - s)
void lifBody(Body &body) {
  OpBuilder &builder = body.builder;
  mlir::Type real = builder.getF64Type();
  Value h =
      dend::CompartmentOp::create(builder, body.loc, real, body["v"], body["I"],
                                  body["keep"], body["gain"], Value());
  auto fire = dend::FireOp::create(
      builder, body.loc, builder.getI1Type(), real, h, body["theta"], Value(),
      dend::ResetKindAttr::get(builder.getContext(), dend::ResetKind::Value),
      UnitAttr());
  dend::YieldOp::create(builder, body.loc, ValueRange(fire.getNext()),
                        ValueRange(fire.getSpike()));
}

} // namespace

std::vector<Parameter>
parameters(Builder &builder, const Checkpoint &checkpoint, const Layer &layer) {
  mlir::Type real = builder.getF64Type();
  std::vector<Parameter> all;
  for (const NeuronConstant &constant : layer.constants) {
    mlir::Type element = constant.complex ? ComplexType::get(real) : real;
    SmallVector<int64_t> shape(constant.shape.begin(), constant.shape.end());
    all.push_back(
        {constant.name,
         shape.empty() ? element : RankedTensorType::get(shape, element),
         constant.values, constant.perNeuron});
  }
  if (checkpoint.meta.isBaseline())
    return all;
  auto scalar = [&](std::string name, double value) {
    all.push_back({std::move(name), real, {value}});
  };
  auto vector = [&](const char *name, size_t j, mlir::Type element,
                    const Values &values) {
    int64_t count =
        int64_t(values.size()) / (isa<ComplexType>(element) ? 2 : 1);
    if (count)
      all.push_back({fmt::format("{}{}", name, j),
                     RankedTensorType::get({count}, element), values});
  };
  if (isLif(checkpoint)) {
    scalar("keep", 1 - 1 / checkpoint.meta.tau);
    scalar("gain", 1 / checkpoint.meta.tau);
    scalar("theta", 1);
    return all;
  }
  mlir::Type complex = ComplexType::get(real);
  for (auto [j, branch] : llvm::enumerate(layer.branches)) {
    if (layer.cable) {
      vector("diag", j, real, branch.diag);
      vector("lower", j, real, branch.lower);
      vector("upper", j, real, branch.upper);
      vector("gamma", j, real, branch.gamma);
      scalar(fmt::format("dt{}", j), branch.dt);
    } else {
      vector("A", j, complex, branch.A);
      vector("G", j, complex, branch.G);
      vector("C", j, complex, branch.C);
    }
    scalar(fmt::format("go{}", j), branch.direct);
  }
  all.push_back({"join",
                 RankedTensorType::get({int64_t(layer.join.size())}, real),
                 layer.join});
  scalar("beta", layer.beta);
  scalar("alpha", layer.alpha);
  scalar("gs", layer.feed);
  scalar("phi_p", layer.shift);
  scalar("phi_s", layer.scale);
  return all;
}

std::string formOf(const Checkpoint &checkpoint, const Layer &layer) {
  if (checkpoint.meta.isBaseline())
    return baselineForm(checkpoint, layer);
  if (isLif(checkpoint))
    return layer.first && checkpoint.isVirtual() ? "lif held" : "lif";
  std::string form =
      fmt::format("{} {}", layer.cable ? "cable" : "modes", layer.compartments);
  for (const Branch &branch : layer.branches)
    form += branch.first > 0 || branch.end < layer.channels
                ? fmt::format(" {}-{}", branch.first, branch.end)
                : " all";
  return form;
}

void createModel(OpBuilder &builder, const std::string &name,
                 const Checkpoint &checkpoint, const Layer &layer) {
  const Meta &meta = checkpoint.meta;
  if (meta.isBaseline())
    return createBaseline(builder, name, checkpoint, layer);
  OpBuilder::InsertionGuard guard(builder);
  MLIRContext *context = builder.getContext();
  auto largest = int64_t(meta.U / meta.Vth);
  Clocks clocks;
  if (checkpoint.isVirtual())
    clocks.reset = FlatSymbolRefAttr::get(context, "step");
  if (layer.first)
    clocks.hold = clocks.reset;
  Body body(builder, name, parameters(builder, checkpoint, layer),
            states(builder, checkpoint, layer), "s",
            isLif(checkpoint) ? dend::binarySpike(context)
                              : dend::intSpike(context, -largest, largest),
            clocks);
  if (isLif(checkpoint))
    lifBody(body);
  else
    mmdendBody(body, meta, layer);
}

void createReadout(OpBuilder &builder, const std::string &name,
                   const Checkpoint &checkpoint) {
  OpBuilder::InsertionGuard guard(builder);
  dend::SpikeType graded = dend::gradedSpike(builder.getContext());
  mlir::Type real = builder.getF64Type();
  if (!isLif(checkpoint) && checkpoint.meta.neuron != Meta::Neuron::Plif) {
    Body body(builder, name, {}, {}, "y", graded);
    dend::YieldOp::create(builder, body.loc, ValueRange(), body["I"]);
    return;
  }
  Body body(builder, name, {}, {{"y", real}}, "y", graded);
  Value keep = dend::LiteralOp::create(builder, body.loc, real,
                                       builder.getF64FloatAttr(0));
  Value y = dend::CompartmentOp::create(builder, body.loc, real, body["y"],
                                        body["I"], keep, Value(), Value());
  dend::YieldOp::create(builder, body.loc, ValueRange(y), ValueRange(y));
}

} // namespace dendrolith::npz
