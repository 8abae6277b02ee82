// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vocabulary of a vector neuron core: which instructions can exist and to
// which class each belongs. Chip files list instructions and give cycles and
// prices per class by these names; what an instruction computes is said in
// runtime/microcode/Isa.h.

#ifndef NEURITE_TARGETS_LOADER_MICROCODE_H
#define NEURITE_TARGETS_LOADER_MICROCODE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace neurite {

/// One instruction of the set, named as in chip files and listings.
enum class MicroOp : uint8_t {
  Move,    // move: copy, splat, load, store
  Add,     // add
  Sub,     // sub
  Mul,     // mul: multiply, scale by a power of two, narrow
  Neg,     // neg
  Abs,     // abs
  Min,     // min
  Max,     // max
  Clamp,   // clamp
  Compare, // cmp
  Select,  // sel
  Scale,   // scale: by a power of two known to the program, narrow
  Shift,   // shift: by a computed amount
  Clz,     // clz
  Table,   // table
  Dot,     // dot
  MatVec,  // matvec
  VecMat,  // vecmat
  Outer,   // outer
  Sum,     // sum
  Maximum, // maximum
  TopK,    // topk
  Ladder,  // ladder
  Skip,    // skip
  Emit,    // emit
};
constexpr size_t kMicroOps = static_cast<size_t>(MicroOp::Emit) + 1;

/// What element operations are counted, timed and priced as.
enum class MicroClass : uint8_t {
  Load,  // words read from port, state or parameter memory
  Store, // words written to state memory
  Move,
  Add,      // add, sub, neg, abs, sum
  Multiply, // mul
  Mac,      // products added up: dot, matvec, vecmat, outer
  Shift,    // scale, shift, clz
  Compare,  // cmp, min, max, clamp, maximum, topk
  Select,
  Table,
  Ladder,  // rungs compared; counted as `ssf_rungs`, not under `microcode`
  Control, // skip
  Emit,
};
constexpr size_t kMicroClasses = static_cast<size_t>(MicroClass::Emit) + 1;

/// "matvec"; "mac".
const char *toString(MicroOp op);
const char *toString(MicroClass kind);
/// Nothing for an unknown name.
std::optional<MicroOp> microOpOf(const std::string &name);
std::optional<MicroClass> microClassOf(const std::string &name);

/// A core's vector machine. Absent = unlimited.
struct MicrocodeAbility {
  uint64_t lanes = 1;                   // elements per cycle
  uint64_t wordBits = 64;               // widest value of a register
  std::optional<uint64_t> registers;    // words of a register each
  std::optional<uint64_t> programWords; // of all programs of a core
  std::optional<uint64_t> stateBytes;   // of one neuron
  std::array<bool, kMicroOps> ops{};    // what it has
  bool has(MicroOp op) const { return ops[static_cast<size_t>(op)]; }
};

/// How long a program takes. An instruction takes `issue` cycles plus, for each
/// class, ceil(elements / lanes) times the class's cycles.
struct MicrocodeTiming {
  uint64_t cycle = 0; // ps
  uint64_t issue = 0; // cycles
  std::array<uint64_t, kMicroClasses> cycles{};
};

} // namespace neurite

#endif // NEURITE_TARGETS_LOADER_MICROCODE_H
