// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Search.h"

#include "compiler/mapping/candidates/Arrangement.h"
#include "compiler/mapping/candidates/Interleave.h"
#include "compiler/mapping/candidates/Regroup.h"
#include "compiler/mapping/candidates/SearchSpace.h"
#include "compiler/mapping/candidates/Tiles.h"
#include "compiler/mapping/in_order/InOrder.h"
#include "compiler/mapping/result/Bounds.h"
#include "compiler/mapping/result/Mapping.h"
#include "compiler/mapping/result/Misfits.h"
#include "compiler/mapping/result/Verify.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace dendrolith {

namespace {

/// How many candidates get a last touch.
constexpr size_t kFinished = 2;

std::vector<uint32_t> leastParts(const MapNetwork &network,
                                 const Mapping &mapping) {
  std::vector<uint32_t> parts;
  for (const std::vector<uint32_t> &of : cutsOf(network, mapping.slices).starts)
    parts.push_back(uint32_t(of.size()) - 1);
  return parts;
}

/// The mapping in the given order of a target, cut as for `cut`, on the least
/// number of cores or on fewer where there is none.
Fit<Mapping> inGivenOrder(const SearchSpace &space, const Target &target,
                          const Target &cut) {
  const Solver &solver = findSolver("default");
  Fit<Mapping> mapping =
      mapInOrder(space.network, target, solver, space.options.minCores, &cut);
  if (!mapping && space.options.minCores)
    return mapInOrder(space.network, target, solver, 0, &cut);
  return mapping;
}

/// Where out-axons end the search, several slices that are cut for fewer of
/// them share a core.
void cutForFewerAxons(const SearchSpace &space, std::vector<Candidate> &found) {
  constexpr uint64_t kMostSlices = 8;
  if (!space.bindsAxons())
    return;
  const uint64_t limit = *space.target.limits.outAxons;
  std::vector<std::optional<Candidate>> made(kMostSlices - 1);
  space.threads->share(made.size(), [&](size_t i) {
    Target tight = space.target;
    tight.limits.outAxons = std::max<uint64_t>(limit / (i + 2), 1);
    if (space.isOver())
      return;
    const std::string how = fmt::format("given order, cut for {} out-axons",
                                        *tight.limits.outAxons);
    space.progress.begin(how);
    if (Fit<Mapping> mapping = inGivenOrder(space, space.target, tight))
      made[i] = space.take(how, *mapping);
  });
  for (std::optional<Candidate> &each : made)
    if (each)
      found.push_back(std::move(*each));
}

/// All candidates, `fewest` first where there is such a mapping. Where
/// `noneInOrder` says that no mapping keeps the given order, none is tried.
std::vector<Candidate> lookAround(const SearchSpace &space,
                                  const Mapping *fewest, bool noneInOrder) {
  std::vector<Candidate> found;
  if (fewest)
    if (auto each = space.take("given order, as few cores as fit", *fewest))
      found.push_back(std::move(*each));
  const std::vector<uint32_t> ones(space.network.populations.size(), 1);
  if (space.goal == Goal::Cores && !found.empty())
    sweepFewerCores(space, found, "given order",
                    leastParts(space.network, *fewest));
  else if (!noneInOrder)
    sweepCores(space, found, "given order",
               fewest ? leastParts(space.network, *fewest) : ones, false);
  interleaveNeurons(space, found);
  if (hasFeatureMaps(space.network))
    sweepCores(space, found, "feature maps in tiles", ones, true);
  regroup(space, found);
  if (space.goal != Goal::Cores || found.empty())
    cutForFewerAxons(space, found);
  reevaluate(space, found);
  return found;
}

/// The best first; those that were found first of equals.
void sort(const SearchSpace &space, std::vector<Candidate> &found) {
  std::stable_sort(found.begin(), found.end(),
                   [&](const Candidate &a, const Candidate &b) {
                     return space.valueOf(a) < space.valueOf(b);
                   });
}

std::vector<TradeOff> tradeOff(const SearchSpace &space,
                               const std::vector<Candidate> &found,
                               const Candidate &chosen) {
  std::vector<TradeOff> rows;
  for (const Candidate &each : found)
    rows.push_back({each.eval.cores, each.eval.stepPs / 1000,
                    space.model.priced ? each.eval.energyPj() : 0, each.how,
                    &each == &chosen, false, each.eval.rough});
  for (TradeOff &row : rows)
    row.pareto =
        std::none_of(rows.begin(), rows.end(), [&](const TradeOff &other) {
          return other.cores <= row.cores && other.stepNs <= row.stepNs &&
                 other.stepPj <= row.stepPj &&
                 (other.cores < row.cores || other.stepNs < row.stepNs ||
                  other.stepPj < row.stepPj);
        });
  std::stable_sort(
      rows.begin(), rows.end(),
      [](const TradeOff &a, const TradeOff &b) { return a.cores < b.cores; });
  return rows;
}

} // namespace

