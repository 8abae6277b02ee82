// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Listings of programs, for people to read.

#ifndef DENDROLITH_RUNTIME_MICROCODE_DISASSEMBLE_H
#define DENDROLITH_RUNTIME_MICROCODE_DISASSEMBLE_H

#include "runtime/image/program.pb.h"

#include <string>

namespace dendrolith::micro {

/// A listing of a validated program. It says what the program holds, has a line
/// for each instruction with the names of ports, states, parameters and
/// outputs, and ends with what one update costs in element operations. `title`
/// begins the first line.
///
///     program lif: 6 instructions, 1 constant, 2 registers
///       port I: 24 bits
///       ...
///       0  mul   r0 = state.v * param.keep >> 12 floor, 24 bits   ; dend.mul
std::string disassemble(const image::Microprogram &program,
                        const std::string &title);

} // namespace dendrolith::micro

#endif // DENDROLITH_RUNTIME_MICROCODE_DISASSEMBLE_H
