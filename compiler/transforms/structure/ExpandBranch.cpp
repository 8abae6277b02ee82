// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/structure/ExpandBranch.h"

#include "compiler/transforms/network/BodyBuilder.h"
#include "compiler/transforms/structure/SplitConstants.h"

#include <map>

using namespace mlir;

namespace dendrolith {
namespace {

/// A complex value as its two parts. If the value is real, `im` is null.
struct Parts {
  mlir::Value re, im;
};

struct BranchStep {
  Parts next;
  mlir::Value drive;
};

// The same number stands in the reference (dialects/dend/reference/).
constexpr double kLeak = 0.01;

Value activate(BodyBuilder &b, dend::Activation activation, Value x) {
  if (activation == dend::Activation::Identity)
    return x;
  if (activation == dend::Activation::Tanh)
    return b.math(dend::Function::Tanh, x);
  Value zero = b.literal(x.getType(), 0);
  Value other = activation == dend::Activation::LeakyRelu
                    ? b.mul(b.real(x.getType(), kLeak), x)
                    : zero;
  return b.select(b.cmp(dend::Predicate::GT, x, zero), x, other);
}

/// Computes A V.
Parts kept(BodyBuilder &b, Parts a, Parts v) {
  if (!v.im)
    return {b.mul(a.re, v.re), Value()};
  Value turnRe = b.mul(a.re, v.re), backRe = b.mul(a.im, v.im);
  Value re = b.sub(turnRe, backRe);
  Value turnIm = b.mul(a.re, v.im), backIm = b.mul(a.im, v.re);
  return {re, b.add(turnIm, backIm)};
}

/// Computes Re(C V).
Value readOut(BodyBuilder &b, Parts c, Parts v) {
  Value re = b.mul(c.re, v.re);
  return v.im ? b.sub(re, b.mul(c.im, v.im)) : re;
}

/// Writes V' = A V + G I;  d = act(sum_k Re(C_k V'_k) + direct I), in the order
/// of operations of dialects/dend/reference/EvaluateBranch.cpp. Without `gain`,
/// G is 1.
BranchStep branchStep(BodyBuilder b, dend::BranchOp op, Parts state,
                      Parts decay, Parts gain, Parts read) {
  Value input = op.getInput();
  Parts next = kept(b, decay, state);
  next.re = b.add(next.re, gain.re ? b.mul(gain.re, input) : input);
  if (gain.im)
    next.im = b.add(next.im, b.mul(gain.im, input));
  Value sum = b.sum(readOut(b, read, next));
  if (op.getDirect())
    sum = b.add(sum, b.mul(op.getDirect(), input));
  return {next, activate(b, op.getActivation(), sum)};
}

Type partType(Type type) {
  return dend::withElementType(
      type, cast<ComplexType>(dend::elementType(type)).getElementType());
}

bool isComplexValue(Value value) { return dend::isComplex(value.getType()); }

class BranchExpander {
public:
  explicit BranchExpander(dend::NeuronOp model)
      : model(model), constants(model) {}

  void run() {
    if (!isExpandable())
      return;
    splitArguments();
    expandBlock(model.getBlock());
    for (Operation *op : llvm::reverse(old))
      op->erase();
    Block &block = model.getBlock();
    block.eraseArguments([](BlockArgument a) { return isComplexValue(a); });
    constants.eraseUnused();
  }

private:
  /// Whether there is a branch, and complex numbers are otherwise only moved.
  bool isExpandable() {
    bool found = false, known = true;
    model.getBlock().walk([&](Operation *op) {
      found |= isa<dend::BranchOp>(op);
      bool complex = llvm::any_of(op->getOperands(), isComplexValue) ||
                     llvm::any_of(op->getResults(), isComplexValue);
      known &= !complex ||
               isa<dend::BranchOp, dend::SelectOp, dend::SliceOp,
                   dend::ElementOp, dend::ConcatOp, dend::RollOp, dend::SplatOp,
                   dend::WhenOp, dend::GiveOp, dend::YieldOp>(op);
    });
    return found && known && constants.canSplit();
  }

