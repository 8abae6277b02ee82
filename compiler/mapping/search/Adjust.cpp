// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/Adjust.h"

#include "compiler/mapping/search/Moves.h"
#include "compiler/mapping/search/Search.h"
#include "compiler/mapping/search/Ways.h"
#include "targets/loader/Routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace neurite {

using namespace cluster;

Target withoutReserves(const Target &target, const Constraints &constraints) {
  Target room = target;
  Limits &limits = room.limits;
  std::optional<uint64_t> *const of[numSums] = {&limits.compartmentsPerCore,
                                                &limits.synapseMemoryWords,
                                                &limits.inAxons,
                                                &limits.outAxons,
                                                &limits.coreMemoryBytes,
                                                &room.microcode.programWords};
  for (const Reserve &reserve : constraints.reserves)
    for (int r = 0; !reserve.core && r < numSums; ++r)
      if (*of[r])
        *of[r] = **of[r] - std::min<uint64_t>(**of[r], reserve.room[r]);
  return room;
}

namespace {

// Cores that neurons may go to, where a chip has more: what messages cost is
// kept for each pair of them.
constexpr size_t kMostPlaces = 512;
// New neurons of populations with shared lists go to cores in such ranges.
constexpr uint32_t kNewRange = 16;

class Adjuster {
public:
  Adjuster(const MapNetwork &given, const Target &target,
           const MappingOptions &options, const ChipModel &model,
           const Constraints &constraints, const Beginning &beginning)
      : given(given), target(target), options(options), model(model),
        constraints(constraints), beginning(beginning),
        room(withoutReserves(target, constraints)),
        rules(constraints, given, target), order(orderOfRanges()),
        network(permute(given, order, options.threads)), limits(room, cluster),
        vertices(makeVertices()),
        graph(hypergraphOf(network, room, cluster, vertices, limits)) {
    limits.setCores(network, room, graph, 1);
    choosePlaces();
    makeUnits();
  }

  /// `trusting`: cores that nothing is added to are taken to fit.
  Fit<Mapping> run(bool trusting) {
    std::vector<uint32_t> part = atHome();
    std::vector<bool> trusted(places.size(), trusting);
    for (const Reserve &reserve : constraints.reserves)
      if (reserve.core)
        reserveOn(*reserve.core, reserve, part, trusted);
    const Ways ways = waysBetween(places, target, model);
    Parts parts(graph, limits, uint32_t(places.size()), std::move(part),
                {ways.between.data(), ways.toHost.data()});
    capWork(parts);
    Moves moves(limits, units, rules, places, parts, std::move(trusted),
                std::max(options.minCores, 1u), most());
    for (uint32_t u : displaced)
      if (!moves.place(u))
        return nowhere(u);
    if (!moves.relieve())
      return tooMuch(parts, moves.worst());
    if (beginning.maxMoves && moves.moved() > beginning.maxMoves)
      return tooManyMoves(moves.moved());
    if (moves.coresUsed() < options.minCores || moves.coresUsed() > most())
      return otherCores(moves.coresUsed());
    // Messages alone are not what a step costs.
    Fit<Mapping> before = mappingOf(parts);
    capWork(parts);
    moves.improve(beginning.maxMoves);
    Fit<Mapping> after = mappingOf(parts);
    return after && (!before || after->cost <= before->cost) ? after : before;
  }

private:
  uint32_t most() const {
    return uint32_t(std::min<uint64_t>(options.maxCores ? options.maxCores
                                                        : target.numCores(),
                                       target.numCores()));
  }
  uint32_t modelOf(uint32_t p, uint32_t n) const {
    return order[p].empty() ? n : order[p][n];
  }
  uint32_t homeOf(uint32_t p, uint32_t n) const {
    return beginning.cores[p][modelOf(p, n)];
  }

