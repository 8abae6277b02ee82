// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What events cost. The table only states prices and where they come from; the
// arithmetic is in simulator/energy.

#ifndef DENDROLITH_TARGETS_LOADER_PRICE_COSTTABLE_H
#define DENDROLITH_TARGETS_LOADER_PRICE_COSTTABLE_H

#include "targets/loader/chip/Chip.h"
#include "targets/loader/chip/Counters.h"
#include "targets/support/Error.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith {

/// Whether a published number is a limit rather than a typical value.
enum class PriceBound { None, Min, Max };

/// The word used in the files: "none", "min", "max".
const char *toString(PriceBound bound);

/// Which end of a band of tables this one is; None: it stands for itself.
enum class BandEnd { None, Low, High };

/// The decision about one event. Exactly one of the three holds.
struct Price {
  enum class Decision { Priced, Inside, Unpriced };
  Decision form = Decision::Unpriced;
  double value = 0;   // pJ per event on this chip, when Priced
  std::string inside; // event or group that already contains it, when Inside
  Provenance kind =
      Provenance::Assumed; // of the value, or of the claim when Inside
  PriceBound bound = PriceBound::None;
  std::string source; // key into CostTable::sources; empty when Unpriced
};

/// Power drawn whether or not anything happens.
struct StaticPower {
  double milliwatts = 0; // of this chip
  Provenance kind = Provenance::Assumed;
  std::string source;
};

/// A validated cost table.
class CostTable {
public:
  /// By name ("davies2018" = costs-davies2018.yaml beside the target's file),
  /// by path, or "" for the target's default. Every event of
  /// target.events() must be decided. Throws Error with file:line:column, and
  /// for "" where the target has only a band, naming its two tables.
  static CostTable load(const std::string &nameOrPath, const Chip &target);

  /// Both ends of target.costBand, low first. Throws Error when the target has
  /// none, or when an event costs more at the low end than at the high end or
  /// is priced at one end only: a total would then be no interval.
  static std::pair<CostTable, CostTable> loadBand(const Chip &target);

  static CostTable parse(const std::string &text, const std::string &filename,
                         const Chip &target);

  std::string name, description;
  std::string family;  // timing family it belongs to; "any" fits all
  std::string voltage; // as stated by the source, "0.75 V" or "not stated"
  std::string scope;   // "per-term", "all-in", ...
  BandEnd band = BandEnd::None;         // one end: its totals are no estimate
  std::string yamlText, hash, filename; // hash: SHA-256 (hex) of yamlText

  /// Leaf events ("synops.dense") in the fixed order of allEvents().
  std::vector<std::pair<std::string, Price>> prices;
  std::optional<StaticPower> staticPower;                   // absent = unpriced
  std::vector<std::pair<std::string, std::string>> sources; // key, citation

  /// The decision about a leaf event; null when the table has none (the target
  /// cannot produce it).
  const Price *find(const std::string &event) const;

  /// The citation behind a source key.
  const std::string &citation(const std::string &key) const;

  /// False when the run's timing comes from another family, so that the caller
  /// can warn.
  bool matches(const TimingSet &timing) const;
};

/// Loads the table that `key` names, and the band that it is an end of. Throws
/// Error for prices that no table may have.
void checkPrices(const Chip &target, const std::string &key);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_PRICE_COSTTABLE_H
