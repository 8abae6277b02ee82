// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program image decoded once into flat arrays that every engine shares and
// nothing changes after the constructor. Accumulators, groups, in-axons and
// sources are each numbered through the whole program, core after core. There
// is an accumulator for each element of a neuron's ports, and one for a
// fixed-function neuron. A source is whatever emits: the elements of the inputs
// first, two each where an input is split, then the outputs of the neurons.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_MACHINE_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_MACHINE_H

#include "runtime/image/Program.h"
#include "runtime/image/Tables.h"
#include "runtime/image/TickSchedule.h"
#include "simulator/functional/delivery/Traffic.h"
#include "simulator/functional/machine/BucketLayout.h"
#include "simulator/functional/machine/InAxonTable.h"
#include "simulator/functional/neuron/Cuba.h"
#include "simulator/functional/neuron/Microcode.h"
#include "targets/support/Span.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace dendrolith::sim {

class Machine {
public:
  struct Core {
    uint32_t id = 0; // in the target
    uint32_t firstAccumulator = 0, accumulators = 0;
    uint32_t firstGroup = 0, groups = 0; // visiting order
    uint32_t firstAxon = 0, axons = 0;   // in-axons
  };

  /// A part of a group that an output of the program shows. A group whose
  /// program lacks the output's state has none, and the output reads 0 there.
  struct OutputPart {
    uint32_t output = 0; // index into outputs()
    uint32_t part = 0;   // index of the neuron's output or state (u, v)
  };

  /// A state of a group whose range calibration found, so that it is watched.
  struct Watched {
    uint32_t part = 0;  // index of the state (u, v)
    uint32_t state = 0; // index into the population's `calibrated`
  };

  /// Neurons of one population on one core that share their engine.
  struct Group {
    uint32_t core = 0; // index into cores()
    uint32_t population = 0;
    uint64_t firstNeuron = 0;  // of the population, as cores hold them
    uint32_t count = 0;        // neurons
    uint32_t accumulators = 1; // of each neuron
    uint32_t sources = 1;      // of each neuron
    // The first accumulator and source of neuron 0; all others follow.
    uint32_t firstAccumulator = 0, source = 0;
    TickSchedule schedule;
    CubaGroup cuba;
    std::shared_ptr<const MicroProgram> micro; // null for a cuba group
    // Where the group's part of State's arrays begins.
    size_t words = 0, held = 0, left = 0;
    uint32_t units = 0;     // values of a neuron that leave unit by unit
    uint32_t sendSteps = 1; // steps over which an emission leaves
    std::vector<OutputPart> outputs;
    std::vector<Watched> watched;

    size_t allAccumulators() const { return size_t(count) * accumulators; }
    uint32_t sourceOf(uint32_t neuron, uint32_t part) const {
      return source + neuron * sources + part;
    }
  };

  /// One mesh message that a source's emission causes.
  struct Message {
    uint32_t axon = 0; // index into axons(), which know its core
  };

  struct Input {
    std::string name;
    std::vector<uint64_t> shape;
    uint64_t size = 0;   // product of the shape
    uint32_t source = 0; // the first of element 0
    TickSchedule schedule;
    bool integer = false; // else its values are 0 and 1
    bool unary = false;   // integers travel as unit spikes
    bool split = false;   // negative ones by a second source of the element
    bool graded = false;  // integers travel as payloads
    int64_t low = 0, high = 1;
    double scale = 1;
    uint32_t payloadBits = 1;

    uint32_t sources() const {
      return static_cast<uint32_t>(split ? 2 * size : size);
    }
  };

  struct Population {
    std::string name;
    uint64_t size = 0;
    uint64_t ticks = 1;            // ticks of its clock per root tick
    std::vector<uint32_t> numbers; // the model's of each neuron, if others
    std::vector<uint32_t> groups;  // rising by first neuron
    std::vector<std::string> calibrated; // states that are watched

    /// The number by which users know a neuron.
    uint64_t numberOf(uint64_t neuron) const {
      return numbers.empty() ? neuron : numbers[neuron];
    }
  };

  struct Output {
    std::string name;
    image::Output::Kind kind = image::Output::SPIKES;
    uint32_t population = 0;
    std::vector<uint64_t> shape;
    double scale = 1;      // integer units per real unit of a state
    uint32_t elements = 1; // that a neuron has
    uint32_t payloadBits = 1;
  };

  /// Whether axons(), weights(), offsets() and messages() are there. An engine
  /// that serves no messages has its own form of them (Rows.h), which is much
  /// smaller, and has a layout() of its own. An engine that lets messages
  /// travel beside such rows needs to know where they go and how long they are
  /// served. With Timed there are no weights() and offsets(), and in-axons that
  /// are served alike are one.
  enum class Lists { Kept, Timed, Left };

  /// `program` has passed validate(). Throws Error for what only an engine
  /// cannot do (more than 2^32 - 1 accumulators, sources or in-axons).
  explicit Machine(const image::Program &program, Lists lists = Lists::Kept);

  const std::vector<Core> &cores() const { return coreTable; }
  const std::vector<Group> &groups() const { return groupTable; }
  const InAxonTable &axons() const { return axonTable; }
  const std::vector<Input> &inputs() const { return inputTable; }
  const std::vector<Output> &outputs() const { return outputTable; }
  const std::vector<Population> &populations() const { return populationTable; }
  const std::vector<int16_t> &weights() const { return weightTable; }
  const std::vector<uint32_t> &offsets() const { return offsetTable; }
  /// By weight, how many steps later it comes than its in-axon says; empty
  /// where no entry has a delay of its own.
  const std::vector<uint16_t> &entryDelays() const { return delayTable; }