  /// Populations with shared lists stay in ranges, so that lists stay shared.
  NeuronOrder orderOfRanges() {
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
            (key(neurons[at]).first == noCore &&
             at - starts.back() == kNewRange))
          starts.push_back(at);
      starts.push_back(size);
      if (!std::is_sorted(neurons.begin(), neurons.end()))
        found[p] = std::move(neurons);
    }
    return found;
  }

  Vertices makeVertices() {
    cluster.seed = options.seed;
    cluster.work = neuronLoads(network, model);
    return verticesOf(network, cluster);
  }

  /// Cores in use and those that pins name first, then others by id.
  void choosePlaces() {
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
  uint32_t partAt(uint32_t core) const {
    auto found = std::lower_bound(places.begin(), places.end(), core);
    return found != places.end() && *found == core
               ? uint32_t(found - places.begin())
               : none;
  }

  void makeUnits() {
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

  /// Each unit where it lay, if it may; a dead core's go to an idle one.
  std::vector<uint32_t> atHome() {
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
    std::stable_sort(
        displaced.begin(), displaced.end(), [&](uint32_t a, uint32_t b) {
          return std::make_pair(rules.choice(a), ~units.neurons[a]) <
                 std::make_pair(rules.choice(b), ~units.neurons[b]);
        });
    return part;
  }
  uint32_t nearestIdle(uint32_t core, const std::map<uint32_t, uint64_t> &held,
                       const std::map<uint32_t, uint32_t> &instead) const {
    uint32_t found = noCore;
    uint64_t least = 0;
    for (uint32_t place : places) {
      const uint64_t way =
          hopsBetween(target.coreXY(core), target.coreXY(place)).total();
      if (held.count(place) || (found != noCore && way >= least) ||
          std::any_of(instead.begin(), instead.end(),
                      [&](const auto &other) { return other.second == place; }))
        continue;
      found = place;
      least = way;
    }
    return found;
  }

  /// Room that stays free is a vertex that takes it.
  void reserveOn(uint32_t core, const Reserve &reserve,
                 std::vector<uint32_t> &part, std::vector<bool> &trusted) {
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

  /// No core gets busier than the busiest one, or a tenth above the mean.
  void capWork(const Parts &parts) {
    double busiest = 0, all = 0;
    for (uint32_t p = 0; p < parts.parts(); ++p)
      busiest = std::max(busiest, parts.useOf(p).work);
    for (const Needs &needs : graph.needs)
      all += needs.work;
    busiest = std::max(busiest, 1.1 * all / std::min(most(), parts.parts()));
    limits.work = busiest > 0 ? 1 / busiest : 0;
  }

  Fit<Mapping> mappingOf(const Parts &parts) const {
    Clusters found;
    found.cores = uint32_t(places.size());
    for (const std::vector<uint32_t> &of : vertices.of) {
      found.core.emplace_back();
      for (uint32_t v : of)
        found.core.back().push_back(parts.partOf(v));
    }
    const NeuronOrder more = orderOf(network, found, cluster.ranges);
    const MapNetwork mapped = permute(network, more, options.threads);
    Mapping mapping;
    mapping.solver = "default";
    mapping.order = compose(order, more);
    mapping.slices = slicesOf(network, found, cluster.ranges);
    for (Slice &slice : mapping.slices)
      slice.core = places[slice.core];
    Fit<std::vector<FitRow>> fit =
        neurite::verify(mapped, target, mapping.slices);
    if (!fit)
      return fit.misfit();
    mapping.fit = std::move(*fit);
    neurite::verify(constraints, mapped, target, mapping.slices, mapping.order);
    price(mapped, mapping);
    return mapping;
  }

  void price(const MapNetwork &mapped, Mapping &mapping) const {
    std::vector<Slice> slices = mapping.slices;
    std::stable_sort(slices.begin(), slices.end(),
                     [](const Slice &a, const Slice &b) {
                       return std::make_pair(a.population, a.first) <
                              std::make_pair(b.population, b.first);
                     });
    std::vector<std::vector<uint32_t>> starts(mapped.populations.size());
    std::vector<uint32_t> at;
    for (const Slice &slice : slices) {
      starts[slice.population].push_back(slice.first);
      at.push_back(slice.core);
    }
    for (size_t p = 0; p < starts.size(); ++p)
      starts[p].push_back(mapped.populations[p].size);
    const Evaluation eval =
        evaluate(buildStepGraph(mapped, target.synapses, starts, model), at,
                 target, model);
    mapping.cost = eval.value(goalOf(options.goal), model.priced);
    TradeOff row;
    row.cores = eval.cores;
    row.stepNs = eval.stepPs / 1000;
    row.stepPj = model.priced ? eval.energyPj() : 0;
    row.how = beginning.how;
    row.chosen = row.pareto = true;
    mapping.tradeOff = {row};
  }

  std::string nameOf(uint32_t unit) const {
    const uint32_t v = units.vertices[unit].front();
    for (uint32_t p = 0; p < vertices.of.size(); ++p)
      for (uint32_t n = 0; n < vertices.of[p].size(); ++n)
        if (vertices.of[p][n] == v)
          return fmt::format("neuron {} of '{}'", modelOf(p, n),
                             given.populations[p].name);
    return "a neuron";
  }
  std::string keeping() const {
    return options.constraintsFile.empty()
               ? std::string("no mapping was found")
               : fmt::format("no mapping was found that keeps '{}'",
                             options.constraintsFile);
  }

  Misfit nowhere(uint32_t unit) const {
    const std::string entry = rules.entryOf(unit);
    return {"cores", "", 0, most(),
            fmt::format("{}: {} finds no core that the other neurons and the "
                        "constraints leave it{}; ask for less, or allow more "
                        "than {} cores",
                        keeping(), nameOf(unit),
                        entry.empty() ? "" : " (" + entry + ")", most())};
  }

  Misfit tooMuch(const Parts &parts, uint32_t worst) {
    limits.work = 0;
    Resource resource = limits.worst(parts.useOf(worst));
    if (resource == numResources)
      resource = DecayProfiles;
    const Needs &use = parts.useOf(worst);
    const double used[] = {use.slots, use.words, use.in, use.out,
                           limits.bytesOf(use)};
    std::string entry, who;
    uint64_t largest = 0;
    for (uint32_t u = 0; u < units.vertices.size(); ++u)
      if (parts.partOf(units.vertices[u].front()) == worst &&
          units.neurons[u] > largest) {
        largest = units.neurons[u];
        who = nameOf(u);
        entry = rules.entryOf(u);
      }
    const ResourceName &name = describe(resource);
    return {name.name, "", 0, limits.capacity.of[resource],
            fmt::format(
                "{}: core {} would need more {} than the {} that it has{}{}; "
                "ask for less there, for more cores, or for {}",
                keeping(), places[worst], name.counted,
                limits.capacity.of[resource],
                resource < ProgramWords
                    ? fmt::format(", about {:.0f}", used[resource])
                    : "",
                entry.empty() ? " with " + who
                              : fmt::format(" with {} ({})", who, entry),
                name.less)};
  }

  Misfit tooManyMoves(uint64_t moved) const {
    return {"moves", "", moved, beginning.maxMoves,
            fmt::format("{} neurons cannot stay on their cores of '{}', "
                        "--max-moves allows {}; allow more, or leave it out",
                        moved, options.mapFrom, beginning.maxMoves)};
  }

  Misfit otherCores(uint64_t used) const {
    return {"cores", "", used, most(),
            fmt::format("{}: from these cores on {} were used, {} to {} are "
                        "asked for; ask for others (--cores)",
                        keeping(), used, std::max(options.minCores, 1u),
                        most())};
  }

  const MapNetwork &given;
  const Target &target;
  const MappingOptions &options;
  const ChipModel &model;
  const Constraints &constraints;
  const Beginning &beginning;
  const Target room;
  Rules rules;
  ClusterOptions cluster;
  const NeuronOrder order; // of `network`, which keeps ranges together
  const MapNetwork network;
  CoreLimits limits;
  const Vertices vertices;
  Hypergraph graph;
  std::vector<uint32_t> places; // cores that neurons may be on, rising
  Units units;
  std::vector<uint32_t> cores;     // by unit, where it lay
  std::vector<uint32_t> displaced; // units that have to be placed
};

} // namespace

Fit<Mapping> adjust(const MapNetwork &network, const Target &target,
                    const MappingOptions &options, const ChipModel &model,
                    const Constraints &constraints,
                    const Beginning &beginning) {
  // What a list takes is estimated from above, so that a core which is full
  // can seem to be more than that.
  Fit<Mapping> mapping =
      Adjuster(network, target, options, model, constraints, beginning)
          .run(true);
  if (mapping || mapping.misfit().resource == "moves")
    return mapping;
  Fit<Mapping> careful =
      Adjuster(network, target, options, model, constraints, beginning)
          .run(false);
  return careful || careful.misfit().resource == "moves" ? careful : mapping;
}

} // namespace neurite
