// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/structure/ExpandCuba.h"
#include "compiler/transforms/network/BodyBuilder.h"

#include "targets/support/FixedNeuron.h"

#include <array>

using namespace mlir;

namespace dendrolith {
namespace {

/// Writes integer arithmetic in !dend.fx<width, 0> in front of the op.
class CubaBuilder : public BodyBuilder {
public:
  CubaBuilder(dend::CubaOp op, PatternRewriter &rewriter)
      : BodyBuilder(rewriter, op.getLoc()),
        openLow(op.getWrap() == dend::WrapRange::OpenLow) {}

  Value integer(int64_t value, unsigned width) {
    return literal(fx(width, 0), value);
  }
  Value width(Value x, unsigned bits) {
    return rescale(x, fx(bits, 0), dend::Rounding::Floor, dend::Overflow::Wrap);
  }
  /// Writes x * keep / 2^12, cut towards zero, in 64 bits.
  Value decayed(Value x, Value keep) {
    return shift(mul(x, keep), literal(i32(), -int64_t(kCubaDecayBits)),
                 dend::Rounding::TowardZero);
  }
  /// Writes x modulo 2^bits in the op's half-open range, as 32 bits.
  Value wrapped(Value x, unsigned bits) {
    Value value = width(width(x, bits), 32);
    if (!openLow)
      return value;
    int64_t half = int64_t(1) << (bits - 1);
    return select(cmp(dend::Predicate::EQ, value, integer(-half, 32)),
                  integer(half, 32), value);
  }

private:
  bool openLow;
};

/// Whether the block argument can be retyped, because only the op and the yield
/// use it.
bool isOwn(Value value, dend::CubaOp op) {
  return isa<BlockArgument>(value) &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           return user == op.getOperation();
         });
}

/// Whether the count only goes from its state through the op back into the
/// state.
bool isOwnCount(dend::CubaOp op) {
  auto model = op->getParentOfType<dend::NeuronOp>();
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  for (auto [state, next] :
       llvm::zip_equal(model.getStateArgs(), yield.getStates()))
    if ((state == op.getR()) != (next == op.getNextR()))
      return false;
  return !llvm::is_contained(yield.getEmitted(), op.getNextR()) &&
         llvm::all_of(op.getNextR().getUsers(),
                      [&](Operation *user) { return user == yield; });
}

/// What becomes !dend.fx<32, 0>.
std::array<Value, 5> retyped(dend::CubaOp op) {
  return {op.getDecayU(), op.getDecayV(), op.getThreshold(), op.getBias(),
          op.getR()};
}

} // namespace

bool isExpandable(dend::CubaOp op) {
  return isOwnCount(op) && llvm::all_of(retyped(op), [&](Value value) {
           return isOwn(value, op);
         });
}

LogicalResult expandCuba(dend::CubaOp op, PatternRewriter &rewriter) {
  if (!isExpandable(op))
    return failure();
  CubaBuilder b(op, rewriter);
  for (Value value : retyped(op))
    value.setType(b.fx(32, 0));
  // The conversion replaces a result by one of its type.
  op.getNextR().setType(b.fx(32, 0));
  Value input = op.getInput();
  if (op.getInputWrapBits())
    input = b.width(b.wrapped(input, unsigned(op.getInputWrapBits()) + 1), 64);
  Value keepU = b.sub(b.integer(4095, 32), op.getDecayU());
  const auto bits = unsigned(op.getCurrentBits());
  Value u = b.wrapped(b.add(b.decayed(op.getU(), keepU), input), bits);
  Value drive = b.add(b.width(u, 64), b.width(op.getBias(), 64));
  if (op.getBiasWrap())
    drive = b.width(b.wrapped(drive, bits), 64);
  Value keepV = b.sub(b.integer(4096, 32), op.getDecayV());
  Value free = b.clamp(b.add(b.decayed(op.getV(), keepV), drive),
                       b.integer(int64_t(op.getVmin()), 64),
                       b.integer(int64_t(op.getVmax()), 64));
  Value zero = b.integer(0, 32);
  Value v = b.select(b.cmp(dend::Predicate::GT, op.getR(), zero), zero,
                     b.width(free, 32));
  Value fires = op.getSilent()
                    ? b.literal(b.i1(), 0)
                    : b.cmp(dend::Predicate::GT, v, op.getThreshold());
  Value left = b.sub(op.getR(), b.integer(1, 32));
  Value r = b.max(
      b.select(fires, b.integer(int64_t(op.getRefractory()) - 1, 32), left),
      zero);
  rewriter.replaceOp(op, {fires, u, b.select(fires, zero, v), r});
  return success();
}

} // namespace dendrolith
