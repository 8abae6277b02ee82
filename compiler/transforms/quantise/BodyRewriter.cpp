// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/BodyRewriter.h"

#include "compiler/transforms/network/BodyBuilder.h"
#include "compiler/transforms/quantise/Messages.h"

#include "dialects/dend/Constants.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace dendrolith {

// Two factors of so many bits make the widest product that there is.
constexpr unsigned kMostFactorBits = 32;

std::vector<double> realsOf(dend::LiteralOp literal) {
  if (auto number = dyn_cast<FloatAttr>(literal.getValue()))
    return {number.getValueAsDouble()};
  auto values = dend::readReals(cast<ElementsAttr>(literal.getValue()));
  return succeeded(values) ? *values : std::vector<double>();
}

double magnitudeOf(dend::LiteralOp literal) {
  double most = 0;
  for (double value : realsOf(literal))
    most = std::max(most, std::fabs(value));
  return most;
}

/// Returns whether a value is a parameter or a literal, which no step changes.
static bool isFrozen(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return isa<dend::LiteralOp>(value.getDefiningOp());
  auto model = cast<dend::NeuronOp>(argument.getOwner()->getParentOp());
  return llvm::is_contained(model.getParamArgs(), argument);
}

LogicalResult BodyRewriter::rewrite(dend::NeuronOp model) {
  SmallVector<Operation *> ops;
  SmallVector<dend::LiteralOp> literals; // of reals
  model.getBlock().walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto literal = dyn_cast<dend::LiteralOp>(op);
    if (!literal)
      ops.push_back(op);
    else if (dend::isReal(literal.getType()))
      literals.push_back(literal);
  });
  for (Operation *op : ops)
    if (failed(rewrite(op)))
      return failure();
  // They have been copied into the formats of their users.
  for (dend::LiteralOp literal : literals)
    literal.erase();
  return success();
}

Value BodyRewriter::literal(dend::LiteralOp from, dend::FxType format,
                            Operation *op) {
  OpBuilder builder(op);
  std::vector<int64_t> raws;
  double limit = std::ldexp(1.0, int(format.getWidth()) - 1);
  for (double value : realsOf(from)) {
    double raw = std::nearbyint(std::ldexp(value, -format.getExponent()));
    raws.push_back(int64_t(std::clamp(raw, -limit, limit - 1)));
  }
  Attribute attr;
  if (isa<FloatAttr>(from.getValue()))
    attr = builder.getI64IntegerAttr(raws.front());
  else
    attr = DenseIntElementsAttr::get(
        RankedTensorType::get(dend::shapeOf(from.getType()),
                              builder.getI64Type()),
        raws);
  return dend::LiteralOp::create(builder, from.getLoc(),
                                 dend::withElementType(from.getType(), format),
                                 attr);
}

Value BodyRewriter::as(Value value, dend::FxType format, Operation *op) {
  if (auto constant = value.getDefiningOp<dend::LiteralOp>();
      constant && dend::isReal(value.getType()))
    return literal(constant, format, op);
  if (dend::fixedType(value.getType()) == format)
    return value;
  Value &made = rescaled[{value, format, op->getBlock()}];
  if (!made)
    made = BodyBuilder(op).rescale(value, format, dend::Rounding::NearestEven,
                                   dend::Overflow::Saturate);
  return made;
}

Value BodyRewriter::factor(Value value, Operation *op) {
  auto constant = value.getDefiningOp<dend::LiteralOp>();
  if (!constant || !dend::isReal(value.getType())) {
    dend::FxType own = dend::fixedType(value.getType());
    bool wide = own && own.getWidth() > kMostFactorBits;
    return wide ? as(value, formats.ofFactor(value), op) : value;
  }
  return literal(
      constant,
      formatFor(op->getContext(), magnitudeOf(constant), kCoefficientBits, 0),
      op);
}

void BodyRewriter::bring(Operation *op, dend::FxType format) {
  for (OpOperand &operand : op->getOpOperands())
    if (dend::isReal(operand.get().getType()) ||
        dend::fixedType(operand.get().getType()))
      operand.set(as(operand.get(), format, op));
}

void BodyRewriter::setType(Value result) {
  result.setType(dend::withElementType(result.getType(), formats.of(result)));
}

/// The real operands, and the result if it is real, get their one format.
LogicalResult BodyRewriter::rewriteInOneFormat(dend::BodyOpInterface op) {
  if (auto ssf = dyn_cast<dend::SsfOp>(op.getOperation());
      ssf && !isFrozen(ssf.getScale()))
    return ssf.emitOpError(
        "has a computed scale, which cannot be shown to stay above 0; "
        "expected a parameter or a literal");
  Value result = op->getResult(0);
  if (dend::isReal(result.getType())) {
    bring(op, formats.of(result));
    setType(result);
    op.saturate();
  } else if (llvm::any_of(op->getOperandTypes(), [](Type type) {
               return dend::isReal(type) || dend::fixedType(type);
             })) {
    bring(op, formats.ofOperands(op));
  }
  return success();
}

