// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Raster.h"

#include "runtime/arrays/Npy.h"
#include "runtime/arrays/Zip.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

namespace neurite::session {

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

void checkRaster(const std::vector<sim::SpikeEvent> &spikes,
                 const study::Raster &expected, const std::string &path) {
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

std::string
formatSpikes(const std::vector<std::vector<sim::SpikeEvent>> &samples) {
  std::vector<int64_t> sample, step, id;
  for (size_t s = 0; s < samples.size(); ++s)
    for (const sim::SpikeEvent &event : samples[s]) {
      sample.push_back(int64_t(s));
      step.push_back(int64_t(event.tick) + 1);
      id.push_back(event.neuron);
    }
  auto array = [](std::vector<int64_t> values) {
    uint64_t size = values.size();
    return Array::ofInts({size}, std::move(values), "<i4");
  };
  std::map<std::string, Array> arrays;
  arrays["step"] = array(std::move(step));
  arrays["id"] = array(std::move(id));
  if (samples.size() > 1)
    arrays["sample"] = array(std::move(sample));
  return formatNpz(arrays);
}

} // namespace neurite::session
