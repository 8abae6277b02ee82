// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an interpreter shows tick by tick, brought into arrays by the numbers
// that users know neurons by: a mapped network may hold them in another order.

#ifndef DENDROLITH_RUNTIME_SESSION_TICKARRAYS_H
#define DENDROLITH_RUNTIME_SESSION_TICKARRAYS_H

#include "dialects/dend/reference/Interpreter.h"
#include "runtime/arrays/Npy.h"
#include "simulator/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::session {

/// Appends the values of a population in root ticks, one after the other, in
/// the order of the numbers that users know neurons by.
class TickAppender {
public:
  /// `numbers` are empty where they are those of the network, `ticks` the root
  /// ticks of all samples.
  TickAppender(std::vector<int64_t> numbers, uint64_t ticks)
      : numbers(std::move(numbers)), ticks(ticks) {}

  /// To `to`, or through it to `file` where there is one. A root tick has
  /// `ownTicks` of the population.
  template <typename T>
  void append(const std::vector<T> &values, uint64_t ownTicks,
              std::vector<T> &to, ValueFile *file);

private:
  const std::vector<int64_t> numbers;
  const uint64_t ticks;
  uint64_t next = 0, written = 0;
};

/// Takes the root ticks of a trace of a population one by one, in order, and
/// brings them where its values lie.
class TraceTicks {
public:
  /// `ticks` are the root ticks of all samples.
  TraceTicks(dend::NetworkOp network, const sim::TraceRequest &request,
             uint64_t ticks);

  /// What a signal of a root tick tells of the trace.
  sim::TraceData describe(const dend::Signal &signal) const;
  /// From now on values go there.
  void writeTo(std::shared_ptr<ValueFile> to) { file = std::move(to); }
  void append(const dend::Signal &signal);

  /// Empty but for its type where the values went to a file.
  Array array;

private:
  const sim::TraceRequest request;
  TickAppender appender;
  std::shared_ptr<ValueFile> file;
};

/// Takes the ticks of an output one by one, in order, and brings them where its
/// values lie.
class OutputTicks {
public:
  OutputTicks(sim::OutputData &data, dend::NetworkOp network, uint64_t ticks);

  void append(const std::vector<double> &values, const sim::OutputStore &store);

private:
  sim::OutputData &data;
  const uint64_t ticks;
  TickAppender appender;
  bool isFirst = true;
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

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_TICKARRAYS_H
