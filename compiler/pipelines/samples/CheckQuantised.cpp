// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/samples/CheckQuantised.h"

#include "compiler/pipelines/samples/RunSamples.h"
#include "compiler/transforms/network/Refusal.h"

#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/NumberAttrs.h"
#include "dialects/dend/fast/SideBySide.h"

#include "mlir/IR/Builders.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

using namespace mlir;

namespace dendrolith {
namespace {

constexpr uint64_t kCheckedSamples = 64;
// Where a larger share of the potentials lies at a rung, it is rounding that
// decides on the spikes.
constexpr double kManyAtRungs = 0.01;

/// What one SSF did in one population.
struct Ladder {
  std::map<int64_t, uint64_t> fired; ///< how often each value was fired
  /// Potentials seen, and those within a unit of a rung.
  uint64_t all = 0, near = 0;
  /// The least distance of a potential from a rung, in raw units.
  double closest = std::numeric_limits<double>::infinity();
  int exponent = 0; ///< a raw unit is worth 2^exponent

  void add(const Ladder &other) {
    for (const auto &[value, count] : other.fired)
      fired[value] += count;
    all += other.all;
    near += other.near;
    closest = std::min(closest, other.closest);
    exponent = other.exponent;
  }
};
/// By population, and by the place of the SSF among those of its body.
using Ladders = std::map<std::pair<std::string, size_t>, Ladder>;

/// Distance of a potential to the nearest rung shift + scale vth k.
double distance(double v, double shift, double step, int64_t rungs) {
  double k = std::clamp(std::round((v - shift) / step), double(1 - rungs),
                        double(rungs));
  return std::fabs(v - shift - step * k);
}

void look(const dend::Update &update, dend::SsfOp ssf, Ladder &ladder) {
  const dend::PopulationValue &lanes = update.frame[ssf.getResult()];
  const dend::PopulationValue &potential = update.frame[ssf.getPotential()];
  dend::View<int64_t> fired = dend::raws(lanes), v = dend::raws(potential),
                      shift = dend::raws(update.frame[ssf.getShift()]),
                      scale = dend::raws(update.frame[ssf.getScale()]);
  double vth = ssf.getVth().convertToDouble();
  int64_t rungs = int64_t(ssf.getU().convertToDouble() / vth);
  ladder.exponent = potential.exponent;
  ladder.all += uint64_t(update.frame.neurons() * lanes.size);
  // Most fire what the one before them did, which is nothing.
  int64_t last = 0;
  uint64_t *times = nullptr;
  for (int64_t n = 0; n < update.frame.neurons(); ++n)
    for (int64_t i = 0; i < lanes.size; ++i) {
      if (!times || fired(n, i) != last)
        times = &ladder.fired[last = fired(n, i)];
      ++*times;
      double away = distance(double(v(n, i)), double(shift(n, i)),
                             double(scale(n, i)) * vth, rungs);
      ladder.near += away <= 1;
      ladder.closest = std::min(ladder.closest, away);
    }
}

std::string describe(const Ladder &ladder) {
  std::string shares;
  for (auto [value, count] : ladder.fired)
    shares += fmt::format("{}{}: {:.1f} %", shares.empty() ? "" : ", ", value,
                          100 * double(count) / double(ladder.all));
  double near = double(ladder.near) / double(ladder.all);
  return fmt::format("spike values {}; {:.3g} % of {} potentials within a "
                     "unit (2^{}) of a rung, the closest {:g} away",
                     shares, 100 * near, ladder.all, ladder.exponent,
                     ladder.closest);
}

/// Largest magnitudes of raw states, by population and state.
using Magnitudes = llvm::DenseMap<std::pair<Operation *, unsigned>, double>;

void widen(Magnitudes &magnitudes, const dend::Update &update) {
  dend::PopulationOp population = update.population;
  dend::NeuronOp model = update.model;
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  for (auto [i, next] : llvm::enumerate(yield.getStates())) {
    int64_t low = 0, high = 0;
    dend::loopSideBySide([&low, &high, raw = ArrayRef(update.frame[next].raw)]()
                             DENDROLITH_SIDE_BY_SIDE {
                               int64_t least = 0, largest = 0;
                               for (int64_t x : raw) {
                                 least = x < least ? x : least;
                                 largest = x > largest ? x : largest;
                               }
                               low = least;
                               high = largest;
                             });
    double &most = magnitudes[{population, unsigned(i)}];
    most = std::max({most, std::fabs(double(low)), double(high)});
  }
}

/// What one thread has seen.
struct SeenStates {
  Magnitudes magnitudes;
  Ladders ladders;
  /// The SSFs of each population's body, found once.
  llvm::DenseMap<Operation *, std::vector<dend::SsfOp>> ssfs;

