// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/Constraints.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace dendrolith {

CoreRange common(const CoreRange &a, const CoreRange &b) {
  uint32_t first = std::max(a.first, b.first);
  uint32_t end = std::min(a.end(), b.end());
  return {first, end > first ? end - first : 0};
}

bool overlap(const NeuronRange &a, const NeuronRange &b) {
  return a.population == b.population && a.first < b.end() && b.first < a.end();
}

std::vector<bool> Constraints::forbiddenCores(const Target &target) const {
  std::vector<bool> cores(target.numCores(), false);
  for (const Forbidden &entry : forbidden)
    for (uint32_t core = entry.cores.first; core < entry.cores.end(); ++core)
      cores[core] = true;
  return cores;
}

std::vector<Capacity> Constraints::capacities(const Target &target) const {
  std::vector<Capacity> all(target.numCores(), Capacity(target));
  auto take = [](Capacity &capacity, const Reserve &reserve) {
    for (int r = 0; r < numSums; ++r)
      if (capacity.of[r] != unlimited)
        capacity.of[r] -= std::min(capacity.of[r], reserve.room[r]);
  };
  Reserve onEach;
  for (const Reserve &reserve : reserves)
    if (reserve.core)
      take(all[*reserve.core], reserve);
    else
      for (int r = 0; r < numSums; ++r)
        onEach.room[r] += std::min(reserve.room[r], unlimited - onEach.room[r]);
  const std::vector<bool> dead = forbiddenCores(target);
  for (size_t core = 0; core < all.size(); ++core) {
    take(all[core], onEach);
    if (dead[core])
      all[core].of.fill(0);
  }
  return all;
}

std::vector<uint32_t>
Constraints::allowedCores(const Target &target,
                          const NeuronRange &neurons) const {
  CoreRange range{0, uint32_t(target.numCores())};
  for (const Pin &pin : pins)
    if (overlap(pin.neurons, neurons))
      range = common(range, pin.cores);
  const std::vector<bool> dead = forbiddenCores(target);
  std::vector<uint32_t> cores;
  for (uint32_t core = range.first; core < range.end(); ++core)
    if (!dead[core])
      cores.push_back(core);
  return cores;
}

namespace {

/// Joins atoms that have to lie together; the lowest of them stands for all.
class Mates {
public:
  explicit Mates(size_t atoms) : mates(atoms) {
    std::iota(mates.begin(), mates.end(), 0);
  }
  uint32_t operator[](uint32_t atom) {
    while (mates[atom] != atom)
      atom = mates[atom] = mates[mates[atom]];
    return atom;
  }
  void join(uint32_t a, uint32_t b) {
    a = (*this)[a], b = (*this)[b];
    mates[std::max(a, b)] = std::min(a, b);
  }

private:
  std::vector<uint32_t> mates;
};

/// Neurons at which something new is said, by population, from 0 to its size.
std::vector<std::set<uint32_t>> boundaries(const Constraints &constraints,
                                           const MapNetwork &network) {
  std::vector<std::set<uint32_t>> bounds;
  for (const MapPopulation &population : network.populations)
    bounds.push_back({0, population.size});
  auto add = [&](const NeuronRange &range) {
    bounds[range.population].insert({range.first, range.end()});
  };
  for (const Pin &pin : constraints.pins)
    add(pin.neurons);
  for (const auto *groups : {&constraints.together, &constraints.apart})
    for (const ConstraintGroup &group : *groups)
      for (const NeuronRange &member : group.members)
        add(member);
  return bounds;
}

/// The tile that holds the range, or all cores where there is none.
CoreRange tileAround(const Target &target, const CoreRange &cores) {
  const uint32_t each = uint32_t(target.mesh.coresPerTile);
  if (cores.count > 0 && cores.first / each == (cores.end() - 1) / each)
    return {cores.first / each * each, each};
  return {0, uint32_t(target.numCores())};
}

} // namespace

std::vector<uint32_t> atomsIn(const std::vector<Atom> &atoms,
                              const NeuronRange &neurons) {
  auto before = [](const Atom &atom, const NeuronRange &range) {
    return std::make_pair(atom.neurons.population, atom.neurons.first) <
           std::make_pair(range.population, range.first);
  };
  std::vector<uint32_t> found;
  for (auto atom =
           std::lower_bound(atoms.begin(), atoms.end(), neurons, before);
       atom != atoms.end() && overlap(atom->neurons, neurons); ++atom)
    found.push_back(uint32_t(atom - atoms.begin()));
  return found;
}

std::vector<Atom> atomsOf(const Constraints &constraints,
                          const MapNetwork &network, const Target &target) {
  const CoreRange all{0, uint32_t(target.numCores())};
  std::vector<Atom> atoms;
  const auto bounds = boundaries(constraints, network);
  for (uint32_t p = 0; p < bounds.size(); ++p)
    for (auto bound = bounds[p].begin(); std::next(bound) != bounds[p].end();
         ++bound)
      atoms.push_back(
          {{p, *bound, *std::next(bound) - *bound}, 0, 0, false, false, all});
  for (const Pin &pin : constraints.pins)
    for (uint32_t a : atomsIn(atoms, pin.neurons))
      atoms[a].cores = common(atoms[a].cores, pin.cores);

  Mates onCore(atoms.size()), onTile(atoms.size());
  for (const ConstraintGroup &group : constraints.together) {
    std::optional<uint32_t> first;
    for (const NeuronRange &member : group.members)
      for (uint32_t a : atomsIn(atoms, member)) {
        onTile.join(first.value_or(a), a);
        atoms[a].oneTile = true;
        if (group.within == Within::Core) {
          onCore.join(first.value_or(a), a);
          atoms[a].oneCore = true;
        }
        first = first.value_or(a);
      }
  }
  std::vector<CoreRange> ofCore(atoms.size(), all), ofTile(atoms.size(), all);
  for (uint32_t a = 0; a < atoms.size(); ++a) {
    CoreRange &shared = ofCore[atoms[a].coreMate = onCore[a]];
    shared = common(shared, atoms[a].cores);
  }
  for (uint32_t a = 0; a < atoms.size(); ++a) {
    atoms[a].cores = ofCore[atoms[a].coreMate];
    CoreRange &shared = ofTile[atoms[a].tileMate = onTile[a]];
    shared = common(shared, tileAround(target, atoms[a].cores));
  }
  for (Atom &atom : atoms)
    atom.cores = common(atom.cores, ofTile[atom.tileMate]);
  return atoms;
}

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

} // namespace dendrolith
