// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/SearchSpace.h"

#include "compiler/mapping/candidates/Polish.h"
#include "compiler/mapping/in_order/Solver.h"

#include <algorithm>
#include <fmt/format.h>

namespace dendrolith {

Progress::Progress(const SearchControl *control, uint64_t fewest)
    : control(control) {
  now.fewest = fewest;
}

void Progress::begin(const std::string &doing) {
  const std::lock_guard<std::mutex> lock(mutex);
  now.doing = doing;
  tell();
}

void Progress::found(const Evaluation &eval, double value, bool priced) {
  const std::lock_guard<std::mutex> lock(mutex);
  ++now.looked;
  if (now.cores == 0 || value < best) {
    best = value;
    now.cores = eval.cores;
    now.stepNs = eval.stepPs / 1000;
    now.stepPj = priced ? eval.energyPj() : 0;
  }
  tell();
}

bool Progress::mustStop() const {
  return control && control->mustStop && control->mustStop();
}

void Progress::tell() {
  if (control && control->onProgress)
    control->onProgress(now);
}

namespace {

/// Distances looked up for the last touch on the best mappings.
constexpr uint64_t kPolishBudget = 100000000;

/// By population and neuron, how much its load counts.
std::vector<std::vector<float>> factorsOf(const MapNetwork &network,
                                          const MappingOptions &options) {
  const auto &load = options.control->reweighing->load;
  std::vector<std::vector<float>> factor(network.populations.size());
  for (size_t p = 0; p < factor.size(); ++p) {
    const auto known = load.find(network.populations[p].name);
    if (known == load.end() ||
        known->second.size() != network.populations[p].size)
      continue;
    factor[p] = known->second;
    if (p < options.numbers.size() && !options.numbers[p].empty())
      for (size_t n = 0; n < factor[p].size(); ++n)
        factor[p][n] = known->second[options.numbers[p][n]];
  }
  return factor;
}

} // namespace

SearchSpace::SearchSpace(const MapNetwork &network, const Target &target,
                         const MappingOptions &options, const ChipModel &model,
                         Progress &progress, Clock::time_point began)
    : network(network), target(target), options(options), model(model),
      goal(goalOf(options.goal)), progress(progress), began(began),
      threads(options.sharedThreads()), cache(*threads) {
  const uint64_t all = usablePositions(target, target.numCores()).size();
  uint64_t neurons = 0;
  for (const MapPopulation &population : network.populations)
    neurons += population.size;
  for (const MapProjection &projection : network.projections)
    synapses += projection.accumulator.size();
  most = uint32_t(std::min<uint64_t>({options.maxCores ? options.maxCores : all,
                                      all, std::max<uint64_t>(neurons, 1)}));
  least = std::max(options.minCores, 1u);
  if (options.control && options.control->reweighing)
    factor = factorsOf(network, options);
}

std::vector<std::vector<double>> SearchSpace::loads() const {
  std::vector<std::vector<double>> loads = neuronLoads(network, model);
  for (size_t p = 0; p < factor.size(); ++p)
    for (size_t n = 0; n < factor[p].size(); ++n)
      loads[p][n] *= factor[p][n];
  return loads;
}

std::optional<Arrangement> SearchSpace::arranged(const MapNetwork &net,
                                                 const NeuronOrder &order,
                                                 SliceStarts starts) const {
  bool outOfAxons = false;
  auto made = arrange(net, target, model, std::move(starts), &outOfAxons);
  if (outOfAxons)
    axonsBind = true;
  if (!made || factor.empty())
    return made;
  StepGraph &steps = made->steps;
  for (size_t s = 0; s < made->graph.slices.size(); ++s) {
    const SliceGraph::Range &slice = made->graph.slices[s];
    const std::vector<float> &of = factor[slice.population];
    if (of.empty() || slice.count == 0)
      continue;
    const bool isMoved =
        slice.population < order.size() && !order[slice.population].empty();
    double mean = 0;
    for (uint32_t n = slice.first; n < slice.first + slice.count; ++n)
      mean += of[isMoved ? order[slice.population][n] : n];
    mean /= slice.count;
    for (size_t i = s * steps.steps; i < (s + 1) * steps.steps; ++i) {
      steps.update[i] *= float(mean);
      steps.receive[i] *= float(mean);
    }
  }
  return made;
}

Evaluation SearchSpace::evaluated(const Arrangement &made,
                                  const SliceCores &cores, size_t most) const {
  Evaluation eval = evaluate(made.steps, cores, target, model, &made.graph,
                             nullptr, threads.get(), most);
  if (factor.empty())
    return eval;
  const Reweighing &by = *options.control->reweighing;
  const double before = eval.stepPs;
  for (auto [part, times] : {std::pair{&eval.updatePs, by.update},
                             {&eval.networkPs, by.network},
                             {&eval.receivePs, by.receive},
                             {&eval.barrierPs, by.barrier}}) {
    eval.stepPs += *part * (times - 1);
    *part *= times;
  }
  if (before > 0)
    eval.staticPj *= eval.stepPs / before;
  return eval;
}

bool SearchSpace::isOver() const {
  if (options.seconds > 0 &&
      std::chrono::duration<double>(Clock::now() - began).count() >
          options.seconds)
    late = true;
  return late || progress.mustStop();
}

std::string SearchSpace::cutShort(size_t looked) const {
  if (!late && !progress.mustStop())
    return "";
  return fmt::format(
      "{}: best of {} mappings",
      late ? fmt::format("{:g} seconds were over", options.seconds)
           : "interrupted",
      looked);
}

const Candidate &
SearchSpace::bestOf(const std::vector<Candidate> &found) const {
  return *std::min_element(found.begin(), found.end(),
                           [&](const Candidate &a, const Candidate &b) {
                             return valueOf(a) < valueOf(b);
                           });
}

Reordered SearchSpace::inOrder(const NeuronOrder &order) const {
  return Reordered(network, order, options.threads);
}

std::optional<Candidate> SearchSpace::allowed(Candidate each) const {
  if (!isAllowed(each.eval))
    return std::nullopt;
  progress.found(each.eval, valueOf(each), model.priced);
  return each;
}

std::optional<Candidate> SearchSpace::judged(const std::string &how,
                                             const NeuronOrder &order,
                                             const Arrangement &made,
                                             SliceCores cores) const {
  Candidate each{how, {}, order, made.starts, std::move(cores), {}, {}};
  each.eval = evaluated(made, each.cores);
  return allowed(std::move(each));
}

std::optional<Candidate> SearchSpace::take(const std::string &how,
                                           const Mapping &mapping) const {
  Cuts cuts = cutsOf(network, mapping.slices);
  auto made = arranged(network, {}, cuts.starts);
  if (!made || made->starts != cuts.starts)
    return std::nullopt;
  return judged(how, {}, *made, std::move(cuts.cores));
}

std::optional<Candidate> SearchSpace::cut(const MapNetwork &net,
                                          const NeuronOrder &order,
                                          const std::string &how,
                                          SliceStarts starts,
                                          uint32_t cores) const {
  auto arrangeAnew = [&]() -> std::shared_ptr<const Arrangement> {
    auto anew = arranged(net, order, starts);
    return anew ? std::make_shared<const Arrangement>(std::move(*anew))
                : nullptr;
  };
  const auto made =
      isSmall() ? cache.arrangement(order, starts, arrangeAnew) : arrangeAnew();
  if (!made)
    return std::nullopt;
  auto packed = pack(*made, Capacity(target), cores);
  if (!packed) {
    Capacity withoutAxons(target);
    withoutAxons.of[OutAxons] = unlimited;
    if (!axonsBind && isSmall() && pack(*made, withoutAxons, cores))
      axonsBind = true;
    return std::nullopt;
  }
  // A large network has few candidates, and what replaying them again takes
  // would fill the memory.
  const size_t steps = isSmall() ? kLookSteps : made->steps.replayed.size();
  auto placeAnew = [&] {
    CandidateCache::PlacedCores placed;
    placed.cores = placeOnMesh(*made, *packed, target, kLookBudget);
    placed.eval = evaluated(*made, placed.cores, steps);
    return placed;
  };
  CandidateCache::PlacedCores placed =
      isSmall() ? cache.placed(order, made->starts, *packed, placeAnew)
                : placeAnew();
  const bool isBrief = made->steps.replayed.size() > steps;
  return allowed({how,
                  {},
                  order,
                  made->starts,
                  std::move(placed.cores),
                  placed.eval,
                  isBrief ? made : nullptr});
}

void SearchSpace::finish(Candidate &each) const {
  const Reordered net = inOrder(each.order);
  auto made = arranged(*net, each.order, each.starts);
  if (!made || made->starts != each.starts)
    return;
  // A Reweighing counts where mappings are compared, not where slices move.
  SliceCores cores =
      polish(*made, each.cores,
             factor.empty() ? each.eval
                            : evaluate(made->steps, each.cores, target, model,
                                       &made->graph, nullptr, threads.get()),
             target, model, goal, kPolishBudget);
  if (cores == each.cores)
    return; // and so is all else
  auto better = judged(each.how, each.order, *made, std::move(cores));
  if (better && valueOf(*better) < valueOf(each))
    each = std::move(*better);
}

bool isSame(const Candidate &a, const Candidate &b) {
  return a.cores == b.cores && a.starts == b.starts && a.order == b.order;
}

namespace {

/// A mapping that seems to cost up to so many times what the best one does may
/// be better than it once all steps are replayed. For mappings of one network,
/// a brief evaluation is off by much the same factor.
constexpr double kNear = 1.06;

using CandidateList = std::vector<Candidate *>;

/// A sweep often ends in the same mapping several times.
CandidateList withoutRepeats(const CandidateList &all) {
  CandidateList first;
  for (Candidate *each : all)
    if (std::none_of(first.begin(), first.end(), [&](const Candidate *known) {
          return isSame(*known, *each);
        }))
      first.push_back(each);
  return first;
}

/// Briefly evaluated candidates near the best one.
CandidateList nearTheBest(const SearchSpace &space,
                          std::vector<Candidate> &found) {
  CandidateList near;
  for (Candidate &each : found)
    if (each.brief &&
        space.valueOf(each) <= kNear * space.valueOf(space.bestOf(found)))
      near.push_back(&each);
  return near;
}

} // namespace

void reevaluate(const SearchSpace &space, std::vector<Candidate> &found) {
  // A full evaluation may raise the best value, which brings others near it.
  for (;;) {
    const CandidateList near = nearTheBest(space, found);
    if (near.empty())
      break;
    const CandidateList first = withoutRepeats(near);
    space.threads->share(first.size(), [&](size_t i) {
      first[i]->eval = space.evaluated(*first[i]->brief, first[i]->cores);
    });
    for (Candidate *each : near) {
      for (const Candidate *known : first)
        if (isSame(*known, *each))
          each->eval = known->eval;
      each->brief = nullptr;
    }
  }
  for (Candidate &each : found)
    each.brief = nullptr;
}

} // namespace dendrolith