  /// Adds two arguments behind each complex one, which goes when nothing uses
  /// it any more.
  void splitArguments() {
    Block &block = model.getBlock();
    MLIRContext *context = model.getContext();
    auto name = [&](StringAttr whole, bool imaginary) {
      return StringAttr::get(context, partName(whole.getValue(), imaginary));
    };
    SmallVector<BlockArgument> params(model.getParamArgs()),
        states(model.getStateArgs());
    SmallVector<Attribute> paramAttrs, stateAttrs;
    auto split = [&](BlockArgument argument) {
      unsigned position = argument.getArgNumber() + 1;
      Type type = partType(argument.getType());
      Value re = block.insertArgument(position, type, argument.getLoc());
      Value im = block.insertArgument(position + 1, type, argument.getLoc());
      parts[argument] = {re, im};
    };
    for (auto [i, argument] : llvm::enumerate(params)) {
      auto attr = cast<dend::ParamAttr>(model.getParams()[i]);
      if (!isComplexValue(argument)) {
        paramAttrs.push_back(attr);
        continue;
      }
      split(argument);
      constants.splitParameter(attr.getName());
      for (bool imaginary : {false, true})
        paramAttrs.push_back(dend::ParamAttr::get(
            context, name(attr.getName(), imaginary), attr.getPerNeuron()));
    }
    for (auto [i, argument] : llvm::enumerate(states)) {
      auto attr = cast<dend::StateAttr>(model.getStates()[i]);
      if (!isComplexValue(argument)) {
        stateAttrs.push_back(attr);
        continue;
      }
      split(argument);
      auto [re, im] = constants.splitInit(attr.getInit());
      stateAttrs.push_back(dend::StateAttr::get(
          context, name(attr.getName(), false), attr.getReset(), re));
      stateAttrs.push_back(dend::StateAttr::get(
          context, name(attr.getName(), true), attr.getReset(), im));
    }
    firstState = states.empty() ? block.getNumArguments()
                                : states.front().getArgNumber();
    addRanges(paramAttrs);
    model.setParamsAttr(ArrayAttr::get(context, paramAttrs));
    model.setStatesAttr(ArrayAttr::get(context, stateAttrs));
  }

  /// Adds one hidden parameter for each range of neurons that has a branch.
  void addRanges(SmallVectorImpl<Attribute> &paramAttrs) {
    model.getBlock().walk([&](dend::BranchOp op) {
      std::optional<ArrayRef<int64_t>> range = op.getRange();
      if (!range)
        return;
      std::pair<int64_t, int64_t> key((*range)[0], (*range)[1]);
      if (present.count(key))
        return;
      std::string name = "present." + std::to_string(key.first) + "." +
                         std::to_string(key.second);
      MLIRContext *context = model.getContext();
      present[key] = model.getBlock().insertArgument(
          firstState++, IntegerType::get(context, 1), op.getLoc());
      paramAttrs.push_back(
          dend::ParamAttr::get(context, StringAttr::get(context, name), true));
      constants.bindRange(name, key.first, key.second);
    });
  }

  void expandBlock(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto branch = dyn_cast<dend::BranchOp>(op))
        expand(branch);
      else if (auto when = dyn_cast<dend::WhenOp>(op))
        expand(when);
      else if (op.hasTrait<OpTrait::IsTerminator>())
        expandTerminator(&op);
      else if (op.getNumResults() == 1 && isComplexValue(op.getResult(0)))
        move(&op);
    }
  }

  /// Gives the values, with each complex one replaced by its two parts.
  SmallVector<Value> splitAll(ValueRange values) {
    SmallVector<Value> result;
    for (Value value : values)
      if (isComplexValue(value)) {
        result.push_back(parts[value].re);
        result.push_back(parts[value].im);
      } else {
        result.push_back(value);
      }
    return result;
  }

  void expandTerminator(Operation *op) {
    if (auto yield = dyn_cast<dend::YieldOp>(op))
      yield.getStatesMutable().assign(splitAll(yield.getStates()));
    else
      op->setOperands(splitAll(op->getOperands()));
  }

