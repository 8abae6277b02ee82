// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of the tables of one core.
#include "dialects/chip/Chip.h"

#include <algorithm>

using namespace mlir;

namespace dendrolith::chip {

// One array of the engine's parameters: one element, or one per neuron.
static LogicalResult checkParameter(GroupOp op, StringRef name, Attribute value,
                                    int64_t low, int64_t high, bool required) {
  if (!value)
    return success();
  SmallVector<int64_t> numbers;
  if (auto array = llvm::dyn_cast<DenseI32ArrayAttr>(value)) {
    numbers.assign(array.asArrayRef().begin(), array.asArrayRef().end());
  } else if (auto elements = llvm::dyn_cast<ElementsAttr>(value)) {
    FailureOr<Table> table = readTable(op, name, elements, 0, 32);
    if (failed(table))
      return failure();
    for (int64_t i = 0; i < table->rows; ++i)
      numbers.push_back(table->at(i));
  } else {
    return op.emitOpError() << "cuba '" << name << "' must be an array of i32";
  }
  int64_t count = int64_t(op.getCount()), found = int64_t(numbers.size());
  // No initial value is zero.
  if (found != 1 && found != count && (required || found != 0))
    return op.emitOpError() << "cuba '" << name << "' has " << found
                            << " values, expected 1 or " << count;
  for (auto [i, number] : llvm::enumerate(numbers))
    if (number < low || number > high)
      return op.emitOpError()
             << "cuba '" << name << "' holds " << number << " at " << i
             << ", expected " << low << " to " << high;
  return success();
}

static LogicalResult checkCuba(GroupOp op) {
  CubaAttr cuba = *op.getCuba();
  return failure(
      failed(checkParameter(op, "decay_u", cuba.getDecayU(), -1, 4095, true)) ||
      failed(checkParameter(op, "decay_v", cuba.getDecayV(), 0, 4096, true)) ||
      failed(checkParameter(op, "threshold", cuba.getThreshold(), INT32_MIN,
                            INT32_MAX, true)) ||
      failed(checkParameter(op, "bias", cuba.getBias(), INT32_MIN, INT32_MAX,
                            true)) ||
      failed(checkParameter(op, "initial_u", cuba.getInitialU(), INT32_MIN,
                            INT32_MAX, false)) ||
      failed(checkParameter(op, "initial_v", cuba.getInitialV(), INT32_MIN,
                            INT32_MAX, false)));
}

/// A vector of i64, however long.
static bool isWords(Attribute attr) {
  auto elements = llvm::dyn_cast<ElementsAttr>(attr);
  return elements && elements.getShapedType().getRank() == 1 &&
         elements.getElementType().isInteger(64);
}

static LogicalResult checkMicrocode(GroupOp op) {
  MicrocodeAttr microcode = *op.getMicrocode();
  std::pair<StringRef, ArrayAttr> arrays[] = {
      {"params", microcode.getParams()}, {"initial", microcode.getInitial()}};
  for (auto [name, array] : arrays)
    if (!llvm::all_of(array, isWords))
      return op.emitOpError()
             << "microcode needs '" << name << "', an array of i64 vectors";
  return success();
}

LogicalResult GroupOp::verify() {
  std::pair<StringRef, int64_t> numbers[] = {
      {"first neuron", int64_t(getFirst())},
      {"base", int64_t(getBase())},
      {"phase", int64_t(getPhase())}};
  for (auto [name, number] : numbers)
    if (number < 0 || number > INT32_MAX)
      return emitOpError() << name << " is " << number << ", expected 0 to "
                           << INT32_MAX;
  int64_t count = int64_t(getCount());
  if (count < 1 || count > INT32_MAX)
    return emitOpError() << "has " << count << " neurons, expected 1 to "
                         << INT32_MAX;
  if (bool(getCuba()) == bool(getMicrocode()))
    return emitOpError() << "needs exactly one of cuba and microcode";
  if (int64_t(getSources()) < 0 || int64_t(getSources()) > INT32_MAX / count)
    return emitOpError() << "has " << int64_t(getSources())
                         << " sources a neuron";
  if (failed(getCuba() ? checkCuba(*this) : checkMicrocode(*this)))
    return failure();
  return checkAxons(*this, getAxonBegin(), getAxonRows(),
                    count * int64_t(getSources()));
}

LogicalResult ProgramOp::verify() {
  auto code = getCode().getShapedType();
  if (code.getRank() != 2 || code.getDimSize(1) != 6 ||
      !code.getElementType().isInteger(64))
    return emitOpError() << "code has type " << code
                         << ", expected rows of six i64";
  if (!isWords(getConstants()))
    return emitOpError() << "constants have type " << getConstants().getType()
                         << ", expected a vector of i64";
  if (int64_t(getRegisters()) < 0 || int64_t(getRegisters()) > INT32_MAX)
    return emitOpError() << "uses " << int64_t(getRegisters()) << " registers";
  return success();
}

static LogicalResult checkShapes(SynapsesOp op, const Table &shapes) {
  for (int64_t i = 0; i < shapes.rows; ++i) {
    auto error = [&] { return op.emitOpError() << "shape " << i << " "; };
    for (int64_t column = 0; column < 6; ++column)
      if (shapes.at(i, column) < 0)
        return error() << "has " << shapes.at(i, column) << " in column "
                       << column << ", expected 0 or more";
    if (shapes.at(i, 2) > 2)
      return error() << "has kind " << shapes.at(i, 2)
                     << ", expected 0 (dense), 1 (sparse) or 2 (conv)";
    for (int64_t column = 3; column < 6; ++column)
      if (shapes.at(i, column) > 255)
        return error() << "has " << shapes.at(i, column) << " in column "
                       << column << ", expected at most 255";
  }
  return success();
}

/// Delays are steps, one for each weight.
static LogicalResult checkDelays(SynapsesOp op, int64_t weights) {
  if (!op.getDelays())
    return success();
  FailureOr<Table> delays = readTable(op, "delays", *op.getDelays(), 0, 16);
  if (failed(delays))
    return failure();
  if (delays->rows != weights)
    return op.emitOpError()
           << "has " << delays->rows << " delays of " << weights << " weights";
  for (int64_t i = 0; i < delays->rows; ++i)
    if (delays->at(i) < 0)
      return op.emitOpError() << "weight " << i << " has a delay of "
                              << delays->at(i) << ", expected 0 or more";
  return success();
}

LogicalResult SynapsesOp::verify() {
  FailureOr<Table> shapes = readTable(*this, "shapes", getShapes(), 6, 32);
  FailureOr<Table> lists = readTable(*this, "lists", getLists(), 0, 32);
  FailureOr<Table> weights = readTable(*this, "weights", getWeights(), 0, 16);
  FailureOr<Table> offsets = readTable(*this, "offsets", getOffsets(), 0, 32);
  if (failed(shapes) || failed(lists) || failed(weights) || failed(offsets) ||
      failed(checkShapes(*this, *shapes)) ||
      failed(checkDelays(*this, weights->rows)))
    return failure();
  struct Counts {
    int64_t weights, offsets;
  };
  SmallVector<Counts> counts;
  for (int64_t i = 0; i < shapes->rows; ++i)
    counts.push_back(
        {shapes->at(i, 0), shapes->at(i, 2) > 0 ? shapes->at(i, 0) : 0});
  Counts end{0, 0};
  for (int64_t i = 0; i < lists->rows; ++i) {
    auto error = [&] { return emitOpError() << "list " << i << " "; };
    const int64_t shape = lists->at(i);
    if (shape < 0 || shape >= shapes->rows)
      return error() << "has shape " << shape << " of " << shapes->rows;
    end.weights += counts[shape].weights;
    end.offsets += counts[shape].offsets;
    if (end.weights > weights->rows)
      return error() << "ends at weight " << end.weights << " of "
                     << weights->rows;
    if (end.offsets > offsets->rows)
      return error() << "ends at offset " << end.offsets << " of "
                     << offsets->rows;
  }
  return success();
}

LogicalResult InAxonsOp::verify() {
  FailureOr<Table> rows = readTable(*this, "rows", getRows(), 4, 32);
  if (failed(rows))
    return failure();
  for (int64_t i = 0; i < rows->rows; ++i)
    for (int64_t column = 0; column < 4; ++column) {
      int64_t largest = column < 2 ? INT32_MAX : UINT16_MAX;
      if (rows->at(i, column) < 0 || rows->at(i, column) > largest)
        return emitOpError()
               << "row " << i << " has " << rows->at(i, column) << " in column "
               << column << ", expected 0 to " << largest;
    }
  return success();
}

/// Accumulators of a neuron: one, or one per port element of its program; -1
/// when there is no such program.
static int64_t accumulatorsOf(GroupOp group, ArrayRef<ProgramOp> programs) {
  if (group.getCuba())
    return 1;
  int64_t index = group.getMicrocode()->getProgram();
  if (index < 0 || index >= int64_t(programs.size()))
    return -1;
  int64_t count = 0;
  for (auto port : ProgramOp(programs[index]).getPorts().getAsRange<PortAttr>())
    count += port.getElements();
  return count;
}

static LogicalResult checkGroups(CoreOp core, SmallVector<GroupOp> groups,
                                 ArrayRef<ProgramOp> programs) {
  llvm::stable_sort(
      groups, [](GroupOp a, GroupOp b) { return a.getBase() < b.getBase(); });
  int64_t end = 0;
  GroupOp last;
  for (GroupOp group : groups) {
    int64_t each = accumulatorsOf(group, programs);
    if (each < 0)
      return group.emitOpError()
             << "runs a program that core " << core.getId() << " does not have";
    int64_t base = int64_t(group.getBase());
    if (each > 0 && base < end) {
      InFlightDiagnostic diagnostic = group.emitOpError()
                                      << "starts at accumulator " << base
                                      << ", inside another group of core "
                                      << core.getId();
      diagnostic.attachNote(last.getLoc()) << "the other group ends at " << end;
      return diagnostic;
    }
    if (each > 0)
      last = group;
    end = std::max(end, base + each * int64_t(group.getCount()));
  }
  return success();
}

static LogicalResult checkLists(InAxonsOp axons, SynapsesOp synapses) {
  if (!axons)
    return success();
  int64_t lists =
      synapses ? synapses.getLists().getShapedType().getDimSize(0) : 0;
  FailureOr<Table> rows = readTable(axons, "rows", axons.getRows(), 4, 32);
  if (failed(rows))
    return failure();
  for (int64_t i = 0; i < rows->rows; ++i)
    if (rows->at(i, 0) >= lists)
      return axons.emitOpError() << "row " << i << " names synapse list "
                                 << rows->at(i, 0) << " of " << lists;
  return success();
}

LogicalResult CoreOp::verifyRegions() {
  SynapsesOp synapses;
  InAxonsOp axons;
  SmallVector<GroupOp> groups;
  SmallVector<ProgramOp> programs;
  auto second = [&](Operation *op, Operation *first) {
    InFlightDiagnostic diagnostic = op->emitOpError()
                                    << "is the second of core " << getId();
    diagnostic.attachNote(first->getLoc()) << "the first is here";
    return diagnostic;
  };
  for (Operation &op : getBody().front()) {
    if (auto group = llvm::dyn_cast<GroupOp>(op)) {
      groups.push_back(group);
    } else if (auto program = llvm::dyn_cast<ProgramOp>(op)) {
      programs.push_back(program);
    } else if (auto table = llvm::dyn_cast<SynapsesOp>(op)) {
      if (synapses)
        return second(table, synapses);
      synapses = table;
    } else if (auto table = llvm::dyn_cast<InAxonsOp>(op)) {
      if (axons)
        return second(table, axons);
      axons = table;
    } else {
      return op.emitOpError() << "cannot stand in a chip.core";
    }
  }
  return failure(failed(checkGroups(*this, groups, programs)) ||
                 failed(checkLists(axons, synapses)));
}

} // namespace dendrolith::chip
