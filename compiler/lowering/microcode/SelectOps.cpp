// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How elements are moved, and how skipped regions, emissions and stores are
// selected.

#include "compiler/lowering/microcode/Select.h"
#include "dialects/dend/Constants.h"

#include <cmath>

using namespace mlir;
using namespace dendrolith::micro;

namespace dendrolith {

/// How many words one step along the first axis takes.
static uint32_t rowWords(Type type) {
  ArrayRef<int64_t> shape = dend::shapeOf(type);
  int64_t words = 1;
  for (int64_t extent : shape.drop_front())
    words *= extent;
  return static_cast<uint32_t>(words);
}

/// The part of a value from a word on. A repeated word has no parts.
static OperandPlace part(OperandPlace place, uint32_t word) {
  if (!place.scalar)
    place.offset += word;
  return place;
}

LogicalResult Selector::select(dend::SliceOp op) {
  uint32_t row = rowWords(op.getInput().getType());
  places[op.getResult()] =
      part(places.at(op.getInput()), uint32_t(op.getOffset()) * row);
  return success();
}

LogicalResult Selector::select(dend::ElementOp op) {
  uint32_t row = rowWords(op.getInput().getType());
  places[op.getResult()] =
      part(places.at(op.getInput()), uint32_t(op.getIndex()) * row);
  return success();
}

LogicalResult Selector::select(dend::SplatOp op) {
  OperandPlace place = places.at(op.getInput());
  place.scalar = elements(op.getResult()) > 1;
  places[op.getResult()] = place;
  return success();
}

/// Copies `n` words into a value, from its word `offset` on.
void Selector::move(Operation *from, Value like, uint32_t n, OperandPlace to,
                    uint32_t offset, OperandPlace source,
                    const std::string &name) {
  VirtualInstruction &i = append(MicroOp::Move, from, like);
  i.code.n = n;
  i.name = name;
  if (n == 1)
    source.scalar = false;
  read(i, 0, source);
  writeInto(i, to, offset);
}

LogicalResult Selector::select(dend::ConcatOp op) {
  Value whole = op.getResult();
  OperandPlace place{Space::Register, static_cast<int>(result.sizes.size()), 0,
                     false};
  result.sizes.push_back(elements(whole));
  uint32_t at = 0;
  for (Value input : op.getInputs()) {
    move(op, whole, elements(input), place, at, places.at(input),
         op->getName().getStringRef().str());
    at += elements(input);
  }
  places[whole] = place;
  return success();
}

// result[i] = input[(i - by) mod n]
LogicalResult Selector::select(dend::RollOp op) {
  Value whole = op.getResult();
  uint32_t row = rowWords(whole.getType()), words = elements(whole);
  int64_t count = words / row;
  int64_t by = static_cast<int64_t>(op.getBy()) % count;
  uint32_t shifted = static_cast<uint32_t>(by < 0 ? by + count : by) * row;
  OperandPlace input = places.at(op.getInput());
  if (shifted == 0 || input.scalar) {
    places[whole] = input;
    return success();
  }
  OperandPlace place{Space::Register, static_cast<int>(result.sizes.size()), 0,
                     false};
  result.sizes.push_back(words);
  std::string name = op->getName().getStringRef().str();
  move(op, whole, words - shifted, place, shifted, input, name);
  move(op, whole, shifted, place, 0, part(input, words - shifted), name);
  places[whole] = place;
  return success();
}

/// The state that a result of a region is nothing but the new value of, while
/// the region keeps the old one and nobody reads that later; -1 if there is
/// none. Such a state changes where it lies, or stays, which costs nothing.
int Selector::stateInPlace(dend::WhenOp op, unsigned number) {
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  Value kept = op.getCarried()[number], result = op.getResult(number),
        given = op.getBody().front().getTerminator()->getOperand(number);
  auto isName = [](Operation *of) { // its result may lie where its operand does
    auto scaled = dyn_cast_or_null<dend::RescaleOp>(of);
    return isa_and_nonnull<dend::SliceOp, dend::ElementOp, dend::SplatOp,
                           dend::RollOp>(of) ||
           (scaled && !scaled.getInput().getDefiningOp<dend::MulOp>());
  };
  while (isName(given.getDefiningOp()))
    given = given.getDefiningOp()->getOperand(0);
  auto state = llvm::find(model.getStateArgs(), kept);
  if (state == model.getStateArgs().end() || !result.hasOneUse() ||
      op->getBlock() != &model.getBlock() || isa<BlockArgument>(given))
    return -1;
  int index = int(state - model.getStateArgs().begin());
  if (yield.getStates()[size_t(index)] != result)
    return -1;
  // Other names of the old value may be read later, too.
  for (Operation *user : kept.getUsers()) {
    Operation *here = model.getBlock().findAncestorOpInBlock(*user);
    if (isName(user) || isa<dend::GiveOp>(user) ||
        (here != op && !here->isBeforeInBlock(op)))
      return -1;
  }
  return index;
}

/// The results take the kept values; where the condition holds, the region
/// runs and replaces them.
LogicalResult Selector::select(dend::WhenOp op) {
  Block &body = op.getBody().front();
  Operation *give = body.getTerminator();
  for (auto [i, value] : llvm::enumerate(op.getResults())) {
    if (!used.contains(value))
      continue;
    Value kept = op.getCarried()[i];
    if (stateInPlace(op, unsigned(i)) >= 0) {
      places[value] = places.at(kept);
      continue;
    }
    OperandPlace place{Space::Register, static_cast<int>(result.sizes.size()),
                       0, false};
    result.sizes.push_back(elements(value));
    move(op, value, elements(value), place, 0, places.at(kept), "kept");
    places[value] = place;
  }
  size_t skip = result.code.size();
  {
    VirtualInstruction &i = append(MicroOp::Skip, op, op.getCondition());
    i.code.n = 1;
    read(i, 0, op.getCondition(), false);
  }
  for (Operation &inner : body.without_terminator())
    if (failed(select(inner)))
      return failure();
  for (auto [given, value] :
       llvm::zip_equal(give->getOperands(), op.getResults()))
    if (used.contains(value))
      move(op, value, elements(value), places.at(value), 0, places.at(given),
           "given");
  result.code[skip].code.m =
      static_cast<uint32_t>(result.code.size() - skip - 1);
  return success();
}

/// Whether a region has put the new value of a state in its place.
bool Selector::isInPlace(Value value, const OperandPlace &state) {
  const OperandPlace &its = places.at(value);
  return value.getDefiningOp<dend::WhenOp>() && its.space == Space::State &&
         its.offset == state.offset;
}

/// Emissions read old states too, and one state's new value may be another's
/// old one. So copies are made first, then emissions leave, then the new states
/// are stored.
void Selector::finish() {
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  SmallVector<std::pair<OperandPlace, unsigned>> stores;
  for (auto [s, value] : llvm::enumerate(yield.getStates())) {
    OperandPlace place = places.at(value);
    Value state = model.getStateArgs()[s];
    if (value == state || isInPlace(value, places.at(state)))
      continue;
    if (place.space == Space::State) {
      OperandPlace copy{Space::Register, static_cast<int>(result.sizes.size()),
                        0, false};
      result.sizes.push_back(elements(value));
      move(yield, value, elements(value), copy, 0, place, "copy");
      place = copy;
    }
    stores.push_back({place, unsigned(s)});
  }
  for (auto [o, value] : llvm::enumerate(yield.getEmitted())) {
    VirtualInstruction &i = append(MicroOp::Emit, yield, value);
    i.name = model.getOutput(o).getName().getValue().str();
    i.code.m = static_cast<uint32_t>(o);
    read(i, 0, value, false);
  }
  for (auto [place, s] : stores) {
    Value state = model.getStateArgs()[s];
    move(yield, state, elements(state), places.at(state), 0, place,
         model.getState(s).getName().getValue().str());
  }
}

// How scaling, literals, tables, products and the ladder are selected.

/// A product that only a rescale reads is computed with it: the multiplier
/// shifts, rounds and narrows.
bool Selector::fusedRescale(dend::MulOp mul) {
  Value product = mul.getResult();
  return product.hasOneUse() &&
         isa<dend::RescaleOp>(*product.getUsers().begin());
}

LogicalResult Selector::select(dend::RescaleOp op) {
  int shift = exponent(op.getInput()) - exponent(op.getResult());
  auto mul = op.getInput().getDefiningOp<dend::MulOp>();
  bool fused = mul && fusedRescale(mul);
  uint8_t from = width(op.getInput().getType()),
          to = width(op.getResult().getType());
  // A wider type of the same unit holds the same integer.
  if (!fused && shift == 0 && to >= from) {
    alias(op.getResult(), op.getInput());
    return success();
  }
  if (shift < INT16_MIN || shift > INT16_MAX)
    return op.emitOpError() << "moves the point by " << shift << " bits";
  VirtualInstruction &i =
      fused ? elementwise(MicroOp::Mul, mul) : elementwise(MicroOp::Scale, op);
  i.code.shift = static_cast<int16_t>(shift);
  i.code.width = to;
  i.code.rounding = toMicro(op.getRounding());
  i.code.saturate = op.getOverflow() == dend::Overflow::Saturate;
  if (fused)
    alias(op.getResult(), mul.getResult());
  return success();
}

LogicalResult Selector::select(dend::LiteralOp op) {
  uint32_t count = elements(op.getResult());
  std::vector<int64_t> words;
  if (auto number = dyn_cast<IntegerAttr>(op.getValue())) {
    APInt bits = number.getValue();
    bool isBool = width(op.getType()) == 1 && !dend::fixedType(op.getType());
    words.assign(count,
                 isBool ? int64_t(bits.getBoolValue()) : bits.getSExtValue());
  } else {
    auto values = dend::readInts(cast<ElementsAttr>(op.getValue()));
    if (failed(values))
      return op.emitOpError() << "holds no readable integers";
    words = std::move(*values);
    bool isBool = dend::elementType(op.getType()).isInteger(1);
    for (int64_t &word : words)
      word = isBool ? word & 1 : word;
  }
  places[op.getResult()] = constant(words);
  return success();
}

// `low` and `step` are in real units: multiples of the input's unit.
LogicalResult Selector::select(dend::TableOp op) {
  VirtualInstruction &i = append(MicroOp::Table, op, op.getResult());
  int unit = exponent(op.getInput());
  i.code.m = elements(op.getKnots());
  i.code.imm = int64_t(std::ldexp(op.getLow().convertToDouble(), -unit));
  i.code.shift = static_cast<int16_t>(
      std::ilogb(std::ldexp(op.getStep().convertToDouble(), -unit)));
  read(i, 0, op.getInput(), false);
  read(i, 1, op.getKnots(), false);
  places[op.getResult()] = write(i, op.getResult());
  return success();
}

// The rungs are shift + scale * vth * k: vth is an odd integer times a power of
// two, which every double is.
LogicalResult Selector::select(dend::SsfOp op) {
  int power = 0;
  double vth = op.getVth().convertToDouble();
  int64_t mantissa = int64_t(std::ldexp(std::frexp(vth, &power), 53));
  power -= 53;
  for (; mantissa != 0 && mantissa % 2 == 0; ++power)
    mantissa /= 2;
  VirtualInstruction &i = elementwise(MicroOp::Ladder, op);
  i.code.m = static_cast<uint32_t>(op.getU().convertToDouble() / vth);
  i.code.imm = mantissa;
  i.code.shift = static_cast<int16_t>(power);
  return success();
}

/// The power of two that brings a product into the result's unit.
static int16_t productShift(int a, int b, int out) {
  return static_cast<int16_t>(a + b - out);
}

template <typename Op> LogicalResult Selector::selectProduct(Op op) {
  constexpr MicroOp code = std::is_same_v<Op, dend::DotOp> ? MicroOp::Dot
                           : std::is_same_v<Op, dend::MatVecOp>
                               ? MicroOp::MatVec
                               : MicroOp::VecMat;
  VirtualInstruction &i = append(code, op, op.getResult());
  // Terms of each sum: the length of the vector operand.
  i.code.m = elements(code == MicroOp::MatVec ? op.getRhs() : op.getLhs());
  i.code.shift = productShift(exponent(op.getLhs()), exponent(op.getRhs()),
                              exponent(op.getResult()));
  i.code.rounding = toMicro(op.getRounding());
  read(i, 0, op.getLhs(), false);
  read(i, 1, op.getRhs(), false);
  places[op.getResult()] = write(i, op.getResult());
  return success();
}
template LogicalResult Selector::selectProduct(dend::DotOp);
template LogicalResult Selector::selectProduct(dend::MatVecOp);
template LogicalResult Selector::selectProduct(dend::VecMatOp);

LogicalResult Selector::select(dend::OuterAddOp op) {
  VirtualInstruction &i = append(MicroOp::Outer, op, op.getResult());
  i.code.m = elements(op.getRhs());
  i.code.shift = productShift(exponent(op.getLhs()), exponent(op.getRhs()),
                              exponent(op.getResult()));
  i.code.rounding = toMicro(op.getRounding());
  read(i, 0, op.getLhs(), false);
  read(i, 1, op.getRhs(), false);
  read(i, 2, op.getAccumulator(), false);
  places[op.getResult()] = write(i, op.getResult());
  return success();
}

LogicalResult Selector::select(dend::ReduceOp op) {
  bool sum = op.getKind() == dend::Reduction::Sum;
  VirtualInstruction &i =
      append(sum ? MicroOp::Sum : MicroOp::Maximum, op, op.getResult());
  i.code.m = elements(op.getInput());
  read(i, 0, op.getInput(), false);
  places[op.getResult()] = write(i, op.getResult());
  return success();
}

} // namespace dendrolith
