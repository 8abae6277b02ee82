// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps what cores and host send in a run, without any time, in few bytes. Of a
// message only its source is kept, for the program knows the rest. Work is kept
// once for all places where the same lies between two messages, which is most
// of them: neurons of a layer do the same.
//
// The bytes: samples, ticks (0 and those of each sample where they differ), and
// the number of cores; then for each core its
// pieces of work (how many, and of each how many kinds, kind and count), and
// its steps as bytes with their number in front; then the host's. A step is the
// number of messages, the piece behind the last one, and for each message the
// piece before it and what it is: twice the distance from the source before,
// where an odd number is twice an output of the program, and 1. A step of the
// host has for each input the distance and how many messages it makes. All are
// numbers of seven bits a byte, the lowest first; a distance d is 2 d, or
// - 2 d - 1 where it is negative.

#ifndef DENDROLITH_SIMULATOR_TIMING_WORK_WORKRECORD_H
#define DENDROLITH_SIMULATOR_TIMING_WORK_WORKRECORD_H

#include "runtime/host/Wire.h"
#include "simulator/functional/machine/Inputs.h"
#include "targets/loader/Target.h"
#include "targets/support/Time.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::sim {

// How long the work of a core's update engine takes. Work is told in numbers
// without a time, by kind, so that it can be kept and timed again.

/// Kinds of work that a core has: updates and emissions and, for each of its
/// groups, runs of each part of the group's program (MicroProgram::parts()).
namespace work {
enum WorkKind : uint32_t { Active, Inactive, Emission, FirstProgram };
} // namespace work

/// Work between two messages: kinds and how much of each, rising.
using WorkPiece = std::vector<std::pair<uint32_t, uint64_t>>;

/// The first kind of each group of a core, and the end of all.
std::vector<uint32_t> kindsOfGroups(const Machine &machine, uint32_t core);

class WorkTimes {
public:
  /// `timing` is the set as the core has it.
  WorkTimes(const Machine &machine, uint32_t core, const Target &target,
            const TimingSet &timing);

  /// How many kinds there are.
  uint32_t kinds() const { return static_cast<uint32_t>(each.size()); }
  /// In ps.
  uint64_t of(uint32_t kind, uint64_t count) const {
    return times(count, each[kind]);
  }
  uint64_t of(const WorkPiece &piece) const {
    uint64_t sum = 0;
    for (const auto &[kind, count] : piece)
      sum = plus(sum, of(kind, count));
    return sum;
  }

private:
  std::vector<uint64_t> each; // ps, by kind
};

/// What was before the later part of a record; by core, and at last the host.
struct Earlier {
  uint64_t steps = 0;            // of the part's first sample
  std::vector<uint32_t> sources; // the last one
  std::vector<uint64_t> sent;    // the last step with messages, and 1
};

class WorkRecord {
public:
  explicit WorkRecord(size_t cores) : streams(cores + 1) {}

  /// A core sends, after so much work, the messages of a source or the value of
  /// an output.
  void send(uint32_t core, const WorkPiece &before, uint32_t source);
  void sendToHost(uint32_t core, const WorkPiece &before, uint32_t output);
  void endStep(uint32_t core, const WorkPiece &behind);

  /// The host sends the messages of a source several times.
  void inject(uint32_t source, uint64_t times);
  void endInjections();

  /// Where all streams are between two steps.
  struct Mark {
    std::vector<uint64_t> bytes;
    Earlier earlier;
  };
  /// `sent` is that of Earlier.
  Mark mark(const std::vector<uint64_t> &sent) const;
  /// Writes what a core, or the host, sent from one mark to another, and reads
  /// it into a record and what was earlier than that (runtime/host/Wire.h).
  void write(Writer &writer, uint32_t endpoint, const Mark &from,
             const Mark &to) const;
  void read(Reader &reader, uint32_t endpoint, Earlier &earlier);

  /// All of it.
  std::string bytes(const Inputs &inputs) const;
  std::string bytes(uint64_t samples, uint64_t ticks,
                    const std::vector<uint64_t> &eventsOf = {}) const;

private:
  struct Stream {
    std::map<WorkPiece, uint64_t> pieces;
    std::string steps, step;
    uint64_t messages = 0; // in the step
    uint32_t source = 0;   // the last one
    std::vector<const WorkPiece *> inOrder() const;
  };
  static uint64_t numberOf(Stream &stream, const WorkPiece &piece);
  static void close(Stream &stream);

  std::vector<Stream> streams; // by core, then the host's
};

/// The numbers of a record, one after the other.
class RecordReader {
public:
  RecordReader(const char *at, const char *end) : at(at), end(end) {}

  /// Throws Error at the end.
  uint64_t next() {
    uint64_t value = 0;
    for (unsigned shift = 0; at != end && shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at++);
      value |= uint64_t(byte & 127) << shift;
      if (byte < 128)
        return value;
    }
    fail();
  }
  /// A source, `before` being the last one.
  uint32_t source(uint64_t distance, uint32_t before) const {
    const uint64_t away = distance >> 1;
    return static_cast<uint32_t>(distance & 1 ? before - away - 1
                                              : before + away);
  }
  /// The next bytes, whose number stands before them.
  RecordReader part();
  bool atEnd() const { return at == end; }
  [[noreturn]] static void fail();

private:
  const char *at, *end;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_WORK_WORKRECORD_H
