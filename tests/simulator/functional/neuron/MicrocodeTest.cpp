// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs made by hand: arithmetic against 128-bit integers on every width and
// rounding, skipped regions, counts, quiescence, times.

#include "simulator/functional/neuron/Microcode.h"

#include <gtest/gtest.h>

#include <random>

namespace dendrolith::sim {
namespace {

__extension__ using Wide = __int128;
__extension__ using UWide = unsigned __int128;
using micro::Instruction;
using micro::Operand;
using micro::Rounding;
using micro::Space;

Operand in(Space space, uint32_t index, bool scalar = false) {
  return {space, scalar, index};
}
Operand reg(uint32_t index) { return in(Space::Register, index); }
Operand state(uint32_t index) { return in(Space::State, index); }
Operand port(uint32_t index) { return in(Space::Port, index); }
Operand constant(uint32_t index) { return in(Space::Constant, index); }

Instruction make(MicroOp op, Operand d, Operand a, Operand b = {},
                 Operand c = {}) {
  Instruction i;
  i.op = op;
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  return i;
}

/// A program with ports and states of one word each.
struct Program {
  explicit Program(uint32_t ports = 1, uint32_t states = 1) {
    for (uint32_t p = 0; p < ports; ++p) {
      auto *port = image.add_ports();
      port->set_name("p" + std::to_string(p));
      port->set_elements(1);
      port->set_width(64);
    }
    for (uint32_t s = 0; s < states; ++s) {
      auto *state = image.add_states();
      state->set_name("s" + std::to_string(s));
      state->set_elements(1);
      state->set_width(64);
    }
    image.set_registers(16);
  }
  Program &output(int64_t low, int64_t high) {
    auto *output = image.add_outputs();
    output->set_name("o" + std::to_string(image.outputs_size()));
    output->set_elements(1);
    output->set_low(low);
    output->set_high(high);
    output->set_kind(image::Microprogram::Emission::GRADED);
    return *this;
  }
  MicroProgram of(uint32_t count) {
    image.set_code(micro::encodeCode(code));
    image.set_constants(micro::encodeI64(constants));
    image::Microcode group;
    for (int s = 0; s < image.states_size(); ++s)
      group.add_initial();
    return MicroProgram(image, group, count);
  }
  image::Microprogram image;
  std::vector<Instruction> code;
  std::vector<int64_t> constants;
};

/// Ports and states of a group, by word and neuron.
struct Data {
  Data(const MicroProgram &program)
      : row(program.row()), ports(program.accumulators() * row),
        states(program.stateWords() * row) {}
  int64_t &port(uint32_t word, uint32_t n) { return ports[word * row + n]; }
  int64_t &state(uint32_t word, uint32_t n) { return states[word * row + n]; }
  size_t row;
  std::vector<int64_t> ports, states;
};

int64_t narrow(Wide x, unsigned width, bool saturate) {
  Wide span = Wide(1) << width, low = -(span / 2), high = span / 2 - 1;
  if (saturate)
    return int64_t(x < low ? low : x > high ? high : x);
  Wide rest = x % span;
  if (rest > high)
    rest -= span;
  if (rest < low)
    rest += span;
  return int64_t(rest);
}

/// x * 2^shift, from the meaning of the roundings.
Wide scaled(Wide x, int shift, Rounding rounding) {
  if (shift >= 0)
    return Wide(UWide(x) << shift);
  Wide unit = Wide(1) << -shift, quotient = x / unit, rest = x % unit;
  if (rest < 0) { // towards minus infinity
    rest += unit;
    --quotient;
  }
  switch (rounding) {
  case Rounding::Floor:
    return quotient;
  case Rounding::TowardZero:
    return quotient + (x < 0 && rest != 0);
  case Rounding::NearestUp:
    return quotient + (2 * rest >= unit);
  case Rounding::NearestEven:
    return quotient +
           (2 * rest > unit || (2 * rest == unit && (quotient & 1) != 0));
  }
  return quotient;
}

/// Random numbers of up to `bits` bits with the extremes among them.
int64_t number(std::mt19937_64 &random, unsigned bits) {
  int64_t high = bits == 64 ? INT64_MAX : (int64_t(1) << (bits - 1)) - 1;
  switch (random() % 8) {
  case 0:
    return high;
  case 1:
    return -high - 1;
  case 2:
    return int64_t(random() % 5) - 2;
  default:
    return bits == 64 ? int64_t(random())
                      : int64_t(random() % (uint64_t(1) << bits)) - high - 1;
  }
}

TEST(Microcode, ScalingOfEveryWidthAndRounding) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 4000; ++round) {
    Program program(2);
    Instruction i =
        make(random() % 2 ? MicroOp::Mul : MicroOp::Scale, state(0), port(0));
    unsigned bits = 1 + unsigned(random() % 32);
    unsigned wide = i.op == MicroOp::Mul ? bits : 2 * bits;
    if (i.op == MicroOp::Mul)
      i.b = port(1);
    program.image.mutable_ports(0)->set_width(wide);
    program.image.mutable_ports(1)->set_width(bits);
    i.width = uint8_t(1 + random() % 64);
    i.rounding = Rounding(random() % 4);
    i.saturate = random() % 2;
    i.shift = int16_t(int(random() % 120) - 60);
    program.code = {i};
    MicroProgram code = program.of(33);
    Data data(code);
    for (uint32_t n = 0; n < 33; ++n) {
      data.port(0, n) = number(random, wide);
      data.port(1, n) = number(random, bits);
    }
    MicroVisit visit;
    code.run(data.ports.data(), data.states.data(), nullptr, visit, false);
    for (uint32_t n = 0; n < 33; ++n) {
      Wide x = data.port(0, n);
      if (i.op == MicroOp::Mul)
        x *= data.port(1, n);
      ASSERT_EQ(data.state(0, n),
                narrow(scaled(x, i.shift, i.rounding), i.width, i.saturate))
          << toString(i.op) << " " << int64_t(x) << " shift " << i.shift
          << " width " << int(i.width) << " rounding " << int(i.rounding);
    }
  }
}

