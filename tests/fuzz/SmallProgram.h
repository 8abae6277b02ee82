// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the targets of program images share: the file that a forger would make
// of some bytes, and what is run of the programs that are read from it.

#ifndef DENDROLITH_TESTS_FUZZ_SMALLPROGRAM_H
#define DENDROLITH_TESTS_FUZZ_SMALLPROGRAM_H

#include "runtime/image/Sections.h"
#include "runtime/microcode/Isa.h"
#include "simulator/Run.h"
#include "simulator/functional/machine/Machine.h"
#include "targets/loader/Target.h"
#include "targets/support/Sha256.h"
#include "tests/fuzz/Fuzz.h"

#include <algorithm>
#include <optional>

namespace dendrolith::fuzz {

// An accepted image may take gigabytes and hours; a fuzz target may not.
constexpr uint64_t kMostNeurons = 1 << 10, kMostBuckets = 1 << 20,
                   kMostSteps = 1 << 10, kMostWork = 1 << 18, kTicks = 3;

/// An upper bound of what one update of a neuron costs.
inline uint64_t workOf(const image::Microprogram &program) {
  uint64_t work = 1;
  for (const micro::Instruction &i : micro::decodeCode(program.code()))
    work += (1 + uint64_t(i.n)) * (1 + uint64_t(i.m));
  return work;
}

inline bool smallCore(const image::Core &core) {
  uint64_t neurons = 0, work = 0;
  for (const image::Group &group : core.groups()) {
    neurons += group.count();
    if (group.has_microcode())
      work += group.count() *
              workOf(core.programs(int(group.microcode().program())));
  }
  return neurons < kMostNeurons && work < kMostWork;
}

inline bool small(const image::Program &program) {
  uint64_t elements = 0;
  for (const image::Input &input : program.inputs()) {
    uint64_t size = 1; // validate() keeps products in range
    for (uint64_t extent : input.shape())
      size *= extent;
    elements += size;
  }
  return elements < kMostNeurons &&
         program.schedule().period() + program.schedule().depth() <
             kMostSteps &&
         std::all_of(program.cores().begin(), program.cores().end(), smallCore);
}

/// One sample whose values go through the input's range.
inline Samples samplesOf(const sim::Machine::Input &input) {
  std::vector<double> values(kTicks * input.size);
  for (uint64_t i = 0; i < values.size(); ++i)
    values[i] = input.graded ? double(i % 7) - 3 : double(i % 2);
  return {1, kTicks, input.shape, std::move(values)};
}

inline Target targetOf(const image::Program &program) {
  static const Target ideal = Target::load("ideal");
  Target target = ideal;
  accepted([&] { target = Target::parse(program.target_yaml(), "fuzz.dlp"); });
  return target;
}

/// The file that a forger would make of `data`: digests that are true.
inline std::string sealed(const std::string &data) {
  if (data.size() <= sections::kMagic.size() ||
      data.substr(0, sections::kMagic.size()) != sections::kMagic)
    return "DENDROLITH\n" + sha256(data) + "\n" + data;
  // The last byte says how long the index before it is, which has no digests.
  const size_t end = data.size() - 1;
  const size_t length =
      std::min<size_t>(end - sections::kMagic.size(), uint8_t(data.back()));
  const std::string bytes = data.substr(0, end - length);
  image::Index index;
  index.ParseFromString(data.substr(end - length, length));
  size_t at = sections::kMagic.size();
  auto seal = [&](image::Section &section) {
    at = std::min(at, bytes.size());
    const std::string part = bytes.substr(at, section.bytes());
    section.set_sha256(sections::rawSha256(part));
    at += part.size();
  };
  for (image::CoreSections &core : *index.mutable_cores()) {
    seal(*core.mutable_groups());
    seal(*core.mutable_memory());
  }
  seal(*index.mutable_head());
  return bytes + sections::ending(index.SerializeAsString());
}

/// A sample for each input of a program, where it is quick to run.
inline std::optional<std::map<std::string, Samples>>
inputsOf(const image::Program &program) {
  if (!small(program))
    return std::nullopt;
  sim::Machine machine(program);
  const sim::BucketLayout layout = layoutOf(machine);
  const uint64_t ring = 2 * (layout.maxDelay + layout.firstWindow + 2);
  if (ring * machine.accumulators() > kMostBuckets)
    return std::nullopt;
  std::map<std::string, Samples> inputs;
  for (const sim::Machine::Input &input : machine.inputs())
    inputs[input.name] = samplesOf(input);
  return inputs;
}

} // namespace dendrolith::fuzz

#endif // DENDROLITH_TESTS_FUZZ_SMALLPROGRAM_H
