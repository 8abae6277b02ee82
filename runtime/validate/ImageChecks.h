// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of validate(), each about one table. Every function throws Error
// with the place first. A place is text such as "core 3, group 1"; those of
// single rows are built on failure only.

#ifndef NEURITE_RUNTIME_VALIDATE_IMAGECHECKS_H
#define NEURITE_RUNTIME_VALIDATE_IMAGECHECKS_H

#include "runtime/image/program.pb.h"
#include "runtime/microcode/Isa.h"

#include <cstdint>
#include <string>
#include <vector>

namespace neurite::check {

// Bounds on what an engine allocates or walks. Far beyond any chip; there to
// refuse absurd images before memory or time is spent on them.
constexpr uint64_t kMaxCompartments = uint64_t(1) << 28; // whole program
constexpr uint64_t kMaxBuckets = uint64_t(1) << 31;      // whole program
constexpr uint32_t kMaxCoreId = (uint32_t(1) << 20) - 1;
constexpr uint32_t kMaxPeriod = uint32_t(1) << 16;
constexpr uint32_t kMaxDepth = uint32_t(1) << 20;
constexpr uint32_t kMaxDelay = 4096;
constexpr uint64_t kMaxElements = uint64_t(1) << 20; // of one vector
constexpr uint64_t kMaxWork = uint64_t(1) << 28;     // of a program, a neuron
constexpr uint64_t kMaxVisit = uint64_t(1) << 36;    // once for every neuron
constexpr uint64_t kMaxStates = uint64_t(1) << 30;   // words, whole program
constexpr int kMaxRank = 32;
constexpr size_t kMaxName = 4096;

/// What a program asks of the rest of the image.
struct ProgramShape {
  uint64_t accumulators = 0, states = 0, params = 0; // words
  uint64_t sources = 0;                              // of a neuron
  uint64_t payload = 0; // largest magnitude that leaves
  uint64_t steps = 1;   // over which it leaves
  uint64_t work = 0;    // element operations and words read, with every region
  size_t identity = 0;  // the same for programs of the same bytes
  size_t interface = 0; // the same for programs of the same ports and outputs
};

/// What the axons of other cores need to know of a core.
struct CoreTables {
  /// Largest |weight| of the core; shifted as the list of an in-axon says, it
  /// bounds one accumulation caused by a message with payload 1.
  uint64_t largestWeight = 0;
  std::vector<uint8_t> shifts; // by in-axon
  bool oneShift = false;       // all the same
  /// Sum of such bounds over all messages of a period.
  unsigned __int128 arriving = 0;
  uint64_t compartments = 0; // one past the last used
  uint64_t states = 0;       // words of all neurons that run programs
  uint64_t work = 0;         // of an update of each of them
  uint32_t maxDelay = 0;
  std::vector<ProgramShape> programs;
};

/// All used cores, looked up by id.
class CoreIndex {
public:
  /// Ids must be at most kMaxCoreId.
  void add(uint32_t id, CoreTables tables);
  CoreTables *find(uint32_t id);
  /// One more than the largest id.
  uint32_t ids() const { return static_cast<uint32_t>(position.size()); }
  std::vector<CoreTables> cores;

private:
  std::vector<int32_t> position; // by id, -1 = unused
};

/// Generic checks of every field at any depth: no unknown fields or enum
/// values, strings in UTF-8 without control characters, finite numbers.
void checkFields(const google::protobuf::Message &message);

/// A name: not empty, not endless.
void checkName(const std::string &place, const std::string &name);

/// "population 'a'": control characters never reach a message.
std::string named(const char *what, const std::string &name);

/// Product of a shape of positive dimensions, at most kMaxCompartments.
uint64_t checkShape(const std::string &place,
                    const google::protobuf::RepeatedField<uint64_t> &shape);

/// Parameters of a group of `count` neurons.
void checkCuba(const std::string &place, const image::Cuba &cuba,
               uint32_t count);

/// Instructions: that an engine can run them without a further check. Returns
/// the program's work.
uint64_t checkCode(const std::string &place, const image::Microprogram &program,
                   const std::vector<micro::Instruction> &code,
                   const std::vector<int64_t> &constants);

/// A program with its memories and outputs.
ProgramShape checkMicroprogram(const std::string &place,
                               const image::Microprogram &program);

/// Parameters and initial states of a group of `count` neurons.
void checkMicrocode(const std::string &place, const image::Microcode &microcode,
                    const image::Microprogram &program, uint32_t count);

/// Compartments [begin, end).
struct Compartments {
  uint64_t begin, end;
};

/// Synapse memory and in-axons of one core; `used`: where its groups lie, in
/// order. Sets weights, shifts and delay of `result`.
void checkMemory(const std::string &place, const image::Core &core,
                 const std::vector<Compartments> &used, CoreTables &result);

/// Groups, programs, synapse memory and in-axons of one core; not its
/// out-axons.
CoreTables checkCore(const std::string &place, const image::Core &core);

/// Rows of `sources` sources whose messages carry at most `payload`; adds
/// them to the cores they reach.
void checkAxons(const std::string &place, const image::Axons &axons,
                uint64_t sources, uint64_t payload, CoreIndex &cores);

} // namespace neurite::check

#endif // NEURITE_RUNTIME_VALIDATE_IMAGECHECKS_H
