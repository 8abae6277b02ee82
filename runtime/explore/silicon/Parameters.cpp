// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/silicon/Parameters.h"

#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <sstream>

namespace dendrolith::silicon {
namespace {

std::vector<std::string> partsOfKey(const std::string &key) {
  std::istringstream stream(key);
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, '.');)
    words.push_back(word);
  return words;
}

/// Whether `name` becomes `key` where it leaves out words, but not its last.
bool isShortFor(const std::string &key, const std::string &name) {
  const std::vector<std::string> some = partsOfKey(key), all = partsOfKey(name);
  if (some.empty() || all.empty() || some.back() != all.back())
    return false;
  size_t at = 0;
  for (const std::string &word : all)
    at += at < some.size() && word == some[at];
  return at == some.size();
}

double numberOf(const std::string &text, const std::string &fit) {
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !std::isfinite(value) || value < 0)
    throw Error(fmt::format("--fit {}: expected KEY or KEY=LOW..HIGH with "
                            "numbers of 0 or more, found '{}'",
                            printable(fit), printable(text)));
  return value;
}

std::optional<Band> bandIn(const std::string &fit) {
  const size_t equals = fit.find('=');
  if (equals == std::string::npos)
    return std::nullopt;
  const std::string text = fit.substr(equals + 1);
  const size_t dots = text.find("..");
  const Band band{numberOf(text.substr(0, dots), fit),
                  dots == std::string::npos
                      ? numberOf("", fit)
                      : numberOf(text.substr(dots + 2), fit)};
  if (band.low >= band.high)
    throw Error(fmt::format("--fit {}: expected a low end below the high one",
                            printable(fit)));
  return band;
}

/// Numbers that were published as they are do not move by themselves.
void checkKind(const std::string &fit, Provenance kind) {
  if (kind == Provenance::Fitted || kind == Provenance::Scaled ||
      kind == Provenance::Assumed)
    return;
  throw Error(fmt::format("--fit {0}: the number is {1}, and only fitted, "
                          "scaled and assumed ones move; if it shall move all "
                          "the same, give its band, {0}=LOW..HIGH",
                          printable(fit), toString(kind)));
}

Parameter timeOf(const std::string &fit, const std::string &key,
                 const std::optional<Band> &band, const Target &target) {
  const TimingSet &timing = target.timing();
  const std::string start = "timing." + timing.name + ".";
  const std::string name =
      startsWith(key, start) ? key.substr(start.size()) : key;
  std::vector<std::string> names, found;
  const Record *record = nullptr;
  for (const Record &each : timing.records) {
    names.push_back(each.name);
    if (each.name != name && !isShortFor(name, each.name))
      continue;
    found.push_back(each.name);
    record = &each;
    if (each.name == name) {
      found = {name};
      break;
    }
  }
  if (found.size() != 1)
    throw Error(fmt::format(
        "--fit {}: expected one number of timing set '{}' of '{}', found {}{}",
        printable(fit), timing.name, target.name,
        found.empty() ? "none" : joinWords(found),
        found.empty() ? suggestion(name, names) : ""));
  Parameter made;
  made.key = record->name;
  made.unit = record->unit;
  made.shipped = numberOf(record->value, fit);
  // Ends that the chip states are as far as the number is known.
  const bool hasEnds = !record->low.empty();
  if (!band && !hasEnds)
    checkKind(fit, record->kind);
  made.band =
      band      ? *band
      : hasEnds ? Band{numberOf(record->low, fit), numberOf(record->high, fit)}
                : Band{made.shipped / 2, made.shipped * 2};
  if (made.band.low >= made.band.high)
    throw Error(fmt::format("--fit {0}: the number is 0, which has no half and "
                            "double; give its band, {0}=LOW..HIGH",
                            printable(fit)));
  return made;
}

