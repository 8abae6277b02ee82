// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_ADDER_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_ADDER_H

#include "compiler/import/torch/Populations.h"

namespace dendrolith::torch {

/// Most synapses that one operation may have.
constexpr int64_t kMaxEntries = int64_t(1) << 26;

/// Adds weighted rows up.
class Adder {
public:
  void add(const RowPtr &row, double weight) {
    if (!row || weight == 0)
      return;
    for (const Row::Entry &entry : row->entries)
      sum.entries.push_back(
          {entry.source, entry.element, entry.weight * weight});
    sum.bias += row->bias * weight;
  }
  void add(double bias) { sum.bias += bias; }
  RowPtr done() {
    if (sum.entries.empty() && sum.bias == 0)
      return nullptr;
    return std::make_shared<Row>(std::move(sum));
  }

private:
  Row sum;
};

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_ADDER_H
