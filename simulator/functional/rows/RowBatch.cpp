// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/rows/RowBatch.h"

#include <tuple>

namespace dendrolith::sim {

void RowBatch::wait(Accumulators::DenseRows &of, const Rows::Run &run,
                    int64_t payload, uint64_t due) {
  if (std::tie(of.accumulator, of.count, of.shift, of.due) !=
      std::tie(run.accumulator, run.count, run.shift, due)) {
    state.accumulators.addDense(of);
    of.rows = 0;
    of.accumulator = run.accumulator;
    of.count = run.count;
    of.shift = run.shift;
    of.due = due;
  }
  of.weights[of.rows] = rows.listWeights.data() + run.first;
  of.present[of.rows] = rows.presentOf(run);
  of.payloads[of.rows] = static_cast<int32_t>(payload);
  if (++of.rows < of.kMost)
    return;
  state.accumulators.addDense(of);
  of.rows = 0;
}

void RowBatch::send(uint32_t source, int64_t payload, uint32_t next) {
  const uint32_t begin = rows.runBegin[source], end = rows.runBegin[source + 1];
  constexpr int64_t largest = Accumulators::DenseRows::kLargestPayload;
  const bool isSmall = payload >= -largest && payload <= largest;
  const int64_t away = rows.away(source, next);
  for (uint32_t r = begin; r < end; ++r) {
    const Rows::Run &run = rows.runs[r];
    const uint64_t due = step + 1 + run.delay;
    const bool isDense = run.accumulator != Rows::kNone &&
                         run.offset == Rows::kNone && !rightShiftOf(run.shift);
    if (isDense && isSmall && r - begin < kPlaces)
      wait(waiting[r - begin], run, payload, due);
    else
      rows.send(run, payload, due, state, away);
  }
}

void RowBatch::flush() {
  for (Accumulators::DenseRows &each : waiting) {
    state.accumulators.addDense(each);
    each.rows = 0;
  }
}

} // namespace dendrolith::sim
