// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synaptic operations of a float network, which no chip counts.

#ifndef DENDROLITH_RUNTIME_SESSION_OPERATIONS_H
#define DENDROLITH_RUNTIME_SESSION_OPERATIONS_H

#include "dialects/dend/reference/Interpreter.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dendrolith::session {

/// Weights other than zero that values other than zero meet: an addition where
/// the value is 1 or -1, else a multiplication and an addition.
struct OperationSums {
  uint64_t accumulates = 0, multiplies = 0;
};

/// How many weights other than zero each element of a source meets.
class Fans {
public:
  explicit Fans(dend::NetworkOp network);

  /// Adds what a root tick took.
  void add(const dend::Interpreter &interpreter,
           const std::map<std::string, std::vector<double>> &inputs,
           OperationSums &sums) const;

private:
  struct Source {
    std::string name, output;
    uint64_t input = 0;            ///< elements of an input, 0 of a population
    std::vector<uint64_t> weights; // by element
  };
  template <typename T>
  static void addValues(const Source &source, const std::vector<T> &values,
                        size_t width, OperationSums &sums);

  std::vector<Source> sources;
};

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_OPERATIONS_H
