// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of a vector neuron core. It is decoded once and executed for all
// neurons of a group at a time, block by block and instruction by instruction.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROCODE_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROCODE_H

#include "runtime/image/program.pb.h"
#include "runtime/microcode/Isa.h"
#include "simulator/functional/neuron/CubaForm.h"
#include "simulator/functional/neuron/MicroKernels.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::sim {

/// A non-zero value that a neuron sends.
struct MicroEmission {
  uint32_t neuron = 0; // in the group
  uint32_t output = 0;
  uint32_t element = 0;
  int64_t value = 0;
};

/// What one visit did. Callers keep one object for all visits, so that its
/// arrays keep their memory.
struct MicroVisit {
  std::vector<MicroEmission> emissions; // by neuron, then program order
  micro::Work work{};                   // element operations by class
  uint64_t issued = 0;                  // instructions
  /// Whether a neuron came to a part of the program, if that was asked:
  /// [part][neuron].
  std::vector<uint8_t> came;

  // Memory of compiled programs (Compiled.h).
  std::vector<int64_t> scratch, sent;
  std::vector<uint8_t> runs, any, cameRows;
  std::vector<uint64_t> counts;
};

struct CompiledProgram;

class MicroProgram {
public:
  /// A port of the neuron, which has words [first, first + elements).
  struct Port {
    std::string name;
    uint32_t first = 0, elements = 0, width = 64;
    uint32_t hold = 1; // updates between clearings
  };
  /// A state of the neuron, which has words [first, first + elements).
  struct State {
    std::string name;
    uint32_t first = 0, elements = 0, width = 64;
    uint32_t resetEvery = 0; // updates between returns to its start; 0 = none
    bool keep = false;       // whether its value outlives the sample
  };
  struct Output {
    std::string name;
    uint32_t elements = 0;
    int64_t low = 0, high = 1;
    image::Microprogram::Emission::Kind kind =
        image::Microprogram::Emission::BINARY;
    uint32_t steps = 1;
    uint32_t source = 0;            // the first of element 0
    uint32_t sourcesPerElement = 1; // 2 for SPLIT outputs
    uint32_t unit = 0; // index of element 0 among those of unary outputs

    /// Whether a value leaves as unit spikes, one in each step.
    bool isUnary() const {
      return kind == image::Microprogram::Emission::UNARY ||
             kind == image::Microprogram::Emission::SPLIT;
    }
  };

  /// Decodes a program of a validated image.
  MicroProgram(const image::Microprogram &program,
               const image::Microcode &group, uint32_t count);

  uint32_t count() const { return neurons; }
  /// How many words lie between two rows of ports or states, at least count():
  /// whole vectors of kLanes neurons, but for a single neuron, whose words lie
  /// in order. Rows a power of two apart would fall into the same lines of a
  /// cache.
  size_t row() const { return rowWords; }
  static constexpr size_t kLanes = 8;
  /// How many accumulators a neuron has: one for each element of its ports.
  uint32_t accumulators() const { return portWords; }
  uint32_t stateWords() const { return stateCount; }
  uint32_t sources() const { return sourceCount; }
  const std::vector<Port> &ports() const { return portTable; }
  const std::vector<State> &states() const { return stateTable; }
  const std::vector<Output> &outputs() const { return outputTable; }
  const std::vector<micro::Instruction> &code() const { return instructions; }
  /// The bits that operands can take, by instruction, and how many words of
  /// registers there are.
  const std::vector<micro::OperandBits> &operandBits() const {
    return operandWidths;
  }
  uint32_t registerWords() const { return registers; }

  /// Where a parameter word is: among those that all neurons share, or a row
  /// among those of each neuron.
  struct ParamWord {
    bool perNeuron = false;
    size_t index = 0;
  };
  const std::vector<ParamWord> &params() const { return paramWords; }
  int64_t parameter(uint32_t word, uint32_t neuron) const {
    const ParamWord &at = paramWords[word];
    return at.perNeuron ? neuronParams[at.index * rowWords + neuron]
                        : sharedParams[at.index];
  }
  int64_t constant(uint32_t word) const { return constants[word]; }
  /// What the program computes, where it is the fixed-function neuron.
  const std::optional<CubaForm> &cubaForm() const { return cuba; }

  /// Whether zero state and no input give zero state and no emission. The
  /// constructor runs the program once to find out.
  bool quiescent(uint32_t neuron) const { return isQuiescent[neuron]; }
  /// The initial value of a state word.
  int64_t initial(uint32_t word, uint32_t neuron) const;

  /// Runs the program for the neurons whose `run` is not 0 (null: all); the
  /// others must be quiescent, with zero states and ports. `ports` holds sums
  /// read modulo their width as [element][neuron], `states` [word][neuron],
  /// rows of row() words. visit.came is filled where `parts` asks for it.
  void run(const int64_t *ports, int64_t *states, const uint8_t *run,
           MicroVisit &visit, bool parts) const;

  /// Does the same by machine code of this program.
  void run(const CompiledProgram &compiled, const int64_t *ports,
           int64_t *states, const uint8_t *run, MicroVisit &visit,
           bool parts) const;

  /// A neuron runs all instructions of a part of the program or none: part 0 is
  /// what no skip guards, and each skip guards one more.
  uint32_t parts() const { return partCount; }
  /// The part of each instruction; a skip is no part of what it guards.
  const std::vector<uint32_t> &partOf() const { return partTable; }

private:
  friend class MicroBlock;

  /// The work of the program, or of what a skip guards.
  struct Region {
    micro::Work work{};
    uint64_t issued = 0;
    uint32_t part = 0;
  };
  void addPorts(const image::Microprogram &program);
  void addStates(const image::Microprogram &program,
                 const image::Microcode &group);
  void addParams(const image::Microprogram &program,
                 const image::Microcode &group);
  void addOutputs(const image::Microprogram &program);
  void chooseKernels(const image::Microprogram &program);
  void sumRegions();
  void findQuiescent();
  void collect(MicroVisit &visit) const;

  uint32_t neurons, registers;
  size_t rowWords;
  uint32_t portWords = 0, stateCount = 0, sourceCount = 0, partCount = 1;
  std::vector<Port> portTable;
  std::vector<State> stateTable;
  std::vector<Output> outputTable;
  std::vector<micro::Instruction> instructions;
  std::vector<Kernel> kernels; // by instruction
  std::vector<micro::OperandBits> operandWidths;
  std::vector<int64_t> amounts; // as Compiled.h has them
  std::vector<Region> regions;  // 0 is the program, i + 1 what skip i guards
  std::vector<uint32_t> partTable;
  std::vector<int64_t> constants;
  std::vector<ParamWord> paramWords;
  std::vector<int64_t> sharedParams, neuronParams; // the latter [word][neuron]
  std::vector<int64_t> initialValues;              // [word][neuron]
  std::vector<uint8_t> isQuiescent;
  /// The elements of all emit instructions, in program order.
  struct Emitted {
    uint32_t output = 0, element = 0;
  };
  std::vector<Emitted> emitted;
  std::vector<uint32_t> workingRegions; // those that have instructions
  std::optional<CubaForm> cuba;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_NEURON_MICROCODE_H
