// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NeuroBench's metrics under the names of its harness (version 2.3.0), of the
// network of integers that ran and, beside it, of the float one.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_NEUROBENCHFIELDS_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_NEUROBENCHFIELDS_H

#include "simulator/result/RunResult.h"

#include <nlohmann/json_fwd.hpp>

namespace dendrolith::report {

/// The names of all fields with null, before anything is measured.
nlohmann::ordered_json noNeuroBench();

/// The `neurobench` of result.json, {integer, float}, of a result whose score,
/// comparison and quantisation are filled. In the integer network a weight
/// takes the bits that it was quantised to, any other parameter 4 bytes. In a
/// network that was written in integers nothing is quantised, and `float` is
/// null. The float network's activity is known from a comparison by layer.
/// NeuronOperations are left out: the harness has numbers of operations for
/// four neurons of snnTorch, and none for others.
nlohmann::ordered_json neuroBenchFields(const nlohmann::ordered_json &result,
                                        const sim::RunResult &run);

/// The same of a float run, whose effective operations are those of all
/// samples; `integer` is null.
nlohmann::ordered_json floatNeuroBench(const nlohmann::ordered_json &result,
                                       uint64_t acs, uint64_t macs);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_NEUROBENCHFIELDS_H
