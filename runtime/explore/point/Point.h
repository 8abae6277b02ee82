// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of one point of a study: a design and how it did. A point holds
// nothing that differs from machine to machine or from run to run (seconds,
// hosts), so that the same design gives the same bytes wherever it is measured.

#ifndef DENDROLITH_RUNTIME_EXPLORE_POINT_POINT_H
#define DENDROLITH_RUNTIME_EXPLORE_POINT_POINT_H

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::explore {

/// One choice of a value on each axis, for one model on one target.
struct Design {
  std::string model, target; ///< by the names that the study has for them
  /// Axis and value as text, in the order of the study.
  std::vector<std::pair<std::string, std::string>> values;
  uint64_t repeat = 0;
  bool operator==(const Design &o) const {
    return model == o.model && target == o.target && values == o.values &&
           repeat == o.repeat;
  }
};

enum class PointState {
  Done,     ///< compiled, run and priced
  Excluded, ///< by the study's `where`
  Unfit,    ///< the network does not fit this chip
  Invalid,  ///< the chip or the request contradicts itself
  Failed,   ///< the process that measured it ended without a result
  Timeout,  ///< it took longer than the study allows
};
const char *nameOf(PointState state);
/// Nothing where no state has that name.
std::optional<PointState> stateOf(const std::string &name);

/// What is not known exactly lies between two ends; a number is a band whose
/// ends are equal.
struct Band {
  double low = 0, high = 0;
  bool operator==(const Band &o) const {
    return low == o.low && high == o.high;
  }
};

/// What a chip has too little of.
struct Shortage {
  std::string resource; ///< "core_memory_bytes"
  double used = 0, limit = 0;
};

struct Point {
  Design design;
  PointState state = PointState::Done;
  std::string reason; ///< why it is not done, as people read it
  std::optional<Shortage> shortage;

  /// By name: what the study may minimise, bound or print.
  ///   score, accuracy          1 is all right; absent without labels
  ///   latency.mean, .p50, .p99 us of a sample
  ///   energy                   uJ of a sample's events
  ///   static                   uJ of a sample's static power
  ///   together                 both
  ///   area                     mm2 of the chip
  ///   power.static             mW of the chip
  ///   cores                    in use
  /// What is not known is absent.
  std::map<std::string, Band> values;

  /// By sample, to compare two designs on the same ones; empty if not known.
  std::vector<uint64_t> latencyPs;
  std::vector<bool> right;
  std::vector<Band> sampleEnergy; ///< uJ of events

  /// uJ of a sample, by event and by layer.
  std::vector<std::pair<std::string, Band>> energyByEvent, energyByLayer;
  /// mm2 of all chips, by what their area is not known for: "memory", "lanes".
  std::vector<std::pair<std::string, Band>> areaByPart;
  /// Who closed how many steps ("core 3 receive"), most first.
  std::vector<std::pair<std::string, uint64_t>> closedBy;
  /// By resource of a core: the most that a core uses, and the limit.
  std::vector<Shortage> fit;
};

/// What a name of a study means: "energy.high" is one end of "energy", "energy"
/// alone is both. Nothing where the point does not have it.
std::optional<Band> valueOf(const Point &point, const std::string &name);

/// [low, high], as points and pages have it.
nlohmann::ordered_json bandJson(const Band &band);

/// The dump(1) of it is what a file of a store holds.
nlohmann::ordered_json toJson(const Point &point);
/// Throws Error with `place` for what toJson() did not write.
Point pointFrom(const nlohmann::ordered_json &json, const std::string &place);

/// The same in few bytes, which only a program of this version reads back;
/// what unpacked() throws for other bytes is an Error.
std::string packed(const Point &point);
Point unpacked(std::string_view bytes);

// A point as it lies in a store, with its place in the study and what it took.

/// What a point took: not part of the point, as it differs from run to run.
struct Effort {
  double wallSeconds = 0;
  uint64_t peakBytes = 0;
  /// "quantise", "map", "values", "time", "price", in this order.
  struct Stage {
    std::string name;
    bool reused = false;
    double seconds = 0;
  };
  std::vector<Stage> stages;
};

struct StoredPoint {
  uint64_t number = 0; ///< from 1 on in the order of the study: "P17"
  std::string key;     ///< the SHA-256 that names its file
  Point point;
  /// Absent where it was measured before and is taken as it lies.
  std::optional<Effort> effort;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_POINT_POINT_H
