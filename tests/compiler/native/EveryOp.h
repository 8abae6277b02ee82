// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network of one population whose body has many ops, the result of each of
// which becomes a state.

#ifndef DENDROLITH_TESTS_COMPILER_NATIVE_EVERYOP_H
#define DENDROLITH_TESTS_COMPILER_NATIVE_EVERYOP_H

#include <string>

namespace dendrolith::test {

/// The body knows %a, %b (vector ports), %x (a scalar port), %q (a vector of
/// all neurons), %o (of each), %w (a square matrix), %u (a matrix of each), %c
/// (a complex vector) and %h (a scalar of all).
class EveryOp {
public:
  EveryOp(int neurons, int elements);

  /// Ops whose results are no states.
  void define(const std::string &text) { body += "    " + text + "\n"; }
  /// "%old" stands for the old value of the state that the op's result becomes,
  /// whose name is returned.
  std::string add(const std::string &type, std::string op);
  /// A value becomes a state, whose old value nothing reads.
  void keep(const std::string &type, const std::string &value);

  std::string text() const;
  int size() const { return count; } ///< states so far

  const int neurons, elements;
  const std::string vector, matrix, complex; // types

private:
  std::string constants() const;
  std::string project(const std::string &port, int first, int size) const;

  std::string body, states, news, types;
  int count = 0;
};

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_COMPILER_NATIVE_EVERYOP_H
