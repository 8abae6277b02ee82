// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/Degrees.h"

#include "compiler/transforms/quantise/BodyRewriter.h"
#include "compiler/transforms/quantise/DegreeEquations.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace dendrolith {
namespace {

// Which degrees are rather not 0, the first ones first.
enum Rank : unsigned { kInner, kParam, kState, kOutput, kPort };

/// A literal of zeros has every degree: each use of it is one by itself.
bool isZero(Value value) {
  auto literal = value.getDefiningOp<dend::LiteralOp>();
  return literal && magnitudeOf(literal) == 0;
}

class DegreesReader {
public:
  DegreesReader(dend::NeuronOp model, DegreeEquations &equations)
      : model(model), equations(equations) {}

  /// False where an op is not known to be homogeneous.
  bool read(StringRef port) {
    for (BlockArgument argument : model.getBlock().getArguments())
      if (dend::isComplex(argument.getType()))
        return false;
    rankArguments();
    WalkResult walked = model.getBlock().walk([&](Operation *op) {
      return readOp(op) ? WalkResult::advance() : WalkResult::interrupt();
    });
    const int at = model.findPort(port);
    if (walked.wasInterrupted() || at < 0)
      return false;
    equations.add({{model.getPortArgs()[at], 1}}, 1);
    return true;
  }

private:
  void rankArguments() {
    auto rank = [&](ValueRange values, Rank as) {
      for (Value value : values)
        if (dend::isReal(value.getType()) && !isZero(value))
          equations.rank(value, as);
    };
    rank(model.getParamArgs(), kParam);
    rank(model.getStateArgs(), kState);
    rank(yield().getEmitted(), kOutput);
    rank(model.getPortArgs(), kPort);
  }

  dend::YieldOp yield() {
    return cast<dend::YieldOp>(model.getBlock().getTerminator());
  }

  void fix(Value value) {
    if (dend::isReal(value.getType()) && !isZero(value))
      equations.add({{value, 1}}, 0);
  }

  void unite(ArrayRef<Value> values) {
    Value first;
    for (Value value : values) {
      if (!dend::isReal(value.getType()) || isZero(value))
        continue;
      if (first)
        equations.unite(first, value);
      first = value;
    }
  }

  /// result = lhs + sign rhs, in degrees.
  void product(Value result, Value lhs, Value rhs, int sign = 1) {
    if (!isZero(lhs) && !isZero(rhs))
      equations.add({{result, 1}, {lhs, -1}, {rhs, -sign}}, 0);
  }

  bool readOp(Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](dend::LiteralOp literal) {
          fix(literal.getResult());
          return true;
        })
        .Case<dend::MulOp, dend::DotOp, dend::MatVecOp, dend::VecMatOp>(
            [&](auto mul) {
              if (dend::isReal(mul.getResult().getType()))
                product(mul.getResult(), mul.getLhs(), mul.getRhs());
              return true;
            })
        .Case([&](dend::DivOp div) {
          product(div.getResult(), div.getLhs(), div.getRhs(), -1);
          return true;
        })
        .Case([&](dend::OuterAddOp outer) {
          unite({outer.getAccumulator(), outer.getResult()});
          product(outer.getResult(), outer.getLhs(), outer.getRhs());
          return true;
        })
        .Case([&](dend::MathOp math) {
          fix(math.getInput());
          fix(math.getResult());
          return true;
        })
        .Case([&](dend::ToRealOp real) {
          fix(real.getResult());
          return true;
        })
        .Case([&](dend::YieldOp yield) {
          for (auto [old, next] :
               llvm::zip_equal(model.getStateArgs(), yield.getStates()))
            unite({old, next});
          return true;
        })
        .Case<dend::GiveOp, dend::TopKOp>([](Operation *) { return true; })
        .Default([&](Operation *other) { return readOther(other); });
  }

  /// An op whose operands and results have one format where they are real has
  /// one degree there, too.
  bool readOther(Operation *op) {
    auto isReal = [](Type type) {
      return dend::isReal(type) || dend::isComplex(type);
    };
    auto body = dyn_cast<dend::BodyOpInterface>(op);
    const auto groups =
        body ? body.getFormatGroups() : SmallVector<dend::FormatGroup>();
    if (groups.empty())
      return llvm::none_of(op->getOperandTypes(), isReal) &&
             llvm::none_of(op->getResultTypes(), isReal);
    for (const dend::FormatGroup &group : groups)
      unite(group);
    return true;
  }

  dend::NeuronOp model;
  DegreeEquations &equations;
};

} // namespace

std::optional<Degrees> Degrees::of(dend::NeuronOp model, StringRef port) {
  DegreeEquations equations;
  if (!DegreesReader(model, equations).read(port))
    return std::nullopt;
  auto solved = equations.solve();
  if (!solved)
    return std::nullopt;
  Degrees found;
  found.degrees = std::move(*solved);
  return found;
}

} // namespace dendrolith
