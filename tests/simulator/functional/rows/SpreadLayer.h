// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer whose lists can be joined into rows, in part.

#ifndef DENDROLITH_TESTS_SIMULATOR_FUNCTIONAL_ROWS_SPREADLAYER_H
#define DENDROLITH_TESTS_SIMULATOR_FUNCTIONAL_ROWS_SPREADLAYER_H

#include "tests/simulator/ProgramBuilder.h"

#include <numeric>
#include <random>

namespace dendrolith::test {

/// Makes every group one of programs that do nothing but read their input.
inline void makeMicrocode(image::Program &program) {
  for (image::Core &core : *program.mutable_cores()) {
    image::Microprogram &idle = *core.add_programs();
    idle.set_model("idle");
    auto &port = *idle.add_ports();
    port.set_name("I");
    port.set_elements(1);
    port.set_width(32);
    auto &output = *idle.add_outputs();
    output.set_name("s");
    output.set_elements(1);
    output.set_high(1);
    for (image::Group &group : *core.mutable_groups())
      group.mutable_microcode()->set_program(0);
  }
  validate(program);
}

/// A layer over twelve cores, whose lists lack one neuron in `lacking`.
inline image::Program spreadLayer(uint32_t lacking, uint32_t shifts,
                                  uint32_t delays, int largest) {
  std::mt19937 random(11);
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  constexpr uint32_t sources = 41, cores = 12;
  ProgramBuilder builder(1, 2);
  builder.integerInput("in", sources, 0, -40000, 40000, 1);
  std::vector<uint32_t> sizes;
  for (uint32_t c = 0; c < cores; ++c)
    sizes.push_back(c == 5 ? 40 : 3 + below(15));
  builder.population("p", std::accumulate(sizes.begin(), sizes.end(), 0u), 1);
  for (uint32_t c = 0, first = 0; c < cores; first += sizes[c++])
    builder.group(c, "p", first, sizes[c], cuba(1 << 20));
  for (uint32_t s = 0; s < sources; ++s)
    for (uint32_t c = 0; c < cores; ++c) {
      std::vector<int> weights;
      std::vector<uint32_t> offsets;
      for (uint32_t k = 0; k < sizes[c]; ++k)
        if (lacking == 0 || below(lacking)) {
          weights.push_back(int(below(2 * largest + 1)) - largest);
          offsets.push_back(k);
        }
      if (weights.empty())
        continue;
      if (offsets.size() == sizes[c])
        offsets.clear();
      const auto shift = static_cast<uint8_t>(below(16) ? 7 : below(shifts));
      builder.connect("in", s, c,
                      builder.axon(c, 0, weights, offsets,
                                   uint16_t(below(delays)), shift, 1));
    }
  image::Program program = builder.build();
  makeMicrocode(program);
  return program;
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_SIMULATOR_FUNCTIONAL_ROWS_SPREADLAYER_H
