// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exports neurons that have the step body of one of Lava's classes as that
// class.

#ifndef DENDROLITH_COMPILER_EXPORT_LAVA_CATALOGUE_H
#define DENDROLITH_COMPILER_EXPORT_LAVA_CATALOGUE_H

#include "compiler/lava/Neurons.h"
#include "compiler/lava/Tensors.h"

namespace dendrolith::lava {

/// Finds the keyword arguments of which Lava's constructor makes these
/// constants, in Lava's order of neurons. It is the inverse of readConstants(),
/// which must find the same constants again. If there are no such arguments,
/// the result is empty and `why` says for which constant.
std::optional<Process> asClass(const std::string &name, const Dims &shape,
                               const NeuronForm &form,
                               const Constants &constants, std::string &why);

/// Whether all values are 0.
bool isZero(const std::vector<int64_t> &values);

/// Sets bias_mant and bias_exp; false if a bias has more than 12 bits.
bool setBias(Process &process, const Dims &shape,
             const std::vector<int64_t> &bias);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_LAVA_CATALOGUE_H
