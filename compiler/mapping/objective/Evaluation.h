// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a mapping is predicted to cost in a step: time and energy, term by term.
// The cycle engine is what it is tested against.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_EVALUATION_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_EVALUATION_H

#include "compiler/mapping/objective/StepGraph.h"
#include "targets/loader/chip/Timing.h"
#include "targets/mesh/Routing.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace dendrolith {

// How many messages each link of the mesh carries in each step, and how long
// that takes.

struct LinkLoad {
  MeshLink link{};
  double messages = 0; ///< per step
};

class LinkLoads {
public:
  LinkLoads(const Mesh &mesh, uint32_t steps);

  /// Adds `share` of the messages (one number for each step) to each link of
  /// the route between two tiles.
  void add(uint64_t from, uint64_t to, const float *messages, double share);

  /// When the last link is through, by step.
  std::vector<double> times(const NocTiming &noc) const;
  /// Messages per step on the link that has most of them.
  double busiest() const;
  /// Links in use, by tile and direction.
  std::vector<LinkLoad> list() const;

private:
  static constexpr uint32_t kUnused = ~uint32_t(0);
  /// Messages per step on the i-th link in use.
  double perStep(size_t i) const;

  const Mesh &mesh;
  const uint32_t steps;
  std::vector<uint32_t> slot; // by tile and direction: which link in use
  std::vector<uint64_t> used; // links, as tile * 4 + direction
  std::vector<float> load;    // by link in use and step
};

class SpareThreads;

/// What a mapping is judged by.
enum class Goal { Balanced, Time, Energy, Edp, Cores };

/// The goal of that name; "" is balanced. Throws Error naming those known.
Goal goalOf(const std::string &name);

/// All values are means over the steps that are looked at.
struct Evaluation {
  double stepPs = 0; ///< of the whole step, the barrier included
  /// Parts of it: until the last update that somebody waits for, until the last
  /// message has arrived, until it is served, and the barrier.
  double updatePs = 0, networkPs = 0, receivePs = 0, barrierPs = 0;
  double workPj = 0, messagePj = 0, hopPj = 0, barrierPj = 0, staticPj = 0;
  double messages = 0; ///< delivered
  double sends = 0;    ///< the same but where a multicast sends one for many
  double hopsEw = 0, hopsNs = 0;
  double crossings = 0; ///< from chip to chip
  uint32_t cores = 0, tiles = 0, chips = 0;
  double busiestLink = 0; ///< messages
  /// Fewer steps were replayed than there are, so that what waiting for room
  /// adds to a step is rough.
  bool rough = false;

  double eventsPj() const { return workPj + messagePj + hopPj + barrierPj; }
  double energyPj() const { return eventsPj() + staticPj; }
  /// What is to be small. `priced` as in ChipModel: without prices, Balanced,
  /// Energy and Edp are time.
  double value(Goal goal, bool priced) const;
};

/// How busy a core is, and in how many of the steps all others wait for it.
struct CoreLoad {
  uint32_t core = 0;
  double updatePs = 0, receivePs = 0, closesPs = 0;
  double closing = 0; ///< the share of the steps that it closes
};
struct Loads {
  std::vector<CoreLoad> cores; ///< by id
  std::vector<LinkLoad> links; ///< by tile and direction, those in use
};

/// `cores` says on which core of the target each slice lies. `loads` gets the
/// details, if it is not null. On a chip with multicast, `nets` (by pins) says
/// how many links the routes of a source have in common; without them each
/// message counts for itself. `threads` may be null; they share the steps that
/// are replayed. No more than `most` steps are.
Evaluation evaluate(const StepGraph &graph, const std::vector<uint32_t> &cores,
                    const Target &target, const ChipModel &model,
                    const SliceGraph *nets = nullptr, Loads *loads = nullptr,
                    SpareThreads *threads = nullptr,
                    size_t most = std::numeric_limits<size_t>::max());

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_EVALUATION_H
