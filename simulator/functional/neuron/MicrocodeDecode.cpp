// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the program of an image and the data of a group become what runs.

#include "simulator/functional/neuron/Microcode.h"

#include "runtime/microcode/Isa.h"
#include "simulator/functional/neuron/Compiled.h"

#include <algorithm>

namespace dendrolith::sim {

using micro::Operand;
using micro::Space;

static size_t rowOf(uint32_t count) {
  constexpr size_t lanes = MicroProgram::kLanes;
  const size_t row = (count + lanes - 1) / lanes * lanes;
  return count == 1 ? 1 : row % 64 == 0 ? row + lanes : row;
}

MicroProgram::MicroProgram(const image::Microprogram &program,
                           const image::Microcode &group, uint32_t count)
    : neurons(count), registers(program.registers()), rowWords(rowOf(count)),
      instructions(micro::decodeCode(program.code())),
      constants(micro::decodeI64(program.constants())) {
  addPorts(program);
  addStates(program, group);
  addParams(program, group);
  addOutputs(program);
  chooseKernels(program);
  sumRegions();
  amounts = amountsOf(*this);
  cuba = cubaFormOf(*this);
  findQuiescent();
}

void MicroProgram::addPorts(const image::Microprogram &program) {
  for (const auto &image : program.ports()) {
    portTable.push_back({image.name(), portWords, image.elements(),
                         image.width(), std::max<uint32_t>(image.hold(), 1)});
    portWords += image.elements();
  }
}

void MicroProgram::addStates(const image::Microprogram &program,
                             const image::Microcode &group) {
  for (const auto &image : program.states()) {
    stateTable.push_back({image.name(), stateCount, image.elements(),
                          image.width(), image.reset_every(), image.keep()});
    stateCount += image.elements();
  }
  initialValues.assign(size_t(stateCount) * neurons, 0);
  for (size_t s = 0; s < stateTable.size(); ++s) {
    const State &state = stateTable[s];
    std::vector<int64_t> words =
        micro::decodeI64(group.initial(static_cast<int>(s)));
    if (words.empty())
      continue;
    bool perNeuron = words.size() == size_t(state.elements) * neurons;
    for (uint32_t e = 0; e < state.elements; ++e)
      for (uint32_t n = 0; n < neurons; ++n)
        initialValues[size_t(state.first + e) * neurons + n] =
            words[perNeuron ? size_t(n) * state.elements + e : e];
  }
}

int64_t MicroProgram::initial(uint32_t word, uint32_t neuron) const {
  return initialValues[size_t(word) * neurons + neuron];
}

/// The words of parameters in the order in which the program first reads them,
/// with those that it never reads behind. Words that one operand reads stay
/// together. An image's order says nothing of what is computed: it has equal
/// parameters once, and parameters of which a program reads a part.
static std::vector<size_t>
orderOfParams(const std::vector<micro::Instruction> &instructions,
              size_t words) {
  std::vector<bool> goesOn(words), known(words); // from the word before it
  auto eachOperand = [&](auto visit) {
    for (const micro::Instruction &code : instructions)
      for (unsigned o = 0; o < 3; ++o) {
        const Operand &operand = o == 0 ? code.a : o == 1 ? code.b : code.c;
        if (operand.space == Space::Param)
          visit(operand.index, micro::extentOf(code, o));
      }
  };
  eachOperand([&](size_t first, uint64_t extent) {
    for (uint64_t e = 1; e < extent; ++e)
      goesOn[first + e] = true;
  });
  std::vector<size_t> order;
  auto add = [&](size_t word) {
    while (goesOn[word])
      --word;
    if (known[word])
      return;
    known[word] = true;
    do
      order.push_back(word++);
    while (word < words && goesOn[word]);
  };
  eachOperand([&](size_t first, uint64_t) { add(first); });
  for (size_t word = 0; word < words; ++word)
    add(word);
  return order;
}

void MicroProgram::addParams(const image::Microprogram &program,
                             const image::Microcode &group) {
  struct OperandPlace {
    int param;
    uint32_t element;
  };
  std::vector<OperandPlace> places;
  std::vector<std::vector<int64_t>> given;
  for (int p = 0; p < program.params_size(); ++p) {
    given.push_back(micro::decodeI64(group.params(p)));
    for (uint32_t e = 0; e < program.params(p).elements(); ++e)
      places.push_back({p, e});
  }
  paramWords.resize(places.size());
  for (size_t word : orderOfParams(instructions, places.size())) {
    const auto [p, e] = places[word];
    const auto &image = program.params(p);
    const std::vector<int64_t> &words = given[size_t(p)];
    if (!image.per_neuron()) {
      paramWords[word] = {false, sharedParams.size()};
      sharedParams.push_back(words[e]);
      continue;
    }
    const size_t first = neuronParams.size();
    paramWords[word] = {true, first / rowWords};
    neuronParams.resize(first + rowWords);
    for (uint32_t n = 0; n < neurons; ++n)
      neuronParams[first + n] = words[size_t(n) * image.elements() + e];
  }
}

void MicroProgram::addOutputs(const image::Microprogram &program) {
  for (const auto &image : program.outputs()) {
    bool split = image.kind() == image::Microprogram::Emission::SPLIT;
    Output output;
    output.name = image.name();
    output.elements = image.elements();
    output.low = image.low();
    output.high = image.high();
    output.kind = image.kind();
    output.steps = std::max<uint32_t>(image.steps(), 1);
    output.source = sourceCount;
    output.sourcesPerElement = split ? 2 : 1;
    for (const Output &before : outputTable)
      output.unit += before.isUnary() ? before.elements : 0;
    sourceCount += output.elements * output.sourcesPerElement;
    outputTable.push_back(std::move(output));
  }
}

/// Chooses the kernels by how many bits operands can take.
void MicroProgram::chooseKernels(const image::Microprogram &program) {
  auto bitsOf = [](const auto &rows) {
    std::vector<unsigned> bits;
    for (const auto &row : rows)
      bits.insert(bits.end(), row.elements(), row.width());
    return bits;
  };
  operandWidths =
      micro::operandBits(instructions, registers,
                         {bitsOf(program.ports()), bitsOf(program.states()),
                          bitsOf(program.params())},
                         constants);
  for (size_t i = 0; i < instructions.size(); ++i) {
    const micro::Instruction &code = instructions[i];
    kernels.push_back(chooseKernel(code, operandWidths[i]).of(bestIsa()));
    for (uint32_t e = 0; code.op == MicroOp::Emit && e < code.n; ++e)
      emitted.push_back({code.m, e});
  }
}

/// Sums the work of the instructions that a region runs itself, without that of
/// nested regions.
void MicroProgram::sumRegions() {
  regions.resize(instructions.size() + 1);
  std::vector<std::pair<size_t, size_t>> open = {{0, instructions.size()}};
  partCount = 1;
  for (size_t i = 0; i < instructions.size(); ++i) {
    while (i >= open.back().second)
      open.pop_back();
    Region &region = regions[open.back().first];
    partTable.push_back(region.part);
    micro::Work work = workOf(instructions[i]);
    for (size_t c = 0; c < work.size(); ++c)
      region.work[c] += work[c];
    ++region.issued;
    if (instructions[i].op == MicroOp::Skip) {
      regions[i + 1].part = partCount++;
      open.push_back({i + 1, i + 1 + instructions[i].m});
    }
  }
  for (uint32_t r = 0; r < regions.size(); ++r)
    if (regions[r].issued)
      workingRegions.push_back(r);
}

void MicroProgram::findQuiescent() {
  std::vector<int64_t> ports(portWords * rowWords);
  std::vector<int64_t> states(stateCount * rowWords);
  MicroVisit visit;
  run(ports.data(), states.data(), nullptr, visit, false);
  isQuiescent.assign(neurons, 1);
  for (const MicroEmission &emission : visit.emissions)
    isQuiescent[emission.neuron] = 0;
  for (size_t i = 0; i < states.size(); ++i)
    if (states[i] != 0)
      isQuiescent[i % rowWords] = 0; // of a neuron: run() leaves the others 0
}

} // namespace dendrolith::sim
