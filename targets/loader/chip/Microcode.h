// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vocabulary of a vector neuron core: which instructions can exist and to
// which class each belongs, made from the table MicroOps.def, which also says
// what each computes. Chip files list instructions and give cycles and prices
// per class by these names.

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_MICROCODE_H
#define DENDROLITH_TARGETS_LOADER_CHIP_MICROCODE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith {

/// One instruction of the set, as its number in images says.
enum class MicroOp : uint8_t {
#define MICRO_OP(code, Name, ...) Name = code,
#include "targets/loader/chip/MicroOps.def"
};

/// What element operations are counted, timed and priced as.
enum class MicroClass : uint8_t {
#define MICRO_CLASS(Name, ...) Name,
#include "targets/loader/chip/MicroOps.def"
};

/// How the extents of an instruction's operands follow from its fields.
enum class MicroShape : uint8_t {
#define MICRO_SHAPE(Name, ...) Name,
#include "targets/loader/chip/MicroOps.def"
};

constexpr size_t kMicroOps = 0
#define MICRO_OP(...) +1
#include "targets/loader/chip/MicroOps.def"
    ;
constexpr size_t kMicroClasses = 0
#define MICRO_CLASS(...) +1
#include "targets/loader/chip/MicroOps.def"
    ;

/// "matvec"; "mac".
const char *toString(MicroOp op);
const char *toString(MicroClass kind);
/// Nothing for an unknown name.
std::optional<MicroOp> microOpOf(const std::string &name);
std::optional<MicroClass> microClassOf(const std::string &name);

MicroClass classOf(MicroOp op);
MicroShape shapeOf(MicroOp op);
/// How many of its operands a, b, c the instruction has.
unsigned operandsOf(MicroOp op);
/// Whether an execution writes words; `skip` and `emit` do not.
bool hasResult(MicroOp op);
/// Whether element i of the result needs elements i of the operands alone, so
/// that the result may take an operand's place. It is true of instructions
/// without a result, which take nobody's place.
bool isElementwise(MicroOp op);

/// A core's vector machine. A limit that is absent is unlimited.
struct MicrocodeAbility {
  uint64_t lanes = 1;                   // elements that it computes per cycle
  uint64_t wordBits = 64;               // bits of the widest register value
  std::optional<uint64_t> registers;    // registers, each of one word
  std::optional<uint64_t> programWords; // words of all programs of a core
  std::optional<uint64_t> stateBytes;   // bytes of one neuron's state
  std::array<bool, kMicroOps> ops{};    // by code, whether it has the op
  bool has(MicroOp op) const { return ops[static_cast<size_t>(op)]; }
};

/// How long a program takes. An instruction takes `issue` cycles plus, for each
/// class, ceil(elements / lanes) times the class's cycles.
struct MicrocodeTiming {
  uint64_t cycle = 0; // ps
  uint64_t issue = 0; // cycles
  std::array<uint64_t, kMicroClasses> cycles{};
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_MICROCODE_H
