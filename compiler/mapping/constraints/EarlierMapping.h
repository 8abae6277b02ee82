// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mapping made before for this network or one like it, from a placement file
// or a program image: where its neurons lay, so that a new mapping can start
// there and say how many neurons moved.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_EARLIERMAPPING_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_EARLIERMAPPING_H

#include "compiler/mapping/result/Mapping.h"
#include "targets/loader/Target.h"

namespace dendrolith {

struct EarlierMapping {
  /// By population of the new network, matched by name: the core that each
  /// neuron had, or noCore.
  NeuronCores core;
  uint64_t placed = 0;   ///< neurons of the new network with a core
  uint64_t unplaced = 0; ///< those without one
  /// Neurons that had a core and that the new network lacks: those of a
  /// population that it lacks or that has become smaller.
  uint64_t gone = 0;
  std::vector<std::string> populationsGone;

  /// "of 200 neurons 180 lay somewhere, 20 are new; 12 are gone".
  std::string summary() const;
};

/// Reads a program image, or else a placement file (PlacementFile.h) in which
/// neurons may be missing. Throws Error that begins with the file's name where
/// the file cannot be read, or was made for another chip (name or number of
/// cores). A file without a population of the network is an error, too. The
/// file has the numbers of the model; `numbers` says which of them each neuron
/// of the network has.
EarlierMapping readEarlierMapping(const std::string &path,
                                  const MapNetwork &network,
                                  const Target &target,
                                  const NeuronOrder &numbers = {});

/// How many neurons that had a core have another one now.
uint64_t movedNeurons(const EarlierMapping &earlier, const NeuronCores &now);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_EARLIERMAPPING_H