namespace {

/// All candidates of a search, the best first, with their last touch.
std::vector<Candidate> searched(const SearchSpace &space,
                                Fit<Mapping> &fewest) {
  std::vector<Candidate> found =
      lookAround(space, fewest ? &*fewest : nullptr,
                 !fewest && fewest.misfit().found.noneInOrder);
  sort(space, found);
  space.progress.begin("places of the best mappings");
  space.threads->share(std::min(found.size(), kFinished), [&](size_t i) {
    if (space.isOver())
      return;
    if (found[i].clusters)
      finishGroups(space, found[i]);
    else
      space.finish(found[i]);
  });
  sort(space, found);
  return found;
}

/// Limits up to that of the target: each number up to 16, then eight in each
/// octave.
std::vector<uint64_t> limitsUpTo(uint64_t limit) {
  std::vector<uint64_t> limits;
  for (uint64_t each = 1, octave = 8; each <= limit; each += octave / 8) {
    limits.push_back(each);
    if (each == 2 * octave)
      octave *= 2;
  }
  return limits;
}

/// Where out-axons have ended the search for other candidates of a small
/// network, those of searches under limits that do not depend on the target's:
/// a looser one has all that a tighter one has, and is never worse. Limits that
/// differ less than these give one mapping. With more synapses so many searches
/// would take minutes.
std::vector<Candidate> searchedTighter(const SearchSpace &space,
                                       std::vector<Candidate> own) {
  constexpr uint64_t kMostSynapses = 100000;
  if (!space.bindsAxons() || space.synapses > kMostSynapses ||
      (space.goal == Goal::Cores && !own.empty()))
    return own;
  const uint64_t limit = *space.target.limits.outAxons;
  std::vector<Candidate> found;
  for (uint64_t each : limitsUpTo(limit)) {
    if (space.isOver())
      break;
    Target tight = space.target;
    tight.limits.outAxons = each;
    Fit<Mapping> fewest = inGivenOrder(space, tight, tight);
    if (!fewest)
      continue;
    std::vector<Candidate> more;
    if (each == limit && !space.options.minCores) {
      more = std::move(own);
      own.clear();
    } else {
      const SearchSpace at(space.network, tight, space.options, space.model,
                           space.progress, space.began);
      more = searched(at, fewest);
      for (Candidate &one : more)
        one.how += fmt::format(", for {} out-axons", each);
    }
    for (Candidate &one : more)
      if (std::none_of(found.begin(), found.end(), [&](const Candidate &known) {
            return isSame(known, one);
          }))
        found.push_back(std::move(one));
  }
  if (found.empty() || space.isOver())
    std::move(own.begin(), own.end(), std::back_inserter(found));
  sort(space, found);
  return found;
}

} // namespace

Fit<Mapping> searchMapping(const MapNetwork &network, const Target &target,
                           const MappingOptions &options,
                           const ChipModel &model, Fit<Mapping> fewest) {
  // No search helps where one neuron or the network's bound is too large.
  if (!fewest &&
      (fewest.misfit().oneNeuron || fewest.misfit().bound > target.numCores()))
    return fewest;
  if (fewest && fewest->slices.empty())
    return fewest;
  Progress progress(options.control.get(),
                    options.control ? lowerBounds(network, target).cores() : 0);
  const SearchSpace space(network, target, options, model, progress);
  const std::vector<Candidate> found =
      searchedTighter(space, searched(space, fewest));
  for (const Candidate &each : found) {
    Mapping mapping;
    mapping.order = each.order;
    mapping.solver = "default";
    const Reordered net = space.inOrder(each.order);
    mapping.slices = slicesOn(*net, each.starts, each.cores);
    Fit<std::vector<FitRow>> fit = verify(*net, target, mapping.slices);
    if (!fit)
      continue;
    mapping.fit = std::move(*fit);
    mapping.tradeOff = tradeOff(space, found, each);
    mapping.cutShort = space.cutShort(found.size());
    return mapping;
  }
  if (std::string why = space.cutShort(0); !fewest && !why.empty())
    throw Error(fmt::format("the search for a mapping ended before one was "
                            "found ({}); give it more time",
                            why));
  if (!fewest)
    return fewest;
  return tooFewAllowed(target, space.most,
                       coresUsed(cutsOf(network, fewest->slices).cores));
}

