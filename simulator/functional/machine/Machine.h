// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program image decoded once into flat arrays that every engine shares and
// none changes. Compartments of all cores are numbered through ("positions"),
// and so are groups, in-axons and sources (whatever emits: an input's elements
// first, then the neurons of the groups).

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_MACHINE_MACHINE_H
#define NEURITE_SIMULATOR_FUNCTIONAL_MACHINE_MACHINE_H

#include "runtime/image/Program.h"
#include "runtime/image/Tables.h"
#include "runtime/image/TickSchedule.h"
#include "simulator/functional/delivery/Traffic.h"
#include "simulator/functional/neuron/Cuba.h"
#include "simulator/functional/neuron/Microcode.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace neurite::sim {

/// Consecutive elements of an array owned by somebody else.
template <typename T> struct Range {
  const T *first = nullptr, *last = nullptr;
  const T *begin() const { return first; }
  const T *end() const { return last; }
  size_t size() const { return last - first; }
  const T &operator[](size_t i) const { return first[i]; }
};

/// Bits that hold every value of [low, high]: two's complement if low < 0.
uint32_t payloadBits(int64_t low, int64_t high);

class Machine {
public:
  struct Core {
    uint32_t id = 0;       // in the target
    uint32_t position = 0; // of its compartment 0
    uint32_t compartments = 0;
    uint32_t firstGroup = 0, groups = 0; // visiting order
    uint32_t firstAxon = 0, axons = 0;   // in-axons
  };

  /// A group's part of an output. A state that its program lacks is not shown:
  /// it reads 0.
  struct Shown {
    uint32_t output = 0; // index into outputs()
    uint32_t part = 0;   // index of the neuron's output or state (u, v)
  };

  struct Group {
    uint32_t core = 0; // index into cores()
    uint32_t population = 0;
    uint64_t firstNeuron = 0;  // in the population
    uint32_t count = 0;        // neurons
    uint32_t accumulators = 1; // of a neuron
    uint32_t sources = 1;      // of a neuron
    uint32_t position = 0; // of neuron 0's first accumulator; the others follow
    uint32_t source = 0;   // of neuron 0's first source; the others follow
    TickSchedule schedule;
    CubaGroup cuba;
    std::shared_ptr<const MicroProgram> micro; // null: cuba
    // Where its part of State's arrays begins.
    size_t words = 0, held = 0, left = 0;
    uint32_t units = 0;         // values of a neuron that leave unit by unit
    uint32_t sendSteps = 1;     // over which an emission leaves
    std::vector<Shown> outputs; // of the program: what they show of it

    size_t positions() const { return size_t(count) * accumulators; }
    uint32_t sourceOf(uint32_t neuron, uint32_t part) const {
      return source + neuron * sources + part;
    }
  };

  struct Axon {
    uint64_t weight = 0;   // first index into weights()
    uint64_t offset = 0;   // first index into offsets(), if not dense
    uint32_t position = 0; // of the list's compartment 0
    uint32_t count = 0;    // entries
    uint32_t words = 0;    // of synapse memory
    uint32_t core = 0;     // index into cores()
    uint16_t delay = 0;    // c
    ListKind kind = ListKind::Dense;
    uint8_t shift = 0;
  };

  /// One mesh message that a source's emission causes.
  struct Message {
    uint32_t core = 0; // index into cores()
    uint32_t axon = 0; // index into axons()
  };

  struct Input {
    std::string name;
    std::vector<uint64_t> shape;
    uint64_t size = 0;   // product of the shape
    uint32_t source = 0; // of element 0
    TickSchedule schedule;
    bool graded = false; // of kind INTEGER
    int64_t low = 0, high = 1;
    double scale = 1;
    uint32_t payloadBits = 1;
  };

  struct Population {
    std::string name;
    uint64_t size = 0;
    uint64_t ticks = 1;            // per root tick
    std::vector<uint32_t> numbers; // in the model's file; empty = the same
    std::vector<uint32_t> groups;  // in order of neurons
  };

  struct Output {
    std::string name;
    image::Output::Kind kind = image::Output::SPIKES;
    uint32_t population = 0;
    std::vector<uint64_t> shape;
    double scale = 1;      // integer units per real unit of a state
    uint32_t elements = 1; // of a neuron
    uint32_t payloadBits = 1;
  };

  /// Buckets of 32 bits (CountedSums.h), if no sum leaves them.
  struct Counted {
    unsigned bits = 0; // that count contributions; 0 = another form
    unsigned shift = 0;
    int32_t sum(uint32_t word) const {
      return static_cast<int32_t>(
          static_cast<uint32_t>(static_cast<int32_t>(word) >> bits) << shift);
    }
    uint32_t mask() const { return (1u << bits) - 1; }
  };

  /// Whether axons(), weights(), offsets() and messages() are there. An engine
  /// that serves no messages has its own form of them (Rows.h), which is much
  /// smaller, and sets maxDelay, firstWindow and counted.
  enum class Lists { Kept, Left };

