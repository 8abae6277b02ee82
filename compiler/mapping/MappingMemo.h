// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers of the mapper that are asked for again. Where forms of a network are
// mapped to find the cheapest one, that form is mapped once more when it is
// lowered, and a search takes longer than all else.

#ifndef DENDROLITH_COMPILER_MAPPING_MAPPINGMEMO_H
#define DENDROLITH_COMPILER_MAPPING_MAPPINGMEMO_H

#include "compiler/mapping/MapNetwork.h"

#include <exception>
#include <map>
#include <optional>

namespace dendrolith {

/// The arguments of mapNetwork(). The target counts by its text and by the
/// limits `lifted` of it, so that it is to be as loaded else.
struct MapRequest {
  const MapNetwork &network;
  const Target &target;
  const std::vector<std::string> &lifted;
  const MappingOptions &options;
};

class MappingMemo {
public:
  /// mapNetwork() of the same; an answer that there is already is not searched
  /// for again.
  Fit<Mapping> map(const MapRequest &asked);

  /// What mapNetwork() returned, or what it threw.
  struct Answer {
    std::optional<Fit<Mapping>> fit;
    std::exception_ptr error;
  };
  /// map() of several networks. They share the threads, so that a search that
  /// has little to do for a second thread leaves it to another one. Answers are
  /// kept unless a time limit, an interrupt or a Reweighing had a part in them.
  /// A watcher sees one search.
  std::vector<Answer> mapAll(const std::vector<MapRequest> &asked,
                             unsigned threads);

  /// Searches that were not made because there was an answer.
  uint64_t hits() const { return found; }
  void clear() { answers.clear(); }

private:
  std::map<std::string, Fit<Mapping>> answers; // by digestOf()
  uint64_t found = 0;
};

/// A digest of all that the answer depends on; the number of threads is no part
/// of it.
std::string digestOf(const MapRequest &asked);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_MAPPINGMEMO_H
