// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/CheckConstraints.h"
#include "compiler/mapping/result/Bounds.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <map>

namespace dendrolith {

namespace {

[[noreturn]] void fail(const Stated &entry, const std::string &message) {
  throw Error(fmt::format("{}: {} {}", entry.place, entry.text, message));
}

/// "pin of 'a' to core 3 in line 2".
std::string other(const Stated &entry) {
  return fmt::format("{} in line {}", entry.text, entry.line);
}

class Checker {
public:
  Checker(const Constraints &constraints, const MapNetwork &network,
          const Target &target)
      : constraints(constraints), network(network), target(target),
        each(uint32_t(target.mesh.coresPerTile)),
        capacities(constraints.capacities(target)),
        atoms(atomsOf(constraints, network, target)),
        pinOf(atoms.size(), nullptr) {
    const std::vector<bool> dead = constraints.forbiddenCores(target);
    open.push_back(0);
    slots.push_back(0);
    for (size_t core = 0; core < dead.size(); ++core) {
      uint64_t has = capacities[core].of[NeuronSlots];
      open.push_back(open.back() + !dead[core]);
      slots.push_back(has > unlimited - slots.back() ? unlimited
                                                     : slots.back() + has);
    }
  }

  void run() {
    checkPins();
    checkMates(&Atom::coreMate, 1);
    checkMates(&Atom::tileMate, each);
    checkApart();
    checkRoom();
    checkTogether(&Atom::oneCore, &Atom::coreMate, 1);
    checkTogether(&Atom::oneTile, &Atom::tileMate, each);
    checkRest();
  }

private:
  uint64_t openIn(const CoreRange &cores) const {
    return open[cores.end()] - open[cores.first];
  }
  /// Neuron slots of all cores of a range together.
  uint64_t slotsOf(const CoreRange &cores) const {
    return slots.back() == unlimited ? unlimited
                                     : slots[cores.end()] - slots[cores.first];
  }
  CoreRange tile(uint32_t index) const { return {index * each, each}; }

  /// A group that the atom is in; for atoms that have mates.
  const ConstraintGroup &groupOf(uint32_t atom) const {
    for (const ConstraintGroup &group : constraints.together)
      for (const NeuronRange &member : group.members)
        if (overlap(member, atoms[atom].neurons))
          return group;
    throw Error("constraints: an atom with mates is in no group");
  }

  /// Pins of one neuron, and pins to cores that are forbidden.
  void checkPins() {
    for (const Pin &pin : constraints.pins) {
      for (const Forbidden &forbidden : constraints.forbidden)
        if (openIn(pin.cores) == 0 &&
            common(pin.cores, forbidden.cores).count > 0)
          fail(pin, "contradicts " + other(forbidden));
      for (uint32_t a : atomsIn(atoms, pin.neurons)) {
        const Pin *&known = pinOf[a];
        if (known && common(known->cores, pin.cores).count == 0)
          fail(pin, "contradicts the " + other(*known));
        if (!known || pin.cores.count < known->cores.count)
          known = &pin;
      }
    }
  }

  /// Pins of atoms that a group keeps on one core, or within `cores` of one
  /// tile.
  void checkMates(uint32_t Atom::*mate, uint32_t cores) {
    std::map<uint32_t, const Pin *> narrowest;
    for (uint32_t a = 0; a < atoms.size(); ++a) {
      const Pin *pin = pinOf[a];
      if (!pin || (cores > 1 && pin->cores.count > cores))
        continue;
      const Pin *&known = narrowest.emplace(atoms[a].*mate, pin).first->second;
      bool agree = cores == 1
                       ? common(known->cores, pin->cores).count > 0
                       : known->cores.first / cores == pin->cores.first / cores;
      if (!agree) {
        const Pin &later = *std::max(known, pin); // in order of the file
        const Pin &earlier = *std::min(known, pin);
        fail(later, fmt::format("contradicts the {}: {} keeps them on one {}",
                                other(earlier), other(groupOf(a)),
                                cores == 1 ? "core" : "tile"));
      }
      if (pin->cores.count < known->cores.count)
        known = pin;
    }
    for (uint32_t a = 0; a < atoms.size(); ++a)
      if (auto pin = narrowest.find(atoms[a].*mate);
          pin != narrowest.end() && cores == 1)
        pinOf[a] = pin->second;
  }

  void checkApart() {
    for (const ConstraintGroup &group : constraints.apart) {
      const bool onTile = group.within == Within::Tile;
      uint64_t places = 0;
      for (uint32_t t = 0; onTile && t < target.numTiles(); ++t)
        places += openIn(tile(t)) > 0;
      places = onTile ? places : open.back();
      if (group.members.size() > places)
        fail(group, fmt::format("is too much: {} members, and {} {} to keep "
                                "them apart",
                                group.members.size(), places,
                                onTile ? "tiles" : "cores"));
      std::map<uint32_t, size_t> memberOfMates, memberOfPlace;
      for (size_t m = 0; m < group.members.size(); ++m)
        for (uint32_t a : atomsIn(atoms, group.members[m])) {
          const Atom &atom = atoms[a];
          uint32_t mate = onTile ? atom.tileMate : atom.coreMate;
          if (memberOfMates.emplace(mate, m).first->second != m)
            fail(group, "contradicts " + other(groupOf(a)));
          uint32_t place = onTile ? atom.cores.first / each : atom.cores.first;
          bool known = onTile ? (atom.cores.end() - 1) / each == place
                              : atom.cores.count == 1;
          if (known && memberOfPlace.emplace(place, m).first->second != m)
            fail(group, fmt::format(
                            "contradicts the {}: two members are on {} {} then",
                            pinOf[a] ? other(*pinOf[a]) : other(groupOf(a)),
                            onTile ? "tile" : "core", place));
        }
    }
  }

