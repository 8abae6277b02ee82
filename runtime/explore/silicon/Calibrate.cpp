// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/silicon/Calibrate.h"

#include "runtime/explore/silicon/Activity.h"
#include "simulator/report/result/Pricing.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace dendrolith::silicon {
namespace {

/// Rows of networks that a fit leaves out.
using Left = std::set<const FittedRow *>;

class Calibrator {
public:
  Calibrator(const std::vector<Measurements> &measured, Workbench &bench,
             const CalibrateRequest &request)
      : bench(bench), request(request) {
    made.chip = Target::load(request.target);
    prices = report::chooseCosts("", made.chip);
    made.parameters = parametersOf(request.fit, made.chip, prices);
    for (size_t i = 0; i < made.parameters.size(); ++i)
      (made.parameters[i].isPrice ? priced : timed).push_back(i);
    chooseRows(compare(measured, bench, request.target));
  }

  Calibration execute() {
    checkRows(timed.size(), "times", timeRows({}).size());
    checkRows(priced.size(), "prices", priceRows({}).size());
    made.values = fit({});
    for (FittedRow &row : made.rows) {
      row.after = errorAt(row, made.values);
      row.predicted = row.row.row->value * (1 + row.after);
      row.isExplained = isExplained(row);
      if (request.leaveOneOut)
        row.leftOut = errorWithout(row);
    }
    return std::move(made);
  }

private:
  /// Only what a parameter can change takes part.
  void chooseRows(std::vector<Comparison> all) {
    for (Comparison &each : all) {
      const Quantity quantity = each.row->quantity;
      const bool isTime = quantity == Quantity::TimeStep,
                 isPrice = quantity == Quantity::EnergyStep ||
                           quantity == Quantity::PowerStatic;
      if (each.isCompared() && !(isTime && !timed.empty()) &&
          !(isPrice && !priced.empty()))
        each.because = isTime || isPrice
                           ? "no parameter has a say in it"
                           : "counters and cores are checked, not fitted";
      if (!each.isCompared()) {
        made.others.push_back(std::move(each));
        continue;
      }
      FittedRow row;
      row.row = std::move(each);
      made.rows.push_back(std::move(row));
    }
    for (FittedRow &row : made.rows)
      row.before = row.row.error;
  }

  static void checkRows(size_t parameters, const char *what, size_t rows) {
    if (parameters > rows)
      throw Error(
          fmt::format("--fit: {} parameter(s) of {}, but {} row(s) that "
                      "depend on them; a fit needs a row for each, "
                      "name fewer parameters or measure more",
                      parameters, what, rows));
  }

  std::vector<FittedRow *> rowsOf(bool isTime, const Left &left) {
    std::vector<FittedRow *> rows;
    for (FittedRow &row : made.rows)
      if ((row.row.row->quantity == Quantity::TimeStep) == isTime &&
          !left.count(&row))
        rows.push_back(&row);
    return rows;
  }
  std::vector<FittedRow *> timeRows(const Left &left) {
    return rowsOf(true, left);
  }
  std::vector<FittedRow *> priceRows(const Left &left) {
    return rowsOf(false, left);
  }

  const Activity &activityOf(const FittedRow &row) {
    return *bench
                .attempt(*row.row.file,
                         row.row.file->workload(row.row.row->workload),
                         request.target)
                .activity;
  }

  // ---- Times ---------------------------------------------------------------

  double timeValue(size_t parameter, unsigned place) const {
    return std::round(valueAt(made.parameters[parameter].band, place));
  }

  GridPoint placesOf(const std::vector<double> &values) const {
    GridPoint point;
    for (size_t i : timed)
      point.push_back(nearestPlace(made.parameters[i].band, values[i]));
    return point;
  }

  const Target &chipAt(const GridPoint &point) {
    const auto [found, isNew] = chips.emplace(point, made.chip);
    for (size_t k = 0; isNew && k < timed.size(); ++k)
      found->second.set(fmt::format("timing.{}.{}", made.chip.timing().name,
                                    made.parameters[timed[k]].key),
                        fmt::format("{:.0f}", timeValue(timed[k], point[k])));
    return found->second;
  }

  /// Replays of one network at one point serve all of its rows.
  double timeErrorAt(const FittedRow &row, const GridPoint &point) {
    const Activity &activity = activityOf(row);
    const GridPoint replayed = withoutSystem(point);
    const auto [found, isNew] =
        times.try_emplace({&activity, replayed}, sim::RunResult());
    if (isNew) {
      found->second = activity.replayOn(chipAt(replayed));
      ++made.replays;
      if (request.progress)
        request.progress(made.replays);
    }
    double time = activity.timeOf(*row.row.row, found->second);
    if (point != replayed)
      time += activity.managementOn(chipAt(point)) -
              activity.managementOn(chipAt(replayed));
    const double measured = row.row.row->value;
    return (time - measured) / measured;
  }

  /// The point with what the system adds to each step as it is shipped. Traffic
  /// does not depend on it, and it is a sum unless steps are held to a time.
  GridPoint withoutSystem(GridPoint point) const {
    if (made.chip.timing().tick)
      return point;
    for (size_t k = 0; k < timed.size(); ++k) {
      const Parameter &parameter = made.parameters[timed[k]];
      if (startsWith(parameter.key, "management."))
        point[k] = nearestPlace(parameter.band, parameter.shipped);
    }
    return point;
  }

