// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structure ops as the arithmetic they mean. Real expressions keep the order of
// operations of dialects/dend/reference/EvaluateStructure.cpp, so that bits
// agree.
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/
// DendriCL: J. Shen, Y. Wu, C. Chen, Dendritic In-Context Learning in a
// Single-Layer Spiking Neural Network, 2026, https://arxiv.org/abs/2607.02283
// DendAttn: K. Wang et al., Biologically Inspired Neuron Structures for
// Versatile Foundation Models: Augmenting Memory Capacity, Temporal Dynamics,
// and Information Segregation via Native Dendritic Mechanisms, manuscript, its
// newest references are of 2025; models/dendattn/README.md names all authors.

#include "compiler/transforms/structure/ExpandStructure.h"

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/network/BodyBuilder.h"
#include "compiler/transforms/structure/ExpandBranch.h"
#include "compiler/transforms/structure/Recipes.h"
#include "dialects/dend/Dend.h"
#include "dialects/dend/FixedPoint.h"
#include "targets/support/FixedNeuron.h"

#include "mlir/IR/PatternMatch.h"

#include "mlir/Transforms/DialectConversion.h"

#include <array>

using namespace mlir;

namespace dendrolith {
#define GEN_PASS_DEF_DENDEXPANDSTRUCTURE
#include "compiler/transforms/Passes.h.inc"

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

/// Whether nothing else uses the parameters and the count of the op, whose
/// types expandCuba() changes.
bool isExpandable(dend::CubaOp op) {
  return isOwnCount(op) && llvm::all_of(retyped(op), [&](Value value) {
           return isOwn(value, op);
         });
}

/// Replaces an expandable dend.cuba by fixed-point arithmetic. Results are the
/// same for every value of its states and parameters, as long as the input and
/// the bias leave 64 bits room. Parameters and the refractory count become
/// !dend.fx<32, 0>, which binds the same integers.
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

// (keep * state + gain * drive) + offset
LogicalResult expandCompartment(dend::CompartmentOp op,
                                PatternRewriter &rewriter) {
  BodyBuilder b(rewriter, op.getLoc());
  Value drive =
      op.getGain() ? b.mul(op.getGain(), op.getDrive()) : Value(op.getDrive());
  Value next = b.add(b.mul(op.getKeep(), op.getState()), drive);
  rewriter.replaceOp(op, op.getOffset() ? b.add(next, op.getOffset()) : next);
  return success();
}

// keep * state + gain * (dendrite + feed * input)
LogicalResult expandSoma(dend::SomaOp op, PatternRewriter &rewriter) {
  BodyBuilder b(rewriter, op.getLoc());
  Value inner = b.add(op.getDendrite(), b.mul(op.getFeed(), op.getInput()));
  rewriter.replaceOp(op, b.add(b.mul(op.getKeep(), op.getState()),
                               b.mul(op.getGain(), inner)));
  return success();
}

Value sum(BodyBuilder &b, dend::JoinOp op) {
  Type type = dend::elementType(op.getResult().getType());
  // The reference begins its sum with zero, which turns a real -0 into 0.
  Value total = dend::isReal(type) ? b.literal(type, 0) : Value();
  for (auto [j, branch] : llvm::enumerate(op.getBranches())) {
    Value term = branch;
    if (op.getWeights())
      term = b.mul(b.element(op.getWeights(), int64_t(j)), term);
    total = total ? b.add(total, term) : term;
  }
  return total;
}

/// Whether all (`all`) or any of the branches are not zero.
Value nonZero(BodyBuilder &b, ValueRange branches, bool all) {
  Value result;
  for (Value branch : branches) {
    Type type = dend::elementType(branch.getType());
    Value bit = type.isInteger(1)
                    ? branch
                    : b.cmp(dend::Predicate::NE, branch, b.literal(type, 0));
    result = !result ? bit : all ? b.min(result, bit) : b.max(result, bit);
  }
  return result;
}

LogicalResult expandJoin(dend::JoinOp op, PatternRewriter &rewriter) {
  BodyBuilder b(rewriter, op.getLoc());
  Type type = dend::elementType(op.getResult().getType());
  OperandRange branches = op.getBranches();
  Value result = branches.front();
  switch (op.getKind()) {
  case dend::JoinKind::Sum:
    result = sum(b, op);
    break;
  case dend::JoinKind::Max:
    for (Value branch : branches.drop_front())
      result = b.max(result, branch);
    break;
  case dend::JoinKind::Min:
    for (Value branch : branches.drop_front())
      result = b.min(result, branch);
    break;
  case dend::JoinKind::AbsMax: {
    // -x of the lowest number is itself, and so is the smaller of the two.
    auto below = [&](Value x) { return b.min(x, b.neg(x)); };
    for (Value branch : branches.drop_front())
      result =
          b.select(b.cmp(dend::Predicate::LT, below(branch), below(result)),
                   branch, result);
    break;
  }
  case dend::JoinKind::Or:
  case dend::JoinKind::And: {
    result = nonZero(b, branches, op.getKind() == dend::JoinKind::And);
    // The value is one unit of a fixed-point type, but !dend.fx<1, e> has no
    // positive unit.
    dend::FxType fixed = dend::fixedType(type);
    int64_t one = fixed ? dend::wrapTo(1, fixed.getWidth()) : 1;
    if (!type.isInteger(1))
      result = b.select(result, b.literal(type, one), b.literal(type, 0));
    break;
  }
  case dend::JoinKind::Pass:
    // The first branch is let through where no other one is 0.
    if (Value open = nonZero(b, branches.drop_front(), true))
      result = b.select(open, result, b.literal(type, 0));
    break;
  }
  rewriter.replaceOp(op, result);
  return success();
}

LogicalResult expandFire(dend::FireOp op, PatternRewriter &rewriter) {
  BodyBuilder b(rewriter, op.getLoc());
  Value v = op.getPotential();
  Value spike =
      b.cmp(op.getInclusive() ? dend::Predicate::GE : dend::Predicate::GT, v,
            op.getThreshold());
  Value next = v;
  if (op.getReset() != dend::ResetKind::None) {
    Value after = op.getTo();
    if (op.getReset() == dend::ResetKind::Subtract)
      after = b.sub(v, op.getThreshold());
    else if (!after)
      after = b.literal(dend::elementType(v.getType()), 0);
    next = b.select(spike, after, v);
  }
  rewriter.replaceOp(op, {spike, next});
  return success();
}

// keep * state + (rate * key) (x) (target - prediction)
LogicalResult expandDeltaRule(dend::DeltaRuleOp op, PatternRewriter &rewriter) {
  BodyBuilder b(rewriter, op.getLoc());
  Value error = b.sub(op.getTarget(), op.getPrediction());
  Value kept = b.mul(op.getKeep(), op.getState());
  Value step = b.mul(op.getRate(), op.getKey());
  bool matrix = dend::shapeOf(op.getState().getType()).size() == 2;
  rewriter.replaceOp(op, matrix ? b.outerAdd(kept, step, error)
                                : b.add(kept, b.mul(step, error)));
  return success();
}

} // namespace

