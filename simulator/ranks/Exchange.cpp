// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/ranks/Exchange.h"

#include "runtime/host/Wire.h"
#include "runtime/image/Tables.h"
#include "simulator/ranks/Bytes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace dendrolith::sim {

Exchange::Exchange(Ranks &ranks, const Machine &machine, const Traffic &own,
                   bool all)
    : ranks(ranks), to(ranks.size()), spikes(ranks.size()),
      values(ranks.size()) {
  std::string mine((machine.sources() + 7) / 8, 0);
  std::vector<size_t> kinds;
  for (uint32_t source = 0; source < machine.sources(); ++source) {
    if (!all)
      own.kindsOf(source, kinds);
    if (all || !kinds.empty())
      mine[source / 8] = static_cast<char>(mine[source / 8] | 1 << source % 8);
  }
  for (unsigned r = 0; r < ranks.size(); ++r)
    to[r] = mine;
  ranks.begin(to);
  ranks.end(wanted);
}

void Exchange::begin(const std::vector<Injection> &emitted) {
  for (unsigned r = 0; r < ranks.size(); ++r) {
    spikes[r].clear();
    values[r].clear();
    to[r].clear();
    if (r == ranks.rank())
      continue;
    for (const Injection &each : emitted)
      if (!wants(r, each.source))
        continue;
      else if (each.payload == 1)
        spikes[r].push_back(each.source);
      else
        values[r].push_back(each);
    if (spikes[r].empty() && values[r].empty())
      continue;
    writeTo(to[r], [&](Writer &writer) {
      writer.block(spikes[r]);
      writer.block(values[r]);
    });
  }
  ranks.begin(to);
}

const std::vector<Injection> &Exchange::end() {
  ranks.end(from);
  heard.clear();
  std::vector<uint32_t> sources;
  std::vector<Injection> others;
  for (const std::string &bytes : from) {
    if (bytes.empty())
      continue;
    readFrom(bytes, [&](Reader &reader) {
      reader.block(sources);
      reader.block(others);
    });
    for (uint32_t source : sources)
      heard.push_back({source, 1});
    heard.insert(heard.end(), others.begin(), others.end());
  }
  return heard;
}

namespace {

/// A third kind of stream beside Writer and Reader: what it reads is added to
/// what is there.
class Adder {
public:
  static constexpr bool reads = true;

  explicit Adder(Reader &reader) : reader(reader) {}

  template <typename T> void plain(T &value) { reader.plain(value); }
  template <typename T> void items(T *values, size_t count) {
    std::vector<T> piece;
    for (size_t at = 0; at < count; at += piece.size()) {
      piece.resize(std::min<size_t>(count - at, 1 << 16));
      reader.items(piece.data(), piece.size());
      for (size_t i = 0; i < piece.size(); ++i)
        values[at + i] += piece[i];
    }
  }
  template <typename T> void block(std::vector<T> &values) {
    std::vector<T> more;
    reader.block(more);
    values.insert(values.end(), more.begin(), more.end());
  }

private:
  Reader &reader;
};

} // namespace

void gather(Ranks &ranks, const Machine &machine, EventCounter &events) {
  if (!ranks.first()) {
    sendInPieces(ranks, [&](Writer &writer) { events.visit(writer); });
    events.clear();
    return;
  }
  EventCounter others(machine);
  for (unsigned r = 1; r < ranks.size(); ++r) {
    receivePieces(ranks, r, [&](Reader &reader) { others.visit(reader); });
    events.merge(others);
  }
}

void gather(Ranks &ranks, Recorder &recorder, uint64_t samples) {
  for (uint64_t sample = 0; sample < samples; ++sample) {
    if (!ranks.first()) {
      sendInPieces(ranks,
                   [&](Writer &writer) { recorder.visit(writer, sample); });
      continue;
    }
    for (unsigned r = 1; r < ranks.size(); ++r)
      receivePieces(ranks, r, [&](Reader &reader) {
        Adder adder(reader);
        recorder.visit(adder, sample);
      });
  }
}

/// What others need of a core to time what they send it: in-axons whose lists
/// have as many words and entries, and one weight where the core's have one.
static image::Core servedOf(const image::Program &program, uint32_t core) {
  image::Program alone;
  *alone.mutable_schedule() = program.schedule();
  for (const image::Population &p : program.populations()) {
    image::Population &population = *alone.add_populations();
    population.set_name(p.name());
    population.set_size(p.size());
  }
  *alone.add_cores() = program.cores(static_cast<int>(core));
  for (image::Group &group : *alone.mutable_cores(0)->mutable_groups())
    group.clear_axons();
  const Machine machine(alone);

  using Shape = std::tuple<bool, uint32_t, uint32_t, ListKind>;
  std::map<Shape, uint32_t> numbers;
  std::vector<SynapseList> lists;
  std::vector<InAxon> inAxons;
  uint32_t longest[2] = {0, 0}; // by whether a list is uniform
  for (size_t i = 0; i < machine.axons().size(); ++i) {
    const Axon axon = machine.axons()[i];
    const auto [at, isNew] =
        numbers.emplace(Shape(axon.uniform, axon.count, axon.words, axon.kind),
                        uint32_t(numbers.size()));
    inAxons.push_back({at->second});
    if (!isNew)
      continue;
    SynapseList list;
    list.first = axon.uniform; // less what is not known yet
    list.count = axon.count;
    list.words = axon.words;
    list.kind = axon.kind;
    lists.push_back(list);
    longest[axon.uniform] = std::max(longest[axon.uniform], axon.count);
  }
  for (SynapseList &list : lists)
    list.first = list.first ? longest[0] : 0;
  std::vector<int16_t> weights(longest[0] + longest[1]);
  for (uint32_t k = 1; k < longest[0]; k += 2)
    weights[k] = 1;
  std::vector<uint32_t> offsets(std::max(longest[0], longest[1]));
  std::iota(offsets.begin(), offsets.end(), 0);

  image::Core served;
  served.set_in_axons(encodeInAxons(inAxons));
  served.mutable_synapses()->set_lists(encodeLists(lists));
  served.mutable_synapses()->set_weights(encodeI16(weights));
  served.mutable_synapses()->set_offsets(encodeU32(offsets));
  return served;
}

image::Program servedProgram(Ranks &ranks, const image::Program &program,
                             const std::vector<CoreShare> &shares) {
  const CoreShare own = shares[ranks.rank()];
  std::string mine;
  writeTo(mine, [&](Writer &writer) {
    for (uint32_t core = own.first; core < own.end; ++core)
      writer.block(servedOf(program, core).SerializeAsString());
  });
  std::vector<std::string> to(ranks.size(), mine), from;
  ranks.begin(to);
  image::Program all;
  *all.mutable_schedule() = program.schedule();
  *all.mutable_populations() = program.populations();
  *all.mutable_inputs() = program.inputs();
  *all.mutable_outputs() = program.outputs();
  for (const image::Core &core : program.cores()) {
    image::Core &copy = *all.add_cores();
    copy.set_id(core.id());
    *copy.mutable_groups() = core.groups();
    *copy.mutable_programs() = core.programs();
  }
  ranks.end(from);
  for (unsigned r = 0; r < ranks.size(); ++r)
    readFrom(from[r], [&](Reader &reader) {
      std::string bytes;
      for (uint32_t core = shares[r].first; core < shares[r].end; ++core) {
        reader.block(bytes);
        if (!all.mutable_cores(static_cast<int>(core))->MergeFromString(bytes))
          Reader::fail();
      }
    });
  return all;
}

} // namespace dendrolith::sim
