// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages of a step in the order in which slices send them, for a replay.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYSTEP_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYSTEP_H

#include <cstdint>
#include <vector>

namespace dendrolith {

struct ReplayStep {
  struct Message {
    uint32_t to = 0;   ///< a slice or the host
    float service = 0; ///< ps
    bool operator==(const Message &other) const {
      return to == other.to && service == other.service;
    }
  };
  /// What one source sends at once.
  struct Burst {
    uint32_t from = 0; ///< a slice or the host; those of one follow each other
    float work = 0;    ///< ps that the engine works since the burst before
    uint32_t end = 0;  ///< of its messages, which begin where the last ones end
    bool operator==(const Burst &other) const {
      return from == other.from && work == other.work && end == other.end;
    }
  };
  uint32_t step = 0;
  /// The first of the kept steps in which the same is sent, this one if none
  /// before it: it takes as long, and is not replayed for each of them.
  uint32_t like = 0;
  std::vector<Burst> bursts;
  std::vector<Message> messages;
  std::vector<float> tail; ///< by slice, ps of work after its last burst

  bool sendsLike(const ReplayStep &other) const {
    return bursts == other.bursts && messages == other.messages &&
           tail == other.tail;
  }
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYSTEP_H
