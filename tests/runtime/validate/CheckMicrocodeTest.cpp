// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What validate() says of programs, of the groups that run them and of their
// schedule: one fault at a time in a valid image.

#include "targets/support/Sha256.h"
#include "tests/runtime/MicrocodeFixture.h"
#include "tests/runtime/Mutation.h"

#include <chrono>
#include <random>

using namespace dendrolith;
using namespace dendrolith::test;
using P = image::Program;
using Emission = image::Microprogram::Emission;

static image::Microprogram &micro0(P &p) {
  return *p.mutable_cores(0)->mutable_programs(0);
}
static image::Group &group0(P &p) {
  return *p.mutable_cores(0)->mutable_groups(0);
}
static image::Microcode &data0(P &p) { return *group0(p).mutable_microcode(); }

/// Changes instruction `at` of core 0's program.
static std::function<void(P &)>
edit(size_t at, const std::function<void(Instruction &)> &change) {
  return [=](P &p) {
    std::vector<Instruction> code = micro::decodeCode(micro0(p).code());
    change(code[at]);
    micro0(p).set_code(micro::encodeCode(code));
  };
}

/// Puts one byte into the row of instruction 0.
static std::function<void(P &)> editByte(size_t at, char byte) {
  return [=](P &p) { (*micro0(p).mutable_code())[at] = byte; };
}

TEST(ValidateMicrocode, AcceptsTheSmallProgram) { validate(microProgram()); }

TEST(ValidateMicrocode, RefusesCodeThatIsNone) {
  expectRefused(
      {
          {"core 0, program 0", "whole instructions of 48 bytes, found 865",
           [](P &p) { micro0(p).mutable_code()->push_back('x'); }},
          {"core 0, program 0, instruction 0",
           "an operation of 0 to " + std::to_string(kMicroOps - 1),
           editByte(0, char(kMicroOps))},
          {"core 0, program 0, instruction 0", "a width of 0 to 64, found 65",
           editByte(1, 65)},
          {"core 0, program 0, instruction 0", "a width of 1 to 64, found 0",
           editByte(1, 0)},
          {"core 0, program 0, instruction 0", "a rounding", editByte(2, 4)},
          {"core 0, program 0, instruction 0", "a saturation", editByte(3, 2)},
          {"core 0, program 0, instruction 0", "a predicate", editByte(4, 6)},
          {"core 0, program 0, instruction 0", "a zero byte", editByte(5, 1)},
          {"core 0, program 0, instruction 0", "a memory", editByte(8, 6)},
          {"core 0, program 0, instruction 0", "a scalar flag", editByte(9, 2)},
          {"core 0, program 0", "whole numbers of 8 bytes, found 49 bytes",
           [](P &p) { micro0(p).mutable_constants()->push_back('x'); }},
          {"core 0, program 0", "expected no or 18 names, found 1",
           [](P &p) { micro0(p).add_names("n"); }},
          {"cores[0].programs[0].names[3]", "control characters, found byte 27",
           [](P &p) {
             for (int i = 0; i < 18; ++i)
               micro0(p).add_names(i == 3 ? "\x1b" : "");
           }},
          {"cores[0].programs[0].model", "control characters",
           [](P &p) { micro0(p).set_model("a\nb"); }},
      },
      microProgram());
}

