// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of a chain of coupled compartments, without its eigenvectors.
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

#ifndef DENDROLITH_DIALECTS_DEND_REFERENCE_CABLE_H
#define DENDROLITH_DIALECTS_DEND_REFERENCE_CABLE_H

#include <vector>

namespace dendrolith::dend {

/// V[t] = keep V[t-1] + gain I[t] for K compartments.
struct CableStep {
  std::vector<double> keep; ///< K x K, row-major: exp(T dt)
  std::vector<double> gain; ///< K: (integral_0^dt exp(T s) ds) gamma
};

/// Zero-order hold of dV/dt = T V + gamma I with the tridiagonal T of `diag`
/// (K, in 1 / time), `lower` and `upper` (K - 1); MMDEND eq. 5, 7 and 8. Both
/// matrices come from one exponential, exp([T dt, gamma dt; 0, 0]) = [keep,
/// gain; 0, 1], which needs no inverse of T. Not finite where the exponential
/// overflows.
CableStep cableStep(const std::vector<double> &diag,
                    const std::vector<double> &lower,
                    const std::vector<double> &upper,
                    const std::vector<double> &gamma, double dt);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_REFERENCE_CABLE_H
