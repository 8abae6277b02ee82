// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/runtime/session/native/RandomMicrocode.h"

#include "runtime/validate/Check.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::test {

using micro::Instruction;
using micro::Operand;
using micro::Space;

int64_t edgeNumber(std::mt19937_64 &random, unsigned bits) {
  const int64_t high = bits == 64 ? INT64_MAX : (int64_t(1) << (bits - 1)) - 1;
  switch (random() % 8) {
  case 0:
    return high;
  case 1:
    return -high - 1;
  case 2:
    return std::clamp<int64_t>(int64_t(random() % 5) - 2, -high - 1, high);
  case 3: // of any magnitude
    return int64_t(random()) >> (64 - 1 - random() % bits);
  default:
    return int64_t(random()) >> (64 - bits);
  }
}

sim::MicroProgram GroupProgram::build() {
  program.set_code(micro::encodeCode(code));
  program.set_constants(micro::encodeI64(constants));
  return sim::MicroProgram(program, group, neurons);
}

namespace {

constexpr uint32_t kRegisters = 48;

class Generator {
public:
  explicit Generator(std::mt19937_64 &random) : random(random) {}

  GroupProgram run() {
    constexpr uint32_t counts[] = {1, 2, 4, 5, 8, 13, 40};
    made.neurons = counts[below(7)];
    memories();
    const int most = 3 + below(24);
    for (int i = 0; i < most; ++i)
      for (int tries = 0; tries < 40; ++tries) {
        made.code.push_back(instruction());
        if (isValid())
          break;
        made.code.pop_back();
      }
    for (Instruction &code : made.code)
      if (code.op == MicroOp::Skip)
        for (uint32_t m = 1 + uint32_t(below(8)); m > 0; --m) {
          code.m = m;
          if (isValid())
            break;
          code.m = 0;
        }
    return std::move(made);
  }

private:
  int below(int n) { return int(random() % uint64_t(n)); }
  uint32_t elements() { return below(2) ? 1 : 1 + uint32_t(below(9)); }
  unsigned width() {
    constexpr unsigned likely[] = {2,  8,  16, 24, 24, 24,
                                   31, 32, 33, 62, 63, 64};
    return below(2) ? likely[below(12)] : 1 + unsigned(below(64));
  }

  void memories() {
    for (int i = 0; i < 1 + below(3); ++i) {
      auto *port = made.program.add_ports();
      port->set_name("p" + std::to_string(i));
      port->set_elements(elements());
      port->set_width(width());
      words[size_t(Space::Port)] += port->elements();
    }
    for (int i = 0; i < 1 + below(3); ++i) {
      auto *state = made.program.add_states();
      state->set_name("s" + std::to_string(i));
      state->set_elements(elements());
      state->set_width(width());
      words[size_t(Space::State)] += state->elements();
      std::vector<int64_t> initial;
      for (uint32_t k = 0; k < state->elements(); ++k)
        initial.push_back(
            below(2) ? 0 : edgeNumber(random, std::max(2u, state->width())));
      made.group.add_initial(micro::encodeI64(initial));
    }
    for (int i = 0; i < 1 + below(3); ++i) {
      auto *param = made.program.add_params();
      param->set_name("k" + std::to_string(i));
      param->set_elements(elements());
      param->set_width(width());
      param->set_per_neuron(below(2));
      words[size_t(Space::Param)] += param->elements();
      std::vector<int64_t> values(param->elements() *
                                  (param->per_neuron() ? made.neurons : 1));
      for (int64_t &value : values)
        value = edgeNumber(random, std::max(2u, param->width()));
      made.group.add_params(micro::encodeI64(values));
    }
    for (int i = 0; i < 1 + below(3); ++i) {
      auto *output = made.program.add_outputs();
      output->set_name("o" + std::to_string(i));
      output->set_elements(elements());
      output->set_low(below(4) ? -int64_t(random() % 100000) : 1);
      output->set_high(1 + int64_t(random() % 100000));
      output->set_kind(image::Microprogram::Emission::GRADED);
    }
    for (int i = 0; i < 12; ++i)
      made.constants.push_back(edgeNumber(random, width()));
    words[size_t(Space::Constant)] = 12;
    words[size_t(Space::Register)] = kRegisters;
    made.program.set_registers(kRegisters);
  }

  Operand operand(bool result) {
    Operand o;
    o.space = result ? (below(4) ? Space::Register : Space::State)
                     : Space(below(8) < 4 ? 0 : below(5));
    const uint32_t most =
        o.space == Space::Register && below(2) ? 12 : words[size_t(o.space)];
    o.index = uint32_t(below(int(most)));
    o.scalar = !result && below(4) == 0;
    return o;
  }

