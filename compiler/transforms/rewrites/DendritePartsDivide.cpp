// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This decides which values of a body belong to compartments and which to the
// sums over them.

#include "compiler/transforms/rewrites/DendriteParts.h"

#include "fmt/format.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;

namespace dendrolith {
namespace {

bool isVector(Value value) { return !dend::shapeOf(value.getType()).empty(); }

/// Returns whether an op makes a scalar of all compartments, whose parts add up
/// modulo its width.
bool isSum(Operation *op) {
  if (isa<dend::DotOp>(op))
    return true;
  auto reduce = dyn_cast<dend::ReduceOp>(op);
  return reduce && reduce.getKind() == dend::Reduction::Sum;
}

/// Returns whether an op computes integers of each compartment by itself.
bool isElementwise(Operation *op) {
  auto body = dyn_cast<dend::BodyOpInterface>(op);
  return body && body.isElementwise() && body.hasIntegerForm();
}

class Divider {
public:
  Divider(dend::PopulationOp population, std::string &why)
      : population(population), why(why) {
    parts.model = dend::modelOf(population);
  }

  std::optional<DendriteParts> run() {
    if (population.getSize() != 1)
      return refuse("it has several neurons");
    if (!readArguments() || !readOps() || !readYield())
      return std::nullopt;
    if (parts.sums.empty())
      return refuse("no sum runs over its compartments");
    return parts;
  }

private:
  std::nullopt_t refuse(const std::string &reason) {
    why = reason;
    return std::nullopt;
  }

  /// Notes the length of a value that has one per compartment.
  bool sized(Value value, const std::string &what) {
    ArrayRef<int64_t> shape = dend::shapeOf(value.getType());
    if (shape.empty())
      return true;
    if (!parts.compartments)
      parts.compartments = shape[0];
    if (shape.size() == 1 && shape[0] == parts.compartments)
      return true;
    refuse(what + " has another shape than its first vector");
    return false;
  }

  template <typename Range>
  bool sort(Range arguments, SmallVector<unsigned> &vectors,
            SmallVector<unsigned> &scalars, const char *what) {
    for (auto [i, value] : llvm::enumerate(arguments)) {
      if (!sized(value, fmt::format("{} {}", what, i)))
        return false;
      (isVector(value) ? vectors : scalars).push_back(unsigned(i));
    }
    return true;
  }

  bool readArguments() {
    dend::NeuronOp model = parts.model;
    if (!sort(model.getPortArgs(), parts.vectorPorts, parts.scalarPorts,
              "port") ||
        !sort(model.getStateArgs(), parts.vectorStates, parts.scalarStates,
              "state"))
      return false;
    for (unsigned i : parts.vectorPorts)
      if (model.getPort(i).getHold())
        return refuse("a port of its compartments is held"), false;
    for (Value param : model.getParamArgs())
      if (isVector(param))
        return refuse("a parameter differs between its compartments"), false;
    for (unsigned i : parts.vectorStates) {
      dend::StateAttr state = model.getState(i);
      auto reset = dyn_cast<StringAttr>(state.getReset());
      if (!reset || reset.getValue() != "sample")
        return refuse("a state of its compartments is not reset by sample"),
               false;
      auto number = dyn_cast_or_null<IntegerAttr>(state.getInit());
      if (state.getInit() && !(number && number.getValue().isZero()))
        return refuse("a state of its compartments does not start at zero"),
               false;
    }
    return true;
  }

  bool readOps() {
    for (Operation &op : parts.model.getBlock().without_terminator()) {
      bool vectorIn = llvm::any_of(op.getOperands(), isVector);
      bool vectorOut = llvm::any_of(op.getResults(), isVector);
      std::string name = op.getName().getStringRef().str();
      if (op.getNumRegions())
        return refuse("'" + name + "' skips a part of its body"), false;
      if (!vectorIn && !vectorOut)
        continue;
      if (isSum(&op)) {
        if (!dend::fixedType(op.getResult(0).getType()))
          return refuse("a sum over its compartments is no fixed point"), false;
        parts.sums.push_back(op.getResult(0));
      } else if (!isElementwise(&op)) {
        return refuse("'" + name + "' is not element by element"), false;
      }
      for (Value operand : op.getOperands())
        if (!sized(operand, "an operand of '" + name + "'"))
          return false;
    }
    return true;
  }

  bool isConstant(Value value) {
    dend::NeuronOp model = parts.model;
    return value.getDefiningOp<dend::LiteralOp>() ||
           llvm::is_contained(model.getParamArgs(), value);
  }

  /// Visits the vector ops that a value is computed by, and the scalars that
  /// they read.
  template <typename Scalar>
  void walk(Value value, llvm::DenseSet<Value> &seen, Scalar scalar) {
    if (!isVector(value)) {
      if (!isConstant(value))
        scalar(value);
      return;
    }
    if (!seen.insert(value).second || !value.getDefiningOp())
      return;
    for (Value operand : value.getDefiningOp()->getOperands())
      walk(operand, seen, scalar);
  }

  /// Whether a vector is zero while states, kept inputs and decisions are: the
  /// first tick then finds the states as they start.
  bool staysZero(Value value) {
    if (!isVector(value))
      return !isConstant(value);
    Operation *op = value.getDefiningOp();
    if (!op)
      return true;
    auto known = zeros.find(value);
    if (known != zeros.end())
      return known->second;
    SmallVector<bool> operands = llvm::map_to_vector(
        op->getOperands(), [&](Value operand) { return staysZero(operand); });
    return zeros[value] = cast<dend::BodyOpInterface>(op).givesZero(operands);
  }

  bool readYield() {
    dend::NeuronOp model = parts.model;
    auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
    llvm::SetVector<Value> decisions;
    llvm::DenseSet<Value> seen;
    for (unsigned i : parts.vectorStates) {
      Value next = yield.getStates()[i];
      walk(next, seen, [&](Value scalar) { decisions.insert(scalar); });
      if (!staysZero(next))
        return refuse("the update changes states that are zero while nothing "
                      "arrives"),
               false;
    }
    for (Value decision : decisions)
      if (!dend::fixedType(decision.getType()))
        return refuse("a decision about its compartments is no fixed point"),
               false;
    parts.decisions.assign(decisions.begin(), decisions.end());
    for (unsigned i : parts.vectorPorts)
      if (seen.contains(model.getPortArgs()[i]))
        parts.keptPorts.push_back(i);
    // What happens in the tick itself knows no scalar of that tick.
    bool early = false;
    llvm::DenseSet<Value> now;
    auto scalar = [&](Value) { early = true; };
    for (auto [i, value] : llvm::enumerate(yield.getEmitted())) {
      bool vector = isVector(value);
      if (!vector && model.getOutput(unsigned(i)).getElements() != 1)
        return refuse("an output is no vector of its compartments"), false;
      (vector ? parts.vectorOutputs : parts.scalarOutputs)
          .push_back(unsigned(i));
      if (vector)
        walk(value, now, scalar);
    }
    for (Value sum : parts.sums)
      for (Value operand : sum.getDefiningOp()->getOperands())
        walk(operand, now, scalar);
    if (early)
      return refuse(
                 "what its compartments send depends on a scalar of the same "
                 "tick"),
             false;
    return true;
  }

  dend::PopulationOp population;
  std::string &why;
  DendriteParts parts;
  llvm::DenseMap<Value, bool> zeros; // what staysZero() has found
};

} // namespace

std::optional<DendriteParts> divide(dend::PopulationOp population,
                                    std::string &why) {
  return Divider(population, why).run();
}

} // namespace dendrolith