  const std::vector<dend::SsfOp> &ssfsOf(const dend::Update &update) {
    auto [found, isNew] = ssfs.try_emplace(update.population);
    dend::NeuronOp model = update.model;
    if (isNew)
      model.getBlock().walk(
          [&](dend::SsfOp ssf) { found->second.push_back(ssf); });
    return found->second;
  }
};

LogicalResult checkMagnitudes(dend::PopulationOp population,
                              const Magnitudes &magnitudes) {
  dend::NeuronOp model = dend::modelOf(population);
  for (auto [i, state] : llvm::enumerate(model.getStateArgs())) {
    dend::FxType format = dend::fixedType(state.getType());
    auto most = magnitudes.find({population, unsigned(i)});
    if (!format || most == magnitudes.end())
      continue;
    double limit = std::ldexp(1.0, int(format.getWidth()) - 1);
    StringRef name = model.getState(unsigned(i)).getName().getValue();
    const double unit = std::ldexp(1.0, format.getExponent()) /
                        dend::unitsOf(population, dend::kStateUnits, name);
    if (most->second > limit / 2)
      return population.emitError("layer '@")
             << population.getSymName() << "': state '" << name << "' reaches "
             << most->second * unit
             << " in integers on the calibration samples, where its "
             << format.getWidth() << " bits end at " << limit * unit
             << ", though the float network stays within a quarter of that; "
                "a sum wraps or a recipe meets its end: calibrate with more "
                "samples, bound operands, or retrain with faster decays";
  }
  return success();
}

} // namespace

LogicalResult checkQuantised(dend::NetworkOp fixed,
                             const llvm::StringSet<> &programs,
                             const std::map<std::string, Samples> &inputs,
                             unsigned threads) {
  std::deque<SeenStates> byThread;
  auto observe = [&](const SampleClock &) -> dend::Observer {
    SeenStates &seen = byThread.emplace_back();
    return [&](const dend::Update &update) {
      dend::PopulationOp population = update.population;
      if (!programs.contains(population.getSymName()))
        return;
      widen(seen.magnitudes, update);
      for (auto [i, ssf] : llvm::enumerate(seen.ssfsOf(update)))
        look(update, ssf, seen.ladders[{population.getSymName().str(), i}]);
    };
  };
  if (failed(
          runSamples({fixed, {}, inputs, kCheckedSamples, threads}, observe)))
    return failure();
  Magnitudes magnitudes;
  Ladders ladders;
  for (const SeenStates &seen : byThread) {
    for (const auto &[state, most] : seen.magnitudes)
      magnitudes[state] = std::max(magnitudes[state], most);
    for (const auto &[ssf, ladder] : seen.ladders)
      ladders[ssf].add(ladder);
  }
  dend::NetworkIndex index(fixed);
  for (auto population : fixed.getOps<dend::PopulationOp>())
    if (programs.contains(population.getSymName()) &&
        failed(checkMagnitudes(population, magnitudes)))
      return failure();
  for (const auto &[key, ladder] : ladders) {
    report::QuantRowAttr::Fields row;
    row.layer = key.first;
    row.detail = describe(ladder);
    fixed.setQuantisationAttr(
        report::appended(fixed.getQuantisationAttr(),
                         report::QuantRowAttr::of(fixed.getContext(), row)));
    double near = double(ladder.near) / double(ladder.all);
    if (near > kManyAtRungs)
      warn(fixed,
           {"coarse-potential", placeOfLayer(key.first),
            fmt::format("{:.3g} % of its potentials lie within a unit of a "
                        "rung, where rounding decides on spikes: the scale "
                        "leaves the potential too few units",
                        100 * near)});
  }
  return success();
}

} // namespace dendrolith