  Instruction instruction() {
    Instruction i;
    // Most of what bodies hold, and of everything something.
    i.op = MicroOp(below(2) ? below(13) : below(int(kMicroOps)));
    i.width = uint8_t(width());
    i.rounding = micro::Rounding(below(4));
    i.saturate = below(2);
    i.predicate = micro::Predicate(below(6));
    i.shift = int16_t(below(3) ? -below(24) : below(150) - 75);
    i.n = below(3) ? elements() : 8;
    i.m = 1 + uint32_t(below(6));
    i.imm = int64_t(random() % 4096) - 2048;
    if (i.op == MicroOp::Table) {
      i.shift = int16_t(below(20));
      i.m = 2 + uint32_t(below(8));
    } else if (i.op == MicroOp::Ladder && below(3) == 0) {
      i.m = 9 + uint32_t(below(4));
    } else if (shapeOf(i.op) == MicroShape::Terms) {
      i.n = 1;
      i.m = below(2) ? 8 : elements();
    } else if (shapeOf(i.op) == MicroShape::OuterProduct) {
      i.n = i.m * (1 + uint32_t(below(3)));
    } else if (i.op == MicroOp::Skip) {
      i.n = 1;
      i.m = 0;
    } else if (i.op == MicroOp::Emit) {
      i.m = uint32_t(below(made.program.outputs_size()));
      i.n = made.program.outputs(int(i.m)).elements();
    }
    if (hasResult(i.op))
      i.d = operand(true);
    if (operandsOf(i.op) > 0)
      i.a = operand(false);
    if (operandsOf(i.op) > 1)
      i.b = operand(false);
    if (operandsOf(i.op) > 2)
      i.c = operand(false);
    // In place where it may be.
    if (hasResult(i.op) && isElementwise(i.op) && below(6) == 0)
      i.a = i.d;
    return i;
  }

  bool isValid() const {
    try {
      check::checkCode("", made.program, made.code, made.constants);
      return true;
    } catch (const Error &) {
      return false;
    }
  }

  std::mt19937_64 &random;
  GroupProgram made;
  uint32_t words[5] = {};
};

std::string differs(const char *what, uint64_t at, int64_t expected,
                    int64_t found) {
  return fmt::format("{} {}: expected {}, found {}", what, at, expected, found);
}

} // namespace

GroupProgram randomMicrocode(std::mt19937_64 &random) {
  return Generator(random).run();
}

std::string compareVisits(const sim::MicroProgram &program,
                          const sim::CompiledProgram &compiled, int ticks,
                          std::mt19937_64 &random, const InputValue &input) {
  const uint32_t neurons = program.count();
  const size_t row = program.row();
  std::vector<int64_t> plain(program.stateWords() * row), fast;
  std::vector<int64_t> ports(program.accumulators() * row);
  std::vector<uint8_t> runs(neurons, 1);
  for (uint32_t w = 0; w < program.stateWords(); ++w)
    for (uint32_t n = 0; n < neurons; ++n)
      plain[w * row + n] = program.initial(w, n);
  fast = plain;
  sim::MicroVisit expected, found;
  for (int tick = 0; tick < ticks; ++tick) {
    for (const sim::MicroProgram::Port &port : program.ports())
      for (uint32_t w = port.first; w < port.first + port.elements; ++w)
        for (uint32_t n = 0; n < neurons; ++n)
          ports[w * row + n] = input(w, n, std::max(2u, port.width));
    for (uint32_t n = 0; n < neurons; ++n) {
      runs[n] = !(program.quiescent(n) && random() % 3 == 0);
      for (uint32_t w = 0; !runs[n] && w < program.accumulators(); ++w)
        ports[w * row + n] = 0;
      for (uint32_t w = 0; !runs[n] && w < program.stateWords(); ++w)
        plain[w * row + n] = fast[w * row + n] = 0;
    }
    const uint8_t *which = random() % 2 ? runs.data() : nullptr;
    program.run(ports.data(), plain.data(), which, expected, true);
    program.run(compiled, ports.data(), fast.data(), which, found, true);
    for (uint32_t w = 0; w < program.stateWords(); ++w)
      for (uint32_t n = 0; n < neurons; ++n)
        if (plain[w * row + n] != fast[w * row + n])
          return differs("state word", w, plain[w * row + n],
                         fast[w * row + n]) +
                 fmt::format(" in neuron {}", n);
    if (expected.emissions.size() != found.emissions.size())
      return differs("emissions in tick", uint64_t(tick),
                     int64_t(expected.emissions.size()),
                     int64_t(found.emissions.size()));
    for (size_t i = 0; i < expected.emissions.size(); ++i) {
      const sim::MicroEmission &a = expected.emissions[i],
                               &b = found.emissions[i];
      if (a.neuron != b.neuron || a.output != b.output ||
          a.element != b.element || a.value != b.value)
        return differs("emission", i, a.value, b.value);
    }
    for (size_t c = 0; c < expected.work.size(); ++c)
      if (expected.work[c] != found.work[c])
        return differs(toString(MicroClass(c)), uint64_t(tick),
                       int64_t(expected.work[c]), int64_t(found.work[c]));
    if (expected.issued != found.issued)
      return differs("instructions in tick", uint64_t(tick),
                     int64_t(expected.issued), int64_t(found.issued));
    if (expected.came != found.came)
      return "who came to which part differs";
  }
  return "";
}

} // namespace dendrolith::test
