// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue of Lava's neurons: for each class the step body of its
// fixed-point model, to the bit. Import writes it, export recognises it.
//
// Lava: Intel's framework for neuromorphic computing,
// https://github.com/lava-nc/lava

#ifndef DENDROLITH_COMPILER_LAVA_PROCESSES_H
#define DENDROLITH_COMPILER_LAVA_PROCESSES_H

#include "dialects/dend/Dend.h"

#include "mlir/IR/Builders.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dendrolith::lava {

/// One accumulator behind an input port: `width` bits, shifted right by `shift`
/// bits (floor) before it is added. Width 32 and shift 0 serve all connections
/// whose sum needs no shift, width 24 a convolution that may wrap. Synapses
/// with a negative exponent that does not divide their weights have a term
/// each, and one for each delay. A cuba neuron has one term of 64 bits, for
/// values that are already shifted left by 6.
struct Term {
  unsigned width = 32;
  unsigned shift = 0;
  bool operator==(const Term &other) const {
    return width == other.width && shift == other.shift;
  }
};

/// What decides the step body of a process. Everything else is in constants.
struct NeuronForm {
  std::string lavaClass;                 ///< "lava.proc.lif.process.LIF"
  std::string variant;                   ///< one of NeuronClass::variants
  std::vector<std::vector<Term>> inputs; ///< by input port of the class
  bool fired = false; ///< a second output "fired": s_out != 0, for receivers
                      ///< with num_message_bits = 0
};

/// A class, and how its body's ports, parameters, states and output are called
/// (dend names; the order is that of the block arguments: ports of the first
/// input, of the second, parameters, states).
struct NeuronClass {
  std::string lavaClass;
  std::vector<std::string> variants; ///< the first is the usual one
  std::vector<std::string> inputs;   ///< Lava's ports: "a_in"
  bool binary; ///< s_out is 0 or 1 (i1), else an integer (i32 range)
};
const std::vector<NeuronClass> &neuronClasses();
/// The class of that name, null if there is none.
const NeuronClass *findNeuronClass(llvm::StringRef lavaClass);

/// Names of the parameters and states of a variant, in order. Per class (all
/// values are whole; `<<`, `>>` as in Lava's models):
///   LIF cuba:       decay_u = du, decay_v = dv, threshold = vth << 6, bias
///                   (mantissa with exponent applied); states u, v, r (r: 0)
///   LIF plain:      keep_u = 4095 - du, keep_v = 4096 - dv, threshold, bias;
///                   states u, v
///   LIFReset:       as LIF plain, then interval, offset (reset_offset modulo
///                   interval); states u, v, phase (initially 1 % interval)
///   TernaryLIF:     keep_u, keep_v, high = vth_hi << 6, low = vth_lo << 6,
///                   bias; states u, v
///   ATRLIF:         keep_i, keep_i_low (k_i, Decay.h), keep_v, keep_theta,
///                   keep_r (k_x), theta_0, theta_step (times 64), bias; states
///                   i, v, theta (initially theta_0), r. In the variant
///                   "checked", i stands at an end of its 32 bits after a step
///                   whose a_in was beyond kMostCubaInput
///   RF, RF_IZ:      sin, cos, threshold, decay_shift = -decay_bits,
///                   state_shift = state_exp; states real, imag
///   Delta:          threshold (scaled), in_shift = spike_exp + state_exp,
///                   out_shift = -state_exp; states act, residue (, error)
///   SigmaDelta:     threshold, bias (scaled), out_shift; states sigma, act,
///                   residue (, error)
///   Sigma:          state sigma
///   GradedVec, GradedReluVec: threshold
///   ProdNeuron:     threshold, shift = -exp
std::vector<std::string> parameterNames(const NeuronForm &form);
std::vector<std::string> stateNames(const NeuronForm &form);

/// Writes the neuron model of a form at the builder's place. `perNeuron` names
/// the parameters that have a value per neuron, `initial` gives states' initial
/// values (an integer or a constant's symbol) by name; both are no part of the
/// body.
dend::NeuronOp
buildNeuron(mlir::OpBuilder &builder, mlir::Location loc,
            const std::string &name, const NeuronForm &form,
            const std::set<std::string> &perNeuron = {},
            const std::map<std::string, mlir::Attribute> &initial = {});

/// The name of the dend port of a term: "a_in", then "a_in.1", "a_in.2", ...
std::string portName(const std::string &input, size_t term);

/// The largest |a_in| up to which a cuba neuron computes what LIF does: its
/// current wraps modulo 2^24, Lava's by one turn only. Up to there ATRLIF's
/// current stays within 2^23, too, for which its decay is proved.
constexpr int64_t kMostCubaInput = (int64_t(1) << 18) - 1;

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_PROCESSES_H