/// What the tables say of an event, low end first.
Parameter eventOf(const std::string &fit, const std::string &event,
                  const std::optional<Band> &band,
                  const std::vector<CostTable> &prices) {
  Parameter made;
  made.key = event;
  made.isPrice = true;
  made.unit = event == "static" ? "mW" : "pJ";
  made.band = {std::numeric_limits<double>::infinity(), 0};
  for (const CostTable &table : prices) {
    Price price;
    if (event == "static" && table.staticPower) {
      price = {Price::Decision::Priced,
               table.staticPower->milliwatts,
               "",
               table.staticPower->kind,
               PriceBound::None,
               ""};
    } else if (const auto leaves = eventLeaves(event); !leaves.empty()) {
      if (const Price *found = table.find(leaves.front()))
        price = *found;
    } else if (event != "static") {
      throw Error(fmt::format("--fit {}: no event '{}', expected one of {}{}",
                              printable(fit), printable(event),
                              joinWords(allEvents()),
                              suggestion(event, allEvents())));
    }
    if (price.form == Price::Decision::Inside)
      throw Error(fmt::format("--fit {}: '{}' is priced in '{}', fit that",
                              printable(fit), event, price.inside));
    const bool isPriced = price.form == Price::Decision::Priced;
    made.band.low = std::min(made.band.low, price.value);
    made.band.high = isPriced ? std::max(made.band.high, price.value)
                              : std::numeric_limits<double>::infinity();
    made.shipped += price.value / double(prices.size());
    if (isPriced && prices.size() == 1) {
      if (!band)
        checkKind(fit, price.kind);
      made.band = {price.value / 2, price.value * 2};
    }
  }
  made.band = band.value_or(made.band);
  return made;
}

} // namespace

std::vector<Parameter> parametersOf(const std::vector<std::string> &fit,
                                    const Target &target,
                                    const std::vector<CostTable> &prices) {
  std::vector<Parameter> all;
  for (const std::string &each : fit) {
    const std::string key = each.substr(0, each.find('='));
    const std::optional<Band> band = bandIn(each);
    all.push_back(startsWith(key, "costs.")
                      ? eventOf(each, key.substr(6), band, prices)
                      : timeOf(each, key, band, target));
    for (size_t i = 0; i + 1 < all.size(); ++i)
      if (all[i].key == all.back().key && all[i].isPrice == all.back().isPrice)
        throw Error(fmt::format("--fit {}: '{}' is named twice",
                                printable(each), all.back().key));
  }
  return all;
}

// Numbers within bands that bring predictions close to measurements. Nothing
// here knows a chip.
std::vector<double>
boundedLeastSquares(const std::vector<std::vector<double>> &a,
                    const std::vector<double> &b,
                    const std::vector<Band> &bands) {
  // One number after another takes its best value while the others stay. The
  // sum is convex, so that this goes to its least.
  constexpr int most = 100000;
  constexpr double still = 1e-12;
  std::vector<double> x, rest(b);
  for (const Band &band : bands)
    x.push_back(band.low);
  for (size_t row = 0; row < b.size(); ++row)
    for (size_t k = 0; k < x.size(); ++k)
      rest[row] -= a[row][k] * x[k];
  for (int round = 0; round < most; ++round) {
    double moved = 0;
    for (size_t k = 0; k < x.size(); ++k) {
      double along = 0, square = 0;
      for (size_t row = 0; row < b.size(); ++row) {
        along += a[row][k] * rest[row];
        square += a[row][k] * a[row][k];
      }
      if (square == 0)
        continue;
      const double now = std::min(std::max(x[k] + along / square, bands[k].low),
                                  bands[k].high);
      for (size_t row = 0; row < b.size(); ++row)
        rest[row] -= a[row][k] * (now - x[k]);
      moved = std::max(moved, std::abs(now - x[k]) * std::sqrt(square));
      x[k] = now;
    }
    if (moved < still)
      break;
  }
  return x;
}

double valueAt(const Band &band, unsigned place) {
  const double share = double(place) / kGrid;
  return band.low > 0 ? band.low * std::pow(band.high / band.low, share)
                      : band.low + (band.high - band.low) * share;
}

unsigned nearestPlace(const Band &band, double value) {
  unsigned best = 0;
  for (unsigned place = 1; place <= kGrid; ++place)
    if (std::abs(valueAt(band, place) - value) <
        std::abs(valueAt(band, best) - value))
      best = place;
  return best;
}

GridPoint searchGrid(const GridPoint &start,
                     const std::function<double(const GridPoint &)> &cost) {
  GridPoint best = start;
  double least = cost(best);
  for (unsigned step = kGrid / 4; step > 0; step /= 2)
    for (bool better = true; better;) {
      better = false;
      const GridPoint from = best;
      for (size_t k = 0; k < from.size(); ++k)
        for (const bool up : {false, true}) {
          if (up ? from[k] + step > kGrid : from[k] < step)
            continue;
          GridPoint next = from;
          next[k] = up ? from[k] + step : from[k] - step;
          if (const double found = cost(next); found < least) {
            least = found;
            best = next;
            better = true;
          }
        }
    }
  return best;
}

} // namespace dendrolith::silicon
