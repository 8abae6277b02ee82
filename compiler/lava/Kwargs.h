// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keyword arguments of a process, checked as they are read.

#ifndef DENDROLITH_COMPILER_LAVA_KWARGS_H
#define DENDROLITH_COMPILER_LAVA_KWARGS_H

#include "compiler/lava/Array.h"
#include "targets/support/Error.h"

#include <optional>
#include <set>
#include <utility>

namespace dendrolith::lava {

/// Inclusive bounds.
using Range = std::pair<int64_t, int64_t>;

/// A keyword has a value that its class cannot have, or that integers cannot
/// follow. A search for keywords that a class takes may then try others.
class KeywordError : public Error {
public:
  using Error::Error;
};

/// Every accessor takes what the constructor has as default; without one the
/// keyword is required. Errors (dendrolith::Error) name the process, the
/// keyword, what was expected and what was found.
class Kwargs {
public:
  /// `place` opens every line: the file.
  Kwargs(const Process &process, const std::string &place);

  bool has(const std::string &key) const;
  /// An integer, a flag, or a tensor of one integer.
  int64_t integer(const std::string &key, std::optional<int64_t> usual,
                  Range range);
  /// A finite number, or a tensor of one.
  double real(const std::string &key, std::optional<double> usual);
  bool flag(const std::string &key, bool usual);
  /// One integer, or one per neuron (a tensor of the process's shape, or with
  /// as many elements): 1 or `count` values, row-major.
  std::vector<int64_t> integers(const std::string &key,
                                std::optional<int64_t> usual, uint64_t count,
                                Range range);
  /// Like integers(), of numbers that may be real.
  std::vector<double> reals(const std::string &key, std::optional<double> usual,
                            uint64_t count);
  /// An integer, or a tuple or tensor of `count` of them: `count` values.
  std::vector<int64_t> tuple(const std::string &key,
                             std::optional<int64_t> usual, size_t count,
                             Range range);
  /// A member of an enumeration: its name or number.
  std::optional<int64_t> member(const std::string &key,
                                const std::vector<std::string> &names);
  /// A tensor of numbers.
  Array array(const std::string &key);

  /// The keyword would change what a step does and is not among those that can
  /// be kept exactly: refused if it has another value than the usual one.
  void only(const std::string &key, int64_t usual);

  /// To be called last: refuses keywords that were not read.
  void finish() const;

  /// "FILE: process 'lif' (LIF): keyword 'du'"
  std::string name(const std::string &key) const;
  [[noreturn]] void fail(const std::string &key, const std::string &expected,
                         const std::string &found) const;

private:
  const Value *find(const std::string &key, bool hasUsual);
  /// Number or tensor as an array.
  Array numbers(const std::string &key, const Value &value);
  void check(const std::string &key, const Array &values, bool whole,
             Range range) const;

  const Process &process;
  std::string who;
  std::set<std::string> known;
};

/// Last part of a dotted name.
std::string className(const std::string &lavaClass);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_KWARGS_H
