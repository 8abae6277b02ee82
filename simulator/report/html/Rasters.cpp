// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/Rasters.h"

#include "runtime/arrays/Npy.h"
#include "targets/support/Error.h"
#include "targets/support/InputFile.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

namespace dendrolith::report::html {
namespace {

/// So many events make a page of some MB.
constexpr size_t kMostEvents = 150000;
constexpr uint64_t kRasterBytes = uint64_t(1) << 32;

/// Reads (samples, ticks, neurons), or (ticks, neurons) of one sample.
void addTrace(const std::string &name, const Array &array, Rasters &into,
              const std::string &place) {
  std::vector<uint64_t> shape = array.shape;
  if (shape.size() == 2)
    shape.insert(shape.begin(), 1);
  if (shape.size() != 3 || shape[0] != into.samples ||
      array.kind == Array::NumberKind::Complex)
    throw Error(place + ": traces.npz: '" + name +
                "': expected (samples, ticks, neurons) numbers of this "
                "result's samples; run again");
  const uint32_t row = uint32_t(into.rows.size());
  Rasters::Population counted{name, shape[2], shape[1], 0};
  for (uint64_t i = 0; i < array.size(); ++i)
    if (array.value(i) != 0) {
      ++counted.events;
      into.events.push_back({uint32_t(i / (shape[1] * shape[2])), row,
                             uint32_t(i / shape[2] % shape[1]),
                             uint32_t(i % shape[2])});
    }
  into.rows.push_back(std::move(counted));
}

/// Reads step (from 1 on), id and, of several samples, sample.
void addSpikes(const std::map<std::string, Array> &arrays, Rasters &into,
               const std::string &place) {
  auto column = [&](const char *name) -> const std::vector<int64_t> & {
    const auto found = arrays.find(name);
    if (found == arrays.end() || !found->second.isInteger() ||
        found->second.shape.size() != 1)
      throw Error(place + ": spikes.npz: expected integers '" + name +
                  "' in a row; run again");
    return found->second.ints;
  };
  const std::vector<int64_t> &step = column("step"), &id = column("id");
  const std::vector<int64_t> sample =
      into.samples > 1 ? column("sample") : std::vector<int64_t>(id.size(), 0);
  if (step.size() != id.size() || sample.size() != id.size())
    throw Error(place +
                ": spikes.npz: its columns differ in length; run again");
  const uint32_t row = uint32_t(into.rows.size());
  Rasters::Population counted{"all neurons", 0, 0, id.size()};
  for (size_t i = 0; i < id.size(); ++i) {
    if (step[i] < 1 || id[i] < 0 || step[i] > INT32_MAX || id[i] > INT32_MAX ||
        sample[i] < 0 || uint64_t(sample[i]) >= into.samples)
      throw Error(place + ": spikes.npz: row " + std::to_string(i) +
                  " is no spike of this result; run again");
    counted.neurons = std::max(counted.neurons, uint64_t(id[i]) + 1);
    counted.ticks = std::max(counted.ticks, uint64_t(step[i]));
    into.events.push_back(
        {uint32_t(sample[i]), row, uint32_t(step[i] - 1), uint32_t(id[i])});
  }
  into.rows.push_back(std::move(counted));
}

/// Leaves whole samples, and of the first at least one event in so many.
void bound(Rasters &rasters) {
  std::vector<Rasters::Event> &events = rasters.events;
  std::stable_sort(events.begin(), events.end(),
                   [](const Rasters::Event &a, const Rasters::Event &b) {
                     return std::tie(a.sample, a.row, a.tick, a.neuron) <
                            std::tie(b.sample, b.row, b.tick, b.neuron);
                   });
  rasters.samplesKept = rasters.samples;
  if (events.size() <= kMostEvents)
    return;
  const uint32_t cut = events[kMostEvents].sample;
  size_t kept = kMostEvents;
  while (cut > 0 && events[kept - 1].sample == cut)
    --kept;
  if (cut == 0) {
    kept = 0;
    size_t first = 0;
    while (first < events.size() && events[first].sample == 0)
      ++first;
    rasters.every = (first + kMostEvents - 1) / kMostEvents;
    for (size_t i = 0; i < first; i += rasters.every)
      events[kept++] = events[i];
  }
  events.resize(kept);
  rasters.samplesKept = std::max<uint64_t>(cut, 1);
}

} // namespace

Recorded readRecorded(const std::string &folder) {
  auto read = [&](const char *name) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code ignored;
    return std::filesystem::exists(path, ignored)
               ? readFile(path.string(), kRasterBytes)
               : std::string();
  };
  return {read("traces.npz"), read("spikes.npz")};
}

Rasters rastersOf(const Recorded &recorded, uint64_t samples,
                  const std::string &place) {
  Rasters rasters;
  rasters.samples = samples;
  if (!recorded.traces.empty())
    for (const auto &[name, array] :
         parseNpz(recorded.traces, place + ": traces.npz"))
      if (name.find(':') == name.npos)
        addTrace(name, array, rasters, place);
  if (!recorded.spikes.empty())
    addSpikes(parseNpz(recorded.spikes, place + ": spikes.npz"), rasters,
              place);
  bound(rasters);
  return rasters;
}

} // namespace dendrolith::report::html
