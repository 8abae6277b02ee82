// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This checks one core with its programs and groups.

#include "runtime/validate/Check.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

using namespace dendrolith;
using check::AccumulatorRange;

/// Checks memory and time of the neurons of a group that runs a program.
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

/// Checks the groups. Returns the ranges of used accumulators, joined where
/// they touch, in order.
static std::vector<AccumulatorRange> checkGroups(const std::string &place,
                                                 const image::Core &core,
                                                 check::CoreTables &tables) {
  const std::vector<check::ProgramShape> &programs = tables.programs;
  if (core.groups().empty())
    throw Error(place + ": expected at least one group, found none; unused "
                        "cores are left out");
  std::vector<AccumulatorRange> ranges;
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
    AccumulatorRange range{group.base(), group.base() + each * group.count()};
    if (range.end > check::kMaxAccumulators)
      throw Error(fmt::format("{}: expected accumulators below {}, found {} "
                              "to {}",
                              here, check::kMaxAccumulators, range.begin,
                              range.end - 1));
    if (each > 0)
      ranges.push_back(range);
  }
  std::sort(
      ranges.begin(), ranges.end(),
      [](AccumulatorRange a, AccumulatorRange b) { return a.begin < b.begin; });
  std::vector<AccumulatorRange> joined;
  for (AccumulatorRange range : ranges) {
    if (!joined.empty() && range.begin < joined.back().end)
      throw Error(fmt::format("{}: two groups hold accumulator {}", place,
                              range.begin));
    if (!joined.empty() && range.begin == joined.back().end)
      joined.back().end = range.end;
    else
      joined.push_back(range);
  }
  return joined;
}

check::CoreTables check::checkCore(const std::string &place,
                                   const image::Core &core, bool whole) {
  CoreTables result;
  result.left = !whole;
  for (int p = 0; p < core.programs_size(); ++p)
    result.programs.push_back(checkMicroprogram(
        fmt::format("{}, program {}", place, p), core.programs(p)));
  std::vector<AccumulatorRange> used = checkGroups(place, core, result);
  result.accumulators = used.empty() ? 0 : used.back().end;

  if (whole)
    checkMemory(place, core, used, result);
  else if (core.has_synapses() || !core.in_axons().empty())
    throw Error(place + ": expected no synapses and in-axons, as of a core "
                        "that is not read, found some");
  return result;
}
