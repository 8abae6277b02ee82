// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A study network in the order of its cores.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_LAYOUT_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_LAYOUT_H

#include "compiler/import/study/File.h"

#include <functional>

namespace dendrolith::study {

/// Synapses of consecutive sources, as `dend.project` has sparse ones: pairs
/// (target, source) in order of (source, target).
struct Synapses {
  std::vector<int32_t> indices;
  std::vector<int16_t> weight;
};

class Layout {
public:
  /// The network must outlive the layout.
  explicit Layout(const Network &net);

  /// For each neuron in the new order: its number in the file, and its core.
  std::vector<int32_t> numbers, cores;

  /// Throws Error where a sum of weights or a potential can leave 24 bits.
  void checkPotentials(const std::string &path) const;

  /// Gives the synapses of `count` sources from `first` on, which are all
  /// inputs or all neurons, in the new order and numbered from 0; only those of
  /// sources for which `wanted` (by number in the file) holds. Throws Error for
  /// a target met twice.
  Synapses synapses(uint32_t first, uint32_t count, const std::string &path,
                    const std::function<bool(uint32_t source)> &wanted) const;

private:
  const Network &net;
  std::vector<int32_t> rank; // by number in the file
};

} // namespace dendrolith::study

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_LAYOUT_H
