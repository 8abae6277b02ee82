// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mapping refined with the cycle engine in the loop: what the engine took for
// a step, and who closed it, tells the mapper where its prediction was wrong.

#ifndef DENDROLITH_RUNTIME_SESSION_MAPVERIFY_H
#define DENDROLITH_RUNTIME_SESSION_MAPVERIFY_H

#include "compiler/mapping/network/MappingOptions.h"
#include "runtime/image/Program.h"
#include "runtime/session/ModelRequest.h"
#include "simulator/result/RunResult.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

namespace dendrolith::session {

/// A mapping that was simulated. Energies are 0 where nothing is priced.
struct MapRound {
  uint64_t cores = 0;
  double predictedNs = 0, predictedPj = 0; ///< of a step
  double simulatedNs = 0, simulatedPj = 0; ///< the same in the cycle engine
  std::string closedBy; ///< who most often was the last of a step
  double price = 0;     ///< the mapper's goal, simulated
  bool isNew = true;    ///< no earlier round had the same mapping
  bool isChosen = false;
};

struct VerifiedMapping {
  image::Program program; ///< of the round with the lowest simulated price
  std::vector<MapRound> rounds;
  uint64_t samples = 0, ticks = 0; ///< that were simulated
};

/// Maps a quantised network and refines the mapping in request.mapVerify
/// rounds. Each simulates the mapping on the first of `samples`, tells the
/// mapper how much longer neurons, messages and barriers took than predicted,
/// and maps again. Leaves the chosen mapping in `model`. Throws Error where the
/// mapper does not search, and where there are no samples.
VerifiedMapping mapVerified(Compilation &model, const ModelRequest &request,
                            const std::map<std::string, Samples> &samples);

/// The rounds as a table for people, and for result.json.
std::string formatRounds(const VerifiedMapping &verified);
nlohmann::ordered_json toJson(const VerifiedMapping &verified);

// What an execution in time teaches the mapper about its prediction.

/// Mean parts of a step in ps.
struct StepParts {
  double update = 0, noc = 0, receive = 0, barrier = 0;
  double total() const { return update + noc + receive + barrier; }
};
StepParts meanStep(const sim::RunResult &run);

/// By population of the program the core of each neuron, by its number in the
/// model.
std::map<std::string, std::vector<uint32_t>>
coresOfNeurons(const image::Program &program);

/// After a mapping was executed: the parts of a step become longer by what they
/// took beyond the prediction in the program's report.
Reweighing withParts(Reweighing weights, const image::Program &program,
                     const sim::RunResult &run);

/// The neurons of cores that steps waited for longer than for others count
/// more: `gain` = 0.1 is at most a tenth.
Reweighing withLoads(Reweighing weights, const image::Program &program,
                     const sim::RunResult &run, double gain);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_MAPVERIFY_H