TEST(ValidateMicrocode, RefusesOperandsOutsideTheirMemory) {
  const uint32_t last = ~0u;
  expectRefused(
      {
          {"core 0, program 0, instruction 0 (add)",
           "among 3 state words, found 2 to 3",
           edit(0, [](Instruction &i) { i.a.index = 2; })},
          {"core 0, program 0, instruction 0 (add)",
           "among 3 port words, found 4294967295 to 4294967296",
           edit(0, [=](Instruction &i) { i.b.index = last; })},
          {"core 0, program 0, instruction 1 (mul)",
           "among 3 parameter words, found 2 to 3",
           edit(1, [](Instruction &i) { i.b.index = 2; })},
          {"core 0, program 0, instruction 1 (mul)",
           "words of one parameter, found 1 to 2",
           edit(1, [](Instruction &i) { i.b.index = 1; })},
          {"core 0, program 0, instruction 2 (table)",
           "among 6 constants, found 3 to 6",
           edit(2, [](Instruction &i) { i.b.index = 3; })},
          {"core 0, program 0, instruction 0 (add)",
           "among 15 registers, found 14 to 15",
           edit(0, [](Instruction &i) { i.d.index = 14; })},
          {"core 0, program 0, instruction 16 (move)",
           "among 3 state words, found 2 to 3",
           edit(16, [](Instruction &i) { i.d.index = 2; })},
          {"core 0, program 0, instruction 16 (move)",
           "among 3 state words, found 4294967295 to 4294967296",
           edit(16, [=](Instruction &i) { i.d.index = last; })},
          {"core 0, program 0, instruction 7 (outer)",
           "among 15 registers, found 13 to 16",
           edit(7, [](Instruction &i) { i.c.index = 13; })},
          {"core 0, program 0, instruction 0 (add)",
           "result in registers or states",
           edit(0, [](Instruction &i) { i.d.space = Space::Param; })},
          {"core 0, program 0, instruction 0 (add)",
           "result in registers or states",
           edit(0, [](Instruction &i) { i.d.space = Space::None; })},
          {"core 0, program 0, instruction 0 (add)", "result of whole words",
           edit(0, [](Instruction &i) { i.d.scalar = true; })},
          {"core 0, program 0, instruction 0 (add)",
           "expected 2 operands, found no b",
           edit(0, [](Instruction &i) { i.b = {}; })},
          {"core 0, program 0, instruction 0 (add)",
           "expected 2 operands, found an c",
           edit(0, [](Instruction &i) { i.c = constant(0); })},
          {"core 0, program 0, instruction 12 (emit)", "expected no result",
           edit(12, [](Instruction &i) { i.d = reg(0); })},
          {"core 0, program 0, instruction 8 (skip)", "expected no result",
           edit(8, [](Instruction &i) { i.d = reg(0); })},
          {"core 0, program 0", "at most 1048576 registers",
           [](P &p) { micro0(p).set_registers((1 << 20) + 1); }},
      },
      microProgram());
}

TEST(ValidateMicrocode, RefusesWrongExtents) {
  const char *dot = "core 0, program 0, instruction 3 (dot)";
  const char *topk = "core 0, program 0, instruction 6 (topk)";
  const char *outer = "core 0, program 0, instruction 7 (outer)";
  expectRefused(
      {
          {"core 0, program 0, instruction 0 (add)",
           "1 to 1048576 elements, found 0",
           edit(0, [](Instruction &i) { i.n = 0; })},
          {"core 0, program 0, instruction 0 (add)", "found 4294967295",
           edit(0, [](Instruction &i) { i.n = ~0u; })},
          {dot, "one result", edit(3, [](Instruction &i) { i.n = 2; })},
          {dot, "found n 1 and m 0", edit(3, [](Instruction &i) { i.m = 0; })},
          {dot, "found n 1 and m 4294967295",
           edit(3, [](Instruction &i) { i.m = ~0u; })},
          {"core 0, program 0, instruction 3 (matvec)",
           "a matrix of at most 2^20 elements",
           edit(3,
                [](Instruction &i) {
                  i.op = MicroOp::MatVec;
                  i.n = 1025;
                  i.m = 1024;
                })},
          {"core 0, program 0, instruction 3 (vecmat)",
           "found n 1048576 and m 4294967295",
           edit(3,
                [](Instruction &i) {
                  i.op = MicroOp::VecMat;
                  i.n = 1 << 20;
                  i.m = ~0u;
                })},
          {outer, "whole rows", edit(7, [](Instruction &i) { i.m = 3; })},
          {outer, "whole rows", edit(7, [](Instruction &i) { i.m = 0; })},
          {topk, "1 to n marks, found n 2 and m 3",
           edit(6, [](Instruction &i) { i.m = 3; })},
          {topk, "found n 2 and m 0", edit(6, [](Instruction &i) { i.m = 0; })},
          {"core 0, program 0, instruction 2 (table)", "2 to 2^20 knots",
           edit(2, [](Instruction &i) { i.m = 1; })},
          {"core 0, program 0, instruction 2 (table)", "found 2^63",
           edit(2, [](Instruction &i) { i.shift = 63; })},
          {"core 0, program 0, instruction 2 (table)", "found 2^-1",
           edit(2, [](Instruction &i) { i.shift = -1; })},
          {"core 0, program 0, instruction 5 (ladder)", "1 to 65536 rungs",
           edit(5, [](Instruction &i) { i.m = 65537; })},
          {"core 0, program 0, instruction 5 (ladder)", "1 to 65536 rungs",
           edit(5, [](Instruction &i) { i.m = 0; })},
          {"core 0, program 0, instruction 5 (ladder)",
           "at most 126 bits, found 127 and",
           edit(5, [](Instruction &i) { i.shift = -103; })},
          {"core 0, program 0, instruction 5 (ladder)",
           "at most 126 bits, found 24 and 127",
           edit(5, [](Instruction &i) { i.shift = 121; })},
          {"core 0, program 0, instruction 5 (ladder)", "found 24 and 130",
           edit(5,
                [](Instruction &i) {
                  i.imm = INT64_MAX;
                  i.shift = 63;
                })},
          {"core 0, program 0, instruction 8 (skip)", "one condition",
           edit(8, [](Instruction &i) { i.n = 2; })},
      },
      microProgram());
  // The largest shifts that stay exact.
  for (int16_t shift : {-102, 120}) {
    P program = microProgram();
    std::vector<Instruction> code = smallCode();
    code[5].shift = shift;
    for (image::Core &core : *program.mutable_cores())
      core.mutable_programs(0)->set_code(micro::encodeCode(code));
    validate(program);
  }
}