namespace {

/// Numbers of cores to look at from one on, each 1.25 times the last one or
/// more where the network is large.
std::vector<uint32_t> ladder(const SearchSpace &space, uint32_t from) {
  // Each candidate reads each synapse about three times.
  const double looks = std::clamp<double>(double(SearchSpace::kReadBudget) /
                                              (3 * double(space.synapses + 1)),
                                          2, 24);
  const double span = std::log(double(space.most) / from);
  constexpr double kRatio = 1.25;
  const double ratio = std::max(kRatio, std::exp(span / looks));
  // Where the fewest cores, which follow from the limits, were the first step,
  // a looser limit would have other numbers and by chance a worse best one.
  std::vector<uint32_t> steps = {from};
  for (double k = ratio > kRatio ? from : 1; k < double(space.most) * 0.97;
       k = std::max(k * ratio, k + 1))
    if (const auto cores = uint32_t(std::lround(k)); cores > from)
      steps.push_back(cores);
  if (space.most > from)
    steps.push_back(space.most);
  return steps;
}

} // namespace

void sweepCores(const SearchSpace &space, std::vector<Candidate> &found,
                const std::string &how, const std::vector<uint32_t> &parts,
                bool inTiles) {
  const WorkSums sums = sumUp(space.loads());
  uint32_t from = space.least;
  if (!found.empty() && !inTiles)
    from = std::max(from, found.front().eval.cores);
  if (from > space.most)
    return;
  auto look = [&](uint32_t cores) -> std::optional<Candidate> {
    if (space.isOver())
      return std::nullopt;
    space.progress.begin(fmt::format("{}, {} cores", how, cores));
    SliceStarts starts = cutByWork(sums, parts, cores);
    const NeuronOrder order =
        inTiles ? orderInTiles(space.network, starts) : NeuronOrder();
    return space.cut(*space.inOrder(order), order, how, std::move(starts),
                     cores);
  };
  // Candidates do not depend on each other; they are added in the order of the
  // counts.
  auto lookAtAll = [&](const std::vector<uint32_t> &counts) {
    std::vector<std::optional<Candidate>> made(counts.size());
    space.threads->share(counts.size(),
                         [&](size_t i) { made[i] = look(counts[i]); });
    for (std::optional<Candidate> &each : made)
      if (each)
        found.push_back(std::move(*each));
  };
  const std::vector<uint32_t> steps = ladder(space, from);
  lookAtAll(steps);
  reevaluate(space, found);
  // Between the steps beside the best one, where that costs little.
  if (found.empty() || !space.isSmall() || space.goal == Goal::Cores)
    return;
  const uint32_t best = space.bestOf(found).eval.cores;
  std::vector<uint32_t> between;
  for (double factor : {0.8, 0.87, 0.93, 1.08, 1.16})
    if (auto k = uint32_t(std::lround(best * factor));
        k >= from && k <= space.most && k != best &&
        !std::count(steps.begin(), steps.end(), k))
      between.push_back(k);
  lookAtAll(between);
  reevaluate(space, found);
}

void sweepFewerCores(const SearchSpace &space, std::vector<Candidate> &found,
                     const std::string &how,
                     const std::vector<uint32_t> &parts) {
  constexpr uint64_t kLooks = 6;
  const uint64_t fewest = std::max<uint64_t>(
      {lowerBounds(space.network, space.target).cores(), space.least, 1});
  const uint64_t end = found.front().eval.cores;
  if (fewest >= end)
    return;
  const WorkSums sums = sumUp(space.loads());
  for (uint64_t look = 0; look < kLooks && !space.isOver(); ++look) {
    const uint64_t step = std::max<uint64_t>((end - fewest) / kLooks, 1);
    const auto cores = uint32_t(fewest + look * step);
    if (cores >= end)
      return;
    space.progress.begin(fmt::format("{}, {} cores", how, cores));
    if (auto each = space.cut(space.network, {}, how,
                              cutByWork(sums, parts, cores), cores)) {
      found.push_back(std::move(*each));
      return;
    }
  }
}

} // namespace dendrolith
