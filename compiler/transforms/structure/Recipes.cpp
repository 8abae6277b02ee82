// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipes: normalise, look up, shift back. README.md, section "Recipes",
// derives every formula and constant.

#include "compiler/transforms/structure/Recipes.h"

#include "compiler/transforms/network/BodyBuilder.h"
#include "compiler/transforms/structure/RecipeTables.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace dendrolith {
namespace {

constexpr dend::Rounding kNearest = dend::Rounding::NearestEven;
constexpr dend::Overflow kSaturate = dend::Overflow::Saturate;
constexpr int64_t kLargest = INT32_MAX;
// The number 2^30 / ln 2, rounded.
constexpr int64_t kLog2OfE = 1549082005;

class Recipe {
public:
  Recipe(dend::MathOp op, PatternRewriter &rewriter)
      : b(rewriter, op.getLoc()), function(op.getFunction()), x(op.getInput()),
        in(dend::fixedType(x.getType())), out(dend::fixedType(op.getType())) {}

  Value expand() {
    switch (function) {
    case dend::Function::Reciprocal:
      return reciprocal();
    case dend::Function::Rsqrt:
    case dend::Function::Sqrt:
      return root();
    case dend::Function::Exp:
      return exponential();
    case dend::Function::Sigmoid:
    case dend::Function::Tanh:
    case dend::Function::Softplus:
      return curve();
    case dend::Function::Log:
      break; // refused by the verifier
    }
    return {};
  }

private:
  dend::FxType word(int exponent) { return b.fx(32, exponent); }
  Value zero(Value like) {
    return b.literal(dend::elementType(like.getType()), 0);
  }
  Value count(int64_t n) { return b.literal(b.i32(), n); }
  Value narrow(Value y) { return b.rescale(y, out, kNearest, kSaturate); }
  /// Looks the mantissa m = u 2^point, u >= 1, up in a table. Its knots are
  /// read as integers in units of the output.
  Value lookUp(Value m, const std::vector<int64_t> &knots, int point,
               int step) {
    int unit = in.getExponent();
    return b.table(m, b.vector(word(out.getExponent()), knots),
                   std::ldexp(1.0, point + unit), std::ldexp(1.0, step + unit));
  }
  /// Computes mantissa * 2^amount for a mantissa in [2^29, 2^30]. With amount >
  /// 0 that is more than any result of 31 bits, as it is where `over` holds.
  Value scaled(Value mantissa, Value amount, Value over) {
    Value y = b.shift(mantissa, amount, kNearest);
    Value large = b.cmp(dend::Predicate::GT, amount, count(0));
    return b.select(b.max(large, over),
                    b.literal(word(out.getExponent()), kLargest), y);
  }
  /// Computes |x| of a word, which must not be -2^31.
  Value magnitude(Value word, bool reachesLowest) {
    if (reachesLowest)
      word =
          b.max(word, b.literal(dend::elementType(word.getType()), -kLargest));
    return b.abs(word);
  }

  Value reciprocal() {
    Value wide = b.rescale(x, word(in.getExponent()), kNearest, kSaturate);
    Value size = magnitude(wide, in.getWidth() == 32);
    Value zeros = b.clz(size);
    Value m = b.shift(size, b.add(zeros, count(-1)), kNearest);
    unsigned bits = mantissaBits(out.getWidth());
    Value r = lookUp(m, reciprocalKnots(bits), 30, 30 - int(bits));
    Value amount =
        b.add(zeros, count(-in.getExponent() - out.getExponent() - 61));
    Value y = scaled(r, amount, b.cmp(dend::Predicate::EQ, wide, zero(wide)));
    Value negative = b.cmp(dend::Predicate::LT, wide, zero(wide));
    return narrow(b.select(negative, b.neg(y), y));
  }

  /// The recipe of sqrt and rsqrt: a mantissa in [2^29, 2^31) leaves an even
  /// exponent.
  Value root() {
    bool inverse = function == dend::Function::Rsqrt;
    Value wide = b.rescale(x, word(in.getExponent()), kNearest, kSaturate);
    Value half = b.shift(b.add(b.clz(wide), count(-30 - in.getExponent())),
                         count(-1), dend::Rounding::Floor);
    Value m =
        b.shift(wide, b.add(b.add(half, half), count(29 + in.getExponent())),
                dend::Rounding::Floor);
    unsigned bits = mantissaBits(out.getWidth());
    Value r = lookUp(m, inverse ? rsqrtKnots(bits) : sqrtKnots(bits), 29,
                     30 - int(bits));
    Value none = b.cmp(dend::Predicate::LE, wide, zero(wide));
    if (inverse)
      return narrow(
          scaled(r, b.add(half, count(-30 - out.getExponent())), none));
    Value amount = b.sub(count(-29 - out.getExponent()), half);
    Value never = b.literal(b.i1(), 0);
    return narrow(b.select(none, zero(r), scaled(r, amount, never)));
  }

