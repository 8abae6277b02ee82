// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-rank-d: a delta rule's state in the coordinates of its input.
//
// DendriCL: J. Shen, Y. Wu, C. Chen, Dendritic In-Context Learning in a
// Single-Layer Spiking Neural Network, 2026, https://arxiv.org/abs/2607.02283

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/network/BoundModel.h"
#include "compiler/transforms/network/Synapses.h"
#include "compiler/transforms/quantise/QuantisedLayer.h"
#include "compiler/transforms/rewrites/DeltaRuleSite.h"
#include "compiler/transforms/rewrites/RewriteReport.h"

#include "dialects/dend/Constants.h"

#include <fmt/format.h>

namespace dendrolith {
#define GEN_PASS_DEF_DENDRANKD
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

constexpr llvm::StringLiteral kRankD = "rank-d";
constexpr llvm::StringLiteral kRankDLooksFor =
    "one neuron with a vector 'delta_rule' whose key is a port fed by one "
    "dense "
    "projection, whose prediction is the dot product of state and key, and "
    "which emits its state";

/// With key a = W s, u' = keep u + rate e a and u = 0 at first, u always lies
/// in the columns of W. So u = W z where z' = keep z + rate e s; u . a = z .
/// (W^T W s); V u = (V W) z. A column of W that is zero adds nothing to u: z
/// has an element for each of the others.
class RankD : DeltaRuleSite {
public:
  /// Takes a population that matches and that has a model of its own.
  explicit RankD(const DeltaRuleSite &site) : DeltaRuleSite(site) {}
  void run();

private:
  void rewriteBody();
  void rewriteKey();
  std::string rewriteReaders();
  FlatSymbolRefAttr constant(StringRef name, ArrayRef<int64_t> shape,
                             const std::vector<double> &values);
  std::string freshName(const std::string &wanted);
};

FlatSymbolRefAttr RankD::constant(StringRef name, ArrayRef<int64_t> shape,
                                  const std::vector<double> &values) {
  auto type =
      RankedTensorType::get(shape, Float64Type::get(network.getContext()));
  return BoundModel(model).addConstant(population, name, type,
                                       dend::makeElements(type, name, values));
}

/// Gives `wanted`, with as many underscores behind it as make it a new name of
/// the model.
std::string RankD::freshName(const std::string &wanted) {
  std::string name = wanted;
  while (model.findPort(name) >= 0 || model.findState(name) >= 0 ||
         model.findParam(name) >= 0 || model.findOutput(name) >= 0)
    name += "_";
  return name;
}

/// Rewrites the body: state and output are z, the key is the input itself, and
/// a second port has W^T W s.
void RankD::rewriteBody() {
  MLIRContext *context = model.getContext();
  Value u = rule.getState(), a = rule.getKey();
  Type type = RankedTensorType::get({rank()}, dend::elementType(u.getType()));
  dend::PortAttr keyPort = model.getPort(port);
  SmallVector<Attribute> ports(model.getPorts().getValue());
  ports.push_back(dend::PortAttr::get(
      context,
      StringAttr::get(context, freshName(keyPort.getName().str() + "_gram")),
      keyPort.getHold()));
  Value gram = model.getBlock().insertArgument(
      unsigned(model.getPorts().size()), type, model.getLoc());
  model.setPortsAttr(ArrayAttr::get(context, ports));
  u.setType(type);
  a.setType(type);
  rule.getResult().setType(type);
  for (OpOperand &operand : prediction->getOpOperands())
    if (operand.get() == a)
      operand.set(gram);
  StringAttr z = StringAttr::get(context, freshName("z"));
  dend::StateAttr old = model.getState(state);
  SmallVector<Attribute> states(model.getStates().getValue()),
      outputs(model.getOutputs().getValue());
  states[state] =
      dend::StateAttr::get(context, z, old.getReset(), old.getInit());
  model.setStatesAttr(ArrayAttr::get(context, states));
  dend::OutputAttr output = model.getOutput(emitted);
  outputs[emitted] =
      dend::OutputAttr::get(context, z, output.getType(), rank());
  model.setOutputsAttr(ArrayAttr::get(context, outputs));
  for (dend::ProjectOp project : readers)
    project.setOutputAttr(z);
}

/// Rewrites what feeds the key: W s becomes the chosen elements of s, and W^T W
/// s.
void RankD::rewriteKey() {
  MLIRContext *context = model.getContext();
  std::string name = population.getSymName().str();
  std::vector<double> gram(size_t(rank() * sources), 0.0);
  std::vector<int64_t> indices;
  for (int64_t j = 0; j < rank(); ++j) {
    indices.push_back(j);
    indices.push_back(columns[size_t(j)]);
    for (int64_t s : columns)
      for (int64_t i = 0; i < elements; ++i)
        gram[size_t(j * sources + s)] +=
            weight(i, columns[size_t(j)]) * weight(i, s);
  }
  auto indexType =
      RankedTensorType::get({rank(), 2}, IntegerType::get(context, 32));
  std::string indexName = name + ".chosen";
  BoundModel symbols(model);
  OpBuilder builder(key);
  auto second = cast<dend::ProjectOp>(builder.clone(*key.getOperation()));
  second.setPort(model.getPort(unsigned(model.getPorts().size()) - 1)
                     .getName()
                     .getValue());
  second.setWeightAttr(constant(name + ".gram", {rank(), sources}, gram));
  key.setSynapsesAttr(dend::SparseAttr::get(context));
  key.setWeightAttr(constant(name + ".ones", {rank()},
                             std::vector<double>(size_t(rank()), 1.0)));
  key.setIndicesAttr(
      symbols.addConstant(population, indexName, indexType,
                          dend::makeElements(indexType, indexName, indices)));
}

/// Rewrites the readers: V u = (V W) z. Returns the counts as text.
std::string RankD::rewriteReaders() {
  std::string text;
  for (dend::ProjectOp project : readers) {
    std::vector<double> old =
        *dend::readReals(project, project.getWeightAttr());
    auto targets = int64_t(old.size()) / elements;
    std::vector<double> product(size_t(targets * rank()), 0.0);
    for (int64_t t = 0; t < targets; ++t)
      for (int64_t j = 0; j < rank(); ++j)
        for (int64_t i = 0; i < elements; ++i)
          product[size_t(t * rank() + j)] +=
              old[size_t(t * elements + i)] * weight(i, columns[size_t(j)]);
    std::string name =
        (project.getTarget() + "." + population.getSymName()).str();
    project.setWeightAttr(constant(name, {targets, rank()}, product));
    text += fmt::format("; read-out into '@{}': {} synaptic operations per "
                        "tick become {}, {:.1f} times fewer",
                        project.getTarget().str(), targets * elements,
                        targets * rank(), double(elements) / double(rank()));
  }
  return text;
}

void RankD::run() {
  NetworkSize before = sizeOf(network);
  std::string was = model.getState(state).getName().str();
  rewriteBody();
  rewriteKey();
  std::string counts = rewriteReaders(), name = population.getSymName().str(),
              z = model.getState(state).getName().str();
  eraseUnusedSymbols(network);
  recordRewrite(network, kRankD, name,
                fmt::format("the dendrite of '@{}', {} compartments '{}', is "
                            "gone: '{}' of {} numbers stands for it, {} = W {} "
                            "with the weights W of its key{}; the gauge of {} "
                            "is free",
                            name, elements, was, z, rank(), was, z, counts, z),
                before);
}

struct DendRankDPass : impl::DendRankDBase<DendRankDPass> {
  void runOnOperation() override {
    dend::NetworkOp network = getOperation();
    std::vector<std::string> obstacles;
    bool changed = false;
    for (auto population : network.getOps<dend::PopulationOp>()) {
      DeltaRuleSite site(population);
      if (!site.hasRule())
        continue;
      std::string why = site.match();
      if (!why.empty()) {
        obstacles.push_back(
            fmt::format("'@{}' {}", population.getSymName().str(), why));
        continue;
      }
      copyModel(population);
      DeltaRuleSite own(population);
      own.hasRule();
      own.match();
      RankD(own).run();
      changed = true;
    }
    if (!changed) {
      appliesNowhere(network, kRankD, kRankDLooksFor, obstacles);
      signalPassFailure();
    }
  }
};
} // namespace
} // namespace dendrolith
