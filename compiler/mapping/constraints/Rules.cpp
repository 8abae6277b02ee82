// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/Rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith {

Rules::Rules(const Constraints &constraints, const MapNetwork &network,
             const Target &target)
    : constraints(constraints), each(uint32_t(target.mesh.coresPerTile)),
      all(atomsOf(constraints, network, target)),
      dead(constraints.forbiddenCores(target)) {}

uint32_t Rules::atomOf(uint32_t population, uint32_t neuron) const {
  auto after = std::upper_bound(
      all.begin(), all.end(), std::make_pair(population, neuron),
      [](const auto &at, const Atom &atom) {
        return at < std::make_pair(atom.neurons.population, atom.neurons.first);
      });
  return uint32_t(after - all.begin()) - 1;
}

void Rules::addUnit(const std::vector<uint32_t> &atoms) {
  Unit unit;
  unit.atoms = atoms;
  unit.cores = all[atoms.front()].cores;
  for (uint32_t a : atoms) {
    unit.cores = common(unit.cores, all[a].cores);
    if (all[a].oneTile)
      unit.tileMates.push_back(all[a].tileMate);
    for (uint32_t g = 0; g < constraints.apart.size(); ++g)
      for (uint32_t m = 0; m < constraints.apart[g].members.size(); ++m)
        if (overlap(constraints.apart[g].members[m], all[a].neurons))
          unit.apart.insert({g, m});
  }
  std::sort(unit.tileMates.begin(), unit.tileMates.end());
  unit.tileMates.erase(
      std::unique(unit.tileMates.begin(), unit.tileMates.end()),
      unit.tileMates.end());
  units.push_back(std::move(unit));
}

bool Rules::allows(uint32_t unit, uint32_t core) const {
  return units[unit].cores.has(core) && !dead[core];
}

bool Rules::allowsNow(uint32_t u, uint32_t core) const {
  const Unit &unit = units[u];
  if (!allows(u, core))
    return false;
  for (uint32_t mates : unit.tileMates)
    if (auto found = onTile.find(mates); found != onTile.end())
      for (auto [tile, count] : found->second)
        if (tile != core / each &&
            count > (unit.core != noCore && unit.core / each == tile))
          return false;
  for (auto [g, m] : unit.apart) {
    const ConstraintGroup &group = constraints.apart[g];
    auto found = members.find({g, placeOf(group, core)});
    if (found == members.end())
      continue;
    for (auto [member, count] : found->second)
      if (member != m && count > 0)
        return false;
  }
  return true;
}

void Rules::put(uint32_t u, uint32_t core) {
  Unit &unit = units[u];
  auto count = [&](uint32_t at, int by) {
    if (at == noCore)
      return;
    for (uint32_t mates : unit.tileMates)
      onTile[mates][at / each] += uint32_t(by);
    for (auto [g, m] : unit.apart)
      members[{g, placeOf(constraints.apart[g], at)}][m] += uint32_t(by);
  };
  count(unit.core, -1);
  unit.core = core;
  count(core, 1);
}

std::string Rules::entryOf(uint32_t u) const {
  auto speaks = [&](const NeuronRange &range) {
    return std::any_of(
        units[u].atoms.begin(), units[u].atoms.end(),
        [&](uint32_t a) { return overlap(range, all[a].neurons); });
  };
  auto text = [](const Stated &entry) {
    return fmt::format("{} in line {}", entry.text, entry.line);
  };
  for (const Pin &pin : constraints.pins)
    if (speaks(pin.neurons))
      return text(pin);
  for (const auto *groups : {&constraints.together, &constraints.apart})
    for (const ConstraintGroup &group : *groups)
      for (const NeuronRange &member : group.members)
        if (speaks(member))
          return text(group);
  return "";
}

} // namespace dendrolith
