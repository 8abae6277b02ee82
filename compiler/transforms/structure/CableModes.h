// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modes of a chain of coupled compartments.
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_CABLEMODES_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_CABLEMODES_H

#include "llvm/ADT/ArrayRef.h"

#include <complex>
#include <vector>

namespace dendrolith {

/// dV/dt = T V + gamma I, read at the last compartment, in coordinates where T
/// is diagonal: T = P diag(lambda) P^-1, V = P V~.
struct CableModes {
  std::vector<std::complex<double>> lambda;
  std::vector<std::complex<double>> gain; ///< P^-1 gamma
  std::vector<std::complex<double>> read; ///< last row of P
  bool real = false;                      ///< all of the above are
  double condition = 1; ///< of P, in the 2-norm; infinite if it has no inverse
};

/// The modes of the tridiagonal T of `diag` (K), `lower` and `upper` (K - 1).
/// With lower_k upper_k > 0 for all k, as in a physical cable, D^-1 T D is
/// symmetric for the diagonal D with (D_k+1 / D_k)^2 = lower_k / upper_k: then
/// lambda is real and P = D Q with an orthogonal Q. Otherwise P holds the
/// eigenvectors of T at unit length.
CableModes cableModes(llvm::ArrayRef<double> diag, llvm::ArrayRef<double> lower,
                      llvm::ArrayRef<double> upper,
                      llvm::ArrayRef<double> gamma);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_CABLEMODES_H