TEST(Microcode, SumsOfEveryWidth) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    Program program(2);
    Instruction i = make(random() % 2 ? MicroOp::Add : MicroOp::Sub, state(0),
                         port(0), port(1));
    unsigned bits = 1 + unsigned(random() % 64);
    for (int p : {0, 1})
      program.image.mutable_ports(p)->set_width(bits);
    i.width = uint8_t(1 + random() % 64);
    i.saturate = random() % 2;
    program.code = {i};
    MicroProgram code = program.of(9);
    Data data(code);
    for (uint32_t n = 0; n < 9; ++n)
      for (uint32_t p : {0u, 1u})
        data.port(p, n) = number(random, bits);
    MicroVisit visit;
    code.run(data.ports.data(), data.states.data(), nullptr, visit, false);
    for (uint32_t n = 0; n < 9; ++n) {
      Wide x = data.port(0, n), y = data.port(1, n);
      ASSERT_EQ(data.state(0, n), narrow(i.op == MicroOp::Add ? x + y : x - y,
                                         i.width, i.saturate));
    }
  }
}

/// skip unless p0 > 0: s0 = p0; skip unless p1 > 0: s1 = p1, emit p1.
Program nested() {
  Program program(2, 2);
  program.constants = {0};
  Instruction above = make(MicroOp::Compare, reg(0), port(0), constant(0));
  above.predicate = micro::Predicate::GT;
  Instruction inner = above;
  inner.d = reg(1);
  inner.a = port(1);
  Instruction outerSkip = make(MicroOp::Skip, {}, reg(0));
  outerSkip.m = 5;
  Instruction innerSkip = make(MicroOp::Skip, {}, reg(1));
  innerSkip.m = 2;
  Instruction emit = make(MicroOp::Emit, {}, port(1));
  program.output(-5, 5);
  program.code = {above, outerSkip, make(MicroOp::Move, state(0), port(0)),
                  inner, innerSkip, make(MicroOp::Move, state(1), port(1)),
                  emit};
  return program;
}

