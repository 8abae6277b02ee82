// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cores and host sent in an earlier run, timed anew.

#ifndef DENDROLITH_SIMULATOR_TIMING_WORK_RECORDEDWORK_H
#define DENDROLITH_SIMULATOR_TIMING_WORK_RECORDEDWORK_H

#include "simulator/timing/messages/ServiceTimes.h"
#include "simulator/timing/work/WorkRecord.h"
#include "simulator/timing/work/WorkSource.h"

#include <string_view>
#include <vector>

namespace dendrolith::sim {

class RecordedWork final : public WorkSource {
public:
  /// `record` is what WorkRecord::bytes() gave in a run of the same program,
  /// `record` is what WorkRecord::bytes() gave in a run of the same program,
  /// and outlives this; where it is the later part of a sample or of all,
  /// `earlier` has what was before. Throws Error where it is of another
  /// program.
  RecordedWork(const Machine &machine, const Target &target,
               const CoreTimings &timings, std::string_view record,
               const Earlier &earlier = {});

  uint64_t samples() const override { return numSamples; }
  uint64_t ticksOf(uint64_t sample) const override {
    return numTicks ? numTicks : eventsOf[sample];
  }
  uint64_t update(uint32_t core, uint64_t sample, uint64_t step,
                  MessageStream &stream) override;
  void inject(uint64_t sample, uint64_t step, MessageStream &stream) override;
  void endSample(uint64_t) override {}

private:
  /// A piece of work: how long it takes, and how many emissions are in it.
  struct Timed {
    uint64_t ps = 0, emissions = 0;
  };
  struct Stream {
    std::vector<Timed> pieces;
    RecordReader steps;
    uint32_t source = 0; // the last one
  };
  static const Timed &pieceOf(const Stream &stream, uint64_t piece) {
    if (piece >= stream.pieces.size())
      RecordReader::fail();
    return stream.pieces[piece];
  }
  MessageStream::Burst burstOf(uint32_t source) const;
  bool before(uint32_t endpoint, uint64_t step, MessageStream &to) const;

  const Machine &machine;
  const Earlier earlier;
  uint64_t numSamples = 0, numTicks = 0;
  std::vector<uint64_t> eventsOf;    // by sample, where they are the ticks
  std::vector<Stream> streams;       // by core, then the host's
  std::vector<uint32_t> flits;       // of a message, by source
  std::vector<uint32_t> flitsToHost; // by output
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_WORK_RECORDEDWORK_H
