// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small valid image of neurons that run a program: input "x" (2 wide), three
// neurons "p" of two ticks per root tick over cores 0 and 1, every kind of
// output, a held port, states with and without a clock.

#ifndef DENDROLITH_TESTS_RUNTIME_MICROCODEFIXTURE_H
#define DENDROLITH_TESTS_RUNTIME_MICROCODEFIXTURE_H

#include "runtime/microcode/Isa.h"
#include "tests/runtime/ProgramFixture.h"

namespace dendrolith::test {

using micro::Instruction;
using micro::Operand;
using micro::Space;

inline Operand words(Space space, uint32_t index, bool scalar = false) {
  return {space, scalar, index};
}
inline Operand reg(uint32_t index) { return words(Space::Register, index); }
inline Operand constant(uint32_t index) {
  return words(Space::Constant, index);
}

inline Instruction instruction(MicroOp op, unsigned width, uint32_t n,
                               Operand d, Operand a, Operand b = {},
                               Operand c = {}) {
  Instruction i;
  i.op = op;
  i.width = static_cast<uint8_t>(width);
  i.n = n;
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  return i;
}

// Words: ports I 0..1, J 2; states v 0..1, w 2; params k 0..1, th 2.
inline std::vector<Instruction> smallCode() {
  const Space port = Space::Port, state = Space::State, param = Space::Param;
  std::vector<Instruction> code = {
      instruction(MicroOp::Add, 24, 2, reg(0), words(state, 0), words(port, 0)),
      instruction(MicroOp::Mul, 24, 2, reg(2), reg(0), words(param, 0)),
      instruction(MicroOp::Table, 24, 1, reg(4), reg(2), constant(2)),
      instruction(MicroOp::Dot, 24, 1, reg(5), reg(2), words(param, 0)),
      instruction(MicroOp::Compare, 1, 1, reg(6), reg(5), words(param, 2)),
      instruction(MicroOp::Ladder, 32, 1, reg(7), reg(5), constant(0),
                  constant(1)),
      instruction(MicroOp::TopK, 1, 2, reg(8), reg(2)),
      instruction(MicroOp::Outer, 24, 4, reg(10), reg(2), reg(2), reg(0)),
      instruction(MicroOp::Skip, 1, 1, {}, reg(6)),
      instruction(MicroOp::Move, 24, 1, reg(0), constant(1)),
      instruction(MicroOp::Sub, 24, 1, reg(1), reg(0), words(port, 2)),
      instruction(MicroOp::Clamp, 24, 1, reg(14), reg(7), constant(0),
                  constant(1)),
      instruction(MicroOp::Emit, 1, 1, {}, reg(6)),
      instruction(MicroOp::Emit, 1, 2, {}, reg(8)),
      instruction(MicroOp::Emit, 24, 1, {}, reg(14)),
      instruction(MicroOp::Emit, 24, 1, {}, reg(14)),
      instruction(MicroOp::Move, 24, 2, words(state, 0), reg(0)),
      instruction(MicroOp::Add, 16, 1, words(state, 2), words(state, 2),
                  reg(14)),
  };
  code[1].shift = -4;
  code[2].m = 4;
  code[2].shift = 3;
  code[3].m = 2;
  code[4].predicate = micro::Predicate::GE;
  code[5].m = 2;
  code[5].imm = 3;
  code[6].m = 1;
  code[7].m = 2;
  code[8].m = 2;
  for (uint32_t output = 0; output < 4; ++output)
    code[12 + output].m = output;
  return code;
}

inline image::Microprogram smallMicroprogram() {
  using Emission = image::Microprogram::Emission;
  image::Microprogram program;
  program.set_model("two_ports");
  program.set_code(micro::encodeCode(smallCode()));
  program.set_constants(micro::encodeI64({0, 1, 5, 10, 20, 40}));
  program.set_registers(15);
  auto vector = [](auto &entry, const char *name, uint32_t elements,
                   uint32_t width) {
    entry.set_name(name);
    entry.set_elements(elements);
    entry.set_width(width);
  };
  vector(*program.add_ports(), "I", 2, 16);
  vector(*program.add_ports(), "J", 1, 24);
  program.mutable_ports(0)->set_hold(2);
  vector(*program.add_states(), "v", 2, 24);
  vector(*program.add_states(), "w", 1, 16);
  program.mutable_states(0)->set_reset_every(2);
  program.mutable_states(1)->set_keep(true);
  vector(*program.add_params(), "k", 2, 8);
  vector(*program.add_params(), "th", 1, 24);
  program.mutable_params(1)->set_per_neuron(true);
  auto output = [&](const char *name, uint32_t elements, int64_t low,
                    int64_t high, Emission::Kind kind, uint32_t steps) {
    Emission &emission = *program.add_outputs();
    emission.set_name(name);
    emission.set_elements(elements);
    emission.set_low(low);
    emission.set_high(high);
    emission.set_kind(kind);
    emission.set_steps(steps);
  };
  output("s", 1, 0, 1, Emission::BINARY, 0);
  output("g", 2, -8, 7, Emission::GRADED, 1);
  output("u", 1, -3, 3, Emission::UNARY, 3);
  output("d", 1, -2, 2, Emission::SPLIT, 2);
  return program;
}

inline void addMicroGroup(image::Core &core, uint64_t first, uint32_t count) {
  image::Group &group = *core.add_groups();
  group.set_population("p");
  group.set_first_neuron(first);
  group.set_count(count);
  group.set_phase(1);
  group.set_ticks(2);
  group.set_stride(4);
  image::Microcode &microcode = *group.mutable_microcode();
  microcode.add_params(micro::encodeI64({3, -4}));
  microcode.add_params(
      micro::encodeI64(std::vector<int64_t>(count, 1000 + int64_t(first))));
  microcode.add_initial(micro::encodeI64({7, -7}));
  microcode.add_initial("");
  // Only the first source of the first neuron sends anywhere: 1 + 2 + 1 + 2
  // sources each.
  std::vector<uint32_t> begin(6 * count + 1, 1);
  begin[0] = 0;
  *group.mutable_axons() = encodeAxons({begin, {{1, 0}}});
  std::vector<int16_t> weights(3 * count, 9);
  core.mutable_synapses()->set_weights(encodeI16(weights));
  core.mutable_synapses()->set_lists(
      encodeLists({{0, 3 * count, 0, 1, ListKind::Dense, 0, 8, 0}}));
  core.set_in_axons(encodeInAxons({{0, 0, 0, 0}}));
}

inline image::Program microProgram() {
  image::Program program;
  program.set_format_version(kFormatVersion);
  program.set_producer("dendrolith test");
  program.set_model_name("micro.mlir");
  program.set_target_name("tiny");
  program.set_target_yaml("name: tiny\n");
  program.mutable_schedule()->set_period(8);
  program.mutable_schedule()->set_depth(8);
  addPopulation(program, "p", 3, 1);
  program.mutable_populations(0)->set_ticks(2);
  program.mutable_populations(0)->set_stride(4);
  image::Input &input = *program.add_inputs();
  input.set_name("x");
  input.add_shape(2);
  *input.mutable_axons() = encodeAxons({{0, 2, 3}, {{0, 0}, {1, 0}, {1, 0}}});
  for (uint32_t id : {0u, 1u}) {
    image::Core &core = *program.add_cores();
    core.set_id(id);
    *core.add_programs() = smallMicroprogram();
    addMicroGroup(core, 2 * id, id == 0 ? 2 : 1);
  }
  addOutput(program, "spikes", "p", 3, image::Output::SPIKES);
  program.mutable_outputs(0)->set_from("s");
  addOutput(program, "v", "p", 6, image::Output::STATE);
  program.mutable_outputs(1)->set_from("v");
  return program;
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_RUNTIME_MICROCODEFIXTURE_H
