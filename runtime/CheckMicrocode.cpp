// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of vector neuron cores: everything an engine relies on when it runs
// one without a further check, and the data of the groups that do.

#include "runtime/ImageChecks.h"
#include "runtime/microcode/Isa.h"
#include "targets/Error.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

using namespace neurite;
using namespace neurite::micro;
using Emission = image::Microprogram::Emission;

namespace {

constexpr uint64_t kMaxElements = uint64_t(1) << 20; // of one vector
constexpr uint64_t kMaxWords = uint64_t(1) << 22;    // of one memory
constexpr uint64_t kMaxWork = uint64_t(1) << 28;     // operations per neuron

unsigned operandsOf(MicroOp op) {
  switch (op) {
  case MicroOp::Clamp:
  case MicroOp::Select:
  case MicroOp::Outer:
  case MicroOp::Ladder:
    return 3;
  case MicroOp::Move:
  case MicroOp::Neg:
  case MicroOp::Abs:
  case MicroOp::Scale:
  case MicroOp::Clz:
  case MicroOp::Sum:
  case MicroOp::Maximum:
  case MicroOp::TopK:
  case MicroOp::Skip:
  case MicroOp::Emit:
    return 1;
  default:
    return 2;
  }
}

/// The instructions of one program against its memories.
class CodeChecker {
public:
  CodeChecker(const std::string &place, const image::Microprogram &program,
              const check::ProgramShape &shape, std::vector<Instruction> code,
              uint64_t constants)
      : place(place), program(program), code(std::move(code)) {
    sizes[size_t(Space::Register)] = program.registers();
    sizes[size_t(Space::Port)] = shape.accumulators;
    sizes[size_t(Space::State)] = shape.states;
    sizes[size_t(Space::Param)] = shape.params;
    sizes[size_t(Space::Constant)] = constants;
    written.resize(program.registers());
  }

  void run() {
    uint64_t work = 0;
    checkRegion(0, code.size());
    for (const Instruction &i : code)
      for (uint64_t elements : workOf(i))
        work += elements;
    if (work > kMaxWork)
      throw Error(fmt::format("{}: expected at most {} element operations per "
                              "neuron, found {}",
                              place, kMaxWork, work));
  }

private:
  [[noreturn]] void refuse(const std::string &what) const {
    throw Error(fmt::format("{}, instruction {} ({}): {}", place, at,
                            toString(code[at].op), what));
  }

  /// Instructions [begin, end). What a skipped region writes has not been
  /// written behind it.
  void checkRegion(size_t begin, size_t end) {
    for (at = begin; at < end; ++at) {
      const Instruction &i = code[at];
      checkExtents(i);
      checkOperands(i);
      if (i.op == MicroOp::Skip) {
        if (i.m > end - at - 1)
          refuse(fmt::format("expected to skip at most {} instructions, to the "
                             "end of its region, found {}",
                             end - at - 1, i.m));
        skipped += program.registers();
        if (skipped > kMaxWords)
          refuse("expected fewer skips for so many registers");
        std::vector<bool> before = written;
        size_t last = at + i.m;
        checkRegion(at + 1, last + 1);
        at = last;
        written = std::move(before);
      } else if (i.op == MicroOp::Emit) {
        checkEmit(i);
      } else {
        checkResult(i);
      }
    }
  }

  void checkExtents(const Instruction &i) const {
    if (i.n < 1 || i.n > kMaxElements || i.m > kMaxElements)
      refuse(fmt::format("expected extents of 1 to {}, found {} and {}",
                         kMaxElements, i.n, i.m));
    auto need = [&](bool good, const char *what) {
      if (!good)
        refuse(fmt::format("expected {}, found n {} and m {}", what, i.n, i.m));
    };
    switch (i.op) {
    case MicroOp::Dot:
    case MicroOp::Sum:
    case MicroOp::Maximum:
      return need(i.n == 1 && i.m >= 1, "one result and some terms");
    case MicroOp::MatVec:
    case MicroOp::VecMat:
      return need(i.m >= 1 && uint64_t(i.n) * i.m <= kMaxElements,
                  "a matrix of at most 2^20 elements");
    case MicroOp::Outer:
      return need(i.m >= 1 && i.n % i.m == 0, "whole rows");
    case MicroOp::TopK:
      return need(i.m >= 1 && i.m <= i.n && uint64_t(i.n) * i.m <= kMaxWork,
                  "1 to n marks");
    case MicroOp::Table:
      if (i.shift < 0 || i.shift > 62)
        refuse(
            fmt::format("expected a step of 2^0 to 2^62, found 2^{}", i.shift));
      return need(i.m >= 2, "at least 2 knots");
    case MicroOp::Ladder:
      if (std::abs(int(i.shift)) > 126)
        refuse(fmt::format("expected a shift of at most 126 bits, found {}",
                           i.shift));
      return need(i.m >= 1 && i.m <= 65536, "1 to 65536 rungs to a side");
    case MicroOp::Skip:
      return need(i.n == 1, "one condition");
    default:
      return;
    }
  }

