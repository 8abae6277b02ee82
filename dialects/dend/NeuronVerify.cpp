// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verifiers of neuron models.
#include "dialects/dend/Checks.h"
#include "dialects/dend/FixedPoint.h"

using namespace mlir;

namespace dendrolith::dend {

// Checks that the names within one list are unique and not empty.
template <typename Part>
static LogicalResult checkNames(NeuronOp op, StringRef what, ArrayAttr parts) {
  llvm::SmallDenseSet<StringAttr> seen;
  for (auto part : parts.getAsRange<Part>()) {
    StringAttr name = part.getName();
    if (!name || name.empty())
      return op.emitOpError() << "has a " << what << " without a name";
    if (!seen.insert(name).second)
      return op.emitOpError() << "has two " << what << "s called " << name;
  }
  return success();
}

static LogicalResult checkState(NeuronOp op, StateAttr state, Type type) {
  auto error = [&] {
    return op.emitOpError() << "state " << state.getName() << " ";
  };
  auto word = llvm::dyn_cast<StringAttr>(state.getReset());
  if (word ? word.getValue() != "sample" && word.getValue() != "never"
           : !llvm::isa<FlatSymbolRefAttr>(state.getReset()))
    return error() << "has reset " << state.getReset()
                   << ", expected sample, never or a clock";
  Attribute init = state.getInit();
  if (!init || llvm::isa<FlatSymbolRefAttr>(init))
    return success();
  if (auto number = llvm::dyn_cast<FloatAttr>(init)) {
    if (!isReal(type) && !isComplex(type))
      return error() << "of type " << type << " starts at " << init
                     << ", expected an integer (raw units)";
    if (!number.getValue().isFinite())
      return error() << "starts at " << init << ", expected a finite number";
    return success();
  }
  auto number = llvm::dyn_cast<IntegerAttr>(init);
  if (!number)
    return error() << "has initial value " << init
                   << ", expected a number or a constant's symbol";
  if (isReal(type) || isComplex(type))
    return error() << "of type " << type << " starts at " << init
                   << ", expected a float";
  FxType fixed = fixedType(type);
  unsigned width =
      fixed ? fixed.getWidth() : elementType(type).getIntOrFloatBitWidth();
  bool fits = width == 1 ? number.getValue().isIntN(1)
                         : number.getValue().isSignedIntN(width);
  if (!fits)
    return error() << "starts at " << init << ", outside the range of "
                   << elementType(type);
  return success();
}

LogicalResult NeuronOp::verify() {
  if (failed(checkNames<PortAttr>(*this, "port", getPorts())) ||
      failed(checkNames<ParamAttr>(*this, "parameter", getParams())) ||
      failed(checkNames<StateAttr>(*this, "state", getStates())) ||
      failed(checkNames<OutputAttr>(*this, "output", getOutputs())))
    return failure();
  size_t ports = getPorts().size(), params = getParams().size(),
         states = getStates().size(), found = getBody().getNumArguments();
  if (found != ports + params + states)
    return emitOpError() << "has " << found << " block arguments for " << ports
                         << " ports, " << params << " parameters and " << states
                         << " states";
  for (BlockArgument argument : getBody().getArguments())
    if (!isBodyType(argument.getType()))
      return emitOpError() << "argument #" << argument.getArgNumber()
                           << " has type " << argument.getType()
                           << ", expected a float, complex, fixed-point, i1 "
                              "or i32 value or a static tensor of them";
  for (auto [i, argument] : llvm::enumerate(getPortArgs()))
    if (!isReal(argument.getType()) && !fixedType(argument.getType()))
      return emitOpError() << "port " << getPort(i).getName() << " has type "
                           << argument.getType()
                           << ", expected real or fixed point";
  for (auto [i, argument] : llvm::enumerate(getStateArgs()))
    if (failed(checkState(*this, getState(i), argument.getType())))
      return failure();
  for (auto output : getOutputs().getAsRange<OutputAttr>())
    if (output.getElements() < 1 || output.getElements() > kLargestCount)
      return emitOpError() << "output " << output.getName() << " has "
                           << output.getElements()
                           << " elements, expected 1 to " << kLargestCount;
  return success();
}

// Checks that a value can leave through the output that emits it.
static LogicalResult checkEmitted(NeuronOp op, YieldOp yield, unsigned index) {
  OutputAttr output = op.getOutput(index);
  Type type = yield.getEmitted()[index].getType();
  Type element = elementType(type);
  auto error = [&] {
    InFlightDiagnostic diagnostic = yield.emitOpError()
                                    << "gives output " << output.getName()
                                    << " a value of type " << type;
    diagnostic.attachNote(op.getLoc()) << "the output is declared here";
    return diagnostic;
  };
  if (!isBodyType(type) || elementCount(type) != output.getElements())
    return error() << ", expected " << output.getElements() << " elements";
  bool fits = false;
  StringRef expected;
  switch (output.getType().getKind()) {
  case SpikeKind::Binary:
    fits = element.isInteger(1);
    expected = "i1";
    break;
  case SpikeKind::Unary:
  case SpikeKind::Int:
    fits = element.isInteger(32) || fixedType(type);
    expected = "i32 or fixed point";
    break;
  case SpikeKind::Graded:
    fits = isReal(type) || fixedType(type);
    expected = "a real or fixed-point value";
    break;
  }
  if (!fits)
    return error() << ", expected " << expected << " for " << output.getType();
  return success();
}

LogicalResult NeuronOp::verifyRegions() {
  auto yield = llvm::dyn_cast<YieldOp>(getBlock().back());
  if (!yield)
    return emitOpError() << "body must end with dend.yield";
  auto note = [&](InFlightDiagnostic diagnostic, StringRef what) {
    diagnostic.attachNote(getLoc()) << what << " declared here";
    return diagnostic;
  };
  if (yield.getStates().size() != getStates().size())
    return note(yield.emitOpError()
                    << "gives " << yield.getStates().size() << " states, the "
                    << "model has " << getStates().size(),
                "the states are");
  if (yield.getEmitted().size() != getOutputs().size())
    return note(yield.emitOpError() << "emits " << yield.getEmitted().size()
                                    << " values, the model has "
                                    << getOutputs().size() << " outputs",
                "the outputs are");
  for (auto [i, argument] : llvm::enumerate(getStateArgs()))
    if (yield.getStates()[i].getType() != argument.getType())
      return note(yield.emitOpError()
                      << "gives state " << getState(i).getName()
                      << " a value of type " << yield.getStates()[i].getType()
                      << ", expected " << argument.getType(),
                  "the state is");
  for (unsigned i = 0; i < getOutputs().size(); ++i)
    if (failed(checkEmitted(*this, yield, i)))
      return failure();
  // A body has the dialect's arithmetic only, all of which every engine knows.
  WalkResult walked = getBody().walk([&](Operation *op) {
    if (llvm::isa<BodyOpInterface, YieldOp, GiveOp>(op))
      return WalkResult::advance();
    note(op->emitOpError() << "cannot stand in a step body", "the model is");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

} // namespace dendrolith::dend
