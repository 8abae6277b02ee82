// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip as text, for `dendrolith targets`.

#ifndef DENDROLITH_TARGETS_LOADER_DESCRIBE_H
#define DENDROLITH_TARGETS_LOADER_DESCRIBE_H

#include "targets/loader/Target.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dendrolith {

/// A table of everything known about the target, each number with its kind and
/// source, for `dendrolith targets NAME`.
std::string describe(const Target &target);

/// The same for programs: {name, description, sha256, cores, numbers: [{key,
/// value, unit, kind, source, low, high}], default_timing, costs, area,
/// leakage, sources}. A key is what `--target NAME,KEY=VALUE` takes.
nlohmann::ordered_json describeJson(const Target &target);

/// Whether every neuron of the chip is the one of neuron.mlir beside its
/// numbers (`loader.one_neuron`), so that a network is of the chip only if its
/// loader files can be written.
bool hasOneNeuron(const Chip &chip);

/// The places of the queue from which a chip without steps takes events one by
/// one (`scheduling.queue`); 0 where all events of a step come at once.
uint64_t queueOf(const Chip &chip);

/// One line: name, cores, description.
std::string summary(const Target &target);
/// The same of several chips, for programs.
nlohmann::ordered_json summaryJson(const std::vector<Target> &targets);

/// The bill of areas as text, in mm2 and mW, or why there is none.
std::string formatSilicon(const Target &target, const TimingSet &timing);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_DESCRIBE_H
