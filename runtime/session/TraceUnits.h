// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the integers of a trace are worth in the units of the model's file.

#ifndef DENDROLITH_RUNTIME_SESSION_TRACEUNITS_H
#define DENDROLITH_RUNTIME_SESSION_TRACEUNITS_H

#include "dialects/dend/Dend.h"
#include "simulator/record/Traces.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace dendrolith::session {

/// Units of a state per real unit: the population's scale, else by the state's
/// format; 1 of a float network, and of integers that are numbers as such.
double unitsOfState(dend::PopulationOp population, unsigned state);

/// Units of what an output sends per real unit; 1 of spikes that are counted.
double unitsOfOutput(dend::PopulationOp population, unsigned output);

/// By the text of each request the units of its trace.
nlohmann::ordered_json
traceUnits(dend::NetworkOp network,
           const std::vector<sim::TraceRequest> &requests);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_TRACEUNITS_H
