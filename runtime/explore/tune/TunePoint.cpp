// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/tune/TunePoint.h"

#include "runtime/host/Files.h"
#include "targets/support/JsonText.h"
#include "targets/support/Sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <tuple>

namespace dendrolith::tuning {
namespace {

struct Named {
  Objective objective;
  const char *name, *unit;
};
constexpr std::array<Named, 4> kObjectives = {
    {{Objective::Energy, "energy", "pJ per sample"},
     {Objective::Words, "words", "words of synapse memory"},
     {Objective::Cores, "cores", "cores"},
     {Objective::Latency, "latency", "ns per sample"}}};

const Named &find(Objective objective) {
  return *std::find_if(
      kObjectives.begin(), kObjectives.end(),
      [&](const Named &named) { return named.objective == objective; });
}

nlohmann::ordered_json orNull(const std::optional<double> &value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

std::optional<double> maybe(const nlohmann::ordered_json &json) {
  return json.is_null() ? std::nullopt
                        : std::optional<double>(json.get<double>());
}

} // namespace

Objective objectiveOf(const std::string &name) {
  for (const Named &named : kObjectives)
    if (name == named.name)
      return named.objective;
  return Objective::Energy;
}

const char *nameOf(Objective objective) { return find(objective).name; }
const char *unitOf(Objective objective) { return find(objective).unit; }

std::optional<double> costOf(const Point &point, Objective objective) {
  switch (objective) {
  case Objective::Energy:
    return point.energy;
  case Objective::Latency:
    return point.latency;
  case Objective::Words:
    return point.words;
  case Objective::Cores:
    return point.cores;
  }
  return std::nullopt;
}

bool isCheaper(const Point &a, const Point &b, Objective objective) {
  auto key = [&](const Point &point) {
    return std::make_tuple(
        costOf(point, objective).value_or(0), point.words,
        std::accumulate(point.bits.begin(), point.bits.end(), uint64_t(0)));
  };
  return key(a) < key(b);
}

std::vector<Point> paretoSet(const std::vector<Point> &points,
                             Objective objective) {
  std::vector<Point> sorted;
  for (const Point &point : points)
    if (point.refused.empty())
      sorted.push_back(point);
  std::stable_sort(
      sorted.begin(), sorted.end(), [&](const Point &a, const Point &b) {
        if (isCheaper(a, b, objective))
          return true;
        return !isCheaper(b, a, objective) &&
               (a.score > b.score || (a.score == b.score && a.bits < b.bits));
      });
  std::vector<Point> front;
  for (const Point &point : sorted)
    if (front.empty() || point.score > front.back().score)
      front.push_back(point);
  return front;
}

nlohmann::ordered_json toJson(const Point &point) {
  return {{"bits", point.bits},
          {"refused", point.refused},
          {"score", point.score},
          {"score_low", orNull(point.low)},
          {"score_high", orNull(point.high)},
          {"energy_low_pJ", orNull(point.energy)},
          {"energy_high_pJ", orNull(point.energyHigh)},
          {"latency_ns", orNull(point.latency)},
          {"words", point.words},
          {"words_read", point.wordsRead},
          {"cores", point.cores}};
}

Point pointFrom(const nlohmann::ordered_json &json) {
  Point point;
  for (const auto &bits : json.at("bits"))
    point.bits.push_back(wholeFrom(bits));
  point.refused = json.at("refused").get<std::string>();
  point.score = json.at("score").get<double>();
  point.low = maybe(json.at("score_low"));
  point.high = maybe(json.at("score_high"));
  point.energy = maybe(json.at("energy_low_pJ"));
  point.energyHigh = maybe(json.at("energy_high_pJ"));
  point.latency = maybe(json.at("latency_ns"));
  point.words = json.at("words").get<double>();
  point.wordsRead = json.at("words_read").get<double>();
  point.cores = json.at("cores").get<double>();
  return point;
}

// The most that a point with very many layers takes.
constexpr uint64_t kFileBytes = 1 << 20;

PointStore::PointStore(std::string place, nlohmann::ordered_json about)
    : folder(std::move(place)), context(std::move(about)) {
  makeFolder(folder);
}

std::string PointStore::fileOf(const Bits &bits) const {
  nlohmann::ordered_json key = {{"context", context}, {"bits", bits}};
  return folder + "/" + sha256(key.dump()) + ".json";
}

std::optional<Point> PointStore::find(const Bits &bits) const {
  const std::string path = fileOf(bits);
  if (!std::filesystem::exists(path))
    return std::nullopt;
  try {
    const auto json =
        readJson<nlohmann::ordered_json>(readFile(path, kFileBytes), path);
    Point point = pointFrom(json);
    if (point.bits == bits)
      return point;
  } catch (const std::exception &) {
    // The file was changed: the point is measured again.
  }
  return std::nullopt;
}

void PointStore::add(const Point &point) const {
  writeAside(fileOf(point.bits), toJson(point).dump(2) + "\n");
}

} // namespace dendrolith::tuning
