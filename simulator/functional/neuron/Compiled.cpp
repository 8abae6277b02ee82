// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/neuron/Compiled.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace dendrolith::sim {

using micro::Instruction;

std::vector<int64_t> amountsOf(const MicroProgram &program) {
  std::vector<int64_t> amounts;
  for (const Instruction &code : program.code())
    amounts.push_back(std::abs(int64_t(code.shift)));
  return amounts;
}

/// Sets a byte of `to` for each neuron that runs, and none behind them, and
/// returns how many run.
static uint64_t listRunning(const uint8_t *run, uint32_t neurons, size_t lanes,
                            uint8_t *to) {
  std::fill_n(to + neurons, lanes - neurons, 0);
  if (!run) {
    std::fill_n(to, neurons, 1);
    return neurons;
  }
  for (uint32_t n = 0; n < neurons; ++n)
    to[n] = run[n] != 0;
  uint64_t active = 0;
  for (size_t n = 0; n < lanes; n += 8) {
    uint64_t eight;
    std::memcpy(&eight, to + n, sizeof eight);
    active += (eight * 0x0101010101010101) >> 56; // the sum of the bytes
  }
  return active;
}

/// Notes the emissions of a visit neuron by neuron: of those whose byte of
/// visit.any is not 0.
void MicroProgram::collect(MicroVisit &visit) const {
  for (uint32_t first = 0; first < neurons; first += kLanes) {
    if (std::all_of(visit.any.data() + first, visit.any.data() + first + kLanes,
                    [](uint8_t any) { return any == 0; }))
      continue;
    const uint32_t end = std::min<uint32_t>(first + kLanes, neurons);
    for (uint32_t n = first; n < end; ++n) {
      if (!visit.any[n])
        continue;
      const int64_t *value = visit.sent.data() + n;
      for (const Emitted &each : emitted) {
        if (*value != 0) {
          // Written where it belongs: a copy would wait for its parts.
          MicroEmission &emission = visit.emissions.emplace_back();
          emission.neuron = n;
          emission.output = each.output;
          emission.element = each.element;
          emission.value = *value;
        }
        value += rowWords;
      }
    }
  }
}

void MicroProgram::run(const CompiledProgram &compiled, const int64_t *ports,
                       int64_t *states, const uint8_t *run, MicroVisit &visit,
                       bool parts) const {
  const size_t lanes = (neurons + kLanes - 1) / kLanes * kLanes;
  visit.emissions.clear();
  visit.runs.resize(lanes);
  const uint64_t active = listRunning(run, neurons, lanes, visit.runs.data());
  visit.scratch.resize(std::max(visit.scratch.size(), compiled.scratch));
  visit.sent.resize(std::max(visit.sent.size(), emitted.size() * rowWords));
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
  for (uint32_t r : workingRegions) {
    const Region &region = regions[r];
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
  if (!emitted.empty())
    collect(visit);
}

} // namespace dendrolith::sim
