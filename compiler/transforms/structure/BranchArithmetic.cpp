// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/structure/BranchArithmetic.h"

using namespace mlir;

namespace dendrolith {
namespace {

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

} // namespace

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

} // namespace dendrolith
