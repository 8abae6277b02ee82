// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folds of step bodies. Each is exact: in fixed point by FixedPoint.h, in
// real arithmetic because the same double operation is done here.
#include "dialects/dend/Dend.h"
#include "dialects/dend/FixedPoint.h"

#include "mlir/IR/Builders.h"

#include <cmath>

using namespace mlir;

namespace dendrolith::dend {
namespace {

/// The numbers of a literal in row-major order, or one that all elements have.
template <typename T> using Literal = SmallVector<T>;

std::optional<Literal<double>> reals(Attribute value) {
  if (auto number = llvm::dyn_cast_or_null<FloatAttr>(value))
    return Literal<double>{number.getValueAsDouble()};
  auto dense = llvm::dyn_cast_or_null<DenseFPElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  Literal<double> out;
  auto convert = [](APFloat x) {
    bool lost;
    x.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
    return x.convertToDouble();
  };
  if (dense.isSplat())
    return Literal<double>{convert(dense.getSplatValue<APFloat>())};
  for (APFloat x : dense.getValues<APFloat>())
    out.push_back(convert(x));
  return out;
}

std::optional<Literal<int64_t>> integers(Attribute value) {
  auto convert = [](const APInt &x) {
    return x.getBitWidth() == 1 ? int64_t(x.getZExtValue())
                                : x.sextOrTrunc(64).getSExtValue();
  };
  if (auto number = llvm::dyn_cast_or_null<IntegerAttr>(value))
    return Literal<int64_t>{convert(number.getValue())};
  auto dense = llvm::dyn_cast_or_null<DenseIntElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  if (dense.isSplat())
    return Literal<int64_t>{convert(dense.getSplatValue<APInt>())};
  Literal<int64_t> out;
  for (const APInt &x : dense.getValues<APInt>())
    out.push_back(convert(x));
  return out;
}

// Makes the value attribute of a literal of `type`. Reals are stored as f64,
// because they are evaluated in double whatever the type says.
template <typename T> Attribute makeLiteral(Type type, ArrayRef<T> numbers) {
  Builder builder(type.getContext());
  Type element = std::is_same_v<T, double> ? Type(builder.getF64Type())
                                           : Type(builder.getI64Type());
  if (auto tensor = llvm::dyn_cast<RankedTensorType>(type))
    return DenseElementsAttr::get(
        RankedTensorType::get(tensor.getShape(), element), numbers);
  if constexpr (std::is_same_v<T, double>)
    return builder.getF64FloatAttr(numbers.front());
  else
    return builder.getI64IntegerAttr(numbers.front());
}

template <typename T> const T &at(const Literal<T> &numbers, size_t i) {
  return numbers[numbers.size() == 1 ? 0 : i];
}

/// Applies `apply` to the elements of literals. The attribute is empty if an
/// operand is no literal or a result is not finite, which no literal holds.
template <typename T, typename Apply, typename... Operands>
Attribute foldElements(Type type, Apply apply,
                       const std::optional<Operands> &...operands) {
  if (!(operands && ...))
    return {};
  size_t count = std::max({operands->size()...});
  Literal<T> out;
  for (size_t i = 0; i < count; ++i) {
    out.push_back(apply(at(*operands, i)...));
    if constexpr (std::is_same_v<T, double>)
      if (!std::isfinite(out.back()))
        return {};
  }
  return makeLiteral<T>(type, out);
}

unsigned integerWidth(Type type) {
  FxType fixed = fixedType(type);
  return fixed ? fixed.getWidth() : 32;
}

template <typename Adaptor, typename OnReals, typename OnIntegers>
Attribute foldBinary(Type type, Adaptor adaptor, OnReals onReals,
                     OnIntegers onIntegers) {
  if (isReal(type))
    return foldElements<double>(type, onReals, reals(adaptor.getLhs()),
                                reals(adaptor.getRhs()));
  return foldElements<int64_t>(type, onIntegers, integers(adaptor.getLhs()),
                               integers(adaptor.getRhs()));
}

bool allAre(Type type, Attribute value, double real, bool negative,
            int64_t integer) {
  if (isReal(type)) {
    auto numbers = reals(value);
    return numbers && llvm::all_of(*numbers, [&](double x) {
             return x == real && std::signbit(x) == negative;
           });
  }
  auto numbers = integers(value);
  return numbers &&
         llvm::all_of(*numbers, [&](int64_t x) { return x == integer; });
}

} // namespace

Operation *DendDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return LiteralOp::create(builder, loc, type, value);
}

