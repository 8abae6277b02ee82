// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/Constrained.h"

#include "compiler/mapping/candidates/Search.h"
#include "compiler/mapping/constraints/Adjust.h"
#include "compiler/mapping/constraints/EarlierMapping.h"
#include "compiler/mapping/in_order/InOrder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace dendrolith {

/// The better of two searches' mappings once it keeps the constraints.
Fit<Mapping> searchUnder(const MapNetwork &network, const Target &target,
                         const MappingOptions &options, const ChipModel &model,
                         const Constraints &constraints) {
  const std::vector<bool> dead = constraints.forbiddenCores(target);
  const auto open = uint32_t(std::count(dead.begin(), dead.end(), false));
  MappingOptions within = options;
  within.maxCores = std::min(options.maxCores ? options.maxCores : open, open);
  // The network counts in the model's numbers here.
  within.numbers.clear();
  const Target room = withoutReserves(target, constraints);
  Fit<Mapping> fewest =
      mapInOrder(network, room, findSolver("default"), options.minCores);
  std::vector<Beginning> beginnings;
  auto beginWith = [&](Mapping &mapping, const char *how) {
    beginnings.push_back(
        {coresOf(network, mapping.slices, mapping.order), 0, how});
  };
  if (fewest)
    beginWith(*fewest, "few cores, then constraints");
  Fit<Mapping> best =
      searchMapping(network, room, within, model, std::move(fewest));
  if (!best && beginnings.empty()) {
    if (constraints.reserves.empty())
      return best;
    Misfit misfit = best.misfit();
    misfit.message += fmt::format("; '{}' reserves some of what a core has",
                                  options.constraintsFile);
    return misfit;
  }
  std::string cutShort;
  if (best) {
    cutShort = best->cutShort;
    beginWith(*best, "search, then constraints");
  }
  std::optional<Fit<Mapping>> found;
  for (const Beginning &beginning : beginnings) {
    Fit<Mapping> next =
        adjust(network, target, options, model, constraints, beginning);
    if (!found || !*found || (next && next->cost < (*found)->cost))
      found = std::move(next);
  }
  if (*found)
    (*found)->cutShort = cutShort;
  return std::move(*found);
}

/// From an earlier mapping, which says in the objective how many moved.
Fit<Mapping> searchFrom(const MapNetwork &network, const Target &target,
                        const MappingOptions &options, const ChipModel &model,
                        const Constraints &constraints) {
  const EarlierMapping earlier =
      readEarlierMapping(options.mapFrom, network, target);
  Fit<Mapping> mapping =
      adjust(network, target, options, model, constraints,
             {earlier.core, options.maxMoves, "earlier mapping"});
  if (mapping)
    mapping->objective = fmt::format(
        "; from '{}', {} of {} neurons moved, {} new", options.mapFrom,
        movedNeurons(earlier,
                     coresOf(network, mapping->slices, mapping->order)),
        earlier.placed, earlier.unplaced);
  return mapping;
}

} // namespace dendrolith
