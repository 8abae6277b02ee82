// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/AdjustUnits.h"
#include "compiler/mapping/cluster/Build.h"
#include "compiler/mapping/objective/StepGraph.h"

#include "targets/mesh/Routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace dendrolith {

using namespace cluster;

// Cores that neurons may go to, where a chip has more: what messages cost is
// kept for each pair of them.
constexpr size_t kMostPlaces = 512;
// New neurons of populations with shared lists go to cores in such ranges.
constexpr uint32_t kNewRange = 16;

AdjustUnits::AdjustUnits(const MapNetwork &given, const Target &target,
                         const MappingOptions &options, const ChipModel &model,
                         const Constraints &constraints,
                         const Beginning &beginning)
    : given(given), target(target), options(options), model(model),
      constraints(constraints), beginning(beginning),
      room(withoutReserves(target, constraints)),
      rules(constraints, given, target), order(orderOfRanges()),
      inOrder(given, order, options.threads), limits(room, cluster),
      vertices(makeVertices()),
      graph(hypergraphOf(network, room, cluster, vertices, limits)) {
  limits.setCores(network, room, graph, 1);
  choosePlaces();
  makeUnits();
}

uint32_t AdjustUnits::most() const {
  return uint32_t(std::min<uint64_t>(options.maxCores ? options.maxCores
                                                      : target.numCores(),
                                     target.numCores()));
}

