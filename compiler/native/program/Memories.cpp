// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/Memories.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace dendrolith::native::program {

using micro::Space;
using mlir::Value;
namespace LLVM = mlir::LLVM;

/// Rows begin at any word.
constexpr unsigned kAlignment = 8;

Value Memories::number(int64_t value) {
  return mlir::arith::ConstantOp::create(l.b, l.loc,
                                         l.b.getI64IntegerAttr(value));
}
Value Memories::plus(Value a, Value b) {
  return mlir::arith::AddIOp::create(l.b, l.loc, a, b);
}
Value Memories::times(Value a, Value b) {
  return mlir::arith::MulIOp::create(l.b, l.loc, a, b);
}

Value Memories::number(const At &at) {
  if (!at.more)
    return number(int64_t(at.fixed));
  return at.fixed ? plus(number(int64_t(at.fixed)), at.more) : at.more;
}

Value Memories::at(unsigned which, mlir::Type element, Value index) {
  return LLVM::GEPOp::create(l.b, l.loc,
                             LLVM::LLVMPointerType::get(l.b.getContext()),
                             element, argument(which), mlir::ValueRange{index});
}

Value Memories::load(mlir::Type type, Value pointer) {
  const bool bytes = mlir::getElementTypeOrSelf(type).isInteger(8);
  return LLVM::LoadOp::create(l.b, l.loc, type, pointer,
                              bytes ? 1 : kAlignment);
}

void Memories::store(Value value, Value pointer) {
  const bool bytes = mlir::getElementTypeOrSelf(value.getType()).isInteger(8);
  LLVM::StoreOp::create(l.b, l.loc, value, pointer, bytes ? 1 : kAlignment);
}

/// (first + index) rows and the neuron behind them.
Value Memories::row(const At &index, int64_t first) {
  Value rows = number(first + index.fixed);
  if (index.more)
    rows = plus(rows, index.more);
  return plus(times(rows, argument(Arguments::Row)), state.neuron);
}

Memories::Place Memories::placeOf(Space space, const At &index) {
  switch (space) {
  case Space::Port:
    return {Arguments::Ports, row(index, 0)};
  case Space::State:
    return {Arguments::States, row(index, 0)};
  case Space::Param: {
    // An operand is part of one parameter, whose words lie in order.
    const Program::ParamWord &param = state.program.params[index.fixed];
    const At there{uint32_t(param.index), index.more};
    if (param.perNeuron)
      return {Arguments::Own, row(there, 0)};
    Value word = number(int64_t(param.index));
    return {Arguments::Shared, index.more ? plus(word, index.more) : word,
            true};
  }
  case Space::Constant: {
    Value word = number(index.fixed);
    return {Arguments::Constants, index.more ? plus(word, index.more) : word,
            true};
  }
  default: {
    Value word = number(index.fixed);
    if (index.more)
      word = plus(word, index.more);
    return {Arguments::Scratch, times(word, number(l.count))};
  }
  }
}

unsigned Memories::stored(Space space, uint32_t word) const {
  const bool narrow =
      space == Space::Register && l.count > 1 && state.plan.words[word].narrow;
  return narrow ? 32 : 64;
}

Lane Memories::load(Space space, const At &index, unsigned bits) {
  const Place place = placeOf(space, index);
  const unsigned held = holding(bits);
  Value pointer = at(place.argument, l.b.getI64Type(), place.index);
  if (place.shared)
    return l.repeat(load(l.b.getI64Type(), pointer), held);
  const unsigned bitsThere = stored(space, index.fixed);
  return l.as({load(l.type(bitsThere), pointer), bitsThere}, held);
}

void Memories::store(Space space, const At &index, Lane value) {
  const Place place = placeOf(space, index);
  store(l.as(value, stored(space, index.fixed)).value,
        at(place.argument, l.b.getI64Type(), place.index));
}

Lane Memories::gather(Space space, uint32_t first, const Lane &index,
                      unsigned bits) {
  const unsigned bitsThere = stored(space, first);
  const mlir::Type type = l.b.getIntegerType(bitsThere);
  auto one = [&](Value behind, unsigned lane) -> Value {
    const Place place = placeOf(space, {first, behind});
    Value words = at(place.argument, l.b.getI64Type(), place.index);
    Value of =
        LLVM::GEPOp::create(l.b, l.loc, words.getType(), type, words,
                            mlir::ValueRange{number(place.shared ? 0 : lane)});
    return load(type, of);
  };
  if (l.count == 1)
    return l.as({one(index.value, 0), bitsThere}, holding(bits));
  Value gathered = l.constant(0, bitsThere).value;
  for (unsigned lane = 0; lane < l.count; ++lane) {
    Value behind =
        mlir::vector::ExtractOp::create(l.b, l.loc, index.value, int64_t(lane));
    gathered = mlir::vector::InsertOp::create(l.b, l.loc, one(behind, lane),
                                              gathered, int64_t(lane));
  }
  return l.as({gathered, bitsThere}, holding(bits));
}

void Memories::send(const At &index, const Lane &value) {
  store(l.as(value, 64).value,
        at(Arguments::Sent, l.b.getI64Type(), row(index, 0)));
}

} // namespace dendrolith::native::program
