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
#include "compiler/transforms/rewrites/RewriteReport.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/Dend.h"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace dendrolith {
#define GEN_PASS_DEF_DENDRANKD
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

/// What match() finds of a population: u' = keep u + rate e a, with u = 0 at
/// first and the key a = W s. So u always lies in the space of W's columns.
struct DeltaRuleSite {
  explicit DeltaRuleSite(dend::PopulationOp population);

  /// Whether the body has a delta rule at all.
  bool hasRule();
  /// Fills in the members below. Returns why the population does not fit; the
  /// text is empty if it does. It fits if only the rule, the prediction u . a
  /// and one output use state and key, and if u has more elements than W has
  /// columns.
  std::string match();

  int64_t rank() const { return int64_t(columns.size()); }
  double weight(int64_t row, int64_t column) const {
    return weights[size_t(row * sources + column)];
  }

  dend::PopulationOp population;
  dend::NeuronOp model;
  dend::NetworkOp network;
  dend::DeltaRuleOp rule;
  dend::DotOp prediction;
  unsigned state = 0, port = 0, emitted = 0; ///< indices of u, a and the output
  dend::ProjectOp key;
  llvm::SmallVector<dend::ProjectOp> readers; ///< dense, of the output
  int64_t elements = 0, sources = 0;
  std::vector<double> weights;  ///< W, (elements, sources)
  std::vector<int64_t> columns; ///< those of W that are not zero

private:
  std::string matchBody();
  std::string matchReaders();
  std::string matchKey();
};

DeltaRuleSite::DeltaRuleSite(dend::PopulationOp population)
    : population(population), model(dend::modelOf(population)),
      network(population->getParentOfType<dend::NetworkOp>()) {}

bool DeltaRuleSite::hasRule() {
  auto rules = model.getBlock().getOps<dend::DeltaRuleOp>();
  if (rules.empty())
    return false;
  rule = *rules.begin();
  return true;
}

std::string DeltaRuleSite::match() {
  for (auto part : {&DeltaRuleSite::matchBody, &DeltaRuleSite::matchReaders,
                    &DeltaRuleSite::matchKey})
    if (std::string why = (this->*part)(); !why.empty())
      return why;
  return "";
}

std::string DeltaRuleSite::matchBody() {
  if (population.getSize() != 1)
    return fmt::format("has {} neurons", population.getSize());
  Value u = rule.getState(), a = rule.getKey(), next = rule.getResult();
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  auto isState = llvm::find(model.getStateArgs(), u);
  auto isPort = llvm::find(model.getPortArgs(), a);
  if (dend::shapeOf(u.getType()).size() != 1 || !dend::isReal(u.getType()) ||
      isState == model.getStateArgs().end() ||
      isPort == model.getPortArgs().end())
    return "has a delta rule whose state or key is computed, or a matrix";
  state = unsigned(isState - model.getStateArgs().begin());
  port = unsigned(isPort - model.getPortArgs().begin());
  prediction = rule.getPrediction().getDefiningOp<dend::DotOp>();
  bool ofBoth =
      prediction && ((prediction.getLhs() == u && prediction.getRhs() == a) ||
                     (prediction.getLhs() == a && prediction.getRhs() == u));
  if (!ofBoth)
    return "predicts something else than state . key";
  if (yield.getStates()[state] != next)
    return "changes its state beside the delta rule";
  Attribute init = model.getState(state).getInit();
  auto number = dyn_cast_or_null<FloatAttr>(init);
  if (init && !(number && number.getValue().isZero()))
    return "does not start at zero";
  unsigned emissions = 0;
  for (auto [i, value] : llvm::enumerate(yield.getEmitted()))
    if (value == u || value == next) {
      emitted = unsigned(i);
      ++emissions;
    }
  if (emissions != 1)
    return "does not emit its state";
  auto knows = [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return user == rule || user == prediction || user == yield;
  };
  if (!llvm::all_of(u.getUses(), knows) || !llvm::all_of(a.getUses(), knows) ||
      !llvm::all_of(next.getUses(), knows) ||
      llvm::is_contained(yield.getEmitted(), a) ||
      llvm::is_contained(yield.getStates(), u) ||
      llvm::is_contained(yield.getStates(), a) ||
      llvm::count(yield.getStates(), next) != 1)
    return "uses its state or key for more than rule, prediction and output";
  elements = dend::elementCount(u.getType());
  return "";
}

std::string DeltaRuleSite::matchReaders() {
  StringRef name = population.getSymName();
  dend::OutputAttr output = model.getOutput(emitted);
  StringAttr stateName = model.getState(state).getName();
  for (auto seen : network.getOps<dend::OutputOp>())
    if (seen.getPopulation() == name &&
        seen.getFromAttr() == (seen.getProbe() ? stateName : output.getName()))
      return "shows its state as an output of the network";
  for (auto project : network.getOps<dend::ProjectOp>()) {
    if (project.getSource() != name ||
        project.getOutput().value_or(output.getName()) != output.getName())
      continue;
    if (!isa<dend::DenseAttr>(project.getSynapses()) ||
        failed(dend::readReals(project, project.getWeightAttr())))
      return "is read by synapses that are not dense, or whose weights are not "
             "at hand (extern)";
    readers.push_back(project);
  }
  return readers.empty() ? "feeds nothing" : "";
}

std::string DeltaRuleSite::matchKey() {
  unsigned found = 0;
  for (auto project : network.getOps<dend::ProjectOp>())
    if (project.getTarget() == population.getSymName() &&
        project.getPort() == model.getPort(port).getName().getValue()) {
      key = project;
      ++found;
    }
  if (found != 1 || key.getBiasAttr() ||
      !isa<dend::DenseAttr>(key.getSynapses()))
    return "has a key that is not fed by exactly one dense projection without "
           "bias";
  auto read = dend::readReals(key, key.getWeightAttr());
  if (failed(read))
    return "has a key whose weights are not at hand (extern)";
  weights = std::move(*read);
  sources = sourceElements(key);
  for (int64_t s = 0; s < sources; ++s)
    for (int64_t i = 0; i < elements; ++i)
      if (weight(i, s) != 0) {
        columns.push_back(s);
        break;
      }
  if (rank() == 0 || rank() >= elements)
    return fmt::format(
        "has a state of {} elements, not more than the {} inputs "
        "of its key",
        elements, rank());
  return "";
}

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
