// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lava's integer arithmetic in body operations.

#ifndef DENDROLITH_COMPILER_LAVA_STEPBODY_H
#define DENDROLITH_COMPILER_LAVA_STEPBODY_H

#include "compiler/lava/Processes.h"
#include "compiler/transforms/network/BodyBuilder.h"

#include <map>

namespace dendrolith::lava {

/// Writes one step of a neuron. Every value is a `word` of 32 bits that wrap as
/// NumPy's int32 do; only products have 64.
class StepBody : public BodyBuilder {
public:
  StepBody(mlir::Block &block, mlir::Location loc, const NeuronForm &form);

  /// The yielded states in order and the emitted values.
  struct Result {
    std::map<std::string, Value> next;
    Value out, fired;
  };
  Result write();

private:
  Value arg(const std::string &name) const { return arguments.at(name); }
  /// The sum of an input port's terms.
  Value received(size_t input);
  dend::FxType word() { return fx(32, 0); }
  Value integer(int64_t value, unsigned width = 32) {
    return literal(fx(width, 0), value);
  }
  Value narrow(Value x, unsigned width = 32) {
    return rescale(x, fx(width, 0), dend::Rounding::Floor,
                   dend::Overflow::Wrap);
  }
  /// Shifts to the left or, if the amount is negative, to the right by floor.
  Value moved(Value x, Value amount) {
    return shift(x, amount, dend::Rounding::Floor);
  }
  Value moved(Value x, int64_t amount) {
    return moved(x, literal(i32(), amount));
  }
  /// Gives sign(x) * (|x| >> bits) of a product, as a word.
  Value towardZero(Value product, Value bits) {
    return narrow(shift(product, bits, dend::Rounding::TowardZero));
  }
  Value decayed(Value x, Value keep) {
    return towardZero(mul(x, keep), literal(i32(), -12));
  }
  Value both(Value a, Value b) { return min(a, b); } // of i1
  Value not0(Value x) { return cmp(dend::Predicate::NE, x, integer(0)); }
  /// Brings a current back into (-2^23, 2^23], which it has left by one turn at
  /// most.
  Value turned(Value x);
  /// Clips into [-2^23 + 1, 2^23 - 1].
  Value clipped(Value x);
  /// Computes u and v of the LIF family from their old values.
  void integrate(Value u, Value v, Result &result);

  Result lifCuba();
  Result lif(bool resets);
  Result ternary();
  Result atrlif();
  Result resonate(bool izhikevich);
  Result sigma();
  Result delta();
  Result sigmaDelta();
  /// Writes the part that Delta and SigmaDelta have in common: `act` is the new
  /// activation.
  Result encode(Value act);
  Result graded(bool relu);
  Result product();

  mlir::Block &block;
  mlir::Location at;
  const NeuronForm &form;
  std::map<std::string, Value> arguments;
};

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_STEPBODY_H