  void checkOperands(const Instruction &i) {
    const Operand *operands[] = {&i.a, &i.b, &i.c};
    for (unsigned o = 0; o < 3; ++o) {
      const Operand &operand = *operands[o];
      bool wanted = o < operandsOf(i.op);
      if (wanted != (operand.space != Space::None))
        refuse(fmt::format("expected {} operands, found {} {}",
                           operandsOf(i.op), wanted ? "no" : "an", "abc"[o]));
      if (!wanted)
        continue;
      uint64_t end = operand.index + extentOf(i, o);
      checkRange(operand, end);
      if (operand.space != Space::Register)
        continue;
      for (uint64_t r = operand.index; r < end; ++r)
        if (!written[r])
          refuse(fmt::format("reads register {} before it is written on every "
                             "way",
                             r));
    }
  }

  void checkRange(const Operand &operand, uint64_t end) const {
    static const char *const names[] = {"registers", "port words",
                                        "state words", "parameter words",
                                        "constants"};
    uint64_t size = sizes[size_t(operand.space)];
    if (end > size)
      refuse(fmt::format("expected words among {} {}, found {} to {}", size,
                         names[size_t(operand.space)], operand.index, end - 1));
  }

  void checkResult(const Instruction &i) {
    if (i.d.space != Space::Register && i.d.space != Space::State)
      refuse("expected a result in registers or states");
    if (i.d.scalar)
      refuse("expected a result of whole words");
    checkRange(i.d, uint64_t(i.d.index) + i.n);
    if (i.d.space == Space::Register)
      std::fill_n(written.begin() + i.d.index, i.n, true);
  }

  void checkEmit(const Instruction &i) const {
    if (i.d.space != Space::None)
      refuse("expected no result");
    if (i.m >= static_cast<uint32_t>(program.outputs_size()))
      refuse(fmt::format("output {} does not exist, the program has {}", i.m,
                         program.outputs_size()));
    if (i.n != program.outputs(static_cast<int>(i.m)).elements())
      refuse(fmt::format("expected the {} elements of its output, found {}",
                         program.outputs(static_cast<int>(i.m)).elements(),
                         i.n));
  }

  const std::string &place;
  const image::Microprogram &program;
  std::vector<Instruction> code;
  uint64_t sizes[6] = {};
  std::vector<bool> written; // registers, on every way to `at`
  uint64_t skipped = 0;
  size_t at = 0;
};

/// Elements and bits of a port, state or parameter; their words are added up.
template <typename Entry>
void checkVector(const std::string &place, const Entry &entry,
                 uint64_t &words) {
  check::checkName(place, entry.name());
  if (entry.elements() < 1 || entry.elements() > kMaxElements)
    throw Error(fmt::format("{}: expected 1 to {} elements, found {}", place,
                            kMaxElements, entry.elements()));
  if (entry.width() < 1 || entry.width() > 64)
    throw Error(fmt::format("{}: expected a width of 1 to 64 bits, found {}",
                            place, entry.width()));
  words += entry.elements();
  if (words > kMaxWords)
    throw Error(fmt::format("{}: expected at most {} words of a kind, found "
                            "more",
                            place, kMaxWords));
}

void checkOutput(const std::string &place, const Emission &output,
                 check::ProgramShape &shape) {
  check::checkName(place, output.name());
  auto refuse = [&](const std::string &what) {
    throw Error(place + ": " + what);
  };
  constexpr int64_t bound = int64_t(1) << 31;
  if (output.elements() < 1 || output.elements() > kMaxElements)
    refuse(fmt::format("expected 1 to {} elements, found {}", kMaxElements,
                       output.elements()));
  if (output.low() > output.high() || output.low() < -bound ||
      output.high() >= bound)
    refuse(fmt::format("expected a range within 32-bit integers, found {} to "
                       "{}",
                       output.low(), output.high()));
  int64_t largest = std::max(std::abs(output.low()), std::abs(output.high()));
  bool unary =
      output.kind() == Emission::UNARY || output.kind() == Emission::SPLIT;
  if (output.kind() == Emission::BINARY &&
      (output.low() != 0 || output.high() != 1))
    refuse(fmt::format("expected a binary output to send 0 and 1, found {} to "
                       "{}",
                       output.low(), output.high()));
  int64_t steps = std::max<int64_t>(output.steps(), 1);
  if (steps != (unary ? std::max<int64_t>(largest, 1) : 1))
    refuse(fmt::format("expected to send over {} steps, found {}",
                       unary ? largest : 1, steps));
  shape.steps = std::max<uint64_t>(shape.steps, static_cast<uint64_t>(steps));
  shape.payload =
      std::max<uint64_t>(shape.payload, static_cast<uint64_t>(largest));
  shape.sources +=
      uint64_t(output.elements()) * (output.kind() == Emission::SPLIT ? 2 : 1);
  if (shape.sources > kMaxWords)
    refuse(fmt::format("expected at most {} sources of a neuron", kMaxWords));
}

/// int64 words of a neuron or of all, each within `width` bits.
void checkWords(const std::string &place, const std::string &bytes,
                uint64_t elements, uint64_t count, bool shared, bool each,
                unsigned width) {
  std::vector<int64_t> words;
  try {
    words = decodeI64(bytes);
  } catch (const Error &error) {
    throw Error(place + ": " + error.what());
  }
  bool good = (shared && words.size() == elements) ||
              (each && words.size() == elements * count);
  if (!good)
    throw Error(fmt::format("{}: expected {} words for each of {}, found {}",
                            place, elements,
                            each ? fmt::format("{} neurons", count)
                                 : std::string("all neurons together"),
                            words.size()));
  // Booleans are 0 or 1 in one bit.
  int64_t high = width == 64  ? INT64_MAX
                 : width == 1 ? 1
                              : (int64_t(1) << (width - 1)) - 1;
  int64_t low = width == 64 ? INT64_MIN : -(int64_t(1) << (width - 1));
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] < low || words[i] > high)
      throw Error(fmt::format("{}, word {}: expected {} bits, found {}", place,
                              i, width, words[i]));
}

} // namespace

