// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/PlaceSynapses.h"

#include "dialects/dend/Bindings.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace mlir;

namespace neurite {

ElementPlace placeOfOutput(const LoweredPopulation &population,
                           StringRef name) {
  ElementPlace place{population.sources, 0, 1, false};
  if (population.cuba)
    return place;
  // Variants agree in ports and outputs.
  for (const auto &output :
       population.microcode.programs.front().program.outputs) {
    place.elements = static_cast<uint32_t>(output.elements);
    place.split = output.kind == chip::EmissionKind::Split;
    if (name.empty() || output.name == name)
      break;
    place.first += place.elements * (place.split ? 2 : 1);
  }
  return place;
}

ElementPlace placeOfPort(const LoweredPopulation &population,
                         const MapPopulation &mapped, StringRef name) {
  ElementPlace place{mapped.accumulators, 0, 1, false};
  if (population.cuba)
    return place;
  for (const auto &port : population.microcode.programs.front().program.ports) {
    place.elements = static_cast<uint32_t>(port.elements);
    if (port.name == name)
      break;
    place.first += place.elements;
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
    Entry entry{source / from.elements * from.perNeuron + from.first +
                    source % from.elements * width,
                target / to.elements * to.perNeuron + to.first +
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

/// One place a neuron on both sides, in order, and synapses that are sorted as
/// a verified sparse projection is: rows in place, without a copy between.
static FailureOr<MapProjection> placeSorted(dend::ProjectOp project,
                                            uint64_t sources) {
  auto rawOf = [&](FlatSymbolRefAttr symbol) {
    auto constant =
        symbol ? SymbolTable::lookupNearestSymbolFrom<dend::ConstantOp>(project,
                                                                        symbol)
               : dend::ConstantOp();
    return constant && constant.getValueAttr()
               ? dend::rawElements(constant.getValueAttr())
               : std::nullopt;
  };
  auto weights = rawOf(project.getWeightAttr());
  auto indices = rawOf(project.getIndicesAttr());
  if (!weights || !indices || weights->count < 2 ||
      indices->count != 2 * weights->count || !weights->element.isInteger(16) ||
      !indices->element.isInteger(32))
    return failure();
  MapProjection out;
  const size_t size = size_t(weights->count);
  out.begin.assign(sources + 1, 0);
  out.accumulator.resize(size);
  out.weight.resize(size);
  std::memcpy(out.weight.data(), weights->bytes.data(), 2 * size);
  uint64_t last = ~uint64_t(0);
  for (size_t k = 0; k < size; ++k) {
    uint32_t pair[2]; // target, source
    std::memcpy(pair, indices->bytes.data() + 8 * k, 8);
    uint64_t key = uint64_t(pair[1]) << 32 | pair[0];
    if (key == last || pair[1] >= sources)
      return failure();
    last = key;
    out.accumulator[k] = pair[0];
    ++out.begin[pair[1] + 1];
  }
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  return out;
}

static bool isPlain(const ElementPlace &place) {
  return place.perNeuron == 1 && place.first == 0 && place.elements == 1 &&
         !place.split;
}

FailureOr<MapProjection> placeSynapses(dend::ProjectOp project,
                                       const ElementPlace &from,
                                       const ElementPlace &to,
                                       uint64_t sources) {
  if (isPlain(from) && isPlain(to) &&
      isa<dend::SparseAttr>(project.getSynapses()))
    if (auto sorted = placeSorted(project, sources); succeeded(sorted)) {
      sorted->shared = project.sharesLists();
      return sorted;
    }
  auto synapses = readSynapses<int64_t>(project);
  if (failed(synapses))
    return failure();
  std::vector<Entry> entries = entriesOf(*synapses, from, to);
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
