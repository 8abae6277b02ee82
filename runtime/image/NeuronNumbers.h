// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups count the neurons of a population in the order in which cores hold
// them. What people read speaks of them by the numbers of the model.

#ifndef DENDROLITH_RUNTIME_IMAGE_NEURONNUMBERS_H
#define DENDROLITH_RUNTIME_IMAGE_NEURONNUMBERS_H

#include "runtime/image/program.pb.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dendrolith {

/// Neurons [first, end) of a population, as the model numbers them.
struct NumberRange {
  uint64_t first = 0, end = 0;
};

class NeuronNumbers {
public:
  /// Expects a validated program.
  explicit NeuronNumbers(const image::Program &program);

  /// The model's number of a neuron of the group.
  uint64_t of(const image::Group &group, uint32_t neuron) const;

  /// The group's neurons as rising ranges.
  std::vector<NumberRange> rangesOf(const image::Group &group) const;

  /// "hidden[0..31]"; of many ranges only the first ones.
  std::string textOf(const image::Group &group) const;

private:
  std::map<std::string, std::vector<uint32_t>> numbers; // where they differ
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_IMAGE_NEURONNUMBERS_H
