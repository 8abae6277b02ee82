// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mode goes over one step with a held input: V' = exp(lambda dt) V + holdGain
// I.

#ifndef DENDROLITH_DIALECTS_DEND_ZEROORDERHOLD_H
#define DENDROLITH_DIALECTS_DEND_ZEROORDERHOLD_H

#include <cmath>
#include <complex>

// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/

namespace dendrolith::dend {

/// Returns integral_0^dt exp(lambda s) ds = (exp(lambda dt) - 1) / lambda,
/// which is dt at lambda = 0, without cancellation near it (MMDEND eq. 5).
inline std::complex<double> holdGain(std::complex<double> lambda, double dt) {
  std::complex<double> z = lambda * dt;
  if (z == 0.0)
    return dt;
  double half = std::sin(z.imag() / 2);
  std::complex<double> grown(std::expm1(z.real()) * std::cos(z.imag()) -
                                 2 * half * half,
                             std::exp(z.real()) * std::sin(z.imag()));
  return grown / lambda;
}

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_ZEROORDERHOLD_H
