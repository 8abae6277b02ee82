// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that compute what the fixed-function neuron does
// (compiler/transforms/structure/ExpandStructure.cpp), told by their
// instructions. A current that wraps and a potential that is clipped are
// counted in them as in that neuron. Other programs keep their states by rules
// of their own.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBAFORM_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBAFORM_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dendrolith::sim {

class MicroProgram;

struct CubaForm {
  uint32_t u = 0, v = 0, input = 0; ///< words of states and ports
  int64_t lowU = 0, highU = 0;      ///< u wraps into this range
  int64_t lowV = 0, highV = 0;      ///< v is clipped to this one
  /// By neuron, or one for all: what is kept in 4096ths, and what is added.
  std::vector<int64_t> keepU, keepV, bias;
  int64_t mostBias = 0;
};

/// None of a program of another form.
std::optional<CubaForm> cubaFormOf(const MicroProgram &program);

/// Updates that the next visit begins with what `ports` and `states` hold,
/// [element][neuron] in rows of `row` words.
struct CubaOverflow {
  uint64_t wrapped = 0, clipped = 0;
};
CubaOverflow overflowOf(const CubaForm &form, const int64_t *ports,
                        const int64_t *states, size_t row, uint32_t count);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_CUBAFORM_H