TEST(ValidateMicrocode, RefusesWrongFlow) {
  const char *skip = "core 0, program 0, instruction 8 (skip)";
  expectRefused(
      {
          {skip, "skip at most 9 instructions",
           edit(8, [](Instruction &i) { i.m = 10; })},
          {skip, "found 4294967295",
           edit(8, [](Instruction &i) { i.m = ~0u; })},
          // A region that ends behind the one around it.
          {"core 0, program 0, instruction 9 (skip)",
           "skip at most 1 instructions, to the end of its region, found 2",
           edit(9,
                [](Instruction &i) {
                  i = instruction(MicroOp::Skip, 1, 1, {}, reg(6));
                  i.m = 2;
                })},
          {"core 0, program 0, instruction 0 (add)",
           "reads register 3 before it is written",
           edit(0, [](Instruction &i) { i.a = reg(3); })},
          {"core 0, program 0, instruction 6 (topk)",
           "reads register 10 before it is written",
           edit(6, [](Instruction &i) { i.a = reg(10); })},
          // Written in the region only.
          {"core 0, program 0, instruction 11 (clamp)",
           "reads register 13 before it is written on every way",
           [](P &p) {
             edit(7, [](Instruction &i) {
               i.n = 2;
               i.m = 2;
               i.c = reg(0);
             })(p);
             edit(9, [](Instruction &i) { i.d = reg(13); })(p);
             edit(11, [](Instruction &i) { i.a = reg(13); })(p);
           }},
          // A result over words that are still to be read.
          {"core 0, program 0, instruction 1 (mul)",
           "result apart from its operands, found words 1 to 2 from 0 to 1",
           edit(1, [](Instruction &i) { i.d = reg(1); })},
          {"core 0, program 0, instruction 1 (mul)", "words 0 to 1 from 1 to 1",
           edit(1,
                [](Instruction &i) {
                  i.a = words(Space::Register, 1, true);
                  i.d = reg(0);
                })},
          {"core 0, program 0, instruction 3 (dot)", "words 2 to 2 from 2 to 3",
           edit(3, [](Instruction &i) { i.d = reg(2); })},
          {"core 0, program 0, instruction 6 (topk)",
           "words 2 to 3 from 2 to 3",
           edit(6, [](Instruction &i) { i.d = reg(2); })},
          // More bits than the state has.
          {"core 0, program 0, instruction 17 (add)",
           "at most 16 bits, the width of state word 2, found 17",
           edit(17, [](Instruction &i) { i.width = 17; })},
          {"core 0, program 0, instruction 16 (move)",
           "at most 24 bits, the width of state word 0, found 40",
           edit(0, [](Instruction &i) { i.width = 40; })},
          {"core 0, program 0, instruction 16 (move)", "found 25",
           edit(10, [](Instruction &i) { i.width = 25; })},
          {"core 0, program 0, instruction 13 (emit)",
           "output 4 does not exist, the program has 4",
           edit(13, [](Instruction &i) { i.m = 4; })},
          {"core 0, program 0, instruction 13 (emit)",
           "expected the 2 elements of its output, found 1",
           edit(13, [](Instruction &i) { i.n = 1; })},
          {"core 0, program 0, instruction 15 (emit)",
           "output 2 to be sent once",
           edit(15, [](Instruction &i) { i.m = 2; })},
      },
      microProgram());
}