  /// `program` has passed validate(). Throws Error for what only an engine
  /// cannot do (more than 2^32 - 1 compartments, sources or in-axons).
  explicit Machine(const image::Program &program, Lists lists = Lists::Kept);

  const std::vector<Core> &cores() const { return coreTable; }
  const std::vector<Group> &groups() const { return groupTable; }
  const std::vector<Axon> &axons() const { return axonTable; }
  const std::vector<Input> &inputs() const { return inputTable; }
  const std::vector<Output> &outputs() const { return outputTable; }
  const std::vector<Population> &populations() const { return populationTable; }
  const std::vector<int16_t> &weights() const { return weightTable; }
  const std::vector<uint32_t> &offsets() const { return offsetTable; }

  uint32_t positions() const { return numPositions; }
  uint32_t sources() const { return numSources; }

  /// What an emission of `source` sends, in out-axon order.
  Range<Message> messages(uint32_t source) const {
    return {rows.data() + rowBegin[source], rows.data() + rowBegin[source + 1]};
  }

  /// Steps of a run of `ticks` ticks: (ticks - 1) period + depth; 0 for none.
  uint64_t stepsOf(uint64_t ticks) const {
    return ticks == 0 ? 0 : (ticks - 1) * period + depth;
  }

  /// Whether a group or input of that schedule acts in `step` of a run of
  /// `ticks` root ticks, and for which tick of its own.
  bool tickAt(const TickSchedule &schedule, uint64_t step, uint64_t ticks,
              uint64_t &tick) const {
    uint64_t since = 0;
    return lastTick(schedule, step, ticks, tick, since) && since == 0;
  }

  /// Whether a group sends what is left of an earlier emission in `step`, and
  /// of which tick.
  bool sendsAt(const Group &group, uint64_t step, uint64_t ticks,
               uint64_t &tick) const {
    uint64_t since = 0;
    return group.sendSteps > 1 &&
           lastTick(group.schedule, step, ticks, tick, since) && since > 0 &&
           since < group.sendSteps;
  }

  /// The steps, modulo the period, in which a group is updated or has units to
  /// send; rising.
  std::vector<uint64_t> stepsOfGroup(uint32_t group) const;

  /// Steps from the tick before to tick q, q > 0.
  uint64_t gap(const TickSchedule &schedule, uint64_t q) const {
    return q % schedule.ticks == 0
               ? period - (schedule.ticks - 1) * schedule.stride
               : schedule.stride;
  }

  uint64_t period = 1, depth = 1;
  uint32_t maxDelay = 0; // largest c
  // Sizes of State's arrays for microcode groups.
  size_t stateWords = 0, heldSums = 0, leftUnits = 0;
  bool carriesState = false; // from sample to sample: they run in order
  /// How many steps before a group's first visit an accumulation can fall due:
  /// a visit consumes the buckets due since the one before, the first one those
  /// of `firstWindow` steps.
  uint64_t firstWindow = 1;
  Counted counted;

private:
  /// The last tick at or before `step`, and the steps since.
  bool lastTick(const TickSchedule &schedule, uint64_t step, uint64_t ticks,
                uint64_t &tick, uint64_t &since) const {
    if (step < schedule.phase)
      return false;
    uint64_t root = (step - schedule.phase) / period;
    uint64_t rest = (step - schedule.phase) % period;
    uint64_t part = std::min(rest / schedule.stride, schedule.ticks - 1);
    tick = root * schedule.ticks + part;
    since = rest - part * schedule.stride;
    return root < ticks;
  }

  void addInputs(const image::Program &program);
  void addPopulations(const image::Program &program);
  void addCore(const image::Core &core);
  void addGroup(const image::Group &group, const image::Core &image,
                uint32_t core);
  void addCuba(const image::Cuba &image, CubaGroup &cuba);
  void addMicrocode(const image::Group &image, const image::Core &core,
                    Group &group);
  void addOutputs(const image::Program &program);
  void addLists(const image::Core &core, Core &into);
  void addAxons(const image::Axons &axons);
  void resolveRows();
  void findWindow();

  std::vector<Core> coreTable;
  std::vector<Group> groupTable;
  std::vector<Axon> axonTable;
  std::vector<Input> inputTable;
  std::vector<Output> outputTable;
  std::vector<Population> populationTable;
  std::vector<int16_t> weightTable;
  std::vector<uint32_t> offsetTable;
  std::vector<uint64_t> rowBegin = {0}; // sources + 1
  std::vector<Message> rows;            // while building: core ids, local axons
  std::map<std::string, uint32_t> populationIndex;
  uint32_t numPositions = 0, numSources = 0;
  const bool keeps; // lists
};

/// The messages of a machine with lists.
class ListTraffic : public Traffic {
public:
  explicit ListTraffic(const Machine &machine) : machine(machine) {}
  /// In-axons.
  size_t kinds() const override { return machine.axons().size(); }
  Delivery delivery(size_t kind) const override;
  std::vector<Messages> sum(SourceRange sources,
                            const uint64_t *times) const override;

private:
  const Machine &machine;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_MACHINE_MACHINE_H
