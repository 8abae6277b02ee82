// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random step bodies in fixed point: every body op, scalars, vectors and
// matrices, skipped regions, several ports, parameters, states and outputs.

#ifndef DENDROLITH_TESTS_AGREEMENT_RANDOMBODY_H
#define DENDROLITH_TESTS_AGREEMENT_RANDOMBODY_H

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::test {

/// A type of a step body: i1, i32 or fx, with a shape.
struct BodyType {
  enum Kind { Bool, Int, Fixed } kind = Fixed;
  int width = 16, exponent = 0;
  std::vector<int> shape;

  int elements() const;
  std::string element() const; // "!dend.fx<16, 0>"
  std::string text() const;    // with the shape
  bool operator==(const BodyType &o) const {
    return element() == o.element() && shape == o.shape;
  }
};

inline BodyType boolean(std::vector<int> shape) {
  return {BodyType::Bool, 1, 0, std::move(shape)};
}
inline BodyType integer(std::vector<int> shape) {
  return {BodyType::Int, 32, 0, std::move(shape)};
}
inline BodyType withShape(BodyType type, std::vector<int> shape) {
  type.shape = std::move(shape);
  return type;
}

struct BodyValue {
  std::string name; // with its %
  BodyType type;
};

/// Writes ops that use values of a pool and add to it.
class BodyWriter {
public:
  BodyWriter(std::mt19937 &random, std::vector<BodyValue> pool)
      : random(random), pool(std::move(pool)) {}

  /// One op (a few where operands have to be made first), of a random kind.
  void addOp(int depth = 0);

  /// A region that runs where `condition` holds. Returns the new value of
  /// `state`, which is the old one elsewhere; what it adds to the pool is 0
  /// there.
  std::string branch(const std::string &condition, const BodyValue &state);

  /// A value of that very type, made if there is none.
  std::string valueOf(const BodyType &type);
  /// Any value in the pool that is fixed point, with that rank (-1: any).
  BodyValue anyFixed(int rank = -1);
  /// Any value in the pool, or a literal, that is fixed point or i32.
  BodyValue anyNumber();

  std::string text;                 // the ops so far
  std::map<std::string, int> kinds; // how often each op was written

  int below(int n) { return int(random() % uint32_t(n)); }

private:
  BodyValue define(const std::string &op, const BodyType &type,
                   const std::string &operands,
                   const std::vector<BodyType> &operandTypes,
                   const std::string &after = "");
  BodyValue fresh(const BodyType &type);
  std::string literal(const BodyType &type, bool positive = false);
  BodyType randomFixed(std::vector<int> shape);
  std::string rounding();
  void elementwise();
  void scaling();
  void products();
  void moves();
  void choices();
  void math();
  void structure();
  void when(int depth);
  std::vector<BodyValue> region(const std::string &condition,
                                const std::vector<BodyValue> &kept, int depth);
  std::string zero(const BodyType &type);

  std::mt19937 &random;
  std::vector<BodyValue> pool;
  std::string indent = "      ";
  int next = 0;
};

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_AGREEMENT_RANDOMBODY_H