  /// Writes an op that moves elements once for each part.
  void move(Operation *op) {
    OpBuilder builder(op);
    auto clone = [&](bool imaginary) {
      Operation *copy = builder.clone(*op);
      for (OpOperand &operand : copy->getOpOperands())
        if (isComplexValue(operand.get())) {
          Parts whole = parts[operand.get()];
          operand.set(imaginary ? whole.im : whole.re);
        }
      copy->getResult(0).setType(partType(op->getResult(0).getType()));
      return copy->getResult(0);
    };
    Value re = clone(false), im = clone(true);
    parts[op->getResult(0)] = {re, im};
    old.push_back(op);
  }

  void expand(dend::WhenOp op) {
    expandBlock(op.getBody().front());
    SmallVector<Value> carried = splitAll(op.getCarried());
    if (carried.size() == op.getCarried().size())
      return;
    OpBuilder builder(op);
    SmallVector<Type> types(ValueRange(carried).getTypes());
    auto split = dend::WhenOp::create(builder, op.getLoc(), types,
                                      op.getCondition(), carried);
    split.getBody().takeBody(op.getBody());
    unsigned next = 0;
    for (Value result : op.getResults())
      if (isComplexValue(result)) {
        parts[result] = {split.getResult(next), split.getResult(next + 1)};
        next += 2;
      } else {
        result.replaceAllUsesWith(split.getResult(next++));
      }
    old.push_back(op);
  }

  void expand(dend::BranchOp op) {
    bool complex = isComplexValue(op.getState());
    BranchStep step;
    if (std::optional<ArrayRef<int64_t>> range = op.getRange())
      step = skipped(op, present.at({(*range)[0], (*range)[1]}));
    else
      step = arithmetic(op, op);
    op.getDrive().replaceAllUsesWith(step.drive);
    if (complex)
      parts[op.getNext()] = step.next;
    else
      op.getNext().replaceAllUsesWith(step.next.re);
    old.push_back(op);
  }

  /// Writes the branch's arithmetic in front of `next`.
  BranchStep arithmetic(dend::BranchOp op, Operation *next) {
    auto partsOf = [&](Value value) {
      return value && isComplexValue(value) ? parts[value]
                                            : Parts{value, Value()};
    };
    return branchStep(BodyBuilder(next), op, partsOf(op.getState()),
                      partsOf(op.getA()), partsOf(op.getG()),
                      partsOf(op.getC()));
  }

  /// Writes the branch in a region that neurons without it skip.
  BranchStep skipped(dend::BranchOp op, Value isPresent) {
    BodyBuilder outside(op);
    Value zero = outside.literal(op.getDrive().getType(), 0);
    SmallVector<Value> kept = splitAll(op.getState());
    kept.push_back(zero);
    OpBuilder builder(op);
    SmallVector<Type> types(ValueRange(kept).getTypes());
    auto when =
        dend::WhenOp::create(builder, op.getLoc(), types, isPresent, kept);
    builder.createBlock(&when.getBody());
    auto give = dend::GiveOp::create(builder, op.getLoc(), ValueRange());
    BranchStep step = arithmetic(op, give);
    SmallVector<Value> given = {step.next.re, step.drive};
    if (step.next.im)
      given.insert(given.begin() + 1, step.next.im);
    give.getValuesMutable().assign(given);
    Parts next{when.getResult(0), step.next.im ? when.getResult(1) : Value()};
    return {next, when.getResults().back()};
  }

  dend::NeuronOp model;
  SplitConstants constants;
  llvm::DenseMap<Value, Parts> parts;
  std::map<std::pair<int64_t, int64_t>, Value> present;
  unsigned firstState = 0;
  SmallVector<Operation *> old; // complex ops, erased last
};

} // namespace

void expandBranches(dend::NeuronOp model) {
  // An expander lists all symbols of the network: not for a model without any.
  bool any = false;
  model.getBlock().walk([&](dend::BranchOp) { any = true; });
  if (any)
    BranchExpander(model).run();
}

} // namespace dendrolith
