// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/network/Kernels.h"

#include <algorithm>

namespace dendrolith {

uint64_t kernelListWords(const SynapseFormat &format,
                         const MapProjection &projection, uint32_t channels) {
  return format.listWords(ListFormat::Dense, channels, projection.weightBits);
}

KernelMeter::KernelMeter(const SynapseFormat &format,
                         const MapProjection &projection)
    : format(format), projection(projection) {
  const std::vector<uint32_t> &channel = projection.kernel.channel;
  const auto last = std::max_element(channel.begin(), channel.end());
  const uint32_t channels = last == channel.end() ? 0 : *last + 1;
  seen.resize(channels);
  ofGroup.resize((channels + projection.kernel.group - 1) /
                 projection.kernel.group);
}

void KernelMeter::clear() {
  std::fill(seen.begin(), seen.end(), false);
  std::fill(ofGroup.begin(), ofGroup.end(), 0);
  total = 0;
}

uint64_t KernelMeter::add(uint32_t neuron) {
  const MapKernel &kernel = projection.kernel;
  const uint32_t channel = kernel.channel[neuron];
  if (seen[channel])
    return 0;
  seen[channel] = true;
  uint32_t &have = ofGroup[channel / kernel.group];
  const uint64_t before = kernelListWords(format, projection, have);
  const uint64_t after = kernelListWords(format, projection, ++have);
  const uint64_t more = (after - before) * kernel.sources * kernel.taps;
  total += more;
  return more;
}

KernelWords::KernelWords(const SynapseFormat &format,
                         const MapProjection &projection,
                         const std::vector<uint32_t> &starts)
    : kernel(projection.kernel) {
  KernelMeter meter(format, projection);
  for (size_t k = 0; k + 1 < starts.size(); ++k) {
    meter.clear();
    for (uint32_t n = starts[k]; n < starts[k + 1]; ++n)
      meter.add(n);
    words.push_back(meter.words());
    for (uint32_t channels : meter.channels())
      ofOneTap.push_back(
          uint32_t(kernelListWords(format, projection, channels)));
  }
}

uint64_t KernelWords::lists(size_t slice) const {
  const auto first = ofOneTap.begin() + slice * groups();
  const auto none = std::count(first, first + groups(), 0u);
  return (groups() - uint64_t(none)) * kernel.sources * kernel.taps;
}

/// Counts the places that neurons lie at. They come channel by channel, mostly
/// at the same places in each.
static uint32_t countPlaces(const MapKernel &kernel, const uint32_t *neurons,
                            size_t n) {
  std::vector<uint32_t> places;
  places.reserve(kernel.taps);
  size_t next = 0; // where the place of the next neuron likely is
  for (size_t i = 0; i < n; ++i, ++next) {
    const uint32_t place = kernel.place[neurons[i]];
    next = next < places.size() ? next : 0;
    if (!places.empty() && places[next] == place)
      continue;
    next =
        size_t(std::find(places.begin(), places.end(), place) - places.begin());
    if (next == places.size())
      places.push_back(place);
  }
  return uint32_t(places.size());
}

std::optional<ListPlan> KernelWords::plan(size_t slice, const uint32_t *neurons,
                                          const int16_t *weights, size_t n,
                                          uint32_t sliceFirst) const {
  ListPlan plan;
  plan.sparse = true;
  uint32_t first = 0;
  for (size_t i = 0; i < n; ++i) {
    if (weights[i] == 0)
      continue;
    first = plan.count++ == 0 ? neurons[i] : first;
    plan.content = addToContent(plan.content, neurons[i] - first, weights[i]);
  }
  if (plan.count == 0)
    return std::nullopt;
  plan.firstOffset = first - sliceFirst;
  const uint32_t group = kernel.channel[neurons[0]] / kernel.group;
  plan.words = uint64_t(countPlaces(kernel, neurons, n)) *
               ofOneTap[slice * groups() + group];
  return plan;
}

} // namespace dendrolith
