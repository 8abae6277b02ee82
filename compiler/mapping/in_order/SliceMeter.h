// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The demand of a slice while it grows, neuron by neuron. Measuring each trial
// slice anew would read the synapses once per trial; this reads each once. A
// slice that fits as a whole needs no synapse by its target, and is measured
// source by source.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_SLICEMETER_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_SLICEMETER_H

#include "compiler/mapping/network/Demand.h"
#include "compiler/mapping/network/Kernels.h"
#include "compiler/mapping/network/ListClasses.h"
#include "compiler/mapping/network/ListFormat.h"
#include "compiler/mapping/network/Network.h"

#include <map>

namespace dendrolith {

class SliceMeter {
public:
  SliceMeter(const MapNetwork &network, const SynapseFormat &format,
             const Capacity &capacity, const EntryBytes &bytes = {});

  /// Grows a slice by neurons from `first` on, before `end`, as long as it fits
  /// a core that already holds `carry`; returns how many fit. `outRows` has the
  /// out-axons of each neuron.
  uint32_t grow(uint32_t population, uint32_t first, uint32_t end,
                const std::vector<uint32_t> &outRows, const Demand &carry);

  /// The demand of the slice that the last grow() made, which must have taken
  /// every neuron it was given.
  Demand demand() const;
  /// What the demand would have become with the first neuron that did not fit,
  /// and the resource that this exceeds.
  uint64_t refusedUse() const { return refused; }
  int refusedResource() const { return resource; }

private:
  // A list under construction. It is out of date unless its stamp is the
  // current one.
  struct List {
    uint32_t stamp = 0, nonZero = 0, first = 0, words = 0;
    uint64_t format = 0;
    uint32_t content = 0, axon = 0; // classes of one that is shared
  };
  // Synapses that are not zero, by target neuron; key = (projection, source).
  // Synapses of one key lie in order of their accumulators.
  struct FanIn {
    std::vector<uint64_t> begin;
    std::vector<uint32_t> key;
    std::vector<uint32_t> accumulator; // empty where a neuron has but one
    std::vector<int16_t> weight;       // empty where no projection is shared
  };
  /// Begins a slice anew.
  void clear();
  /// Whether neurons [first, end) fit, measured as a whole. False is no answer:
  /// that all fit does not say yet that each beginning of them does, or it has
  /// become unlikely.
  bool fitsWhole(uint32_t population, uint32_t first, uint32_t end,
                 const std::vector<uint32_t> &outRows, const Demand &carry);
  void addLists(uint32_t population, uint32_t first, uint32_t end);
  /// Whether a slice that grows keeps each format that it has had, or no number
  /// of formats is too many beside `carry`.
  bool rises(uint32_t population, const Demand &carry) const;
  /// Whether slices of so many neurons have more synapses than the network has
  /// sources to look at for each of them.
  bool isDense(uint32_t population, uint32_t neurons) const;
  /// Sorts the synapses of a population by their targets, once.
  void sortFanIn(uint32_t population);
  /// Counts the synapses of a projection by target neuron.
  void countFanIn(const MapProjection &projection);
  /// Enters them, whose first key is `key`.
  void fillFanIn(const MapProjection &projection, uint32_t key,
                 std::vector<uint64_t> &next);
  void add(uint32_t population, uint32_t neuron, uint32_t first,
           uint32_t outRows);
  void addNeuron(uint32_t population, uint32_t neuron, uint32_t first,
                 uint32_t outRows);
  void addFanIn(uint32_t population, uint32_t neuron, uint32_t first);
  /// What convolutions take whose kernels a core stores.
  void addKernels(uint32_t population, uint32_t neuron, bool isFirst);
  /// Counts what a list takes after one entry more.
  void extend(List &list, bool fresh, const ListPlan &plan);
  void extendShared(List &list, bool fresh, size_t projection, ListEntry entry,
                    const ListPlan &plan);
  bool fits(const Demand &carry);
  Demand sumsOfSlice() const; // a demand without sets

  const MapNetwork &network;
  std::vector<ListPlanner> planners; // by projection
  const Capacity &capacity;
  const EntryBytes bytes;
  const SynapseFormat &format;
  std::vector<FanIn> fanIn;       // by population, of those that are sorted
  std::vector<uint32_t> firstKey; // by projection
  // By key, the synapse of its source at which the last whole slice ended; by
  // population, the neuron.
  std::vector<uint32_t> ends, endOf;
  std::vector<uint32_t> tooMany; // neurons that last did not fit
  std::vector<List> lists;       // by key
  std::vector<const MapProjection *> projectionOf; // by key
  struct Kernel {
    const MapProjection *projection;
    KernelMeter meter;
  };
  std::vector<std::vector<Kernel>> kernels; // by population
  // Shared lists: those of equal content, and those of equal content and place,
  // which have one in-axon.
  ListClasses contents, axons;
  std::vector<uint32_t> emptied; // of `axons`, by the neuron being added
  uint32_t stamp = 0;            // fewer slices are tried than it counts

  std::array<uint64_t, numSums> sums{}; // neither bytes of entries nor shared
  std::vector<Shared> shared;
  const NeuronNeeds *like = nullptr; // those of the neuron before
  std::array<std::map<uint64_t, uint64_t>, numSets> sets; // member, count
  uint64_t refused = 0;
  int resource = numResources;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_SLICEMETER_H
