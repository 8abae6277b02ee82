// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of the operations that hardware has a place for, as far as TableGen
// does not say it already.
#include "dialects/dend/Checks.h"

#include "targets/support/FixedNeuron.h"

#include <cmath>

using namespace mlir;

namespace dendrolith::dend {

// Checks that a state's next value has that state's type.
static LogicalResult checkNext(Operation *op, Type state, Type next) {
  if (state == next)
    return success();
  return op->emitOpError() << "gives " << next << " for a state of type "
                           << state;
}

LogicalResult CompartmentOp::verify() {
  return checkNext(*this, getState().getType(), getType());
}

LogicalResult SomaOp::verify() {
  return checkNext(*this, getState().getType(), getType());
}

// Checks that the neurons that have a branch are a range that is not empty.
static LogicalResult checkRange(Operation *op,
                                std::optional<ArrayRef<int64_t>> range) {
  if (!range)
    return success();
  if (range->size() != 2)
    return op->emitOpError() << "range has " << range->size()
                             << " entries, expected the first neuron and the "
                                "one after the last";
  if ((*range)[0] < 0 || (*range)[0] >= (*range)[1])
    return op->emitOpError() << "range [" << (*range)[0] << ", " << (*range)[1]
                             << ") is empty or negative";
  return success();
}

using Named = std::pair<StringRef, Value>;

// Checks that each of the values that is not left out has the type.
static LogicalResult checkTypes(Operation *op, ArrayRef<Named> values,
                                Type type) {
  for (auto [name, value] : values)
    if (value && value.getType() != type)
      return op->emitOpError() << name << " has type " << value.getType()
                               << ", expected " << type;
  return success();
}

LogicalResult BranchOp::verify() {
  Type state = getState().getType();
  if (!(isComplex(state) || isReal(state)) || shapeOf(state).size() != 1)
    return emitOpError() << "needs a state tensor<K x complex> or tensor<K x "
                            "real>, found "
                         << state;
  Type real = elementType(state);
  if (auto complex = llvm::dyn_cast<ComplexType>(real))
    real = complex.getElementType();
  for (auto [name, value] : {Named{"A", getA()}, {"G", getG()}, {"C", getC()}})
    if (value && value.getType() != state)
      return emitOpError() << name << " has type " << value.getType()
                           << ", expected that of the state, " << state;
  if (failed(checkNext(*this, state, getNext().getType())) ||
      failed(checkTypes(*this,
                        {{"input", getInput()},
                         {"direct", getDirect()},
                         {"drive", getDrive()}},
                        real)))
    return failure();
  return checkRange(*this, getRange());
}

LogicalResult CableOp::verify() {
  Type state = getState().getType();
  if (!isReal(state) || shapeOf(state).size() != 1)
    return emitOpError() << "needs a state tensor<K x real>, found " << state;
  Type real = elementType(state);
  int64_t links = elementCount(state) - 1;
  for (auto [name, value] : {Named{"lower", getLower()}, {"upper", getUpper()}})
    if (bool(value) != (links > 0))
      return emitOpError() << (links ? "needs " : "of one compartment has no ")
                           << name;
  if (failed(checkNext(*this, state, getNext().getType())) ||
      failed(checkTypes(*this, {{"diag", getDiag()}, {"gamma", getGamma()}},
                        state)) ||
      failed(checkTypes(*this, {{"lower", getLower()}, {"upper", getUpper()}},
                        RankedTensorType::get({links}, real))) ||
      failed(checkTypes(*this,
                        {{"input", getInput()},
                         {"dt", getDt()},
                         {"direct", getDirect()},
                         {"drive", getDrive()}},
                        real)))
    return failure();
  return checkRange(*this, getRange());
}

LogicalResult JoinOp::verify() {
  if (getBranches().empty())
    return emitOpError() << "needs at least one branch";
  const bool sum = getKind() == JoinKind::Sum,
             numbers = sum || getKind() == JoinKind::AbsMax;
  SmallVector<Type> types(getBranches().getTypes());
  types.push_back(getType());
  if (failed(checkNumbers(*this, types, numbers ? kOrdered : kOrdered | kBool)))
    return failure();
  if (Value weights = getWeights()) {
    if (!sum || !isReal(getType()))
      return emitOpError() << "only a real sum can be weighted";
    int64_t count = int64_t(getBranches().size());
    if (failed(checkElement(*this, "weights", weights.getType(),
                            elementType(getType()))) ||
        failed(checkShape(*this, "weights", weights.getType(), count)))
      return failure();
  }
  return checkBroadcast(*this, getBranches().getTypes(), getType());
}

LogicalResult FireOp::verify() {
  Type potential = getPotential().getType();
  SmallVector<Type> types = {potential, getThreshold().getType()};
  if (getTo()) {
    if (getReset() != ResetKind::Value)
      return emitOpError() << "has a value to reset to, but reset "
                           << stringifyResetKind(getReset())
                           << "; use reset value";
    types.push_back(getTo().getType());
  }
  if (failed(checkNumbers(*this, types, kOrdered)) ||
      failed(checkBroadcast(*this, types, potential)) ||
      failed(checkNext(*this, potential, getNext().getType())) ||
      failed(checkElement(*this, "spike", getSpike().getType(),
                          IntegerType::get(getContext(), 1))))
    return failure();
  return checkShape(*this, "spike", getSpike().getType(), shapeOf(potential));
}

LogicalResult SsfOp::verify() {
  if (failed(checkNumbers(*this, getOperandTypes(), kReal | kFixed)))
    return failure();
  double vth = getVth().convertToDouble(), u = getU().convertToDouble();
  if (!std::isfinite(vth) || vth <= 0)
    return emitOpError() << "needs vth > 0, found " << vth;
  if (!std::isfinite(u) || u <= 0)
    return emitOpError() << "needs u > 0, found " << u;
  // fmod is exact: vth divides u as the two doubles stand.
  if (std::fmod(u, vth) != 0 || u / vth > double(kLargestCount))
    return emitOpError() << "needs u / vth to be an integer, found " << u
                         << " / " << vth;
  if (auto scale = getScale().getDefiningOp<LiteralOp>()) {
    auto real = llvm::dyn_cast<FloatAttr>(scale.getValue());
    auto raw = llvm::dyn_cast<IntegerAttr>(scale.getValue());
    if ((real && !(real.getValueAsDouble() > 0)) ||
        (raw && !raw.getValue().isStrictlyPositive())) {
      auto diagnostic = emitOpError() << "needs scale > 0";
      diagnostic.attachNote(scale.getLoc()) << "scale is set here";
      return diagnostic;
    }
  }
  return success();
}

LogicalResult DeltaRuleOp::verify() {
  ArrayRef<int64_t> state = shapeOf(getState().getType());
  if (state.size() != 1 && state.size() != 2)
    return emitOpError() << "needs a vector or matrix state, found "
                         << getState().getType();
  ArrayRef<int64_t> value = state.drop_front();
  if (failed(checkShape(*this, "key", getKey().getType(), state[0])) ||
      failed(checkShape(*this, "target", getTarget().getType(), value)) ||
      failed(
          checkShape(*this, "prediction", getPrediction().getType(), value)) ||
      failed(checkShape(*this, "keep", getKeep().getType(), {})) ||
      failed(checkShape(*this, "rate", getRate().getType(), {})))
    return failure();
  return checkNext(*this, getState().getType(), getType());
}

LogicalResult CubaOp::verify() {
  Type i32 = IntegerType::get(getContext(), 32);
  Type sum = FxType::get(getContext(), 64, 0);
  Type state = FxType::get(getContext(), 32, 0);
  std::tuple<StringRef, Value, Type> values[] = {
      {"input", getInput(), sum},
      {"u", getU(), state},
      {"v", getV(), state},
      {"r", getR(), i32},
      {"decay_u", getDecayU(), i32},
      {"decay_v", getDecayV(), i32},
      {"threshold", getThreshold(), i32},
      {"bias", getBias(), i32},
      {"next u", getNextU(), state},
      {"next v", getNextV(), state},
      {"next r", getNextR(), i32}};
  for (auto [name, value, type] : values)
    if (value.getType() != type)
      return emitOpError() << name << " has type " << value.getType()
                           << ", expected " << type;
  auto checkRange = [&](StringRef name, int64_t value, int64_t low,
                        int64_t high) -> LogicalResult {
    if (value >= low && value <= high)
      return success();
    return emitOpError() << name << " is " << value << ", expected " << low
                         << " to " << high;
  };
  if (getCurrentBits() == kCubaMostStateBits && getWrap() == WrapRange::OpenLow)
    return emitOpError() << "a current of " << kCubaMostStateBits
                         << " bits has no room for the upper end of open_low, "
                            "expected wrap open_high";
  // v is set to 0 by a spike, so the range must hold 0.
  return failure(
      failed(
          checkRange("input_wrap_bits", int64_t(getInputWrapBits()), 0, 62)) ||
      failed(checkRange("current_bits", int64_t(getCurrentBits()), 2,
                        kCubaMostStateBits)) ||
      failed(checkRange("vmin", int64_t(getVmin()), INT32_MIN, 0)) ||
      failed(checkRange("vmax", int64_t(getVmax()), 0, INT32_MAX)) ||
      failed(checkRange("refractory", int64_t(getRefractory()), 0, INT32_MAX)));
}

} // namespace dendrolith::dend
