// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of one step: an element of its result, or what it makes of the next
// element where it sums up.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_STEPS_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_STEPS_H

#include "compiler/native/program/Arithmetic.h"
#include "compiler/native/program/Visit.h"

#include <map>
#include <vector>

namespace dendrolith::native::program {

class Steps {
public:
  /// Begins with code that reads the amounts of shifts that all visits share.
  explicit Steps(Visit &visit);

  /// Element e of a result, or what an emit sends of it, which has none. In a
  /// loop the element is `dynamic`, and e is 0.
  Lane compute(const Step &step, uint32_t e, mlir::Value dynamic);

  /// Whether a step makes one word of all elements.
  static bool isReduction(const Step &step) {
    return shapeOf(step.code.op) == MicroShape::Terms;
  }
  /// What a reduction begins with, what it makes of the next element, and how
  /// it ends.
  Lane beginning(const Step &step);
  Lane reduce(const Step &step, const Lane &sum, uint32_t e,
              mlir::Value dynamic);
  void finish(const Step &step, const Lane &sum);

  /// The marks of the largest elements, all of a step.
  void writeMarks(const Step &step);

private:
  void loadAmounts(const std::vector<Node> &nodes);
  Lane product(const Step &step, mlir::Value at);
  Lane outer(const Step &step, uint32_t e, mlir::Value at, mlir::Value dynamic);
  void send(const Step &step, Lane value, uint32_t e, mlir::Value dynamic);

  Visit &v;
  Lanes &l;
  Memories &memory;
  Arithmetic arithmetic;
  std::map<uint32_t, mlir::Value> amounts; // by instruction
};

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_STEPS_H