  /// Calls visit(steps, entries), by steps, for the entries of an in-axon's
  /// list that come so much later than those without a delay.
  template <class Visit>
  void forEachDelay(const Axon &axon, Visit visit) const {
    if (!axon.later)
      return visit(uint32_t(axon.delay), axon.count);
    for (const Delayed &each : delayedTable[axon.later - 1])
      visit(axon.delay + each.steps, each.entries);
  }

  uint32_t accumulators() const { return numAccumulators; }
  uint32_t sources() const { return numSources; }

  /// The population whose neurons hold an accumulator of the core.
  uint32_t populationAt(uint32_t core, uint32_t accumulator) const;

  /// What an emission of `source` sends, in out-axon order.
  Span<Message> messages(uint32_t source) const {
    return {rows.data() + rowBegin[source], rows.data() + rowBegin[source + 1]};
  }
  /// The index of the core that serves a message.
  uint32_t coreOf(const Message &message) const {
    return axonTable.coreOf(message.axon);
  }

  /// How many steps a run of `ticks` ticks takes: (ticks - 1) period + depth,
  /// and none for no tick.
  uint64_t stepsOf(uint64_t ticks) const {
    return ticks == 0 ? 0 : (ticks - 1) * numPeriod + numDepth;
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

  /// How many steps lie between tick q - 1 and tick q, q > 0.
  uint64_t gap(const TickSchedule &schedule, uint64_t q) const {
    return q % schedule.ticks == 0
               ? numPeriod - (schedule.ticks - 1) * schedule.stride
               : schedule.stride;
  }

  /// How many steps lie between two root ticks, and how many one tick takes
  /// from input to output.
  uint64_t period() const { return numPeriod; }
  uint64_t depth() const { return numDepth; }

  // These are the sizes of State's arrays for microcode groups.
  size_t stateWords() const { return numStateWords; }
  size_t heldSums() const { return numHeldSums; }
  size_t leftUnits() const { return numLeftUnits; }

  /// Whether a state keeps its value from sample to sample, so that samples
  /// must run in order.
  bool carriesState() const { return keepsState; }

private:
  /// Finds the last tick at or before `step`, and the steps since. False if the
  /// run has no tick then.
  bool lastTick(const TickSchedule &schedule, uint64_t step, uint64_t ticks,
                uint64_t &tick, uint64_t &since) const {
    if (step < schedule.phase)
      return false;
    uint64_t root = (step - schedule.phase) / numPeriod;
    uint64_t rest = (step - schedule.phase) % numPeriod;
    uint64_t part = std::min(rest / schedule.stride, schedule.ticks - 1);
    tick = root * schedule.ticks + part;
    since = rest - part * schedule.stride;
    return root < ticks;
  }

  /// Entries of a list that fall due together.
  struct Delayed {
    uint32_t steps = 0, entries = 0;
    bool operator<(const Delayed &other) const {
      return std::tie(steps, entries) < std::tie(other.steps, other.entries);
    }
  };

  void reserveLists(const image::Program &program);
  void addInputs(const image::Program &program);
  void addPopulations(const image::Program &program);
  void addCore(const image::Core &core);
  void addGroup(const image::Group &group, const image::Core &image,
                uint32_t core);
  void addCuba(const image::Cuba &image, CubaGroup &cuba);
  void addWatched(Group &group) const;
  void addMicrocode(const image::Group &image, const image::Core &core,
                    Group &group);
  void addOutputs(const image::Program &program);
  void addLists(const image::Core &core);
  /// Numbers what the delays of a list's entries are, as Axon::later has it.
  uint32_t laterOf(const uint16_t *delays, uint32_t count);
  void addAxons(const image::Axons &axons);
  void addMessages(const image::Program &program);
  void sortPopulations();

  std::vector<Core> coreTable;
  std::vector<Group> groupTable;
  InAxonTable axonTable;
  std::vector<Input> inputTable;
  std::vector<Output> outputTable;
  std::vector<Population> populationTable;
  std::vector<int16_t> weightTable;
  std::vector<uint32_t> offsetTable;
  std::vector<uint16_t> delayTable;
  std::vector<std::vector<Delayed>> delayedTable; // by Axon::later, less 1
  std::map<std::vector<Delayed>, uint32_t> laterNumbers;
  std::vector<uint64_t> rowBegin = {0}; // by source, and the end
  std::vector<Message> rows;
  // By in-axon, while the constructor runs: where it is in the table of those
  // that are served alike.
  std::vector<uint32_t> kindOfAxon;
  std::map<std::string, uint32_t> populationIndex;
  uint32_t numAccumulators = 0, numSources = 0;
  uint64_t numPeriod = 1, numDepth = 1;
  size_t numStateWords = 0, numHeldSums = 0, numLeftUnits = 0;
  bool keepsState = false;
  Lists lists = Lists::Kept;
};

/// The layout that the lists of a machine need which has them.
BucketLayout layoutOf(const Machine &machine);

/// The traffic of a machine with lists, in which every in-axon is a kind.
class ListTraffic : public Traffic {
public:
  explicit ListTraffic(const Machine &machine) : machine(machine) {}
  size_t kinds() const override { return machine.axons().size(); }
  Delivery delivery(size_t kind) const override;
  std::vector<Messages> sum(SourceRange sources,
                            const uint64_t *times) const override;
  void kindsOf(uint32_t source, std::vector<size_t> &kinds) const override;

private:
  const Machine &machine;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_MACHINE_H
