// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/Moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace dendrolith {

using namespace cluster;

static constexpr double kSlack = 1e-9;

Moves::Moves(CoreLimits &limits, const Units &units, Rules &rules,
             const std::vector<uint32_t> &places, Parts &parts,
             std::vector<bool> trusted, uint32_t least, uint32_t most)
    : limits(limits), units(units), rules(rules), places(places), parts(parts),
      tolerated(places.size(), 0), unitsOn(places.size(), 0),
      lies(units.vertices.size(), none), least(least), most(most) {
  const double work = std::exchange(limits.work, 0);
  for (uint32_t p = 0; p < places.size(); ++p)
    if (trusted[p])
      tolerated[p] = parts.excessOf(p);
  limits.work = work;
  for (uint32_t u = 0; u < lies.size(); ++u)
    if (uint32_t p = partOf(u); p != none) {
      lies[u] = p;
      used += unitsOn[p]++ == 0;
      if (p != units.home[u] && !units.isNew[u])
        movedNeurons += units.neurons[u];
    }
}

void Moves::put(uint32_t u, uint32_t to) {
  for (uint32_t v : units.vertices[u])
    if (parts.partOf(v) != to)
      parts.move(v, to);
  rules.put(u, places[to]);
  const uint32_t left = std::exchange(lies[u], to);
  if (left != none)
    used -= --unitsOn[left] == 0;
  used += unitsOn[to]++ == 0;
  if (units.isNew[u])
    return;
  if (left != none && left != units.home[u])
    movedNeurons -= units.neurons[u];
  if (to != units.home[u])
    movedNeurons += units.neurons[u];
}

bool Moves::isOver(uint32_t p) const {
  const double work = std::exchange(limits.work, 0);
  const bool over = parts.excessOf(p) > tolerated[p] + kSlack ||
                    (tolerated[p] == 0 && parts.tokensExceed(p));
  limits.work = work;
  return over;
}

bool Moves::mayGo(uint32_t u, uint32_t to) const {
  const uint32_t left = lies[u];
  const bool empties = left != none && unitsOn[left] == 1;
  const uint32_t after = used - empties + (unitsOn[to] == 0);
  return after <= std::max(most, used) && (after >= least || after >= used) &&
         rules.allowsNow(u, places[to]);
}

uint32_t Moves::roomiest(uint32_t u) const {
  uint32_t found = none;
  for (uint32_t p = 0; p < parts.parts(); ++p)
    if (p != lies[u] && mayGo(u, p) &&
        (found == none || parts.useOf(p).slots < parts.useOf(found).slots))
      found = p;
  return found;
}

Parts::Option Moves::bestOption(uint32_t u, uint32_t extra) {
  const uint32_t v = units.vertices[u].front();
  Parts::Option best;
  for (const Parts::Option &option : parts.optionsOf(v, extra)) {
    if (option.there > kSlack ||
        (best.part != none && std::make_pair(option.cost, option.part) >=
                                  std::make_pair(best.cost, best.part)))
      continue;
    if (mayGo(u, option.part) && parts.tokensFit(v, option.part))
      best = option;
  }
  return best;
}

bool Moves::placeOne(uint32_t u) {
  const uint32_t empty = roomiest(u);
  if (empty == none)
    return false;
  Parts::Option best = bestOption(u, empty);
  for (uint32_t p = 0; p < parts.parts() && best.part == none; ++p)
    if (p != lies[u] && mayGo(u, p))
      best = bestOption(u, p);
  if (best.part == none && limits.work > 0) {
    const double work = std::exchange(limits.work, 0);
    const bool found = placeOne(u);
    limits.work = work;
    return found;
  }
  if (best.part != none)
    put(u, best.part);
  else if (lies[u] == none)
    put(u, empty);
  return true;
}

/// The costs of all vertices are added up by part. A vertex that shares nothing
/// with a part counts the cost of its dearest one.
bool Moves::placeMany(uint32_t u) {
  std::vector<double> price(parts.parts(), 0);
  double elsewhere = 0;
  for (uint32_t v : units.vertices[u]) {
    double dearest = 0;
    const auto &options = parts.optionsOf(v);
    for (const Parts::Option &option : options)
      dearest = std::max(dearest, option.cost);
    for (const Parts::Option &option : options)
      price[option.part] += option.cost - dearest;
    elsewhere += dearest;
  }
  std::vector<uint32_t> order;
  for (uint32_t p = 0; p < parts.parts(); ++p)
    if (p != lies[u] && mayGo(u, p))
      order.push_back(p);
  if (order.empty())
    return false;
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return price[a] < price[b]; });
  const uint32_t left = lies[u];
  const double work = std::exchange(limits.work, 0);
  uint32_t best = none;
  double least = 0;
  for (uint32_t p : order) {
    put(u, p);
    const double excess = parts.excessOf(p) + parts.tokensExceed(p);
    if (best == none || excess < least) {
      best = p;
      least = excess;
    }
    if (excess <= kSlack)
      break;
  }
  if (best != lies[u])
    put(u, best);
  if (left != none && least > kSlack)
    put(u, left);
  limits.work = work;
  return true;
}

bool Moves::place(uint32_t u) {
  return units.vertices[u].size() == 1 ? placeOne(u) : placeMany(u);
}

uint32_t Moves::worst() const {
  uint32_t found = none;
  for (uint32_t p = 0; p < parts.parts(); ++p)
    if (isOver(p) &&
        (found == none || parts.excessOf(p) > parts.excessOf(found)))
      found = p;
  return found;
}

bool Moves::relieve() {
  const double work = std::exchange(limits.work, 0);
  for (int round = 0; round < 3 && worst() != none; ++round)
    for (uint32_t p = 0; p < parts.parts(); ++p) {
      if (!isOver(p))
        continue;
      std::vector<std::pair<double, uint32_t>> leave; // cost, unit
      std::vector<uint32_t> groups;
      for (uint32_t u = 0; u < lies.size(); ++u) {
        if (lies[u] != p || rules.choice(u) == 1)
          continue;
        if (units.vertices[u].size() > 1)
          groups.push_back(u);
        else if (auto option = bestOption(u, roomiest(u)); option.part != none)
          leave.push_back({option.cost / double(units.neurons[u]), u});
      }
      std::sort(leave.begin(), leave.end());
      for (size_t i = 0; i < leave.size() && isOver(p); ++i)
        placeOne(leave[i].second);
      for (size_t i = 0; i < groups.size() && isOver(p); ++i)
        placeMany(groups[i]);
    }
  limits.work = work;
  return worst() == none;
}

void Moves::improve(uint64_t maxMoves) {
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::pair<double, uint32_t>> gains;
    for (uint32_t u = 0; u < lies.size(); ++u)
      if (units.vertices[u].size() == 1 && rules.choice(u) > 1)
        if (auto option = bestOption(u, none);
            option.part != none && option.cost < -kSlack)
          gains.push_back({option.cost, u});
    std::sort(gains.begin(), gains.end());
    bool any = false;
    for (auto [gain, u] : gains) {
      const Parts::Option option = bestOption(u, none);
      if (option.part == none || option.cost >= -kSlack)
        continue;
      const uint32_t left = lies[u];
      put(u, option.part);
      if (parts.pushedOut() || isOver(option.part) ||
          (maxMoves && movedNeurons > maxMoves))
        put(u, left);
      else
        any = true;
    }
    if (!any)
      return;
  }
}

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
