// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the messages of some of the sampled steps while lists are read, in the
// order in which they are sent.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPRECORDER_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPRECORDER_H

#include "compiler/mapping/objective/Visits.h"

#include <cstdint>
#include <vector>

namespace dendrolith {

// The messages of a step in the order in which slices send them, for a replay.

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

class StepRecorder {
public:
  /// All of these must outlive this. Nothing is kept where only rates are
  /// known.
  StepRecorder(const MapNetwork &network, const StepClock &clock,
               const Visits &visits, const ChipModel &model);

  /// A slice of a population, slices in order; `first` and `end` are neurons.
  void openSlice(uint32_t population, uint32_t slice, uint32_t first);
  void closeSlice(uint32_t slice, uint32_t end);

  /// What an element of the open slice, or of an input (the host), sends in a
  /// step: messages to cores, and then so many to the host.
  void emit(uint32_t step, uint32_t slice, uint32_t element,
            const std::vector<ReplayStep::Message> &messages, uint32_t toHost);

  std::vector<ReplayStep> take();

private:
  /// The engine of the open slice in a step that is kept.
  struct Engine {
    int bit = -1;        // of the tick in which the slice updates; -1: not
    uint32_t neuron = 0; // the next one to visit
    double work = 0;     // ps since the last burst
  };
  void advance(Engine &engine, uint32_t end) const;
  void keepFew();

  const MapNetwork &network;
  const StepClock &clock;
  const Visits &visits;
  const double spikeEmit;
  std::vector<ReplayStep> kept;
  std::vector<int> place;      // by step, in `kept`; -1 for none
  std::vector<Engine> engines; // as `kept`
  uint32_t population = 0;     // of the open slice
  size_t all = 0;              // messages
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPRECORDER_H
