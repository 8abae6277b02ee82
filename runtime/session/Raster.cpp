// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Raster.h"

#include "runtime/arrays/LittleEndian.h"
#include "runtime/arrays/NpyHeader.h"
#include "runtime/arrays/WriteArrays.h"
#include "runtime/arrays/Zip.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::session {

std::optional<study::Stimulus> loadStimulus(const std::string &path) {
  const std::string ending = ".npz";
  if (path.size() < ending.size() ||
      path.compare(path.size() - ending.size(), ending.npos, ending) != 0)
    return std::nullopt;
  // Most of the file is synapses, which are of no interest here.
  InputFile file(path, zip::kMaxUnpacked);
  zip::Bytes bytes(file);
  if (!study::isNetwork(bytes, path))
    return std::nullopt;
  return study::readStimulus(bytes, path);
}

Samples toSamples(const study::Stimulus &stimulus) {
  Samples samples;
  samples.samples = 1;
  samples.steps = stimulus.steps;
  samples.shape = {stimulus.inputs};
  std::vector<uint8_t> values(stimulus.steps * stimulus.inputs);
  for (size_t i = 0; i < stimulus.in.size(); ++i)
    values[uint64_t(stimulus.in.step[i] - 1) * stimulus.inputs +
           uint64_t(stimulus.in.id[i])] = 1;
  samples.values = std::move(values);
  return samples;
}

/// Whether spikes are those of a raster, run by run.
static bool isRaster(const sim::SpikeList &spikes,
                     const study::Raster &expected) {
  if (spikes.size() != expected.size())
    return false;
  const int32_t *step = expected.step.data(), *id = expected.id.data();
  const uint32_t *neuron = spikes.neurons().data();
  for (const sim::SpikeList::Run &run : spikes.runs()) {
    uint32_t differs = 0;
    for (uint64_t i = 0; i < run.count; ++i)
      differs |=
          (uint32_t(step[i]) ^ (run.tick + 1)) | (uint32_t(id[i]) ^ neuron[i]);
    if (differs)
      return false;
    step += run.count;
    id += run.count;
    neuron += run.count;
  }
  return true;
}

void checkRaster(const sim::SpikeList &list, const study::Raster &expected,
                 const std::string &path) {
  if (isRaster(list, expected))
    return;
  const std::vector<sim::SpikeEvent> spikes = list.events();
  for (size_t i = 0; i < std::max(spikes.size(), expected.size()); ++i) {
    bool found = i < spikes.size(), wanted = i < expected.size();
    if (found && wanted &&
        int64_t(spikes[i].tick) + 1 == int64_t(expected.step[i]) &&
        int64_t(spikes[i].neuron) == int64_t(expected.id[i]))
      continue;
    auto text = [](auto step, auto id) {
      return fmt::format("neuron {} in step {}", id, step);
    };
    std::string is = "none", want = "none";
    if (found)
      is = text(spikes[i].tick + 1, spikes[i].neuron);
    if (wanted)
      want = text(expected.step[i], expected.id[i]);
    throw Error(fmt::format("{}: 'ref_t', 'ref_id': expected {} as spike {}, "
                            "found {}: the run does not give the reference's "
                            "spikes",
                            path, want, i, is));
  }
}

namespace {

/// Numbers on their way into a file as "<i4", a block at a time.
class IntSink {
public:
  explicit IntSink(const ByteSink &sink) : sink(sink) {}

  void add(const uint32_t *values, size_t count) {
    for (; count > 0;) {
      const size_t part = std::min(count, kBlock - used);
      std::copy_n(values, part, block.data() + used);
      values += part;
      took(part);
      count -= part;
    }
  }
  void add(uint64_t count, uint32_t value) {
    for (; count > 0;) {
      const size_t part = std::min<uint64_t>(count, kBlock - used);
      std::fill_n(block.data() + used, part, value);
      took(part);
      count -= part;
    }
  }
  void flush() {
    bytes.resize(used * sizeof(int32_t));
    packInt32(block.data(), used, bytes.data());
    sink(bytes);
    used = 0;
  }

private:
  static constexpr size_t kBlock = 1 << 13;

  void took(size_t count) {
    used += count;
    if (used == kBlock)
      flush();
  }

  const ByteSink &sink;
  size_t used = 0;
  std::vector<int32_t> block = std::vector<int32_t>(kBlock);
  std::string bytes;
};

} // namespace

void writeSpikes(const std::vector<sim::SpikeList> &samples,
                 const ByteSink &sink) {
  uint64_t all = 0;
  for (const sim::SpikeList &spikes : samples)
    all += spikes.size();
  const std::string header = npy::formatHeader("<i4", {all});
  auto member = [&](const char *name, auto fill) {
    return zip::Packed{npzMember(name), header.size() + all * sizeof(int32_t),
                       [&samples, &header, fill](const ByteSink &to) {
                         to(header);
                         IntSink ints(to);
                         for (size_t s = 0; s < samples.size(); ++s)
                           fill(ints, samples[s], uint32_t(s));
                         ints.flush();
                       }};
  };
  std::vector<zip::Packed> members = {
      member("id", [](IntSink &ints, const sim::SpikeList &spikes, uint32_t) {
        ints.add(spikes.neurons().data(), spikes.size());
      })};
  if (samples.size() > 1)
    members.push_back(
        member("sample", [](IntSink &ints, const sim::SpikeList &spikes,
                            uint32_t s) { ints.add(spikes.size(), s); }));
  members.push_back(
      member("step", [](IntSink &ints, const sim::SpikeList &spikes, uint32_t) {
        for (const sim::SpikeList::Run &run : spikes.runs())
          ints.add(run.count, run.tick + 1);
      }));
  zip::pack(members, sink);
}

} // namespace dendrolith::session
