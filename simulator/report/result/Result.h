// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result.json holds what a run knows, so that a report needs nothing else.
// Its keys are the same for every chip and engine (runtime/result.schema.json):
// what is not known is null, never 0. What is long lies beside it in
// tables.json, whose SHA-256 it has.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_RESULT_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_RESULT_H

#include "runtime/image/Program.h"
#include "simulator/result/RunResult.h"
#include "targets/loader/Target.h"

#include <nlohmann/json.hpp>

namespace dendrolith::report {

/// The version of result.json that is written.
constexpr int kResultSchema = 2;

/// The two files of a result.
struct Result {
  nlohmann::ordered_json json;   ///< result.json
  nlohmann::ordered_json tables; ///< tables.json
};

/// Returns both with all of their keys, in order; what a run fills is null.
Result emptyResult();

/// Adds what a program says of its model and of how it was compiled; a float
/// network has the former alone.
void addModel(nlohmann::ordered_json &result, const image::Program &program);
void addCompiled(nlohmann::ordered_json &result, const image::Program &program);

/// How many words of synapse memory each core uses, by its place in the image;
/// 0 for those whose lists this process has not read.
std::vector<uint64_t> memoryOf(const image::Program &program);
/// Adds them.
void addMemory(nlohmann::ordered_json &result, const image::Program &program,
               const std::vector<uint64_t> &words);

/// Returns what a program says as an object of its own.
nlohmann::ordered_json programFacts(const image::Program &program);

void addTarget(nlohmann::ordered_json &result, const Target &target);

/// Adds the area of the chip and what it leaks, where the chip says so.
void addSilicon(nlohmann::ordered_json &result, const Target &target,
                const TimingSet &timing);

/// Adds an engine's counts, times, NeuroBench fields, saturations and spike
/// values, and what of them is long to the tables.
void addExecution(Result &result, const sim::RunResult &run);

void addWarnings(nlohmann::ordered_json &result, const Warnings &warnings);

/// A member of an object; null of a null.
nlohmann::ordered_json memberOf(const nlohmann::ordered_json &object,
                                const char *key);

/// Returns the peak resident memory of this process and its finished children
/// in bytes.
uint64_t peakResidentBytes();

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_RESULT_H
