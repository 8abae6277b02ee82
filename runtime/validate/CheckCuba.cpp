// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This checks the parameters of the fixed-function neuron against the ranges
// for which dend.cuba defines its arithmetic.

#include "runtime/validate/Check.h"
#include "targets/support/Error.h"
#include "targets/support/FixedNeuron.h"

#include <fmt/format.h>
#include <limits>

using namespace dendrolith;
using Parameters = google::protobuf::RepeatedField<int32_t>;

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
