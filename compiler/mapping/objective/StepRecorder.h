// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the messages of some of the sampled steps while lists are read, in the
// order in which they are sent.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPRECORDER_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_STEPRECORDER_H

#include "compiler/mapping/objective/ChipModel.h"
#include "compiler/mapping/objective/StepClock.h"

#include <cstdint>
#include <vector>

namespace dendrolith {

// How long neurons take to update in each sampled tick. A neuron without input
// and with nothing in its states is visited more cheaply, so that it matters
// which neurons are active.

class Visits {
public:
  /// A neuron counts as active from the first tick of a sample on in which one
  /// of its sources reaches it: leaks take longer than most samples to end.
  /// `network`, `clock` and `model` must outlive this.
  Visits(const MapNetwork &network, const StepClock &clock,
         const ChipModel &model);

  /// What neurons [first, end) of a population take, by bit of the tick: ps and
  /// pJ.
  struct Load {
    std::array<double, 64> time{}, energy{};
  };
  Load of(uint32_t population, uint32_t first, uint32_t end) const;

  /// ps of one neuron in the tick of `bit`.
  double time(uint32_t population, uint32_t neuron, uint32_t bit) const;

  /// ps per step of one neuron, on average.
  double meanTime(uint32_t population, uint32_t neuron) const;

private:
  void findActive();
  uint64_t activeTicks(uint32_t population, uint32_t neuron) const {
    return active.empty() ? ~uint64_t(0) : active[population][neuron];
  }

  const MapNetwork &network;
  const StepClock &clock;
  const ChipModel &model;
  // By population and neuron, the ticks; empty where it makes no difference.
  std::vector<std::vector<uint64_t>> active;
};

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
