// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/PlaceSynapses.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace neurite {

ElementPlace placeOfOutput(const LoweredPopulation &population,
                           StringRef name) {
  ElementPlace place{population.sources, 0, 1, false, population.position};
  if (population.cuba)
    return place;
  // Variants agree in ports and outputs.
  for (const auto &output :
       population.microcode.programs.front().program.outputs()) {
    place.elements = output.elements();
    place.split = output.kind() == image::Microprogram::Emission::SPLIT;
    if (name.empty() || output.name() == name)
      break;
    place.first += output.elements() * (place.split ? 2 : 1);
  }
  return place;
}

ElementPlace placeOfPort(const LoweredPopulation &population,
                         const MapPopulation &mapped, StringRef name) {
  ElementPlace place{mapped.accumulators, 0, 1, false, population.position};
  if (population.cuba)
    return place;
  for (const auto &port :
       population.microcode.programs.front().program.ports()) {
    place.elements = port.elements();
    if (port.name() == name)
      break;
    place.first += port.elements();
  }
  return place;
}

/// One synapse between a source and an accumulator of the whole populations.
namespace {
struct Entry {
  uint32_t source, target;
  int64_t weight;
};
} // namespace

static std::vector<Entry> entriesOf(const SynapseArrays<int64_t> &synapses,
                                    const ElementPlace &from,
                                    const ElementPlace &to) {
  std::vector<Entry> entries;
  entries.reserve(synapses.size() * (from.split ? 2 : 1));
  uint32_t width = from.split ? 2 : 1;
  for (size_t k = 0; k < synapses.size(); ++k) {
    uint32_t source = synapses.source[k], target = synapses.target[k];
    Entry entry{from.at(source / from.elements) * from.perNeuron + from.first +
                    source % from.elements * width,
                to.at(target / to.elements) * to.perNeuron + to.first +
                    target % to.elements,
                synapses.weight(k)};
    entries.push_back(entry);
    if (from.split)
      entries.push_back({entry.source + 1, entry.target, -entry.weight});
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry &a, const Entry &b) {
                     return std::make_pair(a.source, a.target) <
                            std::make_pair(b.source, b.target);
                   });
  return entries;
}

FailureOr<MapProjection> placeSynapses(dend::ProjectOp project,
                                       const SynapseArrays<int64_t> &synapses,
                                       const ElementPlace &from,
                                       const ElementPlace &to,
                                       uint64_t sources) {
  std::vector<Entry> entries = entriesOf(synapses, from, to);
  MapProjection out;
  out.shared = project.sharesLists();
  out.convolution = isa<dend::ConvAttr, dend::PoolAttr>(project.getSynapses());
  out.begin.assign(sources + 1, 0);
  out.accumulator.reserve(entries.size());
  out.weight.reserve(entries.size());
  const Entry *last = nullptr;
  for (const Entry &entry : entries) {
    if (entry.weight < INT16_MIN || entry.weight > INT16_MAX)
      return project.emitError("weight mantissa ")
             << entry.weight << " does not fit 16 bits";
    if (last && last->source == entry.source && last->target == entry.target)
      return project.emitError("source ")
             << entry.source << " reaches target " << entry.target
             << " by two synapses of one projection; add their weights or "
                "use two projections";
    last = &entry;
    ++out.begin[entry.source + 1];
    out.accumulator.push_back(entry.target);
    out.weight.push_back(static_cast<int16_t>(entry.weight));
  }
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  return out;
}

} // namespace neurite
