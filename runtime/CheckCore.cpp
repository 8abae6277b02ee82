// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One core: its groups, its synapse memory and its in-axons. Lists may share
// entries, so nothing here walks a list: that could take quadratic time.

#include "runtime/ImageChecks.h"
#include "runtime/Tables.h"
#include "targets/Error.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

using namespace neurite;

namespace {
/// Compartments [begin, end).
struct Range {
  uint64_t begin, end;
};
} // namespace

/// Decodes a blob, naming it when it is not whole.
template <typename Decode>
static auto decodeAt(const std::string &place, const char *table, Decode decode,
                     const std::string &bytes) {
  try {
    return decode(bytes);
  } catch (const Error &error) {
    throw Error(fmt::format("{}, {}: {}", place, table, error.what()));
  }
}

/// Memory and time of the neurons of a group that runs a program.
static void addNeurons(const std::string &place,
                       const check::ProgramShape &program, uint32_t count,
                       check::CoreTables &tables) {
  tables.states += program.states * count;
  tables.work += program.work * count;
  if (tables.states > check::kMaxStates || tables.work > check::kMaxVisit)
    throw Error(fmt::format("{}: expected at most {} state words and {} "
                            "operations for an update of every neuron, found "
                            "{} and {} up to here",
                            place, check::kMaxStates, check::kMaxVisit,
                            tables.states, tables.work));
}

/// Checks the groups; returns the runs of used compartments, joined where they
/// touch, in order.
static std::vector<Range> checkGroups(const std::string &place,
                                      const image::Core &core,
                                      check::CoreTables &tables) {
  const std::vector<check::ProgramShape> &programs = tables.programs;
  if (core.groups().empty())
    throw Error(place + ": expected at least one group, found none; unused "
                        "cores are left out");
  std::vector<Range> ranges;
  for (int i = 0; i < core.groups_size(); ++i) {
    const image::Group &group = core.groups(i);
    std::string here = fmt::format("{}, group {}", place, i);
    if (group.count() == 0)
      throw Error(here + ": expected at least one neuron, found 0");
    uint64_t each = 1;
    if (group.has_microcode()) {
      uint32_t program = group.microcode().program();
      if (program >= programs.size())
        throw Error(fmt::format("{}: program {} does not exist, the core has "
                                "{} programs",
                                here, program, programs.size()));
      each = programs[program].accumulators;
      addNeurons(here, programs[program], group.count(), tables);
      check::checkMicrocode(here, group.microcode(),
                            core.programs(static_cast<int>(program)),
                            group.count());
    } else if (group.has_cuba()) {
      check::checkCuba(here, group.cuba(), group.count());
    } else {
      throw Error(here + ": expected a neuron engine, cuba or microcode, found "
                         "none");
    }
    Range range{group.base(), group.base() + each * group.count()};
    if (range.end > check::kMaxCompartments)
      throw Error(fmt::format("{}: expected compartments below {}, found {} "
                              "to {}",
                              here, check::kMaxCompartments, range.begin,
                              range.end - 1));
    if (each > 0)
      ranges.push_back(range);
  }
  std::sort(ranges.begin(), ranges.end(),
            [](Range a, Range b) { return a.begin < b.begin; });
  std::vector<Range> joined;
  for (Range range : ranges) {
    if (!joined.empty() && range.begin < joined.back().end)
      throw Error(fmt::format("{}: two groups hold compartment {}", place,
                              range.begin));
    if (!joined.empty() && range.begin == joined.back().end)
      joined.back().end = range.end;
    else
      joined.push_back(range);
  }
  return joined;
}

[[noreturn]] static void refuseList(const std::string &place, size_t l,
                                    const std::string &what) {
  throw Error(fmt::format("{}, list {}: {}", place, l, what));
}

/// Checks what lists of one shape have in common; l is one of them.
static void checkForm(const std::string &place, size_t l,
                      const SynapseList &list) {
  auto refuse = [&](const std::string &what) { refuseList(place, l, what); };
  if (list.kind > ListKind::Conv)
    refuse(fmt::format("expected kind 0 (dense), 1 (sparse) or 2 (conv), "
                       "found {}",
                       static_cast<int>(list.kind)));
  if (list.count == 0)
    refuse("expected at least one entry, found 0");
  if (list.shift > 31)
    refuse(fmt::format("expected a shift of at most 31, found {}", list.shift));
  if (list.weightBits > 16 || list.indexBits > 32)
    refuse(fmt::format("expected at most 16 weight bits and 32 index bits, "
                       "found {} and {}",
                       list.weightBits, list.indexBits));
  if (list.words == 0)
    refuse("expected at least one word of memory, found 0");
}

