// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers of the mapper that are asked for again. Where forms of a network are
// mapped to find the cheapest one, that form is mapped once more when it is
// lowered, and a search takes longer than all else.

#ifndef NEURITE_COMPILER_MAPPING_MAPPINGMEMO_H
#define NEURITE_COMPILER_MAPPING_MAPPINGMEMO_H

#include "compiler/mapping/Mapping.h"

#include <map>

namespace neurite {

class MappingMemo {
public:
  /// mapNetwork() of the same, searched for once. `target` counts by its text
  /// and by the limits `lifted` of it, so that it is to be as loaded else. What
  /// a clock, a person or an execution had a say in is not kept. With `keeps`
  /// false an answer is looked up only.
  Fit<Mapping> map(const MapNetwork &network, const Target &target,
                   const std::vector<std::string> &lifted,
                   const MappingOptions &options, bool keeps);

  /// Searches that were not made because there was an answer.
  uint64_t hits() const { return found; }
  void clear() { answers.clear(); }

private:
  std::map<std::string, Fit<Mapping>> answers; // by digestOf()
  uint64_t found = 0;
};

/// Of all that the answer of mapNetwork() depends on; threads are not among it.
std::string digestOf(const MapNetwork &network, const Target &target,
                     const std::vector<std::string> &lifted,
                     const MappingOptions &options);

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_MAPPINGMEMO_H