/// A program of `code` alone, without memories.
static void putCode(P &p, const std::vector<Instruction> &code) {
  micro0(p).set_code(micro::encodeCode(code));
}

TEST(ValidateMicrocode, BoundsDepthAndWork) {
  Instruction skip =
      instruction(MicroOp::Skip, 1, 1, {}, words(Space::Param, 0));
  std::vector<Instruction> nested;
  for (uint32_t depth = 0; depth < 100000; ++depth) {
    nested.push_back(skip);
    nested.back().m = 100000 - depth - 1;
  }
  Instruction large = instruction(MicroOp::Move, 64, 1 << 20, reg(0),
                                  words(Space::Constant, 1, true));
  Instruction rungs =
      instruction(MicroOp::Ladder, 64, 1 << 13, reg(0), constant(0),
                  words(Space::Constant, 0, true), constant(0));
  rungs.a.scalar = rungs.c.scalar = true;
  rungs.m = 65536;
  expectRefused(
      {
          {"core 0, program 0, instruction 256 (skip)",
           "at most 256 regions within each other",
           [&](P &p) { putCode(p, nested); }},
          {"core 0, program 0, instruction", "at most 268435456 element",
           [&](P &p) {
             micro0(p).set_registers(1 << 20);
             putCode(p, std::vector<Instruction>(300, large));
           }},
          {"core 0, program 0, instruction 0 (ladder)",
           "at most 268435456 element",
           [&](P &p) {
             micro0(p).set_registers(1 << 20);
             putCode(p, {rungs});
           }},
          // Regions that copy what is known of many registers.
          {"core 0, program 0, instruction", "at most 268435456 element",
           [&](P &p) {
             micro0(p).set_registers(1 << 20);
             putCode(p, std::vector<Instruction>(300, skip));
           }},
      },
      microProgram());
  // Two hundred regions within each other are fine.
  P program = microProgram();
  nested.resize(200);
  for (uint32_t depth = 0; depth < 200; ++depth)
    nested[depth].m = 200 - depth - 1;
  std::vector<Instruction> code = smallCode();
  code.insert(code.begin(), nested.begin(), nested.end());
  for (image::Core &core : *program.mutable_cores())
    core.mutable_programs(0)->set_code(micro::encodeCode(code));
  validate(program);
}

