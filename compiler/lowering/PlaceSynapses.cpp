// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/PlaceSynapses.h"

#include "dialects/dend/Bindings.h"
#include "dialects/dend/NetworkIndex.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <tuple>

using namespace mlir;

namespace dendrolith {

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
struct SynapseEntry {
  uint32_t source, target;
  int64_t weight;
};
} // namespace

/// Calls visit(entry) for each, in the order of the synapses.
template <class Visit>
static void forEachEntry(const SynapseArrays<int64_t> &synapses,
                         const ElementPlace &from, const ElementPlace &to,
                         Visit visit) {
  const uint32_t width = from.split ? 2 : 1;
  // Where a neuron has one element, there is nothing to divide.
  const bool single = from.elements == 1 && to.elements == 1;
  for (size_t k = 0; k < synapses.size(); ++k) {
    const uint32_t source = synapses.source[k], target = synapses.target[k];
    const uint32_t neuron = single ? source : source / from.elements,
                   reached = single ? target : target / to.elements;
    SynapseEntry entry{neuron * from.perNeuron + from.first +
                           (source - neuron * from.elements) * width,
                       reached * to.perNeuron + to.first +
                           (target - reached * to.elements),
                       synapses.weight(k)};
    visit(entry);
    if (from.split)
      visit(SynapseEntry{entry.source + 1, entry.target, -entry.weight});
  }
}

/// Puts the synapses of each source in order of their targets.
static void sortRows(MapProjection &rows) {
  std::vector<std::pair<uint32_t, int16_t>> row;
  for (size_t s = 0; s + 1 < rows.begin.size(); ++s) {
    const uint64_t begin = rows.begin[s], end = rows.begin[s + 1];
    if (std::is_sorted(rows.accumulator.begin() + begin,
                       rows.accumulator.begin() + end))
      continue;
    row.clear();
    for (uint64_t k = begin; k < end; ++k)
      row.push_back({rows.accumulator[k], rows.weight[k]});
    std::sort(row.begin(), row.end());
    for (uint64_t k = begin; k < end; ++k)
      std::tie(rows.accumulator[k], rows.weight[k]) = row[k - begin];
  }
}

/// One place a neuron on both sides, in order, and synapses that are sorted as
/// a verified sparse projection is: rows in place, without a copy between.
static FailureOr<MapProjection> placeSorted(dend::ProjectOp project,
                                            uint64_t sources) {
  auto rawOf = [&](FlatSymbolRefAttr symbol) {
    auto constant = dend::symbolOf<dend::ConstantOp>(project, symbol);
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

bool isPlain(const ElementPlace &place) {
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
  MapProjection out;
  out.begin.assign(sources + 1, 0);
  out.shared = project.sharesLists();
  out.convolution = isa<dend::ConvAttr, dend::PoolAttr>(project.getSynapses());
  forEachEntry(*synapses, from, to, [&](const SynapseEntry &entry) {
    ++out.begin[entry.source + 1];
  });
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  out.accumulator.resize(out.begin.back());
  out.weight.resize(out.begin.back());
  // Weights that convolutions share come target by target, so that putting each
  // synapse behind the last one of its source mostly sorts them.
  std::vector<uint64_t> next(out.begin.begin(), out.begin.end() - 1);
  std::optional<int64_t> tooWide;
  forEachEntry(*synapses, from, to, [&](const SynapseEntry &entry) {
    const uint64_t at = next[entry.source]++;
    out.accumulator[at] = entry.target;
    out.weight[at] = static_cast<int16_t>(entry.weight);
    if (out.weight[at] != entry.weight && !tooWide)
      tooWide = entry.weight;
  });
  if (tooWide)
    return project.emitError("weight mantissa ")
           << *tooWide << " does not fit 16 bits";
  sortRows(out);
  for (uint64_t s = 0; s < sources; ++s) {
    const auto end = out.accumulator.begin() + out.begin[s + 1];
    const auto twice =
        std::adjacent_find(out.accumulator.begin() + out.begin[s], end);
    if (twice != end)
      return project.emitError("source ")
             << s << " reaches target " << *twice
             << " by two synapses of one projection; add their weights or "
                "use two projections";
  }
  return out;
}

} // namespace dendrolith