  /// Where all numbers make steps as quick, or as slow, as their bands let
  /// them.
  GridPoint timeEnds(bool slow) const {
    GridPoint point;
    for (size_t i : timed)
      point.push_back(slow == isSlowerWithMore(made.parameters[i].unit) ? kGrid
                                                                        : 0);
    return point;
  }

  GridPoint fitTimes(const std::vector<FittedRow *> &rows) {
    std::vector<double> shipped;
    for (const Parameter &parameter : made.parameters)
      shipped.push_back(parameter.shipped);
    return searchGrid(placesOf(shipped), [&](const GridPoint &point) {
      double sum = 0;
      for (const FittedRow *row : rows)
        sum += std::abs(timeErrorAt(*row, point));
      return sum;
    });
  }

  // ---- Prices --------------------------------------------------------------

  /// How a step's energy follows from the parameters: what is fixed, and a
  /// factor for each price.
  struct Linear {
    double fixed = 0;
    std::vector<double> factors;
  };

  Linear linearOf(const FittedRow &row) {
    Linear linear;
    const bool isStatic = row.row.row->quantity == Quantity::PowerStatic;
    const Activity *activity = isStatic ? nullptr : &activityOf(row);
    for (const CostTable &table : prices)
      linear.fixed += (isStatic ? table.staticPower->milliwatts
                                : activity->energyAt(table)) /
                      double(prices.size());
    for (size_t i : priced) {
      const Parameter &parameter = made.parameters[i];
      double factor = 0;
      if (isStatic)
        factor = parameter.key == "static";
      else
        for (const std::string &leaf : eventLeaves(parameter.key))
          factor += double(activity->counts().total()[*counterOf(leaf)]) /
                    double(activity->steps());
      linear.factors.push_back(factor);
      linear.fixed -= factor * parameter.shipped;
    }
    return linear;
  }

  std::vector<double> fitPrices(const std::vector<FittedRow *> &rows) {
    std::vector<std::vector<double>> a;
    std::vector<double> b;
    std::vector<Band> bands;
    for (size_t i : priced)
      bands.push_back(made.parameters[i].band);
    for (const FittedRow *row : rows) {
      const double measured = row->row.row->value;
      Linear linear = linearOf(*row);
      for (double &factor : linear.factors)
        factor /= measured;
      a.push_back(linear.factors);
      b.push_back((measured - linear.fixed) / measured);
    }
    return boundedLeastSquares(a, b, bands);
  }

  // ---- Both ----------------------------------------------------------------

  std::vector<double> fit(const Left &left) {
    std::vector<double> values(made.parameters.size());
    const GridPoint point = fitTimes(timeRows(left));
    for (size_t k = 0; k < timed.size(); ++k)
      values[timed[k]] = timeValue(timed[k], point[k]);
    const std::vector<double> found = fitPrices(priceRows(left));
    for (size_t k = 0; k < priced.size(); ++k)
      values[priced[k]] = found[k];
    return values;
  }

  double errorAt(const FittedRow &row, const std::vector<double> &values) {
    if (row.row.row->quantity == Quantity::TimeStep)
      return timeErrorAt(row, placesOf(values));
    const Linear linear = linearOf(row);
    double energy = linear.fixed;
    for (size_t k = 0; k < priced.size(); ++k)
      energy += linear.factors[k] * values[priced[k]];
    return (energy - row.row.row->value) / row.row.row->value;
  }

  /// Whether some values bring this row alone to what was measured.
  bool isExplained(FittedRow &row) {
    const double known =
        std::max(row.row.row->uncertainty / row.row.row->value, kSameActivity);
    if (row.row.row->quantity == Quantity::TimeStep)
      return timeErrorAt(row, timeEnds(false)) <= known &&
             timeErrorAt(row, timeEnds(true)) >= -known;
    Left others;
    for (const FittedRow &each : made.rows)
      if (&each != &row)
        others.insert(&each);
    return std::abs(errorAt(row, fit(others))) <= known;
  }

  std::optional<double> errorWithout(FittedRow &row) {
    Left left;
    for (const FittedRow &each : made.rows)
      if (&each == &row || (!row.row.row->workload.empty() &&
                            each.row.row->workload == row.row.row->workload))
        left.insert(&each);
    const bool isTime = row.row.row->quantity == Quantity::TimeStep;
    if (rowsOf(isTime, left).size() < (isTime ? timed : priced).size())
      return std::nullopt;
    return errorAt(row, fit(left));
  }

  Workbench &bench;
  const CalibrateRequest &request;
  Calibration made;
  std::vector<CostTable> prices;
  std::vector<size_t> timed, priced; ///< places of parameters
  std::map<GridPoint, Target> chips;
  std::map<std::pair<const Activity *, GridPoint>, sim::RunResult> times;
};

} // namespace

Calibration calibrate(const std::vector<Measurements> &measured,
                      Workbench &bench, const CalibrateRequest &request) {
  return Calibrator(measured, bench, request).execute();
}

} // namespace dendrolith::silicon