/// Checks where list l lies in the memory behind it. `runStart[i]` is where the
/// strictly increasing run of offsets that holds i begins.
static void checkPlace(const std::string &place, size_t l,
                       const SynapseList &list, size_t weights,
                       const std::vector<uint32_t> &runStart) {
  auto refuse = [&](const std::string &what) { refuseList(place, l, what); };
  if (uint64_t(list.first) + list.count > weights)
    refuse(fmt::format("expected entries among {} weights, found {} to {}",
                       weights, list.first,
                       uint64_t(list.first) + list.count - 1));
  if (list.kind == ListKind::Dense)
    return;
  uint64_t end = uint64_t(list.firstOffset) + list.count;
  if (end > runStart.size())
    refuse(fmt::format("expected offsets among {}, found {} to {}",
                       runStart.size(), list.firstOffset, end - 1));
  if (runStart[end - 1] > list.firstOffset)
    refuse("expected strictly increasing offsets, found a smaller or equal "
           "one after a larger");
}

static std::vector<uint32_t>
findRunStarts(const std::vector<uint32_t> &offsets) {
  std::vector<uint32_t> runStart(offsets.size());
  for (size_t i = 1; i < offsets.size(); ++i)
    runStart[i] = offsets[i] > offsets[i - 1] ? runStart[i - 1]
                                              : static_cast<uint32_t>(i);
  return runStart;
}

check::CoreTables check::checkCore(const std::string &place,
                                   const image::Core &core) {
  CoreTables result;
  for (int p = 0; p < core.programs_size(); ++p)
    result.programs.push_back(checkMicroprogram(
        fmt::format("{}, program {}", place, p), core.programs(p)));
  std::vector<Range> used = checkGroups(place, core, result);
  result.compartments = used.empty() ? 0 : used.back().end;

  const image::Synapses &memory = core.synapses();
  auto lists = decodeAt(place, "lists", decodeLists, memory.lists());
  auto weights = decodeAt(
      place, "weights",
      [](const std::string &bytes) { return PackedNumbers(bytes); },
      memory.weights());
  auto offsets = decodeAt(place, "offsets", decodeU32, memory.offsets());
  auto inAxons = decodeAt(place, "in-axons", decodeInAxons, core.in_axons());

  std::vector<uint32_t> runStart = findRunStarts(offsets);
  PackedLists packed(memory.lists());
  std::vector<bool> checked(packed.shapes.size());
  for (size_t l = 0; l < lists.size(); ++l) {
    if (uint32_t code = packed.code[l]; !checked[code]) {
      checkForm(place, l, lists[l]);
      checked[code] = true;
    }
    checkPlace(place, l, lists[l], weights.size, runStart);
  }

  uint32_t widest = 0;
  for (size_t w = 0; w < weights.size; ++w) {
    widest |= weights.raw[w];
    // Signs go last: 2 w for w, 2 w - 1 for -w.
    result.largestWeight =
        std::max<uint64_t>(result.largestWeight, (weights.raw[w] + 1) / 2);
  }
  if (widest > 0xffff)
    throw Error(fmt::format("{}, weights: expected numbers of 16 bits, found "
                            "wider ones",
                            place));

  result.shifts.reserve(inAxons.size());
  for (size_t a = 0; a < inAxons.size(); ++a) {
    const InAxon &axon = inAxons[a];
    auto refuse = [&](const std::string &what) {
      throw Error(fmt::format("{}, in-axon {}: {}", place, a, what));
    };
    if (axon.list >= lists.size())
      refuse(fmt::format("list {} does not exist, the core has {} lists",
                         axon.list, lists.size()));
    const SynapseList &list = lists[axon.list];
    uint64_t first = axon.base, last = axon.base;
    if (list.kind == ListKind::Dense) {
      last += list.count - 1;
    } else {
      first += offsets[list.firstOffset];
      last += offsets[list.firstOffset + list.count - 1];
    }
    // The run that begins last among those that begin at or before `first`.
    auto after = used.begin();
    if (used.size() > 1 || used.empty() || first < after->begin)
      after = std::upper_bound(
          used.begin(), used.end(), first,
          [](uint64_t at, const Range &range) { return at < range.begin; });
    else
      ++after;
    if (after == used.begin() || last >= std::prev(after)->end)
      refuse(fmt::format("list {} from base {} reaches compartments {} to {}, "
                         "not all of which the core's groups hold",
                         axon.list, axon.base, first, last));
    if (axon.port != 0)
      refuse(fmt::format("expected port 0, found {}: an accumulator is "
                         "addressed by its base",
                         axon.port));
    if (axon.delay > kMaxDelay)
      refuse(fmt::format("expected a delay of at most {} steps, found {}",
                         kMaxDelay, axon.delay));
    result.shifts.push_back(list.shift);
    result.maxDelay = std::max<uint32_t>(result.maxDelay, axon.delay);
  }
  return result;
}