TEST(ValidateMicrocode, RefusesWrongMemoriesAndOutputs) {
  auto output = [](P &p, int o) -> Emission & {
    return *micro0(p).mutable_outputs(o);
  };
  expectRefused(
      {
          {"core 0, program 0, port 1", "1 to 1048576 elements, found 0",
           [](P &p) { micro0(p).mutable_ports(1)->set_elements(0); }},
          {"core 0, program 0, port 0", "a width of 1 to 64 bits, found 65",
           [](P &p) { micro0(p).mutable_ports(0)->set_width(65); }},
          {"core 0, program 0, port 0", "found an empty one",
           [](P &p) { micro0(p).mutable_ports(0)->clear_name(); }},
          {"core 0, program 0, port 1", "another one is called 'I'",
           [](P &p) { micro0(p).mutable_ports(1)->set_name("I"); }},
          {"core 0, program 0, port 0", "at most 1048576 updates",
           [](P &p) { micro0(p).mutable_ports(0)->set_hold(~0u); }},
          {"core 0, program 0, state 0", "at most 1048576 updates",
           [](P &p) { micro0(p).mutable_states(0)->set_reset_every(~0u); }},
          {"core 0, program 0, state 1", "a width of 1 to 64 bits, found 0",
           [](P &p) { micro0(p).mutable_states(1)->clear_width(); }},
          {"core 0, program 0, state 1", "another one is called 'v'",
           [](P &p) { micro0(p).mutable_states(1)->set_name("v"); }},
          {"core 0, program 0, parameter 1", "found 1048577",
           [](P &p) {
             micro0(p).mutable_params(1)->set_elements((1 << 20) + 1);
           }},
          {"core 0, program 0, state 5", "at most 4194304 words",
           [](P &p) {
             for (int i = 0; i < 5; ++i) {
               auto &state = *micro0(p).add_states();
               state.set_name("s" + std::to_string(i));
               state.set_elements(1 << 20);
               state.set_width(8);
             }
           }},
          {"core 0, program 0, output 0", "found 0 to 2",
           [=](P &p) { output(p, 0).set_high(2); }},
          {"core 0, program 0, output 1", "32-bit integers, found 8 to 7",
           [=](P &p) { output(p, 1).set_low(8); }},
          {"core 0, program 0, output 1", "found -8 to 2147483648",
           [=](P &p) { output(p, 1).set_high(int64_t(1) << 31); }},
          {"core 0, program 0, output 1", "found -9223372036854775808 to 7",
           [=](P &p) { output(p, 1).set_low(INT64_MIN); }},
          {"core 0, program 0, output 1", "send over 1 steps, found 2",
           [=](P &p) { output(p, 1).set_steps(2); }},
          {"core 0, program 0, output 2", "send over 3 steps, found 2",
           [=](P &p) { output(p, 2).set_steps(2); }},
          {"core 0, program 0, output 3", "send over 5 steps, found 2",
           [=](P &p) { output(p, 3).set_low(-5); }},
          {"core 0, program 0, output 1", "1 to 1048576 elements, found 0",
           [=](P &p) { output(p, 1).set_elements(0); }},
          {"core 0, program 0, output 3", "another one is called 's'",
           [=](P &p) { output(p, 3).set_name("s"); }},
          {"cores[0].programs[0].outputs[1].kind", "9 is no Kind",
           [=](P &p) { output(p, 1).set_kind(Emission::Kind(9)); }},
      },
      microProgram());
}

