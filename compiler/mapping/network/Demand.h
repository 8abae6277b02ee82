// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What neurons ask of a core, and what a core of the target has.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_DEMAND_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_DEMAND_H

#include "compiler/mapping/network/Network.h"
#include "targets/loader/Target.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace dendrolith {

/// Resources of a core. Those before DecayProfiles add up over the slices of a
/// core; from there on they are tables of distinct entries that slices share.
enum Resource {
  /// A neuron takes one. The chip's limit on them is `compartments_per_core`,
  /// as Loihi's manuals call them; messages count neurons.
  NeuronSlots,
  SynapseWords,
  InAxons,
  OutAxons,
  CoreBytes,
  ProgramWords,
  DecayProfiles,
  ThresholdProfiles,
  SynapseFormats,
  numResources
};
constexpr int numSums = DecayProfiles;
constexpr int numSets = numResources - numSums;

struct ResourceName {
  const char *name, *unit;
  const char *counted; // what a number of it is followed by
  const char *limit;   // key in the chip file and of --override-limit
  const char *less;    // what lowers the demand
};
const ResourceName &describe(Resource resource);

constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();

/// Bytes that one entry of each table takes of a core's one memory, where the
/// chip has one budget for all.
struct EntryBytes {
  uint64_t synapseWord = 0, inAxon = 0, outAxon = 0, instruction = 0;
  EntryBytes() = default;
  explicit EntryBytes(const Target &target);
};

/// Per core, `unlimited` where the target states no limit.
struct Capacity {
  std::array<uint64_t, numResources> of;
  Capacity() { of.fill(unlimited); }
  explicit Capacity(const Target &target);
};

/// Something that slices may have in common, and that a core then holds once: a
/// program, or the shared parameters of a population.
struct Shared {
  uint64_t id = 0;
  uint64_t programWords = 0, coreBytes = 0;
};

/// What a slice or a core takes of each resource. The entries of `shared` are
/// counted in `sums`.
struct Demand {
  std::array<uint64_t, numSums> sums{};
  std::vector<Shared> shared;                      // rising, unique ids
  std::array<std::vector<uint64_t>, numSets> sets; // rising, unique

  /// Bytes of the synapses and axons counted so far, added to CoreBytes.
  void addEntryBytes(const EntryBytes &bytes);
  /// Adds those of the entries, which have rising ids, that are not there yet
  /// to `shared` and `sums`.
  void addShared(const std::vector<Shared> &entries);

  uint64_t used(int resource) const {
    return resource < numSums ? sums[resource]
                              : sets[resource - numSums].size();
  }
  void add(const Demand &other);
  /// The part of add() that concerns sums: no table of distinct entries.
  void addSums(const Demand &other);
};

/// Adds an entry to sums, or takes it off.
void addTo(std::array<uint64_t, numSums> &sums, const Shared &entry);
void takeFrom(std::array<uint64_t, numSums> &sums, const Shared &entry);

/// A sorted set of few members, which are mostly there already.
class SmallSet {
public:
  void insert(uint64_t member) {
    for (uint64_t known : members)
      if (known == member)
        return;
    members.insert(std::upper_bound(members.begin(), members.end(), member),
                   member);
  }
  auto begin() const { return members.begin(); }
  auto end() const { return members.end(); }
  size_t size() const { return members.size(); }

private:
  std::vector<uint64_t> members;
};

/// The profile of a neuron; a population that names none has one to itself.
uint64_t profileOf(const std::vector<uint32_t> &profiles, uint32_t population,
                   uint32_t neuron);

/// What neurons [first, end) of the population may have in common with others
/// on their core: programs and parameters.
std::vector<Shared> sharedOf(const MapNetwork &network, uint32_t population,
                             uint32_t first, uint32_t end,
                             const EntryBytes &bytes);

/// How many members the two sorted sets have together.
uint64_t unionSize(const std::vector<uint64_t> &a,
                   const std::vector<uint64_t> &b);

/// The sums of `b`, less what `a` holds already and both share.
std::array<uint64_t, numSums> beyond(const Demand &a, const Demand &b);

/// The first resource of which a and b together take more than there is, or
/// numResources when they fit.
int exceeded(const Demand &a, const Demand &b, const Capacity &capacity);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_DEMAND_H
