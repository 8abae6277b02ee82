// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies out what a run counted: emissions by source become messages, hops,
// words and synaptic operations, both by core and by layer.

#ifndef DENDROLITH_SIMULATOR_EVENTS_EXPANSION_H
#define DENDROLITH_SIMULATOR_EVENTS_EXPANSION_H

#include "simulator/events/EventCounter.h"
#include "targets/mesh/Routing.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace dendrolith::sim {

/// Works layer by layer, and in a layer group by group. The flits of a group
/// are gathered by destination tile, so that routes are walked once per pair of
/// tiles and not once per message. With multicast a tree of routes is walked
/// once per source. What happens where messages are served does not ask which
/// core they came from, and is multiplied out once for each kind and layer.
class Expansion {
public:
  Expansion(const Machine &machine, const EventCounter &events,
            const Target &target, const Traffic &traffic);

  Expanded run();

private:
  void countInput(const Machine::Input &input);
  void countPopulation(uint32_t population);
  void countOutputs();

  /// Adds to two of the counts at once: those of a place and of what caused it.
  struct Both {
    CoreCounts &place, &cause;
    void add(Counter c, uint64_t n, uint64_t each) {
      place.add(c, n, each);
      cause.add(c, n, each);
    }
  };

  /// What follows comes from a tile, until end() turns what was gathered into
  /// links.
  void begin(uint64_t tile);
  void end();
  /// Adds a message's way; `parts` says which counters.
  void travel(Both to, uint64_t messages, uint64_t flits, Hops hops, bool host);
  /// The emissions of each of the sources, counted at `from`.
  void emit(CoreCounts &from, SourceRange sources, uint64_t flits,
            bool isGraded, bool host);
  void emitTrees(CoreCounts &from, SourceRange sources, uint64_t flits,
                 bool host);
  /// Counts what was received from the layer, and ends it.
  void serve();

  const Machine &machine;
  const EventCounter &events;
  const Target &target;
  const Traffic &traffic;
  Expanded result;

  /// Where messages go: the neurons of a population on a core.
  struct Section {
    uint32_t core = 0, population = 0;
    uint64_t messages = 0; // from the group in turn
  };
  std::vector<Section> sections;
  // By kind of message.
  std::vector<uint32_t> sectionOf;
  std::vector<uint64_t> received, graded; // messages from the layer
  std::vector<size_t> used;               // kinds with such messages
  // By core.
  std::vector<uint64_t> tileOf;
  std::vector<CoreCounts *> at;

  uint32_t layer = 0;                   // in turn
  std::map<uint32_t, CoreCounts> flows; // of the layer, by target
  uint64_t fromTile = 0;
  std::optional<RouteTree> tree; // of the tile, with multicast
  std::vector<uint64_t> flitsTo; // by tile
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> links;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_EVENTS_EXPANSION_H