TEST(ValidateMicrocode, RefusesWrongDataOfGroups) {
  using micro::encodeI64;
  expectRefused(
      {
          {"core 0, group 0", "program 1 does not exist, the core has 1",
           [](P &p) { data0(p).set_program(1); }},
          {"core 0, group 0", "words of 2 parameters, found 1",
           [](P &p) { data0(p).mutable_params()->RemoveLast(); }},
          {"core 0, group 0", "initial words of 2 states, found 3",
           [](P &p) { data0(p).add_initial(""); }},
          {"core 0, group 0, parameter 0", "numbers of 8 bytes, found 17",
           [](P &p) { data0(p).mutable_params(0)->push_back('x'); }},
          {"core 0, group 0, parameter 0",
           "2 words for each of all neurons together, found 4",
           [](P &p) { data0(p).set_params(0, encodeI64({1, 2, 3, 4})); }},
          {"core 0, group 0, parameter 1",
           "1 words for each of 2 neurons, found 1",
           [](P &p) { data0(p).set_params(1, encodeI64({1})); }},
          {"core 0, group 0, parameter 0, word 1", "8 bits, found 128",
           [](P &p) { data0(p).set_params(0, encodeI64({1, 128})); }},
          {"core 0, group 0, parameter 0, word 0", "8 bits, found -129",
           [](P &p) { data0(p).set_params(0, encodeI64({-129, 1})); }},
          {"core 0, group 0, initial value 0",
           "2 words for each of 2 neurons, found 3",
           [](P &p) { data0(p).set_initial(0, encodeI64({1, 2, 3})); }},
          {"core 0, group 0, initial value 1, word 0", "16 bits, found 32768",
           [](P &p) { data0(p).set_initial(1, encodeI64({32768})); }},
          {"core 0, group 0", "expected 13 row bounds",
           [](P &p) {
             *group0(p).mutable_axons() = encodeAxons({{0, 0}, {}});
           }},
          // Accumulators: one for each port element of each neuron.
          {"core 0, in-axon 0", "reaches accumulators 0 to 5",
           [](P &p) {
             micro0(p).mutable_ports()->RemoveLast();
             edit(10, [](Instruction &i) { i.b = constant(0); })(p);
           }},
          {"core 0, group 0", "expected accumulators below 268435456",
           [](P &p) { group0(p).set_base((1 << 28) - 5); }},
          {"core 0, group 0", "state words",
           [](P &p) {
             auto &state = *micro0(p).add_states();
             state.set_name("huge");
             state.set_elements(1 << 20);
             state.set_width(8);
             data0(p).add_initial("");
             data0(p).set_params(1, encodeI64(std::vector<int64_t>(1100, 0)));
             group0(p).set_count(1100);
           }},
          {"core 1, group 0", "expected the engine of the other groups",
           [](P &p) {
             image::Group &group = *p.mutable_cores(1)->mutable_groups(0);
             *group.mutable_cuba() = smallCuba();
             p.mutable_cores(1)->mutable_synapses()->set_lists(
                 encodeLists({{0, 1, 0, 1, ListKind::Dense, 0, 8, 0}}));
           }},
      },
      microProgram());
}

TEST(ValidateMicrocode, RefusesWrongRhythms) {
  auto both = [](P &p, uint32_t ticks, uint32_t stride) {
    p.mutable_populations(0)->set_ticks(ticks);
    p.mutable_populations(0)->set_stride(stride);
    for (image::Core &core : *p.mutable_cores()) {
      core.mutable_groups(0)->set_ticks(ticks);
      core.mutable_groups(0)->set_stride(stride);
    }
  };
  expectRefused(
      {
          {"core 0, group 0",
           "2 ticks 4 apart, those of population 'p', found "
           "3 ticks 4 apart",
           [](P &p) { group0(p).set_ticks(3); }},
          {"core 0, group 0", "found 2 ticks 3 apart",
           [](P &p) { group0(p).set_stride(3); }},
          {"core 0, group 0", "expected phase 1",
           [](P &p) { group0(p).set_phase(2); }},
          {"population 'p'", "within a period of 8 steps, found 2 ticks 8",
           [=](P &p) { both(p, 2, 8); }},
          {"population 'p'", "found 4294967295 ticks 4294967295 apart",
           [=](P &p) { both(p, ~0u, ~0u); }},
          {"input 'x'", "within a period of 8 steps, found 9 ticks 1 apart",
           [](P &p) { p.mutable_inputs(0)->set_ticks(9); }},
          // Three units take three steps.
          {"core 0, group 0", "sends over 3 steps, but its ticks are 2 apart",
           [=](P &p) { both(p, 2, 2); }},
          {"core 0, group 0", "sends over 3 steps, but its ticks are 2 apart",
           [=](P &p) { both(p, 2, 6); }},
          {"output 'spikes'", "an output of population 'p', 's', 'g', 'u', 'd'",
           [](P &p) { p.mutable_outputs(0)->set_from("v"); }},
          // Without a name it must be the only one.
          {"output 'spikes'", "found ''",
           [](P &p) { p.mutable_outputs(0)->clear_from(); }},
          {"output 'v'", "a state of population 'p', 'v', 'w', found 'u'",
           [](P &p) { p.mutable_outputs(1)->set_from("u"); }},
          {"output 'v'", "a shape of 6 elements",
           [](P &p) { p.mutable_outputs(1)->set_shape(0, 3); }},
          {"core 1", "may exceed 64 bits",
           [](P &p) {
             image::Input &input = *p.mutable_inputs(0);
             input.set_kind(image::Input::INTEGER);
             input.set_low(-(int64_t(1) << 31));
             input.set_scale(1);
             input.set_ticks(8);
             image::Synapses &memory = *p.mutable_cores(1)->mutable_synapses();
             memory.set_weights(encodeI16({-16384, 0, 0}));
             // 2 sources x 8 ticks x 2^31 x 2^14 x 2^14
             memory.set_lists(
                 encodeLists({{0, 3, 0, 1, ListKind::Dense, 14, 16, 0}}));
           }},
      },
      microProgram());
}

