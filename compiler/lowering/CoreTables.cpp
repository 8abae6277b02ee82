// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/CoreTables.h"

#include "compiler/lowering/ListFiller.h"

#include "runtime/host/Workers.h"

#include <algorithm>
#include <map>

namespace dendrolith {
namespace {

/// Below so many synapses a thread takes longer to begin than to fill lists.
constexpr size_t kSynapsesOfPart = 1 << 12;

/// Cuts slices, which are in order of neurons, into at most `most` parts (at
/// least one) of about equally many, so that no core has slices of two parts.
std::vector<llvm::ArrayRef<Slice>> partsOf(llvm::ArrayRef<Slice> slices,
                                           size_t most) {
  std::map<uint32_t, size_t> last; // slice of each core
  for (size_t k = 0; k < slices.size(); ++k)
    last[slices[k].core] = k;
  std::vector<llvm::ArrayRef<Slice>> parts;
  size_t begin = 0, open = 0;
  for (size_t k = 0; k < slices.size(); ++k) {
    open = std::max(open, last[slices[k].core]);
    const bool isFull = (k + 1) * most >= (parts.size() + 1) * slices.size();
    if (k + 1 == slices.size() || (open == k && isFull)) {
      parts.push_back(slices.slice(begin, k + 1 - begin));
      begin = k + 1;
    }
  }
  return parts;
}

void add(const Sharing &more, Sharing &sharing) {
  sharing.sources += more.sources;
  sharing.lists += more.lists;
  sharing.axons += more.axons;
  sharing.words += more.words;
  sharing.unsharedWords += more.unsharedWords;
}

/// Fills the lists of a projection, several slices of its target at a time.
/// `out` are the messages of its source.
void fill(const LoweredNetwork &network, size_t index,
          const SynapseFormat &format, llvm::ArrayRef<Slice> targets,
          unsigned threads, ChipTables &tables, OutAxons &out) {
  const size_t synapses = network.map.projections[index].accumulator.size();
  const std::vector<llvm::ArrayRef<Slice>> slices =
      partsOf(targets, std::min<size_t>(synapses / kSynapsesOfPart, threads));
  std::vector<OutAxons::Part> messages(slices.size());
  std::vector<Sharing> sharing(slices.size());
  inParallel(slices.size(), threads, [&](size_t k) {
    sharing[k] =
        fillLists(network, index, format, slices[k], tables, messages[k]);
  });
  for (size_t k = 0; k < slices.size(); ++k) {
    out.parts.push_back(std::move(messages[k]));
    add(sharing[k], tables.sharing);
  }
}

} // namespace

void OutAxons::Part::add(const Messages &messages) {
  all.insert(all.end(), messages.begin(), messages.end());
  begin.push_back(all.size());
}

size_t OutAxons::size(size_t first, size_t count) const {
  size_t size = 0;
  for (const Part &part : parts)
    size += part.begin[first + count] - part.begin[first];
  return size;
}

Messages OutAxons::of(size_t source) const {
  Messages messages;
  for (const Part &part : parts)
    messages.insert(messages.end(), part.all.begin() + part.begin[source],
                    part.all.begin() + part.begin[source + 1]);
  // A source's lists come by slice and projection, and at in-axons that an
  // earlier source may have made.
  if (!std::is_sorted(messages.begin(), messages.end()))
    std::sort(messages.begin(), messages.end());
  return messages;
}

ChipTables buildTables(const LoweredNetwork &network, const Mapping &mapping,
                       SynapseFormat format, unsigned threads) {
  format.skipsZeros = mapping.skipsZeros;
  const MapNetwork &map = network.map;
  ChipTables tables;
  tables.inputs.resize(map.inputs.size());
  tables.populations.resize(map.populations.size());
  for (const Slice &slice : mapping.slices) {
    if (tables.cores.empty() || tables.cores.back().id != slice.core)
      tables.cores.emplace_back().id = slice.core;
    tables.cores.back().slices.push_back(slice);
  }
  // A projection touches the cores of its target alone: in a deep network they
  // are few of all.
  std::vector<std::vector<Slice>> byTarget(map.populations.size());
  for (const Slice &slice : mapping.slices)
    byTarget[slice.population].push_back(slice);
  for (std::vector<Slice> &slices : byTarget)
    std::sort(slices.begin(), slices.end(),
              [](const Slice &a, const Slice &b) { return a.first < b.first; });
  for (size_t p = 0; p < map.projections.size(); ++p) {
    const MapProjection &projection = map.projections[p];
    fill(network, p, format, byTarget[projection.target], threads, tables,
         (projection.fromInput ? tables.inputs
                               : tables.populations)[projection.source]);
  }
  return tables;
}

} // namespace dendrolith