/// Populations with shared lists stay in ranges, so that lists stay shared.
NeuronOrder AdjustUnits::orderOfRanges() {
  NeuronOrder found(given.populations.size());
  cluster.ranges.resize(found.size());
  for (const MapProjection &projection : given.projections) {
    const uint32_t p = projection.target, size = given.populations[p].size;
    if (!projection.shared || !cluster.ranges[p].empty() || size == 0)
      continue;
    auto key = [&](uint32_t n) {
      return std::make_pair(beginning.cores[p][n], rules.atomOf(p, n));
    };
    std::vector<uint32_t> neurons(size);
    std::iota(neurons.begin(), neurons.end(), 0);
    std::stable_sort(neurons.begin(), neurons.end(),
                     [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    std::vector<uint32_t> &starts = cluster.ranges[p] = {0};
    for (uint32_t at = 1; at < size; ++at)
      if (key(neurons[at]) != key(neurons[at - 1]) ||
          (key(neurons[at]).first == noCore && at - starts.back() == kNewRange))
        starts.push_back(at);
    starts.push_back(size);
    if (!std::is_sorted(neurons.begin(), neurons.end()))
      found[p] = std::move(neurons);
  }
  return found;
}

Vertices AdjustUnits::makeVertices() {
  cluster.seed = options.seed;
  cluster.work = neuronLoads(network, model);
  return verticesOf(network, cluster);
}

/// Cores in use and those that pins name first, then others by id.
void AdjustUnits::choosePlaces() {
  const std::vector<bool> dead = constraints.forbiddenCores(target);
  std::vector<bool> taken(target.numCores(), false);
  auto take = [&](uint32_t core) {
    if (!dead[core] && !taken[core]) {
      taken[core] = true;
      places.push_back(core);
    }
  };
  for (const std::vector<uint32_t> &of : beginning.cores)
    for (uint32_t core : of)
      if (core != noCore)
        take(core);
  for (const Atom &atom : rules.atoms())
    for (uint32_t core = atom.cores.first;
         core < atom.cores.end() && atom.cores.count <= kMostPlaces; ++core)
      take(core);
  for (uint32_t core = 0;
       core < target.numCores() && places.size() < kMostPlaces; ++core)
    take(core);
  std::sort(places.begin(), places.end());
}

uint32_t AdjustUnits::partAt(uint32_t core) const {
  auto found = std::lower_bound(places.begin(), places.end(), core);
  return found != places.end() && *found == core
             ? uint32_t(found - places.begin())
             : none;
}

void AdjustUnits::makeUnits() {
  std::map<uint32_t, uint32_t> ofMates;
  std::vector<std::map<uint32_t, uint64_t>> homes;
  std::vector<std::vector<uint32_t>> atoms;
  uint32_t next = 0; // vertices rise with populations and their neurons
  uint32_t unit = 0;
  for (uint32_t p = 0; p < vertices.of.size(); ++p)
    for (uint32_t n = 0; n < vertices.of[p].size(); ++n) {
      const uint32_t a = rules.atomOf(p, modelOf(p, n));
      const Atom &atom = rules.atoms()[a];
      if (vertices.of[p][n] == next) {
        ++next;
        auto known = ofMates.find(atom.coreMate);
        if (atom.oneCore && known != ofMates.end()) {
          unit = known->second;
        } else {
          unit = uint32_t(units.vertices.size());
          if (atom.oneCore)
            ofMates[atom.coreMate] = unit;
          units.vertices.emplace_back();
          units.neurons.push_back(0);
          homes.emplace_back();
          atoms.emplace_back();
        }
        units.vertices[unit].push_back(vertices.of[p][n]);
      }
      ++units.neurons[unit];
      ++homes[unit][homeOf(p, n)];
      if (atoms[unit].empty() || atoms[unit].back() != a)
        atoms[unit].push_back(a);
    }
  for (uint32_t u = 0; u < homes.size(); ++u) {
    rules.addUnit(atoms[u]);
    // Mates that lay on several cores go where most of them were.
    auto home = std::max_element(
        homes[u].begin(), homes[u].end(),
        [](const auto &a, const auto &b) { return a.second < b.second; });
    units.isNew.push_back(home->first == noCore);
    cores.push_back(home->first);
    units.home.push_back(home->first == noCore ? none : partAt(home->first));
  }
}

std::vector<uint32_t> AdjustUnits::atHome() {
  std::map<uint32_t, uint64_t> held; // neurons by core
  for (uint32_t u = 0; u < cores.size(); ++u)
    if (cores[u] != noCore)
      held[cores[u]] += units.neurons[u];
  std::map<uint32_t, uint32_t> instead;
  for (const auto &[core, neurons] : held)
    if (partAt(core) == none)
      if (uint32_t idle = nearestIdle(core, held, instead); idle != noCore)
        instead[core] = idle;
  std::vector<std::pair<uint64_t, uint32_t>> bySize;
  for (const auto &[core, neurons] : held)
    bySize.push_back({~neurons, core});
  std::sort(bySize.begin(), bySize.end());
  for (size_t i = most(); i < bySize.size(); ++i)
    instead[bySize[i].second] = noCore; // more cores than are allowed

  std::vector<uint32_t> part(graph.vertices(), none);
  auto stay = [&](uint32_t u) {
    uint32_t core = cores[u];
    if (auto other = instead.find(core); other != instead.end())
      core = other->second;
    if (core == noCore || partAt(core) == none || !rules.allowsNow(u, core)) {
      displaced.push_back(u);
      return;
    }
    rules.put(u, core);
    for (uint32_t v : units.vertices[u])
      part[v] = partAt(core);
  };
  std::vector<uint32_t> turn(cores.size());
  std::iota(turn.begin(), turn.end(), 0);
  std::stable_sort(turn.begin(), turn.end(), [&](uint32_t a, uint32_t b) {
    return rules.choice(a) < rules.choice(b);
  });
  for (uint32_t u : turn)
    stay(u);
  std::stable_sort(displaced.begin(), displaced.end(),
                   [&](uint32_t a, uint32_t b) {
                     return std::make_pair(rules.choice(a), ~units.neurons[a]) <
                            std::make_pair(rules.choice(b), ~units.neurons[b]);
                   });
  return part;
}

uint32_t
AdjustUnits::nearestIdle(uint32_t core,
                         const std::map<uint32_t, uint64_t> &held,
                         const std::map<uint32_t, uint32_t> &instead) const {
  uint32_t found = noCore;
  uint64_t least = 0;
  for (uint32_t place : places) {
    const uint64_t way =
        hopsBetween(target.mesh, target.coreXY(core), target.coreXY(place))
            .total();
    if (held.count(place) || (found != noCore && way >= least) ||
        std::any_of(instead.begin(), instead.end(),
                    [&](const auto &other) { return other.second == place; }))
      continue;
    found = place;
    least = way;
  }
  return found;
}

void AdjustUnits::reserveOn(uint32_t core, const Reserve &reserve,
                            std::vector<uint32_t> &part,
                            std::vector<bool> &trusted) {
  const uint32_t at = partAt(core);
  if (at == none)
    return;
  Needs needs;
  needs.slots = double(reserve.room[NeuronSlots]);
  needs.words = double(reserve.room[SynapseWords]);
  needs.in = double(reserve.room[InAxons]);
  needs.out = double(reserve.room[OutAxons]);
  needs.bytes = double(reserve.room[CoreBytes]);
  graph.needs.push_back(needs);
  for (Lists *lists : {&graph.in, &graph.out, &graph.tokens})
    lists->begin.push_back(lists->begin.back());
  part.push_back(at);
  trusted[at] = false;
}

std::string AdjustUnits::nameOf(uint32_t unit) const {
  const uint32_t v = units.vertices[unit].front();
  for (uint32_t p = 0; p < vertices.of.size(); ++p)
    for (uint32_t n = 0; n < vertices.of[p].size(); ++n)
      if (vertices.of[p][n] == v)
        return fmt::format("neuron {} of '{}'", modelOf(p, n),
                           given.populations[p].name);
  return "a neuron";
}

} // namespace dendrolith