check::ProgramShape
check::checkMicroprogram(const std::string &place,
                         const image::Microprogram &program) {
  ProgramShape shape;
  constexpr uint32_t often = 1 << 20; // updates between clearings or resets
  auto within = [&](const std::string &here, uint32_t value) {
    if (value > often)
      throw Error(fmt::format("{}: expected at most {} updates, found {}", here,
                              often, value));
  };
  for (int i = 0; i < program.ports_size(); ++i) {
    std::string here = fmt::format("{}, port {}", place, i);
    checkVector(here, program.ports(i), shape.accumulators);
    within(here, program.ports(i).hold());
  }
  for (int i = 0; i < program.states_size(); ++i) {
    std::string here = fmt::format("{}, state {}", place, i);
    checkVector(here, program.states(i), shape.states);
    within(here, program.states(i).reset_every());
  }
  for (int i = 0; i < program.params_size(); ++i)
    checkVector(fmt::format("{}, parameter {}", place, i), program.params(i),
                shape.params);
  for (int i = 0; i < program.outputs_size(); ++i)
    checkOutput(fmt::format("{}, output {}", place, i), program.outputs(i),
                shape);
  if (program.registers() > kMaxElements)
    throw Error(fmt::format("{}: expected at most {} registers, found {}",
                            place, kMaxElements, program.registers()));
  std::vector<Instruction> code;
  std::vector<int64_t> constants;
  try {
    code = decodeCode(program.code());
    constants = decodeI64(program.constants());
  } catch (const Error &error) {
    throw Error(place + ", " + error.what());
  }
  if (program.names_size() != 0 &&
      static_cast<size_t>(program.names_size()) != code.size())
    throw Error(fmt::format("{}: expected no or {} names, found {}", place,
                            code.size(), program.names_size()));
  CodeChecker(place, program, shape, std::move(code), constants.size()).run();
  return shape;
}

void check::checkMicrocode(const std::string &place,
                           const image::Microcode &microcode,
                           const image::Microprogram &program, uint32_t count) {
  if (microcode.params_size() != program.params_size())
    throw Error(fmt::format("{}: expected words of {} parameters, found {}",
                            place, program.params_size(),
                            microcode.params_size()));
  if (microcode.initial_size() != program.states_size())
    throw Error(fmt::format("{}: expected initial words of {} states, found {}",
                            place, program.states_size(),
                            microcode.initial_size()));
  for (int i = 0; i < program.params_size(); ++i) {
    const auto &param = program.params(i);
    checkWords(fmt::format("{}, parameter {}", place, i), microcode.params(i),
               param.elements(), count, !param.per_neuron(), param.per_neuron(),
               param.width());
  }
  for (int i = 0; i < program.states_size(); ++i)
    if (!microcode.initial(i).empty())
      checkWords(fmt::format("{}, initial value {}", place, i),
                 microcode.initial(i), program.states(i).elements(), count,
                 true, true, program.states(i).width());
}
