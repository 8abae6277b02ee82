// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small valid program to run or to spoil: input "in" (2 wide), population
// "a" (3 neurons, split over cores 0 and 2), population "b" (2 neurons on core
// 2), a dense list, a sparse one, a delay, and a shared list.

#ifndef DENDROLITH_TESTS_RUNTIME_PROGRAMFIXTURE_H
#define DENDROLITH_TESTS_RUNTIME_PROGRAMFIXTURE_H

#include "runtime/image/Program.h"
#include "runtime/image/Tables.h"

#include <string>
#include <vector>

namespace dendrolith::test {

/// Shared parameters; neurons that keep a part of u and v.
inline image::Cuba smallCuba() {
  image::Cuba cuba;
  cuba.add_decay_u(1024);
  cuba.add_decay_v(128);
  cuba.add_threshold(64 << 6);
  cuba.add_bias(0);
  cuba.set_vmin(-8388607);
  cuba.set_vmax(8388607);
  return cuba;
}

inline void addGroup(image::Core &core, const std::string &population,
                     uint64_t first, uint32_t count, uint32_t base,
                     uint32_t phase, const AxonTable &axons) {
  image::Group &group = *core.add_groups();
  group.set_population(population);
  group.set_first_neuron(first);
  group.set_count(count);
  group.set_base(base);
  group.set_phase(phase);
  *group.mutable_cuba() = smallCuba();
  *group.mutable_axons() = encodeAxons(axons);
}

inline void addPopulation(image::Program &program, const std::string &name,
                          uint64_t size, uint32_t phase) {
  image::Population &population = *program.add_populations();
  population.set_name(name);
  population.set_size(size);
  population.add_shape(size);
  population.set_phase(phase);
  population.set_scale(4096);
  population.set_model("cuba_lif");
}

inline void addOutput(image::Program &program, const std::string &name,
                      const std::string &population, uint64_t size,
                      image::Output::Kind kind) {
  image::Output &output = *program.add_outputs();
  output.set_name(name);
  output.add_shape(size);
  output.set_population(population);
  output.set_kind(kind);
}

/// Weights in -> a are [[20, 30, -10], [40, 0, 50]] (row = source), a -> b
/// [[60, 0], [0, 70], [60, 70]], all shifted by 6; a[2] -> b has delay 1.
inline image::Program smallProgram() {
  image::Program program;
  program.set_format_version(kFormatVersion);
  program.set_producer("dendrolith test");
  program.set_model_name("small.nir");
  program.set_model_sha256(std::string(64, '0'));
  program.set_target_name("tiny");
  program.set_target_yaml("name: tiny\n");
  program.mutable_schedule()->set_period(1);
  program.mutable_schedule()->set_depth(3);
  addPopulation(program, "a", 3, 1);
  addPopulation(program, "b", 2, 2);

  image::Input &input = *program.add_inputs();
  input.set_name("in");
  input.add_shape(2);
  input.set_kind(image::Input::BINARY);
  input.set_phase(0);
  // in[0] and in[1] reach a[0..1] on core 0 and a[2] on core 2.
  *input.mutable_axons() =
      encodeAxons({{0, 2, 4}, {{0, 0}, {2, 0}, {0, 1}, {2, 1}}});

  const ListKind dense = ListKind::Dense, sparse = ListKind::Sparse;
  image::Core &first = *program.add_cores();
  first.set_id(0);
  addGroup(first, "a", 0, 2, 0, 1, {{0, 1, 2}, {{2, 2}, {2, 3}}});
  first.mutable_synapses()->set_weights(encodeI16({20, 30, 40}));
  first.mutable_synapses()->set_offsets(encodeU32({0}));
  first.mutable_synapses()->set_lists(encodeLists(
      {{0, 2, 0, 1, dense, 6, 8, 0}, {2, 1, 0, 1, sparse, 6, 8, 6}}));
  first.set_in_axons(encodeInAxons({{0, 0, 0, 0}, {1, 0, 0, 0}}));

  image::Core &second = *program.add_cores();
  second.set_id(2);
  addGroup(second, "a", 2, 1, 0, 1, {{0, 1}, {{2, 4}}});
  addGroup(second, "b", 0, 2, 1, 2, {{0, 0, 0}, {}});
  second.mutable_synapses()->set_weights(encodeI16({-10, 50, 60, 70}));
  second.mutable_synapses()->set_offsets(encodeU32({0, 1}));
  second.mutable_synapses()->set_lists(
      encodeLists({{0, 1, 0, 1, dense, 6, 8, 0},
                   {1, 1, 0, 1, dense, 6, 8, 0},
                   {2, 1, 0, 1, dense, 6, 8, 0},
                   {3, 1, 0, 1, dense, 6, 8, 0},
                   {2, 2, 0, 2, sparse, 6, 8, 6}}));
  second.set_in_axons(encodeInAxons(
      {{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 1, 0, 0}, {3, 2, 0, 0}, {4, 1, 0, 1}}));

  addOutput(program, "out", "b", 2, image::Output::SPIKES);
  addOutput(program, "membrane", "b", 2, image::Output::STATE);
  program.mutable_outputs(1)->set_from("v");
  return program;
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_RUNTIME_PROGRAMFIXTURE_H
