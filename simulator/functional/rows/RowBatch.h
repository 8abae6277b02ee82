// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that a step has sent, dense rows together. Sources of one layer have rows
// for the same targets: they wait until there are four of them, so that a sum,
// which takes four times the memory of a weight, is read and written once for
// all. Sums are exact modulo 2^64, so the order does not show. The plain twin
// is Rows::send() for one source after the other (RowBatchTest). The row of
// dendricl in tests/bench/jit.py shows the gain.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWBATCH_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWBATCH_H

#include "simulator/functional/rows/Rows.h"

#include <array>
#include <cstdint>

namespace dendrolith::sim {

class RowBatch {
public:
  RowBatch(const Rows &rows, uint64_t step, State &state)
      : rows(rows), step(step), state(state) {}

  /// Does what Rows::send() does, at flush() at the latest.
  void send(uint32_t source, int64_t payload, uint32_t next);
  /// Adds what waits. Nothing may read the sums before.
  void flush();

private:
  /// Layers that a source reaches, each with rows that wait.
  static constexpr uint32_t kPlaces = 8;

  void wait(Accumulators::DenseRows &of, const Rows::Run &run, int64_t payload,
            uint64_t due);

  const Rows &rows;
  const uint64_t step;
  State &state;
  std::array<Accumulators::DenseRows, kPlaces> waiting; // by run of a source
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_ROWBATCH_H