TEST(Microcode, SkippedRegionsDoAndCountNothing) {
  for (uint32_t count : {1u, 7u, 31u, 33u, 511u, 513u, 1100u}) {
    MicroProgram code = nested().of(count);
    Data data(code);
    std::mt19937 random(count);
    uint64_t outer = 0, inner = 0;
    std::vector<int64_t> sent;
    for (uint32_t n = 0; n < count; ++n) {
      data.port(0, n) = int64_t(random() % 3) - 1;
      data.port(1, n) = int64_t(random() % 17) - 8;
      data.state(0, n) = data.state(1, n) = 77;
      outer += data.port(0, n) > 0;
      bool both = data.port(0, n) > 0 && data.port(1, n) > 0;
      inner += both;
      if (both)
        sent.push_back(std::min<int64_t>(data.port(1, n), 5));
    }
    MicroVisit visit;
    code.run(data.ports.data(), data.states.data(), nullptr, visit, true);
    ASSERT_EQ(code.parts(), 3u);
    EXPECT_EQ(code.partOf(), (std::vector<uint32_t>{0, 0, 1, 1, 1, 2, 2}));
    for (uint32_t n = 0; n < count; ++n) {
      bool a = data.port(0, n) > 0, b = a && data.port(1, n) > 0;
      ASSERT_EQ(data.state(0, n), a ? data.port(0, n) : 77);
      ASSERT_EQ(data.state(1, n), b ? data.port(1, n) : 77);
      ASSERT_EQ(visit.came[n], 1);
      ASSERT_EQ(visit.came[count + n], a);
      ASSERT_EQ(visit.came[2 * count + n], b);
    }
    ASSERT_EQ(visit.emissions.size(), sent.size());
    for (size_t k = 0; k < sent.size(); ++k)
      ASSERT_EQ(visit.emissions[k].value, sent[k]);
    EXPECT_EQ(visit.issued, 2 * count + 3 * outer + 2 * inner);
    auto of = [&](MicroClass kind) { return visit.work[size_t(kind)]; };
    EXPECT_EQ(of(MicroClass::Compare), count + outer);
    EXPECT_EQ(of(MicroClass::Control), count + outer);
    EXPECT_EQ(of(MicroClass::Store), outer + inner);
    EXPECT_EQ(of(MicroClass::Load), count + 2 * outer + 2 * inner);
    EXPECT_EQ(of(MicroClass::Emit), inner);
  }
}

TEST(Microcode, QuiescenceIsPerNeuron) {
  // Emits its parameter: only a neuron whose parameter is 0 may rest.
  Program program(1, 1);
  auto *param = program.image.add_params();
  param->set_name("q");
  param->set_elements(1);
  param->set_width(8);
  param->set_per_neuron(true);
  program.output(-100, 100);
  program.code = {make(MicroOp::Emit, {}, in(Space::Param, 0))};
  program.image.set_code(micro::encodeCode(program.code));
  image::Microcode group;
  group.add_initial();
  group.add_params(micro::encodeI64({0, 3, 0, -4}));
  MicroProgram code(program.image, group, 4);
  EXPECT_TRUE(code.quiescent(0));
  EXPECT_FALSE(code.quiescent(1));
  EXPECT_TRUE(code.quiescent(2));
  EXPECT_FALSE(code.quiescent(3));
  // Those that rest are not counted.
  Data data(code);
  MicroVisit visit;
  const uint8_t run[] = {0, 1, 0, 1};
  code.run(data.ports.data(), data.states.data(), run, visit, false);
  EXPECT_EQ(visit.issued, 2u);
  ASSERT_EQ(visit.emissions.size(), 2u);
  EXPECT_EQ(visit.emissions[1].neuron, 3u);
  EXPECT_EQ(visit.emissions[1].value, -4);
}

TEST(Microcode, EmissionsGoNeuronByNeuron) {
  Program program(2, 0);
  program.output(-9, 9).output(1, 9); // the second one never sends zero
  Instruction first = make(MicroOp::Emit, {}, port(0));
  Instruction second = make(MicroOp::Emit, {}, port(1));
  second.m = 1;
  program.code = {first, second};
  MicroProgram code = program.of(3);
  EXPECT_FALSE(code.quiescent(0)); // zero is brought to 1
  Data data(code);
  data.port(0, 1) = 20;
  data.port(0, 2) = -3;
  data.port(1, 2) = 4;
  MicroVisit visit;
  code.run(data.ports.data(), data.states.data(), nullptr, visit, false);
  std::vector<std::vector<int64_t>> sent;
  for (const MicroEmission &e : visit.emissions)
    sent.push_back({e.neuron, e.output, e.value});
  EXPECT_EQ(sent, (std::vector<std::vector<int64_t>>{
                      {0, 1, 1}, {1, 0, 9}, {1, 1, 1}, {2, 0, -3}, {2, 1, 4}}));
}

} // namespace
} // namespace dendrolith::sim
