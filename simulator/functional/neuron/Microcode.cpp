// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/neuron/Microcode.h"

#include <algorithm>

namespace dendrolith::sim {

using micro::Instruction;
using micro::Operand;
using micro::Space;

namespace {
/// A block has so many neurons, whose registers should stay in the first cache.
constexpr size_t kBlockWords = 2048, kMostNeurons = 512, kLeastNeurons = 16;
/// Blocks are looked at in parts of this size when some neurons rest.
constexpr uint32_t kPart = 32;
} // namespace

/// The execution of one block of neurons.
class MicroBlock {
public:
  MicroBlock(const MicroProgram &program, const int64_t *ports, int64_t *states,
             const uint8_t *run, MicroVisit &visit, bool parts)
      : program(program), ports(const_cast<int64_t *>(ports)), states(states),
        running(run), visit(visit), parts(parts) {
    size_t words = std::max<size_t>(program.registers, 1);
    capacity = std::clamp(kBlockWords / words, kLeastNeurons, kMostNeurons);
    capacity = std::min<size_t>(capacity, program.neurons);
    registers.resize(words * capacity);
  }

  size_t most() const { return capacity; }

  void execute(uint32_t firstNeuron, uint32_t count) {
    first = firstNeuron;
    lanes = count;
    uint64_t active = running ? 0 : lanes;
    for (uint32_t j = 0; running && j < lanes; ++j)
      active += runs(j);
    execute(0, 0, program.instructions.size(), nullptr, active);
  }

private:
  bool runs(uint32_t j) const { return !running || running[first + j]; }

  Lanes resolve(const Operand &operand) {
    size_t row = program.rowWords, index = operand.index;
    Lanes lanes;
    switch (operand.space) {
    case Space::Register:
      lanes = {registers.data() + index * capacity, capacity, 1};
      break;
    case Space::Port:
      lanes = {ports + index * row + first, row, 1};
      break;
    case Space::State:
      lanes = {states + index * row + first, row, 1};
      break;
    case Space::Param: {
      const MicroProgram::ParamWord &word = program.paramWords[index];
      if (word.perNeuron)
        lanes = {const_cast<int64_t *>(program.neuronParams.data()) +
                     word.index * row + first,
                 row, 1};
      else
        lanes = {const_cast<int64_t *>(program.sharedParams.data()) +
                     word.index,
                 1, 0};
      break;
    }
    case Space::Constant:
      lanes = {const_cast<int64_t *>(program.constants.data()) + index, 1, 0};
      break;
    case Space::None:
      lanes = {&nothing, 0, 0};
      break;
    }
    if (operand.scalar)
      lanes.element = 0;
    return lanes;
  }

  /// Runs instructions [begin, end) of a region for the neurons of `mask` (null
  /// means all), `active` of which run.
  void execute(size_t region, size_t begin, size_t end, const uint8_t *mask,
               uint64_t active) {
    const MicroProgram::Region &sums = program.regions[region];
    for (size_t c = 0; c < sums.work.size(); ++c)
      visit.work[c] += active * sums.work[c];
    visit.issued += active * sums.issued;
    if (parts)
      come(sums.part, mask);
    for (size_t i = begin; i < end; ++i) {
      const Instruction &code = program.instructions[i];
      if (code.op == MicroOp::Skip) {
        enter(i, mask);
        i += code.m;
      } else if (code.op == MicroOp::Emit) {
        emit(code, mask);
      } else {
        compute(i, mask);
      }
    }
  }

  void come(uint32_t part, const uint8_t *mask) {
    uint8_t *came = visit.came.data() + size_t(part) * program.neurons + first;
    for (uint32_t j = 0; j < lanes; ++j)
      came[j] = runs(j) && (!mask || mask[j]);
  }

  /// Runs the region behind a skip for the neurons whose condition holds.
  void enter(size_t i, const uint8_t *outer) {
    const Instruction &code = program.instructions[i];
    Lanes condition = resolve(code.a);
    std::vector<uint8_t> mask(lanes);
    uint64_t active = 0;
    uint32_t chosen = 0;
    for (uint32_t j = 0; j < lanes; ++j) {
      mask[j] =
          condition.first[j * condition.lane] != 0 && (!outer || outer[j]);
      chosen += mask[j];
      active += mask[j] && runs(j);
    }
    if (chosen)
      execute(i + 1, i + 1, i + 1 + code.m,
              chosen == lanes ? nullptr : mask.data(), active);
  }