TEST(ValidateMicrocode, TakesLinearTimeOnEqualPrograms) {
  // Every group runs the other copy of a large program.
  P program = microProgram();
  constexpr uint32_t many = 20000;
  program.clear_cores();
  image::Core &core = *program.add_cores();
  for (int copy = 0; copy < 2; ++copy) {
    image::Microprogram &large = *core.add_programs();
    large = smallMicroprogram();
    large.set_constants(micro::encodeI64(std::vector<int64_t>(1 << 18, 1)));
  }
  for (uint32_t n = 0; n < many; ++n) {
    addMicroGroup(core, n, 1);
    image::Group &group = *core.mutable_groups(static_cast<int>(n));
    group.set_base(3 * n);
    group.mutable_microcode()->set_program(n % 2);
    *group.mutable_axons() = encodeAxons({std::vector<uint32_t>(7, 0), {}});
  }
  program.mutable_populations(0)->set_size(many);
  program.mutable_populations(0)->set_shape(0, many);
  program.mutable_outputs(0)->set_shape(0, many);
  program.mutable_outputs(1)->set_shape(0, 2 * many);
  *program.mutable_inputs(0)->mutable_axons() = encodeAxons({{0, 0, 0}, {}});
  // Forty thousand million bytes if each group compared the programs.
  const auto start = std::chrono::steady_clock::now();
  validate(program);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(ValidateMicrocode, TruncatedAndForgedFilesNeverPassUnchecked) {
  const std::string message = microProgram().SerializeAsString();
  auto wrap = [](const std::string &content) {
    return "DENDROLITH\n" + sha256(content) + "\n" + content;
  };
  unsigned whole = 0;
  for (size_t size = 0; size < message.size(); ++size) {
    try {
      parseProgram(wrap(message.substr(0, size)), "p.dlp");
      ++whole;
    } catch (const Error &error) {
      ASSERT_EQ(std::string(error.what()).rfind("p.dlp: ", 0), 0u)
          << size << ": " << error.what();
    }
  }
  // What ends before the populations is an empty program.
  EXPECT_EQ(whole, 1u);
  unsigned refused = 0, passed = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    std::mt19937 random(seed);
    std::string spoiled = message;
    for (unsigned i = 0; i <= seed % 3; ++i) {
      size_t bit = random() % (8 * message.size());
      spoiled[bit / 8] = static_cast<char>(spoiled[bit / 8] ^ 1 << bit % 8);
    }
    try {
      image::Program program = parseProgram(wrap(spoiled), "p.dlp");
      serialize(program);
      describeProgram(program);
      ++passed;
    } catch (const Error &) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5000u);
  EXPECT_GT(passed, 100u); // widths, weights, parameters may be others
}

TEST(ValidateMicrocode, DescriptionShowsProgramsAndRhythm) {
  std::string text = describeProgram(microProgram());
  for (const char *part :
       {"p[0..1] from accumulator 0, phase 1, 2 ticks 4 steps apart",
        "program 0 two_ports: 18 instructions, 6 constants, 15 registers",
        "port I[2]: 16 bits, held over 2 updates", "port J: 24 bits",
        "state v[2]: 24 bits, reset every 2 updates",
        "state w: 16 bits, kept over samples", "param k[2]: 8 bits",
        "param th: 24 bits, per neuron", "output s: 0 to 1, binary",
        "output g[2]: -8 to 7, graded", "output u: -3 to 3, unary over 3 steps",
        "output d: -2 to 2, split over 2 steps"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}
