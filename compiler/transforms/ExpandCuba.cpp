// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/ExpandCuba.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace neurite {
namespace {

constexpr unsigned kCurrentBits = 24; // u, sign included
constexpr int64_t kDecayBits = 12;

/// Integer arithmetic in !dend.fx<width, 0> in front of the op.
class FxBuilder {
public:
  explicit FxBuilder(dend::CubaOp op)
      : builder(op), loc(op.getLoc()),
        openLow(op.getWrap() == dend::WrapRange::OpenLow) {}

  Type fx(unsigned width) {
    return dend::FxType::get(builder.getContext(), width, 0);
  }
  Value literal(int64_t value, unsigned width) {
    return dend::LiteralOp::create(builder, loc, fx(width),
                                   builder.getI64IntegerAttr(value));
  }
  Value add(Value a, Value b) {
    return dend::AddOp::create(builder, loc, a.getType(), a, b);
  }
  Value sub(Value a, Value b) {
    return dend::SubOp::create(builder, loc, a.getType(), a, b);
  }
  Value max(Value a, Value b) {
    return dend::MaxOp::create(builder, loc, a.getType(), a, b);
  }
  Value cmp(dend::Predicate predicate, Value a, Value b) {
    return dend::CmpOp::create(builder, loc, builder.getI1Type(), predicate, a,
                               b);
  }
  Value select(Value condition, Value yes, Value no) {
    return dend::SelectOp::create(builder, loc, yes.getType(), condition, yes,
                                  no);
  }
  Value width(Value x, unsigned bits) {
    return x.getType() == fx(bits)
               ? x
               : dend::RescaleOp::create(builder, loc, fx(bits), x,
                                         dend::Rounding::Floor,
                                         dend::Overflow::Wrap);
  }
  /// x * keep / 2^12 towards zero, in 64 bits.
  Value decayed(Value x, Value keep) {
    Value product = dend::MulOp::create(builder, loc, fx(64), x, keep);
    Value amount =
        dend::LiteralOp::create(builder, loc, builder.getI32Type(),
                                builder.getI32IntegerAttr(-kDecayBits));
    return dend::ShiftOp::create(builder, loc, fx(64), product, amount,
                                 dend::Rounding::TowardZero);
  }
  /// x modulo 2^bits in the op's half-open range, as 32 bits.
  Value wrapped(Value x, unsigned bits) {
    Value value = width(width(x, bits), 32);
    if (!openLow)
      return value;
    int64_t half = int64_t(1) << (bits - 1);
    return select(cmp(dend::Predicate::EQ, value, literal(-half, 32)),
                  literal(half, 32), value);
  }
  Value clamp(Value x, int64_t low, int64_t high) {
    return dend::ClampOp::create(builder, loc, x.getType(), x, literal(low, 64),
                                 literal(high, 64));
  }
  Value falseBit() {
    return dend::LiteralOp::create(builder, loc, builder.getI1Type(),
                                   builder.getBoolAttr(false));
  }

private:
  OpBuilder builder;
  Location loc;
  bool openLow;
};

/// Retypes a block argument that only the op (and the yield) uses.
bool retype(Value value, Type type, dend::CubaOp op) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !llvm::all_of(argument.getUsers(), [&](Operation *user) {
        return user == op.getOperation();
      }))
    return false;
  argument.setType(type);
  return true;
}

} // namespace

void expandCuba(dend::NeuronOp model) {
  auto ops = model.getBlock().getOps<dend::CubaOp>();
  if (ops.empty())
    return;
  dend::CubaOp op = *ops.begin();
  FxBuilder b(op);
  Value values[] = {op.getDecayU(), op.getDecayV(), op.getThreshold(),
                    op.getBias(), op.getR()};
  for (Value value : values)
    if (!retype(value, b.fx(32), op))
      return;
  Value input = op.getInput();
  if (op.getInputWrapBits())
    input = b.width(b.wrapped(input, unsigned(op.getInputWrapBits()) + 1), 64);
  Value keepU = b.sub(b.literal(4095, 32), op.getDecayU());
  Value u = b.wrapped(b.add(b.decayed(op.getU(), keepU), input), kCurrentBits);
  Value drive = b.add(b.width(u, 64), b.width(op.getBias(), 64));
  if (op.getBiasWrap())
    drive = b.width(b.wrapped(drive, kCurrentBits), 64);
  Value keepV = b.sub(b.literal(4096, 32), op.getDecayV());
  Value free = b.clamp(b.add(b.decayed(op.getV(), keepV), drive),
                       int64_t(op.getVmin()), int64_t(op.getVmax()));
  Value zero = b.literal(0, 32);
  Value v = b.select(b.cmp(dend::Predicate::GT, op.getR(), zero), zero,
                     b.width(free, 32));
  Value fires = op.getSilent()
                    ? b.falseBit()
                    : b.cmp(dend::Predicate::GT, v, op.getThreshold());
  Value left = b.sub(op.getR(), b.literal(1, 32));
  Value r = b.max(
      b.select(fires, b.literal(int64_t(op.getRefractory()) - 1, 32), left),
      zero);
  op.getSpike().replaceAllUsesWith(fires);
  op.getNextU().replaceAllUsesWith(u);
  op.getNextV().replaceAllUsesWith(b.select(fires, zero, v));
  op.getNextR().replaceAllUsesWith(r);
  op.erase();
}

} // namespace neurite
