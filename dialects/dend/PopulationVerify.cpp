// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This file has the verifiers of inputs, populations and outputs.
#include "dialects/dend/Bindings.h"
#include "dialects/dend/Constants.h"

#include <cmath>

using namespace mlir;

namespace dendrolith::dend {

static LogicalResult checkScale(Operation *op, std::optional<APFloat> scale) {
  if (!scale || (scale->isFinite() && !scale->isZero() && !scale->isNegative()))
    return success();
  return op->emitOpError() << "scale must be a positive finite number, found "
                           << scale->convertToDouble();
}

// Checks that a user's shape has the right number of elements.
static LogicalResult checkUserShape(Operation *op,
                                    std::optional<ArrayRef<int64_t>> shape,
                                    int64_t count) {
  if (!shape || countOf(*shape) == count)
    return success();
  return op->emitOpError() << "shape " << shapeText(*shape) << " does not hold "
                           << count << " elements";
}

LogicalResult InputOp::verify() {
  auto type = llvm::dyn_cast<RankedTensorType>(getType());
  if (!type || !countOf(type.getShape()))
    return emitOpError() << "has type " << getType()
                         << ", expected a static tensor with 1 to "
                         << kLargestCount << " elements";
  Type element = type.getElementType();
  if (!llvm::isa<FloatType>(element) && !element.isSignlessInteger())
    return emitOpError() << "has elements of type " << element
                         << ", expected floats or integers";
  if (getMasks() && (!getQuery() || *getMasks() == *getQuery()))
    return emitOpError() << "masks a label at the query, which needs another "
                            "element, its flag: 'query N masks M'";
  for (std::optional<uint64_t> element : {getQuery(), getMasks()})
    if (element &&
        (type.getRank() != 1 || *element >= uint64_t(type.getDimSize(0))))
      return emitOpError() << "has type " << type << " without an element "
                           << int64_t(*element)
                           << " that tells or is masked at the query";
  if (getTokens() && (type.getRank() != 1 || getScale() || getQuery() ||
                      getSpike() != binarySpike(getContext())))
    return emitOpError() << "takes token ids, each one spike: expected a "
                            "vector as !dend.spike<binary> without a scale "
                            "or a query";
  return checkScale(*this, getScale());
}

static std::optional<int> indexOf(ValueRange arguments, Value value) {
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (argument == value)
      return int(i);
  return std::nullopt;
}

// Returns the constant bound to the parameter that an operand of the body
// reads, if the operand is a parameter and the constant has its elements.
static std::optional<RawElements> boundTo(PopulationOp op, NeuronOp model,
                                          Value operand,
                                          SymbolTableCollection &symbols) {
  SmallVector<Value> arguments(model.getParamArgs().begin(),
                               model.getParamArgs().end());
  std::optional<int> index = indexOf(arguments, operand);
  DictionaryAttr params = op.getParamsAttr();
  if (!index || !params)
    return std::nullopt;
  auto name = params.getAs<FlatSymbolRefAttr>(model.getParam(*index).getName());
  if (!name)
    return std::nullopt;
  auto constant = symbols.lookupNearestSymbolFrom<ConstantOp>(op, name);
  if (!constant || !constant.getValueAttr())
    return std::nullopt;
  return rawElements(constant.getValueAttr());
}

// Checks what a structure op demands of a parameter's value, not of its type.
static LogicalResult checkParameterValues(PopulationOp op, NeuronOp model,
                                          SymbolTableCollection &symbols) {
  auto error = [&](Operation *user) {
    InFlightDiagnostic diagnostic = op.emitOpError();
    diagnostic.attachNote(user->getLoc()) << "used here";
    return diagnostic;
  };
  auto checkRange = [&](CubaOp cuba, StringRef what, Value operand, int64_t low,
                        int64_t high) -> LogicalResult {
    std::optional<RawElements> raw = boundTo(op, model, operand, symbols);
    if (!raw || !raw->element.isInteger())
      return success();
    for (int64_t i = 0; i < raw->count; ++i)
      if (raw->integer(i) < low || raw->integer(i) > high)
        return error(cuba) << "binds " << raw->integer(i) << " to " << what
                           << ", expected " << low << " to " << high;
    return success();
  };
  WalkResult walked = model.getBody().walk([&](Operation *inner) {
    LogicalResult result = success();
    if (llvm::isa<BranchOp, CableOp>(inner)) {
      auto branch = llvm::dyn_cast<BranchOp>(inner);
      std::optional<ArrayRef<int64_t>> range =
          branch ? branch.getRange() : llvm::cast<CableOp>(inner).getRange();
      if (range && (*range)[1] > int64_t(op.getSize()))
        result = error(inner)
                 << "has " << op.getSize() << " neurons, a branch of its "
                 << "model needs [" << (*range)[0] << ", " << (*range)[1]
                 << ")";
    } else if (auto ssf = llvm::dyn_cast<SsfOp>(inner)) {
      auto raw = boundTo(op, model, ssf.getScale(), symbols);
      for (int64_t i = 0; raw && i < raw->count && succeeded(result); ++i)
        if (raw->element.isInteger() ? raw->integer(i) <= 0
                                     : !(raw->real(i) > 0))
          result = error(ssf) << "binds a scale that is not positive, at " << i;
    } else if (auto cuba = llvm::dyn_cast<CubaOp>(inner)) {
      result = checkRange(cuba, "decay_u", cuba.getDecayU(), -1, 4095);
      if (succeeded(result))
        result = checkRange(cuba, "decay_v", cuba.getDecayV(), 0, 4096);
    }
    return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

static SmallVector<int64_t> perNeuron(PopulationOp op, Type type) {
  SmallVector<int64_t> shape = {int64_t(op.getSize())};
  llvm::append_range(shape, shapeOf(type));
  return shape;
}

static LogicalResult checkParameters(PopulationOp op, NeuronOp model,
                                     SymbolTableCollection &symbols) {
  auto note = [&](InFlightDiagnostic diagnostic) {
    diagnostic.attachNote(model.getLoc()) << "the model is declared here";
    return diagnostic;
  };
  DictionaryAttr bound = op.getParamsAttr();
  if (bound)
    for (NamedAttribute entry : bound)
      if (model.findParam(entry.getName()) < 0)
        return note(
            op.emitOpError()
            << "binds " << entry.getName()
            << ", which is no parameter of its model"
            << insteadOf<ParamAttr>(entry.getName(), model.getParams()));
  for (auto [i, argument] : llvm::enumerate(model.getParamArgs())) {
    ParamAttr param = model.getParam(i);
    Attribute value = bound ? bound.get(param.getName()) : Attribute();
    if (!value)
      return note(op.emitOpError()
                  << "does not bind parameter " << param.getName());
    auto name = llvm::dyn_cast<FlatSymbolRefAttr>(value);
    if (!name)
      return op.emitOpError() << "binds parameter " << param.getName() << " to "
                              << value << ", expected a constant's symbol";
    std::string what = ("parameter '" + param.getName().getValue() + "'").str();
    FailureOr<ConstantOp> constant =
        resolve<ConstantOp>(op, what + " value", name, symbols);
    if (failed(constant))
      return failure();
    SmallVector<int64_t> shape(shapeOf(argument.getType()));
    if (param.getPerNeuron())
      shape = perNeuron(op, argument.getType());
    if (failed(checkBound(op, what, *constant, argument.getType(), shape)))
      return failure();
  }
  return success();
}

/// What calibration and the schedule have left fits the model.
static LogicalResult checkLeft(PopulationOp op, NeuronOp model) {
  if (DictionaryAttr ranges = op.getCalibrationAttr())
    for (NamedAttribute entry : ranges)
      if (model.findPort(entry.getName()) < 0 &&
          model.findState(entry.getName()) < 0)
        return op.emitOpError() << "has calibration of " << entry.getName()
                                << ", which is no port or state of its model";
  ArrayAttr forms = op.getEmissionAttr();
  if (forms && forms.size() != model.getOutputs().size())
    return op.emitOpError()
           << "has emissions of " << forms.size() << " outputs, its model has "
           << model.getOutputs().size();
  return success();
}

// Checks that a file's numbers name each neuron once.
static LogicalResult checkNumbers(PopulationOp op) {
  std::optional<ElementsAttr> attr = op.getNumbers();
  if (!attr)
    return success();
  FailureOr<std::vector<int64_t>> numbers = readInts(*attr);
  if (failed(numbers) || numbers->size() != op.getSize())
    return op.emitOpError() << "has numbers that are no integers, one for each "
                               "of "
                            << op.getSize() << " neurons";
  std::vector<bool> seen(numbers->size());
  for (int64_t number : *numbers) {
    if (number < 0 || number >= int64_t(seen.size()) || seen[size_t(number)])
      return op.emitOpError()
             << "expected each number below " << seen.size() << " once, found "
             << number << " out of range or a second time";
    seen[size_t(number)] = true;
  }
  return success();
}

LogicalResult PopulationOp::verifySymbolUses(SymbolTableCollection &symbols) {
  int64_t size = int64_t(getSize());
  if (size < 1 || size > kLargestCount)
    return emitOpError() << "has " << size << " neurons, expected 1 to "
                         << kLargestCount;
  if (failed(checkUserShape(*this, getShape(), size)) ||
      failed(checkScale(*this, getScale())) || failed(checkNumbers(*this)))
    return failure();
  FailureOr<NeuronOp> model =
      resolve<NeuronOp>(*this, "model", getModelAttr(), symbols);
  if (failed(model) ||
      failed(resolve<ClockOp>(*this, "clock", getClockAttr(), symbols)) ||
      failed(checkParameters(*this, *model, symbols)) ||
      failed(checkLeft(*this, *model)))
    return failure();
  for (auto [i, argument] : llvm::enumerate(model->getStateArgs())) {
    StateAttr state = model->getState(i);
    auto init = llvm::dyn_cast_or_null<FlatSymbolRefAttr>(state.getInit());
    if (!init)
      continue;
    std::string what =
        ("initial value of state '" + state.getName().getValue() + "'").str();
    FailureOr<ConstantOp> constant =
        resolve<ConstantOp>(*this, what, init, symbols);
    if (failed(constant) ||
        failed(checkBound(*this, what, *constant, argument.getType(),
                          perNeuron(*this, argument.getType()))))
      return failure();
  }
  return checkParameterValues(*this, *model, symbols);
}

LogicalResult OutputOp::verify() {
  if (!getDecode() || *getDecode() == "mean" || *getDecode() == "each")
    return success();
  StringRef text = *getDecode();
  uint32_t ticks = 0;
  if (text.consume_front("last=") && !text.getAsInteger(10, ticks) && ticks > 0)
    return success();
  return emitOpError() << "decode must be \"mean\", \"last=N\", the last N "
                          "ticks with N above 0, or \"each\", found "
                       << getDecodeAttr();
}

LogicalResult OutputOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<PopulationOp> population =
      resolve<PopulationOp>(*this, "population", getPopulationAttr(), symbols);
  if (failed(population))
    return failure();
  // An unknown model is the population's own error.
  auto model = symbols.lookupNearestSymbolFrom<NeuronOp>(
      *population, population->getModelAttr());
  if (!model)
    return success();
  int index =
      getProbe() ? model.findState(getFrom()) : model.findOutput(getFrom());
  if (index < 0) {
    InFlightDiagnostic diagnostic =
        emitOpError()
        << "reads " << (getProbe() ? "state" : "output") << " " << getFromAttr()
        << ", which model " << model.getSymNameAttr() << " does not have"
        << (getProbe() ? insteadOf<StateAttr>(getFrom(), model.getStates())
                       : insteadOf<OutputAttr>(getFrom(), model.getOutputs()));
    diagnostic.attachNote(model.getLoc()) << "the model is declared here";
    return diagnostic;
  }
  int64_t each = getProbe()
                     ? elementCount(model.getStateArgs()[index].getType())
                     : model.getOutput(index).getElements();
  int64_t size = int64_t(population->getSize());
  if (size < 1 || size > kLargestCount)
    return success(); // the population's own error
  return checkUserShape(*this, getShape(), size * each);
}

} // namespace dendrolith::dend
