// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of validate(), each about one table. Every function throws Error
// with the place first. A place is text such as "core 3, group 1"; those of
// single rows are built on failure only.

#ifndef DENDROLITH_RUNTIME_VALIDATE_CHECK_H
#define DENDROLITH_RUNTIME_VALIDATE_CHECK_H

#include "runtime/image/Tables.h"
#include "runtime/image/TickSchedule.h"
#include "runtime/image/program.pb.h"
#include "runtime/microcode/Isa.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith::check {

// These are bounds on what an engine allocates or walks. They lie far beyond
// any chip, and refuse absurd images before memory or time is spent on them.
constexpr uint64_t kMaxAccumulators = uint64_t(1) << 28; // in the program
constexpr uint64_t kMaxBuckets = uint64_t(1) << 31;      // in the program
constexpr uint32_t kMaxCoreId = (uint32_t(1) << 20) - 1;
constexpr uint32_t kMaxPeriod = uint32_t(1) << 16;
constexpr uint32_t kMaxDepth = uint32_t(1) << 20;
constexpr uint32_t kMaxDelay = image::kMostDelay;
constexpr uint64_t kMaxElements = uint64_t(1) << 20; // in one vector
constexpr uint64_t kMaxWork = uint64_t(1) << 28;   // for an update of a neuron
constexpr uint64_t kMaxVisit = uint64_t(1) << 36;  // for one of all neurons
constexpr uint64_t kMaxStates = uint64_t(1) << 30; // words in the program
constexpr int kMaxRank = 32;
constexpr size_t kMaxName = 4096;

/// What a program asks of the rest of the image.
struct ProgramShape {
  uint64_t accumulators = 0, sources = 0; // that a neuron has
  uint64_t states = 0, params = 0;        // words that a neuron has
  uint64_t payload = 0;                   // largest magnitude that leaves
  uint64_t steps = 1;                     // over which it leaves
  uint64_t work = 0;    // element operations and words read, with every region
  size_t identity = 0;  // the same for programs of the same bytes
  size_t interface = 0; // the same for programs of the same ports and outputs
};

/// What may arrive in a period at each accumulator of a core that was checked.
class AccumulatorSums {
public:
  explicit AccumulatorSums(const image::Core &core);
  void add(uint32_t inAxon, uint64_t payload);
  unsigned __int128 largest() const;

private:
  std::vector<InAxon> inAxons;
  std::vector<SynapseList> lists;
  std::vector<uint32_t> offsets;
  std::vector<int16_t> weights;
  std::vector<unsigned __int128> sums; // by accumulator
  unsigned __int128 anywhere = 0;      // of convolutions
};

/// What the axons of other cores need to know of a core.
struct CoreTables {
  /// The largest |weight| of the core. Shifted as the list of an in-axon says,
  /// it bounds one accumulation caused by a message with payload 1.
  uint64_t largestWeight = 0;
  std::vector<uint8_t> shifts; // by in-axon
  bool oneShift = false;       // whether all shifts are the same
  bool left = false;           // its memory is not there (ProgramFile.h)
  /// The sum of such bounds over all messages of a period.
  unsigned __int128 arriving = 0;
  /// Takes the place of that sum, which is too large for some cores.
  std::shared_ptr<AccumulatorSums> sums;
  uint64_t accumulators = 0; // one past the last used
  uint64_t states = 0;       // words of all neurons that run programs
  uint64_t work = 0;         // that an update of each of them takes
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
  uint32_t ids() const { return static_cast<uint32_t>(indexOf.size()); }
  std::vector<CoreTables> cores;

private:
  std::vector<int32_t> indexOf; // by id; -1 where it is unused
};

/// Generic checks of every field at any depth: no unknown fields or enum
/// values, strings in UTF-8 without control characters, finite numbers.
void checkFields(const google::protobuf::Message &message);

/// Checks a name, which is not empty and not endless.
void checkName(const std::string &place, const std::string &name);

/// Prints "population 'a'" without control characters, which never reach a
/// message.
std::string named(const char *what, const std::string &name);

/// The product of a shape of positive dimensions, at most kMaxAccumulators.
uint64_t checkShape(const std::string &place,
                    const google::protobuf::RepeatedField<uint64_t> &shape);

/// Checks the parameters of a group of `count` neurons.
void checkCuba(const std::string &place, const image::Cuba &cuba,
               uint32_t count);

/// Checks that an engine can run the instructions without a further check.
/// Returns the program's work.
uint64_t checkCode(const std::string &place, const image::Microprogram &program,
                   const std::vector<micro::Instruction> &code,
                   const std::vector<int64_t> &constants);

/// Checks a program with its memories and outputs.
ProgramShape checkMicroprogram(const std::string &place,
                               const image::Microprogram &program);

/// Checks the parameters and initial states of a group of `count` neurons.
void checkMicrocode(const std::string &place, const image::Microcode &microcode,
                    const image::Microprogram &program, uint32_t count);

/// Accumulators [begin, end) of a core.
struct AccumulatorRange {
  uint64_t begin, end;
};

/// Checks the synapse memory and in-axons of one core, whose groups have the
/// accumulators `used`, in order. Sets weights, shifts and delay of `result`.
void checkMemory(const std::string &place, const image::Core &core,
                 const std::vector<AccumulatorRange> &used, CoreTables &result);

/// Checks the groups, programs, synapse memory and in-axons of one core, but
/// not its out-axons. Of a core that is not `whole` memory and in-axons are not
/// there.
CoreTables checkCore(const std::string &place, const image::Core &core,
                     bool whole = true);

/// Checks the rows of `sources` sources whose messages carry at most `payload`,
/// and adds them to the cores they reach.
void checkAxons(const std::string &place, const image::Axons &axons,
                uint64_t sources, uint64_t payload, CoreIndex &cores);

} // namespace dendrolith::check

#endif // DENDROLITH_RUNTIME_VALIDATE_CHECK_H
