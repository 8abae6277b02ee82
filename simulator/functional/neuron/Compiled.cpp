// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/neuron/Compiled.h"

#include <algorithm>
#include <cstdlib>

namespace neurite::sim {

using micro::Instruction;

std::vector<int64_t> amountsOf(const MicroProgram &program) {
  std::vector<int64_t> amounts;
  for (const Instruction &code : program.code())
    amounts.push_back(std::abs(int64_t(code.shift)));
  return amounts;
}

namespace {

/// The emissions of a visit, neuron by neuron.
class Emitted {
public:
  Emitted(const MicroProgram &program, MicroVisit &visit)
      : program(program), visit(visit) {
    for (const Instruction &code : program.code())
      if (code.op == MicroOp::Emit) {
        only = elements == 0 && code.n == 1 ? int64_t(code.m) : -1;
        elements += code.n;
      }
  }

  /// The neurons are those whose byte among eight of `visit.any` is not 0.
  void collect() {
    for (uint32_t first = 0; first < program.count(); first += 8) {
      uint64_t eight = 0;
      for (uint32_t k = 0; k < 8; ++k)
        eight |= uint64_t(visit.any[first + k]) << k;
      for (; eight; eight &= eight - 1)
        take(first + uint32_t(__builtin_ctzll(eight)));
    }
  }

private:
  void take(uint32_t neuron) {
    const int64_t *value = visit.sent.data() + neuron;
    if (only >= 0) {
      if (*value != 0)
        visit.emissions.push_back({neuron, uint32_t(only), 0, *value});
      return;
    }
    for (const Instruction &code : program.code()) {
      if (code.op != MicroOp::Emit)
        continue;
      for (uint32_t e = 0; e < code.n; ++e, value += program.row())
        if (*value != 0)
          visit.emissions.push_back({neuron, code.m, e, *value});
    }
  }

  const MicroProgram &program;
  MicroVisit &visit;
  uint32_t elements = 0;
  int64_t only = -1; // the output, if one element of one output is all
};

} // namespace

void MicroProgram::run(const CompiledProgram &compiled, const int64_t *ports,
                       int64_t *states, const uint8_t *run, MicroVisit &visit,
                       bool parts) const {
  const size_t lanes = (neurons + kLanes - 1) / kLanes * kLanes;
  visit.emissions.clear();
  visit.runs.assign(lanes, 0);
  uint64_t active = 0;
  for (uint32_t n = 0; n < neurons; ++n)
    active += visit.runs[n] = !run || run[n] != 0;
  visit.scratch.resize(std::max(visit.scratch.size(), compiled.scratch));
  visit.sent.resize(std::max(visit.sent.size(), emitted * rowWords));
  visit.any.assign(lanes, 0);
  visit.any[0] = neurons == 1 && active;
  visit.counts.assign(partCount, 0);
  visit.counts[0] = active;
  visit.cameRows.assign((partCount - 1) * lanes, 0);
  compiled.function(ports, states, sharedParams.data(), neuronParams.data(),
                    constants.data(), visit.scratch.data(), visit.runs.data(),
                    visit.sent.data(), visit.any.data(), visit.counts.data(),
                    visit.cameRows.data(), amounts.data(), rowWords, neurons);
  visit.work = {};
  visit.issued = 0;
  for (const Region &region : regions) {
    if (region.issued == 0) // of an instruction that guards nothing
      continue;
    const uint64_t times = visit.counts[region.part];
    for (size_t c = 0; c < region.work.size(); ++c)
      visit.work[c] += times * region.work[c];
    visit.issued += times * region.issued;
  }
  visit.came.assign(parts ? size_t(partCount) * neurons : 0, 0);
  for (uint32_t part = 0; parts && part < partCount; ++part)
    std::copy_n(part == 0 ? visit.runs.data()
                          : visit.cameRows.data() + (part - 1) * lanes,
                neurons, visit.came.data() + size_t(part) * neurons);
  if (emitted)
    Emitted(*this, visit).collect();
}

} // namespace neurite::sim