/// Whether an op is floor(x) of its potential, whose operands are fixed-point
/// by now.
static bool isFloor(dend::SsfOp ssf) {
  auto isNumber = [](Value value, double number) {
    auto literal = value.getDefiningOp<dend::LiteralOp>();
    dend::FxType format = dend::fixedType(value.getType());
    auto raw = literal ? dyn_cast<IntegerAttr>(literal.getValue()) : nullptr;
    return raw && format &&
           std::ldexp(double(raw.getInt()), format.getExponent()) == number;
  };
  return isNumber(ssf.getShift(), 0) && isNumber(ssf.getScale(), 1) &&
         ssf.getVth().convertToDouble() == 1;
}

/// A truth is 1 or 0. Of counts only floor(x) has a fixed-point form, which
/// drops the fraction's bits.
LogicalResult BodyRewriter::rewriteToReal(dend::ToRealOp real) {
  BodyBuilder b(real);
  dend::FxType format = formats.of(real.getResult());
  auto ssf = real.getInput().getDefiningOp<dend::SsfOp>();
  const bool truth = dend::elementType(real.getInput().getType()).isInteger(1);
  if (!truth && !(ssf && isFloor(ssf)))
    return real.emitOpError("of a count has no fixed-point form");
  Value made;
  if (truth) {
    int64_t one = int64_t(std::ldexp(1.0, -format.getExponent()));
    made =
        b.select(real.getInput(), b.literal(format, one), b.literal(format, 0));
  } else {
    auto own = dend::fixedType(ssf.getPotential().getType());
    auto whole = b.fx(own.getWidth(), std::max(0, int(own.getExponent())));
    made = b.rescale(b.rescale(ssf.getPotential(), whole, dend::Rounding::Floor,
                               dend::Overflow::Saturate),
                     format, dend::Rounding::NearestEven,
                     dend::Overflow::Saturate);
  }
  real.getResult().replaceAllUsesWith(made);
  real.erase();
  if (!truth && ssf->use_empty())
    ssf.erase();
  return success();
}

LogicalResult BodyRewriter::rewrite(Operation *op) {
  if (op->hasTrait<dend::OpTrait::OneFormat>())
    return rewriteInOneFormat(cast<dend::BodyOpInterface>(op));
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](dend::MulOp mul) {
        BodyBuilder b(mul);
        Value product =
            b.mul(factor(mul.getLhs(), mul), factor(mul.getRhs(), mul));
        dend::FxType format = formats.of(mul.getResult());
        mul.getResult().replaceAllUsesWith(
            b.rescale(product, format, dend::Rounding::NearestEven,
                      dend::Overflow::Saturate));
        mul.erase();
        return success();
      })
      .Case<dend::DotOp, dend::MatVecOp, dend::VecMatOp>([&](auto product) {
        product.getLhsMutable().assign(factor(product.getLhs(), product));
        product.getRhsMutable().assign(factor(product.getRhs(), product));
        product.setRounding(dend::Rounding::NearestEven);
        setType(product.getResult());
        return success();
      })
      .Case([&](dend::OuterAddOp outer) {
        dend::FxType format = formats.of(outer.getResult());
        outer.getAccumulatorMutable().assign(
            as(outer.getAccumulator(), format, outer));
        outer.getLhsMutable().assign(factor(outer.getLhs(), outer));
        outer.getRhsMutable().assign(factor(outer.getRhs(), outer));
        outer.setRounding(dend::Rounding::NearestEven);
        setType(outer.getResult());
        return success();
      })
      .Case([&](dend::MathOp math) {
        bring(math, formats.ofOperands(math));
        setType(math.getResult());
        return success();
      })
      .Case([&](dend::ToRealOp real) { return rewriteToReal(real); })
      .Case([&](dend::WhenOp when) {
        for (unsigned i = 0; i < when.getNumResults(); ++i) {
          if (!dend::isReal(when.getResult(i).getType()))
            continue;
          dend::FxType format = formats.of(when.getResult(i));
          when.getCarriedMutable().slice(i, 1).assign(
              as(when.getCarried()[i], format, when));
          setType(when.getResult(i));
        }
        return success();
      })
      .Case([&](dend::GiveOp give) {
        auto when = cast<dend::WhenOp>(give->getParentOp());
        for (unsigned i = 0; i < give->getNumOperands(); ++i)
          if (dend::FxType format =
                  dend::fixedType(when.getResult(i).getType()))
            give->setOperand(i, as(give->getOperand(i), format, give));
        return success();
      })
      .Case([&](dend::YieldOp yield) {
        auto model = cast<dend::NeuronOp>(yield->getParentOp());
        for (auto [i, state] : llvm::enumerate(model.getStateArgs()))
          if (dend::FxType format = dend::fixedType(state.getType()))
            yield->setOperand(
                unsigned(i), as(yield.getStates()[unsigned(i)], format, yield));
        unsigned first = unsigned(yield.getStates().size());
        for (unsigned i = 0; i < yield.getEmitted().size(); ++i)
          if (dend::FxType format =
                  messageFormat(model, model.getOutput(i).getName()))
            yield->setOperand(first + i,
                              as(yield.getEmitted()[i], format, yield));
        return success();
      })
      .Case<dend::TopKOp>([&](Operation *) { return success(); })
      .Default([&](Operation *other) -> LogicalResult {
        return other->emitOpError("of reals has no fixed-point form");
      });
}

} // namespace dendrolith
