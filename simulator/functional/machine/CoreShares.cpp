// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/CoreShares.h"

#include "runtime/host/Processors.h"
#include "runtime/image/Tables.h"

#include <algorithm>

namespace neurite::sim {

/// How much there is to do on a core in a step, by its size alone, in synapses:
/// those that its in-axons reach, and for a neuron, which is visited in every
/// step, as many as stand for that where a few percent of all sources emit.
static uint64_t workOf(const image::Core &core) {
  constexpr uint64_t kNeuron = 32;
  const uint64_t lists = countRows(core.synapses().lists());
  uint64_t work = 0;
  if (lists > 0) // which in-axons share
    work = countRows(core.in_axons()) * countRows(core.synapses().weights()) /
           lists;
  for (const image::Group &group : core.groups())
    work += kNeuron * group.count();
  return work;
}

std::vector<CoreShare> shareCores(const image::Program &program,
                                  unsigned shares) {
  std::vector<uint64_t> upTo = {0}; // work of the cores before each
  for (const image::Core &core : program.cores())
    upTo.push_back(upTo.back() + workOf(core));
  const auto cores = static_cast<uint32_t>(program.cores_size());
  std::vector<CoreShare> dealt;
  for (unsigned s = 0; s < shares; ++s) {
    const uint32_t first = dealt.empty() ? 0 : dealt.back().end;
    uint32_t end = first;
    if (s + 1 == shares)
      end = cores;
    // A core that lies across the border belongs to the share before it.
    while (end < cores && upTo[end] * shares < upTo.back() * (s + 1))
      ++end;
    if (end > first)
      dealt.push_back({first, end});
  }
  if (dealt.empty())
    dealt.push_back({0, cores});
  return dealt;
}

unsigned sharesWorth(const image::Program &program,
                     const std::map<std::string, Samples> &inputs,
                     unsigned asked) {
  constexpr uint64_t kEnough = uint64_t(1) << 20;
  const unsigned threads = workersFor(asked, UINT64_MAX);
  const uint64_t samples = inputs.empty() ? 1 : inputs.begin()->second.samples;
  if (samples == 0 || samples >= threads)
    return 1;
  uint64_t work = 0;
  for (const image::Core &core : program.cores())
    work += workOf(core);
  return static_cast<unsigned>(
      std::clamp<uint64_t>(work / kEnough, 1, threads / samples));
}

} // namespace neurite::sim
