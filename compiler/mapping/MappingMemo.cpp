// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/MappingMemo.h"

#include "compiler/mapping/SearchControl.h"
#include "targets/support/Sha256.h"

#include <type_traits>

namespace neurite {

namespace {

/// Everything goes in with its length, so that no two lists of arguments look
/// alike.
class Digest {
public:
  template <typename T> Digest &add(const T &value) {
    if constexpr (std::is_arithmetic_v<T>)
      hash.add({reinterpret_cast<const char *>(&value), sizeof value});
    else
      addParts(value);
    return *this;
  }
  template <typename T> Digest &add(const std::vector<T> &values) {
    add(uint64_t(values.size()));
    if constexpr (std::is_arithmetic_v<T>)
      hash.add({reinterpret_cast<const char *>(values.data()),
                values.size() * sizeof(T)});
    else
      for (const T &value : values)
        add(value);
    return *this;
  }
  Digest &add(const std::string &text) {
    add(uint64_t(text.size()));
    hash.add(text);
    return *this;
  }
  std::string finish() { return hash.digest(); }

private:
  void addParts(const NeuronNeeds &needs) {
    add(needs.neuronBytes).add(needs.sliceBytes).add(needs.programWords);
    add(needs.program).add(needs.work.instructions);
    for (uint64_t count : needs.work.elements)
      add(count);
    for (uint64_t count : needs.work.slots)
      add(count);
  }
  void addParts(const MapRun &run) {
    addParts(static_cast<const NeuronNeeds &>(run));
    add(run.first);
  }
  void addParts(const MapSchedule &schedule) {
    add(schedule.phase).add(schedule.ticks).add(schedule.stride);
  }
  void addParts(const MapPopulation &population) {
    addParts(static_cast<const NeuronNeeds &>(population));
    add(population.name).add(population.schedule);
    add(population.grid.channels).add(population.grid.rows);
    add(population.grid.columns).add(population.size);
    add(population.decayProfile).add(population.thresholdProfile);
    add(population.accumulators).add(population.sources);
    add(population.cuts).add(population.runs);
  }
  void addParts(const MapInput &input) {
    add(input.name).add(input.size).add(input.schedule);
  }
  void addParts(const MapProjection &projection) {
    add(projection.fromInput).add(projection.source).add(projection.target);
    add(projection.delay).add(projection.weightBits).add(projection.shared);
    add(projection.convolution).add(projection.begin);
    add(projection.accumulator).add(projection.weight);
  }
  void addParts(const PlacedRange &range) {
    add(range.population).add(range.first).add(range.count);
    add(range.core).add(range.part);
  }

  Sha256 hash;
};

} // namespace

std::string digestOf(const MapNetwork &network, const Target &target,
                     const std::vector<std::string> &lifted,
                     const MappingOptions &options) {
  Digest digest;
  digest.add(network.populations).add(network.inputs).add(network.projections);
  digest.add(network.inputRate).add(network.populationRate);
  digest.add(network.period).add(network.samples).add(network.sampledTicks);
  digest.add(network.inputActivity).add(network.populationActivity);
  digest.add(network.hostOutput);
  digest.add(target.hash).add(lifted);
  digest.add(options.goal).add(options.timing).add(options.costs);
  digest.add(options.seed).add(options.seconds).add(options.maxCores);
  digest.add(options.solver).add(options.placementFile);
  digest.add(options.constraintsFile).add(options.mapFrom);
  digest.add(options.maxMoves).add(options.model).add(options.numbers);
  digest.add(options.minCores);
  return digest.finish();
}

Fit<Mapping> MappingMemo::map(const MapNetwork &network, const Target &target,
                              const std::vector<std::string> &lifted,
                              const MappingOptions &options, bool keeps) {
  const SearchControl *control = options.control.get();
  const bool isOwn = options.seconds > 0 || (control && control->reweighing);
  if (isOwn || (answers.empty() && !keeps))
    return mapNetwork(network, target, options);
  const std::string digest = digestOf(network, target, lifted, options);
  if (const auto known = answers.find(digest); known != answers.end()) {
    ++found;
    return known->second;
  }
  Fit<Mapping> answer = mapNetwork(network, target, options);
  const bool isCut = control && control->mustStop && control->mustStop();
  if (keeps && !isCut)
    answers.emplace(digest, answer);
  return answer;
}

} // namespace neurite
