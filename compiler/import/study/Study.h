// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Study networks (File.h) as `dend` networks.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_STUDY_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_STUDY_H

#include "compiler/import/common/Importer.h"
#include "compiler/import/study/File.h"

#include <functional>

namespace dendrolith {

/// Imports the network in `file`, which is at `path`: input @in
/// (binary), population @lif of the fixed-function neuron with decay_u = 4095,
/// so that u is one step's input, and two sparse projections with delay 1.
/// There is no output: spikes are recorded instead, which costs no messages.
///
/// Neurons are numbered anew, by core and then as in the file, so that each
/// core holds a contiguous range; the population's attribute `numbers` has
/// their numbers in the file and `cores` where they lie. Inputs come from the
/// host, wherever the file puts them.
///
/// Throws dendrolith::Error as readNetwork() does, for two synapses of one
/// source and target, and where a potential could leave the 24 bits of the
/// chip's state: only then would the chip's integers differ from the network's.
ImportedModel importStudy(mlir::MLIRContext &context, const InputFile &file,
                          const std::string &path);

} // namespace dendrolith

namespace dendrolith::study {

// A study network in the order of its cores.

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

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_STUDY_H