  /// No more neurons are pinned to a core or to a tile than it has slots.
  void checkRoom() const {
    struct PinnedUse {
      uint64_t neurons = 0;
      const Pin *first = nullptr;
    };
    std::map<std::pair<uint32_t, uint32_t>, PinnedUse>
        uses; // by count, first core
    auto add = [&](const CoreRange &cores, uint32_t a,
                   const std::string &what) {
      PinnedUse &use = uses[{cores.count, cores.first}];
      use.neurons += atoms[a].neurons.count;
      uint64_t has = slotsOf(cores);
      if (use.neurons > has)
        fail(*pinOf[a],
             fmt::format("is too much: it needs {} neurons on {}, which "
                         "has {}{}",
                         use.neurons, what, has,
                         use.first && use.first != pinOf[a]
                             ? "; others are there by the " + other(*use.first)
                             : ""));
      use.first = use.first ? use.first : pinOf[a];
    };
    for (uint32_t a = 0; a < atoms.size(); ++a) {
      const CoreRange &cores = atoms[a].cores;
      if (!pinOf[a] || cores.count > each)
        continue;
      const uint32_t at = cores.first / each;
      if (cores.count == 1)
        add(cores, a, fmt::format("core {}", cores.first));
      if (each > 1)
        add(tile(at), a, fmt::format("tile {}", at));
    }
  }

  /// A group that stays on one core or tile must not have more neurons than
  /// that has slots.
  void checkTogether(bool Atom::*one, uint32_t Atom::*mate, uint32_t cores) {
    std::map<uint32_t, uint64_t> neurons, most; // by mates
    for (const Atom &atom : atoms)
      neurons[atom.*mate] += atom.*one ? atom.neurons.count : 0;
    for (uint32_t a = 0; a < atoms.size(); ++a) {
      const Atom &atom = atoms[a];
      if (!(atom.*one))
        continue;
      auto [has, fresh] = most.emplace(atom.*mate, 0);
      for (uint32_t core = atom.cores.first / cores * cores;
           fresh && core < atom.cores.end(); core += cores)
        has->second = std::max(has->second, slotsOf({core, cores}));
      if (neurons[atom.*mate] > has->second)
        fail(groupOf(a),
             fmt::format("is too much: {} neurons on one {}, which has {}",
                         neurons[atom.*mate], cores == 1 ? "core" : "tile",
                         has->second));
    }
  }

  /// The cores that are left have what the network needs at the least.
  void checkRest() const {
    if (constraints.forbidden.empty() && constraints.reserves.empty())
      return;
    const LowerBounds bounds = lowerBounds(network, target);
    std::array<uint64_t, numSums> left{};
    const Capacity whole(target);
    const uint64_t cores = open.back();
    for (const Capacity &capacity : capacities)
      for (int r = 0; r < numSums; ++r)
        left[r] += whole.of[r] == unlimited ? 0 : capacity.of[r];
    const Stated &entry =
        constraints.forbidden.empty()
            ? static_cast<const Stated &>(constraints.reserves.back())
            : constraints.forbidden.back();
    const std::string reserved =
        constraints.reserves.empty() || &entry == &constraints.reserves.front()
            ? ""
            : " beside the " + other(constraints.reserves.front());
    if (cores == 0 && bounds.cores() > 0)
      fail(entry, "leaves no core");
    for (int r = 0; r < numSums; ++r)
      // A network too large for the whole chip is none of the entries' fault.
      if (whole.of[r] != unlimited && bounds.of[r].total > left[r] &&
          bounds.of[r].cores <= target.numCores())
        fail(entry,
             fmt::format("leaves too little{}: {} cores have {} {} then, the "
                         "network needs {}",
                         reserved, cores, left[r],
                         dendrolith::describe(Resource(r)).counted,
                         bounds.of[r].total));
  }

  const Constraints &constraints;
  const MapNetwork &network;
  const Target &target;
  const uint32_t each; // cores of a tile
  const std::vector<Capacity> capacities;
  // Before each core, and behind the last: cores that are not forbidden, and
  // the neuron slots of all.
  std::vector<uint64_t> open, slots;
  std::vector<Atom> atoms;
  std::vector<const Pin *> pinOf; // the narrowest one of each atom
};

} // namespace

void check(const Constraints &constraints, const MapNetwork &network,
           const Target &target) {
  Checker(constraints, network, target).run();
}

} // namespace dendrolith
