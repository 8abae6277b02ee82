// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of a step body's memories and what is computed of them, as ops of MLIR:
// vectors of lanes, or, where neurons are updated one by one, of elements.

#ifndef DENDROLITH_COMPILER_NATIVE_BODY_WORDS_H
#define DENDROLITH_COMPILER_NATIVE_BODY_WORDS_H

#include "compiler/native/body/Places.h"
#include "compiler/native/code/Loops.h"

namespace dendrolith::native::body {

/// An index: a number, and one that the code computes, as i64, or null.
struct At {
  int64_t fixed = 0;
  mlir::Value more = {};
};

class Words {
public:
  Words(mlir::OpBuilder &builder, const BodyState &state)
      : b(builder), loc(builder.getUnknownLoc()),
        lanes(builder, unsigned(state.places.lanes)), loops(lanes),
        memories(state.memories) {}

  // Loops. A width is how many elements are computed at a time: 1, or 8 where
  // neurons are updated one by one.

  /// body(index, width) for all elements, in any order.
  template <typename Body> void forAll(int64_t count, Body body) {
    const int64_t step = lanes.count == 1 ? kWide : 1;
    const int64_t whole = count / step;
    if (whole <= kUnrolled)
      for (int64_t i = 0; i < whole; ++i)
        body(At{i * step}, unsigned(step));
    else
      loops.forEach(number(whole * step), step,
                    [&](mlir::Value at) { body(At{0, at}, unsigned(step)); });
    for (int64_t i = whole * step; i < count; ++i)
      body(At{i}, 1u);
  }
  /// body(index, carried) for all elements, one after the other; it returns
  /// what is carried on.
  template <typename Body>
  std::vector<mlir::Value>
  forEach(int64_t count, std::vector<mlir::Value> carried, Body body) {
    if (count > kUnrolled)
      return loops.forEach(
          number(count), 1, carried,
          [&](mlir::Value at, const std::vector<mlir::Value> &given) {
            return body(At{0, at}, given);
          });
    for (int64_t i = 0; i < count; ++i)
      carried = body(At{i}, carried);
    return carried;
  }

  At plus(At at, int64_t more) { return {at.fixed + more, at.more}; }
  At plus(At a, At b);
  At times(At at, int64_t by);

  // Words.

  /// Where the word `at` of a memory is.
  mlir::Value pointer(Space space, At at);
  /// `width` words of values of a type, from the word `at` on.
  mlir::Value load(mlir::Type type, Space space, At at, unsigned width);
  void store(mlir::Value value, Space space, At at);

  // Numbers: reals are f64, an i1 is that, other integers are i64.

  mlir::Type type(mlir::Type of, unsigned width);
  mlir::Value real(double x, unsigned width);
  mlir::Value number(int64_t x);
  /// Repeats what has the width of one element.
  mlir::Value widen(mlir::Value x, unsigned width);
  unsigned widthOf(mlir::Value x);

  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value div(mlir::Value x, mlir::Value y);
  mlir::Value neg(mlir::Value x);
  mlir::Value is(mlir::arith::CmpFPredicate predicate, mlir::Value x,
                 mlir::Value y);
  mlir::Value choose(mlir::Value which, mlir::Value yes, mlir::Value no);

  mlir::OpBuilder &b;
  const mlir::Location loc;
  Lanes lanes;
  Loops loops;

  /// Elements side by side where neurons are updated one by one, and lanes.
  static constexpr int64_t kWide = 8;

private:
  /// Shorter loops are written out.
  static constexpr int64_t kUnrolled = 4;

  const std::array<mlir::Value, kSpaces> &memories;
};

} // namespace dendrolith::native::body

#endif // DENDROLITH_COMPILER_NATIVE_BODY_WORDS_H
