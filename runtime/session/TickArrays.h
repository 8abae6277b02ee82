// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an interpreter shows tick by tick, brought into arrays by the numbers
// that users know neurons by: a mapped network may hold them in another order.

#ifndef NEURITE_RUNTIME_SESSION_TICKARRAYS_H
#define NEURITE_RUNTIME_SESSION_TICKARRAYS_H

#include "dialects/dend/reference/Interpreter.h"
#include "runtime/arrays/Npy.h"
#include "simulator/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace neurite::session {

/// Appends one root tick of a signal to a trace, with room for `ticks`.
void append(Array &array, const dend::Signal &signal, uint64_t ticks);

/// Brings a trace of a population, whose ticks lie one after the other, into
/// the order of the numbers.
void renumber(Array &array, dend::NetworkOp network,
              const std::string &population, uint64_t ticks);

/// Takes the ticks of an output one by one, in order, and brings them where its
/// values lie.
class OutputTicks {
public:
  OutputTicks(sim::OutputData &data, dend::NetworkOp network, uint64_t ticks);

  void append(const std::vector<double> &values, const sim::OutputStore &store);

private:
  static constexpr size_t kBlock = 1 << 12;

  sim::OutputData &data;
  const std::vector<int64_t> numbers;
  const uint64_t ticks;
  uint64_t next = 0, written = 0;
  std::vector<double> block;
};

/// A population with one binary output, in the order of an image.
struct Emitter {
  std::string name;
  uint32_t population = 0;
  std::vector<int64_t> numbers; // users' of its neurons; empty if the same
};
std::vector<Emitter> findEmitters(dend::NetworkOp network);

/// Adds what a population emitted in a root tick, rising.
void append(sim::SpikeList &spikes, const Emitter &emitter,
            const dend::Signal &signal, uint64_t rootTick);

} // namespace neurite::session

#endif // NEURITE_RUNTIME_SESSION_TICKARRAYS_H
