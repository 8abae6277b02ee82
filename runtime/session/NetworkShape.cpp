// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/NetworkShape.h"

#include "dialects/dend/Bindings.h"
#include "dialects/dend/NetworkIndex.h"
#include "runtime/session/ModelInputs.h"

#include "targets/support/Text.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace dendrolith::session {
namespace {

using Json = nlohmann::ordered_json;
using mlir::Operation, mlir::Value;

/// The states of a neuron and which of them feeds which.
class States {
public:
  explicit States(dend::PopulationOp population)
      : population(population), model(dend::modelOf(population)) {
    auto yield = mlir::cast<dend::YieldOp>(model.getBlock().getTerminator());
    next.assign(yield.getStates().begin(), yield.getStates().end());
    emitted.assign(yield.getEmitted().begin(), yield.getEmitted().end());
    for (unsigned i = 0; i < next.size(); ++i)
      if (Operation *op = next[i].getDefiningOp())
        made[op].push_back(i);
  }

  Json rows() {
    std::vector<std::set<unsigned>> feeds; // by state
    for (unsigned i = 0; i < next.size(); ++i)
      feeds.push_back(feeding({next[i]}, i));
    std::vector<int> into(next.size(), -1);
    std::vector<bool> known(next.size());
    std::vector<unsigned> queue;
    for (unsigned root : roots(feeds)) {
      known[root] = true;
      queue.push_back(root);
    }
    for (size_t at = 0; at < queue.size(); ++at)
      for (unsigned other : feeds[queue[at]])
        if (!known[other]) {
          known[other] = true;
          into[other] = int(queue[at]);
          queue.push_back(other);
        }
    Json rows = Json::array();
    for (unsigned i = 0; i < next.size(); ++i)
      rows.push_back(row(i, into[i], known[i]));
    return rows;
  }

private:
  /// The states whose values one is made from in this step, but for itself.
  std::set<unsigned> feeding(std::vector<Value> values, int own) {
    std::set<unsigned> found;
    std::set<void *> seen;
    while (!values.empty()) {
      const Value value = values.back();
      values.pop_back();
      if (!seen.insert(value.getAsOpaquePointer()).second)
        continue;
      Operation *op = value.getDefiningOp();
      if (!op) {
        const auto args = model.getStateArgs();
        for (unsigned i = 0; i < args.size(); ++i)
          if (args[i] == value && int(i) != own)
            found.insert(i);
        continue;
      }
      const auto states = made.find(op);
      const bool isOther =
          states != made.end() &&
          (own < 0 || !llvm::is_contained(states->second, unsigned(own)));
      if (isOther)
        found.insert(states->second.begin(), states->second.end());
      else
        values.insert(values.end(), op->operand_begin(), op->operand_end());
    }
    return found;
  }

  /// The state of which the same operation tells whether it fires; else those
  /// that the output is made from and that make none of the others.
  std::vector<unsigned> roots(const std::vector<std::set<unsigned>> &feeds) {
    for (Value value : emitted) {
      Operation *op = value.getDefiningOp();
      if (auto cuba = mlir::dyn_cast_or_null<dend::CubaOp>(op))
        for (unsigned i = 0; i < next.size(); ++i)
          if (next[i] == cuba.getNextV())
            return {i};
      const auto states = op ? made.find(op) : made.end();
      if (states != made.end())
        return {states->second.front()};
    }
    const std::set<unsigned> ends = feeding(emitted, -1);
    std::vector<unsigned> last;
    for (unsigned i : ends)
      if (llvm::none_of(ends, [&](unsigned other) {
            return other != i && feeds[other].count(i) &&
                   !feeds[i].count(other);
          }))
        last.push_back(i);
    return last;
  }

  /// A branch or a cable is a chain of compartments; the elements of any other
  /// vector lie side by side.
  Json row(unsigned i, int into, bool isKnown) {
    Json row = {{"name", model.getState(i).getName().str()},
                {"elements", dend::elementCount(next[i].getType())},
                {"form", "side by side"},
                {"into", nullptr},
                {"fires", isKnown && into < 0},
                {"threshold", threshold(i)},
                {"neurons", nullptr}};
    if (into >= 0)
      row["into"] = model.getState(unsigned(into)).getName().str();
    auto chain = [&](auto op) {
      row["form"] = "chain";
      if (auto range = op.getRange())
        row["neurons"] = {(*range)[0], (*range)[1]};
    };
    if (auto branch = next[i].getDefiningOp<dend::BranchOp>())
      chain(branch);
    else if (auto cable = next[i].getDefiningOp<dend::CableOp>())
      chain(cable);
    return row;
  }

  /// Where all neurons have one, in the model's units.
  Json threshold(unsigned i) {
    auto fire = next[i].getDefiningOp<dend::FireOp>();
    if (!fire)
      return nullptr;
    for (const auto &[number, arg] : llvm::enumerate(model.getParamArgs())) {
      if (arg != fire.getThreshold() || !population.getParams())
        continue;
      auto name = population.getParams()->getAs<mlir::FlatSymbolRefAttr>(
          model.getParam(unsigned(number)).getName());
      auto constant = dend::symbolOf<dend::ConstantOp>(population, name);
      const auto raw = constant && constant.getValueAttr()
                           ? dend::rawElements(constant.getValueAttr())
                           : std::nullopt;
      if (!raw || !(raw->element.isF64() || raw->element.isF32()))
        return nullptr;
      for (int64_t at = 1; at < raw->count; ++at)
        if (raw->real(at) != raw->real(0))
          return nullptr;
      return raw->real(0);
    }
    return nullptr;
  }