OpFoldResult LiteralOp::fold(FoldAdaptor) { return getValue(); }

// x + 0.0 is not x for x = -0.0, but x + -0.0 is x for every x.
OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  Type type = getType();
  if (getLhs().getType() == type &&
      allAre(type, adaptor.getRhs(), 0.0, /*negative=*/true, 0))
    return getLhs();
  if (getRhs().getType() == type &&
      allAre(type, adaptor.getLhs(), 0.0, /*negative=*/true, 0))
    return getRhs();
  return foldBinary(
      type, adaptor, [](double x, double y) { return x + y; },
      [&](int64_t x, int64_t y) {
        return addFixed(x, y, integerWidth(type), getOverflow());
      });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  Type type = getType();
  if (getLhs().getType() == type &&
      allAre(type, adaptor.getRhs(), 0.0, /*negative=*/false, 0))
    return getLhs();
  return foldBinary(
      type, adaptor, [](double x, double y) { return x - y; },
      [&](int64_t x, int64_t y) {
        return subFixed(x, y, integerWidth(type), getOverflow());
      });
}

// In fixed point a product has another type than its factors, so only real
// products by one disappear; and only in fixed point 0 x is 0 for every x.
OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  Type type = getType();
  if (fixedType(type) && (allAre(type, adaptor.getLhs(), 0.0, false, 0) ||
                          allAre(type, adaptor.getRhs(), 0.0, false, 0)))
    return makeLiteral<int64_t>(type, {0});
  if (isReal(type)) {
    if (getLhs().getType() == type &&
        allAre(type, adaptor.getRhs(), 1.0, /*negative=*/false, 1))
      return getLhs();
    if (getRhs().getType() == type &&
        allAre(type, adaptor.getLhs(), 1.0, /*negative=*/false, 1))
      return getRhs();
  }
  return foldBinary(
      type, adaptor, [](double x, double y) { return x * y; },
      [](int64_t x, int64_t y) { return wrapTo(Int128(x) * y, 64); });
}

// Returns whether every value of `from` is a value of `to`.
static bool holdsAll(FxType from, FxType to) {
  int finer = from.getExponent() - to.getExponent();
  return finer >= 0 && int64_t(from.getWidth()) + finer <= to.getWidth();
}

OpFoldResult RescaleOp::fold(FoldAdaptor adaptor) {
  FxType from = fixedType(getInput().getType()), to = fixedType(getType());
  if (getInput().getType() == getType())
    return getInput();
  if (auto inner = getInput().getDefiningOp<RescaleOp>()) {
    FxType first = fixedType(inner.getInput().getType());
    if (holdsAll(first, from)) {
      getInputMutable().assign(inner.getInput());
      return getResult();
    }
  }
  return foldElements<int64_t>(
      getType(),
      [&](int64_t x) {
        return rescale(x, from.getWidth(), from.getExponent(), to.getWidth(),
                       to.getExponent(), getRounding(), getOverflow());
      },
      integers(adaptor.getInput()));
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getYes() == getNo() && getYes().getType() == getType())
    return getYes();
  auto condition = integers(adaptor.getCondition());
  if (!condition)
    return {};
  bool first = condition->front() != 0;
  if (llvm::any_of(*condition, [&](int64_t c) { return (c != 0) != first; }))
    return {};
  Value taken = first ? getYes() : getNo();
  return taken.getType() == getType() ? OpFoldResult(taken) : OpFoldResult();
}

// This is min(max(x, low), high), which is `high` where the two cross.
template <typename T> static T clampTo(T x, T low, T high) {
  T raised = x < low ? low : x;
  return raised > high ? high : raised;
}

OpFoldResult ClampOp::fold(FoldAdaptor adaptor) {
  if (isReal(getType()))
    return foldElements<double>(
        getType(), clampTo<double>, reals(adaptor.getInput()),
        reals(adaptor.getLow()), reals(adaptor.getHigh()));
  return foldElements<int64_t>(
      getType(), clampTo<int64_t>, integers(adaptor.getInput()),
      integers(adaptor.getLow()), integers(adaptor.getHigh()));
}

} // namespace dendrolith::dend
