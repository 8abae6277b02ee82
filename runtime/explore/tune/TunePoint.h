// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One precision of a network: the bits of each layer, how right its answers
// are and what it costs.

#ifndef DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNEPOINT_H
#define DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNEPOINT_H

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::tuning {

/// What is minimised. Energy is that of events, at the low end of a band.
enum class Objective { Energy, Words, Cores, Latency };

/// The objective of the name that a command line has.
Objective objectiveOf(const std::string &name);
const char *nameOf(Objective objective);
/// "pJ per sample": what a cost is counted in.
const char *unitOf(Objective objective);

/// Bits of weights, in the order of the layers.
using Bits = std::vector<uint64_t>;

struct Point {
  Bits bits;
  /// Why a network of these bits could not be compiled; empty where it was.
  std::string refused;
  double score = 0;
  /// The ends of 95 % confidence, where the metric has them.
  std::optional<double> low, high;
  std::optional<double> energy, energyHigh; ///< pJ per sample
  std::optional<double> latency;            ///< ns per sample
  double words = 0;                         ///< of synapse memory, all cores
  double wordsRead = 0;                     ///< per sample
  double cores = 0;

  bool operator==(const Point &other) const { return bits == other.bits; }
};

/// What the point costs; absent where that was not measured.
std::optional<double> costOf(const Point &point, Objective objective);

/// Whether `a` is cheaper: by the objective, then by words, then by the sum of
/// bits.
bool isCheaper(const Point &a, const Point &b, Objective objective);

/// The points that no other one beats in score and cost together, cheapest
/// first.
std::vector<Point> paretoSet(const std::vector<Point> &points,
                             Objective objective);

nlohmann::ordered_json toJson(const Point &point);
/// Throws nlohmann's exceptions for what toJson() did not write.
Point pointFrom(const nlohmann::ordered_json &json);

// Measured points in a folder, one small file each, so that a search which was
// stopped goes on where it was.

/// A file is named by the SHA-256 of the bits and of all else that a
/// measurement depends on, so that one of other data or flags is never taken.
class PointStore {
public:
  /// Makes `folder` if it is not there. Throws Error.
  PointStore(std::string folder, nlohmann::ordered_json context);

  /// The point of these bits; nothing where there is none, or no whole file.
  std::optional<Point> find(const Bits &bits) const;
  /// Writes the point; its file appears whole. Throws Error.
  void add(const Point &point) const;

private:
  std::string fileOf(const Bits &bits) const;
  std::string folder;
  nlohmann::ordered_json context;
};

} // namespace dendrolith::tuning

#endif // DENDROLITH_RUNTIME_EXPLORE_TUNE_TUNEPOINT_H
