// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifier of a whole program: what its tables say of each other.
#include "dialects/chip/Chip.h"

#include <cmath>

using namespace mlir;

namespace dendrolith::chip {
namespace {

// Product of the extents, -1 if one is not positive or it leaves 32 bits.
int64_t countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 1 || extent > INT32_MAX)
      return -1;
    count *= extent;
    if (count > INT32_MAX)
      return -1;
  }
  return count;
}

// Enters `op` under its name; an error if the name is taken.
template <typename Op>
LogicalResult enter(llvm::DenseMap<StringRef, Op> &table, Op op) {
  auto [at, isNew] = table.try_emplace(op.getName(), op);
  if (isNew)
    return success();
  InFlightDiagnostic diagnostic = op.emitOpError() << "is the second called '"
                                                   << op.getName() << "'";
  diagnostic.attachNote(at->second.getLoc()) << "the first is here";
  return diagnostic;
}

LogicalResult checkInput(InputOp op) {
  int64_t count = countOf(op.getShape());
  if (count < 1)
    return op.emitOpError() << "has a shape that is empty or too large";
  if (int64_t(op.getLow()) > int64_t(op.getHigh()))
    return op.emitOpError() << "has range " << int64_t(op.getLow()) << " to "
                            << int64_t(op.getHigh());
  if (op.getSplit() && !op.getUnary())
    return op.emitOpError() << "is split, expected unary spikes";
  if (op.getUnary() &&
      (!op.getInteger() || (int64_t(op.getLow()) < 0) != op.getSplit()))
    return op.emitOpError() << "is unary, expected integers from 0 on, or a "
                               "split input where they have a sign";
  double scale = op.getScale().convertToDouble();
  if (!std::isfinite(scale) || scale <= 0)
    return op.emitOpError()
           << "has scale " << scale << ", expected a positive number";
  if (int64_t(op.getPhase()) < 0)
    return op.emitOpError() << "has a negative phase";
  return checkAxons(op, op.getAxonBegin(), op.getAxonRows(),
                    op.getSplit() ? 2 * count : count);
}

LogicalResult checkPopulation(PopulationOp op) {
  if (countOf(op.getShape()) < 1)
    return op.emitOpError() << "has a shape that is empty or too large";
  double scale = op.getScale().convertToDouble();
  if (!std::isfinite(scale) || scale < 0)
    return op.emitOpError() << "has scale " << scale
                            << ", expected a positive number or 0 for none";
  for (NamedAttribute entry : op.getCalibratedAttr()
                                  ? op.getCalibratedAttr().getValue()
                                  : ArrayRef<NamedAttribute>()) {
    auto largest = llvm::dyn_cast<FloatAttr>(entry.getValue());
    if (!largest || !largest.getValue().isFinite() ||
        largest.getValueAsDouble() < 0)
      return op.emitOpError()
             << "has calibrated state '" << entry.getName().getValue()
             << "' of " << entry.getValue()
             << ", expected a finite number from 0 on";
  }
  if (int64_t(op.getPhase()) < 0)
    return op.emitOpError() << "has a negative phase";
  return success();
}

LogicalResult checkGroup(GroupOp group, PopulationOp population) {
  if (!population)
    return group.emitOpError() << "holds neurons of '" << group.getPopulation()
                               << "', which the program does not have";
  int64_t size = countOf(population.getShape());
  int64_t end = int64_t(group.getFirst() + group.getCount());
  if (end <= size)
    return success();
  InFlightDiagnostic diagnostic = group.emitOpError() << "holds neurons up to "
                                                      << end << " of " << size;
  diagnostic.attachNote(population.getLoc())
      << "the population is declared here";
  return diagnostic;
}

} // namespace

LogicalResult ProgramImageOp::verifyRegions() {
  if (int64_t(getPeriod()) < 1 || int64_t(getPeriod()) > INT32_MAX)
    return emitOpError() << "has period " << int64_t(getPeriod())
                         << ", expected 1 to " << INT32_MAX;
  if (int64_t(getDepth()) < 0 || int64_t(getDepth()) > INT32_MAX)
    return emitOpError() << "has depth " << int64_t(getDepth())
                         << ", expected 0 to " << INT32_MAX;
  llvm::DenseMap<StringRef, PopulationOp> populations;
  llvm::DenseMap<StringRef, InputOp> inputs;
  llvm::DenseMap<StringRef, OutputOp> outputs;
  llvm::DenseMap<int64_t, CoreOp> cores;
  for (Operation &op : getBody().front()) {
    LogicalResult result = success();
    if (auto population = llvm::dyn_cast<PopulationOp>(op)) {
      result = failure(failed(enter(populations, population)) ||
                       failed(checkPopulation(population)));
    } else if (auto input = llvm::dyn_cast<InputOp>(op)) {
      result =
          failure(failed(enter(inputs, input)) || failed(checkInput(input)));
    } else if (auto output = llvm::dyn_cast<OutputOp>(op)) {
      result = enter(outputs, output);
    } else if (auto core = llvm::dyn_cast<CoreOp>(op)) {
      int64_t id = int64_t(core.getId());
      if (id < 0 || id > INT32_MAX)
        return core.emitOpError()
               << "has id " << id << ", expected 0 to " << INT32_MAX;
      auto [at, isNew] = cores.try_emplace(id, core);
      if (!isNew) {
        InFlightDiagnostic diagnostic = core.emitOpError()
                                        << "is the second with id " << id;
        diagnostic.attachNote(at->second.getLoc()) << "the first is here";
        return diagnostic;
      }
    } else {
      return op.emitOpError() << "cannot stand in a chip.program_image";
    }
    if (failed(result))
      return failure();
  }
  for (OutputOp output : getBody().getOps<OutputOp>())
    if (!populations.contains(output.getPopulation()))
      return output.emitOpError()
             << "reads population '" << output.getPopulation()
             << "', which the program does not have";
  for (CoreOp core : getBody().getOps<CoreOp>())
    for (GroupOp group : core.getBody().getOps<GroupOp>())
      if (failed(checkGroup(group, populations.lookup(group.getPopulation()))))
        return failure();
  return success();
}

} // namespace dendrolith::chip