  /// Runs an instruction under a mask, after which the other neurons get their
  /// words back.
  void compute(size_t i, const uint8_t *mask) {
    const Instruction &code = program.instructions[i];
    KernelArguments arguments{&code,           lanes,
                              resolve(code.d), resolve(code.a),
                              resolve(code.b), resolve(code.c)};
    if (!mask)
      return program.kernels[i](arguments);
    saved.resize(size_t(code.n) * lanes);
    const Lanes &d = arguments.d;
    for (uint32_t e = 0; e < code.n; ++e)
      std::copy_n(d.first + e * d.element, lanes, saved.data() + e * lanes);
    program.kernels[i](arguments);
    for (uint32_t e = 0; e < code.n; ++e)
      for (uint32_t j = 0; j < lanes; ++j)
        if (!mask[j])
          d.first[e * d.element + j] = saved[e * lanes + j];
  }

  void emit(const Instruction &code, const uint8_t *mask) {
    const MicroProgram::Output &output = program.outputs()[code.m];
    Lanes value = resolve(code.a);
    bool canBeSilent = output.low <= 0 && output.high >= 0;
    chosen.resize(lanes + 1);
    for (uint32_t e = 0; e < code.n; ++e) {
      const int64_t *from = value.first + e * value.element;
      uint32_t count = value.lane && canBeSilent ? choose(from) : chooseAll();
      for (uint32_t k = 0; k < count; ++k) {
        uint32_t j = chosen[k];
        if ((mask && !mask[j]) || !runs(j))
          continue;
        int64_t x = std::clamp(from[j * value.lane], output.low, output.high);
        if (x != 0)
          visit.emissions.push_back({first + j, code.m, e, x});
      }
    }
  }

  /// Lists the neurons that have a value. It takes no branch, because which
  /// ones they are is hard to predict.
  uint32_t choose(const int64_t *from) {
    uint32_t *to = chosen.data();
    for (uint32_t j = 0; j < lanes; ++j) {
      *to = j;
      to += from[j] != 0;
    }
    return static_cast<uint32_t>(to - chosen.data());
  }

  uint32_t chooseAll() {
    for (uint32_t j = 0; j < lanes; ++j)
      chosen[j] = j;
    return lanes;
  }

  const MicroProgram &program;
  int64_t *ports, *states;
  const uint8_t *running;
  MicroVisit &visit;
  const bool parts;
  size_t capacity = 0;
  std::vector<int64_t> registers, saved;
  std::vector<uint32_t> chosen;
  int64_t nothing = 0;
  uint32_t first = 0, lanes = 0;
};

void MicroProgram::run(const int64_t *ports, int64_t *states,
                       const uint8_t *run, MicroVisit &visit,
                       bool parts) const {
  visit.emissions.clear();
  visit.work = {};
  visit.issued = 0;
  visit.came.assign(parts ? size_t(partCount) * neurons : 0, 0);
  MicroBlock block(*this, ports, states, run, visit, parts);
  auto sortFrom = [&](size_t before) {
    // The values come by instruction, and are put in order of neurons.
    if (emitted.size() > 1)
      std::stable_sort(visit.emissions.begin() + std::ptrdiff_t(before),
                       visit.emissions.end(),
                       [](const MicroEmission &a, const MicroEmission &b) {
                         return a.neuron < b.neuron;
                       });
  };
  for (uint32_t n = 0; n < neurons;) {
    auto resting = [&](uint32_t part) {
      uint32_t end = std::min(part + kPart, neurons);
      return run && std::all_of(run + part, run + end,
                                [](uint8_t r) { return r == 0; });
    };
    if (resting(n)) {
      n = std::min(n + kPart, neurons);
      continue;
    }
    uint32_t end = n;
    while (end < neurons &&
           end - n + kPart <= std::max<size_t>(block.most(), kPart) &&
           !resting(end))
      end = std::min(end + kPart, neurons);
    size_t before = visit.emissions.size();
    for (uint32_t at = n; at < end;) {
      uint32_t count =
          static_cast<uint32_t>(std::min<size_t>(end - at, block.most()));
      block.execute(at, count);
      at += count;
    }
    sortFrom(before);
    n = end;
  }
}

} // namespace dendrolith::sim