  dend::PopulationOp population;
  dend::NeuronOp model;
  std::vector<Value> next, emitted;
  std::map<Operation *, std::vector<unsigned>> made;
};

std::vector<int64_t> shapeOfType(mlir::Type type) {
  const llvm::ArrayRef<int64_t> shape = dend::shapeOf(type);
  return {shape.begin(), shape.end()};
}

Json synapses(dend::ProjectOp project, int64_t targets) {
  std::string kind = "dense";
  int64_t count = targets; // without weights, one for each target
  mlir::RankedTensorType weights;
  if (auto constant =
          dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr()))
    weights = mlir::cast<mlir::RankedTensorType>(constant.getType());
  if (weights)
    count = weights.getNumElements();
  const mlir::Attribute form = project.getSynapses();
  if (mlir::isa<dend::SparseAttr>(form)) {
    kind = "sparse";
  } else if (mlir::isa<dend::DiagonalAttr>(form)) {
    kind = "one to one";
  } else if (auto conv = mlir::dyn_cast<dend::ConvAttr>(form)) {
    const dend::Window window = dend::windowOf(conv, weights.getShape());
    kind = fmt::format("conv {}x{}", window.kernel[0], window.kernel[1]);
    count = window.countTaps();
  } else if (auto pool = mlir::dyn_cast<dend::PoolAttr>(form)) {
    const dend::Window window = dend::windowOf(pool);
    kind = fmt::format("{} pool {}x{}", pool.getAverage() ? "mean" : "sum",
                       window.kernel[0], window.kernel[1]);
    count = window.countTaps();
  }
  return {{"from", project.getSource().str()},
          {"to", project.getTarget().str()},
          {"port", project.getPort().str()},
          {"kind", kind},
          {"synapses", count},
          {"delay_ticks", project.getDelay()}};
}

Json inputRows(const std::vector<InputShape> &shapes) {
  Json inputs = Json::array();
  for (const InputShape &input : shapes)
    inputs.push_back({{"name", input.name},
                      {"shape", input.shape},
                      {"ticks", input.ticks},
                      {"tokens", input.tokens}});
  return inputs;
}

} // namespace

Json networkShape(dend::NetworkOp network) {
  const dend::NetworkIndex index(network);
  Json nodes = Json::array(), edges = Json::array();
  for (auto input : network.getOps<dend::InputOp>())
    nodes.push_back({{"name", input.getSymName().str()},
                     {"kind", "input"},
                     {"neurons", dend::elementCount(input.getType())},
                     {"shape", shapeOfType(input.getType())},
                     {"model", nullptr},
                     {"states", Json::array()},
                     {"outputs", Json::array()}});
  for (auto population : network.getOps<dend::PopulationOp>()) {
    Json shape = Json::array({population.getSize()});
    if (auto given = population.getShape())
      shape = std::vector<int64_t>(given->begin(), given->end());
    Json outputs = Json::array();
    for (auto output : network.getOps<dend::OutputOp>())
      if (output.getPopulation() == population.getSymName())
        outputs.push_back(output.getSymName().str());
    nodes.push_back({{"name", population.getSymName().str()},
                     {"kind", "population"},
                     {"neurons", population.getSize()},
                     {"shape", std::move(shape)},
                     {"model", population.getModel().str()},
                     {"states", States(population).rows()},
                     {"outputs", std::move(outputs)}});
  }
  for (auto project : network.getOps<dend::ProjectOp>())
    if (auto target = dend::symbolOf<dend::PopulationOp>(
            project, project.getTargetAttr()))
      edges.push_back(synapses(project, int64_t(target.getSize())));
  return {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}};
}

Json classesOf(dend::OutputOp output, dend::NetworkOp network) {
  if (std::optional<llvm::ArrayRef<int64_t>> shape = output.getShape())
    return product(*shape);
  auto population =
      network.lookupSymbol<dend::PopulationOp>(output.getPopulation());
  dend::NeuronOp model = dend::modelOf(population);
  auto yield = mlir::cast<dend::YieldOp>(model.getBlock().getTerminator());
  auto isVector = [](mlir::Value value) {
    return mlir::isa<mlir::ShapedType>(value.getType());
  };
  if (llvm::any_of(model.getStateArgs(), isVector) ||
      llvm::any_of(yield.getEmitted(), isVector))
    return nullptr;
  return population.getSize();
}

Json portsOf(const image::Program &program) {
  Json populations = Json::array();
  for (const image::Population &population : program.populations())
    populations.push_back(
        {{"name", population.name()}, {"neurons", population.size()}});
  return {{"inputs", inputRows(inputShapes(program))},
          {"populations", populations},
          {"outputs", Json::array()}};
}

Json portsOf(dend::NetworkOp network) {
  Json populations = Json::array(), outputs = Json::array();
  for (auto population : network.getOps<dend::PopulationOp>())
    populations.push_back({{"name", population.getSymName().str()},
                           {"neurons", population.getSize()}});
  for (auto output : network.getOps<dend::OutputOp>())
    outputs.push_back({{"name", output.getSymName().str()},
                       {"size", classesOf(output, network)}});
  return {{"inputs", inputRows(inputShapes(network))},
          {"populations", populations},
          {"outputs", outputs}};
}

} // namespace dendrolith::session