void populateExpandStructure(RewritePatternSet &patterns,
                             ConversionTarget &target) {
  patterns.add(expandCompartment)
      .add(expandSoma)
      .add(expandJoin)
      .add(expandFire)
      .add(expandDeltaRule)
      .add(expandCuba)
      .add(expandMath);
  target.addIllegalOp<dend::CompartmentOp, dend::SomaOp, dend::JoinOp,
                      dend::FireOp, dend::DeltaRuleOp>();
  target.addDynamicallyLegalOp<dend::CubaOp>(
      [](dend::CubaOp op) { return !isExpandable(op); });
  target.addDynamicallyLegalOp<dend::MathOp>([](dend::MathOp op) {
    return !dend::fixedType(op.getInput().getType());
  });
}

void expandStructure(dend::NeuronOp model) {
  expandBranches(model);
  RewritePatternSet patterns(model.getContext());
  ConversionTarget target(*model.getContext());
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  populateExpandStructure(patterns, target);
  ConversionConfig config;
  // A pattern changes nothing before it is sure to succeed.
  config.allowPatternRollback = false;
  config.foldingMode = DialectConversionFoldingMode::Never;
  if (failed(
          applyPartialConversion(model, target, std::move(patterns), config)))
    llvm_unreachable("every structure op of a verified model has its pattern");
}

namespace {

struct DendExpandStructurePass
    : impl::DendExpandStructureBase<DendExpandStructurePass> {
  void runOnOperation() override {
    for (auto model : getOperation().getOps<dend::NeuronOp>())
      expandStructure(model);
  }
};

} // namespace

} // namespace dendrolith
