// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This checks one core with its programs and groups.

#include "runtime/validate/Check.h"
#include "targets/support/Error.h"
#include "targets/support/FixedNeuron.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include <limits>

using namespace dendrolith;
using check::AccumulatorRange;
using Parameters = google::protobuf::RepeatedField<int32_t>;

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

// This checks the parameters of the fixed-function neuron against the ranges
// for which dend.cuba defines its arithmetic.

static constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();
static constexpr int64_t kInt32Min = std::numeric_limits<int32_t>::min();

static void checkRange(const std::string &place, const char *name,
                       const Parameters &values, int64_t low, int64_t high) {
  for (int i = 0; i < values.size(); ++i)
    if (values[i] < low || values[i] > high)
      throw Error(fmt::format("{}, {}[{}]: expected {} to {}, found {}", place,
                              name, i, low, high, values[i]));
}

static void checkParameter(const std::string &place, const char *name,
                           const Parameters &values, uint32_t count,
                           int64_t low, int64_t high) {
  uint64_t size = static_cast<uint64_t>(values.size());
  if (size != 1 && size != count)
    throw Error(fmt::format("{}, {}: expected 1 or {} values, found {}", place,
                            name, count, size));
  checkRange(place, name, values, low, high);
}

/// Checks initial values, of which none means 0 for all neurons.
static void checkInitial(const std::string &place, const char *name,
                         const Parameters &values, uint32_t count, int64_t low,
                         int64_t high) {
  if (!values.empty())
    checkParameter(place, name, values, count, low, high);
}

void check::checkCuba(const std::string &place, const image::Cuba &cuba,
                      uint32_t count) {
  checkParameter(place, "decay_u", cuba.decay_u(), count, -1, 4095);
  checkParameter(place, "decay_v", cuba.decay_v(), count, 0, 4096);
  checkParameter(place, "threshold", cuba.threshold(), count, -kInt32Max,
                 kInt32Max);
  checkParameter(place, "bias", cuba.bias(), count, -kInt32Max, kInt32Max);
  if (cuba.input_wrap_bits() > 32)
    throw Error(fmt::format("{}, input_wrap_bits: expected at most 32, found "
                            "{}",
                            place, cuba.input_wrap_bits()));
  // A reset leaves v at 0, so 0 must be a value that v may have.
  if (cuba.vmin() > 0 || cuba.vmin() < kInt32Min)
    throw Error(fmt::format("{}, vmin: expected {} to 0, found {}", place,
                            kInt32Min, cuba.vmin()));
  if (cuba.vmax() < 0 || cuba.vmax() > kInt32Max)
    throw Error(fmt::format("{}, vmax: expected 0 to {}, found {}", place,
                            kInt32Max, cuba.vmax()));
  if (cuba.refractory() > kCubaMostRefractory)
    throw Error(fmt::format("{}, refractory: expected at most {} steps, found "
                            "{}",
                            place, kCubaMostRefractory, cuba.refractory()));
  const unsigned bits = cubaCurrentBits(cuba.current_bits());
  const bool openHigh = cuba.wrap_open_high();
  // 32 bits have no room for the upper end of a range that is open below.
  const unsigned most = kCubaMostStateBits - (openHigh ? 0 : 1);
  if (bits < 2 || bits > most)
    throw Error(fmt::format("{}, current_bits: expected 2 to {}, found {}",
                            place, most, bits));
  const int64_t half = int64_t(1) << (bits - 1);
  checkInitial(place, "initial_u", cuba.initial_u(), count,
               openHigh ? -half : 1 - half, openHigh ? half - 1 : half);
  checkInitial(place, "initial_v", cuba.initial_v(), count, cuba.vmin(),
               cuba.vmax());
}
