// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/MappingMemo.h"

#include "compiler/mapping/network/MappingOptions.h"
#include "runtime/host/SpareThreads.h"
#include "targets/support/Sha256.h"

#include <mutex>

#include <type_traits>

namespace dendrolith {

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
  void addParts(const MapKernel &kernel) {
    add(kernel.taps).add(kernel.sources).add(kernel.group);
    add(kernel.inAxons).add(kernel.channel).add(kernel.place);
    add(kernel.inAxon);
  }
  void addParts(const MapProjection &projection) {
    add(projection.fromInput).add(projection.source).add(projection.target);
    add(projection.delay).add(projection.weightBits).add(projection.shared);
    add(projection.convolution).add(projection.begin);
    add(projection.accumulator).add(projection.weight);
    add(projection.delays).add(projection.kernel);
  }
  void addParts(const PlacedRange &range) {
    add(range.population).add(range.first).add(range.count);
    add(range.core).add(range.part);
  }

  Sha256 hash;
};

/// Several searches, of which their watcher sees one.
class WatchedTogether {
public:
  WatchedTogether(const std::vector<MapRequest> &asked, unsigned threads)
      : threads(std::make_shared<SpareThreads>(threads)) {
    for (const MapRequest &each : asked)
      if (!watcher)
        watcher = each.options.control;
    if (watcher && watcher->onBegin)
      watcher->onBegin();
  }
  ~WatchedTogether() {
    if (watcher && watcher->onEnd)
      watcher->onEnd(cutShort);
  }
  WatchedTogether(const WatchedTogether &) = delete;
  WatchedTogether &operator=(const WatchedTogether &) = delete;

  /// In place of that of one of the searches, which may be null.
  std::shared_ptr<const SearchControl>
  control(const std::shared_ptr<const SearchControl> &plain) {
    auto one = plain ? std::make_shared<SearchControl>(*plain)
                     : std::make_shared<SearchControl>();
    one->threads = threads;
    one->onBegin = nullptr;
    if (one->onProgress)
      one->onProgress = [this, plain](const SearchProgress &now) {
        const std::lock_guard<std::mutex> lock(mutex);
        plain->onProgress(now);
      };
    one->onEnd = [this](const std::string &why) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (cutShort.empty())
        cutShort = why;
    };
    return one;
  }

  const std::shared_ptr<SpareThreads> threads;

private:
  std::shared_ptr<const SearchControl> watcher;
  std::mutex mutex;
  std::string cutShort;
};

} // namespace

std::string digestOf(const MapRequest &asked) {
  const auto &[network, target, lifted, options] = asked;
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

/// Whether a clock or an execution has a say in the answer.
static bool isOwn(const MappingOptions &options) {
  return options.seconds > 0 ||
         (options.control && options.control->reweighing);
}

Fit<Mapping> MappingMemo::map(const MapRequest &asked) {
  if (!answers.empty() && !isOwn(asked.options))
    if (const auto known = answers.find(digestOf(asked));
        known != answers.end()) {
      ++found;
      return known->second;
    }
  return mapNetwork(asked.network, asked.target, asked.options);
}

std::vector<MappingMemo::Answer>
MappingMemo::mapAll(const std::vector<MapRequest> &asked, unsigned threads) {
  std::vector<Answer> given(asked.size());
  std::vector<std::string> digests(asked.size()); // of those that are kept
  const unsigned each =
      std::max(threads / unsigned(std::max<size_t>(asked.size(), 1)), 1u);
  WatchedTogether watched(asked, threads);
  watched.threads->share(asked.size(), [&](size_t i) {
    const auto &[network, target, lifted, plain] = asked[i];
    MappingOptions options = plain;
    options.threads = each;
    options.control = watched.control(plain.control);
    try {
      given[i].fit = mapNetwork(network, target, options);
      const SearchControl *control = plain.control.get();
      if (!isOwn(plain) &&
          !(control && control->mustStop && control->mustStop()))
        digests[i] = digestOf(asked[i]);
    } catch (...) {
      given[i].error = std::current_exception();
    }
  });
  for (size_t i = 0; i < given.size(); ++i)
    if (!digests[i].empty())
      answers.emplace(digests[i], *given[i].fit);
  return given;
}

} // namespace dendrolith