  /// The recipe of exp: exp(x) = 2^k 2^f with k + f = x / ln 2, 0 <= f < 1.
  Value exponential() {
    Value z = b.rescale(b.mul(x, b.literal(b.fx(32, -30), kLog2OfE)), word(-25),
                        kNearest, kSaturate);
    Value k =
        b.rescale(z, b.fx(8, 0), dend::Rounding::Floor, dend::Overflow::Wrap);
    Value f = b.sub(z, b.rescale(k, word(-25), dend::Rounding::Floor,
                                 dend::Overflow::Wrap));
    unsigned bits = mantissaBits(out.getWidth());
    Value fraction = b.table(f, b.vector(word(-29), exp2Knots(bits)), 0,
                             std::ldexp(1.0, -int(bits)));
    // The second table counts half units of the result: 2^k of them, and none
    // below half a unit.
    std::vector<int64_t> powers = {0};
    for (unsigned j = 0; j <= out.getWidth(); ++j)
      powers.push_back(std::min(int64_t(1) << j, kLargest));
    Value power = b.table(k, b.vector(word(out.getExponent() - 1), powers),
                          out.getExponent() - 2, 1);
    return narrow(b.mul(power, fraction));
  }

  /// The recipe of sigmoid, tanh and softplus: a table over |x|, and the
  /// symmetry of the function.
  Value curve() {
    CurveShape shape = curveShape(function, out.getExponent());
    int unit = std::clamp(in.getExponent(), -26, -int(shape.bits));
    Value wide = b.rescale(x, word(unit), kNearest, kSaturate);
    bool reachesLowest = int(in.getWidth()) + in.getExponent() - unit >= 32;
    Value y = b.table(magnitude(wide, reachesLowest),
                      b.vector(word(-29), curveKnots(function, shape)), 0,
                      std::ldexp(1.0, -int(shape.bits)));
    if (function == dend::Function::Softplus) {
      // This is max(x, 0) + log(1 + e^-|x|).
      dend::FxType result = word(out.getExponent());
      return narrow(
          b.add(b.rescale(b.max(x, zero(x)), result, kNearest, kSaturate),
                b.rescale(y, result, kNearest, kSaturate), kSaturate));
    }
    Value mirrored = function == dend::Function::Tanh
                         ? b.neg(y)
                         : b.sub(b.literal(word(-29), int64_t(1) << 29), y);
    Value negative = b.cmp(dend::Predicate::LT, wide, zero(wide));
    return narrow(b.select(negative, mirrored, y));
  }

  BodyBuilder b;
  dend::Function function;
  Value x;
  dend::FxType in, out;
};

} // namespace

LogicalResult expandMath(dend::MathOp op, PatternRewriter &rewriter) {
  if (!dend::fixedType(op.getInput().getType()))
    return failure();
  rewriter.replaceOp(op, Recipe(op, rewriter).expand());
  return success();
}

// Error bounds of the recipes, derived in README.md, section "Recipes".

namespace {

// A knot is rounded to half a unit, the interpolation down by less than one.
constexpr double kTableUnits = 1.5;
const double kWordUnit = std::ldexp(1.0, -29);

/// The relative error, before the last rounding, of the functions that scale a
/// mantissa.
double relativeError(dend::Function function, dend::FxType in,
                     dend::FxType out) {
  double step = std::ldexp(1.0, -int(mantissaBits(out.getWidth())));
  double table = kTableUnits * kWordUnit;
  // The lowest 32-bit input is taken as the one above; a mantissa of 32 bits
  // may lose one.
  double cut = in.getWidth() == 32 ? kWordUnit : 0;
  switch (function) {
  case dend::Function::Reciprocal:
    return step * step / 4 + table + cut;
  case dend::Function::Rsqrt: // steps of twice the size
    return 4 * step * step * 3 / 32 + table + cut;
  case dend::Function::Sqrt:
    return 4 * step * step / 32 + table + cut;
  default: { // exp: f'' = (ln 2)^2 2^f, and the error of x / ln 2
    double ln2 = std::log(2.0);
    double power = std::ldexp(1.0, -26) + 64 * std::ldexp(1.0, -31);
    return ln2 * ln2 * step * step / 8 + table + ln2 * power;
  }
  }
}

/// The largest magnitude of the function's value over all inputs.
double largest(dend::Function function, dend::FxType in) {
  double unit = std::ldexp(1.0, in.getExponent());
  double top = std::ldexp(unit, int(in.getWidth()) - 1);
  switch (function) {
  case dend::Function::Reciprocal:
    return 1 / unit;
  case dend::Function::Rsqrt:
    return 1 / std::sqrt(unit);
  case dend::Function::Sqrt:
    return std::sqrt(top);
  default:
    return std::exp(top);
  }
}

} // namespace

double recipeBound(dend::Function function, dend::FxType in, dend::FxType out) {
  double unit = std::ldexp(1.0, out.getExponent());
  bool isSoftplus = function == dend::Function::Softplus;
  if (function == dend::Function::Sigmoid || function == dend::Function::Tanh ||
      isSoftplus) {
    CurveShape shape = curveShape(function, out.getExponent());
    double last = double(shape.last);
    double tail = function == dend::Function::Tanh ? 2 * std::exp(-2 * last)
                                                   : std::exp(-last);
    double input = in.getExponent() < -26 ? std::ldexp(1.0, -27) : 0;
    return curvature(function) * std::ldexp(1.0, -2 * int(shape.bits)) + tail +
           kTableUnits * kWordUnit + input + (isSoftplus ? 1 : 0.5) * unit;
  }
  double relative = relativeError(function, in, out);
  double range = std::ldexp(unit, int(out.getWidth()) - 1);
  return relative * (1 + relative) * std::min(largest(function, in), range) +
         0.5 * unit;
}

} // namespace dendrolith
